/* help: prints the help of the program or of one command. */
#include "app/commands/command.h"

#include "app/help.h"

static const struct sq_arg help_options[] = {
    SQ_ARGS_END,
};

static bool
help_run(const struct sq_words *words, const void *args, struct sq_buf *out,
         enum sq_status *status, struct sq_err *err) {
    (void)args;
    (void)status;
    return words->count == 0 ? sq_help_program(out, err)
                             : sq_help_verb(words->word[0], out, err);
}

const struct sq_command sq_command_help = {
    .name = "help",
    .heading = "About squint",
    .usage = "[COMMAND]",
    .summary = "say more about a command",
    .help = "squint help tap is the same as squint tap --help.\n\n"
            "Exit status: 0 done, 2 the command line is wrong.",
    .options = help_options,
    .max_words = 1,
    .trouble = SQ_STATUS_FAILED,
    .run = help_run,
};

/* help: prints the help of the program or of one command. */
#include "app/commands/command.h"

#include <ctype.h>
#include <string.h>

#include "app/help.h"

static const struct sq_arg help_options[] = {
    SQ_ARGS_END,
};

/* Fails if the second word is not a word that the command begins with. */
static bool
has_subcommand(const struct sq_words *words, struct sq_err *err) {
    const struct sq_command *command;
    const char *name = words->word[0];
    const char *word = words->word[1];
    size_t len = strlen(word);
    for (size_t i = 0; (command = sq_command_at(i)); i++) {
        const char *at = strcmp(command->name, name) == 0
                           ? strstr(command->usage, word)
                           : NULL;
        bool starts = at && (at == command->usage || strchr("| ", at[-1]));
        if (starts && islower((unsigned char)word[0])
            && strchr("| ", at[len])) {
            return true;
        }
    }
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(sq_span_of(word), quoted);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is one word too many", quoted);
    return sq_fail_hint(err, "Usage: squint help [COMMAND]");
}

static bool
help_run(const struct sq_words *words, const void *args, struct sq_buf *out,
         enum sq_status *status, struct sq_err *err) {
    (void)args;
    (void)status;
    if (words->count == 0) {
        return sq_help_program(out, err);
    }
    return (words->count == 1 || has_subcommand(words, err))
        && sq_help_verb(words->word[0], out, err);
}

const struct sq_command sq_command_help = {
    .name = "help",
    .heading = "About squint",
    .usage = "[COMMAND]",
    .summary = "say more about a command",
    .help =
        "squint help tap is the same as squint tap --help and squint --help "
        "tap.\n\n"
        "Exit status: 0 done, 2 the command line is wrong.",
    .options = help_options,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .run = help_run,
};

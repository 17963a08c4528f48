/* man: prints the man page. */
#include "app/commands/command.h"

#include "app/docs/man.h"

static const struct sq_arg man_options[] = {
    SQ_ARGS_END,
};

static bool
man_run(const struct sq_words *words, const void *args, struct sq_buf *out,
        enum sq_status *status, struct sq_err *err) {
    (void)words;
    (void)args;
    (void)status;
    return sq_man_page(out, err);
}

const struct sq_command sq_command_man = {
    .name = "man",
    .usage = "",
    .summary = "print the man page, in roff",
    .help = "To read it: squint man | man -l -\n\n"
            "Exit status: 0 done, 2 the command line is wrong.",
    .options = man_options,
    .is_verbatim = true,
    .trouble = SQ_STATUS_FAILED,
    .run = man_run,
};

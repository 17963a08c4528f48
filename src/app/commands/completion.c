/* completion: prints the completion script of a shell. */
#include "app/commands/command.h"

#include "app/docs/completion.h"

static const struct sq_arg completion_options[] = {
    SQ_ARGS_END,
};

static bool
completion_run(const struct sq_words *words, const void *args,
               struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    (void)args;
    (void)status;
    return sq_completion_script(words->word[0], out, err);
}

const struct sq_command sq_command_completion = {
    .name = "completion",
    .usage = "bash|fish|zsh",
    .summary = "print the script that lets a shell complete words",
    .help = "  bash: source <(squint completion bash), in ~/.bashrc\n"
            "  zsh:  source <(squint completion zsh), in ~/.zshrc after "
            "compinit\n"
            "  fish: squint completion fish | source, in config.fish\n\n"
            "Exit status: 0 done, 2 the command line is wrong.",
    .options = completion_options,
    .min_words = 1,
    .max_words = 1,
    .is_verbatim = true,
    .trouble = SQ_STATUS_FAILED,
    .run = completion_run,
};

/* The table of shells with a completion script. */
#include "app/docs/completion.h"

#include <string.h>

#include "util/nearest.h"

static const struct shell {
    const char *name;
    bool (*script)(struct sq_buf *out, struct sq_err *err);
} shells[] = {
    { "bash", sq_completion_bash },
    { "fish", sq_completion_fish },
    { "zsh", sq_completion_zsh },
};
#define SHELLS (sizeof(shells) / sizeof(shells[0]))

const char *
sq_completion_shell_at(size_t index) {
    return index < SHELLS ? shells[index].name : NULL;
}

static bool
fail_shell(const char *shell, struct sq_err *err) {
    struct sq_nearest nearest;
    char remark[SQ_NEAREST_REMARK_SIZE];
    sq_nearest_begin(&nearest, sq_span_of(shell));
    for (size_t i = 0; i < SHELLS; i++) {
        sq_nearest_try(&nearest, shells[i].name);
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no shell \"%s\"%s", shell, remark);
    return sq_fail_hint(err, "Choose from: bash, fish, zsh.");
}

bool
sq_completion_script(const char *shell, struct sq_buf *out,
                     struct sq_err *err) {
    for (size_t i = 0; i < SHELLS; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            return shells[i].script(out, err);
        }
    }
    return fail_shell(shell, err);
}

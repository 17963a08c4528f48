#include "http/serve.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static char token[SQ_HTTP_TOKEN_SIZE];
static bool is_new;

static bool
load(const char *name, struct sq_err *err) {
    *err = (struct sq_err){ 0 };
    return sq_http_token_load(t_scratch_path(name), token, &is_new, err);
}

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(token_is_created_once) {
    struct sq_err err;
    struct stat found;
    char first[SQ_HTTP_TOKEN_SIZE];
    T_OK(load("folder/token", &err), &err);
    T(is_new);
    T_INT((long)strlen(token), 64);
    T_INT((long)strspn(token, "0123456789abcdef"), 64);
    T_INT(stat(t_scratch_path("folder/token"), &found), 0);
    T_INT(found.st_mode & 0777, 0600);
    memcpy(first, token, sizeof(first));
    T_OK(load("folder/token", &err), &err);
    T(!is_new);
    T_STR(token, first);
    T_OK(load("other", &err), &err);
    T(strcmp(token, first) != 0);
    t_remove_folder(t_scratch_path("folder"));
}

T_CASE(own_token_is_used) {
    static const char own[] = "  my-own-token-of-more-than-32-characters\n";
    struct sq_err err;
    t_put(t_scratch_path("token"), own, sizeof(own) - 1);
    T_INT(chmod(t_scratch_path("token"), 0600), 0);
    T_OK(load("token", &err), &err);
    T(!is_new);
    T_STR(token, "my-own-token-of-more-than-32-characters");
}

T_CASE(bad_tokens_are_refused) {
    static const char *const rows[] = {
        "",
        "short",
        "0123456789abcdef0123456789abcde",
        "0123456789abcdef 0123456789abcdef",
        "0123456789abcdef\n0123456789abcdef",
        "0123456789abcdef0123456789abcdef\x7f",
    };
    struct sq_err err;
    char huge[SQ_HTTP_TOKEN_SIZE + 1];
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        t_put(t_scratch_path("token"), rows[i], strlen(rows[i]));
        T_INT(chmod(t_scratch_path("token"), 0600), 0);
        T(!load("token", &err));
        T_INT(err.code, SQ_ERR_FORMAT);
        T_HAS(err.hint, "visible characters");
        /* Also true for a server that runs: it keeps the last token. */
        T_HAS(err.hint, "the next start creates a token");
    }
    memset(huge, 'a', sizeof(huge));
    t_put(t_scratch_path("token"), huge, sizeof(huge));
    T(!load("token", &err));
}

T_CASE(file_must_be_private) {
    static const char own[] = "0123456789abcdef0123456789abcdef";
    struct sq_err err;
    t_put(t_scratch_path("token"), own, sizeof(own) - 1);
    for (int bit = 0; bit < 6; bit++) {
        T_INT(chmod(t_scratch_path("token"), 0600u | (1u << bit)), 0);
        T(!load("token", &err));
        T_INT(err.code, SQ_ERR_ARGUMENT);
        T_HAS(err.hint, "chmod 600");
    }
    T_INT(mkdir(t_scratch_path("folder"), 0700), 0);
    T(!load("folder", &err));
    t_remove_folder(t_scratch_path("folder"));
}

/* After a failure there is no token, or a whole one. */
T_CASE(every_call_can_fail) {
    struct sq_err err;
    bool ok = false;
    for (long nth = 1; !ok && T(nth < 100); nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = EIO });
        ok = load("new", &err);
        long reached = sq_fault_disarm(SQ_FAULT_CALL);
        T(ok || err.message[0]);
        ok = ok && reached < nth;
        if (access(t_scratch_path("new"), F_OK) == 0) {
            T_OK(load("new", &err), &err);
            T_INT(unlink(t_scratch_path("new")), 0);
        }
    }
}

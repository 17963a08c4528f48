/* Tokens of squint serve that have limits of their own. */
#include "app/commands/serve.h"

#include <stdio.h>

#include "tools/table.h"
#include "util/mem.h"

#define MAX_CONFIG_BYTES ((size_t)4 << 20)
#define MAX_NAME 32

static bool
is_name(struct sq_span name) {
    bool ok = name.len > 0 && name.len <= MAX_NAME;
    for (size_t i = 0; ok && i < name.len; i++) {
        char c = name.ptr[i];
        ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
    return ok;
}

/* Reads the limits. A mistake in the file must not allow anything. */
static bool
load_config(struct sq_span path, const struct sq_config *base,
            struct sq_arena *arena, struct sq_config *out, struct sq_err *err) {
    struct sq_config own;
    const char *file = sq_arena_strdup(arena, path, err);
    const struct sq_config_flags flags = { .file = file };
    if (!file || !sq_config_load(&flags, arena, &own, err)) {
        return false;
    }
    if (own.warnings.count > 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%.250s", own.warnings.items[0]);
        return sq_fail_hint(err, "Correct it: squint does not start with a "
                                 "policy that it does not understand.");
    }
    return sq_policy_check(&own, sq_tools_find, err)
        && sq_policy_narrow(base, &own, arena, out, err);
}

static bool
load_one(struct sq_token_policies *policies, struct sq_span entry,
         const char *token_path, const struct sq_config *base,
         struct sq_err *err) {
    struct sq_http_token_file *file = &policies->files[policies->count];
    struct sq_span name;
    bool is_new;
    bool changed;
    if (!sq_span_take_until(&entry, '=', &name) || !is_name(name)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--token-policy takes NAME=FILE");
        return sq_fail_hint(err, "A name has letters, digits, - and _.");
    }
    int len = snprintf(file->path, sizeof(file->path), "%s-%.*s", token_path,
                       SQ_SPAN_ARGS(name));
    if (len >= SQ_PATH_SIZE) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the path of a token is too long");
    }
    bool ok = load_config(entry, base, &policies->arena,
                          &policies->configs[policies->count], err)
           && sq_http_token_load(file->path, file->token, &is_new, err)
           && sq_http_token_refresh(file, true, &changed, err);
    policies->count += ok;
    return ok || sq_fail_in(err, "--token-policy %.*s", SQ_SPAN_ARGS(name));
}

bool
sq_token_policies_load(const char *list, const char *token_path,
                       const struct sq_config *base,
                       struct sq_token_policies **out, struct sq_err *err) {
    struct sq_span rest = sq_span_of(list ? list : "");
    *out = NULL;
    if (rest.len == 0) {
        return true;
    }
    struct sq_token_policies *policies = sq_mem_zalloc(1, sizeof(*policies));
    if (!policies) {
        return sq_fail_nomem(err);
    }
    sq_arena_init(&policies->arena, MAX_CONFIG_BYTES);
    bool ok = true;
    while (ok && rest.len > 0) {
        struct sq_span entry = rest;
        if (!sq_span_take_until(&rest, ',', &entry)) {
            rest.len = 0;
        }
        ok = policies->count < SQ_MAX_TOKEN_POLICIES
               ? load_one(policies, sq_span_trim(entry), token_path, base, err)
               : sq_fail(err, SQ_ERR_ARGUMENT,
                         "--token-policy has more than %d policies",
                         SQ_MAX_TOKEN_POLICIES);
    }
    if (!ok) {
        sq_token_policies_destroy(policies);
        return false;
    }
    *out = policies;
    return true;
}

void
sq_token_policies_destroy(struct sq_token_policies *policies) {
    if (policies) {
        sq_arena_finish(&policies->arena);
        sq_mem_free(policies);
    }
}

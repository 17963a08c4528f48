/* Loads the configuration and creates the host for a command. */
#include "app/setup.h"

#include <string.h>

#include "app/flags.h"
#include "app/log.h"
#include "config/describe.h"
#include "config/option.h"

#define MAX_CONFIG_BYTES ((size_t)4 << 20)

static bool
take_flags(struct sq_config_flags *flags, const struct sq_arg *table, int *argc,
           char **argv, struct sq_err *err) {
    int kept = 0;
    bool only_words = false; /* after "--" */
    for (int i = 0; i < *argc;) {
        only_words = only_words || strcmp(argv[i], "--") == 0;
        int own =
            only_words ? 1 : sq_flags_count_words(table, *argc - i, argv + i);
        int used = 0;
        if (own == 0
            && !sq_config_take_flag(flags, *argc - i, argv + i, &used, err)) {
            return false;
        }
        int left = own == 0 && used == 0 ? 1 : own;
        for (int end = i + left; i < end; i++) {
            argv[kept++] = argv[i];
        }
        i += used;
    }
    *argc = kept;
    return true;
}

static bool
refuse_server_flags(const struct sq_config_flags *flags, struct sq_err *err) {
    for (int i = 0; i < flags->count; i++) {
        const struct sq_config_option *option = flags->given[i].option;
        if (option->is_for_servers) {
            sq_fail(err, SQ_ERR_ARGUMENT, "--%s has no effect in this command",
                    option->flag);
            return sq_fail_hint(err, "Omit it. It is an option of squint mcp, "
                                     "squint serve and squint inspect.");
        }
    }
    return true;
}

bool
sq_setup_refuse(const struct sq_setup_own *own, int argc, char *const *argv,
                struct sq_err *err) {
    const char *flag = own->refused;
    if (!flag || sq_flags_has(own->table, flag)) {
        return true;
    }
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        struct sq_span rest = sq_span_of(argv[i]);
        if (sq_span_take_prefix(&rest, "--") && sq_span_starts_with(rest, flag)
            && (rest.len == strlen(flag) || rest.ptr[strlen(flag)] == '=')) {
            sq_fail(err, SQ_ERR_ARGUMENT, "--%s has no effect in this command",
                    flag);
            return sq_fail_hint(err, "Leave it out.");
        }
    }
    return true;
}

/* Returns whether the help does not list a flag of the configuration. */
static bool
is_omitted(const void *context, const char *flag) {
    const struct sq_setup_own *own = context;
    return sq_flags_has(own->table, flag)
        || (own->refused && strcmp(own->refused, flag) == 0);
}

bool
sq_setup_help(const struct sq_setup_own *own, bool serves, struct sq_buf *out,
              struct sq_err *err) {
    return sq_config_help(is_omitted, own, serves, out, err);
}

/* Loads the configuration and creates the host. */
static bool
start(struct sq_setup *setup, const struct sq_config_flags *flags,
      struct sq_err *err) {
    if (!sq_config_load(flags, &setup->arena, &setup->config, err)) {
        return false;
    }
    bool ok = sq_host_create(&setup->config, &setup->host, err);
    for (size_t i = 0; i < setup->config.warnings.count; i++) {
        const char *warning = setup->config.warnings.items[i];
        /* The caller prints the error. */
        if (ok || !sq_span_starts_with(sq_span_of(warning), err->message)) {
            sq_log(&setup->config, SQ_LOG_WARNING, "%s", warning);
        }
    }
    return ok;
}

static bool
init(struct sq_setup *setup, const struct sq_arg *table, bool serves, int *argc,
     char **argv, struct sq_err *err) {
    *setup = (struct sq_setup){ 0 };
    sq_arena_init(&setup->arena, MAX_CONFIG_BYTES);
    struct sq_config_flags flags = { 0 };
    return take_flags(&flags, table, argc, argv, err)
        && (serves || refuse_server_flags(&flags, err))
        && start(setup, &flags, err);
}

bool
sq_setup_init(struct sq_setup *setup, int *argc, char **argv,
              struct sq_err *err) {
    return init(setup, NULL, false, argc, argv, err);
}

bool
sq_setup_init_for(struct sq_setup *setup, const struct sq_arg *table, int *argc,
                  char **argv, struct sq_err *err) {
    return init(setup, table, false, argc, argv, err);
}

bool
sq_setup_init_server(struct sq_setup *setup, const struct sq_arg *table,
                     int *argc, char **argv, struct sq_err *err) {
    return init(setup, table, true, argc, argv, err);
}

void
sq_setup_finish(struct sq_setup *setup) {
    sq_host_destroy(setup->host);
    sq_arena_finish(&setup->arena);
    *setup = (struct sq_setup){ 0 };
}

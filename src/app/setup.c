/* Loads the configuration and creates the host for a command. */
#include "app/setup.h"

#include "app/docs/docs.h"
#include "app/print_message.h"
#include "device/adb.h"
#include "journal/audit.h"
#include "journal/journal.h"
#include "sys/process.h"

#define MAX_CONFIG_BYTES ((size_t)4 << 20)
#define MAX_TAKERS 6 /* commands that an error lists */
#define MAX_TAKERS_BYTES 256

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

/*
 * Appends the operations that take the option, then other commands: "list, get,
 * crop and 12 more".
 */
static bool
put_takers(const struct sq_config_option *option, struct sq_buf *out,
           struct sq_err *err) {
    const char *names[MAX_TAKERS + 1];
    struct sq_verb verb;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; sq_verb_at(i, &verb); i++) {
            if ((verb.command != NULL) == (pass == 1)
                && sq_verb_takes(&verb, option)) {
                names[count < MAX_TAKERS ? count : MAX_TAKERS] = verb.name;
                count++;
            }
        }
    }
    /* "and 1 more" is not shorter than that one. */
    int shown = count > MAX_TAKERS + 1 ? MAX_TAKERS : count;
    bool ok = true;
    for (int i = 0; ok && i < shown; i++) {
        ok = sq_buf_printf(out, err, "%s%s",
                           i == 0           ? ""
                           : i + 1 == count ? " and "
                                            : ", ",
                           names[i]);
    }
    return ok
        && (shown == count
            || sq_buf_printf(out, err, " and %d more", count - shown));
}

static bool
fail_without_effect(const struct sq_config_option *option, struct sq_err *err) {
    SQ_BUF(takers, MAX_TAKERS_BYTES);
    sq_fail(err, SQ_ERR_ARGUMENT, "--%s has no effect in this command",
            option->flag);
    if (put_takers(option, &takers, NULL)) {
        sq_fail_hint(err, "Leave it out. It is an option of squint %.*s.",
                     SQ_SPAN_ARGS(sq_buf_span(&takers)));
    } else {
        sq_fail_hint(err, "Leave it out.");
    }
    return false;
}

/* Returns the first option in argv that has no effect, or NULL. */
static const struct sq_config_option *
find_unused(const struct sq_config_flags *flags, unsigned uses) {
    for (int i = 0; i < flags->count; i++) {
        const struct sq_config_option *option = flags->given[i].option;
        if (!(option->used_by & uses)) {
            return option;
        }
    }
    return NULL;
}

bool
sq_setup_check_uses(const struct sq_setup *setup, unsigned uses,
                    const struct sq_no_effect *why, struct sq_err *err) {
    bool has_rules = setup->config.redact.presets.count > 0
                  || setup->config.redact.patterns.count > 0;
    const struct sq_config_option *unused = find_unused(
        &setup->flags, has_rules ? uses : uses & ~(unsigned)SQ_USE_TEXT_RULES);
    if (!unused) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "--%s has no effect %s", unused->flag,
            why->where);
    return sq_fail_hint(err, "%s", why->hint);
}

bool
sq_setup_check_text_rules(const struct sq_setup *setup, unsigned uses,
                          struct sq_err *err) {
    static const struct sq_no_effect why = {
        "without rules that hide texts",
        "Leave it out, or add such rules with --redact or --redact-patterns."
    };
    return sq_setup_check_uses(setup, uses, &why, err);
}

/* Leaves out what would be started, and what takes long. */
static void
restrict_to_lists(struct sq_config *config) {
    config->android.start_server = false;
    config->android.eye = SQ_EYE_OFF;
    config->browser = (struct sq_browser_config){ 0 };
    config->webdriver = (struct sq_webdriver_config){ 0 };
    config->log.level = SQ_LOG_ERROR;
}

bool
sq_setup_start(struct sq_setup *setup, struct sq_err *err) {
    if (!sq_config_load(&setup->flags, &setup->arena, &setup->config, err)) {
        return false;
    }
    struct sq_config *config = &setup->config;
    if (setup->only_lists) {
        restrict_to_lists(config);
    }
    config->ui.ocr_enabled |= (setup->named & SQ_TOOL_BY_OCR) != 0;
    config->ui.template_matching_enabled |=
        (setup->named & SQ_TOOL_BY_TEMPLATES) != 0;
    if (setup->named & SQ_TOOL_BY_INSTALL_FOLDER
        && !config->tools.install_from) {
        config->tools.install_from = "/";
    }
    if (setup->config.secrets.allow.count > 0) {
        sq_heap_wipe_freed();
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

bool
sq_setup_take_flags(struct sq_setup *setup, const struct sq_accepted *accepted,
                    int *argc, char **argv, struct sq_err *err) {
    *setup = (struct sq_setup){ .named = accepted->flags };
    sq_arena_init(&setup->arena, MAX_CONFIG_BYTES);
    if (!take_flags(&setup->flags, accepted->table, argc, argv, err)) {
        return false;
    }
    unsigned uses = accepted->uses;
    const struct sq_config_option *unused = find_unused(&setup->flags, uses);
    return !unused || fail_without_effect(unused, err);
}

bool
sq_setup_init(struct sq_setup *setup, const struct sq_accepted *accepted,
              int *argc, char **argv, struct sq_err *err) {
    if (!sq_setup_take_flags(setup, accepted, argc, argv, err)
        || !sq_setup_start(setup, err)) {
        return false;
    }
    /*
     * Refuses --ocr-language if reading is switched off. Commands that are no
     * operations, such as archive, read texts nevertheless.
     */
    unsigned uses = accepted->uses;
    if (!(uses & SQ_USE_CALLS) || setup->config.ui.ocr_enabled) {
        return true;
    }
    for (int i = 0; i < setup->flags.count; i++) {
        const struct sq_config_option *option = setup->flags.given[i].option;
        if (strcmp(option->arg.name, "ui.ocrLanguage") == 0) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "--%s has no effect without --ocr-enabled", option->flag);
            return sq_fail_hint(err, "Leave it out, or add --ocr-enabled.");
        }
    }
    return true;
}

void
sq_setup_finish(struct sq_setup *setup) {
    sq_host_destroy(setup->host);
    sq_arena_finish(&setup->arena);
    *setup = (struct sq_setup){ 0 };
}

bool
sq_start_records(const struct sq_setup *setup,
                 void (*print_message)(const char *message),
                 struct sq_records *out, struct sq_err *err) {
    const struct sq_config *config = &setup->config;
    struct sq_call_log *calls = setup->host->calls;
    const struct sq_journal_options journal = {
        .path = config->journal.path,
        .max_bytes = (size_t)config->journal.max_megabytes << 20,
        .version = SQ_VERSION,
        .print_message = print_message,
    };
    const struct sq_audit_options audit = {
        .path = config->audit.path,
        .max_bytes = (size_t)config->audit.max_megabytes << 20,
        .version = SQ_VERSION,
        .print_message = print_message,
    };
    if (journal.path
        && !sq_journal_writer_create(&journal, calls, &out->journal, err)) {
        return false;
    }
    if (journal.path) {
        sq_log(config, SQ_LOG_INFO, "journal: %s",
               sq_journal_writer_path(out->journal));
    }
    return !audit.path || sq_audit_create(&audit, calls, &out->audit, err);
}

void
sq_end_records(struct sq_records *records) {
    sq_audit_destroy(records->audit);
    sq_journal_writer_destroy(records->journal);
}

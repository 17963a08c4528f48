/* Configuration and host, as needed by all commands that use devices. */
#ifndef SQ_APP_SETUP_H
#define SQ_APP_SETUP_H

#include "app/flags.h"
#include "app/host/host.h"
#include "config/option.h"

struct sq_journal_writer;

struct sq_setup {
    struct sq_config_flags flags; /* of the configuration, in argv */
    struct sq_arena arena;        /* owns the configuration */
    struct sq_config config;
    struct sq_host *host;
    unsigned named;  /* what agents must be allowed, but a person has named */
    bool only_lists; /* set before sq_setup_start: for completion, which must
                        be fast and start nothing */
};

/*
 * Removes the configuration flags from argv and updates *argc, loads the
 * configuration, prints its warnings to standard error and creates the host.
 * Flags of the command's own table remain in argv, even if the configuration
 * has a flag of the same name. Fails if argv has a flag of the configuration
 * that the command does not take; the file and the environment may have it,
 * because they are for all commands. Call sq_setup_finish afterwards, even on
 * failure.
 */
bool sq_setup_init(struct sq_setup *setup, const struct sq_accepted *accepted,
                   int *argc, char **argv, struct sq_err *err);

/*
 * The two steps of sq_setup_init, for commands that look at their own options
 * before the configuration is loaded.
 */
bool sq_setup_take_flags(struct sq_setup *setup,
                         const struct sq_accepted *accepted, int *argc,
                         char **argv, struct sq_err *err);
bool sq_setup_start(struct sq_setup *setup, struct sq_err *err);

/* Why an option has no effect. */
struct sq_no_effect {
    const char *where; /* "without --index" */
    const char *hint;  /* what to do */
};

/*
 * Fails if argv has a flag of the configuration without effect in a part of a
 * command with these uses, enum sq_config_use. SQ_USE_TEXT_RULES does not count
 * if the configuration has no such rules.
 */
bool sq_setup_check_uses(const struct sq_setup *setup, unsigned uses,
                         const struct sq_no_effect *why, struct sq_err *err);

/* The same, if the lack of rules that hide texts is the only cause. */
bool sq_setup_check_text_rules(const struct sq_setup *setup, unsigned uses,
                               struct sq_err *err);

void sq_setup_finish(struct sq_setup *setup);

/* What a server records; NULL: nothing. Zero it first. */
struct sq_records {
    struct sq_journal_writer *journal;
    struct sq_audit *audit;
};

/*
 * Starts the journal and the audit log of a server, if the configuration names
 * them. print_message prints a line for the user. Call sq_end_records before
 * the setup ends, even on failure.
 */
bool sq_start_records(const struct sq_setup *setup,
                      void (*print_message)(const char *message),
                      struct sq_records *out, struct sq_err *err);
void sq_end_records(struct sq_records *records);

#endif

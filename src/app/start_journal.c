/* Starts journals. */
#include "app/start_journal.h"

#include "app/log.h"

bool
sq_start_journal(const struct sq_setup *setup,
                 void (*print_message)(const char *message),
                 struct sq_journal_writer **out, struct sq_err *err) {
    const struct sq_config *config = &setup->config;
    const struct sq_journal_options options = {
        .path = config->journal.path,
        .max_bytes = (size_t)config->journal.max_megabytes << 20,
        .version = SQ_VERSION,
        .print_message = print_message,
    };
    *out = NULL;
    if (!options.path) {
        return true;
    }
    if (!sq_journal_writer_create(&options, sq_host_call_log(setup->host), out,
                                  err)) {
        return false;
    }
    sq_log(config, SQ_LOG_INFO, "journal: %s", sq_journal_writer_path(*out));
    return true;
}

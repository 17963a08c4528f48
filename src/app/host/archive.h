/* The state of the screenshot archive, as reported in resources. */
#ifndef SQ_APP_HOST_ARCHIVE_H
#define SQ_APP_HOST_ARCHIVE_H

#include "archive/state.h"
#include "config/config.h"
#include "json/writer.h"

/* ManicTime's database, if its folder is configured. */
struct sq_host_database {
    bool exists;
    int64_t bytes;
    const char *schema; /* "Valid", "Invalid", "NotChecked" */
};

/* Start zeroed. */
struct sq_host_archive {
    struct sq_archive_state state;
    struct sq_host_database database;
};

bool sq_host_inspect_archive(const struct sq_library *library,
                             const struct sq_deadline *deadline,
                             struct sq_host_archive *out, struct sq_err *err);

/* Writes the member "archive" of squint://health. */
void sq_host_put_archive(const struct sq_library *library,
                         const struct sq_host_archive *archive,
                         struct sq_json_writer *w);

/*
 * Writes the members of manictime://health, with the names that the ManicTime
 * server uses.
 */
void sq_host_put_manictime(const struct sq_library *library,
                           const struct sq_host_archive *archive,
                           enum sq_config_source source,
                           struct sq_json_writer *w);

#endif

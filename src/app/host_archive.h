/* How the folders of past screenshots are, as resources tell it. */
#ifndef SQ_APP_HOST_ARCHIVE_H
#define SQ_APP_HOST_ARCHIVE_H

#include "archive/library.h"
#include "json/writer.h"

/* A value: zero it. */
struct sq_host_archive {
    struct sq_archive_health roots[SQ_ARCHIVE_MAX_ROOTS];
    struct sq_activity_health activity;
    bool is_degraded;
};

bool sq_host_look_at_archive(const struct sq_library *library,
                             const struct sq_deadline *deadline,
                             struct sq_host_archive *out, struct sq_err *err);

/* The member "archive" of squint://health. */
void sq_host_put_archive(const struct sq_library *library,
                         const struct sq_host_archive *state,
                         struct sq_json_writer *w);

/*
 * The members of manictime://health, in the words of that server.
 * data_directory may be NULL.
 */
void sq_host_put_manictime(const struct sq_library *library,
                           const struct sq_host_archive *state,
                           const char *data_directory,
                           struct sq_json_writer *w);

#endif

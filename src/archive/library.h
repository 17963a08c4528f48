/*
 * The archive as it was configured: its folders, the zone its times are in,
 * and who knows what was done when.
 */
#ifndef SQ_ARCHIVE_LIBRARY_H
#define SQ_ARCHIVE_LIBRARY_H

#include "archive/activity.h"
#include "archive/archive.h"
#include "config/config.h"
#include "sys/zone.h"

struct sq_library_memory;

/*
 * Everything in it lives as long as the library; none of it changes but the
 * memory, which has a lock of its own.
 */
struct sq_library {
    struct sq_archive *archive;
    struct sq_zone *zone;
    struct sq_activity_wish wish;
    bool is_configured;         /* not only the place of our own archive */
    const char *save_folder;    /* where copies may go; NULL: nowhere */
    struct sq_err zone_problem; /* the configured zone is not known */
    struct sq_library_memory *memory; /* what earlier calls have found */
};

/*
 * Touches no folder of screenshots: one that is missing is told by listings
 * and health. config must outlive the library.
 */
bool sq_library_create(const struct sq_config *config, struct sq_library **out,
                       struct sq_err *err);

/*
 * Where an archive of our own belongs: $XDG_DATA_HOME/squint/screenshots or
 * ~/.local/share/squint/screenshots. It is used where no other is configured.
 * False if the environment names neither.
 */
bool sq_library_home(char out[SQ_PATH_SIZE]);

/* Accepts NULL. */
void sq_library_destroy(struct sq_library *library);

/*
 * What was done in a window, as far as the configured provider knows. Never
 * fails for want of a provider: *out is empty then, and `why` says why and
 * what to do. *out is initialised here and the caller's to finish. Fails only
 * without memory, or when called off.
 */
bool sq_library_activity(const struct sq_library *library,
                         const struct sq_window *window,
                         const struct sq_deadline *deadline,
                         struct sq_segments *out, struct sq_err *why,
                         struct sq_err *err);

/* How the provider of activity is: looked at now, or as it last was. */
void sq_library_check_activity(const struct sq_library *library,
                               const struct sq_deadline *deadline,
                               struct sq_activity_health *out);
void sq_library_recall_activity(const struct sq_library *library,
                                const struct sq_deadline *deadline,
                                struct sq_activity_health *out);

/* What the last listing could not use: files by why, folders by root. */
struct sq_library_spoilt {
    unsigned files[SQ_ARCHIVE_FAULTS];
    uint32_t folders[SQ_ARCHIVE_MAX_ROOTS];
};
void sq_library_set_spoilt(const struct sq_library *library,
                           const struct sq_library_spoilt *spoilt);
struct sq_library_spoilt sq_library_spoilt(const struct sq_library *library);

#endif

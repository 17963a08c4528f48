/*
 * Hides the shots that archive.exclude, archive.excludeApps and
 * archive.excludeTitles exclude: by their own local time, or by what was done
 * then. A shot whose app or title is not known is hidden while there is a rule
 * about apps or titles. Thread-safe.
 */
#ifndef SQ_ARCHIVE_EXCLUDER_H
#define SQ_ARCHIVE_EXCLUDER_H

#include "archive/activity/activity.h"
#include "archive/archive.h"
#include "config/config.h"

struct sq_excluder;

/*
 * Compiles the rules. *out is NULL if there are none. The configuration, the
 * settings and the zone must outlive it. Fails with SQ_ERR_ARGUMENT, which
 * names the option, if a rule is invalid: one that is ignored would show too
 * much.
 */
bool sq_excluder_create(const struct sq_config *config,
                        const struct sq_activity_settings *settings,
                        const struct sq_zone *zone, struct sq_excluder **out,
                        struct sq_err *err);

/* Accepts NULL. */
void sq_excluder_destroy(struct sq_excluder *excluder);

/* Returns whether the rules need a source of activities. */
bool sq_excluder_needs_activities(const struct sq_excluder *excluder);

/*
 * Returns whether the record has an excluded activity whose time cannot be
 * read, so that shots before, after or at any time are hidden.
 */
bool sq_excluder_has_undated(struct sq_excluder *excluder,
                             const struct sq_deadline *deadline);

/* Returns whether every activity that was needed so far could be read. */
bool sq_excluder_is_certain(const struct sq_excluder *excluder);

/* Returns in *out whether a rule excludes an activity of that name. */
bool sq_excluder_excludes(const struct sq_excluder *excluder,
                          struct sq_span name, bool *out, struct sq_err *err);

/* For sq_archive_set_hide; the context is a struct sq_excluder. */
sq_archive_hide sq_excluder_hide;

#endif

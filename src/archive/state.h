/*
 * Collects the state of the archive in one object. The health report, its
 * ManicTime-compatible form and the diagnostics of replies are all written from
 * it, so that they agree.
 */
#ifndef SQ_ARCHIVE_STATE_H
#define SQ_ARCHIVE_STATE_H

#include "archive/cause.h"
#include "archive/library.h"

/* One current problem. */
struct sq_finding {
    enum sq_cause cause;
    int root; /* root index, or SQ_ARCHIVE_ANY */
};

/* At most one per root, plus files, key, zone and activity. */
#define SQ_STATE_MAX_FINDINGS (SQ_ARCHIVE_MAX_ROOTS + 4)

/* A plain value: zero it first. */
struct sq_archive_state {
    struct sq_archive_health roots[SQ_ARCHIVE_MAX_ROOTS];
    struct sq_activity_health activity;
    struct sq_finding findings[SQ_STATE_MAX_FINDINGS];
    size_t count;
    bool has_good_root; /* at least one root is usable */
    /* There is a problem. False if nothing was ever configured. */
    bool is_degraded;
};

/* Checks all roots and the activity provider. */
bool sq_state_check(const struct sq_library *library,
                    const struct sq_deadline *deadline,
                    struct sq_archive_state *out, struct sq_err *err);

/*
 * Does the same after a listing, which has already checked most of it: only
 * roots without a shot in the listing are checked. unusable counts its files by
 * fault and is remembered for later checks.
 */
bool sq_state_after(const struct sq_library *library,
                    const struct sq_archive_listing *listing,
                    const unsigned unusable_files[SQ_ARCHIVE_FAULTS],
                    const struct sq_deadline *deadline,
                    struct sq_archive_state *out, struct sq_err *err);

/* Returns the problem of a root, independent of any window. */
enum sq_cause sq_state_cause(const struct sq_archive_health *health);

/*
 * Maps a cause to the reason that ManicTime's server gives for missing
 * screenshots.
 */
enum sq_archive_reason sq_state_reason(enum sq_cause cause);

#endif

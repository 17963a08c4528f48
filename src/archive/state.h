/*
 * How past screenshots are, in one object: the health of the server, the same
 * in ManicTime's words and the diagnostics of every answer are written from
 * it, so that they never contradict each other.
 */
#ifndef SQ_ARCHIVE_STATE_H
#define SQ_ARCHIVE_STATE_H

#include "archive/cause.h"
#include "archive/library.h"

/* One cause that holds now. */
struct sq_finding {
    enum sq_cause cause;
    int root; /* whose, or SQ_ARCHIVE_ANY */
};

/* Each root has at most one; then files, key, zone, activity. */
#define SQ_STATE_MAX_FINDINGS (SQ_ARCHIVE_MAX_ROOTS + 4)

/* A value: zero it. */
struct sq_archive_state {
    struct sq_archive_health roots[SQ_ARCHIVE_MAX_ROOTS];
    struct sq_activity_health activity;
    struct sq_finding findings[SQ_STATE_MAX_FINDINGS];
    size_t count;
    bool has_good_root; /* at least one */
    /* Something is wrong. Not that nothing was ever configured. */
    bool is_degraded;
};

/* Look at everything. */
bool sq_state_look(const struct sq_library *library,
                   const struct sq_deadline *deadline,
                   struct sq_archive_state *out, struct sq_err *err);

/*
 * The same after a listing, which has looked at most of it already: only roots
 * without a shot in it are looked at. unusable counts its files by
 * SQ_ARCHIVE_FAULTS, and is remembered for later looks.
 */
bool sq_state_after(const struct sq_library *library,
                    const struct sq_archive_listing *listing,
                    const unsigned unusable[SQ_ARCHIVE_FAULTS],
                    const struct sq_deadline *deadline,
                    struct sq_archive_state *out, struct sq_err *err);

/* What is wrong with a root by itself, apart from any window. */
enum sq_cause sq_state_cause(const struct sq_archive_health *health);

/* In the words of ManicTime's server: why there are no screenshots. */
enum sq_archive_reason sq_state_reason(enum sq_cause cause);

#endif

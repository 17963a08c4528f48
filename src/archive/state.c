/* Collects the state of the archive. */
#include "archive/library.h"

#include <string.h>

enum sq_cause
sq_state_cause(const struct sq_archive_health *health) {
    static const enum sq_cause causes[] = {
        [SQ_ARCHIVE_TROUBLE_NONE] = SQ_CAUSE_NONE,
        [SQ_ARCHIVE_TROUBLE_MISSING] = SQ_CAUSE_FOLDER_MISSING,
        [SQ_ARCHIVE_TROUBLE_NO_FOLDER] = SQ_CAUSE_NOT_A_FOLDER,
        [SQ_ARCHIVE_TROUBLE_FORBIDDEN] = SQ_CAUSE_FOLDER_FORBIDDEN,
        [SQ_ARCHIVE_TROUBLE_UNREADABLE] = SQ_CAUSE_FOLDER_UNREADABLE,
    };
    if (health->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return causes[health->trouble];
    }
    if (health->unreadable > 0) {
        return SQ_CAUSE_INNER_UNREADABLE;
    }
    if (health->oldest_day != SQ_ARCHIVE_NO_DAY || health->has_foreign) {
        return SQ_CAUSE_NONE;
    }
    if (health->unparsed > 0) {
        return SQ_CAUSE_NAMES_UNREAD;
    }
    if (health->has_links) {
        return SQ_CAUSE_LINKS_ONLY;
    }
    return health->written ? SQ_CAUSE_PURGED : SQ_CAUSE_NEVER_WRITTEN;
}

enum sq_archive_reason
sq_state_reason(enum sq_cause cause) {
    switch ((int)cause) {
    case SQ_CAUSE_NONE:
    case SQ_CAUSE_INNER_UNREADABLE:
        return SQ_ARCHIVE_REASON_NONE;
    case SQ_CAUSE_PURGED:
        return SQ_ARCHIVE_REASON_RETENTION;
    case SQ_CAUSE_NOT_CONFIGURED:
    case SQ_CAUSE_FOLDER_MISSING:
    case SQ_CAUSE_NEVER_WRITTEN:
        return SQ_ARCHIVE_REASON_CAPTURE_DISABLED;
    default:
        return SQ_ARCHIVE_REASON_UNKNOWN;
    }
}

static void
add(struct sq_archive_state *state, bool is_so, enum sq_cause cause, int root) {
    if (is_so && cause != SQ_CAUSE_NONE) {
        state->findings[state->count++] =
            (struct sq_archive_finding){ cause, root };
    }
}

/* Finds all problems after the roots were checked, and fills the state. */
static void
find_problems(const struct sq_library *library,
              const struct sq_library_unusable *unusable,
              struct sq_archive_state *state) {
    size_t roots = sq_archive_root_count(library->archive);
    bool has_unusable = false;
    for (size_t i = 0; i < roots; i++) {
        struct sq_archive_health *health = &state->roots[i];
        if (health->unreadable < unusable->folders[i]) {
            health->unreadable = unusable->folders[i];
        }
        enum sq_cause cause = sq_state_cause(health);
        state->has_good_root = state->has_good_root || cause == SQ_CAUSE_NONE;
        add(state, library->is_configured, cause, (int)i);
    }
    add(state, !library->is_configured && !state->has_good_root,
        SQ_CAUSE_NOT_CONFIGURED, SQ_ARCHIVE_ANY);
    for (int i = 1; i < SQ_ARCHIVE_FAULTS; i++) {
        has_unusable = has_unusable || unusable->files[i] > 0;
    }
    add(state, has_unusable, SQ_CAUSE_FILES_UNUSABLE, SQ_ARCHIVE_ANY);
    add(state, !sq_archive_refs_persist(library->archive),
        SQ_CAUSE_KEY_UNREADABLE, SQ_ARCHIVE_ANY);
    add(state, library->zone_err.code != SQ_ERR_NONE, SQ_CAUSE_ZONE_UNKNOWN,
        SQ_ARCHIVE_ANY);
    add(state, true, state->activity.cause, SQ_ARCHIVE_ANY);
    state->is_degraded =
        state->count > 0 && state->findings[0].cause != SQ_CAUSE_NOT_CONFIGURED;
}

bool
sq_state_check(const struct sq_library *library,
               const struct sq_deadline *deadline, struct sq_archive_state *out,
               struct sq_err *err) {
    *out = (struct sq_archive_state){ 0 };
    for (size_t i = 0; i < sq_archive_root_count(library->archive); i++) {
        if (!sq_archive_health(library->archive, i, deadline, &out->roots[i],
                               err)) {
            return false;
        }
    }
    sq_library_check_activity(library, deadline, &out->activity);
    const struct sq_library_unusable unusable = sq_library_unusable(library);
    find_problems(library, &unusable, out);
    return true;
}

/* Returns whether the listing alone shows that a root is usable. */
static bool
is_usable(const struct sq_archive_listing *listing, size_t root) {
    const struct sq_archive_count *count = &listing->roots[root];
    return count->shots > 0 && count->unreadable == 0;
}

bool
sq_state_after(const struct sq_library *library,
               const struct sq_archive_listing *listing,
               const unsigned unusable_files[SQ_ARCHIVE_FAULTS],
               const struct sq_deadline *deadline, struct sq_archive_state *out,
               struct sq_err *err) {
    struct sq_library_unusable unusable = { 0 };
    memcpy(unusable.files, unusable_files, sizeof(unusable.files));
    *out = (struct sq_archive_state){ 0 };
    for (size_t i = 0; i < sq_archive_root_count(library->archive); i++) {
        unusable.folders[i] = listing->roots[i].unreadable;
        if (listing->roots[i].trouble != SQ_ARCHIVE_TROUBLE_NONE) {
            out->roots[i].trouble = listing->roots[i].trouble;
        } else if (!is_usable(listing, i)
                   && !sq_archive_health(library->archive, i, deadline,
                                         &out->roots[i], err)) {
            return false;
        }
    }
    sq_library_last_activity(library, deadline, &out->activity);
    sq_library_set_unusable(library, &unusable);
    find_problems(library, &unusable, out);
    return true;
}

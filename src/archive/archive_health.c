/* Reports the contents and problems of roots, and why a window is empty. */
#include <assert.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "util/minmax.h"
#include "util/time_text.h"

#define MAX_LINK_ENTRIES 1000 /* entries per folder */
#define MAX_LINKED_FOLDERS 3  /* date folders */

static const char *const reason_names[] = {
    [SQ_ARCHIVE_REASON_NONE] = "None",
    [SQ_ARCHIVE_REASON_RETENTION] = "Retention",
    [SQ_ARCHIVE_REASON_CAPTURE_DISABLED] = "CaptureDisabled",
    [SQ_ARCHIVE_REASON_UNKNOWN] = "Unknown",
};

static const char *const troubles[] = {
    [SQ_ARCHIVE_TROUBLE_NONE] = "none",
    [SQ_ARCHIVE_TROUBLE_MISSING] = "missing",
    [SQ_ARCHIVE_TROUBLE_NO_FOLDER] = "notAFolder",
    [SQ_ARCHIVE_TROUBLE_FORBIDDEN] = "forbidden",
    [SQ_ARCHIVE_TROUBLE_UNREADABLE] = "unreadable",
};

const char *
sq_archive_reason_name(enum sq_archive_reason reason) {
    return reason_names[reason];
}

const char *
sq_archive_trouble_name(enum sq_archive_trouble trouble) {
    return troubles[trouble];
}

/* The shots and the contents of a root, for health and reasons. */
struct look {
    uint32_t folders;  /* date folders directly below it */
    uint32_t unparsed; /* pictures in itself with unknown names */
    bool has_shots;
    struct sq_shot oldest;
    struct sq_shot newest;
};

static bool
find_edges(struct sq_root *root, struct look *out, struct sq_err *err) {
    return sq_root_edge(root, false, &out->oldest, &out->has_shots, err)
        && sq_root_edge(root, true, &out->newest, &out->has_shots, err);
}

static bool
look_at(struct sq_root *root, struct look *out, struct sq_err *err) {
    const struct sq_day *top;
    root->unreadable = 0;
    root->has_foreign = false;
    *out = (struct look){ 0 };
    if (!sq_root_day(root, SQ_PLACE_ROOT, &top, err)) {
        return false;
    }
    if (top) {
        out->folders = top->inner_count;
        out->unparsed = top->unparsed;
    }
    return find_edges(root, out, err);
}

/* Calls a function for each root of a number, which may be ANY, entered. */
static bool
visit_roots(struct sq_archive *archive, int number,
            const struct sq_deadline *deadline,
            bool (*visit)(struct sq_root *root, enum sq_archive_trouble trouble,
                          void *context, struct sq_err *err),
            void *context, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < archive->count; i++) {
        enum sq_archive_trouble trouble;
        if (number == SQ_ARCHIVE_ANY || number == (int)i) {
            struct sq_root *root = &archive->roots[i];
            ok = sq_root_enter(root, deadline, &trouble, err);
            if (ok) {
                ok = visit(root, trouble, context, err);
                sq_root_unlock(root);
            }
        }
    }
    return ok;
}

/*
 * Combines the reasons of two roots. A root that never had shots does not
 * explain why another one is empty.
 */
static enum sq_archive_reason
join(enum sq_archive_reason a, enum sq_archive_reason b) {
    if (a == SQ_ARCHIVE_REASON_NONE
        || a == SQ_ARCHIVE_REASON_CAPTURE_DISABLED) {
        return b;
    }
    return b == SQ_ARCHIVE_REASON_CAPTURE_DISABLED || a == b
             ? a
             : SQ_ARCHIVE_REASON_UNKNOWN;
}

struct reasons {
    int64_t to_utc;
    enum sq_archive_reason joined;
};

static bool
explain_root(struct sq_root *root, enum sq_archive_trouble trouble,
             void *context, struct sq_err *err) {
    struct reasons *all = context;
    enum sq_archive_reason reason = SQ_ARCHIVE_REASON_UNKNOWN;
    struct look look;
    if (trouble == SQ_ARCHIVE_TROUBLE_MISSING) {
        reason = SQ_ARCHIVE_REASON_CAPTURE_DISABLED;
    } else if (trouble == SQ_ARCHIVE_TROUBLE_NONE) {
        if (!look_at(root, &look, err)) {
            return false;
        }
        /* A folder with nothing but hidden shots must not look emptied. */
        bool hides = sq_root_hides(root) || root->has_foreign;
        bool is_readable = root->unreadable == 0 && look.unparsed == 0;
        if (look.has_shots ? all->to_utc <= look.oldest.utc
                           : is_readable && look.folders > 0 && !hides) {
            reason = SQ_ARCHIVE_REASON_RETENTION;
        } else if (!look.has_shots && is_readable) {
            reason = SQ_ARCHIVE_REASON_CAPTURE_DISABLED;
        }
    }
    all->joined = join(all->joined, reason);
    return true;
}

bool
sq_archive_explain(struct sq_archive *archive,
                   const struct sq_archive_window *window,
                   const struct sq_deadline *deadline,
                   enum sq_archive_reason *out, struct sq_err *err) {
    struct reasons reasons = { window->to_utc, SQ_ARCHIVE_REASON_NONE };
    if (!visit_roots(archive, window->root, deadline, explain_root, &reasons,
                     err)) {
        return false;
    }
    /* Without any root, nothing is captured that we could see. */
    *out = reasons.joined == SQ_ARCHIVE_REASON_NONE
             ? SQ_ARCHIVE_REASON_CAPTURE_DISABLED
             : reasons.joined;
    return true;
}

/* Adds one folder to the totals: shots that listings return, and others. */
static void
add_day(sq_place place, const struct sq_day *day,
        struct sq_archive_totals *totals) {
    size_t to;
    size_t from = sq_day_own(day, place, &to);
    totals->misfiled += day->shot_count - (to - from);
    totals->unparsed += day->unparsed;
    for (size_t i = from; i < to; i++) {
        const struct sq_shot *shot = &day->shots[i];
        totals->full += (shot->flags & SQ_SHOT_FULL) != 0;
        totals->thumbnails += (shot->flags & SQ_SHOT_THUMB) != 0;
        totals->by_strategy[shot->strategy]++;
    }
    if (from < to) {
        uint32_t first = day->shots[from].utc;
        uint32_t last = day->shots[to - 1].utc;
        bool is_first = totals->shots == 0 || first < totals->first_utc;
        totals->first_utc = is_first ? first : totals->first_utc;
        totals->last_utc = last > totals->last_utc ? last : totals->last_utc;
        totals->folders++;
        totals->shots += to - from;
    }
}

/* Adds what is known from the cached folders. */
static bool
add_cached(struct sq_root *root, struct sq_archive_health *out,
           struct sq_err *err) {
    struct sq_archive_totals totals = { 0 };
    for (size_t i = 0; i < root->cache.count; i++) {
        const struct sq_day_cache_slot *slot = &root->cache.slots[i];
        const struct sq_day *day = NULL;
        if (slot->day
            && !sq_root_filter(root, slot->place, slot->day, &day, err)) {
            return false;
        }
        if (day) {
            add_day(slot->place, day, &totals);
        }
    }
    out->shots = totals.shots;
    out->thumbnails = totals.thumbnails;
    out->unparsed = totals.unparsed;
    for (size_t i = 1; i < sq_name_strategy_count(); i++) {
        bool is_more =
            totals.by_strategy[i] > totals.by_strategy[out->strategy];
        out->strategy = is_more ? i : out->strategy;
    }
    return true;
}

/* Returns whether one of its first entries is a symbolic link. */
static bool
has_link(const struct sq_root *root, sq_place place) {
    int fd = sq_root_open_place(root, place);
    DIR *folder = fd < 0 ? NULL : sq_call_fdopendir(fd);
    const struct dirent *entry = NULL;
    bool found = false;
    if (!folder) {
        if (fd >= 0) {
            sq_call_close(fd);
        }
        return false;
    }
    for (size_t i = 0; !found && i < MAX_LINK_ENTRIES
                       && (entry = sq_call_readdir(folder, i)) != NULL;
         i++) {
        found = entry->d_type == DT_LNK;
    }
    sq_call_closedir(folder);
    return found;
}

/* Searches for links in the root and in its newest date folders. */
static bool
find_links(struct sq_root *root, bool *out, struct sq_err *err) {
    const struct sq_day *day;
    if (!sq_root_day(root, SQ_PLACE_ROOT, &day, err)) {
        return false;
    }
    uint32_t count = day ? day->inner_count : 0;
    *out = has_link(root, SQ_PLACE_ROOT);
    for (uint32_t i = 0; !*out && i < count && i < MAX_LINKED_FOLDERS; i++) {
        *out = has_link(root, sq_day_inner(day)[count - 1 - i]);
    }
    return true;
}

static bool
check_root(struct sq_root *root, struct sq_archive_health *out,
           struct sq_err *err) {
    struct look look;
    out->permission = root->permission;
    if (!look_at(root, &look, err)
        || (!look.has_shots && !find_links(root, &out->has_links, err))) {
        return false;
    }
    if (look.has_shots) {
        out->oldest_day = sq_shot_local_day(&look.oldest);
        out->newest_day = sq_shot_local_day(&look.newest);
    }
    out->unreadable = root->unreadable;
    if (sq_root_hides(root)
        && !sq_root_count_folders(root, &look.folders, err)) {
        return false;
    }
    out->written = look.has_shots || look.folders > 0;
    out->has_foreign = root->has_foreign;
    out->folders = look.folders;
    return add_cached(root, out, err);
}

bool
sq_archive_health(struct sq_archive *archive, size_t root,
                  const struct sq_deadline *deadline,
                  struct sq_archive_health *out, struct sq_err *err) {
    assert(root < archive->count);
    struct sq_archive_health health = { .oldest_day = SQ_ARCHIVE_NO_DAY,
                                        .newest_day = SQ_ARCHIVE_NO_DAY };
    if (!sq_root_enter(&archive->roots[root], deadline, &health.trouble, err)) {
        return false;
    }
    bool ok = health.trouble != SQ_ARCHIVE_TROUBLE_NONE
           || check_root(&archive->roots[root], &health, err);
    sq_root_unlock(&archive->roots[root]);
    if (ok) {
        *out = health;
    }
    return ok;
}

bool
sq_archive_refs_persist(struct sq_archive *archive) {
    return sq_user_key_load(&archive->keys);
}

struct scan {
    const struct sq_root *root;
    const struct sq_archive_progress *progress;
    uint32_t folders_done;
    struct sq_archive_totals totals;
};

static bool
scan_day(void *context, sq_place place, const struct sq_day *day,
         struct sq_err *err) {
    struct scan *scan = context;
    const struct sq_archive_progress *progress = scan->progress;
    (void)err;
    add_day(place, day, &scan->totals);
    scan->folders_done++;
    if (progress && progress->report) {
        progress->report(progress->context, scan->folders_done,
                         (uint32_t)scan->root->todo_count, scan->totals.shots);
    }
    return true;
}

bool
sq_archive_scan(struct sq_archive *archive, size_t root,
                const struct sq_archive_progress *progress,
                const struct sq_deadline *deadline,
                struct sq_archive_totals *out, struct sq_err *err) {
    assert(root < archive->count);
    struct scan scan = { .root = &archive->roots[root], .progress = progress };
    const struct sq_root_visitor visitor = { scan_day, &scan };
    struct sq_archive_count count = { 0 };
    if (!sq_root_visit(&archive->roots[root], &visitor, deadline, &count,
                       err)) {
        return false;
    }
    *out = scan.totals;
    out->trouble = count.trouble;
    out->unreadable = count.unreadable;
    return true;
}

struct search {
    const struct sq_root *root;
    struct sq_entries *entries;
    struct sq_shapes *shapes;
};

static bool
is_unknown_name(const struct sq_entry *entry) {
    enum sq_shot_ending ending;
    struct sq_shot ignored;
    uint8_t first = 0;
    return (entry->kind == SQ_ENTRY_FILE || entry->kind == SQ_ENTRY_UNKNOWN)
        && sq_name_ending(entry->name, &ending)
        && !sq_name_parse(entry->name, NULL, &first, &ignored)
        && !sq_name_is_counted(entry->name);
}

/* Reads a folder again if it has unknown names, because they are not cached. */
static bool
add_folder(void *context, sq_place place, const struct sq_day *day,
           struct sq_err *err) {
    const struct search *search = context;
    struct sq_entry entry;
    (void)err;
    if (day->unparsed == 0) {
        return true;
    }
    int folder = sq_root_open_place(search->root, place);
    if (folder < 0) {
        return true; /* the folder is gone: nothing to count */
    }
    sq_entries_start(search->entries, folder);
    while (sq_entries_next(search->entries, &entry)) {
        if (is_unknown_name(&entry)) {
            sq_shapes_add(search->shapes, entry.name);
        }
    }
    sq_call_close(folder);
    return true;
}

bool
sq_archive_find_shapes(struct sq_archive *archive, size_t root,
                       const struct sq_deadline *deadline,
                       struct sq_shapes *out, struct sq_err *err) {
    assert(root < archive->count);
    struct search search = { .root = &archive->roots[root], .shapes = out };
    const struct sq_root_visitor visitor = { add_folder, &search };
    struct sq_archive_count ignored = { 0 };
    *out = (struct sq_shapes){ 0 };
    if (!sq_entries_create(&search.entries, err)) {
        return false;
    }
    bool ok =
        sq_root_visit(&archive->roots[root], &visitor, deadline, &ignored, err);
    sq_entries_destroy(search.entries);
    sq_shapes_sort(out);
    return ok;
}

static bool
add_range(struct sq_root *root, enum sq_archive_trouble trouble, void *context,
          struct sq_err *err) {
    struct sq_archive_range *range = context;
    struct look look = { 0 };
    if (trouble == SQ_ARCHIVE_TROUBLE_NONE && !find_edges(root, &look, err)) {
        return false;
    }
    if (look.has_shots) {
        bool is_first = range->oldest_day == SQ_ARCHIVE_NO_DAY;
        int32_t first = sq_shot_local_day(&look.oldest);
        range->oldest_day =
            is_first ? first : sq_min_int(first, range->oldest_day);
        range->newest_day =
            sq_max_int(sq_shot_local_day(&look.newest), range->newest_day);
    }
    return true;
}

bool
sq_archive_range(struct sq_archive *archive, int root,
                 const struct sq_deadline *deadline,
                 struct sq_archive_range *out, struct sq_err *err) {
    struct sq_archive_range range = { SQ_ARCHIVE_NO_DAY, SQ_ARCHIVE_NO_DAY };
    bool ok = visit_roots(archive, root, deadline, add_range, &range, err);
    if (ok) {
        *out = range;
    }
    return ok;
}

struct counting {
    struct sq_archive_months *months;
    int monitor;
};

/* Counts only the shots that a listing would return. */
static bool
count_day(void *context, sq_place place, const struct sq_day *day,
          struct sq_err *err) {
    const struct counting *counting = context;
    struct sq_archive_months *months = counting->months;
    size_t to;
    (void)err;
    for (size_t i = sq_day_own(day, place, &to); i < to; i++) {
        const struct sq_shot *shot = &day->shots[i];
        months->monitors[shot->monitor / 32] |= 1U << shot->monitor % 32;
        if (counting->monitor != SQ_ARCHIVE_ANY
            && shot->monitor != counting->monitor) {
            continue;
        }
        struct sq_date date = sq_date_from_days(sq_shot_local_day(shot));
        months->counts[(date.year - SQ_ARCHIVE_FIRST_YEAR) * 12 + date.month
                       - 1]++;
        months->shots++;
    }
    return true;
}

bool
sq_archive_count_months(struct sq_archive *archive, int root, int monitor,
                        const struct sq_deadline *deadline,
                        struct sq_archive_months *out, struct sq_err *err) {
    const struct sq_archive_window window = { .root = root };
    struct counting counting = { out, monitor };
    const struct sq_root_visitor visitor = { count_day, &counting };
    bool ok = true;
    *out = (struct sq_archive_months){ 0 };
    for (size_t i = 0; ok && i < archive->count; i++) {
        ok = !sq_archive_window_includes(&window, i)
          || sq_root_visit(&archive->roots[i], &visitor, deadline,
                           &out->roots[i], err);
    }
    return ok;
}

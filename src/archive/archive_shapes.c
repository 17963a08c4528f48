/* Groups unknown file names by their shape. */
#include <assert.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/entries.h"

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

static bool
search_root(struct sq_root *root, struct search *search,
            const struct sq_deadline *deadline, struct sq_err *err) {
    const int32_t always[2] = { INT32_MIN, INT32_MAX };
    const struct sq_root_visitor visitor = { add_folder, search };
    struct sq_archive_count ignored = { 0 };
    enum sq_archive_trouble trouble;
    return sq_root_open(root, deadline, &trouble, err)
        && (trouble != SQ_ARCHIVE_TROUBLE_NONE
            || sq_root_walk(root, always, &visitor, deadline, &ignored, err));
}

bool
sq_archive_find_shapes(struct sq_archive *archive, size_t root,
                       const struct sq_deadline *deadline,
                       struct sq_shapes *out, struct sq_err *err) {
    assert(root < archive->count);
    struct search search = { .root = &archive->roots[root], .shapes = out };
    *out = (struct sq_shapes){ 0 };
    if (!sq_entries_create(&search.entries, err)) {
        return false;
    }
    bool ok = sq_root_lock(&archive->roots[root], deadline, err);
    if (ok) {
        ok = search_root(&archive->roots[root], &search, deadline, err);
        sq_root_unlock(&archive->roots[root]);
    }
    sq_entries_destroy(search.entries);
    sq_shapes_sort(out);
    return ok;
}

/* Lists the entries of a folder without a stat() of each. */
#ifndef SQ_SYS_ENTRIES_H
#define SQ_SYS_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

enum sq_entry_kind {
    SQ_ENTRY_UNKNOWN, /* not reported by this file system */
    SQ_ENTRY_FILE,
    SQ_ENTRY_FOLDER,
    SQ_ENTRY_OTHER, /* links, pipes, devices */
};

struct sq_entry {
    struct sq_span name; /* followed by a NUL; valid until the next entry */
    enum sq_entry_kind kind;
};

struct sq_entries;

/* Creates a reader, which owns a buffer and can be used for many folders. */
bool sq_entries_create(struct sq_entries **out, struct sq_err *err);

/* Accepts NULL. */
void sq_entries_destroy(struct sq_entries *entries);

/*
 * Starts to read an open folder from its beginning. The caller closes it after
 * the last sq_entries_next.
 */
void sq_entries_start(struct sq_entries *entries, int folder);

/*
 * Returns the next entry, without "." and "..". Returns false at the end or on
 * an error; sq_entries_error then returns the errno value, or 0 at the end.
 */
bool sq_entries_next(struct sq_entries *entries, struct sq_entry *out);
int sq_entries_error(const struct sq_entries *entries);

#endif

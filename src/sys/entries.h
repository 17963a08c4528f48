/* What lies in a folder, one entry after the other, without looking at any. */
#ifndef SQ_SYS_ENTRIES_H
#define SQ_SYS_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

enum sq_entry_kind {
    SQ_ENTRY_UNKNOWN, /* this file system does not say */
    SQ_ENTRY_FILE,
    SQ_ENTRY_FOLDER,
    SQ_ENTRY_OTHER, /* links, pipes, devices */
};

struct sq_entry {
    struct sq_span name; /* followed by a NUL; valid until the next entry */
    enum sq_entry_kind kind;
};

struct sq_entries;

/* A reader for one folder after the other; it holds a buffer. */
bool sq_entries_create(struct sq_entries **out, struct sq_err *err);

/* Accepts NULL. */
void sq_entries_destroy(struct sq_entries *entries);

/* Begin with an open folder, at its start. Stays the caller's to close. */
void sq_entries_start(struct sq_entries *entries, int folder);

/*
 * The next entry; "." and ".." are none. False at the end, and then
 * sq_entries_error is the errno of what ended it, or 0.
 */
bool sq_entries_next(struct sq_entries *entries, struct sq_entry *out);
int sq_entries_error(const struct sq_entries *entries);

#endif

/*
 * Parses old-style (NeXT) property lists, { key = value; }, which simctl
 * prints. A cursor moves over the text; no tree is built.
 */
#ifndef SQ_DEVICE_IOS_PLIST_H
#define SQ_DEVICE_IOS_PLIST_H

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/* A cursor: the rest of the text, and its total length for positions. */
struct sq_plist {
    struct sq_span rest;
    size_t length; /* of the complete text */
};

struct sq_plist sq_plist_over(struct sq_span text);

/*
 * Enters a dictionary. Fails with SQ_ERR_FORMAT and the position if the next
 * value is not a dictionary.
 */
bool sq_plist_enter(struct sq_plist *list, struct sq_err *err);

/*
 * Reads the next key of the current dictionary and moves the cursor to its
 * value. At the end sets *more to false and moves the cursor past the
 * dictionary. The key is copied into the arena only if it was escaped.
 */
bool sq_plist_next(struct sq_plist *list, struct sq_arena *arena, bool *more,
                   struct sq_span *key, struct sq_err *err);

/* Reads a text value and the ";" after it. *out is empty for other types. */
bool sq_plist_text(struct sq_plist *list, struct sq_arena *arena,
                   struct sq_span *out, struct sq_err *err);

/* Skips a value of any type and the ";" after it. */
bool sq_plist_skip(struct sq_plist *list, struct sq_err *err);

/* Reads the ";" after a dictionary that was entered and read. */
bool sq_plist_end(struct sq_plist *list, struct sq_err *err);

/* Returns whether the next value is a dictionary. */
bool sq_plist_is_dictionary(struct sq_plist *list);

#endif

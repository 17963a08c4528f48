/*
 * Property lists in the old style, { key = value; }, as NeXT wrote them and
 * simctl still does. A cursor walks over the text; nothing is kept.
 */
#ifndef SQ_DEVICE_IOS_PLIST_H
#define SQ_DEVICE_IOS_PLIST_H

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/* A value: what is left of the text, and where it began. */
struct sq_plist {
    struct sq_span rest;
    size_t length; /* of the whole text */
};

struct sq_plist sq_plist_over(struct sq_span text);

/*
 * Step into a dictionary. SQ_ERR_FORMAT with the place if what comes next is
 * none.
 */
bool sq_plist_enter(struct sq_plist *list, struct sq_err *err);

/*
 * The next key of the dictionary the cursor is in, which then stands before
 * its value; *more is false, and the cursor behind the dictionary, at its end.
 * The key is copied into the arena where it was escaped.
 */
bool sq_plist_next(struct sq_plist *list, struct sq_arena *arena, bool *more,
                   struct sq_span *key, struct sq_err *err);

/* Take the value as text, with the ";" behind it; *out empty for other kinds */
bool sq_plist_text(struct sq_plist *list, struct sq_arena *arena,
                   struct sq_span *out, struct sq_err *err);

/* Pass over the value, whatever it is, and the ";" behind it. */
bool sq_plist_skip(struct sq_plist *list, struct sq_err *err);

/* Take the ";" behind a dictionary that was walked through. */
bool sq_plist_end(struct sq_plist *list, struct sq_err *err);

/* Whether the value is a dictionary. */
bool sq_plist_is_dictionary(struct sq_plist *list);

#endif

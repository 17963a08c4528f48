/* What a JSON value is made of: for this room only. */
#ifndef SQ_JSON_NODE_H
#define SQ_JSON_NODE_H

#include "json/value.h"
#include "util/arena.h"
#include "util/err.h"

struct sq_json {
    enum sq_json_kind kind;
    uint32_t count; /* items or members */
    const char *key;
    uint32_t key_len;
    uint32_t key_at; /* where the key stands in the text */
    struct sq_json *next;
    union {
        struct {
            struct sq_json *first;
            struct sq_json **by_key; /* sorted; NULL if there are but few */
        };
        struct sq_span text; /* string, or number as written */
        bool boolean;
    };
};

/*
 * Make a complete object searchable. False if a key occurs twice (*duplicate
 * is then the later of the two), or without memory (it is then untouched).
 */
bool sq_json_index_members(struct sq_json *object, struct sq_arena *arena,
                           const struct sq_json **duplicate,
                           struct sq_err *err);

#endif

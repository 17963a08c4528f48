/* The internal structure of a JSON value; private to src/json. */
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
    uint32_t key_at; /* byte offset of the key in the text */
    struct sq_json *next;
    union {
        struct {
            struct sq_json *first;
            struct sq_json **by_key; /* sorted; NULL if there are only a few */
        };
        struct sq_span text; /* the string, or the number as written */
        bool boolean;
    };
};

/*
 * Builds the key index of a complete object. Returns false if a key occurs
 * twice (*duplicate is set to the later member) or memory runs out (*duplicate
 * is unchanged).
 */
bool sq_json_index_members(struct sq_json *object, struct sq_arena *arena,
                           const struct sq_json **duplicate,
                           struct sq_err *err);

#endif

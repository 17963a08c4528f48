/*
 * YAML in, as a small tree that knows where everything stands. A subset on
 * purpose: one document, plain keys, no aliases, so that a small text cannot
 * become a large tree. Bytes in, values out; nothing is ever executed.
 */
#ifndef SQ_CONFIG_YAML_H
#define SQ_CONFIG_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_MAX_YAML_BYTES ((size_t)1 << 20)
#define SQ_MAX_YAML_DEPTH 16
#define SQ_MAX_YAML_NODES 20000

enum sq_yaml_kind {
    SQ_YAML_NULL,
    SQ_YAML_SCALAR,
    SQ_YAML_LIST,
    SQ_YAML_MAP,
};

/* Both count from 1; columns are characters. */
struct sq_yaml_place {
    int line;
    int column;
};

/* Owned by the arena it was parsed into. */
struct sq_yaml {
    enum sq_yaml_kind kind;
    bool plain;          /* a scalar without quotes: may be a number or bool */
    bool flow;           /* a list or map in brackets */
    struct sq_span text; /* of a scalar */
    struct sq_span key;  /* in a map; may hold any character */
    struct sq_yaml_place key_at;
    struct sq_yaml_place at;
    int last_line;         /* on which the value ends */
    struct sq_yaml *first; /* of a list or map */
    struct sq_yaml *next;
};

/*
 * Parse a text. *root is NULL for one without content. On failure *place says
 * where (line 0: nowhere in particular) and the message does not repeat it.
 */
bool sq_yaml_parse(struct sq_span text, struct sq_arena *arena,
                   const struct sq_yaml **root, struct sq_yaml_place *place,
                   struct sq_err *err);

/* The first member of that key, or NULL; also if map is NULL or no map. */
const struct sq_yaml *sq_yaml_get(const struct sq_yaml *map, const char *key);

#endif

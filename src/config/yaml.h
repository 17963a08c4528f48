/*
 * Parses YAML into a tree with source positions. Only a subset is accepted: one
 * document, plain keys, no aliases, so that a small text cannot expand into a
 * large tree.
 */
#ifndef SQ_CONFIG_YAML_H
#define SQ_CONFIG_YAML_H

#include "util/arena.h"

#define SQ_MAX_YAML_BYTES ((size_t)1 << 20)
#define SQ_MAX_YAML_DEPTH 16
#define SQ_MAX_YAML_NODES 20000

enum sq_yaml_kind {
    SQ_YAML_NULL,
    SQ_YAML_SCALAR,
    SQ_YAML_LIST,
    SQ_YAML_MAP,
};

/* Both start at 1; columns count characters. */
struct sq_yaml_place {
    int line;
    int column;
};

/* Owned by the arena it was parsed into. */
struct sq_yaml {
    enum sq_yaml_kind kind;
    bool plain;          /* an unquoted scalar: may be a number or bool */
    bool flow;           /* a list or map written in brackets */
    struct sq_span text; /* of a scalar */
    struct sq_span key;  /* of a map member; may contain any character */
    struct sq_yaml_place key_at;
    struct sq_yaml_place at;
    int last_line;         /* last line of the value */
    struct sq_yaml *first; /* first child of a list or map */
    struct sq_yaml *next;
};

/*
 * Parses a text. *root is NULL if the text has no content. On failure *place is
 * the position of the error (line 0: unknown), which the message does not
 * repeat.
 */
bool sq_yaml_parse(struct sq_span text, struct sq_arena *arena,
                   const struct sq_yaml **root, struct sq_yaml_place *place,
                   struct sq_err *err);

/*
 * Returns the first member with that key. Returns NULL if there is none, or if
 * map is NULL or not a map.
 */
const struct sq_yaml *sq_yaml_get(const struct sq_yaml *map, const char *key);

#endif

/*
 * Finds the id of a message that cannot be parsed, so that the error can carry
 * it: broken UTF-8, a duplicate key, nested too deep, cut short, or too long to
 * be stored. Takes the text in pieces of any size and needs no memory beyond
 * the struct.
 */
#ifndef SQ_MCP_SALVAGE_H
#define SQ_MCP_SALVAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

/* A longer id, in bytes with its quotes, is not found. */
#define SQ_MCP_SALVAGE_ID_BYTES 4096

/* Down to this depth brackets are matched by kind; below only counted. */
#define SQ_MCP_SALVAGE_DEPTH 4096

/* All fields are private to salvage.c. */
struct sq_mcp_salvage {
    int state;
    int mark_bytes; /* bytes seen of a byte-order mark */

    bool in_text; /* in a string; in_word: in a number, true, null */
    bool in_word;
    bool is_key;    /* the string is a key */
    bool in_escape; /* after a backslash */
    int hex_left;   /* digits left of a \u escape */
    unsigned unit;  /* its value so far */

    size_t depth; /* nesting; 1: in the message itself */
    uint8_t objects[SQ_MCP_SALVAGE_DEPTH / 8]; /* bit per level: an object */

    char key[8]; /* start of the key of a top-level member */
    size_t key_len;
    int member; /* the known member that it is */
    bool has_method;
    bool has_outcome; /* has a result or an error: is an answer */

    int ids;    /* number of members named id */
    bool in_id; /* its value is being read, or was just read */
    bool is_id_whole;
    char id[SQ_MCP_SALVAGE_ID_BYTES];
    size_t id_len; /* above sizeof(id): does not fit */
};

void sq_mcp_salvage_init(struct sq_mcp_salvage *salvage);

void sq_mcp_salvage_feed(struct sq_mcp_salvage *salvage, struct sq_span bytes);

/*
 * Returns the id as written, a number or a string with its quotes; it may be
 * invalid. Points into the struct. Empty if the message has no id or several,
 * if the id is cut off or not a scalar, or if the message is an answer. Never
 * returns the id of a nested object or text inside a string: up to the end of
 * the id, the text had the structure of JSON.
 */
struct sq_span sq_mcp_salvage_id(const struct sq_mcp_salvage *salvage);

#endif

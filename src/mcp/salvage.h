/*
 * The id of a message that cannot be read: broken UTF-8, a key given twice,
 * nested too deep, cut short, or too long to be kept. Its answer can then still
 * carry the id. Takes the text in pieces of any size and needs no more memory
 * than the struct.
 */
#ifndef SQ_MCP_SALVAGE_H
#define SQ_MCP_SALVAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

/* An id that takes more bytes than this, quotes included, is not salvaged. */
#define SQ_MCP_SALVAGE_ID_BYTES 4096

/* Brackets are matched by their kind down to here, below they are counted. */
#define SQ_MCP_SALVAGE_DEPTH 4096

/* A value, private to the functions here. */
struct sq_mcp_salvage {
    int state;
    int mark_bytes; /* of a byte-order mark */

    bool in_text; /* a string; else, in_word: a number, true, null, ... */
    bool in_word;
    bool is_key;    /* the string names a member */
    bool in_escape; /* behind a backslash */
    int hex_left;   /* of a \u escape */
    unsigned unit;  /* what it has said so far */

    size_t depth; /* of containers; 1: in the message itself */
    uint8_t objects[SQ_MCP_SALVAGE_DEPTH / 8]; /* a bit each: no array */

    char key[8]; /* of a member of the message, as far as it fits */
    size_t key_len;
    int member; /* which of those we know it is */
    bool has_method;
    bool has_outcome; /* a result or an error: it is an answer */

    int ids;    /* members called id */
    bool in_id; /* its value is being read, or was the last thing read */
    bool is_id_whole;
    char id[SQ_MCP_SALVAGE_ID_BYTES];
    size_t id_len; /* more than sizeof(id): it does not fit */
};

void sq_mcp_salvage_init(struct sq_mcp_salvage *salvage);

void sq_mcp_salvage_feed(struct sq_mcp_salvage *salvage, struct sq_span bytes);

/*
 * The id as it was written, a number or a string with its quotes (but perhaps
 * no valid one); it lives in the struct. Empty if the message has no id or
 * several, if the id is cut off or no scalar, or if the message is an answer.
 * Never one of a nested object or from inside a string: up to its end the text
 * had the structure of JSON.
 */
struct sq_span sq_mcp_salvage_id(const struct sq_mcp_salvage *salvage);

#endif

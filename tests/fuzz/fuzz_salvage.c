/*
 * The salvaged id does not depend on the pieces of the text. For a valid
 * message it is the id. For any text it is in the outermost object and not
 * inside a string.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "json/reader.h"
#include "mcp/request.h"
#include "mcp/stdio.h"

#define MAX_MEMORY ((size_t)256 << 20)

static struct sq_mcp_salvage one;
static struct sq_mcp_salvage other;

static void
feed_in_two(struct sq_mcp_salvage *salvage, struct sq_span text, size_t cut) {
    sq_mcp_salvage_init(salvage);
    sq_mcp_salvage_feed(salvage, (struct sq_span){ text.ptr, cut });
    sq_mcp_salvage_feed(salvage,
                        (struct sq_span){ text.ptr + cut, text.len - cut });
}

/* The member of the message, if it can be returned; else NULL. */
static const struct sq_json *
id_of(const struct sq_json *message) {
    const struct sq_json *id = sq_json_get(message, "id");
    bool is_answer =
        !sq_json_get(message, "method")
        && (sq_json_get(message, "result") || sq_json_get(message, "error"));
    bool is_scalar =
        sq_json_is(id, SQ_JSON_STRING) || sq_json_is(id, SQ_JSON_NUMBER)
        || sq_json_is(id, SQ_JSON_BOOL) || sq_json_is(id, SQ_JSON_NULL);
    return is_scalar && !is_answer ? id : NULL;
}

/* Whether its text may have been longer than what is kept. */
static bool
may_be_long(const struct sq_json *id) {
    struct sq_span text = { 0 };
    return sq_json_string(id, &text)
             ? 6 * text.len + 2 > SQ_MCP_SALVAGE_ID_BYTES
             : sq_json_number(id, &text) && text.len > SQ_MCP_SALVAGE_ID_BYTES;
}

/* A valid message: both ways give the same id. */
static void
check_readable(const struct sq_json *message, struct sq_span found,
               struct sq_arena *arena) {
    const struct sq_json *id = id_of(message);
    const struct sq_json *salvaged = NULL;
    struct sq_err err = { 0 };
    if (found.len == 0) {
        assert(!id || may_be_long(id));
        return;
    }
    bool ok = id && sq_json_parse(found, arena, &salvaged, &err);
    assert(ok);
    assert(sq_json_is(id, SQ_JSON_BOOL) || sq_json_is(id, SQ_JSON_NULL)
           || sq_mcp_same_id(id, salvaged));
}

/* The number of bytes of the text that are needed to know the id. */
static size_t
bytes_needed(struct sq_span text) {
    size_t len = 0;
    sq_mcp_salvage_init(&other);
    while (len < text.len && !other.is_id_whole) {
        sq_mcp_salvage_feed(&other, (struct sq_span){ text.ptr + len, 1 });
        len++;
    }
    return len;
}

/* At the end of this text no string is open, and one brace is. */
static void
check_is_outermost(struct sq_span text) {
    char *left = malloc(text.len + 1);
    size_t count = 0;
    bool in_string = false;
    assert(left);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (in_string && c == '\\') {
            i++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '}' || c == ']')) {
            assert(count > 1);
            count--;
        } else if (!in_string && (c == '{' || c == '[')) {
            left[count++] = c;
        }
    }
    assert(!in_string && count == 1 && left[0] == '{');
    free(left);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    struct sq_span text = { (const char *)data + 1, size - 1 };
    feed_in_two(&one, text, text.len);
    struct sq_span found = sq_mcp_salvage_id(&one);
    feed_in_two(&other, text, text.len * data[0] / 256);
    assert(sq_span_equal(found, sq_mcp_salvage_id(&other)));

    struct sq_arena arena;
    const struct sq_json *message = NULL;
    sq_arena_init(&arena, MAX_MEMORY);
    if (sq_json_parse(text, &arena, &message, NULL)) {
        check_readable(message, found, &arena);
    }
    sq_arena_finish(&arena);
    if (found.len > 0) {
        size_t len = bytes_needed(text);
        assert(len > found.len);
        /* Without the comma or brace that shows that the id is complete. */
        check_is_outermost((struct sq_span){ text.ptr, len - 1 });
    }
    return 0;
}

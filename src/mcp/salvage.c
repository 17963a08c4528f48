/* Scans the outermost object of an invalid message for its id. */
#include "mcp/stdio.h"

/* What may come next in that object, outside of strings and words. */
enum state {
    EXPECT_MESSAGE,
    EXPECT_KEY,
    EXPECT_COLON,
    EXPECT_VALUE,
    EXPECT_MORE, /* a comma or the end */
    ENDED,       /* the message is over, or its structure is broken */
};

static const char byte_order_mark[] = "\xef\xbb\xbf";

void
sq_mcp_salvage_init(struct sq_mcp_salvage *salvage) {
    *salvage = (struct sq_mcp_salvage){ .state = EXPECT_MESSAGE };
}

/* Opens or closes a container inside the message. */
static void
take_bracket(struct sq_mcp_salvage *s, char c) {
    bool is_object = c == '{' || c == '}';
    bool opens = c == '{' || c == '[';
    size_t at = opens ? s->depth++ : --s->depth;
    if (at >= SQ_MCP_SALVAGE_DEPTH) {
        return;
    }
    uint8_t *kinds = &s->objects[at / 8];
    unsigned bit = 1u << at % 8;
    if (opens) {
        *kinds = (uint8_t)(is_object ? *kinds | bit : *kinds & ~bit);
    } else if (((*kinds & bit) != 0) != is_object) {
        s->state = ENDED;
    }
}

static void
keep_id_byte(struct sq_mcp_salvage *s, char c) {
    if (s->in_id && s->id_len < sizeof(s->id)) {
        s->id[s->id_len] = c;
    }
    s->id_len += s->in_id && s->id_len <= sizeof(s->id);
}

static bool
is_word_byte(char c) {
    char lower = sq_ascii_lower(c);
    return sq_is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '-'
        || c == '+' || c == '.';
}

static void
begin_value(struct sq_mcp_salvage *s, char c) {
    bool is_nested = c == '{' || c == '[';
    s->in_text = c == '"';
    s->in_word = is_word_byte(c);
    s->in_id = s->is_id && !is_nested;
    s->state = is_nested || s->in_text || s->in_word ? EXPECT_MORE : ENDED;
    keep_id_byte(s, c);
    if (is_nested) {
        take_bracket(s, c);
    }
}

/* Returns whether a key, with its escapes, means a name of ASCII letters. */
static bool
means(struct sq_span key, const char *name) {
    for (; *name; name++) {
        uint32_t code = 0;
        if (sq_span_take_prefix(&key, "\\u")) {
            sq_span_take_hex(&key, 4, &code);
        } else if (key.len > 0) {
            code = (unsigned char)key.ptr[0];
            sq_span_skip(&key, 1);
        }
        if (code != (unsigned char)*name) {
            return false;
        }
    }
    return key.len == 0;
}

static void
end_key(struct sq_mcp_salvage *s) {
    const bool is_kept = s->key_len <= sizeof(s->key);
    const struct sq_span key = { s->key, is_kept ? s->key_len : 0 };
    s->is_key = false;
    s->state = EXPECT_COLON;
    s->is_id = means(key, "id");
    s->ids += s->is_id && s->ids < 2;
    s->has_method = s->has_method || means(key, "method");
    s->has_outcome =
        s->has_outcome || means(key, "result") || means(key, "error");
}

/* Accepts any byte in a string, since validity does not matter here. */
static void
take_text_byte(struct sq_mcp_salvage *s, char c) {
    s->in_text = c != '"' || s->in_escape;
    s->in_escape = c == '\\' && !s->in_escape;
    keep_id_byte(s, c);
    if (!s->in_text && s->is_key) {
        end_key(s);
    } else if (s->is_key && s->key_len <= sizeof(s->key)) {
        if (s->key_len < sizeof(s->key)) {
            s->key[s->key_len] = c;
        }
        s->key_len++;
    }
}

/* Takes a byte of the outermost object. */
static void
take_structure_byte(struct sq_mcp_salvage *s, char c) {
    switch ((enum state)s->state) {
    case EXPECT_MESSAGE:
        s->depth = 1;
        s->state = c == '{' ? EXPECT_KEY : ENDED;
        break;
    case EXPECT_KEY:
        s->in_text = s->is_key = c == '"';
        s->key_len = 0;
        s->state = s->is_key ? EXPECT_KEY : ENDED;
        break;
    case EXPECT_COLON:
        s->state = c == ':' ? EXPECT_VALUE : ENDED;
        break;
    case EXPECT_VALUE:
        begin_value(s, c);
        break;
    case EXPECT_MORE:
        /* An id counts only if this byte proves that it is complete. */
        s->is_id_whole = s->is_id_whole || (s->in_id && (c == ',' || c == '}'));
        s->in_id = false;
        s->state = c == ',' ? EXPECT_KEY : ENDED;
        break;
    case ENDED:
    default:
        break;
    }
}

static void
take_byte(struct sq_mcp_salvage *s, char c) {
    if (s->in_text) {
        take_text_byte(s, c);
    } else if (s->in_word && is_word_byte(c)) {
        keep_id_byte(s, c);
    } else if (s->depth > 1) {
        s->in_text = c == '"';
        if (memchr("{}[]", c, 4)) {
            take_bracket(s, c);
        }
    } else if (s->state == EXPECT_MESSAGE && s->mark_bytes < 3
               && c == byte_order_mark[s->mark_bytes]) {
        s->mark_bytes++;
    } else {
        s->in_word = false;
        if (!memchr(" \t\r\n", c, 4)) {
            take_structure_byte(s, c);
        }
    }
}

void
sq_mcp_salvage_feed(struct sq_mcp_salvage *salvage, struct sq_span bytes) {
    for (size_t i = 0; i < bytes.len && salvage->state != ENDED; i++) {
        take_byte(salvage, bytes.ptr[i]);
    }
}

struct sq_span
sq_mcp_salvage_id(const struct sq_mcp_salvage *salvage) {
    bool is_answer = salvage->has_outcome && !salvage->has_method;
    bool is_found = salvage->ids == 1 && salvage->is_id_whole
                 && salvage->id_len <= sizeof(salvage->id) && !is_answer;
    return is_found ? (struct sq_span){ salvage->id, salvage->id_len }
                    : (struct sq_span){ 0 };
}

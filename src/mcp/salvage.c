/* A JSON state machine that finds the id of an invalid message. */
#include "mcp/stdio.h"

/* What may come next outside of strings and words. */
enum state {
    EXPECT_MESSAGE,
    EXPECT_VALUE,
    EXPECT_FIRST_ITEM, /* or the end of the array */
    EXPECT_FIRST_KEY,  /* or the end of the object */
    EXPECT_KEY,
    EXPECT_COLON,
    EXPECT_MORE,    /* a comma or the end of the container */
    COUNT_BRACKETS, /* too deep to know the kind of container */
    ENDED,          /* the message is over, or its structure is broken */
};

enum member {
    MEMBER_OTHER,
    MEMBER_ID,
    MEMBER_METHOD,
    MEMBER_RESULT,
    MEMBER_ERROR,
};

#define OTHER_CHARACTER '\x01' /* occurs in no key that we search for */

static const char byte_order_mark[] = "\xef\xbb\xbf";

void
sq_mcp_salvage_init(struct sq_mcp_salvage *salvage) {
    *salvage = (struct sq_mcp_salvage){ .state = EXPECT_MESSAGE };
}

static enum member
find_member(struct sq_span key) {
    static const char *const names[] = {
        [MEMBER_ID] = "id",
        [MEMBER_METHOD] = "method",
        [MEMBER_RESULT] = "result",
        [MEMBER_ERROR] = "error",
    };
    for (int i = MEMBER_ID; i <= MEMBER_ERROR; i++) {
        if (sq_span_is(key, names[i])) {
            return (enum member)i;
        }
    }
    return MEMBER_OTHER;
}

/* Returns the state after a value at the current depth. */
static int
state_after_value(const struct sq_mcp_salvage *s) {
    if (s->depth == 0) {
        return ENDED;
    }
    return s->depth > SQ_MCP_SALVAGE_DEPTH ? COUNT_BRACKETS : EXPECT_MORE;
}

static bool
is_object_at(const struct sq_mcp_salvage *s, size_t depth) {
    return s->objects[(depth - 1) / 8] >> (depth - 1) % 8 & 1;
}

static void
open_container(struct sq_mcp_salvage *s, bool is_object) {
    size_t at = s->depth++;
    if (at >= SQ_MCP_SALVAGE_DEPTH) {
        s->state = COUNT_BRACKETS;
        return;
    }
    unsigned bit = 1u << at % 8;
    s->objects[at / 8] = (uint8_t)(is_object ? s->objects[at / 8] | bit
                                             : s->objects[at / 8] & ~bit);
    s->state = is_object ? EXPECT_FIRST_KEY : EXPECT_FIRST_ITEM;
}

static void
close_container(struct sq_mcp_salvage *s, bool is_object) {
    if (s->depth <= SQ_MCP_SALVAGE_DEPTH
        && is_object_at(s, s->depth) != is_object) {
        s->state = ENDED;
        return;
    }
    s->depth--;
    s->state = state_after_value(s);
}

static void
keep_id_byte(struct sq_mcp_salvage *s, char c) {
    if (s->id_len < sizeof(s->id)) {
        s->id[s->id_len] = c;
    }
    s->id_len += s->id_len <= sizeof(s->id);
}

static bool
is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.';
}

static void
begin_text(struct sq_mcp_salvage *s, bool is_key) {
    s->in_text = true;
    s->is_key = is_key;
    s->key_len = 0;
}

static void
begin_value(struct sq_mcp_salvage *s, char c) {
    s->in_id = s->depth == 1 && s->member == MEMBER_ID;
    if (c == '{' || c == '[') {
        s->in_id = false;
        open_container(s, c == '{');
    } else if (c == '"') {
        begin_text(s, false);
    } else if (is_word_byte(c)) {
        s->in_word = true;
    } else {
        s->in_id = false;
        s->state = ENDED;
    }
    if (s->in_id) {
        keep_id_byte(s, c);
    }
}

static void
end_key(struct sq_mcp_salvage *s) {
    const struct sq_span key = { s->key, s->key_len };
    s->state = EXPECT_COLON;
    if (s->depth != 1) {
        return;
    }
    s->member =
        s->key_len <= sizeof(s->key) ? (int)find_member(key) : MEMBER_OTHER;
    s->ids += s->member == MEMBER_ID && s->ids < 2;
    s->has_method = s->has_method || s->member == MEMBER_METHOD;
    s->has_outcome = s->has_outcome || s->member == MEMBER_RESULT
                  || s->member == MEMBER_ERROR;
}

static void
keep_key_character(struct sq_mcp_salvage *s, char c) {
    if (s->key_len < sizeof(s->key)) {
        s->key[s->key_len] = c;
    }
    s->key_len += s->key_len <= sizeof(s->key);
}

/* Returns false if the byte is not part of the escape. */
static bool
take_escape_byte(struct sq_mcp_salvage *s, char c) {
    int digit = sq_hex_digit(c);
    if (s->in_escape) {
        s->in_escape = false;
        s->hex_left = c == 'u' ? 4 : 0;
        s->unit = 0;
        if (c != 'u') {
            bool is_itself = c == '"' || c == '\\' || c == '/';
            keep_key_character(s, is_itself ? c : OTHER_CHARACTER);
        }
        return true;
    }
    if (digit < 0) {
        s->hex_left = 0;
        keep_key_character(s, OTHER_CHARACTER);
        return false;
    }
    s->unit = s->unit << 4 | (unsigned)digit;
    if (--s->hex_left == 0) {
        keep_key_character(s, s->unit < 0x80 ? (char)s->unit : OTHER_CHARACTER);
    }
    return true;
}

/* Accepts any byte in a string, since validity does not matter here. */
static void
take_text_byte(struct sq_mcp_salvage *s, char c) {
    if (s->in_id) {
        keep_id_byte(s, c);
    }
    if ((s->in_escape || s->hex_left > 0) && take_escape_byte(s, c)) {
        return;
    }
    if (c == '\\') {
        s->in_escape = true;
    } else if (c != '"') {
        keep_key_character(s, c);
    } else {
        s->in_text = false;
        if (s->is_key) {
            end_key(s);
        } else {
            s->state = state_after_value(s);
        }
    }
}

static void
take_message_byte(struct sq_mcp_salvage *s, char c) {
    if (s->mark_bytes < 3 && c == byte_order_mark[s->mark_bytes]) {
        s->mark_bytes++;
    } else if (c == '{') {
        open_container(s, true);
    } else {
        s->state = ENDED;
    }
}

static void
take_key_byte(struct sq_mcp_salvage *s, char c) {
    if (c == '"') {
        begin_text(s, true);
    } else if (c == '}' && s->state == EXPECT_FIRST_KEY) {
        close_container(s, true);
    } else {
        s->state = ENDED;
    }
}

/* An id counts only if the next byte proves that it is complete. */
static void
take_more_byte(struct sq_mcp_salvage *s, char c) {
    s->is_id_whole = s->is_id_whole || (s->in_id && (c == ',' || c == '}'));
    s->in_id = false;
    if (c == ',') {
        s->state = is_object_at(s, s->depth) ? EXPECT_KEY : EXPECT_VALUE;
    } else if (c == '}' || c == ']') {
        close_container(s, c == '}');
    } else {
        s->state = ENDED;
    }
}

static void
count_bracket(struct sq_mcp_salvage *s, char c) {
    if (c == '"') {
        begin_text(s, false);
    } else if (c == '{' || c == '[') {
        open_container(s, c == '{');
    } else if (c == '}' || c == ']') {
        close_container(s, c == '}');
    }
}

static void
take_structure_byte(struct sq_mcp_salvage *s, char c) {
    switch ((enum state)s->state) {
    case EXPECT_MESSAGE:
        take_message_byte(s, c);
        break;
    case EXPECT_FIRST_ITEM:
        if (c == ']') {
            close_container(s, false);
            break;
        }
        begin_value(s, c);
        break;
    case EXPECT_VALUE:
        begin_value(s, c);
        break;
    case EXPECT_FIRST_KEY:
    case EXPECT_KEY:
        take_key_byte(s, c);
        break;
    case EXPECT_COLON:
        s->state = c == ':' ? EXPECT_VALUE : ENDED;
        break;
    case EXPECT_MORE:
        take_more_byte(s, c);
        break;
    case COUNT_BRACKETS:
        count_bracket(s, c);
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
        return;
    }
    if (s->in_word && is_word_byte(c)) {
        if (s->in_id) {
            keep_id_byte(s, c);
        }
        return;
    }
    if (s->in_word) {
        s->in_word = false;
        s->state = state_after_value(s);
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        take_structure_byte(s, c);
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

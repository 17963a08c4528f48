/* Builds the tree from the events of libyaml. */
#include "config/yaml.h"

#include <assert.h>

#include <yaml.h>

#include "util/utf8.h"

/* A list or map that is not complete. */
struct frame {
    struct sq_yaml *node;
    struct sq_yaml *last; /* its last child so far */
    bool has_key;         /* a key was read, but not its value */
    struct sq_span key;
    struct sq_yaml_place key_at;
};

struct builder {
    yaml_parser_t parser;
    struct sq_arena *arena;
    struct sq_yaml *root;
    struct frame stack[SQ_MAX_YAML_DEPTH];
    int depth;
    int nodes;
    int documents;
    struct sq_yaml_place failed_at;
};

/* libyaml counts lines and columns from 0, people from 1. */
static struct sq_yaml_place
place_of(const yaml_mark_t *mark) {
    return (struct sq_yaml_place){ (int)mark->line + 1, (int)mark->column + 1 };
}

static struct sq_yaml_place
place_of_byte(struct sq_span text, size_t offset) {
    struct sq_yaml_place place = { 1, 1 };
    for (size_t i = 0; i < offset && i < text.len; i++) {
        if (text.ptr[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (!sq_utf8_is_continuation(text.ptr[i])) {
            place.column++;
        }
    }
    return place;
}

static bool
fail_at(struct builder *b, const yaml_event_t *event, enum sq_err_code code,
        const char *why, struct sq_err *err) {
    b->failed_at = place_of(&event->start_mark);
    return sq_fail(err, code, "%s", why);
}

/* Sets the error that libyaml reports. */
static bool
fail_parser(struct builder *b, struct sq_span text, struct sq_err *err) {
    const yaml_parser_t *parser = &b->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        return sq_fail_nomem(err);
    }
    b->failed_at = parser->error == YAML_READER_ERROR
                     ? place_of_byte(text, parser->problem_offset)
                     : place_of(&parser->problem_mark);
    return sq_fail(err, SQ_ERR_FORMAT, "%s%s%s",
                   parser->problem ? parser->problem : "this is not YAML",
                   parser->context ? " " : "",
                   parser->context ? parser->context : "");
}

static bool
copy_text(struct builder *b, const yaml_event_t *event, struct sq_span *out,
          struct sq_err *err) {
    size_t len = event->data.scalar.length;
    struct sq_span text = { (const char *)event->data.scalar.value, len };
    char *copy = sq_arena_strdup(b->arena, text, err);
    *out = (struct sq_span){ copy, len };
    return copy != NULL;
}

static struct frame *
innermost(struct builder *b) {
    return b->depth ? &b->stack[b->depth - 1] : NULL;
}

/* Returns whether the next event is a key. */
static bool
wants_key(struct builder *b) {
    const struct frame *frame = innermost(b);
    return frame && frame->node->kind == SQ_YAML_MAP && !frame->has_key;
}

/* Adds a new value to the tree. */
static struct sq_yaml *
add_node(struct builder *b, const yaml_event_t *event, enum sq_yaml_kind kind,
         struct sq_err *err) {
    if (++b->nodes > SQ_MAX_YAML_NODES) {
        fail_at(b, event, SQ_ERR_LIMIT, "there are too many values", err);
        return NULL;
    }
    struct sq_yaml *node = sq_arena_alloc(b->arena, 1, sizeof(*node), err);
    if (!node) {
        return NULL;
    }
    *node =
        (struct sq_yaml){ .kind = kind, .at = place_of(&event->start_mark) };
    node->last_line = node->at.line;
    struct frame *frame = innermost(b);
    if (!frame) {
        b->root = node;
        return node;
    }
    node->key = frame->key;
    node->key_at = frame->key_at;
    *(frame->last ? &frame->last->next : &frame->node->first) = node;
    frame->last = node;
    frame->has_key = false;
    return node;
}

static bool
is_null(struct sq_span text) {
    static const char *const words[] = { "", "~", "null", "Null", "NULL" };
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        if (sq_span_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

static int
last_line_of(const yaml_event_t *event) {
    bool stops_before_line = event->end_mark.column == 0
                          && event->end_mark.line > event->start_mark.line;
    return (int)event->end_mark.line + (stops_before_line ? 0 : 1);
}

static bool
take_scalar(struct builder *b, const yaml_event_t *event, struct sq_err *err) {
    if (wants_key(b)) {
        /* Takes a key of the innermost map; call only if wants_key(). */
        struct frame *frame = &b->stack[b->depth - 1];
        frame->key_at = place_of(&event->start_mark);
        frame->has_key = true;
        return copy_text(b, event, &frame->key, err);
    }
    struct sq_yaml *node = add_node(b, event, SQ_YAML_SCALAR, err);
    if (!node || !copy_text(b, event, &node->text, err)) {
        return false;
    }
    node->last_line = last_line_of(event);
    node->plain = event->data.scalar.plain_implicit;
    if (node->plain && is_null(node->text)) {
        node->kind = SQ_YAML_NULL;
    }
    return true;
}

static bool
take_start(struct builder *b, const yaml_event_t *event, struct sq_err *err) {
    if (wants_key(b)) {
        return fail_at(b, event, SQ_ERR_UNSUPPORTED,
                       "a key must be a single word or text", err);
    }
    if (b->depth == SQ_MAX_YAML_DEPTH) {
        return fail_at(b, event, SQ_ERR_LIMIT, "this is nested too deeply",
                       err);
    }
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    struct sq_yaml *node =
        add_node(b, event, is_map ? SQ_YAML_MAP : SQ_YAML_LIST, err);
    if (!node) {
        return false;
    }
    node->flow =
        is_map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
               : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    b->stack[b->depth++] = (struct frame){ .node = node };
    return true;
}

static bool
take_end(struct builder *b, const yaml_event_t *event, struct sq_err *err) {
    (void)err;
    struct frame *frame = innermost(b);
    assert(frame); /* libyaml pairs start and end events */
    struct sq_yaml *node = frame->node;
    /*
     * libyaml reports the end of a block at the next token, so use the last
     * child.
     */
    if (node->flow) {
        node->last_line = last_line_of(event);
    } else if (frame->last) {
        node->last_line = frame->last->last_line;
    }
    b->depth--;
    return true;
}

static bool
take_document(struct builder *b, const yaml_event_t *event,
              struct sq_err *err) {
    return ++b->documents == 1
        || fail_at(b, event, SQ_ERR_UNSUPPORTED,
                   "a second document begins; only one is allowed", err);
}

static bool
take_alias(struct builder *b, const yaml_event_t *event, struct sq_err *err) {
    return fail_at(b, event, SQ_ERR_UNSUPPORTED, "aliases are not supported",
                   err);
}

static bool (*const take[])(struct builder *, const yaml_event_t *,
                            struct sq_err *) = {
    [YAML_DOCUMENT_START_EVENT] = take_document,
    [YAML_ALIAS_EVENT] = take_alias,
    [YAML_SCALAR_EVENT] = take_scalar,
    [YAML_SEQUENCE_START_EVENT] = take_start,
    [YAML_SEQUENCE_END_EVENT] = take_end,
    [YAML_MAPPING_START_EVENT] = take_start,
    [YAML_MAPPING_END_EVENT] = take_end,
};

static bool
build(struct builder *b, struct sq_span text, struct sq_err *err) {
    bool is_done = false;
    bool ok = true;
    while (ok && !is_done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) {
            return fail_parser(b, text, err);
        }
        size_t type = event.type;
        if (type < SQ_COUNT(take) && take[type]) {
            ok = take[type](b, &event, err);
        }
        is_done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return ok;
}

static bool
check_bytes(struct sq_span text, struct sq_yaml_place *failed_at,
            struct sq_err *err) {
    if (text.len > SQ_MAX_YAML_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %zu KiB are not read",
                       SQ_MAX_YAML_BYTES >> 10);
    }
    size_t valid = sq_utf8_valid_len(text);
    if (valid < text.len) {
        *failed_at = place_of_byte(text, valid);
        return sq_fail(err, SQ_ERR_FORMAT, "this is not UTF-8 text");
    }
    return true;
}

bool
sq_yaml_parse(struct sq_span text, struct sq_arena *arena,
              const struct sq_yaml **root, struct sq_yaml_place *place,
              struct sq_err *err) {
    struct builder b = { .arena = arena };
    bool ok = check_bytes(text, &b.failed_at, err);
    if (ok && !yaml_parser_initialize(&b.parser)) {
        return sq_fail_nomem(err);
    }
    if (ok) {
        yaml_parser_set_input_string(
            &b.parser, (const unsigned char *)(text.ptr ? text.ptr : ""),
            text.len);
        /* Otherwise libyaml guesses, and may choose UTF-16. */
        yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
        ok = build(&b, text, err);
        yaml_parser_delete(&b.parser);
    }
    if (!ok) {
        *place = b.failed_at;
        return false;
    }
    *root = b.root && b.root->kind != SQ_YAML_NULL ? b.root : NULL;
    return true;
}

const struct sq_yaml *
sq_yaml_get(const struct sq_yaml *map, const char *key) {
    if (!map || map->kind != SQ_YAML_MAP) {
        return NULL;
    }
    const struct sq_yaml *member = map->first;
    while (member && !sq_span_is(member->key, key)) {
        member = member->next;
    }
    return member;
}

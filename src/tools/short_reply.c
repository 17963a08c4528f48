/* Shortens the replies of operations on devices. */
#include "tools/short_reply.h"

#include <inttypes.h>
#include <stdio.h>

#include "json/reader.h"
#include "util/limits.h"

#define MAX_MEMORY ((size_t)32 << 20)
#define BYTES_PER_TOKEN 4

/* What decides whether a member is left out. */
enum when {
    ALWAYS,
    IF_OBJECT,
    IF_TRUE,
    IF_FALSE,
    IF_RECEIPT, /* it is true, and no answer to wait */
    IF_INLINE,  /* the text is "inline" */
    IF_PICTURE, /* the picture is sent, too */
    IF_LABELED, /* the object has a label, a hint or a text */
    IF_FIELD,   /* the object has the field that was typed into */
    IF_COUNTED, /* the number is that of the items in the same object */
};

/*
 * Members that are left out. `in` is the key of their object; NULL: any. The
 * names are separated by spaces.
 */
static const struct {
    const char *in;
    enum when when;
    const char *names;
} left_out[] = {
    { NULL, ALWAYS,
      "deviceX deviceY coordinateSpace scaleFactor mimeType sizeBytes tokens "
      "deviceRegion untrusted deviceId udid watchedMs imageFormat "
      "screenshotSize imageSizes coordinateTransform coordinateTransformHelper "
      "screenDimensions simulatorInfo" },
    { NULL, IF_OBJECT, "device screen" },
    { NULL, IF_TRUE, "success" },
    { NULL, IF_RECEIPT, "settled" },
    { NULL, IF_FALSE, "hasMore" },
    { NULL, IF_INLINE, "mode" },
    { NULL, IF_PICTURE, "screenshotPath" },
    { NULL, IF_COUNTED, "count totalCount done" },
    { NULL, IF_FIELD, "tapped element" },
    { "", IF_PICTURE, "guidance" },
    { "visualFallback", IF_PICTURE, "hint app" },
    { "element", IF_LABELED, "type resourceId" },
    { "element", ALWAYS, "sameIds at" },
    { "field", IF_LABELED, "type resourceId" },
    { "tapped", ALWAYS, "screenshotId" },
    { "scrolled", ALWAYS, "from to amount durationMs screenshotId" },
    { "swiped", ALWAYS, "durationMs screenshotId" },
    { "pinched", ALWAYS, "durationMs screenshotId" },
    { "region", ALWAYS, "screenshotId" },
    /* Of the entries that find lists as objects. */
    { "elements", IF_LABELED, "resourceId className bounds clickable" },
};

struct shortening {
    struct sq_json_writer w;
    bool has_picture;
};

static bool
has_word(const char *words, struct sq_span word) {
    struct sq_span rest = sq_span_of(words);
    struct sq_span next;
    while (rest.len > 0) {
        if (!sq_span_take_until(&rest, ' ', &next)) {
            next = rest;
            rest.len = 0;
        }
        if (sq_span_equal(next, word)) {
            return true;
        }
    }
    return false;
}

static bool
has_any(const struct sq_json *object, const char *const *names) {
    for (; *names; names++) {
        if (sq_json_get(object, *names)) {
            return true;
        }
    }
    return false;
}

/* Returns whether a list in the object has as many items as the number says. */
static bool
is_counted(const struct sq_json *object, const struct sq_json *number) {
    int64_t count;
    const struct sq_json *at = sq_json_first(object);
    for (; at && sq_json_int(number, &count); at = sq_json_next(at)) {
        if (sq_json_is(at, SQ_JSON_ARRAY)
            && (int64_t)sq_json_count(at) == count) {
            return true;
        }
    }
    return false;
}

static bool
holds(const struct shortening *s, enum when when, const struct sq_json *object,
      const struct sq_json *member) {
    static const char *const labels[] = { "label", "hint", "text", NULL };
    struct sq_span text = { 0 };
    bool value = when == IF_FALSE;
    switch (when) {
    case ALWAYS:
        return true;
    case IF_OBJECT:
        return sq_json_is(member, SQ_JSON_OBJECT);
    case IF_TRUE:
    case IF_FALSE:
        return sq_json_bool(member, &value) && value == (when == IF_TRUE);
    case IF_RECEIPT:
        return sq_json_bool(member, &value) && value
            && !sq_json_get(object, "waitedMs");
    case IF_INLINE:
        return sq_json_string(member, &text) && sq_span_is(text, "inline");
    case IF_PICTURE:
        return s->has_picture;
    case IF_LABELED:
        return has_any(object, labels);
    case IF_FIELD:
        return sq_json_get(object, "field") != NULL;
    case IF_COUNTED:
        return is_counted(object, member);
    }
    return false;
}

static bool
is_left_out(const struct shortening *s, struct sq_span in,
            const struct sq_json *object, const struct sq_json *member) {
    struct sq_span key = sq_json_key(member);
    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
        if ((!left_out[i].in || sq_span_is(in, left_out[i].in))
            && has_word(left_out[i].names, key)
            && holds(s, left_out[i].when, object, member)) {
            return true;
        }
    }
    return false;
}

/* What may be written as text: "x,y widthxheight of s1". */
struct place {
    int64_t numbers[4];
    bool has[4];
    struct sq_span id;
};

/* Reads a place. Returns false if the object has another member. */
static bool
read_place(const struct shortening *s, struct sq_span in,
           const struct sq_json *object, struct place *out) {
    static const char *const names[] = { "x", "y", "width", "height" };
    const struct sq_json *member = sq_json_first(object);
    bool ok = true;
    for (; ok && member; member = sq_json_next(member)) {
        struct sq_span key = sq_json_key(member);
        size_t i = 0;
        while (i < 4 && !sq_span_is(key, names[i])) {
            i++;
        }
        if (i < 4) {
            ok = out->has[i] = sq_json_int(member, &out->numbers[i]);
        } else if (!is_left_out(s, in, object, member)) {
            ok = sq_span_is(key, "screenshotId")
              && sq_json_string(member, &out->id);
        }
    }
    return ok && out->has[0] == out->has[1] && out->has[2] == out->has[3]
        && (out->has[0] || out->has[2]);
}

/* Writes a point, a size or a rectangle. Returns false if it is none. */
static bool
put_place(struct shortening *s, struct sq_span in,
          const struct sq_json *object) {
    struct place place = { 0 };
    const int64_t *n = place.numbers;
    char point[48] = "";
    char size[48] = "";
    char text[160];
    if (!read_place(s, in, object, &place)) {
        return false;
    }
    if (place.has[0]) {
        snprintf(point, sizeof(point), "%" PRId64 ",%" PRId64 "%s", n[0], n[1],
                 place.has[2] ? " " : "");
    }
    if (place.has[2]) {
        snprintf(size, sizeof(size), "%" PRId64 "x%" PRId64, n[2], n[3]);
    }
    snprintf(text, sizeof(text), "%s%s%s%.*s", point, size,
             place.id.len ? " of " : "", SQ_SPAN_ARGS(place.id));
    sq_json_put_clean(&s->w, sq_span_of(text));
    return true;
}

/* Recursion is limited: no parsed text is deeper than SQ_MAX_JSON_DEPTH. */
static void
put(struct shortening *s, struct sq_span in, const struct sq_json *value) {
    struct sq_span text;
    if (sq_json_string(value, &text)) {
        sq_json_put_clean(&s->w, text);
    } else if (sq_json_is(value, SQ_JSON_ARRAY)) {
        sq_json_begin_array(&s->w);
        for (const struct sq_json *at = sq_json_first(value); at;
             at = sq_json_next(at)) {
            put(s, in, at);
        }
        sq_json_end_array(&s->w);
    } else if (!sq_json_is(value, SQ_JSON_OBJECT)) {
        sq_json_put_value(&s->w, value);
    } else if (!put_place(s, in, value)) {
        sq_json_begin_object(&s->w);
        for (const struct sq_json *at = sq_json_first(value); at;
             at = sq_json_next(at)) {
            if (!is_left_out(s, in, value, at)) {
                sq_json_put_key_span(&s->w, sq_json_key(at));
                put(s, sq_json_key(at), at);
            }
        }
        sq_json_end_object(&s->w);
    }
}

bool
sq_short_reply_write(const struct sq_json *reply, bool has_picture,
                     struct sq_buf *out, struct sq_err *err) {
    struct shortening s = { .has_picture = has_picture };
    sq_json_writer_init(&s.w, out);
    put(&s, SQ_SPAN(""), reply);
    return sq_json_writer_done(&s.w, err);
}

/* Appends the short form of a text. Returns false if it stays as it is. */
static bool
write_short(const struct sq_block *block, bool has_picture,
            struct sq_buf *out) {
    const struct sq_json *reply;
    SQ_ARENA(arena, MAX_MEMORY);
    return sq_json_parse(sq_buf_span(&block->data), &arena, &reply, NULL)
        && sq_json_is(reply, SQ_JSON_OBJECT)
        && sq_short_reply_write(reply, has_picture, out, NULL);
}

static bool
has_image(const struct sq_result *result) {
    int i = 0;
    while (i < result->count && result->blocks[i].kind != SQ_BLOCK_IMAGE) {
        i++;
    }
    return i < result->count;
}

void
sq_short_reply(struct sq_result *result) {
    bool has_picture = has_image(result);
    for (int i = 0; i < result->count; i++) {
        struct sq_block *block = &result->blocks[i];
        struct sq_buf text;
        sq_buf_init(&text, block->data.max);
        if (block->kind == SQ_BLOCK_TEXT
            && write_short(block, has_picture, &text)) {
            sq_buf_finish(&block->data);
            block->data = text;
        } else {
            sq_buf_finish(&text);
        }
    }
}

int
sq_short_reply_tokens(const struct sq_result *result) {
    bool has_picture = has_image(result);
    int tokens = 0;
    for (int i = 0; i < result->count; i++) {
        const struct sq_block *block = &result->blocks[i];
        SQ_BUF(text, block->data.max);
        if (block->kind == SQ_BLOCK_TEXT) {
            bool is_short = write_short(block, has_picture, &text);
            size_t bytes = is_short ? text.len : block->data.len;
            tokens += (int)(bytes / BYTES_PER_TOKEN + 1);
        }
    }
    return tokens;
}

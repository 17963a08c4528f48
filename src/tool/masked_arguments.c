/* Writes arguments of calls without secrets. */
#include "tool/masked_arguments.h"

#include <stdio.h>

#define TYPING "input"
#define SECRET_SIZE 40
#define MAX_TEXT_BYTES ((size_t)1 << 20)

/* Writes a string as the rules allow. */
static void
put_text(struct sq_json_writer *w, struct sq_span text,
         const struct sq_argument_mask *mask) {
    if (!mask->rules.apply) {
        sq_json_put_string(w, text);
        return;
    }
    struct sq_buf masked;
    sq_buf_init(&masked, MAX_TEXT_BYTES);
    if (mask->rules.apply(mask->rules.context, text, &masked, NULL)) {
        sq_json_put_string(w, sq_buf_span(&masked));
    } else {
        sq_json_put_string(w, SQ_SPAN("[redacted]"));
    }
    sq_buf_finish(&masked);
}

static void
put_secret(struct sq_json_writer *w, const struct sq_argument_mask *mask) {
    char text[SECRET_SIZE];
    snprintf(text, sizeof(text), "[secret %llu]",
             (unsigned long long)++*mask->last_secret);
    sq_json_put_string(w, sq_span_of(text));
}

static void put(struct sq_json_writer *w, const struct sq_json *value,
                const struct sq_argument_mask *mask);

static void
put_key(struct sq_json_writer *w, struct sq_span key) {
    char name[256];
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(key));
    sq_json_put_key(w, name);
}

/* Writes the members of an object. types: its "text" is typed. */
static void
put_members(struct sq_json_writer *w, const struct sq_json *object, bool types,
            const struct sq_argument_mask *mask) {
    sq_json_begin_object(w);
    for (const struct sq_json *member = sq_json_first(object); member;
         member = sq_json_next(member)) {
        struct sq_span key = sq_json_key(member);
        put_key(w, key);
        if (types && mask->last_secret && sq_span_is(key, "text")
            && sq_json_is(member, SQ_JSON_STRING)) {
            put_secret(w, mask);
        } else {
            put(w, member, mask);
        }
    }
    sq_json_end_object(w);
}

/* The depth of values is limited by the parser. */
static void
put(struct sq_json_writer *w, const struct sq_json *value,
    const struct sq_argument_mask *mask) {
    struct sq_span text;
    if (sq_json_string(value, &text)) {
        put_text(w, text, mask);
    } else if (sq_json_is(value, SQ_JSON_OBJECT)) {
        put_members(w, value,
                    sq_span_is(sq_json_text_of(value, "operation"), TYPING),
                    mask);
    } else if (sq_json_is(value, SQ_JSON_ARRAY)) {
        sq_json_begin_array(w);
        for (const struct sq_json *item = sq_json_first(value); item;
             item = sq_json_next(item)) {
            put(w, item, mask);
        }
        sq_json_end_array(w);
    } else {
        sq_json_put_value(w, value);
    }
}

void
sq_put_masked_arguments(struct sq_json_writer *w, struct sq_span operation,
                        const struct sq_json *arguments,
                        const struct sq_argument_mask *mask) {
    put_members(w, arguments, sq_span_is(operation, TYPING), mask);
}

/* Returns whether a value has the member "password": true, at any depth. */
static bool
names_password(const struct sq_json *value) {
    bool is_password = false;
    bool found = sq_json_bool(sq_json_get(value, "password"), &is_password)
              && is_password;
    for (const struct sq_json *item = sq_json_first(value); item && !found;
         item = sq_json_next(item)) {
        found = names_password(item);
    }
    return found;
}

/* Returns whether an object types text, or one of its steps does. */
static bool
has_typing(struct sq_span operation, const struct sq_json *arguments) {
    bool found = sq_span_is(operation, TYPING);
    for (const struct sq_json *step =
             sq_json_first(sq_json_get(arguments, "steps"));
         step && !found; step = sq_json_next(step)) {
        found = sq_span_is(sq_json_text_of(step, "operation"), TYPING);
    }
    return found;
}

bool
sq_may_type_secret(struct sq_span operation, const struct sq_json *arguments,
                   const struct sq_json *reply) {
    return has_typing(operation, arguments)
        && (!reply || names_password(reply));
}

uint64_t
sq_secret_number(struct sq_span text) {
    int64_t number;
    bool ok = sq_span_take_prefix(&text, "[secret ")
           && sq_span_take_int64(&text, &number) && sq_span_is(text, "]")
           && number > 0;
    return ok ? (uint64_t)number : 0;
}

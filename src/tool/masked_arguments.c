/* Writes arguments of calls without secrets. */
#include "tool/masked_arguments.h"

#include <stdio.h>

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
    SQ_BUF(masked, MAX_TEXT_BYTES);
    if (mask->rules.apply(mask->rules.context, text, &masked, NULL)) {
        sq_json_put_string(w, sq_buf_span(&masked));
    } else {
        sq_json_put_string(w, SQ_SPAN("[redacted]"));
    }
}

static void
put_secret(struct sq_json_writer *w, const struct sq_argument_mask *mask) {
    char text[SECRET_SIZE];
    const char *hidden = mask->hidden ? mask->hidden : "[hidden]";
    if (mask->last_secret) {
        snprintf(text, sizeof(text), "[secret %llu]",
                 (unsigned long long)++*mask->last_secret);
        hidden = text;
    }
    sq_json_put_string(w, sq_span_of(hidden));
}

static void
put_key(struct sq_json_writer *w, struct sq_span key) {
    char name[256];
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(key));
    sq_json_put_key(w, name);
}

/* Writes a value that is not typed. Its depth is limited by the parser. */
static void
put(struct sq_json_writer *w, const struct sq_json *value,
    const struct sq_argument_mask *mask) {
    struct sq_span text;
    bool is_object = sq_json_is(value, SQ_JSON_OBJECT);
    if (sq_json_string(value, &text)) {
        put_text(w, text, mask);
    } else if (!is_object && !sq_json_is(value, SQ_JSON_ARRAY)) {
        sq_json_put_value(w, value);
    } else {
        (is_object ? sq_json_begin_object : sq_json_begin_array)(w);
        for (const struct sq_json *item = sq_json_first(value); item;
             item = sq_json_next(item)) {
            if (is_object) {
                put_key(w, sq_json_key(item));
            }
            put(w, item, mask);
        }
        (is_object ? sq_json_end_object : sq_json_end_array)(w);
    }
}

/* Writes the arguments of a step, or of a call, whose number is then 0. */
static bool put_call(struct sq_json_writer *w, struct sq_span operation,
                     const struct sq_json *arguments, int number,
                     const struct sq_argument_mask *mask);

static bool
put_steps(struct sq_json_writer *w, const struct sq_json *steps,
          const struct sq_argument_mask *mask) {
    bool has_hidden = false;
    int number = 0;
    sq_json_begin_array(w);
    for (const struct sq_json *step = sq_json_first(steps); step;
         step = sq_json_next(step)) {
        has_hidden |= put_call(w, sq_json_text_of(step, "operation"), step,
                               number++, mask);
    }
    sq_json_end_array(w);
    return has_hidden;
}

static bool
put_call(struct sq_json_writer *w, struct sq_span operation,
         const struct sq_json *arguments, int number,
         const struct sq_argument_mask *mask) {
    bool is_harmless = number < 32 && mask->harmless_texts >> number & 1;
    bool has_hidden = false;
    sq_json_begin_object(w);
    for (const struct sq_json *member = sq_json_first(arguments); member;
         member = sq_json_next(member)) {
        struct sq_span key = sq_json_key(member);
        put_key(w, key);
        if (sq_span_is(key, "steps") && sq_json_is(member, SQ_JSON_ARRAY)) {
            has_hidden |= put_steps(w, member, mask);
        } else if (!is_harmless
                   && (sq_span_is(key, "steps")
                       || mask->may_be_typed(operation, key))) {
            put_secret(w, mask);
            has_hidden = true;
        } else {
            put(w, member, mask);
        }
    }
    sq_json_end_object(w);
    return has_hidden;
}

bool
sq_put_masked_arguments(struct sq_json_writer *w, struct sq_span operation,
                        const struct sq_json *arguments,
                        const struct sq_argument_mask *mask) {
    return put_call(w, operation, arguments, 0, mask);
}

uint64_t
sq_secret_number(struct sq_span text) {
    int64_t number;
    bool ok = sq_span_take_prefix(&text, "[secret ")
           && sq_span_take_int64(&text, &number) && sq_span_is(text, "]")
           && number > 0;
    return ok ? (uint64_t)number : 0;
}

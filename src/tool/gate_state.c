/* What the person has chosen, as JSON and as lines of a file. */
#include "tool/gate_state.h"

#include <stddef.h>
#include <string.h>

#include "sys/call.h"

#define LINE_BYTES ((size_t)64 << 10) /* of a state in its file, at most */

const char *const sq_gate_mode_names[] = {
    [SQ_GATE_RUN] = "run",
    [SQ_GATE_HOLD] = "hold",
    [SQ_GATE_APPROVE] = "approve",
    NULL,
};

/* The texts of a rule, by their names in JSON. */
#define TEXT(name)                                                             \
    {                                                                          \
#name, offsetof(struct sq_policy_scope, name),                         \
            sizeof(((struct sq_policy_scope *)0)->name)                        \
    }
static const struct {
    const char *name;
    size_t at;
    size_t size;
} rule_texts[] = { TEXT(operation), TEXT(app), TEXT(client), TEXT(device) };

int
sq_gate_find_mode(struct sq_span name) {
    for (int i = 0; sq_gate_mode_names[i]; i++) {
        if (sq_span_is(name, sq_gate_mode_names[i])) {
            return i;
        }
    }
    return -1;
}

void
sq_gate_put_rules(struct sq_json_writer *w, const struct sq_gate_rule *rules,
                  int count) {
    sq_json_begin_array(w);
    for (int i = 0; i < count; i++) {
        const char *about = (const char *)&rules[i].about;
        sq_json_begin_object(w);
        sq_json_put_string(sq_json_at(w, "mode"),
                           sq_span_of(sq_gate_mode_names[rules[i].mode]));
        for (size_t k = 0; k < SQ_COUNT(rule_texts); k++) {
            sq_json_put_string(sq_json_at(w, rule_texts[k].name),
                               sq_span_of(about + rule_texts[k].at));
        }
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

bool
sq_gate_read_rules(const struct sq_json *array,
                   struct sq_gate_rule out[SQ_GATE_MAX_RULES], int *count,
                   struct sq_err *err) {
    *count = 0;
    if (!sq_json_is(array, SQ_JSON_ARRAY)
        || sq_json_count(array) > SQ_GATE_MAX_RULES) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "there must be at most %d rules",
                       SQ_GATE_MAX_RULES);
    }
    for (const struct sq_json *at = sq_json_first(array); at;
         at = sq_json_next(at)) {
        struct sq_gate_rule rule = { 0 };
        int mode = sq_gate_find_mode(sq_json_text_of(at, "mode"));
        if (mode <= SQ_GATE_RUN) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "a rule has no mode");
        }
        rule.mode = (enum sq_gate_mode)mode;
        for (size_t k = 0; k < SQ_COUNT(rule_texts); k++) {
            struct sq_span text = sq_json_text_of(at, rule_texts[k].name);
            if (text.len >= rule_texts[k].size
                || sq_span_contains(text, '\0')) {
                return sq_fail(err, SQ_ERR_ARGUMENT,
                               "the %s of a rule is too long or has a zero",
                               rule_texts[k].name);
            }
            if (text.len > 0) {
                memcpy((char *)&rule.about + rule_texts[k].at, text.ptr,
                       text.len);
            }
        }
        out[(*count)++] = rule;
    }
    return true;
}

bool
sq_gate_state_write(int file, const struct sq_gate_state *state, off_t *size) {
    struct sq_json_writer w;
    SQ_BUF(line, LINE_BYTES);
    bool ok =
        sq_buf_printf(&line, NULL, "%s ", sq_gate_mode_names[state->mode]);
    sq_json_writer_init(&w, &line);
    sq_gate_put_rules(&w, state->rules, state->count);
    ok = ok && sq_json_writer_done(&w, NULL)
      && sq_buf_append(&line, "\n", 1, NULL);
    *size += ok ? (off_t)line.len : 0;
    return ok && sq_call_write(file, line.data, line.len) == (ssize_t)line.len;
}

static bool
read_line(struct sq_span line, struct sq_gate_state *out) {
    const struct sq_json *array;
    struct sq_span word = line;
    SQ_ARENA(arena, 4 * LINE_BYTES);
    if (sq_span_take_until(&line, ' ', &word)
        && (!sq_json_parse(line, &arena, &array, NULL)
            || !sq_gate_read_rules(array, out->rules, &out->count, NULL))) {
        return false;
    }
    int mode = sq_gate_find_mode(word);
    out->mode = (enum sq_gate_mode)mode;
    return mode >= 0;
}

/* Reads the end of the file, and its last line. */
static bool
read_end(int file, size_t size, struct sq_gate_state *out) {
    size_t count = size < LINE_BYTES ? size : LINE_BYTES;
    uint8_t *text;
    SQ_BUF(bytes, LINE_BYTES);
    if (!sq_buf_reserve(&bytes, count, &text, NULL)
        || sq_call_pread(file, text, count, (off_t)(size - count))
               != (ssize_t)count) {
        return false;
    }
    if (text[count - 1] != '\n') {
        sq_call_write(file, "\n", 1);
        return false;
    }
    size_t start = count - 1;
    while (start > 0 && text[start - 1] != '\n') {
        start--;
    }
    return read_line(
        (struct sq_span){ (const char *)text + start, count - 1 - start }, out);
}

void
sq_gate_state_read(int file, off_t size, struct sq_gate_state *out) {
    *out = (struct sq_gate_state){ .mode = SQ_GATE_RUN };
    if (size > 0 && !read_end(file, (size_t)size, out)) {
        *out = (struct sq_gate_state){ .mode = SQ_GATE_HOLD };
    }
}

/* Reads values of the JSON that a command printed. */
#ifndef SQ_TEST_APP_ANSWER_H
#define SQ_TEST_APP_ANSWER_H

#include "json/reader.h"
#include "unit/app/run.h"

/* Valid until answer_end. */
struct answer {
    struct sq_arena arena;
    const struct sq_json *root;
};

static inline void
answer_start(struct answer *answer) {
    *answer = (struct answer){ 0 };
    sq_arena_init(&answer->arena, 1 << 20);
    T_OK(sq_json_parse((struct sq_span){ run.out, run.out_len }, &answer->arena,
                       &answer->root, &t_err));
    T(run.out_len > 0 && run.out[run.out_len - 1] == '\n');
}

static inline void
answer_end(struct answer *answer) {
    sq_arena_finish(&answer->arena);
}

/* The member of a member: "image", "width". inner may be NULL. */
static inline const struct sq_json *
answer_get(const struct sq_json *value, const char *outer, const char *inner) {
    value = sq_json_get(value, outer);
    return inner ? sq_json_get(value, inner) : value;
}

static inline long long
answer_int(const struct sq_json *value, const char *outer, const char *inner) {
    int64_t number = -1;
    T(sq_json_int(answer_get(value, outer, inner), &number));
    return number;
}

static inline double
answer_double(const struct sq_json *value, const char *key) {
    double number = -1;
    T(sq_json_double(sq_json_get(value, key), &number));
    return number;
}

static inline bool
answer_is(const struct sq_json *value, const char *key, const char *want) {
    struct sq_span text = { 0 };
    return T(sq_json_string(sq_json_get(value, key), &text))
        && T(sq_span_is(text, want));
}

#endif

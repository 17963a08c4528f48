/* Writes the state of a demo phone as JSON, and reads it. */
#include "demo/phone/phone.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "json/writer.h"

#define VERSION 2
#define MAX_PIXELS 10000000 /* larger than any page of the phone */
#define MAX_COUNT 1000000000

/* Members that are numbers or truth values, or lists of them. */
static const struct member {
    const char *name;
    size_t offset;
    size_t count; /* of a list; 0: no list */
    enum { INTEGER, TRUTH, FRACTION } type;
    int min; /* of a number */
    int max;
} members[] = {
#define NUMBER(name, member, min, max)                                         \
    { name, offsetof(struct sq_phone, member), 0, INTEGER, min, max }
#define NUMBERS(name, member, count, max)                                      \
    { name, offsetof(struct sq_phone, member), count, INTEGER, 0, max }
#define BOOLS(name, member, count)                                             \
    { name, offsetof(struct sq_phone, member), count, TRUTH, 0, 0 }
#define FRACTIONS(name, member, count)                                         \
    { name, offsetof(struct sq_phone, member), count, FRACTION, 0, 0 }
    NUMBER("login", login, SQ_LOGIN_OPEN, SQ_LOGIN_DONE),
    NUMBER("focus", focus, SQ_NO_FIELD, SQ_FIELDS - 1),
    NUMBER("touchedX", touched.x, 0, MAX_PIXELS),
    NUMBER("touchedY", touched.y, 0, MAX_PIXELS),
    NUMBER("category", category, 0, SQ_MAX_PRODUCTS),
    NUMBER("cart", cart, 0, MAX_COUNT),
    NUMBER("score", score, 0, MAX_COUNT),
    NUMBER("zoom", zoom, SQ_MIN_ZOOM, SQ_MAX_ZOOM),
    NUMBER("turn", turn, 0, 359),
    BOOLS("overview", overview, 1),
    BOOLS("running", running, SQ_APPS),
    BOOLS("asleep", asleep, 1),
    BOOLS("landscape", landscape, 1),
    BOOLS("switches", switches, SQ_MAX_SWITCHES),
    BOOLS("about", about, 1),
    BOOLS("asks", asks, 1),
    BOOLS("remember", remember, 1),
    BOOLS("favourites", favourites, SQ_MAX_PRODUCTS),
    BOOLS("amountsHidden", amounts_hidden, 1),
    NUMBERS("scroll", scroll, SQ_SCROLLS, MAX_PIXELS),
    FRACTIONS("discs", discs, (size_t)2 * SQ_DISCS),
};
_Static_assert(sizeof(enum sq_login) == sizeof(int), "login is a number");
_Static_assert(sizeof(struct sq_disc) == 2 * sizeof(float), "two fractions");

static void
put_int(struct sq_json_writer *w, const char *key, int64_t number) {
    sq_json_put_int(sq_json_at(w, key), number);
}

static void
put_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    sq_json_put_string(sq_json_at(w, key), text);
}

static void
put_member(const struct sq_phone *phone, const struct member *member,
           struct sq_json_writer *w) {
    const void *at = (const char *)phone + member->offset;
    sq_json_put_key(w, member->name);
    if (member->count == 0) {
        sq_json_put_int(w, *(const int *)at);
        return;
    }
    sq_json_begin_array(w);
    for (size_t i = 0; i < member->count; i++) {
        if (member->type == TRUTH) {
            sq_json_put_bool(w, ((const bool *)at)[i]);
        } else if (member->type == FRACTION) {
            sq_json_put_double(w, (double)((const float *)at)[i]);
        } else {
            sq_json_put_int(w, ((const int *)at)[i]);
        }
    }
    sq_json_end_array(w);
}

bool
sq_phone_save(const struct sq_phone *phone, struct sq_buf *out,
              struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    /* Writes what a phone cannot change: it must be the same phone. */
    char seed[24];
    put_int(&w, "squintDemoPhone", VERSION);
    put_int(&w, "width", phone->options.width);
    put_int(&w, "height", phone->options.height);
    sq_json_put_double(sq_json_at(&w, "density"), phone->options.density);
    /* Texts, because a double does not hold 64 bits. */
    snprintf(seed, sizeof(seed), "%" PRIu64, phone->options.seed);
    put_text(&w, "seed", sq_span_of(seed));
    snprintf(seed, sizeof(seed), "%" PRIu64, phone->random);
    put_text(&w, "random", sq_span_of(seed));
    put_text(&w, "app", sq_span_of(sq_demo_apps[phone->app]->name));
    put_text(&w, "message", sq_span_of(phone->snack));
    put_text(&w, "clipboard", sq_buf_span(&phone->clipboard));
    for (size_t i = 0; i < SQ_COUNT(members); i++) {
        put_member(phone, &members[i], &w);
    }

    sq_json_begin_array_of(&w, "fields");
    for (int i = 0; i < SQ_FIELDS; i++) {
        sq_json_put_string(&w, sq_buf_span(&phone->fields[i]));
    }
    sq_json_end_array(&w);
    return sq_json_close(&w, err);
}

/* A state that is read: texts are copied into the buffers at the end. */
struct state {
    const struct sq_json *json;
    struct sq_phone phone; /* a copy; its buffers are those of the original */
    struct sq_span fields[SQ_FIELDS];
    struct sq_span clipboard;
};

static bool
fail_format(const char *member, struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT,
                   "\"%s\" of the demo phone's state is wrong", member);
}

static bool
read_range(const struct sq_json *value, int min, int max, int *out) {
    int64_t number;
    if (!sq_json_int(value, &number) || number < min || number > max) {
        return false;
    }
    *out = (int)number;
    return true;
}

static bool
is_uint64(const struct sq_json *value, uint64_t *out) {
    struct sq_span text;
    return sq_json_string(value, &text) && sq_span_to_uint64(text, out);
}

/* Fails unless the state belongs to this phone. */
static bool
check_phone(const struct state *state, struct sq_err *err) {
    const struct sq_demo_options *options = &state->phone.options;
    const struct sq_json *json = state->json;
    int version;
    uint64_t seed = 0;
    double density = 0;
    if (!read_range(sq_json_get(json, "squintDemoPhone"), 1, MAX_COUNT,
                    &version)) {
        return fail_format("squintDemoPhone", err);
    }
    if (version != VERSION) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the demo phone's state has version %d, not %d", version,
                       VERSION);
    }
    bool same = sq_json_int_of(json, "width") == options->width
             && sq_json_int_of(json, "height") == options->height
             && sq_json_double(sq_json_get(json, "density"), &density)
             && fabs(density - options->density) < 1e-9
             && is_uint64(sq_json_get(json, "seed"), &seed)
             && seed == options->seed;
    return same
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the demo phone had another size, density or seed before");
}

/* Returns a list with that many items, or NULL. */
static const struct sq_json *
list_of(const struct sq_json *json, const char *name, size_t count) {
    const struct sq_json *list = sq_json_get(json, name);
    return sq_json_is(list, SQ_JSON_ARRAY) && sq_json_count(list) == count
             ? sq_json_first(list)
             : NULL;
}

static bool
read_fraction(const struct sq_json *value, float *out) {
    double number;
    if (!sq_json_double(value, &number) || !(number >= 0 && number <= 1)) {
        return false;
    }
    *out = (float)number;
    return true;
}

static bool
read_member(struct state *state, const struct member *member) {
    void *at = (char *)&state->phone + member->offset;
    const struct sq_json *item =
        member->count ? list_of(state->json, member->name, member->count)
                      : sq_json_get(state->json, member->name);
    bool ok = item != NULL;
    for (size_t i = 0; ok && item; i++, item = sq_json_next(item)) {
        ok = member->type == TRUTH ? sq_json_bool(item, (bool *)at + i)
           : member->type == FRACTION
               ? read_fraction(item, (float *)at + i)
               : read_range(item, member->min, member->max, (int *)at + i);
        if (member->count == 0) {
            break;
        }
    }
    return ok;
}

static bool
read_members(struct state *state, struct sq_err *err) {
    for (size_t i = 0; i < SQ_COUNT(members); i++) {
        if (!read_member(state, &members[i])) {
            return fail_format(members[i].name, err);
        }
    }
    return is_uint64(sq_json_get(state->json, "random"), &state->phone.random)
        || fail_format("random", err);
}

static bool
read_app(struct state *state, struct sq_err *err) {
    struct sq_span name = sq_json_text_of(state->json, "app");
    for (int app = 0; app < SQ_APPS; app++) {
        if (sq_span_is(name, sq_demo_apps[app]->name)) {
            state->phone.app = (enum sq_app_id)app;
            return true;
        }
    }
    return fail_format("app", err);
}

static bool
read_texts(struct state *state, struct sq_err *err) {
    struct sq_span message;
    const struct sq_json *item = list_of(state->json, "fields", SQ_FIELDS);
    for (int i = 0; i < SQ_FIELDS; i++, item = sq_json_next(item)) {
        if (!sq_json_string(item, &state->fields[i])
            || state->fields[i].len > SQ_FIELD_MAX_BYTES) {
            return fail_format("fields", err);
        }
    }
    if (!sq_json_string(sq_json_get(state->json, "clipboard"),
                        &state->clipboard)
        || state->clipboard.len > SQ_FIELD_MAX_BYTES) {
        return fail_format("clipboard", err);
    }
    if (!sq_json_string(sq_json_get(state->json, "message"), &message)
        || message.len >= SQ_SNACK_SIZE || sq_span_contains(message, '\0')) {
        return fail_format("message", err);
    }
    snprintf(state->phone.snack, sizeof(state->phone.snack), "%.*s",
             SQ_SPAN_ARGS(message));
    return true;
}

/* Copies a text into a new buffer of the same maximum. */
static bool
copy_text(const struct sq_buf *old, struct sq_span text, struct sq_buf *out,
          struct sq_err *err) {
    sq_buf_init(out, old->max);
    return text.len == 0 || sq_buf_append(out, text.ptr, text.len, err);
}

/* Sets the phone to what was read. Only lack of memory can prevent it. */
static bool
commit(struct state *state, struct sq_phone *phone, struct sq_err *err) {
    struct sq_buf fields[SQ_FIELDS] = { { 0 } };
    struct sq_buf clipboard = { 0 };
    bool ok = copy_text(&phone->clipboard, state->clipboard, &clipboard, err);
    for (int i = 0; ok && i < SQ_FIELDS; i++) {
        ok = copy_text(&phone->fields[i], state->fields[i], &fields[i], err);
    }
    struct sq_buf *unused = ok ? phone->fields : fields;
    for (int i = 0; i < SQ_FIELDS; i++) {
        sq_buf_finish(&unused[i]);
    }
    sq_buf_finish(ok ? &phone->clipboard : &clipboard);
    if (ok) {
        memcpy(state->phone.fields, fields, sizeof(fields));
        state->phone.clipboard = clipboard;
        *phone = state->phone;
    }
    return ok;
}

bool
sq_phone_restore(struct sq_phone *phone, struct sq_span text,
                 struct sq_err *err) {
    struct state state = { .phone = *phone };
    SQ_ARENA(arena, 8 * SQ_PHONE_STATE_MAX);
    return sq_json_parse(text, &arena, &state.json, err)
        && check_phone(&state, err) && read_members(&state, err)
        && read_app(&state, err) && read_texts(&state, err)
        && commit(&state, phone, err);
}

#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/past_world.h"

#include "archive/library.h"
#include "json/reader.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"

#define MAX_ROOTS 20
#define TURNS 8
#define CLOCK_SLOWNESS 100

static char root_texts[MAX_ROOTS][600];
static const char *root_items[MAX_ROOTS];
static size_t root_count;

/* Holds the answer that was read last. */
static struct sq_arena arena;

void
past_start(struct fake_world *world) {
    t_scratch_start();
    /* With a slow clock, a busy machine does not look like a slow disk. */
    sq_clock_slow_down(CLOCK_SLOWNESS);
    setenv("HOME", t_scratch_path("home"), 1);
    setenv("XDG_CACHE_HOME", t_scratch_path("home/cache"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("home/state"), 1);
    setenv("XDG_DATA_HOME", t_scratch_path("home/data"), 1);
    fake_world_start(world, NULL);
    root_count = 0;
    world->config.archive.time_zone = PAST_ZONE;
    world->config.archive.activity = SQ_ACTIVITY_NONE;
    world->config.archive.activity_watch_url = NULL;
}

void
past_end(struct fake_world *world) {
    sq_arena_finish(&arena);
    fake_world_end(world);
    t_album_end();
}

void
past_add_root(struct fake_world *world, const char *root) {
    if (T(root_count < MAX_ROOTS)) {
        snprintf(root_texts[root_count], sizeof(root_texts[0]), "%s",
                 t_scratch_path(root));
        root_items[root_count] = root_texts[root_count];
        root_count++;
    }
    world->config.archive.roots = (struct sq_strings){ root_items, root_count };
}

void
past_open(struct fake_world *world) {
    fake_world_open_library(world);
}

void
past_start_with_root(struct fake_world *world) {
    past_start(world);
    past_add_root(world, "a");
    past_open(world);
}

/* Finds a value that all shots of a list share, which is listed once. */
static const struct sq_json *
find_common(const struct sq_json *answer, const char *path) {
    const char *last = strrchr(path, '.');
    return strncmp(path, "screenshots.", 12) == 0
             ? sq_json_get(sq_json_get(answer, "common"), last + 1)
             : NULL;
}

static const struct sq_json *
find(const struct fake_world *world, const char *path) {
    const struct sq_json *value = NULL;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, (size_t)8 << 20);
    if (!sq_json_parse(sq_span_of(world->json), &arena, &value, &t_err)) {
        return NULL;
    }
    const struct sq_json *answer = value;
    struct sq_span rest = sq_span_of(path);
    while (value && rest.len > 0) {
        char key[64];
        struct sq_span piece;
        int64_t index;
        if (!sq_span_take_until(&rest, '.', &piece)) {
            piece = rest;
            rest.len = 0;
        }
        snprintf(key, sizeof(key), "%.*s", SQ_SPAN_ARGS(piece));
        if (sq_json_is(value, SQ_JSON_ARRAY)
            && sq_span_to_int64(piece, &index)) {
            value = sq_json_first(value);
            while (value && index-- > 0) {
                value = sq_json_next(value);
            }
        } else {
            value = sq_json_get(value, key);
        }
    }
    return value ? value : find_common(answer, path);
}

const char *
past_text(const struct fake_world *world, const char *path) {
    static char texts[TURNS][1024];
    static int turn;
    struct sq_span text = { 0 };
    char *out = texts[turn++ % TURNS];
    sq_json_string(find(world, path), &text);
    snprintf(out, sizeof(texts[0]), "%.*s", SQ_SPAN_ARGS(text));
    return out;
}

double
past_number(const struct fake_world *world, const char *path) {
    double number = -1;
    sq_json_double(find(world, path), &number);
    return number;
}

bool
past_true(const struct fake_world *world, const char *path) {
    bool is_true = false;
    return sq_json_bool(find(world, path), &is_true) && is_true;
}

bool
past_has(const struct fake_world *world, const char *path) {
    return find(world, path) != NULL;
}

size_t
past_count(const struct fake_world *world, const char *path) {
    return sq_json_count(find(world, path));
}

void
past_ref(struct fake_world *world, const char *start, const char *end,
         size_t nth, char out[PAST_REF_SIZE]) {
    char text[300];
    char path[64];
    snprintf(text, sizeof(text),
             "{'startDate':'%s','endDate':'%s','intervalSeconds':0,"
             "'maxCount':100}",
             start, end);
    T_OK(fake_run(world, "list_screenshots", text), &world->err);
    snprintf(path, sizeof(path), "screenshots.%zu.screenshotRef", nth);
    snprintf(out, PAST_REF_SIZE, "%s", past_text(world, path));
    T(out[0] != '\0');
}

bool
past_run_on(struct fake_world *world, const char *operation, const char *ref,
            const char *more) {
    char text[600];
    snprintf(text, sizeof(text), "{'screenshotRef':'%s'%s}", ref, more);
    return fake_run(world, operation, text);
}

const struct sq_block *
past_block(const struct fake_world *world, enum sq_block_kind kind, int nth) {
    for (int i = 0; i < world->result.count; i++) {
        if (world->result.blocks[i].kind == kind && nth-- == 0) {
            return &world->result.blocks[i];
        }
    }
    return NULL;
}

bool
past_torture(void *context, struct sq_err *err) {
    const struct past_call *call = context;
    bool ok = fake_run(call->world, call->operation, call->arguments);
    *err = call->world->err;
    return ok;
}

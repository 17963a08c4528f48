#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/past_world.h"

#include "archive/library.h"
#include "json/reader.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"

#define MAX_ROOTS 20
#define CLOCK_SLOWNESS 100

struct fake_world world;

static char root_texts[MAX_ROOTS][600];
static const char *root_items[MAX_ROOTS];
static size_t root_count;

/* Holds the answer that was read last. */
static struct sq_arena arena;

void
past_start(void) {
    t_scratch_start();
    /* With a slow clock, a busy machine does not look like a slow disk. */
    sq_clock_slow_down(CLOCK_SLOWNESS);
    setenv("HOME", t_scratch_path("home"), 1);
    setenv("XDG_CACHE_HOME", t_scratch_path("home/cache"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("home/state"), 1);
    setenv("XDG_DATA_HOME", t_scratch_path("home/data"), 1);
    fake_world_start(&world, NULL);
    root_count = 0;
    world.config.archive.time_zone = PAST_ZONE;
    world.config.archive.activity = SQ_ACTIVITY_NONE;
    world.config.archive.activity_watch_url = NULL;
}

void
past_end(void) {
    sq_arena_finish(&arena);
    fake_world_end(&world);
    t_album_end();
}

void
past_add_root(const char *root) {
    if (T(root_count < MAX_ROOTS)) {
        snprintf(root_texts[root_count], sizeof(root_texts[0]), "%s",
                 t_scratch_path(root));
        root_items[root_count] = root_texts[root_count];
        root_count++;
    }
    world.config.archive.roots = (struct sq_strings){ root_items, root_count };
}

void
past_open(void) {
    fake_world_open_library(&world);
}

void
past_start_at(const char *root) {
    past_start();
    past_add_root(root);
    past_open();
}

void
past_start_with_root(void) {
    past_start_at("a");
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
find(const char *path) {
    const struct sq_json *value = NULL;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, (size_t)8 << 20);
    if (!sq_json_parse(sq_span_of(world.json), &arena, &value, NULL)) {
        return NULL;
    }
    const struct sq_json *answer = value;
    struct sq_span rest = sq_span_of(path);
    while (value && rest.len > 0) {
        struct sq_span piece;
        int64_t index;
        if (!sq_span_take_until(&rest, '.', &piece)) {
            piece = rest;
            rest.len = 0;
        }
        if (sq_json_is(value, SQ_JSON_ARRAY)
            && sq_span_to_int64(piece, &index)) {
            value = sq_json_first(value);
            while (value && index-- > 0) {
                value = sq_json_next(value);
            }
        } else {
            value = sq_json_get(value, t_text("%.*s", SQ_SPAN_ARGS(piece)));
        }
    }
    return value ? value : find_common(answer, path);
}

const char *
past_text(const char *path) {
    struct sq_span text = { 0 };
    sq_json_string(find(path), &text);
    return t_text("%.*s", SQ_SPAN_ARGS(text));
}

double
past_number(const char *path) {
    double number = -1;
    sq_json_double(find(path), &number);
    return number;
}

bool
past_true(const char *path) {
    bool is_true = false;
    return sq_json_bool(find(path), &is_true) && is_true;
}

bool
past_has(const char *path) {
    return find(path) != NULL;
}

size_t
past_count(const char *path) {
    return sq_json_count(find(path));
}

bool
past_run(const char *operation, const char *arguments) {
    bool ok = fake_run(&world, operation, arguments);
    t_err = world.err;
    return ok;
}

bool
past_run_on(const char *operation, const char *ref, const char *more) {
    return past_run(operation, t_text("{'screenshotRef':'%s'%s}", ref, more));
}

bool
past_list(const char *more) {
    return past_run(
        "list_screenshots",
        t_text("{'startDate':'2026-01-15','endDate':'2026-01-15'%s}", more));
}

size_t
past_shots(void) {
    return past_count("screenshots");
}

const char *
past_of_shot(size_t nth, const char *member) {
    return past_text(t_text("screenshots.%zu.%s", nth, member));
}

void
past_ref(const char *start, const char *end, size_t nth,
         char out[PAST_REF_SIZE]) {
    T_OK(past_run("list_screenshots",
                  t_text("{'startDate':'%s','endDate':'%s',"
                         "'intervalSeconds':0,'maxCount':100}",
                         start, end)));
    snprintf(out, PAST_REF_SIZE, "%s", past_of_shot(nth, "screenshotRef"));
    T(out[0] != '\0');
}

int
past_blocks(enum sq_block_kind kind) {
    return fake_blocks(&world, kind);
}

const struct sq_block *
past_block(enum sq_block_kind kind, int nth) {
    for (int i = 0; i < world.result.count; i++) {
        if (world.result.blocks[i].kind == kind && nth-- == 0) {
            return &world.result.blocks[i];
        }
    }
    return NULL;
}

const struct sq_buf *
past_picture(void) {
    static const struct sq_buf none;
    const struct sq_block *block = past_block(SQ_BLOCK_IMAGE, 0);
    return block ? &block->data : &none;
}

static bool
run_once(void *context, struct sq_err *err) {
    const char *const *call = context;
    bool ok = past_run(call[0], call[1]);
    *err = t_err;
    return ok;
}

long
past_torture(const char *operation, const char *arguments) {
    const char *call[] = { operation, arguments };
    return t_alloc_torture(run_once, call);
}

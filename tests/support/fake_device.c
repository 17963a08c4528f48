#include "support/fake_device.h"

#include <stdarg.h>

#include "archive/library.h"
#include "json/reader.h"
#include "support/test.h"
#include "support/trickle.h"
#include "sys/clock.h"
#include "sys/deadline.h"
#include "tools/reply.h"
#include "tools/run.h"
#include "util/mem.h"

#define HEADER_BYTES 16
#define BAR 40    /* pixels of one bar of the drawn screen */
#define PATCH 100 /* pixels of one side of the moving patch */
#define PATCH_LEFT 200
#define PATCH_TOP 300
#define MAX_DEPTH 64

static struct fake_device *
of(struct sq_device *device) {
    return (struct fake_device *)(void *)device;
}

static bool
refuse(enum sq_err_code code, struct sq_err *err) {
    return sq_fail(err, code, "the fake device was told to fail");
}

static struct sq_screen
screen_of(const struct fake_device *fake) {
    struct sq_screen screen = fake->screen;
    int scale = fake->pixels_per_point;
    memcpy(screen.app, fake->app.package, sizeof(screen.app));
    if (scale > 0) {
        screen.pixels = (struct sq_size){ screen.size.width * scale,
                                          screen.size.height * scale };
    }
    return screen;
}

static bool
fake_screen(struct sq_device *device, struct sq_screen *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    *out = screen_of(of(device));
    return true;
}

static void
put_le32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t
colour_at(const struct fake_device *fake, int x, int y) {
    if (fake->noisy) {
        return (uint32_t)t_random();
    }
    if (fake->patch_frames > 0 && x >= PATCH_LEFT && x < PATCH_LEFT + PATCH
        && y >= PATCH_TOP && y < PATCH_TOP + PATCH) {
        return 0xff0000u + (uint32_t)fake->frame * 16;
    }
    bool bar = (x / BAR + y / BAR) % 2 && y >= BAR && y < 8 * BAR;
    return fake->plain || !bar ? fake->colour : ~fake->colour;
}

/* Whether a row is like the one above it, which saves drawing it. */
static bool
row_repeats(const struct fake_device *fake, int y) {
    return !fake->noisy && y % BAR && y != PATCH_TOP && y != PATCH_TOP + PATCH;
}

static void
draw_row(const struct fake_device *fake, int y, int width, uint8_t *at) {
    for (int x = 0; x < width; x++, at += 4) {
        uint32_t c = colour_at(fake, x, y);
        at[0] = (uint8_t)(c >> 16);
        at[1] = (uint8_t)(c >> 8);
        at[2] = (uint8_t)c;
        at[3] = 255;
    }
}

/* Draws a frame like Android's screencap: RGBA, rows from the top. */
static bool
draw(struct fake_device *fake, struct sq_buf *out, struct sq_err *err) {
    int scale = fake->pixels_per_point ? fake->pixels_per_point : 1;
    int width = fake->screen.size.width * scale;
    int height = fake->screen.size.height * scale;
    size_t bytes = HEADER_BYTES + (size_t)width * (size_t)height * 4;
    uint8_t *at;
    if (!sq_buf_reserve(out, bytes, &at, err)) {
        return false;
    }
    put_le32(at, (uint32_t)width);
    put_le32(at + 4, (uint32_t)height);
    put_le32(at + 8, 1);
    put_le32(at + 12, 1);
    at += HEADER_BYTES;
    size_t row = (size_t)width * 4;
    for (int y = 0; y < height; y++, at += row) {
        if (row_repeats(fake, y)) {
            memcpy(at, at - row, row);
        } else {
            draw_row(fake, y, width, at);
        }
    }
    sq_buf_commit(out, bytes);
    return true;
}

static void
deliver_once(struct fake_device *fake,
             const struct sq_capture_observer *observer,
             const struct sq_buf *bytes, size_t len) {
    T_FREED(trickle_finish) struct trickle trickle = { 0 };
    struct sq_err ignored = { 0 };
    trickle_init(&trickle, bytes->data, len, fake->piece_bytes);
    trickle.incoming.await(&trickle.incoming, 1, &ignored);
    observer->read(observer->context, &trickle.incoming);
    fake->seen = trickle.incoming.count;
}

/* Passes the capture to the observer, perhaps after a failed attempt. */
static void
deliver(struct fake_device *fake, const struct sq_capture_observer *observer,
        struct sq_buf *bytes) {
    uint8_t *last = bytes->data + bytes->len;
    if (fake->tries_twice) {
        for (uint8_t *at = last - bytes->len / 2; at < last; at++) {
            *at ^= 0x55;
        }
        deliver_once(fake, observer, bytes, bytes->len);
        for (uint8_t *at = last - bytes->len / 2; at < last; at++) {
            *at ^= 0x55;
        }
    }
    deliver_once(fake, observer, bytes,
                 fake->observer_gets_half ? bytes->len / 2 : bytes->len);
}

static bool
fake_capture(struct sq_device *device, const struct sq_capture_request *request,
             struct sq_capture *out, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct fake_device *fake = of(device);
    fake->captures++;
    if (request->display && strcmp(request->display, "0") != 0
        && strcmp(request->display, "cover") != 0) {
        return sq_fail_display(err, request->display, "0, cover");
    }
    if (fake->capture_fails) {
        return refuse(fake->capture_fails, err);
    }
    if (fake->capture_takes_ms
        && !sq_wait_ms(fake->capture_takes_ms, deadline, err)) {
        return false;
    }
    bool ok = fake->bytes
                ? sq_buf_append(&out->bytes, fake->bytes, fake->byte_count, err)
                : draw(fake, &out->bytes, err);
    if (ok && fake->piece_bytes && request->observer) {
        deliver(fake, request->observer, &out->bytes);
    }
    if (ok) {
        fake->frame++;
        fake->patch_frames -= fake->patch_frames > 0;
        out->screen = screen_of(fake);
        out->secure = fake->secure;
        out->other_shape = fake->other_shape;
        if (fake->tells_displays) {
            out->displays = (struct sq_displays){
                .count = 2, .entries = { { "0", "" }, { "cover", "Cover\n" } }
            };
        }
        out->other_display =
            request->display && strcmp(request->display, "cover") == 0;
    }
    return ok;
}

static struct sq_span
span(const char *text) {
    return text ? sq_span_of(text) : (struct sq_span){ 0 };
}

static void
fill_node(struct sq_node *node, const struct fake_node *from, int index) {
    *node = (struct sq_node){
        .text = span(from->text),
        .desc = span(from->desc),
        .hint = span(from->hint),
        .resource_id = span(from->resource_id),
        .class_name = span(from->class_name),
        .package = SQ_SPAN("com.example.app"),
        .bounds = from->bounds,
        .flags = from->flags & SQ_FAKE_DISABLED
                   ? from->flags & ~SQ_FAKE_DISABLED
                   : from->flags | SQ_NODE_ENABLED,
        .index = index,
        .depth = from->depth,
    };
}

bool
fake_tree_build(const struct fake_node *nodes, struct sq_tree *out,
                struct sq_err *err) {
    struct sq_node *last_at[MAX_DEPTH] = { 0 };
    struct sq_tree tree = { 0 };
    sq_arena_init(&tree.arena, (size_t)16 << 20);
    for (; nodes[tree.count].class_name; tree.count++) {
        const struct fake_node *from = &nodes[tree.count];
        struct sq_node *node =
            sq_arena_alloc(&tree.arena, 1, sizeof(*node), err);
        if (!node) {
            sq_arena_finish(&tree.arena);
            return false;
        }
        fill_node(node, from, tree.count);
        struct sq_node *before = last_at[from->depth];
        node->parent = from->depth ? last_at[from->depth - 1] : NULL;
        if (before && before->parent == node->parent) {
            before->next = node;
        } else if (node->parent) {
            node->parent->first_child = node;
        } else {
            tree.root = node;
        }
        last_at[from->depth] = node;
        for (int d = from->depth + 1; d < MAX_DEPTH; d++) {
            last_at[d] = NULL;
        }
    }
    *out = tree;
    return true;
}

static bool
fake_tree(struct sq_device *device, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline;
    struct fake_device *fake = of(device);
    bool later = fake->nodes_later && fake->trees >= fake->nodes_after;
    fake->trees++;
    if (fake->tree_fails) {
        return refuse(fake->tree_fails, err);
    }
    if (!fake->nodes || fake->trees <= fake->trees_fail) {
        return refuse(SQ_ERR_UNSUPPORTED, err);
    }
    return fake_tree_build(later ? fake->nodes_later : fake->nodes, out, err);
}

static bool
fake_app(struct sq_device *device, struct sq_app *out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline;
    of(device)->apps++;
    if (of(device)->app_fails) {
        return refuse(of(device)->app_fails, err);
    }
    *out = of(device)->app;
    return true;
}

__attribute__((format(printf, 2, 3))) static bool
note(struct sq_device *device, const char *format, ...) {
    struct fake_device *fake = of(device);
    if (fake->action_count < FAKE_MAX_ACTIONS) {
        va_list values;
        va_start(values, format);
        vsnprintf(fake->actions[fake->action_count++], sizeof(fake->actions[0]),
                  format, values);
        va_end(values);
    }
    return true;
}

static bool
fake_tap(struct sq_device *device, const struct sq_touch *touch,
         const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "tap %d,%d x%d %dms", touch->at.x, touch->at.y,
                touch->count, touch->duration_ms);
}

static bool
fake_swipe(struct sq_device *device, const struct sq_swipe *swipe,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "swipe %d,%d %d,%d %dms", swipe->from.x, swipe->from.y,
                swipe->to.x, swipe->to.y, swipe->duration_ms);
}

static bool
fake_text(struct sq_device *device, struct sq_span text,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "text %.*s", SQ_SPAN_ARGS(text));
}

static bool
fake_key(struct sq_device *device, const char *name,
         const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "key %s", name);
}

static bool
fake_launch(struct sq_device *device, const char *package,
            const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "launch %s", package);
}

static bool
fake_stop(struct sq_device *device, const char *package,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)err;
    return note(device, "stop %s", package);
}

static bool
fake_apps(struct sq_device *device, struct sq_app_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)device;
    sq_arena_init(&out->arena, 4096);
    out->entries = sq_arena_alloc(&out->arena, 2, sizeof(*out->entries), err);
    if (!out->entries) {
        return false;
    }
    out->entries[0] =
        (struct sq_app_entry){ SQ_SPAN("com.example.app"), SQ_SPAN("Example") };
    out->entries[1] =
        (struct sq_app_entry){ SQ_SPAN("com.example.shop"), SQ_SPAN("Shop") };
    out->count = 2;
    return true;
}

static void
fake_destroy(struct sq_device *device) {
    (void)device;
}

static const struct sq_device_ops fake_ops = {
    .kind = "fake",
    .screen = fake_screen,
    .capture = fake_capture,
    .tree = fake_tree,
    .current_app = fake_app,
    .tap = fake_tap,
    .swipe = fake_swipe,
    .text = fake_text,
    .key = fake_key,
    .launch = fake_launch,
    .stop = fake_stop,
    .apps = fake_apps,
    .destroy = fake_destroy,
};

void
fake_device_init(struct fake_device *fake) {
    *fake = (struct fake_device){
        .ops = fake_ops,
        .base = { .info = { .kind = "fake",
                            .id = FAKE_ID,
                            .name = "Fake phone",
                            .state = SQ_DEVICE_ONLINE } },
        .screen = { .size = { 1080, 2400 }, .density = 2.625 },
        .colour = 0x3060a0,
        .app = { .package = "com.example.app", .activity = ".Main" },
    };
    fake->base.ops = &fake->ops;
}

/* The world whose device is listed and opened by the kind below. */
static struct fake_world *world_now;

static bool
list_fakes(const struct sq_devices_options *options, struct sq_device_list *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)options, (void)deadline;
    return sq_device_list_add(out, &world_now->device.base.info, err);
}

static bool
open_fake(const struct sq_devices_options *options,
          const struct sq_device_info *info, struct sq_device **out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)options, (void)info, (void)deadline, (void)err;
    *out = &world_now->device.base;
    return true;
}

static const struct sq_device_kind fake_kinds[] = {
    { .name = "fake", .list = list_fakes, .open = open_fake },
    { .name = NULL },
};

void
fake_world_start(struct fake_world *world, const char *output_directory) {
    sq_clock_slow_down(FAKE_SLOWNESS);
    memset(world, 0, sizeof(*world));
    world_now = world;
    fake_device_init(&world->device);
    sq_config_defaults(&world->config);
    if (output_directory) {
        world->config.output.directory = output_directory;
    }
    const struct sq_session_options options = {
        .max_dimension = sq_reply_max_dimension(&world->config),
    };
    T_OK(sq_session_create(&options, &world->session, &t_err));
    const struct sq_devices_options none = { 0 };
    T_OK(sq_devices_create(fake_kinds, &none, &world->devices, &t_err));
}

void
fake_world_end(struct fake_world *world) {
    sq_result_finish(&world->result);
    sq_library_destroy(world->past);
    sq_devices_destroy(world->devices);
    sq_session_destroy(world->session);
    sq_clock_slow_down(1);
}

void
fake_world_open_library(struct fake_world *world) {
    sq_library_destroy(world->past);
    world->past = NULL;
    T_OK(sq_library_create(&world->config, &world->past, &t_err));
}

static bool
run_parsed(struct fake_world *world, const char *operation,
           const struct sq_json *arguments) {
    const struct sq_call given = {
        .session = world->session,
        .config = &world->config,
        .devices = world->devices,
        .past = world->past,
        .redactor = world->redactor,
        .reader = world->reader,
        .client = world->client,
        .client_number = world->client_number,
        .is_short = world->is_short,
        .cancel = world->cancel,
        .progress = world->progress,
        .work = world->work,
    };
    return sq_tools_run(operation, arguments, &given, &world->result,
                        &world->err);
}

static void
keep_json(struct fake_world *world) {
    const struct sq_buf *json = &world->result.details;
    for (int i = 0; i < world->result.count; i++) {
        if (world->result.blocks[i].kind == SQ_BLOCK_TEXT) {
            json = &world->result.blocks[i].data;
        }
    }
    snprintf(world->json, sizeof(world->json), "%.*s", (int)json->len,
             json->data ? (const char *)json->data : "");
}

bool
fake_run(struct fake_world *world, const char *operation,
         const char *arguments) {
    char text[4096];
    const struct sq_json *parsed = NULL;
    sq_result_finish(&world->result);
    world->err = (struct sq_err){ 0 };
    snprintf(text, sizeof(text), "%s", arguments);
    for (char *at = text; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    T_ARENA(arena, (size_t)1 << 20);
    bool ok = sq_json_parse(sq_span_of(text), &arena, &parsed, &t_err);
    if (ok) {
        ok = run_parsed(world, operation, parsed);
    } else {
        world->err = t_err;
    }
    keep_json(world);
    return ok;
}

int
fake_blocks(const struct fake_world *world, enum sq_block_kind kind) {
    int count = 0;
    for (int i = 0; i < world->result.count; i++) {
        count += world->result.blocks[i].kind == kind;
    }
    return count;
}

static bool
matches(const char *text, const char *pattern) {
    while (*pattern) {
        if (strncmp(pattern, "<*>", 3) == 0) {
            for (const char *at = text;; at++) {
                if (matches(at, pattern + 3)) {
                    return true;
                }
                if (!*at) {
                    return false;
                }
            }
        }
        if (*text != *pattern && (*text != '"' || *pattern != '\'')) {
            return false;
        }
        text++;
        pattern++;
    }
    return !*text;
}

const char *
fake_quoted(const char *part) {
    static char quoted[4096];
    size_t length = strlen(part);
    if (T(length < sizeof(quoted))) {
        for (size_t i = 0; i <= length; i++) {
            quoted[i] = part[i] == '\'' ? '"' : part[i];
        }
    }
    return quoted;
}

bool
fake_matches(const char *text, const char *pattern) {
    bool ok = matches(text, pattern);
    if (!ok) {
        printf("# wanted %s\n# got    %s\n", pattern, text);
    }
    return ok;
}

/* A demo phone in a test: functions to inspect it and to tap by name. */
#ifndef SQ_TEST_DEVICE_PHONE_H
#define SQ_TEST_DEVICE_PHONE_H

#include "device/demo/demo.h"
#include "image/pipeline/codec.h"
#include "support/test.h"

/* 2026-11-14 14:05:09 UTC, a Saturday. */
#define PHONE_START_NS (INT64_C(1794665109) * 1000000000)
#define PHONE_BYTES ((size_t)64 << 20)

/* Half of a usual screen: fast to draw, with the same layout. */
#define PHONE_WIDTH 540
#define PHONE_HEIGHT 1200
#define PHONE_DENSITY 1.3125

static int64_t phone_clock_ns = PHONE_START_NS;
static struct sq_device *phone;

static inline int64_t
phone_now(void *context) {
    return phone_clock_ns;
}

static inline struct sq_demo_options
phone_options(uint64_t seed) {
    return (struct sq_demo_options){
        .width = PHONE_WIDTH,
        .height = PHONE_HEIGHT,
        .density = PHONE_DENSITY,
        .seed = seed,
        .now_ns = phone_now,
    };
}

static inline struct sq_deadline
phone_deadline(void) {
    return sq_deadline_in(T_PATIENCE_MS, NULL);
}

static inline struct sq_device *
phone_make(uint64_t seed) {
    struct sq_demo_options options = phone_options(seed);
    struct sq_device *made = NULL;
    T_OK(sq_demo_create(&options, &made, &t_err));
    return made;
}

static inline void
phone_start(void) {
    phone_clock_ns = PHONE_START_NS;
    phone = phone_make(1);
}

static inline void
phone_end(void) {
    sq_device_destroy(phone);
    phone = NULL;
}

static inline void
phone_launch(const char *name) {
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_launch(phone, t_text(SQ_DEMO_PACKAGE "%s", name), &deadline,
                          &t_err));
}

static inline void
phone_stop(const char *name) {
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_stop(phone, t_text(SQ_DEMO_PACKAGE "%s", name), &deadline,
                        &t_err));
}

static inline void
phone_key(const char *name) {
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_key(phone, name, &deadline, &t_err));
}

static inline void
phone_type(const char *text) {
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_text(phone, sq_span_of(text), &deadline, &t_err));
}

static inline void
phone_touch(struct sq_dev_pt at, int count, int duration_ms) {
    struct sq_touch touch = { .at = at,
                              .count = count,
                              .duration_ms = duration_ms };
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_tap(phone, &touch, &deadline, &t_err));
}

static inline void
phone_swipe(int from_y, int to_y, int duration_ms) {
    struct sq_swipe swipe = { .from = { PHONE_WIDTH / 2, from_y },
                              .to = { PHONE_WIDTH / 2, to_y },
                              .duration_ms = duration_ms };
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_swipe(phone, &swipe, &deadline, &t_err));
}

/* To be finished by the caller. */
static inline struct sq_tree
phone_tree(void) {
    struct sq_tree tree = { 0 };
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_device_tree(phone, &tree, &deadline, &t_err));
    return tree;
}

static inline bool
phone_has_id(const struct sq_node *node, const char *id) {
    char end[64];
    int len = snprintf(end, sizeof(end), ":id/%s", id);
    size_t bytes = (size_t)len;
    return node->resource_id.len >= bytes
        && memcmp(node->resource_id.ptr + node->resource_id.len - bytes, end,
                  bytes)
               == 0;
}

/* The first node with this text, description or id; NULL: none. */
static inline const struct sq_node *
phone_find(const struct sq_tree *tree, const char *name) {
    const struct sq_node *node = tree->root;
    while (node && !sq_span_is(node->text, name)
           && !sq_span_is(node->desc, name) && !phone_has_id(node, name)) {
        node = sq_node_after(node);
    }
    return node;
}

static inline struct sq_dev_pt
phone_centre(const struct sq_node *node) {
    return (struct sq_dev_pt){ (node->bounds.left + node->bounds.right) / 2,
                               (node->bounds.top + node->bounds.bottom) / 2 };
}

static inline bool
phone_shows(const char *name) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    bool found = phone_find(&tree, name) != NULL;
    return found;
}

static inline unsigned
phone_flags(const char *name) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    const struct sq_node *node = phone_find(&tree, name);
    unsigned flags = T(node != NULL) ? node->flags : 0;
    return flags;
}

static inline bool
phone_text_is(const char *id, const char *want) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    const struct sq_node *node = phone_find(&tree, id);
    bool same = node && sq_span_is(node->text, want);
    if (!same && node) {
        printf("# %s is \"%.*s\"\n", id, SQ_SPAN_ARGS(node->text));
    }
    return same;
}

static inline void
phone_press(const char *name, int count, int duration_ms) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    const struct sq_node *node = phone_find(&tree, name);
    if (node) {
        phone_touch(phone_centre(node), count, duration_ms);
    } else {
        printf("# no %s\n", name);
        T(node != NULL);
    }
}

static inline void
phone_tap(const char *name) {
    phone_press(name, 1, 0);
}

/* To be finished by the caller. */
static inline struct sq_capture
phone_capture(struct sq_device *device) {
    struct sq_capture capture = { 0 };
    struct sq_deadline deadline = phone_deadline();
    sq_buf_init(&capture.bytes, PHONE_BYTES);
    T_OK(sq_device_capture(device, NULL, &capture, &deadline, &t_err));
    return capture;
}

/* FNV-1a over words: equal frames have equal hashes. */
static inline uint64_t
phone_frame_of(struct sq_device *device) {
    T_FREED(sq_capture_finish)
    struct sq_capture capture = phone_capture(device);
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i + 4 <= capture.bytes.len; i += 4) {
        uint32_t word;
        memcpy(&word, capture.bytes.data + i, sizeof(word));
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

static inline uint64_t
phone_frame(void) {
    return phone_frame_of(phone);
}

static inline bool
phone_app_is(const char *name, const char *activity) {
    struct sq_app app = { 0 };
    struct sq_deadline deadline = phone_deadline();
    return T_OK(sq_device_current_app(phone, &app, &deadline, &t_err))
        && T_STR(app.package, t_text(SQ_DEMO_PACKAGE "%s", name))
        && T_STR(app.activity, activity);
}

#endif

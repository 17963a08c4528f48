/*
 * A fake phone for operations that act: the test draws the frames, and an
 * action can change the picture, the screen or the tree.
 */
#ifndef SQ_TEST_TOOLS_ACTING_H
#define SQ_TEST_TOOLS_ACTING_H

#include "support/fake_device.h"
#include "support/test.h"
#include "sys/clock.h"
#include "tool/tool.h"
#include "util/fault.h"
#include "util/mem.h"

static struct fake_world world;

static struct sq_device_ops plain_ops;
static void (*on_action)(struct fake_device *fake);
static enum sq_err_code action_fails; /* with this, unless NONE */
static int actions_seen;

static inline bool
hook(struct sq_device *device, bool ok, struct sq_err *err) {
    if (!ok) {
        return false;
    }
    if (action_fails != SQ_ERR_NONE) {
        return sq_fail(err, action_fails, "the phone says no");
    }
    actions_seen++;
    if (on_action) {
        on_action((struct fake_device *)device);
    }
    return true;
}

static inline bool
hooked_tap(struct sq_device *device, const struct sq_touch *touch,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.tap(device, touch, deadline, err), err);
}

static inline bool
hooked_swipe(struct sq_device *device, const struct sq_swipe *swipe,
             const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.swipe(device, swipe, deadline, err), err);
}

static inline bool
hooked_text(struct sq_device *device, struct sq_span text,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.text(device, text, deadline, err), err);
}

static inline bool
hooked_key(struct sq_device *device, const char *name,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.key(device, name, deadline, err), err);
}

static inline bool
hooked_launch(struct sq_device *device, const char *package,
              const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.launch(device, package, deadline, err), err);
}

static inline bool
hooked_stop(struct sq_device *device, const char *package,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return hook(device, plain_ops.stop(device, package, deadline, err), err);
}

/*
 * A world with expensive captures, so that fast receipts do not capture. Only
 * pauses take time.
 */
static inline void
acting_start(void) {
    sq_clock_simulate(0);
    fake_world_start(&world, NULL);
    struct sq_device_ops *ops = &world.device.ops;
    plain_ops = *ops;
    ops->tap = hooked_tap;
    ops->swipe = hooked_swipe;
    ops->text = hooked_text;
    ops->key = hooked_key;
    ops->launch = hooked_launch;
    ops->stop = hooked_stop;
    on_action = NULL;
    action_fails = SQ_ERR_NONE;
    actions_seen = 0;
}

static inline void
acting_end(void) {
    fake_world_end(&world);
    sq_clock_simulate_end();
}

/* Compares the answer with a pattern, in which ' stands for ". */
static inline bool
answer_is(const char *pattern) {
    return T(fake_matches(world.json, pattern));
}

/* Runs an operation that must succeed, and compares its answer. */
static inline void
expect(const char *operation, const char *arguments, const char *pattern) {
    if (T_OK(fake_run(&world, operation, arguments), &world.err)) {
        answer_is(pattern);
    }
}

/* Runs an operation that must fail with this code, message and hint. */
static inline void
expect_refusal(const char *operation, const char *arguments, const char *code,
               const char *message, const char *hint) {
    int before = world.device.action_count;
    T(!fake_run(&world, operation, arguments));
    T_STR(sq_tool_error_name(world.err.code), code);
    T(fake_matches(world.err.message, message));
    T(fake_matches(world.err.hint, hint));
    T_INT(fake_blocks(&world, SQ_BLOCK_TEXT), 0);
    T_INT(world.device.action_count, before);
}

/* The last action on the device, "" if there was none. */
static inline const char *
last_action(void) {
    int count = world.device.action_count;
    return count > 0 ? world.device.actions[count - 1] : "";
}

/*
 * Runs an operation with all allocations failing from the nth on, for every n:
 * an action that was performed must never be reported as a failure.
 */
static inline void
acting_fail_allocations(const char *operation, const char *arguments) {
    bool reached = true;
    for (long n = 1; reached && T(n < 100000); n++) {
        int before = actions_seen;
        sq_fault_arm(SQ_FAULT_ALLOC,
                     (struct sq_fault_plan){ .nth = n, .from_then = true });
        bool ok = fake_run(&world, operation, arguments);
        reached = sq_fault_count(SQ_FAULT_ALLOC) >= n;
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        T(ok || world.err.code == SQ_ERR_NOMEM);
        T_INT(actions_seen - before, ok ? 1 : 0);
        T(ok || reached);
    }
}

/* A call of an operation that acts. */
struct acting_call {
    const char *operation;
    const char *arguments;
};

/* It acts once if it succeeds, and else not at all. */
static inline bool
acting_once(void *context, struct sq_err *err) {
    const struct acting_call *call = context;
    int before = actions_seen;
    bool ok = fake_run(&world, call->operation, call->arguments);
    T_INT(actions_seen - before, ok ? 1 : 0);
    *err = world.err;
    return ok;
}

/* Runs an operation while single allocations fail, and all from the nth on. */
static inline void
acting_torture(const char *operation, const char *arguments) {
    struct acting_call call = { operation, arguments };
    T(t_alloc_torture(acting_once, &call) >= 2);
    acting_fail_allocations(operation, arguments);
}

/* A frame in the format of Android's screencap: four words, then RGBA. */
struct frame_bytes {
    uint8_t *bytes;
    size_t count;
    int width;
    int height;
};

static inline void
frame_make(struct frame_bytes *frame, int width, int height, uint8_t grey) {
    size_t pixels = (size_t)width * (size_t)height;
    *frame = (struct frame_bytes){ NULL, 16 + 4 * pixels, width, height };
    frame->bytes = sq_mem_alloc(1, frame->count);
    const uint32_t header[4] = { (uint32_t)width, (uint32_t)height, 1, 1 };
    memcpy(frame->bytes, header, sizeof(header));
    memset(frame->bytes + 16, grey, 4 * pixels);
}

static inline void
frame_fill(const struct frame_bytes *frame, struct sq_dev_rect rect,
           uint8_t grey) {
    for (int y = rect.top; y < rect.bottom; y++) {
        size_t at = ((size_t)y * (size_t)frame->width + (size_t)rect.left) * 4;
        memset(frame->bytes + 16 + at, grey,
               (size_t)(rect.right - rect.left) * 4);
    }
}

static inline void
frame_show(const struct frame_bytes *frame) {
    world.device.bytes = frame->bytes;
    world.device.byte_count = frame->count;
    world.device.screen.size = (struct sq_size){ frame->width, frame->height };
}

static inline void
frame_free(struct frame_bytes *frame) {
    sq_mem_free(frame->bytes);
    frame->bytes = NULL;
}

#endif

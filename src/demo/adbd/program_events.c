/*
 * The programs getevent, sendevent and uinput: the kernel's view of the touch
 * screen. Only root may write to it, as since Android 10.
 */
#include <limits.h>

#include "demo/adbd/program.h"
#include "json/reader.h"
#include "util/minmax.h"

#define NODE "/dev/input/event2"
#define PANEL_X 16383 /* the largest x and y, as getevent prints them */
#define PANEL_Y 32767
#define NS_PER_MS 1000000
#define JSON_BYTES ((size_t)1 << 20)
/* Android notices a new touch screen only after a moment. */
#define NOTICE_MS 200

enum {
    EV_SYN = 0,
    EV_ABS = 3,
    ABS_MT_SLOT = 0x2f,
    ABS_MT_POSITION_X = 0x35,
    ABS_MT_POSITION_Y = 0x36,
    ABS_MT_TRACKING_ID = 0x39,
};

static void
run_getevent(struct sq_adbd_call *call) {
    if (sq_adbd_arg_is(call, 1, "-p")) {
        sq_adbd_print_answer(call, "getevent");
    } else {
        sq_adbd_fail(call, 1, "Usage: getevent [-p] [device]\n");
    }
}

/* Converts what the panel reports to a pixel of the screen as it is turned. */
static struct sq_dev_pt
pixel_of(const struct sq_adbd_call *call, struct sq_dev_pt raw,
         struct sq_dev_pt range) {
    const struct sq_phone *demo = call->phone->demo;
    struct sq_size size = sq_phone_size(demo);
    int wide = demo->landscape ? size.height : size.width;
    int high = demo->landscape ? size.width : size.height;
    int64_t x = ((int64_t)raw.x * (wide - 1) + range.x / 2) / range.x;
    int64_t y = ((int64_t)raw.y * (high - 1) + range.y / 2) / range.y;
    x = sq_max_int64(0, sq_min_int64(x, wide - 1));
    y = sq_max_int64(0, sq_min_int64(y, high - 1));
    return demo->landscape
             ? (struct sq_dev_pt){ (int)y, size.height - 1 - (int)x }
             : (struct sq_dev_pt){ (int)x, (int)y };
}

/* The fingers were lifted: one finger swipes, several are a gesture. */
static void
lift(struct sq_adbd_call *call) {
    struct sq_adbd_fingers *fingers = &call->phone->fingers;
    struct sq_finger_paths *paths = &fingers->paths;
    bool ok = true;
    if (paths->step_count > 0 && paths->finger_count > 1) {
        ok = sq_phone_gesture(call->phone->demo, paths, call->err);
    } else if (paths->step_count > 0) {
        const struct sq_finger_step *last =
            &paths->steps[paths->step_count - 1];
        const struct sq_swipe swipe = { .from = paths->steps[0].fingers[0],
                                        .to = last->fingers[0],
                                        .duration_ms = last->at_ms };
        ok = sq_phone_swipe(call->phone->demo, &swipe, call->err);
    }
    sq_adbd_phone_touched(call->phone);
    *fingers = (struct sq_adbd_fingers){ 0 };
    sq_adbd_ignore(call, ok);
}

/* SYN_REPORT: the events since the last one happened at the same time. */
static void
report(struct sq_adbd_call *call, int64_t now_ms, struct sq_dev_pt range) {
    struct sq_adbd_fingers *fingers = &call->phone->fingers;
    struct sq_finger_paths *paths = &fingers->paths;
    int down = 0;
    while (down < SQ_MAX_FINGERS && fingers->is_down[down]) {
        down++;
    }
    if (down == 0) {
        lift(call);
        return;
    }
    if (paths->step_count == 0) {
        fingers->start_ms = now_ms;
    }
    /* Without room for more steps, the last one is replaced. */
    paths->step_count += paths->step_count < SQ_MAX_FINGER_STEPS;
    paths->finger_count =
        down > paths->finger_count ? down : paths->finger_count;
    struct sq_finger_step *step = &paths->steps[paths->step_count - 1];
    step->at_ms = (int)(now_ms - fingers->start_ms);
    for (int i = 0; i < paths->finger_count; i++) {
        step->fingers[i] = pixel_of(call, fingers->at[i], range);
    }
}

/* Takes one event of the multi-touch protocol B; others do nothing. */
static void
take_event(struct sq_adbd_call *call, const int event[3], int64_t now_ms,
           struct sq_dev_pt range) {
    struct sq_adbd_fingers *fingers = &call->phone->fingers;
    int slot = fingers->slot;
    int code = event[0] == EV_ABS ? event[1] : -1;
    int value = event[2];
    if (event[0] == EV_SYN) {
        report(call, now_ms, range);
    } else if (code == ABS_MT_SLOT) {
        fingers->slot = value >= 0 && value < SQ_MAX_FINGERS ? value : 0;
    } else if (code == ABS_MT_TRACKING_ID) {
        fingers->is_down[slot] = value >= 0;
    } else if (code == ABS_MT_POSITION_X) {
        fingers->at[slot].x = value;
    } else if (code == ABS_MT_POSITION_Y) {
        fingers->at[slot].y = value;
    }
}

/* sendevent NODE TYPE CODE VALUE */
static void
run_sendevent(struct sq_adbd_call *call) {
    const struct sq_dev_pt range = { PANEL_X, PANEL_Y };
    int event[3];
    if (call->argc != 5) {
        sq_adbd_fail(call, 1, "sendevent: Needs 4 arguments\n");
        return;
    }
    if (strcmp(call->argv[1], NODE) != 0 || !sq_adbd_has(call, SQ_ADBD_ROOT)) {
        sq_adbd_fail(call, 1, "sendevent: %.100s: Permission denied\n",
                     call->argv[1]);
        return;
    }
    for (int i = 0; i < 3; i++) {
        int64_t number;
        if (!sq_span_to_int64(sq_span_of(call->argv[2 + i]), &number)
            || number < 0 || number > UINT32_MAX) {
            sq_adbd_fail(call, 1, "sendevent: bad %.20s\n", call->argv[2 + i]);
            return;
        }
        event[i] = (int)(uint32_t)number;
    }
    take_event(call, event, call->now_ns / NS_PER_MS, range);
}

/* A touch screen made by uinput. */
struct made {
    bool exists;
    struct sq_dev_pt range;
    int64_t now_ms;
};

static void
read_axes(const struct sq_json *list, struct sq_dev_pt *range) {
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        int code = sq_json_int_of(item, "code");
        int most = sq_json_int_of(sq_json_get(item, "info"), "maximum");
        if (code == ABS_MT_POSITION_X && most > 0) {
            range->x = most;
        } else if (code == ABS_MT_POSITION_Y && most > 0) {
            range->y = most;
        }
    }
}

/* Takes numbers in threes: type, code, value. */
static void
inject(struct sq_adbd_call *call, const struct sq_json *list,
       const struct made *made) {
    int event[3];
    int filled = 0;
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        int64_t number = 0;
        sq_json_int(item, &number);
        event[filled++] =
            number >= INT_MIN && number <= INT_MAX ? (int)number : 0;
        if (filled == 3) {
            filled = 0;
            take_event(call, event, made->now_ms, made->range);
        }
    }
}

static void
run_command(struct sq_adbd_call *call, const struct sq_json *json,
            struct made *made) {
    struct sq_span command = sq_json_text_of(json, "command");
    if (sq_span_is(command, "register")) {
        *made = (struct made){ .exists = true, .range = { 1, 1 } };
        read_axes(sq_json_get(json, "abs_info"), &made->range);
    } else if (sq_span_is(command, "delay")) {
        made->now_ms += sq_json_int_of(json, "duration");
    } else if (sq_span_is(command, "inject") && made->exists
               && made->now_ms >= NOTICE_MS) {
        inject(call, sq_json_get(json, "events"), made);
    }
}

/* uinput - */
static void
run_uinput(struct sq_adbd_call *call) {
    if (sq_adbd_phone_api(call->phone) < ANDROID_12) {
        sq_adbd_fail(call, SQ_ADBD_NOT_FOUND,
                     "/system/bin/sh: uinput: inaccessible or not found\n");
    } else if (!sq_adbd_arg_is(call, 1, "-")) {
        sq_adbd_fail(call, 1, "Error: no input\n");
    } else if (sq_adbd_has(call, SQ_ADBD_NO_UINPUT)) {
        sq_adbd_fail(call, 137,
                     "java.lang.RuntimeException: Could not create uinput "
                     "device \"squint\"\nKilled\n");
    } else {
        /* Runs commands, one JSON object per line. */
        struct made made = { 0 };
        struct sq_span rest = call->input;
        struct sq_span line;
        while (!call->failed && call->status == 0
               && sq_span_take_line(&rest, &line)) {
            struct sq_arena arena;
            const struct sq_json *json;
            if (sq_span_trim(line).len == 0) {
                continue;
            }
            sq_arena_init(&arena, JSON_BYTES);
            if (sq_json_parse(line, &arena, &json, NULL)) {
                run_command(call, json, &made);
            } else {
                sq_adbd_fail(call, 1, "Error reading in events.\n");
            }
            sq_arena_finish(&arena);
        }
        /* At the end of its input the touch screen is removed. */
        call->phone->fingers = (struct sq_adbd_fingers){ 0 };
    }
}

const struct sq_adbd_program sq_adbd_event_programs[] = {
    { "getevent", run_getevent, SQ_ADBD_PROGRAM },
    { "sendevent", run_sendevent, SQ_ADBD_PROGRAM },
    { "uinput", run_uinput, SQ_ADBD_PROGRAM },
    { 0 },
};

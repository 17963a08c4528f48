/* Parses the description of a touch screen, and makes events for it. */
#include "device/android/command.h"

#include <limits.h>
#include <stdio.h>

#include "device/android/parse.h"

/* From Linux, input-event-codes.h. */
enum {
    EV_SYN = 0,
    EV_KEY = 1,
    EV_ABS = 3,
    ABS_MT_SLOT = 0x2f,
    ABS_MT_POSITION_X = 0x35,
    ABS_MT_POSITION_Y = 0x36,
    ABS_MT_TRACKING_ID = 0x39,
    ABS_MT_PRESSURE = 0x3a,
    BTN_TOUCH = 0x14a,
};

#define NO_FINGER (-1)
#define MAX_TRACKING_ID 65535
#define LAST_WAIT_MS 20
/* Android takes a moment to notice the new touch screen of uinput. */
#define REGISTER_MS 1000
#define UP_MS 200

/* What is known about one device of the list. */
struct found {
    struct sq_touch_panel panel;
    bool has_ids;
    bool is_direct; /* a screen, not a pad */
    bool in_keys;   /* the lines list keys */
};

static bool
take_number(struct sq_span line, const char *key, int *out) {
    struct sq_span after;
    int64_t number;
    if (!sq_line_find(line, key, &after)) {
        return false;
    }
    after = sq_span_trim(after);
    if (!sq_span_take_int64(&after, &number) || number < INT_MIN
        || number > INT_MAX) {
        return false;
    }
    *out = (int)number;
    return true;
}

/* "0035  : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0" */
static void
read_axis(struct sq_span line, struct found *found) {
    struct sq_touch_panel *panel = &found->panel;
    struct sq_axis axis = { .exists = true };
    struct sq_span rest = line;
    struct sq_span word = { 0 };
    /* The first axis follows "ABS (0003):" on its line. */
    if (sq_span_take_prefix(&rest, "ABS ")) {
        sq_span_take_until(&rest, ':', &word);
    }
    if (!sq_line_take_word(&rest, &word) || !take_number(rest, "min", &axis.min)
        || !take_number(rest, "max", &axis.max) || axis.max <= axis.min) {
        return;
    }
    const struct {
        uint32_t code;
        struct sq_axis *axis;
    } wanted[] = { { ABS_MT_SLOT, &panel->slot },
                   { ABS_MT_POSITION_X, &panel->x },
                   { ABS_MT_POSITION_Y, &panel->y },
                   { ABS_MT_PRESSURE, &panel->pressure } };
    uint32_t code = 0;
    if (sq_span_take_hex(&word, 4, &code) < 4 || word.len > 0) {
        return;
    }
    for (size_t i = 0; i < SQ_COUNT(wanted); i++) {
        if (wanted[i].code == code) {
            *wanted[i].axis = axis;
        }
    }
    found->has_ids = found->has_ids || code == ABS_MT_TRACKING_ID;
}

static void
read_line(struct sq_span line, struct found *found) {
    if (sq_line_has(line, "INPUT_PROP_DIRECT")) {
        found->is_direct = true;
    }
    /* A section such as "KEY (0001):" goes on until the next one. */
    if (sq_line_find(line, "(", &(struct sq_span){ 0 })) {
        found->in_keys = sq_span_starts_with(line, "KEY ");
    }
    if (found->in_keys) {
        found->panel.has_touch_key =
            found->panel.has_touch_key || sq_line_has(line, "014a");
    } else {
        read_axis(line, found);
    }
}

static bool
is_screen(const struct found *found) {
    const struct sq_touch_panel *panel = &found->panel;
    return panel->node[0] && found->is_direct && found->has_ids
        && panel->slot.exists && panel->x.exists && panel->y.exists;
}

bool
sq_touch_panel_find(struct sq_span text, struct sq_touch_panel *out) {
    struct found found = { 0 };
    struct sq_span line;
    while (sq_line_take(&text, &line)) {
        if (sq_span_starts_with(line, "add device ")) {
            if (is_screen(&found)) {
                break;
            }
            /* "add device 3: /dev/input/event2" */
            struct sq_span digits;
            uint64_t number;
            found = (struct found){ 0 };
            if (sq_line_find(line, "/dev/input/event", &digits)
                && sq_span_to_uint64(digits, &number) && number <= USHRT_MAX) {
                snprintf(found.panel.node, SQ_INPUT_NODE_SIZE,
                         "/dev/input/event%u", (unsigned)number);
            }
        } else {
            read_line(line, &found);
        }
    }
    if (!is_screen(&found)) {
        return false;
    }
    *out = found.panel;
    return true;
}

/* The size of the panel as it is mounted. */
static struct sq_size
panel_size(struct sq_size screen, int rotation) {
    return rotation % 2 ? (struct sq_size){ screen.height, screen.width }
                        : screen;
}

struct sq_touch_panel
sq_touch_panel_of(struct sq_size screen, int rotation) {
    struct sq_size size = panel_size(screen, rotation);
    return (struct sq_touch_panel){
        .x = { true, 0, size.width - 1 },
        .y = { true, 0, size.height - 1 },
        .slot = { true, 0, SQ_MAX_FINGERS - 1 },
        .has_touch_key = true,
    };
}

static void
add(struct sq_touch_events *events, int type, int code, int value) {
    events->events[events->count++] =
        (struct sq_touch_event){ .type = type, .code = code, .value = value };
}

static int
unit_of(const struct sq_axis *axis, int pixel, int size) {
    int64_t range = (int64_t)axis->max - axis->min;
    int64_t last = size > 1 ? size - 1 : 1;
    return (int)(axis->min + (pixel * range + last / 2) / last);
}

static void
add_fingers(struct sq_touch_events *events, const struct sq_touch_panel *panel,
            const struct sq_finger_step *step, int count, struct sq_size screen,
            int rotation) {
    struct sq_size size = panel_size(screen, rotation);
    bool is_first = events->count == 0;
    for (int i = 0; i < count; i++) {
        struct sq_dev_pt at =
            sq_point_on_panel(step->fingers[i], screen, rotation);
        add(events, EV_ABS, ABS_MT_SLOT, i);
        if (is_first) {
            add(events, EV_ABS, ABS_MT_TRACKING_ID, i + 1);
        }
        add(events, EV_ABS, ABS_MT_POSITION_X,
            unit_of(&panel->x, at.x, size.width));
        add(events, EV_ABS, ABS_MT_POSITION_Y,
            unit_of(&panel->y, at.y, size.height));
        if (is_first && panel->pressure.exists) {
            /* Android takes a finger without pressure as hovering. */
            add(events, EV_ABS, ABS_MT_PRESSURE,
                panel->pressure.max - panel->pressure.max / 2);
        }
    }
    if (is_first && panel->has_touch_key) {
        add(events, EV_KEY, BTN_TOUCH, 1);
    }
    add(events, EV_SYN, 0, 0);
}

void
sq_touch_events_make(const struct sq_finger_paths *paths,
                     const struct sq_touch_panel *panel, struct sq_size screen,
                     int rotation, struct sq_touch_events *out) {
    int last_ms = 0;
    out->count = 0;
    for (int i = 0; i < paths->step_count; i++) {
        const struct sq_finger_step *step = &paths->steps[i];
        int at = out->count;
        add_fingers(out, panel, step, paths->finger_count, screen, rotation);
        out->events[at].wait_ms = step->at_ms - last_ms;
        last_ms = step->at_ms;
    }
    out->first_up = out->count;
    for (int i = 0; i < paths->finger_count; i++) {
        add(out, EV_ABS, ABS_MT_SLOT, i);
        add(out, EV_ABS, ABS_MT_TRACKING_ID, NO_FINGER);
    }
    if (panel->has_touch_key) {
        add(out, EV_KEY, BTN_TOUCH, 0);
    }
    add(out, EV_SYN, 0, 0);
    out->events[out->first_up].wait_ms = LAST_WAIT_MS;
}

bool
sq_touch_events_put_commands(const struct sq_touch_events *events,
                             const char *node, int first, struct sq_buf *out,
                             struct sq_err *err) {
    bool ok = true;
    for (int i = first; ok && i < events->count; i++) {
        const struct sq_touch_event *event = &events->events[i];
        ok = (i == first || sq_buf_append(out, "&&", 2, err))
          && (event->wait_ms == 0 || i == first
              || sq_buf_printf(out, err, "sleep %d.%03d&&",
                               event->wait_ms / 1000, event->wait_ms % 1000))
          /* sendevent does not take "-1", which looks like an option. */
          && sq_buf_printf(out, err, "sendevent %s %d %d %u", node, event->type,
                           event->code, (unsigned)event->value);
    }
    return ok;
}

static bool
put_axis(int code, const struct sq_axis *axis, struct sq_buf *out,
         struct sq_err *err) {
    return sq_buf_printf(out, err,
                         "{\"code\":%d,\"info\":{\"value\":0,\"minimum\":%d,"
                         "\"maximum\":%d,\"fuzz\":0,\"flat\":0,"
                         "\"resolution\":0}}%s",
                         code, axis->min, axis->max,
                         code == ABS_MT_TRACKING_ID ? "" : ",");
}

/* Types 100, 101, 103 and 110 set bits: event types, keys, axes, properties. */
static bool
put_register(const struct sq_touch_panel *panel, struct sq_buf *out,
             struct sq_err *err) {
    const struct sq_axis ids = { true, 0, MAX_TRACKING_ID };
    return sq_buf_printf(
               out, err,
               "{\"id\":1,\"command\":\"register\",\"name\":\"squint\","
               "\"vid\":1,\"pid\":1,\"bus\":\"usb\",\"configuration\":["
               "{\"type\":100,\"data\":[%d,%d]},{\"type\":101,\"data\":[%d]},"
               "{\"type\":103,\"data\":[%d,%d,%d,%d]},"
               "{\"type\":110,\"data\":[1]}],\"abs_info\":[",
               EV_KEY, EV_ABS, BTN_TOUCH, ABS_MT_SLOT, ABS_MT_POSITION_X,
               ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID)
        && put_axis(ABS_MT_SLOT, &panel->slot, out, err)
        && put_axis(ABS_MT_POSITION_X, &panel->x, out, err)
        && put_axis(ABS_MT_POSITION_Y, &panel->y, out, err)
        && put_axis(ABS_MT_TRACKING_ID, &ids, out, err)
        && sq_buf_printf(out, err, "]}\n");
}

static bool
put_delay(int ms, struct sq_buf *out, struct sq_err *err) {
    return ms == 0
        || sq_buf_printf(out, err,
                         "{\"id\":1,\"command\":\"delay\",\"duration\":%d}\n",
                         ms);
}

/* Puts the events up to and with the next EV_SYN; returns the index after. */
static int
put_inject(const struct sq_touch_events *events, int at, struct sq_buf *out,
           struct sq_err *err) {
    bool ok = put_delay(events->events[at].wait_ms, out, err)
           && sq_buf_printf(out, err,
                            "{\"id\":1,\"command\":\"inject\",\"events\":[");
    bool is_last = false;
    while (ok && !is_last) {
        const struct sq_touch_event *event = &events->events[at++];
        is_last = event->type == EV_SYN;
        ok = sq_buf_printf(out, err, "%d,%d,%d%s", event->type, event->code,
                           event->value, is_last ? "]}\n" : ",");
    }
    return ok ? at : -1;
}

bool
sq_touch_events_put_uinput(const struct sq_touch_events *events,
                           const struct sq_touch_panel *panel,
                           struct sq_buf *out, struct sq_err *err) {
    int at = 0;
    bool ok = put_register(panel, out, err) && put_delay(REGISTER_MS, out, err);
    while (ok && at < events->count) {
        at = put_inject(events, at, out, err);
        ok = at >= 0;
    }
    return ok && put_delay(UP_MS, out, err);
}

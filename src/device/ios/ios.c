/* Lists and opens simulators, and sends them input. */
#include "device/ios/ios.h"

#include <stdio.h>
#include <string.h>

#include "device/ios/parse.h"
#include "device/ios/simulator.h"
#include "sys/path.h"
#include "util/mem.h"

#define LIST_MS 10000
#define MAX_TEXT_BYTES 16384
#define NUMBER_SIZE 16

/*
 * Accepts absolute paths only: a relative one depends on the current directory.
 */
static bool
find_program(const char *name, char out[SQ_PATH_SIZE]) {
    char path[SQ_PATH_SIZE];
    bool found = sq_probe_program(name, path) && path[0] == '/';
    if (found) {
        snprintf(out, SQ_PATH_SIZE, "%s", path);
    }
    return found;
}

bool
sq_ios_is_available(void) {
    char xcrun[SQ_PATH_SIZE];
    return find_program("xcrun", xcrun);
}

bool
sq_ios_list(const struct sq_devices_options *options,
            struct sq_device_list *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_ios_call call = {
        .words = SQ_WORDS("list", "devices", "--json"),
        .timeout_ms = LIST_MS,
    };
    char xcrun[SQ_PATH_SIZE];
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    (void)options;
    if (!find_program("xcrun", xcrun)) {
        return true;
    }
    return sq_simctl_run(xcrun, &call, deadline, &end, err)
        && (sq_simctl_parse_devices(sq_buf_span(&end.output), out, err)
            || sq_fail_in(err, "the list of simulators"));
}

/* Text of a coordinate, or of a time in seconds. */
#define NUMBER(name, format, ...)                                              \
    char name[NUMBER_SIZE];                                                    \
    snprintf(name, sizeof(name), format, __VA_ARGS__)
#define SECONDS(name, ms) NUMBER(name, "%d.%03d", (ms) / 1000, (ms) % 1000)

static bool
ios_tap(struct sq_device *device, const struct sq_touch *touch,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    struct sq_dev_pt at = touch->at;
    if (!sq_simulator_to_panel(simulator, &at, 1, deadline, err)) {
        return false;
    }
    NUMBER(x, "%d", at.x);
    NUMBER(y, "%d", at.y);
    SECONDS(time, touch->duration_ms);
    const char *const *words = SQ_WORDS(
        "ui", "tap", x, y, touch->duration_ms > 0 ? "--duration" : NULL, time);
    for (int i = 0; i < touch->count; i++) {
        if (!sq_idb_do(simulator, words, touch->duration_ms, deadline, err)) {
            return false;
        }
    }
    return true;
}

static bool
ios_swipe(struct sq_device *device, const struct sq_swipe *swipe,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    struct sq_dev_pt ends[] = { swipe->from, swipe->to };
    if (!sq_simulator_to_panel(simulator, ends, 2, deadline, err)) {
        return false;
    }
    NUMBER(from_x, "%d", ends[0].x);
    NUMBER(from_y, "%d", ends[0].y);
    NUMBER(to_x, "%d", ends[1].x);
    NUMBER(to_y, "%d", ends[1].y);
    SECONDS(time, swipe->duration_ms);
    return sq_idb_do(
        simulator,
        SQ_WORDS("ui", "swipe", from_x, from_y, to_x, to_y, "--duration", time),
        swipe->duration_ms, deadline, err);
}

static bool
check_text(struct sq_span text, struct sq_err *err) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if ((c < ' ' || c > '~') && c != '\n') {
            sq_fail(err, SQ_ERR_UNSUPPORTED,
                    "idb types only the characters of a US keyboard, and "
                    "character %zu is not one of them",
                    i + 1);
            return sq_fail_hint(
                err, "Nothing was typed. Use ASCII letters, digits and "
                     "punctuation, or tap the keys of the on-screen keyboard.");
        }
    }
    return text.len < MAX_TEXT_BYTES
        || sq_fail(err, SQ_ERR_LIMIT, "the text is longer than %d bytes",
                   MAX_TEXT_BYTES - 1);
}

/*
 * Fails if no field has the focus: keys would be lost without an error. *hides:
 * the field hides its text, or may do so.
 */
static bool
check_focus(struct sq_device *device, bool *hides,
            const struct sq_deadline *deadline, struct sq_err *err) {
    const unsigned both = SQ_NODE_FOCUSED | SQ_NODE_EDITABLE;
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    struct sq_err local_err = { 0 };
    bool is_lost = false;
    if (sq_simulator_elements(sq_simulator_of(device), &screen, deadline,
                              &local_err)) {
        const struct sq_node *node = screen.tree.root;
        while (node && (node->flags & both) != both) {
            node = sq_node_after(node);
        }
        is_lost = screen.reports_focus && !node;
    }
    if (sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    *hides =
        sq_device_password_focus(device, deadline) != SQ_PASSWORD_NOT_FOCUSED;
    if (is_lost) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err, "@Tap the field first, or give its selector.");
    }
    return true;
}

static bool
ios_text(struct sq_device *device, struct sq_span text,
         const struct sq_deadline *deadline, struct sq_err *err) {
    bool hides;
    return check_text(text, err) && check_focus(device, &hides, deadline, err)
        && sq_simulator_type(sq_simulator_of(device), text, hides, deadline,
                             err);
}

static void
ios_begin(struct sq_device *device, int answer_ms) {
    (void)answer_ms;
    sq_simulator_forget_elements(sq_simulator_of(device));
}

static void
ios_destroy(struct sq_device *device) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    sq_simulator_end_recording(simulator);
    sq_simulator_forget_elements(simulator);
    sq_running_destroy(simulator->late);
    sq_mem_free(simulator);
}

static const struct sq_device_ops ops = {
    .kind = "ios",
    .is_shared = true,
    .begin = ios_begin,
    .screen = sq_simulator_screen,
    .capture = sq_simulator_capture,
    .tree = sq_simulator_tree,
    .current_app = sq_simulator_current_app,
    .tap = ios_tap,
    .swipe = ios_swipe,
    .text = ios_text,
    .key = sq_simulator_key,
    .launch = sq_simulator_launch,
    .stop = sq_simulator_stop,
    .apps = sq_simulator_apps,
    .destroy = ios_destroy,
    .hand = &sq_simulator_hand,
    .is_simulator = true,
    .elements_are_cheap = true,
    .capture_is_cheap = true,
};

bool
sq_ios_open(const struct sq_devices_options *options,
            const struct sq_device_info *info, struct sq_device **out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_simulator *simulator;
    (void)options;
    (void)deadline;
    if (!sq_simctl_is_udid(sq_span_of(info->id))) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "\"%.40s\" is not the UDID of a simulator", info->id);
    }
    simulator = sq_mem_zalloc(1, sizeof(*simulator));
    if (!simulator) {
        return sq_fail_nomem(err);
    }
    simulator->base.ops = &ops;
    simulator->base.info = *info;
    if (!find_program("xcrun", simulator->xcrun)) {
        sq_mem_free(simulator);
        sq_fail(err, SQ_ERR_NOT_FOUND, "xcrun is not on PATH any more");
        return sq_fail_hint(err, "Install Xcode.");
    }
    find_program("idb", simulator->idb);
    *out = &simulator->base;
    return true;
}

void
sq_ios_fold_id(char id[SQ_DEVICE_ID_SIZE]) {
    bool is_udid = sq_simctl_is_udid(sq_span_of(id));
    for (char *c = id; is_udid && *c; c++) {
        *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 'a' + 'A') : *c;
    }
}

/*
 * The demo phone as a device: its operations and creation, and the state that
 * it shares with other processes.
 */
#include "device/demo/demo.h"

#include <stdio.h>
#include <string.h>

#include "demo/phone/phone.h"
#include "image/image.h"
#include "util/bytes.h"
#include "util/mem.h"

#define MIN_SIDE 200
#define MIN_DENSITY 0.5
#define MAX_DENSITY 8.0
#define HEADER_BYTES 16
#define ONLY_DISPLAY "0"
#define FORMAT_RGBA 1
#define COLOURS_SRGB 1
#define END_MS 1000 /* for saving the state at the end */

/* Fails only if the error is fatal; else it becomes a warning. */
static bool
warn(const struct sq_demo_keeper *keeper, const struct sq_err *why,
     struct sq_err *err) {
    if (sq_is_fatal(why->code) || why->code == SQ_ERR_TIMEOUT) {
        return sq_fail_with(err, why);
    }
    keeper->warn(keeper->context, why);
    return true;
}

static bool
save(struct sq_phone *phone, struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    struct sq_buf state;
    struct sq_err local_err = { 0 };
    sq_buf_init(&state, SQ_PHONE_STATE_MAX);
    bool ok = sq_phone_save(phone, &state, &local_err)
           && sq_state_folder_write(keeper->folder, SQ_DEMO_STATE_FILE,
                                    sq_buf_span(&state), &local_err);
    if (ok) {
        sq_buf_finish(&phone->kept);
        phone->kept = state;
        return true;
    }
    sq_buf_finish(&state);
    return warn(keeper, &local_err, err);
}

/* Reads the state. *is_bad: there is one that cannot be used. */
static bool
load(struct sq_phone *phone, bool *is_bad, struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    struct sq_buf state;
    struct sq_err local_err = { 0 };
    sq_buf_init(&state, SQ_PHONE_STATE_MAX);
    *is_bad = false;
    bool ok = sq_state_folder_read(keeper->folder, SQ_DEMO_STATE_FILE,
                                   SQ_PHONE_STATE_MAX, &state, &local_err);
    if (ok && state.len > 0
        && !sq_span_equal(sq_buf_span(&state), sq_buf_span(&phone->kept))) {
        ok = sq_phone_restore(phone, sq_buf_span(&state), &local_err);
        *is_bad = !ok;
    }
    if (ok && state.len > 0) {
        sq_buf_finish(&phone->kept);
        phone->kept = state;
        return true;
    }
    sq_buf_finish(&state);
    return ok || warn(keeper, &local_err, err);
}

/* Waits until no other process changes the state. */
static bool
lock(const struct sq_demo_keeper *keeper, int *out,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_state_folder_lock(keeper->folder, SQ_DEMO_STATE_LOCK, deadline, out,
                             &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_TIMEOUT) {
        sq_fail(err, SQ_ERR_TIMEOUT, "another command is using the demo phone");
        return sq_fail_hint(err, "Wait until it has ended, then try again.");
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_demo_refresh(struct sq_phone *phone, const struct sq_deadline *deadline,
                struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    bool is_bad = false;
    int held;
    if (keeper && !load(phone, &is_bad, err)) {
        return false;
    }
    bool was_pending = phone->reaction.is_pending;
    if (!sq_phone_react(phone, false, err)) {
        return false;
    }
    bool has_reacted = was_pending && !phone->reaction.is_pending;
    if (!keeper || (!is_bad && !has_reacted)) {
        return true;
    }
    if (!lock(keeper, &held, deadline, err)) {
        return false;
    }
    bool ok = save(phone, err);
    sq_state_folder_unlock(held);
    return ok;
}

/* Saves what is still pending as if it was due, if there is a keeper. */
static void
end(struct sq_phone *phone) {
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    phone->reaction.due_ns = 0;
    if (phone->options.keeper && phone->reaction.is_pending) {
        sq_demo_refresh(phone, &limit, NULL);
    }
}

bool
sq_demo_act(struct sq_phone *phone,
            bool (*act)(struct sq_phone *phone, const void *what,
                        struct sq_err *err),
            const void *what, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    bool is_bad;
    int held;
    if (!sq_deadline_check(deadline, err)) {
        return false;
    }
    if (!keeper) {
        return act(phone, what, err);
    }
    if (!lock(keeper, &held, deadline, err)) {
        return false;
    }
    bool ok = load(phone, &is_bad, err) && act(phone, what, err);
    if (ok) {
        struct sq_err ignored = { 0 };
        (void)save(phone, &ignored); /* the action was done */
    }
    sq_state_folder_unlock(held);
    return ok;
}

static struct sq_phone *
phone_of(struct sq_device *device) {
    return (struct sq_phone *)device;
}

static void
write_package(const struct sq_phone *phone, char out[SQ_DEVICE_TEXT_SIZE]) {
    snprintf(out, SQ_DEVICE_TEXT_SIZE, SQ_DEMO_PACKAGE "%s",
             sq_demo_apps[phone->app]->name);
}

static bool
demo_screen(struct sq_device *device, struct sq_screen *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_phone *phone = phone_of(device);
    if (!sq_deadline_check(deadline, err)
        || !sq_demo_refresh(phone, deadline, err)) {
        return false;
    }
    *out = (struct sq_screen){
        .size = sq_phone_size(phone),
        .rotation = phone->landscape,
        .density = phone->options.density,
    };
    write_package(phone, out->app);
    return true;
}

/* Paints directly into the caller's buffer. */
static bool
demo_capture(struct sq_device *device, const struct sq_capture_request *request,
             struct sq_capture *out, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct sq_phone *phone = phone_of(device);
    struct sq_screen screen;
    uint8_t *space;
    if (request->display && strcmp(request->display, ONLY_DISPLAY) != 0) {
        return sq_fail_display(err, request->display, ONLY_DISPLAY);
    }
    if (!demo_screen(device, &screen, deadline, err)) {
        return false;
    }
    bool secure = sq_phone_shown(phone)->secure && !phone->asleep;
    struct sq_size size = screen.size;
    size_t stride = (size_t)size.width * SQ_PIXEL_BYTES;
    size_t bytes = HEADER_BYTES + stride * (size_t)size.height;
    if (!sq_buf_reserve(&out->bytes, bytes, &space, err)) {
        return false;
    }
    struct sq_canvas canvas = {
        .pixels = space + HEADER_BYTES,
        .stride = stride,
        .clip = { 0, 0, size.width, size.height },
        .type = phone->type,
    };
    if (secure || phone->asleep) {
        sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(0));
    } else if (!sq_phone_paint(phone, &canvas, err)) {
        return false;
    }
    sq_store_le32(space, (uint32_t)size.width);
    sq_store_le32(space + 4, (uint32_t)size.height);
    sq_store_le32(space + 8, FORMAT_RGBA);
    sq_store_le32(space + 12, COLOURS_SRGB);
    sq_buf_commit(&out->bytes, bytes);
    out->screen = screen;
    out->secure = secure;
    return true;
}

static bool
demo_tree(struct sq_device *device, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_deadline_check(deadline, err)
        && sq_demo_refresh(phone_of(device), deadline, err)
        && sq_phone_list(phone_of(device), out, err);
}

static bool
demo_current_app(struct sq_device *device, struct sq_app *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_deadline_check(deadline, err)
        || !sq_demo_refresh(phone_of(device), deadline, err)) {
        return false;
    }
    const struct sq_demo_app *app = sq_demo_apps[phone_of(device)->app];
    write_package(phone_of(device), out->package);
    snprintf(out->activity, sizeof(out->activity), "%s", app->activity);
    return true;
}

static bool
check_point(const struct sq_phone *phone, struct sq_dev_pt point,
            struct sq_err *err) {
    struct sq_size size = sq_phone_size(phone);
    struct sq_rect screen = { 0, 0, size.width, size.height };
    return sq_rect_contains(screen, point.x, point.y)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "the point %d,%d is not on the screen of %dx%d", point.x,
                   point.y, size.width, size.height);
}

static bool
tap(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_touch *touch = what;
    if (touch->count < 1 || touch->count > 2) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "%d taps were requested; only 1 or 2 are possible",
                       touch->count);
    }
    return check_point(phone, touch->at, err)
        && sq_phone_tap(phone, touch, err);
}

static bool
swipe(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_swipe *path = what;
    return check_point(phone, path->from, err)
        && check_point(phone, path->to, err)
        && sq_phone_swipe(phone, path, err);
}

/*
 * A new line presses enter, after which another field may have the focus. If
 * none has, the rest of the text is lost, as on any phone.
 */
static bool
type(struct sq_phone *phone, const void *what, struct sq_err *err) {
    struct sq_span rest = *(const struct sq_span *)what;
    struct sq_span line;
    while (sq_span_take_until(&rest, '\n', &line)) {
        if (!sq_phone_type(phone, line, err)
            || !sq_phone_key(phone, "enter", err)) {
            return false;
        }
        if (phone->focus == SQ_NO_FIELD) {
            return true;
        }
    }
    return sq_phone_type(phone, rest, err);
}

static bool
demo_text(struct sq_device *device, struct sq_span text,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_demo_act(phone_of(device), type, &text, deadline, err);
}

static bool
key(struct sq_phone *phone, const void *what, struct sq_err *err) {
    return sq_phone_key(phone, what, err);
}

bool
sq_demo_find_app(const char *package, enum sq_app_id *out, struct sq_err *err) {
    *out = sq_phone_app_of(sq_span_of(package));
    if (*out < SQ_APPS) {
        return true;
    }
    sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app \"%.100s\"", package);
    return sq_fail_hint(err, "The operation @apps lists what can be launched.");
}

static bool
launch(struct sq_phone *phone, const void *what, struct sq_err *err) {
    enum sq_app_id app;
    bool ok = sq_demo_find_app(what, &app, err);
    if (ok) {
        sq_phone_open(phone, app);
    }
    return ok;
}

static bool
stop(struct sq_phone *phone, const void *what, struct sq_err *err) {
    enum sq_app_id app;
    bool ok = sq_demo_find_app(what, &app, err);
    if (ok) {
        sq_phone_stop(phone, app);
    }
    return ok;
}

SQ_DEMO_ACTION(tap, const struct sq_touch *)
SQ_DEMO_ACTION(swipe, const struct sq_swipe *)
SQ_DEMO_ACTION(key, const char *)
SQ_DEMO_ACTION(launch, const char *)
SQ_DEMO_ACTION(stop, const char *)

static bool
demo_apps(struct sq_device *device, struct sq_app_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    bool ok = sq_deadline_check(deadline, err);
    (void)device;
    for (int app = SQ_APP_LAUNCHER + 1; ok && app < SQ_APPS; app++) {
        char package[SQ_DEVICE_TEXT_SIZE];
        snprintf(package, sizeof(package), SQ_DEMO_PACKAGE "%s",
                 sq_demo_apps[app]->name);
        ok = sq_app_list_add(out, sq_span_of(package),
                             sq_span_of(sq_demo_apps[app]->label), err);
    }
    if (!ok) {
        sq_app_list_finish(out);
    }
    return ok;
}

static void
demo_destroy(struct sq_device *device) {
    struct sq_phone *phone = phone_of(device);
    end(phone);
    for (int i = 0; i < SQ_FIELDS; i++) {
        sq_buf_finish(&phone->fields[i]);
    }
    sq_buf_finish(&phone->clipboard);
    sq_buf_finish(&phone->kept);
    sq_font_destroy(phone->type);
    sq_mem_free(phone);
}

static const struct sq_device_ops ops = {
    .kind = "demo",
    .screen = demo_screen,
    .capture = demo_capture,
    .tree = demo_tree,
    .current_app = demo_current_app,
    .tap = demo_tap,
    .swipe = demo_swipe,
    .text = demo_text,
    .key = demo_key,
    .launch = demo_launch,
    .stop = demo_stop,
    .apps = demo_apps,
    .destroy = demo_destroy,
    .hand = &sq_demo_hand,
    .elements_are_instant = true,
    .elements_are_cheap = true,
    .capture_is_cheap = true,
};

static void
demo_info(struct sq_device_info *out) {
    *out = (struct sq_device_info){
        .kind = ops.kind,
        .id = SQ_DEMO_ID,
        .name = "squint demo phone",
        .state = SQ_DEVICE_ONLINE,
    };
}

static bool
check_options(const struct sq_demo_options *options, struct sq_err *err) {
    if (options->width < MIN_SIDE || options->height < MIN_SIDE
        || options->density < MIN_DENSITY || options->density > MAX_DENSITY) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "a screen of %dx%d at density %g is out of range",
                       options->width, options->height, options->density);
    }
    return sq_image_check_size(options->width, options->height,
                               &sq_limits_default, err);
}

static struct sq_demo_options
with_defaults(const struct sq_demo_options *options) {
    struct sq_demo_options all = *options;
    all.width = all.width ? all.width : SQ_DEMO_WIDTH;
    all.height = all.height ? all.height : SQ_DEMO_HEIGHT;
    all.density = all.density != 0 ? all.density : SQ_DEMO_DENSITY;
    return all;
}

bool
sq_demo_create(const struct sq_demo_options *options, struct sq_device **out,
               struct sq_err *err) {
    struct sq_demo_options all = with_defaults(options);
    if (!check_options(&all, err)) {
        return false;
    }
    struct sq_phone *phone = sq_mem_zalloc(1, sizeof(*phone));
    if (!phone) {
        return sq_fail_nomem(err);
    }
    phone->base.ops = &ops;
    demo_info(&phone->base.info);
    phone->options = all;
    phone->focus = SQ_NO_FIELD;
    for (int i = 0; i < SQ_FIELDS; i++) {
        sq_buf_init(&phone->fields[i], SQ_FIELD_MAX_BYTES);
    }
    sq_buf_init(&phone->kept, SQ_PHONE_STATE_MAX);
    sq_buf_init(&phone->clipboard, SQ_FIELD_MAX_BYTES);
    if (!sq_font_create(&phone->type, err)) {
        demo_destroy(&phone->base);
        return false;
    }
    for (int app = 0; app < SQ_APPS; app++) {
        if (sq_demo_apps[app]->reset) {
            sq_demo_apps[app]->reset(phone);
        }
    }
    sq_phone_open(phone, SQ_APP_LAUNCHER);
    *out = &phone->base;
    return true;
}

bool
sq_demo_list(const struct sq_devices_options *options,
             struct sq_device_list *out, const struct sq_deadline *deadline,
             struct sq_err *err) {
    (void)options;
    (void)deadline;
    struct sq_device_info info;
    demo_info(&info);
    return sq_device_list_add(out, &info, err);
}

bool
sq_demo_open(const struct sq_devices_options *options,
             const struct sq_device_info *info, struct sq_device **out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    (void)info;
    (void)deadline;
    return sq_demo_create(&options->demo, out, err);
}

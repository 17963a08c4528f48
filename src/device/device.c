/* Calls the operations of a device. */
#include "device/device.h"

#include <stdatomic.h>

#include "sys/clock.h"

#define FIRST_APPS 32
#define MAX_APP_LIST_BYTES ((size_t)4 << 20)

const char *
sq_device_state_name(enum sq_device_state state) {
    static const char *const names[] = {
        [SQ_DEVICE_ONLINE] = "online",
        [SQ_DEVICE_OFFLINE] = "offline",
        [SQ_DEVICE_UNAUTHORIZED] = "unauthorized",
        [SQ_DEVICE_BOOTING] = "booting",
        [SQ_DEVICE_UNUSABLE] = "unusable",
    };
    return names[state];
}

static uint64_t
next_number(void) {
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

void
sq_device_changed(struct sq_device *device) {
    device->change = device->view = next_number();
    device->seen = 0;
}

void
sq_device_saw(struct sq_device *device, uint64_t hash) {
    if (device->seen != hash) {
        device->seen = hash;
        device->view = next_number();
    }
}

void
sq_device_note_client(struct sq_device *device, uint64_t client,
                      bool other_acted) {
    struct sq_device_client *note = device->clients;
    uint64_t now = 0;
    for (int i = 0; i < SQ_DEVICE_CLIENTS; i++) {
        struct sq_device_client *other = &device->clients[i];
        now = other->used > now ? other->used : now;
        if (note->client != client
            && (other->client == client || other->used < note->used)) {
            note = other;
        }
    }
    *note = (struct sq_device_client){ client, device->change, now + 1,
                                       other_acted };
}

bool
sq_device_other_acted(const struct sq_device *device, uint64_t client) {
    const struct sq_device_client *note = device->clients;
    const struct sq_device_client *end = note + SQ_DEVICE_CLIENTS;
    while (note < end && !(note->used && note->client == client)) {
        note++;
    }
    return note < end && (note->other_acted || note->change != device->change);
}

static bool
begin(struct sq_device *device, bool is_supported, const char *what,
      struct sq_err *err) {
    device->began_ns = sq_clock_monotonic_ns();
    if (is_supported) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED, "%s devices cannot %s", device->ops->kind,
            what);
    return sq_fail_hint(err, "Use another operation or another device. The "
                             "operation @devices lists the devices.");
}

/* Ends an operation: adds its time to that of the device. */
static bool
end(struct sq_device *device, bool ok) {
    device->busy_ns += sq_clock_monotonic_ns() - device->began_ns;
    return ok;
}

static bool
end_action(struct sq_device *device, bool ok) {
    sq_device_changed(device);
    return end(device, ok);
}

/* Defines sq_device_<name>: calls the operation and ends it with `end`. */
#define OPERATION(name, what, end, type)                                       \
    bool sq_device_##name(struct sq_device *device, type argument,             \
                          const struct sq_deadline *deadline,                  \
                          struct sq_err *err) {                                \
        return begin(device, device->ops->name != NULL, what, err)             \
            && end(device,                                                     \
                   device->ops->name(device, argument, deadline, err));        \
    }

OPERATION(screen, "report the size of their screen", end, struct sq_screen *)
OPERATION(tree, "list their elements", end, struct sq_tree *)
OPERATION(current_app, "report the foreground app", end, struct sq_app *)
OPERATION(apps, "list their apps", end, struct sq_app_list *)
OPERATION(tap, "be tapped", end_action, const struct sq_touch *)
OPERATION(swipe, "be swiped", end_action, const struct sq_swipe *)
OPERATION(text, "receive text", end_action, struct sq_span)
OPERATION(key, "receive keys", end_action, const char *)
OPERATION(launch, "launch apps", end_action, const char *)
OPERATION(stop, "stop apps", end_action, const char *)

bool
sq_device_capture(struct sq_device *device,
                  const struct sq_capture_request *request,
                  struct sq_capture *out, const struct sq_deadline *deadline,
                  struct sq_err *err) {
    static const struct sq_capture_request plain = { 0 };
    return begin(device, device->ops->capture != NULL, "show their screen", err)
        && end(device, device->ops->capture(device, request ? request : &plain,
                                            out, deadline, err));
}

static bool
end_look(struct sq_device *device, const struct sq_kept_frame *frame, bool ok) {
    if (ok) {
        sq_device_saw(device, frame->hash);
    }
    return end(device, ok);
}

bool
sq_device_keep_frame(struct sq_device *device, uint64_t needed,
                     struct sq_kept_frame *out,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    return begin(device, device->ops->keep_frame != NULL, "keep frames", err)
        && end_look(
               device, out,
               device->ops->keep_frame(device, needed, out, deadline, err));
}

bool
sq_device_watch_frames(struct sq_device *device,
                       const struct sq_frame_watch *watch,
                       struct sq_kept_frame *out, bool *settled,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    return begin(device, device->ops->watch_frames != NULL, "watch frames", err)
        && end_look(device, out,
                    device->ops->watch_frames(device, watch, out, settled,
                                              deadline, err));
}

bool
sq_device_fetch_part(struct sq_device *device, uint64_t hash,
                     const struct sq_scaling *scaling, struct sq_buf *out,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    return begin(device, device->ops->fetch_part != NULL, "keep frames", err)
        && end(device, device->ops->fetch_part(device, hash, scaling, out,
                                               deadline, err));
}

bool
sq_device_compare_frames(struct sq_device *device,
                         const struct sq_frame_pair *pair,
                         struct sq_eye_areas *where,
                         const struct sq_deadline *deadline,
                         struct sq_err *err) {
    return begin(device, device->ops->compare_frames != NULL, "compare frames",
                 err)
        && end(device,
               device->ops->compare_frames(device, pair, where, deadline, err));
}

void
sq_device_begin(struct sq_device *device, int answer_ms) {
    if (device->ops->begin) {
        device->ops->begin(device, answer_ms);
    }
}

const char *
sq_device_dialog(const struct sq_device *device) {
    return device->ops->dialog ? device->ops->dialog(device) : NULL;
}

enum sq_drawn
sq_device_drawn(struct sq_device *device, const struct sq_deadline *deadline) {
    return device->ops->drawn ? device->ops->drawn(device, deadline)
                              : SQ_DRAWN_UNKNOWN;
}

bool
sq_device_whole_tree(struct sq_device *device, struct sq_tree *out,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    return begin(device, device->ops->whole_tree != NULL,
                 "list what is not on the screen", err)
        && end(device, device->ops->whole_tree(device, out, deadline, err));
}

bool
sq_device_reveal(struct sq_device *device, int id, bool *found,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return begin(device, device->ops->reveal != NULL, "scroll to an element",
                 err)
        && end_action(device,
                      device->ops->reveal(device, id, found, deadline, err));
}

/*
 * Looks for the focus in the elements. Not all devices tell which has it: then
 * a screen without password fields is enough.
 */
static enum sq_password_focus
find_password_focus(const struct sq_tree *tree) {
    const struct sq_node *focused = NULL;
    bool has_password = false;
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        focused = node->flags & SQ_NODE_FOCUSED ? node : focused;
        has_password = has_password || node->flags & SQ_NODE_PASSWORD;
    }
    for (const struct sq_node *node = focused; node; node = node->parent) {
        if (node->flags & SQ_NODE_PASSWORD) {
            return SQ_PASSWORD_FOCUSED;
        }
    }
    bool is_other = focused ? focused->flags & SQ_NODE_EDITABLE
                            : tree->root && !has_password;
    return is_other ? SQ_PASSWORD_NOT_FOCUSED : SQ_PASSWORD_FOCUS_UNKNOWN;
}

enum sq_password_focus
sq_device_password_focus(struct sq_device *device,
                         const struct sq_deadline *deadline) {
    enum sq_password_focus focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    struct sq_tree tree = { 0 };
    if (device->ops->password_focus) {
        focus = device->ops->password_focus(device, deadline);
    } else if (sq_device_tree(device, &tree, deadline, NULL)) {
        focus = find_password_focus(&tree);
    }
    sq_tree_finish(&tree);
    return focus;
}

void
sq_device_start_tree(struct sq_device *device,
                     const struct sq_deadline *deadline) {
    if (device->ops->start_tree) {
        device->ops->start_tree(device, deadline);
    }
}

void
sq_device_abandon_tree(struct sq_device *device) {
    if (device->ops->abandon_tree) {
        device->ops->abandon_tree(device);
    }
}

bool
sq_device_can_type(struct sq_device *device, struct sq_span text,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    return !device->ops->can_type
        || device->ops->can_type(device, text, deadline, err);
}

bool
sq_fail_display(struct sq_err *err, const char *id, const char *known) {
    sq_fail(err, SQ_ERR_ARGUMENT, "no display \"%.40s\"", id);
    return sq_fail_hint(err,
                        "Set $displayId to one of: %s. Omit it for the display "
                        "that receives taps.",
                        known);
}

void
sq_device_destroy(struct sq_device *device) {
    if (device) {
        sq_buf_finish(&device->look.frame);
        device->ops->destroy(device);
    }
}

void
sq_capture_finish(struct sq_capture *capture) {
    sq_buf_finish(&capture->bytes);
}

bool
sq_app_list_add(struct sq_app_list *list, struct sq_span package,
                struct sq_span label, struct sq_err *err) {
    struct sq_app_entry entry = { package, label };
    if (!list->entries) {
        sq_arena_init(&list->arena, MAX_APP_LIST_BYTES);
    }
    if (list->count == list->capacity) {
        size_t capacity = list->count ? 2 * list->count : FIRST_APPS;
        struct sq_app_entry *entries =
            sq_arena_alloc(&list->arena, capacity, sizeof(*entries), err);
        if (!entries) {
            return false;
        }
        for (size_t i = 0; i < list->count; i++) {
            entries[i] = list->entries[i];
        }
        list->entries = entries;
        list->capacity = capacity;
    }
    if (!sq_arena_keep(&list->arena, &entry.package, err)
        || !sq_arena_keep(&list->arena, &entry.label, err)) {
        return false;
    }
    list->entries[list->count++] = entry;
    return true;
}

void
sq_app_list_finish(struct sq_app_list *list) {
    sq_arena_finish(&list->arena);
    *list = (struct sq_app_list){ .count = 0 };
}

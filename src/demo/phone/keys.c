/* Handles key presses on the demo phone. */
#include <stdio.h>

#include "demo/phone/phone.h"

#include "util/utf8.h"

typedef bool (*key_handler)(struct sq_phone *phone, struct sq_err *err);

static bool
key_home(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    if (phone->locked) {
        phone->asleep = false;
        return true;
    }
    sq_phone_home(phone);
    return true;
}

static bool
key_back(struct sq_phone *phone, struct sq_err *err) {
    const struct sq_demo_app *app = sq_demo_apps[phone->app];
    phone->focus = SQ_NO_FIELD;
    return (app->back && app->back(phone)) || key_home(phone, err);
}

static bool
key_overview(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    sq_phone_home(phone);
    phone->overview = true;
    return true;
}

static bool
key_power(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    phone->asleep = !phone->asleep;
    return true;
}

static bool
key_wakeup(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    phone->asleep = false;
    return true;
}

static bool
key_escape(struct sq_phone *phone, struct sq_err *err) {
    if (phone->focus == SQ_NO_FIELD) {
        return key_back(phone, err);
    }
    phone->focus = SQ_NO_FIELD;
    return true;
}

/* Deletes the last character. */
static bool
key_delete(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    if (phone->focus != SQ_NO_FIELD) {
        struct sq_buf *field = &phone->fields[phone->focus];
        size_t len = field->len;
        while (len && sq_utf8_is_continuation((char)field->data[len - 1])) {
            len--;
        }
        len -= len > 0;
        sq_buf_clear(field);
        sq_buf_commit(field, len);
    }
    return true;
}

static bool
key_space(struct sq_phone *phone, struct sq_err *err) {
    return sq_phone_type(phone, SQ_SPAN(" "), err);
}

/* Returns the field after the focused one, cyclically, or NULL. */
static const struct sq_item *
next_field(const struct sq_phone *phone, const struct sq_scene *scene) {
    const struct sq_item *first = NULL;
    bool passed = false;
    for (const struct sq_item *item = scene->root; item;
         item = sq_item_after(item)) {
        if (!sq_item_is(item, SQ_FIELD)) {
            continue;
        }
        if (passed) {
            return item;
        }
        first = first ? first : item;
        passed = item->widget->arg == phone->focus;
    }
    return first;
}

static bool
key_tab(struct sq_phone *phone, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *field = next_field(phone, &scene);
    phone->focus = field ? field->widget->arg : SQ_NO_FIELD;
    return true;
}

static const struct sq_item *
find_field(const struct sq_scene *scene, int field) {
    const struct sq_item *item = scene->root;
    while (item
           && !(sq_item_is(item, SQ_FIELD) && item->widget->arg == field)) {
        item = sq_item_after(item);
    }
    return item;
}

static bool
key_enter(struct sq_phone *phone, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (phone->focus == SQ_NO_FIELD) {
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *field = find_field(&scene, phone->focus);
    if (field && field->widget->enter) {
        field->widget->enter(phone, field);
    }
    return true;
}

static const struct sq_item *
find_scroll(const struct sq_scene *scene) {
    const struct sq_item *item = scene->root;
    while (item && !sq_item_is(item, SQ_SCROLL)) {
        item = sq_item_after(item);
    }
    return item;
}

/* Scrolls the screen by a multiple of its visible height. */
static bool
scroll_page(struct sq_phone *phone, double heights, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *item = find_scroll(&scene);
    if (item) {
        int range = sq_item_scroll_range(item);
        int *offset = &phone->scroll[item->widget->arg];
        double capacity = item->bounds.bottom - item->bounds.top;
        double to = (*offset < range ? *offset : range) + heights * capacity;
        *offset = to < 0 ? 0 : to > range ? range : (int)to;
    }
    return true;
}

static const struct key {
    const char *name;
    key_handler press;
    bool wakes;    /* works while the display is off */
    double scroll; /* instead of press: by this part of the visible height */
} keys[] = {
    { "back", .press = key_back },
    { "home", .press = key_home, .wakes = true },
    { "enter", .press = key_enter },
    { "tab", .press = key_tab },
    { "delete", .press = key_delete },
    { "escape", .press = key_escape },
    { "space", .press = key_space },
    { "app_switch", .press = key_overview },
    { "up", .scroll = -0.1 },
    { "down", .scroll = 0.1 },
    { "page_up", .scroll = -0.8 },
    { "page_down", .scroll = 0.8 },
    { "power", .press = key_power, .wakes = true },
    { "wakeup", .press = key_wakeup, .wakes = true },
    { "backspace", .press = key_delete },
    { "recents", .press = key_overview },
};

static bool
fail_unknown_key(const char *name, struct sq_err *err) {
    char names[SQ_ERR_HINT_SIZE];
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    size_t used = 0;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        sq_nearest_try(&nearest, keys[i].name);
        int more = snprintf(names + used, sizeof(names) - used, "%s%s",
                            i ? ", " : "", keys[i].name);
        used += (size_t)more;
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\"%s", name, remark);
    return sq_fail_hint(err, "Choose from: %s.", names);
}

bool
sq_phone_key(struct sq_phone *phone, const char *name, struct sq_err *err) {
    const struct sq_rect nothing = { 0, 0, 0, 0 };
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (strcmp(keys[i].name, name) == 0) {
            if (phone->asleep && !keys[i].wakes) {
                sq_fail(err, SQ_ERR_INVALID_OPERATION, "the display is off");
                return sq_fail_hint(err, "Press the key \"power\".");
            }
            if (sq_phone_defer(phone, NULL, name, nothing)) {
                return true;
            }
            phone->snack[0] = '\0';
            return (phone->locked && !keys[i].wakes)
                || (keys[i].press ? keys[i].press(phone, err)
                                  : scroll_page(phone, keys[i].scroll, err));
        }
    }
    return fail_unknown_key(name, err);
}

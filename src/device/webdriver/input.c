/* Touches, types and presses keys in a session. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/utf8.h"

#define MAX_BODY ((size_t)1 << 20)
#define BETWEEN_TAPS_MS 60
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Begins the actions of one pointer. */
static void
begin_pointer(struct sq_json_writer *w, const char *kind, int number) {
    char id[24];
    snprintf(id, sizeof(id), "pointer%d", number);
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, SQ_SPAN("pointer"));
    sq_json_put_key(w, "id");
    sq_json_put_string(w, sq_span_of(id));
    sq_json_put_key(w, "parameters");
    sq_json_begin_object(w);
    sq_json_put_key(w, "pointerType");
    sq_json_put_string(w, sq_span_of(kind));
    sq_json_end_object(w);
    sq_json_put_key(w, "actions");
    sq_json_begin_array(w);
}

static void
end_pointer(struct sq_json_writer *w) {
    sq_json_end_array(w);
    sq_json_end_object(w);
}

/* Writes a step: a pause, pointerDown, pointerUp, keyDown, ... */
static void
put_step(struct sq_json_writer *w, const char *type, const char *name,
         int number) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, sq_span_of(type));
    sq_json_put_key(w, name);
    sq_json_put_int(w, number);
    sq_json_end_object(w);
}

static void
put_move(struct sq_json_writer *w, struct sq_dev_pt to, int duration_ms) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, SQ_SPAN("pointerMove"));
    sq_json_put_key(w, "duration");
    sq_json_put_int(w, duration_ms);
    sq_json_put_key(w, "x");
    sq_json_put_int(w, to.x);
    sq_json_put_key(w, "y");
    sq_json_put_int(w, to.y);
    sq_json_end_object(w);
}

/* Begins {"actions":[ in a buffer. */
static void
begin_actions(struct sq_json_writer *w, struct sq_buf *body) {
    sq_buf_init(body, MAX_BODY);
    sq_json_writer_init(w, body);
    sq_json_begin_object(w);
    sq_json_put_key(w, "actions");
    sq_json_begin_array(w);
}

/* Ends and performs them, and frees the buffer. */
static bool
perform(struct sq_webdriver *wd, struct sq_json_writer *w, struct sq_buf *body,
        const struct sq_deadline *deadline, struct sq_err *err) {
    sq_json_end_array(w);
    sq_json_end_object(w);
    bool ok =
        sq_json_writer_done(w, err)
        && SQ_WD_POST(wd, "/actions", sq_buf_span(body), NULL, deadline, err);
    sq_buf_finish(body);
    return ok;
}

static const char *
pointer_kind(const struct sq_webdriver *wd) {
    return sq_wd_is_browser(wd) && !wd->is_emulated_phone ? "mouse" : "touch";
}

bool
sq_wd_tap(struct sq_device *device, const struct sq_touch *touch,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    struct sq_json_writer w;
    struct sq_buf body;
    begin_actions(&w, &body);
    begin_pointer(&w, pointer_kind(wd), 1);
    put_move(&w, touch->at, 0);
    for (int i = 0; i < touch->count; i++) {
        if (i > 0) {
            put_step(&w, "pause", "duration", BETWEEN_TAPS_MS);
        }
        put_step(&w, "pointerDown", "button", 0);
        put_step(&w, "pause", "duration", touch->duration_ms);
        put_step(&w, "pointerUp", "button", 0);
    }
    end_pointer(&w);
    return perform(wd, &w, &body, deadline, err);
}

/* Turns the wheel, as a person does in a page. */
static bool
scroll_page(struct sq_webdriver *wd, const struct sq_swipe *swipe,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf body;
    sq_buf_init(&body, MAX_BODY);
    bool ok =
        sq_buf_printf(&body, err,
                      "{\"actions\":[{\"type\":\"wheel\",\"id\":"
                      "\"wheel\",\"actions\":[{\"type\":\"scroll\","
                      "\"x\":%d,\"y\":%d,\"deltaX\":%d,\"deltaY\":%d,"
                      "\"duration\":0,\"origin\":\"viewport\"}]}]}",
                      swipe->from.x, swipe->from.y, swipe->from.x - swipe->to.x,
                      swipe->from.y - swipe->to.y)
        && SQ_WD_POST(wd, "/actions", sq_buf_span(&body), NULL, deadline, err);
    sq_buf_finish(&body);
    return ok;
}

bool
sq_wd_swipe(struct sq_device *device, const struct sq_swipe *swipe,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct sq_finger_paths path = {
        .finger_count = 1,
        .step_count = 2,
        .steps = { { 0, { swipe->from } },
                   { swipe->duration_ms, { swipe->to } } },
    };
    const struct sq_hand hand = { .paths = &path };
    return sq_wd_is_browser(wd) && !wd->is_emulated_phone
             ? scroll_page(wd, swipe, deadline, err)
             : sq_wd_gesture(device, &hand, deadline, err);
}

bool
sq_wd_gesture(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_finger_paths *paths = hand->paths;
    struct sq_json_writer w;
    struct sq_buf body;
    begin_actions(&w, &body);
    for (int finger = 0; finger < paths->finger_count; finger++) {
        begin_pointer(&w, "touch", finger + 1);
        put_move(&w, paths->steps[0].fingers[finger], 0);
        put_step(&w, "pointerDown", "button", 0);
        for (int i = 1; i < paths->step_count; i++) {
            put_move(&w, paths->steps[i].fingers[finger],
                     paths->steps[i].at_ms - paths->steps[i - 1].at_ms);
        }
        put_step(&w, "pointerUp", "button", 0);
        end_pointer(&w);
    }
    return perform(sq_webdriver_of(device), &w, &body, deadline, err);
}

/* The keys, as each kind of server names them; 0 or NULL: it has none. */
static const struct key {
    const char *name;
    int android;         /* Android's key code */
    uint32_t character;  /* of the protocol */
    const char *ios;     /* a button of an iPhone */
    const char *command; /* of a browser */
} keys[] = {
    { "enter", 66, 0xe007, NULL, NULL },
    { "return", 66, 0xe007, NULL, NULL },
    { "tab", 61, 0xe004, NULL, NULL },
    { "escape", 111, 0xe00c, NULL, NULL },
    { "delete", 67, 0xe003, NULL, NULL },
    { "backspace", 67, 0xe003, NULL, NULL },
    { "forward_del", 112, 0xe017, NULL, NULL },
    { "space", 62, ' ', NULL, NULL },
    { "up", 19, 0xe013, NULL, NULL },
    { "down", 20, 0xe015, NULL, NULL },
    { "left", 21, 0xe012, NULL, NULL },
    { "right", 22, 0xe014, NULL, NULL },
    { "page_up", 92, 0xe00e, NULL, NULL },
    { "page_down", 93, 0xe00f, NULL, NULL },
    { "move_home", 122, 0xe011, NULL, NULL },
    { "move_end", 123, 0xe010, NULL, NULL },
    { "home", 3, 0xe011, "home", NULL },
    { "back", 4, 0, NULL, "/back" },
    { "forward", 125, 0, NULL, "/forward" },
    { "reload", 0, 0xe035, NULL, "/refresh" },
    { "app_switch", 187, 0, NULL, NULL },
    { "menu", 82, 0, NULL, NULL },
    { "power", 26, 0, NULL, NULL },
    { "wakeup", 224, 0, NULL, NULL },
    { "search", 84, 0, NULL, NULL },
    { "volume_up", 24, 0, "volumeup", NULL },
    { "volume_down", 25, 0, "volumedown", NULL },
};

static const struct modifier {
    const char *name;
    uint32_t character;
} modifiers[] = { { "ctrl", 0xe009 },
                  { "control", 0xe009 },
                  { "shift", 0xe008 },
                  { "alt", 0xe00a },
                  { "meta", 0xe03d } };

static bool
fail_key(const char *name, struct sq_err *err) {
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < COUNT(keys); i++) {
        sq_nearest_try(&nearest, keys[i].name);
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\" on this device%s", name,
            remark);
    return sq_fail_hint(err, "Use for example enter, tab, escape, backspace, "
                             "up, down, page_down, back, home; in a browser "
                             "also forward, reload, ctrl-a.");
}

/* Writes one key that goes down or up. */
static void
put_character(struct sq_json_writer *w, const char *type, struct sq_span text) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, sq_span_of(type));
    sq_json_put_key(w, "value");
    sq_json_put_string(w, text);
    sq_json_end_object(w);
}

static void
put_code(struct sq_json_writer *w, const char *type, uint32_t code) {
    char text[SQ_UTF8_MAX];
    size_t len = sq_utf8_encode(code, text);
    put_character(w, type, (struct sq_span){ text, len });
}

static void
begin_keys(struct sq_json_writer *w, struct sq_buf *body) {
    begin_actions(w, body);
    sq_json_begin_object(w);
    sq_json_put_key(w, "type");
    sq_json_put_string(w, SQ_SPAN("key"));
    sq_json_put_key(w, "id");
    sq_json_put_string(w, SQ_SPAN("keyboard"));
    sq_json_put_key(w, "actions");
    sq_json_begin_array(w);
}

/* Presses a key of a page, with modifiers before it: ctrl-a, ctrl+shift+t. */
static bool
press_in_page(struct sq_webdriver *wd, const char *name,
              const struct sq_deadline *deadline, struct sq_err *err) {
    uint32_t held[COUNT(modifiers)];
    size_t held_count = 0;
    struct sq_span rest = sq_span_of(name);
    for (size_t i = 0; i < COUNT(modifiers); i++) {
        struct sq_span after = rest;
        if (held_count < COUNT(held)
            && sq_span_take_prefix(&after, modifiers[i].name) && after.len > 1
            && (after.ptr[0] == '-' || after.ptr[0] == '+')) {
            rest = (struct sq_span){ after.ptr + 1, after.len - 1 };
            held[held_count++] = modifiers[i].character;
            i = (size_t)-1; /* another one may follow */
        }
    }
    uint32_t code = 0;
    for (size_t i = 0; i < COUNT(keys); i++) {
        code = sq_span_is(rest, keys[i].name) ? keys[i].character : code;
    }
    if (code == 0 && sq_utf8_decode(rest, &code) != rest.len) {
        return fail_key(name, err);
    }
    struct sq_json_writer w;
    struct sq_buf body;
    begin_keys(&w, &body);
    for (size_t i = 0; i < held_count; i++) {
        put_code(&w, "keyDown", held[i]);
    }
    put_code(&w, "keyDown", code);
    put_code(&w, "keyUp", code);
    for (size_t i = held_count; i > 0; i--) {
        put_code(&w, "keyUp", held[i - 1]);
    }
    end_pointer(&w);
    return perform(wd, &w, &body, deadline, err);
}

/* Types into the element with the focus, as the protocol does. */
static bool
type_into_active(struct sq_webdriver *wd, struct sq_span text,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    char path[SQ_WD_PATH_SIZE];
    struct sq_buf body;
    if (!sq_wd_active_element(wd, "value", path, deadline, err)) {
        return false;
    }
    sq_buf_init(&body, MAX_BODY);
    bool ok = sq_wd_write_text(&body, "text", text, err)
           && SQ_WD_POST(wd, path, sq_buf_span(&body), NULL, deadline, err);
    sq_buf_finish(&body);
    return ok;
}

static bool
press_on_phone(struct sq_webdriver *wd, const struct key *key,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char code[40];
    if (wd->platform == SQ_WD_IOS && key->ios) {
        return sq_wd_mobile(
            wd, SQ_WD_MOBILE("pressButton", "name", sq_span_of(key->ios)), NULL,
            deadline, err);
    }
    if (wd->platform == SQ_WD_IOS && key->character == 0xe007) {
        return type_into_active(wd, SQ_SPAN("\n"), deadline, err);
    }
    if (wd->platform != SQ_WD_IOS && key->android > 0) {
        snprintf(code, sizeof(code), "{\"keycode\":%d}", key->android);
        return sq_wd_execute(wd, SQ_SPAN("mobile: pressKey"), sq_span_of(code),
                             NULL, deadline, err);
    }
    return fail_key(key->name, err);
}

static const struct key *
find_key(const char *name) {
    for (size_t i = 0; i < COUNT(keys); i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool
press(struct sq_webdriver *wd, const char *name,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct key *key = find_key(name);
    if (!sq_wd_is_browser(wd)) {
        return key ? press_on_phone(wd, key, deadline, err)
                   : fail_key(name, err);
    }
    return key && key->command ? SQ_WD_POST(
               wd, key->command, (struct sq_span){ 0 }, NULL, deadline, err)
                               : press_in_page(wd, name, deadline, err);
}

/* While a dialog is open, enter accepts it and escape dismisses it. */
bool
sq_wd_key(struct sq_device *device, const char *name,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct key *key = find_key(name);
    struct sq_err local_err = { 0 };
    if (press(wd, name, deadline, &local_err)) {
        return true;
    }
    bool accepts = key && key->character == 0xe007;
    bool dismisses = key && key->character == 0xe00c;
    if (local_err.cause != SQ_WD_DIALOG_OPEN || !(accepts || dismisses)) {
        return sq_fail_with(err, &local_err);
    }
    return SQ_WD_POST(wd, accepts ? "/alert/accept" : "/alert/dismiss",
                      (struct sq_span){ 0 }, NULL, deadline, err);
}

/* Types by keys, which pages notice; a new line presses enter. */
static bool
type_by_keys(struct sq_webdriver *wd, struct sq_span text,
             const struct sq_deadline *deadline, struct sq_err *err) {
    static const struct sq_span has_field = SQ_SPAN_INIT(
        "const e = document.activeElement; return !!e && (e.isContentEditable "
        "|| /^(INPUT|TEXTAREA|SELECT|IFRAME)$/.test(e.tagName) "
        "|| !!e.shadowRoot)");
    const struct sq_json *value = NULL;
    struct sq_json_writer w;
    struct sq_buf body;
    bool has_focus = !sq_wd_is_browser(wd);
    if (!has_focus
        && !sq_wd_execute(wd, has_field, (struct sq_span){ 0 }, &value,
                          deadline, err)) {
        return false;
    }
    sq_json_bool(value, &has_focus);
    if (!has_focus) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err, "@Tap the field first, or give its selector.");
    }
    begin_keys(&w, &body);
    while (text.len > 0) {
        uint32_t code;
        size_t len = sq_utf8_decode(text, &code);
        len = len > 0 ? len : 1;
        struct sq_span one = { text.ptr, len };
        if (*text.ptr == '\n') {
            put_code(&w, "keyDown", 0xe007);
            put_code(&w, "keyUp", 0xe007);
        } else {
            put_character(&w, "keyDown", one);
            put_character(&w, "keyUp", one);
        }
        text.ptr += len;
        text.len -= len;
    }
    end_pointer(&w);
    return perform(wd, &w, &body, deadline, err);
}

static bool
type(struct sq_webdriver *wd, struct sq_span text,
     const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_wd_is_browser(wd) || wd->platform == SQ_WD_OTHER
             ? type_by_keys(wd, text, deadline, err)
         : wd->platform == SQ_WD_ANDROID
             ? sq_wd_mobile(wd, SQ_WD_MOBILE("type", "text", text), NULL,
                            deadline, err)
             : type_into_active(wd, text, deadline, err);
}

bool
sq_wd_text(struct sq_device *device, struct sq_span text,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    struct sq_err local_err = { 0 };
    struct sq_buf body;
    if (type(wd, text, deadline, &local_err)) {
        return true;
    }
    if (local_err.cause != SQ_WD_DIALOG_OPEN) {
        return sq_fail_with(err, &local_err);
    }
    sq_buf_init(&body, MAX_BODY);
    bool ok = sq_wd_write_text(&body, "text", text, err)
           && SQ_WD_POST(wd, "/alert/text", sq_buf_span(&body), NULL, deadline,
                         err);
    sq_buf_finish(&body);
    return ok;
}

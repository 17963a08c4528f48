/* Touches, types and presses keys in a session. */
#include <stdio.h>
#include <string.h>

#include "device/page_elements.h"
#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/utf8.h"

#define BETWEEN_TAPS_MS 60
#define RIGHT_BUTTON 2
#define ENTER 0xe007 /* a key of the protocol, as ESCAPE */
#define ESCAPE 0xe00c
#define UNREADABLE 0xfffd /* stands for bytes that are not UTF-8 */

/* Writes a member that is a text. */
static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_string(sq_json_at(w, key), sq_span_of(text));
}

/* Begins the actions of one pointer. */
static void
begin_pointer(struct sq_json_writer *w, const char *kind, int number) {
    char id[24];
    snprintf(id, sizeof(id), "pointer%d", number);
    sq_json_begin_object(w);
    put_text(w, "type", "pointer");
    put_text(w, "id", id);
    sq_json_begin_object_of(w, "parameters");
    put_text(w, "pointerType", kind);
    sq_json_end_object(w);
    sq_json_begin_array_of(w, "actions");
}

static void
end_source(struct sq_json_writer *w) {
    sq_json_end_array(w);
    sq_json_end_object(w);
}

/* Writes a step: a pause, pointerDown, pointerUp, keyDown, ... */
static void
put_step(struct sq_json_writer *w, const char *type, const char *name,
         int number) {
    sq_json_begin_object(w);
    put_text(w, "type", type);
    sq_json_put_int(sq_json_at(w, name), number);
    sq_json_end_object(w);
}

static void
put_move(struct sq_json_writer *w, struct sq_dev_pt to, int duration_ms) {
    sq_json_begin_object(w);
    put_text(w, "type", "pointerMove");
    sq_json_put_int(sq_json_at(w, "duration"), duration_ms);
    sq_json_put_int(sq_json_at(w, "x"), to.x);
    sq_json_put_int(sq_json_at(w, "y"), to.y);
    sq_json_end_object(w);
}

/* Begins {"actions":[ in a buffer. */
static void
begin_actions(struct sq_json_writer *w, struct sq_buf *body) {
    sq_json_open(w, body);
    sq_json_begin_array_of(w, "actions");
}

/* Ends and performs them. */
static bool
perform(struct sq_webdriver *wd, struct sq_json_writer *w,
        const struct sq_deadline *deadline, struct sq_err *err) {
    sq_json_end_array(w);
    return sq_json_close(w, err)
        && SQ_WD_POST(wd, "/actions", sq_buf_span(w->out), NULL, deadline, err);
}

static bool
has_mouse(const struct sq_webdriver *wd) {
    return sq_wd_is_browser(wd) && !wd->is_emulated_phone;
}

/* What a long press is on a phone, a click of the right button is. */
static bool
press_pointer(struct sq_webdriver *wd, const struct sq_touch *touch,
              const struct sq_deadline *deadline, struct sq_err *err) {
    const bool is_right = has_mouse(wd) && touch->duration_ms > 0;
    const int button = is_right ? RIGHT_BUTTON : 0;
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    begin_actions(&w, &body);
    begin_pointer(&w, has_mouse(wd) ? "mouse" : "touch", 1);
    put_move(&w, touch->at, 0);
    for (int i = 0; i < touch->count; i++) {
        if (i > 0) {
            put_step(&w, "pause", "duration", BETWEEN_TAPS_MS);
        }
        put_step(&w, "pointerDown", "button", button);
        put_step(&w, "pause", "duration", is_right ? 0 : touch->duration_ms);
        put_step(&w, "pointerUp", "button", button);
    }
    end_source(&w);
    return perform(wd, &w, deadline, err);
}

/* Clicks on what was meant, or not at all. */
static bool
click_on(struct sq_webdriver *wd, const struct sq_touch *touch,
         const struct sq_deadline *deadline, struct sq_err *err) {
    char call[40];
    char word[SQ_WD_WORD_SIZE] = "";
    struct sq_err local_err = { 0 };
    snprintf(call, sizeof(call), "aim(%d,%s)", touch->id,
             touch->only_focus ? "true" : "false");
    if (!sq_wd_ask_page(wd, sq_span_of(call), word, deadline, &local_err)
        && (wd->platform == SQ_WD_CHROME
            || local_err.code != SQ_ERR_UNSUPPORTED)) {
        return sq_fail_with(err, &local_err);
    }
    if (strcmp(word, "done") == 0) {
        return true;
    }
    /* Where the page's own scripts run, a browser may not keep the walk. */
    bool is_known = wd->platform == SQ_WD_CHROME || strcmp(word, "gone") == 0;
    if (is_known && strcmp(word, "aimed") != 0) {
        return sq_page_fail_gone(false, err);
    }
    return press_pointer(wd, touch, deadline, err)
        && (touch->id == 0
            || !sq_wd_ask_page(wd, SQ_SPAN("landed()"), word, deadline, NULL)
            || strcmp(word, "elsewhere") != 0 || sq_page_fail_gone(true, err));
}

bool
sq_wd_tap(struct sq_device *device, const struct sq_touch *touch,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    device->notice[0] = '\0';
    if (sq_wd_is_browser(wd) && wd->tab_count == 0) {
        sq_wd_show_new_tab(wd, deadline); /* counts them */
    }
    bool ok = sq_wd_is_browser(wd) && touch->count > 0
                ? click_on(wd, touch, deadline, err)
                : press_pointer(wd, touch, deadline, err);
    if (ok && sq_wd_is_browser(wd)) {
        sq_wd_show_new_tab(wd, deadline);
    }
    return ok;
}

/* Presses pointers, moves them along their paths, and releases them. */
static bool
move_pointers(struct sq_webdriver *wd, const char *kind,
              const struct sq_finger_paths *paths,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    begin_actions(&w, &body);
    for (int finger = 0; finger < paths->finger_count; finger++) {
        begin_pointer(&w, kind, finger + 1);
        put_move(&w, paths->steps[0].fingers[finger], 0);
        put_step(&w, "pointerDown", "button", 0);
        for (int i = 1; i < paths->step_count; i++) {
            put_move(&w, paths->steps[i].fingers[finger],
                     paths->steps[i].at_ms - paths->steps[i - 1].at_ms);
        }
        put_step(&w, "pointerUp", "button", 0);
        end_source(&w);
    }
    return perform(wd, &w, deadline, err);
}

/* Turns the wheel, as a person does in a page. */
static bool
scroll_page(struct sq_webdriver *wd, const struct sq_swipe *swipe,
            const struct sq_deadline *deadline, struct sq_err *err) {
    char body[240];
    snprintf(body, sizeof(body),
             "{\"actions\":[{\"type\":\"wheel\",\"id\":\"wheel\","
             "\"actions\":[{\"type\":\"scroll\",\"x\":%d,\"y\":%d,"
             "\"deltaX\":%d,\"deltaY\":%d,\"duration\":0,"
             "\"origin\":\"viewport\"}]}]}",
             swipe->from.x, swipe->from.y, swipe->from.x - swipe->to.x,
             swipe->from.y - swipe->to.y);
    return SQ_WD_POST(wd, "/actions", sq_span_of(body), NULL, deadline, err);
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
    return has_mouse(wd) && !swipe->is_drag
             ? scroll_page(wd, swipe, deadline, err)
             : move_pointers(wd, has_mouse(wd) ? "mouse" : "touch", &path,
                             deadline, err);
}

bool
sq_wd_gesture(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    return move_pointers(sq_webdriver_of(device), "touch", hand->paths,
                         deadline, err);
}

/* The keys, as each kind of server names them; 0 or NULL: it has none. */
static const struct key {
    const char *name;
    int android;         /* Android's key code */
    uint32_t character;  /* of the protocol */
    const char *ios;     /* a button of an iPhone */
    const char *command; /* of a browser */
} keys[] = {
    { "enter", 66, ENTER, NULL, NULL },
    { "return", 66, ENTER, NULL, NULL },
    { "tab", 61, 0xe004, NULL, NULL },
    { "escape", 111, ESCAPE, NULL, NULL },
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

static const struct key *
find_key(struct sq_span name) {
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (sq_span_is(name, keys[i].name)) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool
fail_key(const char *name, struct sq_err *err) {
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
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
put_key(struct sq_json_writer *w, const char *type, uint32_t code) {
    char text[SQ_UTF8_MAX];
    size_t len = sq_utf8_encode(code, text);
    sq_json_begin_object(w);
    put_text(w, "type", type);
    sq_json_put_string(sq_json_at(w, "value"), (struct sq_span){ text, len });
    sq_json_end_object(w);
}

static void
press_and_release(struct sq_json_writer *w, uint32_t code) {
    put_key(w, "keyDown", code);
    put_key(w, "keyUp", code);
}

static void
begin_keys(struct sq_json_writer *w, struct sq_buf *body) {
    begin_actions(w, body);
    sq_json_begin_object(w);
    put_text(w, "type", "key");
    put_text(w, "id", "keyboard");
    sq_json_begin_array_of(w, "actions");
}

/* Presses a key of a page, with modifiers before it: ctrl-a, ctrl+shift+t. */
static bool
press_in_page(struct sq_webdriver *wd, const char *name,
              const struct sq_deadline *deadline, struct sq_err *err) {
    uint32_t held[SQ_COUNT(modifiers)];
    size_t held_count = 0;
    struct sq_span rest = sq_span_of(name);
    for (size_t i = 0; i < SQ_COUNT(modifiers); i++) {
        struct sq_span after = rest;
        if (held_count < SQ_COUNT(held)
            && sq_span_take_prefix(&after, modifiers[i].name) && after.len > 1
            && (after.ptr[0] == '-' || after.ptr[0] == '+')) {
            rest = (struct sq_span){ after.ptr + 1, after.len - 1 };
            held[held_count++] = modifiers[i].character;
            i = (size_t)-1; /* another one may follow */
        }
    }
    const struct key *key = find_key(rest);
    uint32_t code = key ? key->character : 0;
    if (code == 0 && sq_utf8_decode(rest, &code) != rest.len) {
        return fail_key(name, err);
    }
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    begin_keys(&w, &body);
    for (size_t i = 0; i < held_count; i++) {
        put_key(&w, "keyDown", held[i]);
    }
    press_and_release(&w, code);
    for (size_t i = held_count; i > 0; i--) {
        put_key(&w, "keyUp", held[i - 1]);
    }
    end_source(&w);
    return perform(wd, &w, deadline, err);
}

/* Types into the element with the focus, as the protocol does. */
static bool
type_into_active(struct sq_webdriver *wd, struct sq_span text,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    char id[SQ_WD_SESSION_SIZE];
    char path[SQ_WD_PATH_SIZE];
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    if (!wd->endpoint.is_agent) {
        bool has_focus = sq_wd_find_focus(wd, id, deadline, err);
        snprintf(path, sizeof(path), "/element/%s/value", has_focus ? id : "");
        return has_focus
            && sq_wd_post_text(wd, path, "text", text, deadline, err);
    }
    sq_json_open(&w, &body);
    sq_json_begin_array_of(&w, "value");
    sq_json_put_string(&w, text);
    sq_json_end_array(&w);
    return sq_json_close(&w, err)
        && SQ_WD_POST(wd, "/wda/keys", sq_buf_span(&body), NULL, deadline, err);
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
    if (wd->platform == SQ_WD_IOS && key->character == ENTER) {
        return type_into_active(wd, SQ_SPAN("\n"), deadline, err);
    }
    if (wd->platform != SQ_WD_IOS && key->android > 0) {
        snprintf(code, sizeof(code), "{\"keycode\":%d}", key->android);
        return sq_wd_execute(wd, SQ_SPAN("mobile: pressKey"), sq_span_of(code),
                             NULL, deadline, err);
    }
    return fail_key(key->name, err);
}

static bool
press(struct sq_webdriver *wd, const char *name,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct key *key = find_key(sq_span_of(name));
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
    const struct key *key = find_key(sq_span_of(name));
    struct sq_err local_err = { 0 };
    if (press(wd, name, deadline, &local_err)) {
        return true;
    }
    bool accepts = key && key->character == ENTER;
    bool dismisses = key && key->character == ESCAPE;
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
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    begin_keys(&w, &body);
    while (text.len > 0) {
        uint32_t code = UNREADABLE;
        size_t len = sq_utf8_decode(text, &code);
        sq_span_skip(&text, len > 0 ? len : 1);
        press_and_release(&w, code == '\n' ? ENTER : code);
    }
    end_source(&w);
    return perform(wd, &w, deadline, err);
}

/* Sets a field that takes no keys, such as a list to choose from, or types. */
static bool
type_into_page(struct sq_webdriver *wd, struct sq_span text,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char word[SQ_WD_WORD_SIZE] = "";
    SQ_BUF(call, SQ_WD_MAX_BODY);
    if (!sq_page_write_enter(text, &call, err)
        || !sq_wd_ask_page(wd, sq_buf_span(&call), word, deadline, err)) {
        return false;
    }
    if (strncmp(word, "file", 4) == 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "browsers of a farm cannot be given files");
    }
    return strcmp(word, "set") == 0
        || (word[0] == '!' ? sq_page_fail_value(word + 1, err)
            : strcmp(word, "none") == 0
                ? sq_wd_fail_focus(err)
                : type_by_keys(wd, text, deadline, err));
}

static bool
type(struct sq_webdriver *wd, struct sq_span text,
     const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_wd_is_browser(wd)        ? type_into_page(wd, text, deadline, err)
         : wd->platform == SQ_WD_OTHER ? type_by_keys(wd, text, deadline, err)
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
    if (type(wd, text, deadline, &local_err)) {
        return true;
    }
    return local_err.cause == SQ_WD_DIALOG_OPEN
             ? sq_wd_post_text(wd, "/alert/text", "text", text, deadline, err)
             : sq_fail_with(err, &local_err);
}

/* Names of keys, and how the protocol describes them. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"

static const struct sq_browser_key keys[] = {
    { "enter", "Enter", "Enter", 13, "\r" },
    { "tab", "Tab", "Tab", 9, "" },
    { "escape", "Escape", "Escape", 27, "" },
    { "backspace", "Backspace", "Backspace", 8, "" },
    { "delete", "Delete", "Delete", 46, "" },
    { "space", " ", "Space", 32, " " },
    { "up", "ArrowUp", "ArrowUp", 38, "" },
    { "down", "ArrowDown", "ArrowDown", 40, "" },
    { "left", "ArrowLeft", "ArrowLeft", 37, "" },
    { "right", "ArrowRight", "ArrowRight", 39, "" },
    { "pageup", "PageUp", "PageUp", 33, "" },
    { "pagedown", "PageDown", "PageDown", 34, "" },
    { "home", "Home", "Home", 36, "" },
    { "end", "End", "End", 35, "" },
    { "insert", "Insert", "Insert", 45, "" },
    { "f1", "F1", "F1", 112, "" },
    { "f2", "F2", "F2", 113, "" },
    { "f3", "F3", "F3", 114, "" },
    { "f4", "F4", "F4", 115, "" },
    { "f5", "F5", "F5", 116, "" },
    { "f6", "F6", "F6", 117, "" },
    { "f7", "F7", "F7", 118, "" },
    { "f8", "F8", "F8", 119, "" },
    { "f9", "F9", "F9", 120, "" },
    { "f10", "F10", "F10", 121, "" },
    { "f11", "F11", "F11", 122, "" },
    { "f12", "F12", "F12", 123, "" },
};

/* Other names that keys have on phones and elsewhere. */
static const struct {
    const char *name;
    const char *same;
} synonyms[] = {
    { "return", "enter" },   { "esc", "escape" },
    { "del", "backspace" },  { "forward_del", "delete" },
    { "page_up", "pageup" }, { "page_down", "pagedown" },
    { "dpad_up", "up" },     { "dpad_down", "down" },
    { "dpad_left", "left" }, { "dpad_right", "right" },
    { "move_home", "home" }, { "move_end", "end" },
    { "arrowup", "up" },     { "arrowdown", "down" },
    { "arrowleft", "left" }, { "arrowright", "right" },
};

static const struct {
    const char *name;
    int bit;
} modifier_names[] = {
    { "alt", 1 },  { "ctrl", 2 }, { "control", 2 },
    { "meta", 4 }, { "cmd", 4 },  { "shift", 8 },
};

static bool
fail_unknown(const char *name, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "a browser has no key \"%.40s\"", name);
    return sq_fail_hint(
        err, "Keys: back, forward, reload, enter, tab, escape, backspace, "
             "delete, space, up, down, left, right, pageup, pagedown, home, "
             "end, f1 to f12, a letter or a digit; before it ctrl-, shift-, "
             "alt- or meta-, such as ctrl-a.");
}

/* Takes "ctrl-" or "ctrl+". */
static bool
take_modifier(struct sq_span *rest, int *modifiers) {
    for (size_t i = 0; i < SQ_COUNT(modifier_names); i++) {
        struct sq_span after = *rest;
        if (sq_span_take_prefix(&after, modifier_names[i].name)
            && (sq_span_take_prefix(&after, "-")
                || sq_span_take_prefix(&after, "+"))
            && after.len > 0) {
            *rest = after;
            *modifiers |= modifier_names[i].bit;
            return true;
        }
    }
    return false;
}

/* Describes the key of a letter or digit; `own` keeps its texts. */
static bool
find_character(struct sq_span name, int modifiers, struct sq_browser_key *out,
               char own[16]) {
    char lower = name.len == 1 ? name.ptr[0] : '\0';
    bool is_letter = lower >= 'a' && lower <= 'z';
    bool is_digit = lower >= '0' && lower <= '9';
    if (!is_letter && !is_digit) {
        return false;
    }
    char upper = is_letter ? (char)(lower - 'a' + 'A') : lower;
    bool is_shifted = is_letter && modifiers & 8;
    snprintf(own, 2, "%c", is_shifted ? upper : lower);
    snprintf(own + 2, 14, "%s%c", is_letter ? "Key" : "Digit", upper);
    bool types = (modifiers & ~8) == 0;
    *out =
        (struct sq_browser_key){ own, own, own + 2, upper, types ? own : "" };
    return true;
}

bool
sq_browser_key_find(const char *name, struct sq_browser_key *out, char own[16],
                    int *modifiers, struct sq_err *err) {
    struct sq_span rest = sq_span_of(name);
    *modifiers = 0;
    while (take_modifier(&rest, modifiers)) {
    }
    for (size_t i = 0; i < SQ_COUNT(synonyms); i++) {
        if (sq_span_is(rest, synonyms[i].name)) {
            rest = sq_span_of(synonyms[i].same);
        }
    }
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (sq_span_is(rest, keys[i].name)) {
            *out = keys[i];
            return true;
        }
    }
    return find_character(rest, *modifiers, out, own)
        || fail_unknown(name, err);
}

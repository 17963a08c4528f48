/* Parses the displays, their power and windows from wm and dumpsys. */
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"
#include "util/limits.h"

#define MAX_DPI 10000

static bool
take_side(struct sq_span *rest, int *out) {
    int64_t side;
    if (!sq_span_take_int64(rest, &side) || side < 1 || side > SQ_MAX_SIDE) {
        return false;
    }
    *out = (int)side;
    return true;
}

static bool
take_size(struct sq_span *rest, void *out) {
    struct sq_span at = *rest;
    struct sq_size size;
    if (!take_side(&at, &size.width) || !sq_span_take_prefix(&at, "x")
        || !take_side(&at, &size.height)) {
        return false;
    }
    *(struct sq_size *)out = size;
    *rest = at;
    return true;
}

static bool
take_dpi(struct sq_span *rest, void *out) {
    int64_t dpi;
    if (!sq_span_take_int64(rest, &dpi) || dpi < 1 || dpi > MAX_DPI) {
        return false;
    }
    *(int *)out = (int)dpi;
    return true;
}

/* Finds the first parsable value after a name, in any line. */
static bool
find_value(struct sq_span text, const char *name, void *out,
           bool (*take)(struct sq_span *rest, void *out)) {
    struct sq_span line;
    while (sq_line_take(&text, &line)) {
        struct sq_span value;
        if (sq_line_find(line, name, &value)) {
            value = sq_span_trim(value);
            if (take(&value, out)) {
                return true;
            }
        }
    }
    return false;
}

bool
sq_wm_parse_size(struct sq_span text, struct sq_size *out) {
    return find_value(text, "Override size:", out, take_size)
        || find_value(text, "Physical size:", out, take_size);
}

bool
sq_wm_parse_density(struct sq_span text, int *dpi) {
    return find_value(text, "Override density:", dpi, take_dpi)
        || find_value(text, "Physical density:", dpi, take_dpi);
}

/*
 * Where a rotation is found, most reliable first: the touch screen's, then the
 * window manager's, then the rest.
 */
static const struct rotation_form {
    const char *line;    /* the line must contain this, or NULL */
    const char *without; /* but must not contain this, or NULL */
    const char *name;    /* the value follows this */
} rotation_forms[] = {
    { "Viewport INTERNAL: displayId=0,", "isActive=[0]", "orientation=" },
    { NULL, NULL, "SurfaceOrientation:" },
    { NULL, NULL, "mDisplayRotation=" },
    { NULL, NULL, "mCurrentRotation=" },
    { NULL, NULL, "mRotation=" },
    { "DisplayViewport{type=INTERNAL", NULL, "orientation=" },
    { NULL, NULL, "mCurrentOrientation=" },
};

/* Reads quarter turns: "1" or "ROTATION_90". */
static bool
read_rotation_form(const struct rotation_form *form, struct sq_span line,
                   int *turns) {
    struct sq_span rest = line;
    int64_t number;
    if ((form->line && !sq_line_find(line, form->line, &rest))
        || (form->without && sq_line_has(line, form->without))
        || !sq_line_find(rest, form->name, &rest)) {
        return false;
    }
    rest = sq_span_trim(rest);
    int64_t unit = sq_span_take_prefix(&rest, "ROTATION_") ? 90 : 1;
    if (!sq_span_take_int64(&rest, &number) || number < 0 || number % unit != 0
        || number / unit > 3) {
        return false;
    }
    *turns = (int)(number / unit);
    return true;
}

bool
sq_display_parse_rotation(struct sq_span dumpsys, int *rotation) {
    size_t best = SQ_COUNT(rotation_forms);
    bool in_other_display = false;
    struct sq_span line;
    while (best > 0
           && sq_line_take_default(&dumpsys, &in_other_display, &line)) {
        for (size_t i = 0; i < best; i++) {
            if (read_rotation_form(&rotation_forms[i], line, rotation)) {
                best = i;
            }
        }
    }
    return best < SQ_COUNT(rotation_forms);
}

/* init=1080x2400 420dpi [base=720x1600 320dpi ...] cur=720x1600 app=... */
static bool
read_sizes(struct sq_span line, struct sq_display_state *out) {
    struct sq_span rest;
    struct sq_size size;
    if (!sq_line_find(line, "cur=", &rest) || !take_size(&rest, &size)) {
        return false;
    }
    struct sq_size ignored;
    int dpi = 0;
    bool has_dpi = (sq_line_find(line, "base=", &rest)
                    || sq_line_find(line, "init=", &rest))
                && take_size(&rest, &ignored) && sq_span_take_prefix(&rest, " ")
                && take_dpi(&rest, &dpi) && sq_span_take_prefix(&rest, "dpi");
    out->size = size;
    out->dpi = has_dpi ? dpi : 0;
    return true;
}

bool
sq_display_parse_state(struct sq_span dumpsys, struct sq_display_state *out) {
    struct sq_display_state state;
    if (!sq_display_parse_rotation(dumpsys, &state.rotation)) {
        return false;
    }
    bool in_other_display = false;
    struct sq_span line;
    while (sq_line_take_default(&dumpsys, &in_other_display, &line)) {
        if (read_sizes(line, &state)) {
            *out = state;
            return true;
        }
    }
    return false;
}

static bool
take_number(struct sq_span *rest, uint64_t *out) {
    struct sq_span digits = { rest->ptr, 0 };
    while (digits.len < rest->len && sq_is_digit(rest->ptr[digits.len])) {
        digits.len++;
    }
    if (!sq_span_to_uint64(digits, out)) {
        return false;
    }
    sq_span_skip(rest, digits.len);
    return true;
}

/* Display 4619827677550801152 (HWC display 0): ... displayName="Panel" */
bool
sq_display_take_id(struct sq_span *rest, struct sq_display_id *out) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        struct sq_display_id display = { 0 };
        if (sq_span_take_prefix(&line, "Display ")
            && take_number(&line, &display.id)
            && (line.len == 0 || line.ptr[0] == ' ')) {
            if (sq_line_find(line, "displayName=\"", &line)) {
                sq_span_take_until(&line, '"', &display.name);
            }
            *out = display;
            return true;
        }
    }
    return false;
}

bool
sq_display_parse_active(struct sq_span dumpsys, uint64_t *id) {
    struct sq_span viewport;
    struct sq_span rest;
    uint64_t display;
    while (sq_line_find(dumpsys, "DisplayViewport{", &dumpsys)
           && sq_span_take_until(&dumpsys, '}', &viewport)) {
        if (sq_line_has(viewport, "type=INTERNAL")
            && !sq_line_has(viewport, "isActive=false")
            && sq_line_find(viewport, "displayId=", &rest)
            && take_number(&rest, &display) && display == 0
            && sq_line_find(viewport, "uniqueId='local:", &rest)
            && take_number(&rest, id)) {
            return true;
        }
    }
    return false;
}

/* Where the screen's power state is found, most reliable first. */
static const struct state_form {
    const char *name;
    bool is;
} power_forms[] = {
    { "Display Power: state=ON", true },
    { "Display Power: state=", false },
    { "mWakefulness=Awake", true },
    { "mWakefulness=Dreaming", true },
    { "mWakefulness=", false },
    { "getWakefulnessLocked()=Awake", true },
    { "getWakefulnessLocked()=Dreaming", true },
    { "getWakefulnessLocked()=", false },
    { "mScreenOn=true", true },
    { "mScreenOn=false", false },
};

static bool
find_state(struct sq_span text, const struct state_form *forms, size_t count,
           bool *out) {
    size_t best = count;
    struct sq_span line;
    while (best > 0 && sq_line_take(&text, &line)) {
        for (size_t i = 0; i < best; i++) {
            if (sq_line_has(line, forms[i].name)) {
                best = i;
            }
        }
    }
    if (best < count) {
        *out = forms[best].is;
    }
    return best < count;
}

bool
sq_power_parse(struct sq_span dumpsys, bool *on) {
    return find_state(dumpsys, power_forms, SQ_COUNT(power_forms), on);
}

#define FLAG_SECURE 0x2000

/*
 * Where the foreground app is found, most reliable first. The resumed app is in
 * front even while a popup or the keyboard has the focus.
 */
static const char *const focus_names[] = {
    "topResumedActivity=", "topResumedActivity:", "mResumedActivity:",
    "mResumedActivity=",   "ResumedActivity:",    "mFocusedApp=",
    "mFocusedActivity:",   "mFocusedActivity=",   "mCurrentFocus=",
    "mFocusedWindow=",
};

/*
 * Finds the component in "ActivityRecord{1a2b3c u0 com.example/.Main t42}" or
 * "Window{1a2b3c u0 com.example/com.example.Main}": the last word that is a
 * component. Tokens may be nested in braces.
 */
static bool
find_component(struct sq_span value, struct sq_component *out) {
    bool found = false;
    struct sq_span word;
    while (sq_line_take_word(&value, &word)) {
        while (word.len > 0 && word.ptr[word.len - 1] == '}') {
            word.len--;
        }
        found = sq_component_parse(word, out) || found;
    }
    return found;
}

static bool
find_focus(struct sq_span dumpsys, bool all_displays,
           struct sq_component *out) {
    size_t best = SQ_COUNT(focus_names);
    bool in_other_display = false;
    struct sq_span line;
    while (best > 0
           && (all_displays ? sq_line_take(&dumpsys, &line)
                            : sq_line_take_default(&dumpsys, &in_other_display,
                                                   &line))) {
        for (size_t i = 0; i < best; i++) {
            struct sq_span value;
            if (sq_line_find(line, focus_names[i], &value)
                && find_component(value, out)) {
                best = i;
            }
        }
    }
    return best < SQ_COUNT(focus_names);
}

/* Shortens "com.example.Main" in com.example to ".Main", as Android does. */
static struct sq_span
shorten(const struct sq_component *component) {
    struct sq_span rest = component->activity;
    struct sq_span start = { rest.ptr, component->package.len };
    if (start.len < rest.len && rest.ptr[start.len] == '.'
        && sq_span_equal(start, component->package)) {
        sq_span_skip(&rest, start.len);
    }
    return rest;
}

static const struct state_form keyguard_forms[] = {
    { "isKeyguardShowing=true", true },
    { "isKeyguardShowing=false", false },
    { "mKeyguardShowing=true", true },
    { "mKeyguardShowing=false", false },
    { "mDreamingLockscreen=true", true },
    { "mDreamingLockscreen=false", false },
    { "mShowingLockscreen=true", true },
    { "mShowingLockscreen=false", false },
};

bool
sq_keyguard_parse(struct sq_span dumpsys, bool *showing) {
    return find_state(dumpsys, keyguard_forms, SQ_COUNT(keyguard_forms),
                      showing);
}

bool
sq_focus_parse(struct sq_span dumpsys, struct sq_app *out) {
    struct sq_component component;
    bool locked;
    if (!find_focus(dumpsys, false, &component)
        && !find_focus(dumpsys, true, &component)) {
        return false;
    }
    struct sq_span activity = shorten(&component);
    if (component.package.len >= sizeof(out->package)
        || activity.len >= sizeof(out->activity)) {
        return false;
    }
    snprintf(out->package, sizeof(out->package), "%.*s",
             SQ_SPAN_ARGS(component.package));
    snprintf(out->activity, sizeof(out->activity), "%.*s",
             SQ_SPAN_ARGS(activity));
    out->locked = sq_keyguard_parse(dumpsys, &locked) && locked;
    return true;
}

bool
sq_focus_is_covered(struct sq_span dumpsys) {
    bool in_other_display = false;
    bool is_covered = false;
    struct sq_span line;
    struct sq_span value;
    struct sq_component component;
    while (sq_line_take_default(&dumpsys, &in_other_display, &line)) {
        if (sq_line_find(line, "mCurrentFocus=", &value)) {
            is_covered = !find_component(value, &component);
        }
    }
    return is_covered;
}

/* Takes the number that identifies a window in "Window{1a2b3c u0 ...". */
static bool
take_window(struct sq_span text, struct sq_span *number) {
    struct sq_span rest;
    return sq_line_find(text, "Window{", &rest)
        && sq_line_take_word(&rest, number);
}

/* Returns whether the line has window flags, and sets *secure from them. */
static bool
read_flags(struct sq_span line, bool *secure) {
    struct sq_span flags;
    if (!sq_line_find(line, "fl=", &flags)) {
        return false;
    }
    if (sq_span_take_prefix(&flags, "#") || sq_span_take_prefix(&flags, "0x")) {
        /* As Android before 9 writes them: "#81812100". */
        uint32_t bits;
        sq_span_take_hex(&flags, 16, &bits);
        *secure = bits & FLAG_SECURE;
        return true;
    }
    bool found = false;
    struct sq_span word;
    while (sq_line_take_word(&flags, &word) && !sq_span_contains(word, '=')) {
        struct sq_span name = word;
        sq_span_take_until(&word, '}', &name);
        found = found || sq_span_is(name, "SECURE")
             || sq_span_is(name, "FLAG_SECURE");
    }
    *secure = found;
    return true;
}

/* Identifies the windows of the foreground app. */
struct foreground {
    struct sq_span window; /* number of the focused window */
    bool has_app;
    struct sq_app app;
};

static bool
is_foreground(const struct foreground *foreground, struct sq_span header) {
    struct sq_span number;
    struct sq_component component;
    return (foreground->window.len > 0 && take_window(header, &number)
            && sq_span_equal(number, foreground->window))
        || (foreground->has_app && find_component(header, &component)
            && sq_span_is(component.package, foreground->app.package)
            && sq_span_is(shorten(&component), foreground->app.activity));
}

bool
sq_secure_parse(struct sq_span dumpsys, bool *secure) {
    struct foreground foreground = { 0 };
    bool in_other_display = false;
    bool has_flags = false;
    bool any = false;
    bool in_foreground = false;
    struct sq_span rest = dumpsys;
    struct sq_span line;
    while (foreground.window.len == 0
           && sq_line_take_default(&rest, &in_other_display, &line)) {
        if (sq_line_find(line, "mCurrentFocus=", &line)) {
            take_window(line, &foreground.window);
        }
    }
    foreground.has_app = sq_focus_parse(dumpsys, &foreground.app);
    while (sq_line_take(&dumpsys, &line)) {
        bool flag;
        /* "Window #3 Window{1a2b3c u0 com.example/com.example.Main}:" */
        if (sq_span_starts_with(line, "Window #")) {
            line.len -= line.ptr[line.len - 1] == ':';
            in_foreground = is_foreground(&foreground, line);
        } else if (in_foreground && read_flags(line, &flag)) {
            has_flags = true;
            any = any || flag;
        }
    }
    if (has_flags) {
        *secure = any;
    }
    return has_flags;
}

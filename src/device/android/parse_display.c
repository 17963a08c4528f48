/* Parses display sizes, rotation and power from wm and dumpsys. */
#include "device/android/parse_display.h"

#include "device/android/parse_line.h"
#include "util/limits.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
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

/* Takes a size such as "1080x2400". */
static bool
take_size(struct sq_span *rest, struct sq_size *out) {
    struct sq_span at = *rest;
    struct sq_size size;
    if (!take_side(&at, &size.width) || !sq_span_take_prefix(&at, "x")
        || !take_side(&at, &size.height)) {
        return false;
    }
    *out = size;
    *rest = at;
    return true;
}

static bool
take_dpi(struct sq_span *rest, int *out) {
    int64_t dpi;
    if (!sq_span_take_int64(rest, &dpi) || dpi < 1 || dpi > MAX_DPI) {
        return false;
    }
    *out = (int)dpi;
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

static bool
take_any_size(struct sq_span *rest, void *out) {
    return take_size(rest, out);
}

static bool
take_any_dpi(struct sq_span *rest, void *out) {
    return take_dpi(rest, out);
}

bool
sq_wm_parse_size(struct sq_span text, struct sq_size *out) {
    return find_value(text, "Override size:", out, take_any_size)
        || find_value(text, "Physical size:", out, take_any_size);
}

bool
sq_wm_parse_density(struct sq_span text, int *dpi) {
    return find_value(text, "Override density:", dpi, take_any_dpi)
        || find_value(text, "Physical density:", dpi, take_any_dpi);
}

/* Parses quarter turns: "1" or "ROTATION_90". */
static bool
take_turns(struct sq_span value, int *turns) {
    bool degrees = sq_span_take_prefix(&value, "ROTATION_");
    int64_t number;
    if (!sq_span_take_int64(&value, &number) || number < 0) {
        return false;
    }
    if (degrees) {
        if (number % 90 != 0) {
            return false;
        }
        number /= 90;
    }
    if (number > 3) {
        return false;
    }
    *turns = (int)number;
    return true;
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

static bool
read_rotation_form(const struct rotation_form *form, struct sq_span line,
                   int *turns) {
    struct sq_span rest = line;
    return (!form->line || sq_line_find(line, form->line, &rest))
        && (!form->without || !sq_line_has(line, form->without))
        && sq_line_find(rest, form->name, &rest)
        && take_turns(sq_span_trim(rest), turns);
}

bool
sq_display_parse_rotation(struct sq_span dumpsys, int *rotation) {
    size_t best = COUNT(rotation_forms);
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
    return best < COUNT(rotation_forms);
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
    size_t digits = 0;
    while (digits < rest->len && rest->ptr[digits] >= '0'
           && rest->ptr[digits] <= '9') {
        digits++;
    }
    if (!sq_span_to_uint64((struct sq_span){ rest->ptr, digits }, out)) {
        return false;
    }
    *rest = (struct sq_span){ rest->ptr + digits, rest->len - digits };
    return true;
}

/* Display 4619827677550801152 (HWC display 0): ... displayName="Panel" */
static bool
read_id(struct sq_span line, struct sq_display_id *out) {
    struct sq_display_id display = { 0 };
    if (!sq_span_take_prefix(&line, "Display ")
        || !take_number(&line, &display.id)
        || (line.len > 0 && line.ptr[0] != ' ')) {
        return false;
    }
    struct sq_span rest;
    if (sq_line_find(line, "displayName=\"", &rest)) {
        sq_span_take_until(&rest, '"', &display.name);
    }
    *out = display;
    return true;
}

bool
sq_display_take_id(struct sq_span *rest, struct sq_display_id *out) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        if (read_id(line, out)) {
            return true;
        }
    }
    return false;
}

/* Parses one viewport: the text between its name and the closing brace. */
static bool
read_viewport(struct sq_span viewport, uint64_t *id) {
    struct sq_span rest;
    uint64_t display;
    return sq_line_has(viewport, "type=INTERNAL")
        && !sq_line_has(viewport, "isActive=false")
        && sq_line_find(viewport, "displayId=", &rest)
        && take_number(&rest, &display) && display == 0
        && sq_line_find(viewport, "uniqueId='local:", &rest)
        && take_number(&rest, id);
}

bool
sq_display_parse_active(struct sq_span dumpsys, uint64_t *id) {
    struct sq_span rest;
    while (sq_line_find(dumpsys, "DisplayViewport{", &rest)) {
        struct sq_span viewport;
        dumpsys = rest;
        if (!sq_span_take_until(&dumpsys, '}', &viewport)) {
            return false;
        }
        if (read_viewport(viewport, id)) {
            return true;
        }
    }
    return false;
}

/* Where the screen's power state is found, most reliable first. */
static const struct power_form {
    const char *name;
    bool on;
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

bool
sq_power_parse(struct sq_span dumpsys, bool *on) {
    size_t best = COUNT(power_forms);
    struct sq_span line;
    while (best > 0 && sq_line_take(&dumpsys, &line)) {
        for (size_t i = 0; i < best; i++) {
            if (sq_line_has(line, power_forms[i].name)) {
                best = i;
            }
        }
    }
    if (best == COUNT(power_forms)) {
        return false;
    }
    *on = power_forms[best].on;
    return true;
}

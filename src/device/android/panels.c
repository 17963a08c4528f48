#include "device/android/panels.h"

#include <inttypes.h>
#include <stdio.h>

#include "device/android/parse_display.h"

#define NAMES_SIZE 160

bool
sq_panels_ask(struct sq_android *android, struct sq_panels *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_said said;
    struct sq_panels panels = { 0 };
    bool ok =
        sq_android_run(android,
                       "dumpsys SurfaceFlinger --display-id;" SQ_MARK_COMMAND
                       ";dumpsys display",
                       &said, deadline, err);
    if (ok) {
        struct sq_span dumpsys = { (const char *)said.out.data, said.out.len };
        struct sq_span list = sq_android_cut(&dumpsys);
        struct sq_display_id panel;
        while (panels.count < SQ_MAX_PANELS
               && sq_display_take_id(&list, &panel)) {
            panels.ids[panels.count++] = panel.id;
        }
        panels.active = panels.ids[0];
        sq_display_parse_active(dumpsys, &panels.active);
        *out = panels;
    }
    sq_adb_said_finish(&said);
    return ok;
}

/* 0 is the one that taps reach, so its own id need not be told. */
static void
name_panels(const struct sq_panels *panels, char names[NAMES_SIZE]) {
    size_t used = (size_t)snprintf(names, NAMES_SIZE, "0");
    for (int i = 0; i < panels->count; i++) {
        char name[24];
        if (panels->ids[i] == panels->active) {
            continue;
        }
        size_t len =
            (size_t)snprintf(name, sizeof(name), ", %" PRIu64, panels->ids[i]);
        if (used + len < NAMES_SIZE) {
            used +=
                (size_t)snprintf(names + used, NAMES_SIZE - used, "%s", name);
        }
    }
}

bool
sq_panels_find(const struct sq_panels *panels, const char *display,
               uint64_t *out, struct sq_err *err) {
    char names[NAMES_SIZE];
    uint64_t id;
    if (sq_span_to_uint64(sq_span_of(display), &id)) {
        for (int i = 0; i < panels->count; i++) {
            if (panels->ids[i] == id) {
                *out = id;
                return true;
            }
        }
    }
    name_panels(panels, names);
    return sq_fail_display(err, display, names);
}

/* Finds the physical displays of a device. */
#include "device/android/displays.h"

#include <inttypes.h>
#include <stdio.h>

#include "device/android/parse_display.h"
#include "device/android/state.h"

#define NAMES_SIZE 160

static void
parse_panels(struct sq_span list, struct sq_android_displays *panels) {
    struct sq_display_id display;
    while (panels->count < SQ_MAX_DISPLAYS
           && sq_display_take_id(&list, &display)) {
        struct sq_android_display *panel = &panels->all[panels->count++];
        panel->id = display.id;
        snprintf(panel->name, sizeof(panel->name), "%.*s",
                 SQ_SPAN_ARGS(display.name));
    }
}

bool
sq_android_displays_query(struct sq_android *android,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    struct sq_adb_output output;
    struct sq_android_displays panels = { .is_known = true };
    bool ok =
        sq_android_run(android,
                       "dumpsys SurfaceFlinger --display-id;" SQ_MARK_COMMAND
                       ";dumpsys display",
                       &output, deadline, err);
    if (ok) {
        struct sq_span dumpsys = sq_buf_span(&output.out);
        parse_panels(sq_android_take_section(&dumpsys), &panels);
        panels.active = panels.all[0].id;
        sq_display_parse_active(dumpsys, &panels.active);
        android->panels = panels;
    }
    sq_adb_output_finish(&output);
    return ok;
}

/* Joins the ids. The active panel is listed as "0" instead of its id. */
static void
join_ids(const struct sq_android_displays *panels, char names[NAMES_SIZE]) {
    size_t used = (size_t)snprintf(names, NAMES_SIZE, "0");
    for (int i = 0; i < panels->count; i++) {
        char name[24];
        if (panels->all[i].id == panels->active) {
            continue;
        }
        size_t len = (size_t)snprintf(name, sizeof(name), ", %" PRIu64,
                                      panels->all[i].id);
        if (used + len < NAMES_SIZE) {
            used +=
                (size_t)snprintf(names + used, NAMES_SIZE - used, "%s", name);
        }
    }
}

bool
sq_android_displays_find(const struct sq_android_displays *panels,
                         const char *display, uint64_t *out,
                         struct sq_err *err) {
    char names[NAMES_SIZE];
    uint64_t id;
    if (sq_span_to_uint64(sq_span_of(display), &id)) {
        for (int i = 0; i < panels->count; i++) {
            if (panels->all[i].id == id) {
                *out = id;
                return true;
            }
        }
    }
    join_ids(panels, names);
    return sq_fail_display(err, display, names);
}

void
sq_android_displays_list(const struct sq_android_displays *panels,
                         struct sq_displays *out) {
    struct sq_displays displays = { .count = 1, .entries = { { "0", "" } } };
    for (int i = 0; i < panels->count; i++) {
        const struct sq_android_display *panel = &panels->all[i];
        bool is_active = panel->id == panels->active;
        int at = is_active ? 0 : displays.count;
        if (at == SQ_MAX_DISPLAYS) {
            break;
        }
        if (!is_active) {
            snprintf(displays.entries[at].id, SQ_DISPLAY_ID_SIZE, "%" PRIu64,
                     panel->id);
            displays.count++;
        }
        snprintf(displays.entries[at].name, SQ_DISPLAY_NAME_SIZE, "%s",
                 panel->name);
    }
    *out = displays.count > 1 ? displays : (struct sq_displays){ 0 };
}

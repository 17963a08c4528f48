/*
 * The texts of answers.txt, with the values of the phone, and the program
 * dumpsys, which prints most of them.
 */
#include <stdio.h>

#include "demo/adbd/program.h"

#define VALUE_SIZE 256

static void
write_policy(const struct sq_adbd_call *call, const char *before,
             char out[VALUE_SIZE]) {
    const char *awake = call->phone->demo->asleep ? "false" : "true";
    snprintf(out, VALUE_SIZE,
             "%s    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
             "    mShowingDream=false mDreamingLockscreen=%s",
             before, awake, awake, awake,
             sq_adbd_has(call, SQ_ADBD_PIN) ? "true" : "false");
}

/* Writes values that are made of several. */
static void
write_made(const struct sq_adbd_call *call, struct sq_span name,
           char out[VALUE_SIZE]) {
    const struct sq_phone *demo = call->phone->demo;
    const struct sq_demo_app *app = sq_demo_apps[demo->app];
    struct sq_size panel = call->phone->panel;
    out[0] = '\0';
    if (sq_span_is(name, "focus")) {
        snprintf(out, VALUE_SIZE, SQ_DEMO_PACKAGE "%s/" SQ_DEMO_PACKAGE "%s%s",
                 app->name, app->name, app->activity);
        if (demo->asleep || sq_adbd_has(call, SQ_ADBD_PIN)) {
            snprintf(out, VALUE_SIZE, "NotificationShade");
        }
    } else if (sq_span_is(name, "policy")) {
        write_policy(call, "", out);
    } else if (sq_span_is(name, "displayPolicy")) {
        /* Before Android 10 the policy belongs to no display. */
        if (sq_adbd_phone_api(call->phone) >= ANDROID_10) {
            write_policy(call, "\n  DisplayPolicy\n", out);
        }
    } else if (sq_span_is(name, "editor") && demo->focus == SQ_NO_FIELD) {
        snprintf(out, VALUE_SIZE, " null");
    } else if (sq_span_is(name, "editor")) {
        /* The field with the focus, as its app and its keyboard print it. */
        snprintf(out, VALUE_SIZE,
                 "\n    inputType=0x%x imeOptions=0x10000006 "
                 "privateImeOptions=null",
                 demo->focus == SQ_FIELD_PASSWORD ? 0x81u : 0x1u);
    } else if (sq_span_is(name, "base")) {
        if (demo->options.width != panel.width
            || demo->options.height != panel.height) {
            snprintf(out, VALUE_SIZE, " base=%dx%d %ddpi", demo->options.width,
                     demo->options.height,
                     sq_adbd_phone_dpi(demo->options.density));
        }
    } else {
        /* A stable object id that differs between apps: id1, id2, id3. */
        snprintf(out, VALUE_SIZE, "%x",
                 0x1a2b3c4u + 0x10101u * (unsigned)demo->app
                     + 0x501u * (unsigned)(name.ptr[name.len - 1] - '0'));
    }
}

static void
print_value(struct sq_adbd_call *call, struct sq_span name) {
    const struct sq_adbd_phone *phone = call->phone;
    const struct sq_phone *demo = phone->demo;
    const char *package = sq_adbd_arg(call, 2);
    const char *keyboard =
        sq_adbd_store_get(&phone->settings, "secure default_input_method");
    bool is_shown = sq_adbd_arg_is(call, 2, "--noredact");
    bool is_typing = demo->focus != SQ_NO_FIELD;
    struct sq_size size = sq_phone_size(demo);
    char made[VALUE_SIZE];
    const struct {
        const char *name;
        const char *text;
        int number; /* without a text */
    } values[] = {
        { "app", sq_demo_apps[demo->app]->name, 0 },
        { "activity", sq_demo_apps[demo->app]->activity, 0 },
        { "display", SQ_ADBD_DISPLAY_ID, 0 },
        { "package", package ? package : "", 0 },
        { "keyboard", keyboard ? keyboard : "null", 0 },
        { "typing", is_typing ? "true" : "false", 0 },
        { "secure", sq_adbd_phone_is_secure(phone) ? "SECURE " : "", 0 },
        { "locked", sq_adbd_has(call, SQ_ADBD_PIN) ? "true" : "false", 0 },
        { "awake", demo->asleep ? "false" : "true", 0 },
        { "wakefulness", demo->asleep ? "Asleep" : "Awake", 0 },
        { "power", demo->asleep ? "OFF" : "ON", 0 },
        { "title", is_shown ? "Order shipped" : "[length=13]", 0 },
        { "text", is_shown ? "Arrives tomorrow (by bicycle)" : "[length=29]",
          0 },
        { "usbTitle", is_shown ? "USB debugging connected" : "[length=23]", 0 },
        { "width", NULL, size.width },
        { "height", NULL, size.height },
        { "dpi", NULL, sq_adbd_phone_dpi(demo->options.density) },
        { "panelWidth", NULL, phone->panel.width },
        { "panelHeight", NULL, phone->panel.height },
        { "panelDpi", NULL, sq_adbd_phone_dpi(phone->density) },
        { "rotation", NULL, demo->landscape },
        { "task", NULL, 40 + (int)demo->app },
        { "barHeight", NULL, (int)(SQ_STATUS_BAR_DP * phone->density) },
        { "pid", NULL, sq_adbd_pid_of(phone, package) },
    };
    for (size_t i = 0; i < SQ_COUNT(values); i++) {
        if (sq_span_is(name, values[i].name)) {
            snprintf(made, sizeof(made), "%d", values[i].number);
            sq_adbd_print(call, "%s", values[i].text ? values[i].text : made);
            return;
        }
    }
    write_made(call, name, made);
    sq_adbd_print(call, "%s", made);
}

bool
sq_adbd_print_answer(struct sq_adbd_call *call, const char *name) {
    struct sq_span rest = sq_adbd_answer(name);
    struct sq_span text;
    bool exists = rest.len > 0;
    while (sq_span_take_until(&rest, '%', &text)) {
        sq_adbd_put(call, text);
        if (sq_span_take_until(&rest, '%', &text)) {
            print_value(call, text);
        }
    }
    sq_adbd_put(call, rest);
    return exists;
}

static void
dump_window(struct sq_adbd_call *call) {
    const char *part = call->argc > 2 ? call->argv[2] : "";
    bool displays = part[0] == 'd';
    bool windows = part[0] == 'w';
    if (!displays && !windows) {
        sq_adbd_print_answer(call, "window lastanr");
        sq_adbd_print(call, "\n");
    }
    if (!windows) {
        sq_adbd_print_answer(call, "window displays");
    }
    if (!displays && !windows) {
        sq_adbd_print(call, "\n");
    }
    if (!displays) {
        sq_adbd_print_answer(call, "window windows");
    }
}

static void
dump_package(struct sq_adbd_call *call) {
    const char *package = call->argc > 2 ? call->argv[2] : "";
    if (sq_adbd_has_app(call->phone, package)) {
        sq_adbd_print_answer(call, "package");
    } else {
        sq_adbd_print(call, "Unable to find package: %s\n", package);
    }
}

static void
dump_memory(struct sq_adbd_call *call) {
    const char *package = call->argc > 2 ? call->argv[2] : "";
    if (sq_adbd_pid_of(call->phone, package) > 0) {
        sq_adbd_print_answer(call, "meminfo");
    } else {
        sq_adbd_print(call, "No process found for: %s\n", package);
    }
}

static void
run_dumpsys(struct sq_adbd_call *call) {
    const char *name = call->argc > 1 ? call->argv[1] : "-l";
    const struct sq_adbd_program *row =
        sq_adbd_find(name, SQ_ADBD_DUMP, SQ_ADBD_DUMP);
    char answer[VALUE_SIZE];
    snprintf(answer, sizeof(answer), "dumpsys %.200s", name);
    if (row) {
        row->run(call);
    } else if (strcmp(name, "-l") == 0) {
        /* Lists the services with a text of their own, and the others. */
        struct sq_span rest = { sq_adbd_answers, sq_adbd_answers_size };
        struct sq_span line;
        sq_adbd_print(call,
                      "Currently running services:\n"
                      "  SurfaceFlinger\n  meminfo\n  package\n  window\n");
        while (sq_span_take_line(&rest, &line)) {
            if (sq_span_take_prefix(&line, "## dumpsys ")) {
                sq_adbd_print(call, "  %.*s\n", SQ_SPAN_ARGS(line));
            }
        }
    } else if (!sq_adbd_print_answer(call, answer)) {
        sq_adbd_fail(call, 0, "Can't find service: %s\n", name);
    }
}

const struct sq_adbd_program sq_adbd_dumpsys_programs[] = {
    { "dumpsys", run_dumpsys, SQ_ADBD_PROGRAM },
    { "meminfo", dump_memory, SQ_ADBD_DUMP },
    { "package", dump_package, SQ_ADBD_DUMP },
    { "window", dump_window, SQ_ADBD_DUMP },
    { 0 },
};

/*
 * The texts of answers.txt, with the values of the phone, and the program
 * dumpsys, which prints most of them.
 */
#include <stdio.h>

#include "demo/adbd/program.h"

#define VALUE_SIZE 256

static void
write_focus(const struct sq_adbd_call *call, char out[VALUE_SIZE]) {
    const struct sq_demo_app *app = sq_demo_apps[call->phone->demo->app];
    bool is_covered = call->phone->demo->asleep
                   || sq_adbd_phone_has(call->phone, SQ_ADBD_PIN);
    if (is_covered) {
        snprintf(out, VALUE_SIZE, "NotificationShade");
    } else {
        snprintf(out, VALUE_SIZE, SQ_DEMO_PACKAGE "%s/" SQ_DEMO_PACKAGE "%s%s",
                 app->name, app->name, app->activity);
    }
}

static void
write_policy(const struct sq_adbd_call *call, const char *before,
             char out[VALUE_SIZE]) {
    const char *awake = call->phone->demo->asleep ? "false" : "true";
    bool is_locked = sq_adbd_phone_has(call->phone, SQ_ADBD_PIN);
    snprintf(out, VALUE_SIZE,
             "%s    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
             "    mShowingDream=false mDreamingLockscreen=%s",
             before, awake, awake, awake, is_locked ? "true" : "false");
}

/* The field with the focus, as its app and its keyboard print it. */
static void
write_editor(const struct sq_adbd_call *call, char out[VALUE_SIZE]) {
    int field = call->phone->demo->focus;
    if (field == SQ_NO_FIELD) {
        snprintf(out, VALUE_SIZE, " null");
    } else {
        snprintf(out, VALUE_SIZE,
                 "\n    inputType=0x%x imeOptions=0x10000006 "
                 "privateImeOptions=null",
                 field == SQ_FIELD_PASSWORD ? 0x81u : 0x1u);
    }
}

static void
write_base(const struct sq_adbd_call *call, char out[VALUE_SIZE]) {
    const struct sq_demo_options *now = &call->phone->demo->options;
    struct sq_size panel = call->phone->panel;
    if (now->width != panel.width || now->height != panel.height) {
        snprintf(out, VALUE_SIZE, " base=%dx%d %ddpi", now->width, now->height,
                 sq_adbd_phone_dpi(now->density));
    }
}

/* Writes values that are made of several. */
static void
write_made(const struct sq_adbd_call *call, struct sq_span name,
           char out[VALUE_SIZE]) {
    out[0] = '\0';
    if (sq_span_is(name, "focus")) {
        write_focus(call, out);
    } else if (sq_span_is(name, "policy")) {
        write_policy(call, "", out);
    } else if (sq_span_is(name, "displayPolicy")) {
        /* Before Android 10 the policy belongs to no display. */
        if (sq_adbd_phone_api(call->phone) >= ANDROID_10) {
            write_policy(call, "\n  DisplayPolicy\n", out);
        }
    } else if (sq_span_is(name, "editor")) {
        write_editor(call, out);
    } else if (sq_span_is(name, "base")) {
        write_base(call, out);
    } else if (sq_span_starts_with(name, "id") && name.len == 3) {
        /* A stable object id that differs between apps. */
        snprintf(out, VALUE_SIZE, "%x",
                 0x1a2b3c4u + 0x10101u * (unsigned)call->phone->demo->app
                     + 0x501u * (unsigned)(name.ptr[2] - '0'));
    } else {
        snprintf(out, VALUE_SIZE, "%%%.*s%%", SQ_SPAN_ARGS(name));
    }
}

/* Returns whether the value is a number of the phone, and prints it. */
static bool
print_number(struct sq_adbd_call *call, struct sq_span name) {
    const struct sq_adbd_phone *phone = call->phone;
    const struct sq_phone *demo = phone->demo;
    struct sq_size size = sq_phone_size(demo);
    const struct {
        const char *name;
        int number;
    } numbers[] = {
        { "width", size.width },
        { "height", size.height },
        { "dpi", sq_adbd_phone_dpi(demo->options.density) },
        { "panelWidth", phone->panel.width },
        { "panelHeight", phone->panel.height },
        { "panelDpi", sq_adbd_phone_dpi(phone->density) },
        { "rotation", demo->landscape },
        { "task", 40 + (int)demo->app },
        { "barHeight", (int)(SQ_STATUS_BAR_DP * phone->density) },
        { "pid", sq_adbd_pid_of(phone, sq_adbd_arg(call, 2)) },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (sq_span_is(name, numbers[i].name)) {
            sq_adbd_print(call, "%d", numbers[i].number);
            return true;
        }
    }
    return false;
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
    char made[VALUE_SIZE];
    const struct {
        const char *name;
        const char *text;
    } texts[] = {
        { "app", sq_demo_apps[demo->app]->name },
        { "activity", sq_demo_apps[demo->app]->activity },
        { "display", SQ_ADBD_DISPLAY_ID },
        { "package", package ? package : "" },
        { "keyboard", keyboard ? keyboard : "null" },
        { "typing", is_typing ? "true" : "false" },
        { "secure", sq_adbd_phone_is_secure(phone) ? "SECURE " : "" },
        { "locked", sq_adbd_phone_has(phone, SQ_ADBD_PIN) ? "true" : "false" },
        { "awake", demo->asleep ? "false" : "true" },
        { "wakefulness", demo->asleep ? "Asleep" : "Awake" },
        { "power", demo->asleep ? "OFF" : "ON" },
        { "title", is_shown ? "Order shipped" : "[length=13]" },
        { "text", is_shown ? "Arrives tomorrow (by bicycle)" : "[length=29]" },
        { "usbTitle", is_shown ? "USB debugging connected" : "[length=23]" },
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (sq_span_is(name, texts[i].name)) {
            sq_adbd_print(call, "%s", texts[i].text);
            return;
        }
    }
    if (!print_number(call, name)) {
        write_made(call, name, made);
        sq_adbd_print(call, "%s", made);
    }
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
    bool displays =
        sq_adbd_arg_is(call, 2, "displays") || sq_adbd_arg_is(call, 2, "d");
    bool windows =
        sq_adbd_arg_is(call, 2, "windows") || sq_adbd_arg_is(call, 2, "w");
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

/* Lists the services with a text of their own, and the others. */
static void
list_services(struct sq_adbd_call *call) {
    struct sq_span rest = { sq_adbd_answers, sq_adbd_answers_size };
    struct sq_span line;
    sq_adbd_print(call, "Currently running services:\n"
                        "  SurfaceFlinger\n  meminfo\n  package\n  window\n");
    while (sq_span_take_line(&rest, &line)) {
        if (sq_span_take_prefix(&line, SQ_ADBD_SECTION "dumpsys ")) {
            sq_adbd_print(call, "  %.*s\n", SQ_SPAN_ARGS(line));
        }
    }
}

static void
run_dumpsys(struct sq_adbd_call *call) {
    const char *name = sq_adbd_arg(call, 1);
    char answer[VALUE_SIZE];
    snprintf(answer, sizeof(answer), "dumpsys %.200s", name ? name : "");
    sq_adbd_program_fn dump =
        name ? sq_adbd_find_row(name, SQ_ADBD_DUMP) : NULL;
    if (dump) {
        dump(call);
    } else if (!name || strcmp(name, "-l") == 0) {
        list_services(call);
    } else if (!sq_adbd_print_answer(call, answer)) {
        sq_adbd_print_error(call, 0, "Can't find service: %s\n", name);
    }
}

const struct sq_adbd_program sq_adbd_dumpsys_programs[] = {
    { "dumpsys", run_dumpsys, SQ_ADBD_PROGRAM },
    { "meminfo", dump_memory, SQ_ADBD_DUMP },
    { "package", dump_package, SQ_ADBD_DUMP },
    { "window", dump_window, SQ_ADBD_DUMP },
    { 0 },
};

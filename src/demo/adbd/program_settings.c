/*
 * The programs getprop, setprop, settings, ime and appops, and the services
 * uimode, locale, location and statusbar: they keep values.
 */
#include <stdio.h>

#include "demo/adbd/program.h"

#define NAME_SIZE (SQ_ADBD_STORE_NAME_SIZE * 2)
#define DEFAULT_KEYBOARD "secure default_input_method"
#define NO_SHELL "No shell command implementation.\n"

/* Stores a value. Prints an error if it exceeds a limit. */
static void
set_value(struct sq_adbd_call *call, struct sq_adbd_store *store,
          const char *name, const char *value) {
    if (!sq_adbd_store_set(store, name, value, call->err)) {
        sq_adbd_fail(call, 1, "%s: %s\n", call->argv[0], call->err->message);
        sq_adbd_ignore(call, false);
    }
}

static void
print_unknown(struct sq_adbd_call *call) {
    sq_adbd_fail(call, 255, "Unknown command: %s\n",
                 call->argc > 1 ? call->argv[1] : "");
}

static void
run_getprop(struct sq_adbd_call *call) {
    const struct sq_adbd_store *store = &call->phone->properties;
    const char *name = sq_adbd_arg(call, 1);
    const char *otherwise = sq_adbd_arg(call, 2);
    const char *value = name ? sq_adbd_store_get(store, name) : NULL;
    if (sq_adbd_arg_is(call, 1, "ro.build.version.sdk")) {
        sq_adbd_print(call, "%d\n", sq_adbd_phone_api(call->phone));
    } else if (name) {
        sq_adbd_print(call, "%s\n", value ? value : otherwise ? otherwise : "");
    }
    for (const struct sq_adbd_entry *one = store->first; !name && one;
         one = one->next) {
        sq_adbd_print(call, "[%s]: [%s]\n", one->name, one->value);
    }
}

static void
run_setprop(struct sq_adbd_call *call) {
    if (call->argc != 3) {
        sq_adbd_fail(call, 1, "usage: setprop NAME VALUE\n");
    } else if (strncmp(call->argv[1], "ro.", 3) == 0) {
        sq_adbd_fail(call, 1,
                     "Failed to set property '%s' to '%s'.\n"
                     "See dmesg for error reason.\n",
                     call->argv[1], call->argv[2]);
    } else {
        set_value(call, &call->phone->properties, call->argv[1], call->argv[2]);
    }
}

static void
list_settings(struct sq_adbd_call *call, const char *space) {
    for (const struct sq_adbd_entry *one = call->phone->settings.first; one;
         one = one->next) {
        struct sq_span name = sq_span_of(one->name);
        if (sq_span_take_prefix(&name, space)
            && sq_span_take_prefix(&name, " ")) {
            sq_adbd_print(call, "%.*s=%s\n", SQ_SPAN_ARGS(name), one->value);
        }
    }
}

static void
put_setting(struct sq_adbd_call *call, const char *name, const char *value) {
    struct sq_phone *demo = call->phone->demo;
    if (strcmp(name, "system user_rotation") == 0) {
        demo->landscape = value[0] == '1' || value[0] == '3';
    }
    if (strcmp(name, "system show_password") == 0) {
        demo->shows_typed = strcmp(value, "1") == 0;
    }
    sq_adbd_phone_touched(call->phone);
    set_value(call, &call->phone->settings, name, value);
}

static void
run_settings(struct sq_adbd_call *call) {
    const char *verb = sq_adbd_arg(call, 1);
    const char *space = sq_adbd_arg(call, 2);
    char name[NAME_SIZE];
    if (!verb || !space || (call->argc < 4 && strcmp(verb, "list") != 0)) {
        sq_adbd_fail(call, 255, "Bad arguments\n");
        return;
    }
    snprintf(name, sizeof(name), "%.20s %.150s", space,
             call->argc > 3 ? call->argv[3] : "");
    const char *value = sq_adbd_store_get(&call->phone->settings, name);
    if (strcmp(verb, "list") == 0) {
        list_settings(call, space);
    } else if (strcmp(verb, "get") == 0) {
        sq_adbd_print(call, "%s\n", value ? value : "null");
    } else if (strcmp(verb, "delete") == 0) {
        sq_adbd_store_remove(&call->phone->settings, name);
        sq_adbd_print(call, "Deleted %d rows\n", value != NULL);
    } else if (strcmp(verb, "put") == 0 && call->argc > 4) {
        put_setting(call, name, call->argv[4]);
    } else {
        sq_adbd_fail(call, 255, "Invalid command: %s\n", verb);
    }
}

static void
list_keyboards(struct sq_adbd_call *call) {
    sq_adbd_print(call, SQ_ADBD_KEYBOARD "\n");
    if (!sq_adbd_has(call, SQ_ADBD_NO_IME)) {
        sq_adbd_print(call, SQ_ADBD_UNICODE_KEYBOARD "\n");
    }
}

static void
reset_keyboard(struct sq_adbd_call *call) {
    set_value(call, &call->phone->settings, DEFAULT_KEYBOARD, SQ_ADBD_KEYBOARD);
    sq_adbd_print(call, "Reset current and enabled IMEs for user #0\n");
}

/* "ime enable ID" and "ime set ID" */
static void
choose_keyboard(struct sq_adbd_call *call) {
    bool selects = sq_adbd_arg_is(call, 1, "set");
    const char *id = call->argv[call->argc - 1];
    bool has_unicode = !sq_adbd_has(call, SQ_ADBD_NO_IME);
    if (call->argc < 3) {
        print_unknown(call);
    } else if (strcmp(id, SQ_ADBD_KEYBOARD) != 0
               && !(has_unicode && strcmp(id, SQ_ADBD_UNICODE_KEYBOARD) == 0)) {
        sq_adbd_fail(call, 255,
                     "Unknown input method %s cannot be %s for user #0\n", id,
                     selects ? "selected" : "enabled");
    } else if (selects) {
        set_value(call, &call->phone->settings, DEFAULT_KEYBOARD, id);
        sq_adbd_print(call, "Input method %s selected for user #0\n", id);
    } else {
        sq_adbd_print(call, "Input method %s: now enabled for user #0\n", id);
    }
}

static void
run_ime(struct sq_adbd_call *call) {
    static const struct sq_adbd_program commands[] = {
        { "list", list_keyboards, 0 },    { "reset", reset_keyboard, 0 },
        { "disable", reset_keyboard, 0 }, { "enable", choose_keyboard, 0 },
        { "set", choose_keyboard, 0 },    { 0 },
    };
    if (!sq_adbd_run_command(call, commands)) {
        print_unknown(call);
    }
}

/* "appops set PACKAGE OPERATION MODE" prints nothing if it works. */
static void
run_appops(struct sq_adbd_call *call) {
    char name[SQ_ADBD_STORE_NAME_SIZE];
    bool is_query = sq_adbd_arg_is(call, 1, "get") && call->argc == 4;
    if (!is_query && (!sq_adbd_arg_is(call, 1, "set") || call->argc != 5)) {
        sq_adbd_fail(call, 255, "Error: Unknown command\n");
        return;
    }
    const char *package = call->argv[2];
    snprintf(name, sizeof(name), "appops %.40s %.40s", package, call->argv[3]);
    const char *mode = sq_adbd_store_get(&call->phone->state, name);
    if (is_query && mode) {
        sq_adbd_print(call, "%s: %s\n", call->argv[3], mode);
    } else if (is_query) {
        sq_adbd_print(call, "No operations.\n");
    } else if (strcmp(package, "com.android.shell") != 0
               && !sq_adbd_has_app(call->phone, package)) {
        sq_adbd_fail(call, 255, "Error: No UID for %s in user 0\n", package);
    } else {
        sq_adbd_set_state(call, name, call->argv[4]);
    }
}

/* "cmd uimode night [yes|no|auto]", since Android 10. */
static void
run_uimode(struct sq_adbd_call *call) {
    const char *mode = sq_adbd_arg(call, 2);
    if (sq_adbd_phone_api(call->phone) < ANDROID_10) {
        sq_adbd_fail(call, 255, NO_SHELL);
        return;
    }
    if (!sq_adbd_arg_is(call, 1, "night")
        || (mode && strcmp(mode, "yes") != 0 && strcmp(mode, "no") != 0
            && strcmp(mode, "auto") != 0)) {
        sq_adbd_fail(call, 255, "Invalid mode\n");
        return;
    }
    if (mode) {
        sq_adbd_set_state(call, "night", mode);
    }
    const char *now = sq_adbd_store_get(&call->phone->state, "night");
    sq_adbd_print(call, "Night mode: %s\n", now ? now : "no");
}

/* Only the language of apps, as before API level 36.1. */
static void
run_locale(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg(call, 2);
    const char *locales = sq_adbd_arg_after(call, "--locales");
    char name[SQ_ADBD_STORE_NAME_SIZE];
    if (sq_adbd_phone_api(call->phone) < ANDROID_13) {
        sq_adbd_fail(call, 20, "cmd: Can't find service: locale\n");
        return;
    }
    snprintf(name, sizeof(name), "locale %.80s", package ? package : "");
    if (sq_adbd_arg_is(call, 1, "get-app-locales") && package) {
        const char *now = sq_adbd_store_get(&call->phone->state, name);
        sq_adbd_print(call, "Locales for %s for user 0 are [%s]\n", package,
                      now ? now : "");
    } else if (!sq_adbd_arg_is(call, 1, "set-app-locales") || !package
               || !locales) {
        print_unknown(call);
    } else if (!sq_adbd_has_app(call->phone, package)) {
        sq_adbd_fail(call, 255, "Error: Unknown package %s for userId 0\n",
                     package);
    } else {
        sq_adbd_set_state(call, name, locales);
    }
}

/* "cmd location providers ...", since Android 12. */
static void
run_location(struct sq_adbd_call *call) {
    const struct sq_adbd_store *state = &call->phone->state;
    const char *place = sq_adbd_arg_after(call, "--location");
    const char *allowed = sq_adbd_store_get(
        state, "appops com.android.shell android:mock_location");
    if (sq_adbd_phone_api(call->phone) < ANDROID_12) {
        sq_adbd_fail(call, 255, NO_SHELL);
    } else if (sq_adbd_arg_is(call, 1, "is-location-enabled")) {
        sq_adbd_print(call, "true\n");
    } else if (!allowed || strcmp(allowed, "allow") != 0) {
        sq_adbd_fail(
            call, 255,
            "\nException occurred while executing 'providers':\n"
            "java.lang.SecurityException: com.android.shell from uid 2000 not "
            "allowed to perform MOCK_LOCATION\n");
    } else if (sq_adbd_arg_is(call, 2, "add-test-provider")) {
        sq_adbd_set_state(call, "provider", "gps");
    } else if (!sq_adbd_store_get(state, "provider")) {
        sq_adbd_fail(
            call, 255,
            "\nException occurred while executing 'providers':\n"
            "java.lang.IllegalArgumentException: gps provider is not a test "
            "provider\n");
    } else if (place) {
        sq_adbd_set_state(call, "location", place);
    }
}

static void
run_statusbar(struct sq_adbd_call *call) {
    if (sq_adbd_arg_is(call, 1, "check-support")) {
        sq_adbd_print(call, "true\n");
    } else if (sq_adbd_arg_is(call, 1, "expand-notifications")) {
        sq_phone_show_message(call->phone->demo,
                              "Order shipped: arrives tomorrow");
        sq_adbd_phone_touched(call->phone);
    } else {
        print_unknown(call);
    }
}

const struct sq_adbd_program sq_adbd_setting_programs[] = {
    { "appops", run_appops, SQ_ADBD_PROGRAM },
    { "getprop", run_getprop, SQ_ADBD_PROGRAM },
    { "ime", run_ime, SQ_ADBD_PROGRAM },
    { "setprop", run_setprop, SQ_ADBD_PROGRAM },
    { "settings", run_settings, SQ_ADBD_PROGRAM },
    { "input_method", run_ime, SQ_ADBD_SERVICE },
    { "locale", run_locale, SQ_ADBD_SERVICE },
    { "location", run_location, SQ_ADBD_SERVICE },
    { "settings", run_settings, SQ_ADBD_SERVICE },
    { "statusbar", run_statusbar, SQ_ADBD_SERVICE },
    { "uimode", run_uimode, SQ_ADBD_SERVICE },
    { 0 },
};

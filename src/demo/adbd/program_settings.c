/* The programs getprop, setprop, settings and ime. */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"

#define NAME_SIZE (SQ_ADBD_STORE_NAME_SIZE * 2)

/*
 * Stores a value. Prints an error if it exceeds a limit; fails if out of
 * memory.
 */
static bool
set_value(struct sq_adbd_call *call, struct sq_adbd_store *store,
          const char *name, const char *value, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_adbd_store_set(store, name, value, &local_err)) {
        return true;
    }
    return local_err.code == SQ_ERR_NOMEM
             ? sq_fail_nomem(err)
             : sq_adbd_print_error(call, 1, err, "%s: %s\n", call->argv[0],
                                   local_err.message);
}

bool
sq_adbd_run_getprop(struct sq_adbd_call *call, struct sq_err *err) {
    const struct sq_adbd_store *store = &call->phone->properties;
    bool ok = true;
    if (call->argc > 1) {
        const char *value = sq_adbd_store_get(store, call->argv[1]);
        if (strcmp(call->argv[1], "ro.build.version.sdk") == 0) {
            return sq_adbd_print(call, err, "%d\n",
                                 sq_adbd_phone_api(call->phone));
        }
        const char *other = sq_adbd_arg(call, 2);
        return sq_adbd_print(call, err, "%s\n",
                             value   ? value
                             : other ? other
                                     : "");
    }
    for (const struct sq_adbd_entry *one = store->first; ok && one;
         one = one->next) {
        ok = sq_adbd_print(call, err, "[%s]: [%s]\n", one->name, one->value);
    }
    return ok;
}

bool
sq_adbd_run_setprop(struct sq_adbd_call *call, struct sq_err *err) {
    if (call->argc != 3) {
        return sq_adbd_print_error(call, 1, err, "usage: setprop NAME VALUE\n");
    }
    if (strncmp(call->argv[1], "ro.", 3) == 0) {
        return sq_adbd_print_error(call, 1, err,
                                   "Failed to set property '%s' to '%s'.\n"
                                   "See dmesg for error reason.\n",
                                   call->argv[1], call->argv[2]);
    }
    return set_value(call, &call->phone->properties, call->argv[1],
                     call->argv[2], err);
}

static bool
list_settings(struct sq_adbd_call *call, const char *space,
              struct sq_err *err) {
    bool ok = true;
    for (const struct sq_adbd_entry *one = call->phone->settings.first;
         ok && one; one = one->next) {
        struct sq_span name = sq_span_of(one->name);
        if (sq_span_take_prefix(&name, space)
            && sq_span_take_prefix(&name, " ")) {
            ok = sq_adbd_print(call, err, "%.*s=%s\n", SQ_SPAN_ARGS(name),
                               one->value);
        }
    }
    return ok;
}

bool
sq_adbd_run_settings(struct sq_adbd_call *call, struct sq_err *err) {
    const char *verb = sq_adbd_arg(call, 1);
    const char *space = sq_adbd_arg(call, 2);
    char name[NAME_SIZE];
    if (!verb || !space || (call->argc < 4 && strcmp(verb, "list") != 0)) {
        return sq_adbd_print_error(call, 255, err, "Bad arguments\n");
    }
    if (strcmp(verb, "list") == 0) {
        return list_settings(call, space, err);
    }
    snprintf(name, sizeof(name), "%.20s %.150s", space, call->argv[3]);
    if (strcmp(verb, "get") == 0) {
        const char *value = sq_adbd_store_get(&call->phone->settings, name);
        return sq_adbd_print(call, err, "%s\n", value ? value : "null");
    }
    if (strcmp(verb, "delete") == 0) {
        bool had = sq_adbd_store_get(&call->phone->settings, name) != NULL;
        sq_adbd_store_remove(&call->phone->settings, name);
        return sq_adbd_print(call, err, "Deleted %d rows\n", had);
    }
    if (strcmp(verb, "put") != 0 || call->argc < 5) {
        return sq_adbd_print_error(call, 255, err, "Invalid command: %s\n",
                                   verb);
    }
    if (strcmp(name, "system user_rotation") == 0) {
        call->phone->demo->landscape =
            strchr("13", call->argv[4][0]) != NULL && call->argv[4][0];
        sq_adbd_phone_touched(call->phone);
    }
    if (strcmp(name, "system show_password") == 0) {
        call->phone->demo->shows_typed = strcmp(call->argv[4], "1") == 0;
        sq_adbd_phone_touched(call->phone);
    }
    return set_value(call, &call->phone->settings, name, call->argv[4], err);
}

static bool
has_keyboard(const struct sq_adbd_call *call, const char *id) {
    bool unicode = !sq_adbd_phone_has(call->phone, SQ_ADBD_NO_IME);
    return strcmp(id, SQ_ADBD_KEYBOARD) == 0
        || (unicode && strcmp(id, SQ_ADBD_UNICODE_KEYBOARD) == 0);
}

static bool
choose_keyboard(struct sq_adbd_call *call, const char *verb, const char *id,
                struct sq_err *err) {
    if (!has_keyboard(call, id)) {
        return sq_adbd_print_error(
            call, 255, err,
            "Unknown input method %s cannot be %s for user "
            "#0\n",
            id, strcmp(verb, "set") == 0 ? "selected" : "enabled");
    }
    if (strcmp(verb, "set") == 0) {
        return set_value(call, &call->phone->settings,
                         "secure default_input_method", id, err)
            && sq_adbd_print(call, err,
                             "Input method %s selected for user #0\n", id);
    }
    return sq_adbd_print(call, err,
                         "Input method %s: now enabled for user #0\n", id);
}

static bool
reset_keyboard(struct sq_adbd_call *call, struct sq_err *err) {
    return set_value(call, &call->phone->settings,
                     "secure default_input_method", SQ_ADBD_KEYBOARD, err)
        && sq_adbd_print(call, err,
                         "Reset current and enabled IMEs for user #0\n");
}

bool
sq_adbd_run_ime(struct sq_adbd_call *call, struct sq_err *err) {
    const char *verb = sq_adbd_arg(call, 1);
    const char *id = call->argc > 2 ? call->argv[call->argc - 1] : NULL;
    if (verb && strcmp(verb, "list") == 0) {
        return sq_adbd_print(call, err, "%s\n", SQ_ADBD_KEYBOARD)
            && (sq_adbd_phone_has(call->phone, SQ_ADBD_NO_IME)
                || sq_adbd_print(call, err, "%s\n", SQ_ADBD_UNICODE_KEYBOARD));
    }
    if (verb && strcmp(verb, "reset") == 0) {
        return reset_keyboard(call, err);
    }
    if (verb && strcmp(verb, "disable") == 0) {
        return reset_keyboard(call, err);
    }
    if (verb && id
        && (strcmp(verb, "set") == 0 || strcmp(verb, "enable") == 0)) {
        return choose_keyboard(call, verb, id, err);
    }
    return sq_adbd_print_error(call, 255, err, "Unknown command: %s\n",
                               verb ? verb : "");
}

/*
 * The programs getprop, setprop, settings, ime and appops, and the services
 * uimode, locale, location and statusbar: they keep values. The program
 * service, for the clipboard, reads its arguments as Android's Parcel and
 * ClipData do, so that a clip in the wrong layout is refused.
 */
#include <inttypes.h>
#include <stdio.h>

#include "demo/adbd/program.h"
#include "util/utf8.h"

#define NAME_SIZE (SQ_ADBD_STORE_NAME_SIZE * 2)
#define DEFAULT_KEYBOARD "secure default_input_method"
#define NO_SHELL "No shell command implementation.\n"
#define MAX_WORDS 8192
#define NO_STRING UINT32_MAX

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

/* A parcel of 32-bit words, and the position of the reader. */
struct parcel {
    uint32_t words[MAX_WORDS];
    size_t count;
    size_t at;
    bool broken;
};

static void
put_word(struct parcel *parcel, uint32_t word) {
    if (parcel->count < MAX_WORDS) {
        parcel->words[parcel->count++] = word;
    } else {
        parcel->broken = true;
    }
}

/* Writes a string as Parcel.writeString16 does. */
static void
put_string16(struct parcel *parcel, struct sq_span text) {
    size_t at = parcel->count;
    uint32_t units = 0;
    uint32_t word = 0;
    put_word(parcel, 0);
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        bool is_pair = code >= 0x10000;
        uint32_t first = is_pair ? 0xd7c0 + (code >> 10) : code;
        for (int i = 0; i <= is_pair; i++) {
            uint32_t unit = i == 0 ? first : 0xdc00 + (code & 0x3ff);
            word |= unit << (units % 2 * 16);
            if (units++ % 2 == 1) {
                put_word(parcel, word);
                word = 0;
            }
        }
        len = len ? len : text.len;
        sq_span_skip(&text, len);
    }
    put_word(parcel, word);
    parcel->words[at] = units;
}

/* Reads "i32 N", "i64 N" and "s16 TEXT" arguments. */
static bool
read_arguments(const struct sq_adbd_call *call, struct parcel *parcel) {
    for (int i = 4; i + 1 < call->argc; i += 2) {
        const char *type = call->argv[i];
        struct sq_span value = sq_span_of(call->argv[i + 1]);
        int64_t number = 0;
        if (strcmp(type, "s16") == 0) {
            put_string16(parcel, value);
            continue;
        }
        if (!sq_span_to_int64(value, &number)) {
            return false;
        }
        put_word(parcel, (uint32_t)number);
        if (strcmp(type, "i64") == 0) {
            put_word(parcel, (uint32_t)((uint64_t)number >> 32));
        } else if (strcmp(type, "i32") != 0) {
            return false;
        }
    }
    return call->argc % 2 == 0 && !parcel->broken;
}

static uint32_t
take(struct parcel *parcel) {
    parcel->broken = parcel->broken || parcel->at == parcel->count;
    return parcel->broken ? 0 : parcel->words[parcel->at++];
}

static void
expect(struct parcel *parcel, uint32_t word) {
    parcel->broken = take(parcel) != word || parcel->broken;
}

static void
skip_string16(struct parcel *parcel) {
    uint32_t units = take(parcel);
    for (uint32_t i = 0; units != NO_STRING && i <= units / 2; i++) {
        take(parcel);
    }
}

/* Decodes UTF-16 units of a string16 to UTF-8. */
static void
read_string16(struct sq_adbd_call *call, struct parcel *parcel,
              struct sq_buf *out) {
    uint32_t units = take(parcel);
    uint32_t high = 0;
    uint32_t word = 0;
    for (uint32_t i = 0; !call->failed && !parcel->broken && i <= units; i++) {
        char bytes[SQ_UTF8_MAX];
        word = i % 2 == 0 ? take(parcel) : word >> 16;
        uint32_t unit = word & UINT16_MAX;
        if (i == units) {
            break;
        }
        if (sq_utf16_is_high(unit)) {
            high = unit;
            continue;
        }
        uint32_t code =
            sq_utf16_is_low(unit) ? sq_utf16_join(high, unit) : unit;
        sq_adbd_check(
            call,
            sq_buf_append(out, bytes, sq_utf8_encode(code, bytes), call->err));
    }
}

static void
read_string8(struct sq_adbd_call *call, struct parcel *parcel,
             struct sq_buf *out) {
    uint32_t len = take(parcel);
    uint32_t word = 0;
    for (uint32_t i = 0; !call->failed && !parcel->broken && i <= len; i++) {
        word = i % 4 == 0 ? take(parcel) : word >> 8;
        char byte = (char)(word & UINT8_MAX);
        sq_adbd_check(call,
                      i == len || sq_buf_append(out, &byte, 1, call->err));
    }
}

static void
read_item(struct sq_adbd_call *call, struct parcel *parcel, int api,
          struct sq_buf *out) {
    expect(parcel, 1); /* one item */
    expect(parcel, 1); /* its text is plain */
    if (api >= ANDROID_11) {
        read_string8(call, parcel, out);
    } else {
        read_string16(call, parcel, out);
    }
    if (api == ANDROID_10) {
        expect(parcel, 0);
    }
    expect(parcel, NO_STRING); /* no HTML */
    expect(parcel, 0);         /* no intent */
    if (api >= ANDROID_15) {
        expect(parcel, 0); /* no sender */
    }
    expect(parcel, 0); /* no URI */
    if (api >= ANDROID_12) {
        expect(parcel, 0); /* no activity */
        expect(parcel, 0); /* no links */
    }
}

/* Prints words as libbinder does: one line, or lines of four with offsets. */
static void
print_parcel(struct sq_adbd_call *call, const struct parcel *parcel) {
    bool is_long = parcel->count > 4;
    sq_adbd_print(call, "Result: Parcel(%s", is_long ? "\n" : "");
    for (size_t i = 0; i < parcel->count; i++) {
        if (is_long && i % 4 == 0) {
            sq_adbd_print(call, "  0x%08zx: ", i * 4);
        }
        sq_adbd_print(call, "%08" PRIx32 " ", parcel->words[i]);
        if (is_long && (i % 4 == 3 || i + 1 == parcel->count)) {
            sq_adbd_print(call, "'................'%s",
                          i + 1 < parcel->count ? "\n" : "");
        }
    }
    sq_adbd_print(call, "%s)\n", is_long ? "" : "  '....'");
}

static void
print_exception(struct sq_adbd_call *call) {
    struct parcel reply = { 0 };
    put_word(&reply, (uint32_t)-3);
    put_string16(&reply, SQ_SPAN("Bad parcel"));
    print_parcel(call, &reply);
}

static void
set_clip(struct sq_adbd_call *call, struct parcel *parcel, int api) {
    struct parcel reply = { 0 };
    SQ_BUF(text, SQ_FIELD_MAX_BYTES);
    /* ClipDescription, then the icon. */
    expect(parcel, 1);         /* a clip follows */
    expect(parcel, 1);         /* the label is plain */
    expect(parcel, NO_STRING); /* and missing */
    expect(parcel, 1);         /* one MIME type */
    skip_string16(parcel);
    expect(parcel, NO_STRING); /* no extras */
    take(parcel);              /* time, 64 bits */
    take(parcel);
    if (api >= ANDROID_12) {
        expect(parcel, 0); /* not styled */
        take(parcel);      /* state of classification */
        expect(parcel, 0); /* an empty bundle */
    }
    expect(parcel, 0); /* no icon */
    read_item(call, parcel, api, &text);
    skip_string16(parcel);
    if (api >= ANDROID_13) {
        expect(parcel, NO_STRING); /* no attribution tag */
    }
    expect(parcel, 0); /* user */
    if (api >= ANDROID_14) {
        expect(parcel, 0); /* device */
    }
    /* From Android 13 on, words that are left are an error. */
    parcel->broken =
        parcel->broken || (api >= ANDROID_13 && parcel->at != parcel->count);
    if (parcel->broken) {
        print_exception(call);
    } else if (!call->failed) {
        sq_buf_clear(&call->phone->clipboard);
        sq_adbd_check(call, sq_buf_append(&call->phone->clipboard, text.data,
                                          text.len, call->err));
        put_word(&reply, 0);
        print_parcel(call, &reply);
    }
}

static void
put_string(struct parcel *parcel, int api, struct sq_span text) {
    if (api < ANDROID_11) {
        put_string16(parcel, text);
        return;
    }
    put_word(parcel, (uint32_t)text.len);
    uint32_t word = 0;
    for (size_t i = 0; i <= text.len; i++) {
        uint32_t byte = i < text.len ? (unsigned char)text.ptr[i] : 0;
        word |= byte << (i % 4 * 8);
        if (i % 4 == 3 || i == text.len) {
            put_word(parcel, word);
            word = 0;
        }
    }
}

static void
get_clip(struct sq_adbd_call *call, int api) {
    static const uint32_t before[] = { 0, 1, 1, NO_STRING, 1 };
    struct parcel reply = { 0 };
    bool is_empty = call->phone->clipboard.len == 0;
    for (size_t i = 0; i < (is_empty ? 1 : 5); i++) {
        put_word(&reply, before[i]);
    }
    if (!is_empty) {
        put_string16(&reply, SQ_SPAN("text/plain"));
        put_word(&reply, NO_STRING);
        put_word(&reply, 0x12345678); /* time */
        put_word(&reply, 0x19a);
        if (api >= ANDROID_12) {
            put_word(&reply, 0);
            put_word(&reply, 3);
            put_word(&reply, 0);
        }
        put_word(&reply, 0);
        put_word(&reply, 1);
        put_word(&reply, 1);
        put_string(&reply, api, sq_buf_span(&call->phone->clipboard));
    } else {
        put_word(&reply, 0);
    }
    print_parcel(call, &reply);
}

static void
run_service(struct sq_adbd_call *call) {
    struct parcel parcel = { 0 };
    int api = sq_adbd_phone_api(call->phone);
    int getter = api >= ANDROID_12 ? 4 : api >= ANDROID_9 ? 3 : 2;
    int64_t code = 0;
    if (!sq_adbd_arg_is(call, 1, "call")
        || !sq_adbd_arg_is(call, 2, "clipboard") || call->argc < 4
        || !sq_span_to_int64(sq_span_of(call->argv[3]), &code)) {
        sq_adbd_fail(call, 10, "service: Service does not exist\n");
    } else if (!read_arguments(call, &parcel) || (code != 1 && code != getter)
               || sq_adbd_has(call, SQ_ADBD_NO_CLIPBOARD)) {
        print_exception(call);
    } else if (code == 1) {
        set_clip(call, &parcel, api);
    } else {
        get_clip(call, api);
    }
}

static void
run_clipboard(struct sq_adbd_call *call) {
    sq_adbd_fail(call, 255, "No shell command implementation.\n");
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
    { "service", run_service, SQ_ADBD_PROGRAM },
    { "clipboard", run_clipboard, SQ_ADBD_SERVICE },
    { 0 },
};

/* The answers of idb; as strict about its arguments as the real one. */
#include <stdio.h>
#include <string.h>

#include "fake/fake.h"

#define USAGE 2
#define MAX_NUMBERS 24

/* The parts of a command line. */
struct command {
    const char *verb;
    const char *positional[MAX_NUMBERS];
    int count;
    const char *udid;
    const char *duration;
    bool json;
    bool nested;
    bool help;
};

static bool
is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* Options without and with a value. */
static bool
take_option(const struct fake_request *request, int *at,
            struct command *command) {
    const char *word = request->words[*at];
    command->json = command->json || is(word, "--json");
    command->nested = command->nested || is(word, "--nested");
    command->help = command->help || is(word, "--help");
    if (is(word, "--json") || is(word, "--nested") || is(word, "--help")) {
        return true;
    }
    if (*at + 1 >= request->count) {
        return false;
    }
    const char *value = request->words[++*at];
    if (is(word, "--udid")) {
        command->udid = value;
    } else if (is(word, "--duration")) {
        command->duration = value;
    }
    return is(word, "--udid") || is(word, "--duration");
}

static bool
parse(const struct fake_request *request, struct command *command) {
    bool only_words = false;
    command->verb = request->count > 2 ? request->words[2] : "";
    for (int i = 3; i < request->count; i++) {
        const char *word = request->words[i];
        if (!only_words && is(word, "--")) {
            only_words = true;
        } else if (!only_words && word[0] == '-') {
            if (!take_option(request, &i, command)) {
                return false;
            }
        } else if (command->count == MAX_NUMBERS) {
            return false;
        } else {
            command->positional[command->count++] = word;
        }
    }
    return true;
}

static bool
numbers_of(const struct command *command, int count, int *out) {
    bool ok = command->count == count;
    for (int i = 0; ok && i < count; i++) {
        int64_t value;
        ok = sq_span_to_int64(sq_span_of(command->positional[i]), &value);
        out[i] = ok ? (int)value : 0;
    }
    return ok;
}

static bool
milliseconds_of(const struct command *command, int *out) {
    double seconds = 0;
    bool ok = !command->duration
           || sq_span_to_double(sq_span_of(command->duration), &seconds);
    *out = (int)(seconds * 1000 + 0.5);
    return ok;
}

static bool
tap(struct fake *fake, const struct command *command,
    struct fake_reply *reply) {
    int at[2];
    int duration_ms;
    struct sq_touch touch = { .count = 1 };
    (void)reply;
    if (!numbers_of(command, 2, at)
        || !milliseconds_of(command, &duration_ms)) {
        return false;
    }
    touch.duration_ms = duration_ms;
    if (fake_from_panel(fake, (struct sq_dev_pt){ at[0], at[1] }, &touch.at)) {
        sq_device_tap(fake->phone, &touch, &fake->deadline, NULL);
    }
    return true;
}

static bool
swipe(struct fake *fake, const struct command *command,
      struct fake_reply *reply) {
    int at[4];
    struct sq_swipe swipe;
    (void)reply;
    if (!numbers_of(command, 4, at)
        || !milliseconds_of(command, &swipe.duration_ms)) {
        return false;
    }
    if (fake_from_panel(fake, (struct sq_dev_pt){ at[0], at[1] }, &swipe.from)
        && fake_from_panel(fake, (struct sq_dev_pt){ at[2], at[3] },
                           &swipe.to)) {
        sq_device_swipe(fake->phone, &swipe, &fake->deadline, NULL);
    }
    return true;
}

/* Types text; without a focused element the keys are ignored silently. */
static bool
text(struct fake *fake, const struct command *command,
     struct fake_reply *reply) {
    if (command->count != 1) {
        return false;
    }
    struct sq_span typed = sq_span_of(command->positional[0]);
    for (size_t i = 0; i < typed.len; i++) {
        if (typed.ptr[i] != '\n'
            && (typed.ptr[i] < ' ' || typed.ptr[i] > '~')) {
            fake_fail(reply, 1, "No keycode found for %.*s", 4, typed.ptr + i);
            return true;
        }
    }
    sq_device_text(fake->phone, typed, &fake->deadline, NULL);
    return true;
}

static bool
key(struct fake *fake, const struct command *command,
    struct fake_reply *reply) {
    static const struct {
        int code;
        const char *name;
    } keys[] = { { 40, "enter" }, { 41, "escape" },    { 42, "delete" },
                 { 43, "tab" },   { 44, "space" },     { 75, "page_up" },
                 { 81, "down" },  { 78, "page_down" }, { 82, "up" } };
    int code;
    (void)reply;
    if (!numbers_of(command, 1, &code)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (keys[i].code == code) {
            sq_device_key(fake->phone, keys[i].name, &fake->deadline, NULL);
        }
    }
    return true;
}

/* idb ui key-sequence CODE ...: only the delete key. */
static bool
key_sequence(struct fake *fake, const struct command *command,
             struct fake_reply *reply) {
    (void)reply;
    for (int i = 0; i < command->count; i++) {
        if (!is(command->positional[i], "42")) {
            return false;
        }
        sq_device_key(fake->phone, "delete", &fake->deadline, NULL);
    }
    return command->count > 0;
}

static bool
button(struct fake *fake, const struct command *command,
       struct fake_reply *reply) {
    static const char *const names[] = { "APPLE_PAY", "HOME", "LOCK",
                                         "SIDE_BUTTON", "SIRI" };
    (void)reply;
    bool known = false;
    for (size_t i = 0; i < 5 && command->count == 1; i++) {
        known = known || is(command->positional[0], names[i]);
    }
    if (known && is(command->positional[0], "HOME")) {
        sq_device_key(fake->phone, "home", &fake->deadline, NULL);
    } else if (known && is(command->positional[0], "LOCK")) {
        sq_device_key(fake->phone, "power", &fake->deadline, NULL);
    }
    return known;
}

static bool
describe_all(struct fake *fake, const struct command *command,
             struct fake_reply *reply) {
    struct sq_err err = { 0 };
    if (command->help) {
        return sq_buf_printf(&reply->output, NULL,
                             "usage: idb ui describe-all [-h] [--udid UDID] "
                             "[--json] [--nested]\n");
    }
    if (command->count != 0) {
        return false;
    }
    if (!fake_put_elements(fake, command->nested, &reply->output, &err)) {
        fake_fail(reply, 1, "%s", err.message);
    }
    return sq_buf_append(&reply->output, "\n", 1, NULL);
}

static bool
describe_point(struct fake *fake, const struct command *command,
               struct fake_reply *reply) {
    int at[2];
    if (!numbers_of(command, 2, at)) {
        return false;
    }
    if (!fake_put_element_at(fake, (struct sq_dev_pt){ at[0], at[1] },
                             &reply->output, NULL)) {
        fake_fail(reply, 1,
                  "No translation object returned for simulator. This means "
                  "you have likely specified a point onscreen that is invalid "
                  "or invisible due to a fullscreen dialog");
    }
    return true;
}

static const struct verb {
    const char *name;
    bool (*run)(struct fake *fake, const struct command *command,
                struct fake_reply *reply);
} verbs[] = {
    { "tap", tap },
    { "swipe", swipe },
    { "text", text },
    { "key", key },
    { "key-sequence", key_sequence },
    { "button", button },
    { "describe-all", describe_all },
    { "describe-point", describe_point },
};

static void
list_targets(struct fake_reply *reply) {
    sq_buf_printf(
        &reply->output, NULL,
        "{\"name\": \"iPad Pro (12.9-inch) (6th generation)\", \"udid\": "
        "\"0A1B2C3D-0000-4000-8000-00000000CCCC\", \"state\": \"Shutdown\", "
        "\"type\": \"simulator\", \"os_version\": \"iOS 17.2\", "
        "\"architecture\": \"x86_64\", \"host\": null}\n"
        "{\"name\": \"iPhone 15\", \"udid\": \"" FAKE_UDID
        "\", \"state\": \"Booted\", \"type\": \"simulator\", "
        "\"os_version\": \"iOS 17.2\", \"architecture\": \"x86_64\", "
        "\"is_local\": true}\n");
}

void
fake_idb(struct fake *fake, const struct fake_request *request,
         struct fake_reply *reply) {
    struct command command = { 0 };
    if (request->count > 1 && is(request->words[1], "list-targets")) {
        list_targets(reply);
        return;
    }
    if (request->count < 3 || !is(request->words[1], "ui")
        || !parse(request, &command)) {
        fake_fail(reply, USAGE, "usage: idb [-h] ...");
        return;
    }
    if (!command.help && (!command.udid || !is(command.udid, FAKE_UDID))) {
        fake_fail(reply, 1, "%s is not a simulator that is known",
                  command.udid ? command.udid : "nothing");
        return;
    }
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (is(verbs[i].name, command.verb)) {
            if (!verbs[i].run(fake, &command, reply)) {
                fake_fail(reply, USAGE, "usage: idb ui %s: invalid arguments",
                          command.verb);
            }
            return;
        }
    }
    fake_fail(reply, USAGE, "idb ui: invalid choice: '%s'", command.verb);
}

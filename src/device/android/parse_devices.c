/* Parses the adb server's list of devices. */
#include "device/android/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A name must hold a model and a product, each as long as an id. */
_Static_assert(2 * SQ_DEVICE_ID_SIZE + 4 <= SQ_DEVICE_TEXT_SIZE, "fit");

/* A state reported by the server, its meaning and a hint. */
struct meaning {
    const char *word; /* prefix of the state */
    enum sq_device_state state;
    const char *why;
    const char *hint;
};

static const struct meaning meanings[] = {
    { "device", SQ_DEVICE_ONLINE, "", "" },
    { "offline", SQ_DEVICE_OFFLINE, "it does not answer",
      "Plug it in again, or run: adb reconnect offline" },
    { "unauthorized", SQ_DEVICE_UNAUTHORIZED,
      "it has not allowed debugging from this computer",
      "Unlock its screen and accept \"Allow USB debugging?\". If it does not "
      "ask, run adb kill-server and plug it in again." },
    { "authorizing", SQ_DEVICE_UNAUTHORIZED,
      "it is being asked to allow debugging",
      "Unlock its screen and accept \"Allow USB debugging?\"." },
    { "connecting", SQ_DEVICE_BOOTING, "it is being connected",
      "Try again in a few seconds." },
    { "no permissions", SQ_DEVICE_UNUSABLE,
      "this user has no permission to open its USB port",
      "Install the udev rules (Debian: android-sdk-platform-tools-common), "
      "join the group plugdev, and plug it in again." },
    { "recovery", SQ_DEVICE_UNUSABLE, "it is in recovery mode",
      "Reboot it: adb reboot" },
    { "sideload", SQ_DEVICE_UNUSABLE, "it waits for an update (sideload)",
      "Reboot it from its own menu." },
    { "rescue", SQ_DEVICE_UNUSABLE, "it is in rescue mode",
      "Reboot it from its own menu." },
    { "bootloader", SQ_DEVICE_UNUSABLE, "it is in its bootloader",
      "Reboot it: fastboot reboot" },
    { "fastboot", SQ_DEVICE_UNUSABLE, "it is in its bootloader",
      "Reboot it: fastboot reboot" },
    { "detached", SQ_DEVICE_UNUSABLE, "adb has detached it",
      "Run: adb attach" },
    { "host", SQ_DEVICE_UNUSABLE, "adb reports it as a computer",
      "Choose another device." },
};

static const struct meaning no_meaning = {
    .state = SQ_DEVICE_UNUSABLE,
    .why = "adb reports an unknown state",
    .hint = "Run adb devices -l to see its state.",
};

static const struct meaning bad_serial = {
    .state = SQ_DEVICE_UNUSABLE,
    .why = "its serial number begins with \"-\", which programs would take for "
           "an option",
    .hint = "Give it another serial number, or connect it by its address: adb "
            "connect HOST:PORT",
};

/* "no permissions" is followed by details; other states match completely. */
static const struct meaning *
meaning_of(struct sq_span state) {
    for (size_t i = 0; i < SQ_COUNT(meanings); i++) {
        struct sq_span rest = state;
        if (sq_span_take_prefix(&rest, meanings[i].word)
            && (rest.len == 0 || rest.ptr[0] == ' ' || rest.ptr[0] == ';')) {
            return &meanings[i];
        }
    }
    return &no_meaning;
}

/*
 * Splits a line before the state: after a tab, or the first known state word. A
 * serial may contain blanks ("(no serial number)", names found by mDNS).
 * Otherwise the state is the second word. Empty if there is none.
 */
static struct sq_span
split_state(struct sq_span *serial) {
    const char *end = serial->ptr + serial->len;
    const char *at = memchr(serial->ptr, '\t', serial->len);
    const char *second = NULL;
    struct sq_span rest = *serial;
    struct sq_span word;
    at = at ? at + 1 : NULL;
    bool has_serial = sq_line_take_word(&rest, &word);
    while (!at && has_serial && sq_line_take_word(&rest, &word)) {
        bool is_no = sq_span_is(word, "no");
        struct sq_span state = { word.ptr,
                                 is_no ? (size_t)(end - word.ptr) : word.len };
        second = second ? second : word.ptr;
        at = meaning_of(state) != &no_meaning ? word.ptr : NULL;
    }
    at = at ? at : second ? second : end;
    serial->len = (size_t)(at - serial->ptr);
    return (struct sq_span){ at, (size_t)(end - at) };
}

/* Sets the field that a word such as "model:Pixel_8" names. */
static bool
set_field(struct sq_adb_device *device, struct sq_span word) {
    struct sq_span transport = { 0 };
    struct sq_span ignored;
    const struct {
        const char *key;
        struct sq_span *value;
    } fields[] = {
        { "product:", &device->product },
        { "model:", &device->model },
        { "device:", &device->device },
        { "transport_id:", &transport },
        { "usb:", &ignored },
    };
    for (size_t i = 0; i < SQ_COUNT(fields); i++) {
        if (sq_span_take_prefix(&word, fields[i].key)) {
            *fields[i].value = word;
            sq_span_to_uint64(transport, &device->transport_id);
            return true;
        }
    }
    return false;
}

/* The serial, the state, then key:value fields. */
static bool
read_device(struct sq_span line, struct sq_adb_device *out) {
    struct sq_adb_device device = { 0 };
    struct sq_span word;
    bool in_fields = false;
    if (sq_span_starts_with(line, "* ")
        || sq_span_starts_with(line, "List of devices")) {
        return false;
    }
    struct sq_span rest = split_state(&line);
    device.serial = sq_span_trim(line);
    device.state = rest;
    while (sq_line_take_word(&rest, &word)) {
        bool is_field = set_field(&device, word);
        if (is_field && !in_fields) {
            in_fields = true;
            device.state.len = (size_t)(word.ptr - device.state.ptr);
        }
    }
    device.state = sq_span_trim(device.state);
    const struct meaning *meaning = meaning_of(device.state);
    if (meaning != &no_meaning && !sq_span_starts_with(device.state, "no ")) {
        device.state.len = strlen(meaning->word);
    }
    if (device.serial.len == 0 || device.state.len == 0) {
        return false;
    }
    *out = device;
    return true;
}

bool
sq_adb_take_device(struct sq_span *rest, struct sq_adb_device *out) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        if (read_device(line, out)) {
            return true;
        }
    }
    return false;
}

/* Accepts printable ASCII only, so that it can be shown and passed on. */
static bool
is_id(struct sq_span serial) {
    for (size_t i = 0; i < serial.len; i++) {
        if (serial.ptr[i] < ' ' || serial.ptr[i] > '~') {
            return false;
        }
    }
    return serial.len > 0 && serial.len < SQ_DEVICE_ID_SIZE;
}

bool
sq_adb_is_address(struct sq_span serial) {
    size_t digits = 0;
    while (digits < serial.len
           && sq_is_digit(serial.ptr[serial.len - 1 - digits])) {
        digits++;
    }
    return digits > 0 && digits <= 5 && serial.len > digits + 1
        && serial.ptr[serial.len - 1 - digits] == ':';
}

/* Hints for a phone attached by network, before its address. */
static const struct {
    enum sq_device_state state;
    const char *hint;
} network_hints[] = {
    { SQ_DEVICE_OFFLINE, "Check that it is on and connected to the network, "
                         "then run: adb connect " },
    { SQ_DEVICE_UNAUTHORIZED,
      "Unlock its screen and accept \"Allow USB debugging?\". If it does not "
      "ask, run adb disconnect, then: adb connect " },
};

bool
sq_adb_describe(const struct sq_adb_device *device,
                struct sq_device_info *out) {
    if (!is_id(device->serial)) {
        return false;
    }
    const struct meaning *meaning =
        device->serial.ptr[0] == '-' ? &bad_serial : meaning_of(device->state);
    struct sq_device_info info = {
        .kind = "android",
        .state = meaning->state,
        .connection = device->transport_id,
    };
    snprintf(info.id, sizeof(info.id), "%.*s", SQ_SPAN_ARGS(device->serial));
    bool has_model = is_id(device->model);
    struct sq_span name = has_model ? device->model : device->serial;
    snprintf(info.name, SQ_DEVICE_TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(name));
    for (char *c = info.name; has_model && *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    if (is_id(device->product)) {
        snprintf(info.name + name.len, SQ_DEVICE_TEXT_SIZE - name.len,
                 " (%.*s)", SQ_SPAN_ARGS(device->product));
    }
    snprintf(info.why, sizeof(info.why), "%s", meaning->why);
    snprintf(info.hint, SQ_DEVICE_TEXT_SIZE, "%s", meaning->hint);
    for (size_t i = 0; i < SQ_COUNT(network_hints); i++) {
        if (network_hints[i].state == meaning->state
            && sq_adb_is_address(device->serial)) {
            snprintf(info.hint, SQ_DEVICE_TEXT_SIZE, "%s%.*s",
                     network_hints[i].hint, SQ_SPAN_ARGS(device->serial));
        }
    }
    *out = info;
    return true;
}

void
sq_adb_name_transport(struct sq_device_info *info) {
    char end[24];
    size_t len = strlen(info->id);
    int more = snprintf(end, sizeof(end), "#%" PRIu64, info->connection);
    if (info->connection && len + (size_t)more < sizeof(info->id)) {
        memcpy(info->id + len, end, (size_t)more + 1);
    }
}

bool
sq_adb_is_one_of_several(const struct sq_device_info *info) {
    char end[24];
    snprintf(end, sizeof(end), "#%" PRIu64, info->connection);
    return info->connection && sq_span_ends_with(sq_span_of(info->id), end);
}

bool
sq_adb_has_feature(struct sq_span features, const char *name) {
    struct sq_span feature;
    while (sq_span_take_until(&features, ',', &feature)) {
        if (sq_span_is(sq_span_trim(feature), name)) {
            return true;
        }
    }
    return sq_span_is(sq_span_trim(features), name);
}

#include "device/android/parse.h"

#include "support/test.h"

#define T_SPAN(got, want)                                                      \
    T_BYTES((got).ptr ? (got).ptr : "", (got).len, want, strlen(want))

#define NO_PERMISSIONS                                                         \
    "no permissions (user in plugdev group; are your udev rules wrong?); see " \
    "[http://developer.android.com/tools/device.html]"

/* A line, and its content. */
static const struct line {
    const char *text;
    const char *serial; /* NULL: not a device */
    const char *state;
    const char *product;
    const char *model;
    const char *device;
    unsigned transport_id;
} lines[] = {
    { "127.0.0.1:15561        device product:sdk_fake model:Fake_Phone "
      "device:fake transport_id:1\n",
      "127.0.0.1:15561", "device", "sdk_fake", "Fake_Phone", "fake", 1 },
    { "R9CN4057BXJ            device usb:1-2 product:a model:SM_G991B "
      "device:o1s transport_id:12\r\n",
      "R9CN4057BXJ", "device", "a", "SM_G991B", "o1s", 12 },
    { "R9CN4057BXJ            device 2-1 product:a10sxx model:SM_A107F "
      "device:a10s transport_id:1",
      "R9CN4057BXJ", "device", "a10sxx", "SM_A107F", "a10s", 1 },
    { "127.0.0.1:5             unauthorized transport_id:2", "127.0.0.1:5",
      "unauthorized", "", "", "", 2 },
    { "emulator-5554          offline transport_id:4", "emulator-5554",
      "offline", "", "", "", 4 },
    { "emulator-5556          authorizing transport_id:5", "emulator-5556",
      "authorizing", "", "", "", 5 },
    { "x                      recovery product:x model:y device:z "
      "transport_id:3",
      "x", "recovery", "x", "y", "z", 3 },
    { "ABCD1234               " NO_PERMISSIONS " usb:1-4 transport_id:7\r\n",
      "ABCD1234", NO_PERMISSIONS, "", "", "", 7 },
    { "????????????           no permissions usb:1-4", "????????????",
      "no permissions", "", "", "", 0 },
    { "(no serial number)     device usb:1-1 product:p model:m device:d",
      "(no serial number)", "device", "p", "m", "d", 0 },
    { "adb-R5CT123ABC-xYz (2)._adb-tls-connect._tcp device product:beyond1 "
      "model:SM_G973F device:beyond1 transport_id:4",
      "adb-R5CT123ABC-xYz (2)._adb-tls-connect._tcp", "device", "beyond1",
      "SM_G973F", "beyond1", 4 },
    { "(no serial number)     no permissions; see [http://x.y/z] usb:1-1",
      "(no serial number)", "no permissions; see [http://x.y/z]", "", "", "",
      0 },
    { "127.0.0.1:15561\tdevice\n", "127.0.0.1:15561", "device", "", "", "", 0 },
    { "odd serial\tunauthorized\n", "odd serial", "unauthorized", "", "", "",
      0 },
    { "new                    teleporting model:m transport_id:9", "new",
      "teleporting", "", "m", "", 9 },
    { "x device transport_id:99999999999999999999999", "x", "device", "", "",
      "", 0 },
    { "x device transport_id:-1 model:", "x", "device", "", "", "", 0 },
    { "List of devices attached", NULL, "", "", "", "", 0 },
    { "* daemon not running; starting now at tcp:5037", NULL, "", "", "", "",
      0 },
    { "lonely", NULL, "", "", "", "", 0 },
    { "   ", NULL, "", "", "", "", 0 },
};

static void
check_line(const struct line *line) {
    struct sq_span rest = sq_span_of(line->text);
    struct sq_adb_device device = { 0 };
    bool found = sq_adb_take_device(&rest, &device);
    if (!T(found == (line->serial != NULL)) || !found) {
        return;
    }
    T_SPAN(device.serial, line->serial);
    T_SPAN(device.state, line->state);
    T_SPAN(device.product, line->product);
    T_SPAN(device.model, line->model);
    T_SPAN(device.device, line->device);
    T_INT(device.transport_id, line->transport_id);
    T(!sq_adb_take_device(&rest, &device));
}

T_CASE(lines_of_every_kind_are_parsed) {
    for (size_t i = 0; i < SQ_COUNT(lines); i++) {
        check_line(&lines[i]);
    }
}

T_CASE(complete_list_is_parsed) {
    struct sq_span rest = SQ_SPAN("* daemon started successfully\n"
                                  "List of devices attached\n"
                                  "a device\n\nb offline\nbroken\nc device");
    static const char *const serials[] = { "a", "b", "c" };
    struct sq_adb_device device;
    for (size_t i = 0; i < SQ_COUNT(serials); i++) {
        if (T(sq_adb_take_device(&rest, &device))) {
            T_SPAN(device.serial, serials[i]);
        }
    }
    T(!sq_adb_take_device(&rest, &device));
    struct sq_span empty = { 0 };
    T(!sq_adb_take_device(&empty, &device));
}

static const struct {
    const char *state;
    enum sq_device_state want;
} states[] = {
    { "device", SQ_DEVICE_ONLINE },
    { "offline", SQ_DEVICE_OFFLINE },
    { "unauthorized", SQ_DEVICE_UNAUTHORIZED },
    { "authorizing", SQ_DEVICE_UNAUTHORIZED },
    { "connecting", SQ_DEVICE_BOOTING },
    { NO_PERMISSIONS, SQ_DEVICE_UNUSABLE },
    { "no permissions", SQ_DEVICE_UNUSABLE },
    { "recovery", SQ_DEVICE_UNUSABLE },
    { "bootloader", SQ_DEVICE_UNUSABLE },
    { "sideload", SQ_DEVICE_UNUSABLE },
    { "rescue", SQ_DEVICE_UNUSABLE },
    { "host", SQ_DEVICE_UNUSABLE },
    { "detached", SQ_DEVICE_UNUSABLE },
    { "teleporting", SQ_DEVICE_UNUSABLE },
    { "devices", SQ_DEVICE_UNUSABLE },
};

T_CASE(only_a_usable_device_is_online) {
    for (size_t i = 0; i < SQ_COUNT(states); i++) {
        struct sq_adb_device device = { .serial = SQ_SPAN("s1"),
                                        .state = sq_span_of(states[i].state) };
        struct sq_device_info info;
        T(sq_adb_describe(&device, &info));
        T_INT(info.state, states[i].want);
        bool online = info.state == SQ_DEVICE_ONLINE;
        T(online == (info.why[0] == '\0') && online == (info.hint[0] == '\0'));
        T_STR(info.kind, "android");
        T_STR(info.id, "s1");
        T_STR(info.name, "s1");
    }
}

T_CASE(name_is_the_model) {
    struct sq_adb_device device = { .serial = SQ_SPAN("my_phone"),
                                    .state = SQ_SPAN("device"),
                                    .model = SQ_SPAN("Pixel_8_Pro") };
    struct sq_device_info info;
    T(sq_adb_describe(&device, &info));
    T_STR(info.name, "Pixel 8 Pro");
    T_STR(info.id, "my_phone");
    device.model = (struct sq_span){ 0 };
    T(sq_adb_describe(&device, &info));
    T_STR(info.name, "my_phone");
    device.model = SQ_SPAN("\x1b[31mred");
    T(sq_adb_describe(&device, &info));
    T_STR(info.name, "my_phone");
    device.product = SQ_SPAN("husky_beta");
    T(sq_adb_describe(&device, &info));
    T_STR(info.name, "my_phone (husky_beta)");
    device.product = SQ_SPAN("husky\x1b[31m");
    T(sq_adb_describe(&device, &info));
    T_STR(info.name, "my_phone");
}

T_CASE(invalid_serial_is_not_an_id) {
    char longest[SQ_DEVICE_ID_SIZE];
    memset(longest, 'x', sizeof(longest));
    const struct sq_span serials[] = {
        { 0 },
        SQ_SPAN_INIT("a\x1b[0m"),
        SQ_SPAN_INIT("caf\xc3\xa9"),
        { longest, sizeof(longest) },
    };
    for (size_t i = 0; i < SQ_COUNT(serials); i++) {
        struct sq_adb_device device = { .serial = serials[i],
                                        .state = SQ_SPAN("device") };
        struct sq_device_info info = { .kind = "untouched" };
        T(!sq_adb_describe(&device, &info));
        T_STR(info.kind, "untouched");
    }
    struct sq_adb_device fits = { .serial = { longest, sizeof(longest) - 1 },
                                  .state = SQ_SPAN("device") };
    struct sq_device_info info;
    T(sq_adb_describe(&fits, &info));
    T_INT(strlen(info.id), sizeof(longest) - 1);
}

/* It is listed, so that the user sees why it cannot be used. */
T_CASE(serial_that_looks_like_an_option_is_refused) {
    static const char *const serials[] = { "-", "-x", "--help",
                                           "-s emulator-5554" };
    for (size_t i = 0; i < SQ_COUNT(serials); i++) {
        struct sq_adb_device device = { .serial = sq_span_of(serials[i]),
                                        .state = SQ_SPAN("device") };
        struct sq_device_info info;
        T(sq_adb_describe(&device, &info));
        T_STR(info.id, serials[i]);
        T_INT(info.state, SQ_DEVICE_UNUSABLE);
        T_HAS(info.why, "begins with \"-\"");
        T(info.hint[0]);
    }
}

T_CASE(addresses_are_recognised) {
    static const char *const addresses[] = { "192.168.1.5:5555", "[::1]:5555",
                                             "phone.local:1" };
    static const char *const others[] = {
        "",
        "emulator-5554",
        "R9CN4057BXJ",
        ":5555",
        "5555",
        "a:123456",
        "a:",
        "a:b",
        "usb:1-2",
        "adb-R5CT123ABC-xYz._adb-tls-connect._tcp",
    };
    for (size_t i = 0; i < SQ_COUNT(addresses); i++) {
        struct sq_adb_device device = { .serial = sq_span_of(addresses[i]),
                                        .state = SQ_SPAN("offline") };
        struct sq_device_info info;
        T(sq_adb_is_address(device.serial));
        T(sq_adb_describe(&device, &info));
        const char *want = t_text("adb connect %s", addresses[i]);
        T_HAS(info.hint, want);
        T_LACKS(info.hint, "Plug");
        device.state = SQ_SPAN("unauthorized");
        T(sq_adb_describe(&device, &info));
        T_HAS(info.hint, "Allow USB debugging?");
        T_HAS(info.hint, want);
        T_LACKS(info.hint, "plug");
    }
    T_EACH(i, others) {
        T(!sq_adb_is_address(sq_span_of(others[i])));
    }
}

T_CASE(features_are_recognised) {
    struct sq_span list = SQ_SPAN("abb_exec,shell_v2,cmd,stat_v2\n");
    T(sq_adb_has_feature(list, "shell_v2"));
    T(sq_adb_has_feature(list, "abb_exec"));
    T(sq_adb_has_feature(list, "stat_v2"));
    T(!sq_adb_has_feature(list, "shell"));
    T(!sq_adb_has_feature(list, "abb"));
    T(!sq_adb_has_feature((struct sq_span){ 0 }, "cmd"));
}

T_CASE(equal_serials_have_ids_of_their_own) {
    struct sq_device_info info = { .id = "0123456789", .connection = 7 };
    T(!sq_adb_is_one_of_several(&info));
    sq_adb_name_transport(&info);
    T_STR(info.id, "0123456789#7");
    T(sq_adb_is_one_of_several(&info));
    info = (struct sq_device_info){ .id = "0123456789" };
    sq_adb_name_transport(&info);
    T_STR(info.id, "0123456789");
    T(!sq_adb_is_one_of_several(&info));
    info = (struct sq_device_info){ .connection = 7 };
    memset(info.id, 'x', sizeof(info.id) - 1);
    sq_adb_name_transport(&info);
    T_INT(strlen(info.id), sizeof(info.id) - 1);
}

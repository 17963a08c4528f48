#include "device/ios/parse.h"

#include "support/test.h"

#define SIM(udid, state, name, more)                                           \
    "{ \"udid\" : \"" udid "\", \"state\" : \"" state "\", \"name\" : \"" name \
    "\", \"dataPath\" : \"\\/Users\\/ada\\/x\"" more " }"
#define ID(last) "0A1B2C3D-0000-4000-8000-00000000000" last

static struct sq_device_list
parse(const char *json) {
    struct sq_device_list list = { 0 };
    T_OK(sq_simctl_parse_devices(sq_span_of(json), &list, &t_err));
    return list;
}

T_CASE(running_simulators_are_first_and_others_have_a_reason) {
    T_FREED(sq_device_list_finish)
    struct sq_device_list list = parse(
        "{ \"devices\" : {\n"
        "\"com.apple.CoreSimulator.SimRuntime.watchOS-10-2\" : [" SIM(
            ID("1"), "Booted", "Watch",
            "") "],\n"
                "\"com.apple.CoreSimulator.SimRuntime.tvOS-17-2\" : [\n\n],\n"
                "\"com.apple.CoreSimulator.SimRuntime.xrOS-1-0\" : [" SIM(
                    ID("2"), "Booted", "Vision",
                    "") "],\n"
                        "\"com.apple.CoreSimulator.SimRuntime.iOS-16-4\" : "
                        "[" SIM(
                            ID("3"), "Shutdown", "iPhone 14",
                            ", \"isAvailable\" : false, \"availabilityError\" "
                            ": \"runtime "
                            "profile not found\"") "],\n"
                                                   "\"com.apple.CoreSimulator."
                                                   "SimRuntime.iOS-18-2\" : "
                                                   "[" SIM(ID("4"), "Shutdown", "iPad Pro", ", \"isAvailable\" : true") "," SIM(
                                                       ID("5"), "Booting",
                                                       "iPhone SE",
                                                       "") "," SIM(ID("6"),
                                                                   "Booted",
                                                                   "iPhone 16 "
                                                                   "\\u00fc",
                                                                   "") "," SIM(ID("7"),
                                                                               "Dreaming",
                                                                               "iPhone 17",
                                                                               "") "] } }");
    T_INT(list.count, 5);
    T_STR(list.items[0].id, ID("5"));
    T_INT(list.items[0].state, SQ_DEVICE_BOOTING);
    T_STR(list.items[1].name, "iPhone 16 \xc3\xbc (iOS 18.2)");
    T_INT(list.items[1].state, SQ_DEVICE_ONLINE);
    T_STR(list.items[1].why, "");
    T_STR(list.items[2].id, ID("3"));
    T_INT(list.items[2].state, SQ_DEVICE_UNUSABLE);
    T_STR(list.items[2].why, "runtime profile not found");
    T_INT(list.items[3].state, SQ_DEVICE_OFFLINE);
    T_STR(list.items[3].hint, "Run: xcrun simctl boot " ID("4"));
    T_INT(list.items[4].state, SQ_DEVICE_UNUSABLE);
    /* Only simulators that are known to be off are marked as stopped. */
    T(!list.items[0].is_stopped);
    T(!list.items[1].is_stopped);
    T(list.items[2].is_stopped);
    T(list.items[3].is_stopped);
    T(!list.items[4].is_stopped);
}

T_CASE(older_formats_are_accepted) {
    T_FREED(sq_device_list_finish)
    struct sq_device_list list = parse("{\"devices\":{\"iOS 12.1\":[" SIM(
        ID("1"), "Booted", "iPhone X",
        ",\"isAvailable\":\"YES\"") "," SIM(ID("2"), "Shutdown", "iPhone 8",
                                            ",\"isAvailable\":"
                                            "\"NO\"") "," SIM(ID("3"),
                                                              "Shut"
                                                              "dow"
                                                              "n",
                                                              "iPho"
                                                              "ne "
                                                              "7",
                                                              ",\"a"
                                                              "vail"
                                                              "abil"
                                                              "ity"
                                                              "\":"
                                                              "\"("
                                                              "unav"
                                                              "aila"
                                                              "ble,"
                                                              " run"
                                                              "time"
                                                              " pro"
                                                              "file"
                                                              " not"
                                                              " fou"
                                                              "nd)"
                                                              "\"") "]}}");
    T_INT(list.count, 3);
    T_STR(list.items[0].name, "iPhone X (iOS 12.1)");
    T_INT(list.items[1].state, SQ_DEVICE_UNUSABLE);
    T_INT(list.items[2].state, SQ_DEVICE_UNUSABLE);
}

/* Only valid ids become arguments of a program. */
T_CASE(hostile_udids_are_skipped) {
    static const char *const udids[] = {
        "",
        "booted",
        "--help",
        "; rm -rf ~",
        "$(reboot)",
        "0A1B2C3D-0000-4000-8000-00000000000", /* too short */
        "0A1B2C3D-0000-4000-8000-000000000000 ",
        "0A1B2C3D-0000-4000-8000-00000000000g",
        "0A1B2C3D_0000-4000-8000-000000000000",
        "0A1B2C3D-0000-4000-8000-00000000\\u00000",
        "../../../../../../../../../etc/pass",
    };
    for (size_t i = 0; i < SQ_COUNT(udids); i++) {
        char json[400];
        snprintf(json, sizeof(json),
                 "{\"devices\":{\"com.apple.CoreSimulator.SimRuntime."
                 "iOS-18-2\":[{\"udid\":\"%s\",\"state\":\"Booted\","
                 "\"name\":\"x\"}]}}",
                 udids[i]);
        T_FREED(sq_device_list_finish) struct sq_device_list list = parse(json);
        T_INT(list.count, 0);
    }
    T(sq_simctl_is_udid(SQ_SPAN("0a1b2c3d-0000-4000-8000-abcdefABCDEF")));
}

T_CASE(other_json_is_refused) {
    static const struct {
        const char *text;
        enum sq_err_code code;
    } rows[] = {
        { "", SQ_ERR_TRUNCATED },
        { "{\"devices\":{\"com.apple", SQ_ERR_TRUNCATED },
        { "{\"devices\":[]}", SQ_ERR_FORMAT },
        { "{}", SQ_ERR_FORMAT },
        { "[]", SQ_ERR_FORMAT },
        { "xcrun: error", SQ_ERR_FORMAT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
        T_FAILS(
            sq_simctl_parse_devices(sq_span_of(rows[i].text), &list, &t_err),
            rows[i].code);
    }
    struct sq_device_list list =
        parse("{\"devices\":{\"com.apple.CoreSimulator.SimRuntime.iOS-18-2\":"
              "[null,7,\"x\",{},{\"udid\":5}],\"iOS 17\":{},\"iOS 16\":null}}");
    T_INT(list.count, 0);
    sq_device_list_finish(&list);
}

T_CASE(long_names_are_cut_between_characters) {
    char json[3000] = "{\"devices\":{\"iOS 18.2\":[{\"udid\":\"" ID(
        "1") "\",\"state\":\"Booted\",\"name\":\"";
    for (int i = 0; i < 300; i++) {
        size_t used = strlen(json);
        snprintf(json + used, sizeof(json) - used, "\xe2\x82\xac");
    }
    size_t used = strlen(json);
    snprintf(json + used, sizeof(json) - used, "\"}]}}");
    T_FREED(sq_device_list_finish) struct sq_device_list list = parse(json);
    T_INT(list.count, 1);
    const char *name = list.items[0].name;
    T(strlen(name) < SQ_DEVICE_TEXT_SIZE);
    T_HAS(name, "\xe2\x82\xac (iOS 18.2)");
}

static const char apps_text[] =
    "{\n"
    "    \"com.apple.Bridge\" =     {\n"
    "        ApplicationType = System;\n"
    "        CFBundleDisplayName = Watch;\n"
    "        CFBundleIdentifier = \"com.apple.Bridge\";\n"
    "        GroupContainers =         {\n"
    "            \"group.x\" = \"file:///a;b}\";\n"
    "        };\n"
    "        SBAppTags =         (\n            hidden,\n            "
    "\"a)\"\n        );\n"
    "        Icon = <0fbd77 1c>;\n"
    "    };\n"
    "    \"global.safe.mobileapp\" =     {\n"
    "        CFBundleDisplayName = \"Safe{Wallet} \\\"MVP\\\" \\U00e4"
    "\\Ud83c\\Udf89\\n\\101\";\n"
    "        CFBundleName = ignored;\n"
    "    };\n"
    "    nameless =     {\n    };\n"
    "    odd = text;\n"
    "}\n";

T_CASE(apps_are_read_from_an_old_style_property_list) {
    T_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    T_OK(sq_simctl_parse_apps(sq_span_of(apps_text), &list, &t_err));
    T_INT(list.count, 3);
    T(sq_span_is(list.entries[0].package, "com.apple.Bridge"));
    T(sq_span_is(list.entries[0].label, "Watch"));
    T(sq_span_is(list.entries[1].label,
                 "Safe{Wallet} \"MVP\" \xc3\xa4\xf0\x9f\x8e\x89\nA"));
    T(sq_span_is(list.entries[2].package, "nameless"));
    T_INT(list.entries[2].label.len, 0);
}

T_CASE(truncated_property_list_is_refused) {
    size_t last = strlen(apps_text) - 2; /* the closing brace */
    for (size_t len = 0; len <= last; len++) {
        struct sq_app_list list = { 0 };
        struct sq_span text = { apps_text, len };
        if (!T(!sq_simctl_parse_apps(text, &list, &t_err))) {
            sq_app_list_finish(&list);
        }
        T_INT(t_err.code, SQ_ERR_TRUNCATED);
    }
}

T_CASE(deeply_nested_property_list_is_refused) {
    char text[400] = "{a=";
    memset(text + 3, '(', 300);
    struct sq_app_list list = { 0 };
    T_FAILS(sq_simctl_parse_apps(sq_span_of(text), &list, &t_err),
            SQ_ERR_LIMIT);
}

T_CASE(app_of_a_process_is_found) {
    static const char text[] =
        "PID\tStatus\tLabel\n"
        "-\t0\tcom.apple.x\n"
        "311\t0\tcom.apple.SpringBoard\n"
        "312\t-9\tUIKitApplication:com.apple.Preferences[3f32][rb-legacy]\n"
        "313\t0\n314\n";
    struct sq_span bundle = { 0 };
    T(sq_simctl_find_app(sq_span_of(text), 312, &bundle));
    T(sq_span_is(bundle, "com.apple.Preferences"));
    T(sq_simctl_find_app(sq_span_of(text), 311, &bundle));
    T(sq_span_is(bundle, "com.apple.SpringBoard"));
    T(!sq_simctl_find_app(sq_span_of(text), 31, &bundle));
    T(!sq_simctl_find_app(sq_span_of(text), 313, &bundle));
    T(!sq_simctl_find_app(SQ_SPAN(""), 0, &bundle));
}

T_ALLOC_CASE(every_allocation_can_fail, 3) {
    T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    return sq_simctl_parse_devices(
               SQ_SPAN("{\"devices\":{\"iOS 1\":[{\"udid\":\"" ID(
                   "1") "\",\"name\":\"\\u00e4\"}]}}"),
               &list, err)
        && sq_simctl_parse_apps(sq_span_of(apps_text), &apps, err);
}

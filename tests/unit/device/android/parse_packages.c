#include "device/android/parse.h"

#include "support/test.h"

#define T_SPAN(got, want)                                                      \
    T_BYTES((got).ptr ? (got).ptr : "", (got).len, want, strlen(want))

T_CASE(recognises_package_names) {
    static const struct {
        const char *name;
        bool valid;
    } names[] = {
        { "com.example", true },   { "android", true },
        { "a1_b.C2", true },       { "", false },
        { "1com.example", false }, { "com.example.", false },
        { ".com", false },         { "com example", false },
        { "com;reboot", false },   { "com/x", false },
        { "$(id)", false },        { "caf\xc3\xa9", false },
        { "-f", false },           { "com\nx", false },
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        T(sq_package_is_valid(sq_span_of(names[i].name)) == names[i].valid);
    }
}

T_CASE(recognises_components) {
    struct sq_component component;
    T(sq_component_parse(SQ_SPAN("com.x/.Main"), &component));
    T_SPAN(component.package, "com.x");
    T_SPAN(component.activity, ".Main");
    static const char *const wrong[] = {
        "",        "/",         "com.x",        "com.x/",
        "/.Main",  "com.x/a/b", "com.x/.Main ", "com.x/.Main;id",
        "9/.Main",
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T(!sq_component_parse(sq_span_of(wrong[i]), &component));
    }
    T_SPAN(component.activity, ".Main");
}

T_CASE(lists_packages) {
    struct sq_span rest = SQ_SPAN(
        "WARNING: linker: something\r\n"
        "package:com.android.settings\r\n"
        "package:/data/app/~~x==/com.example-y==/base.apk=com.example\n"
        "package:com.uid uid:10123\npackage:com.version versionCode:33\n"
        "package:\npackage:com.bad;id\npackage\n"
        "  package:last");
    static const char *const want[] = { "com.android.settings", "com.example",
                                        "com.uid", "com.version", "last" };
    struct sq_span package;
    for (size_t i = 0; i < SQ_COUNT(want); i++) {
        if (T(sq_packages_take(&rest, &package))) {
            T_SPAN(package, want[i]);
        }
    }
    T(!sq_packages_take(&rest, &package));
}

T_CASE(lists_activities) {
    struct sq_span rest = SQ_SPAN(
        "3 activities found:\r\n"
        "  Activity #0:\r\n"
        "    priority=50 preferredOrder=0 match=0x108000 specificIndex=-1 "
        "isDefault=true\r\n"
        "    com.amazon.firelauncher/.Launcher\r\n"
        "  Activity #1:\n"
        "    com.android.chrome/com.google.android.apps.chrome.Main\n"
        "  Activity #2:\n    priority=0");
    struct sq_component component;
    T(sq_activities_take(&rest, &component));
    T_SPAN(component.package, "com.amazon.firelauncher");
    T_SPAN(component.activity, ".Launcher");
    T(sq_activities_take(&rest, &component));
    T_SPAN(component.package, "com.android.chrome");
    T(!sq_activities_take(&rest, &component));
}

T_CASE(resolves_an_activity) {
    struct sq_component component;
    T(sq_activity_resolve(
        SQ_SPAN("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "
                "isDefault=true\r\ncom.x/.Main\r\n"),
        &component));
    T_SPAN(component.package, "com.x");
    T(sq_activity_resolve(SQ_SPAN("com.y/com.y.Main"), &component));
    T(!sq_activity_resolve(SQ_SPAN("No activity found\n"), &component));
    T(!sq_activity_resolve(
        SQ_SPAN("priority=0\nandroid/com.android.internal.app."
                "ResolverActivity\n"),
        &component));
    T(!sq_activity_resolve((struct sq_span){ 0 }, &component));
    T_SPAN(component.package, "com.y");
}

T_CASE(finds_properties) {
    struct sq_span text =
        SQ_SPAN("[ro.build.version.release]: [14]\r\n"
                "[ro.product.model.x]: [wrong]\n"
                "[ro.product.model]: [Pixel [7]]\r\n"
                "[empty]: []\n"
                "[lines]: [one\ntwo\n\nthree]\n"
                "[open]: [never\n[ro.build.version.sdk]: [34]\n"
                "[cut]: [");
    static const struct {
        const char *name;
        const char *value; /* NULL: not there */
    } want[] = {
        { "ro.build.version.release", "14" },
        { "ro.product.model", "Pixel [7]" },
        { "empty", "" },
        { "lines", "one\ntwo\n\nthree" },
        { "ro.build.version.sdk", "34" },
        { "open", NULL },
        { "cut", NULL },
        { "ro.product", NULL },
        { "", NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(want); i++) {
        struct sq_span value = { "untouched", 9 };
        bool found = sq_getprop_find(text, want[i].name, &value);
        T(found == (want[i].value != NULL));
        T_SPAN(value, found ? want[i].value : "untouched");
    }
}

T_CASE(lists_keyboards) {
    struct sq_span rest = SQ_SPAN("com.android.adbkeyboard/.AdbIME\r\n"
                                  "com.google.android.inputmethod.latin/"
                                  "com.android.inputmethod.latin.LatinIME\n");
    struct sq_span id;
    T(sq_keyboards_take(&rest, &id));
    T_SPAN(id, "com.android.adbkeyboard/.AdbIME");
    T(sq_keyboards_take(&rest, &id));
    T(!sq_keyboards_take(&rest, &id));
    struct sq_span none = SQ_SPAN("null\n");
    T(!sq_keyboards_take(&none, &id));
}

/* launch and stop: accepted names, and replies. */
#include "unit/tools/acting.h"

static void
bring_shop_to_front(struct fake_device *fake) {
    fake->app =
        (struct sq_app){ .package = "com.example.shop", .activity = ".Shop" };
}

T_FIXTURE(acting_start, acting_end);

T_CASE(launch_reports_the_foreground_app) {
    on_action = bring_shop_to_front;
    expect("launch", "{'packageName':'com.example.shop'}",
           "{'launched':'com.example.shop','verified':false,<*>");
    T_OMITS("'app'");
    T_OMITS("'note'");
    T_STR(last_action(), "launch com.example.shop");
    on_action = NULL;
    expect("launch", "{'packageName':'com.example.other'}",
           "<*>'app':{'packageName':'com.example.shop',"
           "'activityName':'.Shop'},<*>'note':'Another app is still in the "
           "foreground.'<*>");
    int asked = world.device.apps;
    expect("launch", "{'packageName':'com.example.other','receipt':'none'}",
           "{'launched':'com.example.other',<*>");
    T_INT(world.device.apps, asked);
}

T_CASE(stop_ends_the_app) {
    expect("stop", "{'packageName':'com.example.shop'}",
           "{'stopped':'com.example.shop',<*>");
    T_STR(last_action(), "stop com.example.shop");
}

T_CASE(names_are_checked_before_the_device_sees_them) {
    static const char *const bad[] = {
        "{'packageName':''}",
        "{'packageName':'-p'}",
        "{'packageName':' '}",
        "{'packageName':'com.a\\u0000b'}",
    };
    static const char *const unknown[] = {
        "{'packageName':'com.a b'}",    "{'packageName':'com.a;reboot'}",
        "{'packageName':'com.a$(id)'}", "{'packageName':'com.\\u00e4'}",
        "{'packageName':'../../x/y'}",  "{'packageName':'Theatre'}",
    };
    for (size_t i = 0; i < SQ_COUNT(unknown); i++) {
        expect_refusal("launch", unknown[i], "PACKAGE_NOT_FOUND",
                       "no app is called \"<*>\"", "<*>apps<*>");
        T(!world.err.quotes);
        expect_refusal("stop", unknown[i], "PACKAGE_NOT_FOUND",
                       "no app is called \"<*>\"", "<*>apps<*>");
    }
    /* A similar label is suggested, as a text of the device. */
    expect_refusal("launch", "{'packageName':'Shpo'}", "PACKAGE_NOT_FOUND",
                   "no app is called \"Shpo\"; did you mean \"Shop\"?",
                   "<*>apps<*>");
    T(world.err.quotes);
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        expect_refusal("launch", bad[i], "INPUT_VALIDATION_FAILED",
                       "packageName is not the name of an app", "<*>apps<*>");
        expect_refusal("stop", bad[i], "INPUT_VALIDATION_FAILED",
                       "packageName is not the name of an app", "<*>apps<*>");
    }
    expect_refusal("launch", "{'packageName':'Shops'}", "PACKAGE_NOT_FOUND",
                   "no app is called \"Shops\"; did you mean \"Shop\"?",
                   "<*>apps<*>");
    expect_refusal("launch", "{}", "INPUT_VALIDATION_FAILED",
                   "packageName is missing", "<*>");
    expect("launch", "{'packageName':'A-z_0.9:b'}", "<*>");
}

T_CASE(apps_are_found_by_label) {
    static const char *const ways[] = {
        "{'packageName':'Shop'}",
        "{'packageName':' shop '}",
        "{'app':'SHOP'}",
        "{'packageName':'com.example.shop'}",
    };
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        expect("launch", ways[i], "{'launched':'com.example.shop',<*>");
        T_STR(last_action(), "launch com.example.shop");
    }
    /* Not a label of any app, but the last part of a package. */
    expect("stop", "{'packageName':'App'}", "{'stopped':'com.example.app',<*>");
    T_STR(last_action(), "stop com.example.app");
}

/* A package that the device named is text of the device. */
T_CASE(found_packages_are_untrusted) {
    on_action = bring_shop_to_front;
    expect("launch", "{'packageName':'Shop'}",
           "{'launched':'com.example.shop',<*>'untrusted':true<*>");
    expect("stop", "{'packageName':'Shop'}",
           "{'stopped':'com.example.shop',<*>'untrusted':true<*>");
    expect("launch", "{'packageName':'com.example.shop'}", "<*>");
    T_LACKS(world.json, "untrusted");
    expect("stop", "{'packageName':'com.example.shop'}", "<*>");
    T_LACKS(world.json, "untrusted");
    on_action = NULL;
}

static bool
twin_apps(struct sq_device *device, struct sq_app_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    (void)deadline, (void)device;
    sq_arena_init(&out->arena, 4096);
    out->entries = sq_arena_alloc(&out->arena, 2, sizeof(*out->entries), err);
    if (!out->entries) {
        return false;
    }
    out->entries[0] =
        (struct sq_app_entry){ SQ_SPAN("org.one.mail"), SQ_SPAN("Mail") };
    out->entries[1] =
        (struct sq_app_entry){ SQ_SPAN("org.two.mail"), SQ_SPAN("Mail") };
    out->count = 2;
    return true;
}

T_CASE(apps_of_the_same_name_differ_by_package) {
    world.device.ops.apps = twin_apps;
    expect_refusal("launch", "{'packageName':'Mail'}", "AMBIGUOUS_MATCH",
                   "several apps are called \"Mail\"",
                   "Give the packageName: org.one.mail, org.two.mail.");
    T_INT(world.device.action_count, 0);
}

/* As Android over adb: packages without labels. */
static bool
apps_without_labels(struct sq_device *device, struct sq_app_list *out,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const packages[] = {
        "com.google.mail",  "com.android.settings", "net.safe.keeper",
        "com.google.clock", "org.acme.bank.vault2", "io.volt.charge",
        "com.evil.@tap",
    };
    const size_t count = SQ_COUNT(packages);
    (void)deadline, (void)device;
    sq_arena_init(&out->arena, 4096);
    out->entries =
        sq_arena_alloc(&out->arena, count, sizeof(*out->entries), err);
    if (!out->entries) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        out->entries[i] =
            (struct sq_app_entry){ .package = sq_span_of(packages[i]) };
    }
    out->count = count;
    return true;
}

T_CASE(a_part_of_a_package_is_enough) {
    world.device.ops.apps = apps_without_labels;
    expect("launch", "{'packageName':'Settings'}",
           "{'launched':'com.android.settings',<*>");
    expect("launch", "{'packageName':'ACME'}",
           "{'launched':'org.acme.bank.vault2',<*>");
    expect("stop", "{'packageName':'safe'}",
           "{'stopped':'net.safe.keeper',<*>");
    expect_refusal("launch", "{'packageName':'google'}", "AMBIGUOUS_MATCH",
                   "several apps are called \"google\"",
                   "Give the packageName: com.google.mail, com.google.clock.");
}

T_CASE(without_labels_the_nearest_packages_are_offered) {
    world.device.ops.apps = apps_without_labels;
    expect_refusal("launch", "{'packageName':'Vault'}", "PACKAGE_NOT_FOUND",
                   "no package has the part \"Vault\", and this device does "
                   "not report the labels of its apps",
                   "Give a package name. The nearest are org.acme.bank.vault2, "
                   "io.volt.charge, <*>; the operation apps lists all. Or use "
                   "key home, then find and tap the label.");
    T(world.err.quotes);
    T_LACKS(world.err.hint, "evil");
    expect_refusal("stop", "{'packageName':'Settngs'}", "PACKAGE_NOT_FOUND",
                   "<*>", "<*>nearest are com.android.settings, <*>");
    expect_refusal("launch", "{'packageName':'Google Clock'}",
                   "PACKAGE_NOT_FOUND", "<*>", "<*>com.google.clock<*>");
    T_INT(world.device.action_count, 0);
}

T_CASE(failures_are_passed_on) {
    acting_torture("launch", "{'packageName':'com.example.shop'}");
    acting_torture("stop", "{'packageName':'com.example.shop'}");
    action_fails = SQ_ERR_PACKAGE_NOT_FOUND;
    T(!fake_run(&world, "launch", "{'packageName':'com.example.no'}"));
    T_STR(sq_tool_error_name(world.err.code), "PACKAGE_NOT_FOUND");
    T(!fake_run(&world, "stop", "{'packageName':'com.example.no'}"));
    T_STR(sq_tool_error_name(world.err.code), "PACKAGE_NOT_FOUND");
}

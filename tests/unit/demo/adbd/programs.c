/* The phone's programs, checked with the parsers for real phones. */

#include "device/android/link.h"
#include "unit/demo/adbd/on_phone.h"

#define APP "com.squint.demo.login"

T_FIXTURE(start, finish);

T_CASE(foreground_app_is_reported) {
    static const char *const scripts[] = {
        "dumpsys window",
        "dumpsys window windows",
        "dumpsys window displays",
        "dumpsys activity activities",
        "dumpsys window | grep mCurrentFocus",
    };
    bool secure;
    bool showing;
    launch("secure");
    for (size_t i = 0; i < SQ_COUNT(scripts); i++) {
        struct sq_app app = { 0 };
        T(sq_focus_parse(output_of(scripts[i]), &app));
        T_STR(app.package, "com.squint.demo.secure");
        T_STR(app.activity, ".VaultActivity");
    }
    T(sq_secure_parse(output_of("dumpsys window"), &secure) && secure);
    T(sq_keyguard_parse(output_of("dumpsys window"), &showing) && !showing);
    launch("login");
    T(sq_secure_parse(output_of("dumpsys window"), &secure) && !secure);
    T_STR(t_phone_errors(phone, "dumpsys nosuch"),
          "Can't find service: nosuch\n");
    T_HAS(t_phone_output(phone, "dumpsys -l"), "  window\n");
    T_HAS(t_phone_output(phone, "dumpsys input_method"), "mInputShown=false");
    T_HAS(t_phone_output(phone, "dumpsys battery"), "level: 100");
}

/* A name without a value would be printed between percent signs. */
T_CASE(answers_have_all_their_values) {
    static const char *const scripts[] = {
        "dumpsys window",        "dumpsys activity",     "dumpsys power",
        "dumpsys display",       "dumpsys input",        "dumpsys battery",
        "dumpsys input_method",  "dumpsys notification", "getevent -p",
        "dumpsys package " APP,  "dumpsys meminfo " APP, "logcat -d",
        "screencap --help 2>&1",
    };
    launch("login");
    for (size_t i = 0; i < SQ_COUNT(scripts); i++) {
        const char *answer = t_phone_output(phone, scripts[i]);
        T(strlen(answer) > 100);
        T(!strchr(answer, '%'));
    }
}

T_CASE(taps_swipes_and_keys_work) {
    launch("login");
    tap("username");
    T_INT(t_phone_status(phone, "input text 'a%sb\\c\"d%'"), 0);
    T(shows("text=\"a b\\c&quot;d%\""));
    T_INT(t_phone_status(phone, "input keyevent --longpress KEYCODE_DEL 67 "
                                "A 8 KEYCODE_AT"),
          0);
    T(shows("text=\"a b\\c&quot;a1@\""));
    T_INT(t_phone_status(phone, "input keyboard text 'x\ty\n'"), 0);
    T(shows("Welcome, a b\\c&quot;a1@x"));
    T_INT(t_phone_status(phone, "input keyevent KEYCODE_HOME"), 0);
    T(shows("com.squint.demo.launcher"));

    launch("settings");
    T(!shows("About phone"));
    for (int i = 0; i < 12 && !shows("About phone"); i++) {
        T_INT(t_phone_status(phone,
                             "input touchscreen swipe 180 500 180 200 800"),
              0);
    }
    T(shows("About phone"));
    T_INT(t_phone_status(phone, "input -d 0 draganddrop 180 200 180 600"), 0);
    T_INT(t_phone_status(phone, "input tap -5 99999; input swipe -9 0 9999 0"),
          0);
    T_INT(t_phone_status(phone, "input keyevent NOSUCH; input keyevent 9999"),
          0);
}

T_CASE(wrong_input_is_refused) {
    static const char *const scripts[] = {
        "input",
        "input tap 1",
        "input swipe 1 2 3",
        "input text",
        "input text 'caf\xc3\xa9'",
        "input nosuch",
    };
    launch("login");
    tap("username");
    for (size_t i = 0; i < SQ_COUNT(scripts); i++) {
        T_INT(t_phone_status(phone, scripts[i]), 255);
        T(errors_of(scripts[i]).len > 0);
    }
    T(shows("class=\"android.widget.EditText\" package="
            "\"com.squint.demo.login\""));
    T(!shows("text=\"caf"));
}

T_CASE(two_quick_taps_are_a_double_tap) {
    char script[120];
    launch("shop");
    const char *point = t_text("%s", point_of("product_name"));
    snprintf(script, sizeof(script), "input tap %s; input tap %s", point,
             point);
    T_INT(t_phone_status(phone, script), 0);
    int loved = 0;
    for (int i = 0; i < SQ_MAX_PRODUCTS; i++) {
        loved += phone->demo->favourites[i];
    }
    T_INT(loved, 1);
    snprintf(script, sizeof(script), "input tap %s; sleep 1; input tap %s",
             point, point);
    T_INT(t_phone_status(phone, script), 0);
    T_INT(phone->demo->favourites[0], loved);
}

T_CASE(any_text_can_be_typed_by_the_helper_keyboard) {
    struct sq_span id;
    launch("login");
    tap("username");
    struct sq_span list = output_of("ime list -s");
    T(sq_keyboards_take(&list, &id));
    T(sq_keyboards_take(&list, &id));
    T(sq_span_is(id, "com.android.adbkeyboard/.AdbIME"));
    const char *send = "am broadcast -a ADB_INPUT_B64 --es msg 8J+YgMOp";
    T_INT(t_phone_status(phone, send), 0);
    T(!shows("\xf0\x9f\x98\x80\xc3\xa9"));
    T_STR(t_phone_output(phone,
                         "ime enable com.android.adbkeyboard/.AdbIME; ime "
                         "set com.android.adbkeyboard/.AdbIME"),
          "Input method com.android.adbkeyboard/.AdbIME: now enabled for user "
          "#0\nInput method com.android.adbkeyboard/.AdbIME selected for user "
          "#0\n");
    T_STR(t_phone_output(phone, "settings get secure default_input_method"),
          "com.android.adbkeyboard/.AdbIME\n");
    T_HAS(t_phone_output(phone, send), "Broadcast completed: result=0");
    T(shows("\xf0\x9f\x98\x80\xc3\xa9"));
    T_INT(t_phone_status(phone, "am broadcast -a ADB_CLEAR_TEXT; am broadcast "
                                "-a ADB_INPUT_TEXT --es msg '\xc3\xa4 $x'"),
          0);
    T(shows("text=\"\xc3\xa4 $x\""));
    T_INT(t_phone_status(phone, "squint-fault no-ime; ime reset"), 0);
    T_STR(t_phone_output(phone, "ime list -s"),
          "com.squint.demo.keyboard/.PlainIme\n");
    T_INT(t_phone_status(phone, "ime set com.android.adbkeyboard/.AdbIME"),
          255);
}

T_CASE(any_text_can_be_pasted) {
    const char *paste =
        "am broadcast -a devicekit.clipboard.set -e encoding base64 -e text "
        "'8J+YgMOp' -n com.mobilenext.devicekit/.ClipboardBroadcastReceiver"
        "&&input keyevent 279&&am broadcast -a devicekit.clipboard.clear -n "
        "com.mobilenext.devicekit/.ClipboardBroadcastReceiver";
    launch("login");
    tap("username");
    T_INT(t_phone_status(phone, "pm path com.mobilenext.devicekit"), 1);
    T_INT(t_phone_status(phone, paste), 0);
    T(!shows("\xf0\x9f\x98\x80"));
    T_INT(t_phone_status(phone, "squint-fault clipboard-helper"), 0);
    T_INT(t_phone_status(phone, "pm path com.mobilenext.devicekit"), 0);
    T_INT(t_phone_status(phone, paste), 0);
    T(shows("\xf0\x9f\x98\x80\xc3\xa9"));
    T_INT(phone->clipboard.len, 0);
}

T_CASE(apps_are_listed_started_and_stopped) {
    struct sq_component component;
    struct sq_span package;
    int count = 0;
    struct sq_span list = output_of("pm list packages");
    while (sq_packages_take(&list, &package)) {
        count++;
    }
    T_INT(count, 9);
    T_STR(t_phone_output(phone, "pm list packages -3 log"),
          "package:com.squint.demo.login\n");
    T_STR(t_phone_output(phone, "cmd package list packages -s"),
          "package:com.squint.demo.launcher\npackage:com.squint.demo."
          "settings\n");
    count = 0;
    list = output_of("cmd package query-activities --brief -a "
                     "android.intent.action.MAIN -c "
                     "android.intent.category.LAUNCHER");
    while (sq_activities_take(&list, &component)) {
        count++;
    }
    T_INT(count, 8);
    T(sq_activity_resolve(output_of("cmd package resolve-activity --brief "
                                    "com.squint.demo.login"),
                          &component));
    T(sq_span_is(component.activity, ".LoginActivity"));
    T(!sq_activity_resolve(
        output_of("cmd package resolve-activity --brief no.app"), &component));
    T(!sq_activity_resolve(
        output_of("cmd package resolve-activity --brief -c "
                  "android.intent.category.LEANBACK_LAUNCHER "
                  "com.squint.demo.login"),
        &component));
    T_HAS(t_phone_output(phone, "pm query-activities"),
          "packageName=com.squint.demo.secure\n");
    T_STR(t_phone_output(phone, "pm path com.squint.demo.login"),
          "package:/data/app/com.squint.demo.login/base.apk\n");
    T_INT(t_phone_status(phone, "pm path no.app"), 1);
    T_HAS(t_phone_output(phone, "pm list features"), "touchscreen\n");
    T_INT(t_phone_status(phone, "pm list nosuch"), 1);

    T_INT(sq_launch_read(output_of("am start -n com.squint.demo.shop/"
                                   "com.squint.demo.shop.ShopActivity")),
          SQ_LAUNCH_STARTED);
    T(shows("com.squint.demo.shop:id"));
    T_INT(sq_launch_read(output_of("am start -W -n com.squint.demo.shop/."
                                   "ShopActivity 2>&1")),
          SQ_LAUNCH_IN_FRONT);
    T_INT(sq_launch_read(output_of("am start -n com.squint.demo.shop/.Nothing "
                                   "2>&1")),
          SQ_LAUNCH_NO_ACTIVITY);
    T_INT(sq_launch_read(output_of("monkey -p no.app 1 2>&1")),
          SQ_LAUNCH_NO_ACTIVITY);
    T_INT(t_phone_status(phone, "monkey -p no.app 1"), 252);
    T_INT(t_phone_status(phone, "am force-stop com.squint.demo.shop"), 0);
    T(shows("com.squint.demo.launcher:id"));
    T_INT(t_phone_status(phone, "am start -p com.squint.demo.game; am start "
                                "-a android.intent.action.MAIN -c "
                                "android.intent.category.HOME"),
          0);
    T(shows("com.squint.demo.launcher:id"));
    T_STR(t_phone_output(phone, "pm clear com.squint.demo.login"), "Success\n");
    T_INT(t_phone_status(phone, "pm clear no.app"), 1);
    T_INT(t_phone_status(phone, "am nosuch"), 255);
    T_INT(t_phone_status(phone, "cmd nosuch"), 20);
}

T_CASE(settings_and_properties_are_stored) {
    struct sq_span value;
    T(sq_getprop_find(output_of("getprop"), "ro.serialno", &value));
    T(sq_span_is(value, "TEST01"));
    T_STR(t_phone_output(phone, "getprop ro.build.version.sdk; getprop no.such "
                                "other; getprop no.such"),
          "34\nother\n\n");
    T_INT(t_phone_status(phone, "setprop debug.a 'b c'"), 0);
    T_STR(t_phone_output(phone, "getprop debug.a"), "b c\n");
    T_INT(t_phone_status(phone, "setprop ro.serialno x"), 1);
    T_STR(t_phone_output(phone, "settings get global window_animation_scale; "
                                "settings put global window_animation_scale 0; "
                                "settings get global window_animation_scale; "
                                "settings get system none"),
          "1.0\n0\nnull\n");
    T_STR(t_phone_output(phone, "settings delete global "
                                "window_animation_scale; settings get global "
                                "window_animation_scale"),
          "Deleted 1 rows\nnull\n");
    T_HAS(t_phone_output(phone, "settings list system"), "font_scale=1.0\n");
    T_INT(t_phone_status(phone, "settings get global"), 255);
}

static bool
reset(void *context, struct sq_err *err) {
    return sq_adbd_phone_reset(context, err);
}

T_CASE(reset_restores_the_initial_state) {
    struct sq_span frame = output_of("screencap");
    char *before = malloc(frame.len);
    memcpy(before, frame.ptr, frame.len);
    launch("login");
    tap("username");
    T_INT(t_phone_status(phone, "input text a; echo b >/sdcard/c; wm size "
                                "200x300; settings put global d e; "
                                "squint-fault idle; squint-delay wm=1"),
          0);
    T(t_alloc_torture(reset, phone) > 3);
    T_INT(t_phone_status(phone, "squint-reset"), 0);
    frame = output_of("screencap");
    T_BYTES(frame.ptr, frame.len, before, FRAME_BYTES);
    free(before);
    T_STR(t_phone_output(phone, "settings get global d; ls /sdcard; getprop "
                                "ro.serialno; squint-fault"),
          "null\nTEST01\nidle\n");
    T_INT(sq_adbd_delay_of(&phone->options.delays, "wm")->ms, 1);
    T_INT(t_phone_status(phone, "squint-fault none"), 0);
    launch("login");
    T(!shows("text=\"a\""));
}

T_CASE(faults_can_be_set_while_it_runs) {
    T_STR(t_phone_output(phone, "squint-fault"), "");
    T_STR(t_phone_output(phone, "squint-fault idle truncate=5,hang"),
          "truncate=5\nhang\nidle\n");
    T(t_phone_run(phone, "squint-fault hang=off")->is_control);
    T(!t_phone_run(phone, "echo a")->is_control);
    T_INT(t_phone_status(phone, "squint-fault nosuch"), 1);
    T_INT(t_phone_status(phone, "squint-delay wm=5,echo=1"), 0);
    T_INT(sq_adbd_delay_of(&phone->options.delays, "wm")->ms, 5);
    T_INT(t_phone_status(phone, "squint-delay wm"), 1);
}

T_CASE(gzip_compresses_its_input) {
    struct sq_gunzip *gunzip = NULL;
    struct sq_buf text;
    const struct t_shell_run *run = t_phone_run(phone, "echo hello | gzip -1");
    T_INT(run->status, 0);
    sq_buf_init(&text, 1000);
    T_OK(sq_gunzip_create(&gunzip, &t_err));
    T(run->out.len > 0 && run->out.len < SQ_GUNZIP_INPUT_BYTES);
    memcpy(sq_gunzip_space(gunzip), run->out.data, run->out.len);
    sq_gunzip_add(gunzip, run->out.len);
    T_OK(sq_gunzip_run(gunzip, &text, 1000, &t_err));
    T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_COMPLETE);
    T_BYTES(text.data, text.len, "hello\n", 6);
    sq_gunzip_destroy(gunzip);
    sq_buf_finish(&text);
    T_INT(t_phone_status(phone, "gzip -d"), 1);
    T_INT(t_phone_status(phone, "gzip /sdcard/a"), 1);
    T_INT(t_phone_status(phone, "squint-fault no-gzip"), 0);
    T_INT(t_phone_status(phone, "echo hello | gzip -1"), 127);
    T_STR(t_phone_errors(phone, "gzip -1"),
          "/system/bin/sh: gzip: inaccessible or not found\n");
}

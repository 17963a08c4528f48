/* The program dumpsys, for the services that describe the screen. */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"

#define ANDROID_10 29
#define COMPONENT_SIZE (2 * SQ_DEVICE_TEXT_SIZE)

/* Returns a stable object id that differs between apps. */
static unsigned
hash_of(const struct sq_adbd_call *call, unsigned what) {
    return 0x1a2b3c4u + 0x10101u * (unsigned)call->phone->demo->app
         + 0x501u * what;
}

static int
task_of(const struct sq_adbd_call *call) {
    return 40 + (int)call->phone->demo->app;
}

static int
rotation_of(const struct sq_adbd_call *call) {
    return call->phone->demo->landscape;
}

/* Writes "com.squint.demo.login/com.squint.demo.login.LoginActivity". */
static void
window_title(const struct sq_adbd_call *call, char out[COMPONENT_SIZE]) {
    const struct sq_demo_app *app = &sq_demo_apps[call->phone->demo->app];
    snprintf(out, COMPONENT_SIZE, SQ_DEMO_PACKAGE "%s/" SQ_DEMO_PACKAGE "%s%s",
             app->name, app->name, app->activity);
}

static bool
print_record(struct sq_adbd_call *call, const char *before,
             struct sq_err *err) {
    char component[COMPONENT_SIZE];
    sq_adbd_phone_component(call->phone, component, sizeof(component));
    return sq_adbd_print(call, err, "%sActivityRecord{%x u0 %s t%d}\n", before,
                         hash_of(call, 1), component, task_of(call));
}

static bool
print_focus(struct sq_adbd_call *call, struct sq_err *err) {
    char title[COMPONENT_SIZE] = "NotificationShade";
    if (!call->phone->demo->asleep
        && !sq_adbd_phone_has(call->phone, SQ_ADBD_PIN)) {
        window_title(call, title);
    }
    return sq_adbd_print(call, err, "  mCurrentFocus=Window{%x u0 %s}\n",
                         hash_of(call, 2), title)
        && print_record(call, "  mFocusedApp=", err);
}

static bool
print_windows(struct sq_adbd_call *call, struct sq_err *err) {
    const struct sq_demo_app *app = &sq_demo_apps[call->phone->demo->app];
    char title[COMPONENT_SIZE];
    window_title(call, title);
    return sq_adbd_print(
               call, err,
               "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
               "  Window #0 Window{%x u0 StatusBar}:\n"
               "    mDisplayId=0 mSession=Session{2c7e6f1 1734:u0a10118}\n"
               "    mOwnerUid=10118 showForAllUsers=true "
               "package=com.android.systemui appop=NONE\n"
               "    mAttrs={(0,0)(fillx%d) gr=TOP CENTER_VERTICAL "
               "ty=STATUS_BAR fmt=TRANSLUCENT\n"
               "      fl=NOT_FOCUSABLE SPLIT_TOUCH HARDWARE_ACCELERATED}\n",
               hash_of(call, 3), (int)(SQ_STATUS_BAR_DP * call->phone->density))
        && sq_adbd_print(
               call, err,
               "  Window #1 Window{%x u0 %s}:\n"
               "    mDisplayId=0 rootTaskId=%d "
               "mSession=Session{5d0f3aa 2150:u0a10123}\n"
               "    mOwnerUid=10123 showForAllUsers=false "
               "package=" SQ_DEMO_PACKAGE "%s appop=NONE\n"
               "    mAttrs={(0,0)(fillxfill) sim={adjust=resize} "
               "ty=BASE_APPLICATION wanim=0x10302fe\n"
               "      fl=LAYOUT_IN_SCREEN %sLAYOUT_INSET_DECOR SPLIT_TOUCH "
               "HARDWARE_ACCELERATED DRAWS_SYSTEM_BAR_BACKGROUNDS}\n"
               "    mHasSurface=true isReadyForDisplay()=true\n",
               hash_of(call, 2), title, task_of(call), app->name,
               sq_adbd_phone_is_secure(call->phone) ? "SECURE " : "")
        && print_focus(call, err);
}

static bool
print_policy(struct sq_adbd_call *call, struct sq_err *err) {
    const char *awake = call->phone->demo->asleep ? "false" : "true";
    return sq_adbd_print(call, err,
                         "    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
                         "    mShowingDream=false mDreamingLockscreen=%s\n",
                         awake, awake, awake,
                         sq_adbd_phone_has(call->phone, SQ_ADBD_PIN) ? "true"
                                                                     : "false");
}

static bool
print_displays(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    struct sq_size panel = call->phone->panel;
    const struct sq_demo_options *now = &call->phone->demo->options;
    int dpi = sq_adbd_phone_dpi(now->density);
    return sq_adbd_print(
               call, err,
               "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
               "  Display: mDisplayId=0 (organized)\n"
               "    init=%dx%d %ddpi",
               panel.width, panel.height,
               sq_adbd_phone_dpi(call->phone->density))
        && ((now->width == panel.width && now->height == panel.height)
            || sq_adbd_print(call, err, " base=%dx%d %ddpi", now->width,
                             now->height, dpi))
        && sq_adbd_print(call, err, " cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n",
                         size.width, size.height, size.width, size.height,
                         size.width, size.width, size.height, size.height)
        && sq_adbd_print(call, err,
                         "    deferred=false mLayoutNeeded=false\n"
                         "  DisplayRotation\n"
                         "    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSET\n"
                         "    mRotation=%d mDeferredRotationPauseCount=0\n",
                         rotation_of(call))
        && print_focus(call, err)
        /* Before Android 10 the policy belongs to no display. */
        && (sq_adbd_phone_api(call->phone) < ANDROID_10
            || (sq_adbd_print(call, err, "  DisplayPolicy\n")
                && print_policy(call, err)));
}

static bool
dump_window(struct sq_adbd_call *call, struct sq_err *err) {
    if (sq_adbd_arg_is(call, 2, "displays") || sq_adbd_arg_is(call, 2, "d")) {
        return print_displays(call, err);
    }
    if (sq_adbd_arg_is(call, 2, "windows") || sq_adbd_arg_is(call, 2, "w")) {
        return print_windows(call, err);
    }
    return sq_adbd_print(call, err,
                         "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n"
                         "  <no ANR has occurred since boot>\n\n"
                         "WINDOW MANAGER POLICY STATE (dumpsys window "
                         "policy)\n")
        && print_policy(call, err) && sq_adbd_print(call, err, "\n")
        && print_displays(call, err) && sq_adbd_print(call, err, "\n")
        && print_windows(call, err);
}

static bool
dump_activity(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print(
               call, err,
               "ACTIVITY MANAGER ACTIVITIES (dumpsys activity "
               "activities)\n"
               "Display #0 (activities from top to bottom):\n"
               "  * Task{%x #%d type=standard A=10123:" SQ_DEMO_PACKAGE "%s}\n",
               hash_of(call, 4), task_of(call),
               sq_demo_apps[call->phone->demo->app].name)
        && print_record(call, "    mResumedActivity: ", err)
        && print_record(call, "    * Hist  #0: ", err)
        && print_record(call, "\n  topResumedActivity=", err)
        && print_record(call, "  ResumedActivity: ", err)
        && sq_adbd_print(call, err,
                         "\n  KeyguardController:\n"
                         "    mKeyguardShowing=%s\n",
                         sq_adbd_phone_has(call->phone, SQ_ADBD_PIN) ? "true"
                                                                     : "false");
}

static bool
dump_power(struct sq_adbd_call *call, struct sq_err *err) {
    bool on = !call->phone->demo->asleep;
    return sq_adbd_print(call, err,
                         "POWER MANAGER (dumpsys power)\n\n"
                         "Power Manager State:\n"
                         "  mWakefulness=%s\n"
                         "  mWakefulnessChanging=false\n"
                         "  mIsPowered=true\n"
                         "  mBatteryLevel=100\n"
                         "  mHoldingDisplaySuspendBlocker=%s\n\n"
                         "Display Power: state=%s\n",
                         on ? "Awake" : "Asleep", on ? "true" : "false",
                         on ? "ON" : "OFF");
}

static bool
print_viewport(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    return sq_adbd_print(
        call, err,
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, "
        "displayId=0, uniqueId='local:" SQ_ADBD_DISPLAY_ID "', "
        "physicalPort=0, orientation=%d, logicalFrame=Rect(0, 0 - %d, %d), "
        "physicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, "
        "deviceHeight=%d}",
        rotation_of(call), size.width, size.height, size.width, size.height,
        size.width, size.height);
}

static bool
dump_display(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    bool on = !call->phone->demo->asleep;
    return sq_adbd_print(call, err,
                         "DISPLAY MANAGER (dumpsys display)\n"
                         "  mOnlyCore=false\n"
                         "  mViewports=[")
        && print_viewport(call, err)
        && sq_adbd_print(call, err,
                         "]\n\nDisplay Devices: size=1\n"
                         "  DisplayDeviceInfo{\"Built-in Screen\": "
                         "uniqueId=\"local:" SQ_ADBD_DISPLAY_ID "\", %d x %d, "
                         "density %d, state %s, type INTERNAL}\n"
                         "    mCurrentOrientation=%d\n",
                         size.width, size.height,
                         sq_adbd_phone_dpi(call->phone->demo->options.density),
                         on ? "ON" : "OFF", rotation_of(call))
        && sq_adbd_print(call, err,
                         "\nLogical Displays: size=1\n  Display 0:\n"
                         "    mPrimaryDisplayDevice=Built-in Screen\n"
                         "    mCurrentUniqueId=local:" SQ_ADBD_DISPLAY_ID "\n");
}

static bool
dump_input(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    return sq_adbd_print(
        call, err,
        "INPUT MANAGER (dumpsys input)\n\n"
        "Input Reader State:\n"
        "  Device 1: demo touchscreen\n"
        "    Sources: TOUCHSCREEN\n"
        "    Viewport INTERNAL: displayId=0, uniqueId=local:" SQ_ADBD_DISPLAY_ID
        ", port=0, orientation=%d, logicalFrame=[0, 0, %d, %d], "
        "physicalFrame=[0, 0, %d, %d], deviceSize=[%d, %d], isActive=[1]\n"
        "    SurfaceWidth: %dpx\n    SurfaceHeight: %dpx\n"
        "    SurfaceOrientation: %d\n",
        rotation_of(call), size.width, size.height, size.width, size.height,
        size.width, size.height, size.width, size.height, rotation_of(call));
}

static bool
dump_surfaces(struct sq_adbd_call *call, struct sq_err *err) {
    if (sq_adbd_arg_is(call, 2, "--timestats")) {
        return sq_adbd_dump_timestats(call, err);
    }
    return sq_adbd_print(call, err,
                         "Display " SQ_ADBD_DISPLAY_ID
                         " (HWC display 0): port=0 pnpId=SQT "
                         "displayName=\"Demo Panel\"\n")
        && (!sq_adbd_phone_has(call->phone, SQ_ADBD_DISPLAY_WARNING)
            || sq_adbd_print(call, err,
                             "Display " SQ_ADBD_SECOND_DISPLAY_ID
                             " (HWC display 1): port=1 pnpId=SQT "
                             "displayName=\"Second Panel\"\n"));
}

/* Prints the field with the focus, as its app and its keyboard do. */
static bool
print_editor(struct sq_adbd_call *call, const char *name, struct sq_err *err) {
    static const unsigned input_types[] = {
        [SQ_FIELD_USERNAME] = 0x1,
        [SQ_FIELD_PASSWORD] = 0x81,
        [SQ_FIELD_SEARCH] = 0x1,
    };
    int field = call->phone->demo->focus;
    if (field == SQ_NO_FIELD) {
        return sq_adbd_print(call, err, "  %s: null\n", name);
    }
    return sq_adbd_print(call, err,
                         "  %s:\n    inputType=0x%x imeOptions=0x10000006 "
                         "privateImeOptions=null\n",
                         name, input_types[field]);
}

static bool
dump_input_method(struct sq_adbd_call *call, struct sq_err *err) {
    const char *shown =
        call->phone->demo->focus != SQ_NO_FIELD ? "true" : "false";
    const char *id = sq_adbd_store_get(&call->phone->settings,
                                       "secure default_input_method");
    return sq_adbd_print(call, err,
                         "Current Input Method Manager state:\n"
                         "  mCurMethodId=%s mInputShown=%s\n"
                         "Input method client state for "
                         "android.view.inputmethod.InputMethodManager@%x:\n",
                         id ? id : "null", shown, hash_of(call, 5))
        && print_editor(call, "mCurrentEditorInfo", err)
        && sq_adbd_print(call, err,
                         "Input method service state for "
                         "com.android.inputmethod.latin.LatinIME@%x:\n"
                         "  mInputStarted=%s mInputViewStarted=%s\n",
                         hash_of(call, 6), shown, shown)
        && print_editor(call, "mInputEditorInfo", err);
}

static bool
dump_battery(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print(call, err,
                         "Current Battery Service state:\n"
                         "  AC powered: false\n  USB powered: true\n"
                         "  status: 5\n  health: 2\n  present: true\n"
                         "  level: 100\n  scale: 100\n");
}

static const struct {
    const char *name;
    sq_adbd_program_fn dump;
} services[] = {
    { "window", dump_window },
    { "activity", dump_activity },
    { "power", dump_power },
    { "display", dump_display },
    { "input", dump_input },
    { "SurfaceFlinger", dump_surfaces },
    { "input_method", dump_input_method },
    { "battery", dump_battery },
    { "meminfo", sq_adbd_dump_memory },
    { "notification", sq_adbd_dump_notifications },
    { "package", sq_adbd_dump_package },
};
#define SERVICES (sizeof(services) / sizeof(services[0]))

bool
sq_adbd_run_dumpsys(struct sq_adbd_call *call, struct sq_err *err) {
    for (size_t i = 0; i < SERVICES; i++) {
        if (sq_adbd_arg_is(call, 1, services[i].name)) {
            return services[i].dump(call, err);
        }
    }
    if (call->argc > 1 && !sq_adbd_arg_is(call, 1, "-l")) {
        return sq_adbd_print_error(call, 0, err, "Can't find service: %s\n",
                                   call->argv[1]);
    }
    bool ok = sq_adbd_print(call, err, "Currently running services:\n");
    for (size_t i = 0; ok && i < SERVICES; i++) {
        ok = sq_adbd_print(call, err, "  %s\n", services[i].name);
    }
    return ok;
}

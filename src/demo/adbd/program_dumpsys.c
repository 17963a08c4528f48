/* The program dumpsys, for the services that describe the screen and apps. */
#include <stdio.h>

#include "demo/adbd/program.h"

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

static const char *
is_locked(const struct sq_adbd_call *call) {
    return sq_adbd_phone_has(call->phone, SQ_ADBD_PIN) ? "true" : "false";
}

/* Writes "com.squint.demo.login/com.squint.demo.login.LoginActivity". */
static void
window_title(const struct sq_adbd_call *call, char out[COMPONENT_SIZE]) {
    const struct sq_demo_app *app = sq_demo_apps[call->phone->demo->app];
    snprintf(out, COMPONENT_SIZE, SQ_DEMO_PACKAGE "%s/" SQ_DEMO_PACKAGE "%s%s",
             app->name, app->name, app->activity);
}

static void
print_record(struct sq_adbd_call *call, const char *before) {
    char component[COMPONENT_SIZE];
    sq_adbd_phone_component(call->phone, component, sizeof(component));
    sq_adbd_print(call, "%sActivityRecord{%x u0 %s t%d}\n", before,
                  hash_of(call, 1), component, task_of(call));
}

static void
print_focus(struct sq_adbd_call *call) {
    char title[COMPONENT_SIZE] = "NotificationShade";
    if (!call->phone->demo->asleep
        && !sq_adbd_phone_has(call->phone, SQ_ADBD_PIN)) {
        window_title(call, title);
    }
    sq_adbd_print(call, "  mCurrentFocus=Window{%x u0 %s}\n", hash_of(call, 2),
                  title);
    print_record(call, "  mFocusedApp=");
}

static void
print_windows(struct sq_adbd_call *call) {
    char title[COMPONENT_SIZE];
    window_title(call, title);
    sq_adbd_print(call,
                  "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
                  "  Window #0 Window{%x u0 StatusBar}:\n"
                  "    mDisplayId=0 mSession=Session{2c7e6f1 1734:u0a10118}\n"
                  "    mOwnerUid=10118 showForAllUsers=true "
                  "package=com.android.systemui appop=NONE\n"
                  "    mAttrs={(0,0)(fillx%d) gr=TOP CENTER_VERTICAL "
                  "ty=STATUS_BAR fmt=TRANSLUCENT\n"
                  "      fl=NOT_FOCUSABLE SPLIT_TOUCH HARDWARE_ACCELERATED}\n",
                  hash_of(call, 3),
                  (int)(SQ_STATUS_BAR_DP * call->phone->density));
    sq_adbd_print(call,
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
                  hash_of(call, 2), title, task_of(call),
                  sq_demo_apps[call->phone->demo->app]->name,
                  sq_adbd_phone_is_secure(call->phone) ? "SECURE " : "");
    print_focus(call);
}

static void
print_policy(struct sq_adbd_call *call) {
    const char *awake = call->phone->demo->asleep ? "false" : "true";
    sq_adbd_print(call,
                  "    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
                  "    mShowingDream=false mDreamingLockscreen=%s\n",
                  awake, awake, awake, is_locked(call));
}

static void
print_displays(struct sq_adbd_call *call) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    struct sq_size panel = call->phone->panel;
    const struct sq_demo_options *now = &call->phone->demo->options;
    int panel_dpi = sq_adbd_phone_dpi(call->phone->density);
    int dpi = sq_adbd_phone_dpi(now->density);
    sq_adbd_print(call,
                  "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
                  "  Display: mDisplayId=0 (organized)\n"
                  "    init=%dx%d %ddpi",
                  panel.width, panel.height, panel_dpi);
    if (now->width != panel.width || now->height != panel.height) {
        sq_adbd_print(call, " base=%dx%d %ddpi", now->width, now->height, dpi);
    }
    sq_adbd_print(call, " cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n", size.width,
                  size.height, size.width, size.height, size.width, size.width,
                  size.height, size.height);
    sq_adbd_print(call,
                  "    deferred=false mLayoutNeeded=false\n"
                  "  DisplayRotation\n"
                  "    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSET\n"
                  "    mRotation=%d mDeferredRotationPauseCount=0\n",
                  call->phone->demo->landscape);
    print_focus(call);
    /* Before Android 10 the policy belongs to no display. */
    if (sq_adbd_phone_api(call->phone) >= ANDROID_10) {
        sq_adbd_print(call, "  DisplayPolicy\n");
        print_policy(call);
    }
}

static void
dump_window(struct sq_adbd_call *call) {
    if (sq_adbd_arg_is(call, 2, "displays") || sq_adbd_arg_is(call, 2, "d")) {
        print_displays(call);
        return;
    }
    if (!sq_adbd_arg_is(call, 2, "windows") && !sq_adbd_arg_is(call, 2, "w")) {
        sq_adbd_print(call,
                      "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n"
                      "  <no ANR has occurred since boot>\n\n"
                      "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n");
        print_policy(call);
        sq_adbd_print(call, "\n");
        print_displays(call);
        sq_adbd_print(call, "\n");
    }
    print_windows(call);
}

static void
dump_activity(struct sq_adbd_call *call) {
    sq_adbd_print(call,
                  "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
                  "Display #0 (activities from top to bottom):\n"
                  "  * Task{%x #%d type=standard A=10123:" SQ_DEMO_PACKAGE
                  "%s}\n",
                  hash_of(call, 4), task_of(call),
                  sq_demo_apps[call->phone->demo->app]->name);
    print_record(call, "    mResumedActivity: ");
    print_record(call, "    * Hist  #0: ");
    print_record(call, "\n  topResumedActivity=");
    print_record(call, "  ResumedActivity: ");
    sq_adbd_print(call, "\n  KeyguardController:\n    mKeyguardShowing=%s\n",
                  is_locked(call));
}

static void
dump_power(struct sq_adbd_call *call) {
    bool on = !call->phone->demo->asleep;
    sq_adbd_print(call,
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

static void
dump_display(struct sq_adbd_call *call) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    int rotation = call->phone->demo->landscape;
    sq_adbd_print(
        call,
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mOnlyCore=false\n"
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, "
        "isActive=true, displayId=0, uniqueId='local:" SQ_ADBD_DISPLAY_ID "', "
        "physicalPort=0, orientation=%d, logicalFrame=Rect(0, 0 - %d, %d), "
        "physicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, "
        "deviceHeight=%d}]\n\n",
        rotation, size.width, size.height, size.width, size.height, size.width,
        size.height);
    sq_adbd_print(call,
                  "Display Devices: size=1\n"
                  "  DisplayDeviceInfo{\"Built-in Screen\": "
                  "uniqueId=\"local:" SQ_ADBD_DISPLAY_ID "\", %d x %d, "
                  "density %d, state %s, type INTERNAL}\n"
                  "    mCurrentOrientation=%d\n"
                  "\nLogical Displays: size=1\n  Display 0:\n"
                  "    mPrimaryDisplayDevice=Built-in Screen\n"
                  "    mCurrentUniqueId=local:" SQ_ADBD_DISPLAY_ID "\n",
                  size.width, size.height,
                  sq_adbd_phone_dpi(call->phone->demo->options.density),
                  call->phone->demo->asleep ? "OFF" : "ON", rotation);
}

static void
dump_input(struct sq_adbd_call *call) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    int rotation = call->phone->demo->landscape;
    sq_adbd_print(
        call,
        "INPUT MANAGER (dumpsys input)\n\n"
        "Input Reader State:\n"
        "  Device 1: demo touchscreen\n"
        "    Sources: TOUCHSCREEN\n"
        "    Viewport INTERNAL: displayId=0, uniqueId=local:" SQ_ADBD_DISPLAY_ID
        ", port=0, orientation=%d, logicalFrame=[0, 0, %d, %d], "
        "physicalFrame=[0, 0, %d, %d], deviceSize=[%d, %d], isActive=[1]\n"
        "    SurfaceWidth: %dpx\n    SurfaceHeight: %dpx\n"
        "    SurfaceOrientation: %d\n",
        rotation, size.width, size.height, size.width, size.height, size.width,
        size.height, size.width, size.height, rotation);
}

/* Prints the field with the focus, as its app and its keyboard do. */
static void
print_editor(struct sq_adbd_call *call, const char *name) {
    static const unsigned input_types[] = {
        [SQ_FIELD_USERNAME] = 0x1,
        [SQ_FIELD_PASSWORD] = 0x81,
        [SQ_FIELD_SEARCH] = 0x1,
    };
    int field = call->phone->demo->focus;
    if (field == SQ_NO_FIELD) {
        sq_adbd_print(call, "  %s: null\n", name);
    } else {
        sq_adbd_print(call,
                      "  %s:\n    inputType=0x%x imeOptions=0x10000006 "
                      "privateImeOptions=null\n",
                      name, input_types[field]);
    }
}

static void
dump_input_method(struct sq_adbd_call *call) {
    const char *shown =
        call->phone->demo->focus != SQ_NO_FIELD ? "true" : "false";
    const char *id = sq_adbd_store_get(&call->phone->settings,
                                       "secure default_input_method");
    sq_adbd_print(call,
                  "Current Input Method Manager state:\n"
                  "  mCurMethodId=%s mInputShown=%s\n"
                  "Input method client state for "
                  "android.view.inputmethod.InputMethodManager@%x:\n",
                  id ? id : "null", shown, hash_of(call, 5));
    print_editor(call, "mCurrentEditorInfo");
    sq_adbd_print(call,
                  "Input method service state for "
                  "com.android.inputmethod.latin.LatinIME@%x:\n"
                  "  mInputStarted=%s mInputViewStarted=%s\n",
                  hash_of(call, 6), shown, shown);
    print_editor(call, "mInputEditorInfo");
}

static void
dump_battery(struct sq_adbd_call *call) {
    sq_adbd_print(call, "Current Battery Service state:\n"
                        "  AC powered: false\n  USB powered: true\n"
                        "  status: 5\n  health: 2\n  present: true\n"
                        "  level: 100\n  scale: 100\n");
}

static void
dump_notifications(struct sq_adbd_call *call) {
    bool shown = sq_adbd_arg_is(call, 2, "--noredact");
    sq_adbd_print(
        call,
        "Current Notification Manager state:\n"
        "  Notification List:\n"
        "    NotificationRecord(0x0a1b2c3d: pkg=com.squint.demo.shop "
        "user=UserHandle{0} id=7 tag=null importance=3 key=0|com.squint"
        ".demo.shop|7|null|10123: Notification(channel=orders))\n"
        "      uid=10123 userId=0\n"
        "      extras={\n"
        "          android.title=String (%s)\n"
        "          android.text=String (%s)\n"
        "      }\n"
        "    NotificationRecord(0x0a1b2c3e: pkg=com.android.systemui "
        "user=UserHandle{0} id=1 tag=usb importance=2)\n"
        "      extras={\n"
        "          android.title=String (%s)\n"
        "          android.reduced.images=Boolean (true)\n"
        "      }\n",
        shown ? "Order shipped" : "[length=13]",
        shown ? "Arrives tomorrow (by bicycle)" : "[length=29]",
        shown ? "USB debugging connected" : "[length=23]");
}

static void
dump_package(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg(call, 2);
    if (!package || !sq_adbd_has_app(call->phone, package)) {
        sq_adbd_print(call, "Unable to find package: %s\n",
                      package ? package : "");
        return;
    }
    sq_adbd_print(call,
                  "Packages:\n  Package [%s] (1a2b3c):\n"
                  "    userId=10123\n    versionCode=12 minSdk=26\n"
                  "    versionName=1.2.3\n",
                  package);
}

static void
dump_memory(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg(call, 2);
    int pid = sq_adbd_pid_of(call->phone, package);
    if (pid == 0) {
        sq_adbd_print(call, "No process found for: %s\n",
                      package ? package : "");
        return;
    }
    sq_adbd_print(
        call,
        "Applications Memory Usage (in Kilobytes):\n"
        "** MEMINFO in pid %d [%s] **\n"
        "        TOTAL    51234    40000     1000\n\n"
        " App Summary\n"
        "           TOTAL PSS:    51234            TOTAL RSS:   120000\n",
        pid, package);
}

static void
run_dumpsys(struct sq_adbd_call *call) {
    const char *name = sq_adbd_arg(call, 1);
    sq_adbd_program_fn dump =
        name ? sq_adbd_find_row(name, SQ_ADBD_DUMP) : NULL;
    if (dump) {
        dump(call);
        return;
    }
    if (name && strcmp(name, "-l") != 0) {
        sq_adbd_print_error(call, 0, "Can't find service: %s\n", name);
        return;
    }
    sq_adbd_print(call, "Currently running services:\n  SurfaceFlinger\n");
    for (const struct sq_adbd_program *row = sq_adbd_dumpsys_programs;
         row->name; row++) {
        if (row->kind == SQ_ADBD_DUMP) {
            sq_adbd_print(call, "  %s\n", row->name);
        }
    }
}

const struct sq_adbd_program sq_adbd_dumpsys_programs[] = {
    { "dumpsys", run_dumpsys, SQ_ADBD_PROGRAM },
    { "window", dump_window, SQ_ADBD_DUMP },
    { "activity", dump_activity, SQ_ADBD_DUMP },
    { "power", dump_power, SQ_ADBD_DUMP },
    { "display", dump_display, SQ_ADBD_DUMP },
    { "input", dump_input, SQ_ADBD_DUMP },
    { "input_method", dump_input_method, SQ_ADBD_DUMP },
    { "battery", dump_battery, SQ_ADBD_DUMP },
    { "meminfo", dump_memory, SQ_ADBD_DUMP },
    { "notification", dump_notifications, SQ_ADBD_DUMP },
    { "package", dump_package, SQ_ADBD_DUMP },
    { 0 },
};

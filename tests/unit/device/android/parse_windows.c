#include "device/android/parse.h"

#include "support/test.h"

/* What dumpsys prints, and the app that is in the foreground; NULL: not
 * reported. */
static const struct {
    const char *text;
    const char *package;
    const char *activity;
} focuses[] = {
    { "  mResumedActivity: ActivityRecord{1a2b3c u0 com.demo/.MainActivity "
      "t42}\r\n",
      "com.demo", ".MainActivity" },
    { "    topResumedActivity=ActivityRecord{2b3c4d u0 com.other/.Settings "
      "t7}\n",
      "com.other", ".Settings" },
    { "  ResumedActivity: ActivityRecord{2b3c4d u10 com.work/.Home t7}\n",
      "com.work", ".Home" },
    { "  mFocusedActivity: ActivityRecord{41e u0 com.old/.Main t1}\n",
      "com.old", ".Main" },
    { "  mCurrentFocus=Window{abc u0 com.example/com.example.MainActivity}\n",
      "com.example", ".MainActivity" },
    { "  mCurrentFocus=Window{abc d0 u0 com.example/com.lib.Login}\n",
      "com.example", "com.lib.Login" },
    { "  mCurrentFocus=Window{40d5d4e0 com.android.launcher/"
      "com.android.launcher2.Launcher paused=false}\n",
      "com.android.launcher", "com.android.launcher2.Launcher" },
    { "  mFocusedApp=AppWindowToken{fde865c token=Token{5151ccf "
      "ActivityRecord{2d5092e u0 longbin.hello/.HelloActivity t10891}}}\n",
      "longbin.hello", ".HelloActivity" },
    { "  mFocusedApp=ActivityRecord{101347192 u0 com.x/.Y$Inner t2}\n", "com.x",
      ".Y$Inner" },
    { "  mResumedActivity: ActivityRecord{1 u0 com.demo/.Main t42 f}\n",
      "com.demo", ".Main" },
    { "  mCurrentFocus=Window{1 u0 android/com.android.internal.app."
      "ResolverActivity}\n",
      "android", "com.android.internal.app.ResolverActivity" },
    /* No focus, or a focus that is not an activity: the app below it. */
    { "  mCurrentFocus=null\n  mFocusedApp=null\n", NULL, NULL },
    { "  mCurrentFocus=Window{85a52f2 u0 StatusBar}\n", NULL, NULL },
    { "  mCurrentFocus=Window{85a52f2 u0 NotificationShade}\n"
      "  mFocusedApp=ActivityRecord{2 u0 com.x/.Under t1}\n",
      "com.x", ".Under" },
    { "  mCurrentFocus=Window{9 u0 PopupWindow:b1d3f0}\n"
      "  mFocusedApp=ActivityRecord{2 u0 com.x/.Owner t1}\n",
      "com.x", ".Owner" },
    { "  mCurrentFocus=Window{9 u0 Application Not Responding: com.x}\n", NULL,
      NULL },
    /* Several lines: the most reliable one is used. */
    { "  mCurrentFocus=null\n"
      "  mCurrentFocus=Window{9 u0 com.x/com.x.A}\n",
      "com.x", ".A" },
    { "  mCurrentFocus=Window{9 u0 com.x/com.x.A}\n"
      "  topResumedActivity=ActivityRecord{2 u0 com.y/.B t1}\n",
      "com.y", ".B" },
    { "  mLastPausedActivity: ActivityRecord{2 u0 com.y/.Old t1}\n", NULL,
      NULL },
    /* Several displays: the default one is used, in any order. */
    { "Display #2 (activities from top to bottom):\n"
      "  mResumedActivity: ActivityRecord{1 u0 com.tv/.Tv t1}\n"
      "Display #0 (activities from top to bottom):\n"
      "  mResumedActivity: ActivityRecord{2 u0 com.phone/.Phone t2}\n",
      "com.phone", ".Phone" },
    { "  Display: mDisplayId=0 (organized)\n  mCurrentFocus=null\n"
      "  Display: mDisplayId=2\n"
      "  mCurrentFocus=Window{1 u0 com.tv/com.tv.Tv}\n",
      "com.tv", ".Tv" },
    /* Truncated, or similar to a valid line. */
    { "  mResumedActivity: ActivityRecord{1a2b3c u0 com.de", NULL, NULL },
    { "  mCurrentFocus=Window{1 u0 a/b/c}\n", NULL, NULL },
    { "  mCurrentFocus=Window{1 u0 com.x/}\n", NULL, NULL },
    { "  mCurrentFocus=Window{1 u0 ../../etc}\n", NULL, NULL },
    { "", NULL, NULL },
};

T_CASE(finds_the_foreground_app) {
    for (size_t i = 0; i < SQ_COUNT(focuses); i++) {
        struct sq_app app = { .package = "untouched", .activity = "untouched" };
        bool found = sq_focus_parse(sq_span_of(focuses[i].text), &app);
        T(found == (focuses[i].package != NULL));
        T_STR(app.package, found ? focuses[i].package : "untouched");
        T_STR(app.activity, found ? focuses[i].activity : "untouched");
    }
}

T_CASE(app_under_the_lock_screen_is_recognised) {
    static const struct {
        const char *text;
        bool locked;
    } cases[] = {
        { "  mShowingDream=false mDreamingLockscreen=true\n", true },
        { "  isKeyguardShowing=true\n", true },
        { "  mShowingDream=false mDreamingLockscreen=false\n", false },
        { "", false },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        char text[400];
        struct sq_app app = { .locked = !cases[i].locked };
        snprintf(text, sizeof(text),
                 "  mCurrentFocus=Window{85a52f2 u0 NotificationShade}\n"
                 "  mFocusedApp=ActivityRecord{2 u0 com.bank/.Main t1}\n%s",
                 cases[i].text);
        T(sq_focus_parse(sq_span_of(text), &app));
        T_STR(app.package, "com.bank");
        T_INT(app.locked, cases[i].locked);
    }
}

T_CASE(too_long_name_is_not_truncated) {
    char text[400] = "mCurrentFocus=Window{1 u0 com.x/.";
    memset(text + strlen(text), 'A', SQ_DEVICE_TEXT_SIZE);
    struct sq_app app;
    T(!sq_focus_parse(sq_span_of(text), &app));
}

T_CASE(lock_screen_is_recognised) {
    static const struct {
        const char *text;
        int showing; /* -1: not reported */
    } locks[] = {
        { "    isKeyguardShowing=true\r\n", 1 },
        { "    isKeyguardShowing=false\n", 0 },
        { "    mShowingDream=false mDreamingLockscreen=true\n", 1 },
        { "mDreamingLockscreen=true\nisKeyguardShowing=false\n", 0 },
        { "  mKeyguardShowing=true\n", 1 },
        { "  mShowingLockscreen=false\n", 0 },
        { "nothing", -1 },
    };
    for (size_t i = 0; i < SQ_COUNT(locks); i++) {
        bool showing = false;
        bool found = sq_keyguard_parse(sq_span_of(locks[i].text), &showing);
        T(found == (locks[i].showing >= 0));
        T_INT(showing, locks[i].showing == 1);
    }
}

#define FOCUS "  mCurrentFocus=Window{8db u0 com.bank/com.bank.Login}\n"

static const struct {
    const char *text;
    int secure; /* -1: not reported */
} windows[] = {
    { FOCUS
      "  Window #11 Window{8db u0 com.bank/com.bank.Login}:\n"
      "    mAttrs={(0,0)(fillxfill) sim={adjust=resize} ty=BASE_APPLICATION\n"
      "      fl=LAYOUT_IN_SCREEN SECURE LAYOUT_INSET_DECOR SPLIT_TOUCH\n"
      "      pfl=FORCE_DRAW_STATUS_BAR_BACKGROUND}\n",
      1 },
    { FOCUS "  Window #3 Window{8db u0 com.bank/com.bank.Login}:\r\n"
            "    mAttrs={ty=BASE_APPLICATION fl=SPLIT_TOUCH SECURE}\r\n",
      1 },
    { FOCUS "  Window #3 Window{8db u0 com.bank/com.bank.Login}:\n"
            "    mAttrs={ty=1 fl=SPLIT_TOUCH INSECURE pfl=SECURE}\n",
      0 },
    { FOCUS "  Window #3 Window{8db u0 com.bank/com.bank.Login}:\n"
            "    mAttrs={WM.LayoutParams{(0,0) ty=1 fl=#81812100 fmt=-3}\n",
      1 },
    { FOCUS "  Window #3 Window{8db u0 com.bank/com.bank.Login}:\n"
            "    mAttrs={WM.LayoutParams{(0,0) ty=1 fl=#81810100 fmt=-3}\n",
      0 },
    /* Another window's flags are not used, wherever it is listed. */
    { "  Window #1 Window{99 u0 com.other/com.other.Main}:\n"
      "    fl=SECURE\n"
      "  Window #2 Window{8db u0 com.bank/com.bank.Login}:\n"
      "    fl=SPLIT_TOUCH\n"
      "  Window #3 Window{77 u0 com.third/com.third.Main}:\n"
      "    fl=SECURE\n" FOCUS,
      0 },
    /* A popup has the focus; the window below it is the secure one. */
    { "  mCurrentFocus=Window{5 u0 PopupWindow:b1}\n"
      "  mFocusedApp=ActivityRecord{2 u0 com.bank/.Login t1}\n"
      "  Window #1 Window{5 u0 PopupWindow:b1}:\n    fl=NOT_FOCUSABLE\n"
      "  Window #2 Window{8db u0 com.bank/com.bank.Login}:\n    fl=SECURE\n",
      1 },
    { "  mCurrentFocus=Window{5 u0 PopupWindow:b1}\n"
      "  mFocusedApp=ActivityRecord{2 u0 com.bank/.Login t1}\n"
      "  Window #1 Window{8db u0 com.bank/com.bank.Login}:\n    fl=SECURE\n"
      "  Window #2 Window{5 u0 PopupWindow:b1}:\n    fl=NOT_FOCUSABLE\n",
      1 },
    { FOCUS, -1 },
    { "  Window #1 Window{99 u0 com.other/com.other.Main}:\n    fl=SECURE\n",
      -1 },
    { FOCUS "  Window #3 Window{8db u0 com.bank/com.bank.Login}:\n  fl", -1 },
    { "", -1 },
};

T_CASE(secure_windows_are_recognised) {
    for (size_t i = 0; i < SQ_COUNT(windows); i++) {
        bool secure = false;
        bool found = sq_secure_parse(sq_span_of(windows[i].text), &secure);
        T(found == (windows[i].secure >= 0));
        T_INT(secure, windows[i].secure == 1);
    }
}

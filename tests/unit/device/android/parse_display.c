#include "device/android/parse.h"

#include "support/test.h"

#define T_SPAN(got, want)                                                      \
    T_BYTES((got).ptr ? (got).ptr : "", (got).len, want, strlen(want))

T_CASE(size_is_the_override_or_the_panel) {
    static const struct {
        const char *text;
        int width; /* 0: not reported */
        int height;
    } sizes[] = {
        { "Physical size: 1080x1920\n", 1080, 1920 },
        { "Physical size: 1080x1920\r\nOverride size: 540x960\r\n", 540, 960 },
        { "Override size: 540x960\nPhysical size: 1080x1920\n", 540, 960 },
        { "WARNING: linker\nPhysical size: 1440x3120", 1440, 3120 },
        { "Physical size: 1080x1920\nOverride size: x\n", 1080, 1920 },
        { "Physical size: 0x1920\n", 0, 0 },
        { "Physical size: -1080x1920\n", 0, 0 },
        { "Physical size: 99999x1920\n", 0, 0 },
        { "Physical size: 1080\n", 0, 0 },
        { "Physical size: 10", 0, 0 },
        { "error: device unauthorized\n", 0, 0 },
        { "", 0, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        struct sq_size size = { 7, 7 };
        bool found = sq_wm_parse_size(sq_span_of(sizes[i].text), &size);
        T(found == (sizes[i].width > 0));
        T_INT(size.width, found ? sizes[i].width : 7);
        T_INT(size.height, found ? sizes[i].height : 7);
    }
}

T_CASE(density_is_the_override_or_the_panel) {
    static const struct {
        const char *text;
        int dpi; /* 0: not reported */
    } densities[] = {
        { "Physical density: 420\n", 420 },
        { "Physical density: 420\r\nOverride density: 320\r\n", 320 },
        { "Physical density: 420\nOverride density: reset\n", 420 },
        { "Physical density: 0\n", 0 },
        { "Physical density: -160\n", 0 },
        { "Physical density: 99999999999999999999\n", 0 },
        { "no", 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(densities); i++) {
        int dpi = 7;
        bool found = sq_wm_parse_density(sq_span_of(densities[i].text), &dpi);
        T(found == (densities[i].dpi > 0));
        T_INT(dpi, found ? densities[i].dpi : 7);
    }
}

static const struct {
    const char *text;
    int turns; /* -1: not reported */
} rotations[] = {
    { "  SurfaceOrientation: 1\r\n", 1 },
    { "  SurfaceOrientation: 9\n", -1 },
    { "  Viewport INTERNAL: displayId=0, uniqueId=local:461, port=Optional(0), "
      "orientation=3, logicalFrame=[0, 0, 2424, 1080], physicalFrame=[0, 0, "
      "1080, 2424], deviceSize=[1080, 2424], isActive=[1]\n",
      3 },
    { "Viewport EXTERNAL: displayId=2, orientation=1, isActive=[1]\n"
      "Viewport INTERNAL: displayId=0, orientation=3, isActive=[0]\n"
      "Viewport INTERNAL: displayId=0, orientation=2, isActive=[1]\n",
      2 },
    { "SurfaceOrientation: 0\nViewport INTERNAL: displayId=0, orientation=1\n",
      1 },
    { "      mCurrentRotation=ROTATION_270\n", 3 },
    { "      mCurrentRotation=ROTATION_0\n", 0 },
    { "      mCurrentRotation=1\n", 1 },
    { "      mCurrentRotation=-1\n      mRotation=2 "
      "mDeferredRotationPauseCount=0\n",
      2 },
    { "mUserRotation=ROTATION_90 mLandscapeRotation=ROTATION_90\n", -1 },
    { "mCurrentRotation=ROTATION_45\n", -1 },
    { "mCurrentRotation=ROTATION_360\n", -1 },
    { "mDisplayRotation=undefined mRotation=undefined\n", -1 },
    { "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, displayId=0, "
      "uniqueId='local:192', physicalPort=-127, orientation=1, "
      "logicalFrame=Rect(0, 0 - 2248, 1080)}]\n",
      1 },
    { "  mCurrentOrientation=2\n", 2 },
    { "Display: mDisplayId=3\n mDisplayRotation=ROTATION_90\n"
      "Display: mDisplayId=0\n mDisplayRotation=ROTATION_180\n",
      2 },
    { "", -1 },
    { "SurfaceOrientation:", -1 },
};

T_CASE(rotation_has_several_formats) {
    for (size_t i = 0; i < SQ_COUNT(rotations); i++) {
        int turns = 7;
        bool found =
            sq_display_parse_rotation(sq_span_of(rotations[i].text), &turns);
        T(found == (rotations[i].turns >= 0));
        T_INT(turns, found ? rotations[i].turns : 7);
    }
}

/* From Android 16, shortened; rotated, with an override of the size. */
static const char displays[] =
    "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\r\n"
    "  Display: mDisplayId=2 (organized)\r\n"
    "    init=1920x1080 160dpi cur=1920x1080 app=1920x1080\r\n"
    "  overrideConfig={1.0 mDisplayRotation=ROTATION_0 "
    "mRotation=ROTATION_0}\r\n"
    "  Display: mDisplayId=0 (organized)\r\n"
    "    init=1080x2424 420dpi mMinSizeOfResizeableTaskDp=220 base=720x1600 "
    "320dpi cur=1600x720 app=1600x720 rng=720x720-1600x1600\r\n"
    "    deferred=false mLayoutNeeded=false\r\n"
    "  overrideConfig={1.0 310mcc260mnc [en_US] ldltr sw360dp 320dpi land "
    "winConfig={ mBounds=Rect(0, 0 - 1600, 720) mDisplayRotation=ROTATION_90 "
    "mWindowingMode=fullscreen mRotation=ROTATION_90} as.3}\r\n";

T_CASE(one_answer_has_all_fields) {
    struct sq_display_state state;
    T(sq_display_parse_state(sq_span_of(displays), &state));
    T_INT(state.size.width, 1600);
    T_INT(state.size.height, 720);
    T_INT(state.dpi, 320);
    T_INT(state.rotation, 1);
}

T_CASE(answer_may_be_incomplete) {
    struct sq_display_state state = { .dpi = 7 };
    T(!sq_display_parse_state(SQ_SPAN("init=1x2 420dpi cur=1x2\n"), &state));
    T(!sq_display_parse_state(SQ_SPAN("mRotation=0\ncur=1080\n"), &state));
    T(!sq_display_parse_state(SQ_SPAN("mRotation=0\n"), &state));
    T_INT(state.dpi, 7);
    T(sq_display_parse_state(SQ_SPAN("init=a cur=10x20\nmRotation=0"), &state));
    T_INT(state.dpi, 0);
    T(sq_display_parse_state(
        SQ_SPAN("init=10x20 160dpi cur=10x20\nmRotation=0"), &state));
    T_INT(state.dpi, 160);
    T_INT(state.size.width, 10);
}

T_CASE(panels_are_listed) {
    struct sq_span rest = SQ_SPAN(
        "Display 4619827677550801152 (HWC display 0): port=0 pnpId=GGL "
        "displayName=\"Common Panel\"\r\n"
        "Display 18446744073709551615 (HWC display 1): port=1 pnpId=QCM "
        "displayName=\"\"\n"
        "Display 99999999999999999999999 (too large)\n"
        "Display 4630946545580055170 (HWC display 2): no identification data\n"
        "Displays 5 (what)\nDisplay x\nDisplay 5x\n"
        "Display 7");
    static const struct {
        uint64_t id;
        const char *name;
    } want[] = {
        { UINT64_C(4619827677550801152), "Common Panel" },
        { UINT64_MAX, "" },
        { UINT64_C(4630946545580055170), "" },
        { 7, "" },
    };
    struct sq_display_id display;
    for (size_t i = 0; i < SQ_COUNT(want); i++) {
        if (T(sq_display_take_id(&rest, &display))) {
            T(display.id == want[i].id);
            T_SPAN(display.name, want[i].name);
        }
    }
    T(!sq_display_take_id(&rest, &display));
}

T_CASE(lit_panel_is_found) {
    static const struct {
        const char *text;
        uint64_t id; /* 0: not reported */
    } panels[] = {
        { "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, "
          "isActive=true, displayId=0, uniqueId='local:4619827677550801152', "
          "physicalPort=0}, DisplayViewport{type=INTERNAL, valid=true, "
          "isActive=false, displayId=3, uniqueId='local:4619827677550801153', "
          "physicalPort=1}]\n",
          UINT64_C(4619827677550801152) },
        { "[DisplayViewport{type=INTERNAL, isActive=false, displayId=0, "
          "uniqueId='local:1'}, DisplayViewport{type=INTERNAL, isActive=true, "
          "displayId=0, uniqueId='local:2'}]",
          2 },
        { "DisplayViewport{type=INTERNAL, valid=true, displayId=0, "
          "uniqueId='local:3'}",
          3 },
        { "DisplayViewport{type=VIRTUAL, displayId=0, uniqueId='virtual:x'}",
          0 },
        { "DisplayViewport{type=INTERNAL, displayId=0, uniqueId='local:9", 0 },
        { "DisplayViewport{", 0 },
        { "", 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(panels); i++) {
        uint64_t id = 77;
        bool found = sq_display_parse_active(sq_span_of(panels[i].text), &id);
        T(found == (panels[i].id > 0));
        T(id == (found ? panels[i].id : 77));
    }
}

T_CASE(screen_state_is_parsed) {
    static const struct {
        const char *text;
        int on; /* -1: not reported */
    } powers[] = {
        { "  mWakefulness=Awake\r\n  mWakefulnessChanging=false\r\n", 1 },
        { "  mWakefulness=Asleep\n", 0 },
        { "  mWakefulness=Dozing\n", 0 },
        { "  mWakefulness=Dreaming\n", 1 },
        { "  mWakefulness=Awake\nDisplay Power: state=OFF\n", 0 },
        { "  mWakefulness=Dozing\nDisplay Power: state=ON\n", 1 },
        { "Display Power: state=DOZE_SUSPEND\n", 0 },
        { "  mScreenOn=true\n", 1 },
        { "  mScreenOn=false\n", 0 },
        { "  getWakefulnessLocked()=Awake\n", 1 },
        { "  xmWakefulness=Awake\n", -1 },
        { "", -1 },
    };
    for (size_t i = 0; i < SQ_COUNT(powers); i++) {
        bool on = false;
        bool found = sq_power_parse(sq_span_of(powers[i].text), &on);
        T(found == (powers[i].on >= 0));
        T_INT(on, powers[i].on == 1);
    }
}

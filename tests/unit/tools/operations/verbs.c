/* The operations besides touching: what they ask of the device. */

#include "device/android/state.h"
#include "device/browser/browser.h"
#include "device/ios/ios.h"
#include "device/webdriver/webdriver.h"
#include "unit/tools/acting.h"

static struct sq_finger_paths last_paths;
static char last_done[400];

/* Writes what is asked of the device as text. */
static bool
act(struct sq_device *device, const struct sq_hand *hand,
    const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline, (void)err;
    if (hand->paths) {
        last_paths = *hand->paths;
    }
    snprintf(last_done, sizeof(last_done), "%d %s '%.*s' %d %d %zu %.2f,%.2f",
             hand->verb, hand->package ? hand->package : "-",
             SQ_SPAN_ARGS(hand->text), hand->choice, hand->number,
             hand->extra_count, hand->latitude, hand->longitude);
    if (hand->verb == SQ_HAND_WAKE) {
        *hand->remark = "It was on.";
    }
    return true;
}

static bool
read_text(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    (void)device, (void)deadline;
    snprintf(last_done, sizeof(last_done), "read %d %s %d", request->verb,
             request->package ? request->package : "-", request->number);
    out->text = SQ_SPAN("one\ntwo password=hunter2\n");
    out->has_text = true;
    return sq_reading_add(out, "model", SQ_SPAN("Fake"), false, err)
        && sq_arena_keep(&out->arena, &out->text, err);
}

static struct sq_hand_ops ops;

static void
start(void) {
    acting_start();
    for (int i = 0; i < SQ_HAND_VERBS; i++) {
        ops.act[i] = act;
    }
    for (int i = 0; i < SQ_READING_VERBS; i++) {
        ops.read[i] = read_text;
    }
    world.device.ops.hand = &ops;
    last_done[0] = '\0';
    last_paths = (struct sq_finger_paths){ 0 };
}

T_FIXTURE(start, acting_end);

/* They cost no capture unless one is asked for. */
T_CASE(effects_outside_the_screen_are_not_awaited) {
    world.device.ops.capture_is_cheap = true;
    expect("clipboard", "{'text':'Ada'}",
           "{'copied':true,'deviceId':'fake-1'}");
    expect("location", "{'latitude':1,'longitude':2}",
           "{'location':'1,2','deviceId':'fake-1'}");
    expect("permission",
           "{'packageName':'com.example.app','permission':'camera',"
           "'change':'revoke'}",
           "{'revoked':'camera','deviceId':'fake-1'}");
    T_INT(world.device.captures, 0);
    expect("clipboard", "{'text':'Ada','receipt':'fast'}",
           "<*>'settled':true,'changed':null,'watchedMs':700,<*>");
    expect("wake", "{}",
           "<*>'settled':true,'changed':null,'watchedMs':700,<*>");
}

static const char *
done(int verb, const char *rest) {
    static char text[400];
    snprintf(text, sizeof(text), "%d %s", verb, rest);
    return text;
}

T_CASE(actions_reach_the_device) {
    expect("open", "{'url':'https://example.com/'}",
           "{'opened':'https://example.com/'<*>");
    T_STR(last_done,
          done(SQ_HAND_OPEN, "- 'https://example.com/' 0 0 0 0.00,0.00"));
    expect("permission",
           "{'packageName':'com.example.app','permission':'camera',"
           "'change':'revoke'}",
           "<*>");
    T_STR(last_done,
          done(SQ_HAND_PERMISSION, "com.example.app 'camera' 1 0 0 0.00,0.00"));
    expect("reset", "{'packageName':'com.example.app','confirm':true}",
           "{'reset':'com.example.app'<*>");
    T_LACKS(world.json, "untrusted");
    expect("reset", "{'packageName':'Shop','confirm':true}",
           "{'reset':'com.example.shop'<*>'untrusted':true<*>");
    expect("rotate", "{'orientation':'landscapeReversed'}",
           "{'orientation':'landscapeReversed'<*>");
    T_STR(last_done, done(SQ_HAND_ROTATE, "- '' 3 0 0 0.00,0.00"));
    expect("location", "{'latitude':-33.5,'longitude':151.25}", "<*>");
    T_STR(last_done, done(SQ_HAND_LOCATION, "- '' 0 0 0 -33.50,151.25"));
    expect("clipboard", "{'text':'Ada'}", "{'copied':true<*>");
    T_STR(last_done, done(SQ_HAND_COPY, "- 'Ada' 0 0 0 0.00,0.00"));
    expect("wake", "{}", "{'awake':true<*>It was on.<*>");
    expect("video", "{'record':'start','seconds':7}", "<*>");
    T_STR(last_done, done(SQ_HAND_RECORD, "- '' 0 7 0 0.00,0.00"));
    expect("notifications", "{'open':true}", "<*>");
    T_STR(last_done, done(SQ_HAND_SHADE, "- '' 0 0 0 0.00,0.00"));
}

T_CASE(reports_are_read) {
    expect("logs", "{'packageName':'com.example.app','limit':3}",
           "<*>'lines':['one','two password=[redacted]']<*>");
    expect("info", "{}", "<*>'model':'Fake'<*>");
    expect("clipboard", "{}", "{'clipboard':'one\\ntwo<*>");
}

T_CASE(fingers_are_planned_around_the_point) {
    expect("screenshot", "{}", "<*>");
    expect("pinch", "{'x':200,'y':500,'scale':2,'degrees':30}",
           "{'pinched':{'x':200,'y':500,'deviceX':480,'deviceY':1200,"
           "'coordinateSpace':'image','screenshotId':'s1','scale':2,"
           "'degrees':30,'fingers':2,'durationMs':400}<*>");
    T_INT(last_paths.finger_count, 2);
    const struct sq_finger_step *first = &last_paths.steps[0];
    T_INT(first->fingers[0].x + first->fingers[1].x, 2 * 480);
    T_INT(first->fingers[0].y + first->fingers[1].y, 2 * 1200);
    expect("pinch",
           "{'x':540,'y':1200,'to':{'x':540,'y':700},'fingers':3,"
           "'durationMs':100,'deviceSpace':true}",
           "<*>'to':{'x':540,'y':700<*>'fingers':3,'durationMs':100}<*>");
    T_INT(last_paths.finger_count, 3);
    T_INT(sq_fingers_duration_ms(&last_paths), 100);
}

T_CASE(senseless_pinches_are_refused) {
    static const struct {
        const char *arguments;
        const char *message;
    } rows[] = {
        { "{'x':200,'y':500}", "pinch does not say what the fingers do" },
        { "{'scale':2}", "pinch does not say where, or says it twice" },
        { "{'scale':2,'x':5}", "pinch does not say where, or says it twice" },
        { "{'scale':2,'x':5,'y':5,'selector':{'text':'a'}}",
          "pinch does not say where, or says it twice" },
        { "{'scale':20,'x':200,'y':500}", "<*>scale<*>" },
        { "{'scale':'2','x':'--help','y':500}", "<*>" },
        { "{'scale':2,'degrees':999,'x':200,'y':500}", "<*>degrees<*>" },
        { "{'fingers':1,'x':200,'y':500}", "<*>fingers<*>" },
        { "{'scale':2,'x':0,'y':0}", "there is no room for<*>" },
        { "{'scale':2,'x':200,'y':500,'to':{'x':9999,'y':1}}",
          "to: the point 9999,1 is outside<*>" },
        { "{'scale':2,'x':200,'y':500,'screenshotId':'s1',"
          "'deviceSpace':true}",
          "the points are given in more than one space" },
    };
    expect("screenshot", "{}", "<*>");
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        expect_refusal("pinch", rows[i].arguments, "INPUT_VALIDATION_FAILED",
                       rows[i].message, "<*>");
    }
    T_STR(last_done, "");
}

/* Arguments that contradict each other are found before the first step. */
T_CASE(senseless_steps_are_refused_before_the_first) {
    static const struct {
        const char *step;
        const char *message;
    } rows[] = {
        { "'tap','x':1", "a point needs both x and y" },
        { "'tap','selector':{}", "selector is empty" },
        { "'tap','x':1,'y':1,'receipt':'none','look':true",
          "look needs a receipt, but receipt is none" },
        { "'input'", "text is missing" },
        { "'input','text':'a\\u0007'",
          "text contains the control character<*>" },
        { "'pinch','scale':2", "pinch does not say where, or says it twice" },
        { "'swipe','from':{'x':1,'y':1},'to':{'x':2,'y':2},"
          "'screenshotId':'s1','deviceSpace':true",
          "the points are given in more than one space" },
        { "'scroll','direction':'up','selector':{}", "selector is empty" },
        { "'key','name':'?'", "name is not the name of a key" },
        { "'launch','packageName':'a.b','extras':['x']",
          "an extra is not NAME=VALUE" },
        { "'wait','text':' '", "there is no text to find" },
        { "'clipboard','text':''", "text is empty or contains NUL" },
        { "'screenshot','raw':true,'size':'half'",
          "raw and size cannot be used together" },
        { "'dump','interactiveOnly':true,'filterLevel':'strict'",
          "interactiveOnly and filterLevel cannot be used together" },
        { "'appearance'", "nothing to change was given" },
        { "'visual-find-image','name':'a','elementIndex':1,"
          "'selector':{'text':'a'}",
          "the request says in more than one way where to look" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        char steps[300];
        char message[120];
        snprintf(steps, sizeof(steps),
                 "{'steps':[{'operation':'key','name':'back'},"
                 "{'operation':%s}]}",
                 rows[i].step);
        snprintf(message, sizeof(message), "step 2; nothing was done: %s",
                 rows[i].message);
        expect_refusal("steps", steps, "INPUT_VALIDATION_FAILED", message,
                       "<*>");
        T_INT(actions_seen, 0);
    }
}

/* What a device cannot do is refused, with what to do instead. */
T_CASE(unsupported_actions_say_what_to_do) {
    static struct sq_hand_ops none = { .instead = { [SQ_HAND_ROTATE] =
                                                        "Turn it by hand." } };
    world.device.ops.hand = &none;
    expect("screenshot", "{}", "<*>");
    expect_refusal("rotate", "{'orientation':'auto'}", "UNSUPPORTED",
                   "fake devices cannot be rotated",
                   "Nothing was done. Turn it by hand.");
    expect_refusal("pinch", "{'x':200,'y':500,'scale':2}", "UNSUPPORTED",
                   "fake devices cannot be touched with several fingers",
                   "Nothing was done. Android devices, browsers and WebDriver "
                   "devices can.");
    world.device.ops.hand = NULL;
    expect_refusal("wake", "{}", "UNSUPPORTED", "fake devices cannot be woken",
                   "<*>");
}

/* The hint for an action that these kinds can do, in the order of the table. */
static const char *
who(const bool can[4]) {
    static const char *const names[] = { "Android devices", "iOS simulators",
                                         "browsers", "WebDriver devices" };
    static char hint[200];
    int left = can[0] + can[1] + can[2] + can[3];
    size_t used = (size_t)snprintf(hint, sizeof(hint), "Nothing was done. %s",
                                   left ? "" : "No kind of device");
    for (int i = 0; i < 4; i++) {
        if (can[i]) {
            left--;
            used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s%s",
                                     names[i],
                                     left > 1    ? ", "
                                     : left == 1 ? " and "
                                                 : "");
        }
    }
    snprintf(hint + used, sizeof(hint) - used, " can.");
    return hint;
}

#define WHO(table, i)                                                          \
    who((const bool[]){ sq_android_hand.table[i] != NULL,                      \
                        sq_simulator_hand.table[i] != NULL,                    \
                        sq_browser_hand.table[i] != NULL,                      \
                        sq_webdriver_hand.table[i] != NULL })

/* The hint names the kinds of devices whose tables have the action. */
T_BARE_CASE(kinds_that_can_are_named) {
    static const struct sq_hand_ops none = { .act = { NULL } };
    struct sq_device_ops demo = { .kind = "demo", .hand = &none };
    const struct sq_device device = { .ops = &demo };
    for (int i = 0; i < SQ_HAND_VERBS; i++) {
        T(!sq_device_can(&device, (enum sq_hand_verb)i, &t_err));
        T_STR(t_err.hint, WHO(act, i));
    }
    for (int i = 0; i < SQ_READING_VERBS; i++) {
        const struct sq_reading_request request = {
            .verb = (enum sq_reading_verb)i,
        };
        struct sq_device writable = device;
        struct sq_reading reading;
        T(!sq_device_read(&writable, &request, &reading, NULL, &t_err));
        T_STR(t_err.hint, WHO(read, i));
    }
}

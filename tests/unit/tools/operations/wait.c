#include <pthread.h>

#include "support/fake_device.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/deadline.h"

static struct fake_world world;

static const struct fake_node before[] = {
    { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "a.Text", .text = "Loading", .bounds = { 0, 0, 100, 100 } },
    { .class_name = NULL },
};

static const struct fake_node after[] = {
    { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "a.Text", .text = "Welcome, Ann", .bounds = { 240, 1080, 720, 1320 } },
    { .class_name = NULL },
};

static void
start(void) {
    fake_world_start(&world, NULL);
    world.device.screen.size = (struct sq_size){ 540, 1200 };
    world.device.nodes = before;
}

static void
stop(void) {
    fake_world_end(&world);
}

static bool
wait_for(const char *arguments) {
    return fake_run(&world, "wait", arguments);
}

T_FIXTURE(start, stop);

T_CASE(unchanged_screen_settles) {
    T(wait_for("{'stableMs':100}"));
    T(fake_matches(
        world.json,
        "{'settled':true,'waitedMs':<*>,'changed':null,"
        "'coordinateSpace':'image','screenshotId':'s1','deviceId':'fake-1'}"));
    T(world.device.captures >= 2);
}

T_CASE(change_is_reported_in_image_space) {
    world.device.patch_frames = 3;
    T(fake_run(&world, "screenshot", "{'maxDimension':600}"));
    T(wait_for("{'stableMs':100}"));
    /*
     * A patch of 100 at 200,300 has disappeared; the picture has half the size.
     */
    T_SAYS("'settled':true");
    T_SAYS("'changed':{'x':100,'y':150,'width':50,'height':50}");
    T_SAYS("'screenshotId':'s1'");
}

T_CASE(screen_that_keeps_changing_is_not_an_error) {
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 60, 100 };
    T(wait_for("{'timeoutMs':250}"));
    T_SAYS("'settled':false");
}

static struct sq_device_ops plain_ops;
static int64_t last_look_ns;

static bool
timed_capture(struct sq_device *device,
              const struct sq_capture_request *request, struct sq_capture *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    last_look_ns = sq_clock_monotonic_ns();
    return plain_ops.capture(device, request, out, deadline, err);
}

/* A capture that could not end in time is not started. */
T_CASE(no_capture_starts_that_would_end_too_late) {
    static const int timeouts_ms[] = { 0, 150, 200, 250, 300 };
    plain_ops = world.device.ops;
    world.device.ops.capture = timed_capture;
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 60, 100 };
    world.device.capture_takes_ms = 60;
    for (size_t i = 0; i < SQ_COUNT(timeouts_ms); i++) {
        char arguments[40];
        snprintf(arguments, sizeof(arguments), "{'timeoutMs':%d}",
                 timeouts_ms[i]);
        int64_t began = sq_clock_monotonic_ns();
        T(wait_for(arguments));
        T_SAYS("'settled':false");
        T(last_look_ns - began <= (int64_t)timeouts_ms[i] * 1000000 || i == 0);
    }
    T(wait_for("{'timeoutMs':0}"));
    T_SAYS("'changed':null");
}

T_CASE(waits_until_text_appears) {
    struct sq_element element;
    world.device.nodes_later = after;
    world.device.nodes_after = 2;
    T_ARENA(arena, 4096);
    T(wait_for("{'text':'Welcome'}"));
    T_SAYS("'found':true");
    T_SAYS("'element':{'index':0,'text':'Welcome, Ann'");
    T_INT(world.device.trees, 3);
    T(sq_session_element(world.session, FAKE_ID, 0, &arena, &element, NULL));
    T(sq_span_is(element.label, "Welcome, Ann"));
    T(wait_for("{'selector':{'text':'Welcome, Ann'}}"));
    T_SAYS("'found':true");
}

T_CASE(timeout_is_not_an_error) {
    T(wait_for("{'text':'Welcome','timeoutMs':300}"));
    T(fake_matches(
        world.json,
        "{'found':false,'waitedMs':<*>,'hint':'<*>','deviceId':'fake-1'}"));
}

T_CASE(unreadable_elements_are_reported) {
    world.device.nodes = NULL;
    T(!wait_for("{'text':'Welcome','timeoutMs':300}"));
    T_INT(world.err.code, SQ_ERR_UNSUPPORTED);
    T(world.device.trees > 1);
    T(!wait_for("{'timeoutMs':-1}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    /* What the device can never do is not waited for. */
    world.device.captures = 0;
    world.device.ops.tree = NULL;
    T(!wait_for("{'text':'Welcome','timeoutMs':20000}"));
    T_INT(world.err.code, SQ_ERR_UNSUPPORTED);
    T_INT(world.device.captures, 0);
}

static bool
quoting_tree(struct sq_device *device, struct sq_tree *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)out, (void)deadline;
    return sq_fail_quoting(err, SQ_ERR_UNSUPPORTED, "Android said: obey");
}

/* What a device says about its elements is a text of the device. */
T_CASE(quoted_reasons_are_untrusted) {
    world.device.ops.tree = quoting_tree;
    T(!wait_for("{'text':'Welcome','timeoutMs':300}"));
    T(strstr(world.err.message, "obey") && world.err.quotes);
    T(!fake_run(&world, "tap", "{'selector':{'text':'Welcome'}}"));
    T(strstr(world.err.message, "obey") && world.err.quotes);
    T(fake_run(&world, "key", "{'name':'back','receipt':'full'}"));
    T(fake_matches(world.json, "<*>'note':'<*>obey<*>'untrusted':true<*>"));
    T(fake_run(&world, "steps",
               "{'steps':[{'operation':'key','name':'back'},"
               "{'operation':'dump'}]}"));
    T(fake_matches(world.json,
                   "{'steps':[<*>obey<*>],'done':2,'untrusted':true<*>"));
}

/* A serial number may contain blanks, and then reads as a sentence. */
T_CASE(id_that_is_a_sentence_is_untrusted) {
    T(fake_run(&world, "key", "{'name':'back'}"));
    T_LACKS(world.json, "untrusted");
    snprintf(world.device.base.info.id, SQ_DEVICE_ID_SIZE, "obey me now");
    T(fake_run(&world, "key", "{'name':'back'}"));
    T_SAYS("'untrusted':true,'deviceId':'obey me now'");
}

/* Names of other tools are explained, as outside of steps. */
T_CASE(unknown_steps_are_explained) {
    T(!fake_run(&world, "steps", "{'steps':[{'operation':'click','x':1}]}"));
    T_STR(world.err.message,
          "step 1; nothing was done: no operation \"click\"");
    T_HAS(world.err.hint, "{\"operation\": \"tap\", \"x\": 200");
    T(!fake_run(&world, "steps", "{'steps':[{'operation':'ui_type'}]}"));
    T_HAS(world.err.hint, "{\"operation\": \"input\", \"text\"");
    T(!fake_run(&world, "steps", "{'steps':[{'x':1}]}"));
    T_HAS(world.err.hint, "Example:");
}

/* As while an app starts, or while its first animation runs. */
T_CASE(waits_until_elements_can_be_read) {
    world.device.nodes = after;
    world.device.trees_fail = 3;
    T(wait_for("{'text':'Welcome'}"));
    T_SAYS("'found':true");
    T_INT(world.device.trees, 4);
    T_INT(world.device.captures, 3);
}

static void *
cancel_soon(void *cancel) {
    const struct sq_deadline never = sq_deadline_in(T_PATIENCE_MS, NULL);
    sq_wait_ms(150, &never, NULL);
    sq_cancel_set(cancel);
    return NULL;
}

T_BARE_CASE(cancel_ends_it_immediately) {
    static const char *const ways[] = { "{'text':'Welcome','timeoutMs':20000}",
                                        "{'timeoutMs':20000}" };
    for (int i = 0; i < 2; i++) {
        start();
        pthread_t thread;
        world.device.noisy = true;
        world.device.screen.size = (struct sq_size){ 60, 100 };
        T_OK(sq_cancel_create(&world.cancel, &t_err));
        int64_t began = sq_clock_monotonic_ns();
        T_INT(pthread_create(&thread, NULL, cancel_soon, world.cancel), 0);
        T(!wait_for(ways[i]));
        T_INT(world.err.code, SQ_ERR_CANCELLED);
        T(sq_clock_monotonic_ns() - began < 1000000000);
        pthread_join(thread, NULL);
        sq_cancel_destroy(world.cancel);
        stop();
    }
}

T_CASE(empty_text_is_refused) {
    T(!wait_for("{'text':''}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T(!wait_for("{'selector':{'textContains':' '}}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
}

/*
 * Two objects of one device, as two processes have them: who acts waits for the
 * other, and both notice what the other did.
 */
#include <fcntl.h>
#include <unistd.h>

#include "device/device.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"

static const struct sq_device_ops shared_ops = { .kind = "brick",
                                                 .is_shared = true };

static const struct sq_device_ops own_ops = { .kind = "brick" };

static struct sq_device one;
static struct sq_device two;

static void
start(const struct sq_device_ops *ops) {
    t_scratch_start();
    setenv("XDG_RUNTIME_DIR", t_scratch_path("run"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    one = (struct sq_device){ .ops = ops, .info.id = "10.0.0.3:5555/../x" };
    two = (struct sq_device){ .ops = ops, .info.id = "10.0.0.3:5555/../x" };
}

static bool
enter(struct sq_device *device, bool acts, int ms) {
    struct sq_deadline deadline = sq_deadline_in(ms, NULL);
    t_err = (struct sq_err){ 0 };
    return sq_device_enter(device, acts, &deadline, &t_err);
}

/* Returns whether the device has changed for a call that looks. */
static bool
sees_change(struct sq_device *device) {
    uint64_t before = device->change;
    T_OK(enter(device, false, T_PATIENCE_MS));
    sq_device_leave(device);
    return device->change != before;
}

static void
act(struct sq_device *device) {
    T_OK(enter(device, true, T_PATIENCE_MS));
    sq_device_leave(device);
}

T_CASE(actions_of_others_are_noticed_once) {
    start(&shared_ops);
    act(&one);
    T(!sees_change(&two)); /* which knew nothing before */
    T(!sees_change(&one));
    act(&one);
    T(sees_change(&two));
    T(!sees_change(&two));
    act(&two);
    act(&two);
    T(sees_change(&one));
    T_INT(one.look.acted_ns, two.shared.mark.at_ns);
    T(!sees_change(&two));
    t_album_end();
}

T_CASE(who_acts_waits_for_the_other) {
    start(&shared_ops);
    T_OK(enter(&one, true, T_PATIENCE_MS));
    T(!enter(&two, true, 20));
    T_INT(t_err.code, SQ_ERR_TIMEOUT);
    T_STR(t_err.message, "another process of squint is acting on device "
                         "10.0.0.3:5555/../x");
    T(t_err.hint[0]);
    T_OK(enter(&two, false, T_PATIENCE_MS));
    T_OK(enter(&two, false, T_PATIENCE_MS));
    sq_device_leave(&one);
    T(sees_change(&two)); /* it may have acted since the last look */
    act(&two);
    t_album_end();
}

T_CASE(damaged_and_missing_files_do_no_harm) {
    start(&shared_ops);
    act(&one);
    act(&two);
    const char *path =
        t_scratch_path("run/squint/device-10_0_0_3_5555____x.acts");
    T_INT(truncate(path, 3), 0);
    T(!sees_change(&one));
    T_INT(unlink(path), 0);
    T(!sees_change(&one));
    act(&one);
    T(sees_change(&two));
    t_album_end();
    setenv("XDG_RUNTIME_DIR", "/dev/null/a", 1);
    setenv("XDG_STATE_HOME", "/dev/null/a", 1);
    act(&one);
    T(!sees_change(&two));
}

T_CASE(other_devices_have_no_files) {
    start(&own_ops);
    T_OK(enter(&one, true, T_PATIENCE_MS));
    act(&two);
    T(!sees_change(&one));
    T_INT(access(t_scratch_path("run"), F_OK), -1);
    t_album_end();
}

/* The list of devices, opening one, its screen and the foreground app. */
#include "device/android/command.h"

#include "device/kinds.h"
#include "unit/device/android/scripted.h"

static struct sq_device_info found[8];
static int found_count;

static bool
add(void *context, const struct sq_device_info *info, struct sq_err *err) {
    if (found_count < 8) {
        found[found_count++] = *info;
    }
    return true;
}

static bool
list(struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    found_count = 0;
    return sq_android_list(adb, add, NULL, &deadline, err);
}

static const struct rule nothing[] = { { 0 } };

T_FIXTURE(NULL, phone_end);

T_CASE(lists_devices_with_their_states) {
    phone_start(nothing);
    server.devices =
        "emulator-5554          device product:sdk_gphone64 "
        "model:sdk_gphone64_x86_64 device:emu64xa transport_id:1\n"
        "R5CT30     unauthorized usb:1-2 transport_id:2\n"
        "192.168.1.9:5555       recovery product:x model:y device:z "
        "transport_id:3\n";
    T_OK(list(&t_err));
    T_INT(found_count, 3);
    T_STR(found[0].id, "emulator-5554");
    T_STR(found[0].kind, "android");
    T_STR(found[0].name, "sdk gphone64 x86 64 (sdk_gphone64)");
    T_INT(found[0].state, SQ_DEVICE_ONLINE);
    T_INT(found[1].state, SQ_DEVICE_UNAUTHORIZED);
    T(found[1].why[0] && found[1].hint[0]);
    T_INT(found[2].state, SQ_DEVICE_UNUSABLE);
    T(!fake_adb_received(&server, "reconnect"));
    server.devices = "";
    T_OK(list(&t_err));
    T_INT(found_count, 0);
}

T_CASE(offline_devices_are_reconnected_once) {
    phone_start(nothing);
    server.devices_back = server.devices;
    server.devices = FAKE_ADB_SERIAL "          offline transport_id:1\n";
    T_OK(list(&t_err));
    T_INT(found_count, 1);
    T_INT(found[0].state, SQ_DEVICE_ONLINE);
    server.devices_back = NULL;
    fake_adb_clear_log(&server);
    T_OK(list(&t_err));
    T_INT(found[0].state, SQ_DEVICE_OFFLINE);
    T(!fake_adb_received(&server, "reconnect"));
}

/* The same in a session, where the server sends changes of the list. */
T_CASE(offline_devices_are_reconnected_when_tracking) {
    phone_start(nothing);
    sq_adb_keep_connections(adb);
    server.devices_back = server.devices;
    server.devices = FAKE_ADB_SERIAL "          offline transport_id:1\n";
    atomic_store(&server.tracked, server.devices);
    T_OK(list(&t_err));
    T_INT(found_count, 1);
    T_INT(found[0].state, SQ_DEVICE_ONLINE);
    T(fake_adb_received(&server, "host:reconnect-offline"));
    /* The server has not reported that it is back, so it is asked. */
    fake_adb_clear_log(&server);
    T_OK(list(&t_err));
    T_INT(found[0].state, SQ_DEVICE_ONLINE);
    T(!fake_adb_received(&server, "reconnect"));
}

/* adb reports to trackers only that it was offline. */
T_CASE(unauthorized_device_is_not_reconnected) {
    phone_start(nothing);
    sq_adb_keep_connections(adb);
    server.devices = FAKE_ADB_SERIAL "          unauthorized transport_id:1\n";
    atomic_store(&server.tracked,
                 FAKE_ADB_SERIAL "          offline transport_id:1\n");
    T_OK(list(&t_err));
    T_INT(found_count, 1);
    T_INT(found[0].state, SQ_DEVICE_UNAUTHORIZED);
    T(!fake_adb_received(&server, "reconnect"));
}

T_CASE(list_broken_at_any_byte_is_an_error) {
    bool ok = false;
    phone_start(nothing);
    server.cut_connection = -1;
    for (long at = 0; !ok && at < 1000; at++) {
        server.cut_at = at;
        ok = list(&t_err);
        T(ok || (t_err.code == SQ_ERR_IO && t_err.hint[0] && found_count == 0));
    }
    T(ok);
}

T_CASE(is_a_kind_of_device) {
    struct sq_deadline deadline = test_deadline();
    struct sq_devices *devices = NULL;
    struct sq_device_list all = { 0 };
    phone_start(nothing);
    const struct sq_devices_options options = { .adb = adb };
    T_OK(sq_devices_create(NULL, &options, &devices, &t_err));
    T_OK(sq_devices_list(devices, &all, &deadline, &t_err));
    T_INT(all.count, 2);
    T_INT(all.problem_count, 0);
    sq_device_list_finish(&all);
    sq_devices_destroy(devices);
}

T_BARE_CASE(missing_server_is_a_problem_and_hides_no_other_kind) {
    struct sq_deadline deadline = test_deadline();
    struct sq_devices *devices = NULL;
    struct sq_device_list all = { 0 };
    const struct sq_adb_options nowhere = { .server = "tcp:127.0.0.1:1",
                                            .never_start = true };
    struct sq_adb *none = NULL;
    T_OK(sq_adb_create(&nowhere, &none, &t_err));
    const struct sq_devices_options options = { .adb = none };
    T_OK(sq_devices_create(NULL, &options, &devices, &t_err));
    T_OK(sq_devices_list(devices, &all, &deadline, &t_err));
    T_INT(all.count, 1);
    T_STR(all.items[0].id, "demo");
    T_INT(all.problem_count, 1);
    T_STR(all.problems[0].kind, "android");
    T_INT(all.problems[0].err.code, SQ_ERR_IO);
    T(all.problems[0].err.hint[0]);
    sq_device_list_finish(&all);
    /* The devices of a server that the user chose may be meant. */
    struct sq_device *device = NULL;
    T_FAILS(sq_devices_open(devices, NULL, &deadline, &device, NULL, &t_err),
            SQ_ERR_IO);
    T_HAS(t_err.message, "no adb server answers at tcp:127.0.0.1:1");
    T_HAS(t_err.hint, "\"demo\"");
    t_err = (struct sq_err){ 0 };
    T_OK(sq_devices_open(devices, "demo", &deadline, &device, NULL, &t_err));
    sq_devices_release(devices, device);
    sq_devices_destroy(devices);
    sq_adb_destroy(none);
}

T_CASE(screen_and_app_are_read_in_one_exchange) {
    static const struct rule table[] = {
        { .words = "window displays", .out = DISPLAYS("16x8", "1") }, { 0 }
    };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    struct sq_app app = { 0 };
    phone_start(table);
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
    T_INT(screen.size.width, 16);
    T_INT(screen.size.height, 8);
    T_INT(screen.rotation, 1);
    T(screen.density == 2.0);
    T_STR(app.package, "com.example");
    T_STR(app.activity, ".Main");
    T_INT(server.connections, 1);
}

/* A person may turn the phone or open another app between two operations. */
T_CASE(screen_and_app_are_read_again_in_the_next_operation) {
    static const struct rule table[] = { { .words = "window displays",
                                           .out = DISPLAYS("8x16", "0"),
                                           .times = 1 },
                                         { .words = "window displays",
                                           .out = DISPLAYS("16x8", "1") },
                                         { 0 } };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    struct sq_app app = { 0 };
    phone_start(table);
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.rotation, 0);
    sq_device_begin(phone, 0);
    T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.rotation, 1);
    T_INT(server.log_count, 2);
}

T_CASE(lock_state_is_read_in_the_same_exchange) {
    static const struct rule table[] = {
        { .words = "window displays",
          .out = DISPLAYS("8x16", "0") "  DisplayPolicy\n    mShowingDream="
                                       "false mDreamingLockscreen=true\n" },
        { 0 }
    };
    struct sq_deadline deadline = test_deadline();
    struct sq_app app = { 0 };
    phone_start(table);
    T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
    T(app.locked);
    T_INT(server.log_count, 1);
}

T_CASE(falls_back_to_older_commands) {
    static const struct rule table[] = {
        { .words = "window displays", .out = "nothing we know\n" },
        { .words = "wm size",
          .out = "Physical size: 8x16\nOverride size: 4x8\n"
                 "Physical density: 480\nSurfaceOrientation: 3\n" },
        { .words = "activity activities",
          .out =
              "  mResumedActivity: ActivityRecord{1 u0 com.old/.Home t1}\n" },
        { 0 }
    };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    struct sq_app app = { 0 };
    phone_start(table);
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.size.width, 8);
    T_INT(screen.size.height, 4);
    T_INT(screen.rotation, 3);
    T(screen.density == 3.0);
    T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
    T_STR(app.package, "com.old");
}

T_CASE(unknown_screen_and_app_are_reported) {
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    struct sq_app app = { 0 };
    phone_start((const struct rule[]){
        { .words = DISPLAY_COMMAND, .errors = "sh: not found", .status = 127 },
        { 0 } });
    T_FAILS(sq_device_screen(phone, &screen, &deadline, &t_err), SQ_ERR_IO);
    T(t_err.hint[0]);
    T_FAILS(sq_device_current_app(phone, &app, &deadline, &t_err),
            SQ_ERR_UNSUPPORTED);
}

T_CASE(server_version_is_reported) {
    struct sq_deadline deadline = test_deadline();
    int version = 0;
    phone_start(nothing);
    T_OK(sq_android_server_version(adb, &version, &deadline, &t_err));
    T_INT(version, 41);
}

static bool
look(void *context, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen;
    struct sq_app app;
    struct sq_device *device = NULL;
    bool ok = list(err)
           && sq_android_open(adb, &found[0], &device, &deadline, err)
           && sq_device_screen(device, &screen, &deadline, err)
           && sq_device_current_app(device, &app, &deadline, err);
    sq_device_destroy(device);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    static const struct rule table[] = {
        { .words = "window displays", .out = DISPLAYS("16x8", "1") },
        { .words = "activity activities", .out = DISPLAYS("16x8", "1") },
        { 0 }
    };
    phone_start(table);
    T(t_alloc_torture(look, NULL) > 5);
}

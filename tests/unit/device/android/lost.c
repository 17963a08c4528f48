/* Hints for a phone that has disconnected, by how it was connected. */

#include "device/android/link.h"
#include "support/fake_adb.h"
#include "support/test.h"

#define ADDRESS "192.168.1.20:5555"

static struct fake_adb fake;

/* A command on the device of that serial, which is expected to fail. */
static void
expect_failure(const char *serial, bool is_action, int timeout_ms,
               struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    struct sq_adb_link link = { .adb = fake_adb_client(&fake) };
    struct sq_adb_output output;
    snprintf(link.serial, sizeof(link.serial), "%s", serial);
    sq_adb_output_init(&output, 1000);
    output.is_action = is_action;
    T(!sq_adb_run(&link, SQ_SPAN("id"), &output, &deadline, err));
    sq_adb_output_finish(&output);
    sq_adb_link_finish(&link);
    sq_adb_destroy(link.adb);
}

static const struct {
    const char *refusal;
    long cut_at;
    bool hangs;
    bool is_action;
    enum sq_err_code code;
} ways[] = {
    { "device '" ADDRESS "' not found", -1, false, false,
      SQ_ERR_DEVICE_NOT_FOUND },
    { "device offline", -1, false, false, SQ_ERR_DEVICE_OFFLINE },
    { NULL, 10, false, false, SQ_ERR_DEVICE_OFFLINE },
    { NULL, 4, false, true, SQ_ERR_DEVICE_OFFLINE },
    { NULL, 10, false, true, SQ_ERR_DEVICE_OFFLINE },
    { NULL, -1, true, false, SQ_ERR_TIMEOUT },
    { NULL, -1, true, true, SQ_ERR_TIMEOUT },
};

/* Tries way i with that timeout. Returns whether the hint is as it must be. */
static bool
try_way(size_t i, const char *serial, const char *remedy, int timeout_ms,
        struct sq_err *err) {
    *err = (struct sq_err){ 0 };
    fake_adb_start(&fake);
    fake.address = ADDRESS;
    fake.refusal = ways[i].refusal;
    fake.cut_at = ways[i].cut_at;
    fake.device_hangs = ways[i].hangs;
    expect_failure(serial, ways[i].is_action, timeout_ms, err);
    fake_adb_stop(&fake);
    return strstr(err->hint, remedy) != NULL
        && (!ways[i].is_action || strstr(err->hint, "may have been performed"));
}

/*
 * A short timeout may pass before the device is reached, and then the hint is
 * another one: it is doubled until it is long enough for this machine.
 */
static void
check(const char *serial, const char *remedy, const char *wrong_remedy) {
    T_EACH(i, ways) {
        struct sq_err err;
        int timeout_ms = ways[i].hangs ? 40 : T_PATIENCE_MS;
        bool ok = try_way(i, serial, remedy, timeout_ms, &err);
        while (!ok && timeout_ms < T_PATIENCE_MS) {
            timeout_ms *= 2;
            ok = try_way(i, serial, remedy, timeout_ms, &err);
        }
        T_INT(err.code, ways[i].code);
        T(ok);
        T_LACKS(err.hint, wrong_remedy);
    }
}

T_CASE(network_device_is_to_be_connected_again) {
    check(ADDRESS, "adb connect " ADDRESS, "lug it in");
}

T_CASE(usb_device_is_to_be_plugged_in_again) {
    check(FAKE_ADB_SERIAL, "lug it in again", "adb connect");
}

/* The server does not answer; one that is started again does not know it. */
T_CASE(network_device_is_lost_with_its_server) {
    fake_adb_start(&fake);
    fake.hangs = true;
    expect_failure(ADDRESS, false, 40, &t_err);
    fake_adb_stop(&fake);
    T_HAS(t_err.hint, "kill-server");
    T_HAS(t_err.hint, "Then run: adb connect " ADDRESS);
}

/* The first request for a device is refused, before it is used. */
T_CASE(device_that_cannot_be_opened_is_to_be_connected_again) {
    for (size_t i = 0; ways[i].refusal; i++) {
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        struct sq_device_info info = { .id = ADDRESS };
        struct sq_adb_link link;
        fake_adb_start(&fake);
        fake.refusal = ways[i].refusal;
        struct sq_adb *adb = fake_adb_client(&fake);
        T_FAILS(sq_adb_link_init(&link, adb, &info, &deadline, &t_err),
                ways[i].code);
        T_HAS(t_err.hint, "adb connect " ADDRESS);
        T_LACKS(t_err.hint, "lug it in");
        sq_adb_destroy(adb);
        fake_adb_stop(&fake);
    }
}

T_CASE(unauthorized_device_is_to_be_confirmed) {
    fake_adb_start(&fake);
    fake.address = ADDRESS;
    fake.refusal = "device unauthorized.";
    expect_failure(ADDRESS, false, 20000, &t_err);
    T_HAS(t_err.hint, "Allow USB debugging?");
    fake_adb_stop(&fake);
}

T_CASE(refused_command_is_explained_by_the_state_of_the_device) {
    static const struct {
        const char *state;
        enum sq_err_code code;
    } states[] = {
        { "device", SQ_ERR_IO },
        { "offline", SQ_ERR_DEVICE_OFFLINE },
        { "", SQ_ERR_DEVICE_OFFLINE },
        { NULL, SQ_ERR_IO },
    };
    fake_adb_start(&fake);
    fake.is_closed = true;
    for (size_t i = 0; i < SQ_COUNT(states); i++) {
        bool is_lost = states[i].code == SQ_ERR_DEVICE_OFFLINE;
        fake.state = states[i].state;
        expect_failure(FAKE_ADB_SERIAL, i % 2 == 1, T_PATIENCE_MS, &t_err);
        T_INT(t_err.code, states[i].code);
        T(is_lost == (strstr(t_err.message, "was disconnected") != NULL));
        T(t_err.hint[0]);
    }
    fake_adb_stop(&fake);
}

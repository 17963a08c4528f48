/* Lists, starts and stops apps of a simulator, and finds the current one. */
#include <stdio.h>
#include <string.h>

#include "device/ios/parse.h"
#include "device/ios/simulator.h"

bool
sq_simulator_apps(struct sq_device *device, struct sq_app_list *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    return sq_simulator_run(device, SQ_WORDS("listapps", device->info.id),
                            deadline, &end, err)
        && (sq_simctl_parse_apps(sq_buf_span(&end.output), out, err)
            || sq_fail_in(err, "the list of apps"));
}

/* Fails if the app is not installed, which explains another failure. */
static bool
check_installed(struct sq_device *device, const char *package,
                const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    bool found = !sq_simulator_apps(device, &list, deadline, NULL);
    for (size_t i = 0; i < list.count && !found; i++) {
        found = sq_span_is(list.entries[i].package, package);
    }
    if (!found) {
        sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app \"%.100s\"", package);
        sq_fail_hint(err, "The operation @apps lists what can be launched.");
    }
    return found;
}

bool
sq_simulator_launch(struct sq_device *device, const char *package,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    bool ok =
        sq_simulator_run(device, SQ_WORDS("launch", device->info.id, package),
                         deadline, &end, err);
    if (!ok && end.status > 0) {
        check_installed(device, package, deadline, err);
    }
    return ok;
}

bool
sq_simulator_stop(struct sq_device *device, const char *package,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    bool ok = sq_simulator_run(device,
                               SQ_WORDS("terminate", device->info.id, package),
                               deadline, &end, err);
    if (!ok && end.status > 0) {
        /* Stopping an app that does not run is a success. */
        ok = check_installed(device, package, deadline, err)
          && sq_span_find(sq_buf_span(&end.errors),
                          "found nothing to terminate");
    }
    return ok;
}

/* Finds the bundle id of the process in front, which it keeps until it ends. */
bool
sq_simulator_current_app(struct sq_device *device, struct sq_app *out,
                         const struct sq_deadline *deadline,
                         struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    struct sq_span bundle;
    if (!sq_simulator_elements(simulator, &screen, deadline, err)) {
        return false;
    }
    if (screen.pid <= 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "idb does not report the foreground app");
    }
    if (simulator->app_pid != screen.pid) {
        if (!sq_simulator_run(
                device, SQ_WORDS("spawn", device->info.id, "launchctl", "list"),
                deadline, &end, err)) {
            return false;
        }
        if (!sq_simctl_find_app(sq_buf_span(&end.output), screen.pid,
                                &bundle)) {
            return sq_fail(err, SQ_ERR_UNSUPPORTED,
                           "the bundle id of the foreground app was not found");
        }
        snprintf(simulator->app, sizeof(simulator->app), "%.*s",
                 SQ_SPAN_ARGS(bundle));
        simulator->app_pid = screen.pid;
    }
    *out = (struct sq_app){ 0 };
    memcpy(out->package, simulator->app, sizeof(out->package));
    return true;
}

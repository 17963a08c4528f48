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

/* Returns whether the app is not installed, which explains a failure. */
static bool
is_missing(struct sq_device *device, const char *package,
           const struct sq_deadline *deadline) {
    SQ_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    bool missing = false;
    if (sq_simulator_apps(device, &list, deadline, NULL)) {
        missing = true;
        for (size_t i = 0; i < list.count && missing; i++) {
            missing = !sq_span_is(list.entries[i].package, package);
        }
    }
    return missing;
}

static bool
fail_missing(const char *package, struct sq_err *err) {
    sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app \"%.100s\"", package);
    return sq_fail_hint(err, "The operation @apps lists what can be launched.");
}

bool
sq_simulator_launch(struct sq_device *device, const char *package,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    return sq_simulator_run(device,
                            SQ_WORDS("launch", device->info.id, package),
                            deadline, &end, err)
        || (end.status > 0 && is_missing(device, package, deadline)
            && fail_missing(package, err));
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
        bool not_running = sq_span_find(sq_buf_span(&end.errors),
                                        "found nothing to terminate");
        ok = is_missing(device, package, deadline) ? fail_missing(package, err)
                                                   : not_running;
    }
    return ok;
}

static bool
query_pid(struct sq_simulator *simulator, int64_t *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    bool ok = sq_simulator_elements(simulator, &screen, deadline, err);
    if (ok && screen.pid <= 0) {
        ok = sq_fail(err, SQ_ERR_UNSUPPORTED,
                     "idb does not report the foreground app");
    }
    if (ok) {
        *out = screen.pid;
    }
    return ok;
}

/* Finds the bundle id of a process, which it keeps until it ends. */
static bool
query_app(struct sq_simulator *simulator, int64_t pid,
          const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    struct sq_span bundle;
    if (simulator->app_pid == pid) {
        return true;
    }
    bool ok = sq_simulator_run(
        &simulator->base,
        SQ_WORDS("spawn", simulator->base.info.id, "launchctl", "list"),
        deadline, &end, err);
    if (ok && !sq_simctl_find_app(sq_buf_span(&end.output), pid, &bundle)) {
        ok = sq_fail(err, SQ_ERR_UNSUPPORTED,
                     "the bundle id of the foreground app was not found");
    }
    if (ok) {
        snprintf(simulator->app, sizeof(simulator->app), "%.*s",
                 SQ_SPAN_ARGS(bundle));
        simulator->app_pid = pid;
    }
    return ok;
}

bool
sq_simulator_current_app(struct sq_device *device, struct sq_app *out,
                         const struct sq_deadline *deadline,
                         struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    int64_t pid;
    if (!query_pid(simulator, &pid, deadline, err)
        || !query_app(simulator, pid, deadline, err)) {
        return false;
    }
    *out = (struct sq_app){ 0 };
    memcpy(out->package, simulator->app, sizeof(out->package));
    return true;
}

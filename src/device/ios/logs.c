/* Reads the log of a simulator, and the crashes in it. */
#include <inttypes.h>
#include <stdio.h>

#include "device/ios/crashes.h"
#include "device/ios/simctl.h"
#include "device/ios/simulator.h"

#define LIST_MS 20000
#define LIST_BYTES ((size_t)8 << 20)
#define LOG_MS 60000
#define LOG_BYTES ((size_t)64 << 20)

/* Finds the process of an app; 0: it does not run. */
static bool
find_process(struct sq_device *device, const char *package, int64_t *pid,
             const struct sq_deadline *deadline, struct sq_err *err) {
    const char *const words[] = { "spawn", device->info.id, "launchctl", "list",
                                  NULL };
    const struct sq_ios_call call = { .words = words,
                                      .max_output = LIST_BYTES,
                                      .timeout_ms = LIST_MS };
    struct sq_process_end end = { 0 };
    bool ok = sq_simctl_run(sq_simulator_of(device)->xcrun, &call, deadline,
                            &end, err);
    *pid = ok ? sq_simctl_find_pid(sq_process_output(&end), package) : 0;
    sq_process_end_finish(&end);
    return ok;
}

/*
 * Reads the log of one process for some minutes, or of all for one: simulators
 * write thousands of lines a minute.
 */
static bool
read_log(struct sq_device *device, int64_t pid, int lines,
         struct sq_reading *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    char predicate[48];
    const char *const words[] = {
        "spawn",
        device->info.id,
        "log",
        "show",
        "--style",
        "compact",
        "--last",
        pid > 0 ? "10m" : "1m",
        pid > 0 ? "--predicate" : NULL,
        predicate,
        NULL,
    };
    const struct sq_ios_call call = { .words = words,
                                      .max_output = LOG_BYTES,
                                      .timeout_ms = LOG_MS };
    struct sq_process_end end = { 0 };
    snprintf(predicate, sizeof(predicate), "processID == %" PRId64, pid);
    bool ok = sq_simctl_run(sq_simulator_of(device)->xcrun, &call, deadline,
                            &end, err);
    out->has_text = ok;
    out->text = ok ? sq_simctl_log_tail(sq_process_output(&end), lines)
                   : (struct sq_span){ 0 };
    ok = ok
      && (out->text.len == 0 || sq_arena_keep(&out->arena, &out->text, err));
    sq_process_end_finish(&end);
    return ok;
}

/* Reads the crashes of one app, or all, from the reports that macOS keeps. */
static bool
read_crashes(struct sq_device *device, const char *package,
             struct sq_reading *out, struct sq_err *err) {
    const struct sq_crash_filter filter = { device->info.id, package };
    struct sq_buf text;
    sq_buf_init(&text, SQ_MAX_CRASHES * SQ_CRASH_BYTES);
    bool ok = sq_crashes_read(&filter, &text, err);
    out->crashes = sq_buf_span(&text);
    ok =
        ok && (text.len == 0 || sq_arena_keep(&out->arena, &out->crashes, err));
    sq_buf_finish(&text);
    return ok;
}

bool
sq_simulator_read_logs(struct sq_device *device,
                       const struct sq_reading_request *request,
                       struct sq_reading *out,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    int64_t pid = 0;
    if (request->package
        && !find_process(device, request->package, &pid, deadline, err)) {
        return false;
    }
    return read_crashes(device, request->package, out, err)
        && ((request->package && pid == 0)
            || read_log(device, pid, request->number, out, deadline, err));
}

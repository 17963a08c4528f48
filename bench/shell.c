#include "shell.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/android/link.h"
#include "sys/clock.h"

#define NS_PER_MS 1e6
#define MAX_COUNT 1000
#define MAX_SAID ((size_t)64 << 20)
#define LIMIT_MS 60000

static int
by_size(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static bool
run_once(struct sq_adb_link *link, const char *command, double *out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    int64_t start = sq_clock_monotonic_ns();
    sq_adb_output_init(&output, MAX_SAID);
    bool ok = sq_adb_run(link, sq_span_of(command), &output, deadline, err);
    *out = (double)(sq_clock_monotonic_ns() - start) / NS_PER_MS;
    if (ok && output.status != 0) {
        ok = sq_fail(err, SQ_ERR_IO, "\"%s\" ended with %d", command,
                     output.status);
    }
    sq_adb_output_finish(&output);
    return ok;
}

static bool
run_often(struct sq_adb *adb, const char *serial, const char *command,
          int count, struct sq_buf *answer, struct sq_err *err) {
    double times[MAX_COUNT];
    const struct sq_deadline deadline = sq_deadline_in(LIMIT_MS, NULL);
    struct sq_adb_link link = { 0 };
    struct sq_device_info info = { 0 };
    snprintf(info.id, sizeof(info.id), "%s", serial);
    bool ok = sq_adb_link_init(&link, adb, &info, &deadline, err);
    for (int i = 0; ok && i < count; i++) {
        ok = run_once(&link, command, &times[i], &deadline, err);
    }
    sq_adb_link_finish(&link);
    if (!ok) {
        return false;
    }
    qsort(times, (size_t)count, sizeof(times[0]), by_size);
    return sq_buf_printf(answer, err, "{\"medianMs\":%.4f,\"minMs\":%.4f}",
                         times[count / 2], times[0]);
}

bool
bench_shell(const struct bench_request *request, struct sq_buf *answer,
            struct sq_err *err) {
    struct sq_adb_options options = { .never_start = true };
    struct sq_adb *adb;
    const char *serial;
    const char *command;
    int count;
    if (!bench_request_need(request, "server", &options.server, err)
        || !bench_request_need(request, "serial", &serial, err)
        || !bench_request_need(request, "command", &command, err)
        || !bench_request_number(request, "count", MAX_COUNT, &count, err)) {
        return false;
    }
    if (count < 1 || count > MAX_COUNT) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "count is 1 to %d", MAX_COUNT);
    }
    if (!sq_adb_create(&options, &adb, err)) {
        return false;
    }
    bool ok = run_often(adb, serial, command, count, answer, err);
    sq_adb_destroy(adb);
    return ok;
}

/* Opens and captures the device, and waits for the next time. */
#include "app/commands/repeated_capture.h"

#include <stdio.h>

#include "app/commands/retention.h"
#include "app/interrupt.h"
#include "app/print_message.h"
#include "app/setup.h"
#include "sys/clock.h"
#include "tools/screen/redacted_capture.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define MAX_INTERVAL_MS 86400000 /* a day */

static void
stay_with(struct sq_repeated_capture *captures,
          const struct sq_device_info *info, bool demo_by_default) {
    if (captures->id[0]) {
        return;
    }
    snprintf(captures->id, sizeof(captures->id), "%s", info->id);
    sq_print_message(
        "%s: %s %s%s", captures->command, captures->doing, info->id,
        demo_by_default ? ", the demo phone: no other device is attached" : "");
}

bool
sq_repeated_capture_take(struct sq_repeated_capture *captures,
                         struct sq_capture *out, struct sq_err *err) {
    const struct sq_setup *setup = captures->setup;
    struct sq_devices *devices = setup->host->devices;
    const struct sq_deadline deadline =
        sq_deadline_in(setup->config.limits.timeout_ms, captures->cancel);
    const char *id = captures->id[0] ? captures->id : captures->wanted;
    struct sq_device *device = NULL;
    bool demo_by_default = false;
    int hidden;
    *out = (struct sq_capture){ 0 };
    sq_buf_init(&out->bytes, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_devices_open(devices, id, &deadline, &device, &demo_by_default, err);
    if (ok) {
        stay_with(captures, &device->info, demo_by_default);
        const struct sq_redacted_request request = {
            .device = device,
            .redactor = &setup->host->redactor,
            .deadline = &deadline,
        };
        ok = sq_redacted_capture(&request, out, &hidden, err);
    }
    sq_devices_release(devices, device);
    if (ok && out->secure) {
        return sq_fail(err, SQ_ERR_SECURE_SCREEN,
                       "the foreground app does not allow its screen to be "
                       "captured");
    }
    return ok;
}

bool
sq_interval_parse(const char *text, int least_ms, int *out_ms,
                  struct sq_err *err) {
    static const struct sq_unit units[] = {
        { "", 1000 },   { "ms", 1 },      { "s", 1000 },
        { "m", 60000 }, { "h", 3600000 }, { "d", MAX_INTERVAL_MS },
        { 0 },
    };
    int64_t ms;
    if (sq_amount_read(text, units, MAX_INTERVAL_MS, &ms) && ms >= least_ms
        && ms <= MAX_INTERVAL_MS) {
        *out_ms = (int)ms;
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "--every must be a time, not %s", text);
    return least_ms < 1000
             ? sq_fail_hint(err,
                            "Give a time such as 500ms, 2s or 1m; at least %d "
                            "ms, at most a day.",
                            least_ms)
             : sq_fail_hint(
                 err, "Give a time such as 30s, 5m or 1h; at most a day.");
}

void
sq_repeated_capture_report(struct sq_repeated_capture *captures,
                           const struct sq_err *why) {
    sq_progress_clear(&captures->line);
    if (!captures->json || !sq_print_json_error(why, (struct sq_span){ 0 })) {
        sq_print_error(captures->command, why);
    }
}

/* Waits. Returns false if the command must end before. */
static bool
wait_until(const struct sq_repeated_capture *captures, int64_t until_ns) {
    const struct sq_deadline deadline = { .at_ns = INT64_MAX,
                                          .cancel = captures->cancel };
    int64_t left_ns = until_ns - sq_clock_monotonic_ns();
    while (left_ns > 0 && !sq_cancel_is_set(captures->cancel)) {
        captures->show(captures->context, left_ns);
        /* The shorter of that time and a second, in whole milliseconds. */
        int64_t step_ns = left_ns < NS_PER_S ? left_ns : NS_PER_S;
        (void)sq_wait_ms((int)(step_ns / NS_PER_MS) + 1, &deadline, NULL);
        left_ns = until_ns - sq_clock_monotonic_ns();
    }
    return !sq_cancel_is_set(captures->cancel);
}

bool
sq_repeated_capture_run(struct sq_repeated_capture *captures,
                        struct sq_err *err) {
    struct sq_interrupt *interrupt = NULL;
    const int64_t every_ns = (int64_t)captures->every_ms * NS_PER_MS;
    bool ok = sq_interrupt_create(&interrupt, err);
    captures->cancel = ok ? sq_interrupt_cancel(interrupt) : NULL;
    sq_progress_start(&captures->line);
    int64_t next_ns = sq_clock_monotonic_ns();
    for (int done = 0; ok && (captures->count == 0 || done < captures->count)
                       && wait_until(captures, next_ns);
         done++) {
        ok = captures->step(captures->context, err);
        /* In step with the first; missed captures are skipped. */
        int64_t late_ns = sq_clock_monotonic_ns() - next_ns;
        next_ns += every_ns * (late_ns > 0 ? late_ns / every_ns + 1 : 1);
    }
    sq_progress_clear(&captures->line);
    sq_interrupt_destroy(interrupt);
    captures->cancel = NULL;
    return ok;
}

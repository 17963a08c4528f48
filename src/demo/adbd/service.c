/* Opens services by name, and logs finished requests. */
#include "demo/adbd/service.h"

#include <inttypes.h>
#include <stdio.h>

#define LINE_SIZE 1024
#define NS_PER_US 1000

static const struct {
    const char *prefix;
    bool (*open)(struct sq_adbd_phone *phone, struct sq_span name,
                 int64_t now_ns, struct sq_adbd_service **out,
                 struct sq_err *err);
} services[] = {
    { "shell:", sq_adbd_shell_open },
    { "shell,", sq_adbd_shell_open },
    { "exec:", sq_adbd_shell_open },
    { "sync:", sq_adbd_sync_open },
};
#define SERVICES (sizeof(services) / sizeof(services[0]))

static bool
is_withheld(const struct sq_adbd_phone *phone, struct sq_span name) {
    return sq_adbd_phone_has(phone, SQ_ADBD_NO_EXEC)
        && sq_span_starts_with(name, "exec:");
}

bool
sq_adbd_service_open(struct sq_adbd_phone *phone, struct sq_span name,
                     int64_t now_ns, struct sq_adbd_service **out,
                     struct sq_err *err) {
    if (!is_withheld(phone, name) && sq_adbd_program_is_copied(phone, name)) {
        return sq_adbd_program_open(phone, name, now_ns, out, err);
    }
    for (size_t i = 0; i < SERVICES && !is_withheld(phone, name); i++) {
        if (sq_span_starts_with(name, services[i].prefix)) {
            return services[i].open(phone, name, now_ns, out, err);
        }
    }
    return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no such service");
}

const char *
sq_adbd_features(const struct sq_adbd_phone *phone) {
    return sq_adbd_phone_has(phone, SQ_ADBD_OLD_SHELL) ? "" : "shell_v2,cmd";
}

static char
printable(char byte) {
    return (unsigned char)byte < ' ' || byte == 0x7f ? ' ' : byte;
}

void
sq_adbd_log(const struct sq_adbd_phone *phone,
            const struct sq_adbd_report *report) {
    char line[LINE_SIZE];
    if (!phone->log) {
        return;
    }
    int64_t own_us = (report->ended_ns - report->began_ns) / NS_PER_US;
    int used =
        snprintf(line, sizeof(line), "%" PRId64 ".%03" PRId64 "\t%d\t%zu\t%d\t",
                 own_us / 1000, own_us % 1000, report->status, report->bytes,
                 report->programs);
    size_t at = (size_t)used;
    for (size_t i = 0; i < report->what.len && at + 1 < sizeof(line); i++) {
        line[at++] = printable(report->what.ptr[i]);
    }
    line[at] = '\0';
    phone->log(phone->log_context, line);
}

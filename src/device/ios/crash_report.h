/*
 * Reads crash reports of macOS (.ips: two JSON values), which also writes those
 * of the apps in simulators. Pure. The input is not trusted.
 */
#ifndef SQ_DEVICE_IOS_CRASH_REPORT_H
#define SQ_DEVICE_IOS_CRASH_REPORT_H

#include "util/buf.h"
#include "util/span.h"

/* Such as "2026-11-16-101500", so that later times are greater as text. */
#define SQ_CRASH_TIME_SIZE 18

/*
 * Copies the time in the name of a report, such as
 * "Shop-2026-11-16-101500.ips". Returns false for the name of another file.
 */
bool sq_crash_report_time(struct sq_span name, char out[SQ_CRASH_TIME_SIZE]);

#define SQ_CRASH_BYTES ((size_t)32 << 10)

/* Which crashes are wanted. */
struct sq_crash_filter {
    const char *udid;   /* of the simulator */
    const char *bundle; /* the id of the app; NULL: any */
};

/*
 * Appends some lines that describe the crash: what, when, why, and the last
 * calls; at most SQ_CRASH_BYTES. Appends nothing if the report is not wanted or
 * cannot be parsed. Fails only for lack of memory.
 */
bool sq_crash_report_describe(struct sq_span text,
                              const struct sq_crash_filter *filter,
                              struct sq_buf *out, struct sq_err *err);

#endif

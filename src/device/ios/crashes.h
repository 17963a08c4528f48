/* The crashes of a simulator, from the crash reports of this Mac's user. */
#ifndef SQ_DEVICE_IOS_CRASHES_H
#define SQ_DEVICE_IOS_CRASHES_H

#include "device/ios/crash_report.h"

/*
 * Appends the wanted crashes, newest first, at most SQ_MAX_CRASHES. Appends
 * nothing if there are none, or no folder with reports.
 */
#define SQ_MAX_CRASHES 5
bool sq_crashes_read(const struct sq_crash_filter *filter, struct sq_buf *out,
                     struct sq_err *err);

#endif

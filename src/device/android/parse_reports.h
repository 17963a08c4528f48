/*
 * Parses what Android's programs report about the device, its apps, its log and
 * its notifications. All functions are pure and accept any bytes; spans point
 * into the text.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_REPORTS_H
#define SQ_DEVICE_ANDROID_PARSE_REPORTS_H

#include <stdbool.h>

#include "util/span.h"

/*
 * Finds the first line that begins, after blanks, with the key, and gives the
 * trimmed rest of that line: "level: 83" for the key "level:" gives "83".
 * Returns an empty span if there is none.
 */
struct sq_span sq_report_find(struct sq_span text, const char *key);

/*
 * Finds the memory of an app in kB in the output of "dumpsys meminfo PACKAGE".
 * Returns an empty span if the app does not run.
 */
struct sq_span sq_report_memory(struct sq_span text);

/* One record of "dumpsys notification --noredact". */
struct sq_report_notification {
    struct sq_span package;
    struct sq_span title; /* empty: none */
    struct sq_span text;
};

/* Takes the next record. */
bool sq_report_take_notification(struct sq_span *rest,
                                 struct sq_report_notification *out);

/*
 * Takes the next crash of the log "crash": the lines from one "FATAL EXCEPTION"
 * or "*** ***" to the next, and the process they name, or an empty span.
 */
bool sq_report_take_crash(struct sq_span *rest, struct sq_span *crash,
                          struct sq_span *process);

#endif

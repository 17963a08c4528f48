/*
 * Parsers of what idb, simctl and the crash reporter of macOS write. Pure; the
 * input is not trusted.
 */
#ifndef SQ_DEVICE_IOS_PARSE_H
#define SQ_DEVICE_IOS_PARSE_H

#include "device/kinds.h"
#include "device/tree.h"

/*
 * idb: the format differs between its versions, and elements may lack fields.
 * Missing fields stay absent, unknown ones are skipped.
 */

/* The elements of a screen, in points. Initialise with zeroes. */
struct sq_idb_screen {
    struct sq_tree tree;   /* the root is the app; empty: no elements */
    struct sq_size points; /* size of the app; 0x0: not reported */
    int64_t pid;           /* of the app; 0: not reported */
    bool reports_focus;    /* this idb reports the focused element */
};

/*
 * Parses `idb ui describe-all` or `describe-point`: an array of elements, one
 * element, or one element per line, each with or without children.
 */
bool sq_idb_parse_elements(struct sq_span text, struct sq_idb_screen *out,
                           struct sq_err *err);

void sq_idb_screen_finish(struct sq_idb_screen *screen);

/*
 * Finds a target in `idb list-targets --json` and copies its state ("Booted").
 * Returns false if the target is not listed or the text cannot be parsed. UDIDs
 * are compared without case.
 */
bool sq_idb_find_target(struct sq_span text, const char *udid, char *state,
                        size_t size);

/* simctl: an invalid part affects only its own entry. */

/* Returns whether the text is exactly the UDID of a simulator: 8-4-4-4-12. */
bool sq_simctl_is_udid(struct sq_span text);

/*
 * Parses `simctl list devices --json` and appends the iOS and iPadOS
 * simulators, running ones first. Unusable ones have a reason. Skips invalid
 * entries. Fails with SQ_ERR_FORMAT if the whole text is invalid.
 */
bool sq_simctl_parse_devices(struct sq_span json, struct sq_device_list *out,
                             struct sq_err *err);

/*
 * Parses `simctl listapps`, an old-style property list, into the apps that can
 * be launched. *out must be zeroed; the caller calls sq_app_list_finish.
 */
bool sq_simctl_parse_apps(struct sq_span text, struct sq_app_list *out,
                          struct sq_err *err);

/*
 * Finds the bundle id of the app with that pid in the output of `simctl spawn
 * UDID launchctl list`. Returns false if there is none.
 */
bool sq_simctl_find_app(struct sq_span text, int64_t pid, struct sq_span *out);

/* Finds the pid of an app in the same output. Returns 0 if it does not run. */
int64_t sq_simctl_find_pid(struct sq_span text, const char *bundle);

/* Returns the last lines of the output of `log show`, without its heading. */
struct sq_span sq_simctl_log_tail(struct sq_span text, int lines);

/*
 * Appends an old-style (NeXT) property list, { key = value; }, as JSON. It must
 * be a dictionary; what follows it is ignored. sq_plist_reader is for the
 * worker that does this.
 */
bool sq_plist_to_json(struct sq_span text, struct sq_buf *out,
                      struct sq_err *err);

/*
 * Crash reports of macOS (.ips: two JSON values), which also writes those of
 * the apps in simulators.
 */

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

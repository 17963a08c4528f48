/* Finds the newest crash reports of a simulator in the folder of macOS. */
#include "device/ios/crashes.h"

#include <string.h>

#include "sys/call.h"
#include "sys/entries.h"
#include "sys/folder.h"
#include "sys/open_beneath.h"
#include "sys/user_dirs.h"
#include "util/mem.h"

#define LOGS "Library/Logs"
#define REPORTS "DiagnosticReports"
/* Reports of other programs are in the same folder. */
#define MAX_REPORTS 100
#define MAX_ENTRIES 10000
#define MAX_REPORT ((size_t)4 << 20) /* bytes; usual ones have 150,000 */

struct report {
    char time[SQ_CRASH_TIME_SIZE];
    char name[SQ_FOLDER_NAME_SIZE];
};

/* The newest reports, newest first. */
struct reports {
    int count;
    struct report list[MAX_REPORTS];
};

/* Adds a report if it is newer than one of the list, or the list is not full.
 */
static void
add(struct reports *reports, struct sq_span name) {
    struct report new = { 0 };
    if (name.len >= sizeof(new.name) || !sq_crash_report_time(name, new.time)) {
        return;
    }
    memcpy(new.name, name.ptr, name.len);
    int at = reports->count;
    while (at > 0 && strcmp(reports->list[at - 1].time, new.time) < 0) {
        at--;
    }
    if (at == MAX_REPORTS) {
        return;
    }
    reports->count += reports->count < MAX_REPORTS;
    memmove(&reports->list[at + 1], &reports->list[at],
            (size_t)(reports->count - 1 - at) * sizeof(new));
    reports->list[at] = new;
}

static bool
list_reports(int folder, struct reports *out, struct sq_err *err) {
    struct sq_entries *entries;
    struct sq_entry entry;
    if (!sq_entries_create(&entries, err)) {
        return false;
    }
    sq_entries_start(entries, folder);
    for (int i = 0; i < MAX_ENTRIES && sq_entries_next(entries, &entry); i++) {
        add(out, entry.name);
    }
    sq_entries_destroy(entries);
    return true;
}

/* Appends one crash. Ignores every error of a file except out-of-memory. */
static bool
read_report(int folder, const struct report *report,
            const struct sq_crash_filter *filter, struct sq_buf *out,
            struct sq_err *err) {
    struct sq_buf text = { 0 };
    struct sq_err local_err = { 0 };
    if (!sq_folder_read(folder, sq_span_of(report->name), MAX_REPORT, &text,
                        &local_err)) {
        return local_err.code != SQ_ERR_NOMEM || sq_fail_with(err, &local_err);
    }
    bool ok = sq_crash_report_describe(sq_buf_span(&text), filter, out, err);
    sq_buf_finish(&text);
    return ok;
}

static bool
read_folder(int folder, const struct sq_crash_filter *filter,
            struct reports *reports, struct sq_buf *out, struct sq_err *err) {
    bool ok = list_reports(folder, reports, err);
    int found = 0;
    for (int i = 0; ok && i < reports->count && found < SQ_MAX_CRASHES; i++) {
        size_t before = out->len;
        ok = read_report(folder, &reports->list[i], filter, out, err);
        found += out->len > before;
    }
    return ok;
}

/* Opens the folder with reports; -1: there is none. */
static int
open_reports(void) {
    char path[SQ_PATH_SIZE];
    int logs = sq_user_home_path(LOGS, path) ? sq_call_open_dir(path) : -1;
    int folder = logs < 0 ? -1 : sq_open_folder_beneath(logs, REPORTS);
    if (logs >= 0) {
        sq_call_close(logs);
    }
    return folder;
}

bool
sq_crashes_read(const struct sq_crash_filter *filter, struct sq_buf *out,
                struct sq_err *err) {
    int folder = open_reports();
    if (folder < 0) {
        return true;
    }
    struct reports *reports = sq_mem_zalloc(1, sizeof(*reports));
    bool ok = reports ? read_folder(folder, filter, reports, out, err)
                      : sq_fail_nomem(err);
    sq_mem_free(reports);
    sq_call_close(folder);
    return ok;
}

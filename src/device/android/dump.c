/* Reads the elements of the screen with uiautomator. */
#include <stdio.h>

#include "device/android/parse_replies.h"
#include "device/android/state.h"
#include "device/android/ui_xml.h"
#include "sys/clock.h"
#include "util/limits.h"

#define NS_PER_MS 1000000
/* Time reserved for a capture if the dump takes too long. */
#define RESERVE_MS 3000
#define CHEAP_NS ((int64_t)150 * NS_PER_MS)
#define COMMAND_SIZE 640
/* Memory per byte: the document, its repaired copy and the tree. */
#define PARSE_WEIGHT 3

/* A dump in progress. */
struct dumping {
    struct sq_android *android;
    struct sq_adb_output said;
    struct sq_span messages; /* of uiautomator; points into said */
};

static struct sq_span
text_of(const struct sq_buf *buf) {
    return sq_buf_span(buf);
}

/*
 * Uses a new file name each time, so that the file of a failed dump is not read
 * by mistake.
 */
static void
make_command(struct dumping *d, char out[COMMAND_SIZE]) {
    struct sq_android *android = d->android;
    bool apart = android->link.way == SQ_ADB_SHELL_V2;
    char path[SQ_ANDROID_PATH_SIZE];
    char sweep[SQ_ANDROID_PATH_SIZE + 16] = "";
    if (android->dump_left) {
        sq_android_file_path(android, android->dump_count, path);
        snprintf(sweep, sizeof(sweep), "rm -f %s;", path);
    }
    sq_android_file_path(android, ++android->dump_count, path);
    snprintf(out, COMMAND_SIZE,
             "%suiautomator dump %s%s;cat %s 2>/dev/null;rm -f %s%s", sweep,
             path, apart ? " >&2" : "", path, path,
             apart ? ";" SQ_MARK_COMMAND " >&2;" SQ_AROUND_COMMAND : "");
}

/* Splits stderr: uiautomator's messages first, then the display state. */
static void
split_messages(struct dumping *d) {
    struct sq_span rest = text_of(&d->said.errors);
    d->messages = sq_android_cut(&rest);
    sq_android_read_display_state(d->android, rest);
}

/* Finds the messages before the document if stdout and stderr are mixed. */
static void
find_messages(struct dumping *d) {
    struct sq_span rest = text_of(&d->said.out);
    struct sq_span line;
    d->messages = (struct sq_span){ rest.ptr, 0 };
    while (!sq_span_starts_with(rest, "<") && sq_span_take_line(&rest, &line)) {
        d->messages.len = (size_t)(rest.ptr - d->messages.ptr);
    }
}

/* Dumps, prints and removes the file in one exchange. */
static bool
dump_at_once(struct dumping *d, const struct sq_deadline *deadline,
             struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_android *android = d->android;
    make_command(d, command);
    android->dump_left = true;
    if (!sq_adb_run(&android->link, sq_span_of(command), &d->said, deadline,
                    err)) {
        return false;
    }
    android->dump_left = false;
    if (android->link.way == SQ_ADB_SHELL_V2) {
        split_messages(d);
    } else {
        find_messages(d);
    }
    return true;
}

static bool
dump_to_file(struct dumping *d, const struct sq_deadline *deadline,
             struct sq_err *err) {
    bool ok = sq_android_run_to_file(d->android, "uiautomator dump", &d->said,
                                     deadline, err);
    d->messages = text_of(&d->said.errors);
    return ok;
}

static bool
dump(struct dumping *d, const struct sq_deadline *deadline,
     enum sq_dump_outcome *outcome, struct sq_err *err) {
    sq_buf_clear(&d->said.out);
    sq_buf_clear(&d->said.errors);
    if (!(d->android->link.way == SQ_ADB_TERMINAL
              ? dump_to_file(d, deadline, err)
              : dump_at_once(d, deadline, err))) {
        return false;
    }
    *outcome = sq_dump_read(d->messages, NULL);
    return true;
}

/*
 * Returns whether the failure is often temporary or another directory may help.
 */
static bool
is_worth_a_retry(struct sq_android *android, enum sq_dump_outcome outcome) {
    if (outcome == SQ_DUMP_NO_FILE) {
        android->files_on_sdcard = !android->files_on_sdcard;
    }
    return outcome != SQ_DUMP_DONE && outcome != SQ_DUMP_NOT_IDLE
        && outcome != SQ_DUMP_NO_TOOL;
}

/* Remembers that the screen keeps changing, and in which app. Fails. */
static bool
fail_not_idle(struct dumping *d, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct sq_android *android = d->android;
    struct sq_err local_err = { 0 };
    struct sq_app app;
    sq_dump_fail(SQ_DUMP_NOT_IDLE, d->messages, &local_err);
    bool knows_app =
        sq_android_current_app(&android->base, &app, deadline, NULL);
    sq_idle_remember(&android->idle, &local_err, knows_app ? &app : NULL);
    return sq_idle_refuse(&android->idle, err);
}

/* Returns whether the screen that kept changing is still in front. */
static bool
keeps_changing(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_app app;
    if (sq_idle_is_set(&android->idle)
        && sq_android_current_app(&android->base, &app, deadline, NULL)) {
        sq_idle_see_app(&android->idle, &app);
    }
    return sq_idle_is_set(&android->idle);
}

static bool
fail_slow(const struct dumping *d, int limit_ms, struct sq_err *err) {
    sq_fail(err, SQ_ERR_TIMEOUT,
            "device %s: uiautomator did not list the elements within %d.%d s",
            d->android->link.serial, limit_ms / 1000, limit_ms % 1000 / 100);
    return sq_fail_hint(err, "Take a screenshot, or try again; raise "
                             "limits.timeoutMs if this device is always slow.");
}

static bool
read_document(struct dumping *d, struct sq_tree *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_ui_xml_parse(text_of(&d->said.out), out, NULL, &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_TRUNCATED || local_err.code == SQ_ERR_FORMAT) {
        sq_fail_in(&local_err, "the device gave no proper list of elements");
        sq_fail_hint(&local_err, "Try again, or take a screenshot.");
    }
    if (local_err.code == SQ_ERR_LIMIT) {
        sq_fail_hint(&local_err, "Take a screenshot: this screen has too many "
                                 "elements to list.");
    }
    return sq_fail_with(err, &local_err);
}

/* Returns two thirds of the time, or all but the time for a capture. */
static int
limit_of(const struct sq_deadline *deadline) {
    int left_ms = sq_deadline_left_ms(deadline);
    int reserve_ms = left_ms / 3 < RESERVE_MS ? left_ms / 3 : RESERVE_MS;
    return left_ms - reserve_ms;
}

static bool
fetch(struct dumping *d, struct sq_tree *out,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const int limit_ms = limit_of(deadline);
    const struct sq_deadline limit = sq_deadline_within(deadline, limit_ms);
    enum sq_dump_outcome outcome;
    struct sq_err local_err = { 0 };
    int64_t start = sq_clock_monotonic_ns();
    bool ok = dump(d, &limit, &outcome, &local_err)
           && (!is_worth_a_retry(d->android, outcome)
               || dump(d, &limit, &outcome, &local_err));
    if (!ok) {
        if (local_err.code == SQ_ERR_TIMEOUT && !sq_deadline_check(&limit, NULL)
            && sq_deadline_check(deadline, NULL)) {
            return fail_slow(d, limit_ms, err);
        }
        return sq_fail_with(err, &local_err);
    }
    if (outcome == SQ_DUMP_NOT_IDLE) {
        return fail_not_idle(d, deadline, err);
    }
    if (outcome != SQ_DUMP_DONE) {
        return sq_dump_fail(outcome, d->messages, err);
    }
    sq_estimate_add(&d->android->dump, sq_clock_monotonic_ns() - start);
    d->android->ops.elements_are_cheap = d->android->dump.ns <= CHEAP_NS;
    return read_document(d, out, err);
}

bool
sq_android_tree(struct sq_device *device, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct dumping d = { .android = android };
    if (keeps_changing(android, deadline)) {
        return sq_idle_refuse(&android->idle, err);
    }
    sq_adb_output_init(&d.said, SQ_MAX_UI_XML_BYTES);
    d.said.weight = PARSE_WEIGHT;
    bool ok = fetch(&d, out, deadline, err);
    sq_adb_output_finish(&d.said);
    return ok;
}

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
struct job {
    struct sq_android *android;
    struct sq_adb_output output;
    struct sq_span messages; /* of uiautomator; points into output */
};

/*
 * Uses a new file name each time, so that the file of a failed dump is not read
 * by mistake.
 */
static void
make_command(struct job *job, char out[COMMAND_SIZE]) {
    struct sq_android *android = job->android;
    bool has_stderr = android->link.shell == SQ_ADB_SHELL_V2;
    char path[SQ_ANDROID_PATH_SIZE];
    char cleanup[SQ_ANDROID_PATH_SIZE + 16] = "";
    if (android->dump_left) {
        sq_android_file_path(android, android->dump_count, path);
        snprintf(cleanup, sizeof(cleanup), "rm -f %s;", path);
    }
    sq_android_file_path(android, ++android->dump_count, path);
    snprintf(out, COMMAND_SIZE,
             "%suiautomator dump %s%s;cat %s 2>/dev/null;rm -f %s%s", cleanup,
             path, has_stderr ? " >&2" : "", path, path,
             has_stderr ? ";" SQ_MARK_COMMAND " >&2;" SQ_DISPLAY_COMMAND : "");
}

/* Splits stderr: uiautomator's messages first, then the display state. */
static void
split_messages(struct job *job) {
    struct sq_span rest = sq_buf_span(&job->output.errors);
    job->messages = sq_android_take_section(&rest);
    sq_android_read_display_state(job->android, rest);
}

/* Finds the messages before the document if stdout and stderr are mixed. */
static void
find_messages(struct job *job) {
    struct sq_span rest = sq_buf_span(&job->output.out);
    struct sq_span line;
    job->messages = (struct sq_span){ rest.ptr, 0 };
    while (!sq_span_starts_with(rest, "<") && sq_span_take_line(&rest, &line)) {
        job->messages.len = (size_t)(rest.ptr - job->messages.ptr);
    }
}

/* Dumps, prints and removes the file in one exchange. */
static bool
dump_in_one_exchange(struct job *job, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_android *android = job->android;
    make_command(job, command);
    android->dump_left = true;
    if (!sq_adb_run(&android->link, sq_span_of(command), &job->output, deadline,
                    err)) {
        return false;
    }
    android->dump_left = false;
    if (android->link.shell == SQ_ADB_SHELL_V2) {
        split_messages(job);
    } else {
        find_messages(job);
    }
    return true;
}

static bool
dump_to_file(struct job *job, const struct sq_deadline *deadline,
             struct sq_err *err) {
    bool ok = sq_android_run_to_file(job->android, "uiautomator dump",
                                     &job->output, deadline, err);
    job->messages = sq_buf_span(&job->output.errors);
    return ok;
}

static bool
dump(struct job *job, const struct sq_deadline *deadline,
     enum sq_dump_outcome *outcome, struct sq_err *err) {
    sq_buf_clear(&job->output.out);
    sq_buf_clear(&job->output.errors);
    if (!(job->android->link.shell == SQ_ADB_TERMINAL
              ? dump_to_file(job, deadline, err)
              : dump_in_one_exchange(job, deadline, err))) {
        return false;
    }
    *outcome = sq_dump_read(job->messages, NULL);
    return true;
}

/*
 * Returns whether the failure is often temporary or another directory may help.
 */
static bool
should_retry(struct sq_android *android, enum sq_dump_outcome outcome) {
    if (outcome == SQ_DUMP_NO_FILE) {
        android->files_on_sdcard = !android->files_on_sdcard;
    }
    return outcome != SQ_DUMP_DONE && outcome != SQ_DUMP_NOT_IDLE
        && outcome != SQ_DUMP_NO_TOOL;
}

/* Remembers that the screen keeps changing, and in which app. Fails. */
static bool
fail_not_idle(struct job *job, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct sq_android *android = job->android;
    struct sq_err local_err = { 0 };
    struct sq_app app;
    sq_dump_fail(SQ_DUMP_NOT_IDLE, job->messages, &local_err);
    bool knows_app =
        sq_android_current_app(&android->base, &app, deadline, NULL);
    sq_idle_remember(&android->idle, &local_err, knows_app ? &app : NULL);
    return sq_idle_fail(&android->idle, err);
}

/* Returns whether the screen that kept changing is still in the foreground. */
static bool
keeps_changing(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_app app;
    if (sq_idle_is_set(&android->idle)
        && sq_android_current_app(&android->base, &app, deadline, NULL)) {
        sq_idle_check_app(&android->idle, &app);
    }
    return sq_idle_is_set(&android->idle);
}

static bool
fail_timeout(const struct job *job, int limit_ms, struct sq_err *err) {
    sq_fail(err, SQ_ERR_TIMEOUT,
            "device %s: uiautomator did not list the elements within %d.%d s",
            job->android->link.serial, limit_ms / 1000, limit_ms % 1000 / 100);
    return sq_fail_hint(err, "Take a screenshot, or try again. If this device "
                             "is always slow, raise limits.timeoutMs.");
}

static bool
read_document(struct job *job, struct sq_tree *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_ui_xml_parse(sq_buf_span(&job->output.out), out, NULL, &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_TRUNCATED || local_err.code == SQ_ERR_FORMAT) {
        sq_fail_in(&local_err, "the device sent an invalid list of elements");
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
fetch_tree(struct job *job, struct sq_tree *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const int limit_ms = limit_of(deadline);
    const struct sq_deadline limit = sq_deadline_within(deadline, limit_ms);
    enum sq_dump_outcome outcome;
    struct sq_err local_err = { 0 };
    int64_t start = sq_clock_monotonic_ns();
    bool ok = dump(job, &limit, &outcome, &local_err)
           && (!should_retry(job->android, outcome)
               || dump(job, &limit, &outcome, &local_err));
    if (!ok) {
        if (local_err.code == SQ_ERR_TIMEOUT && !sq_deadline_check(&limit, NULL)
            && sq_deadline_check(deadline, NULL)) {
            return fail_timeout(job, limit_ms, err);
        }
        return sq_fail_with(err, &local_err);
    }
    if (outcome == SQ_DUMP_NOT_IDLE) {
        return fail_not_idle(job, deadline, err);
    }
    if (outcome != SQ_DUMP_DONE) {
        return sq_dump_fail(outcome, job->messages, err);
    }
    sq_estimate_add(&job->android->dump, sq_clock_monotonic_ns() - start);
    job->android->ops.elements_are_cheap = job->android->dump.ns <= CHEAP_NS;
    return read_document(job, out, err);
}

bool
sq_android_tree(struct sq_device *device, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct job job = { .android = android };
    if (keeps_changing(android, deadline)) {
        return sq_idle_fail(&android->idle, err);
    }
    sq_adb_output_init(&job.output, SQ_MAX_UI_XML_BYTES);
    job.output.weight = PARSE_WEIGHT;
    bool ok = fetch_tree(&job, out, deadline, err);
    sq_adb_output_finish(&job.output);
    return ok;
}

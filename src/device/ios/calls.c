/* Runs xcrun and idb, and explains their error messages. */
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"

#define MAX_ERRORS ((size_t)8 << 10)
#define MAX_QUOTED 160
#define ACT_MS 15000
#define ACT_BYTES ((size_t)64 << 10)
#define TARGETS_MS 3000
#define TARGETS_BYTES ((size_t)1 << 20)
#define STATE_SIZE 40
#define TRY_AGAIN "Try again. If it fails again, run idb kill first."

/* Known error messages with their error codes and hints. */
static const struct known_error {
    const char *words;
    enum sq_err_code code;
    const char *message;
    const char *hint;
} simctl_errors[] = {
    { "unable to find utility \"simctl\"", SQ_ERR_NOT_FOUND,
      "Xcode is not installed, only its command line tools",
      "Install Xcode, then run: sudo xcode-select -s "
      "/Applications/Xcode.app" },
    { "invalid active developer path", SQ_ERR_NOT_FOUND, "no Xcode is selected",
      "Install Xcode, then run: sudo xcode-select -s "
      "/Applications/Xcode.app" },
    { "requires Xcode", SQ_ERR_NOT_FOUND, "no Xcode is selected",
      "Run: sudo xcode-select -s /Applications/Xcode.app" },
    { "license", SQ_ERR_IO, "the license of Xcode has not been accepted",
      "Run: sudo xcodebuild -license accept" },
    { "Invalid device", SQ_ERR_DEVICE_NOT_FOUND,
      "the simulator no longer exists",
      "The operation @devices lists the simulators." },
    { "current state: Shutdown", SQ_ERR_DEVICE_OFFLINE,
      "the simulator is not booted", "Boot it: xcrun simctl boot ID" },
    { "current state: ", SQ_ERR_DEVICE_OFFLINE, "the simulator is not ready",
      "Wait until it has booted." },
};

static const struct known_error idb_errors[] = {
    { "No translation object", SQ_ERR_DEVICE_OFFLINE,
      "the simulator does not report its elements yet",
      "Wait until it has booted and an app is open, then try again." },
    { "idb_companion", SQ_ERR_NOT_FOUND, "idb did not find its companion",
      "Install it: brew tap facebook/fb && brew install idb-companion" },
    { "ompanion", SQ_ERR_IO, "idb cannot connect to its companion",
      "Run idb kill, then try again." },
    { "Connection refused", SQ_ERR_IO, "idb cannot connect to its companion",
      "Run idb kill, then try again." },
};

struct sq_span
sq_process_output(const struct sq_process_end *end) {
    return sq_buf_span(&end->output);
}

struct sq_span
sq_process_errors(const struct sq_process_end *end) {
    return sq_buf_span(&end->errors);
}

bool
sq_text_has(struct sq_span text, const char *words) {
    size_t len = strlen(words);
    for (size_t at = 0; at + len <= text.len; at++) {
        if (memcmp(text.ptr + at, words, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the last non-empty line, which usually is the actual error. */
static struct sq_span
last_line(struct sq_span text) {
    struct sq_span line;
    struct sq_span last = { 0 };
    while (sq_span_take_line(&text, &line)) {
        line = sq_span_trim(line);
        if (line.len > 0) {
            last = line;
        }
    }
    last.len = last.len < MAX_QUOTED ? last.len : MAX_QUOTED;
    return last;
}

static bool
fail_known(const struct known_error *table, size_t count, const char *name,
           const struct sq_process_end *end, struct sq_err *err) {
    struct sq_span errors = sq_process_errors(end);
    for (size_t i = 0; i < count; i++) {
        if (sq_text_has(errors, table[i].words)) {
            sq_fail(err, table[i].code, "%s: %s", name, table[i].message);
            return sq_fail_hint(err, "%s", table[i].hint);
        }
    }
    struct sq_span line = last_line(errors);
    if (end->signal) {
        return sq_fail(err, SQ_ERR_IO, "%s was killed by signal %d", name,
                       end->signal);
    }
    return sq_fail_quoting(err, SQ_ERR_IO, "%s failed (%d)%s%.*s", name,
                           end->status, line.len > 0 ? ": " : "",
                           SQ_SPAN_ARGS(line));
}

static bool
run(const char *const *argv, const struct sq_ios_call *call,
    const struct sq_deadline *deadline, struct sq_process_end *end,
    struct sq_err *err) {
    const struct sq_process process = {
        .argv = argv,
        .input = call->input,
        .max_output = call->max_output,
        .max_errors = MAX_ERRORS,
    };
    struct sq_deadline limit = sq_deadline_within(deadline, call->timeout_ms);
    if (sq_process_run(&process, &limit, end, err)) {
        return true;
    }
    return err && err->code == SQ_ERR_LIMIT
        && sq_fail_hint(err, "Try again. If it fails again, restart the "
                             "simulator and run idb kill.");
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

bool
sq_simctl_run(const char *xcrun, const struct sq_ios_call *call,
              const struct sq_deadline *deadline, struct sq_process_end *end,
              struct sq_err *err) {
    const char *argv[SQ_MAX_WORDS + 3] = { xcrun, "simctl" };
    for (size_t i = 0; i < SQ_MAX_WORDS && call->words[i]; i++) {
        argv[i + 2] = call->words[i];
    }
    return run(argv, call, deadline, end, err)
        && (end->status == 0
            || fail_known(simctl_errors, COUNT(simctl_errors), "simctl", end,
                          err));
}

static bool
fail_without_idb(struct sq_err *err) {
    sq_fail(
        err, SQ_ERR_NOT_FOUND,
        "idb is not on PATH; it is needed to send touches and read elements");
    return sq_fail_hint(err, "Install it: brew tap facebook/fb && brew install "
                             "idb-companion && pipx install fb-idb");
}

/* The user's text comes last, so that it is never taken for an option. */
static void
idb_argv(const struct sq_simulator *simulator, const struct sq_ios_call *call,
         const char **argv) {
    size_t at = 0;
    argv[at++] = simulator->idb;
    for (size_t i = 0; i < SQ_MAX_WORDS && call->words[i]; i++) {
        argv[at++] = call->words[i];
    }
    argv[at++] = "--udid";
    argv[at++] = simulator->base.info.id;
    if (call->text) {
        argv[at++] = "--";
        argv[at++] = call->text;
    }
    argv[at] = NULL;
}

/* After a failure, checks whether idb knows the simulator and explains. */
static void
explain(struct sq_simulator *simulator, const struct sq_deadline *deadline,
        struct sq_err *err) {
    static const struct sq_ios_call call = {
        .max_output = TARGETS_BYTES,
        .timeout_ms = TARGETS_MS,
    };
    const char *argv[] = { simulator->idb, "list-targets", "--json", NULL };
    struct sq_process_end end = { 0 };
    char state[STATE_SIZE];
    if (!err || err->hint[0] || !run(argv, &call, deadline, &end, NULL)) {
        return;
    }
    if (end.status != 0) {
        sq_fail_hint(err, TRY_AGAIN);
    } else if (!sq_idb_find_target(sq_process_output(&end),
                                   simulator->base.info.id, state,
                                   sizeof(state))) {
        sq_fail_hint(err,
                     "idb does not know this simulator. Run idb list-targets; "
                     "if it is missing there, run idb kill.");
    } else if (strcmp(state, "Booted") != 0) {
        err->code = SQ_ERR_DEVICE_OFFLINE;
        sq_fail_hint(err, "Boot it: xcrun simctl boot %s",
                     simulator->base.info.id);
    } else {
        sq_fail_hint(err, TRY_AGAIN);
    }
    sq_process_end_finish(&end);
}

bool
sq_idb_run(struct sq_simulator *simulator, const struct sq_ios_call *call,
           const struct sq_deadline *deadline, struct sq_process_end *end,
           struct sq_err *err) {
    const char *argv[SQ_MAX_WORDS + 6];
    struct sq_err local_err = { 0 };
    if (!simulator->idb[0]) {
        return fail_without_idb(err);
    }
    idb_argv(simulator, call, argv);
    bool ok = run(argv, call, deadline, end, &local_err);
    if (ok && end->status == 0) {
        simulator->idb_started = true;
        return true;
    }
    if (ok) {
        fail_known(idb_errors, COUNT(idb_errors), "idb", end, &local_err);
        explain(simulator, deadline, &local_err);
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_idb_do(struct sq_simulator *simulator, const char *const *words,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_ios_call call = {
        .words = words,
        .max_output = ACT_BYTES,
        .timeout_ms = ACT_MS,
    };
    struct sq_process_end end = { 0 };
    bool ok = sq_idb_run(simulator, &call, deadline, &end, err);
    sq_process_end_finish(&end);
    return ok;
}

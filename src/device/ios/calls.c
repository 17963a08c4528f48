/* Runs xcrun and idb, and explains their error messages. */
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"
#include "sys/clock.h"

#define MAX_ERRORS ((size_t)8 << 10)
#define MAX_QUOTED 160
#define ACT_MS 5000
/* A call that took at least this long hangs; a shorter one had no time. */
#define HANG_NS ((int64_t)1900 * 1000000)
/* How long a late call may go on, such as the first, which starts a server. */
#define LATE_MS 20000
#define USUAL_BYTES ((size_t)8 << 20)
#define USUAL_MS 30000
#define USAGE_STATUS 2 /* idb does not know the command or an option */
#define ENTER "40"     /* USB HID usage */
#define MAX_SCRIPT_BYTES ((size_t)256 << 10)
#define TARGETS_MS 3000
#define STATE_SIZE 40

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
    { "missing DEVELOPER_DIR path", SQ_ERR_NOT_FOUND,
      "DEVELOPER_DIR names a folder that does not exist",
      "Unset DEVELOPER_DIR where squint is started, or set it to the folder "
      "Contents/Developer of an Xcode." },
    { "does not exist, use `xcode-select", SQ_ERR_NOT_FOUND,
      "the Xcode that is selected is not there any more",
      "Find Xcode, then run: sudo xcode-select -s /Applications/Xcode.app" },
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

static bool
fail_known(const struct known_error *table, size_t count, const char *name,
           const struct sq_process_end *end, struct sq_err *err) {
    struct sq_span errors = sq_buf_span(&end->errors);
    struct sq_span line;
    struct sq_span last = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (sq_span_find(errors, table[i].words)) {
            sq_fail(err, table[i].code, "%s: %s", name, table[i].message);
            return sq_fail_hint(err, "%s", table[i].hint);
        }
    }
    if (end->signal) {
        return sq_fail(err, SQ_ERR_IO, "%s was killed by signal %d", name,
                       end->signal);
    }
    /* The last line that is not empty usually is the actual error. */
    while (sq_span_take_line(&errors, &line)) {
        line = sq_span_trim(line);
        if (line.len > 0) {
            last = line;
        }
    }
    last.len = last.len < MAX_QUOTED ? last.len : MAX_QUOTED;
    return sq_fail_quoting(err, SQ_ERR_IO, "%s failed (%d)%s%.*s", name,
                           end->status, last.len > 0 ? ": " : "",
                           SQ_SPAN_ARGS(last));
}

static bool
run(const char *const *argv, const struct sq_ios_call *call,
    const struct sq_deadline *deadline, struct sq_process_end *end,
    struct sq_err *err) {
    const struct sq_process process = {
        .argv = argv,
        .input = call->input,
        .max_output = call->max_output ? call->max_output : USUAL_BYTES,
        .max_errors = MAX_ERRORS,
    };
    struct sq_deadline limit = sq_deadline_within(
        deadline, call->timeout_ms ? call->timeout_ms : USUAL_MS);
    if (sq_process_run(&process, &limit, end, err)) {
        return true;
    }
    return err && err->code == SQ_ERR_LIMIT
        && sq_fail_hint(err, "Try again. If it fails again, restart the "
                             "simulator and run idb kill.");
}

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
            || fail_known(simctl_errors, SQ_COUNT(simctl_errors), "simctl", end,
                          err));
}

bool
sq_simulator_run(struct sq_device *device, const char *const *words,
                 const struct sq_deadline *deadline, struct sq_process_end *end,
                 struct sq_err *err) {
    const struct sq_ios_call call = { .words = words };
    return sq_simctl_run(sq_simulator_of(device)->xcrun, &call, deadline, end,
                         err);
}

/* After a failure, checks whether idb knows the simulator and explains. */
static void
explain(struct sq_simulator *simulator, const struct sq_deadline *deadline,
        struct sq_err *err) {
    static const struct sq_ios_call call = { .timeout_ms = TARGETS_MS };
    const char *id = simulator->base.info.id;
    const char *argv[] = { simulator->idb, "list-targets", "--json", NULL };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    char state[STATE_SIZE] = "";
    if (err->hint[0] || !run(argv, &call, deadline, &end, NULL)) {
        return;
    }
    bool is_known = end.status == 0
                 && sq_idb_find_target(sq_buf_span(&end.output), id, state,
                                       sizeof(state));
    if (end.status == 0 && !is_known) {
        sq_fail_hint(err,
                     "idb does not know this simulator. Run idb list-targets; "
                     "if it is missing there, run idb kill.");
    } else if (is_known && strcmp(state, "Booted") != 0) {
        err->code = SQ_ERR_DEVICE_OFFLINE;
        sq_fail_hint(err, "Boot it: xcrun simctl boot %s", id);
    } else {
        sq_fail_hint(err, "Try again. If it fails again, run idb kill first.");
    }
}

bool
sq_idb_is_late(struct sq_simulator *simulator) {
    if (simulator->late && sq_running_has_ended(simulator->late)) {
        sq_running_destroy(simulator->late);
        simulator->late = NULL;
    }
    return simulator->late != NULL;
}

bool
sq_idb_fail_late(struct sq_err *err) {
    sq_fail(err, SQ_ERR_TIMEOUT,
            "idb timed out and is left alone until it answers");
    return sq_fail_hint(err, "Try again in a few seconds: it may be starting. "
                             "If it stays so, run idb kill.");
}

bool
sq_idb_run(struct sq_simulator *simulator, const struct sq_ios_call *call,
           const struct sq_deadline *deadline, struct sq_process_end *end,
           struct sq_err *err) {
    const char *argv[SQ_MAX_WORDS + 6];
    struct sq_err local_err = { 0 };
    if (!simulator->idb[0]) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "idb is not on PATH; it is needed to send touches and read "
                "elements");
        return sq_fail_hint(err,
                            "Install it: brew tap facebook/fb && brew install "
                            "idb-companion && pipx install fb-idb");
    }
    if (sq_idb_is_late(simulator)) {
        return sq_idb_fail_late(err);
    }
    /* The user's text comes last, so that it is never taken for an option. */
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
    int64_t start_ns = sq_clock_monotonic_ns();
    bool ok = run(argv, call, deadline, end, &local_err);
    if (ok && end->status == 0) {
        return true;
    }
    if (local_err.code == SQ_ERR_TIMEOUT
        && sq_clock_monotonic_ns() - start_ns >= HANG_NS) {
        /* Calls idb once more and does not wait for it. */
        const char *const again[] = {
            simulator->idb,          "ui", "describe-all", "--json", "--udid",
            simulator->base.info.id, NULL
        };
        const struct sq_running_plan plan = {
            .argv = again,
            .ready = "]",
            .limit_ms = LATE_MS,
        };
        const struct sq_deadline soon = sq_deadline_in(ACT_MS, NULL);
        (void)sq_running_start(&plan, &simulator->late, &soon, NULL);
    }
    if (ok) {
        fail_known(idb_errors, SQ_COUNT(idb_errors), "idb", end, &local_err);
        explain(simulator, deadline, &local_err);
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_idb_do(struct sq_simulator *simulator, const char *const *words,
          int duration_ms, const struct sq_deadline *deadline,
          struct sq_err *err) {
    const struct sq_ios_call call = {
        .words = words,
        .timeout_ms = ACT_MS + duration_ms,
    };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    return sq_idb_run(simulator, &call, deadline, &end, err);
}

/* Writes the lines that type a text, one command each, as idb's shell reads it.
 */
static bool
put_commands(struct sq_span text, struct sq_buf *out, int *count,
             struct sq_err *err) {
    bool ok = true;
    *count = 0;
    while (ok && text.len > 0) {
        struct sq_span line = text;
        bool ends = sq_span_take_until(&text, '\n', &line);
        text.len = ends ? text.len : 0;
        if (line.len > 0) {
            ok = sq_buf_printf(out, err, "ui text -- '");
            for (size_t i = 0; ok && i < line.len; i++) {
                ok = line.ptr[i] == '\''
                       ? sq_buf_append(out, "'\"'\"'", 5, err)
                       : sq_buf_append(out, &line.ptr[i], 1, err);
            }
            ok = ok && sq_buf_append(out, "'\n", 2, err);
            ++*count;
        }
        if (ok && ends) {
            ok = sq_buf_printf(out, err, "ui key " ENTER "\n");
            ++*count;
        }
    }
    return ok && sq_buf_printf(out, err, "exit\n");
}

/* Types with commands on the standard input of idb's own shell. */
static bool
type_by_shell(struct sq_simulator *simulator, struct sq_span text,
              const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    int count;
    SQ_BUF(script, MAX_SCRIPT_BYTES);
    bool ok = put_commands(text, &script, &count, err);
    const struct sq_ios_call call = {
        .words = SQ_WORDS("shell", "--no-prompt"),
        .input = sq_buf_span(&script),
    };
    ok = ok && sq_idb_run(simulator, &call, deadline, &end, err);
    struct sq_span rest = sq_buf_span(&end.output);
    struct sq_span line;
    int done = 0;
    while (sq_span_take_line(&rest, &line)) {
        done += sq_span_is(sq_span_trim(line), "SUCCESS=1");
    }
    simulator->lacks_shell = !ok && done == 0 && end.status == USAGE_STATUS;
    if (ok && done < count) {
        ok = fail_known(idb_errors, SQ_COUNT(idb_errors), "idb", &end, err);
    }
    if (!ok && done > 0) {
        sq_fail_in(err,
                   "a part of the text was typed (%d of %d lines and "
                   "new lines)",
                   done, count);
    }
    return ok;
}

static bool
type_by_argument(struct sq_simulator *simulator, struct sq_span text,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    SQ_BUF(typed, MAX_SCRIPT_BYTES);
    bool ok = sq_buf_append(&typed, text.ptr, text.len, err)
           && sq_buf_append(&typed, "", 1, err);
    const struct sq_ios_call call = {
        .words = SQ_WORDS("ui", "text"),
        .text = (const char *)typed.data,
    };
    return ok && sq_idb_run(simulator, &call, deadline, &end, err);
}

bool
sq_simulator_type(struct sq_simulator *simulator, struct sq_span text,
                  bool hides, const struct sq_deadline *deadline,
                  struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!simulator->lacks_shell) {
        if (type_by_shell(simulator, text, deadline, &local_err)) {
            return true;
        }
        if (!simulator->lacks_shell) {
            return sq_fail_with(err, &local_err);
        }
    }
    if (!hides) {
        return type_by_argument(simulator, text, deadline, err);
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "the field may hide its text, and this idb takes text only as an "
            "argument, which every program on this computer can read");
    return sq_fail_hint(err,
                        "Nothing was typed. ${Ask the person to type|Type} it, "
                        "or to update idb: pipx upgrade fb-idb.");
}

/* doctor: reports what works, what does not and what to do. */
#include "app/commands/command.h"

#include "app/commands/doctor.h"
#include "util/mem.h"

struct doctor_args {
    bool json;
    struct sq_opt_int color;
};

static const struct sq_arg doctor_options[] = {
    SQ_BOOL(doctor_args, json, "json", "print the findings as JSON"),
    SQ_COLOR_ROW(doctor_args),
    SQ_ARGS_END,
};

static bool
doctor_run(struct sq_setup *setup, const struct sq_words *words,
           const void *args, struct sq_buf *out, enum sq_status *status,
           struct sq_err *err) {
    (void)words;
    const struct doctor_args *doctor = args;
    struct sq_page page = { out, sq_paper_of_output(doctor->color) };
    struct sq_findings *findings = sq_mem_zalloc(1, sizeof(*findings));
    if (!findings) {
        return sq_fail_nomem(err);
    }
    bool ok = sq_doctor_examine(setup, findings, err)
           && (doctor->json ? sq_findings_json(findings, out, err)
                            : sq_findings_text(findings, &page, err));
    if (ok && !sq_findings_are_good(findings)) {
        *status = SQ_STATUS_FAILED;
    }
    sq_mem_free(findings);
    return ok;
}

const struct sq_command sq_command_doctor = {
    .name = "doctor",
    .usage = "[options]",
    .summary = "check what works, and say what to do about the rest",
    .help =
        "Looks at the build, the configuration, the devices and what a "
        "client would get.\nChanges no settings and no files; adb's server is "
        "started if it does not run.\n\n"
        "Exit status: 0 squint can be used, 1 something is wrong, 2 the "
        "command line\nis wrong.",
    .options = doctor_options,
    .uses = SQ_USE_CALLS | SQ_USE_DEVICES | SQ_USE_CAPTURES | SQ_USE_SIZES
          | SQ_USE_PICTURES | SQ_USE_COSTS | SQ_USE_READER | SQ_USE_OUTPUT
          | SQ_USE_PAST | SQ_USE_ACTIVITY,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .args_size = sizeof(struct doctor_args),
    .run_with_setup = doctor_run,
};

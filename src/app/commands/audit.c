/* audit: checks an audit log. */
#include "app/commands/command.h"

#include <inttypes.h>

#include "journal/audit.h"

static const char *
audit_word_at(size_t index) {
    return index == 0 ? "verify" : NULL;
}

static bool
audit_run(const struct sq_run *run, struct sq_err *err) {
    const struct sq_words *words = run->words;
    const char *path =
        words->count > 1 ? words->word[1] : run->setup->config.audit.path;
    struct sq_audit_report report;
    if (strcmp(words->word[0], "verify") != 0) {
        return sq_command_fail_choice("part of audit", words->word[0],
                                      audit_word_at, err);
    }
    if (!path) {
        sq_fail(err, SQ_ERR_ARGUMENT, "no audit log is configured");
        return sq_fail_hint(err, "Name its file: squint audit verify FILE.");
    }
    return sq_audit_verify(path, &report, err)
        && sq_buf_printf(run->out, err,
                         "whole: lines %" PRIu64 " to %" PRIu64
                         " in %d file%s; the last hash is %s\n",
                         report.first, report.last.number, report.files,
                         report.files == 1 ? "" : "s", report.last.hash);
}

const struct sq_command sq_command_audit = {
    .name = "audit",
    .usage = "verify [FILE]",
    .summary = "check that an audit log is whole",
    .min_words = 1,
    .max_words = 2,
    .uses = SQ_USE_AUDIT,
    .word_at = audit_word_at,
    .run = audit_run,
};

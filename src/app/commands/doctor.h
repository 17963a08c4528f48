/*
 * Checks what works and what does not, and collects the findings for output as
 * text or JSON.
 */
#ifndef SQ_APP_COMMANDS_DOCTOR_H
#define SQ_APP_COMMANDS_DOCTOR_H

#include "app/setup.h"
#include "archive/archive.h"
#include "page/page.h"
#include "util/buf.h"

enum sq_verdict {
    SQ_VERDICT_OK,
    SQ_VERDICT_NOTE,  /* information; nothing is wrong */
    SQ_VERDICT_WRONG, /* needs to be fixed */
    SQ_VERDICTS,
};

#define SQ_FINDING_TEXT_SIZE 400
#define SQ_FINDING_HINT_SIZE 256
#define SQ_MAX_FINDINGS 64

struct sq_finding {
    const char *about; /* static string, such as "devices" */
    enum sq_verdict verdict;
    char text[SQ_FINDING_TEXT_SIZE];
    char hint[SQ_FINDING_HINT_SIZE]; /* what to do; may be empty */
};

/* About 50 kB: allocate it on the heap. Start zeroed. */
struct sq_findings {
    struct sq_finding items[SQ_MAX_FINDINGS];
    int count;
    bool is_cut; /* some findings did not fit */
};

/*
 * Runs all checks. A problem becomes a finding; this fails only without memory.
 */
bool sq_doctor_examine(const struct sq_setup *setup, struct sq_findings *out,
                       struct sq_err *err);

/* Returns whether no finding is SQ_VERDICT_WRONG. */
bool sq_findings_are_good(const struct sq_findings *findings);

bool sq_findings_text(const struct sq_findings *findings, struct sq_page *page,
                      struct sq_err *err);
bool sq_findings_json(const struct sq_findings *findings, struct sq_buf *out,
                      struct sq_err *err);

#define SQ_PAST_FINDINGS (3 * SQ_ARCHIVE_MAX_ROOTS)

/*
 * Starts the reader of text if it is enabled, looks at each folder of past
 * screenshots and how much of its text is read, and names the rules of
 * redaction. Fills *out and *count; fails only without memory.
 */
bool sq_doctor_past(const struct sq_setup *setup,
                    struct sq_finding out[SQ_PAST_FINDINGS], int *count,
                    struct sq_err *err);

#endif

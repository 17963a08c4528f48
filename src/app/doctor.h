/*
 * What works, what does not, and what to do about it: gathered as findings,
 * told as text or JSON.
 */
#ifndef SQ_APP_DOCTOR_H
#define SQ_APP_DOCTOR_H

#include "app/setup.h"
#include "util/buf.h"

enum sq_verdict {
    SQ_VERDICT_OK,
    SQ_VERDICT_NOTE,  /* good to know; nothing is wrong */
    SQ_VERDICT_WRONG, /* somebody should do something */
    SQ_VERDICTS,
};

#define SQ_FINDING_TEXT_SIZE 400
#define SQ_FINDING_HINT_SIZE 256
#define SQ_MAX_FINDINGS 64

struct sq_finding {
    const char *about; /* constant: "devices" */
    enum sq_verdict verdict;
    char text[SQ_FINDING_TEXT_SIZE];
    char hint[SQ_FINDING_HINT_SIZE]; /* what to do; may be empty */
};

/* A value of some 50 kB: start zeroed, on the heap. */
struct sq_findings {
    struct sq_finding items[SQ_MAX_FINDINGS];
    int count;
    bool is_cut; /* there was more than can be told */
};

/*
 * Look at everything. What is broken becomes a finding; only a lack of memory
 * is a failure.
 */
bool sq_doctor_examine(const struct sq_setup *setup, struct sq_findings *out,
                       struct sq_err *err);

/* Whether nothing is wrong. */
bool sq_findings_are_good(const struct sq_findings *findings);

bool sq_findings_text(const struct sq_findings *findings, struct sq_buf *out,
                      struct sq_err *err);
bool sq_findings_json(const struct sq_findings *findings, struct sq_buf *out,
                      struct sq_err *err);

#endif

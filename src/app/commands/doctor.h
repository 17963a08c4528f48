/*
 * Checks what works and what does not, and collects the findings for output as
 * text or JSON.
 */
#ifndef SQ_APP_COMMANDS_DOCTOR_H
#define SQ_APP_COMMANDS_DOCTOR_H

#include "app/setup.h"
#include "page/page.h"

struct sq_adb;

enum sq_verdict {
    SQ_VERDICT_OK,
    SQ_VERDICT_NOTE,  /* information; nothing is wrong */
    SQ_VERDICT_WRONG, /* needs to be fixed */
    SQ_VERDICTS,
};

#define SQ_FINDING_TEXT_SIZE 400
#define SQ_FINDING_HINT_SIZE SQ_ERR_HINT_SIZE
#define SQ_MAX_FINDINGS 64

struct sq_finding {
    const char *about; /* static string, such as "devices" */
    enum sq_verdict verdict;
    char text[SQ_FINDING_TEXT_SIZE];
    char hint[SQ_FINDING_HINT_SIZE]; /* what to do; may be empty */
};

/* About 70 kB: allocate it on the heap. Start zeroed. */
struct sq_findings {
    struct sq_finding items[SQ_MAX_FINDINGS];
    int count;
    bool is_cut; /* some findings did not fit */
};

/* Adds a finding and returns it, so that a hint can be added. Never NULL. */
struct sq_finding *sq_findings_add(struct sq_findings *findings,
                                   enum sq_verdict verdict, const char *about,
                                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Takes over the hint of an error that became a finding. Lack of memory remains
 * a failure.
 */
bool sq_finding_advise(struct sq_finding *finding,
                       const struct sq_err *other_err, struct sq_err *err);

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

/*
 * Checks the program adb and its server, and takes a few captures from each
 * usable device. adb is NULL if Android support is off. Fails only without
 * memory.
 */
bool sq_doctor_android(struct sq_adb *adb, struct sq_findings *out,
                       struct sq_err *err);

#endif

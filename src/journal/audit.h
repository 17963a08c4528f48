/*
 * The audit log: a line of JSON for each call of a client and each refused
 * request. Arguments are only digested. Each line has the SHA-256 of the one
 * before it and itself, so that a change or a removal shows. Several processes
 * may write to one log.
 *
 *   {"n":7,"time":"2026-01-02T03:04:05+00:00","pid":99,"event":"call",
 *    "operation":"tap",...,"result":"ok","hash":"9f86..."}
 *
 * Beside FILE: FILE.1 (newest) to FILE.9, which were full, and FILE.last, the
 * number and hash of the last line, which shows the removal of that.
 */
#ifndef SQ_JOURNAL_AUDIT_H
#define SQ_JOURNAL_AUDIT_H

#include "tool/call_log.h"

#define SQ_AUDIT_KEPT 9 /* full files */
#define SQ_AUDIT_HASH_SIZE 65

struct sq_audit;

struct sq_audit_options {
    const char *path;
    size_t max_bytes; /* of one file */
    const char *version;
    void (*print_message)(const char *message); /* if it cannot be written */
};

/*
 * Opens or creates the log, adds its first line and starts to listen. Fails if
 * that is not possible. The call log must outlive it.
 */
bool sq_audit_create(const struct sq_audit_options *options,
                     struct sq_call_log *log, struct sq_audit **out,
                     struct sq_err *err);

/* Adds a line about a refused request. Any thread; audit may be NULL. */
void sq_audit_add_refusal(struct sq_audit *audit, const char *text);

/* Adds the last line. Accepts NULL. */
void sq_audit_destroy(struct sq_audit *audit);

/* The end of a chain of lines. */
struct sq_audit_chain {
    uint64_t number; /* 0: no line */
    char hash[SQ_AUDIT_HASH_SIZE];
};

/*
 * Follows the chain through the lines of a file. *chain is the end of the
 * file before it; zeroed, the first line may have any number. Fails with the
 * line that does not follow. Pure.
 */
bool sq_audit_follow(struct sq_span text, struct sq_audit_chain *chain,
                     struct sq_err *err);

/* What was found in a log that has no gap. */
struct sq_audit_report {
    int files;
    uint64_t first;
    struct sq_audit_chain last;
};

/* Checks all files of a log. Fails if a line was changed or removed. */
bool sq_audit_verify(const char *path, struct sq_audit_report *out,
                     struct sq_err *err);

#endif

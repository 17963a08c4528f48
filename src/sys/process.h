/*
 * Other programs: started by absolute path and argument list, never through a
 * shell, in a process group of their own that ends with the call.
 */
#ifndef SQ_SYS_PROCESS_H
#define SQ_SYS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

struct sq_process {
    const char *const *argv; /* argv[0] is an absolute path; NULL ends it */
    struct sq_span input;    /* its standard input; empty: none */
    size_t max_output;       /* bytes of standard output we take */
    size_t max_errors;       /* bytes of standard error we keep; the rest
                                is read and forgotten */
};

/* What came of it. A value: start zeroed, finish always. */
struct sq_process_end {
    struct sq_buf output;
    struct sq_buf errors;
    int status; /* as exit() got it; -1 if a signal ended it */
    int signal; /* that signal; 0: none */
};

/*
 * Run a program to its end. Its failure is not ours: look at end->status.
 * Fails if it cannot be started (SQ_ERR_NOT_FOUND, SQ_ERR_IO), says more than
 * max_output (SQ_ERR_LIMIT), or the deadline or a cancel comes first; then
 * its whole group is killed and reaped before this returns. Output counts
 * until the program itself exits: a daemon it leaves behind, in a session of
 * its own, may keep the pipes. Any thread.
 */
bool sq_process_run(const struct sq_process *process,
                    const struct sq_deadline *deadline,
                    struct sq_process_end *end, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_process_end_finish(struct sq_process_end *end);

#endif

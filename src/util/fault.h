/*
 * Fault injection for tests. Memory allocation (util/mem) and system calls
 * (sys/call) check here whether the current call should fail. Only builds with
 * -Dfaults=true contain the check; in a release it is constant 0.
 */
#ifndef SQ_UTIL_FAULT_H
#define SQ_UTIL_FAULT_H

#include <stdbool.h>

enum sq_fault_seam {
    SQ_FAULT_ALLOC,
    SQ_FAULT_CALL,
    SQ_FAULT_SEAMS,
};

/* How a system call fails. SQ_FAULT_ALLOC ignores this. */
#define SQ_FAULT_SHORT (-1) /* transfer one byte instead of all */
#define SQ_FAULT_KILL (-2)  /* send SIGKILL to the process before the call */
#define SQ_FAULT_SLOW                                                          \
    (-3) /* succeed, but take SQ_FAULT_SLOW_MS of a                            \
            simulated clock (sq_clock_simulate) */
#define SQ_FAULT_SLOW_MS 500

struct sq_fault_plan {
    long nth;       /* index of the call that fails, from 1; 0: none */
    bool from_then; /* all later calls fail too */
    int how;        /* an errno value or SQ_FAULT_SHORT, _KILL, _SLOW */
};

#ifdef SQ_FAULTS
/* Installs a plan for a seam and resets its call count. */
void sq_fault_arm(enum sq_fault_seam seam, struct sq_fault_plan plan);

/*
 * Removes the plan. Returns how many calls the seam has counted: if fewer than
 * the plan's nth, no call has failed in any thread.
 */
long sq_fault_disarm(enum sq_fault_seam seam);

/* Returns how many calls the seam has counted since it was armed. */
long sq_fault_count(enum sq_fault_seam seam);

/*
 * Counts one call. Returns 0 if it should proceed, otherwise the plan's `how`
 * (ENOMEM for SQ_FAULT_ALLOC).
 */
int sq_fault_ask(enum sq_fault_seam seam);
#else
#define sq_fault_ask(seam) (0)
#endif

#endif

/*
 * The two test seams. Memory (util/mem) and the operating system (sys/call)
 * ask here whether this one time they should fail. Only builds with
 * -Dfaults=true carry the question; in a release it folds to "no".
 */
#ifndef SQ_UTIL_FAULT_H
#define SQ_UTIL_FAULT_H

#include <stdbool.h>

enum sq_fault_seam {
    SQ_FAULT_ALLOC,
    SQ_FAULT_CALL,
    SQ_FAULT_SEAMS,
};

/* What a failing system call does; ALLOC ignores it. */
#define SQ_FAULT_SHORT (-1) /* transfer a single byte instead of all */
#define SQ_FAULT_KILL (-2)  /* the process gets SIGKILL before the call */
#define SQ_FAULT_SLOW                                                          \
    (-3) /* it works, but takes SQ_FAULT_SLOW_MS of a                          \
            simulated clock (sq_clock_simulate) */
#define SQ_FAULT_SLOW_MS 500

struct sq_fault_plan {
    long nth;       /* fail this one, counted from 1; 0: none */
    bool from_then; /* and every later one too */
    int how;        /* errno value or one of the above */
};

#ifdef SQ_FAULTS
/* Arm a seam and restart its count. */
void sq_fault_arm(enum sq_fault_seam seam, struct sq_fault_plan plan);

/*
 * Let everything work again. Returns how often the seam was asked: if fewer
 * times than the plan's nth, nothing has failed, in no thread.
 */
long sq_fault_disarm(enum sq_fault_seam seam);

/* How often the seam was asked since it was armed. */
long sq_fault_count(enum sq_fault_seam seam);

/* Ask: 0 to go on, else the plan's `how` (ENOMEM for ALLOC). */
int sq_fault_ask(enum sq_fault_seam seam);
#else
#define sq_fault_ask(seam) (0)
#endif

#endif

/* The commands that the fault tests run, and their input files. */
#ifndef SQ_FAULT_SCENARIOS_H
#define SQ_FAULT_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#define SCENARIO_MAX_ARGS 12

struct scenario {
    const char *name;
    const char *args[SCENARIO_MAX_ARGS]; /* after the program's name */
    const char *input;                   /* standard input; NULL: nothing */
    const char *output;                  /* the file written; NULL: none */
    int status;                          /* the exit status without a fault */
    bool fails;       /* that status means a failure, not an answer */
    bool varies;      /* the answer contains the time: only its form is known */
    bool calls_only;  /* failing allocations are tested in unit tests */
    const char *page; /* an HTML page; removed with its folder */
    int every;        /* try only every Nth point because it is slow; 0: all */
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

/*
 * Fill the current folder with the pictures that the scenarios read. run is
 * to run the program, and returns its exit status.
 */
bool scenario_make_samples(int (*run)(const struct scenario *scenario));

#endif

/* What the fault tests make the program do, and the files it does it with. */
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
    int status;                          /* the exit status undisturbed */
    bool fails;       /* that status tells of a failure, not of an answer */
    bool varies;      /* the answer tells the time: only its shape is known */
    bool calls_only;  /* allocations fail where it costs less, in unit tests */
    const char *page; /* a whole HTML page, or none; its folder goes with it */
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

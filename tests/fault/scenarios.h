/* The commands that the fault tests run, and their input files. */
#ifndef SQ_FAULT_SCENARIOS_H
#define SQ_FAULT_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#define SCENARIO_MAX_ARGS 12
/* The variable with a reference of a past screenshot, if state is kept. */
#define SCENARIO_REF "TORTURE_REF"

struct scenario {
    const char *name;
    /* After the program's name; "$NAME" stands for a variable. */
    const char *args[SCENARIO_MAX_ARGS];
    const char *input;  /* standard input; NULL: nothing */
    const char *output; /* the file written; NULL: none */
    int status;         /* the exit status without a fault */
    bool fails;         /* that status means a failure, not an answer */
    bool varies;      /* the answer contains the time: only its form is known */
    bool calls_only;  /* failing allocations are tested in unit tests */
    const char *page; /* a page or picture; removed with its folder */
    int every;        /* try only every Nth point because it is slow; 0: all */
    int rarely;       /* besides, every Nth unless all points are tried */
    bool keeps_state; /* has a folder for what commands leave for the next */
    bool reads_text;  /* needs Tesseract; with kept state, an index */
};

struct scenarios {
    const struct scenario *items;
    size_t count;
};

/*
 * Those of TORTURE_ON: phone, network (of phones), simulator or server,
 * which others.py starts; without it those that need none of these.
 */
struct scenarios scenario_table(void);

/*
 * Fill the current folder with the pictures that the scenarios read. run is
 * to run the program, and returns its exit status.
 */
bool scenario_make_samples(int (*run)(const struct scenario *scenario));

#endif

/*
 * Runs every scenario repeatedly while the 1st, 2nd, 3rd, ... allocation or
 * system call fails, until there is none left to fail. The program must either
 * do its work exactly, or report an error and change nothing.
 */
#ifndef SQ_FAULT_RUNNER_H
#define SQ_FAULT_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

struct fault_mode {
    const char *name;
    /* Called right before and right after the program runs. */
    void (*arm)(const struct fault_mode *mode, long nth);
    /* Returns how many could have failed. */
    long (*disarm)(const struct fault_mode *mode);
    bool from_then;    /* the nth and all later ones fail */
    int how;           /* errno or SQ_FAULT_SHORT, for system calls */
    bool must_succeed; /* the program must handle it without an error */
    bool is_call;      /* system calls fail, not allocations */
};

/* Blocks of memory in use; NULL if they are not counted. */
typedef long fault_live_blocks(void);

/* Run all scenarios in all modes, a TAP case each; main's exit status. */
int fault_main(const struct fault_mode *modes, size_t mode_count,
               fault_live_blocks *live_blocks);

#endif

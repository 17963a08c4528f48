/* Kills a process at every system call of some work. */
#ifndef SQ_TEST_KILL_H
#define SQ_TEST_KILL_H

#include <stdbool.h>

/*
 * Call work(context) in a child process that gets SIGKILL right before its
 * 1st, 2nd, ... system call, until a child ends normally, which must succeed.
 * Call check(context) after each. Returns how many were killed.
 */
long t_kill_everywhere(bool (*work)(void *context),
                       void (*check)(void *context), void *context);

#endif

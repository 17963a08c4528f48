/*
 * Tries many fault points in a separate process and folder: a crash or a hang
 * ends only that process, and its last point is reported.
 */
#ifndef SQ_FAULT_ISOLATE_H
#define SQ_FAULT_ISOLATE_H

#include <stdbool.h>

/* Written by the child process, read by its parent. */
struct fault_progress {
    char point[160]; /* what was tried last, in case it dies */
    long points;     /* at which something failed */
    long problems;
};

/* Count a problem, and print the first ones as diagnostics. */
__attribute__((format(printf, 2, 3))) void
fault_complain(struct fault_progress *progress, const char *format, ...);

/* Starts a new point, and its timeout. */
__attribute__((format(printf, 2, 3))) void
fault_begin_point(struct fault_progress *progress, const char *format, ...);

/*
 * How far apart the points to try are: of the points that a test has, or of
 * every Nth, one of ten. With SQUINT_TEST_ALL, as in `make torture`, none is
 * omitted.
 */
long fault_step(int every);

/* Record a problem if memory has leaked since the point began. */
void fault_check_leaks(struct fault_progress *progress);

/* Call run(progress, context) in a child; records failures like T(). */
void fault_isolate(const char *name,
                   void (*run)(struct fault_progress *progress,
                               const void *context),
                   const void *context, struct fault_progress *result);

/* Redirect fd to a file; returns the old one for fault_restore. */
int fault_redirect(int fd, const char *path, int flags);
void fault_restore(int fd, int saved);

/* File of the child's standard error; printed if the child dies. */
extern const char fault_stderr_name[];

#endif

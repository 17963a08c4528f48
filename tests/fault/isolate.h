/*
 * A trial of many fault points in a process and a folder of its own: a crash
 * or a hang ends only that one, and tells at which point.
 */
#ifndef SQ_FAULT_ISOLATE_H
#define SQ_FAULT_ISOLATE_H

#include <stdbool.h>

/* Written by the process that tries, read by the one that reports. */
struct fault_progress {
    char point[160]; /* what was tried last, should it die */
    long points;     /* at which something did fail */
    long problems;
};

/* Count a problem and, if it is among the first, tell it as a diagnostic. */
__attribute__((format(printf, 2, 3))) void
fault_complain(struct fault_progress *progress, const char *format, ...);

/* A new point begins; it has so long before it counts as hanging. */
__attribute__((format(printf, 2, 3))) void
fault_begin_point(struct fault_progress *progress, const char *format, ...);

/* Complain if memory has leaked since the point began. */
void fault_check_leaks(struct fault_progress *progress);

/* Call run(progress, context) apart; records failures as T() does. */
void fault_isolate(const char *name,
                   void (*run)(struct fault_progress *progress,
                               const void *context),
                   const void *context, struct fault_progress *result);

/* Make fd refer to a file for a while; returns the old one for restore. */
int fault_redirect(int fd, const char *path, int flags);
void fault_restore(int fd, int saved);

/* Where standard error goes meanwhile; shown should the process die. */
extern const char fault_stderr_name[];

#endif

/*
 * A malloc for the whole process, shared libraries included, that counts its
 * blocks and fails on demand. Not for sanitized builds: they have their own.
 */
#ifndef SQ_FAULT_INTERPOSE_H
#define SQ_FAULT_INTERPOSE_H

#include <stdbool.h>

/* Fail the nth allocation from now, or it and all later ones. */
void interpose_arm(long nth, bool from_then);

/* Fail no more; returns how many allocations there were. */
long interpose_disarm(void);

/* Blocks allocated and not freed. */
long interpose_live_blocks(void);

#endif

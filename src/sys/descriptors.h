/* The limit of open file descriptors, and the error when it is reached. */
#ifndef SQ_SYS_DESCRIPTORS_H
#define SQ_SYS_DESCRIPTORS_H

#include <stdbool.h>

/* The hint for an error caused by that limit. */
#define SQ_DESCRIPTORS_HINT                                                    \
    "Send fewer calls at a time, or raise the limit of open files (ulimit "    \
    "-n 1024) before squint starts."

/*
 * Returns how many descriptors this process may open; INT_MAX if no limit is
 * known.
 */
int sq_descriptor_limit(void);

/* Returns whether an errno value means that no descriptor is left. */
bool sq_is_out_of_descriptors(int number);

#endif

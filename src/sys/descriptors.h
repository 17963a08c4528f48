/* File descriptors: how many there may be, and having none left. */
#ifndef SQ_SYS_DESCRIPTORS_H
#define SQ_SYS_DESCRIPTORS_H

#include <stdbool.h>

/* What to do when there is none left. */
#define SQ_DESCRIPTORS_HINT                                                    \
    "Send fewer calls at a time, or raise the limit of open files (ulimit "    \
    "-n 1024) before squint starts."

/* How many this process may have; INT_MAX: no limit is known. */
int sq_descriptor_limit(void);

/* Whether that number of errno means that none is left. */
bool sq_is_out_of_descriptors(int number);

#endif

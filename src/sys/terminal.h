/* Checks whether a descriptor is a terminal. */
#ifndef SQ_SYS_TERMINAL_H
#define SQ_SYS_TERMINAL_H

#include <stdbool.h>

bool sq_is_terminal(int fd);

#endif

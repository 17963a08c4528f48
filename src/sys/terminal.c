/* Checks whether a descriptor is a terminal. */
#include "sys/terminal.h"

#include <unistd.h>

bool
sq_is_terminal(int fd) {
    return isatty(fd) == 1;
}

/* The limit of open file descriptors. */
#include "sys/descriptors.h"

#include <errno.h>
#include <limits.h>

#include "sys/call.h"

int
sq_descriptor_limit(void) {
    long limit = sq_call_descriptor_limit();
    return limit >= 0 && limit < INT_MAX ? (int)limit : INT_MAX;
}

bool
sq_is_out_of_descriptors(int number) {
    return number == EMFILE || number == ENFILE;
}

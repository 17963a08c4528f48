/* Runs the cases of programs that have no main of their own. */
#include "support/test.h"

int
main(void) {
    return t_run();
}

/* Runs the cases of programs that have no main of their own. */
#include <stdio.h>

#include "support/test.h"

int
main(int argc, char **argv) {
    /* Code that starts its own program as a worker must not run the cases. */
    if (argc > 1) {
        fprintf(stderr, "%s takes no arguments, and was given %s\n", argv[0],
                argv[1]);
        return 2;
    }
    return t_run();
}

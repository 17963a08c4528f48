/* The entry point of the program. */
#include "app/app.h"

int
main(int argc, char **argv) {
    return sq_app_main(argc, argv);
}

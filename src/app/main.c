/* The entry point of the program. */
#include "app/app.h"
#include "sys/worker.h"

int
main(int argc, char **argv) {
    sq_worker_is_squint();
    return sq_app_main(argc, argv);
}

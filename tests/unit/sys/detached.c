#include "sys/process.h"

#include <string.h>

#include "support/test.h"

T_CASE(program_is_started) {
    struct sq_err err = { 0 };
    const char *const argv[] = { "/bin/true", "ignored", NULL };
    T_OK(sq_detached_start(argv, &err), &err);
}

T_CASE(missing_program_is_reported) {
    struct sq_err err = { 0 };
    const char *const argv[] = { "/no/such/program", NULL };
    T(!sq_detached_start(argv, &err));
    T(strstr(err.message, "/no/such/program") != NULL);
}

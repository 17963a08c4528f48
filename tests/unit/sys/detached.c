#include "sys/process.h"

#include "support/test.h"

T_CASE(program_is_started) {
    const char *const argv[] = { "/bin/true", "ignored", NULL };
    T_OK(sq_detached_start(argv, &t_err));
}

T_CASE(missing_program_is_reported) {
    const char *const argv[] = { "/no/such/program", NULL };
    T(!sq_detached_start(argv, &t_err));
    T(strstr(t_err.message, "/no/such/program") != NULL);
}

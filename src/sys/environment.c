/* Reads the names of environment variables. */
#include "sys/environment.h"

extern char **environ;

bool
sq_environment_name_at(size_t index, struct sq_span *out) {
    size_t i = 0;
    while (i < index && environ && environ[i]) {
        i++;
    }
    if (!environ || !environ[i]) {
        return false;
    }
    struct sq_span rest = sq_span_of(environ[i]);
    if (!sq_span_take_until(&rest, '=', out)) {
        *out = rest;
    }
    return true;
}

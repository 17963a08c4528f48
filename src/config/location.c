/* Finds the configuration file. */
#include "config/location.h"

#include <stdlib.h>
#include <string.h>

#include "sys/path.h"

static const char *
variable(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

bool
sq_config_location_at(size_t index, const struct sq_config_flags *flags,
                      char path[SQ_PATH_SIZE], struct sq_config_location *out) {
    static const char *const names[] = { "--config", "SQUINT_CONFIG",
                                         "REPLICANT_CONFIG", "the default" };
    const size_t count = sizeof(names) / sizeof(names[0]);
    if (index >= count) {
        return false;
    }
    *out = (struct sq_config_location){ .named_by = names[index] };
    if (index + 1 == count) {
        bool is_set = sq_user_config_path("squint/config.yaml", path);
        out->path = is_set ? path : NULL;
        out->may_be_missing = true;
    } else if (index > 0) {
        out->path = variable(names[index]);
    } else {
        out->path = flags ? flags->file : NULL;
    }
    /* "-" is a file name here, because standard input belongs to the client. */
    if (out->path && strcmp(out->path, "-") == 0) {
        out->path = "./-";
    }
    return true;
}

struct sq_config_location
sq_config_find_location(const struct sq_config_flags *flags,
                        char path[SQ_PATH_SIZE]) {
    struct sq_config_location found = { 0 };
    for (size_t i = 0;
         !found.path && sq_config_location_at(i, flags, path, &found); i++) {
    }
    return found;
}

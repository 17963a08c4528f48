/* Where the configuration file may be. */
#ifndef SQ_CONFIG_LOCATION_H
#define SQ_CONFIG_LOCATION_H

#include "config/config.h"
#include "sys/path.h"

/* One place that can name the file. */
struct sq_config_location {
    const char *named_by; /* "--config", a variable, or "the default" */
    const char *path;     /* NULL: not set */
    bool may_be_missing;
};

/*
 * Returns the places by rank; false after the last. flags may be NULL. A path
 * may point into `path`.
 */
bool sq_config_location_at(size_t index, const struct sq_config_flags *flags,
                           char path[SQ_PATH_SIZE],
                           struct sq_config_location *out);

/* Returns the first place that names a file; its path is NULL if none does. */
struct sq_config_location
sq_config_find_location(const struct sq_config_flags *flags,
                        char path[SQ_PATH_SIZE]);

#endif

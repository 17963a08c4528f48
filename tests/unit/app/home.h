/* An empty home folder without configuration, in the scratch folder. */
#ifndef SQ_TEST_APP_HOME_H
#define SQ_TEST_APP_HOME_H

#include "support/album.h"
#include "unit/app/run.h"

/* Call instead of t_scratch_start; t_album_end removes everything. */
static inline void
home_start(void) {
    static const char *const folders[][2] = {
        { "HOME", "home" },
        { "XDG_CONFIG_HOME", "home/config" },
        { "XDG_CACHE_HOME", "home/cache" },
        { "XDG_STATE_HOME", "home/state" },
        { "XDG_DATA_HOME", "home/data" },
    };
    static const char *const others[] = { "SQUINT_CONFIG", "REPLICANT_CONFIG",
                                          "SQUINT_ARCHIVE_ROOTS",
                                          "MANICTIME_DATA_DIR" };
    t_scratch_start();
    for (size_t i = 0; i < SQ_COUNT(folders); i++) {
        setenv(folders[i][0], t_scratch_path(folders[i][1]), 1);
    }
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        unsetenv(others[i]);
    }
}

#endif

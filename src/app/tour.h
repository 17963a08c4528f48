/*
 * The tour behind `squint demo`: one agent's loop on the demo phone, told
 * call by call, and left as a page with pictures.
 */
#ifndef SQ_APP_TOUR_H
#define SQ_APP_TOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "util/buf.h"
#include "util/err.h"

#define SQ_TOUR_FOLDER "squint-demo"
#define SQ_TOUR_PAGE "index.html"
/* Says that the folder is ours, and which files in it are. */
#define SQ_TOUR_MARKER "made-by-squint.txt"

struct sq_tour_options {
    const struct sq_config *config;
    const char *folder;  /* made unless it is there */
    const char *program; /* for the clients' configuration */
    bool colour;         /* of the text, for a terminal */
    /*
     * Nanoseconds since 1970 for the phone and for measuring; NULL: the
     * machine's clocks. With it, a tour always leaves the same files.
     */
    int64_t (*now_ns)(void *context);
    void *clock_context;
    /* Called after every step to print and clear the text; may be NULL. */
    bool (*flush)(struct sq_buf *text, struct sq_err *err);
};

/*
 * Play the tour. What there is to read is appended to text. A folder that is
 * there but not ours is SQ_ERR_ARGUMENT, and stays as it is.
 */
bool sq_tour_play(const struct sq_tour_options *options, struct sq_buf *text,
                  struct sq_err *err);

#endif

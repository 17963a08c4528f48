/*
 * The tour of `squint demo`: plays the steps of an agent on the demo phone,
 * prints each call, and writes a web page with pictures.
 */
#ifndef SQ_DEMO_TOUR_TOUR_H
#define SQ_DEMO_TOUR_TOUR_H

#include "config/config.h"
#include "util/buf.h"

#define SQ_TOUR_FOLDER "squint-demo"
#define SQ_TOUR_PAGE "index.html"
#define SQ_TOUR_LOG "steps.json" /* the calls and answers, for programs */
/* Marks the folder as ours and lists our files in it. */
#define SQ_TOUR_MARKER "made-by-squint.txt"

struct sq_tour_options {
    const struct sq_config *config;
    const char *folder;  /* created if missing */
    const char *program; /* path to show in client configurations */
    bool colour;         /* colour the text */
    /*
     * Clock of the phone and of measurements, in nanoseconds since 1970; NULL:
     * the real clocks. With a given clock, a tour always writes the same files.
     */
    int64_t (*now_ns)(void *context);
    void *clock_context;
    /* Called after every step to print and clear the text. May be NULL. */
    bool (*flush)(void *context, struct sq_buf *text, struct sq_err *err);
    /* Called before every step; the tour ends if it fails. May be NULL. */
    bool (*report)(void *context, size_t done, size_t total,
                   struct sq_err *err);
    void *context; /* of flush and report */
};

/*
 * Plays the tour and appends its text. Fails with SQ_ERR_ARGUMENT if the folder
 * exists but is not ours; the folder is then unchanged. After any other failure
 * the files of the tour are removed, and the folder if it is empty.
 */
bool sq_tour_play(const struct sq_tour_options *options, struct sq_buf *text,
                  struct sq_err *err);

#endif

/* The size, density, clock and seed of a demo phone, and who keeps its state.
 */
#ifndef SQ_DEMO_PHONE_OPTIONS_H
#define SQ_DEMO_PHONE_OPTIONS_H

#include "config/config.h"
#include "sys/deadline.h"
#include "sys/folder.h"

#define SQ_DEMO_ID "demo"
#define SQ_DEMO_WIDTH 1080
#define SQ_DEMO_HEIGHT 2400
#define SQ_DEMO_DENSITY 2.625
#define SQ_DEMO_PACKAGE "com.squint.demo."

/* Where several processes share the state of a phone: a folder of the user. */
#define SQ_DEMO_STATE_FILE "demo-phone.json"
#define SQ_DEMO_STATE_LOCK "demo-phone.lock"
struct sq_demo_keeper {
    const struct sq_state_folder *folder;
    /* Reports why the state was not used or not kept. */
    void (*warn)(void *context, const struct sq_err *why);
    void *context;
};

/* All zero: 1080x2400 at density 2.625, and the system clock. */
struct sq_demo_options {
    int width; /* in portrait */
    int height;
    double density;
    uint64_t seed; /* for the positions of the discs in the game */
    /*
     * Apps react to taps and keys this late. With pressed_ms they show what is
     * touched as pressed until then.
     */
    int reaction_ms;
    int pressed_ms; /* 0: reaction_ms */
    /* Returns nanoseconds since 1970. NULL: the system clock. */
    int64_t (*now_ns)(void *context);
    void *clock_context;
    const struct sq_demo_keeper *keeper; /* NULL: every phone starts afresh */
};

/* Returns what the configuration says. */
static inline struct sq_demo_options
sq_demo_options_of(const struct sq_config *config) {
    return (struct sq_demo_options){
        .width = config->demo.width,
        .height = config->demo.height,
        .density = config->demo.density,
        .seed = (uint32_t)config->demo.seed,
        .reaction_ms = config->demo.reaction_ms,
        .pressed_ms = config->demo.pressed_ms,
    };
}

#endif

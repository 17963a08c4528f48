/*
 * A device that shows and says what a test tells it to, and remembers what
 * was done to it; and a way to run operations on it.
 */
#ifndef SQ_TEST_FAKE_DEVICE_H
#define SQ_TEST_FAKE_DEVICE_H

#include "config/config.h"
#include "device/device.h"
#include "device/kinds.h"
#include "session/session.h"
#include "tool/tool.h"
#include "util/arena.h"

struct sq_library;

#define FAKE_ID "fake-1"

/* One node of the tree; depth makes the nesting. class NULL ends a table. */
struct fake_node {
    int depth;
    const char *class_name;
    const char *text;
    const char *desc;
    const char *hint;
    const char *resource_id;
    struct sq_dev_rect bounds;
    unsigned flags; /* ENABLED is added, unless SQ_FAKE_DISABLED */
};

#define SQ_FAKE_DISABLED (1u << 31)

#define FAKE_MAX_ACTIONS 64

/*
 * Everything may be set and read at any time between two calls. It has the
 * displays "0", which taps reach, and "cover". The screen is
 * filled with `colour` and has a frame of bars, unless `plain`.
 */
struct fake_device {
    struct sq_device base;
    struct sq_device_ops ops; /* set one to NULL, or cheap to true */
    struct sq_screen screen;
    int pixels_per_point; /* as on iOS; 0 is 1 */
    uint32_t colour;      /* 0xRRGGBB */
    bool plain;           /* one colour only */
    bool noisy;           /* hard to compress; another picture each time */
    int patch_frames;     /* how many captures show a moving patch */
    bool secure;
    bool tells_displays; /* of the two that there are */
    bool other_shape;    /* the capture is not of the shape of the screen */
    const void *bytes;   /* capture these instead of a drawn frame */
    size_t byte_count;
    const struct fake_node *nodes;       /* NULL: no tree */
    const struct fake_node *nodes_later; /* from tree call nodes_after on */
    int nodes_after;
    struct sq_app app;
    enum sq_err_code capture_fails; /* with this, unless NONE */
    enum sq_err_code tree_fails;
    enum sq_err_code app_fails;
    int capture_takes_ms;
    size_t comes_by;    /* bytes at a time, for an observer; 0: all */
    bool tries_twice;   /* an observer first sees another picture */
    bool comes_in_part; /* an observer sees only half of it */

    size_t seen;  /* bytes that the observer awaited of the last one */
    int captures; /* how often each was asked for */
    int trees;
    int apps;
    int frame;
    char actions[FAKE_MAX_ACTIONS][128]; /* "tap 480,1200 x1 0ms" */
    int action_count;
};

/* A phone of 1080x2400 at 2.625 showing com.example.app/.Main, no tree. */
void fake_device_init(struct fake_device *fake);

/* Nodes of class, text, bounds from a table, as sq_device_tree gives them. */
bool fake_tree_build(const struct fake_node *nodes, struct sq_tree *out,
                     struct sq_err *err);

/*
 * Everything an operation needs, with one fake device attached. Operations
 * run by fake_run, on JSON text; the answer stays until the next run.
 */
struct fake_world {
    struct fake_device device;
    struct sq_config config;
    struct sq_session *session;
    struct sq_devices *devices;
    struct sq_library *past;  /* NULL until it is opened */
    struct sq_span client;    /* what the caller calls itself */
    struct sq_cancel *cancel; /* of the next runs; may stay NULL */
    /* Is told how far the next runs are; may stay NULL. */
    void (*progress)(struct sq_call *call, double done, double total,
                     const char *message);
    struct sq_work *work; /* likewise */
    struct sq_result result;
    struct sq_err err;
    char json[65536]; /* the last text block, or the error's details */
};

/*
 * While there is a world, its clock runs this many times slower than real time.
 * Deadlines then count only the waits of an operation, not the load of the
 * machine.
 */
#define FAKE_SLOWNESS 100

/* output_directory may be NULL where no file is written. */
void fake_world_start(struct fake_world *world, const char *output_directory);
void fake_world_end(struct fake_world *world);

/* Open the archive as config says, in place of the one open before. */
void fake_world_open_library(struct fake_world *world);

/* arguments is a JSON object as text, with single quotes for double ones. */
bool fake_run(struct fake_world *world, const char *operation,
              const char *arguments);

/* The number of blocks of a kind in the last answer. */
int fake_blocks(const struct fake_world *world, enum sq_block_kind kind);

/*
 * Whether text matches a pattern in which "<*>" stands for anything up to what
 * follows it. Prints both otherwise.
 */
bool fake_matches(const char *text, const char *pattern);

#endif

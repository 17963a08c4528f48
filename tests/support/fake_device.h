/*
 * A device whose screen and answers are set by a test. It records the actions
 * performed on it. Also runs operations on it.
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
struct sq_reader;

#define FAKE_ID "fake-1"

/* One node of the tree, nested by depth. class NULL ends a table. */
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

/* A row of a table of nodes: NODE(1, "Button", AT(0, 0, 90, 40), CLICKABLE). */
#define NODE(level, name, ...)                                                 \
    { .depth = (level), .class_name = "android.widget." name, __VA_ARGS__ }
#define AT(left, top, right, bottom) .bounds = { left, top, right, bottom }
#define CLICKABLE .flags = SQ_NODE_CLICKABLE

#define FAKE_MAX_ACTIONS 64

/*
 * All members may be set and read between two calls. It has the displays "0",
 * which taps reach, and "cover". The screen is filled with `colour` and has a
 * frame of bars, unless `plain`.
 */
struct fake_device {
    struct sq_device base;
    struct sq_device_ops ops; /* a test may set one to NULL, or cheap to true */
    struct sq_screen screen;
    int pixels_per_point; /* as on iOS; 0 means 1 */
    uint32_t colour;      /* 0xRRGGBB */
    bool plain;           /* one colour only */
    bool noisy;           /* hard to compress; another picture each time */
    int patch_frames;     /* how many captures show a moving patch */
    bool secure;
    bool tells_displays; /* lists both displays */
    bool other_shape;    /* the capture has another shape than the screen */
    const void *bytes;   /* capture these instead of a drawn frame */
    size_t byte_count;
    const struct fake_node *nodes; /* NULL: no tree */
    const struct fake_node
        *nodes_later; /* used from tree call number nodes_after on */
    int nodes_after;
    struct sq_app app;
    enum sq_err_code capture_fails; /* fails with this, unless NONE */
    enum sq_err_code tree_fails;
    int trees_fail; /* the first tree calls, as without a tree */
    enum sq_err_code app_fails;
    int capture_takes_ms;
    size_t piece_bytes;      /* bytes at a time, for an observer; 0: all */
    bool tries_twice;        /* an observer first sees another picture */
    bool observer_gets_half; /* an observer sees only half of it */

    size_t seen;  /* bytes of the last capture that the observer waited for */
    int captures; /* how often each was requested */
    int trees;
    int apps;
    int frame;
    char actions[FAKE_MAX_ACTIONS][128]; /* "tap 480,1200 x1 0ms" */
    int action_count;
};

/* A phone of 1080x2400 at 2.625 showing com.example.app/.Main, no tree. */
void fake_device_init(struct fake_device *fake);

/* Builds a tree from a table of nodes, like sq_device_tree. */
bool fake_tree_build(const struct fake_node *nodes, struct sq_tree *out,
                     struct sq_err *err);

/*
 * Everything an operation needs, with one fake device attached. fake_run runs
 * an operation with JSON text; the answer is valid until the next run.
 */
struct fake_world {
    struct fake_device device;
    struct sq_config config;
    struct sq_session *session;
    struct sq_devices *devices;
    struct sq_library *past; /* NULL until it is opened */
    struct sq_span client;   /* name of the client */
    bool is_short;           /* replies are */
    uint64_t client_number;
    struct sq_cancel *cancel; /* for the next runs; may stay NULL */
    /* Gets the progress of the next runs; may stay NULL. */
    void (*progress)(struct sq_call *call, double done, double total,
                     const char *message);
    struct sq_work *work;               /* may stay NULL */
    const struct sq_redactor *redactor; /* may stay NULL: hides nothing */
    struct sq_reader *reader;           /* may stay NULL: reads no text */
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

/* output_directory may be NULL if no file is written. */
void fake_world_start(struct fake_world *world, const char *output_directory);
void fake_world_end(struct fake_world *world);

/* Open the archive as configured, in place of the open one. */
void fake_world_open_library(struct fake_world *world);

/* arguments is a JSON object as text, with single quotes for double ones. */
bool fake_run(struct fake_world *world, const char *operation,
              const char *arguments);

/* The number of blocks of a kind in the last answer. */
int fake_blocks(const struct fake_world *world, enum sq_block_kind kind);

/*
 * Whether text matches a pattern, in which "<*>" matches anything up to the
 * text after it. Prints both if not.
 */
bool fake_matches(const char *text, const char *pattern);

/* Returns a text whose ' are ", until the next call. */
const char *fake_quoted(const char *part);

/* Like T_HAS and T_LACKS for the answer in `world`; ' stands for ". */
#define T_SAYS(part) T_HAS(world.json, fake_quoted(part))
#define T_OMITS(part) T_LACKS(world.json, fake_quoted(part))

#endif

/* The scale of the screen, and points of the picture on its panel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"

#define ASK_MS 2000
/* The query may take a quarter of the remaining time. */
#define SHARE 4
#define MAX_SCALE 8.0
#define POINT_MS 2000
#define MAX_PROBES 4

/* Reads a number from the simulator's environment; 0: not set. */
static bool
query(struct sq_simulator *simulator, const char *name, double *out,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_ios_call call = {
        .words = SQ_WORDS("getenv", simulator->base.info.id, name),
        .timeout_ms = ASK_MS,
    };
    const struct sq_deadline limit =
        sq_deadline_within(deadline, sq_deadline_left_ms(deadline) / SHARE);
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    struct sq_err local_err = { 0 };
    *out = 0;
    if (sq_simctl_run(simulator->xcrun, &call, &limit, &end, &local_err)) {
        (void)sq_span_to_double(sq_span_trim(sq_buf_span(&end.output)), out);
    }
    return !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
}

static bool
query_screen(struct sq_simulator *simulator, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct sq_main_screen screen = { .is_known = true };
    if (simulator->main_screen.is_known) {
        return true;
    }
    if (!query(simulator, "SIMULATOR_MAINSCREEN_SCALE", &screen.scale, deadline,
               err)
        || (screen.scale > 0
            && !query(simulator, "SIMULATOR_MAINSCREEN_WIDTH", &screen.width,
                      deadline, err))) {
        return false;
    }
    simulator->main_screen = screen;
    return true;
}

bool
sq_simulator_measure(struct sq_simulator *simulator, struct sq_size pixels,
                     struct sq_size *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    const struct sq_main_screen *screen = &simulator->main_screen;
    if (!query_screen(simulator, deadline, err)) {
        return false;
    }
    /* Otherwise the picture is not of the main screen. */
    bool fits = screen->width == pixels.width || screen->width == pixels.height;
    *out = fits && screen->scale >= 1 && screen->scale <= MAX_SCALE
             ? (struct sq_size){ (int)lround(pixels.width / screen->scale),
                                 (int)lround(pixels.height / screen->scale) }
             : (struct sq_size){ 0 };
    return true;
}

enum turn {
    TURN_NONE, /* touches rotate with the picture */
    TURN_LEFT,
    TURN_RIGHT,
    TURNS,
};

static struct sq_dev_pt
rotate(struct sq_dev_pt at, enum turn turn, struct sq_size upright) {
    if (turn == TURN_LEFT) {
        return (struct sq_dev_pt){ at.y, upright.width - 1 - at.x };
    }
    if (turn == TURN_RIGHT) {
        return (struct sq_dev_pt){ upright.height - 1 - at.y, at.x };
    }
    return at;
}

static struct sq_dev_pt
middle_of(struct sq_dev_rect rect) {
    return (struct sq_dev_pt){ rect.left + (rect.right - rect.left) / 2,
                               rect.top + (rect.bottom - rect.top) / 2 };
}

/* Reads the element at a panel point. *found: it is the wanted one. */
static bool
find_element_at(struct sq_simulator *simulator, struct sq_dev_pt at,
                const struct sq_node *wanted, bool *found,
                const struct sq_deadline *deadline, struct sq_err *err) {
    char x[16];
    char y[16];
    snprintf(x, sizeof(x), "%d", at.x);
    snprintf(y, sizeof(y), "%d", at.y);
    const struct sq_ios_call call = {
        .words = SQ_WORDS("ui", "describe-point", x, y, "--json"),
        .timeout_ms = POINT_MS,
    };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    struct sq_err local_err = { 0 };
    bool ok =
        sq_idb_run(simulator, &call, deadline, &end, &local_err)
        && sq_idb_parse_elements(sq_buf_span(&end.output), &screen, &local_err);
    const struct sq_node *node = ok ? screen.tree.root : NULL;
    *found = false;
    for (; node && !*found; node = sq_node_after(node)) {
        *found =
            memcmp(&node->bounds, &wanted->bounds, sizeof(node->bounds)) == 0
            && sq_span_equal(node->text, wanted->text)
            && sq_span_equal(node->desc, wanted->desc)
            && sq_span_equal(node->resource_id, wanted->resource_id);
    }
    /* An empty point is a valid result; only these errors are passed on. */
    return !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
}

/*
 * Returns whether the element is small and has a name, so that it can be
 * identified by its position.
 */
static bool
is_landmark(const struct sq_node *node, struct sq_size upright) {
    int width = node->bounds.right - node->bounds.left;
    int height = node->bounds.bottom - node->bounds.top;
    struct sq_dev_pt at = middle_of(node->bounds);
    return !node->first_child && node->parent && width > 0 && height > 0
        && width < upright.width / 2 && height < upright.height / 2 && at.x >= 0
        && at.x < upright.width && at.y >= 0 && at.y < upright.height
        && (node->text.len > 0 || node->desc.len > 0
            || node->resource_id.len > 0);
}

/* Finds the rotation that leads to the element. TURNS: none, or several. */
static bool
find_turn_by(struct sq_simulator *simulator, const struct sq_node *node,
             struct sq_size upright, enum turn *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    int matches = 0;
    enum turn match = TURNS;
    for (int turn = TURN_NONE; turn < TURNS; turn++) {
        struct sq_dev_pt at =
            rotate(middle_of(node->bounds), (enum turn)turn, upright);
        bool found;
        if (!find_element_at(simulator, at, node, &found, deadline, err)) {
            return false;
        }
        matches += found;
        match = found ? (enum turn)turn : match;
    }
    *out = matches == 1 ? match : TURNS;
    return true;
}

static bool
find_turn(struct sq_simulator *simulator, struct sq_size upright,
          enum turn *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    bool ok = sq_simulator_elements(simulator, &screen, deadline, err);
    const struct sq_node *node = ok ? screen.tree.root : NULL;
    int tries = 0;
    *out = TURNS;
    for (; ok && node && *out == TURNS && tries < MAX_PROBES;
         node = sq_node_after(node)) {
        if (is_landmark(node, upright)) {
            tries++;
            ok = find_turn_by(simulator, node, upright, out, deadline, err);
        }
    }
    if (!ok || *out != TURNS) {
        return ok;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "the simulator is in landscape, and the direction of its rotation "
            "cannot be determined");
    return sq_fail_hint(err, "Rotate it to portrait (Simulator, Device, Rotate "
                             "Left), then take a new screenshot.");
}

bool
sq_simulator_to_panel(struct sq_simulator *simulator, struct sq_dev_pt *points,
                      size_t count, const struct sq_deadline *deadline,
                      struct sq_err *err) {
    struct sq_size upright = simulator->points;
    enum turn turn;
    if (upright.width <= upright.height) {
        return true;
    }
    if (!find_turn(simulator, upright, &turn, deadline, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        points[i] = rotate(points[i], turn, upright);
    }
    return true;
}

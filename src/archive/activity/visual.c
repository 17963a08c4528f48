/*
 * Derives activity from the pictures of one monitor: a lasting change starts a
 * new segment. Scenes are compared by gradients and brightness; by title, a
 * change of a part of the picture counts, too.
 */
#include <stdio.h>

#include "archive/activity/activity.h"
#include "util/mem.h"

#define MONITORS 256
#define MAX_COMPARED 4096  /* pictures; of more only a sample is compared */
#define LAST_PICTURE_S 300 /* time that the last picture of a scene covers */

struct visual {
    const struct sq_activity_source *source;
    uint32_t *indexes; /* of the compared shots */
    size_t count;
};

/* Reads a compared shot; translates its index for the owner of the reader. */
static bool
read_compared(void *context, size_t index, struct sq_buf *out,
              struct sq_err *err) {
    const struct visual *visual = context;
    const struct sq_shot_reader *reader = visual->source->reader;
    return reader->read(reader->context, visual->indexes[index], out, err);
}

/* Returns the monitor with the most shots; the lowest of equals. */
static uint8_t
busiest(const struct sq_shots *shots, size_t *count) {
    size_t counts[MONITORS] = { 0 };
    uint8_t best = 0;
    for (size_t i = 0; i < shots->count; i++) {
        counts[shots->items[i].monitor]++;
    }
    for (size_t i = 1; i < MONITORS; i++) {
        best = counts[i] > counts[best] ? (uint8_t)i : best;
    }
    *count = counts[best];
    return best;
}

/* Chooses shots of the monitor with the most. */
static void
choose_indexes(struct visual *visual) {
    const struct sq_shots *shots = &visual->source->shots;
    size_t all = 0;
    uint8_t monitor = busiest(shots, &all);
    size_t capacity = all < MAX_COMPARED ? all : MAX_COMPARED;
    size_t seen = 0;
    for (size_t i = 0; i < shots->count && visual->count < capacity; i++) {
        if (shots->items[i].monitor == monitor) {
            if (seen == visual->count * all / capacity) {
                visual->indexes[visual->count++] = (uint32_t)i;
            }
            seen++;
        }
    }
}

/* The start of the current scene, and its picture. */
struct scene {
    size_t first;
    size_t reference;
    bool is_pending; /* the previous picture was different */
};

static bool
differ(const struct visual *visual, const struct sq_image_fingerprint *a,
       const struct sq_image_fingerprint *b) {
    return sq_image_fingerprint_distance(a, b) >= SQ_FINGERPRINT_SCENE_BITS
        || (visual->source->granularity == SQ_BY_TITLE
            && sq_image_fingerprint_cell_delta(a, b)
                   >= SQ_FINGERPRINT_CELL_DELTA);
}

static int64_t
utc_at(const struct visual *visual, size_t index) {
    return visual->source->shots.items[visual->indexes[index]].utc;
}

/* Ends the scene before `end`, at most MAX_STAND_S after its last picture. */
static bool
add_scene(const struct visual *visual, const struct scene *scene, size_t end,
          struct sq_segments *out, struct sq_err *err) {
    char label[32];
    int64_t last = utc_at(visual, end - 1) + LAST_PICTURE_S;
    int64_t until = end < visual->count && utc_at(visual, end) < last
                      ? utc_at(visual, end)
                      : last;
    snprintf(label, sizeof(label), "scene %zu", out->label_count + 1);
    enum sq_granularity granularity = visual->source->granularity;
    bool has_name = granularity == SQ_BY_APP || granularity == SQ_BY_TITLE;
    return sq_segments_add(out, utc_at(visual, scene->first), until,
                           sq_span_of(has_name ? label : ""), err);
}

static bool
find_scenes(const struct visual *visual,
            const struct sq_image_fingerprint *fingerprints,
            struct sq_segments *out, struct sq_err *err) {
    struct scene scene = { 0 };
    bool has_scene = false;
    size_t pending = 0;
    for (size_t i = 0; i < visual->count; i++) {
        if (!fingerprints[i].known) {
            continue;
        }
        if (!has_scene) {
            scene = (struct scene){ i, i, false };
            has_scene = true;
        } else if (!differ(visual, &fingerprints[i],
                           &fingerprints[scene.reference])) {
            scene.is_pending = false;
        } else if (scene.is_pending
                   && !differ(visual, &fingerprints[i],
                              &fingerprints[pending])) {
            if (!add_scene(visual, &scene, pending, out, err)) {
                return false;
            }
            scene = (struct scene){ pending, i, false };
        } else {
            scene.is_pending = true;
            pending = i;
        }
    }
    return !has_scene || add_scene(visual, &scene, visual->count, out, err);
}

static bool
make_fingerprints(struct visual *visual, const struct sq_deadline *deadline,
                  struct sq_image_fingerprint *out, struct sq_err *err) {
    const struct sq_shot_reader *reader = visual->source->reader;
    const struct sq_shot_reader each = { .read = read_compared,
                                         .context = visual };
    size_t unreadable;
    return reader->fingerprints
             ? reader->fingerprints(reader->context, visual->indexes,
                                    visual->count, out, err)
             : sq_fingerprints_make(visual->count, &each, deadline, out,
                                    &unreadable, err);
}

static bool
add_scenes(struct visual *visual, const struct sq_deadline *deadline,
           struct sq_segments *out, struct sq_err *err) {
    struct sq_image_fingerprint *fingerprints =
        sq_mem_alloc(visual->count + 1, sizeof(*fingerprints));
    bool ok = (fingerprints || sq_fail_nomem(err))
           && make_fingerprints(visual, deadline, fingerprints, err)
           && find_scenes(visual, fingerprints, out, err);
    sq_mem_free(fingerprints);
    return ok;
}

static bool
visual_read(const struct sq_activity_source *source,
            const struct sq_window *window, const struct sq_deadline *deadline,
            struct sq_segments *out, struct sq_err *err) {
    struct visual visual = { .source = source };
    if (!source->reader) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "the permission of this archive does not allow comparing its "
                "pictures");
        return sq_fail_hint(
            err,
            "Allow its thumbnails: write PATH=thumbnail in archive.roots.");
    }
    if (!window) {
        return true;
    }
    visual.indexes = sq_mem_alloc(MAX_COMPARED, sizeof(*visual.indexes));
    if (!visual.indexes) {
        return sq_fail_nomem(err);
    }
    choose_indexes(&visual);
    bool ok = add_scenes(&visual, deadline, out, err);
    sq_mem_free(visual.indexes);
    return ok;
}

const struct sq_activity_ops sq_activity_visual = {
    .id = "visual",
    .title = "what the pictures show",
    .read = visual_read,
};

/* Derives activity from the pictures of one monitor. */
#include <stdio.h>

#include "archive/activity/activity.h"

#define LAST_PICTURE_S 300 /* time that the last picture of a scene covers */

/* The start of the current scene, and its picture. */
struct scene {
    size_t first;
    size_t reference;
    bool is_pending; /* the previous picture was different */
};

static bool
differ(const struct sq_image_fingerprint *a,
       const struct sq_image_fingerprint *b) {
    return sq_image_fingerprint_distance(a, b) >= SQ_FINGERPRINT_SCENE_BITS;
}

/* Ends the scene before `end`, at most LAST_PICTURE_S after its last picture.
 */
static bool
add_scene(const struct sq_shots *shots, const struct scene *scene, size_t end,
          struct sq_segments *out, struct sq_err *err) {
    char label[32];
    int64_t last = (int64_t)shots->items[end - 1].utc + LAST_PICTURE_S;
    int64_t until = end < shots->count && shots->items[end].utc < last
                      ? shots->items[end].utc
                      : last;
    snprintf(label, sizeof(label), "scene %zu", out->label_count + 1);
    return sq_segments_add(out, shots->items[scene->first].utc, until,
                           sq_span_of(label), err);
}

bool
sq_scenes_find(const struct sq_shots *shots,
               const struct sq_image_fingerprint *fingerprints,
               struct sq_segments *out, struct sq_err *err) {
    struct scene scene = { 0 };
    bool has_scene = false;
    size_t pending = 0;
    for (size_t i = 0; i < shots->count; i++) {
        if (!fingerprints[i].known) {
            continue;
        }
        if (!has_scene) {
            scene = (struct scene){ i, i, false };
            has_scene = true;
        } else if (!differ(&fingerprints[i], &fingerprints[scene.reference])) {
            scene.is_pending = false;
        } else if (scene.is_pending
                   && !differ(&fingerprints[i], &fingerprints[pending])) {
            if (!add_scene(shots, &scene, pending, out, err)) {
                return false;
            }
            scene = (struct scene){ pending, i, false };
        } else {
            scene.is_pending = true;
            pending = i;
        }
    }
    return !has_scene || add_scene(shots, &scene, shots->count, out, err);
}

/* Scenes have no names, so there is nothing to list. */
static bool
visual_read(const struct sq_activity_source *source,
            const struct sq_window *window, const struct sq_deadline *deadline,
            struct sq_segments *out, struct sq_err *err) {
    (void)source;
    (void)window;
    (void)deadline;
    (void)out;
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "archive.activity is visual, and pictures do not tell the names of "
            "activities");
    return sq_fail_hint(err, "Use $list_screenshots, which compares pictures.");
}

const struct sq_activity_ops sq_activity_visual = {
    .id = "visual",
    .title = "what the pictures show",
    .read = visual_read,
};

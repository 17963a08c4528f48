/* Font sizes of the text roles, and line wrapping. */
#include <math.h>

#include "demo/phone/scene.h"

struct role {
    float size_dp;
    float line_dp;
    bool medium;
};

static const struct role roles[SQ_ROLES] = {
    [SQ_BODY] = { 15, 21, false },       [SQ_SMALL] = { 13, 18, false },
    [SQ_CAPTION] = { 11.5f, 16, false }, [SQ_LABEL] = { 14, 20, true },
    [SQ_SUBTITLE] = { 16, 22, true },    [SQ_TITLE] = { 20, 28, true },
    [SQ_HEADLINE] = { 27, 36, false },   [SQ_DISPLAY] = { 44, 54, false },
    [SQ_GIANT] = { 68, 80, false },
};

int
sq_scene_px(const struct sq_scene *scene, double dp) {
    return (int)lrint(dp * scene->density);
}

struct sq_face
sq_scene_face(const struct sq_scene *scene, enum sq_role role) {
    int size = sq_scene_px(scene, (double)roles[role].size_dp);
    return (struct sq_face){ size > 1 ? size : 1, roles[role].medium };
}

int
sq_scene_line_height(const struct sq_scene *scene, enum sq_role role) {
    return sq_scene_px(scene, (double)roles[role].line_dp);
}

static size_t
last_space(struct sq_span text, size_t bytes) {
    while (bytes > 0 && text.ptr[bytes - 1] != ' ') {
        bytes--;
    }
    return bytes;
}

bool
sq_breaker_next(struct sq_breaker *breaker, struct sq_font *type,
                struct sq_span *line, bool *ok, struct sq_err *err) {
    struct sq_span rest = breaker->rest;
    size_t fits = rest.len;
    if (rest.len == 0 || breaker->lines_left == 0) {
        return false;
    }
    if (--breaker->lines_left > 0) {
        *ok = sq_font_fit(type, &breaker->face, rest, breaker->max_width, &fits,
                          err);
        if (!*ok) {
            return false;
        }
    }
    if (fits < rest.len) {
        size_t at = last_space(rest, fits);
        fits = at ? at : fits;
        fits = fits ? fits : rest.len;
    }
    *line = (struct sq_span){ rest.ptr, fits };
    breaker->rest = (struct sq_span){ rest.ptr + fits, rest.len - fits };
    return true;
}

/* The rectangles of a receipt, compared with the demo phone's own pictures. */
#ifndef SQ_TEST_TOOLS_CHANGE_MODEL_H
#define SQ_TEST_TOOLS_CHANGE_MODEL_H

#include "json/reader.h"
#include "session/session.h"
#include "unit/tools/phone_model.h"

static int rects_said[2]; /* receipts with one rectangle, with more */

/* Reads `changed`, which is an object, or an array of several. */
static inline int
read_rects(const struct sq_json *changed, struct sq_rect out[SQ_MAX_RECTS]) {
    bool is_list = sq_json_is(changed, SQ_JSON_ARRAY);
    int count = 0;
    for (const struct sq_json *at = is_list ? sq_json_first(changed) : changed;
         at; at = is_list ? sq_json_next(at) : NULL) {
        int width = 0;
        int height = 0;
        if (!T(count < SQ_MAX_RECTS)) {
            break;
        }
        struct sq_rect *rect = &out[count++];
        T(number(at, "x", &rect->left) && number(at, "y", &rect->top)
          && number(at, "width", &width) && number(at, "height", &height));
        rect->right = rect->left + width;
        rect->bottom = rect->top + height;
    }
    T(!is_list || count > 1);
    rects_said[count > 1]++;
    return count;
}

/* Returns whether every pixel that differs is in a rectangle of the answer. */
static inline bool
check_rects(struct sq_phone *phone, struct sq_session *session,
            const struct sq_json *changed, const uint8_t *const pictures[2]) {
    const struct sq_deadline soon = sq_deadline_in(1000, NULL);
    struct sq_screen screen = { .size = { 1, 1 } };
    struct sq_rect rects[SQ_MAX_RECTS] = { { 0 } };
    struct sq_frame frame;
    int count = read_rects(changed, rects);
    int outside = 0;
    T_OK(sq_device_screen(&phone->base, &screen, &soon, &t_err));
    T_OK(sq_session_view(session, "demo", &screen, &frame, &t_err));
    const struct sq_size shown = frame.view.image;
    for (int i = 0; i < screen.size.width * screen.size.height; i++) {
        struct sq_dev_pt at = { i % screen.size.width, i / screen.size.width };
        if (memcmp(pictures[0] + (size_t)i * SQ_PIXEL_BYTES,
                   pictures[1] + (size_t)i * SQ_PIXEL_BYTES, 3)
            == 0) {
            continue;
        }
        bool is_in = false;
        for (int j = 0; j < count; j++) {
            is_in = is_in
                 || (at.x * shown.width >= rects[j].left * screen.size.width
                     && at.y * shown.height >= rects[j].top * screen.size.height
                     && (at.x + 1) * shown.width
                            <= rects[j].right * screen.size.width
                     && (at.y + 1) * shown.height
                            <= rects[j].bottom * screen.size.height);
        }
        outside += !is_in;
    }
    return T_INT(outside, 0);
}

static inline void
report_rects(int64_t steps) {
    printf("# %d with one rectangle, %d with more\n", rects_said[0],
           rects_said[1]);
    T(rects_said[0] >= steps / 20 && rects_said[1] >= steps / 200);
}

#endif

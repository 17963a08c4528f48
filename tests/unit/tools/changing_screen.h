/* A fake device whose screen changes when it is tapped. */
#ifndef SQ_TEST_TOOLS_CHANGING_SCREEN_H
#define SQ_TEST_TOOLS_CHANGING_SCREEN_H

#include "unit/tools/acting.h"

static struct frame_bytes before;
static struct frame_bytes after;

static inline void
show_after(struct fake_device *fake) {
    frame_show(&after);
}

/* A tap changes `before` to `after`, which differs inside rect. */
static inline void
start_with_change(int width, int height, struct sq_dev_rect rect) {
    acting_start();
    world.device.ops.capture_is_cheap = true;
    frame_make(&before, width, height, 40);
    frame_make(&after, width, height, 40);
    frame_fill(&after, rect, 200);
    frame_show(&before);
    on_action = show_after;
}

static inline void
end_with_change(void) {
    frame_free(&before);
    frame_free(&after);
    acting_end();
}

#endif

/*
 * Frames of a page without its pixels: what its elements are and where, and
 * where its document was changed. A page whose pixels say more, because it
 * draws them itself, has no such frames.
 */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "util/mem.h"
#include "util/minmax.h"

static uint64_t
mix(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* The focus of what takes no text is no change. */
static uint64_t
hash_node(const struct sq_node *node) {
    const struct sq_span texts[] = { node->text, node->desc, node->hint };
    unsigned flags = node->flags & SQ_NODE_EDITABLE
                       ? node->flags
                       : node->flags & ~(unsigned)SQ_NODE_FOCUSED;
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &flags, sizeof(flags));
    hash = mix(hash, &node->bounds, sizeof(node->bounds));
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        hash = mix(hash, texts[i].ptr, texts[i].len);
        hash = mix(hash, "", 1);
    }
    return hash;
}

static struct sq_page_frame *
find_frame(struct sq_browser *browser, uint64_t hash) {
    for (int i = 0; i < SQ_PAGE_FRAMES; i++) {
        if (browser->page_frames[i].hash == hash && hash != 0) {
            return &browser->page_frames[i];
        }
    }
    return NULL;
}

/* Returns the place of a new frame: that of the oldest that is not needed. */
static struct sq_page_frame *
oldest_frame(struct sq_browser *browser, uint64_t needed) {
    struct sq_page_frame *frames = browser->page_frames;
    bool is_first_needed = frames[0].hash != 0 && frames[0].hash == needed;
    struct sq_page_frame *oldest = &frames[is_first_needed];
    for (int i = 1; i < SQ_PAGE_FRAMES; i++) {
        if ((frames[i].hash == 0 || frames[i].hash != needed)
            && frames[i].used < oldest->used) {
            oldest = &frames[i];
        }
    }
    return oldest;
}

/* Makes the parts of a frame. */
static bool
fill(struct sq_page_frame *frame, const struct sq_tree *tree, int changes,
     struct sq_err *err) {
    struct sq_page_part *parts =
        sq_mem_zalloc((size_t)tree->count + 1, sizeof(*parts));
    int count = 0;
    if (!parts) {
        return sq_fail_nomem(err);
    }
    frame->hash = mix(UINT64_C(0xcbf29ce484222325), &changes, sizeof(changes));
    for (const struct sq_node *node = tree->root; node && count < tree->count;
         node = sq_node_after(node)) {
        parts[count] =
            (struct sq_page_part){ node->id, hash_node(node), node->bounds };
        frame->hash = mix(frame->hash, &parts[count], sizeof(parts[count]));
        count++;
    }
    frame->hash |= frame->hash == 0;
    frame->parts = parts;
    frame->count = count;
    frame->changes = changes;
    return true;
}

bool
sq_browser_keep_frame(struct sq_device *device, uint64_t needed,
                      struct sq_kept_frame *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_page_frame frame = { 0 };
    struct sq_screen screen;
    struct sq_tree tree = { 0 };
    const struct sq_page_frame *before = find_frame(browser, needed);
    browser->since = before ? before->changes : browser->changes;
    bool ok = sq_browser_tree(browser, false, &tree, deadline, err);
    sq_browser_describe(browser, &screen);
    /* What began with such a frame ends with one: what draws itself is new. */
    ok = ok
      && (browser->is_watched || find_frame(browser, needed)
          || sq_fail(err, SQ_ERR_UNSUPPORTED, "the page is not watched"))
      && fill(&frame, &tree, browser->changes, err);
    sq_tree_finish(&tree);
    if (!ok) {
        return false;
    }
    frame.hash = mix(frame.hash, screen.app, strlen(screen.app));
    struct sq_page_frame *known = find_frame(browser, frame.hash);
    struct sq_page_frame *place = known ? known : oldest_frame(browser, needed);
    sq_mem_free(place->parts);
    frame.used = ++browser->frame_clock;
    frame.far_changes = browser->far_changes;
    *place = frame;
    *out = (struct sq_kept_frame){ .hash = frame.hash,
                                   .size = screen.size,
                                   .screen = screen };
    return true;
}

bool
sq_browser_watch_frames(struct sq_device *device,
                        const struct sq_frame_watch *watch,
                        struct sq_kept_frame *out, bool *settled,
                        const struct sq_deadline *deadline,
                        struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_page_frame *before = find_frame(browser, watch->before);
    struct sq_err local_err = { 0 };
    if (!before) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "the frame is lost");
    }
    int changes = before->changes;
    int far_changes = before->far_changes;
    /* Another document or a dialog ends the wait. */
    if (!sq_browser_settle(browser, changes, &watch->rule, settled, deadline,
                           &local_err)) {
        if (sq_is_fatal(local_err.code)) {
            return sq_fail_with(err, &local_err);
        }
        *settled = true;
    }
    if (!sq_browser_keep_frame(device, watch->before, out, deadline, err)) {
        return false;
    }
    if (browser->changes == changes && browser->far_changes > far_changes
        && !device->notice[0]) {
        snprintf(device->notice, sizeof(device->notice),
                 "A part of the page that is not on the screen has changed.");
    }
    return true;
}

/* Adds the part of a rectangle that is on the page's screen. */
static void
add_rect(struct sq_eye_areas *into, struct sq_dev_rect rect,
         struct sq_size size) {
    int left = sq_max_int(rect.left, 0);
    int top = sq_max_int(rect.top, 0);
    int width = sq_min_int(rect.right, size.width) - left;
    int height = sq_min_int(rect.bottom, size.height) - top;
    if (width > 0 && height > 0) {
        const struct sq_eye_area area = { (uint32_t)left, (uint32_t)top,
                                          (uint32_t)width, (uint32_t)height };
        sq_eye_areas_add(
            into, area,
            sq_eye_gap((uint32_t)size.width, (uint32_t)size.height));
    }
}

/* Adds what one frame has and the other one does not have in the same way. */
static void
add_differences(const struct sq_page_frame *one,
                const struct sq_page_frame *other, struct sq_size size,
                struct sq_eye_areas *into) {
    int at = 0;
    for (int i = 0; i < one->count; i++) {
        const struct sq_page_part *part = &one->parts[i];
        /* Both are in the order of the document, mostly. */
        int tries = 0;
        while (tries < other->count && other->parts[at].id != part->id) {
            at = (at + 1) % other->count;
            tries++;
        }
        if (tries == other->count || other->parts[at].hash != part->hash) {
            add_rect(into, part->bounds, size);
        }
    }
}

bool
sq_browser_compare_frames(struct sq_device *device,
                          const struct sq_frame_pair *pair,
                          struct sq_eye_areas *where,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_page_frame *before = find_frame(browser, pair->before);
    const struct sq_page_frame *after = find_frame(browser, pair->after);
    const struct sq_size size = browser->size;
    struct sq_eye_areas areas = { 0 };
    (void)deadline;
    if (!before || !after || pair->area.width > 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the frames cannot be compared");
    }
    if (before != after) {
        add_differences(before, after, size, &areas);
        add_differences(after, before, size, &areas);
    }
    if (after->changes != before->changes) {
        add_rect(&areas, browser->changed, size);
    }
    if (before != after && areas.count == 0) {
        add_rect(&areas, (struct sq_dev_rect){ 0, 0, size.width, size.height },
                 size);
    }
    *where = areas;
    return true;
}

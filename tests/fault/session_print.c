#include "fault/session_print.h"

#include <string.h>

#include "session/state.h"

#define FNV_START 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

static void
add(uint64_t *print, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        *print = (*print ^ at[i]) * FNV_PRIME;
    }
}

static void
add_number(uint64_t *print, long number) {
    add(print, &number, sizeof(number));
}

static void
add_frame(uint64_t *print, const struct sq_frame *frame) {
    add(print, frame->id, strlen(frame->id) + 1);
    add(print, frame->device_id, strlen(frame->device_id) + 1);
    add(print, &frame->view, sizeof(frame->view));
    add_number(print, frame->rotation);
    add_number(print, frame->is_region);
    add_number(print, frame->is_default);
}

static void
add_elements(uint64_t *print, const struct sq_element_list *list) {
    add_number(print, list->all.is_known);
    for (size_t i = 0; i < list->all.count; i++) {
        const struct sq_element *item = &list->all.items[i];
        add_number(print, item->index);
        add(print, item->label.ptr, item->label.len);
        add(print, item->type.ptr, item->type.len);
        add(print, item->resource_id.ptr, item->resource_id.len);
        add(print, &item->bounds, sizeof(item->bounds));
        add_number(print, (long)item->flags);
    }
}

uint64_t
session_print(const struct sq_session *session) {
    uint64_t print = FNV_START;
    for (const struct sq_session_device *seen = session->devices; seen;
         seen = seen->next) {
        add_frame(&print, &seen->view);
        add_frame(&print, &seen->latest);
        add_elements(&print, &seen->elements);
    }
    add_number(&print, session->next_frame);
    for (int i = 0; i < session->frame_count; i++) {
        add_frame(&print, &session->frames[i]);
    }
    for (size_t i = 0; i < SQ_SEEN_VIEWS; i++) {
        add(&print, session->views[i], strlen(session->views[i]) + 1);
    }
    return print;
}

/* Writes what a session knows as JSON, and reads it. */
#include "session/session.h"

#include <string.h>

#include "json/reader.h"
#include "json/writer.h"
#include "session/state.h"
#include "util/limits.h"

#define VERSION 1
#define MAX_SAVED 16 /* frames, the newest */
#define MAX_DEVICES 16
#define MAX_ID 1000000000

/* The numbers of a frame, in the order of the array "numbers". */
enum {
    DEVICE_WIDTH,
    DEVICE_HEIGHT,
    IMAGE_WIDTH,
    IMAGE_HEIGHT,
    CROP_LEFT,
    CROP_TOP,
    CROP_RIGHT,
    CROP_BOTTOM,
    ROTATION,
    IS_REGION,
    IS_DEFAULT,
    OTHER_DISPLAY,
    NUMBERS,
};

/* The numbers of a picture that was returned. */
enum {
    SHOWN_WIDTH,
    SHOWN_HEIGHT,
    PART_X,
    PART_Y,
    PART_WIDTH,
    PART_HEIGHT,
    SHOWN_NUMBERS,
};

#define EDGES 4 /* of a box: left, top, right, bottom */

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_key(w, key);
    sq_json_put_string(w, sq_span_of(text));
}

static void
put_numbers(struct sq_json_writer *w, const char *key, const int *numbers,
            int count) {
    sq_json_begin_array_of(w, key);
    for (int i = 0; i < count; i++) {
        sq_json_put_int(w, numbers[i]);
    }
    sq_json_end_array(w);
}

static void
put_frame(const struct sq_frame *frame, struct sq_json_writer *w) {
    const struct sq_view *view = &frame->view;
    const int numbers[NUMBERS] = {
        [DEVICE_WIDTH] = view->device.width,
        [DEVICE_HEIGHT] = view->device.height,
        [IMAGE_WIDTH] = view->image.width,
        [IMAGE_HEIGHT] = view->image.height,
        [CROP_LEFT] = view->crop.left,
        [CROP_TOP] = view->crop.top,
        [CROP_RIGHT] = view->crop.right,
        [CROP_BOTTOM] = view->crop.bottom,
        [ROTATION] = frame->rotation,
        [IS_REGION] = frame->is_region,
        [IS_DEFAULT] = frame->is_default,
        [OTHER_DISPLAY] = frame->other_display,
    };
    sq_json_begin_object(w);
    put_text(w, "id", frame->id);
    put_text(w, "device", frame->device_id);
    put_text(w, "app", frame->app);
    put_numbers(w, "numbers", numbers, NUMBERS);
    if (frame->has_grid) {
        sq_json_put_key(w, "grid");
        sq_json_put_bool(w, true);
    }
    sq_json_end_object(w);
}

/* Writes the frames in use, and the newest of the others, oldest first. */
static void
put_frames(const struct sq_session *session, struct sq_json_writer *w) {
    int count =
        session->frame_count < MAX_SAVED ? session->frame_count : MAX_SAVED;
    sq_json_begin_array_of(w, "frames");
    for (int age = count; age > 0; age--) {
        put_frame(sq_session_frame_at(session, age), w);
    }
    sq_json_end_array(w);
}

/* Writes which frames the devices use; a frame itself, if it has an id. */
static void
put_devices(const struct sq_session *session, struct sq_json_writer *w) {
    int left = MAX_DEVICES;
    sq_json_begin_array_of(w, "devices");
    for (const struct sq_session_device *state = session->devices;
         state && left > 0; state = state->next) {
        if (!state->latest.id[0]) {
            continue;
        }
        sq_json_begin_object(w);
        sq_json_put_key(w, "latest");
        put_frame(&state->latest, w);
        if (state->view.id[0]) {
            sq_json_put_key(w, "view");
            put_frame(&state->view, w);
        }
        sq_json_end_object(w);
        left--;
    }
    sq_json_end_array(w);
}

/* Writes the past screenshots of the latest search and the latest sheet. */
static void
put_past(const struct sq_session *session, struct sq_json_writer *w) {
    const int numbers[] = { session->first_hit, session->last_hit };
    put_numbers(w, "hitNumbers", numbers, 2);
    sq_json_begin_array_of(w, "hits");
    for (size_t i = 0; i < session->hit_count; i++) {
        const struct sq_rect *box = &session->hits[i].box;
        const int edges[EDGES] = { box->left, box->top, box->right,
                                   box->bottom };
        sq_json_begin_object(w);
        put_text(w, "ref", session->hits[i].ref);
        put_text(w, "state", session->hits[i].state);
        put_numbers(w, "box", edges, EDGES);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_json_begin_array_of(w, "cells");
    for (size_t i = 0; i < session->sheet_count; i++) {
        sq_json_begin_object(w);
        put_text(w, "ref", session->sheet[i]);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

/* Writes the sizes of the pictures that were returned, the newest first. */
static void
put_shown(const struct sq_session *session, struct sq_json_writer *w) {
    sq_json_begin_array_of(w, "shown");
    for (int i = 0; i < MAX_SAVED && session->shown[i].ref[0]; i++) {
        const struct sq_shown *shown = &session->shown[i];
        const int numbers[SHOWN_NUMBERS] = {
            [SHOWN_WIDTH] = shown->image.width,
            [SHOWN_HEIGHT] = shown->image.height,
            [PART_X] = shown->part.x,
            [PART_Y] = shown->part.y,
            [PART_WIDTH] = shown->part.width,
            [PART_HEIGHT] = shown->part.height,
        };
        sq_json_begin_object(w);
        put_text(w, "ref", shown->ref);
        put_numbers(w, "numbers", numbers, SHOWN_NUMBERS);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

bool
sq_session_save(struct sq_session *session, int64_t now_s, struct sq_buf *out,
                struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_lock_lock(session->lock);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "squintSession");
    sq_json_put_int(&w, VERSION);
    sq_json_put_key(&w, "savedAt");
    sq_json_put_int(&w, now_s);
    sq_json_put_key(&w, "lastId");
    sq_json_put_int(&w, session->last_id);
    put_frames(session, &w);
    put_devices(session, &w);
    put_past(session, &w);
    put_shown(session, &w);
    sq_json_end_object(&w);
    sq_lock_unlock(session->lock);
    return sq_json_writer_done(&w, err);
}

static bool
read_text(const struct sq_json *value, const char *key, char *out,
          size_t size) {
    struct sq_span text;
    if (!sq_json_string(sq_json_get(value, key), &text) || text.len >= size
        || sq_span_contains(text, '\0')) {
        return false;
    }
    memset(out, 0, size);
    memcpy(out, text.ptr ? text.ptr : "", text.len);
    return true;
}

static bool
read_numbers(const struct sq_json *list, int *out, size_t count) {
    const struct sq_json *item = sq_json_first(list);
    if (!sq_json_is(list, SQ_JSON_ARRAY) || sq_json_count(list) != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++, item = sq_json_next(item)) {
        int64_t number;
        if (!sq_json_int(item, &number) || number < 0 || number > SQ_MAX_SIDE) {
            return false;
        }
        out[i] = (int)number;
    }
    return true;
}

/* A view must not divide by zero, nor lead off the screen. */
static bool
is_view(const struct sq_view *view) {
    return view->device.width > 0 && view->device.height > 0
        && view->image.width > 0 && view->image.height > 0
        && view->crop.left < view->crop.right
        && view->crop.top < view->crop.bottom
        && view->crop.right <= view->device.width
        && view->crop.bottom <= view->device.height;
}

static bool
read_frame(const struct sq_json *value, struct sq_frame *out) {
    struct sq_frame frame = { 0 };
    int n[NUMBERS];
    if (!read_text(value, "id", frame.id, sizeof(frame.id))
        || !sq_session_is_frame_id(sq_span_of(frame.id))
        || !read_text(value, "device", frame.device_id, sizeof(frame.device_id))
        || !frame.device_id[0]
        || !read_text(value, "app", frame.app, sizeof(frame.app))
        || !read_numbers(sq_json_get(value, "numbers"), n, NUMBERS)) {
        return false;
    }
    frame.view = (struct sq_view){
        .device = { n[DEVICE_WIDTH], n[DEVICE_HEIGHT] },
        .image = { n[IMAGE_WIDTH], n[IMAGE_HEIGHT] },
        .crop = { n[CROP_LEFT], n[CROP_TOP], n[CROP_RIGHT], n[CROP_BOTTOM] },
    };
    frame.rotation = n[ROTATION];
    frame.is_region = n[IS_REGION] != 0;
    frame.is_default = n[IS_DEFAULT] != 0;
    frame.other_display = n[OTHER_DISPLAY] != 0;
    frame.has_grid = sq_json_get(value, "grid") != NULL;
    *out = frame;
    return is_view(&frame.view) && frame.rotation < 4;
}

/* Adds one frame, with the state of its device. */
static bool
add_frame(struct sq_session *session, const struct sq_frame *frame,
          struct sq_err *err) {
    sq_lock_lock(session->lock);
    struct sq_session_device *state;
    bool ok = sq_session_device_get(session, frame->device_id, &state, err);
    sq_lock_unlock(session->lock);
    if (ok) {
        sq_session_add_frame(session, frame);
    }
    return ok;
}

/* Reads a list of frames; `add` adds them. */
static bool
read_frames(const struct sq_json *list, struct sq_session *session, bool add,
            struct sq_err *err) {
    if (!sq_json_is(list, SQ_JSON_ARRAY) || sq_json_count(list) > MAX_SAVED) {
        return sq_fail(err, SQ_ERR_FORMAT, "the list of pictures is wrong");
    }
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        struct sq_frame frame;
        if (!read_frame(item, &frame)) {
            return sq_fail(err, SQ_ERR_FORMAT, "a saved picture is wrong");
        }
        if (add && !add_frame(session, &frame, err)) {
            return false;
        }
    }
    return true;
}

/* The view comes first: the latest frame is the last one that is added. */
static bool
read_devices(const struct sq_json *list, struct sq_session *session, bool add,
             struct sq_err *err) {
    if (!sq_json_is(list, SQ_JSON_ARRAY) || sq_json_count(list) > MAX_DEVICES) {
        return sq_fail(err, SQ_ERR_FORMAT, "the list of devices is wrong");
    }
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        const struct sq_json *view = sq_json_get(item, "view");
        struct sq_frame frames[2];
        if ((view && !read_frame(view, &frames[0]))
            || !read_frame(sq_json_get(item, "latest"), &frames[1])) {
            return sq_fail(err, SQ_ERR_FORMAT, "a saved picture is wrong");
        }
        if (add
            && ((view && !add_frame(session, &frames[0], err))
                || !add_frame(session, &frames[1], err))) {
            return false;
        }
    }
    return true;
}

/*
 * Reads the hits; a text of an earlier version has none, or no numbers of them,
 * which then begin with 1.
 */
static bool
read_hits(const struct sq_json *json, struct sq_session *session, bool add,
          struct sq_err *err) {
    const struct sq_json *list = sq_json_get(json, "hits");
    struct sq_session_hit hits[SQ_SESSION_HITS];
    size_t count = 0;
    int numbers[] = { 1, SQ_SESSION_HITS };
    if (!read_numbers(sq_json_get(json, "hitNumbers"), numbers, 2)
        || numbers[0] < 0 || numbers[1] > SQ_SESSION_HIT_NUMBERS
        || numbers[0] > numbers[1] + 1) {
        numbers[0] = 1;
        numbers[1] = SQ_SESSION_HITS;
    }
    if (sq_json_count(list) > SQ_SESSION_HITS) {
        return sq_fail(err, SQ_ERR_FORMAT, "the list of hits is wrong");
    }
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        struct sq_session_hit *hit = &hits[count++];
        int edges[EDGES];
        if (!read_text(item, "state", hit->state, sizeof(hit->state))) {
            hit->state[0] = '\0'; /* of an earlier version */
        }
        if (!read_text(item, "ref", hit->ref, sizeof(hit->ref))
            || !read_numbers(sq_json_get(item, "box"), edges, EDGES)) {
            return sq_fail(err, SQ_ERR_FORMAT, "a saved hit is wrong");
        }
        hit->box = (struct sq_rect){ edges[0], edges[1], edges[2], edges[3] };
    }
    if (add) {
        sq_session_set_hits(session, numbers[0], hits, count);
        sq_lock_lock(session->lock);
        session->last_hit = numbers[1];
        sq_lock_unlock(session->lock);
    }
    return true;
}

/* Reads the cells; a text of an earlier version has none. */
static bool
read_cells(const struct sq_json *list, struct sq_session *session, bool add,
           struct sq_err *err) {
    char refs[SQ_SHEET_CELLS][SQ_REF_SIZE];
    size_t count = 0;
    if (sq_json_count(list) > SQ_SHEET_CELLS) {
        return sq_fail(err, SQ_ERR_FORMAT, "the list of cells is wrong");
    }
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        if (!read_text(item, "ref", refs[count], sizeof(refs[count]))) {
            return sq_fail(err, SQ_ERR_FORMAT, "a saved cell is wrong");
        }
        count++;
    }
    if (add) {
        sq_session_set_sheet(session, (const char(*)[SQ_REF_SIZE])refs, count);
    }
    return true;
}

static bool
read_shown_one(const struct sq_json *item, struct sq_shown *out) {
    int n[SHOWN_NUMBERS];
    if (!read_text(item, "ref", out->ref, sizeof(out->ref)) || !out->ref[0]
        || !read_numbers(sq_json_get(item, "numbers"), n, SHOWN_NUMBERS)) {
        return false;
    }
    out->image = (struct sq_size){ n[SHOWN_WIDTH], n[SHOWN_HEIGHT] };
    out->part = (struct sq_region){ n[PART_X], n[PART_Y], n[PART_WIDTH],
                                    n[PART_HEIGHT] };
    return out->image.width > 0 && out->image.height > 0
        && (out->part.width > 0) == (out->part.height > 0);
}

/* Reads the returned pictures; a text of an earlier version has none. */
static bool
read_shown(const struct sq_json *list, struct sq_session *session, bool add,
           struct sq_err *err) {
    struct sq_shown shown[MAX_SAVED];
    size_t count = 0;
    if (sq_json_count(list) > MAX_SAVED) {
        return sq_fail(err, SQ_ERR_FORMAT, "the list of pictures is wrong");
    }
    for (const struct sq_json *item = sq_json_first(list); item;
         item = sq_json_next(item)) {
        if (!read_shown_one(item, &shown[count++])) {
            return sq_fail(err, SQ_ERR_FORMAT, "a returned picture is wrong");
        }
    }
    while (add && count > 0) { /* the newest is added last */
        count--;
        sq_session_set_shown(session, sq_span_of(shown[count].ref),
                             shown[count].image, shown[count].part);
    }
    return true;
}

static bool
check_head(const struct sq_json *json, int64_t now_s, int64_t *last_id,
           bool *is_old, struct sq_err *err) {
    int64_t version = 0;
    int64_t saved_at = 0;
    if (!sq_json_int(sq_json_get(json, "squintSession"), &version)
        || !sq_json_int(sq_json_get(json, "savedAt"), &saved_at)
        || !sq_json_int(sq_json_get(json, "lastId"), last_id) || *last_id < 0
        || *last_id > MAX_ID) {
        return sq_fail(err, SQ_ERR_FORMAT, "it is not a saved session");
    }
    *is_old = saved_at > now_s || saved_at < now_s - SQ_SESSION_MAX_AGE_S;
    return version == VERSION
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the saved session has another version");
}

bool
sq_session_restore(struct sq_session *session, int64_t now_s,
                   struct sq_span text, struct sq_err *err) {
    struct sq_arena arena;
    const struct sq_json *json;
    int64_t last_id = 0;
    bool is_old = false;
    sq_arena_init(&arena, 16 * SQ_SESSION_STATE_MAX);
    bool ok = sq_json_parse(text, &arena, &json, err)
           && check_head(json, now_s, &last_id, &is_old, err);
    /* Everything is checked before anything is added. */
    for (int add = 0; ok && !is_old && add < 2; add++) {
        ok = read_frames(sq_json_get(json, "frames"), session, add, err)
          && read_devices(sq_json_get(json, "devices"), session, add, err)
          && read_hits(json, session, add, err)
          && read_cells(sq_json_get(json, "cells"), session, add, err)
          && read_shown(sq_json_get(json, "shown"), session, add, err);
    }
    if (ok) {
        sq_lock_lock(session->lock);
        session->last_id = (long)last_id;
        sq_lock_unlock(session->lock);
    }
    sq_arena_finish(&arena);
    return ok;
}

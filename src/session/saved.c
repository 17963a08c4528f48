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

/* The array "numbers" of a frame: those of its view, then these. */
enum {
    ROTATION = SQ_VIEW_NUMBERS,
    IS_REGION,
    IS_DEFAULT,
    OTHER_DISPLAY,
    NUMBERS,
};

#define EDGES 4         /* of a box: left, top, right, bottom */
#define SHOWN_NUMBERS 6 /* of a returned picture: its size, then its part */

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_string(sq_json_at(w, key), sq_span_of(text));
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
    int numbers[NUMBERS];
    memcpy(numbers, &frame->view, sizeof(frame->view));
    numbers[ROTATION] = frame->rotation;
    numbers[IS_REGION] = frame->is_region;
    numbers[IS_DEFAULT] = frame->is_default;
    numbers[OTHER_DISPLAY] = frame->other_display;
    sq_json_begin_object(w);
    put_text(w, "id", frame->id);
    put_text(w, "device", frame->device_id);
    put_text(w, "app", frame->app);
    put_numbers(w, "numbers", numbers, NUMBERS);
    if (frame->has_grid) {
        sq_json_put_bool(sq_json_at(w, "grid"), true);
    }
    sq_json_end_object(w);
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
            shown->image.width, shown->image.height, shown->part.x,
            shown->part.y,      shown->part.width,   shown->part.height,
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
    int frames =
        session->frame_count < MAX_SAVED ? session->frame_count : MAX_SAVED;
    sq_json_begin_object(&w);
    sq_json_put_int(sq_json_at(&w, "squintSession"), VERSION);
    sq_json_put_int(sq_json_at(&w, "savedAt"), now_s);
    sq_json_put_int(sq_json_at(&w, "lastId"), session->last_id);
    sq_json_begin_array_of(&w, "frames"); /* the oldest first */
    for (int age = frames; age > 0; age--) {
        put_frame(sq_session_frame_at(session, age), &w);
    }
    sq_json_end_array(&w);
    /* Writes which frames the devices use; a frame itself, if it has an id. */
    int left = MAX_DEVICES;
    sq_json_begin_array_of(&w, "devices");
    for (const struct sq_session_device *state = session->devices;
         state && left > 0; state = state->next) {
        if (!state->latest.id[0]) {
            continue;
        }
        sq_json_begin_object(&w);
        sq_json_put_key(&w, "latest");
        put_frame(&state->latest, &w);
        if (state->view.id[0]) {
            sq_json_put_key(&w, "view");
            put_frame(&state->view, &w);
        }
        sq_json_end_object(&w);
        left--;
    }
    sq_json_end_array(&w);
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
read_numbers(const struct sq_json *value, const char *key, int *out,
             size_t count) {
    const struct sq_json *list = sq_json_get(value, key);
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

/*
 * Each of these reads an item of a list and, with `add`, makes it a part of the
 * session, which is new. They return false for a wrong item; *err is set if out
 * of memory.
 */

/* Adds a frame with the state of its device. */
static bool
read_frame(const struct sq_json *item, struct sq_session *session, bool add,
           struct sq_err *err) {
    struct sq_frame frame = { 0 };
    struct sq_session_device *state;
    int n[NUMBERS];
    if (!read_text(item, "id", frame.id, sizeof(frame.id))
        || !sq_session_is_frame_id(sq_span_of(frame.id))
        || !read_text(item, "device", frame.device_id, sizeof(frame.device_id))
        || !frame.device_id[0]
        || !read_text(item, "app", frame.app, sizeof(frame.app))
        || !read_numbers(item, "numbers", n, NUMBERS)) {
        return false;
    }
    memcpy(&frame.view, n, sizeof(frame.view));
    frame.rotation = n[ROTATION];
    frame.is_region = n[IS_REGION] != 0;
    frame.is_default = n[IS_DEFAULT] != 0;
    frame.other_display = n[OTHER_DISPLAY] != 0;
    frame.has_grid = sq_json_get(item, "grid") != NULL;
    if (!is_view(&frame.view) || frame.rotation >= 4 || !add) {
        return is_view(&frame.view) && frame.rotation < 4;
    }
    sq_lock_lock(session->lock);
    bool ok = sq_session_device_get(session, frame.device_id, &state, err);
    sq_lock_unlock(session->lock);
    if (ok) {
        sq_session_add_frame(session, &frame);
    }
    return ok;
}

/* The view comes first: the latest frame is the last one that is added. */
static bool
read_device(const struct sq_json *item, struct sq_session *session, bool add,
            struct sq_err *err) {
    const struct sq_json *view = sq_json_get(item, "view");
    return (!view || read_frame(view, session, add, err))
        && read_frame(sq_json_get(item, "latest"), session, add, err);
}

static bool
read_hit(const struct sq_json *item, struct sq_session *session, bool add,
         struct sq_err *err) {
    struct sq_session_hit hit = { 0 };
    int edges[EDGES];
    (void)err;
    /* An earlier version wrote no state. */
    read_text(item, "state", hit.state, sizeof(hit.state));
    if (!read_text(item, "ref", hit.ref, sizeof(hit.ref))
        || !read_numbers(item, "box", edges, EDGES)) {
        return false;
    }
    hit.box = (struct sq_rect){ edges[0], edges[1], edges[2], edges[3] };
    if (add) {
        session->hits[session->hit_count++] = hit;
    }
    return true;
}

static bool
read_cell(const struct sq_json *item, struct sq_session *session, bool add,
          struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    (void)err;
    if (!read_text(item, "ref", ref, sizeof(ref))) {
        return false;
    }
    if (add) {
        memcpy(session->sheet[session->sheet_count++], ref, sizeof(ref));
    }
    return true;
}

static bool
read_shown(const struct sq_json *item, struct sq_session *session, bool add,
           struct sq_err *err) {
    struct sq_shown shown = { 0 };
    int n[SHOWN_NUMBERS];
    (void)err;
    if (!read_text(item, "ref", shown.ref, sizeof(shown.ref)) || !shown.ref[0]
        || !read_numbers(item, "numbers", n, SHOWN_NUMBERS)) {
        return false;
    }
    shown.image = (struct sq_size){ n[0], n[1] };
    shown.part = (struct sq_region){ n[2], n[3], n[4], n[5] };
    for (struct sq_shown *slot = session->shown; add; slot++) {
        if (!slot->ref[0]) {
            *slot = shown;
            break;
        }
    }
    return shown.image.width > 0 && shown.image.height > 0
        && (shown.part.width > 0) == (shown.part.height > 0);
}

static const struct list {
    const char *key;
    size_t max;
    bool is_optional; /* a text of an earlier version has none */
    bool (*read)(const struct sq_json *item, struct sq_session *session,
                 bool add, struct sq_err *err);
} lists[] = {
    { "frames", MAX_SAVED, false, read_frame },
    { "devices", MAX_DEVICES, false, read_device },
    { "hits", SQ_SESSION_HITS, true, read_hit },
    { "cells", SQ_SHEET_CELLS, true, read_cell },
    { "shown", MAX_SAVED, true, read_shown },
};

_Static_assert(MAX_SAVED < SQ_SHOWN_PICTURES, "a slot stays free");

static bool
read_list(const struct list *list, const struct sq_json *json,
          struct sq_session *session, bool add, struct sq_err *err) {
    const struct sq_json *items = sq_json_get(json, list->key);
    struct sq_err local_err = { 0 };
    bool ok = sq_json_count(items) <= list->max
           && (list->is_optional || sq_json_is(items, SQ_JSON_ARRAY));
    for (const struct sq_json *item = sq_json_first(items); ok && item;
         item = sq_json_next(item)) {
        ok = list->read(item, session, add, &local_err);
    }
    return ok
        || (local_err.code
                ? sq_fail_with(err, &local_err)
                : sq_fail(err, SQ_ERR_FORMAT, "the saved list \"%s\" is wrong",
                          list->key));
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
    const struct sq_json *json;
    int64_t last_id = 0;
    bool is_old = false;
    int hits[2]; /* the first and last number; an earlier version has none */
    SQ_ARENA(arena, 16 * SQ_SESSION_STATE_MAX);
    bool ok = sq_json_parse(text, &arena, &json, err)
           && check_head(json, now_s, &last_id, &is_old, err);
    /* Everything is checked before anything is added. */
    for (int add = 0; ok && !is_old && add < 2; add++) {
        if (add) {
            session->hit_count = 0;
            session->sheet_count = 0;
            memset(session->shown, 0, sizeof(session->shown));
        }
        for (size_t i = 0; ok && i < SQ_COUNT(lists); i++) {
            ok = read_list(&lists[i], json, session, add, err);
        }
    }
    if (ok) {
        bool has_numbers = read_numbers(json, "hitNumbers", hits, 2)
                        && hits[1] <= SQ_SESSION_HIT_NUMBERS
                        && hits[0] <= hits[1] + 1;
        sq_lock_lock(session->lock);
        session->last_id = (long)last_id;
        if (!is_old) {
            session->first_hit = has_numbers ? hits[0] : 1;
            session->last_hit = has_numbers ? hits[1] : SQ_SESSION_HITS;
        }
        sq_lock_unlock(session->lock);
    }
    return ok;
}

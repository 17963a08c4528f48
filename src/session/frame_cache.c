/* Stores compact copies of recent full-screen captures. */
#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "session/state.h"

bool
sq_stored_frame_make(const struct sq_buf *capture, struct sq_stored_frame *out,
                     struct sq_err *err) {
    struct sq_stored_frame held = { 0 };
    struct sq_size size;
    struct sq_frame_hash hash = { 0 };
    struct sq_err local_err = { 0 };
    held.hash = sq_frame_hash_end(&hash, capture->data, capture->len);
    sq_buf_init(&held.bytes, SQ_STORED_FRAME_BYTES);
    held.is_packed = sq_raw_sniff(capture->data, capture->len);
    bool ok = held.is_packed
                ? sq_codec_size(capture->data, capture->len, &size, &local_err)
                      && sq_pack(capture->data, capture->len,
                                 (size_t)size.width, &held.bytes, &local_err)
                : sq_buf_append(&held.bytes, capture->data, capture->len,
                                &local_err);
    if (ok) {
        *out = held;
        return true;
    }
    sq_buf_finish(&held.bytes);
    return local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

void
sq_stored_frame_finish(struct sq_stored_frame *held) {
    sq_buf_finish(&held->bytes);
    *held = (struct sq_stored_frame){ 0 };
}

static void
pack_received(struct sq_stored_frame_tee *tee) {
    struct sq_err err = { 0 };
    size_t received =
        tee->incoming.count < tee->total ? tee->incoming.count : tee->total;
    if (tee->total == 0 || tee->failed != SQ_ERR_NONE) {
        return;
    }
    sq_frame_hash_add(&tee->hash, tee->incoming.bytes, received);
    if (!sq_packer_advance(&tee->packer, received, &err)) {
        tee->failed = err.code;
    }
}

static bool
tee_await(struct sq_incoming *incoming, size_t count, struct sq_err *err) {
    struct sq_stored_frame_tee *tee = (struct sq_stored_frame_tee *)incoming;
    bool ok = tee->from->await(tee->from, count, err);
    incoming->bytes = tee->from->bytes;
    incoming->count = tee->from->count;
    pack_received(tee);
    return ok;
}

static bool
tee_expect(struct sq_incoming *incoming, size_t total, struct sq_err *err) {
    struct sq_stored_frame_tee *tee = (struct sq_stored_frame_tee *)incoming;
    struct sq_err local_err = { 0 };
    if (!tee->from->expect(tee->from, total, err)) {
        return false;
    }
    incoming->bytes = tee->from->bytes;
    tee->total = total;
    if (!sq_packer_begin(&tee->packer, incoming->bytes, total,
                         sq_raw_width(incoming->bytes), &tee->held.bytes,
                         &local_err)) {
        tee->failed = local_err.code;
    }
    return true;
}

void
sq_stored_frame_tee_init(struct sq_stored_frame_tee *tee,
                         struct sq_incoming *from) {
    *tee = (struct sq_stored_frame_tee){
        .incoming = { .bytes = from->bytes,
                      .count = from->count,
                      .await = tee_await,
                      .expect = tee_expect },
        .from = from,
        .held = { .is_packed = true },
    };
    sq_buf_init(&tee->held.bytes, SQ_STORED_FRAME_BYTES);
}

bool
sq_stored_frame_tee_end(struct sq_stored_frame_tee *tee,
                        struct sq_stored_frame *out) {
    struct sq_err err = { 0 };
    bool whole = tee->total > 0 && tee->incoming.count >= tee->total;
    if (whole && tee->failed == SQ_ERR_NONE) {
        if (sq_packer_end(&tee->packer, &err)) {
            tee->held.hash =
                sq_frame_hash_end(&tee->hash, tee->incoming.bytes, tee->total);
            *out = tee->held;
            return true;
        }
        tee->failed = err.code;
    }
    sq_buf_finish(&tee->held.bytes);
    return whole && tee->failed == SQ_ERR_LIMIT;
}

void
sq_session_release_held(struct sq_session *session) {
    for (int i = 0; i < SQ_HELD_FRAMES; i++) {
        sq_stored_frame_finish(&session->held[i].held);
    }
}

void
sq_session_store_frame(struct sq_session *session, const char *frame_id,
                       struct sq_stored_frame *held) {
    if (held->bytes.len == 0 && !held->place.device_id[0]) {
        return;
    }
    session = sq_session_store(session);
    sq_lock_lock(session->lock);
    sq_stored_frame_finish(&session->held[SQ_HELD_FRAMES - 1].held);
    memmove(session->held + 1, session->held,
            sizeof(session->held) - sizeof(session->held[0]));
    session->held[0] = (struct sq_cached_frame){ .held = *held };
    snprintf(session->held[0].id, sizeof(session->held[0].id), "%s", frame_id);
    *held = (struct sq_stored_frame){ 0 };
    /* Frees the oldest frames until the total size is below the limit. */
    size_t total = 0;
    for (int i = 0; i < SQ_HELD_FRAMES; i++) {
        struct sq_cached_frame *frame = &session->held[i];
        total += frame->held.bytes.len;
        if (total > SQ_STORED_FRAME_BYTES) {
            sq_stored_frame_finish(&frame->held);
            frame->id[0] = '\0';
        }
    }
    sq_lock_unlock(session->lock);
}

static const struct sq_stored_frame *
find(const struct sq_session *session, struct sq_span frame_id) {
    for (int i = 0; i < SQ_HELD_FRAMES; i++) {
        const struct sq_cached_frame *frame = &session->held[i];
        if (frame->id[0] && sq_span_is(frame_id, frame->id)) {
            return &frame->held;
        }
    }
    return NULL;
}

struct sq_stored_frame
sq_session_stored_frame(struct sq_session *session, struct sq_span frame_id) {
    struct sq_stored_frame known = { 0 };
    session = sq_session_store(session);
    sq_lock_lock(session->lock);
    const struct sq_stored_frame *held = find(session, frame_id);
    if (held) {
        known = *held;
        known.bytes = (struct sq_buf){ 0 };
    }
    sq_lock_unlock(session->lock);
    return known;
}

/* What is known about an id whose pixels are not stored. */
enum absence {
    NEVER_GIVEN, /* to this client, or not with this key */
    NOT_WHOLE,   /* only pictures of the whole screen are stored */
    DROPPED,
    ELSEWHERE, /* dropped, or made by another process */
};

/* Returns whether the session has given that id to a frame. */
static bool
was_given(const struct sq_session *session, struct sq_span id) {
    int64_t number;
    return sq_span_take_prefix(&id, "s") && sq_span_take_int64(&id, &number)
        && id.len == 0 && number >= 1 && number <= session->last_id;
}

static bool
fail_not_stored(struct sq_session *session, struct sq_span id,
                struct sq_err *err) {
    static const char *const reasons[] = {
        [NEVER_GIVEN] = "is unknown: no picture with this id was returned to "
                        "this client",
        [NOT_WHOLE] = "is not the id of a picture of the whole screen, and "
                      "only the pixels of such pictures are stored",
        [DROPPED] = "was not a picture, or its pixels are no longer stored",
        [ELSEWHERE] = "is known, but its pixels are not stored here: they "
                      "were dropped, or another process made the picture",
    };
    struct sq_frame opened;
    sq_lock_lock(session->lock);
    const struct sq_frame *frame = sq_session_find_frame(session, id);
    if (!frame && session->has_key
        && sq_portable_frame_read(session->key, id, NULL, NULL, &opened)) {
        frame = &opened;
    }
    enum absence absence = frame && (frame->is_region || frame->is_default)
                             ? NOT_WHOLE
                         : session->has_key ? ELSEWHERE
                                            : DROPPED;
    if (!frame && (session->has_key || !was_given(session, id))) {
        absence = NEVER_GIVEN;
    }
    sq_lock_unlock(session->lock);
    int shown = id.len < SQ_FRAME_ID_SIZE ? (int)id.len : SQ_FRAME_ID_SIZE;
    sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT, "\"%.*s\" %s", shown, id.ptr,
            reasons[absence]);
    if (absence == NEVER_GIVEN) {
        return sq_fail_hint(err,
                            "Take a screenshot and use its $screenshotId.");
    }
    return sq_fail_hint(err,
                        "Only the latest few full screenshots are stored. Take "
                        "a new one, or one of the region you want.");
}

bool
sq_session_read_frame(struct sq_session *session, struct sq_span frame_id,
                      struct sq_buf *out, struct sq_err *err) {
    struct sq_session *store = sq_session_store(session);
    sq_lock_lock(store->lock);
    const struct sq_stored_frame *held = find(store, frame_id);
    bool has_bytes = held && held->bytes.len > 0;
    bool ok =
        has_bytes
        && (held->is_packed
                ? sq_unpack(held->bytes.data, held->bytes.len, out, err)
                : sq_buf_append(out, held->bytes.data, held->bytes.len, err));
    sq_lock_unlock(store->lock);
    return has_bytes ? ok : fail_not_stored(session, frame_id, err);
}

/* Finds out what has changed after an answer that looked. */
#include "tools/screen/late_change.h"

#include "image/pipeline/codec.h"
#include "image/pipeline/pack.h"
#include "sys/clock.h"
#include "tools/elements/listing.h"
#include "tools/elements/target.h"
#include "tools/screen/word_change.h"
#include "util/limits.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000

/* Apps may react for so long to what another client did. */
#define LATE_NS ((int64_t)3000000000)

/* A look that takes longer is not repeated in the background. */
#define CHEAP_LOOK_MS 60

/* Returns the look of this client, or NULL if it did not act last. */
static struct sq_last_look *
own_look(struct sq_device *device, uint64_t client) {
    struct sq_last_look *look = &device->look;
    return look->acted_ns && look->client == client
                && look->change == device->change
             ? look
             : NULL;
}

void
sq_late_change_acted(struct sq_call *call, int64_t begun_ns, int look_ms,
                     bool has_change) {
    struct sq_device *device = call->device;
    const struct sq_last_look *last = &device->look;
    const int64_t other_ns =
        last->client == call->client_number ? last->other_ns : last->acted_ns;
    call->other_may_react =
        has_change && other_ns && begun_ns - other_ns < LATE_NS;
    sq_buf_finish(&device->look.frame);
    device->look = (struct sq_last_look){
        .other_ns = other_ns,
        .client = call->client_number,
        .change = device->change,
        .acted_ns = call->is_alone ? 0 : begun_ns,
        .is_cheap = device->ops->elements_are_instant
                 || (look_ms >= 0 && look_ms <= CHEAP_LOOK_MS),
    };
}

/* Remembers a capture; its bytes are those of the frame, or scaled. */
static void
remember(struct sq_last_look *look, const struct sq_capture *capture,
         uint64_t hash) {
    struct sq_stored_frame held = { 0 };
    if (look->hash == hash) {
        return;
    }
    sq_buf_finish(&look->frame);
    if (capture->bytes.len > 0 && capture->scaled.hash == 0) {
        sq_stored_frame_make(&capture->bytes, &held, NULL);
    }
    look->hash = hash;
    look->frame = held.bytes;
    look->is_packed = held.is_packed;
}

void
sq_late_change_remember(struct sq_call *call, const struct sq_watch *watch) {
    struct sq_last_look *look = own_look(call->device, call->client_number);
    if (look && watch->has_after) {
        remember(look, &watch->after, watch->after_hash);
    }
}

/* Finds where two pictures differ; everywhere if the screen has turned. */
static bool
compare_pictures(struct sq_device *device, const struct sq_buf *before,
                 const struct sq_capture *capture,
                 const struct sq_deadline *deadline,
                 struct sq_late_change *out) {
    const struct sq_region all = { 0 };
    SQ_FREED(sq_watch_finish) struct sq_watch again = { .needs_pixels = true };
    struct sq_size size;
    bool ok = sq_codec_size(before->data, before->len, &size, NULL)
           && sq_codec_size(capture->bytes.data, capture->bytes.len,
                            &out->picture, NULL);
    bool is_wide = out->picture.width > out->picture.height;
    if (ok && is_wide != (size.width > size.height)) {
        const struct sq_eye_area all_of_it = { 0, 0,
                                               (uint32_t)out->picture.width,
                                               (uint32_t)out->picture.height };
        sq_eye_areas_add(&out->where, all_of_it, 0);
    } else if (ok && out->picture.width == size.width) {
        ok = sq_captures_compare(before, &capture->bytes, all, &out->where,
                                 NULL);
    } else if (ok) {
        /* An emulator has scaled one of them: take one of the same size. */
        again.max_side = sq_size_long_side(size);
        out->picture = size;
        ok = sq_watch_begin(&again, device, deadline, NULL)
          && sq_captures_compare(before, &again.before.bytes, all, &out->where,
                                 NULL);
    }
    return ok;
}

/* Compares with the bytes of the last look. */
static bool
compare_with_bytes(struct sq_device *device, const struct sq_capture *capture,
                   const struct sq_deadline *deadline,
                   struct sq_late_change *out) {
    const struct sq_last_look *last = &device->look;
    if (!last->is_packed) {
        return compare_pictures(device, &last->frame, capture, deadline, out);
    }
    SQ_BUF(bytes, SQ_MAX_IMAGE_BYTES);
    return sq_unpack(last->frame.data, last->frame.len, &bytes, NULL)
        && compare_pictures(device, &bytes, capture, deadline, out);
}

/*
 * Finds where the frame of a look and a capture differ. If only one of them has
 * pixels, another frame is taken that can be compared.
 */
static bool
find_difference(struct sq_device *device, const struct sq_capture *capture,
                const struct sq_deadline *deadline,
                struct sq_late_change *out) {
    const struct sq_last_look *last = &device->look;
    struct sq_frame_pair pair = { .before = last->hash,
                                  .after = capture->scaled.hash };
    struct sq_kept_frame now;
    out->picture = capture->scaled.frame;
    if (pair.after == 0 && last->frame.len == 0
        && sq_device_keep_frame(device, last->hash, &now, deadline, NULL)) {
        pair.after = now.hash;
        out->picture = now.size;
    }
    if (pair.after != 0
        && sq_device_compare_frames(device, &pair, &out->where, deadline,
                                    NULL)) {
        return true;
    }
    if (last->frame.len == 0 || capture->bytes.len > 0) {
        return last->frame.len > 0 && capture->scaled.hash == 0
            && compare_with_bytes(device, capture, deadline, out);
    }
    SQ_FREED(sq_watch_finish) struct sq_watch again = { .needs_pixels = true };
    return sq_watch_begin(&again, device, deadline, NULL)
        && compare_with_bytes(device, &again.before, deadline, out);
}

/* Adds a change to what has still to be reported. */
static void
add_change(struct sq_late_change *untold, struct sq_late_change change) {
    const struct sq_size size = change.picture;
    if (untold->where.count > 0) {
        change.after_ms = untold->after_ms;
    }
    if (sq_size_equal(untold->picture, size)) {
        for (uint32_t i = 0; i < untold->where.count; i++) {
            sq_eye_areas_add(
                &change.where, untold->where.items[i],
                sq_eye_gap((uint32_t)size.width, (uint32_t)size.height));
        }
    }
    *untold = change;
}

/*
 * Compares a capture with the last one, and remembers it. after_ms is when the
 * capture was made, 0 if that is not told.
 */
static void
compare(struct sq_device *device, const struct sq_capture *capture,
        uint64_t hash, int after_ms, const struct sq_deadline *deadline) {
    struct sq_late_change change = { .screen = capture->screen,
                                     .after_ms = after_ms };
    /* Equal screens may have different hashes: their captures are compared. */
    if (device->look.hash != 0 && device->look.hash != hash
        && find_difference(device, capture, deadline, &change)
        && change.where.count > 0) {
        add_change(&device->look.untold, change);
    }
    remember(&device->look, capture, hash);
}

static void
compare_in(struct sq_call *call, const struct sq_capture *capture,
           uint64_t hash, const struct sq_deadline *deadline) {
    struct sq_last_look *look = own_look(call->device, call->client_number);
    if (look && call->has_receipt) {
        remember(look, capture, hash); /* the answer shows it */
    } else if (look) {
        compare(call->device, capture, hash, 0, deadline);
        sq_late_change_report(call, NULL);
    }
}

void
sq_late_change_look(struct sq_call *call, const struct sq_capture *capture,
                    const struct sq_deadline *deadline) {
    if (!capture->other_display && !capture->secure) {
        compare_in(call, capture,
                   capture->scaled.hash ? capture->scaled.hash
                                        : sq_capture_hash(&capture->bytes),
                   deadline);
    }
}

/* Returns the first frame of a watch. Its bytes belong to the watch. */
static struct sq_capture
first_frame(const struct sq_watch *watch) {
    return watch->is_kept
             ? (struct sq_capture){ .screen = watch->before.screen,
                                    .scaled = { .hash = watch->before_hash,
                                                .frame = watch->kept_size } }
             : watch->before;
}

void
sq_late_change_look_first(struct sq_call *call, const struct sq_watch *watch,
                          const struct sq_deadline *deadline) {
    const struct sq_capture first = first_frame(watch);
    compare_in(call, &first, watch->before_hash, deadline);
}

bool
sq_late_change_look_again(struct sq_device *device, uint64_t client,
                          const struct sq_deadline *deadline) {
    const struct sq_last_look *look = own_look(device, client);
    if (!look || look->hash == 0) {
        return false;
    }
    enum sq_drawn drawn = sq_device_drawn(device, deadline);
    if (drawn >= SQ_DRAWN_PROBABLY_NOTHING) {
        return true;
    }
    if (!look->is_cheap && drawn != SQ_DRAWN_SOMETHING) {
        return false;
    }
    /* The device keeps the frame to compare with. */
    SQ_FREED(sq_watch_finish)
    struct sq_watch watch = { .before_hash = look->hash };
    bool ok = sq_watch_begin(&watch, device, deadline, NULL);
    if (ok) {
        const struct sq_capture first = first_frame(&watch);
        int64_t passed_ns = sq_clock_monotonic_ns() - look->acted_ns;
        compare(device, &first, watch.before_hash, (int)(passed_ns / NS_PER_MS),
                deadline);
    }
    return ok && look->is_cheap; /* a slow capture is taken once */
}

bool
sq_late_change_is_awaited(const struct sq_call *call) {
    const struct sq_last_look *look =
        call->device ? own_look(call->device, call->client_number) : NULL;
    return look && look->hash != 0;
}

/*
 * Finds the words that differ from the elements that were read last, if that
 * was after the action, and remembers those that are there now.
 */
static void
find_words(struct sq_call *call) {
    struct sq_device *device = call->device;
    struct sq_elements then = { .is_known = false };
    struct sq_elements now = { .is_known = false };
    struct sq_word_change *words =
        sq_arena_alloc(call->arena, 1, sizeof(*words), NULL);
    if (words && call->session
        && sq_elements_take_at_most(device, SQ_CHEAP_LIST_MS)
        && sq_may_name(call, &device->look.untold.screen)) {
        const struct sq_tree_stamp acted = { .change = device->change };
        sq_session_on_screen(call->session, device->info.id, &acted,
                             call->arena, &then);
    }
    if (then.is_known) {
        *words = (struct sq_word_change){ 0 };
        sq_elements_read_if_cheap(call, &now);
    }
    if (now.is_known && sq_word_change_compare(call, &then, &now, words)
        && words->count > 0) {
        call->late_words = words;
    }
}

void
sq_late_change_report(struct sq_call *call, const struct sq_frame *picture) {
    const struct sq_last_look *look =
        own_look(call->device, call->client_number);
    struct sq_frame view;
    if (!look || look->untold.where.count == 0
        || (!picture
            && !sq_answer_view(call, &look->untold.screen, &view, NULL))) {
        return;
    }
    call->late_change =
        sq_areas_place(&look->untold.where, look->untold.picture,
                       picture ? picture->view.image : view.view.image);
    call->late_ms = look->untold.after_ms;
    if (!call->late_words) {
        find_words(call);
    }
}

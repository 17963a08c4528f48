/*
 * Remembers which archived screenshots were returned: pictures, the cells of a
 * contact sheet, and the hits of a search.
 */
#include <string.h>

#include "session/session.h"
#include "session/state.h"

static struct sq_shown *
find_shown(struct sq_session *session, struct sq_span ref) {
    for (int i = 0; i < SQ_SHOWN_PICTURES; i++) {
        if (session->shown[i].ref[0]
            && sq_span_is(ref, session->shown[i].ref)) {
            return &session->shown[i];
        }
    }
    return NULL;
}

void
sq_session_set_shown(struct sq_session *session, struct sq_span ref,
                     struct sq_size image, struct sq_region shown) {
    struct sq_shown picture = { .image = image, .part = shown };
    if (ref.len >= sizeof(picture.ref)) {
        return;
    }
    memcpy(picture.ref, ref.ptr, ref.len);
    sq_lock_lock(session->lock);
    struct sq_shown *old = find_shown(session, ref);
    old = old ? old : &session->shown[SQ_SHOWN_PICTURES - 1];
    memmove(session->shown + 1, session->shown,
            (size_t)(old - session->shown) * sizeof(*old));
    session->shown[0] = picture;
    sq_lock_unlock(session->lock);
}

static bool
fail_not_shown(const struct sq_session *session, struct sq_span ref,
               struct sq_err *err) {
    if (session->has_key) {
        sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
                "the size of the picture that you saw is not remembered "
                "between the requests of this client");
        return sq_fail_hint(err, "Give percentages, which fit every picture "
                                 "of it.");
    }
    sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
            "no picture of this screenshot was returned recently");
    return sq_fail_hint(
        err, sq_session_is_frame_id(ref)
                 ? "Give percentages, which fit every picture of it."
                 : "${Call get_screenshot|Run squint get} first, or give "
                   "percentages, which fit every picture of it.");
}

bool
sq_session_shown(struct sq_session *session, struct sq_span ref,
                 struct sq_size *image, struct sq_region *shown,
                 struct sq_err *err) {
    sq_lock_lock(session->lock);
    const struct sq_shown *found = find_shown(session, ref);
    if (found) {
        *image = found->image;
        *shown = found->part;
    }
    struct sq_frame frame;
    bool ok = found != NULL;
    if (!ok && session->has_key
        && sq_portable_frame_read(session->key, ref, NULL, NULL, &frame)
        && !frame.is_region && !frame.is_default) {
        *image = frame.view.image; /* the id has the size */
        *shown = (struct sq_region){ 0 };
        ok = true;
    }
    sq_lock_unlock(session->lock);
    return ok || fail_not_shown(session, ref, err);
}

/* Fails for a number of something that only a session remembers. */
static bool
fail_not_kept(const char *what, int number, const char *kept, const char *where,
              struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
            "%s %d is unknown: no %s are remembered between the requests of "
            "this client",
            what, number, kept);
    return sq_fail_hint(err, "Give ${screenshotRef|REF} instead: %s.", where);
}

void
sq_session_set_sheet(struct sq_session *session,
                     const char (*refs)[SQ_REF_SIZE], size_t count) {
    size_t kept = count < SQ_SHEET_CELLS ? count : SQ_SHEET_CELLS;
    sq_lock_lock(session->lock);
    memcpy(session->sheet, refs, kept * sizeof(session->sheet[0]));
    session->sheet_count = kept;
    sq_lock_unlock(session->lock);
}

bool
sq_session_sheet_cell(struct sq_session *session, int cell,
                      char out[SQ_REF_SIZE], struct sq_err *err) {
    sq_lock_lock(session->lock);
    size_t count = session->sheet_count;
    bool ok = cell >= 1 && (size_t)cell <= count;
    if (ok) {
        memcpy(out, session->sheet[cell - 1], SQ_REF_SIZE);
    }
    sq_lock_unlock(session->lock);
    if (!ok && count == 0 && session->has_key) {
        return fail_not_kept(
            "cell", cell, "contact sheets",
            SQ_SAY("screenshotRefs of contact_sheet has that of each cell",
                   "screenshotRefs of squint sheet has that of each cell"),
            err);
    }
    if (!ok && count == 0) {
        sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
                "cell %d is unknown: there is no contact sheet, or the latest "
                "has no cells",
                cell);
        return sq_fail_hint(
            err, SQ_SAY("Call contact_sheet first, or give screenshotRef.",
                        "Run squint sheet first, or give REF."));
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
                "the latest contact sheet has no cell %d", cell);
        return sq_fail_hint(err, "Its cells are 1 to %zu.", count);
    }
    return true;
}

int
sq_session_number_hits(struct sq_session *session, size_t count) {
    int most = (int)(count < SQ_SESSION_HITS ? count : SQ_SESSION_HITS);
    sq_lock_lock(session->lock);
    if (session->last_hit > SQ_SESSION_HIT_NUMBERS - most) {
        session->last_hit = 0;
    }
    int first = session->last_hit + 1;
    session->last_hit += most;
    sq_lock_unlock(session->lock);
    return first;
}

void
sq_session_set_hits(struct sq_session *session, int first,
                    const struct sq_session_hit *hits, size_t count) {
    size_t kept = count < SQ_SESSION_HITS ? count : SQ_SESSION_HITS;
    sq_lock_lock(session->lock);
    memcpy(session->hits, hits, kept * sizeof(session->hits[0]));
    session->hit_count = kept;
    session->first_hit = first;
    sq_lock_unlock(session->lock);
}

/* Says why a number is none of a hit. */
static bool
fail_unknown_hit(const struct sq_session *session, int number, int first,
                 size_t count, struct sq_err *err) {
    if (count == 0 && first == 0 && session->has_key) {
        return fail_not_kept("hit", number, "searches",
                             SQ_SAY("search_screenshots gives that of each hit",
                                    "squint search gives that of each hit"),
                             err);
    }
    sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
            number < first ? "hit %d is one of an earlier search"
                           : "the latest search has no hit %d",
            number);
    return count == 0
             ? sq_fail_hint(err, "The latest search found nothing, or there is "
                                 "none: call ${search_screenshots, or give "
                                 "screenshotRef|squint search, or give REF}.")
             : sq_fail_hint(err,
                            "The hits of the latest search are %d to %d; "
                            "$screenshotRef stays valid.",
                            first, first + (int)count - 1);
}

bool
sq_session_get_hit(struct sq_session *session, int number,
                   struct sq_session_hit *out, struct sq_err *err) {
    sq_lock_lock(session->lock);
    size_t count = session->hit_count;
    int first = session->first_hit;
    bool ok = number >= first && (size_t)(number - first) < count;
    if (ok) {
        *out = session->hits[number - first];
    }
    sq_lock_unlock(session->lock);
    return ok || fail_unknown_hit(session, number, first, count, err);
}

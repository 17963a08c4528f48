/* Finds archived screenshots by their text. */
#include "tools/archive/shot_query.h"

#include "archive/window.h"
#include "sys/clock.h"
#include "tools/reply.h"

#define NS_PER_S 1000000000
#define MAX_NOTE 4096

static bool
read_window(const struct sq_call *call, const struct sq_text_search *search,
            struct sq_search_request *out, char note[SQ_WINDOW_NOTE_SIZE],
            struct sq_err *err) {
    struct sq_window window = { 0, UINT32_MAX };
    const struct sq_window_request dates = {
        .start = search->start,
        .end = search->end,
        .zone = call->past->zone,
        .now_utc = sq_clock_wall_ns() / NS_PER_S,
    };
    bool has_dates = search->start.len > 0 || search->end.len > 0;
    note[0] = '\0';
    if (has_dates && !sq_window_read(&dates, &window, note, err)) {
        return false;
    }
    out->from_utc = window.from_utc;
    out->to_utc = window.to_utc;
    return true;
}

/* Returns what to do about text that is not read. */
static const char *
remedy_of(const struct sq_call *call) {
    return call->past->reads_text
             ? "It is being read now: search again later."
             : SQ_SAY("Ask the person to run squint archive index.",
                      "Run squint archive index.");
}

static bool
fail_unsearched(const struct sq_call *call,
                const struct sq_search_result *result, struct sq_err *err) {
    if (result->outdated > 0) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the rules of redaction have changed since the text was read");
        return sq_fail_hint(err, "%s", remedy_of(call));
    }
    if (result->unindexed == 0 && result->troubled > 0) {
        return sq_search_fail_troubled(call->past, result->troubled_root,
                                       result->trouble, err);
    }
    if (result->unindexed == 0) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no folder of past screenshots may be searched: text needs "
                "the permission full");
        return sq_fail_hint(err, "The permission is set in archive.roots.");
    }
    sq_fail(err, SQ_ERR_NOT_FOUND,
            "the text of past screenshots has not been read yet");
    return sq_fail_hint(
        err, "%s $list_screenshots and $contact_sheet work without it.",
        remedy_of(call));
}

static bool
fail_without_apps(struct sq_err *err) {
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "app cannot limit the search: the text was read without a source "
            "of activities");
    return sq_fail_hint(
        err, "Search without ${app. Or ask the person to|--app. Or} set "
             "archive.activity and to run squint archive index.");
}

bool
sq_text_search_run(struct sq_call *call, const struct sq_text_search *search,
                   struct sq_search_result *out, char note[SQ_WINDOW_NOTE_SIZE],
                   struct sq_err *err) {
    struct sq_search_request request = { .max = search->max,
                                         .deadline = &call->deadline };
    bool has_app = search->app.len > 0;
    if (!has_app
        && search->text.len + search->start.len + search->end.len == 0) {
        return sq_fail_argument(err, "nothing is searched for",
                                "Give text, app or $startDate.");
    }
    return sq_search_query_read(search->text, call->arena, &request.query, err)
        && (!has_app
            || sq_search_terms_read(search->app, call->arena, &request.apps,
                                    err)
            || sq_fail_in(err, "app"))
        && read_window(call, search, &request, note, err)
        && sq_search_find(call->past->archive, call->redactor, &request,
                          call->arena, out, err)
        && (out->searched > 0 || fail_unsearched(call, out, err))
        && (!has_app || out->has_apps || fail_without_apps(err));
}

/* Appends a sentence if count is above 0: for one, or the number and the rest.
 */
static bool
add_sentence(struct sq_buf *out, size_t count, struct sq_err *err,
             const char *one, const char *many) {
    return count == 0
        || (sq_buf_printf(out, err, "%s", out->len ? " " : "")
            && (count == 1 ? sq_buf_printf(out, err, "%s", one)
                           : sq_buf_printf(out, err, "%zu %s", count, many)));
}

/* Appends what was not searched, and what to do. */
static bool
write_notes(const struct sq_call *call, const struct sq_search_result *result,
            struct sq_buf *out, struct sq_err *err) {
    const struct sq_search_unread *unread = &result->unread;
    const char *troubled = result->troubled
                             ? sq_archive_root_at(call->past->archive,
                                                  (size_t)result->troubled_root)
                                   ->name
                             : "";
    return add_sentence(out, unread->unread, err,
                        "1 screenshot that could show it is not read yet, or "
                        "has changed since.",
                        "screenshots that could show it are not read yet, or "
                        "have changed since.")
        && add_sentence(out, unread->is_partial, err,
                        "The folder is slow, so there may be more of them.", "")
        && add_sentence(out, result->changed, err,
                        "1 screenshot that showed this text is left out: it "
                        "has changed or was deleted.",
                        "screenshots that showed this text are left out: they "
                        "have changed or were deleted.")
        && add_sentence(out, result->is_partial && !result->has_more, err,
                        "Too many words have a part of this text, so not all "
                        "of them were searched: give more of it.",
                        "")
        && add_sentence(out, unread->unreadable, err,
                        "1 screenshot cannot be read: its file is damaged or "
                        "locked.",
                        "screenshots cannot be read: their files are damaged "
                        "or locked.")
        && add_sentence(out, unread->incomplete, err,
                        "1 screenshot was read only in part.",
                        "screenshots were read only in part.")
        && add_sentence(out, unread->small, err,
                        "Of 1 screenshot only a thumbnail is left, which is "
                        "not read.",
                        "other screenshots are thumbnails alone, which are not "
                        "read.")
        && add_sentence(out, result->outdated > 0, err,
                        "A folder was not searched, because the rules of "
                        "redaction have changed.",
                        "")
        && add_sentence(out, unread->unread + result->outdated > 0, err,
                        remedy_of(call), "")
        && add_sentence(out, result->forbidden > 0, err,
                        "Folders whose permission is not full were not "
                        "searched.",
                        "")
        && (result->troubled == 0
            || sq_buf_printf(out, err, "%sThe folder %s %s.",
                             out->len ? " " : "", troubled,
                             sq_search_trouble_text(result->trouble)));
}

static void
put_count(struct sq_json_writer *w, const char *key, size_t count) {
    if (count > 0) {
        sq_put_int(w, key, (int64_t)count);
    }
}

bool
sq_text_search_put_notes(struct sq_call *call,
                         const struct sq_search_result *result,
                         struct sq_json_writer *w, struct sq_err *err) {
    SQ_BUF(note, MAX_NOTE);
    bool ok = write_notes(call, result, &note, err);
    if (ok) {
        const struct sq_search_unread *unread = &result->unread;
        size_t not_read = unread->unread + unread->unreadable;
        if (!unread->is_partial && unread->pictures >= not_read) {
            sq_put_int(w, "searched", (int64_t)(unread->pictures - not_read));
        }
        sq_put_int(w, "unread", (int64_t)unread->unread);
        put_count(w, "changed", result->changed);
        put_count(w, "unreadable", unread->unreadable);
        put_count(w, "incomplete", unread->incomplete);
        put_count(w, "onlyThumbnails", unread->small);
    }
    if (ok && note.len > 0) {
        sq_json_put_clean(sq_json_at(w, "note"), sq_buf_span(&note));
    }
    return ok;
}

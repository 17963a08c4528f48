/* Finds archived screenshots by their text. */
#include "tools/archive/text_search.h"

#include "archive/window.h"
#include "sys/clock.h"

#define NS_PER_S 1000000000

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

static bool
fail_unindexed(const struct sq_search_result *result, struct sq_err *err) {
    if (result->outdated > 0) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the rules of redaction have changed since the text was read");
        return sq_fail_hint(err, "Ask the person to run squint archive index, "
                                 "which reads it again.");
    }
    if (result->unindexed == 0) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no folder of past screenshots may be searched: text needs "
                "the permission full");
        return sq_fail_hint(err, "The permission is set in archive.roots.");
    }
    sq_fail(err, SQ_ERR_NOT_FOUND,
            "the text of past screenshots has not been read yet");
    return sq_fail_hint(err, "Ask the person to run squint archive index. "
                             "list_screenshots and contact_sheet work without "
                             "it.");
}

bool
sq_text_search_run(struct sq_call *call, const struct sq_text_search *search,
                   struct sq_search_result *out, char note[SQ_WINDOW_NOTE_SIZE],
                   struct sq_err *err) {
    struct sq_search_request request = { .max = search->max,
                                         .deadline = &call->deadline };
    return sq_search_terms_read(search->text, call->arena, &request.terms, err)
        && (search->app.len == 0
            || sq_search_terms_read(search->app, call->arena, &request.apps,
                                    err)
            || sq_fail_in(err, "app"))
        && read_window(call, search, &request, note, err)
        && sq_search_find(call->past->archive, call->redactor, &request,
                          call->arena, out, err)
        && (out->searched > 0 || fail_unindexed(out, err));
}

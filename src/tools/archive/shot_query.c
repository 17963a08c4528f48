/* Chooses archived shots for a request. */
#include "tools/archive/shot_query.h"

#include <stdio.h>
#include <string.h>

#include "sys/clock.h"
#include "tools/archive/archived_shot.h"
#include "tools/archive/compare.h"
#include "tools/archive/shot_query_private.h"
#include "tools/reply.h"
#include "util/mem.h"
#include "util/time_text.h"
#include "util/utf8.h"

#define NS_PER_S 1000000000

/* Time limit for checking files in one call. */
#define CHECK_MS 250

/*
 * Returns whether activity is derived from the pictures, by request or
 * configuration.
 */
static bool
is_visual(const struct sq_call *call,
          const struct sq_shot_query_request *request) {
    return request->sampling == SQ_SAMPLING_VISUAL
        || (request->sampling == SQ_SAMPLING_ACTIVITY
            && call->past->activity_settings.provider == SQ_ACTIVITY_VISUAL);
}

static bool
find_segments(struct sq_call *call, const struct sq_shot_query_request *request,
              struct sq_shot_query *query, struct sq_err *other_err,
              struct sq_err *err) {
    size_t count = query->listing.shots.count;
    if (count == 0 || request->sampling == SQ_SAMPLING_INTERVAL) {
        return true;
    }
    if (!is_visual(call, request)) {
        return sq_library_activity(call->past, &query->window, &call->deadline,
                                   &query->segments, other_err, err);
    }
    if (count > SQ_COMPARE_MAX) {
        sq_fail(other_err, SQ_ERR_LIMIT, "%zu pictures are too many to compare",
                count);
        return true;
    }
    return sq_compare_scenes(call, query, other_err, err);
}

static bool
choose(struct sq_call *call, const struct sq_shot_query_request *request,
       struct sq_shot_query *query, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_image_fingerprint *prints = NULL;
    if (!find_segments(call, request, query, &local_err, err)
        || (request->sampling == SQ_SAMPLING_COVERAGE
            && !sq_compare_all(call, query, &prints, err))) {
        return false;
    }
    sq_reply_hide_error(call->redactor, &local_err);
    size_t all = query->listing.shots.count;
    size_t most = request->cursor.len ? all + (all == 0) : request->max_count;
    const struct sq_choose_request how = {
        .shots = query->listing.shots,
        .window = query->window,
        .sampling =
            is_visual(call, request) ? SQ_SAMPLING_VISUAL : request->sampling,
        .max_count = most,
        .interval_s = request->interval_s,
        .settle_s = SQ_SETTLE_S,
        .segments = query->segments.items,
        .segment_count = query->segments.count,
        .no_segments = &local_err,
        .fingerprints = prints,
    };
    bool ok = sq_choose(&how, call->arena, &query->choice, err);
    sq_mem_free(prints);
    query->is_limited =
        query->choice.wanted > query->choice.count
        || (query->choice.used == SQ_SAMPLING_INTERVAL
            && request->interval_s == SQ_INTERVAL_AUTO && all > most);
    return ok;
}

/* Parses a cursor: a second, and how many of its shots to skip. */
static bool
read_cursor(struct sq_span text, int64_t *utc, int64_t *skip,
            struct sq_err *err) {
    struct sq_span rest = text;
    *utc = INT64_MIN;
    *skip = 0;
    if (sq_span_is(text, "start")
        || (sq_span_take_int64(&rest, utc) && sq_span_take_prefix(&rest, "-")
            && sq_span_take_int64(&rest, skip) && rest.len == 0
            && *skip >= 0)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "cursor was not returned by list_screenshots");
    return sq_fail_hint(err, "Use \"start\", or the nextCursor of the page "
                             "before, with the same dates.");
}

static uint32_t
utc_of(const struct sq_shot_query *query, size_t pick) {
    return query->listing.shots.items[query->choice.picks[pick].shot].utc;
}

/* Finds the picks of the requested page: *count from *first on. */
static bool
find_page(const struct sq_shot_query_request *request,
          struct sq_shot_query *query, size_t *first, size_t *count,
          struct sq_err *err) {
    *first = 0;
    *count = query->choice.count;
    if (request->cursor.len == 0) {
        return true;
    }
    int64_t utc;
    int64_t skip;
    if (!read_cursor(request->cursor, &utc, &skip, err)) {
        return false;
    }
    while (*first < query->choice.count && utc_of(query, *first) < utc) {
        (*first)++;
    }
    while (skip-- > 0 && *first < query->choice.count
           && utc_of(query, *first) == utc) {
        (*first)++;
    }
    size_t left = query->choice.count - *first;
    *count = left < request->max_count ? left : request->max_count;
    size_t end = *first + *count;
    if (end < query->choice.count) {
        uint32_t last = utc_of(query, end - 1);
        size_t same = 0;
        while (same < end && utc_of(query, end - 1 - same) == last) {
            same++;
        }
        snprintf(query->next, sizeof(query->next), "%lu-%zu",
                 (unsigned long)last, same);
    }
    return true;
}

enum verdict {
    USABLE,
    UNUSABLE,
    FAILED, /* not because of the file */
};

static enum verdict
try_shot(struct sq_call *call, struct sq_shot_query *query, size_t place,
         const struct sq_deadline *patience, struct sq_shot_query_shot *out,
         struct sq_err *err) {
    struct sq_archive_verdict found;
    sq_archive_listing_pick(&query->listing, place, &out->pick);
    if (!sq_archive_check(call->past->archive, &out->pick, patience, &found,
                          err)
        || !sq_deadline_check(&call->deadline, err)) {
        return FAILED;
    }
    const struct sq_shot *shot = &out->pick.shot;
    out->width = shot->width ? shot->width : found.width;
    out->height = shot->width ? shot->height : found.height;
    if (!found.is_checked) {
        query->unchecked++;
        return USABLE;
    }
    if (found.fault == SQ_ARCHIVE_FAULT_NONE
        || found.fault == SQ_ARCHIVE_FAULT_NOT_ALLOWED) {
        return USABLE; /* metadata needs no check of the file */
    }
    query->unusable[found.fault]++;
    return UNUSABLE;
}

/* Takes the shots of a page, or their replacements. */
static bool
take_shots(struct sq_call *call, struct sq_shot_query *query, size_t first,
           size_t count, struct sq_err *err) {
    query->shots = sq_arena_alloc(call->arena, count ? count : 1,
                                  sizeof(*query->shots), err);
    if (!query->shots) {
        return false;
    }
    const struct sq_deadline patience =
        sq_deadline_within(&call->deadline, CHECK_MS);
    for (size_t i = first; i < first + count; i++) {
        struct sq_shot_query_shot *out = &query->shots[query->count];
        const struct sq_pick *pick = &query->choice.picks[i];
        *out = (struct sq_shot_query_shot){ 0 };
        enum verdict verdict;
        do {
            verdict = try_shot(call, query, pick->shot, &patience, out, err);
        } while (
            verdict == UNUSABLE
            && sq_choice_replace(&query->listing.shots, &query->choice, i));
        if (verdict == FAILED) {
            return false;
        }
        if (verdict == USABLE) {
            if (sq_permission_allows(out->pick.permission).labels) {
                out->activity =
                    sq_segments_label(&query->segments, pick->label);
            }
            query->count++;
        }
        if (call->progress) {
            double before = (double)query->compared.all;
            call->progress(
                call, before + (double)(i - first + 1),
                before + (double)(before > 0 ? SQ_SHOT_QUERY_MAX : count),
                NULL);
        }
    }
    return true;
}

/* Fails for a sampling that depends on the limit, as it cannot be paged. */
static bool
check_pages(const struct sq_shot_query_request *request, struct sq_err *err) {
    if (request->cursor.len == 0) {
        return true;
    }
    if (request->start.len == 0 && request->end.len == 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "cursor needs startDate");
        return sq_fail_hint(err, "Give the same dates as for the first page.");
    }
    if (request->sampling != SQ_SAMPLING_COVERAGE) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "samplingStrategy coverage cannot be used with cursor");
    return sq_fail_hint(err, "Leave out cursor, or page by another "
                             "samplingStrategy.");
}

static bool
check_empty(struct sq_call *call, const struct sq_archive_window *window,
            struct sq_shot_query *out, struct sq_err *err) {
    out->total = out->listing.shots.count;
    return out->total > 0
        || sq_available_find(call, window, &out->available, err);
}

static bool
read_window(struct sq_call *call, const struct sq_shot_query_request *request,
            struct sq_archive_window *window, struct sq_shot_query *out,
            struct sq_err *err) {
    const struct sq_window_request dates = {
        .start = request->start,
        .end = request->end,
        .zone = call->past->zone,
        .now_utc = sq_clock_wall_ns() / NS_PER_S,
    };
    if (!sq_window_read(&dates, &out->window, out->note, err)) {
        return false;
    }
    window->from_utc = out->window.from_utc;
    window->to_utc = out->window.to_utc;
    return true;
}

bool
sq_shot_query_make(struct sq_call *call,
                   const struct sq_shot_query_request *request,
                   struct sq_shot_query *out, struct sq_err *err) {
    struct sq_archive_window window = { .monitor = request->monitor };
    struct sq_shot_query_request today = *request;
    size_t first;
    size_t count;
    if (!check_pages(request, err)
        || !sq_archived_shot_root(call, request->root, &window.root, err)) {
        return false;
    }
    out->root = window.root;
    if (request->start.len == 0 && request->end.len == 0) {
        if (!sq_shot_query_count(call, &window, out, err)) {
            return false;
        }
        if (sq_shot_query_is_counted(out)) {
            return sq_state_after(call->past, &out->listing, out->unusable,
                                  &call->deadline, &out->state, err);
        }
        /* The reason for an empty archive is the same in any window. */
        today.start = sq_span_of("today");
    }
    return read_window(call, &today, &window, out, err)
        && sq_archive_list(call->past->archive, &window, &call->deadline,
                           &out->listing, err)
        && check_empty(call, &window, out, err)
        && choose(call, &today, out, err)
        && find_page(&today, out, &first, &count, err)
        && take_shots(call, out, first, count, err)
        && sq_state_after(call->past, &out->listing, out->unusable,
                          &call->deadline, &out->state, err);
}

void
sq_shot_query_finish(struct sq_shot_query *query) {
    sq_archive_listing_finish(&query->listing);
    sq_segments_finish(&query->segments);
    *query = (struct sq_shot_query){ 0 };
}

static void
put_window(const struct sq_shot_query *query, const struct sq_zone *zone,
           struct sq_json_writer *w) {
    char from[SQ_TIME_TEXT_SIZE];
    char to[SQ_TIME_TEXT_SIZE];
    const struct sq_window *window = &query->window;
    sq_time_format(window->from_utc, sq_zone_offset(zone, window->from_utc),
                   from);
    sq_time_format(window->to_utc, sq_zone_offset(zone, window->to_utc), to);
    sq_json_put_key(w, "window");
    sq_json_begin_object(w);
    sq_put_text(w, "from", from);
    sq_put_text(w, "to", to);
    if (query->note[0]) {
        sq_put_text(w, "readAs", query->note);
    }
    sq_json_end_object(w);
}

static void
put_truncation(const struct sq_shot_query *query, struct sq_json_writer *w) {
    sq_json_put_key(w, "truncation");
    sq_json_begin_object(w);
    sq_put_bool(w, "truncated", query->next[0] || query->is_limited);
    sq_put_int(w, "returnedCount", (int64_t)query->count);
    sq_put_int(w, "totalAvailable", (int64_t)query->total);
    sq_json_end_object(w);
    if (query->next[0]) {
        sq_put_text(w, "nextCursor", query->next);
    }
}

static void
put_unusable(const struct sq_shot_query *query, struct sq_json_writer *w) {
    bool any = false;
    for (int i = 1; i < SQ_ARCHIVE_FAULTS; i++) {
        any = any || query->unusable[i] > 0;
    }
    if (!any) {
        return;
    }
    sq_json_put_key(w, "unusable");
    sq_json_begin_object(w);
    for (int i = 1; i < SQ_ARCHIVE_FAULTS; i++) {
        if (query->unusable[i] > 0) {
            sq_put_int(w, sq_archive_fault_name((enum sq_archive_fault)i),
                       query->unusable[i]);
        }
    }
    sq_json_end_object(w);
}

/* Writes how many shots were not checked because the disk is slow. */
static void
put_unchecked(const struct sq_shot_query *query, struct sq_json_writer *w) {
    if (query->unchecked > 0) {
        sq_put_int(w, "unchecked", query->unchecked);
        sq_put_text(w, "uncheckedNote",
                    "The disk is slow, so it was not checked whether the files "
                    "of that many screenshots are whole; get_screenshot says "
                    "if one is not.");
    }
}

/* Writes the problems of roots, and how much could not be read. */
static void
put_troubles(const struct sq_shot_query *query,
             const struct sq_archive *archive, struct sq_json_writer *w) {
    uint32_t unparsed = 0;
    uint32_t refused = 0;
    bool any = false;
    for (size_t i = 0; i < sq_archive_root_count(archive); i++) {
        const struct sq_archive_count *count = &query->listing.roots[i];
        unparsed += count->unparsed;
        refused += count->unreadable;
        if (count->trouble == SQ_ARCHIVE_TROUBLE_NONE) {
            continue;
        }
        if (!any) {
            sq_json_put_key(w, "roots");
            sq_json_begin_array(w);
            any = true;
        }
        sq_json_begin_object(w);
        sq_put_clean(w, "root",
                     sq_span_of(sq_archive_root_at(archive, i)->name));
        sq_put_text(w, "trouble", sq_archive_trouble_name(count->trouble));
        sq_json_end_object(w);
    }
    if (any) {
        sq_json_end_array(w);
    }
    if (unparsed > 0) {
        sq_put_int(w, "unparsedNames", unparsed);
    }
    if (refused > 0) {
        sq_put_int(w, "unreadableFolders", refused);
    }
}

/*
 * Returns the problem to report first: one that explains an empty list, else
 * the first one. Its cause is SQ_CAUSE_NONE if there is none.
 */
static struct sq_finding
first_finding(const struct sq_shot_query *query) {
    const struct sq_archive_state *state = &query->state;
    const struct sq_finding none = { SQ_CAUSE_NONE, SQ_ARCHIVE_ANY };
    if (query->count > 0 || sq_shot_query_is_counted(query)) {
        return state->count > 0 ? state->findings[0] : none;
    }
    for (size_t i = 0; i < state->count; i++) {
        bool is_why = query->total > 0
                        ? state->findings[i].cause == SQ_CAUSE_FILES_UNUSABLE
                        : state->findings[i].root == query->root
                              || (query->root == SQ_ARCHIVE_ANY
                                  && !query->state.has_good_root);
        if (is_why) {
            return state->findings[i];
        }
    }
    return none;
}

/* Writes the codes of all causes; squint://health describes them. */
static void
put_causes(const struct sq_archive_state *state, struct sq_json_writer *w) {
    if (state->count < 2) {
        return;
    }
    sq_json_put_key(w, "issues");
    sq_json_begin_array(w);
    for (size_t i = 0; i < state->count; i++) {
        sq_json_put_string(w,
                           sq_span_of(sq_cause_name(state->findings[i].cause)));
    }
    sq_json_end_array(w);
}

/* Returns a hint for an empty list of a working archive, perhaps in text. */
static const char *
remedy_of(const struct sq_shot_query *query, const struct sq_call *call,
          char text[SQ_AVAILABLE_TEXT_SIZE]) {
    if (sq_available_elsewhere(&query->available)) {
        sq_available_name_monitors(&query->available, text);
        return text;
    }
    return sq_archived_shot_remedy(
        query->listing.reason,
        sq_library_is_manictime(call->past, query->root));
}

static void
put_finding(struct sq_finding finding, const struct sq_library *past,
            struct sq_json_writer *w) {
    sq_put_text(w, "reasonCode", sq_cause_name(finding.cause));
    sq_put_text(w, "message", sq_cause_message(finding.cause));
    if (finding.root != SQ_ARCHIVE_ANY) {
        const struct sq_archive_root *root =
            sq_archive_root_at(past->archive, (size_t)finding.root);
        sq_put_clean(w, "folder", sq_span_of(root->path));
    }
    sq_put_text(w, "remediationHint",
                sq_library_remedy(past, finding.cause, finding.root));
}

static void
put_diagnostics(const struct sq_shot_query *query, const struct sq_call *call,
                struct sq_json_writer *w) {
    const struct sq_finding finding = first_finding(query);
    char text[SQ_AVAILABLE_TEXT_SIZE];
    sq_json_put_key(w, "diagnostics");
    sq_json_begin_object(w);
    put_troubles(query, call->past->archive, w);
    put_unusable(query, w);
    put_unchecked(query, w);
    sq_put_bool(w, "degraded", query->state.count > 0);
    if (finding.cause != SQ_CAUSE_NONE) {
        put_finding(finding, call->past, w);
    } else if (query->total == 0) {
        sq_put_text(w, "reasonCode",
                    sq_archive_reason_name(query->listing.reason));
        sq_put_text(w, "remediationHint", remedy_of(query, call, text));
    }
    put_causes(&query->state, w);
    sq_json_end_object(w);
}

/* Reports if not all pictures could be compared in time. */
static void
put_compared(const struct sq_archive_compared *compared,
             struct sq_json_writer *w) {
    if (compared->done < compared->all) {
        sq_put_double(w, "compared",
                      (double)(compared->done * 1000 / compared->all) / 1000);
        sq_put_text(w, "comparedNote",
                    compared->is_continued
                        ? "Only that share of the pictures was compared in "
                          "time. The rest is being compared in the background: "
                          "ask again later for a better choice."
                        : "Only that share of the pictures was compared in "
                          "time. What was found out is kept: the next call "
                          "goes on there.");
    }
}

bool
sq_shot_query_activity(const struct sq_call *call,
                       const struct sq_shot_query_shot *shot,
                       struct sq_span *out, struct sq_err *err) {
    struct sq_span text = shot->activity;
    if (!sq_reply_hide(call, &text, err)) {
        return false;
    }
    *out = sq_utf8_shorten(text, SQ_ACTIVITY_BYTES);
    return true;
}

void
sq_shot_query_put_activity(const struct sq_shot_query_shot *shot,
                           struct sq_json_writer *w) {
    if (shot->activity.len > 0) {
        sq_json_put_key(w, "activity");
        sq_json_put_untrusted_start(w, shot->activity, SQ_ACTIVITY_BYTES);
    }
}

void
sq_shot_query_put(const struct sq_shot_query *query, const struct sq_call *call,
                  struct sq_json_writer *w) {
    const struct sq_choice *choice = &query->choice;
    sq_available_put(&query->available, w);
    if (sq_shot_query_is_counted(query)) {
        put_truncation(query, w);
        put_diagnostics(query, call, w);
        return;
    }
    put_window(query, call->past->zone, w);
    sq_put_text(w, "sampling", sq_sampling_name(choice->used));
    if (choice->why_quotes) {
        sq_put_quoting(w, "samplingNote", choice->why);
    } else if (choice->why[0]) {
        sq_put_text(w, "samplingNote", choice->why);
    }
    if (choice->coverage >= 0) {
        sq_put_double(w, "coverage",
                      (double)(int)(choice->coverage * 1000 + 0.5) / 1000);
    }
    put_compared(&query->compared, w);
    put_truncation(query, w);
    put_diagnostics(query, call, w);
}

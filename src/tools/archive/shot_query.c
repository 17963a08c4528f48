/* Chooses archived shots for a request. */
#include "tools/archive/shot_query.h"

#include <stdio.h>
#include <string.h>

#include "sys/clock.h"
#include "tools/reply.h"
#include "util/mem.h"
#include "util/minmax.h"
#include "util/time_text.h"

#define NS_PER_S 1000000000

/* Time limit for checking files in one call. */
#define CHECK_MS 250

/* Returns whether activity is derived from the pictures. */
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
    return sq_compare_scenes(call, query, err);
}

/* Chooses by what the pictures look like; of very many, from a sample. */
static bool
choose_by_looks(struct sq_call *call, struct sq_choose_request *how,
                struct sq_shot_query *query, struct sq_err *err) {
    struct sq_compare_sample sample;
    struct sq_image_fingerprint *prints = NULL;
    size_t all = how->shots.count;
    if (!sq_compare_sample(call, &how->shots, &sample, err)
        || !sq_compare_all(call, query, &sample, &prints, err)) {
        return false;
    }
    const char *reason = how->no_segments->message;
    how->fills_up = how->sampling != SQ_SAMPLING_COVERAGE;
    how->sampling = SQ_SAMPLING_COVERAGE;
    how->shots = sample.shots;
    how->fingerprints = prints;
    struct sq_choice *choice = &query->choice;
    bool ok = sq_choose(how, call->arena, choice, err);
    sq_mem_free(prints);
    if (ok && sample.shots.count < all) {
        size_t used = strlen(choice->why);
        /* Replaces indexes in the sample by indexes in the listing. */
        for (size_t i = 0; i < choice->count; i++) {
            struct sq_pick *pick = &choice->picks[i];
            *pick = sq_pick_of(sample.indexes[pick->shot],
                               sample.indexes[pick->low],
                               sample.indexes[pick->high - 1] + 1, pick->label);
        }
        snprintf(choice->why + used, sizeof(choice->why) - used,
                 "; an even sample of %zu of the %zu pictures was compared",
                 sample.shots.count, all);
    }
    if (ok && how->fills_up) {
        char done[SQ_CHOICE_WHY_SIZE];
        memcpy(done, choice->why, sizeof(done));
        choice->why_quotes = choice->why_quotes || how->no_segments->quotes;
        snprintf(choice->why, sizeof(choice->why), "%.80s: %.150s",
                 reason[0] ? reason : "no activity is known for this time",
                 done);
    }
    return ok;
}

static bool
choose(struct sq_call *call, const struct sq_shot_query_request *request,
       struct sq_shot_query *query, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!find_segments(call, request, query, &local_err, err)) {
        return false;
    }
    sq_reply_hide_error(call->redactor, &local_err);
    size_t all = query->listing.shots.count;
    size_t most = request->cursor.len ? all + (all == 0) : request->max_count;
    struct sq_choose_request how = {
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
    };
    bool by_looks =
        how.sampling == SQ_SAMPLING_COVERAGE
        || (request->prefers_looks && how.sampling == SQ_SAMPLING_ACTIVITY
            && how.segment_count == 0 && all > most);
    bool ok = by_looks ? choose_by_looks(call, &how, query, err)
                       : sq_choose(&how, call->arena, &query->choice, err);
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
    return sq_fail_argument(err, "cursor was not returned by $list_screenshots",
                            "Use \"start\", or the nextCursor of the page "
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
    if (request->at.len > 0
        && (request->start.len > 0 || request->end.len > 0
            || request->cursor.len > 0)) {
        return sq_fail_argument(
            err,
            "at is a moment, so $startDate, $endDate and cursor do not "
            "belong to it",
            "Leave them out, or leave out at.");
    }
    if (request->cursor.len == 0) {
        return true;
    }
    if (request->start.len == 0 && request->end.len == 0) {
        return sq_fail_argument(err, "$cursor needs $startDate",
                                "Give the same dates as for the first page.");
    }
    if (request->sampling != SQ_SAMPLING_COVERAGE) {
        return true;
    }
    return sq_fail_argument(
        err, "$samplingStrategy coverage cannot be used with $cursor",
        "Leave out $cursor, or page by another $samplingStrategy.");
}

static bool
check_empty(struct sq_call *call, const struct sq_archive_window *window,
            struct sq_shot_query *out, struct sq_err *err) {
    out->total = out->listing.shots.count;
    return out->total > 0
        || sq_available_find(call, window, &out->available, err);
}

bool
sq_shot_query_is_counted(const struct sq_shot_query *query) {
    return query->available.months
        && (query->total > 0 || sq_available_elsewhere(&query->available));
}

/* Counts all shots, for a request without dates. */
static bool
count_all(struct sq_call *call, const struct sq_archive_window *window,
          struct sq_shot_query *out, struct sq_err *err) {
    if (!sq_available_count(call, window->root, window->monitor,
                            &out->available, err)) {
        return false;
    }
    const struct sq_archive_months *months = out->available.months;
    memcpy(out->listing.roots, months->roots, sizeof(months->roots));
    out->total = (size_t)months->shots;
    out->is_limited = months->shots > 0;
    out->listing.reason =
        months->shots > 0 ? SQ_ARCHIVE_REASON_NONE : SQ_ARCHIVE_REASON_UNKNOWN;
    return true;
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

/* Lists the shots of a window around a moment. */
static bool
list_around(struct sq_call *call, int64_t utc, int64_t around_s,
            struct sq_archive_window *window, struct sq_shot_query *out,
            struct sq_err *err) {
    out->window.from_utc = utc > around_s ? utc - around_s : 0;
    out->window.to_utc = sq_min_int64(utc + around_s, UINT32_MAX);
    window->from_utc = out->window.from_utc;
    window->to_utc = out->window.to_utc;
    sq_archive_listing_finish(&out->listing);
    return sq_archive_list(call->past->archive, window, &call->deadline,
                           &out->listing, err);
}

/* Picks the shots before and after a moment, half of them each if possible. */
static bool
pick_around(struct sq_call *call, size_t most, size_t after,
            struct sq_shot_query *out, struct sq_err *err) {
    size_t all = out->listing.shots.count;
    size_t later = sq_min_size(all - after, most / 2);
    size_t earlier = sq_min_size(after, most - later);
    later = sq_min_size(all - after, most - earlier);
    struct sq_choice *choice = &out->choice;
    choice->count = earlier + later;
    choice->wanted = choice->count;
    choice->coverage = -1;
    choice->picks = sq_arena_alloc(call->arena, choice->count + 1,
                                   sizeof(*choice->picks), err);
    for (size_t i = 0; choice->picks && i < choice->count; i++) {
        uint32_t shot = (uint32_t)(after - earlier + i);
        bool is_later = shot >= after;
        choice->picks[i] =
            sq_pick_of(shot, (uint32_t)(is_later ? after : 0),
                       (uint32_t)(is_later ? all : after), UINT32_MAX);
    }
    return choice->picks != NULL;
}

/* Limits the window to the picks, of which nothing is left out. */
static bool
narrow_window(struct sq_shot_query *out) {
    if (out->choice.count > 0) {
        out->total = out->choice.count;
        out->window.from_utc = utc_of(out, 0);
        out->window.to_utc = (int64_t)utc_of(out, out->choice.count - 1) + 1;
    }
    return true;
}

/* Sets the activity of each pick; without a tracker there is none. */
static bool
label_picks(struct sq_call *call, struct sq_shot_query *out,
            struct sq_err *err) {
    struct sq_err local_err;
    if (out->choice.count == 0) {
        return true;
    }
    if (!sq_library_activity(call->past, &out->window, &call->deadline,
                             &out->segments, &local_err, err)) {
        return false;
    }
    for (size_t i = 0; i < out->choice.count; i++) {
        const struct sq_segment *segment =
            sq_segments_find(&out->segments, utc_of(out, i));
        out->choice.picks[i].label = segment ? segment->label : UINT32_MAX;
    }
    return true;
}

/*
 * Finds the shots nearest to the moment request->at. Widens the window until
 * there are shots on both sides; after now there are none.
 */
static bool
find_nearest(struct sq_call *call, const struct sq_shot_query_request *request,
             struct sq_archive_window *window, struct sq_shot_query *out,
             struct sq_err *err) {
    static const int64_t widths_s[] = { SQ_DAY_S / 4, 3 * SQ_DAY_S,
                                        60 * SQ_DAY_S, UINT32_MAX };
    const struct sq_window_request dates = {
        .start = request->at,
        .zone = call->past->zone,
        .now_utc = sq_clock_wall_ns() / NS_PER_S,
    };
    int64_t utc;
    size_t after = 0;
    bool is_enough = false;
    if (!sq_window_read_moment(&dates, &utc, out->note, err)) {
        return false;
    }
    size_t half = (request->max_count + 1) / 2;
    for (size_t i = 0; !is_enough && i < SQ_COUNT(widths_s); i++) {
        if (!list_around(call, utc, widths_s[i], window, out, err)) {
            return false;
        }
        /* The number of shots up to a moment. */
        size_t count = 0;
        while (count < out->listing.shots.count
               && out->listing.shots.items[count].utc <= utc) {
            count++;
        }
        after = count;
        is_enough = after >= half
                 && (out->listing.shots.count - after >= half
                     || out->window.to_utc > dates.now_utc + SQ_DAY_S);
    }
    out->is_moment = true;
    snprintf(out->choice.why, sizeof(out->choice.why),
             "the nearest before and after that moment");
    return check_empty(call, window, out, err)
        && pick_around(call, request->max_count, after, out, err)
        && narrow_window(out) && label_picks(call, out, err)
        && take_shots(call, out, 0, out->choice.count, err);
}

/* Finds the shots of a window, or of one page of it. */
static bool
find_in_window(struct sq_call *call,
               const struct sq_shot_query_request *request,
               struct sq_archive_window *window, struct sq_shot_query *out,
               struct sq_err *err) {
    size_t first;
    size_t count;
    return read_window(call, request, window, out, err)
        && sq_archive_list(call->past->archive, window, &call->deadline,
                           &out->listing, err)
        && check_empty(call, window, out, err)
        && choose(call, request, out, err)
        && find_page(request, out, &first, &count, err)
        && take_shots(call, out, first, count, err);
}

/* Counts all shots. If there are none, lists today for the reason. */
static bool
find_without_dates(struct sq_call *call,
                   const struct sq_shot_query_request *request,
                   struct sq_archive_window *window, struct sq_shot_query *out,
                   struct sq_err *err) {
    struct sq_shot_query_request today = *request;
    today.start = sq_span_of("today");
    return count_all(call, window, out, err)
        && (sq_shot_query_is_counted(out)
            || find_in_window(call, &today, window, out, err));
}

/*
 * Returns in *out the root with that name or path; SQ_ARCHIVE_ANY for an empty
 * name. Fails if there is no such root.
 */
static bool
find_root(const struct sq_call *call, struct sq_span name, int *out,
          struct sq_err *err) {
    struct sq_archive *archive = call->past->archive;
    *out = name.len ? sq_archive_root_named(archive, name) : SQ_ARCHIVE_ANY;
    if (name.len == 0 || *out != SQ_ARCHIVE_ANY) {
        return true;
    }
    char all[SQ_ERR_HINT_SIZE - 16] = "";
    for (size_t i = 0; i < sq_archive_root_count(archive); i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "",
                 sq_archive_root_at(archive, i)->name);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no archive folder of that name");
    return sq_fail_hint(err, "Known: %s.", all[0] ? all : "none");
}

bool
sq_shot_query_make(struct sq_call *call,
                   const struct sq_shot_query_request *request,
                   struct sq_shot_query *out, struct sq_err *err) {
    struct sq_archive_window window = { .monitor = request->monitor };
    if (!check_pages(request, err)
        || !find_root(call, request->root, &window.root, err)) {
        return false;
    }
    out->root = window.root;
    bool has_dates = request->start.len > 0 || request->end.len > 0;
    bool ok = request->at.len > 0
                ? find_nearest(call, request, &window, out, err)
            : has_dates ? find_in_window(call, request, &window, out, err)
                        : find_without_dates(call, request, &window, out, err);
    return ok
        && sq_state_after(call->past, &out->listing, out->unusable,
                          &call->deadline, &out->state, err);
}

void
sq_shot_query_finish(struct sq_shot_query *query) {
    sq_archive_listing_finish(&query->listing);
    sq_segments_finish(&query->segments);
    *query = (struct sq_shot_query){ 0 };
}

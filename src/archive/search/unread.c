/* Counts the pictures of a window whose text cannot be found. */
#include "archive/search/search_private.h"

/* In windows with more shots, only names are compared, day by day. */
#define EXACT_SHOTS 2000

/* A slow disk must not delay the hits for longer. */
#define MAX_MS 2000

struct count {
    const struct sq_search_scope *scope;
    struct sq_deadline deadline;
    struct sq_archive_listing listing;
    struct sq_search_unread *out;
};

/* The shots of one day: indexes of the listing. */
struct day {
    int64_t number;
    size_t first;
    size_t end;
};

static bool
may_read(const struct count *count, size_t index) {
    return sq_search_may_read(
        sq_archive_listing_permission(&count->listing, index));
}

/* Adds up the shots of a day that have a full picture; counts the others. */
static struct sq_search_day
summarize(struct count *count, const struct day *day) {
    struct sq_search_day sum = { 0 };
    for (size_t i = day->first; i < day->end; i++) {
        const struct sq_shot *shot = &count->listing.shots.items[i];
        if (shot->flags & SQ_SHOT_FULL && may_read(count, i)) {
            sum.count++;
            sum.digest += sq_search_digest(shot);
        }
        count->out->small += !(shot->flags & SQ_SHOT_FULL);
    }
    return sum;
}

/* Counts one shot, if its file exists. */
static bool
check_shot(struct count *count, size_t index, struct sq_err *err) {
    const struct sq_search_scope *scope = count->scope;
    struct sq_archive_pick pick;
    struct sq_search_known known;
    struct sq_search_state state;
    char path[SQ_ARCHIVE_FILE_SIZE];
    sq_archive_listing_pick(&count->listing, index, &pick);
    if (!pick.full[0] || !may_read(count, index)) {
        return true;
    }
    if (!sq_archive_path(&pick, pick.full, path)
        || !sq_search_state_of(scope->folder, sq_span_of(path), &state)) {
        count->out->pictures--; /* it was deleted */
        return true;
    }
    if (!sq_search_store_look_up(scope->store, sq_span_of(path), &known, err)) {
        return false;
    }
    bool is_same = known.is_known && known.state.size == state.size
                && known.state.mtime_ns == state.mtime_ns;
    count->out->unread += !is_same;
    count->out->unreadable += is_same && known.page == SQ_SEARCH_UNREADABLE;
    count->out->incomplete += is_same && known.missed > 0;
    return sq_deadline_check(&count->deadline, err);
}

static bool
is_whole(const struct sq_archive_window *window, int64_t day) {
    return window->from_utc <= day * SQ_SEARCH_DAY_S
        && window->to_utc >= (day + 1) * SQ_SEARCH_DAY_S;
}

static bool
count_day(struct count *count, const struct day *day, struct sq_err *err) {
    const struct sq_search_scope *scope = count->scope;
    const struct sq_search_day sum = summarize(count, day);
    struct sq_search_day read = { 0 };
    count->out->pictures += (size_t)sum.count;
    if (scope->store
        && !sq_search_store_day(scope->store, day->number, &read, err)) {
        return false;
    }
    if (!read.is_known) {
        count->out->unread += (size_t)sum.count;
        return true;
    }
    bool is_same = sum.count == read.count && sum.digest == read.digest;
    if (is_same && is_whole(&scope->window, day->number)
        && count->listing.shots.count > EXACT_SHOTS) {
        return true;
    }
    bool ok = true;
    for (size_t i = day->first; ok && i < day->end; i++) {
        ok = check_shot(count, i, err);
    }
    return ok;
}

static bool
count_days(struct count *count, struct sq_err *err) {
    const struct sq_shots *shots = &count->listing.shots;
    bool ok = true;
    for (size_t first = 0; ok && first < shots->count;) {
        struct day day = { shots->items[first].utc / SQ_SEARCH_DAY_S, first,
                           first };
        while (day.end < shots->count
               && shots->items[day.end].utc / SQ_SEARCH_DAY_S == day.number) {
            day.end++;
        }
        ok = count_day(count, &day, err);
        first = day.end;
    }
    return ok;
}

bool
sq_search_count_unread(const struct sq_search_scope *scope,
                       struct sq_search_unread *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct count count = {
        .scope = scope,
        .deadline = sq_deadline_within(scope->deadline, MAX_MS),
        .out = out,
    };
    bool ok = sq_archive_gather(scope->archive, &scope->window, &count.deadline,
                                &count.listing, &local_err)
           && count_days(&count, &local_err);
    sq_archive_listing_finish(&count.listing);
    if (!ok && local_err.code == SQ_ERR_TIMEOUT) {
        out->is_partial = true;
        return sq_deadline_check(scope->deadline, err);
    }
    return ok || sq_fail_with(err, &local_err);
}

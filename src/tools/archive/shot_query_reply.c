/* Writes what a query of archived shots found. */
#include <stdio.h>
#include <string.h>

#include "archive/window.h"
#include "sys/clock.h"
#include "tools/archive/shot_query.h"
#include "tools/reply.h"
#include "util/time_text.h"
#include "util/utf8.h"

#define NS_PER_S 1000000000
#define MAX_MONTHS 24 /* listed singly; earlier ones are summed up */
#define TEXT_SIZE 160
#define MAX_MONITORS 8 /* named in a sentence */

static void
start(const struct sq_call *call, struct sq_available *out) {
    *out = (struct sq_available){ .is_known = true };
    out->today =
        sq_time_local_day(call->past->zone, sq_clock_wall_ns() / NS_PER_S);
}

/* Finds the monitors with shots in the window. */
static bool
find_monitors(struct sq_call *call, struct sq_archive_window window,
              struct sq_available *out, struct sq_err *err) {
    SQ_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    window.monitor = SQ_ARCHIVE_ANY;
    bool ok = sq_archive_list(call->past->archive, &window, &call->deadline,
                              &listing, err);
    for (size_t i = 0; ok && i < listing.shots.count; i++) {
        uint8_t monitor = listing.shots.items[i].monitor;
        out->monitors[monitor / 32] |= 1U << monitor % 32;
    }
    return ok;
}

bool
sq_available_find(struct sq_call *call, const struct sq_archive_window *window,
                  struct sq_available *out, struct sq_err *err) {
    start(call, out);
    return sq_archive_range(call->past->archive, window->root, &call->deadline,
                            &out->range, err)
        && (window->monitor == SQ_ARCHIVE_ANY
            || find_monitors(call, *window, out, err));
}

bool
sq_available_count(struct sq_call *call, int root, int monitor,
                   struct sq_available *out, struct sq_err *err) {
    struct sq_archive_months *months =
        sq_arena_alloc(call->arena, 1, sizeof(*months), err);
    start(call, out);
    out->months = months;
    if (!months
        || !sq_archive_range(call->past->archive, root, &call->deadline,
                             &out->range, err)
        || !sq_archive_count_months(call->past->archive, root, monitor,
                                    &call->deadline, months, err)) {
        return false;
    }
    if (months->shots == 0) {
        memcpy(out->monitors, months->monitors, sizeof(out->monitors));
    }
    return true;
}

bool
sq_available_elsewhere(const struct sq_available *available) {
    uint32_t any = 0;
    for (size_t i = 0; i < 8; i++) {
        any |= available->monitors[i];
    }
    return any != 0;
}

static bool
has_monitor(const struct sq_available *available, int monitor) {
    return available->monitors[monitor / 32] & 1U << monitor % 32;
}

/* Writes the sentence that says which other monitors have shots. */
static void
name_monitors(const struct sq_available *available, char out[TEXT_SIZE]) {
    int left = 0;
    size_t used = (size_t)snprintf(
        out, TEXT_SIZE,
        "There are no screenshots of this monitor, but of monitor");
    for (int i = 0; i <= UINT8_MAX; i++) {
        left += has_monitor(available, i);
    }
    const int all = left;
    for (int i = 0; i <= UINT8_MAX && all - left < MAX_MONITORS; i++) {
        if (has_monitor(available, i)) {
            const char *before = left == all ? " " : left > 1 ? ", " : " and ";
            used += (size_t)snprintf(out + used, TEXT_SIZE - used, "%s%d",
                                     before, i);
            left--;
        }
    }
    snprintf(out + used, TEXT_SIZE - used, left > 0 ? " and others." : ".");
}

static void
put_day(const char *key, int64_t day, struct sq_json_writer *w) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_date_format(sq_date_from_days(day), text);
    sq_put_text(w, key, text);
}

/* Writes the latest months with shots, and the sum of those before. */
static void
put_months(const struct sq_archive_months *months, struct sq_json_writer *w) {
    size_t first = SQ_ARCHIVE_MONTHS;
    uint64_t listed = 0;
    for (int left = MAX_MONTHS; first > 0 && left > 0;) {
        first--;
        left -= months->counts[first] > 0;
        listed += months->counts[first];
    }
    sq_json_begin_object_of(w, "months");
    for (size_t i = first; i < SQ_ARCHIVE_MONTHS; i++) {
        char key[16];
        if (months->counts[i] > 0) {
            snprintf(key, sizeof(key), "%04d-%02d",
                     SQ_ARCHIVE_FIRST_YEAR + (int)i / 12, (int)i % 12 + 1);
            sq_put_int(w, key, months->counts[i]);
        }
    }
    sq_json_end_object(w);
    if (months->shots > listed) {
        sq_put_int(w, "before", (int64_t)(months->shots - listed));
    }
}

/* Writes the member "available"; nothing if it is not known. */
static void
put_available(const struct sq_available *available, struct sq_json_writer *w) {
    if (!available->is_known) {
        return;
    }
    sq_json_begin_object_of(w, "available");
    put_day("today", available->today, w);
    if (available->range.oldest_day != SQ_ARCHIVE_NO_DAY) {
        put_day("oldest", available->range.oldest_day, w);
        put_day("newest", available->range.newest_day, w);
    }
    if (sq_available_elsewhere(available)) {
        sq_json_begin_array_of(w, "monitors");
        for (int i = 0; i <= UINT8_MAX; i++) {
            if (has_monitor(available, i)) {
                sq_json_put_int(w, i);
            }
        }
        sq_json_end_array(w);
    }
    if (available->months) {
        put_months(available->months, w);
    }
    sq_json_end_object(w);
}

static void
put_truncation(const struct sq_shot_query *query, struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "truncation");
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
    sq_json_begin_object_of(w, "unusable");
    for (int i = 1; i < SQ_ARCHIVE_FAULTS; i++) {
        if (query->unusable[i] > 0) {
            sq_put_int(w, sq_archive_fault_name((enum sq_archive_fault)i),
                       query->unusable[i]);
        }
    }
    sq_json_end_object(w);
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
            sq_json_begin_array_of(w, "roots");
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
static struct sq_archive_finding
first_finding(const struct sq_shot_query *query) {
    const struct sq_archive_state *state = &query->state;
    const struct sq_archive_finding none = { SQ_CAUSE_NONE, SQ_ARCHIVE_ANY };
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
    sq_json_begin_array_of(w, "issues");
    for (size_t i = 0; i < state->count; i++) {
        sq_json_put_string(w,
                           sq_span_of(sq_cause_name(state->findings[i].cause)));
    }
    sq_json_end_array(w);
}

/* In general, and for folders that ManicTime writes. */
static const char *const remedies[][2] = {
    [SQ_ARCHIVE_REASON_NONE] = { "", "" },
    [SQ_ARCHIVE_REASON_RETENTION] = {
        "${The window lies before the oldest screenshot. Ask for a later "
        "window.|This is before the oldest screenshot. Ask for a later time.}",
        "${The window lies before the oldest screenshot: older ones were "
        "probably purged. Ask for a later window, or have the person|This is "
        "before the oldest screenshot: older ones were probably purged. Ask "
        "for a later time, or} review ManicTime's screenshot retention "
        "settings.",
    },
    [SQ_ARCHIVE_REASON_CAPTURE_DISABLED] = {
        "${Have the person check the program that writes the screenshots; "
        "squint://health says more.|Check the program that writes the "
        "screenshots; squint doctor says more.}",
        "${Have the person review ManicTime's screenshot capture settings; "
        "squint://health says more.|Review ManicTime's screenshot capture "
        "settings; squint doctor says more.}",
    },
    [SQ_ARCHIVE_REASON_UNKNOWN] = {
        "There are screenshots, but none in this ${window. Try a "
        "wider|period. Try a longer} one.",
        "There are screenshots, but none in this ${window. Try a wider one, "
        "or have the person|period. Try a longer one, or} review ManicTime's "
        "screenshot capture and retention settings.",
    },
};

/* Returns a hint for an empty window of a working archive. */
static const char *
window_remedy(enum sq_archive_reason reason, bool is_manictime) {
    static _Thread_local char text[SQ_MARKED_SIZE];
    return sq_marked(remedies[reason][is_manictime], text);
}

/* Returns a hint for an empty list of a working archive, perhaps in text. */
static const char *
remedy_of(const struct sq_shot_query *query, const struct sq_call *call,
          char text[TEXT_SIZE]) {
    if (sq_available_elsewhere(&query->available)) {
        name_monitors(&query->available, text);
        return text;
    }
    return window_remedy(query->listing.reason,
                         sq_library_is_manictime(call->past, query->root));
}

static void
put_diagnostics(const struct sq_shot_query *query, const struct sq_call *call,
                struct sq_json_writer *w) {
    const struct sq_archive_finding finding = first_finding(query);
    char text[TEXT_SIZE];
    sq_json_begin_object_of(w, "diagnostics");
    put_troubles(query, call->past->archive, w);
    put_unusable(query, w);
    /* Writes how many shots were not checked because the disk is slow. */
    if (query->unchecked > 0) {
        sq_put_int(w, "unchecked", query->unchecked);
        sq_put_words(
            w, "uncheckedNote",
            "The disk is slow, so it was not checked whether the files of that "
            "many screenshots are whole; $get_screenshot says if one is not.");
    }
    sq_put_bool(w, "degraded", query->state.count > 0);
    if (finding.cause != SQ_CAUSE_NONE) {
        const struct sq_library *past = call->past;
        sq_put_text(w, "reasonCode", sq_cause_name(finding.cause));
        sq_put_text(w, "message", sq_cause_message(finding.cause));
        if (finding.root != SQ_ARCHIVE_ANY) {
            const struct sq_archive_root *root =
                sq_archive_root_at(past->archive, (size_t)finding.root);
            sq_put_clean(w, "folder", sq_span_of(root->path));
        }
        sq_put_text(w, "remediationHint",
                    sq_library_remedy(past, finding.cause, finding.root));
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

void
sq_shot_query_put_activity(const struct sq_shot_query_shot *shot,
                           struct sq_json_writer *w) {
    if (shot->activity.len > 0) {
        sq_json_put_key(w, "activity");
        sq_json_put_untrusted_start(w, shot->activity, SQ_ACTIVITY_BYTES);
    }
}

/* Says for which of the listed days or shots there are no activity records. */
static void
put_activity_coverage(const struct sq_choice *choice, size_t all,
                      struct sq_json_writer *w) {
    char text[96];
    size_t percent = all ? choice->shots_unrecorded * 100 / all : 0;
    if (choice->days_unrecorded > 0) {
        snprintf(text, sizeof(text), "%zu of %zu days have no activity records",
                 choice->days_unrecorded, choice->days);
        sq_put_text(w, "activityCoverage", text);
    } else if (percent > 0) {
        snprintf(text, sizeof(text),
                 "%zu %% of the screenshots are from times without activity "
                 "records",
                 percent);
        sq_put_text(w, "activityCoverage", text);
    }
}

static void
put_window(const struct sq_shot_query *query, const struct sq_call *call,
           bool says_how, struct sq_json_writer *w) {
    const struct sq_zone *zone = call->past->zone;
    char from[SQ_TIME_TEXT_SIZE];
    char to[SQ_TIME_TEXT_SIZE];
    const struct sq_window *window = &query->window;
    sq_time_format(window->from_utc, sq_zone_offset(zone, window->from_utc),
                   from);
    sq_time_format(window->to_utc, sq_zone_offset(zone, window->to_utc), to);
    sq_json_begin_object_of(w, "window");
    sq_put_text(w, "from", from);
    sq_put_text(w, "to", to);
    if (says_how && query->note[0]) {
        sq_put_text(w, "readAs", query->note);
    }
    sq_json_end_object(w);
}

void
sq_shot_query_put_summary(const struct sq_shot_query *query,
                          const struct sq_call *call,
                          struct sq_json_writer *w) {
    put_available(&query->available, w);
    put_window(query, call, false, w);
    put_truncation(query, w);
    put_diagnostics(query, call, w);
}

void
sq_shot_query_put(const struct sq_shot_query *query, const struct sq_call *call,
                  struct sq_json_writer *w) {
    const struct sq_choice *choice = &query->choice;
    put_available(&query->available, w);
    if (sq_shot_query_is_counted(query)) {
        put_truncation(query, w);
        put_diagnostics(query, call, w);
        return;
    }
    put_window(query, call, true, w);
    sq_put_text(w, "sampling",
                query->is_moment ? "nearest" : sq_sampling_names[choice->used]);
    if (query->total == 0) {
        /* Nothing was chosen. */
    } else if (choice->why_quotes) {
        sq_put_quoting(w, "samplingNote", choice->why);
    } else if (choice->why[0]) {
        sq_put_text(w, "samplingNote", choice->why);
    }
    if (choice->coverage >= 0) {
        sq_put_double(w, "coverage",
                      (double)(int)(choice->coverage * 1000 + 0.5) / 1000);
    }
    put_activity_coverage(choice, query->total, w);
    put_compared(&query->compared, w);
    put_truncation(query, w);
    put_diagnostics(query, call, w);
}

/* Writes what a query of archived shots found. */
#include <stdio.h>

#include "tools/archive/archived_shot.h"
#include "tools/archive/shot_query.h"
#include "tools/reply.h"
#include "util/time_text.h"
#include "util/utf8.h"

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
        sq_put_words(
            w, "uncheckedNote",
            "The disk is slow, so it was not checked whether the files of that "
            "many screenshots are whole; $get_screenshot says if one is not.");
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

/* list_screenshots: lists archived screenshots without pictures. */
#include "tools/archive/archived_shot.h"
#include "tools/archive/shot_query.h"
#include "tools/operations.h"

#define DEFAULT_COUNT 20
#define NEAREST_COUNT 4 /* with `at` */

struct list_args {
    struct sq_opt_text at;
    struct sq_opt_text start_date;
    struct sq_opt_text end_date;
    struct sq_opt_int max_count;
    struct sq_opt_int sampling_strategy;
    struct sq_opt_int interval_seconds;
    struct sq_opt_int monitor;
    struct sq_opt_text root;
    struct sq_opt_bool summary;
    struct sq_opt_bool links;
    struct sq_opt_text cursor;
};

static const struct sq_arg table[] = {
    SQ_TEXT(list_args, start_date, "startDate", 64,
            "2026-01-15T10:30, today, -7d; none: counts per month",
            .placeholder = "WHEN",
            .help = "first day or time: 2026-01-15, 2026-01-15T10:30, today, "
                    "yesterday, monday, -7d; none: counts per month"),
    SQ_TEXT(list_args, end_date, "endDate", 64, "Included",
            .placeholder = "WHEN",
            .help = "last day, included, or time; none: the first day alone"),
    SQ_TEXT(list_args, at, "at", 64, "nearest to it", .placeholder = "WHEN",
            .help = "those nearest to a moment, before and after it: "
                    "\"yesterday 10:00\", 2026-01-15T10:30"),
    SQ_INT(list_args, max_count, "maxCount", 1, SQ_SHOT_QUERY_MAX, "Default 20",
           .flag = "limit", .help = "list at most N",
           .initial = "20; 4 with --at"),
    SQ_CHOICE(list_args, sampling_strategy, "samplingStrategy",
              sq_sampling_names, "", .help = "how to choose them",
              .initial = "activity_transition"),
    SQ_INT(list_args, interval_seconds, "intervalSeconds", 0, 31536000,
           "0: all", .help = "at most one every N seconds; 0: all",
           .initial = "by the time and --limit"),
    SQ_INT(list_args, monitor, "monitor", 0, 255, "", .is_rare = true,
           .help = "of this monitor only"),
    SQ_TEXT(list_args, root, "root", 256, "", .placeholder = "NAME",
            .is_rare = true, .help = "of this archive only"),
    SQ_BOOL(list_args, summary, "summary", "Time per app", .is_rare = true,
            .help = "the time of each app instead of screenshots"),
    SQ_BOOL(list_args, links, "links", "Also a link per shot", .is_rare = true,
            .is_hidden = true),
    SQ_TEXT(list_args, cursor, "cursor", 47, "\"start\": page through all",
            .help = "start lists all in order; then the cursor of the last "
                    "page"),
    SQ_ARGS_END,
};

static struct sq_shot_query_request
request_of(const struct list_args *args) {
    enum sq_sampling sampling = SQ_SAMPLING_ACTIVITY;
    if (args->sampling_strategy.given) {
        sampling = (enum sq_sampling)args->sampling_strategy.value;
    } else if (args->interval_seconds.given || args->cursor.given) {
        sampling = SQ_SAMPLING_INTERVAL;
    }
    int interval_s = args->cursor.given ? 0 : SQ_INTERVAL_AUTO;
    return (struct sq_shot_query_request){
        .at = args->at.value,
        .start = args->start_date.value,
        .end = args->end_date.value,
        .root = args->root.value,
        .monitor = args->monitor.given ? args->monitor.value : SQ_ARCHIVE_ANY,
        .sampling = sampling,
        .interval_s = args->interval_seconds.given
                        ? args->interval_seconds.value
                        : interval_s,
        .max_count = args->max_count.given ? (size_t)args->max_count.value
                   : args->at.given        ? NEAREST_COUNT
                                           : DEFAULT_COUNT,
        .cursor = args->cursor.value,
    };
}

static bool
put_shots(struct sq_call *call, const struct sq_shot_query *query,
          struct sq_json_writer *w, struct sq_err *err) {
    struct sq_archived_shot_entry *entries =
        sq_arena_alloc(call->arena, query->count + 1, sizeof(*entries), err);
    if (!entries) {
        return false;
    }
    for (size_t i = 0; i < query->count; i++) {
        const struct sq_shot_query_shot *shot = &query->shots[i];
        entries[i] =
            (struct sq_archived_shot_entry){ &shot->pick,
                                             { shot->width, shot->height } };
    }
    unsigned common =
        sq_archived_shot_put_common(call, entries, query->count, w);
    bool ok = true;
    sq_json_begin_array_of(w, "screenshots");
    for (size_t i = 0; ok && i < query->count; i++) {
        sq_json_begin_object(w);
        ok = sq_archived_shot_put_entry(call, &entries[i], common, w, err);
        sq_shot_query_put_activity(&query->shots[i], w);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    return ok;
}

static bool
add_links(struct sq_call *call, const struct sq_shot_query *query,
          struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < query->count; i++) {
        const struct sq_archive_pick *pick = &query->shots[i].pick;
        ok = !sq_archived_shot_shows_any(pick)
          || sq_archived_shot_add_link(call, pick, SQ_FOR_BOTH, err);
    }
    return ok;
}

/* Refuses arguments that have no effect beside `at`. */
static bool
check_moment(const struct list_args *args, struct sq_err *err) {
    if (args->at.given
        && (args->sampling_strategy.given || args->interval_seconds.given)) {
        return sq_fail_argument(
            err,
            "at lists the nearest shots, so $samplingStrategy and "
            "$intervalSeconds have no effect",
            "Leave them out, or give $startDate and $endDate instead of at.");
    }
    return true;
}

/* Refuses arguments that choose shots: there are none in a summary. */
static bool
check_summary(const struct list_args *args, struct sq_err *err) {
    if (!args->start_date.given && !args->end_date.given) {
        return sq_fail_argument(err, "$summary needs $startDate",
                                "Give a day or a time, such as yesterday, "
                                "-7d or last week.");
    }
    if (args->at.given || args->max_count.given || args->cursor.given
        || args->sampling_strategy.given || args->interval_seconds.given
        || args->links.value) {
        return sq_fail_argument(
            err,
            "$summary lists no screenshots, so $at, $maxCount, $cursor, "
            "$links, $samplingStrategy and $intervalSeconds have no "
            "effect",
            "Leave them out, or leave out $summary.");
    }
    return true;
}

/* Writes how long each app was used. */
static bool
sum_up(struct sq_call *call, const struct list_args *args, struct sq_err *err) {
    struct sq_shot_query_request request = request_of(args);
    SQ_FREED(sq_shot_query_finish) struct sq_shot_query query = { 0 };
    struct sq_reply reply;
    request.sampling = SQ_SAMPLING_INTERVAL;
    request.max_count = 1;
    if (!check_summary(args, err)
        || !sq_shot_query_make(call, &request, &query, err)
        || !sq_reply_start(call, &reply, err)) {
        return false;
    }
    query.count = 0;
    query.is_limited = false;
    sq_json_begin_array_of(&reply.w, "screenshots");
    sq_json_end_array(&reply.w);
    if (!sq_time_by_app_put(call, &query, &reply.w, err)) {
        return false;
    }
    sq_shot_query_put_summary(&query, call, &reply.w);
    return sq_reply_end(call, &reply, err);
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct list_args *args = raw_args;
    if (args->summary.value) {
        return sum_up(call, args, err);
    }
    const struct sq_shot_query_request request = request_of(args);
    SQ_FREED(sq_shot_query_finish) struct sq_shot_query query = { 0 };
    struct sq_reply reply;
    bool ok = check_moment(args, err)
           && sq_shot_query_make(call, &request, &query, err)
           && sq_reply_start(call, &reply, err)
           && put_shots(call, &query, &reply.w, err);
    if (ok) {
        sq_shot_query_put(&query, call, &reply.w);
        ok = sq_reply_end(call, &reply, err)
          && (!args->links.value || add_links(call, &query, err));
    }
    return ok;
}

static const struct sq_column month_columns[] = {
    { "MONTH", false },
    { "SCREENSHOTS", true },
    { NULL, false },
};

/* Prints the counts per month, for a list without dates. */
static bool
put_months(struct sq_people *people, struct sq_err *err) {
    struct sq_table cells = { .arena = people->arena,
                              .columns = month_columns };
    const struct sq_json *available = sq_json_get(people->reply, "available");
    bool ok = true;
    for (const struct sq_json *month =
             sq_json_first(sq_json_get(available, "months"));
         ok && month; month = sq_json_next(month)) {
        ok = sq_table_add(&cells, SQ_INK_STRONG, sq_json_key(month), err)
          && sq_table_add_value(&cells, SQ_INK_PLAIN, month, err);
    }
    return ok && sq_table_print(&cells, &people->page, err);
}

static const struct sq_column time_columns[] = {
    { "TIME", true },
    { "APP", false },
    { NULL, false },
};

/* Prints the rows of a summary, such as "3h12m Editor". */
static bool
show_summary(struct sq_people *people, struct sq_err *err) {
    struct sq_table cells = { .arena = people->arena, .columns = time_columns };
    struct sq_span note = sq_json_text_of(people->reply, "timeNote");
    const struct sq_json *rows = sq_json_get(people->reply, "time");
    bool ok = true;
    for (const struct sq_json *row = sq_json_first(rows); ok && row;
         row = sq_json_next(row)) {
        struct sq_span app;
        struct sq_span time;
        ok = !sq_json_string(row, &app) || !sq_span_take_until(&app, ' ', &time)
          || (sq_table_add(&cells, SQ_INK_STRONG, time, err)
              && sq_table_add(&cells, SQ_INK_PLAIN, app, err));
    }
    return ok && sq_table_print(&cells, &people->page, err)
        && (note.len == 0
            || sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%.*s\n",
                              SQ_SPAN_ARGS(note)));
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    if (sq_json_get(people->reply, "time")
        || sq_json_get(people->reply, "timeNote")) {
        return show_summary(people, err)
            && sq_people_put_diagnostics(people, err);
    }
    size_t shown = sq_json_count(sq_json_get(people->reply, "screenshots"));
    struct sq_span next =
        sq_json_text_of(sq_json_get(people->reply, "truncation"), "nextCursor");
    return sq_people_put_shot_total(people, shown, err)
        && sq_people_put_shots(people, err) && put_months(people, err)
        && (next.len == 0
            || sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "--cursor %.*s shows the next.\n",
                              SQ_SPAN_ARGS(next)))
        && sq_people_put_diagnostics(people, err);
}

const struct sq_tool sq_tool_list_screenshots = {
    .name = "list_screenshots",
    .verb = "list",
    .title = "List past screenshots",
    .text =
        "List past screenshots of a time window; no pictures. summary: time "
        "per app.",
    .manual =
        "The first step of survey, glance, zoom: a list of past screenshots, "
        "chosen so that a few show what happened in the window.\n\n- "
        "`startDate` and `endDate` take a date or a date-time of ISO 8601, "
        "with or without an offset (without one they are in the server's "
        "zone), or `today`, `yesterday`, `monday`, `-7d`, `-2h`, `now`. A "
        "date alone as `startDate` means the start of that day, as `endDate` "
        "its end. Without `endDate`, the window ends with the same day, or "
        "now after `-7d` and the like. `window.readAs` shows how your dates "
        "were interpreted.\n- `at` (`yesterday 10:00`, a date-time) instead "
        "lists the shots nearest to that moment, half of them before it: 4, "
        "or `maxCount`.\n- Without any of them, no shots are listed: "
        "`available` has the oldest and the newest day, and how many shots "
        "each month has.\n- `samplingStrategy`: `activity_transition` (the "
        "default) returns one shot per period of activity, taken shortly "
        "after the user switched to the application, and one per hour without "
        "activity records (`activityCoverage` says how much that is); without "
        "a tracker it becomes `interval`, and `samplingNote` says so. "
        "`visual` finds the periods by comparing pictures, `coverage` picks "
        "the shots that are most similar to the others. `intervalSeconds: 0` "
        "omits nothing.\n- If there are more than `maxCount`, each day gets "
        "an equal share, and each activity of a day a share by its duration. "
        "To see all of them in order, pass `cursor: \"start\"` and then each "
        "`nextCursor`.\n- `summary` lists no shots but `time`, how long each "
        "app was used in the window by the records of a tracker (`3h12m "
        "Editor`), longest first; `timeNote` says why it is not known.\n- "
        "`compared` is the share of the pictures that `visual` or `coverage` "
        "had time to compare; ask again later for a better choice. "
        "`diagnostics.unchecked` counts shots on a slow disk whose files were "
        "not checked.\n- get_screenshot and crop_screenshot take "
        "`screenshotRef`; it stays valid. `common` has the fields that are "
        "the same for all shots.\n- If the list is empty, `available` has "
        "today's date and the days that have shots, and `diagnostics` the "
        "likely reason and what to do.",
    .manual_example =
        "\"startDate\": \"2026-01-15\", \"endDate\": \"2026-01-15\"",
    .flags =
        SQ_TOOL_BY_ARCHIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_HEAVY | SQ_TOOL_LONG,
    SQ_ARGS(table, list_args),
    .words = "startDate? endDate?",
    .timeout_ms = 60000,
    /* Only what programs need: every conversation pays for it. */
    .output = "screenshots:objects truncation:object diagnostics:object",
    .people = { .about = "List past screenshots of a day or a period.",
                .examples = { "list yesterday", "list -7d now" },
                .show = show,
                .is_done = sq_has_shots },
    .uses = SQ_USES_PAST,
    .synonyms = "list-screenshots screenshots history list-images",
    .example = "\"startDate\": \"today\"",
    .run = run,
};

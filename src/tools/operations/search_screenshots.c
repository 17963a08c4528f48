/* search_screenshots: finds archived screenshots by the text in them. */
#include "tools/archive/archived_shot.h"
#include "tools/archive/shot_query.h"
#include "tools/operations.h"
#include "util/time_text.h"

#define DEFAULT_COUNT 20
#define QUARTER_S 900

struct search_args {
    struct sq_opt_text text;
    struct sq_opt_text start_date;
    struct sq_opt_text end_date;
    struct sq_opt_text app;
    struct sq_opt_int max_count;
};

static const struct sq_arg table[] = {
    SQ_TEXT(search_args, text, "text", SQ_SEARCH_TEXT_BYTES, "",
            .help = "words, or parts of them, that were on "
                    "the screen; \"a phrase\", -without"),
    SQ_TEXT(search_args, start_date, "startDate", 64, "", .placeholder = "WHEN",
            .help = "first day or time, or a period: yesterday, -7d, last "
                    "month, 2026-01; none: any time"),
    SQ_TEXT(search_args, end_date, "endDate", 64, "", .placeholder = "WHEN",
            .help = "last day, included, or time; none: the first day alone"),
    SQ_TEXT(search_args, app, "app", 128, "",
            .help = "only while this was in use: words of its name or title; "
                    "also without text"),
    SQ_INT(search_args, max_count, "maxCount", 1, SQ_SEARCH_MAX_HITS, "",
           .flag = "limit", .help = "list at most N", .initial = "20",
           .is_rare = true),
    SQ_ARGS_END,
};

static void
put_until(const struct sq_search_hit *hit, struct sq_json_writer *w) {
    char text[SQ_TIME_TEXT_SIZE];
    const struct sq_shot *shot = &hit->pick.shot;
    if (hit->last_utc > shot->utc) {
        sq_time_format_wall(hit->last_utc, shot->quarters * QUARTER_S, text);
        sq_put_text(w, "until", text);
    }
}

static void
put_box(struct sq_rect box, struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "box");
    sq_put_edges(w, box.left, box.top, box.right, box.bottom);
    sq_json_end_object(w);
}

/* The size is omitted: a hit is cropped by its number. */
static bool
put_hit(struct sq_call *call, const struct sq_search_hit *hit, int number,
        char ref[SQ_REF_SIZE], struct sq_json_writer *w, struct sq_err *err) {
    char time[SQ_TIME_TEXT_SIZE];
    const struct sq_archive *archive = call->past->archive;
    const struct sq_shot *shot = &hit->pick.shot;
    if (!sq_archive_ref(call->past->archive, &hit->pick, ref, err)) {
        return false;
    }
    sq_time_format_wall(shot->utc, shot->quarters * QUARTER_S, time);
    sq_json_begin_object(w);
    sq_put_int(w, "hit", number);
    sq_put_text(w, "screenshotRef", ref);
    sq_put_text(w, "displayLocalTime", time);
    put_until(hit, w);
    sq_put_untrusted(w, "snippet", sq_span_of(hit->snippet));
    sq_put_if_true(w, "misread", hit->rank >= SQ_SEARCH_MISREAD);
    put_box(hit->box, w);
    if (sq_archive_root_count(archive) > 1) {
        sq_put_clean(
            w, "root",
            sq_span_of(
                sq_archive_root_at(archive, (size_t)hit->pick.root)->name));
    }
    sq_json_end_object(w);
    return true;
}

/*
 * Writes the hits that fit, with numbers from `first` on; *count is lowered to
 * their number.
 */
static bool
put_hits(struct sq_call *call, struct sq_search_result *result, int first,
         struct sq_session_hit *kept, struct sq_json_writer *w,
         struct sq_err *err) {
    bool ok = true;
    sq_json_begin_array_of(w, "hits");
    for (size_t i = 0; ok && i < result->count; i++) {
        if (!sq_reply_has_room(w)) {
            result->count = i;
            result->has_more = true;
            break;
        }
        ok = put_hit(call, &result->hits[i], first + (int)i, kept[i].ref, w,
                     err);
        kept[i].box = result->hits[i].box;
        sq_search_state_write(&result->hits[i].state, kept[i].state);
    }
    sq_json_end_array(w);
    return ok;
}

/* Says how the request was read, and what was not searched. */
static bool
put_notes(struct sq_call *call, const struct sq_search_result *result,
          const char *dates, struct sq_json_writer *w, struct sq_err *err) {
    if (dates[0]) {
        sq_put_text(w, "readAs", dates);
    }
    sq_put_if_true(w, "truncated", result->has_more);
    return sq_text_search_put_notes(call, result, w, err);
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct search_args *args = raw_args;
    const struct sq_text_search search = {
        .text = args->text.value,
        .start = args->start_date.value,
        .end = args->end_date.value,
        .app = args->app.value,
        .max = args->max_count.given ? (size_t)args->max_count.value
                                     : DEFAULT_COUNT,
    };
    struct sq_search_result result;
    struct sq_reply reply;
    char dates[SQ_WINDOW_NOTE_SIZE];
    struct sq_session_hit *kept =
        sq_arena_alloc(call->arena, SQ_SEARCH_MAX_HITS, sizeof(*kept), err);
    if (!kept || !sq_text_search_run(call, &search, &result, dates, err)
        || !sq_reply_start(call, &reply, err)) {
        return false;
    }
    int first = sq_session_number_hits(call->session, result.count);
    if (!put_hits(call, &result, first, kept, &reply.w, err)
        || !put_notes(call, &result, dates, &reply.w, err)
        || !sq_reply_end(call, &reply, err)) {
        return false;
    }
    sq_session_set_hits(call->session, first, kept, result.count);
    return true;
}

static bool
has_hits(const struct sq_people *people) {
    return sq_json_count(sq_json_get(people->reply, "hits")) > 0;
}

static const struct sq_column hit_columns[] = {
    { "HIT", true },        { "TIME", false },    { "FOLDER", false },
    { "REFERENCE", false }, { "SNIPPET", false }, { NULL, false },
};

static bool
show(struct sq_people *people, struct sq_err *err) {
    struct sq_table cells = { .arena = people->arena,
                              .columns = hit_columns,
                              .whole = "REFERENCE" };
    const struct sq_json *hits = sq_json_get(people->reply, "hits");
    size_t count = sq_json_count(hits);
    bool ok = true;
    for (const struct sq_json *hit = sq_json_first(hits); ok && hit;
         hit = sq_json_next(hit)) {
        ok = sq_table_add_value(&cells, SQ_INK_PLAIN, sq_json_get(hit, "hit"),
                                err)
          && sq_table_add(&cells, SQ_INK_STRONG,
                          sq_json_text_of(hit, "displayLocalTime"), err)
          && sq_table_add(&cells, SQ_INK_PLAIN, sq_json_text_of(hit, "root"),
                          err)
          && sq_table_add(&cells, SQ_INK_FAINT,
                          sq_json_text_of(hit, "screenshotRef"), err)
          && sq_table_printf(&cells, SQ_INK_PLAIN, err, "%s%.*s",
                             sq_json_bool_of(hit, "misread") ? "(misread?) "
                                                             : "",
                             SQ_SPAN_ARGS(sq_json_text_of(hit, "snippet")));
    }
    bool has_more = sq_json_bool_of(people->reply, "truncated");
    int64_t unread = 0;
    sq_json_int(sq_json_get(people->reply, "unread"), &unread);
    bool has_unread = unread > 0 || sq_json_get(people->reply, "unreadable");
    return ok
        && (count > 0 ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                       "%zu screenshot%s%s\n", count,
                                       sq_plural((int64_t)count),
                                       has_more ? ", and older ones" : "")
                      : sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                                       "No screenshot %sshows this text\n",
                                       has_unread ? "that has been read " : ""))
        && sq_people_put_read_as(people, people->reply, err)
        && sq_table_print(&cells, &people->page, err);
}

const struct sq_tool sq_tool_search_screenshots = {
    .name = "search_screenshots",
    .verb = "search",
    .title = "Search past screenshots",
    .text = "Find past screenshots by text in them.",
    .manual =
        "Finds past screenshots that show all words of `text`, newest first; "
        "case and accents do not matter. Parts of words and numbers are found "
        "too, after whole ones. Words with signs between them (`1,204.50`, "
        "`ada@example.com`, `12:30`) must be in one line like that; a comma "
        "and a point in a number count as equal. `\"a phrase\"` in quotes "
        "must be in one line in that order, as whole words; `-word` leaves "
        "out what shows that whole word. Last come words of which one "
        "character may have been misread, `acmel` for `acme1`: `misread` is "
        "true. `hits` have `hit`, `screenshotRef`, `displayLocalTime` (and "
        "`until`, if later ones show the same line), the line as `snippet`, "
        "and the `box` of the words in pixels of the screenshot. "
        "get_screenshot and crop_screenshot take the number as `hit`, until "
        "the next search, whose numbers go on after these: crop_screenshot "
        "with `hit` alone shows the words and what is around them.\n\n- "
        "`startDate` and `endDate` as in list_screenshots; `last month`, "
        "`this week` and `2026-01` are periods. Without them, any time.\n- "
        "`app`: only while the tracker saw an activity with these words, in "
        "the name or the title. `app` and dates also work without `text`; "
        "then a hit is the beginning of the activity, or of a time in which "
        "the first line is the same.\n- Only folders whose permission is "
        "`full` are searched, and only pictures that `squint archive index` "
        "has read: `searched` is how many of the time these are, `unread` how "
        "many it has not read yet, or not since they changed; `unreadable` "
        "how many it could not, `incomplete` of how many it could not read "
        "all lines, `onlyThumbnails` how many have no full picture; `changed` "
        "how many hits are left out because their file has changed or was "
        "deleted. `note` says what to do.\n- Text in pictures is read by a "
        "program, which makes mistakes: try a part of a word, or another word "
        "of the same screen.",
    .manual_example =
        "\"text\": \"invoice ACME\", \"startDate\": \"last month\"",
    .flags = SQ_TOOL_BY_ARCHIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_NUMBERS,
    SQ_ARGS(table, search_args),
    .words = "text? startDate? endDate?",
    .timeout_ms = 60000,
    .output = "hits:objects",
    .people = { .examples = { "search invoice",
                              "search 'invoice ACME' last month" },
                .show = show,
                .is_done = has_hits },
    .uses = SQ_USES_PAST,
    .synonyms = "search-screenshots search-history",
    .example = "\"text\": \"invoice\"",
    .run = run,
};

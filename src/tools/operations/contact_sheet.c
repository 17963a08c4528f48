/* contact_sheet: shows many archived screenshots in one picture. */
#include <stdio.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "tools/archive/archived_shot.h"
#include "tools/archive/sheet.h"
#include "tools/archive/shot_query.h"
#include "tools/operations.h"
#include "util/time_text.h"
#include "util/utf8.h"

#define DEFAULT_COUNT 24
#define DEFAULT_TOKENS 1500
#define LABEL_SIZE 64
#define TITLE_SIZE 64

struct sheet_args {
    struct sq_opt_text start_date;
    struct sq_opt_text end_date;
    struct sq_opt_texts refs;
    struct sq_opt_text query;
    struct sq_opt_int columns;
    struct sq_opt_int budget_tokens;
    struct sq_opt_int max_count;
    struct sq_opt_int monitor;
    struct sq_opt_int sampling_strategy;
};

static const struct sq_arg table[] = {
    SQ_TEXT(sheet_args, start_date, "startDate", 64, "", .placeholder = "WHEN",
            .help = "first day or time: 2026-01-15, today, yesterday, -7d"),
    SQ_TEXT(sheet_args, end_date, "endDate", 64, "", .placeholder = "WHEN",
            .help = "last day, included, or time; none: the first day alone"),
    SQ_LIST(sheet_args, refs, "refs", 64, "", .placeholder = "REF,REF",
            .help = "these instead of dates; see squint list"),
    SQ_TEXT(sheet_args, query, "query", SQ_SEARCH_TEXT_BYTES, "",
            .placeholder = "TEXT",
            .help = "only those that show this text; see squint search"),
    SQ_INT(sheet_args, columns, "columns", 1, 20, "", .is_rare = true,
           .help = "cells beside each other; none: what fits best"),
    SQ_INT(sheet_args, budget_tokens, "budgetTokens", 100, 20000,
           "Default 1500", .help = "tokens that the picture may cost",
           .initial = "1500"),
    SQ_INT(sheet_args, max_count, "maxCount", 1, SQ_SHOT_QUERY_MAX,
           "Default 24", .flag = "limit", .help = "show at most N",
           .initial = "24"),
    SQ_INT(sheet_args, monitor, "monitor", 0, 255, "", .is_rare = true,
           .help = "of this monitor only"),
    SQ_CHOICE(sheet_args, sampling_strategy, "samplingStrategy",
              sq_sampling_names, "", .is_rare = true,
              .help = "how to choose them",
              .initial = "activity_transition; coverage if no activity is "
                         "known"),
    SQ_ARGS_END,
};

/* The contents of a sheet. */
struct job {
    struct sq_call *call;
    const struct sheet_args *args;
    const struct sq_token_profile *profile;
    struct sq_shot_query query;      /* unused if refs were given */
    struct sq_search_result found;   /* used if args->query was given */
    char dates[SQ_WINDOW_NOTE_SIZE]; /* how its dates were read */
    struct sq_archive_pick *picks;
    size_t count;
    char (*refs)[SQ_REF_SIZE];
    bool one_day;           /* labels do not need a date */
    bool one_offset;        /* nor an offset from UTC */
    char title[TITLE_SIZE]; /* the days, and the offset */
    size_t unreadable;
    int redacted; /* parts that were hidden in all cells */
    bool has_sheet;
    struct sq_sheet sheet;
};

static bool
take_query(struct job *job, struct sq_err *err) {
    const struct sheet_args *args = job->args;
    const struct sq_shot_query_request request = {
        .start = args->start_date.value,
        .end = args->end_date.value,
        .monitor = args->monitor.given ? args->monitor.value : SQ_ARCHIVE_ANY,
        .sampling = args->sampling_strategy.given
                      ? (enum sq_sampling)args->sampling_strategy.value
                      : SQ_SAMPLING_ACTIVITY,
        .prefers_looks = !args->sampling_strategy.given,
        .interval_s = SQ_INTERVAL_AUTO,
        .max_count = args->max_count.given ? (size_t)args->max_count.value
                                           : DEFAULT_COUNT,
    };
    if (!sq_shot_query_make(job->call, &request, &job->query, err)) {
        return false;
    }
    job->count = job->query.count;
    job->picks = sq_arena_alloc(job->call->arena, job->count + 1,
                                sizeof(*job->picks), err);
    for (size_t i = 0; job->picks && i < job->count; i++) {
        job->picks[i] = job->query.shots[i].pick;
    }
    return job->picks != NULL;
}

static bool
take_refs(struct job *job, struct sq_err *err) {
    const struct sq_opt_texts *refs = &job->args->refs;
    job->count = refs->count;
    job->picks = sq_arena_alloc(job->call->arena, job->count + 1,
                                sizeof(*job->picks), err);
    bool ok = job->picks != NULL;
    for (size_t i = 0; ok && i < job->count; i++) {
        ok = sq_archived_shot_find(job->call, refs->items[i], &job->picks[i],
                                   err)
          || sq_fail_in(err, "refs[%zu]", i);
    }
    return ok;
}

/* Takes the hits of a search, oldest first as in every sheet. */
static bool
take_hits(struct job *job, struct sq_err *err) {
    const struct sheet_args *args = job->args;
    const struct sq_text_search search = {
        .text = args->query.value,
        .start = args->start_date.value,
        .end = args->end_date.value,
        .max = args->max_count.given ? (size_t)args->max_count.value
                                     : DEFAULT_COUNT,
    };
    if (!sq_text_search_run(job->call, &search, &job->found, job->dates, err)) {
        return false;
    }
    job->count = job->found.count;
    job->picks = sq_arena_alloc(job->call->arena, job->count + 1,
                                sizeof(*job->picks), err);
    for (size_t i = 0; job->picks && i < job->count; i++) {
        job->picks[i] = job->found.hits[job->count - 1 - i].pick;
    }
    return job->picks != NULL;
}

static bool
take(struct job *job, struct sq_err *err) {
    const struct sheet_args *args = job->args;
    if (args->sampling_strategy.given
        && (args->query.given || args->refs.count > 0)) {
        return sq_fail_argument(
            err, "$samplingStrategy has no effect on refs or the hits of query",
            "Leave it out.");
    }
    if (args->query.given && args->refs.count == 0) {
        return take_hits(job, err);
    }
    bool has_dates =
        args->start_date.value.len > 0 || args->end_date.value.len > 0;
    bool has_refs = args->refs.count > 0;
    if (has_dates && has_refs) {
        return sq_fail_argument(
            err,
            "a sheet shows a ${period or refs|day or a period, or --refs}, "
            "not both",
            "Leave ${refs or the dates|--refs or the day} out.");
    }
    if (has_refs && args->query.given) {
        return sq_fail_argument(
            err, "a sheet shows what query finds or refs, not both",
            "Leave refs or query out.");
    }
    if (has_dates == has_refs) {
        return sq_fail_argument(
            err,
            "a sheet needs ${startDate and endDate, query, or refs|a day, "
            "a period or references}",
            SQ_SAY("For one day, give its date as startDate.",
                   "For example: squint sheet yesterday"));
    }
    return has_refs ? take_refs(job, err) : take_query(job, err);
}

static int64_t
local_of(const struct sq_archive_pick *pick) {
    return (int64_t)pick->shot.utc + pick->shot.quarters * 900;
}

/* Writes a time such as "2026-01-15T10:30:00+01:00". */
static void
write_time(const struct job *job, size_t place, char out[SQ_TIME_TEXT_SIZE]) {
    const struct sq_shot *shot = &job->picks[place].shot;
    sq_time_format(shot->utc, shot->quarters * 900, out);
}

/*
 * Writes a label such as "12 10:30", with the date if there are several days
 * and the offset if there are several.
 */
static void
write_label(const struct job *job, size_t place, const char *gap,
            char out[LABEL_SIZE]) {
    char time[SQ_TIME_TEXT_SIZE];
    write_time(job, place, time);
    snprintf(out, LABEL_SIZE, "%zu%s%.*s%s", place + 1, gap,
             job->one_day ? 5 : 11, time + (job->one_day ? 11 : 5),
             job->one_offset ? "" : time + 19);
}

/* Finds out what all shots have in common, and writes the title. */
static void
find_span(struct job *job) {
    char time[SQ_TIME_TEXT_SIZE];
    size_t first = 0;
    size_t last = 0;
    job->one_day = true;
    job->one_offset = true;
    for (size_t i = 1; i < job->count; i++) {
        const struct sq_archive_pick *pick = &job->picks[i];
        job->one_day = job->one_day
                    && sq_days_of_seconds(local_of(pick))
                           == sq_days_of_seconds(local_of(&job->picks[0]));
        job->one_offset = job->one_offset
                       && pick->shot.quarters == job->picks[0].shot.quarters;
        first = pick->shot.utc < job->picks[first].shot.utc ? i : first;
        last = pick->shot.utc > job->picks[last].shot.utc ? i : last;
    }
    write_time(job, first, time);
    int used = snprintf(job->title, TITLE_SIZE, "%.10s", time);
    write_time(job, last, time);
    if (!job->one_day) {
        used += snprintf(job->title + used, TITLE_SIZE - (size_t)used,
                         " to %.10s", time);
    }
    if (job->one_offset) {
        snprintf(job->title + used, TITLE_SIZE - (size_t)used, ", UTC%s",
                 time + 19);
    }
}

static bool
may_show_whole(const struct sq_archive_pick *pick) {
    return (pick->shot.flags & SQ_SHOT_FULL) != 0
        && sq_archived_shot_shows_all(pick);
}

/* Returns the largest size in which the widest shot can be shown. */
static struct sq_size
find_shape(const struct job *job, const struct sq_size *shapes) {
    size_t widest = 0;
    struct sq_archive_file file = { 0 };
    for (size_t i = 1; i < job->count; i++) {
        const struct sq_size a = shapes[i], b = shapes[widest];
        widest = a.width * b.height > b.width * a.height ? i : widest;
    }
    struct sq_size shape = shapes[widest];
    const struct sq_archive_pick *pick = &job->picks[widest];
    if (shape.width && shape.height && may_show_whole(pick)) {
        return shape;
    }
    if (!sq_archived_shot_read_small(job->call, pick, &file, NULL, NULL)
        || !sq_codec_size(file.bytes.data, file.bytes.len, &shape, NULL)) {
        shape = (struct sq_size){ 320, 180 };
    }
    sq_buf_finish(&file.bytes);
    return shape;
}

static bool
plan(struct job *job, int budget_tokens, struct sq_err *err) {
    struct sq_size shapes[SQ_SHEET_MAX];
    for (size_t i = 0; i < job->count; i++) {
        const struct sq_shot *shot = &job->picks[i].shot;
        shapes[i] = (struct sq_size){ shot->width, shot->height };
        if (job->query.count > 0) { /* known also if the name lacks it */
            shapes[i] = (struct sq_size){ job->query.shots[i].width,
                                          job->query.shots[i].height };
        }
    }
    find_span(job);
    const struct sq_sheet_request request = {
        .count = job->count,
        .shape = find_shape(job, shapes),
        .shapes = shapes,
        .has_dates = !job->one_day,
        .columns = job->args->columns.value,
        .profile = job->profile,
        .budget_tokens = budget_tokens,
    };
    return sq_sheet_plan(&request, &job->sheet, err);
}

/* Returns the longest side of a picture of this shape that fills a cell. */
static int
longest_side(struct sq_size picture, struct sq_size cell) {
    double scale = (double)cell.width / picture.width;
    double other = (double)cell.height / picture.height;
    scale = other < scale ? other : scale;
    int side = (int)(scale * sq_size_long_side(picture));
    return side > 1 ? side : 1;
}

/*
 * Reads the thumbnail, or the full picture if the thumbnail is smaller than its
 * cell.
 */
static bool
read_for_cell(const struct job *job, const struct sq_archive_pick *pick,
              struct sq_size cell, struct sq_archive_file *out,
              struct sq_size *size, struct sq_err *err) {
    bool is_stored;
    if (!sq_archived_shot_read_small(job->call, pick, out, &is_stored, err)
        || !sq_codec_size(out->bytes.data, out->bytes.len, size, err)) {
        return false;
    }
    struct sq_archive_file whole = { 0 };
    struct sq_size better;
    if (!is_stored || !may_show_whole(pick)
        || longest_side(*size, cell) <= sq_size_long_side(*size)
        || !sq_archive_read(job->call->past->archive, pick,
                            SQ_ARCHIVE_WANT_FULL, &job->call->deadline, &whole,
                            NULL)) {
        return true;
    }
    if (!sq_codec_size(whole.bytes.data, whole.bytes.len, &better, NULL)) {
        sq_buf_finish(&whole.bytes);
        return true;
    }
    sq_buf_finish(&out->bytes);
    *out = whole;
    *size = better;
    return true;
}

/* Draws one cell. A picture that cannot be read leaves its cell empty. */
static bool
draw_one(struct job *job, struct sq_sheet_draw *draw, size_t place,
         struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    SQ_FREED(sq_image_finish) struct sq_image picture = { 0 };
    struct sq_size size;
    struct sq_err local_err = { 0 };
    char label[64];
    const struct sq_size cell = sq_sheet_cell(&job->sheet, place);
    bool ok =
        read_for_cell(job, &job->picks[place], cell, &file, &size, &local_err)
        && sq_picture_decode(file.bytes.data, file.bytes.len,
                             longest_side(size, cell), &sq_limits_default,
                             &picture, &local_err);
    sq_buf_finish(&file.bytes);
    job->redacted += ok ? file.redacted : 0;
    if (local_err.code == SQ_ERR_NOMEM || local_err.code == SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, &local_err);
    }
    job->unreadable += !ok;
    write_label(job, place, "  ", label);
    return sq_deadline_check(&job->call->deadline, err)
        && sq_sheet_put(draw, place, ok ? &picture : NULL, label, err);
}

static bool
add_sheet(struct job *job, const struct sq_sheet_draw *draw,
          struct sq_err *err) {
    struct sq_block *block;
    struct sq_buf picture;
    sq_buf_init(&picture, sq_archived_shot_room(job->call));
    if (!sq_sheet_encode(draw, &picture, err)
        || !sq_result_add(job->call->result, SQ_BLOCK_IMAGE, SQ_MAX_IMAGE_BYTES,
                          &block, err)) {
        sq_buf_finish(&picture);
        return false;
    }
    block->mime_type = sq_format_mime(SQ_FORMAT_JPEG);
    block->priority = 0.9;
    block->data = picture;
    job->has_sheet = true;
    return true;
}

static bool
draw_all(struct job *job, struct sq_err *err) {
    struct sq_sheet_draw *draw = NULL;
    bool ok = sq_sheet_draw_create(&job->sheet, job->title, &draw, err);
    job->unreadable = 0;
    job->redacted = 0;
    for (size_t i = 0; ok && i < job->count; i++) {
        ok = draw_one(job, draw, i, err);
        if (ok && job->call->progress) {
            job->call->progress(job->call, (double)i + 1, (double)job->count,
                                "drawing pictures");
        }
    }
    ok = ok && (job->unreadable == job->count || add_sheet(job, draw, err));
    sq_sheet_draw_destroy(draw);
    return ok;
}

/*
 * Makes the sheet as large as the tokens, and then the bytes of a reply, allow.
 */
static bool
make_sheet(struct job *job, struct sq_err *err) {
    const struct sheet_args *args = job->args;
    int budget =
        args->budget_tokens.given ? args->budget_tokens.value : DEFAULT_TOKENS;
    for (;;) {
        struct sq_err local_err = { 0 };
        if (!plan(job, budget, err)) {
            return false;
        }
        if (draw_all(job, &local_err)) {
            return true;
        }
        if (local_err.code != SQ_ERR_LIMIT) {
            return sq_fail_with(err, &local_err);
        }
        budget = budget * 2 / 3;
    }
}

/* Writes the refs, for a client whose next call does not know this sheet. */
static void
put_refs(const struct job *job, struct sq_json_writer *w) {
    sq_json_begin_array_of(w, "screenshots");
    for (size_t i = 0; i < job->count; i++) {
        char time[SQ_TIME_TEXT_SIZE];
        const struct sq_archive_pick *pick = &job->picks[i];
        sq_time_format_wall(pick->shot.utc, pick->shot.quarters * 900, time);
        sq_json_begin_object(w);
        sq_put_int(w, "cell", (int64_t)i + 1);
        sq_put_text(w, "screenshotRef", job->refs[i]);
        sq_put_text(w, "displayLocalTime", time);
        if (job->query.count > 0) {
            sq_shot_query_put_activity(&job->query.shots[i], w);
        }
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

/*
 * Writes a cell such as "12 10:30 Mail"; 12 is the cell argument of get and
 * crop.
 */
static void
put_cell(const struct job *job, size_t place, struct sq_json_writer *w) {
    char label[LABEL_SIZE];
    char text[LABEL_SIZE + SQ_ACTIVITY_BYTES + 2];
    struct sq_span activity = { "", 0 };
    write_label(job, place, " ", label);
    if (job->query.count > 0) {
        activity = sq_utf8_shorten(job->query.shots[place].activity,
                                   SQ_ACTIVITY_BYTES);
    }
    snprintf(text, sizeof(text), "%s%s%.*s", label, activity.len ? " " : "",
             SQ_SPAN_ARGS(activity));
    sq_json_put_clean(w, sq_span_of(text));
    w->has_untrusted = w->has_untrusted || activity.len > 0;
}

static void
put_cells(const struct job *job, struct sq_json_writer *w) {
    sq_json_begin_array_of(w, "cells");
    for (size_t i = 0; i < job->count; i++) {
        put_cell(job, i, w);
    }
    sq_json_end_array(w);
}

/* Writes the ref of each cell if a later call cannot name the cell. */
static void
put_plain_refs(const struct job *job, struct sq_json_writer *w) {
    if (sq_session_keeps_lists(job->call->session)) {
        return;
    }
    sq_json_begin_array_of(w, "screenshotRefs");
    for (size_t i = 0; i < job->count; i++) {
        sq_json_put_string(w, sq_span_of(job->refs[i]));
    }
    sq_json_end_array(w);
}

static bool
make_refs(struct job *job, struct sq_err *err) {
    job->refs = sq_arena_alloc(job->call->arena, job->count + 1,
                               sizeof(*job->refs), err);
    bool ok = job->refs != NULL;
    for (size_t i = 0; ok && i < job->count; i++) {
        ok = sq_archive_ref(job->call->past->archive, &job->picks[i],
                            job->refs[i], err);
    }
    return ok;
}

/* Says what was searched for, and what was not searched. */
static bool
put_search(const struct job *job, struct sq_json_writer *w,
           struct sq_err *err) {
    sq_json_begin_object_of(w, "search");
    sq_put_clean(w, "text", job->args->query.value);
    if (job->dates[0]) {
        sq_put_text(w, "readAs", job->dates);
    }
    sq_put_int(w, "hits", (int64_t)job->count);
    sq_put_if_true(w, "truncated", job->found.has_more);
    bool ok = sq_text_search_put_notes(job->call, &job->found, w, err);
    sq_json_end_object(w);
    return ok;
}

static bool
reply(struct job *job, struct sq_err *err) {
    struct sq_reply text;
    if (!sq_reply_start(job->call, &text, err)) {
        return false;
    }
    if (job->call->is_alone) {
        put_refs(job, &text.w);
    } else {
        put_cells(job, &text.w);
        put_plain_refs(job, &text.w);
    }
    if (job->has_sheet) {
        sq_put_text(&text.w, "title", job->title);
        sq_put_size(&text.w, "image", job->sheet.size);
        sq_put_int(&text.w, "columns", job->sheet.columns);
        sq_put_int(&text.w, "tokens",
                   sq_token_cost(job->profile, job->sheet.size).tokens);
    }
    sq_put_redacted(&text.w, job->redacted);
    if (job->unreadable > 0) {
        sq_put_int(&text.w, "unreadable", (int64_t)job->unreadable);
    }
    if (job->count > 0 && !job->has_sheet) {
        sq_put_text(&text.w, "note",
                    "None of them can be shown: their files cannot be read, "
                    "or only facts may leave their folder.");
    }
    if (job->args->refs.count == 0 && !job->args->query.given) {
        sq_shot_query_put(&job->query, job->call, &text.w);
    }
    return (!job->args->query.given || put_search(job, &text.w, err))
        && sq_reply_end(job->call, &text, err);
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    struct job job = {
        .call = call,
        .args = raw_args,
        .profile = sq_reply_profile(call),
    };
    bool ok = take(&job, err) && make_refs(&job, err)
           && (job.count == 0 || make_sheet(&job, err)) && reply(&job, err);
    if (ok) {
        sq_session_set_sheet(call->session,
                             (const char(*)[SQ_REF_SIZE])job.refs, job.count);
    }
    if (ok && job.has_sheet) {
        const struct sq_picture_info info = {
            .image = job.sheet.size,
            .bytes = call->result->blocks[0].data.len,
        };
        sq_archived_shot_charge(call, &info);
    }
    sq_shot_query_finish(&job.query);
    return ok;
}

const struct sq_tool sq_tool_contact_sheet = {
    .name = "contact_sheet",
    .verb = "sheet",
    .title = "A day in one picture",
    .text = "Past screenshots in one labelled picture.",
    .manual =
        "One picture instead of many: each cell shows a number and its time, "
        "the title the date and the offset from UTC (the cells, if they "
        "differ). get_screenshot and crop_screenshot take the number as "
        "`cell`, until the next sheet. Give a window (`startDate` and "
        "`endDate`; shots are chosen as in list_screenshots, but by what they "
        "look like if no activity is known; `samplingStrategy` chooses "
        "otherwise), the shots (`refs`), or `query`: those that "
        "search_screenshots finds for this text, in the window if there is "
        "one; `search` then says what was not searched. The cells are as "
        "large as `budgetTokens` allows.",
    .manual_example =
        "\"startDate\": \"2026-01-15\", \"endDate\": \"2026-01-15\"",
    .flags = SQ_TOOL_BY_ARCHIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_IMAGE
           | SQ_TOOL_HEAVY | SQ_TOOL_LONG | SQ_TOOL_NUMBERS,
    SQ_ARGS(table, sheet_args),
    .words = "startDate? endDate?",
    .timeout_ms = 60000,
    .people = { .examples = { "sheet today" },
                .show = sq_show_sheet,
                .is_done = sq_has_shots },
    .uses = SQ_USES_PAST | SQ_USE_COSTS,
    .synonyms = "contact-sheet sheet timeline",
    .example = "\"startDate\": \"today\", \"endDate\": \"today\"",
    .run = run,
};

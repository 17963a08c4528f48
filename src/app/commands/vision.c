/*
 * ocr, find-text and find-image: read and find something in picture files; and
 * ocr-worker and decode-worker, in which pictures of others are read.
 */
#include "app/commands/command.h"
#include "archive/activity/database.h"
#include "device/kinds.h"
#include "json/writer.h"
#include "tools/reply.h"
#include "tools/screen/screen_text.h"
#include "vision/match.h"
#include "vision/template.h"

#define TIMEOUT_MS 120000 /* in which a command must be done */

/* Writes the members x, y, width and height. */
static void
put_box(struct sq_json_writer *w, struct sq_rect box) {
    sq_put_int(w, "x", box.left);
    sq_put_int(w, "y", box.top);
    sq_put_int(w, "width", box.right - box.left);
    sq_put_int(w, "height", box.bottom - box.top);
}

/* Writes the members of a box, and its middle. */
static void
put_place(struct sq_json_writer *w, struct sq_rect box) {
    put_box(w, box);
    sq_put_int(w, "centerX", (box.left + box.right) / 2);
    sq_put_int(w, "centerY", (box.top + box.bottom) / 2);
}

/* What is read of a picture. */
struct read_args {
    struct sq_opt_region region;
    const char *language;
};

struct ocr_args {
    struct read_args read;
    bool json;
};

static const struct sq_arg ocr_options[] = {
    SQ_OBJECT(ocr_args, read.region, "region", sq_opt_region, sq_region_args,
              "only this part, in pixels of FILE", .placeholder = "X,Y,W,H"),
    SQ_TEXT(ocr_args, read.language, "ocr-language", 0,
            "Tesseract's name of the language", .alias = "language",
            .placeholder = "NAME", .initial = "eng"),
    SQ_BOOL(ocr_args, json, "json", "print words, lines and boxes as JSON"),
    SQ_ARGS_END,
};

/* Appends the words of a line with one space between them. */
static bool
join_words(const struct sq_text_line *line, struct sq_buf *out,
           struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < line->words.count; i++) {
        struct sq_span word = line->words.items[i].text;
        ok = (i == 0 || sq_buf_append(out, " ", 1, err))
          && sq_buf_append(out, word.ptr, word.len, err);
    }
    return ok;
}

static bool
put_lines(struct sq_json_writer *w, const struct sq_text *text, bool *has_words,
          struct sq_err *err) {
    bool ok = true;
    SQ_BUF(joined, SQ_MAX_JSON_BYTES);
    sq_json_begin_array_of(w, "lines");
    for (int i = 0; ok && i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        if (!line->words.count) {
            continue;
        }
        *has_words = true;
        sq_buf_clear(&joined);
        ok = join_words(line, &joined, err);
        sq_json_begin_object(w);
        sq_json_put_clean_member(w, "text", sq_buf_span(&joined));
        put_box(w, line->box);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    return ok;
}

static bool
put_ocr(const struct sq_run *run, struct sq_size size,
        const struct sq_text *text, struct sq_err *err) {
    bool has_words = false;
    sq_json_begin_object(run->w);
    sq_put_size(run->w, "image", size);
    struct sq_json_writer *w = run->w;
    sq_json_begin_array_of(w, "words");
    for (int i = 0; i < text->count; i++) {
        const struct sq_words_of_line *words = &text->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            sq_json_begin_object(w);
            sq_json_put_clean_member(w, "text", words->items[k].text);
            put_box(w, words->items[k].box);
            sq_put_int(w, "confidence", words->items[k].confidence);
            sq_json_end_object(w);
        }
    }
    sq_json_end_array(w);
    bool ok = put_lines(run->w, text, &has_words, err);
    if (text->unreadable) {
        sq_put_int(run->w, "unreadableLines", text->unreadable);
    }
    sq_json_end_object(run->w);
    *run->status = has_words ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    return ok;
}

/* Reads the text of a part of a picture file. */
static bool
read_text(const char *path, const struct read_args *args,
          struct sq_read_plan *plan, struct sq_size *size, struct sq_text *out,
          struct sq_err *err) {
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_reader *reader = NULL;
    const struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    bool ok = sq_command_read_image(path, &image, NULL, err);
    *size = sq_image_size(&image);
    ok = ok && sq_region_to_rect(&args->region, *size, &plan->area, err)
      && sq_host_create_reader(args->language, 0, &reader, err)
      && sq_reader_read(reader, &image, plan, &deadline, out, err);
    sq_reader_destroy(reader);
    return ok;
}

static bool
ocr_run(const struct sq_run *run, struct sq_err *err) {
    const struct ocr_args *args = run->args;
    SQ_FREED(sq_text_finish) struct sq_text text = { 0 };
    struct sq_read_plan plan = { 0 };
    struct sq_size size;
    return read_text(run->words->word[0], &args->read, &plan, &size, &text, err)
        && put_ocr(run, size, &text, err);
}

const struct sq_command sq_command_ocr = {
    .name = "ocr",
    .usage = "FILE [options]",
    .summary = "print the text of a picture",
    .options = ocr_options,
    .min_words = 1,
    .max_words = 1,
    .run = ocr_run,
    .people = "[*lines:{text}\n][!lines:no text was found\n]",
};

static bool
worker_run(const struct sq_run *run, struct sq_err *err) {
    const char *language = run->words->word[0];
    if (!sq_recogniser_is_language(language)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "\"%s\" is not the name of a language", language);
    }
    return sq_recogniser_serve(language, err);
}

const struct sq_command sq_command_ocr_worker = {
    .name = "ocr-worker",
    .usage = "LANGUAGE",
    .summary = "recognise text for another squint process",
    .min_words = 1,
    .max_words = 1,
    .run = worker_run,
};

static bool
decoder_run(const struct sq_run *run, struct sq_err *err) {
    const struct sq_words *words = run->words;
    if (words->count == 2 && strcmp(words->word[0], "database") == 0) {
        return sq_database_serve(words->word[1], err);
    }
    return sq_devices_serve_reader(words->count > 0 ? words->word[0] : NULL,
                                   err);
}

const struct sq_command sq_command_decode_worker = {
    .name = "decode-worker",
    .usage = "[gunzip | database FILE]",
    .summary = "read bytes of others for another squint process",
    .max_words = 2,
    .run = decoder_run,
};

#define MAX_ARENA ((size_t)64 << 10)

struct find_text_args {
    struct read_args read;
    bool first;
    bool json;
};

static const struct sq_arg find_text_options[] = {
    SQ_OBJECT(find_text_args, read.region, "region", sq_opt_region,
              sq_region_args, "only this part, in pixels of FILE",
              .placeholder = "X,Y,W,H"),
    SQ_TEXT(find_text_args, read.language, "ocr-language", 0,
            "Tesseract's name of the language", .alias = "language",
            .placeholder = "NAME", .initial = "eng"),
    SQ_BOOL(find_text_args, first, "first",
            "stop reading when the text is found; faster"),
    SQ_BOOL(find_text_args, json, "json", "print matches as JSON"),
    SQ_ARGS_END,
};

/* Returns where all parts of a match are. */
static struct sq_rect
box_of(const struct sq_text_match *match) {
    return sq_rect_is_empty(match->next_box)
             ? match->box
             : sq_rect_join(match->box, match->next_box);
}

static bool
put_match(struct sq_json_writer *w, const struct sq_text *text,
          const struct sq_text_match *match, struct sq_err *err) {
    SQ_BUF(words, SQ_MAX_JSON_BYTES);
    SQ_BUF(line, SQ_MAX_JSON_BYTES);
    bool ok = sq_match_append_words(text, match, &words, err)
           && sq_match_append_lines(text, match, &line, err);
    if (ok) {
        sq_json_begin_object(w);
        sq_json_put_clean_member(w, "text", sq_buf_span(&words));
        put_place(w, box_of(match));
        sq_put_double(w, "score", (int)(match->score * 100 + 0.5) / 100.0);
        sq_put_int(w, "confidence", match->confidence);
        sq_json_put_clean_member(w, "line", sq_buf_span(&line));
        sq_json_end_object(w);
    }
    return ok;
}

static bool
put_matches(struct sq_json_writer *w, const struct sq_text *text,
            const struct sq_text_matches *matches, struct sq_err *err) {
    bool ok = true;
    sq_json_begin_object(w);
    sq_json_begin_array_of(w, "matches");
    for (int i = 0; ok && i < matches->count; i++) {
        ok = put_match(w, text, &matches->items[i], err);
    }
    sq_json_end_array(w);
    if (ok && !matches->count && matches->nearest.score > 0) {
        sq_json_put_key(w, "nearest");
        ok = put_match(w, text, &matches->nearest, err);
    }
    sq_json_end_object(w);
    return ok;
}

/* "at 60,10 (70x21 pixels)", with a prefix for the names of the members. */
#define PLACE(of)                                                              \
    " at {" of "x},{" of "y} ({" of "width}x{" of "height} pixels), score "

/* Shows several places as a table, others by a template. */
static bool
show_found(struct sq_people *people, const char *list, const char *template,
           const struct sq_member_column *columns, struct sq_err *err) {
    const struct sq_json *found = sq_json_get(people->reply, list);
    size_t count = sq_json_count(found);
    return count > 1 ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                      "Found %zu times\n", count)
                           && sq_people_put_table(people, found, columns, err)
                     : sq_page_fill(&people->page, sq_span_of(template),
                                    people->reply, err);
}

#define PLACE_COLUMNS                                                          \
    { "X", "x", SQ_INK_STRONG, true }, { "Y", "y", SQ_INK_STRONG, true },      \
        { "WIDTH", "width", SQ_INK_PLAIN, true },                              \
        { "HEIGHT", "height", SQ_INK_PLAIN, true }, {                          \
        "SCORE", "score", SQ_INK_PLAIN, true                                   \
    }

static bool
find_text_show(struct sq_people *people, const struct sq_run *run,
               struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        PLACE_COLUMNS, { "TEXT", "text", SQ_INK_PLAIN, false }, { 0 }
    };
    (void)run;
    return show_found(
        people, "matches",
        "[*matches:{=strong}Found{=} \"{text}\"" PLACE(
            "") "{score:2}]"
                "[!matches:{=doubt}Not found{=}]"
                "[nearest:; the most similar text is \"{nearest.text}\"" PLACE(
                    "nearest.") "{nearest.score:2}]\n",
        columns, err);
}

static bool
find_text_run(const struct sq_run *run, struct sq_err *err) {
    const struct find_text_args *args = run->args;
    SQ_FREED(sq_text_finish) struct sq_text text = { 0 };
    struct sq_text_search search;
    struct sq_text_matches matches;
    struct sq_size size;
    SQ_ARENA(arena, MAX_ARENA);
    if (!sq_text_search_init(&search, sq_span_of(run->words->word[0]),
                             args->first ? 1 : 0, &arena, err)) {
        return false;
    }
    struct sq_read_plan plan = sq_text_search_plan(&search);
    if (!read_text(run->words->word[1], &args->read, &plan, &size, &text, err)
        || !sq_match_find(&text, &search.phrase, &matches, err)
        || !put_matches(run->w, &text, &matches, err)) {
        return false;
    }
    *run->status = matches.count ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    return true;
}

const struct sq_command sq_command_find_text = {
    .name = "find-text",
    .usage = "TEXT FILE [options]",
    .summary = "find a text in a picture",
    .options = find_text_options,
    .min_words = 2,
    .max_words = 2,
    .run = find_text_run,
    .show = find_text_show,
};

struct find_image_args {
    struct sq_opt_region region;
    double min_score;
    bool exact;
    bool same_scale;
    bool any_colours;
    bool json;
};

static const struct sq_arg find_image_options[] = {
    SQ_OBJECT(find_image_args, region, "region", sq_opt_region, sq_region_args,
              "only this part, in pixels of FILE", .placeholder = "X,Y,W,H"),
    SQ_NUMBER(find_image_args, min_score, "minScore", 0.5, 1,
              "lowest score of a hit", .initial = "0.92"),
    SQ_BOOL(find_image_args, exact, "exact",
            "find only places with identical pixels"),
    SQ_BOOL(find_image_args, same_scale, "sameScale",
            "do not try other sizes; faster"),
    SQ_BOOL(find_image_args, any_colours, "anyColours",
            "also its outlines in other colours"),
    SQ_BOOL(find_image_args, json, "json", "print hits as JSON"),
    SQ_ARGS_END,
};

/* Rounds to three digits after the point. */
static double
rounded(double value) {
    return (double)(int)(value * 1000 + 0.5) / 1000;
}

static void
put_hits(struct sq_json_writer *w, const struct sq_image_hits *hits) {
    sq_json_begin_object(w);
    sq_json_begin_array_of(w, "hits");
    for (int i = 0; i < hits->count; i++) {
        const struct sq_image_hit *hit = &hits->items[i];
        sq_json_begin_object(w);
        put_place(w, hit->box);
        sq_put_double(w, "scale", rounded(hit->scale));
        sq_put_double(w, "score", rounded(hit->score));
        sq_put_text(w, "tier", sq_image_hit_tier_name(hit->tier));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    if (!hits->count) {
        sq_put_double(w, "nearestScore", rounded(hits->nearest));
    }
    sq_json_end_object(w);
}

static bool
find_image_show(struct sq_people *people, const struct sq_run *run,
                struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        PLACE_COLUMNS,
        { "HOW", "tier", SQ_INK_PLAIN, false },
        { "SCALE", "scale", SQ_INK_PLAIN, true },
        { 0 },
    };
    (void)run;
    return show_found(people, "hits",
                      "[*hits:{=strong}Found{=}" PLACE(
                          "") "{score:3}, {tier}, "
                              "scale {scale:3}]"
                              "[!hits:{=doubt}Not found{=}; the highest score "
                              "is {nearestScore:3}]"
                              "\n",
                      columns, err);
}

static bool
find_image_run(const struct sq_run *run, struct sq_err *err) {
    const struct find_image_args *args = run->args;
    SQ_FREED(sq_image_finish) struct sq_image template = { 0 };
    SQ_FREED(sq_image_finish) struct sq_image picture = { 0 };
    struct sq_image_hits hits;
    struct sq_template_plan plan = {
        .exact_only = args->exact,
        .same_scale = args->same_scale,
        .any_colours = args->any_colours,
        .min_score = args->min_score,
    };
    const struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    bool ok =
        sq_command_read_image(run->words->word[0], &template, &plan.has_alpha,
                              err)
        && sq_command_read_image(run->words->word[1], &picture, NULL, err)
        && sq_region_to_rect(&args->region, sq_image_size(&picture), &plan.area,
                             err)
        && sq_template_find(&picture, &template, &plan, &deadline, &hits, err);
    if (ok) {
        put_hits(run->w, &hits);
        *run->status = hits.count ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    }
    return ok;
}

const struct sq_command sq_command_find_image = {
    .name = "find-image",
    .usage = "TEMPLATE FILE [options]",
    .summary = "find a small picture in a larger one",
    .options = find_image_options,
    .min_words = 2,
    .max_words = 2,
    .run = find_image_run,
    .show = find_image_show,
};

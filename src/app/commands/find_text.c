/* find-text: finds a phrase in a picture file. */
#include "app/commands/command.h"
#include "app/commands/vision_file.h"
#include "tools/screen/screen_picture.h"
#include "tools/screen/screen_text.h"
#include "vision/match.h"

#define MAX_ARENA ((size_t)64 << 10)

struct find_text_args {
    struct sq_opt_region region;
    const char *language;
    bool first;
    bool json;
};

static const struct sq_arg find_text_options[] = {
    { .name = "region",
      SQ_OBJECT_FIELD(find_text_args, region, sq_opt_region, sq_region_args),
      .placeholder = "X,Y,W,H",
      .text = "only this part, in pixels of FILE" },
    { .name = "ocr-language",
      .alias = "language",
      SQ_TEXT_FIELD(find_text_args, language, 0),
      .placeholder = "NAME",
      .text = "Tesseract's name of the language",
      .initial = "eng" },
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
    struct sq_buf words;
    struct sq_buf line;
    sq_buf_init(&words, SQ_MAX_JSON_BYTES);
    sq_buf_init(&line, SQ_MAX_JSON_BYTES);
    bool ok = sq_match_append_words(text, match, &words, err)
           && sq_match_append_lines(text, match, &line, err);
    if (ok) {
        sq_json_begin_object(w);
        sq_json_put_key(w, "text");
        sq_json_put_clean(w, sq_buf_span(&words));
        sq_vision_file_put_place(w, box_of(match));
        sq_json_put_key(w, "score");
        sq_json_put_double(w, (int)(match->score * 100 + 0.5) / 100.0);
        sq_json_put_key(w, "confidence");
        sq_json_put_int(w, match->confidence);
        sq_json_put_key(w, "line");
        sq_json_put_clean(w, sq_buf_span(&line));
        sq_json_end_object(w);
    }
    sq_buf_finish(&line);
    sq_buf_finish(&words);
    return ok;
}

static bool
report_json(const struct sq_text *text, const struct sq_text_matches *matches,
            struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    bool ok = true;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "matches");
    sq_json_begin_array(&w);
    for (int i = 0; ok && i < matches->count; i++) {
        ok = put_match(&w, text, &matches->items[i], err);
    }
    sq_json_end_array(&w);
    if (ok && !matches->count && matches->nearest.score > 0) {
        sq_json_put_key(&w, "nearest");
        ok = put_match(&w, text, &matches->nearest, err);
    }
    sq_json_end_object(&w);
    return ok && sq_json_writer_done(&w, err)
        && sq_buf_append(out, "\n", 1, err);
}

/* Prints `"Sign in" at 60,10 (70x21 pixels), score 1.00`. */
static bool
put_sentence(const struct sq_text *text, const struct sq_text_match *match,
             struct sq_page *page, struct sq_err *err) {
    struct sq_buf words;
    struct sq_rect box = box_of(match);
    sq_buf_init(&words, SQ_MAX_JSON_BYTES);
    bool ok = sq_match_append_words(text, match, &words, err)
           && sq_page_printf(page, SQ_INK_PLAIN, err,
                             " \"%.*s\" at %d,%d (%dx%d pixels), score "
                             "%.2f\n",
                             SQ_SPAN_ARGS(sq_buf_span(&words)), box.left,
                             box.top, box.right - box.left,
                             box.bottom - box.top, match->score);
    sq_buf_finish(&words);
    return ok;
}

static const struct sq_column match_columns[] = {
    { "X", true },     { "Y", true },     { "WIDTH", true }, { "HEIGHT", true },
    { "SCORE", true }, { "TEXT", false }, { NULL, false },
};

static bool
add_row(const struct sq_text *text, const struct sq_text_match *match,
        struct sq_table *table, struct sq_err *err) {
    struct sq_buf words;
    sq_buf_init(&words, SQ_MAX_JSON_BYTES);
    bool ok = sq_match_append_words(text, match, &words, err)
           && sq_vision_file_add_box(table, box_of(match), err)
           && sq_table_printf(table, SQ_INK_PLAIN, err, "%.2f", match->score)
           && sq_table_add(table, SQ_INK_PLAIN, sq_buf_span(&words), err);
    sq_buf_finish(&words);
    return ok;
}

static bool
put_matches(const struct sq_text *text, const struct sq_text_matches *matches,
            struct sq_page *page, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_table table = { .arena = &arena, .columns = match_columns };
    sq_arena_init(&arena, SQ_MAX_JSON_BYTES);
    bool ok = sq_page_printf(page, SQ_INK_STRONG, err, "Found %d times\n",
                             matches->count);
    for (int i = 0; ok && i < matches->count; i++) {
        ok = add_row(text, &matches->items[i], &table, err);
    }
    ok = ok && sq_table_print(&table, page, err);
    sq_arena_finish(&arena);
    return ok;
}

static bool
report_text(const struct sq_text *text, const struct sq_text_matches *matches,
            struct sq_page *page, struct sq_err *err) {
    if (matches->count > 1) {
        return put_matches(text, matches, page, err);
    }
    if (matches->count == 1) {
        return sq_page_printf(page, SQ_INK_STRONG, err, "Found")
            && put_sentence(text, &matches->items[0], page, err);
    }
    bool has_nearest = matches->nearest.score > 0;
    return sq_page_printf(page, SQ_INK_DOUBT, err, "Not found")
        && sq_page_printf(page, SQ_INK_PLAIN, err, "%s",
                          has_nearest ? "; the most similar text is" : "\n")
        && (!has_nearest || put_sentence(text, &matches->nearest, page, err));
}

static bool
find_text_run(const struct sq_words *words, const void *raw_args,
              struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    const struct find_text_args *args = raw_args;
    struct sq_image image = { 0 };
    struct sq_reader *reader = NULL;
    struct sq_text text = { 0 };
    struct sq_arena arena;
    struct sq_text_search search;
    struct sq_text_matches matches;
    struct sq_read_plan plan = { 0 };
    struct sq_page page = { out, sq_vision_file_paper() };
    const struct sq_deadline deadline =
        sq_deadline_in(SQ_VISION_FILE_TIMEOUT_MS, NULL);
    sq_arena_init(&arena, MAX_ARENA);
    bool ok = sq_text_search_init(&search, sq_span_of(words->word[0]),
                                  args->first ? 1 : 0, &arena, err);
    if (ok) {
        plan = sq_text_search_plan(&search);
    }
    ok = ok && sq_command_read_image(words->word[1], &image, NULL, err)
      && sq_region_to_rect(&args->region, sq_image_size(&image), &plan.area,
                           err)
      && sq_vision_file_reader(args->language, &reader, err)
      && sq_reader_read(reader, &image, &plan, &deadline, &text, err)
      && sq_match_find(&text, &search.phrase, &matches, err)
      && (args->json ? report_json(&text, &matches, out, err)
                     : report_text(&text, &matches, &page, err));
    if (ok) {
        *status = matches.count ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    }
    sq_text_finish(&text);
    sq_reader_destroy(reader);
    sq_image_finish(&image);
    sq_arena_finish(&arena);
    return ok;
}

const struct sq_command sq_command_find_text = {
    .name = "find-text",
    .usage = "TEXT FILE [options]",
    .summary = "find a text in a picture",
    .help = "Reads FILE as squint ocr does and prints where each match is, its "
            "score and its\n"
            "words, best first. Ignores case and accents, and tolerates a "
            "few wrong\n"
            "characters. If nothing matches, prints the most similar text. "
            "FILE may be -.\n"
            "\n"
            "Exit status: 0 found, 1 not found or FILE cannot be read, 2 the "
            "command\nline is wrong.",
    .options = find_text_options,
    .args_size = sizeof(struct find_text_args),
    .min_words = 2,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .run = find_text_run,
};

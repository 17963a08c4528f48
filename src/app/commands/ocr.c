/* ocr: prints the text of a picture file. */
#include "app/commands/command.h"
#include "app/commands/vision_file.h"
#include "tools/screen/screen_picture.h"
#include "tools/screen/screen_text.h"
#include "vision/reader.h"

struct ocr_args {
    struct sq_opt_region region;
    const char *language;
    bool json;
};

static const struct sq_arg ocr_options[] = {
    { .name = "region",
      SQ_OBJECT_FIELD(ocr_args, region, sq_opt_region, sq_region_args),
      .placeholder = "X,Y,W,H",
      .text = "only this part, in pixels of FILE" },
    { .name = "ocr-language",
      .alias = "language",
      SQ_TEXT_FIELD(ocr_args, language, 0),
      .placeholder = "NAME",
      .text = "Tesseract's name of the language",
      .initial = "eng" },
    SQ_BOOL(ocr_args, json, "json", "print words, lines and boxes as JSON"),
    SQ_ARGS_END,
};

static void
put_words(struct sq_json_writer *w, const struct sq_text *text) {
    sq_json_put_key(w, "words");
    sq_json_begin_array(w);
    for (int i = 0; i < text->count; i++) {
        const struct sq_words_of_line *words = &text->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            sq_json_begin_object(w);
            sq_json_put_key(w, "text");
            sq_json_put_clean(w, words->items[k].text);
            sq_vision_file_put_box(w, words->items[k].box);
            sq_json_put_key(w, "confidence");
            sq_json_put_int(w, words->items[k].confidence);
            sq_json_end_object(w);
        }
    }
    sq_json_end_array(w);
}

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
put_lines(struct sq_json_writer *w, const struct sq_text *text,
          struct sq_err *err) {
    struct sq_buf joined;
    bool ok = true;
    sq_buf_init(&joined, SQ_MAX_JSON_BYTES);
    sq_json_put_key(w, "lines");
    sq_json_begin_array(w);
    for (int i = 0; ok && i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        if (!line->words.count) {
            continue;
        }
        sq_buf_clear(&joined);
        ok = join_words(line, &joined, err);
        sq_json_begin_object(w);
        sq_json_put_key(w, "text");
        sq_json_put_clean(w, sq_buf_span(&joined));
        sq_vision_file_put_box(w, line->box);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_buf_finish(&joined);
    return ok;
}

static bool
report_json(const struct sq_image *image, const struct sq_text *text,
            struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_command_put_size(&w, "image",
                        (struct sq_size){ image->width, image->height });
    put_words(&w, text);
    bool ok = put_lines(&w, text, err);
    if (text->unreadable) {
        sq_json_put_key(&w, "unreadableLines");
        sq_json_put_int(&w, text->unreadable);
    }
    sq_json_end_object(&w);
    return ok && sq_json_writer_done(&w, err)
        && sq_buf_append(out, "\n", 1, err);
}

static bool
has_words(const struct sq_text *text) {
    for (int i = 0; i < text->count; i++) {
        if (text->lines[i].words.count) {
            return true;
        }
    }
    return false;
}

static bool
report_text(const struct sq_text *text, struct sq_buf *out,
            struct sq_err *err) {
    bool ok = has_words(text) || sq_buf_printf(out, err, "no text was found\n");
    for (int i = 0; ok && i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        ok = !line->words.count
          || (join_words(line, out, err) && sq_buf_append(out, "\n", 1, err));
    }
    return ok;
}

static bool
ocr_run(const struct sq_words *words, const void *raw_args, struct sq_buf *out,
        enum sq_status *status, struct sq_err *err) {
    const struct ocr_args *args = raw_args;
    struct sq_image image = { 0 };
    struct sq_reader *reader = NULL;
    struct sq_text text = { 0 };
    struct sq_read_plan plan = { 0 };
    const struct sq_deadline deadline =
        sq_deadline_in(SQ_VISION_FILE_TIMEOUT_MS, NULL);
    bool ok = sq_command_read_image(words->word[0], &image, NULL, err)
           && sq_region_to_rect(&args->region, sq_image_size(&image),
                                &plan.area, err)
           && sq_vision_file_reader(args->language, &reader, err)
           && sq_reader_read(reader, &image, &plan, &deadline, &text, err)
           && (args->json ? report_json(&image, &text, out, err)
                          : report_text(&text, out, err));
    if (ok) {
        *status = has_words(&text) ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    }
    sq_text_finish(&text);
    sq_reader_destroy(reader);
    sq_image_finish(&image);
    return ok;
}

const struct sq_command sq_command_ocr = {
    .name = "ocr",
    .usage = "FILE [options]",
    .summary = "print the text of a picture",
    .help = "Reads the text of a screenshot in any colours and prints one line "
            "of text\n"
            "per line of the picture. Needs Tesseract and its language data "
            "(Debian:\n"
            "libtesseract5, tesseract-ocr-eng). FILE may be -.\n"
            "\n"
            "Exit status: 0 text was found, 1 no text was found or FILE cannot "
            "be read, 2 the\n"
            "command line is wrong.",
    .options = ocr_options,
    .args_size = sizeof(struct ocr_args),
    .min_words = 1,
    .max_words = 1,
    .trouble = SQ_STATUS_FAILED,
    .run = ocr_run,
};

static bool
worker_run(const struct sq_words *words, const void *raw_args,
           struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    (void)raw_args, (void)out, (void)status;
    const char *language = words->word[0];
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
    .help = "Started by squint itself; see docs/vision.md.",
    .options = (const struct sq_arg[]){ SQ_ARGS_END },
    .min_words = 1,
    .max_words = 1,
    .trouble = SQ_STATUS_FAILED,
    .run = worker_run,
};

/* ocr: returns all text of the screen, or of a region, in reading order. */
#include "tools/operations.h"
#include "tools/screen/screen_text.h"
#include "vision/match.h"

struct ocr_args {
    struct sq_opt_region region;
    struct sq_opt_text screenshot_id;
};

static const struct sq_arg ocr_args[] = {
    SQ_OBJECT(ocr_args, region, "region", sq_opt_region, sq_region_args,
              "Closer look at a part of a picture", .placeholder = "X,Y,W,H",
              .help = "only this part of the screen"),
    SQ_TEXT(ocr_args, screenshot_id, "screenshotId", SQ_FRAME_ID_SIZE - 1,
            SQ_LATEST_PICTURE, .is_hidden = true),
    SQ_ARGS_END,
};

static bool
put_line(const struct sq_text_line *line, struct sq_buf *joined,
         struct sq_json_writer *w, struct sq_err *err) {
    bool ok = true;
    sq_buf_clear(joined);
    for (int i = 0; ok && i < line->words.count; i++) {
        struct sq_span word = line->words.items[i].text;
        ok = (i == 0 || sq_buf_append(joined, " ", 1, err))
          && sq_buf_append(joined, word.ptr, word.len, err);
    }
    if (ok) {
        sq_json_put_untrusted(w, sq_buf_span(joined));
    }
    return ok;
}

/* Returns the least confidence of the words of a line, in percent. */
static int
confidence_of(const struct sq_text_line *line) {
    int least = 100;
    for (int i = 0; i < line->words.count; i++) {
        int confidence = line->words.items[i].confidence;
        least = confidence < least ? confidence : least;
    }
    return least;
}

/* Writes which of the first lines were read with little confidence. */
static void
put_doubts(const struct sq_text *text, int lines, struct sq_json_writer *w) {
    bool any = false;
    for (int i = 0, at = 0; i < lines; i++) {
        const struct sq_text_line *line = &text->lines[i];
        int confidence = confidence_of(line);
        if (line->words.count && confidence < SQ_SURE_CONFIDENCE) {
            if (!any) {
                sq_json_begin_array_of(w, "doubtful");
            }
            any = true;
            sq_json_begin_object(w);
            sq_put_int(w, "line", at);
            sq_put_int(w, "confidence", confidence);
            sq_json_end_object(w);
        }
        at += line->words.count > 0;
    }
    if (any) {
        sq_json_end_array(w);
    }
}

static bool
answer(struct sq_call *call, const struct sq_screen_text *screen,
       struct sq_err *err) {
    struct sq_reply reply;
    const struct sq_text *text = &screen->text;
    bool is_cut = false;
    int lines = 0;
    SQ_BUF(joined, SQ_MAX_JSON_BYTES);
    bool ok = sq_reply_start(call, &reply, err);
    if (ok) {
        sq_json_begin_array_of(&reply.w, "lines");
        for (int i = 0; ok && !is_cut && i < text->count; i++) {
            is_cut = !sq_reply_has_room(&reply.w);
            ok = is_cut || !text->lines[i].words.count
              || put_line(&text->lines[i], &joined, &reply.w, err);
            lines += !is_cut;
        }
        sq_json_end_array(&reply.w);
        put_doubts(text, lines, &reply.w);
        sq_put_if_true(&reply.w, "truncated", is_cut);
        if (text->unreadable) {
            sq_put_int(&reply.w, "unreadableLines", text->unreadable);
        }
        sq_put_redacted(&reply.w, screen->redacted);
        ok = ok && sq_reply_end(call, &reply, err);
    }
    return ok;
}

static bool
ocr_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct ocr_args *args = raw_args;
    SQ_FREED(sq_screen_text_finish)
    struct sq_screen_text screen = { .region_id = args->screenshot_id.value };
    struct sq_read_plan plan = { 0 };
    bool ok = sq_screen_text_enabled(call, err)
           && sq_region_id_check(&args->region, &args->screenshot_id, err)
           && sq_screen_text_capture(call, &args->region, &screen, err)
           && sq_screen_text_read(call, &plan, &screen, err)
           && answer(call, &screen, err);
    if (ok) {
        sq_session_add_frame(call->session, &screen.frame);
    }
    return ok;
}

static bool
has_text(const struct sq_people *people) {
    return sq_json_count(sq_json_get(people->reply, "lines")) > 0;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    int count = (int)sq_json_count(sq_json_get(people->reply, "lines"));
    return (count > 0 ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                       "%d line%s", count, sq_plural(count))
                      : sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                                       "No text found"))
        && sq_people_end_line(people, err)
        && sq_people_put_lines(people, "lines", SQ_INK_PLAIN, err);
}

const struct sq_tool sq_tool_ocr = {
    .name = "ocr",
    .verb = "read",
    .title = "Read the screen's text",
    .text = "All text in the pixels.",
    .manual =
        "Reads the pixels of the screen at full size, or of `region`, with "
        "Tesseract, and answers `lines`, top to bottom. `doubtful` names "
        "lines (from 0) with a word of little `confidence`, in percent. For "
        "screens without elements; `@dump` is cheaper and exact where there "
        "are some. `region` is in pixels of the latest picture, or of the one "
        "that `screenshotId` names. Needs `ui.ocrEnabled` in the "
        "configuration, and Tesseract with the data of its language.",
    .flags =
        SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_ELEMENTS | SQ_TOOL_LONG | SQ_TOOL_BY_OCR,
    SQ_ARGS(ocr_args, ocr_args),
    .output =
        "lines:texts doubtful?:objects truncated?:bool unreadableLines?:int "
        "redacted?:int untrusted?:bool",
    .people = { .about = "Print the text in the pixels of the screen.",
                .prints_data = true,
                .examples = { "read" },
                .show = show,
                .is_done = has_text },
    .uses = SQ_USES_LOOKS,
    .synonyms = "ocr read-text recognize-text extract-text",
    .run = ocr_run,
};

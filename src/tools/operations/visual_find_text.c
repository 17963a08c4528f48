/* visual-find-text: finds a text in the pixels of the screen. */
#include "tools/operations.h"
#include "tools/screen/screen_text.h"
#include "vision/match.h"

#define DEFAULT_LIMIT 5

struct visual_find_text_args {
    struct sq_opt_text text;
    struct sq_opt_region region;
    struct sq_opt_text screenshot_id;
    struct sq_opt_int limit;
};

static const struct sq_arg visual_find_text_args[] = {
    SQ_TEXT(visual_find_text_args, text, "text", SQ_MAX_PHRASE_BYTES,
            "To find or type", .required = true, .help = "the text to find"),
    SQ_OBJECT(visual_find_text_args, region, "region", sq_opt_region,
              sq_region_args, "Closer look at a part of a picture",
              .placeholder = "X,Y,W,H", .help = "only this part of the screen"),
    SQ_TEXT(visual_find_text_args, screenshot_id, "screenshotId",
            SQ_FRAME_ID_SIZE - 1, SQ_LATEST_PICTURE, .is_hidden = true),
    SQ_INT(visual_find_text_args, limit, "limit", 1, SQ_MAX_MATCHES, "",
           .help = "list at most N", .initial = "5"),
    SQ_ARGS_END,
};

/* Writes the words of the lines of a match. */
static bool
put_lines(const struct sq_text *text, const struct sq_text_match *match,
          struct sq_json_writer *w, struct sq_err *err) {
    SQ_BUF(joined, SQ_MAX_JSON_BYTES);
    bool ok = sq_match_append_lines(text, match, &joined, err);
    if (ok) {
        sq_put_untrusted(w, "line", sq_buf_span(&joined));
    }
    return ok;
}

static bool
put_match(const struct sq_screen_text *screen,
          const struct sq_text_match *match, struct sq_json_writer *w,
          struct sq_err *err) {
    sq_json_begin_object(w);
    sq_put_screen_place(w, screen, match->box);
    sq_put_double(w, "score", (int)(match->score * 100 + 0.5) / 100.0);
    sq_put_int(w, "confidence", match->confidence);
    bool ok = put_lines(&screen->text, match, w, err);
    sq_json_end_object(w);
    return ok;
}

static bool
answer(struct sq_call *call, const struct sq_screen_text *screen,
       const struct sq_text_matches *matches, int limit, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    bool ok = true;
    int count = matches->count < limit ? matches->count : limit;
    sq_json_begin_array_of(&reply.w, "matches");
    for (int i = 0; ok && i < count; i++) {
        ok = put_match(screen, &matches->items[i], &reply.w, err);
    }
    sq_json_end_array(&reply.w);
    sq_put_int(&reply.w, "count", count);
    if (ok && !matches->count && matches->nearest.score > 0) {
        sq_json_put_key(&reply.w, "nearest");
        ok = put_match(screen, &matches->nearest, &reply.w, err);
    }
    sq_put_redacted(&reply.w, screen->redacted);
    sq_put_text(&reply.w, "screenshotId", screen->frame.id);
    return ok && sq_reply_end(call, &reply, err);
}

static bool
visual_find_text_run(struct sq_call *call, const void *raw_args,
                     struct sq_err *err) {
    const struct visual_find_text_args *args = raw_args;
    int limit = args->limit.given ? args->limit.value : DEFAULT_LIMIT;
    SQ_FREED(sq_screen_text_finish)
    struct sq_screen_text screen = { .region_id = args->screenshot_id.value };
    struct sq_text_matches matches;
    struct sq_text_search search;
    if (!sq_screen_text_enabled(call, err)
        || !sq_region_id_check(&args->region, &args->screenshot_id, err)
        || !sq_text_search_init(&search, args->text.value, limit, call->arena,
                                err)) {
        return false;
    }
    struct sq_read_plan plan = sq_text_search_plan(&search);
    bool ok = sq_screen_text_capture(call, &args->region, &screen, err)
           && sq_screen_text_read(call, &plan, &screen, err)
           && sq_match_find(&screen.text, &search.phrase, &matches, err)
           && answer(call, &screen, &matches, limit, err);
    if (ok) {
        sq_session_add_frame(call->session, &screen.frame);
    }
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        { "X", "centerX", SQ_INK_STRONG, true },
        { "Y", "centerY", SQ_INK_STRONG, true },
        { "LINE", "line", SQ_INK_PLAIN, false },
        { 0 },
    };
    const struct sq_json *nearest = sq_json_get(people->reply, "nearest");
    struct sq_span id = sq_json_text_of(people->reply, "deviceId");
    int count = sq_json_int_of(people->reply, "count");
    return (count > 0
                ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                 "%d place%s found", count, sq_plural(count))
                : sq_page_printf(&people->page, SQ_INK_DOUBT, err, "Not found"))
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%s%.*s%s\n",
                          id.len > 0 ? " on " : "", SQ_SPAN_ARGS(id),
                          nearest ? "; the most similar text is:" : "")
        && sq_people_put_table(people,
                               nearest ? nearest
                                       : sq_json_get(people->reply, "matches"),
                               columns, err);
}

const struct sq_tool sq_tool_visual_find_text = {
    .name = "visual-find-text",
    .words = "text",
    .title = "Find text in the pixels",
    .text = "Find text in the pixels.",
    .manual =
        "For text that no element has: games, canvases, pictures. Reads the "
        "screen at full size, or `region` (in pixels of the latest picture, "
        "or of the one that its own `screenshotId` names), and answers "
        "`matches`, best first: `centerX`, `centerY` in the pixels of "
        "`screenshotId`, `width`, `height`, `score` (1: equal but for case "
        "and accents), `confidence` of the recogniser in percent, and the "
        "whole `line`; of text in two lines, both lines and the place in the "
        "first. Digits must be equal, and so must words that were read with "
        "confidence; others may have a few wrong characters. A part of a word "
        "or number is not a match; a number without its sign scores lower. "
        "Reading stops after `limit` (5) equal matches: `limit: 1` is "
        "fastest. Where nothing matches, `nearest` is what comes closest. "
        "Needs `ui.ocrEnabled` in the configuration, and Tesseract with the "
        "data of its language.",
    .flags =
        SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_ELEMENTS | SQ_TOOL_LONG | SQ_TOOL_BY_OCR,
    SQ_ARGS(visual_find_text_args, visual_find_text_args),
    .output = "matches:objects count:int nearest?:object redacted?:int "
              "screenshotId:text untrusted?:bool",
    .people = { .about = "Find a text in the pixels of the screen.",
                .examples = { "visual-find-text Start" },
                .show = show,
                .is_done = sq_people_has_matches },
    .uses = SQ_USES_LOOKS,
    .synonyms = "visual-find-text find-text-on-screen find-visual-text",
    .example = "\"text\": \"Login\"",
    .run = visual_find_text_run,
};

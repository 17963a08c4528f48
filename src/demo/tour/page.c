/* Writes the tour as an HTML page beside its pictures. */
#include "demo/tour/private.h"

#include <stdio.h>

#define NS_PER_MS 1000000
#define MAX_ENTRY_BYTES ((size_t)64 << 10)
#define BAR_WIDTH 100 /* percent */

static const char page_legend[] =
    "<ul class=\"legend\"><li>an element</li><li class=\"touch\">where it was "
    "touched</li><li class=\"change\">what changed</li></ul>\n";

static const char page_tail[] = "</main>\n</body>\n</html>\n";

/* Writes text escaped for HTML; JSON may break after its commas. */
static bool
put_text(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < text.len; i++) {
        char byte = text.ptr[i];
        const char *entity = byte == '<' ? "&lt;"
                           : byte == '>' ? "&gt;"
                           : byte == '&' ? "&amp;"
                           : byte == '"' ? "&quot;"
                           : byte == ',' ? ",<wbr>"
                                         : NULL;
        ok = entity ? sq_buf_printf(out, err, "%s", entity)
                    : sq_buf_append(out, &byte, 1, err);
    }
    return ok;
}

static bool
put_element(const char *open, struct sq_span text, const char *close,
            struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "%s", open) && put_text(text, out, err)
        && sq_buf_printf(out, err, "%s\n", close);
}

static bool
put_cost(const struct sq_tour_record *record, struct sq_buf *out,
         struct sq_err *err) {
    const struct sq_tour_cost *cost = &record->cost;
    const struct sq_tour_cost *total = &record->total;
    char a[SQ_TOUR_NUMBER_SIZE];
    char b[SQ_TOUR_NUMBER_SIZE];
    char c[SQ_TOUR_NUMBER_SIZE];
    bool ok = sq_buf_printf(out, err, "<ul class=\"cost\">");
    if (cost->pictures) {
        ok = ok
          && sq_buf_printf(out, err,
                           "<li class=\"paid\">picture: %s tokens, %s "
                           "bytes</li>",
                           sq_tour_number(cost->picture_tokens, a),
                           sq_tour_number(cost->picture_bytes, b));
    } else {
        ok = ok && sq_buf_printf(out, err, "<li>no picture: 0 tokens</li>");
    }
    return ok
        && sq_buf_printf(
               out, err,
               "<li>text: ~%s tokens, %s bytes</li><li>%lld ms</li>"
               "<li>so far ~%s tokens</li></ul>\n",
               sq_tour_number(cost->text_tokens, a),
               sq_tour_number(cost->text_bytes, b),
               (long long)(cost->took_ns / NS_PER_MS),
               sq_tour_number(total->picture_tokens + total->text_tokens, c));
}

static bool
put_caption(const struct sq_tour_step *step, struct sq_buf *out,
            struct sq_err *err) {
    if (step->picture != SQ_TOUR_GIVEN) {
        return sq_buf_printf(out, err, "%s; not sent to the model",
                             step->picture == SQ_TOUR_BEFORE ? "Just before"
                                                             : "Afterwards");
    }
    return sq_buf_printf(out, err,
                         "What the model got, with our marks; <a "
                         "href=\"%s\">without them</a>",
                         step->given);
}

static bool
put_figure(const struct sq_tour_record *record, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    if (step->fails) {
        return sq_buf_printf(
            out, err,
            "<figure><div class=\"hidden\">Nothing to see: "
            "this screen cannot be shown</div><figcaption>No "
            "picture, no image tokens</figcaption></figure>\n");
    }
    if (!record->picture.width) {
        return true;
    }
    return sq_buf_printf(out, err,
                         "<figure><img src=\"%s\" width=\"%d\" "
                         "height=\"%d\" alt=\"The screen at step %d\">"
                         "<figcaption>",
                         step->file, record->picture.width,
                         record->picture.height, record->number)
        && put_caption(step, out, err)
        && sq_buf_printf(out, err, "</figcaption></figure>\n");
}

bool
sq_tour_page_step(const struct sq_tour_record *record, struct sq_buf *out,
                  struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    bool is_plain = !record->picture.width && !step->fails;
    return (!step->part
            || put_element("<h2>", sq_span_of(step->part), "</h2>", out, err))
        && sq_buf_printf(out, err,
                         "<article%s>\n<div class=\"story\">\n<div "
                         "class=\"head\"><span class=\"number\">%d</span>"
                         "<h3><code>ui %s</code></h3></div>\n",
                         is_plain ? " class=\"plain\"" : "", record->number,
                         step->operation)
        && put_element("<p>", sq_span_of(step->why), "</p>", out, err)
        && put_element("<p class=\"said\">", record->description, "</p>", out,
                       err)
        && put_cost(record, out, err)
        && put_element(
               "<details open><summary>The call and its answer</summary>"
               "<pre>",
               record->call, "</pre>", out, err)
        && put_element("<pre>", record->answer, "</pre></details>\n</div>", out,
                       err)
        && put_figure(record, out, err)
        && sq_buf_printf(out, err, "</article>\n");
}

static bool
put_stat(const char *value, const char *what, struct sq_buf *out,
         struct sq_err *err) {
    return sq_buf_printf(out, err, "<li><b>%s</b><span>%s</span></li>\n", value,
                         what);
}

static bool
put_stats(const struct sq_tour_summary *summary, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_tour_cost *total = &summary->total;
    char number[SQ_TOUR_NUMBER_SIZE];
    char about[SQ_TOUR_NUMBER_SIZE + 4];
    char took[SQ_TOUR_NUMBER_SIZE + 4];
    snprintf(about, sizeof(about), "~%s",
             sq_tour_number(total->text_tokens, number));
    snprintf(took, sizeof(took), "%s ms",
             sq_tour_number(total->took_ns / NS_PER_MS, number));
    return sq_buf_printf(out, err, "<ul class=\"stats\">\n")
        && put_stat(sq_tour_number(total->calls, number), "calls", out, err)
        && put_stat(sq_tour_number(total->pictures, number),
                    "pictures for the model", out, err)
        && put_stat(sq_tour_number(total->picture_tokens, number),
                    "tokens of pictures", out, err)
        && put_stat(about, "tokens of text", out, err)
        && put_stat(took, "inside squint", out, err)
        && sq_buf_printf(out, err, "</ul>\n");
}

static bool
put_bar(const char *what, int64_t tokens, int64_t most, const char *extra,
        struct sq_buf *out, struct sq_err *err) {
    char number[SQ_TOUR_NUMBER_SIZE];
    return sq_buf_printf(out, err,
                         "<p><span>%s</span><b>%s tokens</b></p><div "
                         "class=\"bar%s\" style=\"width:%d%%\"></div>\n",
                         what, sq_tour_number(tokens, number), extra,
                         (int)(tokens * BAR_WIDTH / (most ? most : 1)));
}

/* Writes bars that compare the cost with a full-size screenshot per call. */
static bool
put_bars(const struct sq_tour_summary *summary, struct sq_buf *out,
         struct sq_err *err) {
    const struct sq_tour_cost *total = &summary->total;
    int full = sq_token_cost(summary->profile, summary->device).tokens;
    int64_t mine = total->picture_tokens + total->text_tokens;
    int64_t naive = (int64_t)full * total->calls;
    int64_t most = mine > naive ? mine : naive;
    return sq_buf_printf(out, err, "<div class=\"bars\">\n")
        && put_bar("This loop, pictures and text", mine, most, "", out, err)
        && put_bar("A full-size screenshot after every call, pictures alone",
                   naive, most, " other", out, err)
        && sq_buf_printf(out, err, "</div>\n");
}

/* Writes the set-up of one client. Frees text. */
static bool
put_client(const char *title, bool made, struct sq_buf *text,
           struct sq_buf *out, struct sq_err *err) {
    const struct sq_span span = sq_buf_span(text);
    bool ok = made && sq_buf_printf(out, err, "<h3>%s</h3>\n", title)
           && put_element("<pre>", span, "</pre>", out, err);
    sq_buf_finish(text);
    return ok;
}

static bool
put_clients(const char *program, struct sq_buf *out, struct sq_err *err) {
    struct sq_buf code;
    struct sq_buf desktop;
    struct sq_buf vscode;
    sq_buf_init(&code, MAX_ENTRY_BYTES);
    sq_buf_init(&desktop, MAX_ENTRY_BYTES);
    sq_buf_init(&vscode, MAX_ENTRY_BYTES);
    return sq_buf_printf(out, err,
                         "<h2>Give it to your agent</h2>\n<article "
                         "class=\"plain\"><div class=\"story\">\n<p><code>"
                         "squint install CLIENT</code> does it for you, and "
                         "keeps the old file. By hand:</p>\n")
        && put_client("Claude Code", sq_tour_command(program, &code, err),
                      &code, out, err)
        && put_client("Claude Desktop, Cursor",
                      sq_tour_entry("mcpServers", program, &desktop, err),
                      &desktop, out, err)
        && put_client("VS Code",
                      sq_tour_entry("servers", program, &vscode, err), &vscode,
                      out, err)
        && sq_buf_printf(out, err, "</div></article>\n");
}

bool
sq_tour_page(const struct sq_tour_summary *summary, struct sq_span body,
             struct sq_buf *out, struct sq_err *err) {
    return sq_buf_append(out, sq_tour_page_head, sq_tour_page_head_size, err)
        && sq_buf_printf(
               out, err,
               "<header>\n<p class=\"kicker\">squint demo</p>\n<h1>One agent "
               "loop, call by call</h1>\n<p class=\"lead\">What an agent "
               "sends, "
               "what it gets back and what that costs it, on the phone of "
               "%dx%d "
               "pixels that is built into squint. Tokens of pictures as "
               "<b>%s</b> "
               "counts them; tokens of text are estimated.</p>\n",
               summary->device.width, summary->device.height,
               summary->profile->name)
        && put_stats(summary, out, err) && put_bars(summary, out, err)
        && sq_buf_append(out, page_legend, sizeof(page_legend) - 1, err)
        && sq_buf_printf(out, err, "</header>\n")
        && sq_buf_append(out, body.ptr, body.len, err)
        && put_clients(summary->program, out, err)
        && sq_buf_append(out, page_tail, sizeof(page_tail) - 1, err);
}

/* Writes the tour as an HTML page beside its pictures. */
#include "demo/tour/private.h"

#include <stdio.h>

#define NS_PER_MS 1000000
#define MAX_ENTRY_BYTES ((size_t)64 << 10)
#define BAR_WIDTH 100 /* percent */

static const char page_head[] =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>squint demo: one agent loop, call by call</title>\n"
    "<style>\n"
    ":root{--ground:#f5f5fa;--card:#fff;--ink:#191a23;--soft:#5d6072;"
    "--line:#e2e3ec;--code:#f0f0f7;--accent:#6d3bf5;--touch:#ff2d6f;"
    "--change:#00a38d;--shade:0 1px 2px #1b1d3a1f,0 12px 32px -14px "
    "#1b1d3a2e}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#101118;--card:#191b25;"
    "--ink:#edeef5;--soft:#9a9eb3;--line:#2b2e3c;--code:#12131b;"
    "--accent:#a98bff;--touch:#ff5c8f;--change:#2dd4bf;"
    "--shade:0 0 0 1px #ffffff0f}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 "
    "system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}\n"
    "main{max-width:1000px;margin:0 auto;padding:3.5rem 1.25rem 4rem}\n"
    "h1{font-size:clamp(1.9rem,5vw,3rem);line-height:1.1;margin:.2em 0 .4em;"
    "letter-spacing:-.02em}\n"
    "h2{font-size:1.45rem;letter-spacing:-.01em;margin:3.2rem 0 1rem}\n"
    "h3{margin:0;font-size:1.15rem}\n"
    "p{margin:.5em 0}\n"
    ".kicker{color:var(--accent);font-weight:650;margin:0}\n"
    ".lead{color:var(--soft);max-width:44em;font-size:1.1rem}\n"
    "code,pre{font:.86em/1.5 ui-monospace,\"SF Mono\",Menlo,Consolas,"
    "monospace}\n"
    "pre{background:var(--code);border-radius:10px;padding:.75rem "
    ".9rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    ".stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,"
    "1fr));gap:.75rem;padding:0;margin:2rem 0 1.5rem;list-style:none}\n"
    ".stats li,.bars,article{background:var(--card);border-radius:18px;"
    "box-shadow:var(--shade)}\n"
    ".stats li{padding:1rem 1.2rem}\n"
    ".stats b{display:block;font-size:1.7rem;line-height:1.2;"
    "letter-spacing:-.02em;font-variant-numeric:tabular-nums}\n"
    ".stats span{color:var(--soft);font-size:.9rem}\n"
    ".bars{padding:1.1rem 1.3rem}\n"
    ".bars p{display:flex;justify-content:space-between;gap:1rem;margin:.5rem "
    "0 .3rem;font-size:.95rem}\n"
    ".bars b{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".bar{height:10px;border-radius:5px;background:var(--accent);"
    "min-width:10px}\n"
    ".bar.other{background:var(--line)}\n"
    "article{display:grid;grid-template-columns:1fr "
    "230px;gap:1.75rem;padding:1.5rem;margin:1rem 0}\n"
    "article.plain{grid-template-columns:1fr}\n"
    ".head{display:flex;align-items:center;gap:.7rem}\n"
    ".number{flex:none;width:2rem;height:2rem;border-radius:50%;display:grid;"
    "place-items:center;background:var(--accent);color:var(--card);"
    "font-weight:700;font-size:.95rem}\n"
    ".story{min-width:0}\n"
    ".said{font-weight:600;padding-left:1.4rem;position:relative}\n"
    ".said::before{content:\"\\2192\";position:absolute;left:0;"
    "color:var(--accent)}\n"
    ".cost{display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:.9rem "
    "0;list-style:none;font-size:.86rem;font-variant-numeric:tabular-nums}\n"
    ".cost li{border:1px solid var(--line);border-radius:99px;padding:.1rem "
    ".65rem;color:var(--soft)}\n"
    ".cost .paid{border-color:var(--accent);color:var(--accent)}\n"
    "details pre{max-height:13.5rem;overflow:auto}\n"
    "details pre+pre{border-left:3px solid var(--accent)}\n"
    "summary{cursor:pointer;color:var(--soft);font-size:.9rem}\n"
    "figure{margin:0}\n"
    "img,.hidden{display:block;width:100%;height:auto;border-radius:22px;"
    "border:1px solid var(--line)}\n"
    ".hidden{aspect-ratio:9/20;background:#000;color:#9a9eb3;display:grid;"
    "place-items:center;text-align:center;padding:1.5rem;font-size:.9rem}\n"
    "figcaption{color:var(--soft);font-size:.84rem;margin-top:.6rem;"
    "text-align:center}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:0;"
    "list-style:none;color:var(--soft);font-size:.92rem}\n"
    ".legend li::before{content:\"\";display:inline-block;width:.85em;"
    "height:.85em;margin-right:.5em;border:2.5px solid "
    "var(--accent);border-radius:4px;vertical-align:-.1em}\n"
    ".legend .touch::before{border-color:var(--touch);border-radius:50%}\n"
    ".legend .change::before{border-color:var(--change)}\n"
    "@media(max-width:700px){article{grid-template-columns:1fr}"
    "figure{max-width:300px;margin:0 auto}main{padding-top:2rem}}\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<main>\n";

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
    return sq_buf_append(out, page_head, sizeof(page_head) - 1, err)
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

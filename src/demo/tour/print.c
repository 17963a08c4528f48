/* Writes the tour as text for a terminal, and as JSON for other programs. */
#include "demo/tour/private.h"

#include <stdio.h>
#include <string.h>

#include "json/writer.h"

#define COLUMNS 78
#define INDENT "     "
#define NS_PER_MS 1000000
#define NS_PER_US 1000

/* Escape sequences; empty without colours. */
struct style {
    const char *strong;
    const char *soft;
    const char *accent;
    const char *plain;
};

static const struct style no_style = { "", "", "", "" };
static const struct style ansi_style = { "\x1b[1m", "\x1b[2m", "\x1b[35m",
                                         "\x1b[0m" };

static const struct style *
style_of(bool colour) {
    return colour ? &ansi_style : &no_style;
}

const char *
sq_tour_number(int64_t value, char out[SQ_TOUR_NUMBER_SIZE]) {
    char plain[SQ_TOUR_NUMBER_SIZE];
    int len = snprintf(plain, sizeof(plain), "%lld", (long long)value);
    int used = 0;
    for (int i = 0; i < len && used < SQ_TOUR_NUMBER_SIZE - 2; i++) {
        if (i > 0 && (len - i) % 3 == 0 && plain[i - 1] != '-') {
            out[used++] = ',';
        }
        out[used++] = plain[i];
    }
    out[used] = '\0';
    return out;
}

const struct sq_token_profile *
sq_tour_profile(const struct sq_config *config) {
    const struct sq_token_profile *profile =
        sq_token_profile_at((size_t)config->model.profile);
    return profile ? profile : sq_token_profile_at(0);
}

/* Takes as many words as fit on a line. */
static struct sq_span
take_line(struct sq_span *rest, size_t columns) {
    size_t fits = 0;
    for (size_t i = 0; i <= rest->len && i <= columns; i++) {
        if (i == rest->len || rest->ptr[i] == ' ') {
            fits = i;
        }
    }
    fits = fits ? fits : rest->len;
    struct sq_span line = { rest->ptr, fits };
    size_t skip = fits < rest->len ? fits + 1 : fits;
    rest->ptr += skip;
    rest->len -= skip;
    return line;
}

/* Writes wrapped and indented text; the first line may start with an arrow. */
static bool
put_wrapped(const char *arrow, struct sq_span text, struct sq_buf *out,
            struct sq_err *err) {
    const size_t width = COLUMNS - sizeof(INDENT) - strlen(arrow);
    bool is_first = true;
    bool ok = true;
    while (ok && text.len) {
        struct sq_span line = take_line(&text, width);
        ok = sq_buf_printf(out, err, INDENT "%*s%.*s\n", (int)strlen(arrow),
                           is_first ? arrow : "", SQ_SPAN_ARGS(line));
        is_first = false;
    }
    return ok;
}

static bool
put_cost(const struct sq_tour_record *record, const struct style *style,
         struct sq_buf *out, struct sq_err *err) {
    const struct sq_tour_cost *cost = &record->cost;
    const struct sq_tour_cost *total = &record->total;
    char bytes[SQ_TOUR_NUMBER_SIZE];
    char tokens[SQ_TOUR_NUMBER_SIZE];
    char text_tokens[SQ_TOUR_NUMBER_SIZE];
    char so_far[SQ_TOUR_NUMBER_SIZE];
    sq_tour_number(cost->picture_bytes + cost->text_bytes, bytes);
    sq_tour_number(cost->picture_tokens, tokens);
    sq_tour_number(cost->text_tokens, text_tokens);
    sq_tour_number(total->picture_tokens + total->text_tokens, so_far);
    return sq_buf_printf(out, err, INDENT "%s%s bytes, ", style->soft, bytes)
        && (!cost->pictures || sq_buf_printf(out, err, "%s + ", tokens))
        && sq_buf_printf(out, err, "~%s tokens, %lld ms; so far ~%s%s\n\n",
                         text_tokens, (long long)(cost->took_ns / NS_PER_MS),
                         so_far, style->plain);
}

static bool
put_call(const struct sq_tour_record *record, const struct style *style,
         struct sq_buf *out, struct sq_err *err) {
    struct sq_span arguments = record->arguments;
    return sq_buf_printf(out, err, "%s%3d  %sui %s%s%s%.*s%s\n", style->strong,
                         record->number, style->accent, record->step->operation,
                         style->plain, arguments.len ? " {" : "",
                         SQ_SPAN_ARGS(arguments), arguments.len ? "}" : "");
}

bool
sq_tour_print_step(const struct sq_tour_record *record, bool colour,
                   struct sq_buf *out, struct sq_err *err) {
    const struct style *style = style_of(colour);
    const char *part = record->step->part;
    return (!part
            || sq_buf_printf(out, err, "%s%s%s\n\n", style->strong, part,
                             style->plain))
        && put_call(record, style, out, err)
        && put_wrapped("", sq_span_of(record->step->why), out, err)
        && sq_buf_printf(out, err, "%s", style->strong)
        && put_wrapped("-> ", record->description, out, err)
        && sq_buf_printf(out, err, "%s", style->plain)
        && put_cost(record, style, out, err);
}

bool
sq_tour_entry(const char *section, const char *program, struct sq_buf *out,
              struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, section);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "squint");
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "command");
    sq_json_put_string(&w, sq_span_of(program));
    sq_json_put_key(&w, "args");
    sq_json_begin_array(&w);
    sq_json_put_string(&w, SQ_SPAN("mcp"));
    sq_json_end_array(&w);
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

bool
sq_tour_command(const char *program, struct sq_buf *out, struct sq_err *err) {
    bool is_plain = program[strcspn(program, " \t'\"\\$&|;<>()*?[]#~`!")] == 0;
    const char *quote = is_plain ? "" : "\"";
    return sq_buf_printf(out, err, "claude mcp add squint -- %s%s%s mcp", quote,
                         program, quote);
}

static bool
put_clients(const char *program, const struct style *style, struct sq_buf *out,
            struct sq_err *err) {
    return sq_buf_printf(out, err,
                         "\n%sGive it to your agent%s (or let squint install "
                         "CLIENT do it):\n"
                         "  Claude Code             ",
                         style->strong, style->plain)
        && sq_tour_command(program, out, err)
        && sq_buf_printf(out, err, "\n  Claude Desktop, Cursor  ")
        && sq_tour_entry("mcpServers", program, out, err)
        && sq_buf_printf(out, err, "\n  VS Code                 ")
        && sq_tour_entry("servers", program, out, err)
        && sq_buf_printf(out, err, "\n");
}

bool
sq_tour_print_end(const struct sq_tour_summary *summary, const char *folder,
                  bool colour, struct sq_buf *out, struct sq_err *err) {
    const struct style *style = style_of(colour);
    const struct sq_tour_cost *total = &summary->total;
    int full = sq_token_cost(summary->profile, summary->device).tokens;
    char tokens[SQ_TOUR_NUMBER_SIZE];
    char text_tokens[SQ_TOUR_NUMBER_SIZE];
    char naive[SQ_TOUR_NUMBER_SIZE];
    return sq_buf_printf(
               out, err,
               "%s%d calls, %d pictures: %s + ~%s tokens%s as %s "
               "counts, %lld ms.\n"
               "A full-size screenshot after every call would have "
               "cost %s.\n\nLook at %s/" SQ_TOUR_PAGE
               ": every call, with its picture.\n",
               style->strong, total->calls, total->pictures,
               sq_tour_number(total->picture_tokens, tokens),
               sq_tour_number(total->text_tokens, text_tokens), style->plain,
               summary->profile->name, (long long)(total->took_ns / NS_PER_MS),
               sq_tour_number((int64_t)full * total->calls, naive), folder)
        && put_clients(summary->program, style, out, err);
}

static void
put_number(struct sq_json_writer *w, const char *key, int64_t value) {
    sq_json_put_key(w, key);
    sq_json_put_int(w, value);
}

bool
sq_tour_log_step(const struct sq_tour_record *record, struct sq_buf *out,
                 struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    struct sq_json_writer w;
    if (!sq_buf_printf(out, err, record->number == 1 ? "[\n" : ",\n")) {
        return false;
    }
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_number(&w, "step", record->number);
    if (step->part) {
        sq_json_put_clean_member(&w, "part", sq_span_of(step->part));
    }
    sq_json_put_clean_member(&w, "why", sq_span_of(step->why));
    sq_json_put_clean_member(&w, "call", record->call);
    sq_json_put_clean_member(&w, "answer", record->answer);
    if (step->given) {
        sq_json_put_clean_member(&w, "picture", sq_span_of(step->given));
    }
    put_number(&w, "pictureTokens", record->cost.picture_tokens);
    put_number(&w, "textTokens", record->cost.text_tokens);
    put_number(&w, "microseconds", record->cost.took_ns / NS_PER_US);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

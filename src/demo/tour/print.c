/* Writes the tour as text for a terminal, as a page, and as JSON. */
#include "demo/tour/private.h"

#include <stdio.h>

#include "json/writer.h"
#include "page/page.h"
#include "page/width.h"
#include "tools/reply.h"

#define COLUMNS 78
#define INDENT "     "
#define NS_PER_MS 1000000
#define NS_PER_US 1000
#define MAX_VALUES_BYTES ((size_t)16 << 20)

static const char step_text[] =
    "[part:{strong}{part}{plain}\n\n]"
    "{strong}{number}  {accent}ui {operation}{plain}"
    "[arguments: {open}{arguments}{close}]\n"
    "{whyLines}{strong}{saidLines}{plain}" INDENT
    "{soft}{#bytes} bytes, [pictures:{#pictureTokens} + ]"
    "~{#textTokens} tokens, {ms} ms; so far ~{#soFar}{plain}\n\n";

static const char end_text[] =
    "{strong}{calls} calls, {pictures} pictures: {#pictureTokens} + "
    "~{#textTokens} tokens{plain} as {profile} counts, {ms} ms.\n"
    "A full-size screenshot after every call would have cost {#naive}.\n\n"
    "Look at {folder}/" SQ_TOUR_PAGE ": every call, with its picture.\n"
    "\n{strong}Give it to your agent{plain} (or let squint install CLIENT do "
    "it):\n"
    "  Claude Code             {command}\n"
    "  Claude Desktop, Cursor  {desktop}\n"
    "  VS Code                 {vscode}\n";

const struct sq_token_profile *
sq_tour_profile(const struct sq_config *config) {
    const struct sq_token_profile *profile =
        sq_token_profile_at((size_t)config->model.profile);
    return profile ? profile : sq_token_profile_at(0);
}

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_string(sq_json_at(w, key), sq_span_of(text ? text : ""));
}

static void
put_span(struct sq_json_writer *w, const char *key, struct sq_span text) {
    sq_json_put_string(sq_json_at(w, key), text);
}

/* Writes wrapped and indented text; the first line may start with an arrow. */
static bool
put_wrapped(struct sq_json_writer *w, const char *key, const char *arrow,
            struct sq_span text, struct sq_err *err) {
    const size_t width = COLUMNS - sizeof(INDENT) - strlen(arrow);
    struct sq_span line;
    bool ok = true;
    SQ_BUF(lines, MAX_VALUES_BYTES);
    while (ok && sq_text_take_line(&text, width, &line)) {
        ok = sq_buf_printf(&lines, err, INDENT "%*s%.*s\n", (int)strlen(arrow),
                           lines.len == 0 ? arrow : "", SQ_SPAN_ARGS(line));
    }
    put_span(w, key, sq_buf_span(&lines));
    return ok;
}

/* Begins an object of values with escape sequences and a cost. */
static void
begin(struct sq_json_writer *w, struct sq_buf *out, bool colour,
      const struct sq_tour_cost *cost) {
    sq_json_open(w, out);
    put_text(w, "strong", colour ? "\x1b[1m" : "");
    put_text(w, "soft", colour ? "\x1b[2m" : "");
    put_text(w, "accent", colour ? "\x1b[35m" : "");
    put_text(w, "plain", colour ? "\x1b[0m" : "");
    sq_put_int(w, "calls", cost->calls);
    sq_put_int(w, "pictures", cost->pictures);
    sq_put_int(w, "pictureTokens", cost->picture_tokens);
    sq_put_int(w, "pictureBytes", cost->picture_bytes);
    sq_put_int(w, "textTokens", cost->text_tokens);
    sq_put_int(w, "textBytes", cost->text_bytes);
    sq_put_int(w, "bytes", cost->picture_bytes + cost->text_bytes);
    sq_put_int(w, "tokens", cost->picture_tokens + cost->text_tokens);
    sq_put_int(w, "ms", cost->took_ns / NS_PER_MS);
}

/* Writes the values of a step for both templates. */
static bool
put_step(const struct sq_tour_record *record, bool colour, struct sq_buf *out,
         struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    char number[16];
    struct sq_json_writer w;
    snprintf(number, sizeof(number), "%3d", record->number);
    begin(&w, out, colour, &record->cost);
    sq_put_int(&w, "soFar",
               record->total.picture_tokens + record->total.text_tokens);
    put_text(&w, "number", number);
    sq_put_int(&w, "step", record->number);
    put_text(&w, "part", step->part);
    put_text(&w, "operation", step->operation);
    put_span(&w, "arguments", record->arguments);
    put_text(&w, "open", "{");
    put_text(&w, "close", "}");
    put_text(&w, "why", step->why);
    put_span(&w, "said", record->description);
    put_span(&w, "call", record->call);
    put_span(&w, "answer", record->answer);
    sq_put_int(&w, "fails", step->fails);
    sq_put_int(&w, "isPlain", !record->picture.width && !step->fails);
    sq_put_int(&w, "width", record->picture.width);
    sq_put_int(&w, "height", record->picture.height);
    put_text(&w, "file", step->file);
    put_text(&w, "before", step->before);
    sq_put_int(&w, "isGiven", step->picture == SQ_TOUR_GIVEN);
    bool ok = put_wrapped(&w, "whyLines", "", sq_span_of(step->why), err)
           && put_wrapped(&w, "saidLines", "-> ", record->description, err);
    sq_json_end_object(&w);
    return ok && sq_json_writer_done(&w, err);
}

/* Writes a client's configuration entry on one line. */
static bool
put_entry(struct sq_json_writer *w, const char *key, const char *section,
          const char *program, struct sq_err *err) {
    struct sq_json_writer entry;
    SQ_BUF(text, MAX_VALUES_BYTES);
    sq_json_open(&entry, &text);
    sq_json_begin_object_of(&entry, section);
    sq_json_begin_object_of(&entry, "squint");
    put_text(&entry, "command", program);
    sq_json_begin_array_of(&entry, "args");
    sq_json_put_string(&entry, SQ_SPAN("mcp"));
    sq_json_end_array(&entry);
    sq_json_end_object(&entry);
    sq_json_end_object(&entry);
    bool ok = sq_json_close(&entry, err);
    put_span(w, key, sq_buf_span(&text));
    return ok;
}

/* The command that adds the program to Claude Code. */
static bool
put_command(struct sq_json_writer *w, const char *program, struct sq_err *err) {
    bool is_plain = program[strcspn(program, " \t'\"\\$&|;<>()*?[]#~`!")] == 0;
    const char *quote = is_plain ? "" : "\"";
    SQ_BUF(text, MAX_VALUES_BYTES);
    bool ok = sq_buf_printf(&text, err, "claude mcp add squint -- %s%s%s mcp",
                            quote, program, quote);
    put_span(w, "command", sq_buf_span(&text));
    return ok;
}

/* Writes the values of the whole tour. */
static bool
put_summary(const struct sq_tour_summary *summary, const char *folder,
            bool colour, struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    const struct sq_tour_cost *total = &summary->total;
    int full = sq_token_cost(summary->profile, summary->device).tokens;
    int64_t tokens = total->picture_tokens + total->text_tokens;
    int64_t naive = (int64_t)full * total->calls;
    int64_t most = tokens > naive ? tokens : naive;
    begin(&w, out, colour, total);
    sq_put_int(&w, "naive", naive);
    sq_put_int(&w, "percent", tokens * 100 / (most ? most : 1));
    sq_put_int(&w, "naivePercent", naive * 100 / (most ? most : 1));
    sq_put_int(&w, "width", summary->device.width);
    sq_put_int(&w, "height", summary->device.height);
    put_text(&w, "profile", summary->profile->name);
    put_text(&w, "folder", folder);
    bool ok = put_command(&w, summary->program, err)
           && put_entry(&w, "desktop", "mcpServers", summary->program, err)
           && put_entry(&w, "vscode", "servers", summary->program, err);
    sq_json_end_object(&w);
    return ok && sq_json_writer_done(&w, err);
}

/* Appends a template with these values, a JSON object. */
static bool
fill_from(const struct sq_buf *values, struct sq_span template,
          enum sq_escape escape, struct sq_buf *out, struct sq_err *err) {
    const struct sq_json *json;
    struct sq_page page = { .out = out, .escape = escape };
    SQ_ARENA(arena, MAX_VALUES_BYTES);
    return sq_json_parse(sq_buf_span(values), &arena, &json, err)
        && sq_page_fill(&page, template, json, err);
}

/* Returns a part of page.html. */
static struct sq_span
page_part(const char *name) {
    struct sq_span rest = { sq_tour_page_text, sq_tour_page_text_size };
    struct sq_span line;
    while (sq_span_take_line(&rest, &line)
           && !(sq_span_take_prefix(&line, "<!-- ")
                && sq_span_take_prefix(&line, name))) {
    }
    struct sq_span part = { rest.ptr, 0 };
    while (rest.len > 0 && !sq_span_starts_with(rest, "<!-- ")) {
        sq_span_take_line(&rest, &line);
        part.len = (size_t)(rest.ptr - part.ptr);
    }
    return part;
}

bool
sq_tour_print_step(const struct sq_tour_record *record, bool colour,
                   struct sq_buf *text, struct sq_buf *page,
                   struct sq_err *err) {
    SQ_BUF(values, MAX_VALUES_BYTES);
    return put_step(record, colour, &values, err)
        && fill_from(&values, sq_span_of(step_text), SQ_ESCAPE_NOTHING, text,
                     err)
        && fill_from(&values, page_part("step"), SQ_ESCAPE_HTML, page, err);
}

bool
sq_tour_print_end(const struct sq_tour_summary *summary, const char *folder,
                  bool colour, struct sq_buf *out, struct sq_err *err) {
    SQ_BUF(values, MAX_VALUES_BYTES);
    return put_summary(summary, folder, colour, &values, err)
        && fill_from(&values, sq_span_of(end_text), SQ_ESCAPE_NOTHING, out,
                     err);
}

bool
sq_tour_page(const struct sq_tour_summary *summary, struct sq_span body,
             struct sq_buf *out, struct sq_err *err) {
    struct sq_span header = page_part("header");
    size_t before = (size_t)(header.ptr - sq_tour_page_text);
    SQ_BUF(values, MAX_VALUES_BYTES);
    return put_summary(summary, "", false, &values, err)
        && sq_buf_append(out, sq_tour_page_text, before, err)
        && fill_from(&values, header, SQ_ESCAPE_HTML, out, err)
        && sq_buf_append(out, body.ptr, body.len, err)
        && fill_from(&values, page_part("clients"), SQ_ESCAPE_HTML, out, err);
}

bool
sq_tour_log_step(const struct sq_tour_record *record, struct sq_buf *out,
                 struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    struct sq_json_writer w;
    if (!sq_buf_printf(out, err, record->number == 1 ? "[\n" : ",\n")) {
        return false;
    }
    sq_json_open(&w, out);
    sq_put_int(&w, "step", record->number);
    if (step->part) {
        sq_json_put_clean_member(&w, "part", sq_span_of(step->part));
    }
    sq_json_put_clean_member(&w, "why", sq_span_of(step->why));
    sq_json_put_clean_member(&w, "call", record->call);
    sq_json_put_clean_member(&w, "answer", record->answer);
    if (step->picture == SQ_TOUR_GIVEN) {
        sq_json_put_clean_member(&w, "picture", sq_span_of(step->file));
    }
    sq_put_int(&w, "pictureTokens", record->cost.picture_tokens);
    sq_put_int(&w, "textTokens", record->cost.text_tokens);
    sq_put_int(&w, "microseconds", record->cost.took_ns / NS_PER_US);
    return sq_json_close(&w, err);
}

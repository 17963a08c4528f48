/* Writes escaped text in inks, and decides about colours. */
#include "page/page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "json/reader.h"
#include "page/width.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "util/utf8.h"

#define MAX_LINE 4096 /* longer ones are cut */
#define MIN_WRAP 16   /* columns of a wrapped text on a narrow terminal */

const char *const sq_color_words[] = { "auto", "always", "never", NULL };

#define INK_END "\033[0m"

/* SGR sequences; 8 colours, which every terminal with colours has. */
static const char *const inks[SQ_INKS] = {
    [SQ_INK_PLAIN] = "",         [SQ_INK_STRONG] = "\033[1m",
    [SQ_INK_FAINT] = "\033[2m",  [SQ_INK_GOOD] = "\033[32m",
    [SQ_INK_DOUBT] = "\033[33m", [SQ_INK_BAD] = "\033[31m",
};

static bool
is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0];
}

static bool
wants_color(struct sq_opt_int choice) {
    int color = choice.given ? choice.value : SQ_COLOR_AUTO;
    if (color != SQ_COLOR_AUTO) {
        return color == SQ_COLOR_ALWAYS;
    }
    const char *term = getenv("TERM");
    return sq_is_terminal(STDOUT_FILENO) && !is_set("NO_COLOR") && term
        && strcmp(term, "dumb") != 0;
}

struct sq_paper
sq_paper_of_output(struct sq_opt_int color) {
    struct sq_terminal_size size = { 0 };
    (void)sq_terminal_get_size(STDOUT_FILENO, &size);
    return (struct sq_paper){
        .color = wants_color(color),
        .columns = (size_t)size.columns,
    };
}

bool
sq_page_put(struct sq_page *page, enum sq_ink ink, struct sq_span text,
            struct sq_err *err) {
    bool color = page->paper.color && ink != SQ_INK_PLAIN && text.len > 0;
    return (!color || sq_buf_printf(page->out, err, "%s", inks[ink]))
        && sq_plain_append(text, false, page->out, err)
        && (!color || sq_buf_printf(page->out, err, INK_END));
}

/* A newline at the end is kept; others are escaped. */
bool
sq_page_printf(struct sq_page *page, enum sq_ink ink, struct sq_err *err,
               const char *format, ...) {
    char line[MAX_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    struct sq_span text = sq_span_of(line);
    bool ends = text.len > 0 && line[text.len - 1] == '\n';
    text.len -= ends;
    return sq_page_put(page, ink, text, err)
        && (!ends || sq_buf_append(page->out, "\n", 1, err));
}

/* Returns the columns that are left, or a great many if there is no limit. */
static size_t
columns_after(const struct sq_page *page, size_t used) {
    size_t columns = page->paper.columns;
    return columns == 0              ? SIZE_MAX
         : columns > used + MIN_WRAP ? columns - used
                                     : MIN_WRAP;
}

bool
sq_page_put_wrapped(struct sq_page *page, enum sq_ink ink, size_t used,
                    size_t indent, struct sq_span text, struct sq_err *err) {
    struct sq_span line;
    bool ok = true;
    while (ok && sq_text_take_line(&text, columns_after(page, used), &line)) {
        ok = sq_page_put(page, ink, line, err)
          && (text.len == 0
              || sq_buf_printf(page->out, err, "\n%*s", (int)indent, ""));
        used = indent;
    }
    return ok && sq_buf_append(page->out, "\n", 1, err);
}

const char *
sq_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

void
sq_bytes_text(int64_t bytes, char out[SQ_BYTES_TEXT_SIZE]) {
    if (bytes < 1000) {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 " bytes", bytes);
    } else if (bytes < 1000000) {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 " KB",
                 (bytes + 500) / 1000);
    } else {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 ".%" PRId64 " MB",
                 bytes / 1000000, bytes / 100000 % 10);
    }
}

/* Writes a number as "12,345". */
static void
group_digits(int64_t value, char out[SQ_BYTES_TEXT_SIZE]) {
    char plain[SQ_BYTES_TEXT_SIZE];
    int len = snprintf(plain, sizeof(plain), "%" PRId64, value);
    int used = 0;
    for (int i = 0; i < len && used < SQ_BYTES_TEXT_SIZE - 2; i++) {
        if (i > 0 && (len - i) % 3 == 0 && plain[i - 1] != '-') {
            out[used++] = ',';
        }
        out[used++] = plain[i];
    }
    out[used] = '\0';
}

static bool
put_html(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
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

/* Finds the value of a path: "a.b.0". */
static const struct sq_json *
value_of(const struct sq_json *values, struct sq_span path) {
    bool more = !sq_span_is(path, ".") && !sq_span_is(path, "@");
    while (more) {
        struct sq_span name = path;
        more = sq_span_take_until(&path, '.', &name);
        int64_t item;
        if (!sq_span_to_int64(name, &item)) {
            values = sq_json_get_span(values, name);
            continue;
        }
        values = sq_json_first(values);
        for (; values && item > 0; item--) {
            values = sq_json_next(values);
        }
    }
    return values;
}

/* Returns a value as text: a string, or a number in a form. */
static struct sq_span
text_of(const struct sq_json *values, struct sq_span path, struct sq_span form,
        char space[SQ_FILE_NAME_SIZE]) {
    const struct sq_json *value = value_of(values, path);
    struct sq_span text = { 0 };
    double number = 0;
    int64_t whole = 0;
    if (sq_span_is(path, "@")) {
        return sq_json_key(value);
    }
    if (!sq_json_double(value, &number)) {
        sq_json_string(value, &text);
        if (sq_span_starts_with(form, "f") && text.len < SQ_PATH_SIZE) {
            char name[SQ_PATH_SIZE];
            snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(text));
            sq_file_name(name, sq_span_is(form, "file"), space);
            return sq_span_of(space);
        }
        return text;
    }
    sq_json_int(value, &whole);
    if (form.len == 0) {
        sq_json_number(value, &text);
        return text;
    }
    if (sq_span_is(form, "s")) {
        return sq_span_of(sq_plural(whole));
    }
    if (sq_span_is(form, "KB")) {
        sq_bytes_text(whole, space);
    } else if (sq_span_is(form, "#")) {
        group_digits(whole, space);
    } else {
        snprintf(space, SQ_BYTES_TEXT_SIZE, "%.*f", form.ptr[0] - '0', number);
    }
    return sq_span_of(space);
}

static bool
put_value(struct sq_page *page, struct sq_span name,
          const struct sq_json *values, struct sq_err *err) {
    char space[SQ_FILE_NAME_SIZE];
    struct sq_span form =
        sq_span_take_prefix(&name, "#") ? SQ_SPAN("#") : SQ_SPAN("");
    struct sq_span path = name;
    if (sq_span_take_until(&name, ':', &path)) {
        form = name;
    }
    struct sq_span text = text_of(values, path, form, space);
    int64_t width = 0;
    if (sq_span_take_prefix(&form, "-")) {
        sq_span_to_int64(form, &width);
    }
    int columns = (int)sq_text_columns(text);
    bool ok = page->escape == SQ_ESCAPE_HTML ? put_html(text, page->out, err)
            : page->escape == SQ_ESCAPE_NOTHING
                ? sq_buf_append(page->out, text.ptr, text.len, err)
                : sq_plain_append(text, false, page->out, err);
    return ok
        && (width <= columns
            || sq_buf_printf(page->out, err, "%*s", (int)width - columns, ""));
}

/* Begins an ink, or without a name ends it. */
static bool
put_ink(struct sq_page *page, struct sq_span name, struct sq_err *err) {
    static const char *const names[SQ_INKS] = {
        [SQ_INK_PLAIN] = "plain", [SQ_INK_STRONG] = "strong",
        [SQ_INK_FAINT] = "faint", [SQ_INK_GOOD] = "good",
        [SQ_INK_DOUBT] = "doubt", [SQ_INK_BAD] = "bad",
    };
    int ink = 0;
    while (ink < SQ_INKS && !sq_span_is(name, names[ink])) {
        ink++;
    }
    return !page->paper.color
        || sq_buf_printf(page->out, err, "%s",
                         ink < SQ_INKS ? inks[ink] : INK_END);
}

/* Returns whether a condition holds: "name", "!name", "name=word". */
static bool
holds(struct sq_span condition, const struct sq_json *values) {
    const struct sq_span plain = { 0 };
    char space[2][SQ_FILE_NAME_SIZE];
    bool is_wanted = !sq_span_take_prefix(&condition, "!");
    struct sq_span name = condition;
    bool has_word = sq_span_take_until(&condition, '=', &name);
    const struct sq_json *value = value_of(values, name);
    struct sq_span text = text_of(values, name, plain, space[0]);
    struct sq_span word = condition;
    bool truth = false;
    if (sq_span_take_prefix(&word, "{")) {
        word.len--;
        condition = text_of(values, word, plain, space[1]);
    }
    sq_json_bool(value, &truth);
    return is_wanted
        == (has_word ? sq_span_equal(text, condition)
                     : (text.len > 0 && !sq_span_is(text, "0")) || truth
                           || sq_json_count(value) > 0);
}

/* Takes the rest of "[...]", in which there may be others. */
static bool
take_part(struct sq_span *rest, struct sq_span *part) {
    int depth = 1;
    size_t len = 0;
    for (; len < rest->len; len++) {
        depth += (rest->ptr[len] == '[') - (rest->ptr[len] == ']');
        if (depth == 0) {
            *part = (struct sq_span){ rest->ptr, len };
            sq_span_skip(rest, len + 1);
            return true;
        }
    }
    return false;
}

static bool
put_part(struct sq_page *page, struct sq_span part,
         const struct sq_json *values, struct sq_err *err) {
    struct sq_span name = { 0 };
    bool ok = true;
    sq_span_take_until(&part, ':', &name);
    if (!sq_span_take_prefix(&name, "*")) {
        return !holds(name, values) || sq_page_fill(page, part, values, err);
    }
    struct sq_span between = name;
    if (!sq_span_take_until(&between, '|', &name)) {
        between.len = 0;
    }
    const struct sq_json *first = sq_json_first(value_of(values, name));
    for (const struct sq_json *item = first; ok && item;
         item = sq_json_next(item)) {
        ok = (item == first
              || sq_buf_append(page->out, between.ptr, between.len, err))
          && sq_page_fill(page, part, item, err);
    }
    return ok;
}

bool
sq_page_fill(struct sq_page *page, struct sq_span template,
             const struct sq_json *values, struct sq_err *err) {
    bool ok = true;
    while (ok && template.len > 0) {
        struct sq_span part;
        size_t plain = 0;
        while (plain < template.len && !strchr("{[", template.ptr[plain])) {
            plain++;
        }
        ok = sq_buf_append(page->out, template.ptr, plain, err);
        sq_span_skip(&template, plain);
        if (sq_span_take_prefix(&template, "{{")) {
            ok = ok && sq_buf_append(page->out, "{", 1, err);
        } else if (sq_span_take_prefix(&template, "{")
                   && sq_span_take_until(&template, '}', &part)) {
            bool is_ink = sq_span_take_prefix(&part, "=");
            ok = ok
              && (is_ink ? put_ink(page, part, err)
                         : put_value(page, part, values, err));
        } else if (sq_span_take_prefix(&template, "[")
                   && take_part(&template, &part)) {
            ok = ok && put_part(page, part, values, err);
        }
    }
    return ok;
}

/* Takes the escape sequence of an ink. */
static bool
take_ink(struct sq_span *rest, struct sq_span *piece) {
    for (int i = 0; i <= SQ_INKS; i++) {
        const char *ink = i < SQ_INKS ? inks[i] : INK_END;
        *piece = (struct sq_span){ rest->ptr, strlen(ink) };
        if (ink[0] && sq_span_take_prefix(rest, ink)) {
            return true;
        }
    }
    return false;
}

bool
sq_page_take(struct sq_span *rest, char escape[16], struct sq_span *piece) {
    _Static_assert(SQ_PLAIN_ESCAPE_SIZE == 16, "size of the caller's array");
    return take_ink(rest, piece) || sq_plain_take(rest, true, escape, piece);
}

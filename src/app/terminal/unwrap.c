/* Joins the lines of a help text, so that a narrow terminal breaks it once. */
#include "app/terminal/unwrap.h"

#include "page/width.h"

#define COLUMNS 80          /* in which help texts are written */
#define MIN_DESCRIBED_AT 20 /* first column of the description of an option */

static size_t
count_spaces(struct sq_span line) {
    size_t count = 0;
    while (count < line.len && line.ptr[count] == ' ') {
        count++;
    }
    return count;
}

/* Returns whether `next` continues the line. */
static bool
is_continued(struct sq_span line, struct sq_span next) {
    size_t indent = count_spaces(next);
    bool is_text = count_spaces(line) == 0 && indent == 0;
    bool is_description = count_spaces(line) > 0 && indent >= MIN_DESCRIBED_AT;
    struct sq_span word = { next.ptr + indent, next.len - indent };
    struct sq_span rest = word;
    sq_span_take_until(&rest, ' ', &word);
    return (is_text || is_description) && line.len > 0 && word.len > 0
        && sq_text_columns(line) + 1 + sq_text_columns(word) > COLUMNS;
}

bool
sq_text_unwrap(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct sq_span last = { 0 };
    bool ok = true;
    for (bool is_first = true; ok && text.len > 0; is_first = false) {
        struct sq_span line = text;
        bool ends = sq_span_take_until(&text, '\n', &line);
        text.len = ends ? text.len : 0;
        bool joins = !is_first && is_continued(last, line);
        size_t skipped = joins ? count_spaces(line) : 0;
        ok = (is_first || sq_buf_append(out, joins ? " " : "\n", 1, err))
          && sq_buf_append(out, line.ptr + skipped, line.len - skipped, err);
        last = line;
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

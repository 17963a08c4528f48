/*
 * Writes a small unified diff with one hunk, since a file changes in one place.
 * Shows no context lines, and of a partly changed line only the changed part,
 * because the rest may contain secrets of other servers.
 */

#include "app/install/install.h"
#include "util/utf8.h"

#define ELISION "\xe2\x80\xa6" /* ... */

/* The range that differs. */
struct change {
    size_t start;    /* offset in both texts; the start of a line */
    size_t end[2];   /* after the last line that differs */
    size_t before;   /* number of lines before start */
    size_t lines[2]; /* number of lines that differ */
    size_t head;     /* equal bytes after start */
    size_t tail;     /* equal bytes before the ends */
};

static size_t
count_lines(struct sq_span text, size_t from, size_t to) {
    size_t lines = 0;
    for (size_t i = from; i < to; i++) {
        lines += text.ptr[i] == '\n' || i + 1 == text.len;
    }
    return lines;
}

static bool
ends_line(struct sq_span text, size_t at) {
    return at == 0 || at == text.len || text.ptr[at - 1] == '\n';
}

static size_t
line_start(struct sq_span text, size_t at) {
    while (at > 0 && text.ptr[at - 1] != '\n') {
        at--;
    }
    return at;
}

/*
 * Moves a text that was only added or removed towards the start of its line, as
 * far as it is the same text there: "b":2, instead of b":2,"
 */
static void
slide(struct sq_span a, struct sq_span b, size_t *head, size_t *tail) {
    const struct sq_span longer = a.len > b.len ? a : b;
    const size_t start = line_start(longer, *head);
    const bool can_move =
        *head + *tail == a.len + b.len - longer.len && a.len != b.len;
    while (can_move && *head > start
           && longer.ptr[*head - 1] == longer.ptr[longer.len - *tail - 1]) {
        --*head;
        ++*tail;
    }
    while (can_move && sq_utf8_is_continuation(longer.ptr[*head])) {
        ++*head;
        --*tail;
    }
}

static struct change
compare(struct sq_span a, struct sq_span b) {
    struct change change = { .start = 0 };
    const size_t min = a.len < b.len ? a.len : b.len;
    size_t head = 0; /* equal bytes at the beginning, in whole characters */
    size_t tail = 0; /* and at the end */
    while (head < min && a.ptr[head] == b.ptr[head]) {
        head++;
    }
    while (head > 0 && head < a.len && sq_utf8_is_continuation(a.ptr[head])) {
        head--;
    }
    while (tail < min - head
           && a.ptr[a.len - tail - 1] == b.ptr[b.len - tail - 1]) {
        tail++;
    }
    while (tail > 0 && sq_utf8_is_continuation(a.ptr[a.len - tail])) {
        tail--;
    }
    slide(a, b, &head, &tail);
    change.start = line_start(a, head);
    size_t kept = tail; /* whole lines of it */
    while (kept > 0
           && !(ends_line(a, a.len - kept) && ends_line(b, b.len - kept))) {
        kept--;
    }
    change.head = head - change.start;
    change.tail = tail - kept;
    change.end[0] = a.len - kept;
    change.end[1] = b.len - kept;
    change.before = count_lines(a, 0, change.start);
    change.lines[0] = count_lines(a, change.start, change.end[0]);
    change.lines[1] = count_lines(b, change.start, change.end[1]);
    return change;
}

/*
 * Returns whether a text is only brackets, commas and keys such as
 * "mcpServers":, which reveal nothing.
 */
static bool
is_harmless(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"') {
            const char *end = memchr(text.ptr + i + 1, '"', text.len - i - 1);
            size_t after = end ? (size_t)(end - text.ptr) + 1 : text.len;
            if (after == text.len || text.ptr[after] != ':') {
                return false;
            }
            i = after;
        } else if (!strchr(" \t\r{}[],", text.ptr[i])) {
            return false;
        }
    }
    return true;
}

/* Writes a part of a line that is equal in both texts. */
static bool
put_same(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    return is_harmless(text) ? sq_plain_append(text, true, out, err)
                             : sq_buf_printf(out, err, ELISION);
}

/* One side of the change. */
struct side {
    char mark;
    const char *from; /* the part that differs */
    const char *to;
};

static bool
put_line(const struct side *side, struct sq_span line, struct sq_buf *out,
         struct sq_err *err) {
    const char *end = line.ptr + line.len;
    const char *from = side->from > line.ptr ? side->from : line.ptr;
    from = from < end ? from : end;
    const char *to = side->to < end ? side->to : end;
    to = to > from ? to : from;
    const struct sq_span head = { line.ptr, (size_t)(from - line.ptr) };
    const struct sq_span middle = { from, (size_t)(to - from) };
    const struct sq_span tail = { to, (size_t)(end - to) };
    bool ok = sq_buf_append(out, &side->mark, 1, err);
    if (middle.len == 0) {
        ok = ok && put_same(line, out, err);
    } else {
        ok = ok && put_same(head, out, err)
          && sq_plain_append(middle, true, out, err)
          && put_same(tail, out, err);
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

static bool
put_lines(char mark, struct sq_span text, const struct change *change,
          size_t end, struct sq_buf *out, struct sq_err *err) {
    if (change->start == end) {
        return true;
    }
    const struct side side = { mark, text.ptr + change->start + change->head,
                               text.ptr + end - change->tail };
    struct sq_span rest = { text.ptr + change->start, end - change->start };
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_line(&rest, &line)) {
        ok = put_line(&side, line, out, err);
    }
    if (ok && end == text.len && text.ptr[end - 1] != '\n') {
        ok = sq_buf_printf(out, err, "\\ No newline at end of file\n");
    }
    return ok;
}

/* As in diff(1), a side without lines names the line before. */
static size_t
first_line(const struct change *change, size_t lines) {
    return change->before + (lines ? 1 : 0);
}

bool
sq_install_diff(const char *path, struct sq_span before, struct sq_span after,
                struct sq_buf *out, struct sq_err *err) {
    const struct change change = compare(before, after);
    const size_t *lines = change.lines;
    return sq_buf_printf(out, err, "--- %s\n+++ %s\n@@ -%zu,%zu +%zu,%zu @@\n",
                         path, path, first_line(&change, lines[0]), lines[0],
                         first_line(&change, lines[1]), lines[1])
        && put_lines('-', before, &change, change.end[0], out, err)
        && put_lines('+', after, &change, change.end[1], out, err);
}

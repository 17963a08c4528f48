/* A small unified diff: one hunk, as one place of a file has changed. */
#include <string.h>

#include "app/install.h"

/*
 * One line around the change is enough to see where it is; the neighbours may
 * hold other servers' secrets.
 */
#define CONTEXT 1

/* Offsets of what differs, and the lines before it. */
struct change {
    size_t start;    /* in both texts, where a line begins */
    size_t end[2];   /* behind the last line that differs */
    size_t context;  /* lines shown before */
    size_t before;   /* lines before start */
    size_t lines[2]; /* that differ */
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

static struct change
compare(struct sq_span before, struct sq_span after) {
    struct change change = { .end = { before.len, after.len } };
    size_t least = before.len < after.len ? before.len : after.len;
    size_t same = 0;
    while (same < least && before.ptr[same] == after.ptr[same]) {
        same++;
    }
    /* A whole line is only one with its end. */
    while (same > 0 && before.ptr[same - 1] != '\n') {
        same--;
    }
    change.start = same;
    size_t tail = 0;
    size_t kept = 0;
    while (tail < least - same
           && before.ptr[before.len - tail - 1]
                  == after.ptr[after.len - tail - 1]) {
        tail++;
        if (ends_line(before, before.len - tail)
            && ends_line(after, after.len - tail)) {
            kept = tail;
        }
    }
    change.end[0] -= kept;
    change.end[1] -= kept;
    change.before = count_lines(before, 0, same);
    change.context = change.before < CONTEXT ? change.before : CONTEXT;
    change.lines[0] = count_lines(before, same, change.end[0]);
    change.lines[1] = count_lines(after, same, change.end[1]);
    return change;
}

static bool
put_line(char mark, struct sq_span line, struct sq_buf *out,
         struct sq_err *err) {
    bool ok = sq_buf_append(out, &mark, 1, err);
    for (size_t i = 0; ok && i < line.len; i++) {
        unsigned char byte = (unsigned char)line.ptr[i];
        bool is_control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
        ok = is_control ? sq_buf_printf(out, err, "\\x%02x", byte)
                        : sq_buf_append(out, &line.ptr[i], 1, err);
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

static bool
put_lines(char mark, struct sq_span text, size_t from, size_t to,
          struct sq_buf *out, struct sq_err *err) {
    if (from == to) {
        return true;
    }
    struct sq_span rest = { text.ptr + from, to - from };
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_line(&rest, &line)) {
        ok = put_line(mark, line, out, err);
    }
    if (ok && to == text.len && text.ptr[to - 1] != '\n') {
        ok = sq_buf_printf(out, err, "\\ No newline at end of file\n");
    }
    return ok;
}

/* The end of so many lines from an offset. */
static size_t
skip_lines(struct sq_span text, size_t at, size_t lines) {
    while (lines > 0 && at < text.len) {
        lines -= text.ptr[at] == '\n';
        at++;
    }
    return at;
}

static size_t
back_lines(struct sq_span text, size_t at, size_t lines) {
    while (lines > 0 && at > 0) {
        at--;
        while (at > 0 && text.ptr[at - 1] != '\n') {
            at--;
        }
        lines--;
    }
    return at;
}

/* As diff(1) has it: a side without lines names the line before. */
static size_t
first_line(const struct change *change, size_t lines) {
    return change->before - change->context + (lines ? 1 : 0);
}

bool
sq_install_diff(const char *path, struct sq_span before, struct sq_span after,
                struct sq_buf *out, struct sq_err *err) {
    struct change change = compare(before, after);
    size_t from = back_lines(before, change.start, change.context);
    size_t to = skip_lines(before, change.end[0], CONTEXT);
    size_t around = change.context + count_lines(before, change.end[0], to);
    size_t lines[2] = { change.lines[0] + around, change.lines[1] + around };
    return sq_buf_printf(out, err, "--- %s\n+++ %s\n@@ -%zu,%zu +%zu,%zu @@\n",
                         path, path, first_line(&change, lines[0]), lines[0],
                         first_line(&change, lines[1]), lines[1])
        && put_lines(' ', before, from, change.start, out, err)
        && put_lines('-', before, change.start, change.end[0], out, err)
        && put_lines('+', after, change.start, change.end[1], out, err)
        && put_lines(' ', before, change.end[0], to, out, err);
}

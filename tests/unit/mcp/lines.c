#include "mcp/stdio.h"

#include "support/test.h"

#define MAX_LINE 10

static struct sq_mcp_lines lines;

static bool
feed(const char *bytes, size_t count, struct sq_err *err) {
    while (count > 0) {
        uint8_t *room;
        size_t space;
        if (!sq_mcp_lines_reserve(&lines, &room, &space, err)) {
            return false;
        }
        size_t step = count < space ? count : space;
        memcpy(room, bytes, step);
        sq_buf_commit(&lines.bytes, step);
        bytes += step;
        count -= step;
    }
    return true;
}

static void
put_line(const char *text) {
    T_OK(feed(text, strlen(text), &t_err));
}

/* All lines so far: each in brackets, or ! for one that is too long. */
static const char *
lines_so_far(void) {
    static char out[400];
    struct sq_span line = { 0 };
    enum sq_mcp_line found;
    size_t at = 0;
    out[0] = '\0';
    while ((found = sq_mcp_lines_next(&lines, &line)) != SQ_MCP_LINE_NONE) {
        at += (size_t)snprintf(out + at, sizeof(out) - at,
                               found == SQ_MCP_LINE_TOO_LONG ? "!" : "[%.*s]",
                               SQ_SPAN_ARGS(line));
    }
    return out;
}

T_CASE(stream_is_split_at_newlines) {
    sq_mcp_lines_init(&lines, MAX_LINE);
    T_STR(lines_so_far(), "");
    put_line("one\ntwo\n\nthr");
    T_STR(lines_so_far(), "[one][two][]");
    T_STR(lines_so_far(), "");
    put_line("ee\n");
    T_STR(lines_so_far(), "[three]");
    sq_buf_finish(&lines.bytes);
}

T_CASE(any_pieces_give_the_same_lines) {
    static const char text[] = "a\nbcdefghijk\n\nlmnopqrstuv\nw\nxxxxxxxxxxxxx"
                               "xxxxxxxxxxxx\ny\n";
    for (size_t step = 1; step < sizeof(text); step++) {
        char all[400] = "";
        sq_mcp_lines_init(&lines, MAX_LINE);
        for (size_t at = 0; at < sizeof(text) - 1; at += step) {
            size_t left = sizeof(text) - 1 - at;
            T_OK(feed(text + at, step < left ? step : left, &t_err));
            size_t used = strlen(all);
            snprintf(all + used, sizeof(all) - used, "%s", lines_so_far());
        }
        T_STR(all, "[a][bcdefghijk][]![w]![y]");
        sq_buf_finish(&lines.bytes);
    }
}

/* At the end of input, the last line needs no newline. */
T_CASE(last_line_needs_no_newline) {
    static const char *const texts[][2] = {
        { "one\ntwo", "[one][two]" },
        { "one\n", "[one]" },
        { "", "" },
        { "\n\n", "[][]" },
        { "bcdefghijkl", "!" },
        { "one\nbcdefghijklm", "[one]!" },
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        char all[400];
        sq_mcp_lines_init(&lines, MAX_LINE);
        put_line(texts[i][0]);
        snprintf(all, sizeof(all), "%s", lines_so_far());
        lines.is_at_end = true;
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s", lines_so_far());
        T_STR(all, texts[i][1]);
        T_STR(lines_so_far(), "");
        sq_buf_finish(&lines.bytes);
    }
}

/* For any pieces of the line that is too long. */
T_CASE(id_of_a_too_long_line_is_kept) {
    static const char text[] = "{\"a\":{\"id\":1},\"id\":\"x\",\"m\":0}\n"
                               "{\"a\":{\"id\":1}}\nshort\n";
    for (size_t step = 1; step < sizeof(text); step++) {
        struct sq_span line = { 0 };
        char ids[100] = "";
        sq_mcp_lines_init(&lines, MAX_LINE);
        for (size_t at = 0; at < sizeof(text) - 1; at += step) {
            size_t left = sizeof(text) - 1 - at;
            T_OK(feed(text + at, step < left ? step : left, &t_err));
            while (sq_mcp_lines_next(&lines, &line) != SQ_MCP_LINE_NONE) {
                size_t used = strlen(ids);
                snprintf(ids + used, sizeof(ids) - used, "[%.*s]",
                         SQ_SPAN_ARGS(line));
            }
        }
        T_STR(ids, "[\"x\"][][short]");
        sq_buf_finish(&lines.bytes);
    }
}

T_CASE(endless_line_uses_limited_memory) {
    static char chunk[50000];
    memset(chunk, 'x', sizeof(chunk));
    sq_mcp_lines_init(&lines, (size_t)1 << 20);
    for (int i = 0; i < 2000; i++) { /* 100 MB */
        T_OK(feed(chunk, sizeof(chunk), &t_err));
        T_STR(lines_so_far(), "");
    }
    T(lines.bytes.cap <= ((size_t)1 << 20) + (128 << 10));
    put_line("\nnext\n");
    T_STR(lines_so_far(), "![next]");
    put_line("");
    sq_buf_finish(&lines.bytes);
}

T_CASE(memory_of_a_long_line_is_released) {
    static char chunk[60000];
    struct sq_span line;
    memset(chunk, 'x', sizeof(chunk));
    sq_mcp_lines_init(&lines, (size_t)8 << 20);
    for (int i = 0; i < 100; i++) {
        T_OK(feed(chunk, sizeof(chunk), &t_err));
        T_INT(sq_mcp_lines_next(&lines, &line), SQ_MCP_LINE_NONE);
    }
    put_line("\n");
    T_INT(sq_mcp_lines_next(&lines, &line), SQ_MCP_LINE_WHOLE);
    T_INT(line.len, 6000000);
    put_line("short\n");
    T_STR(lines_so_far(), "[short]");
    T(lines.bytes.cap < (size_t)1 << 20);
    sq_buf_finish(&lines.bytes);
}

T_ALLOC_CASE(every_allocation_can_fail, 3) {
    struct sq_span line;
    sq_mcp_lines_init(&lines, (size_t)1 << 20);
    bool ok = true;
    for (int i = 0; ok && i < 10; i++) {
        static char chunk[30000];
        memset(chunk, 'x', sizeof(chunk));
        ok = feed(chunk, sizeof(chunk), err);
    }
    ok = ok && sq_mcp_lines_next(&lines, &line) == SQ_MCP_LINE_NONE;
    sq_buf_finish(&lines.bytes);
    return ok;
}

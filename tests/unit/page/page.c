/* Pages and tables: what they print, in which width, and what they refuse. */
#include "page/page.h"

#include "json/reader.h"
#include "support/test.h"
#include "util/utf8.h"

static const struct sq_column columns[] = {
    { "NAME", false },
    { "COUNT", true },
    { "NOTE", false },
    { NULL, false },
};

struct printed {
    struct sq_paper paper;
    const char *cells[9]; /* NULL ends them */
    const char *whole;    /* the column that is never cut; NULL: none */
    char text[2048];
};

static bool
print_table(void *context, struct sq_err *err) {
    struct printed *printed = context;
    T_ARENA(arena, (size_t)1 << 20);
    T_BUF(out, sizeof(printed->text) - 1);
    struct sq_page page = { .out = &out, .paper = printed->paper };
    struct sq_table table = { .arena = &arena,
                              .columns = columns,
                              .whole = printed->whole };
    bool ok = true;
    for (size_t i = 0; ok && printed->cells[i]; i++) {
        ok = sq_table_add(&table, i % 3 == 0 ? SQ_INK_STRONG : SQ_INK_PLAIN,
                          sq_span_of(printed->cells[i]), err);
    }
    ok = ok && sq_table_print(&table, &page, err);
    if (ok && out.len > 0) {
        memcpy(printed->text, out.data, out.len);
    }
    printed->text[ok ? out.len : 0] = '\0';
    return ok;
}

static void
expect_table(struct printed printed, const char *want) {
    T_OK(print_table(&printed, &t_err));
    T_STR(printed.text, want);
}

T_CASE(cells_line_up) {
    expect_table(
        (struct printed){ .cells = { "a", "5", "x", "long", "100", "yy" } },
        "  NAME  COUNT  NOTE\n"
        "  a         5  x\n"
        "  long    100  yy\n");
    expect_table((struct printed){ .cells = { NULL } }, "");
}

T_CASE(wide_characters_line_up) {
    expect_table((struct printed){ .cells = { "\xe4\xb8\xad\xe6\x96\x87", "1",
                                              "x", "abcde", "2", "y" } },
                 "  NAME   COUNT  NOTE\n"
                 "  \xe4\xb8\xad\xe6\x96\x87       1  x\n"
                 "  abcde      2  y\n");
}

T_CASE(empty_columns_are_left_out) {
    expect_table((struct printed){ .cells = { "a", "", "x", "b", "", "y" } },
                 "  NAME  NOTE\n  a     x\n  b     y\n");
    expect_table((struct printed){ .cells = { "a", "1", "" } },
                 "  NAME  COUNT\n  a         1\n");
}

/* The widest is cut first; numbers never. */
T_CASE(tables_fit_the_width) {
    expect_table((struct printed){ .paper = { .columns = 30 },
                                   .cells = { "short", "123456",
                                              "a note that is too long" } },
                 "  NAME    COUNT  NOTE\n"
                 "  short  123456  a note that \xe2\x80\xa6\n");
    /* Half of a wide character is not shown. */
    expect_table((struct printed){ .paper = { .columns = 23 },
                                   .cells = { "a", "1",
                                              "\xe4\xb8\xad\xe4\xb8\xad"
                                              "\xe4\xb8\xad\xe4\xb8\xad"
                                              "\xe4\xb8\xad\xe4\xb8\xad" } },
                 "  NAME  COUNT  NOTE\n"
                 "  a         1  \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
                 "\xe2\x80\xa6\n");
    /* A title is cut if all cells are whole then. */
    expect_table((struct printed){ .paper = { .columns = 23 },
                                   .cells = { "short", "1", "12345678" } },
                 "  NAME   COU\xe2\x80\xa6  NOTE\n"
                 "  short     1  12345678\n");
}

/* The last columns, before a text is cut too short to be read. */
T_CASE(columns_are_left_out_if_too_narrow) {
    const struct printed wide = {
        .paper = { .columns = 22 },
        .cells = { "a", "1", "a note that is too long" },
    };
    struct printed printed = wide;
    expect_table(printed, "  NAME  COUNT\n  a         1\n"
                          "  Too narrow for NOTE\n");
    printed.paper.columns = 11;
    expect_table(printed, "  NAME\n  a\n  Too narrow for COUNT, NOTE\n");
    /* The first one stays, cut to the least width. */
    printed.cells[0] = "a name that is long";
    printed.paper.columns = 2;
    expect_table(printed, "  NAME\n  a name \xe2\x80\xa6\n"
                          "  Too narrow for COUNT, NOTE\n");
    /* Empty columns are not mentioned. */
    printed.cells[2] = "";
    expect_table(printed, "  NAME\n  a name \xe2\x80\xa6\n"
                          "  Too narrow for COUNT\n");
}

/* A reference that is cut could not be used. */
T_CASE(a_whole_column_is_never_cut) {
    static const char reference[] = "0123456789abcdefghij";
    struct printed printed = {
        .paper = { .columns = 61 },
        .cells = { reference, "1", "a note that is too long to fit beside" },
        .whole = "NAME",
    };
    expect_table(printed, "  NAME                  COUNT  NOTE\n"
                          "  0123456789abcdefghij      1  a note that is too "
                          "long to fi\xe2\x80\xa6\n");
    printed.paper.columns = 40;
    expect_table(printed,
                 "  COUNT  NOTE\n"
                 "      NAME\n"
                 "      1  a note that is too long to fit\xe2\x80\xa6\n"
                 "      0123456789abcdefghij\n");
    printed.paper.columns = 10;
    expect_table(printed, "  COUNT\n"
                          "      NAME\n"
                          "      1\n"
                          "      0123456789abcdefghij\n"
                          "  Too narrow for NOTE\n");
}

T_CASE(foreign_text_is_escaped) {
    expect_table((struct printed){ .paper = { .color = true },
                                   .cells = { "\033[31mred\n", "1", "\a" } },
                 "  \033[2mNAME\033[0m                 \033[2mCOUNT\033[0m  "
                 "\033[2mNOTE\033[0m\n"
                 "  \033[1m\\u001b[31mred\\u000a\033[0m      1  \\u0007\n");
}

/* Of a page, only the inks may reach the terminal. */
T_CASE(only_inks_pass) {
    struct sq_span rest = SQ_SPAN("a\033[1mb\033[0m\033[2J\033[31mc\n");
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    char text[128] = "";
    struct sq_span piece;
    while (sq_page_take(&rest, escape, &piece)) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%.*s", SQ_SPAN_ARGS(piece));
    }
    T_STR(text, "a\033[1mb\033[0m\\u001b[2J\033[31mc\n");
}

T_CASE(templates_are_filled) {
    static const char *const cases[][2] = {
        { "{#n}|{#m}|{#less}|{n}", "1,000|999|-123,456|1000" },
        { "{a.b} {list.1.x}{missing}", "c\\u001b 2" },
        { "{one} file{one:s}, {n} file{n:s}", "1 file, 1000 files" },
        { "{n:KB} {pi:2} {pi}", "1 KB 3.14 3.14159" },
        { "[one:a][zero:b][no:c][empty:d][none:e][a:f]", "af" },
        { "[!one:a][!zero:b][!no:c][!missing:d]", "bcd" },
        { "[word=w:a][word=v:b][!word=w:c][one=1:d]", "ad" },
        { "[*list:<{x}[last:.]>]", "<1><2.>" },
        { "[*words:{.},]", "u,v," },
        { "[*words|, :{.}] [*a|,:{@}]", "u, v b" },
        { "[word={same}:a][!word={same}:b][word={n}:c]", "a" },
        { "{word:file} {dash:file}", "w standard output" },
        { "{word:from} {dash:from}", "w standard input" },
        { "{word:-3}|{a.b:-1}|", "w  |c\\u001b|" },
        { "{=good}yes{=} {=bad}no{=}", "\033[32myes\033[0m \033[31mno\033[0m" },
        { "[one:not closed", "one:not closed" },
        { "a{{b}", "a{b}" },
    };
    static const char values[] =
        "{\"n\":1000,\"m\":999,\"less\":-123456,\"one\":1,\"zero\":0,"
        "\"no\":false,\"empty\":\"\",\"none\":[],\"pi\":3.14159,"
        "\"word\":\"w\",\"same\":\"w\",\"dash\":\"-\",\"a\":{\"b\":"
        "\"c\\u001b\"},\"words\":[\"u\",\"v\"],"
        "\"list\":[{\"x\":1},{\"x\":2,\"last\":true}]}";
    const struct sq_json *parsed;
    SQ_ARENA(arena, 1 << 16);
    T_OK(sq_json_parse(sq_span_of(values), &arena, &parsed, &t_err));
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        SQ_BUF(out, 1 << 10);
        struct sq_page page = { .out = &out, .paper = { .color = true } };
        T_OK(sq_page_fill(&page, sq_span_of(cases[i][0]), parsed, &t_err));
        T(sq_buf_append(&out, "", 1, &t_err));
        T_STR((const char *)out.data, cases[i][1]);
    }
}

T_CASE(colour_is_a_choice) {
    const struct sq_opt_int automatic = { 0 };
    const struct sq_opt_int always = { true, SQ_COLOR_ALWAYS };
    const struct sq_opt_int never = { true, SQ_COLOR_NEVER };
    setenv("NO_COLOR", "1", 1);
    T(sq_paper_of_output(always).color);
    T(!sq_paper_of_output(never).color);
    T(!sq_paper_of_output(automatic).color);
    unsetenv("NO_COLOR");
}

T_CASE(survives_lack_of_memory) {
    struct printed printed = { .cells = { "a", "1", "x" } };
    T(t_alloc_torture(print_table, &printed) > 0);
}

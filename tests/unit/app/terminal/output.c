/* Lines that are broken for a narrow terminal. */
#include "app/terminal/output.h"

#include "support/test.h"

/* The pieces of a line, each with its spaces, joined by "|". */
static const char *
fitted(const char *line, size_t columns) {
    static char joined[400];
    struct sq_fit fit;
    struct sq_span piece;
    size_t indent;
    joined[0] = '\0';
    sq_fit_begin(&fit, sq_span_of(line), columns);
    for (bool is_first = true; sq_fit_take(&fit, &indent, &piece);
         is_first = false) {
        size_t used = strlen(joined);
        snprintf(joined + used, sizeof(joined) - used, "%s%*s%.*s",
                 is_first ? "" : "|", (int)indent, "", SQ_SPAN_ARGS(piece));
    }
    return joined;
}

T_CASE(lines_that_fit_are_unchanged) {
    T_STR(fitted("", 20), "");
    T_STR(fitted("  two  words", 12), "  two  words");
    T_STR(fitted("  two  words of many  ", 0), "  two  words of many  ");
}

T_CASE(lines_are_broken_at_spaces) {
    T_STR(fitted("one two three", 12), "one two|three");
    T_STR(fitted("one two three", 7), "one two|three");
    T_STR(fitted("one two three", 6), "one|two|three");
    T_STR(fitted("  one two three", 12), "  one two|  three");
    /* Two columns each. */
    T_STR(fitted("\xe4\xb8\xad\xe6\x96\x87 \xe5\xad\x97", 6),
          "\xe4\xb8\xad\xe6\x96\x87|\xe5\xad\x97");
}

/* A path is broken by the terminal, so that it can be copied. */
T_CASE(long_words_stay_whole) {
    T_STR(fitted("in /a/long/path now", 8), "in|/a/long/path|now");
    T_STR(fitted("/a/long/path", 8), "/a/long/path");
}

/* The inks of a page take no columns. */
T_CASE(inks_are_not_counted) {
    T_STR(fitted("\033[1mone two\033[0m", 7), "\033[1mone two\033[0m");
    T_STR(fitted("\033[1mone\033[0m \033[2mtwo three\033[0m", 7),
          "\033[1mone\033[0m \033[2mtwo|three\033[0m");
}

T_CASE(descriptions_stay_in_their_column) {
    T_STR(fitted("  tap    touch the screen once", 27),
          "  tap    touch the screen|         once");
    /* Too narrow for the column. */
    T_STR(fitted("  tap    touch the screen once", 20),
          "  tap|    touch the screen|    once");
    T_STR(fitted("                    of a whole screen", 30),
          "        of a whole screen");
}

T_CASE(broken_lines_are_joined) {
    static const char text[] =
        "A paragraph of help that was broken at eighty columns, before this "
        "word which\n"
        "did not fit.\n"
        "\n"
        "  squint tap 1 2\n"
        "  scale        make a picture small and legible, and say what it "
        "costs in all\n"
        "  diff         say whether\n"
        "      --guard WORD           what to do if the screen around the "
        "point is not as\n"
        "                             in the picture\n";
    T_BUF(out, 2000);
    T_OK(sq_text_unwrap(sq_span_of(text), &out, &t_err)
         && sq_buf_append(&out, "", 1, &t_err));
    T_STR((const char *)out.data,
          "A paragraph of help that was broken at eighty columns, before this "
          "word which did not fit.\n"
          "\n"
          "  squint tap 1 2\n"
          "  scale        make a picture small and legible, and say what it "
          "costs in all\n"
          "  diff         say whether\n"
          "      --guard WORD           what to do if the screen around the "
          "point is not as in the picture\n");
}

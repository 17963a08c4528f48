#include "archive/activity/csv.h"

#include "support/test.h"

/* All rows: fields in [], a bar between rows; or the error. */
static const char *
rows_of(struct sq_span text) {
    static char shown[2048];
    struct sq_err err = { 0 };
    T_FREED(sq_csv_finish) struct sq_csv csv = { 0 };
    bool has_row = true;
    size_t used = 0;
    shown[0] = '\0';
    sq_csv_init(&csv, text);
    while (sq_csv_next(&csv, &has_row, &err) && has_row) {
        used += (size_t)snprintf(shown + used, sizeof(shown) - used,
                                 "%s%zu:", used ? "|" : "", csv.line);
        for (size_t i = 0; i < csv.count; i++) {
            used += (size_t)snprintf(shown + used, sizeof(shown) - used,
                                     "[%.*s]", SQ_SPAN_ARGS(csv.fields[i]));
        }
    }
    if (err.code != SQ_ERR_NONE) {
        snprintf(shown, sizeof(shown), "%s", err.message);
    }
    return shown;
}

T_CASE(rows_follow_rfc_4180) {
    T_STR(rows_of(SQ_SPAN("a,b,c\nd,e,f\n")), "1:[a][b][c]|2:[d][e][f]");
    T_STR(rows_of(SQ_SPAN("a,b\r\nc,d")), "1:[a][b]|2:[c][d]");
    T_STR(rows_of(SQ_SPAN("a,b\rc,d\r")), "1:[a][b]|2:[c][d]");
    T_STR(rows_of(SQ_SPAN("\"a,1\",\"b\"\"c\"\"\",\"\"\n")),
          "1:[a,1][b\"c\"][]");
    T_STR(rows_of(SQ_SPAN("\"two\nlines\",x\ny,z\n")),
          "1:[two\nlines][x]|3:[y][z]");
    T_STR(rows_of(SQ_SPAN("\"two\r\nlines\",x\ny,z\n")),
          "1:[two\r\nlines][x]|3:[y][z]");
    T_STR(rows_of(SQ_SPAN("\n\na,\n\n,b\n\n")), "3:[a][]|5:[][b]");
    T_STR(rows_of(SQ_SPAN("a b , c\"d\n")), "1:[a b ][ c\"d]");
    T_STR(rows_of(SQ_SPAN("")), "");
    T_STR(rows_of(SQ_SPAN("\r\n\n")), "");
    T_STR(rows_of(SQ_SPAN("\"\"")), "1:[]");
}

T_CASE(other_separators_and_byte_order_marks) {
    T_STR(rows_of(SQ_SPAN("\xef\xbb\xbf"
                          "a;b,c\n1;2,3\n")),
          "1:[a][b,c]|2:[1][2,3]");
    T_STR(rows_of(SQ_SPAN("a\tb,c\n")), "1:[a][b,c]");
    T_STR(rows_of(SQ_SPAN("\"a;b\",c\n")), "1:[a;b][c]");
    T_STR(rows_of(SQ_SPAN("alone\nx,y\n")), "1:[alone]|2:[x][y]");
}

T_CASE(quote_errors_name_the_line) {
    T_HAS(rows_of(SQ_SPAN("a,b\n\"open,c\nd,e\n")), "line 2");
    T_HAS(rows_of(SQ_SPAN("a\n\"b\"c\n")), "line 2");
    T_HAS(rows_of(SQ_SPAN("\"")), "line 1");
}

T_CASE(rows_have_limits) {
    static char many[200];
    static char huge[SQ_CSV_MAX_ROW_BYTES + 100];
    memset(many, ',', sizeof(many));
    T_HAS(rows_of((struct sq_span){ many, 70 }), "fields");
    memset(huge, 'x', sizeof(huge));
    T_HAS(rows_of((struct sq_span){ huge, sizeof(huge) }), "too long");
}

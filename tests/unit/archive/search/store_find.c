/* What a search in the index of texts finds. */
#include "support/test.h"
#include "support/text_index.h"

static void
words_and_parts_are_found(void) {
    text_index_start();
    text_index_add(1000, "a.jpg", "Invoice ACME|Total 1234.56 EUR", "Mail");
    text_index_add(2000, "b.jpg", "Rechnung M\xc3\xbcller|No. INV-2026/0815",
                   "Browser");
    T_STR(text_index_find("invoice", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("INVOICE acme", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("voic", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("nv", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("oi", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("v", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("in", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("234", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("815", "", 0, 9000), "b.jpg");
    T_STR(text_index_find("muller", "", 0, 9000), "b.jpg");
    T_STR(text_index_find("inv-2026", "", 0, 9000), "b.jpg");
    T_STR(text_index_find("acme rechnung", "", 0, 9000), "");
    T_STR(text_index_find("nothing", "", 0, 9000), "");
    text_index_stop();
}

/* Words with signs between them are found as they are, in one line. */
static void
signs_join_words_of_one_line(void) {
    text_index_start();
    text_index_add(1000, "a.jpg", "Line 100 of the page|Balance 900.00", "");
    text_index_add(1001, "b.jpg", "Line 100 of the page|Balance 100.00", "");
    text_index_add(1002, "c.jpg", "Invoice 20417 ACME|Total 1,204.50|Item 1",
                   "");
    text_index_add(1003, "d.jpg", "Pay foo@bar.com at 12:30|12 of 30", "");
    T_STR(text_index_find("100.00", "", 0, 9000), "b.jpg");
    T_STR(text_index.hits[0].snippet, "Balance 100.00");
    T_INT(text_index.hits[0].box.left, 10 + 60);
    T_STR(text_index_find("1,204", "", 0, 9000), "c.jpg");
    T_STR(text_index.hits[0].snippet, "Total 1,204.50");
    T_STR(text_index_find("1.204,50", "", 0, 9000),
          "c.jpg"); /* confused when read */
    T_STR(text_index_find("1-204", "", 0, 9000), "");
    T_STR(text_index_find("4.50", "", 0, 9000), "c.jpg");
    T_STR(text_index_find("00.00", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("FOO@bar.com", "", 0, 9000), "d.jpg");
    T_STR(text_index_find("o@bar.co", "", 0, 9000), "d.jpg");
    T_STR(text_index_find("foo.bar.com", "", 0, 9000), "");
    T_STR(text_index_find("foo@bar,com", "", 0, 9000), "");
    T_STR(text_index_find("bar@foo.com", "", 0, 9000), "");
    T_STR(text_index_find("12:30", "", 0, 9000), "d.jpg");
    T_STR(text_index_find("(12:30).", "", 0, 9000), "d.jpg");
    /* Different terms may be in different lines. */
    T_STR(text_index_find("20417 1,204.50", "", 0, 9000), "c.jpg");
    text_index_stop();
}

/* Pairs are in the index one by one; their order is checked in the line. */
static void
long_sequences_are_compared_with_the_line(void) {
    text_index_start();
    text_index_add(1000, "a.jpg", "1.2.3|2.3.4|3.4.1|4.1.2", "");
    text_index_add(1001, "b.jpg",
                   "https://www.example.com/a/b/c/d/e/f/page.html", "");
    T_STR(text_index_find("1.2.3", "", 0, 9000), "a.jpg");
    T_STR(text_index_find("1.2.3.4", "", 0, 9000), "");
    T_STR(text_index_find("page.html", "", 0, 9000), "b.jpg");
    T_STR(text_index_find("https://www.example.com/a/b/c/d/e/f/page.html", "",
                          0, 9000),
          "b.jpg");
    T_STR(text_index_find("https://www.example.com/a/b/c/d/f", "", 0, 9000),
          "");
    text_index_stop();
}

/* A clock changes on a screen that stays otherwise the same. */
static void
pages_in_a_row_with_the_same_line_are_one_hit(void) {
    text_index_start();
    text_index_add(1000, "a.jpg", "10:01|pay the invoice", "");
    text_index_add(1060, "b.jpg", "10:02|pay the invoice", "");
    text_index_add(1120, "c.jpg", "10:03|pay the invoice", "");
    text_index_add(1180, "d.jpg", "10:04|something else", "");
    text_index_add(1240, "e.jpg", "10:05|pay the invoice", "");
    T_STR(text_index_find("invoice", "", 0, 9000), "e.jpg a.jpg");
    T_INT(text_index.hits[1].last_utc, 1120);
    T_STR(text_index_find("voice", "", 0, 9000), "e.jpg a.jpg");
    T_STR(text_index_find("invoice", "", 1050, 1100), "b.jpg");
    T_STR(text_index_find("invoice 02", "", 0, 9000), "b.jpg");
    /* Pages of different days (UTC) stay apart. */
    text_index_add(86399, "f.jpg", "23:59|another bill", "");
    text_index_add(86400, "g.jpg", "00:00|another bill", "");
    T_STR(text_index_find("bill", "", 0, 90000), "g.jpg f.jpg");
    text_index_stop();
}

T_MAIN(T_CASE(words_and_parts_are_found), T_CASE(signs_join_words_of_one_line),
       T_CASE(long_sequences_are_compared_with_the_line),
       T_CASE(pages_in_a_row_with_the_same_line_are_one_hit))

/* What a search in the index of texts finds. */
#include "support/test.h"
#include "support/text_index.h"

T_FIXTURE(text_index_start, text_index_stop);

T_CASE(words_and_parts_are_found) {
    text_index_add(1000, "a.jpg", "Invoice ACME|Total 1234.56 EUR", "Mail");
    text_index_add(2000, "b.jpg", "Rechnung M\xc3\xbcller|No. INV-2026/0815",
                   "Browser");
    T_FINDS({ "invoice", "a.jpg" }, { "INVOICE acme", "a.jpg" },
            { "voic", "a.jpg" }, { "nv", "b.jpg a.jpg" }, { "oi", "a.jpg" },
            { "v", "b.jpg a.jpg" }, { "in", "b.jpg a.jpg" }, { "234", "a.jpg" },
            { "815", "b.jpg" }, { "muller", "b.jpg" }, { "inv-2026", "b.jpg" },
            { "acme rechnung", "" }, { "nothing", "" });
}

/* Words with signs between them are found as they are, in one line. */
T_CASE(signs_join_words_of_one_line) {
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
    T_FINDS({ "1-204", "" }, { "4.50", "c.jpg" }, { "00.00", "b.jpg a.jpg" },
            { "FOO@bar.com", "d.jpg" }, { "o@bar.co", "d.jpg" },
            { "foo.bar.com", "" }, { "foo@bar,com", "" }, { "bar@foo.com", "" },
            { "12:30", "d.jpg" }, { "(12:30).", "d.jpg" });
    /* Different terms may be in different lines. */
    T_STR(text_index_find("20417 1,204.50", "", 0, 9000), "c.jpg");
}

/* Pairs are in the index one by one; their order is checked in the line. */
T_CASE(long_sequences_are_compared_with_the_line) {
    text_index_add(1000, "a.jpg", "1.2.3|2.3.4|3.4.1|4.1.2", "");
    text_index_add(1001, "b.jpg",
                   "https://www.example.com/a/b/c/d/e/f/page.html", "");
    T_FINDS({ "1.2.3", "a.jpg" }, { "1.2.3.4", "" }, { "page.html", "b.jpg" },
            { "https://www.example.com/a/b/c/d/e/f/page.html", "b.jpg" },
            { "https://www.example.com/a/b/c/d/f", "" });
}

/* A clock changes on a screen that stays otherwise the same. */
T_CASE(pages_in_a_row_with_the_same_line_are_one_hit) {
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
    /* The line has moved: the box is where it is in the first picture. */
    text_index_add(2000, "h.jpg", "top|see the notice|end", "");
    text_index_add(2060, "i.jpg", "top|more|see the notice", "");
    T_STR(text_index_find("notice top", "", 0, 9000), "h.jpg");
    T_STR(text_index.hits[0].snippet, "top");
    T_STR(text_index_find("notice", "", 0, 9000), "h.jpg");
    T_INT(text_index.hits[0].box.top, 40);
    T_INT(text_index.hits[0].box.left, 10 + 120);
    T_INT(text_index.hits[0].last_utc, 2060);
    /* Pages of different days (UTC) stay apart. */
    text_index_add(86399, "f.jpg", "23:59|another bill", "");
    text_index_add(86400, "g.jpg", "00:00|another bill", "");
    T_STR(text_index_find("bill", "", 0, 90000), "g.jpg f.jpg");
}

T_CASE(changed_pages_and_other_activities_end_a_row) {
    text_index_add(1000, "a.jpg", "10:01|pay the invoice", "Mail");
    text_index_add(1060, "b.jpg", "10:02|pay the invoice", "Mail");
    text_index_add(1120, "c.jpg", "10:03|pay the invoice", "Mail");
    text_index_add(1180, "d.jpg", "10:04|pay the invoice", "Editor");
    T_STR(text_index_find("invoice", "", 0, 9000), "d.jpg a.jpg");
    text_index.changed = "b.jpg";
    T_STR(text_index_find("invoice", "", 0, 9000), "d.jpg c.jpg a.jpg");
    T_INT(text_index.found.outdated, 1);
    text_index.changed = "";
}

/* The gap would show that there is a picture. */
T_CASE(hidden_pages_do_not_end_a_row) {
    text_index_add(1000, "a.jpg", "10:01|pay the invoice", "Mail");
    text_index_add(1060, "b.jpg", "10:02|a secret", "Mail");
    text_index_add(1120, "c.jpg", "10:03|a secret", "Vault");
    text_index_add(1180, "d.jpg", "10:04|pay the invoice", "Mail");
    T_STR(text_index_find("invoice", "", 0, 9000), "d.jpg a.jpg");
    text_index.hidden = "b.jpg";
    T_STR(text_index_find("invoice", "", 0, 9000), "d.jpg a.jpg");
    text_index.hidden = "b.jpg c.jpg";
    T_STR(text_index_find("invoice", "", 0, 9000), "a.jpg");
    T_INT(text_index.hits[0].last_utc, 1180);
    T_STR(text_index_find("", "mail", 0, 9000), "a.jpg");
    text_index.hidden = "";
}

static bool
all_but_a_exist(void *context, struct sq_span name) {
    return !sq_span_is(name, "a.jpg");
}

/* Its picture was excluded for a time: it is read again, as a later page. */
T_CASE(a_removed_picture_that_returns_begins_its_hit) {
    int64_t removed = 0;
    int64_t page = text_index_add(1000, "a.jpg", "coffee|silver", "");
    text_index_add_alike(1060, "b.jpg", page);
    text_index_add_alike(1120, "c.jpg", page);
    text_index_add(1180, "d.jpg", "coffee|garden", "");
    T_OK(sq_search_store_prune(text_index.store, all_but_a_exist, NULL,
                               &removed, &t_err));
    T_INT(removed, 1);
    T_STR(text_index_find("silver", "", 0, 9000), "b.jpg");
    text_index_add(1000, "a.jpg", "coffee|silver", "");
    T_STR(text_index_find("silver", "", 0, 9000), "a.jpg");
    T_INT(text_index.hits[0].last_utc, 1120);
    T_STR(text_index_find("coffee", "", 0, 9000), "a.jpg");
    T_INT(text_index.hits[0].last_utc, 1180);
}

T_CASE(phrases_are_in_one_line_in_that_order) {
    text_index_add(1000, "a.jpg", "pay the invoice now|or later", "");
    text_index_add(1001, "b.jpg", "the invoice: pay it|now", "");
    text_index_add(1002, "c.jpg", "repay the invoices|pay", "");
    T_STR(text_index_find("pay the invoice", "", 0, 9000), "b.jpg a.jpg c.jpg");
    T_STR(text_index_find("\"pay the invoice\"", "", 0, 9000), "a.jpg");
    T_INT(text_index.hits[0].box.left, 10);
    T_INT(text_index.hits[0].box.right, 10 + 120 + 50);
    T_FINDS({ "\"the invoice\"", "b.jpg a.jpg" },
            { "\"Invoice Now\" later", "a.jpg" }, { "\"now or\"", "" });
    /* One word in quotes is no part of a word. */
    T_STR(text_index_find("\"invoice\"", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("\xe2\x80\x9cinvoices\xe2\x80\x9d", "", 0, 9000),
          "c.jpg");
    /* Without its end, a quotation mark means nothing. */
    T_STR(text_index_find("\"invoice", "", 0, 9000), "b.jpg a.jpg c.jpg");
}

T_CASE(unwanted_words_exclude_pages) {
    text_index_add(1000, "a.jpg", "invoice one|draft", "");
    text_index_add(1001, "b.jpg", "invoice two|drafts of 1,204", "");
    text_index_add(1002, "c.jpg", "invoice three|sent to Ada", "");
    T_FINDS({ "invoice -draft", "c.jpg b.jpg" },
            { "-draft -sent invoice", "b.jpg" },
            { "invoice -1,204", "c.jpg a.jpg" },
            { "invoice -\"to ada\"", "b.jpg a.jpg" },
            { "voic -draft", "c.jpg b.jpg" }, { "-draft", "c.jpg b.jpg" },
            { "invoice -invoice", "" });
    /* A sign before a space, or in a word, excludes nothing. */
    T_STR(text_index_find("invoice - draft", "", 0, 9000), "a.jpg b.jpg");
}

/* The names are of pages, oldest first. */
T_CASE(misread_words_are_found_last) {
    text_index_add(1000, "a.jpg", "Order acmel today", "");
    text_index_add(1001, "b.jpg", "Order acme1 today", "");
    text_index_add(1002, "c.jpg", "Order acme2 today", "");
    text_index_add(1003, "d.jpg", "modem|comer|invoico|12345", "");
    T_STR(text_index_find("acme1", "", 0, 9000), "b.jpg a.jpg");
    T_INT(text_index.hits[0].rank, SQ_SEARCH_WHOLE);
    T_INT(text_index.hits[1].rank, SQ_SEARCH_MISREAD);
    T_STR(text_index.hits[1].snippet, "Order acmel today");
    T_INT(text_index.hits[1].box.left, 10 + 60);
    T_INT(text_index.hits[1].box.right, 10 + 60 + 50);
    T_STR(text_index_find("acme1 order", "", 0, 9000), "b.jpg a.jpg");
    T_STR(text_index_find("\"acme1\"", "", 0, 9000), "b.jpg");
    /* Two characters that were read as one. */
    T_STR(text_index_find("modern", "", 0, 9000), "d.jpg");
    T_INT(text_index.hits[0].rank, SQ_SEARCH_MISREAD);
    T_STR(text_index_find("corner", "", 0, 9000), "d.jpg");
    T_STR(text_index_find("invoice", "", 0, 9000), "d.jpg");
    /* Any other character, only if nothing else is found. */
    T_STR(text_index_find("mkdem", "", 0, 9000), "d.jpg");
    T_INT(text_index.hits[0].rank, SQ_SEARCH_DISTANT);
    T_STR(text_index_find("omer", "", 0, 9000), "d.jpg");
    T_INT(text_index.hits[0].rank, SQ_SEARCH_PART);
    T_STR(text_index_find("comker", "", 0, 9000), "d.jpg");
    T_STR(text_index_find("orer", "", 0, 9000), "c.jpg b.jpg a.jpg");
    /* Other digits are another number, and short words have no neighbours. */
    T_STR(text_index_find("12346", "", 0, 9000), "");
    T_STR(text_index_find("acme3", "", 0, 9000), "a.jpg"); /* l for 3 */
    T_FINDS({ "l2345", "d.jpg" }, { "mod3", "" },
            { "tod", "c.jpg b.jpg a.jpg" }, { "tob", "" });
}

T_CASE(activities_and_times_need_no_text) {
    text_index_add(1000, "a.jpg", "10:01|first line", "Mail");
    text_index_add(1060, "b.jpg", "10:02|other line", "Mail");
    text_index_add(1120, "c.jpg", "10:03", "Editor - notes.txt");
    text_index_add(1180, "d.jpg", "", "Mail");
    T_STR(text_index_find("", "mail", 0, 9000), "d.jpg a.jpg");
    T_STR(text_index.hits[1].snippet, "10:01");
    T_INT(text_index.hits[1].last_utc, 1060);
    T_STR(text_index_find("", "notes", 0, 9000), "c.jpg");
    T_STR(text_index_find("-first", "mail", 0, 9000), "d.jpg b.jpg");
    T_STR(text_index_find("", "", 1050, 1150), "c.jpg b.jpg");
    T_STR(text_index_find("", "browser", 0, 9000), "");
}

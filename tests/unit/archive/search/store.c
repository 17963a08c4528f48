/* The index of texts: what is found, what is removed, and who can read it. */
#include "archive/search/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/scratch.h"
#include "support/test.h"

static struct sq_search_store *store;
static struct sq_deadline deadline;
static char path[600];

static void
start(void) {
    struct sq_err err = { 0 };
    t_scratch_start();
    snprintf(path, sizeof(path), "%s", t_scratch_path("text.db"));
    deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_search_store_open(path, true, &deadline, &store, &err), &err);
}

static void
stop(void) {
    sq_search_store_close(store);
    t_scratch_end();
}

/* Adds a picture of that second; lines are separated by "|". */
static int64_t
add(uint32_t utc, const char *name, const char *lines, const char *app) {
    static struct sq_word words[100];
    static struct sq_text_line text_lines[20];
    struct sq_text text = { .lines = text_lines };
    struct sq_archive_pick pick = { .shot = { .utc = utc } };
    struct sq_image_fingerprint print = { .hash = utc, .known = true };
    struct sq_span rest = sq_span_of(lines);
    int used = 0;
    while (rest.len > 0) {
        struct sq_span line = rest;
        if (!sq_span_take_until(&rest, '|', &line)) {
            rest.len = 0;
        }
        struct sq_text_line *out = &text_lines[text.count];
        int top = 40 * text.count++;
        *out = (struct sq_text_line){ .box = { 10, top, 500, top + 20 },
                                      .words = { &words[used], 0 },
                                      .is_read = true };
        while (line.len > 0) {
            struct sq_span word = line;
            if (!sq_span_take_until(&line, ' ', &word)) {
                line.len = 0;
            }
            int left = 10 + 60 * out->words.count++;
            words[used++] = (struct sq_word){
                word, { left, top, left + 50, top + 20 }, 90
            };
        }
    }
    snprintf(pick.full, sizeof(pick.full), "%s", name);
    const struct sq_search_page page = {
        .file = { &pick, sq_span_of(name), { utc, 1 } },
        .text = &text,
        .size = { 1920, 1080 },
        .app = sq_span_of(app),
        .print = &print,
    };
    int64_t id = 0;
    struct sq_err err = { 0 };
    T_OK(sq_search_store_add(store, &page, &id, &err), &err);
    return id;
}

/* Adds a picture that looks like that of a page. */
static void
add_alike(uint32_t utc, const char *name, int64_t page) {
    struct sq_err err = { 0 };
    const struct sq_archive_pick pick = { .shot = { .utc = utc } };
    const struct sq_search_file file = { &pick, sq_span_of(name), { utc, 1 } };
    T_OK(sq_search_store_add_file(store, &file, page, &err), &err);
}

static struct sq_search_hit hits[5];
static struct sq_search_found found;

/* The files that have changed or do not exist: "b.jpg c.jpg". */
static const char *changed = "";

static bool
is_current(void *context, struct sq_span name,
           const struct sq_search_state *state) {
    char text[40];
    (void)context;
    snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(name));
    return T(state->size > 0 && state->mtime_ns == 1)
        && strstr(changed, text) == NULL;
}

/* Searches, and returns the names of the hits, newest first: "b.jpg a.jpg". */
static const char *
find(const char *text, const char *app, uint32_t from, uint32_t to) {
    static char names[200];
    struct sq_arena arena;
    struct sq_err err = { 0 };
    struct sq_search_request request = {
        .from_utc = from, .to_utc = to, .max = 5, .is_current = is_current
    };
    sq_arena_init(&arena, 1 << 20);
    T_OK(sq_search_terms_read(sq_span_of(text), &arena, &request.terms, &err),
         &err);
    if (app[0]) {
        T_OK(sq_search_terms_read(sq_span_of(app), &arena, &request.apps, &err),
             &err);
    }
    T_OK(sq_search_store_find(store, &request, hits, &found, &err), &err);
    names[0] = '\0';
    for (size_t i = 0; i < found.count; i++) {
        size_t len = strlen(names);
        snprintf(names + len, sizeof(names) - len, "%s%s", i ? " " : "",
                 hits[i].pick.full);
    }
    sq_arena_finish(&arena);
    return names;
}

static void
words_and_parts_are_found(void) {
    start();
    add(1000, "a.jpg", "Invoice ACME|Total 1234.56 EUR", "Mail");
    add(2000, "b.jpg", "Rechnung M\xc3\xbcller|No. INV-2026/0815", "Browser");
    T_STR(find("invoice", "", 0, 9000), "a.jpg");
    T_STR(find("INVOICE acme", "", 0, 9000), "a.jpg");
    T_STR(find("voic", "", 0, 9000), "a.jpg");
    T_STR(find("nv", "", 0, 9000), "b.jpg a.jpg");
    T_STR(find("oi", "", 0, 9000), "a.jpg");
    T_STR(find("v", "", 0, 9000), "b.jpg a.jpg");
    T_STR(find("in", "", 0, 9000), "b.jpg a.jpg");
    T_STR(find("234", "", 0, 9000), "a.jpg");
    T_STR(find("815", "", 0, 9000), "b.jpg");
    T_STR(find("muller", "", 0, 9000), "b.jpg");
    T_STR(find("inv-2026", "", 0, 9000), "b.jpg");
    T_STR(find("acme rechnung", "", 0, 9000), "");
    T_STR(find("nothing", "", 0, 9000), "");
    stop();
}

/* Words with signs between them are found as they are, in one line. */
static void
signs_join_words_of_one_line(void) {
    start();
    add(1000, "a.jpg", "Line 100 of the page|Balance 900.00", "");
    add(1001, "b.jpg", "Line 100 of the page|Balance 100.00", "");
    add(1002, "c.jpg", "Invoice 20417 ACME|Total 1,204.50|Item 1", "");
    add(1003, "d.jpg", "Pay foo@bar.com at 12:30|12 of 30", "");
    T_STR(find("100.00", "", 0, 9000), "b.jpg");
    T_STR(hits[0].snippet, "Balance 100.00");
    T_INT(hits[0].box.left, 10 + 60);
    T_STR(find("1,204", "", 0, 9000), "c.jpg");
    T_STR(hits[0].snippet, "Total 1,204.50");
    T_STR(find("1.204,50", "", 0, 9000), "c.jpg"); /* confused when read */
    T_STR(find("1-204", "", 0, 9000), "");
    T_STR(find("4.50", "", 0, 9000), "c.jpg");
    T_STR(find("00.00", "", 0, 9000), "b.jpg a.jpg");
    T_STR(find("FOO@bar.com", "", 0, 9000), "d.jpg");
    T_STR(find("o@bar.co", "", 0, 9000), "d.jpg");
    T_STR(find("foo.bar.com", "", 0, 9000), "");
    T_STR(find("foo@bar,com", "", 0, 9000), "");
    T_STR(find("bar@foo.com", "", 0, 9000), "");
    T_STR(find("12:30", "", 0, 9000), "d.jpg");
    T_STR(find("(12:30).", "", 0, 9000), "d.jpg");
    /* Different terms may be in different lines. */
    T_STR(find("20417 1,204.50", "", 0, 9000), "c.jpg");
    stop();
}

/* Pairs are in the index one by one; their order is checked in the line. */
static void
long_sequences_are_compared_with_the_line(void) {
    start();
    add(1000, "a.jpg", "1.2.3|2.3.4|3.4.1|4.1.2", "");
    add(1001, "b.jpg", "https://www.example.com/a/b/c/d/e/f/page.html", "");
    T_STR(find("1.2.3", "", 0, 9000), "a.jpg");
    T_STR(find("1.2.3.4", "", 0, 9000), "");
    T_STR(find("page.html", "", 0, 9000), "b.jpg");
    T_STR(find("https://www.example.com/a/b/c/d/e/f/page.html", "", 0, 9000),
          "b.jpg");
    T_STR(find("https://www.example.com/a/b/c/d/f", "", 0, 9000), "");
    stop();
}

/* Digits find the number in groups of three, and no other number. */
static void
digits_find_grouped_numbers(void) {
    start();
    add(1000, "a.jpg", "Total 1,204 EUR", "");
    add(1001, "b.jpg", "Summe 1.204,50 EUR", "");
    add(1002, "c.jpg", "Total CHF 1'204", "");
    add(1003, "d.jpg", "21,204 and 1,204,000|31,204,567.5", "");
    add(1004, "e.jpg", "192.168.1.204|1.204.33.5|12,04|1:204", "");
    add(1005, "f.jpg", "1 204|2 9|0,204", "");
    T_STR(find("1204", "", 0, 9000), "c.jpg b.jpg a.jpg");
    T(hits[0].is_whole && hits[2].is_whole);
    T_STR(hits[2].snippet, "Total 1,204 EUR");
    T_INT(hits[2].box.left, 10 + 60);
    T_STR(find("1204 eur", "", 0, 9000), "b.jpg a.jpg");
    T_STR(find("1204000", "", 0, 9000), "d.jpg");
    T_STR(find("31204567", "", 0, 9000), "d.jpg");
    T_STR(find("0204", "", 0, 9000), "");
    T_STR(find("29", "", 0, 9000), "");
    T_STR(find("12", "", 0, 9000), "e.jpg");
    stop();
}

static void
whole_words_come_before_parts(void) {
    start();
    add(1000, "a.jpg", "total 204", "");
    add(1001, "b.jpg", "Invoice 20417|see 204 here", "");
    add(1002, "c.jpg", "Invoice 20417", "");
    add(1003, "d.jpg", "number 1204", "");
    T_STR(find("204", "", 0, 9000), "b.jpg a.jpg d.jpg c.jpg");
    T_STR(hits[0].snippet, "see 204 here");
    T(hits[1].is_whole && !hits[2].is_whole);
    T_STR(find("invoice 204", "", 0, 9000), "b.jpg c.jpg");
    stop();
}

static void
too_many_parts_are_reported(void) {
    start();
    for (unsigned i = 0; i < 301; i++) {
        char line[40];
        snprintf(line, sizeof(line), "w%03uxyz", i);
        add(1000, line, line, "");
    }
    find("xyz", "", 0, 9000);
    T(found.is_partial);
    find("w007", "", 0, 9000);
    T(!found.is_partial);
    find("yz", "", 0, 9000);
    T(found.is_partial);
    stop();
}

static void
windows_and_apps_limit_a_search(void) {
    start();
    add(1000, "a.jpg", "same text", "Mail - Inbox");
    add(2000, "b.jpg", "same text", "Browser");
    T_STR(find("same", "", 1000, 2000), "a.jpg");
    T_STR(find("same", "", 1001, 2001), "b.jpg");
    T_STR(find("same", "mail", 0, 9000), "a.jpg");
    T_STR(find("same", "inbox mail", 0, 9000), "a.jpg");
    T_STR(find("same", "browser", 0, 9000), "b.jpg");
    /* Words of an activity are not words of the picture. */
    T_STR(find("inbox", "", 0, 9000), "");
    stop();
}

static void
a_hit_has_its_line_and_box(void) {
    start();
    add(1000, "a.jpg", "first line|pay the Invoice now", "");
    T_STR(find("invoice", "", 0, 9000), "a.jpg");
    T_STR(hits[0].snippet, "pay the Invoice now");
    T_INT(hits[0].box.left, 10 + 120);
    T_INT(hits[0].box.top, 40);
    T_INT(hits[0].box.right, 10 + 170);
    T_INT(hits[0].box.bottom, 60);
    T_INT(hits[0].size.width, 1920);
    stop();
}

static void
the_newest_come_first_up_to_a_limit(void) {
    start();
    for (unsigned i = 0; i < 7; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%u.jpg", i);
        add(1000 + i / 2, name, "same words", "");
    }
    T_STR(find("words", "", 0, 9000), "6.jpg 5.jpg 4.jpg 3.jpg 2.jpg");
    T(found.has_more);
    T_STR(find("words", "", 0, 1001), "1.jpg 0.jpg");
    T(!found.has_more);
    stop();
}

static void
alike_pictures_extend_a_page(void) {
    struct sq_err err = { 0 };
    struct sq_search_known known;
    start();
    int64_t page = add(1000, "a.jpg", "text", "");
    add_alike(1060, "b.jpg", page);
    T_STR(find("text", "", 0, 9000), "a.jpg");
    T_INT(hits[0].last_utc, 1060);
    T_OK(sq_search_store_look_up(store, SQ_SPAN("b.jpg"), &known, &err), &err);
    T(known.is_known && known.page == page && known.print.hash == 1000);
    T_INT(known.state.size, 1060);
    T_OK(sq_search_store_look_up(store, SQ_SPAN("c.jpg"), &known, &err), &err);
    T(!known.is_known);
    stop();
}

/* A window that has only later pictures of a page finds them. */
static void
alike_pictures_are_found_by_their_own_time(void) {
    start();
    int64_t page = add(1000, "day/a.jpg", "text", "");
    add_alike(1060, "day/b.jpg", page);
    add_alike(1120, "day/c.jpg", page);
    T_STR(find("text", "", 1030, 1100), "b.jpg");
    T_INT(hits[0].pick.shot.utc, 1060);
    T_INT(hits[0].last_utc, 1060);
    T_STR(find("text", "", 1030, 9000), "b.jpg");
    T_INT(hits[0].last_utc, 1120);
    T_STR(find("text", "", 1061, 1120), "");
    T_INT(found.outdated, 0);
    stop();
}

static void
changed_files_are_left_out(void) {
    start();
    int64_t page = add(1000, "a.jpg", "text", "");
    add_alike(1060, "b.jpg", page);
    add_alike(1120, "c.jpg", page);
    add(2000, "d.jpg", "other text", "");
    changed = "a.jpg c.jpg";
    T_STR(find("text", "", 0, 9000), "d.jpg b.jpg");
    T_INT(hits[1].last_utc, 1060);
    T_INT(found.outdated, 0);
    changed = "d.jpg";
    T_STR(find("other", "", 0, 9000), "");
    T_INT(found.outdated, 1);
    changed = "";
    stop();
}

/* What was known about a file before is replaced, also its text. */
static void
a_file_can_be_read_again(void) {
    struct sq_err err = { 0 };
    struct sq_search_size size;
    int64_t removed = 0;
    start();
    add(1000, "a.jpg", "zebrasecret", "");
    add(1000, "a.jpg", "harmless", "");
    T_STR(find("zebra", "", 0, 9000), "");
    T_STR(find("harm", "", 0, 9000), "a.jpg");
    T_OK(sq_search_store_prune(store, NULL, NULL, &removed, &err), &err);
    T_INT(removed, 0);
    T_OK(sq_search_store_size(store, &size, &err), &err);
    T_INT(size.pages, 1);
    T_INT(size.lines, 1);
    stop();
}

static void
check_day(int64_t number, bool is_known, int count, uint64_t digest) {
    struct sq_err err = { 0 };
    struct sq_search_day day;
    T_OK(sq_search_store_day(store, number, &day, &err), &err);
    T(day.is_known == is_known);
    T_INT(day.count, count);
    T(day.digest == digest);
}

static bool
nothing_exists(void *context, struct sq_span name) {
    (void)context;
    (void)name;
    return false;
}

static void
the_files_of_each_day_are_summed_up(void) {
    const struct sq_shot first = { .utc = 1000, .flags = SQ_SHOT_FULL };
    const struct sq_shot second = { .utc = 1060, .flags = SQ_SHOT_THUMB };
    uint64_t both = sq_search_digest(&first) + sq_search_digest(&second);
    struct sq_err err = { 0 };
    int64_t removed;
    start();
    T(sq_search_digest(&first) != sq_search_digest(&second));
    check_day(0, false, 0, 0);
    int64_t page = add(1000, "a.jpg", "text", "");
    add_alike(1060, "b.jpg", page);
    check_day(0, true, 2, both);
    add(1000, "a.jpg", "changed text", "");
    check_day(0, true, 2, both);
    add_alike(1060, "b.jpg", SQ_SEARCH_UNREADABLE);
    check_day(0, true, 1, sq_search_digest(&first));
    check_day(1, false, 0, 0);
    T_OK(sq_search_store_prune(store, nothing_exists, NULL, &removed, &err),
         &err);
    T_INT(removed, 2);
    check_day(0, true, 0, 0);
    stop();
}

/* The name of such a shot is in its folder's block, at the offset `seq`. */
static void
literal_names_have_one_digest(void) {
    struct sq_shot a = { .utc = 1000, .seq = 5, .flags = SQ_SHOT_LITERAL };
    struct sq_shot b = a;
    b.seq = 90;
    T(sq_search_digest(&a) == sq_search_digest(&b));
    b.monitor = 1;
    T(sq_search_digest(&a) != sq_search_digest(&b));
    a.flags = 0;
    b = a;
    b.seq = 90;
    T(sq_search_digest(&a) != sq_search_digest(&b));
}

static void
known_activities_are_noticed(void) {
    struct sq_err err = { 0 };
    bool has_apps = true;
    start();
    add(1000, "a.jpg", "text", "");
    T_OK(sq_search_store_has_apps(store, &has_apps, &err), &err);
    T(!has_apps);
    add(2000, "b.jpg", "text", "Mail");
    T_OK(sq_search_store_has_apps(store, &has_apps, &err), &err);
    T(has_apps);
    stop();
}

/* Overwrites bytes in the middle of the index. */
static void
damage(void) {
    char bytes[6000];
    struct stat st;
    memset(bytes, 0xaa, sizeof(bytes));
    FILE *file = fopen(path, "r+b");
    T(stat(path, &st) == 0 && file && fseek(file, st.st_size / 2, SEEK_SET) == 0
      && fwrite(bytes, sizeof(bytes), 1, file) == 1 && fclose(file) == 0);
}

static void
damage_is_found_by_a_check(void) {
    struct sq_err err = { 0 };
    start();
    for (uint32_t i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%u.jpg", i);
        add(1000 + i, name, "some words|of several|lines of text", "Mail");
    }
    T_OK(sq_search_store_check(store, &err), &err);
    sq_search_store_close(store);
    damage();
    store = NULL;
    if (sq_search_store_open(path, true, &deadline, &store, &err)) {
        T(!sq_search_store_check(store, &err));
    }
    T_INT(err.code, SQ_ERR_FORMAT);
    stop();
}

static bool
only_b_exists(void *context, struct sq_span name) {
    (void)context;
    return sq_span_is(name, "b.jpg");
}

/* Returns whether the bytes of the index contain a word. */
static bool
file_contains(const char *word) {
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    if (file) {
        fclose(file);
    }
    for (size_t i = 0; i + strlen(word) <= len; i++) {
        if (memcmp(bytes + i, word, strlen(word)) == 0) {
            return true;
        }
    }
    return false;
}

static void
pruned_texts_leave_the_file(void) {
    struct sq_err err = { 0 };
    struct sq_search_size size;
    int64_t removed = 0;
    start();
    add(1000, "a.jpg", "zebrasecret here|quagga@zebu|shared line", "Vault");
    add(2000, "b.jpg", "harmless|shared line", "Mail");
    T_OK(sq_search_store_prune(store, only_b_exists, NULL, &removed, &err),
         &err);
    T_INT(removed, 1);
    T_STR(find("zebra", "", 0, 9000), "");
    T_STR(find("shared", "", 0, 9000), "b.jpg");
    T_STR(find("harm", "", 0, 9000), "b.jpg");
    T_OK(sq_search_store_size(store, &size, &err), &err);
    T_INT(size.pages, 1);
    T_INT(size.files, 1);
    T_INT(size.lines, 2);
    sq_search_store_close(store);
    store = NULL;
    T(file_contains("harmless"));
    T(!file_contains("zebrasecret"));
    T(!file_contains("quagga"));
    t_scratch_end();
}

/* An index of another version counts as missing, and is made again. */
static void
an_older_index_is_made_again(void) {
    static const char version[4] = { 0, 0, 0, 2 };
    struct sq_err err = { 0 };
    struct sq_search_size size;
    start();
    add(1000, "a.jpg", "text", "");
    sq_search_store_close(store);
    store = NULL;
    FILE *file = fopen(path, "r+b");
    T(file && fseek(file, 60, SEEK_SET) == 0 /* user_version */
      && fwrite(version, sizeof(version), 1, file) == 1 && fclose(file) == 0);
    T(!sq_search_store_open(path, false, &deadline, &store, &err));
    T_INT(err.code, SQ_ERR_NOT_FOUND);
    err = (struct sq_err){ 0 };
    T_OK(sq_search_store_open(path, true, &deadline, &store, &err), &err);
    T_OK(sq_search_store_size(store, &size, &err), &err);
    T_INT(size.files, 0);
    stop();
}

static void
only_the_owner_can_read_it(void) {
    struct stat st;
    start();
    add(1000, "a.jpg", "text", "");
    T(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
    char wal[620];
    snprintf(wal, sizeof(wal), "%s-wal", path);
    T(stat(wal, &st) == 0 && (st.st_mode & 0777) == 0600);
    stop();
}

static void
a_missing_or_damaged_index_is_reported(void) {
    struct sq_err err = { 0 };
    struct sq_search_store *other = NULL;
    start();
    T(!sq_search_store_open(t_scratch_path("none.db"), false, &deadline, &other,
                            &err));
    T_INT(err.code, SQ_ERR_NOT_FOUND);
    FILE *file = fopen(t_scratch_path("bad.db"), "wb");
    fputs("this is not a database, but long enough to be looked at", file);
    for (int i = 0; i < 1000; i++) {
        fputs("garbage", file);
    }
    fclose(file);
    err = (struct sq_err){ 0 };
    T(!sq_search_store_open(t_scratch_path("bad.db"), false, &deadline, &other,
                            &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    T(strstr(err.hint, "squint archive index") != NULL);
    T_OK(sq_search_store_delete(t_scratch_path("bad.db"), &err), &err);
    stop();
}

static void
queries_need_words(void) {
    struct sq_arena arena;
    struct sq_search_terms terms;
    struct sq_err err = { 0 };
    sq_arena_init(&arena, 1 << 20);
    T(!sq_search_terms_read(SQ_SPAN(" -- \" * "), &arena, &terms, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    T(!sq_search_terms_read(SQ_SPAN("a b c d e f g h i j k l m"), &arena,
                            &terms, &err));
    T_OK(sq_search_terms_read(SQ_SPAN("\"a\" OR a NEAR(b*)"), &arena, &terms,
                              &err),
         &err);
    T_INT(terms.count, 3); /* a, or, near(b: no operators */
    sq_arena_finish(&arena);
}

T_MAIN(
    T_CASE(words_and_parts_are_found), T_CASE(signs_join_words_of_one_line),
    T_CASE(long_sequences_are_compared_with_the_line),
    T_CASE(digits_find_grouped_numbers), T_CASE(whole_words_come_before_parts),
    T_CASE(too_many_parts_are_reported),
    T_CASE(windows_and_apps_limit_a_search), T_CASE(a_hit_has_its_line_and_box),
    T_CASE(the_newest_come_first_up_to_a_limit),
    T_CASE(alike_pictures_extend_a_page),
    T_CASE(alike_pictures_are_found_by_their_own_time),
    T_CASE(changed_files_are_left_out), T_CASE(a_file_can_be_read_again),
    T_CASE(the_files_of_each_day_are_summed_up),
    T_CASE(literal_names_have_one_digest), T_CASE(known_activities_are_noticed),
    T_CASE(damage_is_found_by_a_check), T_CASE(pruned_texts_leave_the_file),
    T_CASE(only_the_owner_can_read_it), T_CASE(an_older_index_is_made_again),
    T_CASE(a_missing_or_damaged_index_is_reported), T_CASE(queries_need_words))

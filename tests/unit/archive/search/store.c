/* The index of texts: what is found, what is removed, and who can read it. */
#include "archive/search/store.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "support/text_index.h"

T_FIXTURE(text_index_start, text_index_stop);

/* Digits find the number in groups of three, and no other number. */
T_CASE(digits_find_grouped_numbers) {
    text_index_add(1000, "a.jpg", "Total 1,204 EUR", "");
    text_index_add(1001, "b.jpg", "Summe 1.204,50 EUR", "");
    text_index_add(1002, "c.jpg", "Total CHF 1'204", "");
    text_index_add(1003, "d.jpg", "21,204 and 1,204,000|31,204,567.5", "");
    text_index_add(1004, "e.jpg", "192.168.1.204|1.204.33.5|12,04|1:204", "");
    text_index_add(1005, "f.jpg", "1 204|2 9|0,204", "");
    T_STR(text_index_find("1204", "", 0, 9000), "c.jpg b.jpg a.jpg");
    T(text_index.hits[0].rank == SQ_SEARCH_WHOLE
      && text_index.hits[2].rank == SQ_SEARCH_WHOLE);
    T_STR(text_index.hits[2].snippet, "Total 1,204 EUR");
    T_INT(text_index.hits[2].box.left, 10 + 60);
    T_FINDS({ "1204 eur", "b.jpg a.jpg" }, { "1204000", "d.jpg" },
            { "31204567", "d.jpg" }, { "0204", "" }, { "29", "" },
            { "12", "e.jpg" });
}

T_CASE(whole_words_come_before_parts) {
    text_index_add(1000, "a.jpg", "total 204", "");
    text_index_add(1001, "b.jpg", "Invoice 20417|see 204 here", "");
    text_index_add(1002, "c.jpg", "Invoice 20417", "");
    text_index_add(1003, "d.jpg", "number 1204", "");
    T_STR(text_index_find("204", "", 0, 9000), "b.jpg a.jpg d.jpg c.jpg");
    T_STR(text_index.hits[0].snippet, "see 204 here");
    T(text_index.hits[1].rank == SQ_SEARCH_WHOLE
      && text_index.hits[2].rank == SQ_SEARCH_PART);
    T_STR(text_index_find("invoice 204", "", 0, 9000), "b.jpg c.jpg");
}

T_CASE(too_many_parts_are_reported) {
    for (unsigned i = 0; i < 301; i++) {
        char line[40];
        snprintf(line, sizeof(line), "w%03uxyz", i);
        text_index_add(1000, line, line, "");
    }
    text_index_find("xyz", "", 0, 9000);
    T(text_index.found.is_partial);
    text_index_find("w007", "", 0, 9000);
    T(!text_index.found.is_partial);
    text_index_find("yz", "", 0, 9000);
    T(text_index.found.is_partial);
}

T_CASE(windows_and_apps_limit_a_search) {
    text_index_add(1000, "a.jpg", "same text", "Mail - Inbox");
    text_index_add(2000, "b.jpg", "same text", "Browser");
    T_STR(text_index_find("same", "", 1000, 2000), "a.jpg");
    T_STR(text_index_find("same", "", 1001, 2001), "b.jpg");
    T_STR(text_index_find("same", "mail", 0, 9000), "a.jpg");
    T_STR(text_index_find("same", "inbox mail", 0, 9000), "a.jpg");
    T_STR(text_index_find("same", "browser", 0, 9000), "b.jpg");
    /* Words of an activity are not words of the picture. */
    T_STR(text_index_find("inbox", "", 0, 9000), "");
}

T_CASE(a_hit_has_its_line_and_box) {
    text_index_add(1000, "a.jpg", "first line|pay the Invoice now", "");
    T_STR(text_index_find("invoice", "", 0, 9000), "a.jpg");
    T_STR(text_index.hits[0].snippet, "pay the Invoice now");
    T_INT(text_index.hits[0].box.left, 10 + 120);
    T_INT(text_index.hits[0].box.top, 40);
    T_INT(text_index.hits[0].box.right, 10 + 170);
    T_INT(text_index.hits[0].box.bottom, 60);
    T_INT(text_index.hits[0].size.width, 1920);
}

T_CASE(the_newest_come_first_up_to_a_limit) {
    for (unsigned i = 0; i < 7; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%u.jpg", i);
        char line[32];
        snprintf(line, sizeof(line), "same words %u", i);
        text_index_add(1000 + i / 2, name, line, "");
    }
    T_STR(text_index_find("words", "", 0, 9000),
          "6.jpg 5.jpg 4.jpg 3.jpg 2.jpg");
    T(text_index.found.has_more);
    T_STR(text_index_find("words", "", 0, 1001), "1.jpg 0.jpg");
    T(!text_index.found.has_more);
}

T_CASE(equal_texts_share_a_page) {
    text_index.like = text_index_add(1000, "a.jpg", "pay|now", "");
    T_INT(text_index_add(1060, "b.jpg", "pay|now", ""), text_index.like);
    T(text_index_add(1120, "c.jpg", "pay|then", "") != text_index.like);
    T(text_index_add(1180, "d.jpg", "pay", "") != text_index.like);
    text_index.like = 0;
    T(text_index_add(1240, "e.jpg", "", "") > 0);
}

/* Such a day is never one of which everything was read. */
T_CASE(incomplete_pictures_are_not_summed_up) {
    struct sq_search_known known;
    struct sq_search_day day;
    text_index.missed = 2;
    text_index_add(1000, "a.jpg", "text", "");
    text_index.missed = 0;
    T_OK(sq_search_store_look_up(text_index.store, SQ_SPAN("a.jpg"), &known,
                                 &t_err)
         && sq_search_store_day(text_index.store, 0, &day, &t_err));
    T(known.is_known && day.is_known);
    T_INT(known.missed, 2);
    T_INT(day.count, 0);
    text_index_add(1000, "a.jpg", "text", "");
    T_OK(sq_search_store_day(text_index.store, 0, &day, &t_err));
    T_INT(day.count, 1);
}

T_CASE(alike_pictures_extend_a_page) {
    struct sq_search_known known;
    int64_t page = text_index_add(1000, "a.jpg", "text", "");
    text_index_add_alike(1060, "b.jpg", page);
    T_STR(text_index_find("text", "", 0, 9000), "a.jpg");
    T_INT(text_index.hits[0].last_utc, 1060);
    T_OK(sq_search_store_look_up(text_index.store, SQ_SPAN("b.jpg"), &known,
                                 &t_err));
    T(known.is_known && known.page == page && known.digest.bytes[0] == 7);
    T_INT(known.state.size, 1060);
    T_OK(sq_search_store_look_up(text_index.store, SQ_SPAN("c.jpg"), &known,
                                 &t_err));
    T(!known.is_known);
}

/* A window that has only later pictures of a page finds them. */
T_CASE(alike_pictures_are_found_by_their_own_time) {
    int64_t page = text_index_add(1000, "day/a.jpg", "text", "");
    text_index_add_alike(1060, "day/b.jpg", page);
    text_index_add_alike(1120, "day/c.jpg", page);
    T_STR(text_index_find("text", "", 1030, 1100), "b.jpg");
    T_INT(text_index.hits[0].pick.shot.utc, 1060);
    T_INT(text_index.hits[0].last_utc, 1060);
    T_STR(text_index_find("text", "", 1030, 9000), "b.jpg");
    T_INT(text_index.hits[0].last_utc, 1120);
    T_STR(text_index_find("text", "", 1061, 1120), "");
    T_INT(text_index.found.outdated, 0);
}

T_CASE(changed_files_are_left_out) {
    int64_t page = text_index_add(1000, "a.jpg", "text", "");
    text_index_add_alike(1060, "b.jpg", page);
    text_index_add_alike(1120, "c.jpg", page);
    text_index_add(2000, "d.jpg", "other text", "");
    text_index.changed = "a.jpg c.jpg";
    T_STR(text_index_find("text", "", 0, 9000), "d.jpg b.jpg");
    T_INT(text_index.hits[1].last_utc, 1060);
    T_INT(text_index.found.outdated, 0);
    text_index.changed = "d.jpg";
    T_STR(text_index_find("other", "", 0, 9000), "");
    T_INT(text_index.found.outdated, 1);
    text_index.hidden = "c.jpg d.jpg";
    T_STR(text_index_find("other", "", 0, 9000), "");
    T_INT(text_index.found.outdated, 0);
    text_index.hidden = "";
    text_index.changed = "";
}

static int
count_rows(const char *table) {
    sqlite3 *file = NULL;
    sqlite3_stmt *statement = NULL;
    T(sqlite3_open(text_index.path, &file) == SQLITE_OK
      && sqlite3_prepare_v2(file, t_text("SELECT count(*) FROM %s", table), -1,
                            &statement, NULL)
             == SQLITE_OK
      && sqlite3_step(statement) == SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(file);
    return count;
}

/* What was known about a file before is replaced, also its text. */
T_CASE(a_file_can_be_read_again) {
    int64_t removed = 0;
    text_index_add(1000, "a.jpg", "zebrasecret", "");
    text_index_add(1000, "a.jpg", "harmless", "");
    T_STR(text_index_find("zebra", "", 0, 9000), "");
    T_STR(text_index_find("harm", "", 0, 9000), "a.jpg");
    T_OK(sq_search_store_prune(text_index.store, NULL, NULL, &removed, &t_err));
    T_INT(removed, 0);
    T_INT(count_rows("page"), 1);
    T_INT(count_rows("line"), 1);
}

static void
check_day(int64_t number, bool is_known, int count, uint64_t digest) {
    struct sq_search_day day;
    T_OK(sq_search_store_day(text_index.store, number, &day, &t_err));
    T(day.is_known == is_known);
    T_INT(day.count, count);
    T(day.digest == digest);
}

static bool
nothing_exists(void *context, struct sq_span name) {
    return false;
}

T_CASE(the_files_of_each_day_are_summed_up) {
    const struct sq_shot first = { .utc = 1000, .flags = SQ_SHOT_FULL };
    const struct sq_shot second = { .utc = 1060, .flags = SQ_SHOT_THUMB };
    uint64_t both = sq_search_digest(&first) + sq_search_digest(&second);
    int64_t removed;
    T(sq_search_digest(&first) != sq_search_digest(&second));
    check_day(0, false, 0, 0);
    int64_t page = text_index_add(1000, "a.jpg", "text", "");
    text_index_add_alike(1060, "b.jpg", page);
    check_day(0, true, 2, both);
    text_index_add(1000, "a.jpg", "changed text", "");
    check_day(0, true, 2, both);
    text_index_add_alike(1060, "b.jpg", SQ_SEARCH_UNREADABLE);
    check_day(0, true, 1, sq_search_digest(&first));
    check_day(1, false, 0, 0);
    T_OK(sq_search_store_prune(text_index.store, nothing_exists, NULL, &removed,
                               &t_err));
    T_INT(removed, 2);
    check_day(0, true, 0, 0);
}

/* The name of such a shot is in its folder's block, at the offset `seq`. */
T_BARE_CASE(literal_names_have_one_digest) {
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

T_CASE(known_activities_are_noticed) {
    bool has_apps = true;
    text_index_add(1000, "a.jpg", "text", "");
    T_OK(sq_search_store_has_apps(text_index.store, &has_apps, &t_err));
    T(!has_apps);
    text_index_add(2000, "b.jpg", "text", "Mail");
    T_OK(sq_search_store_has_apps(text_index.store, &has_apps, &t_err));
    T(has_apps);
}

/* Overwrites bytes in the middle of the index. */
static void
damage(void) {
    char bytes[6000];
    struct stat st;
    memset(bytes, 0xaa, sizeof(bytes));
    FILE *file = fopen(text_index.path, "r+b");
    T(stat(text_index.path, &st) == 0 && file
      && fseek(file, st.st_size / 2, SEEK_SET) == 0
      && fwrite(bytes, sizeof(bytes), 1, file) == 1 && fclose(file) == 0);
}

T_CASE(damage_is_found_by_a_check) {
    for (uint32_t i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof(name), "%u.jpg", i);
        text_index_add(1000 + i, name, "some words|of several|lines of text",
                       "Mail");
    }
    T_OK(sq_search_store_check(text_index.store, &t_err));
    sq_search_store_close(text_index.store);
    damage();
    text_index.store = NULL;
    if (sq_search_store_open(text_index.path, true, &text_index.deadline,
                             &text_index.store, &t_err)) {
        T(!sq_search_store_check(text_index.store, &t_err));
    }
    T_INT(t_err.code, SQ_ERR_FORMAT);
}

static bool
only_b_exists(void *context, struct sq_span name) {
    return sq_span_is(name, "b.jpg");
}

/* Returns whether the bytes of the index contain a word. */
static bool
file_contains(const char *word) {
    static char bytes[1 << 20];
    FILE *file = fopen(text_index.path, "rb");
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

T_BARE_CASE(pruned_texts_leave_the_file) {
    int64_t removed = 0;
    text_index_start();
    text_index_add(1000, "a.jpg", "zebrasecret here|quagga@zebu|shared line",
                   "Vault");
    text_index_add(2000, "b.jpg", "harmless|shared line", "Mail");
    T_OK(sq_search_store_prune(text_index.store, only_b_exists, NULL, &removed,
                               &t_err));
    T_INT(removed, 1);
    T_FINDS({ "zebra", "" }, { "shared", "b.jpg" }, { "harm", "b.jpg" });
    T_INT(count_rows("page"), 1);
    T_INT(count_rows("file"), 1);
    T_INT(count_rows("line"), 2);
    sq_search_store_close(text_index.store);
    text_index.store = NULL;
    T(file_contains("harmless"));
    T(!file_contains("zebrasecret"));
    T(!file_contains("quagga"));
    t_scratch_end();
}

/* Writes an index as an earlier version did, with titles that are not redacted.
 */
static void
write_older_index(void) {
    sqlite3 *base = NULL;
    T_INT(unlink(text_index.path), 0);
    T(sqlite3_open(text_index.path, &base) == SQLITE_OK);
    T(sqlite3_exec(
          base,
          "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
          "CREATE TABLE page(id INTEGER PRIMARY KEY, width INTEGER, height "
          "INTEGER, app TEXT, lines BLOB, monitor INTEGER);"
          "CREATE TABLE file(path TEXT PRIMARY KEY, page INTEGER, utc INTEGER, "
          "size INTEGER, mtime INTEGER, shot BLOB, place INTEGER, thumb TEXT, "
          "digest BLOB) WITHOUT ROWID;"
          "INSERT INTO page VALUES(1, 64, 48, 'Pay zebrasecret', NULL, 0);"
          "INSERT INTO file VALUES('a.jpg', 1, 1000, 1, 1, NULL, 0, '', NULL);"
          "PRAGMA user_version = 4;",
          NULL, NULL, NULL)
      == SQLITE_OK);
    T_INT(sqlite3_close(base), SQLITE_OK);
    T(file_contains("zebrasecret"));
}

/* An index of another version counts as missing, and is made again. */
T_CASE(an_older_index_is_made_again) {
    sq_search_store_close(text_index.store);
    text_index.store = NULL;
    write_older_index();
    T_FAILS(sq_search_store_open(text_index.path, false, &text_index.deadline,
                                 &text_index.store, &t_err),
            SQ_ERR_NOT_FOUND);
    t_err = (struct sq_err){ 0 };
    T_OK(sq_search_store_open(text_index.path, true, &text_index.deadline,
                              &text_index.store, &t_err));
    T_INT(count_rows("file"), 0);
    T(!file_contains("zebrasecret"));
}

T_CASE(only_the_owner_can_read_it) {
    struct stat st;
    text_index_add(1000, "a.jpg", "text", "");
    T(stat(text_index.path, &st) == 0 && (st.st_mode & 0777) == 0600);
    char wal[620];
    snprintf(wal, sizeof(wal), "%s-wal", text_index.path);
    T(stat(wal, &st) == 0 && (st.st_mode & 0777) == 0600);
}

T_CASE(a_missing_or_damaged_index_is_reported) {
    struct sq_search_store *other = NULL;
    T_FAILS(sq_search_store_open(t_scratch_path("none.db"), false,
                                 &text_index.deadline, &other, &t_err),
            SQ_ERR_NOT_FOUND);
    FILE *file = fopen(t_scratch_path("bad.db"), "wb");
    fputs("this is not a database, but long enough to be looked at", file);
    for (int i = 0; i < 1000; i++) {
        fputs("garbage", file);
    }
    fclose(file);
    T_FAILS(sq_search_store_open(t_scratch_path("bad.db"), false,
                                 &text_index.deadline, &other, &t_err),
            SQ_ERR_FORMAT);
    T_HAS(t_err.hint, "squint archive index");
    T_OK(sq_search_store_delete(t_scratch_path("bad.db"), &t_err));
}

T_BARE_CASE(queries_need_words) {
    struct sq_search_terms terms;
    T_ARENA(arena, 1 << 20);
    T_FAILS(sq_search_terms_read(SQ_SPAN(" -- \" * "), &arena, &terms, &t_err),
            SQ_ERR_ARGUMENT);
    T(!sq_search_terms_read(SQ_SPAN("a b c d e f g h i j k l m"), &arena,
                            &terms, &t_err));
    T_OK(sq_search_terms_read(SQ_SPAN("\"a\" OR a NEAR(b*)"), &arena, &terms,
                              &t_err));
    T_INT(terms.count, 3); /* a, or, near(b: no operators */
}

/* Reading pictures into the index of texts, with the real recogniser. */
#include "archive/search/search.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "redact/rules.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"

#define DAY "2026-01-15"
#define NOON 1768478400 /* of that day, UTC */

static struct sq_config config;
static struct sq_library *past;
static struct sq_reader *reader;
static struct sq_search_built built;

/* Writes a picture of that time of the day, such as "120000". */
static void
put(const char *time, const char *text) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    t_text_line_write(text, &bytes);
    t_album_put_bytes(t_text("a/" DAY "/Screenshot_20260115-%s.png", time),
                      bytes.data, bytes.len);
}

/* Writes a picture of a chat, of which the last line differs. */
static void
put_chat(int minute, const char *message) {
    const char *const lines[] = { "Team chat", "Hello all of you",
                                  "The meeting begins at noon", message };
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    t_text_lines_write((struct sq_size){ 1280, 800 }, 15, lines, 4, &bytes);
    t_album_put_bytes(
        t_text("a/" DAY "/Screenshot_20260115-12%02d00.png", minute),
        bytes.data, bytes.len);
}

static void
open_library(void) {
    static char root[600];
    static const char *const roots[] = { root };
    snprintf(root, sizeof(root), "%s", t_scratch_path("a"));
    config.archive.roots = (struct sq_strings){ roots, 1 };
    config.archive.time_zone = "UTC";
    T_OK(sq_library_create(&config, &past, &t_err));
}

static void
start(void) {
    const struct sq_reader_options options = {
        .program = t_made_path("../squint"), .language = "eng", .max_workers = 1
    };
    t_scratch_start();
    setenv("XDG_CACHE_HOME", t_scratch_path("cache"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    t_album_folder("a/" DAY);
    open_library();
    T_OK(sq_reader_create(&options, &reader, &t_err));
}

static void
stop(void) {
    sq_reader_destroy(reader);
    sq_library_destroy(past);
    t_album_end();
}

/* Reads the pictures of a time. Skips the case without Tesseract. */
static bool
build_between(int64_t from, int64_t to, bool repairs) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_search_build_request request = {
        .past = past,
        .reader = reader,
        .window = { from, to, SQ_ARCHIVE_ANY, SQ_ARCHIVE_ANY },
        .deadline = &deadline,
        .repairs = repairs,
    };
    if (!sq_reader_start(reader, &deadline, &t_err)) {
        T_INT(t_err.code, SQ_ERR_UNSUPPORTED);
        t_skip(t_err.message);
        return false;
    }
    return T_OK(sq_search_build(&request, &built, &t_err));
}

static bool
build(void) {
    return build_between(0, UINT32_MAX, true);
}

static struct sq_search_result result; /* its hits are freed */
static struct sq_search_hit first;

/* Searches between two times, in seconds after noon; returns the hits. */
static int
search_app(const char *text, const char *app, int from_s, int to_s) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_search_request request = { .from_utc = NOON + from_s,
                                         .to_utc = NOON + to_s,
                                         .max = 10,
                                         .deadline = &deadline };
    T_ARENA(arena, 1 << 20);
    T_OK(sq_search_query_read(sq_span_of(text), &arena, &request.query, &t_err)
         && (!app
             || sq_search_terms_read(sq_span_of(app), &arena, &request.apps,
                                     &t_err))
         && sq_search_find(past->archive, NULL, &request, &arena, &result,
                           &t_err));
    first = result.hits[0];
    return (int)result.count;
}

static int
search(const char *text, int from_s, int to_s) {
    return search_app(text, NULL, from_s, to_s);
}

static void
set_activities(const char *table) {
    static char path[600];
    t_album_put_bytes("activities.csv", table, strlen(table));
    snprintf(path, sizeof(path), "%s", t_scratch_path("activities.csv"));
    config.archive.activity = SQ_ACTIVITY_CSV;
    config.archive.activity_path = path;
    sq_library_destroy(past);
    open_library();
}

T_FIXTURE(start, stop);

/* Pictures that look the same, of which the second half is another app's. */
T_CASE(activities_are_added_later) {
    put("120000", "invoice number");
    put("121000", "invoice number");
    put("122000", "invoice number");
    put("123000", "another text");
    if (build()) {
        T_INT(built.progress.read, 2);
        T_INT(built.named, 0);
        set_activities("start,end,label\n" DAY "T12:00:00Z," DAY
                       "T12:15:00Z,Mail\n" DAY "T12:15:00Z," DAY
                       "T12:25:00Z,Text editor\n");
        build();
        T_INT(built.progress.read, 0);
        T_INT(built.progress.all, 0);
        T_INT(built.known, 4);
        T_INT(built.named, 3);
        T_INT(search_app("invoice", "mail", 0, 3600), 1);
        T_INT(first.pick.shot.utc, NOON);
        T_INT(first.last_utc, NOON + 600);
        T_INT(search_app("invoice", "editor", 0, 3600), 1);
        T_INT(first.pick.shot.utc, NOON + 1200);
        T_INT(search_app("another", "editor", 0, 3600), 0);
        /* The nameless page is gone, and every picture is found once. */
        T_INT(search("invoice", 0, 3600), 2);
        T_INT(search("another", 0, 3600), 1);
        build();
        T_INT(built.known, 4);
        T_INT(built.named, 0);
    }
    config.archive.activity = 0;
    config.archive.activity_path = NULL;
}

/* Titles are found beside names, but not those of a hidden app. */
T_BARE_CASE(titles_are_found_with_names) {
    static const char *const hidden[] = { "Vault" };
    struct sq_redact_rules *rules = NULL;
    start();
    put("120000", "invoice number");
    put("121000", "invoice number");
    put("122000", "invoice number");
    put("123000", "invoice number");
    set_activities("start,end,title,app\n" DAY "T12:00:00Z," DAY
                   "T12:05:00Z,Inbox,Mail\n" DAY "T12:05:00Z," DAY
                   "T12:15:00Z,Budget plan,Mail\n" DAY "T12:15:00Z," DAY
                   "T12:25:00Z,Budget plan,Sheets\n" DAY "T12:25:00Z," DAY
                   "T12:35:00Z,Secret plan,Vault\n");
    config.redact.apps = (struct sq_strings){ hidden, 1 };
    T_OK(sq_redact_rules_create(&config, &rules, &t_err));
    past->rules = rules;
    if (build()) {
        T_INT(search_app("", "budget", 0, 3600), 2);
        T_INT(search_app("", "budget sheets", 0, 3600), 1);
        T_INT(first.pick.shot.utc, NOON + 1200);
        T_INT(search_app("", "inbox", 0, 3600), 1);
        T_INT(first.pick.shot.utc, NOON);
        /* A change of the title alone does not end a time. */
        T_INT(search_app("", "mail", 0, 3600), 1);
        T_INT(first.last_utc, NOON + 600);
        T_INT(search_app("", "secret", 0, 3600), 0);
        T_INT(search_app("", "vault", 0, 3600), 0);
    }
    config.archive.activity = 0;
    config.archive.activity_path = NULL;
    config.redact.apps = (struct sq_strings){ 0 };
    stop();
    sq_redact_rules_destroy(rules);
}

/* The last picture differs from the one before, but its line was read. */
T_CASE(known_lines_are_not_read_again) {
    put("110000", "invoice number");
    put("120000", "a harmless text");
    put("130000", "invoice number");
    if (build()) {
        T_INT(built.progress.read, 3);
        T_INT(built.progress.lines_read, 2);
        T_INT(built.progress.lines_known, 1);
        T_INT(search("invoice", -3600, 7200), 2);
    }
}

/* A line of 15 pixels is the only difference to the picture before. */
T_CASE(every_changed_line_is_found) {
    static const char *const words[] = {
        "apple",  "bridge", "candle", "dragon", "engine", "forest", "garden",
        "hammer", "island", "jacket", "kettle", "ladder", "mirror", "needle",
        "orange", "pencil", "rabbit", "saddle", "ticket", "window",
    };
    enum { COUNT = SQ_COUNT(words) };
    int found = 0;
    for (int i = 0; i < COUNT; i++) {
        char message[64];
        snprintf(message, sizeof(message), "Please bring the %s", words[i]);
        put_chat(i, message);
    }
    put_chat(COUNT, "Please bring the window");
    if (build()) {
        T_INT(built.progress.read, COUNT);
        T_INT(built.progress.alike, 1);
        T_INT(built.progress.lines_read, 3 + COUNT);
        for (int i = 0; i < COUNT; i++) {
            found += search(words[i], 0, 3600) == 1
                  && (int64_t)first.pick.shot.utc == NOON + 60 * i;
        }
        T_INT(found, COUNT);
        T_INT(first.last_utc, NOON + 60 * COUNT);
        /* What all of them show is one hit. */
        T_INT(search("meeting", 0, 3600), 1);
        T_INT(first.last_utc, NOON + 60 * COUNT);
    }
}

T_CASE(a_changed_picture_is_read_again) {
    put("120000", "card 4111 number");
    put("123000", "harmless text here");
    if (build()) {
        T_INT(built.progress.read, 2);
        T_INT(search("4111", -3600, 3600), 1);
        put("120000", "nothing to hide now");
        T_INT(search("4111", -3600, 3600), 0);
        T_INT(result.changed, 1);
        T_INT(result.unread.unread, 1);
        T(build());
        T_INT(built.progress.changed, 1);
        T_INT(built.progress.read, 1);
        T_INT(built.known, 1);
        T_INT(search("4111", -3600, 3600), 0);
        T_INT(result.changed, 0);
        T_INT(result.unread.unread, 0);
        T_INT(search("hide", -3600, 3600), 1);
        T(build());
        T_INT(built.progress.changed, 0);
        T_INT(built.known, 2);
    }
}

/* The second picture is not read, and is found by its own time. */
T_CASE(a_window_finds_pictures_that_look_like_an_earlier_one) {
    put("113000", "Invoice of today");
    put("120000", "Invoice of today");
    if (build()) {
        T_INT(built.progress.read, 1);
        T_INT(built.progress.alike, 1);
        T_INT(search("invoice", -900, 900), 1);
        T_INT(first.pick.shot.utc, NOON);
        T_INT(search("invoice", 1, 900), 0);
        T_INT(search("invoice", -3600, 900), 1);
        T_INT(first.last_utc, NOON);
    }
}

/* Only part of the archive has been read, as after an interruption. */
T_CASE(unread_pictures_are_counted_by_window) {
    put("110000", "first text");
    put("120000", "second text");
    put("130000", "third text");
    if (build_between(NOON - 60, NOON + 60, false)) {
        T_INT(built.progress.all, 1);
        T_INT(search("third", -3600, 7200), 0);
        T_INT(result.unread.unread, 2);
        T_INT(search("third", -60, 60), 0);
        T_INT(result.unread.unread, 0);
        T_INT(search("third", 60, 7200), 0);
        T_INT(result.unread.unread, 1);
    }
}

T_CASE(unreadable_files_are_counted_and_tried_again) {
    put("110000", "first text");
    t_album_put_bytes("a/" DAY "/Screenshot_20260115-120000.png", "no picture",
                      10);
    if (build()) {
        T_INT(built.unreadable, 1);
        T_INT(search("second", -7200, 7200), 0);
        T_INT(result.unread.unread, 0);
        T_INT(result.unread.unreadable, 1);
        put("120000", "second text");
        T(build());
        T_INT(built.progress.read, 1);
        T_INT(search("second", -7200, 7200), 1);
        T_INT(result.unread.unreadable, 0);
    }
}

static void
damage_index(void) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    char path[SQ_PATH_SIZE];
    char bytes[6000];
    struct stat st = { 0 };
    memset(bytes, 0xaa, sizeof(bytes));
    T_OK(sq_search_path(past->archive, 0, &deadline, path, &t_err));
    int file = open(path, O_RDWR);
    T(fstat(file, &st) == 0
      && pwrite(file, bytes, sizeof(bytes), st.st_size / 2)
             == (ssize_t)sizeof(bytes));
    close(file);
}

T_CASE(a_damaged_index_is_made_again) {
    put("110000", "first text");
    put("120000", "second text");
    if (build()) {
        damage_index();
        T(build());
        T_INT(built.rebuilt, 1);
        T_INT(built.progress.read, 2);
        T_INT(search("second", -7200, 7200), 1);
    }
}

T_CASE(a_missing_folder_is_reported) {
    T(rename(t_scratch_path("a"), t_scratch_path("moved")) == 0);
    if (build()) {
        T_INT(built.folders, 0);
        T_INT(built.troubled, 1);
        T_INT(built.trouble, SQ_ARCHIVE_TROUBLE_MISSING);
    }
}

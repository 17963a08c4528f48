/* The content of lists, and which shots they select. */

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"

static bool
list(const char *start, const char *end, const char *more) {
    char text[400];
    snprintf(text, sizeof(text), "{'startDate':'%s','endDate':'%s'%s}", start,
             end, more);
    return past_run("list_screenshots", text);
}

static bool
is_true_of(size_t nth, const char *member) {
    char path[100];
    snprintf(path, sizeof(path), "screenshots.%zu.%s", nth, member);
    return past_true(path);
}

static void
put(const char *time, enum past_parts parts) {
    const struct past_shot shot = { .folder = "a/2026-01-15",
                                    .time = time,
                                    .parts = parts };
    past_put(&shot);
}

static void
put_many(int count, int step_s) {
    const struct past_shot first = { .time = "2026-01-15_08-00-00",
                                     .width = 64,
                                     .height = 40 };
    past_put_series(&first, count, step_s);
}

T_FIXTURE(past_start_with_root, past_end);

T_CASE(exit_full_and_thumbnail_parsing) {
    static const char *const no_shots[] = {
        "a/2026-01-15/.jpg",
        "a/2026-01-15/notes.txt",
        "a/2026-01-15/holiday.jpg",
        "a/2026-01-15/2026-01-15_10-07-00_01-00_640_400_1.jpg",
        "a/2026-01-15/2026-13-15_10-07-00_01-00_640_400_1_0.jpg",
        "a/2026-01-15/2026-01-15_10-07-00_01-00_640_400_1_0.gif",
        "a/2026-01-15/2026-01-15_10-07-00_01-00_640_400_1_0.thumb.jpg",
    };
    put("2026-01-15_10-00-00", PAST_BOTH);
    put("2026-01-15_10-01-00", PAST_FULL_ONLY);
    put("2026-01-15_10-02-00", PAST_THUMB_ONLY);
    past_put(&(struct past_shot){ .time = "2026-01-15_11-03-00",
                                  .offset = "+02-00" });
    past_put(&(struct past_shot){ .time = "2026-01-15_04-04-00",
                                  .offset = "-05-00" });
    past_put_picture("a/2026-01-15/2026-01-15_10-05-00_01-00_640_400_9_0.JPG",
                     640, 400, 0);
    for (size_t i = 0; i < SQ_COUNT(no_shots); i++) {
        past_put_picture(no_shots[i], 64, 40, 0);
    }
    T_OK(past_list(""));
    T_INT(past_shots(), 6);
    T(is_true_of(0, "hasThumbnail"));
    T(!is_true_of(1, "hasThumbnail"));
    T(is_true_of(2, "hasThumbnail"));
    T_STR(past_of_shot(3, "displayLocalTime"), "2026-01-15 11:03:00");
    T_STR(past_of_shot(3, "utcOffset"), "+02:00");
    T_STR(past_of_shot(4, "displayLocalTime"), "2026-01-15 04:04:00");
    T_STR(past_of_shot(4, "utcOffset"), "-05:00");
    T_STR(past_of_shot(5, "displayLocalTime"), "2026-01-15 10:05:00");
    T_STR(past_of_shot(5, "utcOffset"), "+01:00");
    T_INT(past_number("truncation.totalAvailable"), 6);
    T(past_number("diagnostics.unparsedNames") >= 3);
}

T_CASE(exit_resolved_fields_and_opaque_refs) {
    put("2026-01-15_10-30-45", PAST_BOTH);
    T_OK(past_list(""));
    const char *ref = t_text("%s", past_of_shot(0, "screenshotRef"));
    T_INT(strlen(ref), 32);
    T_LACKS(ref, "2026");
    const char *want =
        t_text("{\"screenshots\":[{\"screenshotRef\":\"%s\","
               "\"displayLocalTime\":\"2026-01-15 10:30:45\",\"utcOffset\":"
               "\"+01:00\",\"width\":640,\"height\":400,"
               "\"monitor\":0,\"hasThumbnail\":true}],"
               "\"window\":<*>,\"sampling\":<*>,"
               "\"truncation\":{\"truncated\":false,\"returnedCount\":1,"
               "\"totalAvailable\":1},\"diagnostics\":{\"degraded\":false}}",
               ref);
    T(fake_matches(world.json, want));
    T_LACKS(world.json, t_scratch());
    /* Equal in a second list, and in another process of the same user. */
    T_OK(list("2026-01-14", "2026-01-16", ""));
    T_STR(past_of_shot(0, "screenshotRef"), ref);
    past_open();
    T_OK(past_run_on("get_screenshot", ref, ""));
    T_STR(past_text("displayLocalTime"), "2026-01-15 10:30:45");
}

/* Nothing is repeated: 60 tokens of o200k are about 150 bytes of such text. */
T_CASE(row_of_a_shot_is_short) {
    put_many(100, 60);
    T_OK(past_list(",'maxCount':100"));
    T_INT(past_shots(), 100);
    T_SAYS("'common':{'utcOffset':'+01:00','width':64,'height':40,'monitor':0,"
           "'hasThumbnail':true}");
    T(strlen(world.json) < 100 * 150);
}

T_CASE(list_has_no_pictures) {
    put_many(3, 60);
    T_OK(past_list(""));
    T_INT(world.result.count, 1);
    T_INT(past_blocks(SQ_BLOCK_TEXT), 1);
    T_STR(world.result.blocks[0].mime_type, "application/json");
}

T_CASE(one_link_per_shot) {
    put_many(3, 60);
    T_OK(past_list(",'links':true"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    T_INT(past_blocks(SQ_BLOCK_LINK), 3);
    for (int i = 0; i < 3; i++) {
        const struct sq_block *link = past_block(SQ_BLOCK_LINK, i);
        char uri[100];
        snprintf(uri, sizeof(uri), "squint://screenshot/%s",
                 past_of_shot((size_t)i, "screenshotRef"));
        T_STR(link->uri, uri);
        T_STR(link->mime_type, "image/jpeg");
        T_INT(link->data.len, 0);
        T_INT(link->audience, SQ_FOR_BOTH);
    }
    T_STR(past_block(SQ_BLOCK_LINK, 1)->name, "Screenshot 2026-01-15 08:01:00");
}

/* Each row: start, end, and which of the five shots are included. */
T_CASE(common_date_formats_are_read) {
    static const struct {
        const char *start;
        const char *end;
        const char *first;
        size_t count;
    } rows[] = {
        { "2026-01-15", "2026-01-15", "2026-01-15 00:00:00", 3 },
        { "2026-01-15", "2026-01-16", "2026-01-15 00:00:00", 4 },
        { "2026-01-14", "2026-01-15T00:00:00", "2026-01-14 23:59:59", 1 },
        { "2026-01-15T12:00:00", "2026-01-15T12:00:01", "2026-01-15 12:00:00",
          1 },
        { "2026-01-15T11:00:00Z", "2026-01-15T11:00:01Z", "2026-01-15 12:00:00",
          1 },
        { "2026-01-15T06:00:00-05:00", "2026-01-15T06:00:01-05:00",
          "2026-01-15 12:00:00", 1 },
        { "2026-01-15 12:00", "2026-01-15 23:59:59", "2026-01-15 12:00:00", 1 },
        { "2026-01-15T00:00:01", "2026-01-16", "2026-01-15 12:00:00", 3 },
    };
    past_put(&(struct past_shot){ .time = "2026-01-14_23-59-59" });
    put("2026-01-15_00-00-00", PAST_BOTH);
    put("2026-01-15_12-00-00", PAST_BOTH);
    put("2026-01-15_23-59-59", PAST_BOTH);
    past_put(&(struct past_shot){ .time = "2026-01-16_00-00-00" });
    T_EACH(i, rows) {
        T_OK(list(rows[i].start, rows[i].end, ""));
        T_INT(past_shots(), rows[i].count);
        T_STR(past_of_shot(0, "displayLocalTime"), rows[i].first);
    }
}

T_CASE(reply_has_the_resolved_window) {
    T_OK(past_list(""));
    T_STR(past_text("window.from"), "2026-01-15T00:00:00+01:00");
    T_STR(past_text("window.to"), "2026-01-16T00:00:00+01:00");
    T_HAS(past_text("window.readAs"), "endDate includes its day");
    T_HAS(past_text("window.readAs"), PAST_ZONE);
    /* A day on which clocks are set back is longer. */
    T_OK(list("2026-10-25", "2026-10-25", ""));
    T_STR(past_text("window.from"), "2026-10-25T00:00:00+02:00");
    T_STR(past_text("window.to"), "2026-10-26T00:00:00+01:00");
}

T_CASE(invalid_windows_are_refused_with_a_hint) {
    static const struct {
        const char *start;
        const char *end;
        const char *words;
    } rows[] = {
        { "2026-01-16", "2026-01-15", "before startDate" },
        { "2026-01-15T10:00:00Z", "2026-01-15T10:00:00Z", "same moment" },
        { "1990-01-01", "2026-01-01", "years" },
        { "0001-01-01", "9999-12-31", "year" },
        { "yesterday", "2026-01-15", "startDate" },
        { "2026-01-15", "2026-02-30", "endDate" },
        { "2026-01-15T25:00:00", "2026-01-16", "startDate" },
        { "noon", "2026-01-16", "startDate" },
        { "2026-01-15", "2026-01-15T10:00:00+99:00", "endDate" },
    };
    T_EACH(i, rows) {
        T_FAILS(list(rows[i].start, rows[i].end, ""), SQ_ERR_ARGUMENT);
        T(t_err.hint[0] != '\0');
        T_HAS(t_err.message, rows[i].words);
    }
    T(!past_list(",'maxCount':101"));
    T(!past_list(",'maxCount':0"));
    T(!past_list(",'intervalSeconds':-1"));
    T(!past_list(",'samplingStrategy':'random'"));
}

T_CASE(exit_selection_and_limits_deterministic) {
    static char first[sizeof(world.json)];
    put_many(300, 60);
    T_OK(past_list(""));
    T_INT(past_shots(), 20);
    snprintf(first, sizeof(first), "%s", world.json);
    T_STR(past_text("sampling"), "interval");
    T(past_text("samplingNote")[0] != '\0');
    T(past_true("truncation.truncated"));
    T_INT(past_number("truncation.returnedCount"), 20);
    T_INT(past_number("truncation.totalAvailable"), 300);
    /* Spread over the whole window, not only its morning. */
    T_STR(past_of_shot(0, "displayLocalTime"), "2026-01-15 08:00:00");
    T(strcmp(past_of_shot(19, "displayLocalTime"), "2026-01-15 12:40:00") > 0);
    for (size_t i = 1; i < 20; i++) {
        T(strcmp(past_of_shot(i - 1, "displayLocalTime"),
                 past_of_shot(i, "displayLocalTime"))
          < 0);
    }
    T_OK(past_list(""));
    T_STR(world.json, first);
    past_open();
    T_OK(past_list(""));
    T_STR(world.json, first);
    T_OK(past_list(",'maxCount':100"));
    T_INT(past_shots(), 100);
    T_OK(past_list(",'maxCount':1"));
    T_INT(past_shots(), 1);
}

T_CASE(interval_reduces_shots_and_zero_does_not) {
    put_many(60, 60);
    T_OK(past_list(",'intervalSeconds':600"));
    T_STR(past_text("sampling"), "interval");
    T_INT(past_shots(), 6);
    T_STR(past_of_shot(1, "displayLocalTime"), "2026-01-15 08:10:00");
    T(!past_true("truncation.truncated"));
    T_INT(past_number("truncation.totalAvailable"), 60);
    T_OK(past_list(",'intervalSeconds':0,'maxCount':100"));
    T_INT(past_shots(), 60);
    T_OK(past_list(",'intervalSeconds':0"));
    T_INT(past_shots(), 20);
    T(past_true("truncation.truncated"));
    T_STR(past_of_shot(19, "displayLocalTime"), "2026-01-15 08:59:00");
}

T_CASE(shots_of_one_second_are_all_listed) {
    for (int monitor = 0; monitor < 3; monitor++) {
        past_put(&(struct past_shot){ .time = "2026-01-15_10-00-00",
                                      .monitor = monitor });
    }
    past_put(&(struct past_shot){ .time = "2026-01-15_10-00-00", .seq = 7 });
    T_OK(past_list(""));
    T_INT(past_shots(), 4);
    for (size_t i = 0; i < 4; i++) {
        T_STR(past_of_shot(i, "displayLocalTime"), "2026-01-15 10:00:00");
        for (size_t k = 0; k < i; k++) {
            T(strcmp(past_of_shot(i, "screenshotRef"),
                     past_of_shot(k, "screenshotRef"))
              != 0);
        }
    }
    T_OK(past_list(",'monitor':2"));
    T_INT(past_shots(), 1);
    T_INT(past_number("screenshots.0.monitor"), 2);
    T_OK(past_list(",'monitor':9"));
    T_INT(past_shots(), 0);
}

T_BARE_CASE(roots_are_distinguished) {
    past_start();
    past_add_root("a");
    past_add_root("b=full");
    past_open();
    put("2026-01-15_10-00-00", PAST_BOTH);
    past_put(
        &(struct past_shot){ .folder = "b", .time = "2026-01-15_10-00-00" });
    T_OK(past_list(""));
    T_INT(past_shots(), 2);
    T_STR(past_of_shot(0, "root"), "a");
    T_STR(past_of_shot(1, "root"), "b");
    T(strcmp(past_of_shot(0, "screenshotRef"), past_of_shot(1, "screenshotRef"))
      != 0);
    T_OK(past_list(",'root':'b'"));
    T_INT(past_shots(), 1);
    T_STR(past_of_shot(0, "root"), "b");
    T_FAILS(past_list(",'root':'c'"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "a, b");
    past_end();
}

/* Reads page by page; marks the received shots by their minute. */
static size_t
page_through(const char *more, int *seen, size_t room) {
    char cursor[100] = "start";
    size_t pages = 0;
    while (cursor[0] && pages < room) {
        char words[200];
        snprintf(words, sizeof(words), ",'cursor':'%s'%s", cursor, more);
        T_OK(past_list(words));
        for (size_t i = 0; i < past_shots(); i++) {
            const char *time = past_of_shot(i, "displayLocalTime");
            int minute = (time[11] - '0') * 600 + (time[12] - '0') * 60
                       + (time[14] - '0') * 10 + (time[15] - '0') - 480;
            if (T(minute >= 0 && (size_t)minute < room)) {
                seen[minute]++;
            }
        }
        snprintf(cursor, sizeof(cursor), "%s", past_text("nextCursor"));
        T(past_true("truncation.truncated") == (cursor[0] != '\0'));
        pages++;
    }
    return pages;
}

T_CASE(paging_gives_every_shot_exactly_once) {
    int seen[120] = { 0 };
    put_many(45, 60);
    /* Five shots of one second at the end of a page. */
    for (int seq = 100; seq < 104; seq++) {
        past_put(&(struct past_shot){ .time = "2026-01-15_08-09-00",
                                      .width = 64,
                                      .height = 40,
                                      .seq = seq });
    }
    T_INT(page_through(",'maxCount':11", seen, 120), 5);
    for (int i = 0; i < 45; i++) {
        T_INT(seen[i], i == 9 ? 5 : 1);
    }
    int thinned[120] = { 0 };
    page_through(",'maxCount':2,'intervalSeconds':600", thinned, 120);
    for (int i = 0; i < 45; i++) {
        T_INT(thinned[i], i % 10 == 0 ? 1 : 0);
    }
}

T_CASE(foreign_cursors_are_refused) {
    static const char *const cursors[] = { "next",
                                           "1768460400",
                                           "-",
                                           "12-x",
                                           "1-2-3",
                                           "1--1",
                                           "99999999999999999999-1" };
    put_many(3, 60);
    T_EACH(i, cursors) {
        char words[100];
        snprintf(words, sizeof(words), ",'cursor':'%s'", cursors[i]);
        T_FAILS(past_list(words), SQ_ERR_ARGUMENT);
        T_HAS(t_err.hint, "nextCursor");
    }
    T_FAILS(past_list(",'cursor':'start','samplingStrategy':'coverage'"),
            SQ_ERR_ARGUMENT);
    /* A cursor after the end gives an empty page. */
    T_OK(past_list(",'cursor':'4000000000-0'"));
    T_INT(past_shots(), 0);
    T(!past_has("nextCursor"));
}

T_BARE_CASE(permissions_decide_what_is_offered) {
    static const struct {
        const char *root;
        bool has_address;
    } rows[] = { { "a=metadata", false },
                 { "a=thumbnail", true },
                 { "a=full", true },
                 { "a", true } };
    for (size_t i = 0; i < 4; i++) {
        past_start_at(rows[i].root);
        put_many(2, 60);
        T_OK(past_list(",'links':true"));
        T_INT(past_shots(), 2);
        T_STR(past_of_shot(0, "access"), rows[i].has_address ? "" : "metadata");
        T_INT(past_blocks(SQ_BLOCK_LINK), rows[i].has_address ? 2 : 0);
        past_end();
    }
}

T_CASE(names_of_other_programs_are_listed) {
    past_put_picture("a/Screenshot from 2026-01-15 09-00-00.png", 300, 200, 0);
    past_put_picture("a/Screenshot_20260115-100000.png", 200, 400, 0);
    past_put_picture("a/Screenshot 2026-01-15 at 11.00.00.png", 320, 200, 0);
    T_OK(past_list(""));
    T_INT(past_shots(), 3);
    /* Names without an offset are in the server's zone. */
    T_STR(past_of_shot(0, "displayLocalTime"), "2026-01-15 09:00:00");
    T_STR(past_of_shot(0, "utcOffset"), "+01:00");
    /* If the name has no size, it is read from the picture. */
    T_INT(past_number("screenshots.0.width"), 300);
    T_INT(past_number("screenshots.1.height"), 400);
    T(!is_true_of(2, "hasThumbnail"));
}

T_CASE(lists_survive_every_failed_allocation) {
    static const char *const calls[] = {
        "{'startDate':'2026-01-15','endDate':'2026-01-15','links':true}",
        "{'startDate':'2026-01-15','endDate':'2026-01-15','cursor':'start'}",
        "{'startDate':'2026-01-15','endDate':'2026-01-15',"
        "'samplingStrategy':'visual'}",
        "{'startDate':'2026-01-15','endDate':'2026-01-15',"
        "'samplingStrategy':'coverage'}",
    };
    put_many(8, 60);
    for (size_t i = 0; i < SQ_COUNT(calls); i++) {
        T(past_torture("list_screenshots", calls[i]) >= 5);
        T_INT(past_shots(), i < 2 ? 8 : past_shots());
    }
}

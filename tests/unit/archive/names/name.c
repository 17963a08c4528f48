/*
 * Parsing file names. tests/snapshots/screenshot-names.txt has names and how
 * they are read in Europe/Zurich; SQUINT_ACCEPT=1 writes how they are read now.
 * Add names there. A name that is read differently than before breaks existing
 * archives.
 */
#include "archive/names/name.h"

#include <inttypes.h>

#include "support/test.h"
#include "sys/file.h"
#include "util/buf.h"
#include "util/time_text.h"

#define ZURICH "CET-1CEST,M3.5.0,M10.5.0/3"

static struct sq_zone *zurich_zone;

static void
destroy_zone(void) {
    sq_zone_destroy(zurich_zone);
}

static struct sq_zone *
zurich(void) {
    if (!zurich_zone) {
        T_OK(sq_zone_create(ZURICH, &zurich_zone, &t_err));
        T_INT(atexit(destroy_zone), 0);
    }
    return zurich_zone;
}

#define CHANGED 1772172884 /* 2026-02-27T06:14:44Z */

static bool
parse(const char *name, const struct sq_zone *zone, struct sq_shot *out) {
    uint8_t first = 0;
    return sq_name_parse(sq_span_of(name), zone, &first, out)
        || sq_name_parse_counted(sq_span_of(name), CHANGED, zone, out);
}

/* The result of parsing a name, on one line. */
static void
describe(struct sq_span name, char out[200]) {
    struct sq_shot shot;
    uint8_t first = 0;
    char time[SQ_TIME_TEXT_SIZE];
    if (!sq_name_parse(name, zurich(), &first, &shot)
        && !sq_name_parse_counted(name, CHANGED, zurich(), &shot)) {
        snprintf(out, 200, "-");
        return;
    }
    T(!sq_name_is_by_change(&shot) || sq_name_is_counted(name));
    sq_time_format(shot.utc, shot.quarters * 900, time);
    int len =
        snprintf(out, 200, "%s %s monitor %u",
                 sq_name_strategy_at(shot.strategy)->id, time, shot.monitor);
    if (shot.width) {
        len += snprintf(out + len, 200 - (size_t)len, " %ux%u", shot.width,
                        shot.height);
    }
    if (!(shot.flags & SQ_SHOT_LITERAL)) {
        len +=
            snprintf(out + len, 200 - (size_t)len, " seq %" PRIu32, shot.seq);
    }
    snprintf(out + len, 200 - (size_t)len, "%s%s%s",
             shot.flags & SQ_SHOT_THUMB ? " thumbnail" : "",
             shot.flags & SQ_SHOT_LITERAL ? " kept" : "",
             sq_name_is_by_change(&shot) ? " by change" : "");
}

/* Calls look for the name on each line of the snapshot. */
static void
each_golden(void (*look)(struct sq_span name)) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    const char *path = t_text("%s/tests/snapshots/screenshot-names.txt",
                              getenv("SQUINT_SOURCE"));
    if (!T_OK(sq_file_read(path, 1 << 20, &file, &t_err))) {
        return;
    }
    struct sq_span rest = { (const char *)file.data, file.len };
    struct sq_span line;
    while (sq_span_take_line(&rest, &line)) {
        struct sq_span name = line;
        struct sq_span cut;
        if (sq_span_take_until(&name, '\t', &cut)) {
            /*
             * The block has the exact size, so that sanitizers see an overrun.
             */
            char *exact = malloc(cut.len);
            memcpy(exact, cut.ptr, cut.len);
            look((struct sq_span){ exact, cut.len });
            free(exact);
        }
    }
}

T_CASE(names_match_the_snapshot) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    const char *path = t_text("%s/tests/snapshots/screenshot-names.txt",
                              getenv("SQUINT_SOURCE"));
    if (!T_OK(sq_file_read(path, 1 << 20, &file, &t_err))) {
        return;
    }
    T_BUF(now, 1 << 20);
    struct sq_span rest = { (const char *)file.data, file.len };
    struct sq_span line;
    size_t count = 0;
    while (sq_span_take_line(&rest, &line)) {
        struct sq_span after = line;
        struct sq_span name;
        char text[200];
        if (line.len == 0 || line.ptr[0] == '#') {
            sq_buf_printf(&now, &t_err, "%.*s\n", SQ_SPAN_ARGS(line));
            continue;
        }
        if (!sq_span_take_until(&after, '\t', &name)) {
            name = line;
            after = (struct sq_span){ 0 };
        }
        describe(name, text);
        sq_buf_printf(&now, &t_err, "%.*s\t%s\n", SQ_SPAN_ARGS(name), text);
        if (!getenv("SQUINT_ACCEPT") && !T(sq_span_is(after, text))) {
            printf("# %.*s is now: %s\n", SQ_SPAN_ARGS(name), text);
        }
        count++;
    }
    T(count > 100);
    if (getenv("SQUINT_ACCEPT")) {
        T_OK(sq_file_write(path, now.data, now.len, &t_err));
    }
}

/* A shot can be formatted to its name, or the name is stored. */
static void
look_at_round_trip(struct sq_span name) {
    struct sq_shot shot;
    char again[SQ_NAME_SIZE];
    uint8_t first = 0;
    if (!sq_name_parse(name, zurich(), &first, &shot)
        || shot.flags & SQ_SHOT_LITERAL) {
        return;
    }
    bool thumbnail = shot.flags & SQ_SHOT_THUMB;
    T(sq_name_can_format(&shot));
    T_INT(sq_name_format(&shot, thumbnail, again), name.len);
    if (!T(sq_span_is(name, again))) {
        printf("# %.*s is written %s\n", SQ_SPAN_ARGS(name), again);
    }
}

T_CASE(name_can_be_rebuilt_from_the_shot) {
    each_golden(look_at_round_trip);
}

static void
look_at_every_first(struct sq_span name) {
    struct sq_shot usual = { 0 };
    uint8_t first = 0;
    bool known = sq_name_parse(name, zurich(), &first, &usual);
    for (size_t row = 0; row <= sq_name_strategy_count(); row++) {
        struct sq_shot shot = { 0 };
        first = (uint8_t)row;
        bool ok = sq_name_parse(name, zurich(), &first, &shot);
        if (!T(ok == known && memcmp(&shot, &usual, sizeof(shot)) == 0)) {
            printf("# %.*s, trying row %zu first\n", SQ_SPAN_ARGS(name), row);
        }
    }
}

T_CASE(order_of_patterns_does_not_matter) {
    each_golden(look_at_every_first);
}

T_CASE(every_row_parses_its_example) {
    for (size_t row = 0; row < sq_name_strategy_count(); row++) {
        struct sq_shot shot = { 0 };
        const struct sq_name_strategy *about = sq_name_strategy_at(row);
        if (!about->example[0]) {
            continue; /* the user's own, of which there are none */
        }
        if (!T(parse(about->example, NULL, &shot))
            || !T_INT(shot.strategy, row)) {
            printf("# %s\n", about->id);
        }
        T(about->version > 0);
    }
}

T_CASE(every_day_is_parsed) {
    struct sq_shot shot;
    char name[100];
    for (int64_t day = 0; day < 49710; day++) {
        char date[SQ_TIME_TEXT_SIZE];
        sq_date_format(sq_date_from_days(day), date);
        snprintf(name, sizeof(name), "%s_23-59-59_+00-00_1_1_1_1.jpg", date);
        if (!T(parse(name, NULL, &shot))
            || !T_INT(shot.utc, day * SQ_DAY_S + SQ_DAY_S - 1)) {
            printf("# %s\n", name);
            return;
        }
    }
    T(!parse("1969-12-31_23-59-59_+00-00_1_1_1_1.jpg", NULL, &shot));
    T(parse("1969-12-31_23-59-59_-01-00_1_1_1_1.jpg", NULL, &shot));
    T_INT(shot.utc, 3599);
    T(parse("2106-02-07_06-28-15_+00-00_1_1_1_1.jpg", NULL, &shot));
    T_INT(shot.utc, UINT32_MAX);
    T(!parse("2106-02-07_06-28-16_+00-00_1_1_1_1.jpg", NULL, &shot));
    T(parse("2106-02-07_07-28-15_01-00_1_1_1_1.jpg", NULL, &shot));
}

T_CASE(random_shots_survive_formatting_and_parsing) {
    for (int i = 0; i < 100000; i++) {
        struct sq_shot shot = {
            .utc = (uint32_t)t_random_between(200000, UINT32_MAX - 200000),
            .seq = (uint32_t)t_random() >> t_random_between(0, 31),
            .width = (uint16_t)(t_random() >> t_random_between(48, 63)),
            .height = (uint16_t)(t_random() >> t_random_between(48, 63)),
            .monitor = (uint8_t)t_random(),
            .quarters = (int8_t)t_random_between(-95, 95),
            .flags = (uint8_t)(i % 2 ? SQ_SHOT_FULL : SQ_SHOT_THUMB),
        };
        if (shot.quarters >= 0 && i % 3 == 0) {
            shot.flags |= 1 << SQ_SHOT_SPELLING_SHIFT;
        }
        char name[SQ_NAME_SIZE];
        struct sq_shot again;
        sq_name_format(&shot, shot.flags & SQ_SHOT_THUMB, name);
        if (!T(parse(name, zurich(), &again)
               && memcmp(&shot, &again, sizeof(shot)) == 0)) {
            printf("# %s\n", name);
            return;
        }
    }
}

/* A name with small random changes: formatted to the same name, or refused. */
T_CASE(damaged_names_are_parsed_consistently_or_refused) {
    for (int i = 0; i < 200000; i++) {
        size_t row = (size_t)t_random() % sq_name_strategy_count();
        char name[SQ_NAME_SIZE];
        int len = snprintf(name, sizeof(name), "%s",
                           sq_name_strategy_at(row)->example);
        if (len == 0) {
            continue;
        }
        int changes = (int)t_random_between(1, 3);
        for (int k = 0; k < changes; k++) {
            static const char odd[] = "0019-_. +AP\xe2\x80\xaf\xff/%";
            name[t_random_between(0, len - 1)] =
                odd[(size_t)t_random() % (sizeof(odd) - 1)];
        }
        char *exact = malloc((size_t)len);
        memcpy(exact, name, (size_t)len);
        look_at_round_trip((struct sq_span){ exact, (size_t)len });
        free(exact);
    }
}

static bool
set_own(const char *pattern) {
    return sq_name_set_own(&pattern, 1, &t_err);
}

T_CASE(patterns_of_the_user_come_first) {
    struct sq_shot shot;
    char example[SQ_NAME_SIZE];
    T(!parse("shot 27.02.2026 06h14.png", NULL, &shot));
    T(set_own("shot %D.%M.%Y %hh%m"));
    T(parse("shot 27.02.2026 06h14.png", NULL, &shot));
    T_INT(shot.utc, 1772172840);
    T(shot.flags & SQ_SHOT_LITERAL);
    T(parse("shot 27.02.2026 06h14 (2).png", NULL, &shot));
    uint32_t version = sq_name_table_version();
    /* Day and month are the other way round than those of the table. */
    T(set_own("Screenshot_%Y%D%M-%h%m%s"));
    T(sq_name_table_version() != version);
    T(parse("Screenshot_20260302-061444.png", NULL, &shot));
    T_INT(shot.utc, 1770099284);
    T(sq_name_check_own("%Y-%M-%D at %H.%m.%s %p%*", example, &t_err));
    T_STR(example, "2026-02-27 at 6.14.44 AMtext");
    T(sq_name_set_own(NULL, 0, &t_err));
    T(parse("Screenshot_20260302-061444.png", NULL, &shot));
    T_INT(shot.utc, 1772432084);
}

T_CASE(patterns_without_a_sense_are_refused) {
    static char long_pattern[130] = "%U";
    static char long_name[120] = "%U";
    const char *const wrong[] = {
        "",
        "%Y-%M-%D",
        "%h-%m-%s",
        "%Y%M%D%h%q",
        "%Y%M%D%h%",
        "%*%Y%M%D-%h%m%s",
        "a/%Y%M%D%h%m%s",
        "%N%Y%M%D-%h%m%s",
        "%Y%M%D %H",
        "x%^%Y%M%D%h%m%s",
        "%Y %h.%m.%s",
        "%Y-%M %h.%m.%s",
        "%Y-%M-%D %m.%s",
        "%Y-%M-%D %H.%m.%s",
        "%Y-%M-%D %h.%s",
        "%U\x01",
        "%U\x7f",
        long_pattern,
        long_name,
    };
    char example[SQ_NAME_SIZE];
    memset(long_pattern + 2, 'x', sizeof(long_pattern) - 3);
    for (size_t at = 2; at + 2 < sizeof(long_name); at += 2) {
        memcpy(long_name + at, "%W", 2);
    }
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        struct sq_err err = { 0 };
        if (!T(!sq_name_check_own(wrong[i], example, &err))
            || !T_INT(err.code, SQ_ERR_ARGUMENT)) {
            printf("# %s\n", wrong[i]);
        }
        T(!set_own(wrong[i]));
    }
    const char *many[9];
    for (size_t i = 0; i < SQ_COUNT(many); i++) {
        many[i] = "%U";
    }
    T_OK(sq_name_set_own(many, 8, &t_err));
    T_FAILS(sq_name_set_own(many, 9, &t_err), SQ_ERR_ARGUMENT);
    T(sq_name_set_own(NULL, 0, &t_err));
}

T_CASE(patterns_may_count_seconds_or_begin_with_anything) {
    struct sq_shot shot;
    char example[SQ_NAME_SIZE];
    T_OK(sq_name_check_own("%^%Y%M%D-%h%m%s", example, &t_err));
    T_STR(example, "text 20260227-061444");
    T_OK(sq_name_check_own("%Y-%M-%D at %t", example, &t_err));
    T_STR(example, "2026-02-27 at 6.14.44 AM");
    T_OK(sq_name_check_own("x%W", example, &t_err));
    T_STR(example, "x1772172884123");
    T(set_own("at %U of %xx%y %N"));
    T(parse("at 1772172884 of 1x2 3.png", NULL, &shot));
    T_INT(shot.utc, CHANGED);
    T(!parse("at 17721728 of 1x2 3.png", NULL, &shot)); /* too few digits */
    /* Numbers that do not fit have the largest value. */
    T(parse("at 1772172884 of 70000x80000 4294967296.png", NULL, &shot));
    T_INT(shot.width, UINT16_MAX);
    T_INT(shot.height, UINT16_MAX);
    T(parse("at 1772172884 of 1x80000 3.png", NULL, &shot));
    T_INT(shot.width, 1);
    T_INT(shot.height, UINT16_MAX);
    T(!sq_name_is_by_change(&shot));
    T(sq_name_set_own(NULL, 0, &t_err));
}

/* An index on the disk may have any shot. */
T_CASE(names_are_formatted_only_from_what_a_name_gives) {
    static const char *const stored[] = {
        "IMG_1234.PNG",                                  /* %n */
        "Screenshot 2026-02-27 at 06-14-44 Example.png", /* %* */
        "a 2026-02-27T06-14-44.png",                     /* %^ */
    };
    struct sq_shot shot;
    T_EACH(i, stored) {
        T(parse(stored[i], NULL, &shot));
        T(shot.flags & SQ_SHOT_LITERAL && !sq_name_can_format(&shot));
        shot.flags &= (uint8_t)~SQ_SHOT_LITERAL;
        T(!sq_name_can_format(&shot));
    }
    T(parse("device-2026-02-27-061444.png", NULL, &shot));
    T(sq_name_can_format(&shot));
    shot.flags |= 7 << SQ_SHOT_SPELLING_SHIFT; /* it has fewer */
    T(!sq_name_can_format(&shot));
    /* One of the user's could be longer than a name may be. */
    T(set_own("%Y%M%D-%h%m%s%N"));
    for (int row = 0; row < 256; row++) {
        shot = (struct sq_shot){ .utc = CHANGED, .strategy = (uint8_t)row };
        T(!sq_name_can_format(&shot)
          || row < (int)sq_name_strategy_count() - 1);
    }
    T(sq_name_set_own(NULL, 0, &t_err));
}

T_CASE(numbered_names_need_a_time_of_change) {
    struct sq_shot shot;
    struct sq_span name = SQ_SPAN("Screenshot (12).png");
    T(sq_name_parse_counted(name, CHANGED, NULL, &shot));
    T_INT(shot.utc, CHANGED);
    T_INT(shot.quarters, 0);
    T(!sq_name_parse_counted(name, -1, NULL, &shot));
    T(!sq_name_parse_counted(name, (int64_t)UINT32_MAX + 1, NULL, &shot));
}

/* Local time before there were zones; its offset is not one of quarters. */
T_CASE(a_name_in_an_odd_zone_is_kept) {
    struct sq_zone *mean = NULL;
    struct sq_shot shot;
    T_OK(sq_zone_create("LMT-0:34:08", &mean, &t_err));
    T(parse("Screenshot_20260227-061444.png", mean, &shot));
    T_INT(shot.utc, CHANGED - 2048);
    T_INT(shot.quarters, 2);
    T(shot.flags & SQ_SHOT_LITERAL);
    sq_zone_destroy(mean);
}

/* A window is as long as what the name leaves open. */
T_CASE(windows_of_a_shot) {
    static const struct {
        const char *name;
        bool zone;
        size_t count;
        int seconds;
    } rows[] = {
        { "2026-10-25_02-30-00_+02-00_1_1_1_1.jpg", true, 1, 1 },
        { "IMG_1234.PNG", true, 1, 1 }, /* by change */
        { "screenshot-1792888200.png", true, 1, 1 },
        { "screenshot-1792888200123.png", true, 1, 1 },
        { "screenshot-2026-10-25T02-30-00Z.png", true, 1, 1 },
        { "Screenshot_20261025-023000.png", true, 2, 1 },
        { "Screenshot_20261025-023000.png", false, 1, 1 },
        { "Screenshot_20261025-033000.png", true, 1, 1 },
        { "Bildschirmfoto 2026-10-25 um 02.30.00.png", true, 2, 1 },
        { "shot 25.10.2026 02h30.png", true, 2, 60 },
    };
    T(set_own("shot %D.%M.%Y %hh%m"));
    T_EACH(i, rows) {
        struct sq_shot shot;
        struct sq_window windows[2];
        const struct sq_zone *zone = rows[i].zone ? zurich() : NULL;
        T(parse(rows[i].name, zone, &shot));
        T_INT(sq_name_windows(&shot, zone, windows), rows[i].count);
        for (size_t k = 0; k < rows[i].count; k++) {
            T_INT(windows[k].from_utc, (int64_t)shot.utc + 3600 * (int)k);
            T_INT(windows[k].to_utc - windows[k].from_utc, rows[i].seconds);
        }
    }
    T(sq_name_set_own(NULL, 0, &t_err));
    /* Of an index on the disk: a spelling that its row does not have. */
    struct sq_shot unknown;
    struct sq_window windows[2];
    T(parse("screenshot-2026-10-25T02-30-00Z.png", NULL, &unknown));
    unknown.flags |= SQ_SHOT_LITERAL | 7 << SQ_SHOT_SPELLING_SHIFT;
    T_INT(sq_name_windows(&unknown, zurich(), windows), 1);
    T_INT(windows[0].to_utc - windows[0].from_utc, 60);
}

T_CASE(ambiguous_and_skipped_local_times) {
    struct sq_shot winter;
    struct sq_shot summer;
    struct sq_shot gap;
    T(parse("Screenshot_20260329-013000.png", zurich(), &winter));
    T(parse("Screenshot_20260329-033000.png", zurich(), &summer));
    T_INT(summer.utc - winter.utc, 3600);
    T_INT(winter.quarters, 4);
    T_INT(summer.quarters, 8);
    /* A local time that was skipped is still accepted. */
    T(parse("Screenshot_20260329-023000.png", zurich(), &gap));
    T(!(gap.flags & SQ_SHOT_LITERAL));
    /* An ambiguous local time means the first one. */
    struct sq_shot twice;
    T(parse("Screenshot_20261025-023000.png", zurich(), &twice));
    T_INT(twice.quarters, 8);
}

T_CASE(pairs_have_the_same_stem) {
    static const char *const names[] = { "a_1.jpg", "a_1.thumbnail.jpg",
                                         "a_1.THUMBNAIL.JPG", "a_1.png" };
    for (size_t i = 0; i < 4; i++) {
        T(sq_span_is(sq_name_stem(sq_span_of(names[i])), "a_1"));
    }
    T(sq_span_is(sq_name_stem(SQ_SPAN("a_1.txt")), "a_1.txt"));
}

T_CASE(only_picture_extensions_are_accepted) {
    static const char *const no[] = { "",      ".jpg",     "jpg",
                                      "a.gif", "a.jpg.gz", "a.jpg/b",
                                      "a.exe", "a.jp",     "a.jpg " };
    enum sq_shot_ending ending;
    for (size_t i = 0; i < SQ_COUNT(no); i++) {
        T(!sq_name_ending(sq_span_of(no[i]), &ending));
    }
    T(sq_name_ending(SQ_SPAN("a.JpEg"), &ending) && ending == SQ_SHOT_JPEG);
    T(sq_name_ending(SQ_SPAN("a.webp"), &ending) && ending == SQ_SHOT_WEBP);
    struct sq_shot shot = { .flags = SQ_SHOT_PNG << SQ_SHOT_ENDING_SHIFT };
    T_STR(sq_name_mime(&shot), "image/png");
}

T_CASE(too_long_names_are_refused) {
    struct sq_shot shot;
    char name[400];
    memset(name, '1', sizeof(name));
    snprintf(name, sizeof(name), "Screenshot_20260227_061444_");
    name[strlen(name)] = 'x';
    snprintf(name + 380, 20, ".png");
    name[379] = 'x';
    T(!parse(name, NULL, &shot));
}

#include "archive/names/layout.h"

#include "support/test.h"
#include "util/time_text.h"

/* Enters "a/b/c" part by part; false if a part is not a date. */
static bool
enter(const char *path, sq_place *out) {
    sq_place place = SQ_PLACE_ROOT;
    while (*path) {
        size_t len = strcspn(path, "/");
        if (!sq_layout_enter(place, (struct sq_span){ path, len }, &place)) {
            return false;
        }
        path += len + (path[len] == '/');
    }
    *out = place;
    return true;
}

T_CASE(date_folders_are_entered) {
    static const struct row {
        const char *path;
        const char *first;
        const char *last;
    } rows[] = {
        { "2026-02-27", "2026-02-27", "2026-02-27" },
        { "1970-01-01", "1970-01-01", "1970-01-01" },
        { "2024-02-29", "2024-02-29", "2024-02-29" },
        { "2026", "2026-01-01", "2026-12-31" },
        { "2026/02", "2026-02-01", "2026-02-28" },
        { "2024/02", "2024-02-01", "2024-02-29" },
        { "2026/12", "2026-12-01", "2026-12-31" },
        { "2026/02/27", "2026-02-27", "2026-02-27" },
        { "2026/02/27/00", "2026-02-27", "2026-02-27" },
        { "2026/02/27/23", "2026-02-27", "2026-02-27" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        sq_place place;
        char path[SQ_LAYOUT_PATH_SIZE];
        char text[SQ_TIME_TEXT_SIZE];
        int32_t first;
        int32_t last;
        if (!T(enter(rows[i].path, &place))) {
            printf("# %s\n", rows[i].path);
            continue;
        }
        T_INT(sq_layout_path(place, path), strlen(rows[i].path));
        T_STR(path, rows[i].path);
        sq_layout_days(place, &first, &last);
        sq_date_format(sq_date_from_days(first), text);
        T_STR(text, rows[i].first);
        sq_date_format(sq_date_from_days(last), text);
        T_STR(text, rows[i].last);
        T(sq_layout_is_place(place));
    }
}

T_CASE(other_folders_are_not_entered) {
    static const char *const paths[] = {
        "2026-2-27",
        "2026-02-30",
        "2025-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-01-00",
        "20260227",
        "2026_02_27",
        "1969-12-31",
        "2107-01-01",
        "202",
        "20266",
        "0",
        "2026/2",
        "2026/13",
        "2026/00",
        "2026/02/29",
        "2026/02/27/24",
        "2026/02/27/6",
        "2026/02-27",
        "2026-02-27/06",
        "2026-02-27/2026-02-27",
        "2026/2026",
        "2026/02/27/06/1",
        "..",
        ".",
        "Screenshots",
        "2026-02-27 ",
        "x2026-02-27",
        "2026-02_27",
        "2026-0x-27",
        "2026-02-2x",
        "year",
        "2026/0x",
    };
    T_EACH(i, paths) {
        sq_place place;
        T(!enter(paths[i], &place));
    }
}

/* An index on the disk may have any number as a place. */
T_CASE(numbers_that_are_no_place) {
    enum { IN_TREE = 2 << 3 }; /* the row of YYYY/MM/DD, at depth 0 */
    sq_place year;
    sq_place out;
    T(enter("2026", &year));
    T(sq_layout_is_place(year));
    T(!sq_layout_is_place(year | 5 << 11)); /* a day, without a month */
    T(!sq_layout_enter(IN_TREE, SQ_SPAN("02"), &out));
    T(!sq_layout_enter(IN_TREE | 4, SQ_SPAN("02"), &out));
}

T_CASE(the_root_has_every_day) {
    int32_t first;
    int32_t last;
    sq_layout_days(SQ_PLACE_ROOT, &first, &last);
    T_INT(first, INT32_MIN);
    T_INT(last, INT32_MAX);
}

T_CASE(folders_sort_by_date) {
    sq_place before = 0;
    for (int64_t day = 0; day < 40000; day += 7) {
        char path[SQ_TIME_TEXT_SIZE];
        sq_place place;
        int32_t first;
        int32_t last;
        sq_date_format(sq_date_from_days(day), path);
        T(enter(path, &place) && place > before);
        sq_layout_days(place, &first, &last);
        T(first == day && last == day);
        before = place;
    }
}

T_CASE(invalid_numbers_are_refused) {
    T(!sq_layout_is_place(SQ_PLACE_ROOT));
    for (int i = 0; i < 200000; i++) {
        uint32_t number = (uint32_t)t_random() >> t_random_between(0, 8);
        char path[SQ_LAYOUT_PATH_SIZE];
        sq_place place;
        if (sq_layout_is_place(number)) {
            sq_layout_path(number, path);
            T(enter(path, &place) && place == number);
        }
    }
}

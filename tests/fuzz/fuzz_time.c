/*
 * Any text is a time, or refused with an error, and a formatted time reads back
 * as the same. A zone's rule has an offset for every time.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "archive/window.h"
#include "fuzz/fuzz.h"
#include "util/time_text.h"
#include "util/tzif.h"

static void
check_time(struct sq_span text) {
    struct sq_err err = { 0 };
    struct sq_time_text time = { 0 };
    struct sq_time_text again = { 0 };
    char shown[SQ_TIME_TEXT_SIZE];
    if (!sq_time_parse(text, &time, &err)) {
        assert(err.code == SQ_ERR_ARGUMENT && err.message[0] && err.hint[0]);
        return;
    }
    assert(time.nanos >= 0 && time.nanos < 1000000000);
    assert(time.has_time || !time.has_offset);
    assert(time.offset_s >= -64800 && time.offset_s <= 64800);
    int64_t utc = time.wall_s - time.offset_s;
    struct sq_date date = sq_date_from_days(sq_days_of_seconds(time.wall_s));
    sq_time_format(utc, time.offset_s, shown);
    /* Midnight after the last day of 9999 cannot be written. */
    if (date.year >= 0 && date.year <= 9999) {
        bool ok = sq_time_parse(sq_span_of(shown), &again, &err);
        assert(ok && again.wall_s == time.wall_s);
        assert(again.offset_s == time.offset_s);
    }
}

static struct sq_zone *zone;

static void
destroy_zone(void) {
    sq_zone_destroy(zone);
}

/* Words give a window whose ends are in order, or are refused. */
static void
check_words(struct sq_span text) {
    struct sq_window window;
    struct sq_err err = { 0 };
    char note[SQ_WINDOW_NOTE_SIZE];
    if (!zone) {
        bool ok = sq_zone_create("CET-1CEST,M3.5.0,M10.5.0/3", &zone, NULL)
               && atexit(destroy_zone) == 0;
        assert(ok);
    }
    const struct sq_window_request asks[] = {
        { text, text, zone, 1774823400 },
        { text, { 0 }, zone, 1774823400 },
        { { 0 }, text, zone, 1774823400 },
    };
    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
        if (sq_window_read(&asks[i], &window, note, &err)) {
            assert(window.from_utc < window.to_utc);
            assert(memchr(note, '\0', sizeof(note)));
        } else {
            assert(err.code == SQ_ERR_ARGUMENT && err.hint[0]);
        }
    }
}

static void
check_rule(struct sq_span text) {
    static const int64_t moments[] = { INT64_MIN,  -1,         0,
                                       951782400,  1709164800, 1774746000,
                                       4102444799, INT64_MAX };
    struct sq_zone_rule rule = { 0 };
    if (!sq_zone_rule_parse(text, &rule)) {
        return;
    }
    for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
        int offset_s = sq_zone_rule_offset(&rule, moments[i]);
        assert(offset_s == rule.offset_s
               || (rule.has_summer && offset_s == rule.summer_offset_s));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    check_time(text);
    check_words(text);
    check_rule(text);
    return 0;
}

/* Services that did not answer. */
#include "device/android/link.h"

#include "support/test.h"
#include "sys/clock.h"

#define NS_PER_MS ((int64_t)1000000)

T_CASE(slow_down) {
    sq_clock_slow_down(100);
}

T_CASE(commands_name_their_services) {
    static const struct {
        const char *command;
        const char *names;
    } rows[] = {
        { "dumpsys window displays", "dumpsys window" },
        { "dumpsys input_method|grep -E 'a|b'", "dumpsys input_method" },
        { "dumpsys power;echo #;dumpsys window",
          "dumpsys power, dumpsys window" },
        { "settings put system a 0&&settings put system b 1", "settings" },
        { "service call clipboard 1 s16 'a;b'", "service call clipboard" },
        { "cmd package resolve-activity 'a'", "cmd package" },
        { "getprop a;wm size;wm density", "wm" },
        /* An app that does not react delays these; nothing is known. */
        { "input tap 1 2", "" },
        { "cmd input tap 1 2", "" },
        { "input keyevent 224&&wm dismiss-keyguard", "" },
        { "screencap -p", "" },
        { "pm clear a.b", "" },
        /* Words that a person types are not commands. */
        { "input text 'a;dumpsys window'", "" },
        { "echo 'x|dumpsys power'", "" },
        { "dumpsystem window", "" },
        { "", "" },
        { "dumpsys a_service_with_a_name_that_is_very_long;"
          "dumpsys another_service_with_a_long_name",
          "" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        char names[SQ_HUNG_NAMES_SIZE];
        sq_hung_name(sq_span_of(rows[i].command), names);
        T_STR(names, rows[i].names);
    }
}

static void
hang(struct sq_hung *hung, const char *names, int ms) {
    int64_t began_ns = sq_clock_monotonic_ns();
    sq_clock_skip_to(began_ns + ms * NS_PER_MS);
    sq_hung_add(hung, names, began_ns);
}

T_CASE(it_is_left_alone_for_a_minute) {
    struct sq_hung hung = { 0 };
    sq_hung_begin(&hung, 2000);
    T(!sq_hung_find(&hung, "dumpsys window"));
    hang(&hung, "dumpsys window", 2000);
    T(sq_hung_find(&hung, "dumpsys window") != NULL);
    T(sq_hung_find(&hung, "dumpsys power, dumpsys window") != NULL);
    T(!sq_hung_find(&hung, "dumpsys power"));
    T(!sq_hung_find(&hung, ""));
    sq_clock_skip_to(sq_clock_monotonic_ns() + 20000 * NS_PER_MS);
    T_FAILS(sq_hung_fail(sq_hung_find(&hung, "dumpsys window"), "X", &t_err),
            SQ_ERR_TIMEOUT);
    T_STR(t_err.message,
          "dumpsys window of device X did not answer 20 s ago and "
          "was not asked again");
    sq_clock_skip_to(sq_clock_monotonic_ns() + 41000 * NS_PER_MS);
    T(!sq_hung_find(&hung, "dumpsys window"));
}

/* Which of several hung is not known: only all of them are left alone. */
T_CASE(one_of_several_is_not_blamed) {
    struct sq_hung hung = { 0 };
    sq_hung_begin(&hung, 2000);
    hang(&hung, "wm, dumpsys display", 2000);
    T(!sq_hung_find(&hung, "wm"));
    T(!sq_hung_find(&hung, "dumpsys display"));
    T(sq_hung_find(&hung, "dumpsys display, wm, settings") != NULL);
    /* Too little time to know anything. */
    hang(&hung, "settings", 100);
    T(!sq_hung_find(&hung, "settings"));
    for (int i = 0; i < 2 * SQ_MAX_HUNG; i++) {
        char name[] = "dumpsys a";
        name[8] = (char)('a' + i);
        hang(&hung, name, 600);
    }
    T(!sq_hung_find(&hung, "dumpsys a"));
    T(sq_hung_find(&hung, "dumpsys p") != NULL);
}

T_CASE(one_call_has_one_limit) {
    const struct sq_deadline late = { .at_ns = INT64_MAX };
    struct sq_hung hung = { 0 };
    struct sq_deadline limit;
    sq_hung_begin(&hung, 2000);
    limit = sq_hung_limit(&hung, "settings", &late);
    T(sq_deadline_left_ms(&limit) > 1900
      && sq_deadline_left_ms(&limit) <= 2000);
    hang(&hung, "settings", 2000);
    limit = sq_hung_limit(&hung, "wm", &late);
    T(sq_deadline_left_ms(&limit) > 900 && sq_deadline_left_ms(&limit) <= 1000);
    hang(&hung, "wm", 1000);
    limit = sq_hung_limit(&hung, "ime", &late);
    T_INT(sq_deadline_left_ms(&limit), 0);
    /* What asks no service keeps its own limit. */
    limit = sq_hung_limit(&hung, "", &late);
    T(limit.at_ns == INT64_MAX);
    sq_hung_begin(&hung, 2000);
    limit = sq_hung_limit(&hung, "ime", &late);
    T(sq_deadline_left_ms(&limit) > 1900);
}

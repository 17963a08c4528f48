#include "device/android/parse.h"

#include "support/test.h"

static void
span_is(struct sq_span span, const char *wanted) {
    if (!T(sq_span_is(span, wanted))) {
        printf("# \"%.*s\", not \"%s\"\n", SQ_SPAN_ARGS(span), wanted);
    }
}

T_CASE(values_are_found_by_key) {
    static const char battery[] = "Current Battery Service state:\n"
                                  "  status: 2\r\n  level: 83\n  scale: 100\n";
    span_is(sq_report_find(sq_span_of(battery), "level:"), "83");
    span_is(sq_report_find(sq_span_of(battery), "status:"), "2");
    span_is(sq_report_find(sq_span_of(battery), "none:"), "");
    span_is(sq_report_find(SQ_SPAN(""), "level:"), "");
    span_is(sq_report_memory(SQ_SPAN("x\n  TOTAL   51234  4\n")), "51234");
    span_is(sq_report_memory(SQ_SPAN("  TOTAL  9\n TOTAL PSS:   7  RSS\n")),
            "7");
    span_is(sq_report_memory(SQ_SPAN("No process found for: a\n")), "");
}

T_CASE(notifications_are_taken) {
    struct sq_span rest =
        SQ_SPAN("List:\n NotificationRecord(0x1: pkg=com.a user=U id=1)\n"
                "   android.title=String (Hi (there))\n   android.text=null\n"
                " NotificationRecord(0x2: pkg=com.b)\n"
                "   android.text=SpannableString (x)\n"
                " NotificationRecord(");
    struct sq_report_notification one;
    T(sq_report_take_notification(&rest, &one));
    span_is(one.package, "com.a");
    span_is(one.title, "Hi (there)");
    span_is(one.text, "");
    T(sq_report_take_notification(&rest, &one));
    span_is(one.package, "com.b");
    span_is(one.text, "x");
    T(sq_report_take_notification(&rest, &one));
    span_is(one.package, "");
    T(!sq_report_take_notification(&rest, &one));
}

T_CASE(crashes_are_taken) {
    struct sq_span rest = SQ_SPAN("--- beginning of crash\n"
                                  "E x: FATAL EXCEPTION: main\n"
                                  "E x: Process: com.a, PID: 7\n"
                                  "E x: at y\n"
                                  "F DEBUG: *** *** ***\n"
                                  "F DEBUG: pid: 9, >>> com.b <<<\n");
    struct sq_span crash;
    struct sq_span process;
    T(sq_report_take_crash(&rest, &crash, &process));
    span_is(process, "com.a");
    T(sq_span_starts_with(crash, "E x: FATAL")
      && sq_span_ends_with(crash, "y\n"));
    T(sq_report_take_crash(&rest, &crash, &process));
    span_is(process, "com.b");
    T(!sq_report_take_crash(&rest, &crash, &process));
}

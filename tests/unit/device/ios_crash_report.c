#include "device/ios/parse.h"

#include "support/test.h"

#define UDID "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0"
#define ABOUT "{\"app_name\":\"Shop\",\"bug_type\":\"309\"}\n"
#define WHO                                                                    \
    "\"pid\":71,\"procName\":\"Shop\",\"captureTime\":\"2026-11-16 10:15\","   \
    "\"coalitionName\":\"com.apple.CoreSimulator.SimDevice." UDID "\","        \
    "\"bundleInfo\":{\"CFBundleIdentifier\":\"com.example.shop\"}"
#define IMAGES                                                                 \
    ",\"usedImages\":[{\"name\":\"dyld\"},{\"name\":\"CoreFoundation\"}]"

static char got[1 << 15];

static const char *
describe(const char *text, const char *udid, const char *bundle) {
    const struct sq_crash_filter filter = { udid, bundle };
    T_BUF(out, sizeof(got) - 1);
    T_OK(sq_crash_report_describe(sq_span_of(text), &filter, &out, &t_err));
    snprintf(got, sizeof(got), "%.*s", SQ_SPAN_ARGS(sq_buf_span(&out)));
    return got;
}

T_CASE(names_of_reports_contain_a_time) {
    char time[SQ_CRASH_TIME_SIZE] = "";
    T(sq_crash_report_time(SQ_SPAN("Shop-2026-11-16-101500.ips"), time));
    T_STR(time, "2026-11-16-101500");
    T(sq_crash_report_time(
        SQ_SPAN("a-2020-01-01-000000-2026-11-16-101501.000.ips"), time));
    T_STR(time, "2026-11-16-101501");
    T(!sq_crash_report_time(SQ_SPAN("Shop-2026-11-16-101500.diag"), time));
    T(!sq_crash_report_time(SQ_SPAN("Shop-2026-11-16.ips"), time));
    T(!sq_crash_report_time(SQ_SPAN("2026-11-16-10150x.ips"), time));
    T(!sq_crash_report_time(SQ_SPAN(".ips"), time));
    T(!sq_crash_report_time(SQ_SPAN(""), time));
}

T_CASE(exceptions_show_the_calls_that_led_to_them) {
    T_STR(describe(ABOUT
                   "{" WHO IMAGES
                   ",\"exception\":{\"type\":\"EXC_CRASH\",\"signal\":"
                   "\"SIGABRT\"},\"termination\":{\"indicator\":\"Abort trap: "
                   "6\"},\"asi\":{\"libsystem_c.dylib\":[\"abort() called\"]},"
                   "\"lastExceptionBacktrace\":[{\"imageIndex\":1,\"symbol\":"
                   "\"__exceptionPreprocess\"}],\"faultingThread\":0,"
                   "\"threads\":[{\"frames\":[{\"imageIndex\":0}]}]}\n",
                   UDID, "com.example.shop"),
          "2026-11-16 10:15 Shop[71] EXC_CRASH (SIGABRT) Abort trap: 6\n"
          "  libsystem_c.dylib: abort() called\n"
          "  at CoreFoundation __exceptionPreprocess\n");
}

T_CASE(signals_show_the_calls_of_the_crashed_thread) {
    T_STR(describe(ABOUT
                   "{" WHO IMAGES
                   ",\"exception\":{\"type\":\"EXC_BAD_ACCESS\",\"signal\":"
                   "\"SIGSEGV\",\"subtype\":\"KERN_INVALID_ADDRESS at 0x0\"},"
                   "\"termination\":{\"indicator\":\"Segmentation fault: 11\"},"
                   "\"faultingThread\":1,\"threads\":[{\"frames\":[]},"
                   "{\"frames\":[{\"imageIndex\":0,\"symbol\":\"pay()\","
                   "\"sourceFile\":\"pay.swift\",\"sourceLine\":7},"
                   "{\"imageIndex\":0,\"imageOffset\":4096},"
                   "{\"imageIndex\":9,\"imageOffset\":1}]}]}",
                   UDID, NULL),
          "2026-11-16 10:15 Shop[71] EXC_BAD_ACCESS (SIGSEGV) Segmentation "
          "fault: 11, KERN_INVALID_ADDRESS at 0x0\n"
          "  at dyld pay() (pay.swift:7)\n"
          "  at dyld + 4096\n"
          "  at  + 1\n");
}

T_CASE(other_reports_are_left_out) {
    static const char ours[] = ABOUT "{" WHO "}";
    T_STR(describe(ours, UDID, "com.example.other"), "");
    T_STR(describe(ours, "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D1", NULL), "");
    T(describe(ours, UDID, NULL)[0] != '\0');
    T_STR(describe("{\"bug_type\":\"298\"}\n{" WHO "}", UDID, NULL), "");
    T_STR(describe(ABOUT "{\"procName\":\"Finder\"}", UDID, NULL), "");
    T_STR(describe(ABOUT "[1,", UDID, NULL), "");
    T_STR(describe(ABOUT, UDID, NULL), "");
    T_STR(describe("", UDID, NULL), "");
}

/* Long texts, many reasons and calls: one crash cannot fill the reply. */
T_CASE(crashes_are_short) {
    T_BUF(text, 1 << 20);
    T(sq_buf_printf(&text, NULL, ABOUT "{" WHO IMAGES ",\"asi\":{\"x\":["));
    for (int i = 0; i < 100; i++) {
        T(sq_buf_printf(&text, NULL, "\"%0*d\",", 1000, i));
    }
    T(sq_buf_printf(&text, NULL, "1]},\"threads\":[{\"frames\":["));
    for (int i = 0; i < 100; i++) {
        T(sq_buf_printf(&text, NULL, "{\"symbol\":\"%0*d\"},", 1000, i));
    }
    T(sq_buf_printf(&text, NULL, "{}]}]}"));
    T(sq_buf_append(&text, "", 1, NULL));
    int lines = 0;
    size_t bytes = 0;
    for (const char *at = describe((const char *)text.data, UDID, NULL); *at;
         at++, bytes++) {
        lines += *at == '\n';
    }
    T_INT(lines, 1 + 4 + 12);
    T(bytes < SQ_CRASH_BYTES);
}

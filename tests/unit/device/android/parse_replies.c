#include "device/android/parse.h"

#include "support/test.h"
#include "util/utf8.h"

#define T_SPAN(got, want) T_BYTES((got).ptr, (got).len, want, strlen(want))

#define THEMES                                                                 \
    "java.io.FileNotFoundException: /data/system/theme_config/"                \
    "theme_compatibility.xml (No such file or directory)\n"                    \
    "\tat java.io.FileInputStream.open0(Native Method)\n"

T_CASE(excerpt_is_printable) {
    static const char *const excerpts[][2] = {
        { "", "nothing" },
        { " \r\n\t\n", "nothing" },
        { "\r\n  Error: no\r\nmore", "Error: no" },
        { "\x1b[31mred\x07", "?[31mred?" },
        { "caf\xc3\xa9", "caf\xc3\xa9" },
        { "broken \xff here", "broken ..." },
        { "  bash arg: -p\nargs: [-p, x]\n arg: \"-p\"\nno\n", "no" },
        { THEMES "at last\nno\n", "no" },
        { "at last\n" THEMES, "at last" },
        { THEMES, "nothing" },
    };
    char out[SQ_EXCERPT_SIZE];
    for (size_t i = 0; i < SQ_COUNT(excerpts); i++) {
        sq_reply_excerpt(sq_span_of(excerpts[i][0]), out);
        T_STR(out, excerpts[i][1]);
    }
    sq_reply_excerpt(SQ_SPAN("a\0b"), out);
    T_STR(out, "a?b");
}

T_CASE(excerpt_is_cut_between_characters) {
    for (size_t len = SQ_EXCERPT_SIZE - 8; len < SQ_EXCERPT_SIZE + 8; len++) {
        char text[2 * SQ_EXCERPT_SIZE];
        char out[SQ_EXCERPT_SIZE];
        for (size_t lead = 0; lead < 3; lead++) {
            memset(text, 'x', lead);
            for (size_t i = lead; i < len; i++) {
                text[i] = "\xe2\x82\xac"[(i - lead) % 3];
            }
            size_t whole = len - (len - lead) % 3;
            sq_reply_excerpt((struct sq_span){ text, whole }, out);
            struct sq_span got = sq_span_of(out);
            T(sq_utf8_valid_len(got) == got.len);
            T((whole < SQ_EXCERPT_SIZE) == (got.len == whole));
        }
    }
}

static const struct {
    const char *text;
    enum sq_dump_outcome want;
} dumps[] = {
    { "UI hierchary dumped to: /sdcard/window_dump.xml\n", SQ_DUMP_DONE },
    { "UI hierarchy dumped to: /sdcard/window_dump.xml\r\n", SQ_DUMP_DONE },
    { "WARNING: linker\nUI hierchary dumped to: /a b.xml", SQ_DUMP_DONE },
    { "ERROR: could not get idle state.\n", SQ_DUMP_NOT_IDLE },
    { "ERROR: null root node returned by UiTestAutomationBridge.\r\n",
      SQ_DUMP_NO_ROOT },
    { "Killed \n", SQ_DUMP_KILLED },
    { "java.lang.IllegalStateException: UiAutomationService "
      "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 "
      "already registered!\n",
      SQ_DUMP_KILLED },
    { "java.lang.NullPointerException: Attempt to invoke virtual method\n"
      "\tat com.android.uiautomator.core.AccessibilityNodeInfoDumper"
      ".childNafCheck\n",
      SQ_DUMP_CRASHED },
    { "Aborted \n", SQ_DUMP_CRASHED },
    { "java.io.IOException: write failed: ENOSPC (No space left on device)\n",
      SQ_DUMP_NO_FILE },
    { "java.io.FileNotFoundException: /dev/tty: open failed: ENXIO\n",
      SQ_DUMP_NO_FILE },
    { "/system/bin/sh: uiautomator: inaccessible or not found\n",
      SQ_DUMP_NO_TOOL },
    { "/system/bin/sh: uiautomator: not found\n", SQ_DUMP_NO_TOOL },
    { THEMES "Killed\n", SQ_DUMP_KILLED },
    { THEMES "java.io.FileNotFoundException: /data/x.xml\n\tat x\n",
      SQ_DUMP_NO_FILE },
    { THEMES, SQ_DUMP_SILENT },
    { "", SQ_DUMP_SILENT },
    { "UI hierchary dum", SQ_DUMP_SILENT },
};

T_CASE(result_of_a_dump_is_parsed) {
    for (size_t i = 0; i < SQ_COUNT(dumps); i++) {
        struct sq_err err = { 0 };
        struct sq_span messages = sq_span_of(dumps[i].text);
        enum sq_dump_outcome outcome = sq_dump_read(messages, NULL);
        T_INT(outcome, dumps[i].want);
        if (outcome != SQ_DUMP_DONE) {
            T(!sq_dump_fail(outcome, messages, &err));
            T(err.code != SQ_ERR_NONE && err.message[0] && err.hint[0]);
        }
    }
    struct sq_span path = { 0 };
    sq_dump_read(SQ_SPAN("UI hierchary dumped to: /a b.xml\r\n"), &path);
    T_SPAN(path, "/a b.xml");
    sq_dump_read(SQ_SPAN("ERROR: null root node"), &path);
    T_SPAN(path, "/a b.xml");
}

T_CASE(errors_quote_android) {
    struct sq_span said = SQ_SPAN("ERROR: could not get idle state.\n");
    sq_dump_fail(sq_dump_read(said, NULL), said, &t_err);
    T_INT(t_err.code, SQ_ERR_UNSUPPORTED);
    T_STR(t_err.message, "the screen keeps changing, so Android lists no "
                         "elements (Android said: ERROR: could not get idle "
                         "state.)");
}

#define WARNING                                                                \
    "[Warning] Multiple displays were found, but no display id was "           \
    "specified! Defaulting to the first display found, however this default "  \
    "is not guaranteed to be consistent across captures. A display id should " \
    "be specified.\nA display ID can be specified with the [-d display-id] "   \
    "option.\nSee \"dumpsys SurfaceFlinger --display-id\" for valid display "  \
    "IDs.\n"

#define OLD_WARNING                                                            \
    "[Warning] Multiple displays were found, but no display id was "           \
    "specified! Defaulting to the first display found.\r\n"

T_CASE(warning_before_the_picture_is_skipped) {
    static const char *const starts[] = { "", WARNING, OLD_WARNING };
    static const char *const pictures[] = { "\x89PNG\r\n\x1a\n....",
                                            "\x80\x04\n\n", "" };
    for (size_t i = 0; i < SQ_COUNT(starts) * SQ_COUNT(pictures); i++) {
        const char *start = starts[i % SQ_COUNT(starts)];
        const char *picture = pictures[i / SQ_COUNT(starts)];
        const char *bytes = t_text("%s%s", start, picture);
        struct sq_span rest = sq_screencap_skip_warning(sq_span_of(bytes));
        T_SPAN(rest, picture);
        T(sq_screencap_has_displays(sq_span_of(bytes)) == (start[0] != '\0'));
    }
    T(sq_screencap_skip_warning((struct sq_span){ 0 }).len == 0);
}

T_CASE(reason_for_a_missing_picture_is_found) {
    static const struct {
        const char *text;
        enum sq_err_code code;
        const char *part;
    } failures[] = {
        { "", SQ_ERR_SCREENSHOT_FAILED, "(Android said: nothing)" },
        { WARNING, SQ_ERR_SCREENSHOT_FAILED, "(Android said: nothing)" },
        { WARNING "Capturing failed.\n", SQ_ERR_SCREENSHOT_FAILED,
          "(Android said: Capturing failed.)" },
        { "Failed to take screenshot. Status: -22\n", SQ_ERR_SCREENSHOT_FAILED,
          "Status: -22" },
        { "Failed to get ID for any displays.\n", SQ_ERR_SCREENSHOT_FAILED,
          "no display that is on" },
        { "Invalid display ID: 5\n", SQ_ERR_SCREENSHOT_FAILED,
          "no display with that id" },
        { "sh: screencap: not found\n", SQ_ERR_SCREENSHOT_FAILED,
          "no program screencap" },
    };
    for (size_t i = 0; i < SQ_COUNT(failures); i++) {
        T_FAILS(sq_screencap_fail(sq_span_of(failures[i].text), &t_err),
                failures[i].code);
        T_HAS(t_err.message, failures[i].part);
        T(t_err.hint[0] != '\0');
    }
}

static const struct {
    const char *text;
    enum sq_launch_outcome want;
} launches[] = {
    { "Events injected: 1\n## Network stats: elapsed time=15ms\n",
      SQ_LAUNCH_STARTED },
    { "  bash arg: -p\nEvents injected: 1\r\n", SQ_LAUNCH_STARTED },
    { "Starting: Intent { cmp=com.x/.Main }\n", SQ_LAUNCH_STARTED },
    { "Starting: Intent { cmp=com.x/.ErrorActivity }\n", SQ_LAUNCH_STARTED },
    { "Starting: Intent { cmp=com.x/.M }\nStatus: ok\nLaunchState: COLD\n",
      SQ_LAUNCH_STARTED },
    { "Starting: Intent { cmp=com.x/.M }\nStatus: timeout\n",
      SQ_LAUNCH_TIMED_OUT },
    { "Starting: Intent { cmp=com.x/.M }\nWarning: Activity not started, its "
      "current task has been brought to the front\n",
      SQ_LAUNCH_IN_FRONT },
    { "Starting: Intent { cmp=com.x/.M }\nWarning: Activity not started, "
      "intent has been delivered to currently running top-most instance.\n",
      SQ_LAUNCH_IN_FRONT },
    { "Starting: Intent { cmp=com.x/.M }\nWarning: Activity not started "
      "because the  current activity is being kept for the user.\n",
      SQ_LAUNCH_KEPT },
    { "** No activities found to run, monkey aborted.\r\n",
      SQ_LAUNCH_NO_ACTIVITY },
    { "Starting: Intent { cmp=com.x/.M }\nError type 3\nError: Activity class "
      "{com.x/com.x.M} does not exist.\n",
      SQ_LAUNCH_NO_ACTIVITY },
    { "Error: Activity not started, unable to resolve Intent { act=a }\n",
      SQ_LAUNCH_NO_ACTIVITY },
    { "Security exception: Permission Denial: starting Intent { } not "
      "exported from uid 10101\n",
      SQ_LAUNCH_DENIED },
    { "java.lang.SecurityException: Permission Denial\n", SQ_LAUNCH_DENIED },
    { "** SYS_KEYS has no physical keys but with factor 2.0%.\n",
      SQ_LAUNCH_NO_KEYS },
    { "Starting: Intent { cmp=com.x/.M }\nError: Activity not started, voice "
      "control not allowed for: x\n",
      SQ_LAUNCH_SILENT },
    { "", SQ_LAUNCH_SILENT },
    { "Events inje", SQ_LAUNCH_SILENT },
};

T_CASE(result_of_a_launch_is_parsed) {
    for (size_t i = 0; i < SQ_COUNT(launches); i++) {
        struct sq_err err = { 0 };
        struct sq_span messages = sq_span_of(launches[i].text);
        enum sq_launch_outcome outcome = sq_launch_read(messages);
        T_INT(outcome, launches[i].want);
        if (!sq_launch_worked(outcome)) {
            T(!sq_launch_fail(outcome, "com.x", messages, &err));
            T(err.code != SQ_ERR_NONE && err.hint[0]);
            T(strncmp(err.message, "com.x ", 6) == 0);
        }
    }
}

T_CASE(line_with_the_reason_is_quoted) {
    struct sq_span said =
        SQ_SPAN("  bash arg: -p\n  bash arg: com.x\n"
                "** No activities found to run, monkey aborted.\n");
    T(!sq_launch_fail(sq_launch_read(said), "com.x", said, &t_err));
    T_STR(t_err.message,
          "com.x is not installed or has nothing to open (Android said: ** No "
          "activities found to run, monkey aborted.)");
    said = SQ_SPAN("WARNING: linker\nKilled\n");
    T(!sq_dump_fail(sq_dump_read(said, NULL), said, &t_err));
    T_HAS(t_err.message, "(Android said: Killed)");
    said = SQ_SPAN("WARNING: linker\nInvalid display ID: 7\n");
    T(!sq_screencap_fail(said, &t_err));
    T_HAS(t_err.message, "said: Invalid display ID: 7)");
}

/* The beginning of a picture is not quoted like a message. */
T_CASE(part_of_a_picture_is_not_a_message) {
    static const struct sq_span parts[] = {
        { "\x89PNG\r\n\x1a\n", 8 },
        { "\x40\0\0\0\x40\0", 6 },
        { "\x1f\x8b\x08\0", 4 },
    };
    for (size_t i = 0; i < SQ_COUNT(parts); i++) {
        char bytes[20];
        snprintf(bytes, sizeof(bytes), "(%zu bytes)", parts[i].len);
        T_FAILS(sq_screencap_fail(parts[i], &t_err), SQ_ERR_SCREENSHOT_FAILED);
        T_HAS(t_err.message, "only part of a picture");
        T_HAS(t_err.message, bytes);
        T_LACKS(t_err.message, "Android said");
    }
}

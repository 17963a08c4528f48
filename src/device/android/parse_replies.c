/* Interprets the messages of uiautomator, screencap, am and monkey. */
#include "device/android/parse.h"

#include <assert.h>
#include <string.h>

#include "util/utf8.h"

#define ELLIPSIS "..."

/*
 * Prefixes of harmless lines: monkey's echo of its arguments, and warnings of
 * MIUI's themes about missing files, printed by every program.
 */
static const char *const ignored_starts[] = {
    "bash arg:",
    "args: [",
    "arg: \"",
    "data=\"",
    "java.io.FileNotFoundException: /data/system/theme_config/",
    "java.io.FileNotFoundException: /system/media/theme/",
};

/* Prefixes of harmless lines that may follow one of those. */
static const char *const continuations[] = {
    "at ",
    "... ",
    "Caused by: android.system.ErrnoException",
    "Caused by: libcore.io.ErrnoException",
};

static bool
starts_with_one(struct sq_span line, const char *const *starts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (sq_span_starts_with(line, starts[i])) {
            return true;
        }
    }
    return false;
}

bool
sq_reply_take(struct sq_span *rest, struct sq_span *line) {
    struct sq_span next;
    bool is_ignored = false;
    while (sq_line_take(rest, &next)) {
        is_ignored =
            starts_with_one(next, ignored_starts, SQ_COUNT(ignored_starts))
            || (is_ignored
                && starts_with_one(next, continuations,
                                   SQ_COUNT(continuations)));
        if (!is_ignored) {
            *line = next;
            return true;
        }
    }
    return false;
}

void
sq_reply_excerpt(struct sq_span text, char out[SQ_EXCERPT_SIZE]) {
    struct sq_span line = SQ_SPAN("nothing");
    sq_reply_take(&text, &line);
    struct sq_span valid = { line.ptr, sq_utf8_valid_len(line) };
    bool whole = valid.len == line.len && valid.len < SQ_EXCERPT_SIZE;
    size_t capacity = SQ_EXCERPT_SIZE - 1 - (whole ? 0 : strlen(ELLIPSIS));
    size_t len = sq_utf8_shorten(valid, capacity).len;
    memcpy(out, valid.ptr, len);
    memcpy(out + len, whole ? "" : ELLIPSIS, whole ? 1 : sizeof(ELLIPSIS));
    for (size_t i = 0; i < len; i++) {
        bool control = (unsigned char)out[i] < 0x20 || out[i] == 0x7f;
        out[i] = control ? '?' : out[i];
    }
}

/* A phrase, and the outcome that it indicates. */
struct phrase {
    const char *text;
    int outcome;
};

/* A table of phrases. The first one found in the text decides. */
struct phrases {
    const struct phrase *rows;
    size_t count;
    int otherwise; /* the outcome if none is found */
};

/* Sets *line to the line with the phrase; unchanged if there is none. */
static int
find_phrase(const struct phrases *phrases, struct sq_span text,
            struct sq_span *line) {
    size_t best = phrases->count;
    struct sq_span next;
    while (sq_reply_take(&text, &next)) {
        for (size_t i = 0; i < best; i++) {
            if (sq_line_has(next, phrases->rows[i].text)) {
                best = i;
                *line = next;
            }
        }
    }
    return best < phrases->count ? phrases->rows[best].outcome
                                 : phrases->otherwise;
}

/* The error code and message for an outcome. */
struct outcome_text {
    enum sq_err_code code;
    const char *message;
    const char *hint;
};

static const struct phrase dump_rows[] = {
    { "could not get idle state", SQ_DUMP_NOT_IDLE },
    { "null root node", SQ_DUMP_NO_ROOT },
    { "uiautomator: not found", SQ_DUMP_NO_TOOL },
    { "uiautomator: inaccessible or not found", SQ_DUMP_NO_TOOL },
    { "FileNotFoundException", SQ_DUMP_NO_FILE },
    { "Read-only file system", SQ_DUMP_NO_FILE },
    { "No space left on device", SQ_DUMP_NO_FILE },
    { "ENOSPC", SQ_DUMP_NO_FILE },
    { "Quota exceeded", SQ_DUMP_NO_FILE },
    { "quota exceeded", SQ_DUMP_NO_FILE },
    { "Killed", SQ_DUMP_KILLED },
    { "already registered", SQ_DUMP_KILLED },
    { "UiAutomation not connected", SQ_DUMP_KILLED },
    { "java.", SQ_DUMP_CRASHED },
    { "android.os.", SQ_DUMP_CRASHED },
    { "Aborted", SQ_DUMP_CRASHED },
    { "Segmentation fault", SQ_DUMP_CRASHED },
};

static const struct phrases dump_phrases = { dump_rows, SQ_COUNT(dump_rows),
                                             SQ_DUMP_SILENT };

static const struct outcome_text dump_texts[] = {
    [SQ_DUMP_NOT_IDLE] = { SQ_ERR_UNSUPPORTED,
                           "the screen keeps changing, so Android lists no "
                           "elements",
                           "Take a screenshot, or stop the animation or video "
                           "first." },
    [SQ_DUMP_NO_ROOT] = { SQ_ERR_UNSUPPORTED,
                          "Android found no window whose elements it could "
                          "list",
                          "Unlock the screen, or take a screenshot." },
    [SQ_DUMP_KILLED] = { SQ_ERR_UNSUPPORTED,
                         "uiautomator was killed; another program may use the "
                         "accessibility service",
                         "Stop other programs that automate this device (such "
                         "as Appium), or take a screenshot." },
    [SQ_DUMP_CRASHED] = { SQ_ERR_UNSUPPORTED, "uiautomator crashed",
                          "Take a screenshot, or try again." },
    [SQ_DUMP_NO_FILE] = { SQ_ERR_IO, "uiautomator could not write its file",
                          "Free storage on the device." },
    [SQ_DUMP_NO_TOOL] = { SQ_ERR_UNSUPPORTED,
                          "the device has no program uiautomator",
                          "Take a screenshot instead." },
    [SQ_DUMP_SILENT] = { SQ_ERR_UNSUPPORTED,
                         "uiautomator ended without reporting success; it may "
                         "have crashed",
                         "Take a screenshot, or try again." },
};

/* Android has misspelt "hierarchy" since 2012; accept both spellings. */
enum sq_dump_outcome
sq_dump_read(struct sq_span messages, struct sq_span *path) {
    struct sq_span rest = messages;
    struct sq_span line;
    struct sq_span after;
    while (sq_line_take(&rest, &line)) {
        if (sq_line_find(line, "UI hierchary dumped to:", &after)
            || sq_line_find(line, "UI hierarchy dumped to:", &after)) {
            if (path) {
                *path = sq_span_trim(after);
            }
            return SQ_DUMP_DONE;
        }
    }
    return (enum sq_dump_outcome)find_phrase(&dump_phrases, messages, &line);
}

/* Quotes the line with the reason, or else the first line. */
static bool
fail_with(const struct outcome_text *text, const struct phrases *phrases,
          struct sq_span messages, const char *subject, struct sq_err *err) {
    char excerpt[SQ_EXCERPT_SIZE];
    struct sq_span line = messages;
    find_phrase(phrases, messages, &line);
    sq_reply_excerpt(line, excerpt);
    sq_fail_quoting(err, text->code, "%.100s%s%s (Android said: %s)", subject,
                    subject[0] ? " " : "", text->message, excerpt);
    return sq_fail_hint(err, "%s", text->hint);
}

bool
sq_dump_fail(enum sq_dump_outcome outcome, struct sq_span messages,
             struct sq_err *err) {
    assert(outcome != SQ_DUMP_DONE && outcome < SQ_COUNT(dump_texts));
    return fail_with(&dump_texts[outcome], &dump_phrases, messages, "", err);
}

/* Prefixes of the warning's lines, in all known versions. */
static const char *const warning_lines[] = {
    "[Warning]",
    "A display ID can be specified",
    "A display id should be specified",
    "See \"dumpsys SurfaceFlinger",
};

struct sq_span
sq_screencap_skip_warning(struct sq_span bytes) {
    struct sq_span line;
    while (starts_with_one(bytes, warning_lines, SQ_COUNT(warning_lines))) {
        sq_span_take_line(&bytes, &line);
    }
    return bytes;
}

bool
sq_screencap_has_displays(struct sq_span messages) {
    struct sq_span line;
    while (sq_line_take(&messages, &line)) {
        if (sq_line_has(line, "Multiple displays were found")) {
            return true;
        }
    }
    return false;
}

enum screencap_outcome {
    SCREENCAP_NO_DISPLAY,
    SCREENCAP_WRONG_DISPLAY,
    SCREENCAP_DENIED,
    SCREENCAP_NO_TOOL,
    SCREENCAP_SECURE,
    SCREENCAP_FAILED,
};

static const struct phrase screencap_rows[] = {
    { "Failed to get ID for any displays", SCREENCAP_NO_DISPLAY },
    { "Invalid display ID", SCREENCAP_WRONG_DISPLAY },
    { "screencap: not found", SCREENCAP_NO_TOOL },
    { "screencap: inaccessible or not found", SCREENCAP_NO_TOOL },
    { "secure layer", SCREENCAP_SECURE },
    { "Permission denied", SCREENCAP_DENIED },
    { "Permission Denial", SCREENCAP_DENIED },
};

static const struct phrases screencap_phrases = { screencap_rows,
                                                  SQ_COUNT(screencap_rows),
                                                  SCREENCAP_FAILED };

static const struct outcome_text screencap_texts[] = {
    [SCREENCAP_NO_DISPLAY] = { SQ_ERR_SCREENSHOT_FAILED,
                               "the device has no display that is on",
                               "Turn its screen on, then try again. @wake does "
                               "that." },
    [SCREENCAP_WRONG_DISPLAY] = { SQ_ERR_SCREENSHOT_FAILED,
                                  "the device has no display with that id",
                                  "Choose one that \"dumpsys SurfaceFlinger "
                                  "--display-id\" lists." },
    [SCREENCAP_DENIED] = { SQ_ERR_SCREENSHOT_FAILED,
                           "the device does not allow a screenshot",
                           "A work profile or the owner of the device may "
                           "forbid it." },
    [SCREENCAP_NO_TOOL] = { SQ_ERR_SCREENSHOT_FAILED,
                            "the device has no program screencap",
                            "Use a device with Android 4 or newer." },
    [SCREENCAP_SECURE] = { SQ_ERR_SECURE_SCREEN,
                           "the app forbids screenshots of itself",
                           "Use @dump or @find. They may still list its "
                           "elements." },
    [SCREENCAP_FAILED] = { SQ_ERR_SCREENSHOT_FAILED,
                           "the device sent no picture",
                           "Make sure that its screen is on and unlocked, then "
                           "try again." },
};

bool
sq_screencap_fail(struct sq_span messages, struct sq_err *err) {
    messages = sq_screencap_skip_warning(messages);
    if (sq_utf8_valid_len(messages) < messages.len
        || sq_span_contains(messages, '\0')) {
        sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                "the device sent only part of a picture (%zu bytes)",
                messages.len);
        return sq_fail_hint(err, "Try again. If it fails again, check the "
                                 "cable.");
    }
    struct sq_span line;
    int outcome = find_phrase(&screencap_phrases, messages, &line);
    return fail_with(&screencap_texts[outcome], &screencap_phrases, messages,
                     "", err);
}

static const struct phrase launch_rows[] = {
    { "No activities found to run", SQ_LAUNCH_NO_ACTIVITY },
    { "SYS_KEYS has no physical keys", SQ_LAUNCH_NO_KEYS },
    { "Error type 3", SQ_LAUNCH_NO_ACTIVITY },
    { "does not exist", SQ_LAUNCH_NO_ACTIVITY },
    { "unable to resolve Intent", SQ_LAUNCH_NO_ACTIVITY },
    { "No activity found", SQ_LAUNCH_NO_ACTIVITY },
    { "Unknown package", SQ_LAUNCH_NO_ACTIVITY },
    { "SecurityException", SQ_LAUNCH_DENIED },
    { "Permission Denial", SQ_LAUNCH_DENIED },
    { "you do not have permission", SQ_LAUNCH_DENIED },
    { "current activity is being kept", SQ_LAUNCH_KEPT },
    { "Error:", SQ_LAUNCH_SILENT },
    { "Error type", SQ_LAUNCH_SILENT },
    { "Exception occurred", SQ_LAUNCH_SILENT },
    { "Status: timeout", SQ_LAUNCH_TIMED_OUT },
    { "has been brought to the front", SQ_LAUNCH_IN_FRONT },
    { "delivered to currently running top-most", SQ_LAUNCH_IN_FRONT },
    { "Events injected:", SQ_LAUNCH_STARTED },
    { "Status: ok", SQ_LAUNCH_STARTED },
    { "Starting: Intent", SQ_LAUNCH_STARTED },
};

static const struct phrases launch_phrases = { launch_rows,
                                               SQ_COUNT(launch_rows),
                                               SQ_LAUNCH_SILENT };

static const struct outcome_text launch_texts[] = {
    [SQ_LAUNCH_NO_ACTIVITY] = { SQ_ERR_PACKAGE_NOT_FOUND,
                                "is not installed or has nothing to open",
                                "The operation @apps lists what can be "
                                "launched." },
    [SQ_LAUNCH_DENIED] = { SQ_ERR_INVALID_OPERATION,
                           "cannot be started by other programs",
                           "Tap its icon." },
    [SQ_LAUNCH_KEPT] = { SQ_ERR_INVALID_OPERATION,
                         "was not started, because the device keeps another "
                         "app in the foreground",
                         "Leave that app first (@key home), or end its screen "
                         "pinning." },
    [SQ_LAUNCH_NO_KEYS] = { SQ_ERR_INVALID_OPERATION,
                            "was not started: monkey needs hardware keys",
                            "Start it with monkey --pct-syskeys 0, or tap its "
                            "icon." },
    [SQ_LAUNCH_SILENT] = { SQ_ERR_IO, "may not have started",
                           "Take a screenshot to see which app is in the "
                           "foreground." },
};

enum sq_launch_outcome
sq_launch_read(struct sq_span messages) {
    struct sq_span line;
    return (enum sq_launch_outcome)find_phrase(&launch_phrases, messages,
                                               &line);
}

bool
sq_launch_worked(enum sq_launch_outcome outcome) {
    return outcome == SQ_LAUNCH_STARTED || outcome == SQ_LAUNCH_IN_FRONT
        || outcome == SQ_LAUNCH_TIMED_OUT;
}

bool
sq_launch_fail(enum sq_launch_outcome outcome, const char *package,
               struct sq_span messages, struct sq_err *err) {
    assert(!sq_launch_worked(outcome) && outcome < SQ_COUNT(launch_texts));
    return fail_with(&launch_texts[outcome], &launch_phrases, messages, package,
                     err);
}

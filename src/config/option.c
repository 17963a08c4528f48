/* The option table, and lookups in it. */
#include "config/option.h"

#include <stdio.h>
#include <string.h>

#include "image/measure/measure.h"
#include "util/limits.h"

#define MAX_TEXT_BYTES 1024

const char *const sq_emulator_words[] = { "exact", "fast", "off", NULL };
const char *const sq_format_words[] = { "jpeg", "webp", "png", "auto", NULL };

static const char *const replies_words[] = { "full", "short", NULL };
const char *const sq_receipt_words[] = { "none", "fast", "full", "auto", NULL };

static const char *const activities[] = { "auto", "manictime", "activitywatch",
                                          "csv",  "visual",    "none",
                                          NULL };
static const char *const eye_words[] = { "off", "auto", "on", NULL };
static const char *const password_words[] = { "focused", "known", "always",
                                              NULL };
static const char *const log_levels[] = { "error", "warning", "info", "debug",
                                          NULL };

const char *
sq_config_profile_at(size_t index) {
    const struct sq_token_profile *profile = sq_token_profile_at(index);
    return profile ? profile->name : NULL;
}

#define BOOL(field) SQ_BOOL_FIELD(sq_config, field)
#define INT(field, low, high) SQ_INT_FIELD(sq_config, field, low, high)
#define NUMBER(field, low, high) SQ_NUMBER_FIELD(sq_config, field, low, high)
#define CHOICE(field, list, what)                                              \
    SQ_CHOICE_FIELD(sq_config, field), .choices = (list), .placeholder = (what)
#define TEXT(field, what)                                                      \
    SQ_TEXT_FIELD(sq_config, field, MAX_TEXT_BYTES), .is_printable = true,     \
                                                     .placeholder = (what)
#define LIST(field, what)                                                      \
    SQ_LIST_FIELD(sq_config, field, MAX_TEXT_BYTES), .is_printable = true,     \
                                                     .placeholder = (what)

static const struct sq_config_option options[] = {
    { .arg = { .name = "ui.visualModePackages",
               LIST(ui.visual_mode_packages, "A,B"),
               .text = "apps whose elements are never read; find returns a "
                       "picture" },
      .variable = "SQUINT_UI_VISUAL_MODE_PACKAGES",
      .used_by = SQ_USE_ELEMENTS,
      .flag = "visual-mode-packages",
      .initial = "" },
    { .arg = { .name = "ui.autoFallbackScreenshot",
               BOOL(ui.auto_fallback_screenshot),
               .text = "return a picture if find finds nothing" },
      .variable = "SQUINT_UI_AUTO_FALLBACK_SCREENSHOT",
      .used_by = SQ_USE_FALLBACK,
      .flag = "auto-fallback-screenshot",
      .initial = "true" },
    { .arg = { .name = "ui.includeBase64",
               BOOL(ui.include_base64),
               .text = "give that picture, and that of visual-snapshot; false: "
                       "only its path" },
      .variable = "SQUINT_UI_INCLUDE_BASE64",
      .used_by = SQ_USE_SNAPSHOT,
      .flag = "include-base64",
      .initial = "true" },
    { .arg = { .name = "ui.maxImageDimension",
               INT(ui.max_image_dimension, 1, SQ_MAX_SIDE),
               .text = "longest side of a screenshot, in pixels" },
      .variable = "SQUINT_UI_MAX_IMAGE_DIMENSION",
      .used_by = SQ_USE_SIZES,
      .flag = "max-dimension",
      .old_flag = "max-image-dimension",
      .initial = "1000" },
    { .arg = { .name = "ui.format",
               CHOICE(ui.format, sq_format_words, "NAME"),
               .text = "format of a screenshot, unless the call names one; "
                       "auto: a palette PNG for interfaces, JPEG for photos" },
      .variable = "SQUINT_UI_FORMAT",
      .used_by = SQ_USE_SERVES,
      .flag = "format",
      .initial = "jpeg" },
    { .arg = { .name = "ui.ocrEnabled",
               BOOL(ui.ocr_enabled),
               .text = "offer operations that read text in pictures" },
      .variable = "SQUINT_UI_OCR_ENABLED",
      .used_by = SQ_USE_CALLS | SQ_USE_TEXT_RULES,
      .flag = "ocr-enabled",
      .initial = "false" },
    { .arg = { .name = "ui.ocrLanguage",
               TEXT(ui.ocr_language, "NAME"),
               .text = "language of Tesseract's data: eng, chi_sim, eng+deu" },
      .variable = "SQUINT_UI_OCR_LANGUAGE",
      .used_by = SQ_USE_CALLS | SQ_USE_READER | SQ_USE_TEXT_RULES,
      .flag = "ocr-language",
      .initial = "eng" },
    { .arg = { .name = "ui.templateMatchingEnabled",
               BOOL(ui.template_matching_enabled),
               .text = "offer operations that find pictures in pictures" },
      .variable = "SQUINT_UI_TEMPLATE_MATCHING_ENABLED",
      .used_by = SQ_USE_TEMPLATES,
      .flag = "template-matching-enabled",
      .initial = "false" },
    { .arg = { .name = "ui.receipt",
               CHOICE(ui.receipt, sq_receipt_words, "HOW"),
               .text = "how thoroughly an action checks its effect" },
      .variable = "SQUINT_UI_RECEIPT",
      .used_by = SQ_USE_RECEIPTS,
      .flag = "receipt",
      .initial = "auto" },
    { .arg = { .name = "ui.replies",
               CHOICE(ui.replies, replies_words, "HOW"),
               .text = "form of the answers to clients; short: without what "
                       "models do not need" },
      .variable = "SQUINT_UI_REPLIES",
      .used_by = SQ_USE_SERVES,
      .flag = "replies",
      .initial = "full" },
    { .arg = { .name = "ui.watchMs",
               INT(ui.watch_ms, 0, 5000),
               .text =
                   "how long a receipt watches an unchanged screen, in ms; at "
                   "most half of limits.timeoutMs" },
      .variable = "SQUINT_UI_WATCH_MS",
      .used_by = SQ_USE_RECEIPTS,
      .flag = "watch-ms",
      .initial = "700" },
    { .arg = { .name = "model.profile",
               SQ_CHOICE_FIELD(sq_config, model.profile),
               .choice_at = sq_config_profile_at,
               .placeholder = "NAME",
               .text = "how the model counts the tokens of a picture" },
      .variable = "SQUINT_MODEL_PROFILE",
      .used_by = SQ_USE_COSTS,
      .flag = "profile",
      .initial = "claude" },
    { .arg = { .name = "tools.split",
               BOOL(tools.split),
               .text = "one tool per operation instead of the one tool ui" },
      .variable = "SQUINT_TOOLS_SPLIT",
      .used_by = SQ_USE_SERVES,
      .flag = "tools",
      .flag_words = { "ui", "split" },
      .initial = "false" },
    { .arg = { .name = "tools.readOnly",
               BOOL(tools.read_only),
               .text = "offer only operations that change nothing" },
      .variable = "SQUINT_TOOLS_READ_ONLY",
      .used_by = SQ_USE_CALLS | SQ_USE_SERVES,
      .flag = "read-only",
      .initial = "false" },
    { .arg = { .name = "tools.openSchemes",
               LIST(tools.open_schemes, "A,B"),
               .text = "schemes of URLs that may be opened besides http "
                       "and https" },
      .variable = "SQUINT_TOOLS_OPEN_SCHEMES",
      .used_by = SQ_USE_URLS,
      .flag = "open-schemes",
      .initial = "" },
    { .arg = { .name = "tools.installFrom",
               TEXT(tools.install_from, "FOLDER"),
               .text = "folder whose apps may be installed; allows "
                       "uninstalling, too" },
      .variable = "SQUINT_TOOLS_INSTALL_FROM",
      .used_by = SQ_USE_INSTALLS,
      .flag = "install-from" },
    { .arg = { .name = "limits.maxResultBytes",
               INT(limits.max_result_bytes, 16 << 10, 10 << 20),
               .text =
                   "maximum bytes of a reply; larger pictures are scaled down "
                   "or linked" },
      .variable = "SQUINT_LIMITS_MAX_RESULT_BYTES",
      .used_by = SQ_USE_CALLS,
      .flag = "max-result-bytes",
      .initial = "1048576" },
    { .arg = { .name = "limits.timeoutMs",
               INT(limits.timeout_ms, 100, 600000),
               .text = "time limit for a device to answer, in milliseconds" },
      .variable = "SQUINT_LIMITS_TIMEOUT_MS",
      .used_by = SQ_USE_CALLS | SQ_USE_ADB | SQ_USE_DEVICES,
      .flag = "timeout-ms",
      .initial = "10000" },
    { .arg = { .name = "limits.drainMs",
               INT(limits.drain_ms, 1, 600000),
               .text = "how long running calls may continue after the end of "
                       "standard input (serve: after SIGTERM), in "
                       "milliseconds" },
      .variable = "SQUINT_LIMITS_DRAIN_MS",
      .used_by = SQ_USE_SERVES,
      .flag = "drain-ms",
      .initial = "1000" },
    { .arg = { .name = "demo.width",
               INT(demo.width, 240, 4096),
               .text = "width of the demo phone, in pixels" },
      .variable = "SQUINT_DEMO_WIDTH",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-width",
      .initial = "1080" },
    { .arg = { .name = "demo.height",
               INT(demo.height, 240, 4096),
               .text = "height of the demo phone, in pixels" },
      .variable = "SQUINT_DEMO_HEIGHT",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-height",
      .initial = "2400" },
    { .arg = { .name = "demo.density",
               NUMBER(demo.density, 0.75, 6),
               .text = "pixels per dp of the demo phone" },
      .variable = "SQUINT_DEMO_DENSITY",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-density",
      .initial = "2.625" },
    { .arg = { .name = "demo.seed",
               INT(demo.seed, 0, 2147483647),
               .text = "the same seed and clock give the same screens" },
      .variable = "SQUINT_DEMO_SEED",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-seed",
      .initial = "1" },
    { .arg = { .name = "demo.reactionMs",
               INT(demo.reaction_ms, 0, 10000),
               .text = "apps of the demo phone react to touches after N ms" },
      .variable = "SQUINT_DEMO_REACTION_MS",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-reaction",
      .initial = "0" },
    { .arg = { .name = "demo.pressedMs",
               INT(demo.pressed_ms, 0, 10000),
               .text = "the same, but show what is touched as pressed before" },
      .variable = "SQUINT_DEMO_PRESSED_MS",
      .used_by = SQ_USE_DEMO | SQ_USE_DEVICES,
      .flag = "demo-pressed",
      .initial = "0" },
    { .arg = { .name = "devices.default",
               TEXT(devices.default_id, "ID"),
               .letter = 's',
               .text = "device of calls that name none, if several are "
                       "attached; see squint devices" },
      .variable = "ANDROID_SERIAL",
      .used_by = SQ_USE_DEVICES,
      .flag = "device" },
    { .arg = { .name = "android.adbServer",
               TEXT(android.adb_server, "ADDRESS"),
               .text = "address of the adb server, tcp:HOST:PORT, if not the "
                       "default; off: no Android devices" },
      .variable = "SQUINT_ANDROID_ADB_SERVER",
      .used_by = SQ_USE_ADB | SQ_USE_DEVICES,
      .flag = "adb-server" },
    { .arg = { .name = "android.adbPath",
               TEXT(android.adb_path, "FILE"),
               .text = "path of adb, if it is not in the Android SDK or PATH" },
      .variable = "SQUINT_ANDROID_ADB_PATH",
      .used_by = SQ_USE_ADB | SQ_USE_DEVICES,
      .flag = "adb-path" },
    { .arg = { .name = "android.startServer",
               BOOL(android.start_server),
               .text = "start the adb server if it is not running" },
      .variable = "SQUINT_ANDROID_START_SERVER",
      .used_by = SQ_USE_ADB | SQ_USE_DEVICES,
      .flag = "start-adb",
      .initial = "true" },
    { .arg = { .name = "android.eye",
               CHOICE(android.eye, eye_words, "WHEN"),
               .text = "run squint's own small program on phones, for faster "
                       "screenshots; auto: only servers do" },
      .variable = "SQUINT_ANDROID_EYE",
      .used_by = SQ_USE_CAPTURES,
      .flag = "eye",
      .initial = "off" },
    { .arg = { .name = "android.emulator",
               CHOICE(android.emulator, sq_emulator_words, "HOW"),
               .text = "use the emulator's gRPC interface beside adb; fast: "
                       "it also scales pictures" },
      .variable = "SQUINT_ANDROID_EMULATOR",
      .used_by = SQ_USE_CAPTURES,
      .flag = "emulator",
      .initial = "exact" },
    { .arg = { .name = "output.directory",
               TEXT(output.directory, "DIR"),
               .text = "folder for screenshots" },
      .variable = "SQUINT_OUTPUT_DIRECTORY",
      .used_by = SQ_USE_OUTPUT,
      .flag = "output-directory",
      .initial = ".squint/screenshots" },
    { .arg = { .name = "archive.roots",
               LIST(archive.roots, "DIR"),
               .text =
                   "folders of past screenshots, each with what may leave it: "
                   "DIR, or DIR=none, =metadata, =labels, =thumbnail, =full; "
                   "the strictest entry that covers a file holds" },
      .variable = "SQUINT_ARCHIVE_ROOTS",
      .used_by = SQ_USE_PAST,
      .flag = "archive",
      .initial = "" },
    { .arg = { .name = "archive.manicTimeDirectory",
               TEXT(archive.manictime_directory, "DIR"),
               .text = "ManicTime's data: its screenshots and "
                       "ManicTimeReports.db" },
      .variable = "MANICTIME_DATA_DIR",
      .used_by = SQ_USE_PAST,
      .flag = "manictime" },
    { .arg = { .name = "archive.timeZone",
               TEXT(archive.time_zone, "NAME"),
               .text = "time zone of times without an offset, such as "
                       "Europe/Zurich; unset: that of the system" },
      .variable = "SQUINT_ARCHIVE_TIME_ZONE",
      .used_by = SQ_USE_PAST,
      .flag = "time-zone" },
    { .arg = { .name = "archive.activity",
               CHOICE(archive.activity, activities, "WHO"),
               .text = "program that recorded the user's activities" },
      .variable = "SQUINT_ARCHIVE_ACTIVITY",
      .used_by = SQ_USE_ACTIVITY,
      .flag = "activity",
      .initial = "auto" },
    { .arg = { .name = "archive.activityPath",
               TEXT(archive.activity_path, "FILE"),
               .text = "database of activities, or a CSV file with "
                       "start,end,label" },
      .variable = "SQUINT_ARCHIVE_ACTIVITY_PATH",
      .used_by = SQ_USE_ACTIVITY,
      .flag = "activity-path" },
    { .arg = { .name = "archive.activityWatchUrl",
               TEXT(archive.activity_watch_url, "URL"),
               .text = "address of the ActivityWatch server" },
      .variable = "SQUINT_ARCHIVE_ACTIVITY_WATCH_URL",
      .used_by = SQ_USE_ACTIVITY,
      .flag = "activity-watch-url",
      .initial = "http://localhost:5600" },
    { .arg = { .name = "archive.saveDirectory",
               TEXT(archive.save_directory, "DIR"),
               .text = "folder for saved copies of past screenshots; unset: "
                       "saving is disabled" },
      .variable = "SQUINT_ARCHIVE_SAVE_DIRECTORY",
      .used_by = SQ_USE_SAVES,
      .flag = "save-directory" },
    { .arg = { .name = "archive.exclude",
               LIST(archive.exclude, "WHEN"),
               .text = "times whose past screenshots do not exist for the "
                       "model: Sat-Sun, Mon-Fri 20:00-06:00, 2026-09-07" },
      .variable = "SQUINT_ARCHIVE_EXCLUDE",
      .used_by = SQ_USE_PAST,
      .flag = "exclude",
      .initial = "" },
    { .arg = { .name = "archive.excludeApps",
               LIST(archive.exclude_apps, "A,B"),
               .text = "apps whose past screenshots do not exist for the "
                       "model: words of their names; nor do those whose app "
                       "is not known" },
      .variable = "SQUINT_ARCHIVE_EXCLUDE_APPS",
      .used_by = SQ_USE_PAST,
      .flag = "exclude-apps",
      .initial = "" },
    { .arg = { .name = "archive.excludeTitles",
               LIST(archive.exclude_titles, "REGEX"),
               .text = "the same by window titles: POSIX extended regular "
                       "expressions, in any case" },
      .variable = "SQUINT_ARCHIVE_EXCLUDE_TITLES",
      .used_by = SQ_USE_PAST,
      .flag = "exclude-titles",
      .initial = "" },
    { .arg = { .name = "archive.index",
               BOOL(archive.index),
               .text = "while serving, read the text of new past screenshots, "
                       "for search_screenshots" },
      .variable = "SQUINT_ARCHIVE_INDEX",
      .used_by = SQ_USE_SERVES,
      .flag = "archive-index",
      .initial = "false" },
    { .arg = { .name = "redact.passwords",
               CHOICE(redact.passwords, password_words, "WHEN"),
               .text = "when the elements are read to hide password fields in "
                       "pictures: while one is focused, always, or only where "
                       "they are known" },
      .variable = "SQUINT_REDACT_PASSWORDS",
      .used_by = SQ_USE_CAPTURES,
      .flag = "redact-passwords",
      .initial = "focused" },
    { .arg = { .name = "redact.presets",
               LIST(redact.presets, "A,B"),
               .text = "text to hide in pictures and replies: cards, emails, "
                       "keys; needs ui.ocrEnabled" },
      .variable = "SQUINT_REDACT_PRESETS",
      .used_by = SQ_USE_CALLS | SQ_USE_PICTURES,
      .flag = "redact",
      .initial = "" },
    { .arg = { .name = "redact.patterns",
               LIST(redact.patterns, "REGEX"),
               .text = "more such text: POSIX extended regular expressions" },
      .variable = "SQUINT_REDACT_PATTERNS",
      .used_by = SQ_USE_CALLS | SQ_USE_PICTURES,
      .flag = "redact-patterns",
      .initial = "" },
    { .arg = { .name = "redact.regions",
               LIST(redact.regions, "X Y W H"),
               .text = "parts of every picture to hide, in percent: 0 0 100 "
                       "5" },
      .variable = "SQUINT_REDACT_REGIONS",
      .used_by = SQ_USE_PICTURES,
      .flag = "redact-regions",
      .initial = "" },
    { .arg = { .name = "redact.apps",
               LIST(redact.apps, "A,B"),
               .text = "apps whose pictures are hidden: packages, or words of "
                       "activities" },
      .variable = "SQUINT_REDACT_APPS",
      .used_by = SQ_USE_PICTURES,
      .flag = "redact-apps",
      .initial = "" },
    { .arg = { .name = "journal.path",
               TEXT(journal.path, "FILE"),
               .text = "record the calls of clients and their answers in this "
                       "new file, or in a new file in this folder" },
      .variable = "SQUINT_JOURNAL_PATH",
      .used_by = SQ_USE_SERVES,
      .flag = "journal" },
    { .arg = { .name = "journal.maxMegabytes",
               INT(journal.max_megabytes, 1, 1000),
               .text = "size at which a journal ends" },
      .variable = "SQUINT_JOURNAL_MAX_MEGABYTES",
      .used_by = SQ_USE_SERVES,
      .flag = "journal-max-megabytes",
      .initial = "256" },
    { .arg = { .name = "log.level",
               CHOICE(log.level, log_levels, "LEVEL"),
               .text = "messages on standard error: info adds what is served, "
                       "debug each call" },
      .variable = "SQUINT_LOG_LEVEL",
      .used_by = SQ_USE_ALL,
      .flag = "log-level",
      .initial = "warning" },
};
#define OPTIONS (sizeof(options) / sizeof(options[0]))

const struct sq_config_option *
sq_config_option_at(size_t index) {
    return index < OPTIONS ? &options[index] : NULL;
}

const struct sq_config_option *
sq_config_option_by_key(struct sq_span key) {
    for (size_t i = 0; i < OPTIONS; i++) {
        if (sq_span_is(key, options[i].arg.name)) {
            return &options[i];
        }
    }
    return NULL;
}

const struct sq_config_option *
sq_config_option_by_flag(struct sq_span flag) {
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *old = options[i].old_flag;
        if (sq_span_is(flag, options[i].flag)
            || (old && sq_span_is(flag, old))) {
            return &options[i];
        }
    }
    return NULL;
}

const struct sq_config_option *
sq_config_option_by_letter(char letter) {
    for (size_t i = 0; letter && i < OPTIONS; i++) {
        if (options[i].arg.letter == letter) {
            return &options[i];
        }
    }
    return NULL;
}

bool
sq_config_is_section(struct sq_span word) {
    for (size_t i = 0; i < OPTIONS; i++) {
        struct sq_span key = sq_span_of(options[i].arg.name);
        if (word.len < key.len && key.ptr[word.len] == '.'
            && memcmp(key.ptr, word.ptr, word.len) == 0) {
            return true;
        }
    }
    return false;
}

static struct sq_span
last_word(struct sq_span key) {
    struct sq_span taken;
    while (sq_span_take_until(&key, '.', &taken)) {
    }
    return key;
}

void
sq_config_nearest_key(struct sq_span key, struct sq_nearest *out) {
    struct sq_nearest part;
    sq_nearest_begin(out, key);
    sq_nearest_begin(&part, last_word(key));
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *known = options[i].arg.name;
        struct sq_span rest = sq_span_of(known);
        struct sq_span section = rest;
        char name[SQ_NEAREST_SIZE];
        sq_span_take_until(&rest, '.', &section);
        snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(section));
        sq_nearest_try(out, name);
        sq_nearest_try(out, known);
        sq_nearest_try_as(&part, last_word(sq_span_of(known)).ptr, known);
    }
    /* The right word in the wrong section is similar, too. */
    if (part.found[0] && (!out->found[0] || part.least + 1 < out->least)) {
        *out = part;
    }
}

bool
sq_config_is_variable(struct sq_span name) {
    bool found = sq_span_is(name, "SQUINT_CONFIG");
    for (size_t i = 0; !found && i < OPTIONS; i++) {
        found = sq_span_is(name, options[i].variable);
    }
    return found;
}

void
sq_config_nearest_variable(struct sq_span word, struct sq_nearest *out) {
    sq_nearest_begin(out, word);
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *name = options[i].variable;
        struct sq_span known = sq_span_of(name);
        if (sq_span_take_prefix(&known, "SQUINT_")) {
            sq_nearest_try_as(out, known.ptr, name);
        }
    }
}

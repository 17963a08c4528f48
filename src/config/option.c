/* The option table, and lookups in it. */
#include "config/option.h"

#include <stdio.h>

#include "image/measure/measure.h"

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

#define PROFILE(field)                                                         \
    SQ_CHOICE_FIELD(sq_config, field), .choice_at = sq_config_profile_at,      \
                                       .placeholder = "NAME"
#define DEVICE(field) TEXT(field, "ID"), .letter = 's'

/* Where it is used, its flag and its default follow the description. */
#define OPTION(key, field, about, uses, flag_name, default_value)              \
    .arg = { .name = (key), field, .text = (about) }, .used_by = (uses),       \
    .flag = (flag_name), .initial = (default_value)

static const struct sq_config_option options[] = {
    { OPTION("ui.visualModePackages", LIST(ui.visual_mode_packages, "A,B"),
             "apps whose elements are never read; find returns a picture",
             SQ_USE_ELEMENTS, "visual-mode-packages", "") },
    { OPTION("ui.autoFallbackScreenshot", BOOL(ui.auto_fallback_screenshot),
             "return a picture if find finds nothing", SQ_USE_FALLBACK,
             "auto-fallback-screenshot", "true") },
    { OPTION(
        "ui.includeBase64", BOOL(ui.include_base64),
        "give that picture, and that of visual-snapshot; false: only its path",
        SQ_USE_SNAPSHOT, "include-base64", "true") },
    { OPTION(
          "ui.maxImageDimension", INT(ui.max_image_dimension, 1, SQ_MAX_SIDE),
          "longest side of a screenshot, in pixels; auto: of web pages as "
          "large as its small text needs, for at most 1600 tokens, of phones "
          "as unset; unset: 1000, or more where model.profile counts a "
          "larger one for the same tokens",
          SQ_USE_SIZES, "max-dimension", NULL),
      .arg.word = "auto", .old_flag = "max-image-dimension" },
    { OPTION("ui.format", CHOICE(ui.format, sq_format_words, "NAME"),
             "format of a screenshot, unless the call names one; auto: a "
             "palette PNG for interfaces, WebP for photos",
             SQ_USE_SERVES, "format", "jpeg") },
    { OPTION("ui.ocrEnabled", BOOL(ui.ocr_enabled),
             "offer operations that read text in pictures",
             SQ_USE_CALLS | SQ_USE_TEXT_RULES, "ocr-enabled", "false") },
    { OPTION("ui.ocrLanguage", TEXT(ui.ocr_language, "NAME"),
             "language of Tesseract's data: eng, chi_sim, eng+deu",
             SQ_USE_CALLS | SQ_USE_READER | SQ_USE_TEXT_RULES, "ocr-language",
             "eng") },
    { OPTION("ui.templateMatchingEnabled", BOOL(ui.template_matching_enabled),
             "offer operations that find pictures in pictures",
             SQ_USE_TEMPLATES, "template-matching-enabled", "false") },
    { OPTION("ui.receipt", CHOICE(ui.receipt, sq_receipt_words, "HOW"),
             "how thoroughly an action checks its effect", SQ_USE_RECEIPTS,
             "receipt", "auto") },
    { OPTION("ui.replies", CHOICE(ui.replies, replies_words, "HOW"),
             "form of the answers to clients; short: without what models do "
             "not need",
             SQ_USE_SERVES, "replies", "full") },
    { OPTION("ui.watchMs", INT(ui.watch_ms, 0, 5000),
             "how long a receipt watches an unchanged screen, in ms; at most "
             "half of limits.timeoutMs",
             SQ_USE_RECEIPTS, "watch-ms", "700") },
    { OPTION("model.profile", PROFILE(model.profile),
             "how the model counts the tokens of a picture", SQ_USE_COSTS,
             "profile", "claude") },
    { OPTION("tools.split", BOOL(tools.split),
             "one tool per operation instead of the one tool ui", SQ_USE_SERVES,
             "tools", "false"),
      .flag_words = { "ui", "split" } },
    { OPTION("tools.readOnly", BOOL(tools.read_only),
             "offer only operations that change nothing",
             SQ_USE_CALLS | SQ_USE_SERVES, "read-only", "false") },
    { OPTION("tools.openSchemes", LIST(tools.open_schemes, "A,B"),
             "schemes of URLs that may be opened besides http and https",
             SQ_USE_URLS, "open-schemes", "") },
    { OPTION("tools.installFrom", TEXT(tools.install_from, "FOLDER"),
             "folder whose apps may be installed; allows uninstalling, too",
             SQ_USE_INSTALLS, "install-from", NULL) },
    { OPTION(
        "limits.maxResultBytes",
        INT(limits.max_result_bytes, 16 << 10, 10 << 20),
        "maximum bytes of a reply; larger pictures are scaled down or linked",
        SQ_USE_CALLS, "max-result-bytes", "1048576") },
    { OPTION("limits.timeoutMs", INT(limits.timeout_ms, 100, 600000),
             "time limit for a device to answer, in milliseconds",
             SQ_USE_CALLS | SQ_USE_ADB | SQ_USE_DEVICES, "timeout-ms",
             "10000") },
    { OPTION("limits.drainMs", INT(limits.drain_ms, 1, 600000),
             "how long running calls may continue after the end of standard "
             "input (serve: after SIGTERM), in milliseconds",
             SQ_USE_SERVES, "drain-ms", "1000") },
    { OPTION("demo.width", INT(demo.width, 240, 4096),
             "width of the demo phone, in pixels", SQ_USE_DEMO | SQ_USE_DEVICES,
             "demo-width", "1080") },
    { OPTION("demo.height", INT(demo.height, 240, 4096),
             "height of the demo phone, in pixels",
             SQ_USE_DEMO | SQ_USE_DEVICES, "demo-height", "2400") },
    { OPTION("demo.density", NUMBER(demo.density, 0.75, 6),
             "pixels per dp of the demo phone", SQ_USE_DEMO | SQ_USE_DEVICES,
             "demo-density", "2.625") },
    { OPTION("demo.seed", INT(demo.seed, 0, 2147483647),
             "the same seed and clock give the same screens",
             SQ_USE_DEMO | SQ_USE_DEVICES, "demo-seed", "1") },
    { OPTION("demo.reactionMs", INT(demo.reaction_ms, 0, 10000),
             "apps of the demo phone react to touches after N ms",
             SQ_USE_DEMO | SQ_USE_DEVICES, "demo-reaction", "0") },
    { OPTION("demo.pressedMs", INT(demo.pressed_ms, 0, 10000),
             "the same, but show what is touched as pressed before",
             SQ_USE_DEMO | SQ_USE_DEVICES, "demo-pressed", "0") },
    { OPTION("devices.default", DEVICE(devices.default_id),
             "device of calls that name none, if several are attached; see "
             "squint devices",
             SQ_USE_DEVICES, "device", NULL),
      .variable = "ANDROID_SERIAL" },
    { OPTION("android.adbServer", TEXT(android.adb_server, "ADDRESS"),
             "address of the adb server, tcp:HOST:PORT, if not the default; "
             "off: no Android devices",
             SQ_USE_ADB | SQ_USE_DEVICES, "adb-server", NULL) },
    { OPTION("android.adbPath", TEXT(android.adb_path, "FILE"),
             "path of adb, if it is not in the Android SDK or PATH",
             SQ_USE_ADB | SQ_USE_DEVICES, "adb-path", NULL) },
    { OPTION("android.startServer", BOOL(android.start_server),
             "start the adb server if it is not running",
             SQ_USE_ADB | SQ_USE_DEVICES, "start-adb", "true") },
    { OPTION("android.eye", CHOICE(android.eye, eye_words, "WHEN"),
             "run squint's own small program on phones, for faster "
             "screenshots; auto: only servers do",
             SQ_USE_CAPTURES, "eye", "off") },
    { OPTION("android.emulator",
             CHOICE(android.emulator, sq_emulator_words, "HOW"),
             "use the emulator's gRPC interface beside adb; fast: it also "
             "scales pictures",
             SQ_USE_CAPTURES, "emulator", "exact") },
    { OPTION("browser.enabled", BOOL(browser.enabled),
             "offer a web browser as the device browser; it is started when "
             "it is used",
             SQ_USE_DEVICES, "browser", "false") },
    { OPTION("browser.allow", LIST(browser.allow, "A,B"),
             "origins that it may open: *, https://example.com, "
             "*.example.com, http://localhost:3000; *, or nothing: all but "
             "this computer and private networks",
             SQ_USE_DEVICES, "browser-allow", "") },
    { OPTION("browser.window", TEXT(browser.window, "WxH"),
             "size of its pages, in CSS pixels", SQ_USE_DEVICES,
             "browser-window", "1280x800") },
    { OPTION("browser.mobile", TEXT(browser.mobile, "WxH@N"),
             "imitate a phone of this size in CSS pixels and with N pixels for "
             "each, such as 360x800@3",
             SQ_USE_DEVICES, "browser-mobile", NULL) },
    { OPTION("browser.downloads", TEXT(browser.downloads, "DIR"),
             "folder for downloads; unset: they are refused", SQ_USE_DEVICES,
             "browser-downloads", NULL) },
    { OPTION("browser.upload", TEXT(browser.upload, "DIR"),
             "folder whose files can be given to pages; unset: none",
             SQ_USE_DEVICES, "browser-upload", NULL) },
    { OPTION("browser.profile", TEXT(browser.profile, "NAME"),
             "keep logins and cookies of this name for the next time; unset: "
             "they are removed at the end",
             SQ_USE_DEVICES, "browser-profile", NULL) },
    { OPTION("browser.visible", BOOL(browser.visible),
             "show its window, so that a person can log in", SQ_USE_DEVICES,
             "browser-visible", "false") },
    { OPTION("browser.attach", TEXT(browser.attach, "PORT|FILE"),
             "use a Chromium that is running: its port for debugging, or its "
             "file DevToolsActivePort",
             SQ_USE_DEVICES, "browser-attach", NULL) },
    { OPTION("browser.path", TEXT(browser.path, "FILE"),
             "path of a Chromium, if it is not in PATH", SQ_USE_DEVICES,
             "browser-path", NULL) },
    { OPTION(
        "webdriver.endpoints", LIST(webdriver.endpoints, "NAME=URL"),
        "servers that lend devices: Appium, Selenium Grid, chromedriver; "
        "NAME=URL, or NAME=URL CAPABILITIES with those as JSON; ${VARIABLE} "
        "is replaced",
        SQ_USE_DEVICES, "webdriver", "") },
    { OPTION("webdriver.idleSeconds", INT(webdriver.idle_seconds, 1, 24 * 3600),
             "how long a session of such a server is kept without a call",
             SQ_USE_CALLS, "webdriver-idle-seconds", "600") },
    { OPTION("output.directory", TEXT(output.directory, "DIR"),
             "folder for screenshots", SQ_USE_OUTPUT, "output-directory",
             ".squint/screenshots") },
    { OPTION("archive.roots", LIST(archive.roots, "DIR"),
             "folders of past screenshots, each with what may leave it: DIR, "
             "or DIR=none, =metadata, =labels, =thumbnail, =full; the "
             "strictest entry that covers a file holds",
             SQ_USE_PAST, "archive", "") },
    { OPTION(
          "archive.manicTimeDirectory",
          TEXT(archive.manictime_directory, "DIR"),
          "ManicTime's data: its screenshots and ManicTimeReports.db; unset: "
          "where ManicTime has it, with =thumbnail, if no folder is named",
          SQ_USE_PAST, "manictime", NULL),
      .variable = "MANICTIME_DATA_DIR" },
    { OPTION("archive.timeZone", TEXT(archive.time_zone, "NAME"),
             "time zone of times without an offset, such as Europe/Zurich; "
             "unset: that of the system",
             SQ_USE_PAST, "time-zone", NULL) },
    { OPTION("archive.activity", CHOICE(archive.activity, activities, "WHO"),
             "program that recorded the user's activities", SQ_USE_ACTIVITY,
             "activity", "auto") },
    { OPTION("archive.activityPath", TEXT(archive.activity_path, "FILE"),
             "database of activities, or a CSV file with start,end,label",
             SQ_USE_ACTIVITY, "activity-path", NULL) },
    { OPTION("archive.activityWatchUrl",
             TEXT(archive.activity_watch_url, "URL"),
             "address of the ActivityWatch server", SQ_USE_ACTIVITY,
             "activity-watch-url", "http://localhost:5600") },
    { OPTION("archive.saveDirectory", TEXT(archive.save_directory, "DIR"),
             "folder for saved copies of past screenshots; unset: saving is "
             "disabled",
             SQ_USE_SAVES, "save-directory", NULL) },
    { OPTION("archive.names", LIST(archive.names, "PATTERN"),
             "names of your own screenshots, such as shot-%Y%M%D-%h%m%s; "
             "docs/archive.md describes the patterns",
             SQ_USE_PAST, "archive-names", "") },
    { OPTION("archive.exclude", LIST(archive.exclude, "WHEN"),
             "times whose past screenshots do not exist for the model: "
             "Sat-Sun, Mon-Fri 20:00-06:00, 2026-09-07",
             SQ_USE_PAST, "exclude", "") },
    { OPTION("archive.excludeApps", LIST(archive.exclude_apps, "A,B"),
             "apps whose past screenshots do not exist for the model: words of "
             "their names; nor do those whose app is not known",
             SQ_USE_PAST, "exclude-apps", "") },
    { OPTION("archive.excludeTitles", LIST(archive.exclude_titles, "REGEX"),
             "the same by window titles: POSIX extended regular expressions, "
             "in any case",
             SQ_USE_PAST, "exclude-titles", "") },
    { OPTION("archive.index", BOOL(archive.index),
             "while serving, read the text of new past screenshots, for "
             "search_screenshots",
             SQ_USE_SERVES, "archive-index", "false") },
    { OPTION("redact.passwords",
             CHOICE(redact.passwords, password_words, "WHEN"),
             "when the elements are read to hide password fields in pictures: "
             "while one is focused, always, or only where they are known",
             SQ_USE_CAPTURES, "redact-passwords", "focused") },
    { OPTION("redact.presets", LIST(redact.presets, "A,B"),
             "text to hide in pictures and replies: cards, emails, keys; needs "
             "ui.ocrEnabled",
             SQ_USE_CALLS | SQ_USE_PICTURES, "redact", "") },
    { OPTION("redact.patterns", LIST(redact.patterns, "REGEX"),
             "more such text: POSIX extended regular expressions",
             SQ_USE_CALLS | SQ_USE_PICTURES, "redact-patterns", "") },
    { OPTION("redact.regions", LIST(redact.regions, "X Y W H"),
             "parts of every picture to hide, in percent: 0 0 100 5",
             SQ_USE_PICTURES, "redact-regions", "") },
    { OPTION("redact.apps", LIST(redact.apps, "A,B"),
             "apps whose pictures are hidden: packages, or words of activities",
             SQ_USE_PICTURES, "redact-apps", "") },
    { OPTION("journal.path", TEXT(journal.path, "FILE"),
             "record the calls of clients and their answers in this new file, "
             "or in a new file in this folder",
             SQ_USE_SERVES, "journal", NULL) },
    { OPTION("journal.maxMegabytes", INT(journal.max_megabytes, 1, 1000),
             "size at which a journal ends", SQ_USE_SERVES,
             "journal-max-megabytes", "256") },
    { OPTION("journal.keepDays", INT(journal.keep_days, 0, 3650),
             "days after which a journal that the inspector recorded is "
             "removed; 0: never",
             SQ_USE_INSPECTS, "journal-keep-days", "30") },
    { OPTION("secrets.allow", LIST(secrets.allow, "NAME=APP"),
             "stored secrets that input may type, each with an app or web "
             "origin whose hidden fields may get it: pin=com.bank.app, "
             "web=https://bank.example",
             SQ_USE_SECRETS, "allow-secret", "") },
    { OPTION("secrets.file", TEXT(secrets.file, "FILE"),
             "private file with these secrets, a line NAME=VALUE for each; "
             "unset: the keyring of the user",
             SQ_USE_SECRETS, "secret-file", NULL) },
    { OPTION("audit.path", TEXT(audit.path, "FILE"),
             "add a line for each call of a client and each refusal to this "
             "audit log",
             SQ_USE_AUDIT, "audit", NULL) },
    { OPTION("audit.maxMegabytes", INT(audit.max_megabytes, 1, 1000),
             "size at which FILE becomes FILE.1; 9 such files are kept",
             SQ_USE_SERVES, "audit-max-megabytes", "16") },
    { OPTION("security.sandbox", BOOL(security.sandbox),
             "confine the server to its files, ports and system calls, as far "
             "as the system can",
             SQ_USE_SERVES, "sandbox", "true") },
    { OPTION("security.allowDevices", LIST(security.allow_devices, "ID"),
             "use only these devices", SQ_USE_CALLS | SQ_USE_SERVES,
             "allow-device", "") },
    { OPTION("security.allowApps", LIST(security.allow_apps, "PACKAGE"),
             "act only while one of these apps is in front",
             SQ_USE_CALLS | SQ_USE_SERVES, "allow-app", "") },
    { OPTION("security.allowRead", LIST(security.allow_read, "A,B"),
             "with --read-only: also read these, which show more than the "
             "screen does: logs, notifications",
             SQ_USE_CALLS | SQ_USE_SERVES, "allow-read", "") },
    { OPTION("security.deny", LIST(security.deny, "A,B"),
             "operations that are not offered: install, open",
             SQ_USE_CALLS | SQ_USE_SERVES, "deny", "") },
    { OPTION("security.confirm", LIST(security.confirm, "A,B"),
             "operations for which the user is asked through the client; "
             "NAME=person: in the inspector, or by squint approve",
             SQ_USE_SERVES, "confirm", "") },
    { OPTION("security.maxActionsPerMinute",
             INT(security.max_actions_per_minute, 0, SQ_MAX_ACTIONS_PER_MINUTE),
             "actions of all clients within a minute; 0: any number",
             SQ_USE_SERVES, "max-actions-per-minute", "0") },
    { OPTION(
        "log.level", CHOICE(log.level, log_levels, "LEVEL"),
        "messages on standard error: info adds what is served, debug each call",
        SQ_USE_ALL, "log-level", "warning") },
};

const struct sq_config_option *
sq_config_option_at(size_t index) {
    return index < SQ_COUNT(options) ? &options[index] : NULL;
}

const struct sq_config_option *
sq_config_option_by_key(struct sq_span key) {
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
        if (sq_span_is(key, options[i].arg.name)) {
            return &options[i];
        }
    }
    return NULL;
}

const struct sq_config_option *
sq_config_option_by_flag(struct sq_span flag) {
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
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
    for (size_t i = 0; letter && i < SQ_COUNT(options); i++) {
        if (options[i].arg.letter == letter) {
            return &options[i];
        }
    }
    return NULL;
}

bool
sq_config_is_section(struct sq_span word) {
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
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
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
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

const char *
sq_config_variable(const struct sq_config_option *option,
                   char out[SQ_CONFIG_VARIABLE_SIZE]) {
    size_t used = (size_t)snprintf(out, SQ_CONFIG_VARIABLE_SIZE, "SQUINT_");
    if (option->variable) {
        return option->variable;
    }
    for (const char *c = option->arg.name;
         *c && used + 3 < SQ_CONFIG_VARIABLE_SIZE; c++) {
        bool is_capital = *c >= 'A' && *c <= 'Z';
        bool is_small = *c >= 'a' && *c <= 'z';
        if (is_capital) {
            out[used++] = '_';
        }
        out[used++] = *c == '.' ? '_' : is_small ? (char)(*c - 'a' + 'A') : *c;
    }
    out[used] = '\0';
    return out;
}

bool
sq_config_is_variable(struct sq_span name) {
    struct sq_span number = name; /* of a secret, for squint replay */
    bool found = sq_span_is(name, "SQUINT_CONFIG")
              || (sq_span_take_prefix(&number, "SQUINT_SECRET_")
                  && number.len > 0 && number.ptr[0] <= '9');
    for (size_t i = 0; !found && i < SQ_COUNT(options); i++) {
        char known[SQ_CONFIG_VARIABLE_SIZE];
        found = sq_span_is(name, sq_config_variable(&options[i], known));
    }
    return found;
}

void
sq_config_nearest_variable(struct sq_span word, struct sq_nearest *out) {
    sq_nearest_begin(out, word);
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
        char known_name[SQ_CONFIG_VARIABLE_SIZE];
        const char *name = sq_config_variable(&options[i], known_name);
        struct sq_span known = sq_span_of(name);
        if (sq_span_take_prefix(&known, "SQUINT_")) {
            sq_nearest_try_as(out, known.ptr, name);
        }
    }
}

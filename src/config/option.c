/* The option table, and lookups in it. */
#include "config/option.h"

#include <assert.h>
#include <string.h>

#include "image/measure/tokens.h"
#include "util/limits.h"

static const char *
word_at(const char *const *words, size_t count, size_t index) {
    return index < count ? words[index] : NULL;
}

static const char *
receipt_at(size_t index) {
    static const char *const words[] = { "none", "fast", "full" };
    return word_at(words, sizeof(words) / sizeof(words[0]), index);
}

static const char *
activity_at(size_t index) {
    static const char *const words[] = { "auto", "manictime", "activitywatch",
                                         "csv",  "visual",    "none" };
    return word_at(words, sizeof(words) / sizeof(words[0]), index);
}

static const char *
log_level_at(size_t index) {
    static const char *const words[] = { "error", "warning", "info", "debug" };
    return word_at(words, sizeof(words) / sizeof(words[0]), index);
}

const char *
sq_config_profile_at(size_t index) {
    const struct sq_token_profile *profile = sq_token_profile_at(index);
    return profile ? profile->name : NULL;
}

/* The offset of a field. Does not compile if the field has another type. */
#define FIELD(field, kind)                                                     \
    (offsetof(struct sq_config, field)                                         \
     + 0                                                                       \
           * sizeof(                                                           \
               char[_Generic(((struct sq_config *)0)->field, kind : 1, default \
                             : -1)]))

#define BOOL(field) .type = SQ_CONFIG_BOOL, .offset = FIELD(field, bool)
#define TRI(field) .type = SQ_CONFIG_TRI, .offset = FIELD(field, enum sq_tri)
#define INT(field, low, high)                                                  \
    .type = SQ_CONFIG_INT, .offset = FIELD(field, int), .min = (low),          \
    .max = (high), .value = "N"
#define NUMBER(field, low, high)                                               \
    .type = SQ_CONFIG_NUMBER, .offset = FIELD(field, double), .min = (low),    \
    .max = (high), .value = "N"
#define CHOICE(field, words, what)                                             \
    .type = SQ_CONFIG_CHOICE, .offset = FIELD(field, int),                     \
    .choice_at = (words), .value = (what)
#define TEXT(field, what)                                                      \
    .type = SQ_CONFIG_TEXT, .offset = FIELD(field, const char *),              \
    .value = (what)
#define LIST(field, what)                                                      \
    .type = SQ_CONFIG_LIST, .offset = FIELD(field, struct sq_config_list),     \
    .value = (what)

static const struct sq_config_option options[] = {
    { .key = "ui.visualModePackages",
      .variable = "SQUINT_UI_VISUAL_MODE_PACKAGES",
      .flag = "visual-mode-packages",
      LIST(ui.visual_mode_packages, "A,B"),
      .initial = "",
      .text = "apps whose element tree is never read: find gives a picture" },
    { .key = "ui.autoFallbackScreenshot",
      .variable = "SQUINT_UI_AUTO_FALLBACK_SCREENSHOT",
      .flag = "auto-fallback-screenshot",
      BOOL(ui.auto_fallback_screenshot),
      .initial = "true",
      .text = "give a picture when find finds nothing" },
    { .key = "ui.includeBase64",
      .variable = "SQUINT_UI_INCLUDE_BASE64",
      .flag = "include-base64",
      TRI(ui.include_base64),
      .text = "false: such a picture is only a path, not an image" },
    { .key = "ui.maxImageDimension",
      .variable = "SQUINT_UI_MAX_IMAGE_DIMENSION",
      .flag = "max-image-dimension",
      INT(ui.max_image_dimension, 1, SQ_MAX_SIDE),
      .initial = "1000",
      .text = "pixels of the long side of a screenshot" },
    { .key = "ui.ocrEnabled",
      .variable = "SQUINT_UI_OCR_ENABLED",
      .flag = "ocr-enabled",
      BOOL(ui.ocr_enabled),
      .initial = "false",
      .text = "offer to find text in pictures" },
    { .key = "ui.templateMatchingEnabled",
      .variable = "SQUINT_UI_TEMPLATE_MATCHING_ENABLED",
      .flag = "template-matching-enabled",
      BOOL(ui.template_matching_enabled),
      .initial = "false",
      .text = "offer to find pictures in pictures" },
    { .key = "ui.receipt",
      .variable = "SQUINT_UI_RECEIPT",
      .flag = "receipt",
      CHOICE(ui.receipt, receipt_at, "HOW"),
      .initial = "fast",
      .text = "what a tap tells about its effect" },
    { .key = "model.profile",
      .variable = "SQUINT_MODEL_PROFILE",
      .flag = "profile",
      CHOICE(model.profile, sq_config_profile_at, "NAME"),
      .initial = "claude",
      .text = "how the model counts the tokens of a picture" },
    { .key = "tools.split",
      .variable = "SQUINT_TOOLS_SPLIT",
      .flag = "tools",
      BOOL(tools.split),
      .flag_words = { "ui", "split" },
      .initial = "false",
      .text = "one tool per operation instead of the one tool ui" },
    { .key = "tools.readOnly",
      .variable = "SQUINT_TOOLS_READ_ONLY",
      .flag = "read-only",
      BOOL(tools.read_only),
      .initial = "false",
      .text = "only look: no operation that acts" },
    { .key = "limits.maxResultBytes",
      .variable = "SQUINT_LIMITS_MAX_RESULT_BYTES",
      .flag = "max-result-bytes",
      INT(limits.max_result_bytes, 16 << 10, 10 << 20),
      .initial = "1048576",
      .text = "bytes of a reply; larger pictures shrink or become links" },
    { .key = "limits.timeoutMs",
      .variable = "SQUINT_LIMITS_TIMEOUT_MS",
      .flag = "timeout-ms",
      INT(limits.timeout_ms, 100, 600000),
      .initial = "10000",
      .text = "milliseconds a device may take to answer" },
    { .key = "limits.drainMs",
      .variable = "SQUINT_LIMITS_DRAIN_MS",
      .flag = "drain-ms",
      INT(limits.drain_ms, 1, 600000),
      .initial = "1000",
      .text = "milliseconds calls may go on when the client ends its input" },
    { .key = "demo.width",
      .variable = "SQUINT_DEMO_WIDTH",
      .flag = "demo-width",
      INT(demo.width, 240, 4096),
      .initial = "1080",
      .text = "pixels of the demo phone" },
    { .key = "demo.height",
      .variable = "SQUINT_DEMO_HEIGHT",
      .flag = "demo-height",
      INT(demo.height, 240, 4096),
      .initial = "2400",
      .text = "pixels of the demo phone" },
    { .key = "demo.density",
      .variable = "SQUINT_DEMO_DENSITY",
      .flag = "demo-density",
      NUMBER(demo.density, 0.75, 6),
      .initial = "2.625",
      .text = "pixels per dp of the demo phone" },
    { .key = "demo.seed",
      .variable = "SQUINT_DEMO_SEED",
      .flag = "demo-seed",
      INT(demo.seed, 0, 2147483647),
      .initial = "1",
      .text = "the same seed and clock give the same screens" },
    { .key = "android.adbServer",
      .variable = "SQUINT_ANDROID_ADB_SERVER",
      .flag = "adb-server",
      TEXT(android.adb_server, "ADDRESS"),
      .text = "tcp:HOST:PORT of the adb server, if not the usual one; or off" },
    { .key = "android.adbPath",
      .variable = "SQUINT_ANDROID_ADB_PATH",
      .flag = "adb-path",
      TEXT(android.adb_path, "FILE"),
      .text = "the program adb, if not that of the Android SDK or PATH" },
    { .key = "android.startServer",
      .variable = "SQUINT_ANDROID_START_SERVER",
      .flag = "start-adb",
      BOOL(android.start_server),
      .initial = "true",
      .text = "start the adb server where it does not run" },
    { .key = "output.directory",
      .variable = "SQUINT_OUTPUT_DIRECTORY",
      .flag = "output-directory",
      TEXT(output.directory, "DIR"),
      .initial = ".squint/screenshots",
      .text = "where screenshots are written" },
    { .key = "archive.roots",
      .variable = "SQUINT_ARCHIVE_ROOTS",
      .flag = "archive",
      LIST(archive.roots, "DIR"),
      .initial = "",
      .text = "past screenshots: DIR or DIR=metadata, =labels, =thumbnail, "
              "=full" },
    { .key = "archive.manicTimeDirectory",
      .variable = "MANICTIME_DATA_DIR",
      .flag = "manictime",
      TEXT(archive.manictime_directory, "DIR"),
      .text = "ManicTime's data: its screenshots and ManicTimeReports.db" },
    { .key = "archive.timeZone",
      .variable = "SQUINT_ARCHIVE_TIME_ZONE",
      .flag = "time-zone",
      TEXT(archive.time_zone, "NAME"),
      .text = "zone of times without an offset, as Europe/Zurich; none: the "
              "system's" },
    { .key = "archive.activity",
      .variable = "SQUINT_ARCHIVE_ACTIVITY",
      .flag = "activity",
      CHOICE(archive.activity, activity_at, "WHO"),
      .initial = "auto",
      .text = "who knows what was done when" },
    { .key = "archive.activityPath",
      .variable = "SQUINT_ARCHIVE_ACTIVITY_PATH",
      .flag = "activity-path",
      TEXT(archive.activity_path, "FILE"),
      .text = "database or CSV table (start,end,label) of activities" },
    { .key = "archive.activityWatchUrl",
      .variable = "SQUINT_ARCHIVE_ACTIVITY_WATCH_URL",
      .flag = "activity-watch-url",
      TEXT(archive.activity_watch_url, "URL"),
      .initial = "http://localhost:5600",
      .text = "ActivityWatch's server on this machine" },
    { .key = "archive.saveDirectory",
      .variable = "SQUINT_ARCHIVE_SAVE_DIRECTORY",
      .flag = "save-directory",
      TEXT(archive.save_directory, "DIR"),
      .text = "where copies of past screenshots may be saved; none: nowhere" },
    { .key = "log.level",
      .variable = "SQUINT_LOG_LEVEL",
      .flag = "log-level",
      CHOICE(log.level, log_level_at, "LEVEL"),
      .initial = "warning",
      .text = "what is worth a line on standard error" },
};
#define OPTIONS (sizeof(options) / sizeof(options[0]))

const struct sq_config_option *
sq_config_option_at(size_t index) {
    return index < OPTIONS ? &options[index] : NULL;
}

const struct sq_config_option *
sq_config_option_by_key(struct sq_span key) {
    for (size_t i = 0; i < OPTIONS; i++) {
        if (sq_span_is(key, options[i].key)) {
            return &options[i];
        }
    }
    return NULL;
}

const struct sq_config_option *
sq_config_option_by_flag(struct sq_span flag) {
    for (size_t i = 0; i < OPTIONS; i++) {
        if (sq_span_is(flag, options[i].flag)) {
            return &options[i];
        }
    }
    return NULL;
}

bool
sq_config_is_section(struct sq_span word) {
    for (size_t i = 0; i < OPTIONS; i++) {
        struct sq_span key = sq_span_of(options[i].key);
        if (word.len < key.len && key.ptr[word.len] == '.'
            && memcmp(key.ptr, word.ptr, word.len) == 0) {
            return true;
        }
    }
    return false;
}

#define MAX_COMPARED 48

/* Returns the edit distance of two words. */
static size_t
distance(struct sq_span a, struct sq_span b) {
    size_t row[MAX_COMPARED + 1];
    assert(b.len <= MAX_COMPARED);
    for (size_t j = 0; j <= b.len; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t best = diagonal
                        + (sq_ascii_lower(a.ptr[i - 1])
                           != sq_ascii_lower(b.ptr[j - 1]));
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[b.len];
}

static struct sq_span
last_word(struct sq_span key) {
    struct sq_span taken;
    while (sq_span_take_until(&key, '.', &taken)) {
    }
    return key;
}

const char *
sq_config_nearest_key(struct sq_span key) {
    const char *nearest = NULL;
    size_t least = 0;
    if (key.len > MAX_COMPARED) {
        return NULL;
    }
    for (size_t i = 0; i < OPTIONS; i++) {
        struct sq_span known = sq_span_of(options[i].key);
        /* The right word in the wrong section counts as similar, too. */
        size_t whole = distance(key, known);
        size_t part = distance(last_word(key), last_word(known)) + 1;
        size_t change = whole < part ? whole : part;
        if (change <= last_word(known).len / 3 + 1
            && (!nearest || change < least)) {
            nearest = options[i].key;
            least = change;
        }
    }
    return nearest;
}

/* Every option from every source, and the table itself. */

#include <ctype.h>

#include "image/measure/measure.h"
#include "tools/reply.h"
#include "unit/config/loading.h"

/* For each option a value that is not its default, and its stored form. */
static const struct sample {
    const char *key;
    const char *text; /* in the environment and as a flag */
    const char *yaml; /* in the file; NULL: the same */
    const char *kept;
} samples[] = {
    { "ui.visualModePackages", "com.a, com.b", "[com.a, \"com.b\"]",
      "com.a,com.b," },
    { "ui.autoFallbackScreenshot", "false", NULL, "false" },
    { "ui.includeBase64", "false", NULL, "false" },
    { "ui.maxImageDimension", "16384", NULL, "16384" },
    { "ui.format", "auto", NULL, "3" },
    { "ui.ocrEnabled", "true", "True", "true" },
    { "ui.ocrLanguage", "deu", NULL, "deu" },
    { "ui.templateMatchingEnabled", "yes", "on", "true" },
    { "ui.receipt", "full", "\"full\"", "2" },
    { "ui.replies", "short", "\"short\"", "1" },
    { "ui.watchMs", "1200", NULL, "1200" },
    { "model.profile", "gemini-3", NULL, "16" },
    { "tools.split", "1", "true", "true" },
    { "tools.readOnly", "on", "yes", "true" },
    { "tools.openSchemes", "myapp,other", "[myapp, other]", "myapp,other," },
    { "tools.installFrom", "/apps", NULL, "/apps" },
    { "limits.maxResultBytes", "16384", NULL, "16384" },
    { "limits.timeoutMs", "600000", NULL, "600000" },
    { "limits.drainMs", "5000", NULL, "5000" },
    { "demo.width", "240", NULL, "240" },
    { "demo.height", "4096", NULL, "4096" },
    { "demo.density", "1.5", NULL, "1.5" },
    { "demo.seed", "2147483647", NULL, "2147483647" },
    { "demo.reactionMs", "300", NULL, "300" },
    { "demo.pressedMs", "800", NULL, "800" },
    { "devices.default", "emulator-5554", NULL, "emulator-5554" },
    { "android.adbServer", "tcp:10.0.0.2:5037", NULL, "tcp:10.0.0.2:5037" },
    { "android.adbPath", "/opt/sdk/adb", NULL, "/opt/sdk/adb" },
    { "android.startServer", "no", "off", "false" },
    { "android.eye", "on", "\"on\"", "2" },
    { "android.emulator", "fast", NULL, "1" },
    { "browser.enabled", "true", NULL, "true" },
    { "browser.allow", "*, http://a:1", "['*', 'http://a:1']",
      "*,http://a:1," },
    { "browser.window", "900x700", NULL, "900x700" },
    { "browser.mobile", "360x800@3", NULL, "360x800@3" },
    { "browser.downloads", "/tmp/got", NULL, "/tmp/got" },
    { "browser.upload", "/tmp/give", NULL, "/tmp/give" },
    { "browser.profile", "work", NULL, "work" },
    { "browser.visible", "true", NULL, "true" },
    { "browser.attach", "9222", "\"9222\"", "9222" },
    { "browser.path", "/opt/chrome", NULL, "/opt/chrome" },
    { "webdriver.endpoints", "a=http://a:1, http://b",
      "['a=http://a:1', 'http://b']", "a=http://a:1,http://b," },
    { "webdriver.idleSeconds", "90", NULL, "90" },
    { "output.directory", "/tmp/shots of \xc3\xbc", "'/tmp/shots of \xc3\xbc'",
      "/tmp/shots of \xc3\xbc" },
    { "archive.roots", "/a, /b=full", "[/a, /b=full]", "/a,/b=full," },
    { "archive.manicTimeDirectory", "/data", NULL, "/data" },
    { "archive.timeZone", "Europe/Zurich", NULL, "Europe/Zurich" },
    { "archive.activity", "csv", NULL, "3" },
    { "archive.activityPath", "/a.csv", NULL, "/a.csv" },
    { "archive.activityWatchUrl", "http://[::1]:1", "'http://[::1]:1'",
      "http://[::1]:1" },
    { "archive.saveDirectory", "saved", NULL, "saved" },
    { "archive.names", "shot-%Y%M%D", "[shot-%Y%M%D]", "shot-%Y%M%D," },
    { "archive.exclude", "Sat-Sun", "[Sat-Sun]", "Sat-Sun," },
    { "archive.excludeApps", "Bank", "[Bank]", "Bank," },
    { "archive.excludeTitles", "diary", "[diary]", "diary," },
    { "archive.index", "true", NULL, "true" },
    { "redact.passwords", "always", NULL, "2" },
    { "redact.presets", "cards, keys", "[cards, keys]", "cards,keys," },
    { "redact.patterns", "PO[0-9]+", "['PO[0-9]+']", "PO[0-9]+," },
    { "redact.regions", "0 0 100 5", "['0 0 100 5']", "0 0 100 5," },
    { "redact.apps", "com.bank, Mail", "[com.bank, Mail]", "com.bank,Mail," },
    { "journal.path", "/tmp/journals", NULL, "/tmp/journals" },
    { "journal.maxMegabytes", "7", NULL, "7" },
    { "journal.keepDays", "0", NULL, "0" },
    { "secrets.allow", "pin=com.bank", "[pin=com.bank]", "pin=com.bank," },
    { "secrets.file", "/tmp/secrets", NULL, "/tmp/secrets" },
    { "audit.path", "/tmp/audit.jsonl", NULL, "/tmp/audit.jsonl" },
    { "audit.maxMegabytes", "7", NULL, "7" },
    { "security.sandbox", "no", "off", "false" },
    { "security.allowDevices", "demo, a:1", "[demo, 'a:1']", "demo,a:1," },
    { "security.allowApps", "com.shop", "[com.shop]", "com.shop," },
    { "security.allowRead", "logs", "[logs]", "logs," },
    { "security.deny", "tap, key", "[tap, key]", "tap,key," },
    { "security.confirm", "tap=person", "['tap=person']", "tap=person," },
    { "security.maxActionsPerMinute", "30", NULL, "30" },
    { "log.level", "debug", NULL, "3" },
};

/* A field as text. */
static const char *
kept(const struct sq_config_option *option) {
    static char text[600];
    const void *field = (const char *)&loading.config + option->arg.offset;
    const struct sq_strings *list = field;
    text[0] = '\0';
    switch (option->arg.type) {
    case SQ_ARG_BOOL:
        if (!option->arg.is_plain) {
            const struct sq_opt_bool *optional = field;
            T(optional->given);
            return optional->value ? "true" : "false";
        }
        return *(const bool *)field ? "true" : "false";
    case SQ_ARG_INT:
    case SQ_ARG_CHOICE:
        snprintf(text, sizeof(text), "%d", *(const int *)field);
        break;
    case SQ_ARG_NUMBER:
        snprintf(text, sizeof(text), "%g", *(const double *)field);
        break;
    case SQ_ARG_TEXT:
        return *(const char *const *)field;
    case SQ_ARG_OBJECT:
        T(false && "an option cannot be an object");
        break;
    case SQ_ARG_LIST:
        for (size_t i = 0; i < list->count; i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof(text) - used, "%s,", list->items[i]);
        }
        break;
    }
    return text;
}

static const struct sq_config_option *
option_of(const struct sample *sample) {
    const struct sq_config_option *option =
        sq_config_option_by_key(sq_span_of(sample->key));
    T(option != NULL);
    return option;
}

T_CASE(every_option_has_a_sample) {
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        T(sq_config_option_at(i) == option_of(&samples[i]));
    }
    T(sq_config_option_at(SQ_COUNT(samples)) == NULL);
}

T_CASE(every_option_is_read_from_the_file) {
    loading_start();
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        char text[1024];
        const char *dot = strchr(samples[i].key, '.');
        snprintf(text, sizeof(text), "%.*s:\n  %s: %s\n",
                 (int)(dot - samples[i].key), samples[i].key, dot + 1,
                 samples[i].yaml ? samples[i].yaml : samples[i].text);
        load_text(text);
        T_INT(loading.config.warnings.count, 0);
        T_STR(kept(option_of(&samples[i])), samples[i].kept);
        T(!is_default());
    }
    loading_end();
}

T_CASE(every_option_is_read_from_the_environment) {
    loading_start();
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        const struct sq_config_option *option = option_of(&samples[i]);
        char name[SQ_CONFIG_VARIABLE_SIZE];
        setenv(sq_config_variable(option, name), samples[i].text, 1);
        load();
        unsetenv(sq_config_variable(option, name));
        T_OK(loading.ok, &loading.err);
        T_INT(loading.config.warnings.count, 0);
        T_STR(kept(option), samples[i].kept);
    }
    loading_end();
}

static bool
is_switch(const struct sq_config_option *option) {
    return option->arg.type == SQ_ARG_BOOL && !option->flag_words[0];
}

T_CASE(every_option_is_read_from_a_flag) {
    loading_start();
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        const struct sq_config_option *option = option_of(&samples[i]);
        const char *text =
            option->flag_words[0] ? option->flag_words[1] : samples[i].text;
        char word[600];
        snprintf(word, sizeof(word), "--%s=%s", option->flag, text);
        take_flag(word, NULL);
        load();
        T_OK(loading.ok, &loading.err);
        T_STR(kept(option), samples[i].kept);
        if (!is_switch(option)) {
            snprintf(word, sizeof(word), "--%s", option->flag);
            take_flag(word, text);
            load();
            T_OK(loading.ok, &loading.err);
            T_STR(kept(option), samples[i].kept);
        }
    }
    loading_end();
}

T_CASE(switches_need_no_value) {
    loading_start();
    take_flag("--read-only", NULL);
    load();
    T(loading.config.tools.read_only);
    take_flag("--no-auto-fallback-screenshot", NULL);
    load();
    T(!loading.config.ui.auto_fallback_screenshot);
    take_flag("--include-base64", NULL);
    load();
    T(loading.config.ui.include_base64.given
      && loading.config.ui.include_base64.value);
    take_flag("--no-include-base64", NULL);
    load();
    T(loading.config.ui.include_base64.given
      && !loading.config.ui.include_base64.value);
    take_flag("--tools", "ui");
    load();
    T(!loading.config.tools.split);
    loading_end();
}

T_CASE(other_flags_are_left) {
    static const char *const others[] = {
        "word",
        "-",
        "--",
        "--nonsense",
        "--nonsense=5",
        "-r",
        "--no-",
        "--receip",
        "--receipts",
        "--no-receipt",
        "--no-tools",
        "--no-demo-seed",
        "--config2",
        "",
        "--no-read-only=true",
    };
    struct sq_config_flags flags = { 0 };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        char word[64];
        char next[] = "next";
        char *argv[] = { word, next };
        int used = -1;
        snprintf(word, sizeof(word), "%s", others[i]);
        T_OK(sq_config_take_flag(&flags, 2, argv, &used, &t_err));
        T_INT(used, 0);
        T_INT(flags.count, 0);
        T(flags.file == NULL);
    }
}

T_CASE(incomplete_flags_are_refused) {
    static const char *const words[] = { "--receipt", "--config", "--tools",
                                         "--config=" };
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        struct sq_config_flags flags = { 0 };
        char word[64];
        char *argv[] = { word };
        int used = -1;
        snprintf(word, sizeof(word), "%s", words[i]);
        T_FAILS(sq_config_take_flag(&flags, 1, argv, &used, &t_err),
                SQ_ERR_ARGUMENT);
        T_INT(used, -1);
    }
    struct sq_config_flags flags = { .count = SQ_CONFIG_MAX_FLAGS };
    char word[] = "--read-only";
    char *argv[] = { word };
    int used = -1;
    T(!sq_config_take_flag(&flags, 1, argv, &used, &t_err));
    T_STR(t_err.message, "--read-only is one flag too many");
}

T_CASE(last_flag_is_used) {
    struct sq_config_flags flags = { 0 };
    char a[] = "--demo-seed=1";
    char b[] = "--demo-seed=2";
    char *first[] = { a };
    char *second[] = { b };
    int used;
    loading_start();
    T(sq_config_take_flag(&flags, 1, first, &used, &loading.err));
    T(sq_config_take_flag(&flags, 1, second, &used, &loading.err));
    loading.flags = flags;
    load();
    T_INT(loading.config.demo.seed, 2);
    loading_end();
}

/* ui.maxImageDimension is SQUINT_UI_MAX_IMAGE_DIMENSION. */
T_CASE(variables_are_named_after_keys) {
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        char want[128] = "SQUINT_";
        size_t used = strlen(want);
        for (const char *at = option->arg.name; *at; at++) {
            if (isupper((unsigned char)*at)) {
                want[used++] = '_';
            }
            want[used++] = *at == '.' ? '_' : (char)toupper(*at);
        }
        want[used] = '\0';
        /* The variables whose names other programs defined. */
        bool is_manictime =
            strcmp(option->arg.name, "archive.manicTimeDirectory") == 0;
        bool is_adb = strcmp(option->arg.name, "devices.default") == 0;
        char name[SQ_CONFIG_VARIABLE_SIZE];
        T_STR(sq_config_variable(option, name), is_manictime
                                                    ? "MANICTIME_DATA_DIR"
                                                : is_adb ? "ANDROID_SERIAL"
                                                         : want);
    }
}

T_CASE(names_are_unique) {
    const struct sq_config_option *a;
    const struct sq_config_option *b;
    for (size_t i = 0; (a = sq_config_option_at(i)); i++) {
        T(sq_config_is_section(
            (struct sq_span){ a->arg.name, strcspn(a->arg.name, ".") }));
        for (size_t j = 0; j < i && (b = sq_config_option_at(j)); j++) {
            T(strcmp(a->arg.name, b->arg.name) != 0
              && strcmp(a->flag, b->flag) != 0);
            T(a->arg.offset != b->arg.offset);
        }
    }
    T(!sq_config_is_section(SQ_SPAN("")));
    T(!sq_config_is_section(SQ_SPAN("u")));
    T(!sq_config_is_section(SQ_SPAN("uix")));
}

T_CASE(defaults_match_the_specification) {
    struct sq_config config;
    sq_config_defaults(&config);
    T_INT(config.ui.visual_mode_packages.count, 0);
    T(config.ui.auto_fallback_screenshot);
    T(config.ui.include_base64.value);
    T_INT(sq_reply_max_dimension(&config), 1000);
    T(!config.ui.ocr_enabled && !config.ui.template_matching_enabled);
    T_INT(config.ui.receipt, SQ_RECEIPT_AUTO);
    T_STR(sq_token_profile_at((size_t)config.model.profile)->name, "claude");
    T(!config.tools.split && !config.tools.read_only);
    T_INT(config.limits.max_result_bytes, 1 << 20);
    T_INT(config.limits.timeout_ms, 10000);
    T_INT(config.demo.width, 1080);
    T_INT(config.demo.height, 2400);
    T(config.demo.density == 2.625);
    T_STR(config.output.directory, ".squint/screenshots");
    T_INT(config.log.level, SQ_LOG_WARNING);
}

T_CASE(lists_have_limits) {
    loading_start();
    char text[1024] = "";
    for (int i = 0; i < 257; i++) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%sa",
                 i ? "," : "");
    }
    setenv("SQUINT_UI_VISUAL_MODE_PACKAGES", text, 1);
    load();
    T_INT(loading.config.warnings.count, 1);
    T_INT(loading.config.ui.visual_mode_packages.count, 0);
    text[strlen(text) - 2] = '\0';
    setenv("SQUINT_UI_VISUAL_MODE_PACKAGES", text, 1);
    load();
    not_warned();
    T_INT(loading.config.ui.visual_mode_packages.count, 256);
    setenv("SQUINT_UI_VISUAL_MODE_PACKAGES", " , ,", 1);
    load();
    not_warned();
    T_INT(loading.config.ui.visual_mode_packages.count, 0);
    loading_end();
}

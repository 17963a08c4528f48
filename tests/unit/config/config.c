/* The rules of loading; hostile.c has the hostile files. */

#include <sys/stat.h>
#include <unistd.h>

#include "image/measure/measure.h"
#include "unit/config/loading.h"

static const char seed_file[] =
    "ui:\n"
    "  # Always skip accessibility and use visual mode for these packages\n"
    "  visualModePackages:\n"
    "    - com.problematic.app\n"
    "    - com.legacy.app.without.accessibility\n"
    "\n"
    "  # Auto-include screenshot when find returns no results (default: true)\n"
    "  autoFallbackScreenshot: false\n"
    "\n"
    "  # Include base64-encoded screenshot in response (default: false)\n"
    "  includeBase64: false\n";

T_FIXTURE(loading_start, loading_end);

T_CASE(config_loading_valid_file) {
    load_text(seed_file);
    not_warned();
    const struct sq_config *config = &loading.config;
    T_INT(config->ui.visual_mode_packages.count, 2);
    T_STR(config->ui.visual_mode_packages.items[0], "com.problematic.app");
    T(sq_config_is_visual(config, "com.legacy.app.without.accessibility"));
    T(!sq_config_is_visual(config, "com.legacy.app"));
    T(!sq_config_is_visual(config, ""));
    T(!config->ui.auto_fallback_screenshot);
    T(config->ui.include_base64.given && !config->ui.include_base64.value);
    T_STR(config->file, t_scratch_path("squint.yaml"));
    /* Merged with the defaults. */
    T_INT(config->ui.max_image_dimension, 0);
    T_STR(config->output.directory, ".squint/screenshots");
}

/* ManicTime's own folder is used if no folder is configured. */
T_CASE(manictime_is_found_in_its_usual_place) {
    setenv("XDG_DATA_HOME", t_scratch(), 1);
    load();
    T(!loading.config.archive.manictime_directory);
    T_INT(mkdir(t_scratch_path("Finkit"), 0700), 0);
    T_INT(mkdir(t_scratch_path("Finkit/ManicTime"), 0700), 0);
    const char *folder = t_text("%s", t_scratch_path("Finkit/ManicTime"));
    load();
    T_STR(loading.config.archive.manictime_directory,
          t_text("%s=thumbnail", folder));
    T_INT(loading.config.archive.manictime_source, SQ_CONFIG_FROM_USUAL_PLACE);
    load_text("archive:\n  manicTimeDirectory: /named=none\n");
    T_STR(loading.config.archive.manictime_directory, "/named=none");
    load_text("archive:\n  roots: [/elsewhere]\n");
    T(!loading.config.archive.manictime_directory);
    unsetenv("XDG_DATA_HOME");
    T_INT(rmdir(folder), 0);
    T_INT(rmdir(t_scratch_path("Finkit")), 0);
}

T_CASE(config_loading_missing_file) {
    static const char *const names[] = { "SQUINT_CONFIG", "REPLICANT_CONFIG" };
    for (size_t i = 0; i < 2; i++) {
        setenv(names[i], t_scratch_path("squint.yaml"), 1);
        load();
        unsetenv(names[i]);
        T_OK(loading.ok, &loading.err);
        const char *want = t_text(
            ", named by %s, does not exist; the defaults are used", names[i]);
        warned(want);
        T(is_default());
        T(loading.config.file == NULL);
        T(loading.config.file_failed);
    }
    take_flag("--config", t_scratch_path("squint.yaml"));
    load();
    warned(", named by --config, does not exist; the defaults are used");
}

T_CASE(config_loading_malformed_file) {
    load_text("ui:\n"
              "  maxImageDimension: 500\n"
              "  ocrEnabled: [true\n"
              "log:\n");
    warned(":4:4: did not find expected ',' or ']' while parsing a flow "
           "sequence; the defaults are used");
    /* No part of the file is applied. */
    T(is_default());
    T(loading.config.file == NULL);
    T(loading.config.file_failed);
    load_text("ui:\n\tocrEnabled: true\n");
    warned(":2:1: found character that cannot start any token while scanning "
           "for the next token; the defaults are used");
    load_text("- ui\n");
    warned(":1:1: the file should hold keys and values; the defaults are used");
    load_text("just a text\n");
    warned(":1:1: the file should hold keys and values; the defaults are used");
    load_text("ui: {receipt: none}\n---\nui: {receipt: full}\n");
    warned(":2:1: a second document begins; only one is allowed; the defaults "
           "are used");
    T(is_default());
}

T_CASE(config_loading_not_set) {
    load();
    T_OK(loading.ok, &loading.err);
    not_warned();
    T(is_default());
    T(!loading.config.file_failed);
    setenv("SQUINT_CONFIG", "", 1);
    load();
    not_warned();
    T(loading.config.file == NULL);
}

T_CASE(empty_file_is_valid) {
    static const char *const texts[] = {
        "",
        "\n",
        "# nothing\n",
        "---\n",
        "~\n",
        "ui:\n",
        "ui: {}\n",
        "ui:\n  receipt:\n",
        "\xef\xbb\xbfui:\n",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        load_text(texts[i]);
        not_warned();
        T(is_default());
        T(loading.config.file != NULL);
    }
}

T_CASE(unreadable_files_give_a_warning) {
    setenv("SQUINT_CONFIG", "/", 1);
    load();
    T_OK(loading.ok, &loading.err);
    T_INT(loading.config.warnings.count, 1);
    T_STR(loading.config.warnings.items[0],
          "/ is a folder, not a file; the defaults are used");
    T(is_default());
    T(loading.config.file_failed);
}

/* Standard input belongs to the MCP client. */
T_CASE(dash_is_a_file_name) {
    setenv("SQUINT_CONFIG", "-", 1);
    load();
    T_INT(loading.config.warnings.count, 1);
    T_STR(loading.config.warnings.items[0],
          "./-, named by SQUINT_CONFIG, does not exist; the defaults are used");
}

T_CASE(user_folder_is_searched) {
    char config[512];
    snprintf(config, sizeof(config), "%s/.config", t_scratch());
    const char *folder = t_text("%s/squint", config);
    const char *file = t_text("%s/config.yaml", folder);
    T_INT(mkdir(config, 0700), 0);
    T_INT(mkdir(folder, 0700), 0);
    t_put(file, "demo: {seed: 7}\n", 16);
    load();
    T_INT(loading.config.demo.seed, 7);
    T_STR(loading.config.file, file);
    /* A variable names another folder instead. */
    load_text("demo: {width: 300}\n");
    T_INT(loading.config.demo.seed, 1);
    T_INT(loading.config.demo.width, 300);
    unsetenv("SQUINT_CONFIG");
    setenv("XDG_CONFIG_HOME", t_scratch_path("elsewhere"), 1);
    load();
    not_warned();
    T_INT(loading.config.demo.seed, 1);
    setenv("XDG_CONFIG_HOME", config, 1);
    load();
    T_INT(loading.config.demo.seed, 7);
    /* Relative paths are to be ignored according to the specification. */
    setenv("XDG_CONFIG_HOME", "relative", 1);
    load();
    T_INT(loading.config.demo.seed, 7);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    load();
    T_INT(loading.config.demo.seed, 1);
    unlink(file);
    rmdir(folder);
    rmdir(config);
}

T_CASE(squint_config_takes_precedence_over_replicant_config) {
    t_put(t_scratch_path("replicant.yaml"),
          "build: {projectRoot: /x}\ndemo: {seed: 2}\n", 41);
    setenv("REPLICANT_CONFIG", t_scratch_path("replicant.yaml"), 1);
    load();
    not_warned();
    T_INT(loading.config.demo.seed, 2);
    load_text("demo: {seed: 3}\n");
    T_INT(loading.config.demo.seed, 3);
    t_put(t_scratch_path("flag.yaml"), "demo: {seed: 4}\n", 16);
    take_flag("--config", t_scratch_path("flag.yaml"));
    load();
    T_INT(loading.config.demo.seed, 4);
}

T_CASE(later_sources_take_precedence) {
    T_INT(SQ_RECEIPT_FAST, 1);
    load();
    T_INT(loading.config.ui.receipt, SQ_RECEIPT_AUTO);
    load_text("ui: {receipt: none, maxImageDimension: 700}\n");
    T_INT(loading.config.ui.receipt, SQ_RECEIPT_NONE);
    setenv("SQUINT_UI_RECEIPT", "full", 1);
    load();
    T_INT(loading.config.ui.receipt, SQ_RECEIPT_FULL);
    T_INT(loading.config.ui.max_image_dimension, 700);
    take_flag("--receipt", "fast");
    load();
    T_INT(loading.config.ui.receipt, SQ_RECEIPT_FAST);
    not_warned();
}

T_CASE(unknown_keys_get_a_suggestion) {
    static const char *const tries[][2] = {
        { "ui:\n  maxImageDimensions: 5\n",
          ":2:3: unknown key \"ui.maxImageDimensions\" ignored; did you mean "
          "ui.maxImageDimension?" },
        { "ui:\n  maximagedimension: 5\n",
          ":2:3: unknown key \"ui.maximagedimension\" ignored; did you mean "
          "ui.maxImageDimension?" },
        { "maxImageDimension: 5\n",
          ":1:1: unknown key \"maxImageDimension\" ignored; did you mean "
          "ui.maxImageDimension?" },
        { "tools:\n  receipt: none\n",
          ":2:3: unknown key \"tools.receipt\" ignored; did you mean "
          "ui.receipt?" },
        { "colour: {of: the sky}\n", ":1:1: unknown key \"colour\" ignored" },
        { "ui:\n  \"a\\eb\\u009b\": 1\n",
          ":2:3: unknown key \"ui.a?b?\" ignored" },
        { "u\xc3\xaf: 1\n", ":1:1: unknown key \"u\xc3\xaf\" ignored" },
        { "? \"ui\\0x\"\n: 1\n", ":1:3: unknown key \"ui?x\" ignored" },
    };
    for (size_t i = 0; i < SQ_COUNT(tries); i++) {
        load_text(tries[i][0]);
        warned(tries[i][1]);
        T(is_default());
    }
}

T_CASE(wrong_values_keep_the_default) {
    static const char *const tries[][2] = {
        { "ui:\n  maxImageDimension: big\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not \"big\"; using the default" },
        { "ui:\n  maxImageDimension: 0\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not \"0\"; using the default" },
        { "ui:\n  maxImageDimension: 16385\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not \"16385\"; using the default" },
        { "ui:\n  maxImageDimension: \"800\"\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not a text; using the default" },
        { "ui:\n  maxImageDimension: 99999999999999999999\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not \"99999999999999999999\"; using the default" },
        { "ui:\n  maxImageDimension: [800]\n",
          ":2:22: ui.maxImageDimension must be a whole number from 1 to 16384 "
          "or auto, "
          "not a list; using the default" },
        { "ui:\n  ocrEnabled: {a: b}\n", ":2:15: ui.ocrEnabled must be true or "
                                         "false, not a map; using false" },
        { "ui:\n  ocrEnabled: 1\n", ":2:15: ui.ocrEnabled must be true or "
                                    "false, not \"1\"; using false" },
        { "ui:\n  ocrEnabled: \"true\"\n",
          ":2:15: ui.ocrEnabled must be true or false, not a text; using "
          "false" },
        { "ui:\n  includeBase64: maybe\n",
          ":2:18: ui.includeBase64 must be true or false, not \"maybe\"; using "
          "true" },
        { "ui:\n  receipt: slow\n",
          ":2:12: ui.receipt must be one of none, "
          "fast, full, auto, not \"slow\"; using auto" },
        { "demo:\n  density: .inf\n",
          ":2:12: demo.density must be a number from 0.75 to 6, not \".inf\"; "
          "using 2.625" },
        { "demo:\n  density: 7\n", ":2:12: demo.density must be a number from "
                                   "0.75 to 6, not \"7\"; using 2.625" },
        { "output:\n  directory: \"\"\n",
          ":2:14: output.directory is empty; using .squint/screenshots" },
        { "output:\n  directory: \"a\\0b\"\n",
          ":2:14: output.directory contains a control character; using "
          ".squint/screenshots" },
        { "ui:\n  visualModePackages: com.one\n",
          ":2:23: ui.visualModePackages must be a list of texts, not a text; "
          "using an empty list" },
        { "webdriver:\n  endpoints: grid=https://ada:secret@hub.example\n",
          ":2:14: webdriver.endpoints must be a list of texts, not a text; "
          "using an empty list" },
        { "ui:\n  visualModePackages: [com.one, [com.two]]\n",
          ":2:23: ui.visualModePackages must be a list of texts, not a list of "
          "lists; using an empty list" },
        { "ui:\n  visualModePackages: [com.one, '']\n",
          ":2:23: ui.visualModePackages must be a list of texts, not \"\"; "
          "using an empty list" },
        { "ui: [receipt]\n",
          ":1:5: this section should hold keys and values; ignored" },
        { "ui: receipt\n",
          ":1:5: this section should hold keys and values; ignored" },
    };
    for (size_t i = 0; i < SQ_COUNT(tries); i++) {
        load_text(tries[i][0]);
        warned(tries[i][1]);
        T(is_default());
    }
}

T_CASE(one_error_does_not_affect_other_keys) {
    load_text("ui:\n"
              "  maxImageDimension: big\n"
              "  receipt: full\n"
              "log: {level: debug}\n");
    T_INT(loading.config.warnings.count, 1);
    T_INT(loading.config.ui.max_image_dimension, 0);
    T_INT(loading.config.ui.receipt, SQ_RECEIPT_FULL);
    T_INT(loading.config.log.level, SQ_LOG_DEBUG);
}

T_CASE(first_of_duplicate_keys_is_used) {
    load_text("demo:\n  seed: 5\n  width: 300\n  seed: 6\n");
    warned(":4:3: demo.seed is given twice; line 2 is used");
    T_INT(loading.config.demo.seed, 5);
    load_text("demo: {seed: 5}\nui: {}\ndemo: {seed: 6, width: 300}\n");
    warned(":3:1: this section is given twice; the first is used");
    T_INT(loading.config.demo.seed, 5);
    T_INT(loading.config.demo.width, 1080);
}

T_CASE(many_errors_are_counted) {
    char text[4096] = "ui:\n";
    for (int i = 0; i < 100; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "  nonsense%d: 1\n", i);
    }
    load_text(text);
    T_INT(loading.config.warnings.count, 33);
    T_STR(loading.config.warnings.items[32], "and 68 more mistakes");
    T(loading.config.redact_problem == NULL);
    /* One about redaction counts even if it is not shown. */
    size_t used = strlen(text);
    snprintf(text + used, sizeof(text) - used, "redact: {preset: [cards]}\n");
    load_text(text);
    T_INT(loading.config.warnings.count, 33);
    T(loading.config.redact_problem
      && strstr(loading.config.redact_problem,
                ":102:10: unknown key \"redact.preset\"; did you mean"));
}

T_CASE(wrong_variables_give_a_warning) {
    load_text("demo: {seed: 5}\n");
    setenv("SQUINT_DEMO_SEED", "five", 1);
    load();
    T_OK(loading.ok, &loading.err);
    T_INT(loading.config.warnings.count, 1);
    T_STR(loading.config.warnings.items[0],
          "SQUINT_DEMO_SEED must be a whole number from 0 to 2147483647, not "
          "\"five\"; ignored");
    /* The value of the file is kept. */
    T_INT(loading.config.demo.seed, 5);
    /* A text for replay is not a mistyped option. */
    unsetenv("SQUINT_DEMO_SEED");
    setenv("SQUINT_SECRET_1", "five", 1);
    load();
    T_INT(loading.config.warnings.count, 0);
}

T_CASE(wrong_flags_are_refused) {
    static const char *const tries[][3] = {
        { "--demo-seed", "five",
          "--demo-seed must be a whole number from 0 to 2147483647, not "
          "\"five\"" },
        { "--tools", "spilt", "--tools must be ui or split, not \"spilt\"" },
        { "--read-only=perhaps", NULL,
          "--read-only must be true or false, not \"perhaps\"" },
        { "--profile", "hal",
          "--profile must be one of claude, claude-hires, " },
    };
    sq_config_defaults(&loading.config);
    for (size_t i = 0; i < SQ_COUNT(tries); i++) {
        take_flag(tries[i][0], tries[i][1]);
        load();
        T(!loading.ok);
        T_INT(loading.err.code, SQ_ERR_ARGUMENT);
        T(strstr(loading.err.message, tries[i][2]) == loading.err.message);
        T(is_default());
    }
}

static void
add_flag(const char *word) {
    char *argv[] = { (char *)(uintptr_t)word, NULL };
    int used = 0;
    T_OK(sq_config_take_flag(&loading.flags, 1, argv, &used, &loading.err),
         &loading.err);
    T_INT(used, 1);
}

/* A flag takes precedence over the environment; if repeated, a list grows. */
T_CASE(repeated_list_flags_are_appended) {
    const struct sq_strings *roots = &loading.config.archive.roots;
    setenv("SQUINT_ARCHIVE_ROOTS", "/from/environment", 1);
    load();
    T_INT(roots->count, 1);
    loading.flags = (struct sq_config_flags){ 0 };
    add_flag("--archive=/a");
    add_flag("--archive=/b=full,/c");
    add_flag("--activity=none");
    add_flag("--archive=/d");
    load();
    if (T_INT(roots->count, 4)) {
        T_STR(roots->items[0], "/a");
        T_STR(roots->items[1], "/b=full");
        T_STR(roots->items[2], "/c");
        T_STR(roots->items[3], "/d");
    }
    T_INT(loading.config.archive.activity, SQ_ACTIVITY_NONE);
}

static bool
load_again(void *context, struct sq_err *err) {
    struct sq_config config;
    sq_config_defaults(&config);
    T_ARENA(arena, 1 << 20);
    bool ok = sq_config_load(&loading.flags, &arena, &config, err);
    T_INT(config.demo.seed, ok ? 9 : 1);
    return ok;
}

T_CASE(loading_survives_every_failed_allocation) {
    char text[1024];
    int len = snprintf(text, sizeof(text),
                       "%snonsense: 1\nlog: {level: loud}\ndemo: {seed: 9}\n"
                       "output: {directory: /tmp}\n",
                       seed_file);
    load_bytes(text, (size_t)len);
    setenv("SQUINT_UI_VISUAL_MODE_PACKAGES", "a,b,c", 1);
    setenv("SQUINT_UI_RECEIPT", "nonsense", 1);
    add_flag("--archive=/a");
    add_flag("--archive=/b");
    T(t_alloc_torture(load_again, NULL) >= 3);
}

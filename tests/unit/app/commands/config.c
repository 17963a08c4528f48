/* squint config: the starter file, mistakes, places and the schema. */
#include "app/commands/command.h"

#include <errno.h>

#include "unit/app/run.h"
#include "util/fault.h"

static void
start(void) {
    t_scratch_start();
    setenv("XDG_CONFIG_HOME", t_scratch(), 1);
    unsetenv("SQUINT_CONFIG");
    unsetenv("REPLICANT_CONFIG");
}

/* Removes a file or an empty folder below the scratch folder. */
static void
drop(const char *name) {
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", t_scratch(), name);
    T_INT(remove(path), 0);
}

static void
end(void) {
    unsetenv("XDG_CONFIG_HOME");
    t_scratch_end();
}

static void
put(const char *name, const char *text) {
    t_put(t_scratch_path(name), text, strlen(text));
}

T_FIXTURE(start, end);

T_CASE(init_writes_a_file_that_changes_nothing) {
    static char text[1 << 16];
    RUN_EXITS(0, "config", "init");
    run_says(
        run.out,
        "/squint/config.yaml and, for editors, its schema config.schema.json");
    RUN_EXITS(0, "config", "check");
    run_says(run.out, "/squint/config.yaml: no mistakes\n");
    char path[600];
    snprintf(path, sizeof(path), "%s/squint/config.yaml", t_scratch());
    run_slurp(path, text, sizeof(text));
    run_says(text, "# yaml-language-server: $schema=config.schema.json\n");
    run_says(text, "\n#ui:\n");
    run_says(text,
             "  # time limit for a device to answer, in milliseconds (100 "
             "to 600000; default 10000)\n  #timeoutMs: 10000\n");
    run_says(text, " (1 to 16384 or auto)\n  #maxImageDimension:\n");
    drop("squint/config.yaml");
    drop("squint/config.schema.json");
    drop("squint");
}

/* Without the # it is what the option means. */
T_CASE(init_s_lines_can_be_uncommented) {
    static char text[1 << 16];
    RUN("config", "init", "--config", t_scratch_path("a.yaml"));
    run_slurp(t_scratch_path("a.yaml"), text, sizeof(text));
    size_t used = 0;
    for (const char *at = text; *at; at++) {
        bool is_mark = *at == '#' && at[1] != ' ' && at[1] != '\n';
        if (!is_mark) {
            text[used++] = *at;
        }
    }
    text[used] = '\0';
    put("b.yaml", text);
    RUN_EXITS(0, "config", "check", "--config", t_scratch_path("b.yaml"));
    run_says(run.out, "b.yaml: no mistakes\n");
}

T_CASE(init_overwrites_nothing) {
    static char text[100];
    put("mine.yaml", "ui:\n  receipt: full\n");
    RUN("config", "init", "--config", t_scratch_path("mine.yaml"));
    run_refused(1, "mine.yaml exists and was not changed\n  squint config "
                   "check finds its mistakes");
    run_slurp(t_scratch_path("mine.yaml"), text, sizeof(text));
    T_STR(text, "ui:\n  receipt: full\n");
    T(access(t_scratch_path("mine.schema.json"), F_OK) != 0);
}

/* The names that only pictures of an agent must not have. */
T_CASE(init_accepts_every_name_of_a_file) {
    static const char *const names[] = { ".hidden.yaml", "a\\b.yaml",
                                         "\xc3\xbc.yaml" };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        RUN_EXITS(0, "config", "init", "--config", t_scratch_path(names[i]));
        RUN_EXITS(0, "config", "check", "--config", t_scratch_path(names[i]));
    }
    RUN("config", "init", "--config", t_scratch_path(".hidden.yaml"));
    run_refused(1, ".hidden.yaml exists and was not changed");
}

T_CASE(init_explains_which_names_it_refuses) {
    RUN("config", "init", "--config", t_scratch_path("a\tb.yaml"));
    run_refused(2, "b.yaml has control characters or is not UTF-8\n"
                   "  Give the name of a file, such as config.yaml.\n");
    RUN("config", "init", "--config", t_scratch_path("\xff.yaml"));
    run_refused(2, ".yaml has control characters or is not UTF-8\n");
    RUN("config", "init", "--config", t_scratch_path("a/"));
    run_refused(2, "/a/ is the name of a folder\n  Give the name of a file, ");
    RUN("config", "init", "--config", t_scratch());
    run_refused(1, "exists and was not changed");
    T_INT(t_count_entries(t_scratch()), 0);
}

T_CASE(init_prints_json) {
    char want[1300];
    RUN_EXITS(0, "config", "init", "--json", "--config",
              t_scratch_path("new.yaml"));
    snprintf(want, sizeof(want),
             "{\"file\":\"%s/new.yaml\",\"schema\":\"%s/new.schema.json\"}\n",
             t_scratch(), t_scratch());
    T_STR(run.out, want);
    RUN("config", "init", "--json", "--config", t_scratch_path("new.yaml"));
    run_refused_as_json(1, "new.yaml exists and was not changed");
}

/* A failure leaves no file, so that the next attempt can succeed. */
T_CASE(init_survives_every_failed_allocation) {
    int failed = 0;
    for (run.status = 1; run.status != 0 && failed < 1000; failed++) {
        sq_fault_arm(SQ_FAULT_ALLOC,
                     (struct sq_fault_plan){ .nth = failed + 1 });
        RUN("config", "init", "--config", t_scratch_path("new.yaml"));
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        bool is_there = access(t_scratch_path("new.yaml"), F_OK) == 0;
        T(is_there == (run.status == 0));
        if (run.status != 0) {
            run_refused(1, "out of memory");
        }
    }
    T(failed > 3);
}

/* After an error the folder that was made for the files is gone, too. */
T_CASE(init_leaves_no_empty_folder_on_a_full_disk) {
    static const char *const written[] = { "squint/config.yaml",
                                           "squint/config.schema.json",
                                           "squint" };
    long failed = 0;
    bool reached = true;
    for (long nth = 1; reached && nth < 200; nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = ENOSPC });
        RUN("config", "init");
        reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        bool is_untold = strstr(run.err, "standard output") != NULL;
        if (run.status == 0 || is_untold) {
            for (size_t i = 0; i < SQ_COUNT(written); i++) {
                drop(written[i]);
            }
        } else {
            failed++;
        }
        T_INT(t_count_entries(t_scratch()), 0);
    }
    T(!reached && failed > 5);
}

T_CASE(check_finds_mistakes) {
    put("bad.yaml", "ui:\n"
                    "  maxImageDimenson: 500\n"
                    "  receipt: fsat\n"
                    "archiv:\n"
                    "  roots: []\n");
    RUN_EXITS(1, "config", "check", "--config", t_scratch_path("bad.yaml"));
    run_says(run.out, "bad.yaml:2:3: unknown key \"ui.maxImageDimenson\" "
                      "ignored; did you mean ui.maxImageDimension?\n");
    run_says(run.out,
             "bad.yaml:3:12: ui.receipt must be one of none, fast, "
             "full, auto, not \"fsat\"; did you mean fast?; using auto\n");
    run_says(run.out, "bad.yaml:4:1: unknown key \"archiv\" ignored; did you "
                      "mean archive?\n");
    put("worse.yaml", "ui: [\n");
    RUN_EXITS(1, "config", "check", "--config", t_scratch_path("worse.yaml"));
    run_says(run.out, "worse.yaml:2:1: ");
    RUN_EXITS(1, "config", "check", "--config", t_scratch_path("none.yaml"));
    run_says(run.out, "none.yaml, named by --config, does not exist");
    RUN_EXITS(0, "config", "check");
    run_says(run.out, "there is no file, so the defaults are used; squint "
                      "config init writes one\n");
}

/* Checks a file of one line. */
static void
check_line(const char *line, const char *want) {
    char expected[600];
    put("bad.yaml", line);
    RUN_EXITS(1, "config", "check", "--config", t_scratch_path("bad.yaml"));
    snprintf(expected, sizeof(expected), "%s:%s\n", t_scratch_path("bad.yaml"),
             want);
    run_says(run.out, expected);
}

/* Those that keep squint from starting, or from using what they configure. */
T_CASE(check_finds_values_that_cannot_be_used) {
    check_line("redact: {presets: [foo, cards]}",
               "1:19: redact.presets: \"foo\" is none of cards, emails and "
               "keys");
    run_says(run.out, "1:19: redact.presets and redact.patterns need "
                      "ui.ocrEnabled: ");
    check_line("redact: {patterns: [\"(\"], regions: [\"1,2,3,4\"]}",
               "1:36: redact.regions: \"1,2,3,4\" is not X Y WIDTH HEIGHT in "
               "percent, such as 0 0 100 5");
    run_says(run.out, "1:20: redact.patterns: \"(\" ");
    run_says(run.out, "1:20: redact.presets and redact.patterns need ");
    check_line("archive: {roots: [\"a=bar\"]}",
               "1:18: archive.roots: \"bar\" after the archive folder a=bar is "
               "not a permission");
    unsetenv("MANICTIME_DATA_DIR");
    check_line("archive: {manicTimeDirectory: b=bar}",
               "1:31: archive.manicTimeDirectory: \"bar\" after the archive "
               "folder b=bar is not a permission");
    check_line("archive: {timeZone: Foo/Bar}",
               "1:21: archive.timeZone: there is no time zone \"Foo/Bar\"");
    unsetenv("SQUINT_ANDROID_ADB_SERVER");
    check_line("android: {adbServer: foo:bar}",
               "1:22: android.adbServer: \"foo:bar\" is not an address of an "
               "adb server");
    setenv("SQUINT_ANDROID_ADB_SERVER", "off", 1);
}

T_CASE(check_survives_every_failed_allocation) {
    put("bad.yaml", "redact: {presets: [foo], patterns: [a, \"(\"]}\n"
                    "archive: {timeZone: Foo/Bar}\n");
    int failed = 0;
    bool is_done = false;
    for (; !is_done && failed < 1000; failed++) {
        sq_fault_arm(SQ_FAULT_ALLOC,
                     (struct sq_fault_plan){ .nth = failed + 1 });
        RUN("config", "check", "--config", t_scratch_path("bad.yaml"));
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        T_INT(run.status, 1);
        is_done = run.out[0] != '\0';
        if (!is_done) {
            run_refused(1, "out of memory");
        }
    }
    run_says(run.out, "bad.yaml:1:19: redact.presets: \"foo\" is none of ");
    T(failed > 10);
}

/* A rule that is not understood must not be ignored. */
T_CASE(mistakes_in_redact_are_reported_once) {
    static const char *const texts[][2] = {
        { "redact: {preset: [cards]}",
          "1:10: unknown key \"redact.preset\"; did you mean redact.presets?" },
        { "redact: [cards]", "1:9: this section should hold keys and values" },
        { "redact: {passwords: no}",
          "1:21: redact.passwords must be one of focused, known, always, not "
          "\"no\"" },
        { "redct: {presets: [cards]}",
          "1:1: unknown key \"redct\"; did you mean redact?" },
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        char want[900];
        check_line(texts[i][0], texts[i][1]);
        RUN("devices", "--config", t_scratch_path("bad.yaml"));
        snprintf(want, sizeof(want),
                 "squint: %s:%s\n  Correct it: squint does not start with a "
                 "rule that it cannot apply.\n",
                 t_scratch_path("bad.yaml"), texts[i][1]);
        T_INT(run.status, 2);
        T_STR(run.err, want);
    }
    put("bad.yaml", "redact:\n  presets: [cards\n");
    RUN_EXITS(2, "devices", "--config", t_scratch_path("bad.yaml"));
    run_says(run.err, "bad.yaml:3:1: ");
}

/* Only what the file says counts, not its name. */
T_CASE(a_file_may_be_called_redact) {
    put("redact.yaml", "ui: {nonsense: 1}");
    RUN_EXITS(0, "devices", "--config", t_scratch_path("redact.yaml"));
    run_says(run.err, "unknown key \"ui.nonsense\" ignored");
}

T_CASE(check_finds_mistyped_variables) {
    setenv("SQUINT_UI_RECIEPT", "full", 1);
    setenv("SQUINT_UNLIKE_ANY_OTHER", "1", 1);
    RUN_EXITS(1, "config", "check");
    T_STR(run.out, "unknown variable SQUINT_UI_RECIEPT ignored; did you mean "
                   "SQUINT_UI_RECEIPT?\n");
    unsetenv("SQUINT_UI_RECIEPT");
    unsetenv("SQUINT_UNLIKE_ANY_OTHER");
    setenv("SQUINT_LOG_LEVEL", "degub", 1);
    RUN_EXITS(1, "config", "check");
    run_says(run.out, "SQUINT_LOG_LEVEL must be one of error, warning, info, "
                      "debug, not \"degub\"; did you mean debug?; ignored\n");
    unsetenv("SQUINT_LOG_LEVEL");
}

T_CASE(path_lists_the_places) {
    char want[3000];
    put("named.yaml", "");
    RUN("config", "path");
    snprintf(want, sizeof(want),
             "--config          not set\n"
             "SQUINT_CONFIG     not set\n"
             "REPLICANT_CONFIG  not set\n"
             "the default       missing: %s/squint/config.yaml\n",
             t_scratch());
    T_STR(run.out, want);
    setenv("REPLICANT_CONFIG", t_scratch_path("named.yaml"), 1);
    RUN("config", "path");
    run_says(run.out, "REPLICANT_CONFIG  read: ");
    run_says(run.out, "the default       not read, missing: ");
    RUN("config", "init", "--config",
        "/dev/null/impossible"); /* nothing is written there */
    T_INT(run.status, 1);
    RUN("config", "path", "--config", t_scratch_path("none.yaml"));
    run_says(run.out, "--config          missing: ");
    run_says(run.out, "REPLICANT_CONFIG  not read: ");
    RUN("config", "path", "--config", t_scratch());
    run_says(run.out, "--config          cannot be read: ");
    unsetenv("REPLICANT_CONFIG");
}

T_CASE(check_and_path_print_json) {
    char want[900];
    put("a.yaml", "ui: {zzyzx: 1}\nlog: {zzyzx: 2}\n");
    RUN_EXITS(1, "config", "check", "--json", "--config",
              t_scratch_path("a.yaml"));
    snprintf(want, sizeof(want),
             "{\"file\":\"%s/a.yaml\",\"mistakes\":[\"%s/a.yaml:1:6: unknown "
             "key \\\"ui.zzyzx\\\" ignored\",\"%s/a.yaml:2:7: unknown key "
             "\\\"log.zzyzx\\\" ignored\"]}\n",
             t_scratch(), t_scratch(), t_scratch());
    T_STR(run.out, want);
    RUN_EXITS(0, "config", "check", "--json");
    T_STR(run.out, "{\"mistakes\":[]}\n");
    RUN_EXITS(0, "config", "path", "--json");
    run_says(run.out, "[{\"namedBy\":\"--config\",\"state\":\"not set\"},");
    run_says(run.out, "{\"namedBy\":\"the default\",\"state\":\"missing\","
                      "\"path\":\"/");
}

/* docs and editors use the file; SQUINT_ACCEPT=1 writes it. */
T_CASE(the_schema_is_fresh) {
    RUN_EXITS(0, "config", "schema");
    run_matches("../../share/config.schema.json");
    run_says(run.out, "\"maxImageDimension\": {\n");
    run_says(run.out, "\"default\": 1000\n");
}

T_CASE(mistakes_in_the_command_are_reported) {
    run_refuses(2, "config",
                "squint config: one of init|check|path|schema is missing\n  "
                "Usage: squint "
                "config init|check|path|schema [options]\n");
    RUN("config", "chek");
    run_refused(2, "there is no subcommand \"chek\"; did you mean check?\n");
    run_refuses(2, "config banana", "Choose from: init, check, path, schema.");
    RUN("config", "schema", "--config", "x.yaml");
    run_refused(2, "--config has no effect in schema\n  Leave it out.\n");
    RUN("config", "schema", "--json");
    run_refused_as_json(2, "--json has no effect in schema");
}

/* Operations on the command line, done on the demo phone. */
#include "app/commands/operation.h"

#include "unit/app/run.h"

#define SMALL "--demo-width", "360", "--demo-height", "640"
#define WHOLE "--demo-seed=1"

/* A search without a match takes no picture unless it is told to. */
static void
start(void) {
    setenv("SQUINT_UI_AUTO_FALLBACK_SCREENSHOT", "false", 1);
    t_scratch_start();
}

static void
expect_status(int status, const char *part) {
    T_INT(run.status, status);
    T_STR(run.err, "");
    run_says(run.out, part);
}

static void
expect_done(const char *part) {
    expect_status(0, part);
}

/* Names of new files are relative to the current folder. */
static int
enter_scratch(void) {
    int before = open(".", O_RDONLY);
    T(before >= 0 && chdir(t_scratch()) == 0);
    return before;
}

static void
leave_scratch(int before) {
    T_INT(fchdir(before), 0);
    close(before);
}

T_FIXTURE(start, t_scratch_end);

T_CASE(configuration_flags_are_applied) {
    RUN("screenshot", SMALL, "--no-elements", "-o", t_scratch_path("a.jpg"),
        "--json");
    expect_done("\"device\":{\"width\":360,\"height\":640}");
}

T_CASE(another_size_than_the_asked_one_is_reported) {
    RUN("screenshot", SMALL, "--size", "raw", "-o", t_scratch_path("a.jpg"));
    expect_done("size must be half, full, quarter or thumb: this is half.");
}

/* Both know these; they mean the call, not all calls. */
T_CASE(arguments_of_the_operation_take_precedence) {
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms", "50", "--json");
    expect_status(1, "\"found\":false");
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms=50", "--json");
    expect_status(1, "\"found\":false");
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "none", "--json");
    expect_done("\"tapped\"");
    T(strstr(run.out, "\"settled\"") == NULL);
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "slow");
    run_refused(2, "receipt must be one of none, fast, full, auto, not");
}

/* Whatever it looks like. */
T_CASE(value_is_not_read_as_flag) {
    RUN("find", SMALL, "--selector.text", "--receipt", "--json");
    expect_status(1, "\"count\":0");
    RUN("find", SMALL, "--selector.text", "--demo-width", "--json");
    expect_status(1, "\"count\":0");
}

T_CASE(text_or_json_output) {
    RUN("devices", SMALL);
    expect_done("1 device\n  ID    KIND  NAME               STATE\n  demo  "
                "demo  squint demo phone  online\n");
    RUN("devices", SMALL, "--json");
    expect_done("{\"devices\":[{\"id\":\"demo\"");
    RUN("screenshot", SMALL, "--json");
    expect_done(",\"base64\":\"/9j/");
    RUN("screenshot", SMALL, "--json", "-o", t_scratch_path("a.jpg"));
    expect_done(",\"file\":\"");
    T(strstr(run.out, "base64") == NULL);
}

/* A pipe gets none unless --color asks for it. */
T_CASE(colours_need_a_terminal_or_the_option) {
    RUN("devices", SMALL);
    T(strchr(run.out, '\033') == NULL);
    RUN("devices", SMALL, "--color", "always");
    expect_done("\033[1m1 device\033[0m\n");
    RUN("devices", SMALL, "--color", "never");
    T(strchr(run.out, '\033') == NULL);
    RUN("devices", SMALL, "--color", "red");
    run_refused(2, "auto, always, never");
}

/* Only names that no file has, and they are told. */
T_CASE(picture_without_a_name_gets_one) {
    int before = enter_scratch();
    for (int i = 1; i <= 2; i++) {
        RUN_EXITS(0, "screenshot", SMALL);
        T_STR(run.err, "");
        T(strncmp(run.out, "Wrote screenshot-20", 19) == 0);
        char name[64] = "";
        char bytes[16] = "";
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(run.out + 6, ":"),
                 run.out + 6);
        T(strstr(name, ".jpg") != NULL);
        T(run_slurp(name, bytes, sizeof(bytes)) > 2
          && memcmp(bytes, "\xff\xd8", 2) == 0);
        T_INT(t_count_entries(t_scratch()), i);
    }
    RUN("screenshot", SMALL, "--format", "png");
    run_says(run.out, ".png: 360x640 pixels, ");
    RUN("tap", WHOLE, "--selector.text", "Shop", "--look");
    run_says(run.out, "Wrote tap-20");
    leave_scratch(before);
}

T_CASE(written_file_is_reported) {
    int before = enter_scratch();
    RUN("screenshot", SMALL, "-o", "a.jpg");
    expect_done("Wrote a.jpg: 360x640 pixels, ");
    RUN("screenshot", SMALL, "--local-path", "b.png", "--output-directory",
        t_scratch());
    expect_done("/b.png: 360x640 pixels, ");
    RUN("visual-snapshot", SMALL, "--output-directory", t_scratch());
    expect_done("Wrote ");
    RUN_EXITS(0, "screenshot", SMALL, "-o", "-");
    T(run.out_len > 2 && memcmp(run.out, "\xff\xd8", 2) == 0);
    RUN("dump", SMALL);
    T_STR(run.err, "");
    int files = t_count_entries(t_scratch());
    RUN("find", "Nowhere", "--read-only", "--auto-fallback-screenshot");
    expect_status(1, "No element found on demo\n");
    T_INT(t_count_entries(t_scratch()), files);
    /* Operations that never return a picture have no options about one. */
    RUN("dump", SMALL, "-o", "c.jpg");
    run_refused(2, "unknown option \"-o\"");
    run_refuses(2, "apps --show", "unknown option \"--show\"");
    T(access("c.jpg", F_OK) != 0);
    leave_scratch(before);
}

/* 0: found or done; 1: not; 2: the command line is wrong. */
T_CASE(exit_status_depends_on_the_outcome) {
    RUN("find", WHOLE, "--selector.text", "Shop");
    expect_status(0, "1 element found on demo\n");
    RUN("find", WHOLE, "--selector.text", "Nowhere");
    expect_status(1, "No element found on demo\n");
    RUN("wait", WHOLE, "--text", "Shop");
    expect_status(0, "It appeared after ");
    RUN("wait", WHOLE, "--text", "Nowhere", "--timeout-ms", "1");
    expect_status(1, "It did not appear within 1 ms on demo");
    RUN("wait", WHOLE, "--stable-ms", "1");
    expect_status(0, "The screen is still after ");
    RUN("tap", WHOLE, "x=1", "y=1");
    expect_status(0, "Tapped at 1,1 (2,2 on the device)");
    RUN("tap", WHOLE, "--selector.text", "Nowhere");
    run_refused(1, "no element on the screen matches");
    RUN("list", "--archive", t_scratch(), "--start-date", "2020-01-01");
    expect_status(1, "No screenshots from 2020-01-01 00:00");
    RUN("find", WHOLE);
    run_refused(
        2, "squint: TEXT is missing\n  Usage: squint find TEXT [options]\n");
}

T_CASE(errors_are_json_for_programs) {
    RUN("tap", WHOLE, "--selector.text", "Nowhere", "--json");
    run_refused_as_json(1, "{\"error\":{\"code\":\"ELEMENT_NOT_FOUND\","
                           "\"message\":\"no element on the screen matches");
    run_says(run.out, "\"hint\":\"");
    RUN("tap", WHOLE, "--selector.text-contains", "o", "--json");
    run_refused_as_json(1, "\"details\":{\"matches\":");
    RUN("find", WHOLE, "--wobble", "--json");
    run_refused_as_json(2, "INPUT_VALIDATION_FAILED");
    RUN("wobble", "--json");
    run_refused_as_json(2, "there is no command");
    RUN("tokens", "0", "1", "--json");
    run_refused_as_json(2, "the width must be");
}

/* What was probably meant is named. */
T_CASE(similar_names_are_suggested) {
    RUN("tap", "Shp", WHOLE);
    run_refused(1, "no element on the screen matches; did you mean \"Shop\"?");
    RUN("tap", "login", WHOLE);
    run_refused(1, "did you mean \"Login\"?");
    RUN("tap", "Nowhere at all", WHOLE);
    run_refused(1, "no element on the screen matches\n");
    RUN("tap", "200,500", WHOLE);
    run_refused(1,
                "no element on the screen matches\n  This is the label of an "
                "element. For a point, write squint tap 200 500.\n");
    RUN("tap", "200,50 CHF", WHOLE);
    run_refused(1, "no element on the screen matches\n");
    T(strstr(run.err, "For a point") == NULL);
    RUN("launch", "com.squint.demo.shp");
    run_refused(1, "no app \"com.squint.demo.shp\"; did you mean "
                   "com.squint.demo.shop?\n  squint apps lists");
    RUN("list", "yesterdy", "--archive", t_scratch());
    run_refused(2, "\"yesterdy\" is not a date or time; did you mean "
                   "yesterday?\n");
}

/* Which were equally good is a table below the error. */
T_CASE(alternatives_are_listed_for_people) {
    RUN("tap", WHOLE, "--selector.text-contains", "o");
    run_refused(1, "elements match equally well\n  Tap one of these with "
                   "squint tap X Y, or add --");
    run_says(run.err, "\n    X    Y  WHAT      LABEL");
    /* Those that match less well are not in it. */
    RUN("launch", "Login", WHOLE);
    RUN("tap", WHOLE, "--text-contains", "s");
    int rows = 0;
    int equals = run.err[strlen("squint: ")] - '0';
    for (const char *at = run.err; (at = strchr(at, '\n')); at++) {
        rows++;
    }
    T(equals > 1);
    T_INT(rows, equals + 3); /* the message, its hint and the titles */
}

static bool
begins_with(const char *file, const char *magic, size_t len) {
    char bytes[64] = { 0 };
    return run_slurp(t_scratch_path(file), bytes, sizeof(bytes)) >= len
        && memcmp(bytes, magic, len) == 0;
}

T_CASE(file_extension_sets_the_format) {
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.png"), "--json");
    expect_done("\"mimeType\":\"image/png\"");
    T(begins_with("a.png", "\x89PNG", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.webp"));
    T(begins_with("a.webp", "RIFF", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.jpg"));
    T(begins_with("a.jpg", "\xff\xd8", 2));
    RUN("screenshot", SMALL, "-o", t_scratch_path("b"), "--format", "png");
    T(begins_with("b", "\x89PNG", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("auto.webp"), "--format",
        "auto");
    T(begins_with("auto.webp", "RIFF", 4));
    /* One that cannot be asked for a format. */
    RUN_EXITS(0, "visual-snapshot", SMALL, "-o", t_scratch_path("snap.webp"),
              "--output-directory", t_scratch());
    T(begins_with("snap.webp", "RIFF", 4));
}

/* In the words of the command line. */
T_CASE(missing_targets_are_named_as_options) {
    RUN("tap", SMALL);
    run_refused(2, "\n  Give X and Y, or TEXT, or --cell.\n");
    RUN("input", SMALL);
    run_refused(2,
                "squint: TEXT is missing\n  Give the TEXT to type; squint key "
                "presses enter and others alone.\n");
    RUN("appearance", SMALL);
    run_refused(
        2, "\n  Give --dark, --font-scale, --density, --locale, --time-zone or "
           "--offline.\n");
    RUN("pinch", "1", "2", SMALL);
    run_refused(2, "\n  Give --scale, --degrees or --to, or several of them; "
                   "only --fingers for a tap with several.\n");
    RUN("key", "");
    run_refused(2, "KEY is empty\n  Usage: squint key KEY [options]\n");
    RUN("key", "--name", "");
    run_refused(2, "KEY is not the name of a key\n");
    RUN("find", "", SMALL);
    run_refused(2, "TEXT is empty\n  Usage: squint find TEXT [options]\n");
    RUN("tap", "", SMALL);
    run_refused(2, "TEXT is empty\n  Usage: squint tap X Y | TEXT ");
    RUN("list", "");
    run_refused(2, "WHEN is empty\n  Usage: squint list [WHEN] [WHEN] ");
    RUN("steps", "[{\"operation\":\"tap\",\"xx\":1}]", SMALL);
    run_refused(2,
                "step 1; nothing was done: unknown argument \"xx\"\n  Known: "
                "x, y, elementIndex, ");
    T(strstr(run.err, "--") == NULL);
    RUN("steps", "[{\"operation\":\"tapp\"}]", SMALL);
    run_refused(2, "step 1; nothing was done: no operation \"tapp\"\n  Did you "
                   "mean tap? squint rtfm lists the operations.\n");
    RUN("uninstall", "cursor", SMALL);
    run_refused(1, "  squint install cursor --uninstall removes squint from "
                   "cursor. ");
    RUN("uninstall", "com.example.cursor", SMALL);
    T(strstr(run.err, "squint install ") == NULL);
    RUN("steps", "{");
    run_refused(2, "steps must be a list of at most 20 objects, in JSON, not "
                   "\"{\"");
}

/* What agents must be allowed; a person asks for it by its name. */
T_CASE(named_operations_need_no_switch) {
    RUN("install-app", "x.apk", SMALL);
    run_refused(1, "demo devices cannot install apps");
    RUN("uninstall-app", "nothing", SMALL);
    run_refused(1, "no app is called \"nothing\"");
    RUN("install-app", "x.apk", "--read-only", SMALL);
    run_refused(1, "read-only");
    RUN("visual-find-image", "nothing", SMALL);
    T(strstr(run.err, "switched off") == NULL);
}

T_CASE(unknown_and_missing_extensions_are_refused) {
    static const char *const names[] = { "x.gif", "x.bmp", "x.", "noext" };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        RUN("screenshot", SMALL, t_scratch_path(names[i]));
        run_refused(2, "End it with .jpg, .jpeg, .webp or .png, or add");
        RUN("find", "Shop", "-o", t_scratch_path(names[i]));
        run_refused(2, "End it with .jpg, .jpeg, .webp or .png.");
        T(access(t_scratch_path(names[i]), F_OK) != 0);
    }
    RUN_EXITS(0, "screenshot", SMALL, "-o", "/dev/null");
}

T_CASE(extension_that_contradicts_the_format_is_refused) {
    const char *file = t_scratch_path("a.png");
    RUN("screenshot", SMALL, "-o", file, "--format", "jpeg");
    run_refused(2, "the format jpeg and the extension of ");
    run_refused(2, "a.png contradict each other\n  Leave --format out");
    T(access(t_scratch_path("a.png"), F_OK) != 0);
    RUN("screenshot", SMALL, "--local-path", "a.png", "--format", "jpeg");
    run_refused(2,
                "the format jpeg and the extension of --local-path contradict "
                "each other");
}

/* Each command is a separate process; only pictures are remembered. */
T_CASE(session_ids_are_refused_with_a_hint) {
    RUN("tap", "--element-index", "3");
    run_refused(1, "\n  Lists are remembered in a session of squint mcp only. "
                   "Use a selector, such as --selector.text Login, or x and y "
                   "of the element.\n");
    RUN("tap", "x=1", "y=1", "screenshotId=s1");
    run_refused(1, "\n  The latest 16 pictures of a day are remembered. Leave "
                   "it out: ");
    run_says(run.err, "or of the device with --device-space.\n");
}

T_CASE(picture_output_shows_how_to_tap) {
    const char *file = t_scratch_path("a.jpg");
    RUN("screenshot", "--max-dimension", "500", "-o", file, "--json");
    expect_done("\"usage\":\"tap with x,y of this picture: converted for "
                "you\"");
    RUN("tap", "x=86", "y=394", "--json");
    expect_done("\"deviceX\":413,\"deviceY\":1891,");
    RUN("screenshot", "region.x=10", "region.y=10", "region.width=100",
        "region.height=100", "-o", file, "--json");
    expect_done("\"tap with x,y of this picture and its screenshotId");
}

/* Without a place to remember them, the next command needs more words. */
T_CASE(forgotten_picture_has_a_hint) {
    setenv("XDG_RUNTIME_DIR", "/dev/null/nowhere", 1);
    setenv("XDG_STATE_HOME", "/dev/null/nowhere", 1);
    const char *file = t_scratch_path("a.jpg");
    RUN("screenshot", "--max-dimension", "500", "-o", file, "--json");
    run_says(run.out, "\"usage\":\"tap with x,y of this picture and "
                      "--max-dimension 500: converted for you\"");
    RUN("tap", "x=86", "y=394", "--max-image-dimension", "500", "--json");
    run_says(run.out, "\"deviceX\":413,\"deviceY\":1891,");
    RUN("screenshot", "region.x=10", "region.y=10", "region.width=100",
        "region.height=100", "-o", file, "--json");
    run_says(run.out, "\"tap with --device-space and x times 1, y times 1, "
                      "plus x,y of deviceRegion\"");
    unsetenv("XDG_STATE_HOME");
}

T_CASE(unknown_and_incomplete_options_are_refused) {
    RUN("tap", SMALL, "--wobble");
    run_refused(2, "unknown option \"--wobble\"");
    RUN("wait", SMALL, "--timeout-ms");
    run_refused(2, "--timeout-ms needs a value");
}

T_CASE(missing_arguments_are_named) {
    RUN("crop", "--archive", t_scratch(), "screenshotRef=A");
    run_refused(2, "X is missing\n  Give X Y WIDTH HEIGHT in percent of the "
                   "picture.\n");
    /* Without dates, list prints which months have shots. */
    RUN_EXITS(1, "list", "--archive", t_scratch(), "--json");
    run_says(run.out, "\"available\":{\"today\":\"");
}

T_CASE(misplaced_values_get_a_hint) {
    RUN_EXITS(0, "key", SMALL, "name=home");
    RUN("tap", SMALL, "100");
    run_refused(2, "Y is missing\n  Usage: squint tap X Y | TEXT "
                   "[options]\n");
    RUN("screenshot", SMALL, "--inline", "false");
    run_refused(2, "--inline takes no value after it\n  Write --no-inline.\n");
    RUN("screenshot", SMALL, "--no-inline", "false");
    run_refused(2, "\n  Write --inline.\n");
    RUN("find", SMALL, "--selector.ignore-case", "true");
    run_refused(2, "--selector.ignore-case takes no value after it\n  Leave "
                   "\"true\" out.\n");
    RUN("find", SMALL, "--selector.ignore-case", "false");
    run_refused(2, "\n  Write --selector.ignore-case=false.\n");
    RUN_EXITS(1, "find", SMALL, "--selector.ignore-case=false",
              "--selector.text", "x");
}

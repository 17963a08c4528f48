/* Operations on the command line, on the demo phone. */
#include "app/commands/operation.h"

#include "unit/app/run.h"

#define SMALL                                                                  \
    "--demo-width", "360", "--demo-height", "640",                             \
        "--no-auto-fallback-screenshot"

static void
expect_done(const char *part) {
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, part);
}

static void
configuration_flags_are_applied(void) {
    t_scratch_start();
    RUN("screenshot", SMALL, "--no-elements", "-o", t_scratch_path("a.jpg"));
    expect_done("\"device\":{\"width\":360,\"height\":640}");
    t_scratch_end();
}

/*
 * Both tables have these flags; they apply to the call, not to the
 * configuration.
 */
static void
arguments_of_the_operation_take_precedence(void) {
    t_scratch_start();
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms", "50");
    expect_done("\"found\":false");
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms=50");
    expect_done("\"found\":false");
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "none");
    expect_done("\"tapped\"");
    T(strstr(run.out, "\"settled\"") == NULL);
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "slow");
    run_refused(2, "receipt must be one of none, fast, full, not");
    t_scratch_end();
}

/* Even if it looks like a flag. */
static void
value_is_not_read_as_flag(void) {
    t_scratch_start();
    RUN("find", SMALL, "--selector.text", "--receipt");
    expect_done("\"count\":0");
    RUN("find", SMALL, "--selector.text", "--demo-width");
    expect_done("\"count\":0");
    t_scratch_end();
}

static void
text_or_json_output(void) {
    t_scratch_start();
    RUN("devices", SMALL, "--table");
    expect_done(
        "devices\n  id    kind  name               state\n  demo  demo");
    RUN("devices", SMALL, "--json");
    expect_done("{\"devices\":[{\"id\":\"demo\"");
    RUN("screenshot", SMALL, "--json");
    expect_done(",\"base64\":\"/9j/");
    RUN("screenshot", SMALL);
    T(strstr(run.out, "base64") == NULL);
    t_scratch_end();
}

/* Otherwise the user would assume that a file was written. */
static void
picture_that_is_not_saved_is_reported(void) {
    t_scratch_start();
    RUN("screenshot", SMALL);
    T_INT(run.status, 0);
    T_STR(run.err, "squint: the picture was not written: name a file for it "
                   "with -o FILE\n");
    RUN("screenshot", SMALL, "--json");
    T_STR(run.err, "");
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.jpg"));
    T_STR(run.err, "");
    RUN("screenshot", SMALL, "--local-path", "b.png", "--output-directory",
        t_scratch());
    T_STR(run.err, "");
    RUN("visual-snapshot", SMALL, "--output-directory", t_scratch());
    expect_done("\"screenshotPath\":\"");
    RUN("dump", SMALL);
    T_STR(run.err, "");
    t_scratch_end();
}

static bool
begins_with(const char *file, const char *magic, size_t len) {
    char bytes[64] = { 0 };
    return run_slurp(t_scratch_path(file), bytes, sizeof(bytes)) >= len
        && memcmp(bytes, magic, len) == 0;
}

static void
file_extension_sets_the_format(void) {
    t_scratch_start();
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.png"));
    expect_done("\"mimeType\":\"image/png\"");
    T(begins_with("a.png", "\x89PNG", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.webp"));
    T(begins_with("a.webp", "RIFF", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("a.jpg"));
    T(begins_with("a.jpg", "\xff\xd8", 2));
    RUN("screenshot", SMALL, "-o", t_scratch_path("a"));
    T(begins_with("a", "\xff\xd8", 2));
    RUN("screenshot", SMALL, "-o", t_scratch_path("b"), "--format", "png");
    T(begins_with("b", "\x89PNG", 4));
    RUN("screenshot", SMALL, "-o", t_scratch_path("auto.webp"), "--format",
        "auto");
    T(begins_with("auto.webp", "RIFF", 4));
    /* An operation without a format argument. */
    RUN("visual-snapshot", SMALL, "-o", t_scratch_path("snap.webp"),
        "--output-directory", t_scratch());
    T_INT(run.status, 0);
    T(begins_with("snap.webp", "RIFF", 4));
    t_scratch_end();
}

static void
extension_that_contradicts_the_format_is_refused(void) {
    t_scratch_start();
    const char *file = t_scratch_path("a.png");
    RUN("screenshot", SMALL, "-o", file, "--format", "jpeg");
    run_refused(2, "the format jpeg and the extension of ");
    run_refused(2, "a.png contradict each other\n  Leave --format out");
    T(access(t_scratch_path("a.png"), F_OK) != 0);
    RUN("screenshot", SMALL, "--local-path", "a.png", "--format", "jpeg");
    run_refused(2,
                "the format jpeg and the extension of --local-path contradict "
                "each other");
    t_scratch_end();
}

/* Each command is a separate process, so session state is not available. */
static void
session_ids_are_refused_with_a_hint(void) {
    t_scratch_start();
    RUN("tap", "--element-index", "3");
    run_refused(1, "\n  Lists are remembered in a session of squint mcp only. "
                   "Use a selector, such as --selector.text Login, or x and y "
                   "of the element.\n");
    RUN("tap", "x=1", "y=1", "screenshotId=s1");
    run_refused(1, "\n  Pictures are remembered in a session of squint mcp "
                   "only. Leave it out: ");
    run_says(run.err, "or of the device with --device-space.\n");
    t_scratch_end();
}

static void
picture_output_shows_how_to_tap(void) {
    t_scratch_start();
    const char *file = t_scratch_path("a.jpg");
    RUN("screenshot", "-o", file);
    expect_done(
        "\"usage\":\"tap with x,y of this picture: converted for you\"");
    RUN("screenshot", "--max-dimension", "500", "-o", file);
    expect_done("\"usage\":\"tap with x,y of this picture and "
                "--max-dimension 500: converted for you\"");
    RUN("tap", "x=86", "y=394", "--max-dimension", "500");
    expect_done("\"deviceX\":413,\"deviceY\":1891,");
    /* The flag had this name before. */
    RUN("screenshot", "--max-image-dimension", "500", "-o", file);
    expect_done("and --max-dimension 500: ");
    RUN("screenshot", "region.x=10", "region.y=10", "region.width=100",
        "region.height=100", "-o", file);
    expect_done("\"tap with --device-space and x times 1, y times 1, "
                "plus x,y of deviceRegion\"");
    t_scratch_end();
}

static void
unknown_and_incomplete_options_are_refused(void) {
    t_scratch_start();
    RUN("tap", SMALL, "--wobble");
    run_refused(2, "unknown option \"--wobble\"");
    RUN("wait", SMALL, "--timeout-ms");
    run_refused(2, "--timeout-ms needs a value");
    t_scratch_end();
}

static void
missing_arguments_are_named(void) {
    t_scratch_start();
    RUN("crop", "--archive", t_scratch(), "screenshotRef=A");
    run_refused(2, "X is missing\n  Usage: squint crop REF X Y WIDTH HEIGHT | "
                   "REF [options]\n");
    /* Without dates, list prints which months have shots. */
    RUN("list", "--archive", t_scratch());
    T_INT(run.status, 0);
    run_says(run.out, "\"available\":{\"today\":\"");
    t_scratch_end();
}

static void
misplaced_values_get_a_hint(void) {
    t_scratch_start();
    RUN("key", SMALL, "name=home");
    T_INT(run.status, 0);
    RUN("screenshot", SMALL, "--inline", "false");
    run_refused(2, "--inline takes no value after it\n  Write --no-inline.\n");
    RUN("screenshot", SMALL, "--no-inline", "false");
    run_refused(2, "\n  Write --inline.\n");
    RUN("find", SMALL, "--selector.ignore-case", "true");
    run_refused(2, "--selector.ignore-case takes no value after it\n  Leave "
                   "\"true\" out.\n");
    RUN("find", SMALL, "--selector.ignore-case", "false");
    run_refused(2, "\n  Write --selector.ignore-case=false.\n");
    RUN("find", SMALL, "--selector.ignore-case=false", "--selector.text", "x");
    T_INT(run.status, 0);
    t_scratch_end();
}

T_MAIN(T_CASE(configuration_flags_are_applied),
       T_CASE(arguments_of_the_operation_take_precedence),
       T_CASE(value_is_not_read_as_flag), T_CASE(text_or_json_output),
       T_CASE(picture_that_is_not_saved_is_reported),
       T_CASE(file_extension_sets_the_format),
       T_CASE(extension_that_contradicts_the_format_is_refused),
       T_CASE(session_ids_are_refused_with_a_hint),
       T_CASE(picture_output_shows_how_to_tap),
       T_CASE(unknown_and_incomplete_options_are_refused),
       T_CASE(missing_arguments_are_named), T_CASE(misplaced_values_get_a_hint))

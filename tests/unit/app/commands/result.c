/* Where results go: pictures to files, remarks aside, and the exit status. */
#include <sys/stat.h>

#include "unit/app/home.h"

#define STEPS(find)                                                            \
    "[{\"operation\":\"tap\",\"selector\":{\"text\":\"Login\"},"               \
    "\"look\":true},{\"operation\":\"find\",\"selector\":{\"text\":\"" find    \
    "\"}}]"

static void
enter_scratch(void) {
    home_start();
    T_INT(chdir(t_scratch()), 0);
}

static void
leave_scratch(void) {
    T_INT(chdir("/"), 0);
    t_album_end();
}

T_FIXTURE(enter_scratch, leave_scratch);

/* Points without an id count in it, as in any picture of the screen. */
T_CASE(look_at_the_whole_screen_is_no_region) {
    RUN_EXITS(0, "tap", "Login", "--look", "-o", "a.jpg");
    run_says(run.out, "Wrote a.jpg: 450x1000 pixels, ");
    run_says(run.out, "\nsquint tap X Y now counts in the pixels of this "
                      "picture (s4).\n"); /* s3: the list */
    RUN_EXITS(0, "tap", "100", "100");
    run_says(run.out, "Tapped at 100,100 (240,240 on the device)");
    RUN("tap", "Username", "--look", "-o", "a.jpg");
    run_says(run.out, "To tap in this part of the screen, add --screenshot-id "
                      "s");
    RUN("swipe", "--help");
    run_says(run.out, "--screenshot-id ID ");
    RUN("tap", "--help");
    run_says(run.out, "--screenshot-id ID ");
}

T_CASE(file_for_the_picture_of_an_action_implies_a_look) {
    RUN_EXITS(0, "launch", "Shop", "-o", "a.jpg");
    run_says(run.out, "Wrote a.jpg: 450x1000 pixels, ");
    T_INT(access("a.jpg", F_OK), 0);
    RUN("key", "back", "--no-look", "-o", "b.jpg");
    run_refused(2, "--no-look means that there is no picture for b.jpg\n  "
                   "Leave -o or --no-look out.\n");
    RUN_EXITS(0, "find", "Cart",
              "--no-auto-fallback-screenshot"); /* nothing was pressed */
    RUN("key", "back", "--receipt", "none", "-o", "b.jpg");
    run_refused(2, "--look needs a receipt");
    RUN_EXITS(0, "find", "Cart", "-o", "b.jpg");
    T_STR(run.err, "");
    run_says(run.out, "element found on demo\n");
    run_says(run.out, "\nWrote b.jpg: 450x1000 pixels, ");
    T(access("b.jpg", F_OK) == 0);
    RUN_EXITS(0, "find", "Cart", "--device", "demo", "-o", "b.png", "--json");
    run_says(run.out, ",\"file\":\"b.png\"}");
    char bytes[5] = "";
    run_slurp("b.png", bytes, sizeof(bytes));
    T(memcmp(bytes, "\x89PNG", 4) == 0);
}

/* Repeats a command if the clock of the phone has changed the screen. */
#define RUN_UNCHANGED(...)                                                     \
    for (int i = 0; i < 5; i++) {                                              \
        RUN(__VA_ARGS__);                                                      \
        if (strstr(run.err, "nothing changed")) {                              \
            break;                                                             \
        }                                                                      \
    }

/* The file shows the screen, and points count in it. */
T_CASE(file_is_written_even_if_nothing_changed) {
    RUN("launch", "Shop");
    RUN("screenshot", "--max-dimension", "500", "-o", "a.jpg");
    RUN_UNCHANGED("launch", "Shop", "-o", "b.jpg", "--receipt", "fast");
    T_INT(run.status, 0);
    T_STR(run.err, "squint: nothing changed: b.jpg shows the whole screen\n");
    run_says(run.out, "; the screen did not change in ");
    run_says(run.out, " s\nWrote b.jpg: 450x1000 pixels, ");
    run_says(run.out, "\nsquint tap X Y now counts in the pixels of this "
                      "picture (s");
    T(access("b.jpg", F_OK) == 0);
    RUN_UNCHANGED("tap", "10", "10", "-o", "c.png", "--json");
    T_INT(run.status, 0);
    run_says(run.out, "\"tapped\":{\"x\":10,\"y\":10,\"deviceX\":24,");
    run_says(run.out, "\"changed\":null,\"watchedMs\":");
    run_says(run.out, "\"file\":\"c.png\"}\n");
    T(access("c.png", F_OK) == 0);
    /* The list of elements counts in the same pixels as the picture. */
    RUN("screenshot", "--max-dimension", "500", "-o", "a.jpg");
    RUN_UNCHANGED("tap", "5", "5", "-o", "b.jpg", "--receipt", "full");
    T_INT(run.status, 0);
    run_says(run.out, "\n  206   34  ImageButton       Cart");
    run_says(run.out, "\nWrote b.jpg: 225x500 pixels, ");
}

T_CASE(every_step_has_its_line) {
    RUN_EXITS(0, "steps", STEPS("Username"), "-o", "a.jpg");
    T_STR(run.err, "");
    run_says(run.out, "Did 2 steps\n1. tap: Tapped \"Login\" at 173,788 ");
    run_says(run.out, "\n2. find: 1 element found on demo\n");
    run_says(run.out, "\nWrote a.jpg: 450x1000 pixels, ");
    RUN("key", "home");
    RUN_EXITS(1, "steps", STEPS("Nowhere"), "--no-auto-fallback-screenshot");
    run_says(run.out, "\n2. find: No element found on demo\n");
}

/* The file shows the screen after the last action. */
T_CASE(steps_with_a_file_end_with_a_picture) {
    RUN_EXITS(0, "steps",
              "[{\"operation\":\"launch\",\"packageName\":\"Shop\"},"
              "{\"operation\":\"wait\"}]",
              "-o", "a.jpg");
    T_STR(run.err, "");
    run_says(run.out, "Did 2 steps\n1. launch: ");
    run_says(run.out, "\nWrote a.jpg: 450x1000 pixels, ");
    T(access("a.jpg", F_OK) == 0);
    RUN_EXITS(0, "steps",
              "[{\"operation\":\"screenshot\"},"
              "{\"operation\":\"key\",\"name\":\"home\"}]",
              "-o", "b.jpg", "--json");
    run_says(run.out, "\"file\":\"b.jpg\"}\n");
    run_says(run.err, "another picture was written to b-2.jpg\n");
    RUN_EXITS(0, "steps", "[{\"operation\":\"wake\"}]");
    T(!strstr(run.out, "Wrote "));
}

T_CASE(steps_before_a_failure_are_shown) {
    RUN_EXITS(1, "steps",
              "[{\"operation\":\"launch\",\"packageName\":\"Shop\"},"
              "{\"operation\":\"launch\",\"packageName\":\"no.such\"}]");
    run_says(run.err, "squint: step 2: ");
    run_says(run.err, "\nDid 1 step before that\n1. launch: Launched ");
    RUN_EXITS(1, "steps",
              "[{\"operation\":\"launch\",\"packageName\":\"no.such\"}]");
    T(!strstr(run.err, "before that"));
}

/* A journal whose writer was ended in the middle of a line. */
T_CASE(replay_of_a_part_of_a_journal_fails) {
    static const char journal[] =
        "{\"journal\":1,\"version\":\"1\"}\n"
        "{\"call\":1,\"client\":1,\"tool\":\"ui\",\"operation\":\"key\","
        "\"arguments\":{\"name\":\"home\"},\"content\":[{\"type\":\"text\","
        "\"text\":\"{}\"}]}\n";
    t_album_put_bytes("whole.jsonl", journal, sizeof(journal) - 1);
    RUN_EXITS(0, "replay", "whole.jsonl", "--device", "demo");
    T_STR(run.err, "");
    char cut[sizeof(journal) + 9];
    snprintf(cut, sizeof(cut), "%s{\"call\":", journal);
    t_album_put_bytes("cut.jsonl", cut, sizeof(cut) - 1);
    RUN_EXITS(1, "replay", "cut.jsonl", "--device", "demo");
    run_says(run.out, "0 same, 1 not compared, 0 ");
    T_STR(run.err, "squint: the journal is incomplete: its last line is cut "
                   "off, and was left out\n");
    RUN_EXITS(1, "replay", "cut.jsonl", "--device", "demo", "--json");
    T_STR(run.err, "");
    run_says(run.out, "\"incomplete\":true");
}

T_CASE(lists_end_somewhere) {
    RUN_EXITS(1, "dump", "--offset", "100");
    run_says(run.out, "There are only 10 elements on demo\n");
    RUN_EXITS(1, "apps", "--offset", "100");
    run_says(run.out, "There are only ");
    RUN("sheet", "today", "--refs", "x", "--archive", t_scratch());
    run_refused(2, "a sheet shows a day or a period, or --refs, not both\n  "
                   "Leave --refs or the day out.\n");
}

/* Messages about options name them as the command line does. */
T_CASE(messages_are_for_people) {
    RUN_EXITS(0, "dump", "--filter-level", "strict");
    run_says(run.out, "No element passes --filter-level: without it, 10 are "
                      "listed.");
    T(strstr(run.out, "no elements:") == NULL);
    RUN("input", "Ada", "--ignore-case");
    run_refused(2, "--selector.ignore-case is given, but not which element\n  "
                   "Name the element, for example with --selector.text and its "
                   "label.\n");
}

/* 2 is only for a wrong command line. */
T_CASE(unreadable_files_are_failures) {
    run_refuses(1, "ocr none.png", "cannot read none.png");
    run_refuses(1, "find-text a none.png", "cannot read none.png");
    run_refuses(1, "find-image none.png none.png", "cannot read none.png");
    run_refuses(2, "find-text a", "FILE is missing");
}

/* What would change nothing is refused. */
T_CASE(options_without_effect_are_refused) {
    RUN("list", "today", "--links", "--archive", t_scratch());
    run_refused(2, "--links has no effect on the command line\n");
    RUN("get", "A", "--full", "link", "--archive", t_scratch());
    run_refused(2, "--full link has no effect on the command line\n");
    RUN("screenshot", "--app-name", "x");
    run_refused(2, "--app-name has no effect without --json\n  Leave it out, "
                   "or add --json.\n");
    RUN("crop", "A", "--max-dimension", "10", "--archive", t_scratch());
    run_refused(2, "--max-dimension has no effect in this command\n");
    RUN("record", "--max-dimension=100");
    run_refused(2, "--max-dimension has no effect in this command\n");
    RUN("archive", "stats", "--max-dimension=3");
    run_refused(2, "--max-dimension has no effect in this command\n");
    RUN("tap", "200", "500", "--manictime", "/nowhere");
    run_refused(2, "--manictime has no effect in this command\n  Leave it out. "
                   "It is an option of squint list, get, ");
    RUN("key", "home", "--no-include-base64");
    run_refused(2, "--include-base64 has no effect in this command\n");
    RUN("screenshot", "--enable-coordinate-caching", "-o", "s.jpg");
    run_refused(2, "--enable-coordinate-caching has no effect without --json");
    RUN("wait", "Shop", "--stable-ms", "50");
    run_refused(2, "--stable-ms has no effect while waiting for an element\n");
    RUN("wait", "--selector.text", "Shop", "--stable-ms", "50");
    run_refused(2, "--stable-ms has no effect while waiting for an element\n");
    RUN("save", "A", "--coordinate-units", "pixels", "--archive", t_scratch());
    run_refused(2, "--coordinate-units has no effect without a part\n");
    RUN("crop", "--hit", "1", "--coordinate-units=pixels");
    run_refused(2, "--coordinate-units has no effect without a part\n");
    RUN("screenshot", "--ocr-language", "deu");
    run_refused(2, "--ocr-language has no effect without --ocr-enabled\n"
                   "  Leave it out, or add --ocr-enabled.\n");
    RUN("replay", "none", "--export", "sh", "--device", "demo");
    run_refused(2, "--device has no effect with --export\n");
    RUN_EXITS(1, "get", "A", "--max-dimension", "10", "--archive",
              t_scratch()); /* it has one itself; there is no such screenshot */
}

static bool
is_in_shop(void) {
    RUN("find", "Cart", "--no-auto-fallback-screenshot");
    return run.status == 0;
}

/* Nothing is done, because one of them would be lost. */
T_CASE(json_and_picture_need_different_places) {
    static const char message[] = "{\"error\":{\"code\":\"INPUT_VALIDATION_"
                                  "FAILED\",\"message\":\"--json and -o - both "
                                  "write to standard output\",\"hint\":\"Leave "
                                  "--json out, or name a file: -o FILE.\"}}\n";
    RUN("screenshot", "-o", "-", "--json");
    run_refused_as_json(2, message);
    RUN("sheet", "today", "--archive", t_scratch(), "-o", "-", "--json");
    run_refused_as_json(2, message);
    RUN("scale", "none.png", "-o", "-", "--json");
    run_refused_as_json(2, message);
    RUN("launch", "Shop", "-o", "-", "--json");
    run_refused_as_json(2, message);
    T(!is_in_shop());
    RUN("screenshot", "-o", "/dev/stdout", "--json");
    run_refused_as_json(2, "--json and -o /dev/stdout both write");
    RUN_EXITS(0, "launch", "Shop", "-o", "-");
    T(run.out_len > 2 && memcmp(run.out, "\xff\xd8", 2) == 0);
    T(is_in_shop());
}

T_CASE(file_needs_a_picture) {
    RUN("screenshot", "a.jpg", "--no-inline");
    run_refused(2, "--no-inline means that there is no picture for a.jpg\n  "
                   "Leave --no-inline or a.jpg out.\n");
    RUN("screenshot", "a.jpg", "--local-path", "b.jpg");
    run_refused(2, "--local-path means that there is no picture for a.jpg\n  "
                   "Leave --local-path or a.jpg out.\n");
    RUN("screenshot", "--local-path", "b.jpg", "--show");
    run_refused(2, "--local-path means that there is no picture for --show\n");
    T(access(".squint", F_OK) != 0);
    RUN_EXITS(0, "screenshot", "a.jpg", "--inline");
    RUN_EXITS(0, "visual-snapshot", "-o", "c.jpg", "--no-include-base64");
    T_STR(run.err, "");
    T(access("c.jpg", F_OK) == 0);
}

/* The current folder was deleted, and the output folder is a file. */
T_CASE(answer_without_its_picture_is_printed) {
    t_album_put_bytes("file", "", 0);
    const char *folder = t_scratch_path("file");
    T(mkdir("gone", 0700) == 0 && chdir("gone") == 0
      && rmdir(t_scratch_path("gone")) == 0);
    RUN_EXITS(1, "find", "Nowhere", "--output-directory", folder);
    T(strncmp(run.out, "No element found on demo\n", 25) == 0);
    T(strstr(run.out, "Wrote ") == NULL);
    T_STR(run.err, ""); /* no picture was asked for */
    RUN_EXITS(1, "find", "Nowhere", "--output-directory", folder, "--json");
    run_says(run.out, "\"count\":0,");
    T_STR(run.err, "");
    RUN_EXITS(1, "find", "Login", "-o", "a.jpg"); /* the file was asked for */
    run_says(run.out, "1 element found on demo\n");
    run_says(run.err, "squint: cannot write a.jpg: ");
    RUN_EXITS(1, "tap", "Login", "--look");
    run_says(run.out, "Tapped \"Login\" at 173,788 ");
    run_says(run.err, "squint: cannot write tap-20");
    RUN_EXITS(1, "tap", "10", "10", "-o", "a.jpg");
    run_says(run.out, "Tapped at 10,10 ");
    T(strstr(run.err, "shows the whole screen") == NULL);
    RUN("tap", "10", "10", "-o", "a.jpg", "--json");
    run_refused_as_json(1, "cannot write a.jpg: ");
    run_refuses(1, "screenshot", "cannot write screenshot-20");
}

T_CASE(missing_picture_to_show_is_explained) {
    static const char prefix[] = "squint: no picture was shown: ";
    RUN_EXITS(0, "tap", "20", "20", "--show");
    T(strncmp(run.err, prefix, strlen(prefix)) == 0);
    run_says(run.err, ": an action takes one only with --look\n");
    RUN_UNCHANGED("tap", "20", "20", "--look", "--show");
    T(strncmp(run.err, prefix, strlen(prefix)) == 0);
    run_says(run.err, ": nothing changed\n");
    RUN_EXITS(0, "find", "Login", "--show");
    run_says(run.err, "squint: no picture was shown: find takes one only if "
                      "nothing matches, or with -o FILE\n");
    RUN("find", "Nowhere", "--show", "--no-auto-fallback-screenshot");
    T_STR(run.err, "squint: no picture was shown: there is none\n");
    RUN("find", "Login", "-o", "a.jpg", "--show");
    T_STR(run.err, "squint: the picture was not shown: standard output is not "
                   "a terminal\n");
    RUN("find", "Login", "--no-show");
    T_STR(run.err, "");
    RUN("screenshot", "--json", "--show");
    run_refused_as_json(2, "--show has no effect with --json");
    RUN("screenshot", "-o", "-", "--show");
    run_refused(2, "--show has no effect with -o -\n");
}

/* What a pipe wants is alone on standard output. */
T_CASE(remarks_are_kept_apart_from_data) {
    RUN("clipboard", "copied");
    RUN("clipboard");
    T_STR(run.out, "copied\n");
    T_STR(run.err, "No other device is attached: this is the demo phone.\n");
}

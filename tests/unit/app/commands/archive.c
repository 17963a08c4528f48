/*
 * squint archive: statistics of the folders as text and JSON, and get with -o.
 */
#include <sys/stat.h>

#include "support/past_maker.h"
#include "sys/file.h"
#include "unit/app/answer.h"
#include "unit/app/home.h"

#define DAY "2026-01-15"

static const struct past_shot first_shot = {
    .folder = "a/" DAY, .time = DAY "_10-30-45", .width = 64, .height = 40
};
static const struct past_shot small_one = { .folder = "a/2026-01-16",
                                            .time = "2026-01-16_08-00-00",
                                            .width = 64,
                                            .height = 40,
                                            .parts = PAST_THUMB_ONLY };
static char root[600];

static void
start(void) {
    home_start();
    snprintf(root, sizeof(root), "%s", t_scratch_path("a"));
    past_put_series(&first_shot, 3, 60);
    past_put(&small_one);
    past_put_picture("a/" DAY "/holiday.jpg", 32, 32, 0);
    t_album_put_bytes("a/" DAY "/notes.txt", "x", 1);
}

T_FIXTURE(NULL, t_album_end);

T_CASE(text_output) {
    char want[900];
    start();
    RUN_EXITS(0, "archive", "stats", "--archive", root, "--time-zone", "UTC0");
    T_STR(run.err, "");
    snprintf(want, sizeof(want),
             "a (%s)\n"
             "  screenshots  4 (3 full, 4 thumbnails) in 2 folders\n"
             "  from         " DAY "T09:30:45+00:00\n"
             "  to           2026-01-16T07:00:00+00:00\n"
             "  unknown      1 picture without a time in the name\n"
             "               1 like holiday.jpg\n"
             "  names        4 in the form of manictime\n",
             root);
    T_STR(run.out, want);
    past_put_picture("a/" DAY "/Screenshot_20260115-103045.png", 32, 32, 0);
    RUN("archive", "stats", "--archive", root, "--time-zone", "UTC0");
    run_says(run.out, "  names        4 in the form of manictime\n"
                      "               1 in the form of android\n");
}

T_CASE(json_output) {
    T_FREED(answer_end) struct answer answer = { 0 };
    start();
    past_put_picture("b/Screenshot_20260115-103045.png", 32, 32, 0);
    RUN_EXITS(0, "archive", "stats", "--json", "--archive", root, "--archive",
              t_scratch_path("b"), "--time-zone", "UTC0");
    answer_start(&answer);
    T_INT(sq_json_count(answer.root), 2);
    const struct sq_json *a = sq_json_first(answer.root);
    const struct sq_json *b = sq_json_next(a);
    answer_is(a, "root", "a");
    answer_is(a, "path", root);
    answer_is(a, "trouble", "none");
    T_INT(answer_int(a, "folders", NULL), 2);
    T_INT(answer_int(a, "screenshots", NULL), 4);
    T_INT(answer_int(a, "full", NULL), 3);
    T_INT(answer_int(a, "thumbnails", NULL), 4);
    T_INT(answer_int(a, "unparsedNames", NULL), 1);
    T_INT(answer_int(a, "names", "manictime"), 4);
    answer_is(a, "first", DAY "T09:30:45+00:00");
    answer_is(a, "last", "2026-01-16T07:00:00+00:00");
    answer_is(b, "root", "b");
    T_INT(answer_int(b, "folders", NULL), 1);
    T_INT(answer_int(b, "screenshots", NULL), 1);
    T_INT(answer_int(b, "names", "android"), 1);
}

/* Counts only folders that contain screenshots. */
T_CASE(folders_with_screenshots_are_counted) {
    home_start();
    past_put_picture("c/2026/01/15/1768473045123_m1.jpg", 32, 32, 0);
    past_put_picture("c/2026-01-16/holiday.jpg", 32, 32, 0);
    t_album_folder("c/2026-01-17");
    RUN("archive", "stats", "--archive", t_scratch_path("c"));
    run_says(run.out, "  screenshots  1 (1 full, 0 thumbnails) in 1 folder\n");
    past_put_picture("c/Screenshot_20260115-103045.png", 32, 32, 0);
    RUN("archive", "stats", "--archive", t_scratch_path("c"));
    run_says(run.out, "  screenshots  2 (2 full, 0 thumbnails) in 2 folders\n");
}

/* Shots that no listing shows are not included in the totals. */
T_CASE(shots_in_the_folder_of_another_date_are_counted_separately) {
    home_start();
    past_put_picture("d/2026-01-15/Screenshot_20260115-103045.png", 32, 32, 0);
    past_put_picture("d/2026-01-20/Screenshot_20250115-103045.png", 32, 32, 0);
    RUN("archive", "stats", "--archive", t_scratch_path("d"), "--time-zone",
        "UTC0");
    run_says(run.out, "  screenshots  1 (1 full, 0 thumbnails) in 1 folder\n");
    run_says(run.out, "  from         2026-01-15T10:30:45+00:00\n");
    run_says(run.out, "  misfiled     1 in the folder of another date");
}

/* The user sees which names to report. The second run uses the index. */
T_CASE(unknown_names_are_grouped_by_shape) {
    T_FREED(answer_end) struct answer answer = { 0 };
    home_start();
    for (int i = 0; i < 12; i++) {
        char path[60];
        snprintf(path, sizeof(path), "e/2026-01-1%d/foo_%04d.png", i % 3, i);
        past_put_picture(path, 32, 32, 0);
    }
    past_put_picture("e/photo 7.jpg", 32, 32, 0);
    past_put_picture("e/photo 8.jpg", 32, 32, 0);
    past_put_picture("e/IMG_1234.PNG", 32, 32, 0);
    t_album_put_bytes("e/notes_0001.txt", "x", 1);
    for (int i = 0; i < 2; i++) {
        RUN("archive", "stats", "--archive", t_scratch_path("e"));
        run_says(run.out, "  unknown      14 pictures without a time in the "
                          "name\n"
                          "               12 like foo_####.png\n"
                          "               2 like photo #.jpg\n"
                          "  names        1 in the form of ios\n");
    }
    RUN("archive", "stats", "--json", "--archive", t_scratch_path("e"));
    answer_start(&answer);
    const struct sq_json *like =
        sq_json_get(sq_json_first(answer.root), "unparsedLike");
    T_INT(sq_json_count(like), 2);
    answer_is(sq_json_first(like), "like", "foo_####.png");
    T_INT(answer_int(sq_json_first(like), "count", NULL), 12);
}

/* Unreadable folders are reported; the others are still counted. */
T_CASE(unreadable_folders_are_reported) {
    start();
    t_album_put_bytes("file", "x", 1);
    RUN_EXITS(1, "archive", "stats", "--archive", t_scratch_path("nowhere"),
              "--archive", t_scratch_path("file"), "--archive", root);
    run_says(run.out, "/nowhere)\n  missing\n");
    run_says(run.out, "/file)\n  notAFolder\n");
    run_says(run.out, "  screenshots  4 ");
}

T_CASE(empty_folder_has_no_times) {
    T_FREED(answer_end) struct answer answer = { 0 };
    home_start();
    t_album_folder("empty");
    RUN("archive", "stats", "--archive", t_scratch_path("empty"));
    run_says(run.out, "  screenshots  0 (0 full, 0 thumbnails) in 0 folders\n");
    T(!strstr(run.out, "from"));
    RUN("archive", "stats", "--json", "--archive", t_scratch_path("empty"));
    answer_start(&answer);
    T(!sq_json_get(sq_json_first(answer.root), "first"));
}

/* The index is in the cache folder; the archive is unchanged. */
T_CASE(archive_is_not_modified) {
    start();
    int before = t_count_entries(root);
    RUN("archive", "stats", "--archive", root);
    T_INT(t_count_entries(root), before);
    T_INT(t_count_entries(t_scratch_path("a/" DAY)), 8);
    /* The second run uses the index and prints the same. */
    RUN("archive", "stats", "--archive", root);
    run_says(run.out, "  screenshots  4 (3 full, 4 thumbnails)");
}

T_CASE(wrong_arguments_are_refused) {
    home_start();
    run_refuses(2, "archive",
                "archive needs a subcommand\n  Usage: squint archive stats "
                "[options], squint archive index [WHEN [WHEN]] "
                "[options], or squint archive prune --keep TIME "
                "[options]\n");
    RUN("archive", "burn");
    run_refused(2, "there is no subcommand \"burn\"\n  Usage: squint archive");
    RUN("archive", "idnex");
    run_refused(2, "there is no subcommand \"idnex\"\n"
                   "  Did you mean squint archive index?\n");
    RUN("archive", "stats", "more");
    run_refused(2, "\"more\" is one word too many\n  Usage: squint archive");
    run_refuses(2, "archive stats --nonsense", "--nonsense");
    RUN("archive", "stats", "--delete");
    run_refused(2, "--delete has no effect in stats\n");
    static const char *const of_index[][2] = {
        { "--ocr-language", "deu" },  { "--language", "deu" },
        { "--activity", "none" },     { "--activity-path", "a.csv" },
        { "--redact-apps", "Mail" },  { "--redact", "emails" },
        { "--redact-patterns", "x" },
    };
    for (size_t i = 0; i < SQ_COUNT(of_index); i++) {
        char message[80];
        RUN("archive", "stats", of_index[i][0], of_index[i][1]);
        snprintf(message, sizeof(message),
                 "%s has no effect in stats\n  Leave it out. It is an option "
                 "of",
                 of_index[i][0]);
        run_refused(2, message);
    }
    RUN_EXITS(0, "archive", "stats", "--time-zone", "UTC", "--log-level",
              "error");
    RUN("archive", "index", "yesterday", "--delete");
    run_refused(2, "--delete removes the texts of all pictures, not only those "
                   "of a time\n  Leave out the time to remove all texts.\n");
}

/* Nothing is configured; in the second run HOME is not set either. */
T_CASE(without_a_root_the_error_says_how_to_configure_one) {
    home_start();
    RUN_EXITS(0, "archive", "stats");
    run_says(run.out, "recorded (");
    run_says(run.out, "  missing\n");
    RUN("search", "hello");
    run_refused(1, "no folder of screenshots is configured\n"
                   "  Add --archive FOLDER, or set archive.roots");
    for (int i = 0; i < 2; i++) {
        RUN("get", "AAAA");
        run_refused(1, "squint: no folder of screenshots is configured\n"
                       "  Add --archive FOLDER, or set archive.roots");
        RUN("get", "--hit", "1");
        run_refused(1, "squint: no folder of screenshots is configured\n");
        RUN("crop", "AAAA", "0", "0", "9", "9");
        run_refused(1, "squint: no folder of screenshots is configured\n");
        RUN("sheet", "--refs", "AAAA");
        run_refused(1, "no folder of screenshots is configured\n");
        unsetenv("HOME");
        unsetenv("XDG_DATA_HOME");
    }
    RUN("archive", "stats");
    run_refused(1, "no folder of screenshots is configured\n"
                   "  Add --archive FOLDER, or set archive.roots");
    RUN_EXITS(1, "archive", "stats", "--json");
    run_says(run.out, "\"hint\":\"Add --archive FOLDER, or set ");
}

static char ref[64]; /* of the shot of start_with_one_shot */

static void
start_with_one_shot(void) {
    static const struct past_shot shot = { .folder = "a/" DAY,
                                           .time = DAY "_10-30-45" };
    home_start();
    snprintf(root, sizeof(root), "%s", t_scratch_path("a"));
    past_put(&shot);
    RUN_EXITS(0, "list", "--archive", root, "--start-date", DAY, "--end-date",
              DAY, "--activity", "none", "--json");
    const char *at = strstr(run.out, "\"screenshotRef\":\"");
    if (T(at != NULL)) {
        at += strlen("\"screenshotRef\":\"");
        snprintf(ref, sizeof(ref), "%.*s", (int)strcspn(at, "\""), at);
    }
}

/* A name that is taken is no mistake in the command line. */
T_CASE(a_file_that_exists_is_kept_with_status_1) {
    char folder[600];
    char journal[600];
    start_with_one_shot();
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("saved"));
    snprintf(journal, sizeof(journal), "%s", t_scratch_path("saved/mine.jpg"));
    RUN_EXITS(0, "save", ref, "mine.jpg", "--archive", root, "--save-directory",
              folder);
    RUN("save", ref, "mine.jpg", "--archive", root, "--save-directory", folder);
    run_refused(1, "mine.jpg already exists\n");
    RUN("save", ref, "mine.jpg", "--archive", root, "--save-directory", folder,
        "--json");
    run_refused_as_json(1, "mine.jpg already exists");
    RUN("demo", "-o", folder);
    run_refused(1, "exists, but squint demo did not create it\n");
    RUN("mcp", "--journal", journal);
    run_refused(1, "mine.jpg exists already\n");
}

static struct sq_size
size_of(const char *name) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    struct sq_size size = { 0 };
    T_OK(sq_file_read(t_scratch_path(name), 1 << 22, &bytes, &t_err));
    T_OK(sq_codec_size(bytes.data, bytes.len, &size, &t_err));
    return size;
}

/* Whether a file contains one complete picture of the given width. */
static void
check_width(const char *name, int width) {
    T_INT(size_of(name).width, width);
}

#define GET(...)                                                               \
    RUN("get", "--archive", root, "--screenshot-ref", ref, "full=inline",      \
        __VA_ARGS__)

T_CASE(get_writes_one_picture_per_file) {
    start_with_one_shot();
    GET("-o", t_scratch_path("shot.jpg"));
    T_INT(run.status, 0);
    run_says(run.out, "Screenshot of " DAY " 10:30:45\nWrote ");
    run_says(run.out, "/shot.jpg: 640x400 pixels, ");
    check_width("shot.jpg", 640);
    T(size_of("shot-2.jpg").width < 640);
    run_says(run.err, "another, smaller picture was written to ");
    run_says(run.err, "shot-2.jpg\n");
    /* Existing files are not overwritten. */
    GET("-o", t_scratch_path("shot.jpg"));
    run_says(run.err, "shot-3.jpg\n");
    T(access(t_scratch_path("shot-3.jpg"), F_OK) == 0);
    GET("-o", t_scratch_path("a.b/none"));
    run_refused(2, "a.b/none has no extension that says the format");
    GET("-o", t_scratch_path("a.b/some.jpg"));
    T_INT(run.status, 1);
    T_INT(mkdir(t_scratch_path("a.b"), 0700), 0);
    GET("-o", t_scratch_path("a.b/some.jpg"));
    check_width("a.b/some.jpg", 640);
    T(size_of("a.b/some-2.jpg").width < 640);
    /* Only one picture can be written to standard output. */
    const struct run_streams stream = { .output = t_scratch_path("stream") };
    RUN_WITH(stream, "get", "--archive", root, "--screenshot-ref", ref,
             "full=inline", "-o", "-");
    run_says(run.err, "was not written: name a file");
}

/* The next command knows how large the picture was that get wrote. */
T_CASE(crop_takes_pixels_of_the_picture_that_get_wrote) {
    start_with_one_shot();
    RUN("crop", "--archive", root, ref, "0", "0", "50", "50",
        "--coordinate-units", "image", "-o", t_scratch_path("part.jpg"));
    run_refused(1, "no picture of this screenshot was returned recently");
    RUN_EXITS(0, "get", "--archive", root, ref, "-o",
              t_scratch_path("small.jpg"));
    int width = size_of("small.jpg").width;
    char half[16];
    snprintf(half, sizeof(half), "%d", width / 2);
    RUN_EXITS(0, "crop", "--archive", root, ref, "0", "0", half, half,
              "--coordinate-units", "image", "-o", t_scratch_path("part.jpg"));
    T_STR(run.err, "");
    T(width < 640);
    check_width("part.jpg", 320);
}

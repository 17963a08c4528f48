/* squint demo: its steps, pictures, page, and which files it replaces. */

#include <errno.h>
#include <sys/stat.h>

#include "demo/tour/private.h"
#include "image/pipeline/codec.h"
#include "sys/clock.h"
#include "unit/app/run.h"
#include "util/fault.h"

#define MAX_TEXT ((size_t)1 << 20)
#define A_MOMENT_NS 1767323045000000000

static int64_t
stopped_clock(void *context) {
    return A_MOMENT_NS;
}

/* A small phone is faster where the size does not matter. */
enum phone {
    USUAL,
    SMALL,
};
static enum phone phone;

static void
start(enum phone which) {
    phone = which;
    t_scratch_start();
}

/*
 * Runs the tour with a stopped clock, in simulated time: receipts say how long
 * they watched. text is its output.
 */
static bool
play(const char *folder, struct sq_buf *text, struct sq_err *err) {
    struct sq_config config;
    sq_config_defaults(&config);
    if (phone == SMALL) {
        config.demo.width = 240;
        config.demo.height = 600;
        config.demo.density = 0.75;
    }
    const struct sq_tour_options options = {
        .config = &config,
        .folder = folder,
        .program = "/opt/squint",
        .now_ns = stopped_clock,
    };
    sq_clock_simulate(1000000000);
    bool ok = sq_tour_play(&options, text, err);
    sq_clock_simulate_end();
    return ok;
}

static char *
play_and_keep(const char *folder, struct sq_buf *text) {
    sq_buf_init(text, MAX_TEXT);
    T_OK(play(folder, text, &t_err));
    T(sq_buf_append(text, "", 1, &t_err));
    return (char *)text->data;
}

static const char *
in_folder(const char *folder, const char *name) {
    static char path[2][600];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
    return path[turn];
}

static char page[1 << 18];

/*
 * Runs the tour once into a new folder, for cases that only inspect the result.
 */
static const char *
check_tour(struct sq_buf *text) {
    const char *folder = t_scratch_path("tour");
    const char *said = play_and_keep(folder, text);
    run_slurp(in_folder(folder, SQ_TOUR_PAGE), page, sizeof(page));
    return said;
}

static int
count_of(const char *text, const char *part) {
    int count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}

static void
check_every_step_is_printed(const char *said) {
    T_INT(count_of(page, "<article"), (int)sq_tour_step_count + 1);
    for (size_t i = 0; i < sq_tour_step_count; i++) {
        const struct sq_tour_step *step = &sq_tour_steps[i];
        char line[100];
        snprintf(line, sizeof(line), "\n%3zu  ui %s", i + 1, step->operation);
        run_says(said, line);
        snprintf(line, sizeof(line), "<span class=\"number\">%zu</span>",
                 i + 1);
        run_says(page, line);
        if (step->file) {
            snprintf(line, sizeof(line), "<img src=\"%s\"", step->file);
            run_says(page, line);
        }
    }
}

/* The agent reaches its goals. */
static void
check_goals_are_reached(const char *said) {
    run_says(said, "-> a picture of 450x1000\n");
    run_says(said, "173,788 became 415,1892 on the device and hit \"Login\"");
    run_says(said, "the field now reads \"Ada Lovelace\"");
    run_says(said, "13 characters typed");
    run_says(said, "+ You are signed in.");
    run_says(said, "= Dark theme, Easier on the eyes at night");
    run_says(said, "Text Delete old");
    run_says(said, "0 elements match, so a picture of 450x1000 came");
    run_says(said, "SECURE_SCREEN: the foreground app does not allow");
    run_says(said, "15 calls, 3 pictures: 1,404 + ~");
    run_says(said, "claude mcp add squint -- /opt/squint mcp\n");
    run_says(said, "{\"mcpServers\":{\"squint\":{\"command\":\"/opt/squint\","
                   "\"args\":[\"mcp\"]}}}\n");
    run_says(said, "{\"servers\":{\"squint\":{\"command\":\"/opt/squint\",");
}

static void
check_page_is_self_contained(void) {
    T_LACKS(page, "://");
    T_LACKS(page, "<script");
    run_says(page, "prefers-color-scheme:dark");
    run_says(page, "</html>\n");
}

static void
check_lines_fit_80_columns(const char *said) {
    for (const char *line = said; *line;) {
        size_t length = strcspn(line, "\n");
        T(length <= 80 || strstr(line, "\"command\"") != NULL);
        line += length + (line[length] == '\n');
    }
}

T_FIXTURE(NULL, t_scratch_end);

T_CASE(tour_prints_every_step) {
    start(USUAL);
    struct sq_buf text;
    const char *said = check_tour(&text);
    check_every_step_is_printed(said);
    check_goals_are_reached(said);
    check_lines_fit_80_columns(said);
    check_page_is_self_contained();
    /* The password is in one call only; no answer contains it. */
    T_INT(count_of(page, "correct horse"), 1);
    sq_buf_finish(&text);
    t_remove_folder(t_scratch_path("tour"));
}

/* The number of pixels with exactly the colour of a mark. */
static int
marked_pixels(const struct sq_image *image, const uint8_t colour[3]) {
    int count = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++) {
            const uint8_t *pixel = row + (size_t)x * SQ_PIXEL_BYTES;
            count += abs(pixel[0] - colour[0]) < 24
                  && abs(pixel[1] - colour[1]) < 24
                  && abs(pixel[2] - colour[2]) < 24;
        }
    }
    return count;
}

static void
check_picture(const char *path, const uint8_t *colour) {
    static char bytes[1 << 20];
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    size_t len = run_slurp(path, bytes, sizeof(bytes));
    if (T_OK(sq_image_decode((uint8_t *)bytes, len, &sq_limits_default, &image,
                             &t_err))) {
        T(image.width >= 450 && image.height >= 200);
        T(!colour || marked_pixels(&image, colour) > 60);
    }
}

T_CASE(pictures_decode_and_have_marks) {
    static const uint8_t element[3] = { 0x6d, 0x3b, 0xf5 };
    static const uint8_t touch[3] = { 0xff, 0x2d, 0x6f };
    static const uint8_t change[3] = { 0x00, 0xa3, 0x8d };
    static const struct {
        const char *file;
        const uint8_t *colour;
    } pictures[] = {
        { "01-given.jpg", NULL },      { "02-before.jpg", touch },
        { "02-tap.jpg", element },     { "03-before.jpg", touch },
        { "03-name.jpg", change },     { "04-before.jpg", touch },
        { "04-password.jpg", change }, { "05-before.jpg", touch },
        { "05-sign-in.jpg", change },  { "07-before.jpg", touch },
        { "07-switch.jpg", change },   { "08-before.jpg", NULL },
        { "08-dialog.jpg", element },  { "10-given.jpg", NULL },
        { "11-before.jpg", touch },    { "11-tap.jpg", change },
        { "12-given.jpg", NULL },
    };
    const int count = SQ_COUNT(pictures);
    start(USUAL);
    const char *folder = t_scratch_path("tour");
    struct sq_buf text;
    play_and_keep(folder, &text);
    for (int i = 0; i < count; i++) {
        check_picture(in_folder(folder, pictures[i].file), pictures[i].colour);
    }
    /* No other files, such as stray screenshots, here or next to the folder. */
    T_INT(t_count_entries(folder), count + 3);
    T_INT(t_count_entries(t_scratch()), 1);
    sq_buf_finish(&text);
    t_remove_folder(t_scratch_path("tour"));
}

/* The log has every call, and the pictures of the answers as they were. */
T_CASE(log_is_json_with_the_given_pictures) {
    static char log[1 << 18];
    struct sq_arena arena;
    const struct sq_json *steps = NULL;
    struct sq_buf text;
    start(USUAL);
    const char *folder = t_scratch_path("tour");
    play_and_keep(folder, &text);
    size_t len = run_slurp(in_folder(folder, SQ_TOUR_LOG), log, sizeof(log));
    sq_arena_init(&arena, MAX_TEXT);
    T_OK(sq_json_parse((struct sq_span){ log, len }, &arena, &steps, &t_err));
    T_INT(sq_json_count(steps), sq_tour_step_count);
    const struct sq_json *step = sq_json_first(steps);
    for (int i = 0; i < (int)sq_tour_step_count; i++) {
        T_INT(sq_json_int_of(step, "step"), i + 1);
        T(sq_json_text_of(step, "call").len > 0);
        T(sq_json_text_of(step, "answer").len > 0);
        const char *given = sq_tour_steps[i].picture == SQ_TOUR_GIVEN
                              ? sq_tour_steps[i].file
                              : NULL;
        T(sq_span_is(sq_json_text_of(step, "picture"), given ? given : ""));
        T_INT(sq_json_int_of(step, "pictureTokens") > 0, given != NULL);
        if (given) {
            char shown[100];
            snprintf(shown, sizeof(shown), "<img src=\"%s\"", given);
            run_slurp(in_folder(folder, SQ_TOUR_PAGE), page, sizeof(page));
            run_says(page, shown);
        }
        step = sq_json_next(step);
    }
    sq_arena_finish(&arena);
    sq_buf_finish(&text);
    t_remove_folder(t_scratch_path("tour"));
}

static bool
fail_at_the_third(void *context, size_t done, size_t total,
                  struct sq_err *err) {
    T_INT(total, sq_tour_step_count);
    return done < 2 || sq_fail(err, SQ_ERR_CANCELLED, "enough");
}

T_CASE(report_can_end_the_tour) {
    struct sq_config config;
    struct sq_buf text;
    start(SMALL);
    sq_config_defaults(&config);
    sq_buf_init(&text, MAX_TEXT);
    const struct sq_tour_options options = {
        .config = &config,
        .folder = t_scratch_path("tour"),
        .program = "/opt/squint",
        .report = fail_at_the_third,
    };
    T(!sq_tour_play(&options, &text, &t_err));
    T_STR(t_err.message, "enough");
    T(sq_buf_append(&text, "", 1, &t_err));
    run_says((char *)text.data, "\n  2  ui tap");
    T_LACKS((char *)text.data, "\n  3  ui ");
    sq_buf_finish(&text);
    T(access(options.folder, F_OK) != 0); /* nothing is left */
}

static void
check_same(const char *a, const char *b, const char *name) {
    static char one[1 << 20];
    size_t len = run_slurp(in_folder(a, name), one, sizeof(one));
    T(len > 0);
    if (!T(t_holds(in_folder(b, name), one, len))) {
        printf("# %s differs\n", name);
    }
}

T_CASE(output_is_deterministic) {
    start(SMALL);
    const char *a = t_scratch_path("a");
    const char *b = t_scratch_path("b");
    struct sq_buf text_a;
    struct sq_buf text_b;
    play_and_keep(a, &text_a);
    play_and_keep(b, &text_b);
    check_same(a, b, SQ_TOUR_PAGE);
    check_same(a, b, SQ_TOUR_MARKER);
    check_same(a, b, SQ_TOUR_LOG);
    for (size_t i = 0; i < sq_tour_step_count; i++) {
        if (sq_tour_steps[i].file) {
            check_same(a, b, sq_tour_steps[i].file);
        }
        if (sq_tour_steps[i].picture == SQ_TOUR_GIVEN) {
            check_same(a, b, sq_tour_steps[i].file);
        }
    }
    sq_buf_finish(&text_a);
    sq_buf_finish(&text_b);
    t_remove_folder(t_scratch_path("a"));
    t_remove_folder(t_scratch_path("b"));
}

T_CASE(second_tour_replaces_the_first) {
    start(SMALL);
    const char *folder = t_scratch_path("tour");
    struct sq_buf text;
    play_and_keep(folder, &text);
    int entries = t_count_entries(folder);
    sq_buf_finish(&text);
    t_put(in_folder(folder, "notes.txt"), "mine", 4);
    t_put(in_folder(folder, SQ_TOUR_PAGE), "old", 3);
    play_and_keep(folder, &text);
    sq_buf_finish(&text);
    T(t_holds(in_folder(folder, "notes.txt"), "mine", 4));
    T(!t_holds(in_folder(folder, SQ_TOUR_PAGE), "old", 3));
    T_INT(t_count_entries(folder), entries + 1);
    t_remove_folder(t_scratch_path("tour"));
}

static void
check_refused(const char *folder, const char *why) {
    T_BUF(text, MAX_TEXT);
    T_FAILS(play(folder, &text, &t_err), SQ_ERR_EXISTS);
    run_says(t_err.message, why);
}

T_CASE(other_folders_are_not_changed) {
    static const char foreign[] = "not the head of a marker\nindex.html\n";
    start(USUAL);
    const char *folder = t_scratch_path("tour");
    T_INT(mkdir(folder, 0700), 0);
    check_refused(folder, "exists, but squint demo did not create it");
    T_INT(t_count_entries(folder), 0);
    t_put(in_folder(folder, SQ_TOUR_PAGE), "mine", 4);
    t_put(in_folder(folder, SQ_TOUR_MARKER), foreign, sizeof(foreign) - 1);
    check_refused(folder, "exists, but squint demo did not create it");
    T(t_holds(in_folder(folder, SQ_TOUR_PAGE), "mine", 4));
    T_INT(t_count_entries(folder), 2);
    t_remove_folder(t_scratch_path("tour"));
}

/* A file that is not in our list is kept, even if it has one of our names. */
T_CASE(other_files_are_not_changed) {
    static const char marker[] =
        "squint demo made this folder. It replaces the files listed here, and "
        "no others.\n../outside.txt\nlisted.txt\n";
    start(USUAL);
    const char *folder = t_scratch_path("tour");
    T_INT(mkdir(folder, 0700), 0);
    t_put(t_scratch_path("outside.txt"), "mine", 4);
    t_put(in_folder(folder, "listed.txt"), "ours", 4);
    t_put(in_folder(folder, "02-tap.jpg"), "mine", 4);
    t_put(in_folder(folder, SQ_TOUR_MARKER), marker, sizeof(marker) - 1);
    check_refused(folder, "02-tap.jpg already exists");
    T(t_holds(t_scratch_path("outside.txt"), "mine", 4));
    T(t_holds(in_folder(folder, "02-tap.jpg"), "mine", 4));
    T(access(in_folder(folder, "listed.txt"), F_OK) != 0);
    t_remove_folder(t_scratch_path("tour"));
}

T_CASE(command_line_options_work) {
    t_scratch_start();
    const char *folder = t_scratch_path("tour");
    RUN("demo", "--output", folder, "--profile", "gpt-4o");
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, "tokens as gpt-4o counts");
    run_says(run.out, "/" SQ_TOUR_PAGE ": every call, with its picture.\n");
    T(strchr(run.out, '\x1b') == NULL);
    T_INT(t_count_entries(t_scratch()), 1);
    RUN("demo", "--nonsense");
    run_refused(2, "squint demo: unknown option \"--nonsense\"");
    RUN("demo", "--reset", "--adb", "127.0.0.1:0");
    run_refused(2, "squint demo: --reset stands alone");
    RUN("demo", "--output", "x", "--adb", "127.0.0.1:0");
    run_refused(2, "squint demo: --output and --adb exclude each other");
    run_refuses(2, "demo now", "squint demo: takes options only");
    t_put(t_scratch_path("file"), "", 0);
    RUN("demo", "-o", t_scratch_path("file/tour"));
    run_refused(1, "file/tour");
    t_remove_folder(t_scratch_path("tour"));
}

/* With unusual sizes of phone and picture the result is the same. */
T_CASE(other_sizes_work) {
    t_scratch_start();
    RUN("demo", "-o", t_scratch_path("small"), "--max-image-dimension", "320",
        "--demo-width", "720", "--demo-height", "1280", "--demo-density", "2");
    T_INT(run.status, 0);
    run_says(run.out, "a picture of 180x320");
    run_says(run.out, "+ You are signed in.");
    t_remove_folder(t_scratch_path("small"));
}

/* A path may contain characters that are special in HTML, JSON or a shell. */
T_BARE_CASE(special_characters_in_paths_are_escaped) {
    const struct sq_tour_summary summary = {
        .profile = sq_token_profile_at(0),
        .device = { 1080, 2400 },
        .program = "/a b/<i>\"x\"&",
    };
    T_BUF(out, MAX_TEXT);
    T_OK(sq_tour_page(&summary, SQ_SPAN(""), &out, &t_err));
    T(sq_buf_append(&out, "", 1, &t_err));
    T_LACKS((char *)out.data, "<i>");
    run_says((char *)out.data, "/a b/&lt;i&gt;");
}

static bool
write_page(void *context, struct sq_err *err) {
    const struct sq_tour_summary *summary = context;
    T_BUF(out, MAX_TEXT);
    return sq_tour_page(summary, SQ_SPAN("<p>body</p>"), &out, err)
        && sq_tour_print_end(summary, "folder", true, &out, err);
}

T_BARE_CASE(out_of_memory_while_writing_the_page) {
    struct sq_tour_summary summary = {
        .profile = sq_token_profile_at(0),
        .device = { 1080, 2400 },
        .program = "squint",
    };
    T(t_alloc_torture(write_page, &summary) > 3);
}

/* After any failure, a later tour in the same folder works. */
T_CASE(out_of_memory_during_the_tour) {
    start(SMALL);
    const char *folder = t_scratch_path("tour");
    bool reached = true;
    for (long n = 1; reached; n += n < 24 ? 1 : n) {
        T_BUF(text, MAX_TEXT);
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ .nth = n });
        bool ok = play(folder, &text, &t_err);
        reached = sq_fault_count(SQ_FAULT_ALLOC) >= n;
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        T(ok || t_err.code == SQ_ERR_NOMEM);
        T_INT(ok || reached, true);
    }
    t_remove_folder(t_scratch_path("tour"));
}

/* A later tour can use the folder that a failed one has left. */
T_CASE(full_disk_during_the_tour) {
    start(SMALL);
    const char *folder = t_scratch_path("tour");
    struct sq_buf text;
    play_and_keep(folder, &text);
    sq_buf_finish(&text);
    for (long n = 1; n <= 20; n++) {
        sq_buf_init(&text, MAX_TEXT);
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = n,
                                                            .from_then = true,
                                                            .how = ENOSPC });
        T(!play(folder, &text, &t_err));
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T(t_err.message[0]);
        sq_buf_finish(&text);
    }
    play_and_keep(folder, &text);
    sq_buf_finish(&text);
    t_remove_folder(t_scratch_path("tour"));
}

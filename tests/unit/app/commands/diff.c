#include "unit/app/answer.h"
#include "unit/app/pages.h"

/* Two pages that differ in the given region only. */
struct pair {
    char before[512];
    char after[512];
};

static void
make_pair(struct pair *pair, struct sq_region region) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    encoded_page(200, 150, &image);
    snprintf(pair->before, sizeof(pair->before), "%s",
             pages_put("before.png", ENCODED_PNG, &image));
    for (int y = region.y; y < region.y + region.height; y++) {
        for (int x = region.x; x < region.x + region.width; x++) {
            sq_image_row(&image, y)[x * SQ_PIXEL_BYTES] ^= 0x80;
        }
    }
    snprintf(pair->after, sizeof(pair->after), "%s",
             pages_put("after.raw", ENCODED_RAW, &image));
}

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(equal_pictures_give_status_0) {
    struct pair pair;
    make_pair(&pair, (struct sq_region){ 0 });
    RUN_EXITS(0, "diff", pair.before, pair.after);
    T_STR(run.out, "The pictures are the same: 200x150 pixels\n");
    T_STR(run.err, "");
    RUN_EXITS(0, "diff", pair.before, pair.before);
}

T_CASE(changed_pictures_give_status_1_and_a_rectangle) {
    struct pair pair;
    make_pair(&pair, (struct sq_region){ 60, 10, 70, 21 });
    RUN_EXITS(1, "diff", pair.before, pair.after);
    T_STR(run.err, "");
    run_says(run.out, "The pictures differ in 70x21 pixels at 60,10: 3 of 12 "
                      "tiles, hash distance ");
    make_pair(&pair, (struct sq_region){ 199, 149, 1, 1 });
    RUN_EXITS(1, "diff", pair.before, pair.after);
    run_says(run.out,
             "The pictures differ in 1x1 pixels at 199,149: 1 of 12 tiles");
}

T_CASE(map_shows_changed_tiles) {
    struct pair pair;
    make_pair(&pair, (struct sq_region){ 60, 10, 70, 21 });
    RUN_EXITS(1, "diff", "--map", pair.before, pair.after);
    run_says(run.out, "\n###.\n....\n....\n");
    make_pair(&pair, (struct sq_region){ 0 });
    RUN_EXITS(0, "diff", "--map", pair.before, pair.after);
    T_STR(run.out,
          "The pictures are the same: 200x150 pixels\n....\n....\n....\n");
}

T_CASE(json_has_the_same_result) {
    struct pair pair;
    struct answer answer;
    bool same = true;
    make_pair(&pair, (struct sq_region){ 60, 10, 70, 21 });
    RUN_EXITS(1, "diff", pair.before, pair.after, "--json");
    answer_start(&answer);
    T(sq_json_bool(sq_json_get(answer.root, "same"), &same) && !same);
    T_INT(answer_int(answer.root, "before", "width"), 200);
    T_INT(answer_int(answer.root, "after", "height"), 150);
    T_INT(answer_int(answer.root, "changedRect", "x"), 60);
    T_INT(answer_int(answer.root, "changedRect", "y"), 10);
    T_INT(answer_int(answer.root, "changedRect", "width"), 70);
    T_INT(answer_int(answer.root, "changedRect", "height"), 21);
    T_INT(answer_int(answer.root, "tiles", "changed"), 3);
    T_INT(answer_int(answer.root, "tiles", "columns"), 4);
    T_INT(answer_int(answer.root, "tiles", "rows"), 3);
    T(answer_int(answer.root, "hashDistance", NULL) <= 64);
    answer_end(&answer);

    make_pair(&pair, (struct sq_region){ 0 });
    RUN_EXITS(0, "diff", pair.before, pair.after, "--json");
    answer_start(&answer);
    T(sq_json_bool(sq_json_get(answer.root, "same"), &same) && same);
    T(sq_json_get(answer.root, "changedRect") == NULL);
    T_INT(answer_int(answer.root, "hashDistance", NULL), 0);
    answer_end(&answer);
}

T_CASE(different_size_is_a_change) {
    T_FREED(answer_end) struct answer answer = { 0 };
    const char *a = pages_put_size("a.png", ENCODED_PNG, 40, 30);
    const char *b = pages_put_size("b.png", ENCODED_PNG, 30, 40);
    RUN_EXITS(1, "diff", a, b);
    T_STR(run.out, "The pictures differ in size: 40x30 and 30x40 pixels\n");
    RUN("diff", a, b, "--map");
    T_STR(run.out, "The pictures differ in size: 40x30 and 30x40 pixels\n");
    RUN_EXITS(1, "diff", a, b, "--json");
    answer_start(&answer);
    T_INT(answer_int(answer.root, "before", "width"), 40);
    T_INT(answer_int(answer.root, "after", "width"), 30);
    T_INT(answer_int(answer.root, "changedRect", "height"), 40);
    T(sq_json_get(answer.root, "tiles") == NULL);
}

T_CASE(one_picture_can_be_standard_input) {
    const char *a = pages_put_size("a.png", ENCODED_PNG, 40, 30);
    const struct run_streams piped = { a, NULL };
    RUN_WITH(piped, "diff", "-", a);
    T_INT(run.status, 0);
    RUN_WITH(piped, "diff", a, "-");
    T_INT(run.status, 0);
    RUN_WITH(piped, "diff", "-", "-");
    run_refused(2, "standard input: the picture is empty");
}

/* Status 1 would mean that the pictures differ. */
T_CASE(errors_give_status_2) {
    const char *a = pages_put_size("a.png", ENCODED_PNG, 40, 30);
    const char *nowhere = t_scratch_path("nowhere.png");
    const char *text = t_scratch_path("text.png");
    t_put(text, "no picture at all", 17);
    RUN("diff", a, nowhere);
    run_refused(2, nowhere);
    RUN("diff", nowhere, a);
    run_refused(2, nowhere);
    RUN("diff", a, text);
    run_refused(2, text);
    RUN("diff", a, t_scratch());
    run_refused(2, "is a folder");
    RUN("diff", a, a, "--frob");
    run_refused(2, "unknown option");
    RUN("diff", a, a, "--json", "--map");
    run_refused_as_json(2, "--json and --map exclude each other");
    const struct run_streams full = { NULL, "/dev/full" };
    RUN_WITH(full, "diff", a, a);
    T_INT(run.status, 2);
}

/* One sentence for one hit, a table for several. */
T_CASE(places_of_a_picture_are_described) {
    struct pair pair;
    make_pair(&pair, (struct sq_region){ 0 });
    const char *part = t_scratch_path("part.png");
    RUN_EXITS(0, "scale", pair.before, "-o", part, "--raw", "--region",
              "40,30,32,32");
    RUN_EXITS(0, "find-image", t_scratch_path("part.png"), pair.before,
              "--exact");
    run_says(run.out, "Found 4 times\n");
    run_says(run.out, "  Y  WIDTH  HEIGHT  SCORE  HOW    SCALE\n");
    RUN_EXITS(0, "find-image", t_scratch_path("part.png"),
              t_scratch_path("part.png"));
    T_STR(run.out, "Found at 0,0 (32x32 pixels), score 1.000, exact, scale "
                   "1.000\n");
    RUN_EXITS(1, "find-image", t_scratch_path("part.png"),
              pages_put_size("other.png", ENCODED_PNG, 40, 36), "--exact");
    run_says(run.out, "Not found; the highest score is ");
}

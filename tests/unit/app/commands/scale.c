#include "unit/app/answer.h"
#include "unit/app/pages.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(file_extension_sets_the_format) {
    static const char *const names[][2] = {
        { "a.jpg", "jpeg" },     { "a.jpeg", "jpeg" }, { "a.JPG", "jpeg" },
        { "a.webp", "webp" },    { "a.WebP", "webp" }, { "a.png", "png" },
        { "a.png.jpg", "jpeg" },
    };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 54, 120);
    char input[512];
    snprintf(input, sizeof(input), "%s", in);
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        const char *out = t_scratch_path(names[i][0]);
        RUN_EXITS(0, "scale", input, "-o", out, "--max-dimension", "40");
        T_STR(run.err, "");
        T_STR(pages_look(out, &got), names[i][1]);
        T_INT(got.width, 18);
        T_INT(got.height, 40);
    }
}

T_CASE(dot_in_a_folder_name_is_not_an_extension) {
    char folder[600];
    char out[700];
    struct sq_image got = { 0 };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 20, 20);
    snprintf(folder, sizeof(folder), "%s/v1.gif", t_scratch());
    snprintf(out, sizeof(out), "%s/picture", folder);
    T_INT(mkdir(folder, 0700), 0);
    RUN("scale", in, "-o", out);
    run_refused(2, "v1.gif/picture has no extension that says the format");
    RUN_EXITS(0, "scale", in, "-o", out, "--format", "webp");
    T_STR(pages_look(out, &got), "webp");
    sq_image_finish(&got);
    T_INT(unlink(out), 0);
    T_INT(rmdir(folder), 0);
}

T_CASE(format_option_sets_the_format) {
    static const char *const formats[] = { "jpeg", "webp", "png" };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 30, 40);
    for (size_t i = 0; i < SQ_COUNT(formats); i++) {
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        const char *out = t_scratch_path("out.gif");
        RUN_EXITS(0, "scale", in, "--output", out, "--format", formats[i]);
        T_STR(pages_look(out, &got), formats[i]);
    }
    struct sq_image got = { 0 };
    const char *out = t_scratch_path("out");
    RUN("scale", in, "-o", out, "--format=auto");
    T_STR(pages_look(out, &got), "png");
    run_says(run.out, ": 30x40 pixels, png, ");
    sq_image_finish(&got);
}

T_CASE(result_is_printed) {
    const char *in = pages_put_size("in.raw", ENCODED_RAW, 108, 240);
    const char *out = t_scratch_path("out.jpg");
    char want[700];
    RUN("scale", in, "-o", out, "--max-dimension", "100");
    snprintf(want, sizeof(want), "Wrote %s: 45x100 pixels, %lld KB, 8 tokens\n",
             out, (pages_bytes(out) + 500) / 1000);
    T_STR(run.out, want);
    RUN("scale", in, "-o", out, "--max-dimension", "10");
    run_says(run.out, ", 1 token\n");
    T_INT(run.status, 0);
}

T_CASE(json_has_all_fields) {
    T_FREED(answer_end) struct answer answer = { 0 };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 1080, 2400);
    const char *out = t_scratch_path("out.jpg");
    RUN_EXITS(0, "scale", in, "-o", out, "--json");
    T_STR(run.err, "");
    answer_start(&answer);
    const struct sq_json *root = answer.root;
    answer_is(root, "path", out);
    T_INT(answer_int(root, "device", "width"), 1080);
    T_INT(answer_int(root, "device", "height"), 2400);
    T_INT(answer_int(root, "image", "width"), 450);
    T_INT(answer_int(root, "image", "height"), 1000);
    T(answer_double(root, "scaleFactor") == 2.4);
    answer_is(root, "mimeType", "image/jpeg");
    T_INT(answer_int(root, "sizeBytes", NULL), pages_bytes(out));
    T_INT(answer_int(root, "tokens", "claude"), 612);
    T(sq_json_get(root, "warning") == NULL);
    T(sq_json_get(root, "region") == NULL);
    T(sq_json_get(root, "colours") == NULL);
}

T_CASE(json_has_region_palette_and_raw_mode) {
    T_FREED(answer_end) struct answer answer = { 0 };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 80, 60);
    const char *out = t_scratch_path("out.png");
    RUN_EXITS(0, "scale", in, "-o", out, "--json", "--raw", "--region",
              "10,20,30,40", "--colours", "16");
    answer_start(&answer);
    const struct sq_json *item =
        sq_json_first(sq_json_get(answer.root, "region"));
    for (int i = 1; i <= 4; i++, item = sq_json_next(item)) {
        int64_t number = -1;
        T(sq_json_int(item, &number));
        T_INT(number, i * 10);
    }
    T(item == NULL);
    T_INT(answer_int(answer.root, "device", "width"), 80);
    T_INT(answer_int(answer.root, "image", "width"), 30);
    T_INT(answer_int(answer.root, "image", "height"), 40);
    T(answer_double(answer.root, "scaleFactor") == 1.0);
    T(answer_int(answer.root, "colours", NULL) <= 16);
    answer_is(answer.root, "mimeType", "image/png");
    answer_is(answer.root, "warning",
              "Raw mode: no scaling applied. May exceed API limits with "
              "multiple images.");
}

T_CASE(raw_mode_keeps_the_size) {
    struct sq_image got = { 0 };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 1200, 40);
    const char *out = t_scratch_path("out.png");
    RUN_EXITS(0, "scale", in, "-o", out, "--raw");
    pages_look(out, &got);
    T_INT(got.width, 1200);
    sq_image_finish(&got);
    RUN("scale", in, "-o", out);
    pages_look(out, &got);
    T_INT(got.width, 1000);
    sq_image_finish(&got);
}

T_CASE(token_budget_sets_the_size) {
    struct answer answer;
    const char *in = pages_put_size("in.png", ENCODED_PNG, 540, 1200);
    const char *out = t_scratch_path("out.jpg");
    RUN_EXITS(0, "scale", in, "-o", out, "--budget-tokens", "300", "--json");
    answer_start(&answer);
    long long tokens = answer_int(answer.root, "tokens", "claude");
    T(tokens <= 300 && tokens > 270);
    answer_end(&answer);
    RUN_EXITS(0, "scale", in, "-o", out, "--budget-tokens", "300", "--profile",
              "gpt-patch");
    run_says(run.out, " tokens of gpt-patch\n");
    RUN("scale", in, "-o", out, "--budget-tokens", "1", "--profile", "gpt-4o");
    run_refused(2, "squint scale: ");
}

T_CASE(profile_sets_the_size_if_none_is_given) {
    const char *in = pages_put_size("in.png", ENCODED_PNG, 540, 1200);
    const char *out = t_scratch_path("out.jpg");
    RUN_EXITS(0, "scale", in, "-o", out, "--profile", "gemini-3");
    run_says(run.out, "540x1200 pixels");
    RUN_EXITS(0, "scale", in, "-o", out, "--profile", "claude");
    run_says(run.out, "450x1000 pixels");
}

T_CASE(auto_sets_the_size_by_the_text) {
    struct answer answer;
    const char *in = pages_put_size("in.png", ENCODED_PNG, 540, 1200);
    const char *out = t_scratch_path("out.jpg");
    RUN_EXITS(0, "scale", in, "-o", out, "--max-dimension", "auto",
              "--budget-tokens", "300", "--json");
    answer_start(&answer);
    T(answer_int(answer.root, "tokens", "claude") <= 300);
    answer_end(&answer);
    RUN_EXITS(0, "scale", in, "-o", out, "--max-dimension", "auto");
}

T_CASE(dash_means_standard_input_or_output) {
    struct sq_image got = { 0 };
    const char *in = pages_put_size("in.png", ENCODED_PNG, 60, 40);
    const char *piped = t_scratch_path("piped.jpg");
    const char *plain = t_scratch_path("plain.jpg");
    const struct run_streams both = { in, piped };
    RUN_WITH(both, "scale", "-", "-o", "-", "--max-dimension", "30");
    T_INT(run.status, 0);
    T_STR(run.err, "");
    T_STR(pages_look(piped, &got), "jpeg");
    T_INT(got.width, 30);
    sq_image_finish(&got);
    /* Standard output has only the picture, the same as in the file. */
    RUN("scale", in, "-o", plain, "--max-dimension=30");
    T_INT(pages_bytes(piped), pages_bytes(plain));
    RUN_WITH(both, "scale", "-", "-o-", "--format", "webp");
    T_STR(pages_look(piped, &got), "webp");
    sq_image_finish(&got);
}

T_CASE(full_disk_is_reported) {
    const char *in = pages_put_size("in.png", ENCODED_PNG, 60, 40);
    const struct run_streams full = { NULL, "/dev/full" };
    RUN_WITH(full, "scale", in, "-o", "-");
    T_INT(run.status, 1);
    run_says(run.err, "squint scale: cannot write standard output");
}

T_CASE(input_file_can_be_the_output_file) {
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    const char *path = pages_put_size("page.png", ENCODED_PNG, 60, 40);
    RUN_EXITS(0, "scale", path, "-o", path, "--max-dimension", "30");
    T_STR(pages_look(path, &got), "png");
    T_INT(got.width, 30);
    T_INT(t_count_entries(t_scratch()), 1);
}

T_CASE(several_pictures_go_into_a_folder) {
    char in[3][600];
    char folder[600];
    struct sq_image got = { 0 };
    snprintf(in[0], sizeof(in[0]), "%s",
             pages_put_size("one.png", ENCODED_PNG, 54, 120));
    snprintf(in[1], sizeof(in[1]), "%s/missing.png", t_scratch());
    snprintf(in[2], sizeof(in[2]), "%s",
             pages_put_size("two.raw", ENCODED_RAW, 30, 40));
    snprintf(folder, sizeof(folder), "%s/small/", t_scratch());
    RUN("scale", in[0], in[1], in[2], "-o", folder, "--format", "webp");
    T_INT(run.status, 1);
    run_says(run.err, "missing.png: No such file");
    run_says(run.out, "small/one.webp: 54x120 pixels");
    run_says(run.out, "small/two.webp: 30x40 pixels");
    T_STR(pages_look(t_scratch_path("small/one.webp"), &got), "webp");
    sq_image_finish(&got);
    RUN("scale", in[0], "-o", folder, "--format", "webp");
    run_refused(1, "one.webp already exists");
    RUN("scale", in[0], in[2], "-o", t_scratch_path("x.png"));
    run_refused(2, "2 pictures cannot be written to");
    RUN("scale", in[0], in[2], "-o", folder, "--format", "png", "--quality",
        "7");
    run_refused(2, "--quality is not for PNG");
    T_INT(unlink(t_scratch_path("small/one.webp")), 0);
    T_INT(unlink(t_scratch_path("small/two.webp")), 0);
    T_INT(rmdir(t_scratch_path("small")), 0);
}

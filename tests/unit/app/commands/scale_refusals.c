/* Errors of scale: messages, and what is left unchanged. */
#include "unit/app/pages.h"
#include "unit/app/run.h"

#define MAX_OPTIONS 6

struct refusal {
    const char *output; /* in the scratch folder; NULL: no -o */
    const char *options[MAX_OPTIONS];
    const char *says;
};

static const struct refusal refusals[] = {
    { NULL, { NULL }, "no output file was given\n  Give -o OUT" },
    { "a.gif", { NULL }, "squint cannot write the format \".gif\"" },
    { "a.", { NULL }, "squint cannot write the format \".\"" },
    { ".hidden", { NULL }, "squint cannot write the format \".hidden\"" },
    { "none",
      { NULL },
      "has no extension that says the format\n  End it with .jpg, .jpeg, .webp "
      "or .png, or add --format.\n" },
    { "a.png", { "--format", "jpeg" }, "contradict each other" },
    { "a.jpg", { "--raw", "--max-dimension", "9" }, "exclude each other" },
    { "a.jpg", { "--raw", "--budget-tokens", "9" }, "exclude each other" },
    { "a.jpg",
      { "--max-dimension", "9", "--budget-tokens", "9" },
      "exclude each other" },
    { "a.jpg", { "--raw", "--kernel", "area" }, "--kernel has no effect" },
    { "a.jpg",
      { "--profile", "claude", "--raw" },
      "--profile has no effect on a size that is given" },
    { "a.jpg",
      { "--max-dimension", "auto", "--region", "0,0,9,9" },
      "--max-dimension auto is for whole pictures" },
    { "a.jpg", { "--max-dimension", "auto", "--raw" }, "exclude each other" },
    { "a.jpg",
      { "--max-dimension", "automatic" },
      "must be a whole number from 1 to 16384 or auto" },
    { "a.jpg",
      { "--profile", "claud", "--budget-tokens", "9" },
      "--profile must be one of claude, " },
    { "a.png", { "--quality", "9" }, "--quality is not for PNG" },
    { "a.jpg", { "--colours", "9" }, "--colours is for PNG, not jpeg" },
    { "a.webp", { "--colours", "9" }, "--colours is for PNG, not webp" },
    { "a.webp", { "--full-chroma" }, "--full-chroma is for JPEG" },
    { "a.png", { "--full-chroma" }, "--full-chroma is for JPEG" },
    { "a.png",
      { "--full-chroma", "--format", "auto" },
      "--full-chroma is for JPEG" },
    { "a.jpg",
      { "--max-dimension", "0" },
      "from 1 to 16384 or auto, not \"0\"" },
    { "a.jpg", { "--max-dimension", "16385" }, "from 1 to 16384" },
    { "a.jpg", { "--quality", "101" }, "from 1 to 100" },
    { "a.png", { "--colours", "1" }, "from 2 to 256" },
    { "a.jpg",
      { "--kernel", "bicubic" },
      "--kernel must be one of catmull-rom, lanczos3, area, not \"bicubic\"" },
    { "a.jpg",
      { "--format", "gif" },
      "--format must be one of jpeg, webp, png, auto, not \"gif\"" },
    { "a.jpg", { "--region", "0,0,41,1" }, "is not inside the picture" },
    { "a.jpg",
      { "--region", "1,2,3" },
      "--region must be x,y,width,height, not \"1,2,3\"" },
    { "a.jpg", { "--frob" }, "unknown option \"--frob\"" },
    { "a.jpg", { "--quality" }, "--quality needs a value: N" },
    { "a.jpg", { "--raw=yes" }, "--raw takes no value" },
};

T_FIXTURE(t_scratch_start, t_scratch_end);

/* All of them are errors in the command line: status 2, nothing is written. */
T_CASE(wrong_arguments_are_named) {
    const char *in = pages_put_size("in.png", ENCODED_PNG, 40, 30);
    char input[512];
    snprintf(input, sizeof(input), "%s", in);
    for (size_t i = 0; i < SQ_COUNT(refusals); i++) {
        const struct refusal *refusal = &refusals[i];
        const char *words[MAX_OPTIONS + 5] = { "scale", input };
        int count = 2;
        if (refusal->output) {
            words[count++] = "-o";
            words[count++] = t_scratch_path(refusal->output);
        }
        for (int k = 0; k < MAX_OPTIONS && refusal->options[k]; k++) {
            words[count++] = refusal->options[k];
        }
        run_words((struct run_streams){ 0 }, words);
        run_refused(2, refusal->says);
        run_says(run.err, "squint scale: ");
        T_INT(t_count_entries(t_scratch()), 1);
    }
}

T_CASE(json_and_picture_cannot_share_standard_output) {
    const char *in = pages_put_size("in.png", ENCODED_PNG, 40, 30);
    RUN("scale", in, "-o", "-", "--json");
    run_refused_as_json(2, "--json and -o - both write to standard output");
}

T_CASE(missing_file_is_named) {
    const char *in = t_scratch_path("nowhere.png");
    const char *out = t_scratch_path("out.jpg");
    RUN("scale", in, "-o", out);
    run_refused(1, "squint scale: cannot read ");
    run_says(run.err, in);
    T_INT(t_count_entries(t_scratch()), 0);
}

T_CASE(folder_as_input_is_refused) {
    const char *out = t_scratch_path("out.jpg");
    RUN("scale", t_scratch(), "-o", out);
    run_refused(1, "is a folder, not a file");
    const char *in = pages_put_size("in.png", ENCODED_PNG, 40, 30);
    RUN("scale", in, "-o", t_scratch(), "--format", "png");
    run_refused(1, "in.png already exists");
    out = t_scratch_path("nowhere/out.jpg");
    RUN("scale", in, "-o", out);
    run_refused(1, "does not exist; create it first.");
    T_INT(t_count_entries(t_scratch()), 1);
}

/* A page of each format without its last 40 bytes, and other files. */
T_CASE(broken_file_is_named_and_old_output_kept) {
    static const char old[] = "precious";
    char out[512];
    snprintf(out, sizeof(out), "%s", t_scratch_path("out.jpg"));
    t_put(out, old, sizeof(old));
    struct sq_image image = { 0 };
    encoded_page(40, 30, &image);
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        encoded_make((enum encoded_kind)kind, &image, &file);
        const char *in = t_scratch_path("broken");
        t_put(in, file.data, file.len - 40);
        RUN("scale", in, "-o", out, "--max-dimension", "20");
        run_refused(1, in);
        T(t_holds(out, old, sizeof(old)));
        T_INT(t_count_entries(t_scratch()), 2);
    }
    sq_image_finish(&image);
    const char *in = t_scratch_path("broken");
    t_put(in, "", 0);
    RUN("scale", in, "-o", out);
    run_refused(1, ": the picture is empty: 0 bytes");
    t_put(in, "no picture at all", 17);
    RUN("scale", in, "-o", out);
    run_refused(1, "squint reads PNG, JPEG, WebP and raw Android screencap");
    T(t_holds(out, old, sizeof(old)));
}

T_CASE(broken_standard_input_is_named) {
    const char *in = t_scratch_path("text");
    const char *out = t_scratch_path("out.jpg");
    t_put(in, "no picture at all", 17);
    const struct run_streams piped = { in, NULL };
    RUN_WITH(piped, "scale", "-", "-o", out);
    run_refused(1, "squint scale: standard input: these 17 bytes are no");
    /* File names may contain control sequences for terminals. */
    const char *evil = t_scratch_path("\033[31mred");
    t_put(evil, "no picture at all", 17);
    RUN("scale", evil, "-o", out);
    run_refused(1, "\\u001b[31mred: these 17 bytes");
    T(strchr(run.err, '\033') == NULL);
}

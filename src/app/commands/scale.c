/* scale: scales a picture for a model and reports its cost. */
#include "app/commands/command.h"

#include <stdio.h>

#include "app/commands/picture_file.h"
#include "app/print_message.h"
#include "json/writer.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tools/reply.h"
#include "tools/screen/legible.h"
#include "tools/screen/output_folder.h"
#include "tools/screen/screen_picture.h"

#define MAX_NAMES_BYTES ((size_t)4 << 20)

struct scale_args {
    const char *output;
    int max_dimension;
    int budget_tokens;
    struct sq_opt_int profile; /* index for sq_token_profile_at */
    struct sq_opt_int format;  /* enum sq_format */
    int quality;
    int colours;
    struct sq_opt_int kernel; /* enum sq_kernel */
    struct sq_opt_region region;
    bool raw;
    bool full_chroma;
    bool json;
};

static const char *const formats[] = { "jpeg", "webp", "png", "auto", NULL };
static const char *const kernels[] = { "catmull-rom", "lanczos3", "area",
                                       NULL };

static const struct sq_arg scale_options[] = {
    SQ_TEXT(
        scale_args, output, "output", 0,
        "where to write the picture; - is standard output, a folder gets all",
        .letter = 'o', .placeholder = "OUT"),
    SQ_INT(scale_args, max_dimension, "maxDimension", 1, SQ_MAX_SIDE,
           "longest side of the result; auto: as its small text needs",
           .word = "auto", .initial = "1000"),
    SQ_INT(scale_args, budget_tokens, "budgetTokens", 1, 1000000,
           "or the largest size that costs at most N tokens; with auto the "
           "limit"),
    { .name = "profile",
      SQ_CHOICE_FIELD(scale_args, profile),
      .choice_at = sq_config_profile_at,
      .placeholder = "NAME",
      .text = "model whose tokens are counted",
      .initial = "claude" },
    SQ_CHOICE(scale_args, format, "format", formats, "picture format",
              .placeholder = "FORMAT", .initial = "by OUT's name"),
    SQ_INT(scale_args, quality, "quality", 1, 100, "quality of JPEG and WebP",
           .initial = "70 and 60"),
    SQ_INT(scale_args, colours, "colours", 2, 256,
           "PNG with a palette of at most N colours"),
    SQ_CHOICE(scale_args, kernel, "kernel", kernels, "resampling filter",
              .placeholder = "KERNEL", .initial = "catmull-rom"),
    SQ_OBJECT(scale_args, region, "region", sq_opt_region, sq_region_args,
              "only this part, in pixels of IN", .placeholder = "X,Y,W,H"),
    SQ_BOOL(scale_args, raw, "raw", "keep the native size"),
    SQ_BOOL(scale_args, full_chroma, "fullChroma",
            "JPEG 4:4:4 instead of 4:2:0"),
    SQ_BOOL(scale_args, json, "json", "print the report as JSON"),
    SQ_ARGS_END,
};

static bool
choose_format(const struct scale_args *args, enum sq_format *out,
              struct sq_err *err) {
    const bool is_given = args->format.given;
    const struct sq_picture_file_name name = {
        .file = args->output,
        .given = is_given ? formats[args->format.value] : NULL,
        .takes_format = true,
    };
    const char *implied;
    *out = is_given ? (enum sq_format)args->format.value : SQ_FORMAT_JPEG;
    if (!sq_picture_file_format(&name, &implied, err)) {
        return false;
    }
    if (!is_given) {
        sq_output_file_format(sq_span_of(args->output), out);
    }
    return true;
}

static const struct sq_token_profile *
choose_profile(const struct scale_args *args) {
    return args->profile.given
             ? sq_token_profile_at((size_t)args->profile.value)
             : sq_token_profile_find("claude");
}

static int
default_side(const struct scale_args *args) {
    const int side = choose_profile(args)->default_side;
    return side ? side : SQ_DEFAULT_MAX_DIMENSION;
}

/* Replaces the size "auto" by the one that suits the picture. */
static bool
choose_legible(const struct scale_args *args, const struct sq_buf *source,
               struct sq_picture_opts *opts, struct sq_err *err) {
    const struct sq_legible_limits limits = {
        .profile = choose_profile(args),
        .budget_tokens = args->budget_tokens,
        .default_side = default_side(args),
    };
    if (opts->max_dimension != SQ_ARG_OTHER) {
        return true;
    }
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    return sq_picture_decode(source->data, source->len, SQ_MAX_SIDE,
                             &sq_limits_default, &image, err)
        && sq_legible_side(&image, &limits, &opts->max_dimension, err);
}

/* Returns whether the results go into a folder. */
static bool
has_folder(const struct scale_args *args) {
    const size_t len = args->output ? strlen(args->output) : 0;
    return len > 0
        && (args->output[len - 1] == '/' || sq_path_is_folder(args->output));
}

/* Many programs take the name of the result as a second word. */
static bool
check_words(const struct sq_words *words, const struct scale_args *args,
            struct sq_err *err) {
    if (words->count < 2 || has_folder(args)) {
        return true;
    }
    if (args->output) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%d pictures cannot be written to %.200s",
                words->count, args->output);
        return sq_fail_hint(err, "Name a folder: -o %.200s/", args->output);
    }
    sq_command_fail_word(&sq_command_scale, words->word[1], err);
    return sq_fail_hint(err, "Write squint scale %.200s -o %.200s.",
                        words->word[0], words->word[1]);
}

static bool
check_args(const struct scale_args *args, struct sq_err *err) {
    if (!args->output) {
        sq_fail(err, SQ_ERR_ARGUMENT, "no output file was given");
        return sq_fail_hint(err, "Give -o OUT, or -o - for standard output.");
    }
    const bool is_auto = args->max_dimension == SQ_ARG_OTHER;
    if ((args->max_dimension != 0) + (args->budget_tokens != 0 && !is_auto)
            + args->raw
        > 1) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--max-dimension, --budget-tokens and --raw exclude "
                       "each other");
    }
    if (args->raw && args->kernel.given) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--raw keeps the size, so --kernel has no effect");
    }
    if (args->profile.given && (args->max_dimension > 0 || args->raw)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--profile has no effect on a size that is given");
    }
    if (is_auto && args->region.given) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--max-dimension auto is for whole pictures");
    }
    return sq_picture_file_check_stdout(args->output, args->json, err);
}

static bool
check_format(const struct scale_args *args, enum sq_format format,
             struct sq_err *err) {
    if (args->quality && format == SQ_FORMAT_PNG) {
        return sq_fail(
            err, SQ_ERR_ARGUMENT,
            "--quality is not for PNG; use --colours to make it smaller");
    }
    if (args->colours && format != SQ_FORMAT_PNG && format != SQ_FORMAT_AUTO) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--colours is for PNG, not %s",
                       sq_format_name(format));
    }
    if (args->full_chroma && format != SQ_FORMAT_JPEG) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--full-chroma is for JPEG");
    }
    return true;
}

static bool
choose_opts(const struct scale_args *args, struct sq_region *region,
            struct sq_picture_opts *opts, struct sq_err *err) {
    *region = (struct sq_region){
        args->region.x.value,
        args->region.y.value,
        args->region.width.value,
        args->region.height.value,
    };
    *opts = (struct sq_picture_opts){
        .max_dimension = args->max_dimension,
        .quality = args->quality,
        .colours = args->colours,
        .full_chroma = args->full_chroma,
        .kernel = (enum sq_kernel)args->kernel.value,
        .region = args->region.given ? region : NULL,
    };
    if (args->budget_tokens && !args->max_dimension) {
        opts->budget_tokens = args->budget_tokens;
        opts->profile = choose_profile(args);
    } else if (!args->raw && !args->max_dimension) {
        opts->max_dimension = default_side(args);
    }
    return choose_format(args, &opts->format, err)
        && check_format(args, opts->format, err);
}

/* What is only for people: the cost for the model, and a format that was
   chosen. */
static void
put_for_people(struct sq_json_writer *w, const struct scale_args *args,
               const struct sq_picture_info *info) {
    const struct sq_token_profile *profile = choose_profile(args);
    sq_put_int(w, "cost", sq_token_cost(profile, info->image).tokens);
    if (args->profile.given) {
        sq_put_text(w, "of", profile->name);
    }
    if (args->format.given && args->format.value == SQ_FORMAT_AUTO) {
        sq_put_text(w, "format", sq_format_name(info->format));
    }
}

static bool
report(const struct scale_args *args, const struct sq_picture_info *info,
       struct sq_buf *out, struct sq_err *err) {
    const struct sq_token_profile *profile;
    struct sq_page page = { .out = out };
    struct sq_json_writer w;
    SQ_BUF(answer, SQ_MAX_JSON_BYTES);
    if (!args->json && sq_picture_file_is_stdout(args->output)) {
        return true;
    }
    sq_json_open(&w, &answer);
    sq_put_text(&w, "path", args->output);
    sq_put_size(&w, "device", info->source);
    if (args->region.given) {
        const struct sq_opt_region *part = &args->region;
        const int numbers[] = { part->x.value, part->y.value, part->width.value,
                                part->height.value };
        sq_json_begin_array_of(&w, "region");
        for (int i = 0; i < 4; i++) {
            sq_json_put_int(&w, numbers[i]);
        }
        sq_json_end_array(&w);
    }
    sq_put_size(&w, "image", info->image);
    sq_put_double(&w, "scaleFactor", info->scale_factor);
    sq_put_text(&w, "mimeType", sq_format_mime(info->format));
    if (info->colours) {
        sq_put_int(&w, "colours", info->colours);
    }
    sq_put_int(&w, "sizeBytes", (int64_t)info->bytes);
    sq_json_begin_object_of(&w, "tokens");
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        sq_put_int(&w, profile->name,
                   sq_token_cost(profile, info->image).tokens);
    }
    sq_json_end_object(&w);
    if (args->raw) {
        sq_put_text(&w, "warning", SQ_RAW_WARNING);
    }
    if (!args->json) {
        put_for_people(&w, args, info);
    }
    return sq_command_end_answer(
        &w, args->json,
        "Wrote {path:file}: {image.width}x{image.height} pixels, "
        "[format:{format}, ]{sizeBytes:KB}, {cost} token{cost:s}"
        "[of: of {of}]\n",
        &page, err);
}

/* Returns the path of a result in a folder: "small/shot.jpg". */
static const char *
name_result(const char *folder, const char *source, enum sq_format format,
            struct sq_arena *arena, struct sq_err *err) {
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    char path[2 * SQ_PATH_SIZE];
    snprintf(path, sizeof(path), "%s%s%.*s%s", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/",
             dot && dot > base ? (int)(dot - base) : SQ_PATH_SIZE / 2, base,
             sq_output_extension(format));
    return sq_arena_strdup(arena, sq_span_of(path), err);
}

/* Where the results go. */
struct results {
    struct sq_arena arena;
    int folder; /* -1: args->output is a file */
};

/* Scales a picture and writes it. Never replaces a file in a folder. */
static bool
scale_one(const struct scale_args *all, const char *path,
          struct results *results, struct sq_buf *out, struct sq_err *err) {
    struct scale_args args = *all;
    struct sq_region region;
    struct sq_picture_opts opts;
    struct sq_picture_info info;
    SQ_BUF(source, SQ_MAX_IMAGE_BYTES);
    SQ_BUF(picture, SQ_MAX_IMAGE_BYTES);

    bool ok = choose_opts(all, &region, &opts, err)
           && sq_command_read(path, &source, err)
           && ((choose_legible(&args, &source, &opts, err)
                && sq_picture_make(source.data, source.len, &opts,
                                   &sq_limits_default, &picture, &info, err))
               || sq_command_fail_in(path, err));
    if (ok && results->folder >= 0) {
        args.output =
            name_result(all->output, path, info.format, &results->arena, err);
        ok = args.output
          && (sq_folder_write(results->folder,
                              sq_span_of(strrchr(args.output, '/') + 1),
                              picture.data, picture.len, err)
              || sq_command_fail_in(path, err))
          && report(&args, &info, out, err);
    } else if (ok) {
        /* The report first: nothing can fail after the file is written. */
        ok = report(&args, &info, out, err)
          && sq_file_write(args.output, picture.data, picture.len, err);
    }
    return ok;
}

/* Scales all pictures; those that cannot be are named, the others written. */
static bool
scale_run(const struct sq_run *run, struct sq_err *err) {
    const struct scale_args *args = run->args;
    struct results results = { .folder = -1 };
    if (!check_words(run->words, args, err) || !check_args(args, err)) {
        return false;
    }
    if (!has_folder(args)) {
        return scale_one(args, run->words->word[0], &results, run->out, err);
    }
    struct sq_region region;
    struct sq_picture_opts opts;
    if (!sq_folder_open(args->output, &results.folder, err)) {
        return false;
    }
    if (!choose_opts(args, &region, &opts, err)) {
        sq_folder_close(results.folder);
        return false;
    }
    sq_arena_init(&results.arena, MAX_NAMES_BYTES);
    for (int i = 0; i < run->words->count; i++) {
        struct sq_err local_err = { 0 };
        if (!scale_one(args, run->words->word[i], &results, run->out,
                       &local_err)) {
            if (!args->json
                || !sq_print_json_error(&local_err, (struct sq_span){ 0 })) {
                sq_print_error("squint scale", &local_err);
            }
            *run->status = SQ_STATUS_FAILED;
        }
    }
    sq_arena_finish(&results.arena);
    sq_folder_close(results.folder);
    return true;
}

const struct sq_command sq_command_scale = {
    .name = "scale",
    .heading = "Picture files",
    .usage = "IN... -o OUT [options]",
    .summary = "make a picture small and legible, and say what it costs",
    .options = scale_options,
    .min_words = 1,
    .max_words = SQ_MAX_WORDS,
    .run = scale_run,
};

/*
 * save_screenshot: saves a copy of an archived screenshot, or of a part of it,
 * for the user.
 */
#include <stdio.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "tools/archive/archived_shot.h"
#include "tools/operations.h"
#include "tools/screen/output_folder.h"
#include "util/time_text.h"

#define SAVE_QUALITY 90
#define MAX_TRIES 100

struct save_args {
    struct sq_opt_text screenshot_ref;
    struct sq_opt_text output_path;
    struct sq_opt_double crop_x;
    struct sq_opt_double crop_y;
    struct sq_opt_double crop_width;
    struct sq_opt_double crop_height;
    struct sq_opt_int coordinate_units;
};

/* One number of the part; crop_screenshot has the other name. */
#define PART(field, member, other, least)                                      \
    {                                                                          \
        .name = member, .alias = other,                                        \
        SQ_NUMBER_FIELD(save_args, field, least, SQ_CROP_FAR), .text = "",     \
        .is_hidden = true, .is_rare = true                                     \
    }

static const struct sq_arg table[] = {
    SQ_TEXT(save_args, screenshot_ref, "screenshotRef", 64, "",
            .alias = "screenshotId", .required = true, .flag = "ref",
            .placeholder = "REF", .help = "which one; see squint list"),
    SQ_TEXT(save_args, output_path, "outputPath", 200, "", .letter = 'o',
            .flag = "output", .placeholder = "NAME",
            .help = "name in the folder of --save-directory, with .jpg, .jpeg, "
                    ".webp or .png, or .jpg is added; none: its time"),
    PART(crop_x, "cropX", "x", -SQ_CROP_FAR),
    PART(crop_y, "cropY", "y", -SQ_CROP_FAR),
    PART(crop_width, "cropWidth", "width", 0),
    PART(crop_height, "cropHeight", "height", 0),
    SQ_CHOICE(save_args, coordinate_units, "coordinateUnits",
              sq_crop_rect_units, "", .is_rare = true,
              .help = "units of the part", .initial = "percent"),
    SQ_ARGS_END,
};

static bool
wants_part(const struct save_args *args, bool *out, struct sq_err *err) {
    int count = args->crop_x.given + args->crop_y.given + args->crop_width.given
              + args->crop_height.given;
    *out = count == 4;
    if (count == 0 || count == 4) {
        return true;
    }
    return sq_fail_argument(err, "a part needs all four crop numbers",
                            "Give $cropX, $cropY, $cropWidth and $cropHeight, "
                            "or none of them for the whole picture.");
}

struct target {
    int folder;
    char name[SQ_FOLDER_NAME_SIZE];
    enum sq_format format;
    struct sq_picture_info info; /* of the saved picture */
    bool is_named;               /* by the caller: no other name may be used */
};

/* Makes the picture to be saved. */
static bool
make_picture(struct sq_call *call, const struct save_args *args,
             const struct sq_archived_shot_source *source,
             struct target *target, struct sq_buf *out, struct sq_err *err) {
    const struct sq_buf *bytes = &source->bytes;
    bool is_part;
    struct sq_size size;
    struct sq_region region;
    const struct sq_codec *codec;
    struct sq_picture_opts how = { .format = target->format,
                                   .quality = SAVE_QUALITY };
    if (!wants_part(args, &is_part, err)
        || !sq_codec_find(bytes->data, bytes->len, &codec, err)
        || !sq_codec_size(bytes->data, bytes->len, &size, err)) {
        return false;
    }
    if (!is_part && strcmp(codec->name, sq_format_name(target->format)) == 0) {
        target->info =
            (struct sq_picture_info){ .image = size, .bytes = bytes->len };
        return sq_buf_append(out, bytes->data, bytes->len, err);
    }
    struct sq_crop_rect part = {
        args->crop_x.value,
        args->crop_y.value,
        args->crop_width.value,
        args->crop_height.value,
        (enum sq_crop_rect_units)args->coordinate_units.value,
    };
    if (is_part) {
        part = sq_archived_shot_in_file(source, size, &part);
        if (!sq_archived_shot_part(call, args->screenshot_ref.value, &part,
                                   size, &region, err)) {
            return false;
        }
        how.region = &region;
    }
    return sq_picture_make(bytes->data, bytes->len, &how, &sq_limits_default,
                           out, &target->info, err);
}

/*
 * Writes a name such as "screenshot-2026-01-15-103045", with the time if it is
 * known.
 */
static void
default_name(const struct sq_archived_shot_source *source, struct sq_span ref,
             char out[SQ_FOLDER_NAME_SIZE]) {
    char time[SQ_TIME_TEXT_SIZE];
    if (source->is_live) {
        snprintf(out, SQ_FOLDER_NAME_SIZE, "screenshot-%.*s",
                 SQ_SPAN_ARGS(ref));
        return;
    }
    sq_time_format_wall(source->pick.shot.utc, source->pick.shot.quarters * 900,
                        time);
    snprintf(out, SQ_FOLDER_NAME_SIZE, "screenshot-%.10s-%.2s%.2s%.2s", time,
             time + 11, time + 14, time + 17);
}

/* Returns the default format: a PNG stays a PNG, so that nothing is lost. */
static enum sq_format
format_of(const struct sq_buf *bytes) {
    const struct sq_codec *codec;
    bool is_png = sq_codec_find(bytes->data, bytes->len, &codec, NULL)
               && strcmp(codec->name, sq_format_name(SQ_FORMAT_PNG)) == 0;
    return is_png ? SQ_FORMAT_PNG : SQ_FORMAT_JPEG;
}

/* Fails if the name ends as files of a format that cannot be written. */
static bool
check_extension(struct sq_span path, struct sq_err *err) {
    static const char *const others[] = { ".gif",  ".bmp",  ".tif",
                                          ".tiff", ".heic", ".heif",
                                          ".avif", ".jxl",  ".svg" };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        size_t len = strlen(others[i]);
        if (path.len > len
            && sq_span_is_word(
                (struct sq_span){ path.ptr + path.len - len, len },
                others[i])) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "$outputPath: %s files cannot be written", others[i]);
            return sq_fail_hint(err, "Use .jpg, .webp or .png.");
        }
    }
    return true;
}

static bool
check_path(struct sq_span path, struct sq_err *err) {
    if (!sq_folder_check_name(path, err)) {
        sq_fail_in(err, "outputPath");
        return sq_fail_hint(err, "Give a relative path such as bills/may.png; "
                                 "it is created inside the folder of "
                                 "archive.saveDirectory (--save-directory).");
    }
    return check_extension(path, err);
}

static bool
choose_name(const struct save_args *args,
            const struct sq_archived_shot_source *source, struct target *target,
            struct sq_err *err) {
    struct sq_span path = args->output_path.value;
    target->format = format_of(&source->bytes);
    target->is_named = path.len > 0;
    if (!target->is_named) {
        default_name(source, args->screenshot_ref.value, target->name);
        return true;
    }
    if (!check_path(path, err)) {
        return false;
    }
    enum sq_format asked;
    bool has_extension = sq_output_file_format(path, &asked);
    target->format = has_extension ? asked : SQ_FORMAT_JPEG;
    snprintf(target->name, sizeof(target->name), "%.*s%s", SQ_SPAN_ARGS(path),
             has_extension ? "" : ".jpg");
    return true;
}

/* Writes the file. If a generated name already exists, appends a number. */
static bool
write_file(struct target *target, const struct sq_buf *picture,
           struct sq_err *err) {
    if (target->is_named) {
        return sq_folder_write(target->folder, sq_span_of(target->name),
                               picture->data, picture->len, err);
    }
    char stem[SQ_FOLDER_NAME_SIZE - 20]; /* leaves space for a number and
                                            ".png" */
    snprintf(stem, sizeof(stem), "%.*s", (int)sizeof(stem) - 1, target->name);
    for (int i = 1; i <= MAX_TRIES; i++) {
        struct sq_err local_err = { 0 };
        char number[16] = "";
        if (i > 1) {
            snprintf(number, sizeof(number), "-%d", i);
        }
        snprintf(target->name, sizeof(target->name), "%s%s%s", stem, number,
                 target->format == SQ_FORMAT_PNG ? ".png" : ".jpg");
        if (sq_folder_write(target->folder, sq_span_of(target->name),
                            picture->data, picture->len, &local_err)) {
            return true;
        }
        if (local_err.code != SQ_ERR_EXISTS || i == MAX_TRIES) {
            return sq_fail_with(err, &local_err);
        }
    }
    return false;
}

static bool
open_target(const struct sq_call *call, struct target *target,
            struct sq_err *err) {
    const char *folder = call->past->save_folder;
    if (!folder) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "no folder to save screenshots in is configured");
        return sq_fail_hint(
            err, "${Ask the person to name one with --save-directory or "
                 "archive.saveDirectory; get_screenshot|Name one with "
                 "--save-directory or archive.saveDirectory; squint get} shows "
                 "pictures without one.");
    }
    return sq_folder_open_real(folder, true, &target->folder, err);
}

static bool
reply(struct sq_call *call, const struct target *target,
      const struct sq_archived_shot_source *source, struct sq_err *err) {
    struct sq_reply text;
    char path[SQ_PATH_SIZE + SQ_FOLDER_NAME_SIZE];
    if (!sq_reply_start(call, &text, err)) {
        return false;
    }
    snprintf(path, sizeof(path), "%.*s/%s", SQ_PATH_SIZE - 1,
             call->past->save_folder, target->name);
    sq_put_text(&text.w, "path", path);
    sq_put_int(&text.w, "size", (int64_t)target->info.bytes);
    sq_put_size(&text.w, "image", target->info.image);
    sq_put_redacted(&text.w, source->redacted);
    if (source->is_small) {
        sq_put_text(&text.w, "note",
                    source->pick.lost_full
                        ? "The original is empty (0 bytes): this is the "
                          "thumbnail, which is all that is left."
                        : "Only the thumbnail is left of this screenshot.");
    }
    return sq_reply_end(call, &text, err);
}

static bool
save(struct sq_call *call, const struct save_args *args,
     const struct sq_archived_shot_source *source, struct target *target,
     struct sq_buf *picture, struct sq_err *err) {
    if (!choose_name(args, source, target, err)
        || !make_picture(call, args, source, target, picture, err)
        || !write_file(target, picture, err)) {
        return false;
    }
    if (reply(call, target, source, err)) {
        return true;
    }
    sq_folder_remove(target->folder, sq_span_of(target->name));
    return false;
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct save_args *args = raw_args;
    struct target target = { .folder = -1 };
    SQ_FREED(sq_archived_shot_source_finish)
    struct sq_archived_shot_source source = { 0 };
    SQ_BUF(picture, SQ_MAX_IMAGE_BYTES);
    bool ok = open_target(call, &target, err);
    if (ok) {
        ok = sq_archived_shot_open(call, args->screenshot_ref.value, &source,
                                   err)
          && save(call, args, &source, &target, &picture, err);
        sq_folder_close(target.folder);
    }
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    struct sq_span path = sq_json_text_of(reply, "path");
    char size[SQ_BYTES_TEXT_SIZE];
    sq_bytes_text(sq_json_int_of(reply, "size"), size);
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err, "Saved ")
        && sq_page_put(&people->page, SQ_INK_STRONG, path, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                          ": %dx%d pixels, %s\n",
                          sq_reply_int(reply, "image", "width"),
                          sq_reply_int(reply, "image", "height"), size);
}

const struct sq_tool sq_tool_save_screenshot = {
    .name = "save_screenshot",
    .verb = "save",
    .title = "Save a past screenshot",
    .text = "Save a past screenshot, or its part x, y, width, height.",
    .manual =
        "Writes into the folder that the person configured "
        "(archive.saveDirectory) and nowhere else; existing files are never "
        "overwritten. `outputPath` is a name inside it, with .jpg added "
        "unless it ends in .jpg, .jpeg, .webp or .png; endings of other "
        "picture formats, such as .gif, are refused. Without it, the file is "
        "named after the time of the shot. With `x`, `y`, `width` and "
        "`height` (or `cropX`, `cropY`, `cropWidth`, `cropHeight`) only that "
        "part is saved, in the units of crop_screenshot.",
    .manual_example =
        "\"screenshotRef\": \"REF\", \"outputPath\": \"invoice.png\"",
    .flags = SQ_TOOL_BY_ARCHIVE | SQ_TOOL_ACTS | SQ_TOOL_FILES | SQ_TOOL_HEAVY,
    SQ_ARGS(table, save_args),
    .words = "screenshotRef outputPath?",
    .region = "cropX cropY cropWidth cropHeight",
    .output = "path:text size:int",
    .people = { .examples = { "save REF bill.png" }, .show = show },
    .uses = SQ_USES_PAST | SQ_USE_SAVES,
    .synonyms = "save-screenshot export-screenshot",
    .example = "\"screenshotRef\": \"REF\"",
    .run = run,
};

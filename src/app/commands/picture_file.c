/* Names and writes the files of pictures. */
#include "app/commands/picture_file.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "sys/clock.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "sys/zone.h"
#include "tools/screen/output_folder.h"
#include "util/time_text.h"

#define NS_PER_S 1000000000
#define MAX_BESIDE 10000 /* limit of the numbers that are tried */
/* Quality of a picture that is converted only to match the file's extension. */
#define CONVERTED_QUALITY 90

static bool
fail_extension(const struct sq_picture_file_name *name, struct sq_err *err) {
    const char *slash = strrchr(name->file, '/');
    const char *dot = strrchr(slash ? slash : name->file, '.');
    if (dot) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "squint cannot write the format \"%s\" of %s", dot, name->file);
    } else {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the file name %s has no extension that says the format",
                name->file);
    }
    return sq_fail_hint(err, "End it with .jpg, .jpeg, .webp or .png%s.",
                        name->takes_format ? ", or add --format" : "");
}

bool
sq_picture_file_format(const struct sq_picture_file_name *name,
                       const char **implied, struct sq_err *err) {
    const char *given = name->given;
    enum sq_format format;
    *implied = NULL;
    if (!name->is_replaced && sq_probe_is_no_file(name->file)) {
        return true;
    }
    if (!sq_output_file_format(sq_span_of(name->file), &format)) {
        return given || fail_extension(name, err);
    }
    *implied = sq_format_name(format);
    if (!given || strcasecmp(given, "auto") == 0
        || strcasecmp(given, *implied) == 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "the format %s and the extension of %s contradict each other",
            given, name->file);
    return sq_fail_hint(err, "Leave --format out, or give the file another "
                             "name.");
}

bool
sq_picture_file_is_stdout(const char *file) {
    return file && (strcmp(file, "-") == 0 || strcmp(file, "/dev/stdout") == 0);
}

bool
sq_picture_file_check_stdout(const char *file, bool json, struct sq_err *err) {
    if (!sq_picture_file_is_stdout(file)) {
        return true;
    }
    if (json) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--json and -o %s both write to standard output", file);
        return sq_fail_hint(err, "Leave --json out, or name a file: -o FILE.");
    }
    if (sq_is_terminal(STDOUT_FILENO)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "standard output is a terminal");
        return sq_fail_hint(err, "Redirect it with > FILE or | COMMAND, or "
                                 "name a file: -o FILE.");
    }
    return true;
}

bool
sq_picture_file_write(const struct sq_block *picture, const char *file,
                      struct sq_err *err) {
    struct sq_picture_opts opts = { 0 };
    struct sq_picture_info info;
    const struct sq_buf *bytes = &picture->data;
    if (!sq_output_file_format(sq_span_of(file), &opts.format)
        || strcmp(sq_format_mime(opts.format), picture->mime_type) == 0) {
        return sq_file_write(file, bytes->data, bytes->len, err);
    }
    opts.quality = opts.format == SQ_FORMAT_PNG ? 0 : CONVERTED_QUALITY;
    SQ_BUF(converted, SQ_MAX_IMAGE_BYTES);
    return sq_picture_make(bytes->data, bytes->len, &opts, &sq_limits_default,
                           &converted, &info, err)
        && sq_file_write(file, converted.data, converted.len, err);
}

/* Writes the name with that number: "shot.jpg" for 1, "shot-2.jpg" for 2. */
static bool
number_name(const char *file, int n, char out[SQ_PATH_SIZE],
            struct sq_err *err) {
    const char *slash = strrchr(file, '/');
    const char *dot = strrchr(slash ? slash : file, '.');
    const char *base = slash ? slash + 1 : file;
    int stem = dot && dot > base ? (int)(dot - file) : (int)strlen(file);
    char number[16] = "";
    if (n > 1) {
        snprintf(number, sizeof(number), "-%d", n);
    }
    return snprintf(out, SQ_PATH_SIZE, "%.*s%s%s", stem, file, number,
                    file + stem)
             < SQ_PATH_SIZE
        || sq_fail(err, SQ_ERR_ARGUMENT, "the name of the file is too long");
}

bool
sq_picture_file_write_beside(const struct sq_block *picture, const char *file,
                             char path[SQ_PATH_SIZE], struct sq_err *err) {
    char resolved[SQ_PATH_SIZE];
    bool exists = true;
    for (int n = 2; exists && n < MAX_BESIDE; n++) {
        if (!number_name(file, n, path, err)
            || !sq_path_resolve(path, resolved, &exists, err)) {
            return false;
        }
    }
    return exists ? sq_fail(err, SQ_ERR_IO,
                            "there are too many files beside %s", file)
                  : sq_picture_file_write(picture, path, err);
}

/* Returns the extension of a picture: ".jpg". */
static const char *
extension_of(const struct sq_block *picture) {
    static const char *const extensions[][2] = {
        { "image/png", ".png" },
        { "image/webp", ".webp" },
    };
    for (size_t i = 0; i < SQ_COUNT(extensions); i++) {
        if (strcmp(picture->mime_type, extensions[i][0]) == 0) {
            return extensions[i][1];
        }
    }
    return ".jpg";
}

bool
sq_picture_file_write_new(const struct sq_block *picture, const char *prefix,
                          char path[SQ_PATH_SIZE], struct sq_err *err) {
    char time[SQ_TIME_TEXT_SIZE];
    char name[SQ_TIME_TEXT_SIZE + 64];
    /* Writes "20260102-030405" for the local time now. */
    char text[SQ_TIME_TEXT_SIZE];
    struct sq_zone *zone = NULL;
    int64_t now = sq_clock_wall_ns() / NS_PER_S;
    if (!sq_zone_create(NULL, &zone, err)) {
        return false;
    }
    sq_time_format_wall(now, sq_zone_offset(zone, now), text);
    sq_zone_destroy(zone);
    snprintf(time, SQ_TIME_TEXT_SIZE, "%.4s%.2s%.2s-%.2s%.2s%.2s", text,
             text + 5, text + 8, text + 11, text + 14, text + 17);
    snprintf(name, sizeof(name), "%.40s-%s%s", prefix, time,
             extension_of(picture));
    int folder;
    if (!sq_folder_open(".", &folder, err)) {
        return false;
    }
    /* Writing never replaces a file. */
    struct sq_err local_err = { .code = SQ_ERR_EXISTS };
    bool ok = true;
    for (int n = 1; ok && local_err.code == SQ_ERR_EXISTS && n < MAX_BESIDE;
         n++) {
        local_err = (struct sq_err){ 0 };
        ok = number_name(name, n, path, err);
        if (ok) {
            sq_folder_write(folder, sq_span_of(path), picture->data.data,
                            picture->data.len, &local_err);
        }
    }
    sq_folder_close(folder);
    if (ok && local_err.code == SQ_ERR_EXISTS) {
        return sq_fail(err, SQ_ERR_IO, "there are too many files beside %s",
                       name);
    }
    return ok
        && (local_err.code == SQ_ERR_NONE || sq_fail_with(err, &local_err));
}

/* The programs screencap and wm. */
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

#include "demo/adbd/packet.h"
#include "demo/adbd/program.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "util/bytes.h"

#define HEADER_BYTES 16
#define OLD_HEADER_BYTES 12 /* before Android 9 */
#define JPEG_QUALITY 90
#define PNG_SIGNATURE_BYTES 8
#define CHUNK_NAME_BYTES 4
#define CHUNK_EXTRA_BYTES 12 /* length, type and CRC */
#define IDAT_BYTES 8192      /* as libpng writes them */
#define MIN_SIDE 64
#define MAX_SIDE 4096
#define MIN_DPI 72
#define MAX_DPI 1280

enum picture {
    PICTURE_RAW,
    PICTURE_PNG,
    PICTURE_JPEG,
};

struct shot {
    enum picture format;
    const char *display; /* NULL: default */
    const char *file;    /* NULL: stdout */
};

static const char usage[] =
    "usage: screencap [-hp] [-d display-id] [FILENAME]\n"
    "   -h: this message\n"
    "   -p: save the file as a png.\n"
    "   -d: specify the physical display ID to capture\n"
    "       see \"dumpsys SurfaceFlinger --display-id\" for valid display "
    "IDs.\n"
    "If FILENAME ends with .png it will be saved as a png.\n"
    "If FILENAME is not given, the results will be printed to stdout.\n";

static const char several_displays[] =
    "[Warning] Multiple displays were found, but no display id was specified! "
    "Defaulting to the first display found, however this default is not "
    "guaranteed to be consistent across captures. A display id should be "
    "specified.\nA display ID can be specified with the [-d display-id] "
    "option.\nSee \"dumpsys SurfaceFlinger --display-id\" for valid display "
    "IDs.\n";

static bool
ends_with(const char *text, const char *end) {
    size_t len = strlen(text);
    size_t end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Parses the arguments. Returns false if they are invalid. */
static bool
read_args(const char *const *argv, int argc, struct shot *shot) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "-p") == 0) {
            shot->format = PICTURE_PNG;
        } else if (strcmp(arg, "-j") == 0 || strcmp(arg, "--jpeg") == 0) {
            shot->format = PICTURE_JPEG;
        } else if (strcmp(arg, "-d") == 0 && i + 1 < argc) {
            shot->display = argv[++i];
        } else if (arg[0] == '-' || shot->file) {
            return false;
        } else {
            shot->file = arg;
        }
    }
    if (shot->file && ends_with(shot->file, ".png")) {
        shot->format = PICTURE_PNG;
    }
    return true;
}

const char *
sq_adbd_screencap_form(const char *const *argv, int argc) {
    static const char *const forms[] = {
        [PICTURE_RAW] = "",
        [PICTURE_PNG] = "-p",
        [PICTURE_JPEG] = "-j",
    };
    struct shot shot = { 0 };
    return read_args(argv, argc, &shot) ? forms[shot.format] : "";
}

/* Returns whether the second panel is meant. It is folded away and black. */
static bool
is_second(const struct sq_adbd_call *call, const struct shot *shot) {
    return shot->display
        && sq_adbd_phone_has(call->phone, SQ_ADBD_DISPLAY_WARNING)
        && strcmp(shot->display, SQ_ADBD_SECOND_DISPLAY_ID) == 0;
}

static bool
check_display(struct sq_adbd_call *call, const struct shot *shot, bool *ok,
              struct sq_err *err) {
    uint64_t number;
    *ok = !shot->display || strcmp(shot->display, SQ_ADBD_DISPLAY_ID) == 0
       || strcmp(shot->display, "0") == 0 || is_second(call, shot);
    if (*ok) {
        return shot->display
            || !sq_adbd_phone_has(call->phone, SQ_ADBD_DISPLAY_WARNING)
            || sq_adbd_print_error(call, 0, err, "%s", several_displays);
    }
    return sq_span_to_uint64(sq_span_of(shot->display), &number)
             ? sq_adbd_print_error(call, 1, err, "Capturing failed.\n")
             : sq_adbd_print_error(call, 1, err, "Invalid display ID: %s\n",
                                   shot->display);
}

static bool
put_chunk(struct sq_buf *out, const char *name, const uint8_t *data, size_t len,
          struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(out, len + CHUNK_EXTRA_BYTES, &space, err)) {
        return false;
    }
    sq_store_be32(space, (uint32_t)len);
    memcpy(space + 4, name, CHUNK_NAME_BYTES);
    memcpy(space + 4 + CHUNK_NAME_BYTES, data, len);
    sq_store_be32(space + 4 + CHUNK_NAME_BYTES + len,
                  libdeflate_crc32(0, space + 4, CHUNK_NAME_BYTES + len));
    sq_buf_commit(out, len + CHUNK_EXTRA_BYTES);
    return true;
}

/* Appends a PNG with its data split into several chunks, as phones do. */
static bool
put_png(const struct sq_buf *png, struct sq_buf *out, struct sq_err *err) {
    size_t at = PNG_SIGNATURE_BYTES;
    bool ok = sq_buf_append(out, png->data, at, err);
    while (ok && at < png->len) {
        const uint8_t *chunk = png->data + at;
        const char *name = (const char *)chunk + 4;
        const uint8_t *data = chunk + 4 + CHUNK_NAME_BYTES;
        size_t left = sq_load_be32(chunk);
        bool is_data = memcmp(name, "IDAT", CHUNK_NAME_BYTES) == 0;
        at += left + CHUNK_EXTRA_BYTES;
        while (ok && is_data && left > IDAT_BYTES) {
            ok = put_chunk(out, name, data, IDAT_BYTES, err);
            data += IDAT_BYTES;
            left -= IDAT_BYTES;
        }
        ok = ok && put_chunk(out, name, data, left, err);
    }
    return ok;
}

static bool
encode(struct sq_span frame, enum picture format, struct sq_buf *out,
       struct sq_err *err) {
    struct sq_rows *rows = NULL;
    struct sq_buf png;
    const struct sq_jpeg_opts opts = { .quality = JPEG_QUALITY };
    bool ok = sq_raw_open((const uint8_t *)frame.ptr, frame.len,
                          &sq_limits_default, &rows, err);
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    ok = ok
      && (format == PICTURE_PNG
              ? sq_png_encode(rows, &png, err) && put_png(&png, out, err)
              : sq_jpeg_encode(rows, &opts, out, err));
    sq_buf_finish(&png);
    sq_rows_destroy(rows);
    return ok;
}

static bool
put_black(struct sq_span frame, struct sq_buf *out, struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(out, frame.len, &space, err)) {
        return false;
    }
    memset(space, 0, frame.len);
    memcpy(space, frame.ptr, HEADER_BYTES);
    sq_buf_commit(out, frame.len);
    return true;
}

static size_t
limit_length(const struct sq_adbd_call *call, size_t len) {
    const struct sq_adbd_fault *cut = &call->phone->faults.of[SQ_ADBD_TRUNCATE];
    return cut->on && (uint64_t)cut->number < len ? (size_t)cut->number : len;
}

static void
truncate_buffer(struct sq_buf *buf, size_t len) {
    sq_buf_clear(buf);
    sq_buf_commit(buf, len);
}

/* Appends the picture. *large is the part that stays in the phone's memory. */
static bool
put_picture(struct sq_adbd_call *call, const struct shot *shot,
            struct sq_span frame, struct sq_buf *out, struct sq_span *large,
            struct sq_err *err) {
    size_t before = out->len;
    if (shot->format != PICTURE_RAW) {
        if (!encode(frame, shot->format, out, err)) {
            return false;
        }
        truncate_buffer(out, before + limit_length(call, out->len - before));
        return true;
    }
    bool old = sq_adbd_phone_has(call->phone, SQ_ADBD_OLD_FRAME);
    size_t header = old ? OLD_HEADER_BYTES : HEADER_BYTES;
    size_t len = limit_length(call, frame.len - HEADER_BYTES + header);
    size_t first = len < header ? len : header;
    *large = (struct sq_span){ frame.ptr + HEADER_BYTES, len - first };
    return sq_buf_append(out, frame.ptr, first, err);
}

static bool
save(struct sq_adbd_call *call, const struct shot *shot, struct sq_span frame,
     struct sq_err *err) {
    struct sq_adbd_file *file;
    struct sq_span large = { 0 };
    if (!sq_adbd_files_check(shot->file, NULL)) {
        return sq_adbd_print_error(
            call, 1, err,
            "Error opening file: %s (No such file or directory)\n", shot->file);
    }
    int64_t now_s = sq_phone_now_ns(call->phone->demo) / 1000000000;
    return sq_adbd_files_create(&call->phone->files, shot->file, now_s, &file,
                                err)
        && put_picture(call, shot, frame, &file->bytes, &large, err)
        && sq_buf_append(&file->bytes, large.ptr, large.len, err);
}

bool
sq_adbd_run_screencap(struct sq_adbd_call *call, struct sq_err *err) {
    struct shot shot = { 0 };
    struct sq_span frame;
    struct sq_buf black;
    bool known;
    if (!read_args(call->argv, call->argc, &shot)) {
        return sq_adbd_print_error(call, 1, err, "%s", usage);
    }
    if (!check_display(call, &shot, &known, err) || !known) {
        return !known;
    }
    if (!sq_adbd_phone_frame(call->phone, &frame, err)) {
        return false;
    }
    sq_buf_init(&black, SQ_MAX_IMAGE_BYTES);
    bool ok = true;
    if (is_second(call, &shot)) {
        struct sq_span ignored;
        ok = put_black(frame, &black, err);
        frame = sq_buf_span(&black);
        ok = ok
          && (shot.file
                  ? save(call, &shot, frame, err)
                  : put_picture(call, &shot, frame, call->out, &ignored, err)
                        && sq_buf_append(call->out, ignored.ptr, ignored.len,
                                         err));
    } else {
        ok = shot.file
               ? save(call, &shot, frame, err)
               : put_picture(call, &shot, frame, call->out, &call->large, err);
    }
    sq_buf_finish(&black);
    return ok;
}

static bool
change_size(struct sq_adbd_call *call, const char *text) {
    struct sq_demo_options *options = &call->phone->demo->options;
    struct sq_span rest = sq_span_of(text);
    int64_t width = call->phone->panel.width;
    int64_t height = call->phone->panel.height;
    bool reset = strcmp(text, "reset") == 0;
    if (!reset
        && (!sq_span_take_int64(&rest, &width)
            || !sq_span_take_prefix(&rest, "x")
            || !sq_span_to_int64(rest, &height) || width < MIN_SIDE
            || height < MIN_SIDE || width > MAX_SIDE || height > MAX_SIDE)) {
        return false;
    }
    options->width = (int)width;
    options->height = (int)height;
    return true;
}

static bool
run_wm_size(struct sq_adbd_call *call, struct sq_err *err) {
    const struct sq_demo_options *options = &call->phone->demo->options;
    struct sq_size panel = call->phone->panel;
    if (call->argc > 2) {
        sq_adbd_phone_touched(call->phone);
        return change_size(call, call->argv[2])
            || sq_adbd_print_error(call, 255, err, "Error: bad size %s\n",
                                   call->argv[2]);
    }
    bool same =
        options->width == panel.width && options->height == panel.height;
    return sq_adbd_print(call, err, "Physical size: %dx%d\n", panel.width,
                         panel.height)
        && (same
            || sq_adbd_print(call, err, "Override size: %dx%d\n",
                             options->width, options->height));
}

static bool
change_density(struct sq_adbd_call *call, const char *text) {
    double *density = &call->phone->demo->options.density;
    int64_t dpi;
    if (strcmp(text, "reset") == 0) {
        *density = call->phone->density;
        return true;
    }
    if (!sq_span_to_int64(sq_span_of(text), &dpi) || dpi < MIN_DPI
        || dpi > MAX_DPI) {
        return false;
    }
    *density = (double)dpi / SQ_ADBD_DPI_OF_DENSITY;
    return true;
}

static bool
run_wm_density(struct sq_adbd_call *call, struct sq_err *err) {
    int panel = sq_adbd_phone_dpi(call->phone->density);
    int now = sq_adbd_phone_dpi(call->phone->demo->options.density);
    if (call->argc > 2) {
        sq_adbd_phone_touched(call->phone);
        return change_density(call, call->argv[2])
            || sq_adbd_print_error(call, 255, err,
                                   "Error: density must be >= 72\n");
    }
    return sq_adbd_print(call, err, "Physical density: %d\n", panel)
        && (now == panel
            || sq_adbd_print(call, err, "Override density: %d\n", now));
}

bool
sq_adbd_run_wm(struct sq_adbd_call *call, struct sq_err *err) {
    if (sq_adbd_arg_is(call, 1, "size")) {
        return run_wm_size(call, err);
    }
    if (sq_adbd_arg_is(call, 1, "density")) {
        return run_wm_density(call, err);
    }
    if (sq_adbd_arg_is(call, 1, "dismiss-keyguard")) {
        return true; /* does nothing if the lock screen has a secret */
    }
    return sq_adbd_print_error(call, 255, err, "Unknown command: %s\n",
                               call->argc > 1 ? call->argv[1] : "(null)");
}

#include "support/past_maker.h"

#include <sys/stat.h>
#include <unistd.h>

#include "image/jpeg/jpeg.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/time_text.h"

#define MAX_FILE ((size_t)16 << 20)
#define LONG_AGO_S 3600
#define NEAR 24 /* how much JPEG may change a colour */

static void
colour_of(const struct past_field *field, uint8_t out[3]) {
    int column = (field->column + field->look) % PAST_FIELDS;
    int row = (field->row + field->look / PAST_FIELDS) % PAST_FIELDS;
    out[0] = (uint8_t)(30 + 60 * column);
    out[1] = (uint8_t)(30 + 60 * row);
    out[2] = field->thumb ? 30 : 210;
}

static void
draw(struct sq_image *image, int look, bool thumb) {
    for (int y = 0; y < image->height; y++) {
        uint8_t *at = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, at += SQ_PIXEL_BYTES) {
            const struct past_field field = {
                .column = x * PAST_FIELDS / image->width,
                .row = y * PAST_FIELDS / image->height,
                .look = look,
                .thumb = thumb,
            };
            colour_of(&field, at);
            at[3] = 255;
        }
    }
}

static void
encode(int width, int height, int look, bool thumb, bool png,
       struct sq_buf *out) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    const struct sq_jpeg_opts jpeg = { .quality = 90, .full_chroma = true };
    sq_buf_init(out, MAX_FILE);
    T_OK(sq_image_init(&image, width, height, &sq_limits_default, &t_err));
    draw(&image, look, thumb);
    T_OK(sq_rows_from_image(&image, &rows, &t_err));
    T_OK(png ? sq_png_encode(rows, out, &t_err)
             : sq_jpeg_encode(rows, &jpeg, out, &t_err));
    sq_rows_destroy(rows);
}

static struct past_shot
with_defaults(const struct past_shot *shot) {
    struct past_shot full = *shot;
    full.folder = shot->folder ? shot->folder : t_text("a/%.10s", shot->time);
    full.offset = shot->offset ? shot->offset : "01-00";
    full.width = shot->width ? shot->width : 640;
    full.height = shot->height ? shot->height : 400;
    return full;
}

const char *
past_path(const struct past_shot *shot, bool thumb) {
    const struct past_shot s = with_defaults(shot);
    return t_text("%s/%s_%s_%d_%d_%d_%d%s.jpg", s.folder, s.time, s.offset,
                  s.width, s.height, s.seq, s.monitor,
                  thumb ? ".thumbnail" : "");
}

static void
put_part(const struct past_shot *shot, bool thumb) {
    const struct past_shot s = with_defaults(shot);
    T_FREED(sq_buf_finish) struct sq_buf picture = { 0 };
    encode(thumb ? s.width / 4 : s.width, thumb ? s.height / 4 : s.height,
           s.look, thumb, false, &picture);
    t_album_put_bytes(past_path(shot, thumb), picture.data, picture.len);
}

void
past_put(const struct past_shot *shot) {
    if (shot->parts != PAST_THUMB_ONLY) {
        put_part(shot, false);
    }
    if (shot->parts != PAST_FULL_ONLY) {
        put_part(shot, true);
    }
}

/* Converts "2026-01-15_10-30-45" to seconds, and back. */
static int64_t
seconds_of(const char *text) {
    struct sq_time_text time = { 0 };
    const char *iso =
        t_text("%.10sT%.2s:%.2s:%.2s", text, text + 11, text + 14, text + 17);
    T_OK(sq_time_parse(sq_span_of(iso), &time, &t_err));
    return time.wall_s;
}

void
past_put_series(const struct past_shot *first, int count, int step_s) {
    struct past_shot shot = *first;
    int64_t start = seconds_of(first->time);
    for (int i = 0; i < count; i++) {
        char text[SQ_TIME_TEXT_SIZE];
        sq_time_format_wall(start + (int64_t)i * step_s, 0, text);
        shot.time = t_text("%.10s_%.2s-%.2s-%.2s", text, text + 11, text + 14,
                           text + 17);
        shot.seq = first->seq + i;
        shot.look = first->look + i;
        past_put(&shot);
    }
}

void
past_put_picture(const char *path, int width, int height, int look) {
    T_FREED(sq_buf_finish) struct sq_buf picture = { 0 };
    size_t len = strlen(path);
    bool png = len > 4 && strcmp(path + len - 4, ".png") == 0;
    encode(width, height, look, false, png, &picture);
    t_album_put_bytes(path, picture.data, picture.len);
}

void
past_read(const char *path, struct sq_buf *out) {
    uint8_t bytes[4096];
    sq_buf_init(out, MAX_FILE);
    FILE *file = fopen(t_scratch_path(path), "rb");
    if (T(file != NULL)) {
        for (size_t got; (got = fread(bytes, 1, sizeof(bytes), file));) {
            T_OK(sq_buf_append(out, bytes, got, &t_err));
        }
        fclose(file);
    }
}

static void
damage_bytes(const char *path, enum past_trouble trouble) {
    T_FREED(sq_buf_finish) struct sq_buf picture = { 0 };
    encode(320, 200, 0, false, false, &picture);
    if (trouble == PAST_BROKEN) {
        memset(picture.data + 4, 0x55, picture.len - 8);
    }
    if (trouble == PAST_GARBAGE) {
        t_album_put_bytes(path, "no picture at all", 17);
    } else if (trouble == PAST_EMPTY) {
        t_album_put_bytes(path, "", 0);
    } else {
        size_t len = trouble == PAST_BROKEN ? picture.len : picture.len / 2;
        t_album_put_bytes(path, picture.data, len);
    }
    if (trouble != PAST_GROWING) {
        t_album_age(path, LONG_AGO_S);
    }
}

void
past_damage(const char *path, enum past_trouble trouble) {
    const char *place = t_scratch_path(path);
    unlink(place);
    if (trouble == PAST_LINK) {
        past_put_picture("outside/secret.jpg", 320, 200, 0);
        T_INT(symlink(t_scratch_path("outside/secret.jpg"), place), 0);
    } else if (trouble == PAST_PIPE) {
        T_INT(mkfifo(place, 0600), 0);
    } else if (trouble == PAST_DIRECTORY) {
        T_INT(mkdir(place, 0700), 0);
    } else {
        damage_bytes(path, trouble);
    }
}

void
past_damage_both(const struct past_shot *shot, enum past_trouble trouble) {
    past_damage(past_path(shot, false), trouble);
    past_damage(past_path(shot, true), trouble);
}

static bool
is_near(const uint8_t *got, const uint8_t want[3]) {
    for (int i = 0; i < 3; i++) {
        int apart = got[i] > want[i] ? got[i] - want[i] : want[i] - got[i];
        if (apart > NEAR) {
            return false;
        }
    }
    return true;
}

bool
past_shows(const struct sq_buf *picture, int x, int y,
           const struct past_field *field) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    uint8_t want[3];
    colour_of(field, want);
    bool ok = T_OK(sq_image_decode(picture->data, picture->len,
                                   &sq_limits_default, &image, &t_err))
           && T(x < image.width && y < image.height);
    if (ok) {
        const uint8_t *got =
            sq_image_row(&image, y) + (size_t)x * SQ_PIXEL_BYTES;
        ok = is_near(got, want);
        if (!ok) {
            printf("# at %d,%d is %d,%d,%d, not %d,%d,%d\n", x, y, got[0],
                   got[1], got[2], want[0], want[1], want[2]);
        }
    }
    return ok;
}

struct sq_size
past_size(const struct sq_buf *picture) {
    struct sq_size size = { 0, 0 };
    T_OK(sq_codec_size(picture->data, picture->len, &size, &t_err));
    return size;
}

const char *
past_kind(const struct sq_buf *picture) {
    const struct sq_codec *codec;
    return sq_codec_find(picture->data, picture->len, &codec, NULL)
             ? codec->name
             : "?";
}

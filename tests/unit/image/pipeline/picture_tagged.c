/*
 * Pictures with an orientation and a colour profile: sizes, regions and small
 * versions are those of the upright picture in sRGB.
 */
#include "image/pipeline/picture.h"

#include "image/colour/colour.h"
#include "support/icc_maker.h"
#include "support/tagged.h"
#include "unit/image/encoded.h"
#include "unit/image/jpeg/reference.h"

#define WIDTH 403
#define HEIGHT 301

static const enum encoded_kind kinds[] = { ENCODED_PNG, ENCODED_PALETTE,
                                           ENCODED_JPEG, ENCODED_WEBP,
                                           ENCODED_LOSSLESS_WEBP };
static const size_t kind_count = SQ_COUNT(kinds);

static bool
is_webp(enum encoded_kind kind) {
    return kind == ENCODED_WEBP || kind == ENCODED_LOSSLESS_WEBP;
}

/* Add metadata; either may be NULL. */
static void
tag(enum encoded_kind kind, struct sq_buf *file, const struct sq_image *image,
    const struct sq_buf *profile, const struct sq_buf *exif) {
    if (is_webp(kind)) {
        t_webp_extend(file, image->width, image->height, profile, exif);
        return;
    }
    if (profile && kind == ENCODED_JPEG) {
        t_jpeg_add_profile(file, profile, 300);
    } else if (profile) {
        t_png_add_profile(file, profile);
    }
    if (exif && kind == ENCODED_JPEG) {
        t_jpeg_add_exif(file, exif);
    } else if (exif) {
        t_png_add(file, "eXIf", exif->data, exif->len);
    }
}

/* A file without and with tags, and the decoded pixels of the first. */
struct pair {
    struct sq_buf plain;
    struct sq_buf tagged;
    struct sq_image stored;
};

static void
pair_init(struct pair *pair, enum encoded_kind kind,
          const struct sq_buf *profile, int orientation) {
    T_FREED(sq_image_finish) struct sq_image photo = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    *pair = (struct pair){ 0 };
    sq_buf_init(&pair->plain, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&pair->tagged, SQ_MAX_IMAGE_BYTES);
    encoded_photo(WIDTH, HEIGHT, &photo);
    encoded_make(kind, &photo, &pair->plain);
    encoded_make(kind, &photo, &pair->tagged);
    t_exif_make(orientation ? orientation : 1, orientation % 2, &exif);
    tag(kind, &pair->tagged, &photo, profile, orientation ? &exif : NULL);
    encoded_decode(&pair->plain, &pair->stored);
}

static void
pair_finish(struct pair *pair) {
    sq_buf_finish(&pair->plain);
    sq_buf_finish(&pair->tagged);
    sq_image_finish(&pair->stored);
}

/* The stored picture, converted by lcms2. */
static void
convert_by_lcms(struct sq_image *image, const struct sq_buf *profile,
                enum sq_pixels pixels) {
    size_t count = (size_t)image->width * (size_t)image->height;
    t_icc_convert(profile, pixels, image->pixels, image->pixels, count);
}

/* Applies EXIF's orientation pixel by pixel. */
static void
turn_by_hand(const struct sq_image *from, int orientation,
             struct sq_image *out) {
    bool swap = orientation >= 5;
    int width = swap ? from->height : from->width;
    int height = swap ? from->width : from->height;
    T_OK(sq_image_init(out, width, height, &sq_limits_default, &t_err));
    for (int y = 0; y < from->height; y++) {
        for (int x = 0; x < from->width; x++) {
            int right = from->width - 1 - x;
            int bottom = from->height - 1 - y;
            const int across[9] = {
                0, x, right, right, x, y, bottom, bottom, y
            };
            const int down[9] = { 0, y, y, bottom, bottom, x, x, right, right };
            memcpy(sq_image_row(out, down[orientation])
                       + across[orientation] * SQ_PIXEL_BYTES,
                   sq_image_row(from, y) + x * SQ_PIXEL_BYTES, SQ_PIXEL_BYTES);
        }
    }
}

T_CASE(profiles_are_converted_in_every_format) {
    static const enum t_icc_kind profiles[] = { T_ICC_P3, T_ICC_ADOBE_RGB,
                                                T_ICC_RGB_TABLE };
    for (size_t i = 0; i < kind_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
            T_FREED(sq_image_finish) struct sq_image got = { 0 };
            struct pair pair;
            t_icc_make(profiles[k], &profile);
            pair_init(&pair, kinds[i], &profile, 0);
            encoded_decode(&pair.tagged, &got);
            convert_by_lcms(&pair.stored, &profile, SQ_PIXELS_RGB);
            double psnr = picture_psnr(&got, &pair.stored);
            if (!T(psnr > 45)) {
                printf("# %s, %s: %.1f dB\n", encoded_names[kinds[i]],
                       t_icc_names[profiles[k]], psnr);
            }
            pair_finish(&pair);
        }
    }
}

/* Scaling before converting resembles the other order. */
T_CASE(small_pictures_are_converted) {
    static const int sides[] = { 250, 120, 61 };
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(T_ICC_P3, &profile);
    for (size_t i = 0; i < kind_count * 3; i++) {
        const struct sq_picture_opts opts = { .max_dimension = sides[i % 3],
                                              .quality = 90 };
        struct sq_buf made[2];
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        T_FREED(sq_image_finish) struct sq_image want = { 0 };
        struct pair pair;
        pair_init(&pair, kinds[i / 3], &profile, 0);
        convert_by_lcms(&pair.stored, &profile, SQ_PIXELS_RGB);
        T_BUF(converted, SQ_MAX_IMAGE_BYTES);
        sq_buf_init(&made[0], SQ_MAX_IMAGE_BYTES);
        sq_buf_init(&made[1], SQ_MAX_IMAGE_BYTES);
        encoded_make(ENCODED_PNG, &pair.stored, &converted);
        encoded_convert(&pair.tagged, &opts, &made[0], NULL);
        encoded_convert(&converted, &opts, &made[1], NULL);
        encoded_decode(&made[0], &got);
        encoded_decode(&made[1], &want);
        T(picture_psnr(&got, &want) > 35);
        sq_buf_finish(&made[0]);
        sq_buf_finish(&made[1]);
        pair_finish(&pair);
    }
}

/* The same output: the tags cause no work that changes it. */
T_CASE(srgb_profile_changes_nothing) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(T_ICC_SRGB_SAMPLED, &profile);
    for (size_t i = 0; i < kind_count; i++) {
        const struct sq_picture_opts opts = { .max_dimension = 200 };
        struct sq_buf made[2];
        struct pair pair;
        pair_init(&pair, kinds[i], &profile, 1);
        sq_buf_init(&made[0], SQ_MAX_IMAGE_BYTES);
        sq_buf_init(&made[1], SQ_MAX_IMAGE_BYTES);
        encoded_convert(&pair.plain, &opts, &made[0], NULL);
        encoded_convert(&pair.tagged, &opts, &made[1], NULL);
        T_BYTES(made[1].data, made[1].len, made[0].data, made[0].len);
        sq_buf_finish(&made[0]);
        sq_buf_finish(&made[1]);
        pair_finish(&pair);
    }
}

T_CASE(broken_profile_is_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(T_ICC_P3, &profile);
    profile.data[36] = 'x'; /* the signature */
    for (size_t i = 0; i < kind_count; i++) {
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        struct pair pair;
        pair_init(&pair, kinds[i], &profile, 0);
        encoded_decode(&pair.tagged, &got);
        T_INT(picture_differences(&got, &pair.stored), 0);
        pair_finish(&pair);
    }
}

static void
check_size(const struct pair *pair, const struct sq_image *upright) {
    struct sq_size size = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    T_OK(sq_codec_size(pair->tagged.data, pair->tagged.len, &size, &t_err));
    T_INT(size.width, upright->width);
    T_INT(size.height, upright->height);
    encoded_decode(&pair->tagged, &got);
    T_INT(picture_differences(&got, upright), 0);
}

/* A region is exactly that part of the upright picture. */
static void
check_part(const struct pair *pair, const struct sq_image *upright) {
    struct sq_region region;
    region.width = (int)t_random_between(1, 60);
    region.height = (int)t_random_between(1, 60);
    region.x = (int)t_random_between(0, upright->width - region.width);
    region.y = (int)t_random_between(0, upright->height - region.height);
    const struct sq_picture_opts opts = { .format = SQ_FORMAT_PNG,
                                          .region = &region };
    struct sq_picture_info info = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    T_FREED(sq_image_finish) struct sq_image want = { 0 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_convert(&pair->tagged, &opts, &out, &info);
    encoded_decode(&out, &got);
    T_OK(sq_image_init(&want, region.width, region.height, &sq_limits_default,
                       &t_err));
    for (int y = 0; y < region.height; y++) {
        memcpy(sq_image_row(&want, y),
               sq_image_row(upright, region.y + y) + region.x * SQ_PIXEL_BYTES,
               want.stride);
    }
    T_INT(info.source.width, upright->width);
    T_INT(info.source.height, upright->height);
    if (!T_INT(picture_differences(&got, &want), 0)) {
        printf("# region %d,%d %dx%d\n", region.x, region.y, region.width,
               region.height);
    }
}

/* A small picture is that of the upright one. */
static void
check_small(const struct pair *pair, const struct sq_image *upright, int side) {
    const struct sq_picture_opts opts = { .max_dimension = side,
                                          .quality = 90 };
    struct sq_picture_info infos[2] = { { .bytes = 0 } };
    struct sq_image images[2] = { { 0 } };
    struct sq_buf made[2];
    T_BUF(png, SQ_MAX_IMAGE_BYTES);
    encoded_make(ENCODED_PNG, upright, &png);
    for (int i = 0; i < 2; i++) {
        sq_buf_init(&made[i], SQ_MAX_IMAGE_BYTES);
        encoded_convert(i ? &png : &pair->tagged, &opts, &made[i], &infos[i]);
        encoded_decode(&made[i], &images[i]);
    }
    T_INT(infos[0].image.width, infos[1].image.width);
    T_INT(infos[0].image.height, infos[1].image.height);
    T(picture_psnr(&images[0], &images[1]) > 33);
    for (int i = 0; i < 2; i++) {
        sq_image_finish(&images[i]);
        sq_buf_finish(&made[i]);
    }
}

T_CASE(orientation_is_applied_everywhere) {
    for (size_t i = 0; i < kind_count; i++) {
        for (int orientation = 1; orientation <= 8; orientation++) {
            T_FREED(sq_image_finish) struct sq_image upright = { 0 };
            struct pair pair;
            pair_init(&pair, kinds[i], NULL, orientation);
            turn_by_hand(&pair.stored, orientation, &upright);
            check_size(&pair, &upright);
            for (int k = 0; k < 6; k++) {
                check_part(&pair, &upright);
            }
            check_small(&pair, &upright, 200);
            check_small(&pair, &upright, 99);
            pair_finish(&pair);
        }
    }
}

/* JPEG files that are resized without conversion to RGB. */
T_CASE(direct_resizing_applies_the_tags) {
    static const int parts[] = { 2, 4, 8 };
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(T_ICC_P3, &profile);
    for (int i = 0; i < 3; i++) {
        const struct sq_picture_opts opts = { .max_dimension = 640 / parts[i],
                                              .quality = 90 };
        T_FREED(sq_image_finish) struct sq_image photo = { 0 };
        T_FREED(sq_image_finish) struct sq_image turned = { 0 };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        T_FREED(sq_image_finish) struct sq_image small = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        encoded_photo(640, 480, &photo);
        encoded_make(ENCODED_JPEG, &photo, &file);
        encoded_convert(&file, &opts, &out, NULL);
        encoded_decode(&out, &small); /* resized plane by plane */
        convert_by_lcms(&small, &profile, SQ_PIXELS_RGB);
        turn_by_hand(&small, 8, &turned);
        t_exif_make(8, true, &exif);
        tag(ENCODED_JPEG, &file, &photo, &profile, &exif);
        sq_buf_clear(&out);
        encoded_convert(&file, &opts, &out, NULL);
        encoded_decode(&out, &got);
        T(picture_psnr(&got, &turned) > 33);
    }
}

/* Both kinds of CMYK, without and with a profile. */
T_CASE(cmyk_is_converted) {
    static const struct ref_kind files[] = {
        { .name = "cmyk", .colours = JCS_CMYK, .h = 1, .v = 1 },
        { .name = "ycck", .colours = JCS_YCCK, .h = 2, .v = 2 },
    };
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(T_ICC_CMYK, &profile);
    for (int i = 0; i < 4; i++) {
        T_FREED(sq_image_finish) struct sq_image stored = { 0 };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        struct sq_colour *colour = NULL;
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        ref_encode(&files[i % 2], 90, 70, &file);
        ref_decode_as(&file, 8, true, &stored);
        if (i < 2) {
            T_OK(sq_colour_from_icc(NULL, 0, SQ_PIXELS_CMYK, &colour, &t_err));
            sq_colour_apply(colour, stored.pixels, stored.pixels, 90 * 70);
            sq_colour_destroy(colour);
        } else {
            t_jpeg_add_profile(&file, &profile, 60000);
            convert_by_lcms(&stored, &profile, SQ_PIXELS_CMYK);
        }
        encoded_decode(&file, &got);
        T(picture_psnr(&got, &stored) > (i < 2 ? 98 : 45));
    }
}

T_CASE(plain_jpegs_are_detected) {
    for (int i = 0; i < 4; i++) {
        T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
        struct pair pair;
        bool plain = i == 0;
        t_icc_make(i == 1 ? T_ICC_P3 : T_ICC_SRGB, &profile);
        pair_init(&pair, ENCODED_JPEG, i == 2 ? NULL : &profile,
                  i == 2 ? 3 : 1);
        T_OK(sq_jpeg_is_plain(pair.tagged.data, pair.tagged.len, &plain,
                              &t_err));
        T_INT(plain, i == 0 || i == 3);
        pair_finish(&pair);
    }
}

struct torture {
    struct sq_buf file;
    struct sq_picture_opts opts;
};

static bool
make_picture(void *context, struct sq_err *err) {
    struct torture *t = context;
    struct sq_picture_info info;
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_picture_make(t->file.data, t->file.len, &t->opts,
                              &sq_limits_default, &out, &info, err);
    T(ok || out.len == 0);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    t_icc_make(T_ICC_P3, &profile);
    t_exif_make(6, true, &exif);
    for (size_t i = 0; i < kind_count; i++) {
        T_FREED(sq_image_finish) struct sq_image photo = { 0 };
        struct torture t = { .opts = { .max_dimension = 20 } };
        sq_buf_init(&t.file, SQ_MAX_IMAGE_BYTES);
        encoded_photo(40, 30, &photo);
        encoded_make(kinds[i], &photo, &t.file);
        tag(kinds[i], &t.file, &photo, &profile, &exif);
        T(t_alloc_torture(make_picture, &t) >= 8);
        sq_buf_finish(&t.file);
    }
}

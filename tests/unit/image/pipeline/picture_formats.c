/* Every input and output format; and shrinking JPEG files directly. */
#include "image/pipeline/picture.h"

#include "image/jpeg/jpeg.h"
#include "image/pipeline/cpu.h"
#include "unit/image/encoded.h"

static void
check_pair(enum encoded_kind from, enum sq_format to) {
    const struct sq_picture_opts opts = {
        .format = to,
        .quality = to == SQ_FORMAT_PNG ? 0 : 90,
        .max_dimension = 60,
    };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image want = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    struct sq_rows *rows = NULL;
    struct sq_picture_info info = { 0 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_photo(150, 101, &image);
    encoded_make(from, &image, &file);
    encoded_convert(&file, &opts, &out, &info);
    T_INT(info.format, to);
    encoded_decode(&out, &got);
    T_OK(sq_scale_rows(picture_rows(&image), 60, 40, SQ_KERNEL_CATMULL_ROM,
                       &rows, &t_err));
    T_OK(sq_rows_to_image(rows, &sq_limits_default, &want, &t_err));
    double psnr = picture_psnr(&want, &got);
    if (!T(psnr > 30)) {
        printf("# %s to %s: %.1f dB\n", encoded_names[from], sq_format_name(to),
               psnr);
    }
    sq_rows_destroy(rows);
}

T_CASE(every_format_converts_to_every_other) {
    for (int from = 0; from < ENCODED_KINDS; from++) {
        for (int to = 0; to < SQ_FORMAT_AUTO; to++) {
            check_pair((enum encoded_kind)from, (enum sq_format)to);
        }
    }
}

T_CASE(formats_have_names) {
    T_STR(sq_format_name(SQ_FORMAT_JPEG), "jpeg");
    T_STR(sq_format_name(SQ_FORMAT_WEBP), "webp");
    T_STR(sq_format_name(SQ_FORMAT_PNG), "png");
    T_STR(sq_format_mime(SQ_FORMAT_JPEG), "image/jpeg");
    T_STR(sq_format_mime(SQ_FORMAT_WEBP), "image/webp");
    T_STR(sq_format_mime(SQ_FORMAT_PNG), "image/png");
}

static const char *
name_of_codec(const struct sq_buf *file) {
    const struct sq_codec *codec = NULL;
    T_OK(sq_codec_find(file->data, file->len, &codec, &t_err));
    return codec ? codec->name : "none";
}

static struct sq_picture_info
convert_image(const struct sq_image *image, const struct sq_picture_opts *opts,
              struct sq_buf *out) {
    struct sq_picture_info info = { 0 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    encoded_make(ENCODED_PNG, image, &file);
    sq_buf_clear(out);
    encoded_convert(&file, opts, out, &info);
    T_INT(info.bytes, out->len);
    return info;
}

T_CASE(auto_uses_a_palette_for_interfaces) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    struct sq_picture_opts opts = { .format = SQ_FORMAT_AUTO,
                                    .max_dimension = 150 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_page(200, 300, &page);
    struct sq_picture_info info = convert_image(&page, &opts, &out);
    T_INT(info.format, SQ_FORMAT_PNG);
    T(info.colours > 2 && info.colours <= SQ_UI_COLOURS);
    T_STR(name_of_codec(&out), "png");
    opts.colours = 4;
    info = convert_image(&page, &opts, &out);
    T_INT(info.format, SQ_FORMAT_PNG);
    T(info.colours >= 2 && info.colours <= 4);
}

T_CASE(auto_uses_webp_for_photographs) {
    T_FREED(sq_image_finish) struct sq_image noise = { 0 };
    const struct sq_picture_opts opts = { .format = SQ_FORMAT_AUTO,
                                          .max_dimension = 150 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    picture_make(PICTURE_RANDOM, 200, 300, &noise);
    for (int i = 0; i < 200 * 300; i++) {
        noise.pixels[i * SQ_PIXEL_BYTES + 3] = 255;
    }
    struct sq_picture_info info = convert_image(&noise, &opts, &out);
    T_INT(info.format, SQ_FORMAT_WEBP);
    T_INT(info.colours, 0);
    T_STR(name_of_codec(&out), "webp");
    const size_t bytes = info.bytes;
    const struct sq_picture_opts low = { .format = SQ_FORMAT_AUTO,
                                         .max_dimension = 150,
                                         .quality = 30 };
    T(convert_image(&noise, &low, &out).bytes < bytes);
}

static int
count_colours(const struct sq_image *image) {
    static bool seen[1 << 24];
    int count = 0;
    memset(seen, 0, sizeof(seen));
    for (int i = 0; i < image->width * image->height; i++) {
        const uint8_t *p = image->pixels + i * SQ_PIXEL_BYTES;
        int colour = p[0] << 16 | p[1] << 8 | p[2];
        count += !seen[colour];
        seen[colour] = true;
    }
    return count;
}

T_CASE(colours_are_limited) {
    static const int limits[] = { 2, 16, 64, 256 };
    T_FREED(sq_image_finish) struct sq_image photo = { 0 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_photo(120, 90, &photo);
    for (size_t i = 0; i < SQ_COUNT(limits); i++) {
        const struct sq_picture_opts opts = { .format = SQ_FORMAT_PNG,
                                              .colours = limits[i] };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        struct sq_picture_info info = convert_image(&photo, &opts, &out);
        encoded_decode(&out, &got);
        T(info.colours <= limits[i]);
        T(info.colours > limits[i] / 2);
        T(count_colours(&got) <= info.colours);
    }
}

/* A higher value gives more bytes; an omitted quality is the default. */
T_CASE(quality_and_chroma_change_the_size) {
    T_FREED(sq_image_finish) struct sq_image photo = { 0 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_photo(200, 150, &photo);
    for (int format = SQ_FORMAT_JPEG; format <= SQ_FORMAT_WEBP; format++) {
        struct sq_picture_opts opts = { .format = (enum sq_format)format };
        int usual = format == SQ_FORMAT_JPEG ? SQ_DEFAULT_JPEG_QUALITY
                                             : SQ_DEFAULT_WEBP_QUALITY;
        size_t plain = convert_image(&photo, &opts, &out).bytes;
        opts.quality = usual;
        T_INT(convert_image(&photo, &opts, &out).bytes, plain);
        opts.quality = 95;
        T(convert_image(&photo, &opts, &out).bytes > plain);
        opts.quality = 10;
        T(convert_image(&photo, &opts, &out).bytes < plain);
    }
    struct sq_picture_opts opts = { .format = SQ_FORMAT_JPEG };
    size_t halved = convert_image(&photo, &opts, &out).bytes;
    opts.full_chroma = true;
    T(convert_image(&photo, &opts, &out).bytes > halved);
}

/*
 * The general pipeline's result for the JPEG, through a PNG of all its pixels.
 */
static void
make_generally(const struct sq_buf *file, int max_dimension,
               struct sq_image *out) {
    const struct sq_picture_opts native = { .format = SQ_FORMAT_PNG };
    const struct sq_picture_opts opts = { .max_dimension = max_dimension,
                                          .quality = 90 };
    T_BUF(png, SQ_MAX_IMAGE_BYTES);
    T_BUF(jpeg, SQ_MAX_IMAGE_BYTES);
    encoded_convert(file, &native, &png, NULL);
    encoded_convert(&png, &opts, &jpeg, NULL);
    encoded_decode(&jpeg, out);
}

/* Decoding a JPEG at half its size must not be visible, also at odd sizes. */
T_CASE(fractions_of_a_jpeg_resemble_the_general_pipeline) {
    static const int most[] = { 300, 160, 159, 130, 80, 77, 41, 40, 30 };
    T_FREED(sq_image_finish) struct sq_image photo = { 0 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    encoded_photo(243, 321, &photo);
    encoded_make(ENCODED_JPEG, &photo, &file);
    for (size_t i = 0; i < SQ_COUNT(most); i++) {
        const struct sq_picture_opts opts = { .max_dimension = most[i],
                                              .quality = 90 };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        T_FREED(sq_image_finish) struct sq_image general = { 0 };
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        encoded_convert(&file, &opts, &out, NULL);
        encoded_decode(&out, &got);
        make_generally(&file, most[i], &general);
        double psnr = picture_psnr(&got, &general);
        if (!T(psnr > 30)) {
            printf("# at most %d: %.1f dB\n", most[i], psnr);
        }
    }
}

/* The whole pipeline, not only its parts, is the same at all CPU levels. */
T_CASE(every_cpu_level_gives_the_same_file) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_BUF(first, SQ_MAX_IMAGE_BYTES);
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_page(211, 307, &page);
    for (int format = SQ_FORMAT_PNG; format <= SQ_FORMAT_AUTO; format++) {
        const struct sq_picture_opts opts = { .max_dimension = 90,
                                              .format =
                                                  (enum sq_format)format };
        sq_cpu_limit(SQ_CPU_SCALAR);
        convert_image(&page, &opts, &first);
        for (int level = SQ_CPU_SSE2; level < SQ_CPU_LEVELS; level++) {
            sq_cpu_limit((enum sq_cpu)level);
            convert_image(&page, &opts, &out);
            T_BYTES(out.data, out.len, first.data, first.len);
        }
    }
}

/* The centre of brightness of a picture, from the left and the top. */
static void
find_centre(const struct sq_image *image, double *x, double *y) {
    double sum = 0;
    *x = 0;
    *y = 0;
    for (int row = 0; row < image->height; row++) {
        for (int column = 0; column < image->width; column++) {
            double light = sq_image_row(image, row)[column * SQ_PIXEL_BYTES];
            light = light > 32 ? light : 0;
            sum += light;
            *x += light * column;
            *y += light * row;
        }
    }
    *x /= sum;
    *y /= sum;
}

/* libjpeg rounds a shrunk size up; that must not shift the picture. */
T_CASE(jpegs_of_odd_sizes_are_not_shifted) {
    const struct sq_picture_opts opts = { .max_dimension = 150,
                                          .format = SQ_FORMAT_PNG };
    double x[2];
    double y[2];
    for (int i = 0; i < 2; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        T_OK(sq_image_init(&image, 1081, 609, &sq_limits_default, &t_err));
        for (int row = 0; row < image.height; row++) {
            bool lit = row >= 560 && row < 592;
            memset(sq_image_row(&image, row), 0, image.stride);
            memset(sq_image_row(&image, row) + (size_t)1040 * SQ_PIXEL_BYTES,
                   lit ? 255 : 0, (size_t)32 * SQ_PIXEL_BYTES);
        }
        encoded_make(i ? ENCODED_JPEG : ENCODED_PNG, &image, &file);
        encoded_convert(&file, &opts, &out, NULL);
        encoded_decode(&out, &got);
        find_centre(&got, &x[i], &y[i]);
    }
    T(x[1] - x[0] < 0.15 && x[0] - x[1] < 0.15);
    T(y[1] - y[0] < 0.15 && y[0] - y[1] < 0.15);
}

#include "jobs.h"

#include <string.h>

#include "demo/page.h"
#include "device_png.h"
#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/cpu.h"
#include "image/pipeline/picture.h"
#include "image/png/png.h"
#include "shell.h"
#include "store_png.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "tools/screen/legible.h"
#include "util/base64.h"
#include "util/limits.h"
#include "util/mem.h"

#define NS_PER_MS 1e6
#define RAW_HEADER_BYTES 16
#define RAW_RGBA 1
/* A comparison takes about a millisecond: the mean of a few is more stable. */
#define COMPARISONS 5

struct job {
    const struct bench_request *request;
    const struct sq_buf *input;
    struct sq_buf *answer;
};

static double
ms_since(int64_t start_ns) {
    return (double)(sq_clock_cpu_ns() - start_ns) / NS_PER_MS;
}

/* The position of a key's value in a list of names, or 0 without the key. */
static bool
choose(const struct bench_request *request, const char *key,
       const char *const *names, int *out, struct sq_err *err) {
    const char *value = bench_request_text(request, key);
    if (!value) {
        *out = 0;
        return true;
    }
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], value) == 0) {
            *out = i;
            return true;
        }
    }
    return sq_fail(err, SQ_ERR_ARGUMENT, "no %s \"%s\"", key, value);
}

/* The parameters of a picture job, parsed before the time is taken. */
struct order {
    struct sq_picture_opts opts;
    int at_percent; /* of the frame, from the left and from the top */
    int share_percent;
    int base64;
};

static bool
read_order(const struct bench_request *request, struct order *order,
           struct sq_err *err) {
    static const char *const kernels[] = { "catmull-rom", "lanczos3", "area",
                                           NULL };
    static const char *const formats[] = { "jpeg", "webp", "png", "auto",
                                           NULL };
    int kernel = 0;
    int format = 0;
    struct sq_picture_opts *opts = &order->opts;
    if (!choose(request, "kernel", kernels, &kernel, err)
        || !choose(request, "format", formats, &format, err)) {
        return false;
    }
    opts->kernel = (enum sq_kernel)kernel;
    opts->format = (enum sq_format)format;
    return bench_request_number(request, "max", 0, &opts->max_dimension, err)
        && bench_request_number(request, "quality", 0, &opts->quality, err)
        && bench_request_number(request, "colours", 0, &opts->colours, err)
        && bench_request_number(request, "at", 0, &order->at_percent, err)
        && bench_request_number(request, "share", 0, &order->share_percent, err)
        && bench_request_number(request, "base64", 0, &order->base64, err);
}

static bool
percent_region(const struct job *job, const struct order *order,
               struct sq_region *region, struct sq_err *err) {
    struct sq_size size;
    if (!sq_codec_size(job->input->data, job->input->len, &size, err)) {
        return false;
    }
    *region = (struct sq_region){
        size.width * order->at_percent / 100,
        size.height * order->at_percent / 100,
        size.width * order->share_percent / 100,
        size.height * order->share_percent / 100,
    };
    return true;
}

/* The timed part: bytes to bytes. */
static bool
make_picture(const struct job *job, struct order *order, struct sq_buf *made,
             struct sq_buf *text, struct sq_picture_info *info,
             struct sq_err *err) {
    struct sq_region region;
    if (order->share_percent) {
        if (!percent_region(job, order, &region, err)) {
            return false;
        }
        order->opts.region = &region;
    }
    return sq_picture_make(job->input->data, job->input->len, &order->opts,
                           &sq_limits_default, made, info, err)
        && (!order->base64
            || sq_base64_append(text, made->data, made->len, err));
}

static bool
store(const struct bench_request *request, const struct sq_buf *bytes,
      struct sq_err *err) {
    const char *output = bench_request_text(request, "output");
    return !output || sq_file_write(output, bytes->data, bytes->len, err);
}

static bool
job_picture(const struct job *job, struct sq_err *err) {
    struct order order = { 0 };
    if (!read_order(job->request, &order, err)) {
        return false;
    }
    struct sq_picture_info info;
    struct sq_buf made;
    struct sq_buf text;
    sq_buf_init(&made, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&text, 2 * SQ_MAX_IMAGE_BYTES);
    int64_t start_ns = sq_clock_cpu_ns();
    bool ok = make_picture(job, &order, &made, &text, &info, err);
    double spent_ms = ms_since(start_ns);
    ok = ok && store(job->request, &made, err)
      && sq_buf_printf(job->answer, err,
                       "{\"cpuMs\":%.4f,\"bytes\":%zu,\"width\":%d,"
                       "\"height\":%d}",
                       spent_ms, info.bytes, info.image.width,
                       info.image.height);
    sq_buf_finish(&text);
    sq_buf_finish(&made);
    return ok;
}

static bool
decode(const struct sq_buf *bytes, struct sq_rows **out, struct sq_err *err) {
    return sq_picture_open(bytes->data, bytes->len, &sq_limits_default, out,
                           err);
}

static bool
decode_image(const struct sq_buf *bytes, struct sq_image *out,
             struct sq_err *err) {
    return sq_image_decode(bytes->data, bytes->len, &sq_limits_default, out,
                           err);
}

static void
put_word(uint8_t *to, int value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)((unsigned)value >> (8 * i));
    }
}

/* Converts a screenshot back to a raw, opaque RGBA frame. */
static bool
append_raw(const struct sq_image *image, struct sq_buf *out,
           struct sq_err *err) {
    uint8_t *room;
    size_t row_bytes = (size_t)image->width * SQ_PIXEL_BYTES;
    size_t count = RAW_HEADER_BYTES + row_bytes * (size_t)image->height;
    if (!sq_buf_reserve(out, count, &room, err)) {
        return false;
    }
    put_word(room, image->width);
    put_word(room + 4, image->height);
    put_word(room + 8, RAW_RGBA);
    put_word(room + 12, 0);
    uint8_t *to = room + RAW_HEADER_BYTES;
    for (int y = 0; y < image->height; y++, to += row_bytes) {
        memcpy(to, sq_image_row(image, y), row_bytes);
        for (size_t i = 3; i < row_bytes; i += SQ_PIXEL_BYTES) {
            to[i] = 255;
        }
    }
    sq_buf_commit(out, count);
    return true;
}

static bool
job_unpack(const struct job *job, struct sq_err *err) {
    struct sq_image image = { 0 };
    struct sq_buf raw;
    sq_buf_init(&raw, SQ_MAX_IMAGE_BYTES);
    bool ok = decode_image(job->input, &image, err)
           && append_raw(&image, &raw, err) && store(job->request, &raw, err)
           && sq_buf_printf(job->answer, err, "{\"bytes\":%zu}", raw.len);
    sq_buf_finish(&raw);
    sq_image_finish(&image);
    return ok;
}

/* Replaces *rows by rows enlarged `times` times. */
static bool
enlarge(struct sq_rows **rows, int times, struct sq_err *err) {
    int64_t width = (int64_t)(*rows)->width * times;
    int64_t height = (int64_t)(*rows)->height * times;
    if (!sq_image_check_size(width, height, &sq_limits_default, err)) {
        return false;
    }
    struct sq_rows *source = *rows;
    *rows = NULL;
    return sq_scale_rows(source, (int)width, (int)height, SQ_KERNEL_CATMULL_ROM,
                         rows, err);
}

static bool
job_enlarge(const struct job *job, struct sq_err *err) {
    int times;
    struct sq_rows *rows = NULL;
    struct sq_buf png;
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    bool ok = bench_request_number(job->request, "times", 1, &times, err)
           && decode(job->input, &rows, err) && enlarge(&rows, times, err)
           && sq_png_encode(rows, &png, err) && store(job->request, &png, err)
           && sq_buf_printf(job->answer, err, "{\"bytes\":%zu}", png.len);
    sq_rows_destroy(rows);
    sq_buf_finish(&png);
    return ok;
}

/* Two frames that differ in one pixel near their end. */
static bool
make_pair(const struct job *job, struct sq_image *before,
          struct sq_image *after, struct sq_err *err) {
    if (!decode_image(job->input, before, err)
        || !decode_image(job->input, after, err)) {
        return false;
    }
    uint8_t *row = sq_image_row(after, after->height - 1);
    row[(size_t)(after->width - 1) * SQ_PIXEL_BYTES] ^= 1;
    return true;
}

static bool
count_tiles(const struct sq_image *before, const struct sq_image *after,
            int *changed, struct sq_err *err) {
    struct sq_diff diff;
    if (!sq_diff_init(&diff, before, after, err)) {
        return false;
    }
    *changed = diff.changed;
    sq_diff_finish(&diff);
    return true;
}

static bool
compare_bytes(const struct sq_image *before, const struct sq_image *after,
              int *changed, struct sq_err *err) {
    (void)err;
    size_t count = before->stride * (size_t)before->height;
    /* Prevents the compiler from reusing an earlier result. */
    __asm__ volatile("" ::: "memory");
    *changed = memcmp(before->pixels, after->pixels, count) != 0;
    return true;
}

static bool
compare_frames(const struct job *job,
               bool (*compare)(const struct sq_image *before,
                               const struct sq_image *after, int *changed,
                               struct sq_err *err),
               struct sq_err *err) {
    struct sq_image before = { 0 };
    struct sq_image after = { 0 };
    int found = 0;
    bool ok = make_pair(job, &before, &after, err);
    int64_t start_ns = sq_clock_cpu_ns();
    for (int i = 0; ok && i < COMPARISONS; i++) {
        int changed = 0;
        ok = compare(&before, &after, &changed, err);
        found += changed;
    }
    double spent_ms = ms_since(start_ns) / COMPARISONS;
    if (ok && found != COMPARISONS) {
        ok = sq_fail(err, SQ_ERR_FORMAT, "%d changes found, not %d", found,
                     COMPARISONS);
    }
    ok = ok && sq_buf_printf(job->answer, err, "{\"cpuMs\":%.4f}", spent_ms);
    sq_image_finish(&before);
    sq_image_finish(&after);
    return ok;
}

static bool
job_diff(const struct job *job, struct sq_err *err) {
    return compare_frames(job, count_tiles, err);
}

static bool
job_memcmp(const struct job *job, struct sq_err *err) {
    return compare_frames(job, compare_bytes, err);
}

static bool
job_render(const struct job *job, struct sq_err *err) {
    const char *kind;
    int width;
    int height;
    int channels;
    struct sq_image page = { 0 };
    struct sq_buf png;
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    bool ok = bench_request_need(job->request, "kind", &kind, err)
           && bench_request_number(job->request, "width", 1080, &width, err)
           && bench_request_number(job->request, "height", 2400, &height, err)
           && bench_request_number(job->request, "channels", 4, &channels, err)
           && demo_page_draw(kind, width, height, &page, err)
           && bench_device_png(&page, channels, &png, err)
           && store(job->request, &png, err)
           && sq_buf_printf(job->answer, err, "{\"bytes\":%zu}", png.len);
    sq_buf_finish(&png);
    sq_image_finish(&page);
    return ok;
}

/* The fourth byte of decoded pixels is not alpha. Returns true. */
static bool
make_opaque(struct sq_image *image) {
    for (int y = 0; y < image->height; y++) {
        uint8_t *pixel = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, pixel += SQ_PIXEL_BYTES) {
            pixel[3] = 255;
        }
    }
    return true;
}

/* The same picture as a PNG of another kind. */
static bool
job_store(const struct job *job, struct sq_err *err) {
    const char *kind;
    struct sq_image image = { 0 };
    struct sq_buf png;
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    bool ok = bench_request_need(job->request, "kind", &kind, err)
           && decode_image(job->input, &image, err) && make_opaque(&image)
           && (strcmp(kind, "rgba") == 0
                   ? bench_device_png(&image, SQ_PIXEL_BYTES, &png, err)
                   : bench_store_png(&image, kind, &png, err))
           && store(job->request, &png, err)
           && sq_buf_printf(job->answer, err, "{\"bytes\":%zu}", png.len);
    sq_buf_finish(&png);
    sq_image_finish(&image);
    return ok;
}

/* The longest side at which small text is legible, for profile=NAME. */
static bool
job_legible(const struct job *job, struct sq_err *err) {
    const char *name;
    int side;
    struct sq_image image = { 0 };
    if (!bench_request_need(job->request, "profile", &name, err)) {
        return false;
    }
    const struct sq_token_profile *profile = sq_token_profile_find(name);
    const struct sq_legible_limits limits = {
        .profile = profile,
        .default_side = profile && profile->default_side
                          ? profile->default_side
                          : SQ_DEFAULT_MAX_DIMENSION,
    };
    if (!profile) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "no profile \"%s\"", name);
    }
    bool ok = decode_image(job->input, &image, err);
    int64_t start_ns = sq_clock_cpu_ns();
    ok = ok && sq_legible_side(&image, &limits, &side, err);
    double spent_ms = ms_since(start_ns);
    ok = ok
      && sq_buf_printf(job->answer, err,
                       "{\"cpuMs\":%.4f,\"side\":%d,\"default\":%d}", spent_ms,
                       side, limits.default_side);
    sq_image_finish(&image);
    return ok;
}

/* What a picture of width and height costs, for profile=NAME. */
static bool
job_cost(const struct job *job, struct sq_err *err) {
    const char *name;
    struct sq_size size;
    if (!bench_request_need(job->request, "profile", &name, err)
        || !bench_request_number(job->request, "width", 1, &size.width, err)
        || !bench_request_number(job->request, "height", 1, &size.height,
                                 err)) {
        return false;
    }
    const struct sq_token_profile *profile = sq_token_profile_find(name);
    return profile ? sq_buf_printf(job->answer, err, "{\"tokens\":%d}",
                                   sq_token_cost(profile, size).tokens)
                   : sq_fail(err, SQ_ERR_ARGUMENT, "no profile \"%s\"", name);
}

static bool
job_version(const struct job *job, struct sq_err *err) {
    return sq_buf_printf(job->answer, err,
                         "{\"squint\":\"" SQ_VERSION "\",\"cpu\":\"%s\"}",
                         sq_cpu_name(sq_cpu_level()));
}

static bool
job_shell(const struct job *job, struct sq_err *err) {
    return bench_shell(job->request, job->answer, err);
}

static const struct {
    const char *name;
    bool needs_input;
    bool (*run)(const struct job *job, struct sq_err *err);
} jobs[] = {
    { "cost", false, job_cost },       { "diff", true, job_diff },
    { "enlarge", true, job_enlarge },  { "legible", true, job_legible },
    { "memcmp", true, job_memcmp },    { "picture", true, job_picture },
    { "render", false, job_render },   { "shell", false, job_shell },
    { "store", true, job_store },      { "unpack", true, job_unpack },
    { "version", false, job_version },
};

void
bench_input_finish(struct bench_input *input) {
    sq_mem_free(input->path);
    sq_buf_finish(&input->bytes);
    *input = (struct bench_input){ 0 };
}

/* Reads the file unless it is loaded already. */
static bool
load(struct bench_input *input, const char *path, struct sq_err *err) {
    if (input->path && strcmp(input->path, path) == 0) {
        return true;
    }
    bench_input_finish(input);
    size_t size = strlen(path) + 1;
    char *copy = sq_mem_alloc(size, 1);
    if (!copy) {
        return sq_fail_nomem(err);
    }
    if (!sq_file_read(path, SQ_MAX_IMAGE_BYTES, &input->bytes, err)) {
        sq_mem_free(copy);
        return false;
    }
    memcpy(copy, path, size);
    input->path = copy;
    return true;
}

bool
bench_job_run(const struct bench_request *request, struct bench_input *input,
              struct sq_buf *answer, struct sq_err *err) {
    for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
        if (strcmp(jobs[i].name, request->op) != 0) {
            continue;
        }
        const char *path;
        if (jobs[i].needs_input
            && (!bench_request_need(request, "input", &path, err)
                || !load(input, path, err))) {
            return false;
        }
        const struct job job = { request, &input->bytes, answer };
        return jobs[i].run(&job, err);
    }
    return sq_fail(err, SQ_ERR_ARGUMENT, "no job \"%s\"", request->op);
}

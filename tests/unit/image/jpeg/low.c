#include "image/jpeg/private.h"
#include "image/jpeg/scan.h"

#include <math.h>

#include "unit/image/jpeg/reference.h"

#define PLANES 3
#define MAX_SIDE 400

static const struct ref_kind kinds[] = {
    { "grey", JCS_GRAYSCALE, 1, 1, false, false, 0, false },
    { "grey as 2x2", JCS_GRAYSCALE, 2, 2, false, false, 0, false },
    { "4:4:4", JCS_YCbCr, 1, 1, false, false, 0, false },
    { "4:2:2", JCS_YCbCr, 2, 1, false, false, 0, false },
    { "4:2:0", JCS_YCbCr, 2, 2, false, false, 0, false },
    { "4:1:1", JCS_YCbCr, 4, 1, false, false, 0, false },
    { "restart", JCS_YCbCr, 2, 2, false, false, 1, false },
    { "grey restart", JCS_GRAYSCALE, 1, 1, false, false, 2, false },
};
static const size_t kind_count = SQ_COUNT(kinds);

struct planes {
    uint8_t samples[PLANES][MAX_SIDE][MAX_SIDE];
};

/* Decodes all planes with sq_jpeg_low. */
static bool
decode_low(const uint8_t *bytes, size_t count, int n, struct planes *out) {
    T_FREED(sq_jpeg_input_finish) struct sq_jpeg_input input = { 0 };
    struct sq_jpeg_low *low = NULL;
    const struct jpeg_decompress_struct *cinfo = &input.cinfo;
    bool ok = sq_jpeg_input_init(&input, bytes, count, &t_err)
           && cinfo->image_width <= MAX_SIDE && cinfo->image_height <= MAX_SIDE
           && sq_jpeg_scan_fits(cinfo)
           && sq_jpeg_low_create(cinfo, n, &low, &t_err);
    if (ok) {
        bool alone = cinfo->num_components == 1;
        int tall = alone ? 8 : 8 * cinfo->max_v_samp_factor;
        int mcu_rows = ((int)cinfo->image_height + tall - 1) / tall;
        for (int y = 0; ok && y < mcu_rows; y++) {
            JSAMPROW rows[PLANES][SQ_JPEG_MAX_LOW * MAX_SAMP_FACTOR];
            JSAMPARRAY planes[PLANES] = { rows[0], rows[1], rows[2] };
            for (int i = 0; i < cinfo->num_components; i++) {
                int down = alone ? 1 : cinfo->comp_info[i].v_samp_factor;
                for (int r = 0; r < down * n; r++) {
                    rows[i][r] = out->samples[i][y * down * n + r];
                }
            }
            ok = sq_jpeg_low_decode(low, planes, &t_err);
        }
        ok = ok && sq_jpeg_low_end(low, &t_err);
    }
    sq_jpeg_low_destroy(low);
    return ok;
}

static int
sample(double value) {
    double rounded = value / 8 + 128.5;
    return rounded < 0 ? 0 : rounded >= 256 ? 255 : (int)rounded;
}

/*
 * The inverse transform of size n at one position, times eight, by definition.
 */
static double
transform(const JCOEF *block, const UINT16 *quant, int n, int x, int y) {
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int v = 0; v < n; v++) {
        for (int u = 0; u < n; u++) {
            double c = block[v * 8 + u] * quant[v * 8 + u];
            if (n == 4) {
                c = fmin(fmax(c, -4095), 4095);
            }
            c *= u ? sqrt(2) * cos((2 * x + 1) * u * pi / (2 * n)) : 1;
            c *= v ? sqrt(2) * cos((2 * y + 1) * v * pi / (2 * n)) : 1;
            sum += c;
        }
    }
    /* Values that are exact in integers must stay exact at a half. */
    return n == 4 ? sum : round(sum * 1e6) / 1e6;
}

/* The number of samples that differ from libjpeg's coefficients. */
static long
compare_component(struct sq_jpeg_input *input, int i, jvirt_barray_ptr array,
                  int n, const struct planes *planes) {
    struct jpeg_decompress_struct *cinfo = &input->cinfo;
    const jpeg_component_info *info = &cinfo->comp_info[i];
    const UINT16 *quant = info->quant_table->quantval;
    long wrong = 0;
    for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
        JBLOCKROW row = cinfo->mem->access_virt_barray((j_common_ptr)cinfo,
                                                       array, y, 1, FALSE)[0];
        for (JDIMENSION x = 0; x < info->width_in_blocks; x++) {
            for (int p = 0; p < n * n; p++) {
                int want = sample(transform(row[x], quant, n, p % n, p / n));
                int got =
                    planes->samples[i][(int)y * n + p / n][(int)x * n + p % n];
                /* Blocks of sixteen are rounded twice. */
                wrong += abs(got - want) > (n == 4);
            }
        }
    }
    return wrong;
}

struct comparison {
    struct sq_jpeg_input input;
    const struct planes *planes;
    int n;
    long wrong;
};

static void
compare(void *context) {
    struct comparison *self = context;
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&self->input.cinfo);
    for (int i = 0; i < self->input.cinfo.num_components; i++) {
        self->wrong += compare_component(&self->input, i, arrays[i], self->n,
                                         self->planes);
    }
    jpeg_finish_decompress(&self->input.cinfo);
}

/* -1 if libjpeg reports any problem with the file. */
static long
differences(const uint8_t *bytes, size_t count, int n,
            const struct planes *planes) {
    struct comparison self = { .planes = planes, .n = n };
    bool ok = sq_jpeg_input_init(&self.input, bytes, count, &t_err)
           && sq_jpeg_run(&self.input.error, compare, &self, &t_err);
    sq_jpeg_input_finish(&self.input);
    return ok ? self.wrong : -1;
}

T_CASE(samples_match_the_coefficients) {
    static const int sizes[][2] = { { 1, 1 },   { 8, 8 },    { 17, 9 },
                                    { 64, 64 }, { 97, 161 }, { 161, 97 },
                                    { 33, 1 },  { 400, 300 } };
    static struct planes planes;
    for (size_t k = 0; k < kind_count; k++) {
        for (size_t s = 0; s < SQ_COUNT(sizes); s++) {
            T_BUF(file, 1 << 20);
            ref_encode(&kinds[k], sizes[s][0], sizes[s][1], &file);
            for (int n = 1; n <= 4; n *= 2) {
                bool ok =
                    T(decode_low(file.data, file.len, n, &planes))
                    && T_INT(differences(file.data, file.len, n, &planes), 0);
                if (!ok) {
                    printf("# %s %dx%d n %d\n", kinds[k].name, sizes[s][0],
                           sizes[s][1], n);
                }
            }
        }
    }
}

T_CASE(file_truncated_anywhere_is_refused) {
    static struct planes planes;
    for (size_t k = 0; k < kind_count; k++) {
        T_BUF(file, 1 << 20);
        ref_encode(&kinds[k], 24, 17, &file);
        for (size_t length = 0; length < file.len; length++) {
            uint8_t *part = malloc(length ? length : 1);
            if (T(part != NULL)) {
                memcpy(part, file.data, length);
                T(!decode_low(part, length, 1, &planes));
                T(!decode_low(part, length, 2, &planes));
                T(!decode_low(part, length, 4, &planes));
            }
            free(part);
        }
    }
}

/*
 * A damaged file that we accept is accepted by libjpeg with the same samples.
 */
T_CASE(damaged_file_is_refused_or_read_as_libjpeg_does) {
    static struct planes planes;
    long accepted = 0;
    for (size_t k = 0; k < kind_count; k++) {
        T_BUF(file, 1 << 20);
        ref_encode(&kinds[k], 40, 33, &file);
        for (size_t at = 0; at < file.len; at++) {
            uint8_t damage = (uint8_t)t_random_between(1, 255);
            int n = 1 << at % 3;
            file.data[at] ^= damage;
            if (decode_low(file.data, file.len, n, &planes)) {
                accepted++;
                if (!T_INT(differences(file.data, file.len, n, &planes), 0)) {
                    printf("# %s byte %zu ^ %d\n", kinds[k].name, at, damage);
                }
            }
            file.data[at] ^= damage;
        }
    }
    T(accepted > 100);
}

T_CASE(other_files_are_not_supported) {
    static const struct ref_kind others[] = {
        { "scans", JCS_YCbCr, 2, 2, false, true, 0, false },
        { "progressive", JCS_YCbCr, 2, 2, true, false, 0, false },
        { "cmyk", JCS_CMYK, 1, 1, false, false, 0, false },
        { "arithmetic", JCS_YCbCr, 2, 2, false, false, 0, true },
    };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        struct sq_jpeg_input input;
        T_BUF(file, 1 << 20);
        ref_encode(&others[i], 40, 33, &file);
        T_OK(sq_jpeg_input_init(&input, file.data, file.len, &t_err));
        T(!sq_jpeg_scan_fits(&input.cinfo));
        sq_jpeg_input_finish(&input);
    }
}

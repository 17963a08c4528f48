/* Parses the chunks of a PNG file and chooses its colour conversion. */
#include "image/png/private.h"

#include <math.h>
#include <string.h>

#include <libdeflate.h>

#include "image/colour/colour.h"
#include "image/image.h"
#include "image/png/png.h"
#include "util/bytes.h"
#include "util/mem.h"

#define SIGNATURE_BYTES 8
#define CHUNK_OVERHEAD 12 /* length, type, CRC */
#define ANCILLARY 0x20    /* bit in the first letter of a chunk's type */

static const uint8_t signature[SIGNATURE_BYTES] = { 0x89, 'P',  'N',  'G',
                                                    '\r', '\n', 0x1a, '\n' };

struct chunk {
    char type[5];
    const uint8_t *data;
    size_t length;
};

struct reader {
    struct sq_png *png;
    const uint8_t *bytes;
    size_t count;
    size_t at;
    const struct sq_limits *limits;
    size_t first_idat; /* offset of the first IDAT; 0: none yet */
    bool after_idat;   /* another chunk has followed the IDATs */
};

bool
sq_png_sniff(const uint8_t *bytes, size_t count) {
    return count >= SIGNATURE_BYTES
        && memcmp(bytes, signature, SIGNATURE_BYTES) == 0;
}

static bool
fail_chunk(struct sq_err *err, const struct chunk *chunk, const char *what) {
    return sq_fail(err, SQ_ERR_FORMAT, "PNG: %s chunk %s", chunk->type, what);
}

static bool
next_chunk(struct reader *r, struct chunk *chunk, struct sq_err *err) {
    size_t left = r->count - r->at;
    const uint8_t *p = r->bytes + r->at;
    if (left < CHUNK_OVERHEAD || sq_load_be32(p) > left - CHUNK_OVERHEAD) {
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the file ends inside a chunk, at byte %zu",
                       r->count);
    }
    *chunk = (struct chunk){ .data = p + 8, .length = sq_load_be32(p) };
    for (int i = 0; i < 4; i++) {
        int letter = p[4 + i] & ~ANCILLARY;
        if (letter < 'A' || letter > 'Z') {
            return sq_fail(err, SQ_ERR_FORMAT, "PNG: no chunk type at byte %zu",
                           r->at + 4);
        }
        chunk->type[i] = (char)p[4 + i];
    }
    uint32_t crc = libdeflate_crc32(0, p + 4, chunk->length + 4);
    if (crc != sq_load_be32(chunk->data + chunk->length)) {
        return fail_chunk(err, chunk, "has a wrong checksum");
    }
    r->at += chunk->length + CHUNK_OVERHEAD;
    return true;
}

/* Valid bit depths, as a bit set, and channels by colour type. */
static const struct {
    uint8_t depths;
    uint8_t channels;
} colours[] = {
    [SQ_PNG_GREY] = { 1 | 2 | 4 | 8 | 16, 1 },
    [SQ_PNG_RGB] = { 8 | 16, 3 },
    [SQ_PNG_PALETTE] = { 1 | 2 | 4 | 8, 1 },
    [SQ_PNG_GREY_ALPHA] = { 8 | 16, 2 },
    [SQ_PNG_RGBA] = { 8 | 16, 4 },
};

/*
 * More pixels than fit into an image are read if their rows, inflated, need no
 * more memory than those of 16-bit RGBA of that many.
 */
static bool
check_memory(const struct sq_png_header *header, const struct sq_limits *limits,
             struct sq_err *err) {
    size_t most = (size_t)limits->max_pixels * 8 + (size_t)header->height;
    size_t bytes =
        (sq_png_row_bytes(header, header->width) + 1) * (size_t)header->height;
    return (!header->interlaced && bytes <= most)
        || sq_image_check_size(header->width, header->height, limits, err)
        || sq_fail_in(err, "PNG");
}

static bool
read_header(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    if (chunk->length != 13) {
        return fail_chunk(err, chunk, "has a wrong length");
    }
    const uint8_t *p = chunk->data;
    if (!sq_image_check_streamed(sq_load_be32(p), sq_load_be32(p + 4),
                                 r->limits, err)) {
        return sq_fail_in(err, "PNG");
    }
    unsigned depth = p[8];
    unsigned colour = p[9];
    bool single_bit = depth && (depth & (depth - 1)) == 0;
    if (colour >= sizeof(colours) / sizeof(colours[0]) || !single_bit
        || !(colours[colour].depths & depth) || p[10] || p[11] || p[12] > 1) {
        return fail_chunk(err, chunk, "names no legal kind of picture");
    }
    int channels = colours[colour].channels;
    size_t bits = depth * (size_t)channels;
    r->png->header = (struct sq_png_header){
        .width = (int)sq_load_be32(p),
        .height = (int)sq_load_be32(p + 4),
        .depth = (int)depth,
        .colour = (enum sq_png_colour)colour,
        .interlaced = p[12],
        .channels = channels,
        .pixel_bytes = bits < 8 ? 1 : bits / 8,
    };
    return check_memory(&r->png->header, r->limits, err);
}

static bool
read_palette(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    struct sq_png *png = r->png;
    size_t entries = chunk->length / 3;
    if (chunk->length % 3 || !entries || entries > 256 || png->palette_size
        || r->first_idat) {
        return fail_chunk(err, chunk, "is out of place or of a wrong length");
    }
    for (size_t i = 0; i < entries; i++) {
        memcpy(png->palette[i], chunk->data + i * 3, 3);
        png->palette[i][3] = 255;
    }
    png->palette_size = (int)entries;
    return true;
}

static bool
read_transparency(struct reader *r, const struct chunk *chunk,
                  struct sq_err *err) {
    struct sq_png *png = r->png;
    const struct sq_png_header *header = &png->header;
    if (r->first_idat) {
        return fail_chunk(err, chunk, "is out of place");
    }
    if (header->colour == SQ_PNG_PALETTE) {
        if (chunk->length > (size_t)png->palette_size) {
            return fail_chunk(err, chunk, "is longer than the palette");
        }
        for (size_t i = 0; i < chunk->length; i++) {
            png->palette[i][3] = chunk->data[i];
        }
        return true;
    }
    bool keyed = header->colour == SQ_PNG_GREY || header->colour == SQ_PNG_RGB;
    size_t samples = (size_t)header->channels;
    if (!keyed || chunk->length != samples * 2) {
        return fail_chunk(err, chunk, "does not fit the kind of picture");
    }
    uint16_t mask = (uint16_t)((1u << header->depth) - 1);
    for (size_t i = 0; i < samples; i++) {
        png->key[i] = sq_load_be16(chunk->data + i * 2) & mask;
    }
    png->has_key = true;
    return true;
}

static bool
read_data(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    struct sq_png *png = r->png;
    if (r->after_idat) {
        return fail_chunk(err, chunk, "does not follow the one before it");
    }
    if (png->header.colour == SQ_PNG_PALETTE && !png->palette_size) {
        return fail_chunk(err, chunk, "comes before the palette");
    }
    if (!r->first_idat) {
        r->first_idat = r->at - chunk->length - CHUNK_OVERHEAD;
    }
    png->data_len += chunk->length;
    return true;
}

/* These chunks are optional: ignored if damaged, misplaced or duplicate. */
static bool
is_early(const struct reader *r) {
    return !r->first_idat && !r->png->palette_size;
}

/*
 * Reads a name of 1 to 79 bytes, a zero, the method and the compressed profile.
 */
static bool
read_profile(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    (void)err;
    struct sq_png_tags *tags = &r->png->tags;
    size_t most = chunk->length < 80 ? chunk->length : 80;
    const uint8_t *end = most ? memchr(chunk->data, 0, most) : NULL;
    if (!is_early(r) || tags->profile || !end || end == chunk->data) {
        return true;
    }
    size_t header = (size_t)(end - chunk->data) + 2;
    if (chunk->length > header && end[1] == 0) {
        tags->profile = chunk->data + header;
        tags->profile_len = chunk->length - header;
    }
    return true;
}

static bool
read_code_points(struct reader *r, const struct chunk *chunk,
                 struct sq_err *err) {
    (void)err;
    struct sq_png_tags *tags = &r->png->tags;
    if (is_early(r) && !tags->has_code_points
        && chunk->length == sizeof(tags->code_points)) {
        memcpy(tags->code_points, chunk->data, sizeof(tags->code_points));
        tags->has_code_points = true;
    }
    return true;
}

static bool
read_srgb(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    (void)err;
    struct sq_png_tags *tags = &r->png->tags;
    tags->is_srgb = tags->is_srgb || (is_early(r) && chunk->length == 1);
    return true;
}

static bool
read_gamma(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    (void)err;
    if (is_early(r) && !r->png->tags.gamma && chunk->length == 4) {
        r->png->tags.gamma = sq_load_be32(chunk->data);
    }
    return true;
}

static bool
read_chromaticities(struct reader *r, const struct chunk *chunk,
                    struct sq_err *err) {
    (void)err;
    struct sq_png_tags *tags = &r->png->tags;
    if (is_early(r) && !tags->has_chromaticities && chunk->length == 32) {
        for (size_t i = 0; i < 8; i++) {
            tags->chromaticities[i] = sq_load_be32(chunk->data + i * 4);
        }
        tags->has_chromaticities = true;
    }
    return true;
}

static bool
read_exif(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    (void)err;
    r->png->orientation = sq_exif_orientation(chunk->data, chunk->length);
    return true;
}

static const struct {
    char type[5];
    bool (*read)(struct reader *r, const struct chunk *chunk,
                 struct sq_err *err);
} readers[] = {
    { "IDAT", read_data },         { "PLTE", read_palette },
    { "tRNS", read_transparency }, { "iCCP", read_profile },
    { "cICP", read_code_points },  { "sRGB", read_srgb },
    { "gAMA", read_gamma },        { "cHRM", read_chromaticities },
    { "eXIf", read_exif },
};

static bool
read_chunk(struct reader *r, const struct chunk *chunk, struct sq_err *err) {
    r->after_idat =
        r->after_idat || (r->first_idat && strcmp(chunk->type, "IDAT") != 0);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
        if (strcmp(chunk->type, readers[i].type) == 0) {
            return readers[i].read(r, chunk, err);
        }
    }
    if (!(chunk->type[0] & ANCILLARY)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "PNG: %s chunk is unknown or out of place", chunk->type);
    }
    return true;
}

static bool
read_chunks(struct reader *r, struct sq_err *err) {
    struct chunk chunk;
    if (!next_chunk(r, &chunk, err)) {
        return false;
    }
    if (strcmp(chunk.type, "IHDR") != 0) {
        return fail_chunk(err, &chunk, "comes first, not IHDR");
    }
    if (!read_header(r, &chunk, err)) {
        return false;
    }
    for (int i = 0; i < SQ_MAX_PNG_CHUNKS; i++) {
        if (!next_chunk(r, &chunk, err)) {
            return false;
        }
        if (strcmp(chunk.type, "IEND") == 0) {
            return r->first_idat || fail_chunk(err, &chunk, "comes too early");
        }
        if (!read_chunk(r, &chunk, err)) {
            return false;
        }
    }
    return sq_fail(err, SQ_ERR_LIMIT, "PNG: more than %d chunks",
                   SQ_MAX_PNG_CHUNKS);
}

size_t
sq_png_row_bytes(const struct sq_png_header *header, int width) {
    size_t bits =
        (size_t)width * (size_t)header->channels * (size_t)header->depth;
    return (bits + 7) / 8;
}

/* Deflate compresses at most 1032 to 1, so fewer bytes cannot be a picture. */
static bool
check_data_length(const struct sq_png *png, struct sq_err *err) {
    size_t row = sq_png_row_bytes(&png->header, png->header.width);
    size_t need = row * (size_t)png->header.height / 1032;
    if (png->data_len < 6 || png->data_len < need / 2) {
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: %zu bytes of data cannot hold %dx%d pixels",
                       png->data_len, png->header.width, png->header.height);
    }
    return true;
}

/* IDAT chunks are consecutive and were all checked by read_chunks. */
static bool
join_data(const struct reader *r, struct sq_err *err) {
    struct sq_png *png = r->png;
    uint8_t *data = sq_mem_alloc(png->data_len, 1);
    if (!data) {
        return sq_fail_nomem(err);
    }
    const uint8_t *chunk = r->bytes + r->first_idat;
    for (size_t at = 0; at < png->data_len;) {
        size_t length = sq_load_be32(chunk);
        memcpy(data + at, chunk + 8, length);
        at += length;
        chunk += length + CHUNK_OVERHEAD;
    }
    png->data = data;
    return true;
}

bool
sq_png_has_alpha(const uint8_t *bytes, size_t count) {
    const size_t colour = 25; /* offset of the colour type */
    return sq_png_sniff(bytes, count) && count > colour
        && (bytes[colour] == SQ_PNG_GREY_ALPHA || bytes[colour] == SQ_PNG_RGBA);
}

bool
sq_png_init(struct sq_png *png, const uint8_t *bytes, size_t count,
            const struct sq_limits *limits, struct sq_err *err) {
    *png = (struct sq_png){ 0 };
    struct reader reader = {
        .png = png,
        .bytes = bytes,
        .count = count,
        .at = SIGNATURE_BYTES,
        .limits = limits,
    };
    if (!sq_png_sniff(bytes, count)) {
        return sq_fail(err, SQ_ERR_FORMAT, "not a PNG file");
    }
    return read_chunks(&reader, err) && check_data_length(png, err)
        && join_data(&reader, err);
}

void
sq_png_finish(struct sq_png *png) {
    sq_mem_free(png->data);
    *png = (struct sq_png){ 0 };
}

/* Chooses the colour conversion of a PNG file from its chunks. */

#define FIXED 100000.0 /* PNG stores fractions as integers, times this */
/* Profiles of screens have 0.5 to 20 KB: one attempt is mostly enough. */
#define FIRST_PROFILE_BYTES ((size_t)8 << 10)

/*
 * sRGB is written as a gamma of 1/2.2 or a value close to it; libpng has the
 * same tolerance. Primaries are rounded to two or three digits.
 */
#define SRGB_GAMMA (1 / 2.2)
#define GAMMA_TOLERANCE 0.05
#define SAME_PRIMARY 0.01

/*
 * Inflates a profile. The caller frees *bytes with sq_mem_free; it is NULL if
 * the profile is damaged or too large.
 */
static bool
inflate_profile(const struct sq_png_tags *tags, uint8_t **bytes, size_t *count,
                struct sq_err *err) {
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
    uint8_t *block = NULL;
    bool ok = inflate != NULL;
    for (size_t size = FIRST_PROFILE_BYTES;
         ok && result == LIBDEFLATE_INSUFFICIENT_SPACE
         && size <= SQ_MAX_ICC_BYTES;
         size *= 8) {
        sq_mem_free(block);
        block = sq_mem_alloc(size, 1);
        ok = block != NULL;
        if (ok) {
            result = libdeflate_zlib_decompress(
                inflate, tags->profile, tags->profile_len, block, size, count);
        }
    }
    libdeflate_free_decompressor(inflate);
    if (!ok || result != LIBDEFLATE_SUCCESS) {
        sq_mem_free(block);
        block = NULL;
    }
    *bytes = block;
    return ok || sq_fail_nomem(err);
}

static void
load_chromaticity(const uint32_t *from, double to[2]) {
    to[0] = from[0] / FIXED;
    to[1] = from[1] / FIXED;
}

static bool
is_near(const double a[2], const double b[2]) {
    return fabs(a[0] - b[0]) < SAME_PRIMARY && fabs(a[1] - b[1]) < SAME_PRIMARY;
}

static bool
are_srgb(const struct sq_chromaticities *xy) {
    const struct sq_chromaticities *srgb = &sq_srgb_chromaticities;
    return is_near(xy->red, srgb->red) && is_near(xy->green, srgb->green)
        && is_near(xy->blue, srgb->blue) && is_near(xy->white, srgb->white);
}

/* cHRM without gAMA is ignored; gAMA without cHRM means sRGB primaries. */
static bool
from_gamma(const struct sq_png_tags *tags, struct sq_colour **out,
           struct sq_err *err) {
    struct sq_chromaticities xy = sq_srgb_chromaticities;
    struct sq_light light;
    if (tags->has_chromaticities) {
        load_chromaticity(tags->chromaticities, xy.white);
        load_chromaticity(tags->chromaticities + 2, xy.red);
        load_chromaticity(tags->chromaticities + 4, xy.green);
        load_chromaticity(tags->chromaticities + 6, xy.blue);
    }
    double gamma = tags->gamma / FIXED;
    bool is_srgb_gamma = fabs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE;
    if ((is_srgb_gamma && are_srgb(&xy))
        || !sq_light_set_primaries(&light, &xy)) {
        return true;
    }
    if (is_srgb_gamma) {
        sq_light_set_srgb(&light);
    } else {
        sq_light_set_gamma(&light, 1 / gamma);
    }
    return sq_colour_from_light(&light, out, err);
}

bool
sq_png_colour(const struct sq_png *png, struct sq_colour **out,
              struct sq_err *err) {
    const struct sq_png_tags *tags = &png->tags;
    struct sq_light light;
    *out = NULL;
    if (tags->has_code_points
        && sq_light_from_cicp(&light, tags->code_points)) {
        return sq_colour_from_light(&light, out, err);
    }
    if (tags->profile) {
        bool is_grey = png->header.colour == SQ_PNG_GREY
                    || png->header.colour == SQ_PNG_GREY_ALPHA;
        uint8_t *bytes;
        size_t count = 0;
        if (!inflate_profile(&png->tags, &bytes, &count, err)) {
            return false;
        }
        bool ok = true;
        if (bytes) {
            ok = sq_colour_from_icc(bytes, count,
                                    is_grey ? SQ_PIXELS_GREY : SQ_PIXELS_RGB,
                                    out, err);
        }
        sq_mem_free(bytes);
        return ok;
    }
    if (tags->is_srgb || tags->gamma == 0) {
        return true;
    }
    return from_gamma(tags, out, err);
}

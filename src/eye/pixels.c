/* Codes and decodes the words of a frame. */
#include "eye/pixels.h"

#include <string.h>

/*
 * The first byte of a step. The lowest bits of a run are its count less one;
 * if all are set, a number in groups of seven bits, lowest first, is added.
 */
enum code {
    CODE_INDEX = 0x00, /* 6 bits: index of a recent word */
    CODE_DIFF = 0x40,  /* 2 bits each of red, green, blue: -2..1 */
    CODE_LUMA = 0x80,  /* 6 bits of green; then 4 each of the others */
    CODE_LEFT = 0xc0,  /* run of the word before; 5 bits */
    CODE_ABOVE = 0xe0, /* run of words as above; 4 bits */
    CODE_BASE = 0xf0,  /* run of words as in the previous frame; 3 bits */
    CODE_RGB = 0xf8,   /* three bytes; the fourth as in the word before */
    CODE_WORD = 0xf9,  /* four bytes */
};
#define LEFT_BITS 5
#define ABOVE_BITS 4
#define BASE_BITS 3
#define MIN_RUN 2 /* shorter ones are often as short as a pixel */

#define MAX_SIDE 16384
#define MAX_HEADER 16

/* Bytes per pixel by Android's code of a pixel format; 0: unknown. */
static const uint8_t pixel_bytes[] = {
    [1] = 4, [2] = 4, [3] = 3, [4] = 2, [5] = 4, [22] = 8, [43] = 4,
};

static uint32_t
load(const uint8_t *frame, size_t word) {
    const uint8_t *p = frame + word * SQ_EYE_WORD;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16
         | (uint32_t)p[3] << 24;
}

static void
store(uint8_t *frame, size_t word, uint32_t value) {
    uint8_t *p = frame + word * SQ_EYE_WORD;
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

struct sq_eye_shape
sq_eye_shape_of(const uint8_t head[SQ_EYE_FRAME_HEAD]) {
    uint32_t width = load(head, 0);
    uint32_t height = load(head, 1);
    uint32_t format = load(head, 2);
    uint32_t bytes = format < sizeof(pixel_bytes) ? pixel_bytes[format] : 0;
    uint64_t row = (uint64_t)width * bytes;
    uint64_t all = MAX_HEADER + row * height;
    if (bytes == 0 || width < 1 || width > MAX_SIDE || height < 1
        || height > MAX_SIDE || all > UINT32_MAX) {
        return (struct sq_eye_shape){ 0 };
    }
    /* As many rows as are needed for whole words. */
    uint64_t rows = row % 4 == 0 ? 1 : row % 2 == 0 ? 2 : 4;
    return (struct sq_eye_shape){ (uint32_t)all,
                                  (uint32_t)(row * rows / SQ_EYE_WORD) };
}

static unsigned
hash(uint32_t word) {
    return (word * 0x9e3779b1u) >> 26;
}

static uint32_t
before(const uint8_t *frame, size_t at) {
    return at > 0 ? load(frame, at - 1) : 0;
}

/* Returns how many words of a and b are equal, at most `most`. */
static size_t
equal_words(const uint8_t *a, const uint8_t *b, size_t most) {
    size_t i = 0;
    uint64_t left;
    uint64_t right;
    for (; i + 8 <= most; i += 8) {
        uint64_t any = 0;
        for (size_t k = 0; k < 4; k++) {
            memcpy(&left, a + (i + k * 2) * SQ_EYE_WORD, sizeof(left));
            memcpy(&right, b + (i + k * 2) * SQ_EYE_WORD, sizeof(right));
            any |= left ^ right;
        }
        if (any) {
            break;
        }
    }
    while (i < most && load(a, i) == load(b, i)) {
        i++;
    }
    return i;
}

static size_t
put_run(uint8_t *out, enum code code, int bits, size_t count) {
    size_t most = ((size_t)1 << bits) - 1;
    size_t len = 1;
    if (count <= most) {
        out[0] = (uint8_t)((size_t)code | (count - 1));
        return len;
    }
    out[0] = (uint8_t)((size_t)code | most);
    for (count -= most + 1; count >= 128; count >>= 7) {
        out[len++] = (uint8_t)(count | 128);
    }
    out[len++] = (uint8_t)count;
    return len;
}

/* The difference of two bytes, as a number from -128 to 127. */
static int
byte_step(uint32_t to, uint32_t from, int shift) {
    return (int8_t)(uint8_t)((to >> shift) - (from >> shift));
}

static bool
is_in(int value, int from, int to) {
    return value >= from && value <= to;
}

static size_t
put_word(struct sq_eye_coder *coder, uint32_t word, uint32_t last,
         uint8_t *out) {
    unsigned slot = hash(word);
    if (coder->index[slot] == word) {
        out[0] = (uint8_t)(CODE_INDEX | slot);
        return 1;
    }
    coder->index[slot] = word;
    int red = byte_step(word, last, 0);
    int green = byte_step(word, last, 8);
    int blue = byte_step(word, last, 16);
    bool same_fourth = word >> 24 == last >> 24;
    if (same_fourth && is_in(red, -2, 1) && is_in(green, -2, 1)
        && is_in(blue, -2, 1)) {
        out[0] = (uint8_t)(CODE_DIFF | (red + 2) << 4 | (green + 2) << 2
                           | (blue + 2));
        return 1;
    }
    if (same_fourth && is_in(green, -32, 31) && is_in(red - green, -8, 7)
        && is_in(blue - green, -8, 7)) {
        out[0] = (uint8_t)(CODE_LUMA | (green + 32));
        out[1] = (uint8_t)((red - green + 8) << 4 | (blue - green + 8));
        return 2;
    }
    out[0] = same_fourth ? CODE_RGB : CODE_WORD;
    store(out + 1, 0, word); /* the fourth byte may be overwritten */
    return same_fourth ? 4 : 5;
}

/* Codes words as in the previous frame. Returns 0 if there are too few. */
static size_t
put_base(struct sq_eye_coder *coder, const struct sq_eye_words *words,
         uint8_t *out) {
    size_t at = coder->at;
    size_t end =
        words->base_words < words->end ? words->base_words : words->end;
    size_t same = at < end
                    ? equal_words(words->frame + at * SQ_EYE_WORD,
                                  words->base + at * SQ_EYE_WORD, end - at)
                    : 0;
    if (same < MIN_RUN) {
        return 0;
    }
    coder->at += same;
    return put_run(out, CODE_BASE, BASE_BITS, same);
}

/* Codes words as those `back` words before. Returns 0 if there are too few. */
static size_t
put_copy(struct sq_eye_coder *coder, const struct sq_eye_words *words,
         bool is_above, uint8_t *out) {
    size_t at = coder->at;
    size_t back = is_above ? coder->distance : 1;
    const uint8_t *here = words->frame + at * SQ_EYE_WORD;
    size_t same = at >= back ? equal_words(here, here - back * SQ_EYE_WORD,
                                           words->end - at)
                             : 0;
    if (same < (is_above ? MIN_RUN : 1)) {
        return 0;
    }
    coder->at += same;
    return is_above ? put_run(out, CODE_ABOVE, ABOVE_BITS, same)
                    : put_run(out, CODE_LEFT, LEFT_BITS, same);
}

size_t
sq_eye_encode(struct sq_eye_coder *coder, const struct sq_eye_words *words,
              uint8_t *out, size_t capacity) {
    size_t len = 0;
    while (coder->at < words->end && capacity - len >= SQ_EYE_MAX_STEP) {
        size_t step = put_base(coder, words, out + len);
        step = step ? step : put_copy(coder, words, true, out + len);
        step = step ? step : put_copy(coder, words, false, out + len);
        if (step == 0) {
            size_t at = coder->at++;
            step = put_word(coder, load(words->frame, at),
                            before(words->frame, at), out + len);
        }
        len += step;
    }
    return len;
}

/* The bytes to decode, from the current one on. */
struct input {
    const uint8_t *at;
    const uint8_t *end;
};

/* Reads the count of a run whose first byte is `code`. */
static bool
take_count(struct input *in, uint8_t code, int bits, size_t *count) {
    size_t most = ((size_t)1 << bits) - 1;
    *count = (code & most) + 1;
    if (*count <= most) {
        return true;
    }
    for (int shift = 0; in->at < in->end && shift <= 21; shift += 7) {
        uint8_t byte = *in->at++;
        *count += (size_t)(byte & 127) << shift;
        if (!(byte & 128)) {
            return true;
        }
    }
    return false;
}

/* A decoder at work. */
struct work {
    struct sq_eye_coder *coder;
    struct input in;
    uint8_t *frame;
    size_t end;
    size_t base_words;
};

/* Repeats the word `back` words before, `count` times. */
static void
copy_words(uint8_t *frame, size_t at, size_t back, size_t count) {
    if (back >= count) {
        memcpy(frame + at * SQ_EYE_WORD, frame + (at - back) * SQ_EYE_WORD,
               count * SQ_EYE_WORD);
        return;
    }
    for (size_t i = at; i < at + count; i++) {
        memcpy(frame + i * SQ_EYE_WORD, frame + (i - back) * SQ_EYE_WORD,
               SQ_EYE_WORD);
    }
}

static bool
take_copy(struct work *work, uint8_t code, int bits, size_t back) {
    size_t at = work->coder->at;
    size_t count;
    if (!take_count(&work->in, code, bits, &count) || at < back
        || count > work->end - at) {
        return false;
    }
    copy_words(work->frame, at, back, count);
    work->coder->at += count;
    return true;
}

static bool
take_base(struct work *work, uint8_t code) {
    size_t at = work->coder->at;
    size_t count;
    if (!take_count(&work->in, code, BASE_BITS, &count) || at > work->base_words
        || count > work->base_words - at || count > work->end - at) {
        return false;
    }
    work->coder->at += count;
    return true;
}

static uint32_t
add_steps(uint32_t word, int red, int green, int blue) {
    return (word & 0xff000000u) | (uint8_t)((int)(word & 255) + red)
         | (uint32_t)(uint8_t)((int)(word >> 8 & 255) + green) << 8
         | (uint32_t)(uint8_t)((int)(word >> 16 & 255) + blue) << 16;
}

static bool
take_bytes(struct input *in, int count, uint32_t *word) {
    if (in->end - in->at < count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        uint32_t mask = 255u << 8 * i;
        *word = (*word & ~mask) | (uint32_t)*in->at++ << 8 * i;
    }
    return true;
}

static bool
take_word(struct work *work, uint8_t code) {
    struct sq_eye_coder *coder = work->coder;
    uint32_t word = before(work->frame, coder->at);
    if (code < CODE_DIFF) {
        word = coder->index[code];
    } else if (code < CODE_LUMA) {
        word = add_steps(word, (code >> 4 & 3) - 2, (code >> 2 & 3) - 2,
                         (code & 3) - 2);
    } else if (code < CODE_LEFT) {
        if (work->in.at == work->in.end) {
            return false;
        }
        int green = (code & 63) - 32;
        uint8_t others = *work->in.at++;
        word = add_steps(word, green + (others >> 4) - 8, green,
                         green + (others & 15) - 8);
    } else if (!take_bytes(&work->in, code == CODE_RGB ? 3 : 4, &word)) {
        return false;
    }
    coder->index[hash(word)] = word;
    store(work->frame, coder->at++, word);
    return true;
}

static bool
take_step(struct work *work) {
    uint8_t code = *work->in.at++;
    if (work->coder->at >= work->end || code > CODE_WORD) {
        return false;
    }
    work->coder->has_changes |= code < CODE_BASE || code >= CODE_RGB;
    if (code < CODE_LEFT || code >= CODE_RGB) {
        return take_word(work, code);
    }
    if (code < CODE_ABOVE) {
        return take_copy(work, code, LEFT_BITS, 1);
    }
    return code < CODE_BASE
             ? take_copy(work, code, ABOVE_BITS, work->coder->distance)
             : take_base(work, code);
}

bool
sq_eye_decode(struct sq_eye_coder *coder, const uint8_t *bytes, size_t count,
              uint8_t *frame, size_t end, size_t base_words) {
    struct work work = {
        coder, { bytes, bytes + count }, frame, end, base_words
    };
    while (work.in.at < work.in.end) {
        if (!take_step(&work)) {
            return false;
        }
    }
    return true;
}

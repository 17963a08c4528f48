/* Frames are coded without loss, and invalid codes are detected. */
#include "eye/pixels.h"

#include "image/pipeline/codec.h"
#include "support/test.h"
#include "util/bytes.h"

#define WIDTH 90
#define HEIGHT 60
#define WORDS (4 + WIDTH * HEIGHT)
#define BYTES ((size_t)WORDS * SQ_EYE_WORD)
#define PIECE 100

static uint32_t random_state = 1;

static uint32_t
next_random(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* A frame of flat areas, gradients and noise. */
static void
make_frame(uint8_t *frame, unsigned kind) {
    for (size_t i = 0; i < WORDS; i++) {
        size_t x = i % WIDTH;
        size_t y = i / WIDTH;
        uint32_t flat = x > 20 && x < 60 && y > 10 && y < 50 ? 0xff203040 : ~0u;
        uint32_t ramp = 0xff000000u + (uint32_t)(x * 2 + y * 0x103 + x * y);
        uint32_t noise = next_random() << 8 ^ next_random();
        const uint32_t values[] = { flat, ramp, noise,
                                    x % 7 ? flat : noise % 5 };
        sq_store_le32(frame + i * SQ_EYE_WORD, values[kind % 4]);
    }
}

/* Codes in pieces of the input and the output, as the phone does. */
static size_t
encode(const uint8_t *frame, const uint8_t *base, size_t input_piece,
       uint8_t *out, size_t *pieces) {
    struct sq_eye_coder coder = { .distance = WIDTH };
    struct sq_eye_words words = { frame, 0, base, base ? WORDS : 0 };
    size_t len = 0;
    size_t count = 0;
    while (coder.at < WORDS) {
        if (coder.at == words.end) {
            words.end += input_piece;
            words.end = words.end < WORDS ? words.end : WORDS;
        }
        pieces[count] = sq_eye_encode(&coder, &words, out + len, PIECE);
        T(pieces[count] > 0 && pieces[count] <= PIECE);
        len += pieces[count++];
    }
    pieces[count] = 0;
    return len;
}

static bool
decode(const uint8_t *coded, const size_t *pieces, uint8_t *frame,
       size_t base_words) {
    struct sq_eye_coder coder = { .distance = WIDTH };
    bool ok = true;
    for (; ok && *pieces; coded += *pieces++) {
        ok = sq_eye_decode(&coder, coded, *pieces, frame, WORDS, base_words);
    }
    return ok && coder.at == WORDS;
}

T_CASE(every_frame_returns_exactly) {
    static const size_t input_pieces[] = { 1, 7, 64, 1000, WORDS };
    uint8_t *frame = malloc(BYTES);
    uint8_t *base = malloc(BYTES);
    uint8_t *back = malloc(BYTES);
    uint8_t *coded = malloc(BYTES * 2);
    size_t *pieces = malloc((WORDS + 1) * sizeof(*pieces));
    for (unsigned i = 0; i < 40; i++) {
        make_frame(base, i / 4);
        make_frame(frame, i);
        if (i % 3 == 0) { /* a small change */
            memcpy(frame, base, BYTES);
            memset(frame + 5000, (int)i, 400);
        }
        size_t piece = input_pieces[i % 5];
        encode(frame, i % 2 ? base : NULL, piece, coded, pieces);
        memset(back, 0x55, BYTES);
        if (i % 2) {
            memcpy(back, base, BYTES);
        }
        T(decode(coded, pieces, back, i % 2 ? WORDS : 0));
        T_BYTES(back, BYTES, frame, BYTES);
    }
    free(frame);
    free(base);
    free(back);
    free(coded);
    free(pieces);
}

T_CASE(unchanged_frame_takes_few_bytes) {
    uint8_t *frame = malloc(BYTES);
    uint8_t out[PIECE];
    make_frame(frame, 2);
    struct sq_eye_coder coder = { .distance = WIDTH };
    struct sq_eye_words words = { frame, WORDS, frame, WORDS };
    T_INT(sq_eye_encode(&coder, &words, out, sizeof(out)), 3);
    T_INT(coder.at, WORDS);
    free(frame);
}

/* Decodes bytes as the start of a frame of eight words, two per row. */
static bool
accepts(const uint8_t *bytes, size_t count, size_t base_words) {
    uint8_t *frame = calloc(8, SQ_EYE_WORD);
    struct sq_eye_coder coder = { .distance = 2 };
    bool ok = sq_eye_decode(&coder, bytes, count, frame, 8, base_words);
    free(frame);
    return ok;
}

T_CASE(invalid_codes_are_detected) {
    static const struct {
        uint8_t bytes[8];
        size_t count;
        size_t base_words;
        bool is_valid;
    } cases[] = {
        { { 0xf9, 1, 2, 3, 4 }, 5, 0, true },
        { { 0xf9, 1, 2, 3 }, 4, 0, false },    /* a cut word */
        { { 0xf8, 1, 2 }, 3, 0, false },       /* the same, of three bytes */
        { { 0x80 }, 1, 0, false },             /* a cut difference */
        { { 0xfa }, 1, 0, false },             /* an unknown code */
        { { 0xff }, 1, 0, false },             /* the last of them */
        { { 0xc0 }, 1, 0, false },             /* left of the first word */
        { { 0x00, 0xc6 }, 2, 0, true },        /* to the last word */
        { { 0x00, 0xc7 }, 2, 0, false },       /* beyond it */
        { { 0x00, 0xe0 }, 2, 0, false },       /* above the first row */
        { { 0x00, 0x00, 0xe5 }, 3, 0, true },  /* to the last word */
        { { 0x00, 0x00, 0xe6 }, 3, 0, false }, /* beyond it */
        { { 0xf3 }, 1, 4, true },              /* all of the base */
        { { 0xf3 }, 1, 3, false },             /* beyond it */
        { { 0xf0 }, 1, 0, false },             /* without a base */
        { { 0xf7, 0x00 }, 2, 8, true },        /* eight words */
        { { 0xf7, 0x01 }, 2, 8, false },       /* nine */
        { { 0xf7 }, 1, 8, false },             /* without its number */
        { { 0xf7, 0x80 }, 2, 8, false },       /* with half of it */
        { { 0xf7, 0x80, 0x80, 0x80, 0x80, 0 }, 6, 8, false }, /* too long */
        { { 0x00, 0xc6, 0x00 }, 3, 0, false }, /* more than the frame */
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_INT(accepts(cases[i].bytes, cases[i].count, cases[i].base_words),
              cases[i].is_valid);
    }
}

/* The phone and the reader of raw frames know the same formats. */
T_CASE(shapes_are_those_of_raw_frames) {
    static const uint32_t sides[] = { 0, 1, 3, 1080, 16384, 16385, ~0u };
    for (uint32_t format = 0; format < 300; format++) {
        for (size_t i = 0; i < SQ_COUNT(sides); i++) {
            uint8_t head[SQ_RAW_HEADER_BYTES] = { 0 };
            sq_store_le32(head, sides[i]);
            sq_store_le32(head + 4, 10);
            sq_store_le32(head + 8, format);
            T_INT(sq_eye_shape_of(head).most_bytes,
                  sq_raw_most_bytes(head, sizeof(head)));
        }
    }
    uint8_t odd[SQ_EYE_FRAME_HEAD] = { 5, 0, 0, 0, 4, 0, 0, 0, 4 };
    T_INT(sq_eye_shape_of(odd).distance, 5); /* two rows of ten bytes */
    odd[8] = 3;
    T_INT(sq_eye_shape_of(odd).distance, 15); /* four rows of 15 bytes */
}

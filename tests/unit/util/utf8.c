#include "util/utf8.h"

#include "support/test.h"

/* Table 3-7 of the Unicode Standard, well-formed byte sequences. */
static const struct {
    unsigned char first[2];
    unsigned char second[2];
    size_t len;
} well_formed[] = {
    { { 0x00, 0x7f }, { 0, 0 }, 1 },
    { { 0xc2, 0xdf }, { 0x80, 0xbf }, 2 },
    { { 0xe0, 0xe0 }, { 0xa0, 0xbf }, 3 },
    { { 0xe1, 0xec }, { 0x80, 0xbf }, 3 },
    { { 0xed, 0xed }, { 0x80, 0x9f }, 3 },
    { { 0xee, 0xef }, { 0x80, 0xbf }, 3 },
    { { 0xf0, 0xf0 }, { 0x90, 0xbf }, 4 },
    { { 0xf1, 0xf3 }, { 0x80, 0xbf }, 4 },
    { { 0xf4, 0xf4 }, { 0x80, 0x8f }, 4 },
};

static bool
within(unsigned char c, const unsigned char range[2]) {
    return c >= range[0] && c <= range[1];
}

/* The length of the well-formed sequence at the start, by the table. */
static size_t
expected_len(const unsigned char bytes[4]) {
    static const unsigned char trail[2] = { 0x80, 0xbf };
    for (size_t i = 0; i < SQ_COUNT(well_formed); i++) {
        if (within(bytes[0], well_formed[i].first)) {
            size_t len = well_formed[i].len;
            bool ok = (len < 2 || within(bytes[1], well_formed[i].second))
                   && (len < 3 || within(bytes[2], trail))
                   && (len < 4 || within(bytes[3], trail));
            return ok ? len : 0;
        }
    }
    return 0;
}

T_CASE(round_trips_every_code_point) {
    for (uint32_t code = 0; code <= 0x110000; code++) {
        char bytes[SQ_UTF8_MAX];
        uint32_t again = 0xdead;
        size_t len = sq_utf8_encode(code, bytes);
        bool scalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        struct sq_span text = { bytes, len };
        if (!scalar) {
            T_INT(len, 0);
        } else if (!(sq_utf8_decode(text, &again) == len && again == code
                     && sq_utf8_valid_len(text) == len)) {
            T_INT(again, code);
        }
    }
    T_INT(sq_utf8_encode(UINT32_MAX, (char[SQ_UTF8_MAX]){ 0 }), 0);
}

T_CASE(accepts_exactly_the_well_formed_sequences) {
    static const unsigned char edge[] = { 0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff };
    for (unsigned i = 0; i < 0x10000 * SQ_COUNT(edge) * SQ_COUNT(edge); i++) {
        const unsigned char bytes[4] = { (unsigned char)(i >> 8),
                                         (unsigned char)i,
                                         edge[(i >> 16) % SQ_COUNT(edge)],
                                         edge[(i >> 16) / SQ_COUNT(edge)] };
        uint32_t code = 0;
        struct sq_span text = { (const char *)bytes, 4 };
        size_t got = sq_utf8_decode(text, &code);
        if (got != expected_len(bytes)) {
            printf("# %02x %02x %02x %02x\n", bytes[0], bytes[1], bytes[2],
                   bytes[3]);
            T_INT(got, expected_len(bytes));
        }
    }
}

T_CASE(refuses_truncated_sequences) {
    static const char *const texts[] = { "\xc3\xa9", "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80" };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        for (size_t len = 0; len < strlen(texts[i]); len++) {
            uint32_t code = 7;
            struct sq_span cut = { texts[i], len };
            T_INT(sq_utf8_decode(cut, &code), 0);
            T_INT(code, 7);
            T_INT(sq_utf8_valid_len(cut), 0);
        }
    }
    T_INT(sq_utf8_valid_len((struct sq_span){ 0 }), 0);
}

/* The fast path reads eight bytes: every alignment and length around that. */
T_CASE(finds_the_first_invalid_byte_at_any_position) {
    char text[64];
    for (size_t len = 1; len < sizeof(text); len++) {
        for (size_t bad = 0; bad < len; bad++) {
            memset(text, 'a', sizeof(text));
            text[bad] = '\xff';
            T_INT(sq_utf8_valid_len((struct sq_span){ text, len }), bad);
            text[bad] = '\xc3'; /* well-formed if a trail byte follows */
            text[bad + 1] = '\xa9';
            T_INT(sq_utf8_valid_len((struct sq_span){ text, len }),
                  bad + 1 < len ? len : bad);
        }
    }
    T_INT(sq_utf8_valid_len(SQ_SPAN("ok \xe2\x82\xac \xed\xa0\x80")), 7);
}

T_CASE(texts_are_shortened_between_characters) {
    const struct sq_span text =
        SQ_SPAN("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    static const size_t lengths[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };
    for (size_t max = 0; max < SQ_COUNT(lengths); max++) {
        struct sq_span shortened = sq_utf8_shorten(text, max);
        T(shortened.ptr == text.ptr);
        T_INT(shortened.len, lengths[max]);
    }
    T_INT(sq_utf8_shorten(SQ_SPAN("\x80\x80"), 1).len, 0);
    T_INT(sq_utf8_count(text), 4);
    T_INT(sq_utf8_count(SQ_SPAN("")), 0);
}

T_CASE(surrogate_pairs_are_joined) {
    T(!sq_utf16_is_high(0xd7ff) && sq_utf16_is_high(0xd800));
    T(sq_utf16_is_high(0xdbff) && !sq_utf16_is_high(0xdc00));
    T(!sq_utf16_is_low(0xdbff) && sq_utf16_is_low(0xdc00));
    T(sq_utf16_is_low(0xdfff) && !sq_utf16_is_low(0xe000));
    T_INT(sq_utf16_join(0xd800, 0xdc00), 0x10000);
    T_INT(sq_utf16_join(0xdbff, 0xdfff), 0x10ffff);
}

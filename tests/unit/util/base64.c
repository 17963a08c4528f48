#include "util/base64.h"

#include "support/test.h"
#include "util/mem.h"

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static const struct {
    const char *bytes;
    const char *text;
} rfc4648[] = {
    { "", "" },
    { "f", "Zg==" },
    { "fo", "Zm8=" },
    { "foo", "Zm9v" },
    { "foob", "Zm9vYg==" },
    { "fooba", "Zm9vYmE=" },
    { "foobar", "Zm9vYmFy" },
};

T_CASE(matches_the_test_vectors_of_the_rfc) {
    for (size_t i = 0; i < SQ_COUNT(rfc4648); i++) {
        const char *bytes = rfc4648[i].bytes;
        const char *text = rfc4648[i].text;
        T_BUF(out, 100);
        T_OK(sq_base64_append(&out, bytes, strlen(bytes), &t_err));
        T_BYTES(out.data, out.len, text, strlen(text));
        sq_buf_clear(&out);
        T_OK(sq_base64_decode(sq_span_of(text), &out, &t_err));
        T_BYTES(out.data, out.len, bytes, strlen(bytes));
    }
}

/* Bit by bit, as described in the RFC. */
static size_t
encode_slowly(const uint8_t *bytes, size_t count, char *out) {
    size_t len = 0;
    for (size_t bit = 0; bit < count * 8; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++) {
            unsigned byte = i < count * 8 ? bytes[i / 8] : 0;
            value = value << 1 | (byte >> (7 - i % 8) & 1u);
        }
        out[len++] = alphabet[value];
    }
    while (len % 4 != 0) {
        out[len++] = '=';
    }
    return len;
}

/* The block has the exact size, so that sanitizers see an overrun. */
T_CASE(encodes_every_length) {
    enum { MOST = 300 };
    char want[MOST / 3 * 4];
    for (size_t count = 1; count <= MOST; count++) {
        T_BUF(out, sizeof(want));
        T_BUF(back, MOST);
        uint8_t *bytes = sq_mem_alloc(count, 1);
        T(bytes);
        for (size_t i = 0; i < count; i++) {
            bytes[i] = (uint8_t)t_random();
        }
        size_t len = encode_slowly(bytes, count, want);
        T_INT(sq_base64_encoded_len(count), len);
        T_OK(sq_base64_append(&out, bytes, count, &t_err));
        T_BYTES(out.data, out.len, want, len);
        T_OK(sq_base64_decode((struct sq_span){ want, len }, &back, &t_err));
        T_BYTES(back.data, back.len, bytes, count);
        sq_mem_free(bytes);
    }
}

T_CASE(refuses_non_canonical_text) {
    static const char *const bad[] = {
        "A",    "AA",       "AAA",      "AAAAA",     "=",
        "====", "A===",     "AA=A",     "=AAA",      "AA==AAAA",
        "AA=",  "AAAA=",    "AAAA====", "AAA=AAA=",  "Zg",
        "Zh==", "Zm9=",     "Zm+=",     "AB==",      "AAB=",
        "AAA ", " AAA",     "AA A",     "AAAA\n",    "AA\nA",
        "AA-A", "AA_A",     "AA.A",     "AAA\x80",   "\xff\xff\xff\xff",
        "A=AA", "AAA*AAAA", "AAAA,AAA", "AAAAAAA\t", "A==A",
    };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_BUF(out, 100);
        T(sq_buf_append(&out, "kept", 4, &t_err));
        T_FAILS(sq_base64_decode(sq_span_of(bad[i]), &out, &t_err),
                SQ_ERR_FORMAT);
        T_BYTES(out.data, out.len, "kept", 4);
    }
}

/* Of all texts of four characters, exactly the canonical ones decode. */
T_CASE(only_canonical_texts_decode) {
    static const char chars[] = "AQgw/+09=\n";
    for (unsigned i = 0; i < 10000; i++) {
        const char four[4] = { chars[i % 10], chars[i / 10 % 10],
                               chars[i / 100 % 10], chars[i / 1000] };
        T_BUF(out, 4);
        if (sq_base64_decode((struct sq_span){ four, 4 }, &out, &t_err)) {
            char again[8];
            T_INT(sq_base64_encoded_len(out.len), 4);
            sq_base64_encode(out.data, out.len, again);
            T_BYTES(again, 4, four, 4);
        }
    }
}

T_CASE(errors_have_the_position) {
    T_BUF(out, 100);
    T(!sq_base64_decode(SQ_SPAN("AAAAAA*AAAA="), &out, &t_err));
    T_STR(t_err.message, "not a base64 character at offset 6 of 12");
    T(!sq_base64_decode(SQ_SPAN("AA==AAAAA\nA="), &out, &t_err));
    T_STR(t_err.message, "not a base64 character at offset 2 of 12");
}

T_CASE(keeps_the_limit_of_the_buffer) {
    T_BUF(out, 7);
    T_FAILS(sq_base64_append(&out, "foob", 4, &t_err), SQ_ERR_LIMIT);
    T_FAILS(sq_base64_append(&out, "x", SIZE_MAX, &t_err), SQ_ERR_LIMIT);
    T_INT(out.len, 0);
    T_FAILS(sq_base64_decode(SQ_SPAN("AAAAAAAAAAAA"), &out, &t_err),
            SQ_ERR_LIMIT);
    T_OK(sq_base64_decode(SQ_SPAN("AAAAAAAAAA=="), &out, &t_err));
    T_INT(out.len, 7);
}

static bool
round_trip(void *context, struct sq_err *err) {
    T_BUF(text, 100);
    T_BUF(bytes, 100);
    return sq_base64_append(&text, "squint", 6, err)
        && sq_base64_decode(
               (struct sq_span){ (const char *)text.data, text.len }, &bytes,
               err);
}

T_CASE(survives_every_failed_allocation) {
    T_INT(t_alloc_torture(round_trip, NULL), 2);
}

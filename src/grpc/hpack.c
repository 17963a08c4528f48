/* Reads and writes the header fields of HTTP/2. */
#include "grpc/grpc.h"

#include <string.h>

#include "util/minmax.h"

#define SYMBOLS 257
#define END_SYMBOL 256
#define MAX_CODE_BITS 30
#define STATIC_ENTRIES 61
/* The entries 8 to 14 of the static table are values of :status. */
#define FIRST_STATUS 8
#define LAST_STATUS 14
#define MAX_TEXT 4096 /* a name or value; longer ones are refused */
#define MAX_INTEGER ((size_t)1 << 20)

/* Bits of the code of each symbol; the code is canonical. */
static const uint8_t code_bits[SYMBOLS] = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, /* 0 */
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, /* 16 */
    6,  10, 10, 12, 13, 6,  8,  11, 10, 10, 8,  11, 8,  6,  6,  6,  /* 32 */
    5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8,  15, 6,  12, 10, /* 48 */
    13, 6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  /* 64 */
    7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8,  13, 19, 13, 14, 6,  /* 80 */
    15, 5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,  /* 96 */
    6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7,  15, 11, 14, 13, 28, /* 112 */
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, /* 128 */
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, /* 144 */
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, /* 160 */
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, /* 176 */
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, /* 192 */
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, /* 208 */
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, /* 224 */
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, /* 240 */
    30,                                                             /* end */
};

/* The symbols in the order of their codes, and where each length begins. */
struct codes {
    uint16_t symbols[SYMBOLS];
    uint16_t count[MAX_CODE_BITS + 1]; /* codes with that many bits */
};

static void
make_codes(struct codes *out) {
    size_t next = 0;
    for (int bits = 1; bits <= MAX_CODE_BITS; bits++) {
        size_t start = next;
        for (uint16_t symbol = 0; symbol < SYMBOLS; symbol++) {
            if (code_bits[symbol] == bits) {
                out->symbols[next++] = symbol;
            }
        }
        out->count[bits] = (uint16_t)(next - start);
    }
}

/* A code that is being read bit by bit. */
struct code_reader {
    uint32_t code;
    uint32_t first; /* the first code of this length */
    size_t index;   /* of that code's symbol */
    int bits;
    bool is_ones; /* all bits so far are ones, as in padding */
};

static const struct code_reader no_code = { .is_ones = true };

static bool
add_bit(struct code_reader *reader, const struct codes *codes, unsigned bit,
        uint16_t *symbol) {
    reader->bits++;
    reader->code = reader->code << 1 | bit;
    reader->is_ones = reader->is_ones && bit;
    reader->first <<= 1;
    size_t count = codes->count[reader->bits];
    if (reader->code - reader->first < count) {
        *symbol = codes->symbols[reader->index + reader->code - reader->first];
        *reader = no_code;
        return true;
    }
    reader->index += count;
    reader->first += (uint32_t)count;
    return false;
}

static bool
fail_format(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "the server sent invalid headers");
}

/* Decodes the Huffman code of a text. The padding is a part of the end mark. */
static bool
decode_text(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct codes codes = { 0 };
    struct code_reader reader = no_code;
    uint16_t symbol;
    make_codes(&codes);
    for (size_t i = 0; i < text.len * 8; i++) {
        unsigned bit = (uint8_t)text.ptr[i / 8] >> (7 - i % 8) & 1;
        if (!add_bit(&reader, &codes, bit, &symbol)) {
            continue;
        }
        uint8_t byte = (uint8_t)symbol;
        if (symbol == END_SYMBOL) {
            return fail_format(err);
        }
        if (!sq_buf_append(out, &byte, 1, err)) {
            return false;
        }
    }
    return (reader.bits < 8 && reader.is_ones) || fail_format(err);
}

/* Takes an integer whose first byte has prefix_bits bits for it. */
static bool
take_integer(struct sq_span *rest, int prefix_bits, size_t *out,
             struct sq_err *err) {
    if (rest->len == 0) {
        return fail_format(err);
    }
    size_t most = ((size_t)1 << prefix_bits) - 1;
    size_t value = (uint8_t)rest->ptr[0] & most;
    size_t used = 1;
    bool more = value == most;
    for (int shift = 0; more; shift += 7) {
        if (used == rest->len || shift > 21) {
            return fail_format(err);
        }
        uint8_t byte = (uint8_t)rest->ptr[used++];
        value += (size_t)(byte & 0x7f) << shift;
        more = byte >= 0x80;
    }
    if (value > MAX_INTEGER) {
        return fail_format(err);
    }
    sq_span_skip(rest, used);
    *out = value;
    return true;
}

/* Takes a text; *scratch receives it if it is compressed. */
static bool
take_text(struct sq_span *rest, struct sq_buf *scratch, struct sq_span *out,
          struct sq_err *err) {
    bool is_huffman = rest->len > 0 && (uint8_t)rest->ptr[0] & 0x80;
    size_t len;
    if (!take_integer(rest, 7, &len, err)) {
        return false;
    }
    if (len > rest->len || len > MAX_TEXT) {
        return fail_format(err);
    }
    struct sq_span text = { rest->ptr, len };
    sq_span_skip(rest, len);
    if (is_huffman) {
        sq_buf_clear(scratch);
        if (!decode_text(text, scratch, err)) {
            return false;
        }
        text = sq_buf_span(scratch);
    }
    *out = text;
    return true;
}

/* Copies a percent-encoded message; other control characters become "?". */
static void
copy_message(struct sq_span text, char out[SQ_HPACK_MESSAGE_SIZE]) {
    size_t len = 0;
    while (text.len > 0 && len + 1 < SQ_HPACK_MESSAGE_SIZE) {
        struct sq_span rest = text;
        uint32_t code;
        if (!sq_span_take_prefix(&rest, "%")
            || sq_span_take_hex(&rest, 2, &code) < 2) {
            code = (uint8_t)text.ptr[0];
            rest = (struct sq_span){ text.ptr + 1, text.len - 1 };
        }
        out[len++] = code < 0x20 || code >= 0x7f ? '?' : (char)code;
        text = rest;
    }
    out[len] = '\0';
}

static bool
keep_field(struct sq_hpack_fields *fields, struct sq_span name,
           struct sq_span value, struct sq_err *err) {
    bool is_http = sq_span_is(name, ":status");
    int64_t status;
    if (sq_span_is(name, "grpc-message")) {
        copy_message(value, fields->message);
    }
    if (!is_http && !sq_span_is(name, "grpc-status")) {
        return true;
    }
    if (value.len > 3 || !sq_span_to_int64(value, &status) || status < 0) {
        return fail_format(err);
    }
    *(is_http ? &fields->http_status : &fields->grpc_status) = (int)status;
    return true;
}

/* Buffers for a compressed name and value. */
struct scratch {
    struct sq_buf name;
    struct sq_buf value;
};

/* Takes a field whose value, and perhaps name, is in the block. */
static bool
take_literal(struct sq_span *rest, int prefix_bits, struct scratch *scratch,
             struct sq_hpack_fields *fields, struct sq_err *err) {
    struct sq_span name = { 0 };
    struct sq_span value;
    size_t index;
    if (!take_integer(rest, prefix_bits, &index, err)) {
        return false;
    }
    if (index > STATIC_ENTRIES) {
        return fail_format(err);
    }
    if (index >= FIRST_STATUS && index <= LAST_STATUS) {
        name = SQ_SPAN(":status");
    }
    return (index > 0 || take_text(rest, &scratch->name, &name, err))
        && take_text(rest, &scratch->value, &value, err)
        && keep_field(fields, name, value, err);
}

/* Takes one field, or a change of the size of the dynamic table. */
static bool
take_field(struct sq_span *rest, struct scratch *scratch,
           struct sq_hpack_fields *fields, struct sq_err *err) {
    static const int statuses[] = { 200, 204, 206, 304, 400, 404, 500 };
    uint8_t first = (uint8_t)rest->ptr[0];
    size_t number;
    if (first & 0x80) { /* an entry of the static table */
        if (!take_integer(rest, 7, &number, err)) {
            return false;
        }
        if (number >= FIRST_STATUS && number <= LAST_STATUS) {
            fields->http_status = statuses[number - FIRST_STATUS];
        }
        return (number > 0 && number <= STATIC_ENTRIES) || fail_format(err);
    }
    if (first & 0x40) {
        return take_literal(rest, 6, scratch, fields, err);
    }
    if (first & 0x20) {
        return take_integer(rest, 5, &number, err)
            && (number == 0 || fail_format(err));
    }
    return take_literal(rest, 4, scratch, fields, err);
}

void
sq_hpack_init(struct sq_hpack_fields *fields) {
    *fields = (struct sq_hpack_fields){ .grpc_status = -1 };
}

bool
sq_hpack_read(struct sq_span block, struct sq_hpack_fields *fields,
              struct sq_err *err) {
    struct scratch scratch;
    bool ok = true;
    sq_buf_init(&scratch.name, MAX_TEXT);
    sq_buf_init(&scratch.value, MAX_TEXT);
    while (ok && block.len > 0) {
        ok = take_field(&block, &scratch, fields, err);
    }
    sq_buf_finish(&scratch.name);
    sq_buf_finish(&scratch.value);
    return ok;
}

static bool
put_text(struct sq_buf *block, struct sq_span text, struct sq_err *err) {
    const size_t most = 0x7f;
    uint8_t head[4];
    size_t len = 0;
    head[len++] = (uint8_t)sq_min_size(text.len, most);
    if (text.len >= most) {
        size_t rest = text.len - most;
        for (; rest >= 0x80 && len < sizeof(head) - 1; rest >>= 7) {
            head[len++] = (uint8_t)(rest | 0x80);
        }
        head[len++] = (uint8_t)(rest & 0x7f);
    }
    return sq_buf_append(block, head, len, err)
        && sq_buf_append(block, text.ptr, text.len, err);
}

bool
sq_hpack_put(struct sq_buf *block, const char *name, struct sq_span value,
             struct sq_err *err) {
    static const uint8_t never_indexed = 0x10;
    if (value.len > MAX_TEXT) {
        return sq_fail(err, SQ_ERR_LIMIT, "the header %s is too long", name);
    }
    return sq_buf_append(block, &never_indexed, 1, err)
        && put_text(block, sq_span_of(name), err)
        && put_text(block, value, err);
}

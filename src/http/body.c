/*
 * Decodes the body of a request. Extensions of chunks are skipped, as RFC 9112
 * requires; trailers are refused: a header could be hidden in them.
 */
#include "http/body.h"

#define MAX_DIGITS 8 /* of a chunk's size, in hexadecimal */
/* Bytes of all extensions of a body: they cost time and carry nothing. */
#define MAX_EXTENSION_BYTES 1024

enum state {
    SIZE,
    BEFORE_EXTENSION, /* white space after the size */
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    LAST_CR,
    LAST_LF,
    END,
};

void
sq_http_body_init(struct sq_http_body *body, const struct sq_http_head *head) {
    *body =
        (struct sq_http_body){ .framing = head->framing, .left = head->length };
    body->state = head->framing == SQ_HTTP_CHUNKED ? SIZE
                : head->length > 0                 ? DATA
                                                   : END;
}

static enum sq_http_parse
refuse(struct sq_http_refusal *refusal, int status, const char *text) {
    *refusal = (struct sq_http_refusal){ status, text };
    return SQ_HTTP_BAD;
}

static int
hex_digit(char byte) {
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    char lower = sq_ascii_lower(byte);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Takes as many bytes of the data as there are. */
static bool
take_data(struct sq_http_body *body, struct sq_span *input, struct sq_buf *out,
          struct sq_err *err) {
    size_t count = body->left < input->len ? (size_t)body->left : input->len;
    if (!sq_buf_append(out, input->ptr, count, err)) {
        return false;
    }
    input->ptr += count;
    input->len -= count;
    body->left -= count;
    if (body->left == 0) {
        body->state = body->framing == SQ_HTTP_CHUNKED ? DATA_CR : END;
    }
    return true;
}

static bool
is_space(char byte) {
    return byte == ' ' || byte == '\t';
}

/* Skips a byte of an extension, up to the end of its line. */
static bool
take_extension_byte(struct sq_http_body *body, char byte) {
    if (++body->extension_bytes > MAX_EXTENSION_BYTES) {
        return false;
    }
    if (body->state == BEFORE_EXTENSION) {
        body->state = byte == ';' ? EXTENSION : BEFORE_EXTENSION;
        return byte == ';' || is_space(byte);
    }
    if (byte == '\r') {
        body->state = SIZE_LF;
        return true;
    }
    return is_space(byte) || ((unsigned char)byte > ' ' && byte != 0x7f);
}

static bool
take_size_byte(struct sq_http_body *body, char byte) {
    int digit = hex_digit(byte);
    if (digit < 0) {
        body->state = byte == '\r' ? SIZE_LF
                    : byte == ';'  ? EXTENSION
                                   : BEFORE_EXTENSION;
        return body->digits > 0
            && (byte == '\r' || byte == ';' || is_space(byte));
    }
    body->left = body->left << 4 | (uint64_t)digit;
    return ++body->digits <= MAX_DIGITS;
}

/* Takes a byte between the data of chunks. Returns false if it is wrong. */
static bool
take_byte(struct sq_http_body *body, char byte) {
    static const struct {
        char expected;
        int next;
    } steps[] = {
        [DATA_CR] = { '\r', DATA_LF },
        [DATA_LF] = { '\n', SIZE },
        [LAST_CR] = { '\r', LAST_LF },
        [LAST_LF] = { '\n', END },
    };
    if (body->state == SIZE) {
        return take_size_byte(body, byte);
    }
    if (body->state == BEFORE_EXTENSION || body->state == EXTENSION) {
        return take_extension_byte(body, byte);
    }
    if (body->state == SIZE_LF) {
        body->state = body->left > 0 ? DATA : LAST_CR;
        body->digits = 0;
        return byte == '\n';
    }
    char expected = steps[body->state].expected;
    body->state = steps[body->state].next;
    return byte == expected;
}

enum sq_http_parse
sq_http_body_feed(struct sq_http_body *body, struct sq_span *input,
                  struct sq_buf *out, struct sq_http_refusal *refusal) {
    struct sq_err err = { 0 };
    if (body->framing == SQ_HTTP_LENGTH && body->left > out->max - out->len) {
        return refuse(refusal, 413, "the body is too large");
    }
    while (body->state != END && input->len > 0) {
        if (body->state != DATA) {
            char byte = *input->ptr++;
            input->len--;
            if (!take_byte(body, byte)) {
                return refuse(refusal, 400, "the chunked body is malformed");
            }
        } else if (!take_data(body, input, out, &err)) {
            return err.code == SQ_ERR_LIMIT
                     ? refuse(refusal, 413, "the body is too large")
                     : refuse(refusal, 503, "out of memory");
        }
    }
    return body->state == END ? SQ_HTTP_DONE : SQ_HTTP_MORE;
}

/* Packs raw frames by run lengths. */
#include "image/pipeline/pack.h"

#include <assert.h>
#include <string.h>

#define WORD 4 /* bytes per pixel */

/*
 * A piece is a head followed, for LITERAL, by the words. The head is a varint:
 * the number of words, with their kind in the two lowest bits.
 */
enum kind {
    LITERAL, /* the words follow */
    REPEAT,  /* repeat the previous word */
    ABOVE,   /* repeat the words one row above */
};

/* Shorter repeats cost more than they save. */
#define MIN_REPEAT 3

#define MAX_HEAD 10

/* Counts the words from `at` to `end` that equal those `back` words before. */
static size_t
count_equal(const struct sq_packer *p, size_t at, size_t end, size_t back) {
    const uint8_t *here = p->bytes + at * WORD;
    const uint8_t *earlier = here - back * WORD;
    size_t left = end - at;
    size_t count = 0;
    uint64_t a;
    uint64_t b;
    while (left - count >= 2) {
        memcpy(&a, here + count * WORD, sizeof(a));
        memcpy(&b, earlier + count * WORD, sizeof(b));
        if (a != b) {
            break;
        }
        count += 2;
    }
    while (count < left
           && memcmp(here + count * WORD, earlier + count * WORD, WORD) == 0) {
        count++;
    }
    return count;
}

static bool
put_head(struct sq_buf *out, enum kind kind, size_t count, struct sq_err *err) {
    uint8_t head[MAX_HEAD];
    size_t len = 0;
    uint64_t value = (uint64_t)count << 2 | kind;
    while (value >= 0x80) {
        head[len++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    head[len++] = (uint8_t)value;
    return sq_buf_append(out, head, len, err);
}

/* Stores the words up to `to`, which are not repeats. */
static bool
put_literals(struct sq_packer *p, size_t to, struct sq_err *err) {
    size_t from = p->kept;
    p->kept = to;
    return from == to
        || (put_head(p->out, LITERAL, to - from, err)
            && sq_buf_append(p->out, p->bytes + from * WORD, (to - from) * WORD,
                             err));
}

/* Finds the longer of the two repeats that start at a word. */
static size_t
find_repeat(const struct sq_packer *p, size_t at, size_t end, enum kind *kind) {
    size_t above = at >= p->width ? count_equal(p, at, end, p->width) : 0;
    size_t again = at > 0 ? count_equal(p, at, end, 1) : 0;
    *kind = above >= again ? ABOVE : REPEAT;
    return above >= again ? above : again;
}

/* Packs words up to `end`. A repeat that crosses `end` is split there. */
static bool
pack_words(struct sq_packer *p, size_t end, struct sq_err *err) {
    while (p->at < end) {
        enum kind kind;
        size_t count = find_repeat(p, p->at, end, &kind);
        if (count < MIN_REPEAT) {
            p->at += count ? count : 1;
            continue;
        }
        if (!put_literals(p, p->at, err)
            || !put_head(p->out, kind, count, err)) {
            return false;
        }
        p->at += count;
        p->kept = p->at;
    }
    return true;
}

static bool
discard(struct sq_packer *packer) {
    packer->out->len = packer->start;
    return false;
}

/* Header: number of words, row width, and bytes after the last word. */
struct header {
    uint64_t words;
    uint64_t width;
    uint64_t tail;
};

bool
sq_packer_begin(struct sq_packer *packer, const uint8_t *bytes, size_t len,
                size_t width, struct sq_buf *out, struct sq_err *err) {
    const struct header header = { len / WORD, width ? width : 1, len % WORD };
    *packer = (struct sq_packer){
        .bytes = bytes,
        .len = len,
        .width = (size_t)header.width,
        .start = out->len,
        .out = out,
    };
    return sq_buf_append(out, &header, sizeof(header), err);
}

bool
sq_packer_advance(struct sq_packer *packer, size_t received,
                  struct sq_err *err) {
    assert(received <= packer->len);
    return pack_words(packer, received / WORD, err) || discard(packer);
}

bool
sq_packer_end(struct sq_packer *packer, struct sq_err *err) {
    const size_t words = packer->len / WORD;
    return (pack_words(packer, words, err) && put_literals(packer, words, err)
            && sq_buf_append(packer->out, packer->bytes + words * WORD,
                             packer->len % WORD, err))
        || discard(packer);
}

bool
sq_pack(const uint8_t *bytes, size_t len, size_t width, struct sq_buf *out,
        struct sq_err *err) {
    struct sq_packer packer;
    return sq_packer_begin(&packer, bytes, len, width, out, err)
        && sq_packer_end(&packer, err);
}

/* Copies word by word, because the source may overlap the destination. */
static void
repeat(uint8_t *to, size_t count, size_t back) {
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * WORD, to + i * WORD - back * WORD, WORD);
    }
}

bool
sq_unpack(const uint8_t *packed, size_t packed_len, struct sq_buf *out,
          struct sq_err *err) {
    struct header header;
    assert(packed_len >= sizeof(header));
    memcpy(&header, packed, sizeof(header));
    size_t total = (size_t)(header.words * WORD + header.tail);
    uint8_t *to;
    if (!sq_buf_reserve(out, total, &to, err)) {
        return false;
    }
    const uint8_t *at = packed + sizeof(header);
    size_t done = 0;
    while (done < header.words) {
        uint64_t head = 0;
        int shift = 0;
        uint8_t byte;
        do {
            byte = *at++;
            head |= (uint64_t)(byte & 0x7f) << shift;
            shift += 7;
        } while (byte & 0x80);
        size_t count = (size_t)(head >> 2);
        enum kind kind = (enum kind)(head & 3);
        assert(count <= header.words - done);
        if (kind == LITERAL) {
            memcpy(to + done * WORD, at, count * WORD);
            at += count * WORD;
        } else {
            repeat(to + done * WORD, count,
                   kind == ABOVE ? (size_t)header.width : 1);
        }
        done += count;
    }
    memcpy(to + done * WORD, at, (size_t)header.tail);
    sq_buf_commit(out, total);
    return true;
}

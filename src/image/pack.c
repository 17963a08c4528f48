#include "image/pack.h"

#include <assert.h>
#include <string.h>

#define WORD 4 /* bytes of a pixel */

/*
 * A piece is a head and, for NEW, the words themselves. The head is a varint:
 * the count of words, with what they are in its two lowest bits.
 */
enum kind {
    NEW,   /* words that follow */
    AGAIN, /* the word before, again */
    ABOVE, /* what lies one row up */
};

/* Shorter repeats cost more than they save. */
#define MIN_REPEAT 3

#define MAX_HEAD 10

struct packer {
    const uint8_t *bytes;
    size_t words;
    size_t width;
    struct sq_buf *out;
    struct sq_err *err;
};

/* How many words from `at` on equal those `back` words before them. */
static size_t
count_equal(const struct packer *p, size_t at, size_t back) {
    const uint8_t *here = p->bytes + at * WORD;
    const uint8_t *there = here - back * WORD;
    size_t left = p->words - at;
    size_t count = 0;
    uint64_t a;
    uint64_t b;
    while (left - count >= 2) {
        memcpy(&a, here + count * WORD, sizeof(a));
        memcpy(&b, there + count * WORD, sizeof(b));
        if (a != b) {
            break;
        }
        count += 2;
    }
    while (count < left
           && memcmp(here + count * WORD, there + count * WORD, WORD) == 0) {
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

static bool
put_new(const struct packer *p, size_t from, size_t to) {
    return from == to
        || (put_head(p->out, NEW, to - from, p->err)
            && sq_buf_append(p->out, p->bytes + from * WORD, (to - from) * WORD,
                             p->err));
}

/* The longer of the two repeats that begin at a word. */
static size_t
find_repeat(const struct packer *p, size_t at, enum kind *kind) {
    size_t above = at >= p->width ? count_equal(p, at, p->width) : 0;
    size_t again = at > 0 ? count_equal(p, at, 1) : 0;
    *kind = above >= again ? ABOVE : AGAIN;
    return above >= again ? above : again;
}

static bool
pack_words(const struct packer *p) {
    size_t stored = 0; /* up to here everything is written */
    size_t at = 0;
    while (at < p->words) {
        enum kind kind;
        size_t count = find_repeat(p, at, &kind);
        if (count < MIN_REPEAT) {
            at += count ? count : 1;
            continue;
        }
        if (!put_new(p, stored, at) || !put_head(p->out, kind, count, p->err)) {
            return false;
        }
        at += count;
        stored = at;
    }
    return put_new(p, stored, p->words);
}

/* In front: how many words, how wide, and how many bytes behind the last. */
struct opening {
    uint64_t words;
    uint64_t width;
    uint64_t tail;
};

bool
sq_pack(const uint8_t *bytes, size_t len, size_t width, struct sq_buf *out,
        struct sq_err *err) {
    const size_t before = out->len;
    const struct packer p = {
        .bytes = bytes,
        .words = len / WORD,
        .width = width ? width : 1,
        .out = out,
        .err = err,
    };
    const struct opening opening = { p.words, p.width, len % WORD };
    if (sq_buf_append(out, &opening, sizeof(opening), err) && pack_words(&p)
        && sq_buf_append(out, bytes + p.words * WORD, len % WORD, err)) {
        return true;
    }
    out->len = before;
    return false;
}

static uint64_t
take_head(const uint8_t **at) {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte;
    do {
        byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

/* Repeats may overlap what they repeat: word by word, then. */
static void
repeat(uint8_t *to, size_t count, size_t back) {
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * WORD, to + i * WORD - back * WORD, WORD);
    }
}

bool
sq_unpack(const uint8_t *packed, size_t packed_len, struct sq_buf *out,
          struct sq_err *err) {
    struct opening opening;
    assert(packed_len >= sizeof(opening));
    memcpy(&opening, packed, sizeof(opening));
    size_t total = (size_t)(opening.words * WORD + opening.tail);
    uint8_t *to;
    if (!sq_buf_reserve(out, total, &to, err)) {
        return false;
    }
    const uint8_t *at = packed + sizeof(opening);
    size_t done = 0;
    while (done < opening.words) {
        uint64_t head = take_head(&at);
        size_t count = (size_t)(head >> 2);
        enum kind kind = (enum kind)(head & 3);
        assert(count <= opening.words - done);
        if (kind == NEW) {
            memcpy(to + done * WORD, at, count * WORD);
            at += count * WORD;
        } else {
            repeat(to + done * WORD, count,
                   kind == ABOVE ? (size_t)opening.width : 1);
        }
        done += count;
    }
    memcpy(to + done * WORD, at, (size_t)opening.tail);
    sq_buf_commit(out, total);
    return true;
}

/* Digests of secrets that were typed. */
#include "redact/typed.h"

#include <string.h>

/* Shorter secrets would hide too much else. */
#define MIN_BYTES 4

static void
digest(struct sq_span text, unsigned char out[crypto_generichash_BYTES]) {
    crypto_generichash(out, crypto_generichash_BYTES,
                       (const unsigned char *)text.ptr, text.len, NULL, 0);
}

static unsigned char
sum_of(struct sq_span text) {
    unsigned sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        sum += (unsigned char)text.ptr[i];
    }
    return (unsigned char)sum;
}

/* Returns the secret that begins at the text; NULL: none. */
static const struct sq_typed_secret *
find_at(const struct sq_typed_secrets *typed, struct sq_span text) {
    size_t count = atomic_load(&typed->count);
    for (size_t i = 0; i < count; i++) {
        const struct sq_typed_secret *item = &typed->items[i];
        struct sq_span part = { text.ptr, item->len };
        unsigned char found[crypto_generichash_BYTES];
        if (part.len <= text.len && sum_of(part) == item->sum) {
            digest(part, found);
            if (memcmp(found, item->digest, sizeof(found)) == 0) {
                return item;
            }
        }
    }
    return NULL;
}

bool
sq_typed_add(struct sq_typed_secrets *typed, struct sq_span text) {
    size_t count = atomic_load(&typed->count);
    const struct sq_typed_secret *known = find_at(typed, text);
    if (text.len < MIN_BYTES || (known && known->len == text.len)) {
        return true;
    }
    if (count == SQ_MAX_TYPED) {
        return false;
    }
    typed->items[count].len = text.len;
    typed->items[count].sum = sum_of(text);
    digest(text, typed->items[count].digest);
    atomic_store(&typed->count, count + 1);
    return true;
}

bool
sq_typed_find(const struct sq_typed_secrets *typed, struct sq_span text,
              struct sq_redact_range *range) {
    size_t at = range->end > 0 ? range->start + 1 : 0;
    for (; atomic_load(&typed->count) > 0 && at < text.len; at++) {
        const struct sq_typed_secret *item =
            find_at(typed, (struct sq_span){ text.ptr + at, text.len - at });
        if (item) {
            *range = (struct sq_redact_range){ at, at + item->len };
            return true;
        }
    }
    return false;
}

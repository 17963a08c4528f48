#include "tools/fingerprint.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/label.h"
#include "tools/match.h"

/* Fewer elements than this say too little. */
#define MIN_ELEMENTS 3

/* 128 bits as two words; the prime is 2^88 + 0x13b. */
struct hash {
    uint64_t high;
    uint64_t low;
};

static const struct hash start = { 0x6c62272e07bb0142u, 0x62b821756295c58du };

__extension__ typedef unsigned __int128 wide;

static void
feed(struct hash *hash, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    wide value = ((wide)hash->high << 64) | hash->low;
    for (size_t i = 0; i < count; i++) {
        value ^= at[i];
        value = (value << 88) + value * 0x13b;
    }
    hash->high = (uint64_t)(value >> 64);
    hash->low = (uint64_t)value;
}

static void
feed_number(struct hash *hash, int number) {
    char text[16];
    int len = snprintf(text, sizeof(text), "%d,", number);
    feed(hash, text, (size_t)len);
}

static bool
is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The length of a run of digits, and of what stands between digits. */
static size_t
number_len(struct sq_span text) {
    size_t len = 0;
    while (len < text.len
           && (is_digit(text.ptr[len])
               || (len + 1 < text.len && memchr(":.,", text.ptr[len], 3)
                   && is_digit(text.ptr[len + 1])))) {
        len++;
    }
    return len;
}

/* Numbers that move on by themselves stand for one and the same number. */
static void
feed_label(struct hash *hash, struct sq_span label) {
    while (label.len > 0) {
        size_t len = is_digit(label.ptr[0]) ? number_len(label) : 0;
        bool volatile_number =
            len > 2 || (len > 0 && len < label.len && label.ptr[len] == '%');
        size_t step = len > 0 ? len : 1;
        if (volatile_number) {
            feed(hash, "#", 1);
        } else {
            feed(hash, label.ptr, step);
        }
        label.ptr += step;
        label.len -= step;
    }
}

/* A view with one of these in it is on its way to another. */
static bool
is_moving(struct sq_span text) {
    static const char *const words[] = { "loading", "progress",  "animation",
                                         "spinner", "indicator", "refreshing" };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (sq_text_contains(text, sq_span_of(words[i]), true)) {
            return true;
        }
    }
    return false;
}

static void
feed_node(struct hash *hash, const struct sq_node *node) {
    struct sq_span type = sq_node_type(node);
    feed(hash, type.ptr, type.len);
    feed(hash, ":", 1);
    feed(hash, node->resource_id.ptr, node->resource_id.len);
    feed(hash, ":", 1);
    feed_label(hash, sq_own_label(node));
    feed(hash, ":", 1);
    feed_number(hash, node->depth);
    feed_number(hash, node->bounds.left);
    feed_number(hash, node->bounds.top);
    feed_number(hash, node->bounds.right);
    feed_number(hash, node->bounds.bottom);
    feed(hash, "|", 1);
}

void
sq_fingerprint_take(const struct sq_tree *tree, const struct sq_screen *screen,
                    struct sq_fingerprint *out) {
    struct hash hash = start;
    bool moving = false;
    int count = 0;
    feed_number(&hash, screen->size.width);
    feed_number(&hash, screen->size.height);
    feed_number(&hash, screen->rotation);
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (!sq_node_has_area(node)) {
            continue;
        }
        count++;
        feed_node(&hash, node);
        moving = moving || is_moving(node->class_name)
              || is_moving(node->resource_id) || is_moving(sq_own_label(node));
    }
    *out = (struct sq_fingerprint){
        .cacheable = !moving && count >= MIN_ELEMENTS,
        .element_count = count,
        .landscape = screen->size.width > screen->size.height,
    };
    snprintf(out->hash, sizeof(out->hash), "%016llx%016llx",
             (unsigned long long)hash.high, (unsigned long long)hash.low);
}

/* Computes fingerprints of views. */
#include "tools/screen/fingerprint.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/elements/label.h"
#include "tools/elements/selector.h"
#include "tools/reply.h"

/* Views with fewer elements are not distinctive enough. */
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

/* Returns the length of a number, including separators between its digits. */
static size_t
number_len(struct sq_span text) {
    size_t len = 0;
    while (len < text.len
           && (sq_is_digit(text.ptr[len])
               || (len + 1 < text.len && memchr(":.,", text.ptr[len], 3)
                   && sq_is_digit(text.ptr[len + 1])))) {
        len++;
    }
    return len;
}

/* Hashes a label; numbers that change by themselves count as "#". */
static void
feed_label(struct hash *hash, struct sq_span label) {
    while (label.len > 0) {
        size_t len = sq_is_digit(label.ptr[0]) ? number_len(label) : 0;
        bool volatile_number =
            len > 2 || (len > 0 && len < label.len && label.ptr[len] == '%');
        size_t step = len > 0 ? len : 1;
        if (volatile_number) {
            feed(hash, "#", 1);
        } else {
            feed(hash, label.ptr, step);
        }
        sq_span_skip(&label, step);
    }
}

static bool
is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool
is_letter(char c) {
    return is_capital(c) || (c >= 'a' && c <= 'z');
}

/* Takes the next word of "pull_refreshing" or "ProgressBar". */
static struct sq_span
next_word(struct sq_span *text) {
    while (text->len > 0 && !is_letter(text->ptr[0])) {
        sq_span_skip(text, 1);
    }
    struct sq_span word = { text->ptr, 0 };
    while (word.len < text->len && is_letter(word.ptr[word.len])
           && (word.len == 0 || !is_capital(word.ptr[word.len])
               || is_capital(word.ptr[word.len - 1]))) {
        word.len++;
    }
    sq_span_skip(text, word.len);
    return word;
}

static bool
is_one_of(struct sq_span word, const char *const *words) {
    while (*words && !sq_span_is_word(word, *words)) {
        words++;
    }
    return *words != NULL;
}

static bool
has_word(struct sq_span text, const char *const *words) {
    struct sq_span word;
    while ((word = next_word(&text)).len > 0) {
        if (is_one_of(word, words)) {
            return true;
        }
    }
    return false;
}

bool
sq_is_passing_state(struct sq_span state) {
    static const char *const words[] = { "loading",    "refreshing", "busy",
                                         "animating",  "animation",  "progress",
                                         "transition", "buffering",  NULL };
    return has_word(state, words);
}

/*
 * Returns whether the node shows that the view is loading: by its class or, if
 * it is not interactive, by its identifier or its whole label ("Loading",
 * "Loading your mail..."). A word inside a label is not a sign, because apps
 * and buttons can have such names; nor is the class Spinner, which is a
 * drop-down list in Android.
 */
static bool
is_moving(const struct sq_node *node) {
    static const char *const classes[] = { "progress", "loading", "shimmer",
                                           "lottie", NULL };
    static const char *const ids[] = { "progress",  "loading",    "loader",
                                       "shimmer",   "refreshing", "spinner",
                                       "animation", NULL };
    static const char *const labels[] = { "loading", "refreshing", NULL };
    struct sq_span type = sq_node_type(node);
    if (has_word(type, classes)
        || sq_text_contains(type, SQ_SPAN("ActivityIndicator"), false)) {
        return true;
    }
    if (sq_node_is_interactive(node)) {
        return false;
    }
    struct sq_span label = sq_element_own_label(node);
    bool goes_on = sq_span_ends_with(label, "...")
                || sq_span_ends_with(label, "\xe2\x80\xa6");
    bool says_so = is_one_of(next_word(&label), labels);
    return (says_so && (goes_on || next_word(&label).len == 0))
        || has_word(sq_short_id(node->resource_id), ids);
}

static void
feed_node(struct hash *hash, const struct sq_node *node) {
    struct sq_span type = sq_node_type(node);
    feed(hash, type.ptr, type.len);
    feed(hash, ":", 1);
    feed(hash, node->resource_id.ptr, node->resource_id.len);
    feed(hash, ":", 1);
    feed_label(hash, sq_element_own_label(node));
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
        moving = moving || is_moving(node);
    }
    *out = (struct sq_fingerprint){
        .cacheable = !moving && count >= MIN_ELEMENTS,
        .element_count = count,
        .landscape = screen->size.width > screen->size.height,
    };
    snprintf(out->hash, sizeof(out->hash), "%016llx%016llx",
             (unsigned long long)hash.high, (unsigned long long)hash.low);
}

void
sq_fingerprint_put(const struct sq_fingerprint *print, bool is_known,
                   struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "viewFingerprint");
    sq_put_text(w, "hash", print->hash);
    sq_put_bool(w, "cacheable", print->cacheable);
    sq_put_int(w, "elementCount", print->element_count);
    sq_put_text(w, "orientation", print->landscape ? "landscape" : "portrait");
    sq_put_bool(w, "known", is_known);
    sq_put_text(w, "guidance",
                print->cacheable
                    ? "Coordinates can be reused while this hash stays."
                    : "The view is still changing: do not reuse coordinates.");
    sq_json_end_object(w);
}

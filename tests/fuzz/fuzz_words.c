/*
 * The words of a recogniser are refused or valid, and searching them for any
 * phrase gives scores and words that exist.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "redact/redact.h"
#include "util/utf8.h"
#include "vision/match.h"
#include "vision/strip.h"

#define WIDTH 64
#define HEIGHT 48

static void
check_words(const struct sq_words_of_line *words) {
    for (int i = 0; i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        assert(word->text.len > 0 && word->text.len <= SQ_MAX_WORD_BYTES);
        assert(sq_utf8_valid_len(word->text) == word->text.len);
        assert(word->confidence >= 0 && word->confidence <= 100);
        assert(!sq_rect_is_empty(word->box));
    }
}

static void
check_match(const struct sq_text *text, const struct sq_text_match *match) {
    const struct sq_text_line *line = &text->lines[match->line];
    const struct sq_text_line *last = &text->lines[match->last_line];
    struct sq_buf out;
    struct sq_err err = { 0 };
    assert(match->first >= 0 && match->first < line->words.count);
    assert(match->last >= 0 && match->last < last->words.count);
    assert(sq_rect_is_empty(match->next_box) || last != line);
    sq_buf_init(&out, (size_t)1 << 20);
    assert(sq_match_append_words(text, match, &out, &err) && out.len > 0);
    sq_buf_finish(&out);
}

static void
check_search(const struct sq_words_of_line *words, struct sq_span wanted,
             struct sq_arena *arena) {
    struct sq_text_line lines[2] = {
        { .box = { 0, 0, 100, 20 }, .words = *words },
        { .box = { 0, 25, 100, 45 }, .words = *words },
    };
    const struct sq_text text = { .lines = lines, .count = 2 };
    struct sq_phrase phrase;
    struct sq_text_matches matches;
    struct sq_err err = { 0 };
    if (!sq_phrase_init(&phrase, wanted, arena, &err)) {
        return;
    }
    phrase.is_strict = true;
    assert(sq_match_find_only(&text, &phrase, &matches, &err));
    bool is_found = matches.count > 0;
    phrase.is_strict = false;
    assert(sq_match_find(&text, &phrase, &matches, &err));
    assert(!is_found || matches.count > 0);
    for (int i = 0; i < matches.count; i++) {
        const struct sq_text_match *m = &matches.items[i];
        assert(m->score >= SQ_MATCH_SCORE && m->score <= 1.0);
        assert(i == 0 || m->score <= matches.items[i - 1].score);
        check_match(&text, m);
    }
    if (matches.nearest.score > 0) {
        check_match(&text, &matches.nearest);
    }
}

static struct sq_redact_rules *rules;

static void
destroy_rules(void) {
    sq_redact_rules_destroy(rules);
    rules = NULL;
}

/* Compiled once: that takes longer than to apply them. */
static void
make_rules(void) {
    static const char *const presets[] = { "cards", "emails", "keys" };
    static struct sq_config config;
    struct sq_err err = { 0 };
    sq_config_defaults(&config);
    config.redact.presets = (struct sq_strings){ presets, 3 };
    assert(sq_redact_rules_create(&config, &rules, &err));
    assert(atexit(destroy_rules) == 0);
}

/* Every word is in exactly one row, whatever rules hide. */
static void
check_hidden(const struct sq_words_of_line *words) {
    struct sq_text_line lines[2] = {
        { .box = { 0, 0, 100, 20 }, .words = *words },
        { .box = { 110, 5, 200, 25 }, .words = *words },
    };
    const struct sq_text text = { .lines = lines, .count = 2 };
    struct sq_row_words found = { 0 };
    struct sq_err err = { 0 };
    if (!rules) {
        make_rules();
    }
    assert(sq_row_words_find(rules, &text, &found, &err));
    assert(found.count == 2 * (size_t)words->count);
    sq_row_words_finish(&found);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t pixels[WIDTH * HEIGHT];
    struct sq_arena arena;
    struct sq_words_of_line words;
    struct sq_buf out;
    struct sq_err err = { 0 };
    size_t phrase = size ? data[0] % 32 : 0;
    if (size < 1 + phrase) {
        return 0;
    }
    struct sq_span wanted = { (const char *)data + 1, phrase };
    struct sq_span rest = { (const char *)data + 1 + phrase,
                            size - 1 - phrase };
    sq_arena_init(&arena, (size_t)1 << 20);
    sq_buf_init(&out, (size_t)1 << 20);
    if (sq_words_parse(rest, &arena, &words, &err)) {
        check_words(&words);
        check_search(&words, wanted, &arena);
        check_hidden(&words);
        for (size_t i = 0; i < sizeof(pixels); i++) {
            pixels[i] = data[i % size];
        }
        const struct sq_strip strip = {
            .pixels = pixels,
            .width = WIDTH,
            .height = HEIGHT,
            .source = { 0, 0, 24, 16 },
            .scale = 2,
            .border = 8,
            .first = data[0] % 8,
            .last = WIDTH,
        };
        struct sq_words_of_line repaired;
        assert(sq_repair_words(&strip, rest, &out, &err));
        assert(sq_words_parse(sq_buf_span(&out), &arena, &repaired, &err));
        assert(repaired.count <= words.count);
    } else {
        assert(err.code == SQ_ERR_FORMAT);
    }
    sq_buf_finish(&out);
    sq_arena_finish(&arena);
    return 0;
}

#include "vision/strip.h"

#include "support/test.h"

#define WIDTH 240
#define HEIGHT 48
#define BORDER 6
#define TOP 14 /* of letters */
#define BASE 34

/* A word that the recogniser reports, and what is drawn for it. */
struct reported {
    const char *text;
    int left; /* of its letters */
    int right;
    int confidence;
};

static uint8_t pixels[WIDTH * HEIGHT];

static void
fill(struct sq_rect box, uint8_t level) {
    for (int y = box.top; y < box.bottom; y++) {
        memset(pixels + (size_t)y * WIDTH + box.left, level,
               (size_t)(box.right - box.left));
    }
}

/*
 * Repairs words whose letters are bars, and compares the texts, joined by
 * spaces. The recogniser is wrong about where words begin and end.
 */
static void
check_strip(const struct reported *words, int count, bool is_unclear,
            const char *wanted, struct sq_words_of_line *out,
            struct sq_arena *arena) {
    const struct sq_strip strip = {
        .is_unclear = is_unclear,
        .pixels = pixels,
        .width = WIDTH,
        .height = HEIGHT,
        .source = { 0, 0, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER },
        .scale = 1,
        .border = BORDER,
        .first = 10,
        .last = WIDTH,
    };
    T_BUF(reply, 10000);
    T_BUF(repaired, 10000);
    T_BUF(joined, 10000);
    for (int i = 0; i < count; i++) {
        bool is_drawn = pixels[(BASE - 1) * WIDTH + words[i].left] == 0;
        if (!is_drawn) {
            fill((struct sq_rect){ words[i].left, TOP, words[i].right, BASE },
                 0);
        }
        const struct sq_word word = {
            sq_span_of(words[i].text),
            { words[i].left + 2 - strip.first, 0,
              words[i].right - 1 - strip.first, HEIGHT },
            words[i].confidence,
        };
        T_OK(sq_words_put(&reply, &word, &t_err));
    }
    T_OK(sq_repair_words(&strip, sq_buf_span(&reply), &repaired, &t_err));
    struct sq_span kept = sq_buf_span(&repaired);
    T_OK(sq_arena_keep(arena, &kept, &t_err)
         && sq_words_parse(kept, arena, out, &t_err));
    for (int i = 0; i < out->count; i++) {
        T_OK(sq_buf_printf(&joined, &t_err, "%s%.*s", i ? " " : "",
                           (int)out->items[i].text.len,
                           out->items[i].text.ptr));
    }
    if (!T(sq_span_is(sq_buf_span(&joined), wanted))) {
        printf("# %.*s, not %s\n", SQ_SPAN_ARGS(sq_buf_span(&joined)), wanted);
    }
}

static void
check(const struct reported *words, int count, const char *wanted,
      struct sq_words_of_line *out, struct sq_arena *arena) {
    check_strip(words, count, false, wanted, out, arena);
}

static void
check_texts(const struct reported *words, int count, const char *wanted) {
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    check(words, count, wanted, &out, &arena);
}

T_CASE(icons_beside_text_are_no_words) {
    static const struct reported both_ends[] = {
        { "@", 14, 30, 12 },    { "Wi", 40, 60, 96 }, { "off", 70, 90, 20 },
        { "on", 100, 120, 90 }, { "»", 130, 140, 5 },
    };
    static const struct reported sure[] = { { "x", 14, 30, 30 },
                                            { "OK", 50, 70, 95 } };
    static const struct reported number[] = { { "42", 14, 30, 10 } };
    static const struct reported alone[] = { { "<>", 14, 30, 29 } };
    static const struct reported longer[] = { { "menu", 14, 60, 10 } };
    static const struct reported round[] = { { "©", 14, 34, 91 },
                                             { "Settings", 54, 140, 96 },
                                             { "@", 160, 180, 88 } };
    static const struct reported sign[] = { { "©", 14, 34, 91 },
                                            { "2026", 44, 90, 96 } };
    check_texts(both_ends, 5, "Wi off on");
    check_texts(sure, 2, "x OK");
    check_texts(number, 1, "42");
    check_texts(alone, 1, "");
    check_texts(longer, 1, "menu");
    check_texts(round, 3, "Settings");
    check_texts(sign, 2, "© 2026");
}

/* Draws bars on a base line; each is `step` higher than the one before. */
static void
draw_bars(int count, int first, int step, int width, uint8_t last_level) {
    memset(pixels, 255, sizeof(pixels));
    for (int i = 0; i < count; i++) {
        int left = 100 + i * (width + 3);
        fill((struct sq_rect){ left, BASE - first - i * step, left + width,
                               BASE },
             i + 1 < count ? 0 : last_level);
    }
}

/* Reports the bars as a word between two others. */
static void
check_bars(int width, const char *wanted) {
    const struct reported words[] = { { "LTE", 14, 60, 96 },
                                      { "all", 100, 100, 84 },
                                      { "84%", 180, 220, 96 } };
    struct reported bars[3];
    struct sq_words_of_line out;
    memcpy(bars, words, sizeof(bars));
    bars[1].right = 100 + width;
    T_ARENA(arena, 100000);
    check(bars, 3, wanted, &out, &arena);
}

T_CASE(rising_bars_are_no_word) {
    static const struct {
        int count;
        int first;
        int step;
        int width;
        uint8_t last_level; /* the last bar may be grey */
        bool is_icon;
    } cases[] = {
        { 4, 6, 5, 6, 0, true },    { 4, 6, 5, 6, 170, true },
        { 3, 8, 4, 4, 0, true },    { 5, 4, 4, 5, 0, true },
        { 2, 6, 10, 6, 0, false },  { 3, 20, 0, 4, 0, false },
        { 4, 20, -4, 6, 0, false }, { 3, 19, 1, 4, 0, false },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        draw_bars(cases[i].count, cases[i].first, cases[i].step, cases[i].width,
                  cases[i].last_level);
        check_bars(cases[i].count * (cases[i].width + 3) - 3,
                   cases[i].is_icon ? "LTE 84%" : "LTE all 84%");
    }
    /* An i has a dot, and an l of another shape is not solid. */
    draw_bars(4, 6, 5, 6, 0);
    fill((struct sq_rect){ 118, 22, 124, 24 }, 255);
    check_bars(4 * 9 - 3, "LTE all 84%");
}

T_CASE(words_are_not_split_at_signs) {
    static const struct reported signs[] = {
        { "Wi-", 14, 40, 96 },     { "Fi", 44, 60, 96 },
        { "(see", 90, 120, 96 },   { ")", 130, 134, 96 },
        { "user@", 150, 180, 96 }, { "example", 185, 220, 96 },
    };
    static const struct reported spaces[] = {
        { "a", 14, 30, 96 },   { "-", 40, 48, 96 },    { "b", 58, 80, 96 },
        { "to", 90, 110, 96 }, { "#5", 119, 140, 96 }, { "c", 146, 160, 96 },
    };
    static const struct reported dots[] = {
        { "$129.", 14, 40, 96 },  { "99", 49, 60, 96 },
        { "done.", 80, 110, 96 }, { "Next", 119, 140, 96 },
        { "etc.", 155, 180, 96 }, { "and", 191, 210, 96 },
    };
    check_texts(dots, 6, "$129.99 done. Next etc. and");
    check_texts(signs, 6, "Wi-Fi (see) user@example");
    check_texts(spaces, 6, "a - b to #5 c");
}

T_CASE(words_are_joined_at_underscores) {
    static const struct reported words[] = { { "size", 14, 50, 96 },
                                             { "t", 68, 80, 96 } };
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    fill((struct sq_rect){ 52, 37, 66, 38 }, 180); /* thin: grey */
    check(words, 2, "size_t", &out, &arena);
    memset(pixels, 255, sizeof(pixels));
    check(words, 2, "size t", &out, &arena);
}

T_CASE(boxes_are_tight_around_letters) {
    static const struct reported words[] = { { "ill", 14, 40, 96 },
                                             { "Sign", 52, 90, 96 } };
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    check(words, 2, "ill Sign", &out, &arena);
    for (int i = 0; i < 2 && out.count == 2; i++) {
        struct sq_rect box = out.items[i].box;
        T_INT(box.left, words[i].left - BORDER);
        T_INT(box.right, words[i].right - BORDER);
        T_INT(box.top, TOP - BORDER);
        T_INT(box.bottom, BASE - BORDER);
    }
}

T_CASE(what_need_not_be_text_must_be_read_surely) {
    static const struct reported words[] = {
        { "Harbour", 14, 50, 60 }, { "roaad", 60, 80, 59 },
        { "in", 90, 98, 80 },      { "il", 106, 112, 79 },
        { "]", 130, 134, 95 },     { "7", 144, 150, 90 },
        { "I", 158, 164, 89 },     { "M\xc3\xbcnchen", 172, 220, 96 },
    };
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    check_strip(words, 8, true, "Harbour in 7 M\xc3\xbcnchen", &out, &arena);
    memset(pixels, 255, sizeof(pixels));
    check(words, 8, "Harbour roaad in il ] 7 I M\xc3\xbcnchen", &out, &arena);
}

T_CASE(underscores_that_are_not_drawn_are_no_text) {
    static const struct reported ends[] = { { "School,", 14, 60, 84 },
                                            { "_492", 90, 120, 84 },
                                            { "_", 150, 160, 84 } };
    static const struct reported inner[] = { { "up_on", 14, 60, 84 } };
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    check(ends, 3, "School, 492", &out, &arena);
    memset(pixels, 255, sizeof(pixels));
    fill((struct sq_rect){ 14, TOP, 30, BASE }, 0);
    fill((struct sq_rect){ 44, TOP, 60, BASE }, 0);
    check(inner, 1, "up on", &out, &arena);
    T(out.items[0].box.right < out.items[1].box.left);
    fill((struct sq_rect){ 31, 37, 43, 38 }, 0);
    check(inner, 1, "up_on", &out, &arena);
}

T_CASE(a_number_with_more_parts_than_characters_is_not_sure) {
    static const struct reported number[] = { { "5", 30, 40, 95 } };
    static const struct reported odd[] = { { "A2%", 14, 60, 95 } };
    struct sq_words_of_line out;
    T_ARENA(arena, 100000);
    memset(pixels, 255, sizeof(pixels));
    check(number, 1, "5", &out, &arena);
    T_INT(out.items[0].confidence, 95);
    fill((struct sq_rect){ 18, 24, 26, 26 }, 0); /* a minus sign */
    check(number, 1, "5", &out, &arena);
    T_INT(out.items[0].confidence, 60);
    memset(pixels, 255, sizeof(pixels));
    fill((struct sq_rect){ 4, 24, 12, 26 }, 0); /* a sign further left */
    check(number, 1, "5", &out, &arena);
    T_INT(out.items[0].confidence, 95);
    memset(pixels, 255, sizeof(pixels));
    check(odd, 1, "A2%", &out, &arena);
    T_INT(out.items[0].confidence, 60);
}

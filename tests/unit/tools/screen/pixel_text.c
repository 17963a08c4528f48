#include "tools/screen/pixel_text.h"

#include "support/test.h"

#define MAX_WORDS 6
#define LETTER 20 /* width */
#define HEIGHT 30

/* Words from left to right; one begins at `x`. NULL ends a line. */
struct line {
    int top;
    struct {
        int x;
        const char *text;
    } words[MAX_WORDS];
};

static struct sq_word words[8][MAX_WORDS];
static struct sq_text_line lines[8];
static struct sq_arena arena;
static struct sq_segments segments;
static struct sq_screen_text screen;

static void
start(const struct line *from, int count) {
    const struct sq_size size = { 9000, 1000 };
    screen = (struct sq_screen_text){ .pixels = sq_view_make(size, size) };
    screen.text = (struct sq_text){ .lines = lines, .count = count };
    for (int i = 0; i < count; i++) {
        int top = from[i].top;
        int k = 0;
        for (; k < MAX_WORDS && from[i].words[k].text; k++) {
            int left = from[i].words[k].x;
            struct sq_span text = sq_span_of(from[i].words[k].text);
            words[i][k] = (struct sq_word){
                .text = text,
                .box = { left, top, left + (int)text.len * LETTER,
                         top + HEIGHT },
                .confidence = 90,
            };
        }
        lines[i] = (struct sq_text_line){
            .box = { words[i][0].box.left, top, words[i][k - 1].box.right,
                     top + HEIGHT },
            .words = { words[i], k },
            .is_read = true,
        };
    }
    sq_arena_init(&arena, (size_t)1 << 20);
    T_OK(sq_segments_make(&screen, &arena, &segments, &t_err));
}

static void
stop(void) {
    sq_arena_finish(&arena);
}

static bool
is(const struct sq_part_text *text, const char *expected) {
    return T_BYTES(text->bytes, text->len, expected, strlen(expected));
}

/* Finds a text and returns how many of its places are whole lines. */
static int
count_wholes(const char *text, int places) {
    struct sq_phrase phrase;
    struct sq_text_matches matches;
    struct sq_part_text line;
    int wholes = 0;
    T_OK(sq_phrase_init(&phrase, sq_span_of(text), &arena, &t_err)
         && sq_match_find(&screen.text, &phrase, &matches, &t_err));
    T_INT(matches.count, places);
    for (int i = 0; i < matches.count; i++) {
        wholes += sq_match_is_whole(&screen.text, &matches.items[i],
                                    sq_span_of(text), &line);
    }
    return wholes;
}

T_FIXTURE(NULL, stop);

T_CASE(a_word_of_a_line_is_not_whole) {
    static const struct line texts[] = {
        { 0, { { 0, "Do" }, { 60, "not" }, { 140, "delete" } } },
        { 100, { { 0, "DELETE" }, { 400, "Edit" } } },
        { 200, { { 0, "E-mail:" } } },
        { 300, { { 0, "E-mail" }, { 140, "again" } } },
        { 500, { { 0, "Terms" }, { 120, "of" } } },
        { 535, { { 0, "service" } } },
    };
    start(texts, 6);
    T_INT(segments.count, 7);
    T_INT(count_wholes("Delete", 2), 1);
    T_INT(count_wholes("Edit", 1), 1);
    T_INT(count_wholes("E-mail", 2), 1);
    T_INT(count_wholes("again", 1), 0);
    T_INT(count_wholes("Terms of service", 1), 1);
    T_INT(count_wholes("of service", 1), 0);
}

/* Icons are read as short words that are not sure; numbers may be as well. */
T_CASE(doubtful_texts_are_marked) {
    static const struct {
        const char *text;
        int confidence;
        unsigned kind;
    } cases[] = {
        { "Saved", 50, SQ_NODE_READ },
        { "Saved", 49, SQ_NODE_READ | SQ_NODE_DOUBTFUL | SQ_SEEN_UNSURE },
        { "OK", 90, SQ_NODE_READ },
        { "OK", 75, SQ_NODE_READ | SQ_SEEN_UNSURE },
        { "OK", 74, SQ_NODE_READ | SQ_SEEN_UNSURE | SQ_NODE_DOUBTFUL },
        { "OK", 49, 0 },
        { "17%", 80, SQ_NODE_READ | SQ_SEEN_UNSURE },
        { "17%", 20, SQ_NODE_READ | SQ_SEEN_UNSURE | SQ_NODE_DOUBTFUL },
        { "1,204", 80, SQ_NODE_READ },
        { "1,204", 79, SQ_NODE_READ | SQ_NODE_DOUBTFUL },
        { "--", 95, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct line line = { 0, { { 0, cases[i].text } } };
        start(&line, 1);
        words[0][0].confidence = cases[i].confidence;
        T_OK(sq_segments_make(&screen, &arena, &segments, &t_err));
        if (!T(segments.items[0].kind == cases[i].kind)) {
            printf("# %s %d: %x\n", cases[i].text, cases[i].confidence,
                   segments.items[0].kind);
        }
        stop();
    }
}

/* "Save" is marked, so it is a line of its own. */
T_CASE(marked_words_are_parts_of_their_row) {
    static const struct line texts[] = {
        { 0, { { 0, "Press" } } },
        { 0, { { 120, "Save" } } },
        { 0, { { 220, "now" } } },
    };
    const struct sq_part all = { 0, 0, 2, 0 };
    const struct sq_part two = { 0, 0, 1, 0 };
    struct sq_part_text text;
    start(texts, 3);
    sq_part_write(&screen.text, &all, &text);
    is(&text, "Press Save now");
    T_INT(sq_part_box(&screen.text, &all).right, 280);
    sq_part_write(&screen.text, &two, &text);
    is(&text, "Press Save");
    T_INT(sq_part_box(&screen.text, &two).right, 200);
    T_INT(count_wholes("press save now", 1), 1);
    T_INT(count_wholes("Save", 1), 1);
}

T_CASE(a_row_is_read_from_left_to_right) {
    static const struct line texts[] = {
        { 0, { { 500, "Buy" } } },
        { 4, { { 0, "Row" }, { 80, "1" } } },
        { 100, { { 500, "Buy" } } },
        { 100, { { 0, "Row" }, { 80, "2" } } },
    };
    struct sq_part_text row;
    start(texts, 4);
    words[1][1].confidence = 40;
    T(sq_segments_make(&screen, &arena, &segments, NULL));
    sq_row_write(&screen.text, &segments, segments.items[0].bounds, &row);
    is(&row, "Row 1 Buy");
    sq_row_write(&screen.text, &segments, segments.items[2].bounds, &row);
    is(&row, "Row 2 Buy");
    /* An icon that was taken for letters belongs only to itself. */
    words[3][0].confidence = words[3][1].confidence = 30;
    T(sq_segments_make(&screen, &arena, &segments, NULL));
    sq_row_write(&screen.text, &segments, segments.items[2].bounds, &row);
    is(&row, "Buy");
    sq_row_write(&screen.text, &segments, segments.items[3].bounds, &row);
    is(&row, "Row 2 Buy");
}

T_CASE(an_area_has_one_text_or_several) {
    static const struct line texts[] = {
        { 0, { { 0, "Delete" }, { 130, "all?" } } },
        { 100, { { 0, "Yes" }, { 400, "No" } } },
    };
    start(texts, 2);
    T(!sq_only_text_in(&segments, (struct sq_dev_rect){ 0, 0, 900, 200 }));
    T(!sq_only_text_in(&segments, (struct sq_dev_rect){ 0, 90, 900, 200 }));
    const struct sq_segment *only =
        sq_only_text_in(&segments, (struct sq_dev_rect){ 300, 0, 900, 200 });
    T(only == &segments.items[2]);
    T(!sq_only_text_in(&segments, (struct sq_dev_rect){ 0, 300, 900, 400 }));
}

/* Returns whether a part has the wanted words. */
static bool
is_wanted(void *context, const struct sq_part *part) {
    const char *wanted = context;
    struct sq_part_text text;
    sq_part_write(&screen.text, part, &text);
    return text.len == strlen(wanted)
        && memcmp(text.bytes, wanted, text.len) == 0;
}

static bool
visits(char *wanted) {
    return sq_parts_visit(&screen.text, is_wanted, wanted);
}

T_CASE(parts_may_go_on_in_the_line_below) {
    static const struct line texts[] = {
        { 0, { { 0, "Terms" }, { 120, "of" } } },
        { 35, { { 0, "our" }, { 80, "service" } } },
        { 300, { { 0, "Far" } } },
    };
    char found[][32] = { "Terms", "Terms of", "of our", "Terms of our service",
                         "our service" };
    char missing[][32] = { "Terms our", "of service", "service Far" };
    start(texts, 3);
    for (size_t i = 0; i < SQ_COUNT(found); i++) {
        T(visits(found[i]));
    }
    for (size_t i = 0; i < SQ_COUNT(missing); i++) {
        T(!visits(missing[i]));
    }
}

T_CASE(parts_may_go_on_beside_and_then_below) {
    static const struct line texts[] = {
        { 0, { { 0, "Do" } } },
        { 0, { { 60, "not" } } }, /* marked */
        { 35, { { 0, "delete" } } },
    };
    char found[][32] = { "Do", "not", "Do not", "Do not delete" };
    char missing[][32] = { "not Do", "delete Do" };
    start(texts, 3);
    for (size_t i = 0; i < SQ_COUNT(found); i++) {
        T(visits(found[i]));
    }
    for (size_t i = 0; i < SQ_COUNT(missing); i++) {
        T(!visits(missing[i]));
    }
    stop();
}

T_CASE(long_texts_are_cut) {
    static char word[200];
    static struct line texts[] = { { 0, { { 0, word }, { 60, word } } } };
    struct sq_part_text text;
    memset(word, 'x', sizeof(word) - 1);
    start(texts, 1);
    const struct sq_part part = { 0, 0, 0, 1 };
    sq_part_write(&screen.text, &part, &text);
    T_INT(text.len, sizeof(word) - 1);
}

#include "vision/match.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define MAX_LINES 8
#define MAX_WORDS 12

/* A text of lines below each other; every character is 10 pixels wide. */
struct screen {
    struct sq_text text;
    struct sq_text_line lines[MAX_LINES];
    struct sq_word words[MAX_LINES][MAX_WORDS];
};

static int confidence = 90; /* of all words */

static void
fill(struct screen *s, const char *const *lines) {
    memset(s, 0, sizeof(*s));
    s->text.lines = s->lines;
    for (int i = 0; lines[i]; i++) {
        struct sq_span rest = sq_span_of(lines[i]);
        struct sq_text_line *line = &s->lines[i];
        int x = 0;
        line->words.items = s->words[i];
        while (rest.len) {
            size_t len = 0;
            while (len < rest.len && rest.ptr[len] != ' ') {
                len++;
            }
            s->words[i][line->words.count++] = (struct sq_word){
                .text = { rest.ptr, len },
                .box = { x, i * 30, x + (int)len * 10, i * 30 + 20 },
                .confidence = confidence,
            };
            x += (int)len * 10 + 10;
            len += len < rest.len;
            rest = (struct sq_span){ rest.ptr + len, rest.len - len };
        }
        line->box = (struct sq_rect){ 0, i * 30, x, i * 30 + 20 };
        line->is_read = true;
        s->text.count = i + 1;
    }
}

static struct sq_phrase options; /* only its flags */

static struct sq_text_matches
find(const char *const *lines, const char *wanted) {
    static struct screen screen;
    struct sq_text_matches matches = { 0 };
    struct sq_phrase phrase;
    struct sq_arena arena;
    struct sq_err err = { 0 };
    fill(&screen, lines);
    sq_arena_init(&arena, 100000);
    T_OK(sq_phrase_init(&phrase, sq_span_of(wanted), &arena, &err), &err);
    phrase.is_strict = options.is_strict;
    phrase.may_split_word = options.may_split_word;
    T_OK(sq_match_find(&screen.text, &phrase, &matches, &err), &err);
    sq_arena_finish(&arena);
    return matches;
}

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void
phrases_are_found_with_their_box(void) {
    struct sq_text_matches m = find(LINES("Please sign in now"), "Sign In");
    if (T_INT(m.count, 1)) {
        T(m.items[0].score == 1.0);
        T_INT(m.items[0].box.left, 70);
        T_INT(m.items[0].box.right, 140);
        T_INT(m.items[0].first, 1);
        T_INT(m.items[0].last, 2);
    }
}

static void
a_part_of_a_word_is_found_at_its_place(void) {
    struct sq_text_matches m = find(LINES("x install(reply, 1"), "reply");
    if (T_INT(m.count, 1)) {
        T(m.items[0].score > 0.9 && m.items[0].score < 1.0);
        T_INT(m.items[0].box.left, 100);
        T_INT(m.items[0].box.right, 150);
    }
}

static void
a_phrase_continues_on_the_next_line(void) {
    struct sq_text_matches m =
        find(LINES("Number sunny calendar", "issue stream", "other"),
             "calendar issue");
    if (T_INT(m.count, 1)) {
        T_INT(m.items[0].line, 0);
        T_INT(m.items[0].last_line, 1);
        T_INT(m.items[0].box.bottom, 50);
    }
}

static void
what_looks_alike_costs_little(void) {
    static const struct {
        const char *text;
        const char *wanted;
        double least;
    } cases[] = {
        { "L0GIN", "login", 0.9 },
        { "Modem", "modern", 0.9 },
        { "rnodern", "modern", 0.9 },
        { "Ubersicht", "\303\234bersicht", 1 },
        { "Caf\303\251", "cafe", 1 },
        { "Pa55word", "password", 0.9 },
        { "dont", "don\342\200\231t", 0.9 },
        { "stra\303\237e", "STRASSE", 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_text_matches m = find(LINES(cases[i].text), cases[i].wanted);
        if (T_INT(m.count, 1)) {
            T(m.items[0].score >= cases[i].least);
        }
    }
}

static void
words_that_are_not_sure_may_have_errors(void) {
    confidence = SQ_SURE_CONFIDENCE - 1;
    T_INT(find(LINES("Notificatxon"), "Notification").count, 1);
    T_INT(find(LINES("Version 12O"), "Version 120").count, 1);
    T_INT(find(LINES("Room 102"), "Room 101").count, 0);
    options.is_strict = true; /* before an action nothing is guessed */
    T_INT(find(LINES("Notificatxon"), "Notification").count, 0);
    T_INT(find(LINES("L0gin"), "Login").count, 1);
    options.is_strict = false;
    confidence = SQ_SURE_CONFIDENCE;
    T_INT(find(LINES("Notificatxon"), "Notification").count, 0);
    confidence = 90;
}

static void
another_text_is_the_nearest_and_no_match(void) {
    static const char *const pairs[][2] = {
        { "Score 0", "Score 5" },
        { "Score 0", "Score 1" },
        { "Score", "Score 1" },
        { "Score 12", "Score 1" },
        { "Turn off notifications", "Turn on notifications" },
        { "Turn notifications", "Turn on notifications" },
        { "Turn on all notifications", "Turn on notifications" },
        { "Unsubscribe", "Subscribe" },
        { "Account 10234567", "Account 10234568" },
        { "Account 1023456", "Account 10234568" },
        { "$42.50", "$42.60" },
        { "$4250", "$42.50" },
        { "$42.50", "$4250" },
        { "Room 101", "Room 102" },
        { "East", "Cast" },
        { "discs", "disc" },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct sq_text_matches m = find(LINES(pairs[i][0]), pairs[i][1]);
        if (!T_INT(m.count, 0) || !T(m.nearest.score >= 0.5)) {
            printf("# %s, %s\n", pairs[i][0], pairs[i][1]);
        }
    }
}

static void
parts_of_words_but_not_of_numbers_if_allowed(void) {
    options.may_split_word = true;
    T_INT(find(LINES("Unsubscribe"), "subscribe").count, 1);
    T_INT(find(LINES("Score 12"), "core 1").count, 0);
    T_INT(find(LINES("Score 12"), "core 12").count, 1);
    options.may_split_word = false;
}

static void
a_label_contains_a_phrase(void) {
    struct sq_phrase phrase;
    struct sq_arena arena;
    struct sq_err err = { 0 };
    bool is_in = false;
    sq_arena_init(&arena, 100000);
    T_OK(sq_phrase_init(&phrase, SQ_SPAN("Score 4"), &arena, &err), &err);
    T(sq_phrase_is_in(&phrase, SQ_SPAN("Your Score 4 2 left"), &is_in, &err));
    T(is_in);
    T(sq_phrase_is_in(&phrase, SQ_SPAN("Your Score 5"), &is_in, &err));
    T(!is_in);
    double score = 0;
    T(sq_phrase_score(&phrase, SQ_SPAN("Your Score 5"), &score, &err));
    T(score > 0.8);
    sq_arena_finish(&arena);
}

static void
other_words_are_near_misses_or_nothing(void) {
    struct sq_text_matches m = find(LINES("Sign up", "Help"), "Sign in");
    T_INT(m.count, 0);
    T(m.nearest.score >= 0.5 && m.nearest.score < SQ_MATCH_SCORE);
    T_INT(m.nearest.line, 0);
    m = find(LINES("Completely different"), "Buy");
    T_INT(m.count, 0);
    T_INT(find(LINES("cat"), "car").count, 0);
}

static void
better_matches_come_first(void) {
    struct sq_text_matches m =
        find(LINES("Sett1ngs", "Settings", "Resettings"), "settings");
    if (T_INT(m.count, 2)) {
        T_INT(m.items[0].line, 1);
        T(m.items[0].score > m.items[1].score);
    }
}

static void
nothing_to_find_is_refused(void) {
    struct sq_phrase phrase;
    struct sq_arena arena;
    static const char *const bad[] = { "", "   ", "\xff" };
    sq_arena_init(&arena, 100000);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct sq_err err = { 0 };
        T(!sq_phrase_init(&phrase, sq_span_of(bad[i]), &arena, &err));
        T_INT(err.code, SQ_ERR_ARGUMENT);
    }
    sq_arena_finish(&arena);
}

static void
narrow_lines_are_not_read(void) {
    struct sq_phrase phrase;
    struct sq_arena arena;
    struct sq_err err = { 0 };
    sq_arena_init(&arena, 100000);
    T_OK(
        sq_phrase_init(&phrase, SQ_SPAN("Notification settings"), &arena, &err),
        &err);
    T(!sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 20, 30 }));
    T(sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 150, 30 }));
    sq_arena_finish(&arena);
}

T_MAIN(T_CASE(phrases_are_found_with_their_box),
       T_CASE(a_part_of_a_word_is_found_at_its_place),
       T_CASE(a_phrase_continues_on_the_next_line),
       T_CASE(what_looks_alike_costs_little),
       T_CASE(words_that_are_not_sure_may_have_errors),
       T_CASE(another_text_is_the_nearest_and_no_match),
       T_CASE(parts_of_words_but_not_of_numbers_if_allowed),
       T_CASE(a_label_contains_a_phrase),
       T_CASE(other_words_are_near_misses_or_nothing),
       T_CASE(better_matches_come_first), T_CASE(nothing_to_find_is_refused),
       T_CASE(narrow_lines_are_not_read))

#include "vision/match.h"

#include "support/test.h"

#define MAX_LINES 8
#define MAX_WORDS 12

/*
 * A text of rows below each other; every character is 10 pixels wide. A tab is
 * a gap of 2 pixels, of which the recogniser made a space. A word after "|" is
 * in a line of its own, because its background is another one.
 */
struct screen {
    struct sq_text text;
    struct sq_text_line lines[MAX_LINES];
    struct sq_word words[MAX_LINES][MAX_WORDS];
};

static int confidence = 90; /* of all words */

static void
fill(struct screen *s, const char *const *lines) {
    int count = 0;
    memset(s, 0, sizeof(*s));
    s->text.lines = s->lines;
    for (int i = 0; lines[i]; i++) {
        struct sq_span rest = sq_span_of(lines[i]);
        struct sq_text_line *line = NULL;
        int x = 0;
        while (rest.len) {
            size_t len = 0;
            if (!line || rest.ptr[0] == '|') {
                rest = line ? (struct sq_span){ rest.ptr + 1, rest.len - 1 }
                            : rest;
                line = &s->lines[count];
                line->words.items = s->words[count++];
                line->box = (struct sq_rect){ x, i * 30, x, i * 30 + 20 };
                line->is_read = true;
            }
            while (len < rest.len && rest.ptr[len] != ' '
                   && rest.ptr[len] != '\t') {
                len++;
            }
            bool is_narrow = len < rest.len && rest.ptr[len] == '\t';
            line->words.items[line->words.count++] = (struct sq_word){
                .text = { rest.ptr, len },
                .box = { x, i * 30, x + (int)len * 10, i * 30 + 20 },
                .confidence = confidence,
            };
            x += (int)len * 10;
            line->box.right = x;
            x += is_narrow ? 2 : 10;
            len += len < rest.len;
            rest = (struct sq_span){ rest.ptr + len, rest.len - len };
        }
    }
    s->text.count = count;
}

static struct sq_phrase options; /* only its flags */

static struct sq_text_matches
find(const char *const *lines, const char *wanted) {
    static struct screen screen;
    struct sq_text_matches matches = { 0 };
    struct sq_phrase phrase;
    fill(&screen, lines);
    T_ARENA(arena, 100000);
    T_OK(sq_phrase_init(&phrase, sq_span_of(wanted), &arena, &t_err));
    phrase.is_strict = options.is_strict;
    phrase.may_split_word = options.may_split_word;
    T_OK(sq_match_find(&screen.text, &phrase, &matches, &t_err));
    return matches;
}

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

T_CASE(phrases_are_found_with_their_box) {
    struct sq_text_matches m = find(LINES("Please sign in now"), "Sign In");
    if (T_INT(m.count, 1)) {
        T(m.items[0].score == 1.0);
        T_INT(m.items[0].box.left, 70);
        T_INT(m.items[0].box.right, 140);
        T_INT(m.items[0].first, 1);
        T_INT(m.items[0].last, 2);
    }
}

T_CASE(a_part_of_a_word_is_found_at_its_place) {
    struct sq_text_matches m = find(LINES("x install(reply, 1"), "reply");
    if (T_INT(m.count, 1)) {
        T(m.items[0].score > 0.9 && m.items[0].score < 1.0);
        T_INT(m.items[0].box.left, 100);
        T_INT(m.items[0].box.right, 150);
    }
}

/* Marked words have another background, so they are lines of their own. */
T_CASE(a_phrase_goes_on_in_marked_words) {
    struct sq_text_matches m = find(LINES("see foo |bar |baz qux"), "bar baz");
    if (T_INT(m.count, 1)) {
        T(m.items[0].score == 1.0);
        T_INT(m.items[0].line, 1);
        T_INT(m.items[0].last_line, 2);
        T_INT(m.items[0].last, 0);
        T_INT(m.items[0].box.left, 80);
        T_INT(m.items[0].box.right, 150);
        T(sq_rect_is_empty(m.items[0].next_box));
    }
    m = find(LINES("see foo |bar |baz qux"), "foo bar baz qux");
    T(m.count == 1 && m.items[0].line == 0 && m.items[0].last_line == 2);
    T_INT(find(LINES("12 |34 |56"), "34").count, 1);
    T_INT(find(LINES("12 |34 |56"), "123456").count, 0);
    /* It is a part of a number where there is no space. */
    T_INT(find(LINES("12\t|34"), "34").count, 0);
}

T_CASE(a_phrase_goes_on_below_marked_words) {
    struct sq_text_matches m =
        find(LINES("one two |three", "four |five six"), "two three four five");
    if (T_INT(m.count, 1)) {
        T_INT(m.items[0].line, 0);
        T_INT(m.items[0].last_line, 3);
        T_INT(m.items[0].box.left, 40);
        T_INT(m.items[0].box.right, 130);
        T_INT(m.items[0].next_box.left, 0);
        T_INT(m.items[0].next_box.right, 90);
        T_INT(m.items[0].next_box.top, 30);
    }
}

T_CASE(a_phrase_continues_on_the_next_line) {
    struct sq_text_matches m =
        find(LINES("Number sunny calendar", "issue stream", "other"),
             "calendar issue");
    if (T_INT(m.count, 1)) {
        T_INT(m.items[0].line, 0);
        T_INT(m.items[0].last_line, 1);
        /* The middle of the box is inside the word of the first line. */
        T_INT(m.items[0].box.left, 130);
        T_INT(m.items[0].box.right, 210);
        T_INT(m.items[0].box.bottom, 20);
        T_INT(m.items[0].next_box.left, 0);
        T_INT(m.items[0].next_box.right, 50);
        T_INT(m.items[0].next_box.bottom, 50);
    }
}

T_CASE(a_match_of_two_lines_has_the_words_of_both) {
    struct screen screen;
    const char *const *lines =
        LINES("Delete all messages from", "your inbox permanently");
    struct sq_text_matches m = find(lines, "messages from your inbox");
    fill(&screen, lines);
    T_BUF(text, 1000);
    if (T_INT(m.count, 1)) {
        T(sq_match_append_words(&screen.text, &m.items[0], &text, &t_err));
        T(sq_span_is(sq_buf_span(&text), "messages from your inbox"));
        sq_buf_clear(&text);
        T(sq_match_append_lines(&screen.text, &m.items[0], &text, &t_err));
        T(sq_span_is(sq_buf_span(&text),
                     "Delete all messages from your inbox permanently"));
    }
}

T_CASE(a_match_of_marked_words_has_all_words_between) {
    struct screen screen;
    const char *const *lines = LINES("one two |three |four five", "six |seven");
    struct sq_text_matches m = find(lines, "two three four five six");
    fill(&screen, lines);
    T_BUF(text, 1000);
    if (T_INT(m.count, 1)) {
        T(sq_match_append_words(&screen.text, &m.items[0], &text, &t_err));
        T(sq_span_is(sq_buf_span(&text), "two three four five six"));
        sq_buf_clear(&text);
        T(sq_match_append_lines(&screen.text, &m.items[0], &text, &t_err));
        T(sq_span_is(sq_buf_span(&text), "one two three four five six seven"));
    }
}

/* Columns further apart than a space are no row. */
T_CASE(a_row_ends_at_a_wide_gap) {
    struct screen screen;
    fill(&screen, LINES("one |two |three"));
    T_INT(sq_row_last(&screen.text, 0), 2);
    T_INT(sq_row_first(&screen.text, 2), 0);
    T(sq_row_has(&screen.text, 1, 2) && !sq_row_has(&screen.text, 1, 0));
    screen.lines[2].box.left += 11; /* the gap is 21, the height 20 */
    T_INT(sq_row_last(&screen.text, 0), 1);
    T_INT(sq_row_first(&screen.text, 2), 2);
    screen.lines[1].box.top = 11; /* less than half of the rows are shared */
    T_INT(sq_row_right(&screen.text, 0), -1);
}

T_CASE(a_short_word_may_have_a_line_of_its_own) {
    struct sq_phrase phrase;
    T_ARENA(arena, 100000);
    T_OK(sq_phrase_init(&phrase, SQ_SPAN("Continue to checkout"), &arena,
                        &t_err));
    T(sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 20, 20 }));
    T_OK(
        sq_phrase_init(&phrase, SQ_SPAN("Continuetocheckout"), &arena, &t_err));
    T(!sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 17, 20 }));
}

/* Below 80 percent a number is only a report, and no match for an action. */
T_CASE(a_doubtful_number_is_no_equal_match) {
    const char *const *lines = LINES("Battery 17% charged");
    confidence = 79;
    struct sq_text_matches m = find(lines, "17%");
    T(m.count == 1 && m.items[0].score < 1.0 && m.items[0].is_doubtful);
    T(find(lines, "Battery").items[0].score == 1.0);
    options.is_strict = true;
    m = find(lines, "Battery 17%");
    T_INT(m.count, 0);
    T(m.nearest.score > 0.9 && m.nearest.is_doubtful);
    T_INT(find(lines, "Battery").count, 1);
    confidence = 80;
    m = find(lines, "17%");
    T(m.count == 1 && m.items[0].score == 1.0);
    options.is_strict = false;
    confidence = 90;
}

/* The days of a month in columns: no number is found but those. */
T_CASE(numbers_of_a_calendar_are_not_joined) {
    const char *const *calendar =
        LINES("1 2 3 4 5 6 7", "8 9 10 11 12 13 14", "15 16 17 18 19 20 21",
              "22 23 24 25 26 27 28");
    for (int number = 1; number <= 300; number++) {
        char wanted[12];
        snprintf(wanted, sizeof(wanted), "%d", number);
        struct sq_text_matches m = find(calendar, wanted);
        if (!T_INT(m.count, number <= 28 ? 1 : 0)) {
            printf("# %d\n", number);
        } else if (m.count) {
            T(m.items[0].score == 1.0);
            T_INT(m.items[0].line, (number - 1) / 7);
            T_INT(m.items[0].first, (number - 1) % 7);
            T_INT(m.items[0].last, (number - 1) % 7);
        }
    }
    T_INT(find(calendar, "714").count, 0);
    T_INT(find(calendar, "7 8").count, 0);
    T_INT(find(calendar, "9 10").count, 1);
}

T_CASE(words_are_joined_only_over_narrow_gaps) {
    const struct {
        const char *lines[3];
        const char *wanted;
        bool is_found;
    } cases[] = {
        { { "the rapist" }, "therapist", false },
        { { "not able" }, "notable", false },
        { { "not\table" }, "notable", true },
        { { "Wi-\tFi" }, "Wi-Fi", true },
        { { "10 20 30" }, "1020", false },
        { { "10\t20 30" }, "1020", false },
        { { "10\t20 30" }, "20", false }, /* it may be 1020 */
        { { "10 20 30" }, "20", true },
        { { "1020" }, "10 20", false },
        { { "Signin" }, "Sign in", true },
        { { "iPhone15" }, "iPhone 15", true },
        { { "Sign", "in here" }, "signin", false },
        { { "Sign", "in here" }, "sign in", true },
        { { "Turn on Wi-", "Fi now" }, "Wi-Fi", true },
        { { "Pages 10-", "20 now" }, "10-20", false },
        { { "Room", "5 is free" }, "Room 5", true },
        { { "\350\256\276 \347\275\256" }, "\350\256\276\347\275\256", true },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_text_matches m = find(cases[i].lines, cases[i].wanted);
        if (!T_INT(m.count, cases[i].is_found)) {
            printf("# %s, %s\n", cases[i].lines[0], cases[i].wanted);
        }
    }
    T(find(LINES("not\table"), "notable").items[0].score < 1.0);
    T(find(LINES("Signin"), "Sign in").items[0].score < 1.0);
}

/* What is found. REPORT: with a score below 1, and not before an action. */
struct number_case {
    const char *text;
    const char *wanted;
    enum { NOT, REPORT, FOUND } is;
};

static void
check_numbers(const struct number_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct sq_text_matches m = find(LINES(cases[i].text), cases[i].wanted);
        bool ok = T_INT(m.count, cases[i].is != NOT);
        T(cases[i].is != REPORT || m.items[0].score < 1.0);
        options.is_strict = true;
        m = find(LINES(cases[i].text), cases[i].wanted);
        options.is_strict = false;
        if (!T_INT(m.count, cases[i].is == FOUND) || !ok) {
            printf("# %s, %s\n", cases[i].text, cases[i].wanted);
        }
    }
}

T_CASE(numbers_are_units_with_their_signs) {
    static const struct number_case cases[] = {
        { "Balance -250.00", "-250.00", FOUND },
        { "Balance \342\210\222250.00", "-250.00", FOUND },
        { "Balance -250.00", "Balance -250.00", FOUND },
        { "Balance -250.00", "250.00", REPORT },
        { "Balance -250.00", "Balance 250.00", REPORT },
        { "Balance -250.00", "+250.00", NOT },
        { "Balance -250.00", "$250.00", NOT },
        { "Balance -250.00", "-250", NOT },
        { "Balance -250.00", "Balance", FOUND },
        { "Balance $250.00", "250.00", REPORT },
        { "Balance \342\202\254250.00", "250.00", REPORT },
        { "Balance \342\202\254250.00", "$250.00", NOT },
        { "Balance -$250.00", "-$250.00", FOUND },
        { "Balance -$250.00", "-250.00", REPORT },
        { "Balance -$250.00", "$250.00", REPORT },
        { "Balance - 250.00", "250.00", FOUND },
        { "Balance -\t250.00", "250.00", REPORT },
        { "1,204.50 EUR", "1,204.50", FOUND },
        { "1,204.50 EUR", "1,204", NOT },
        { "1,204.50 EUR", "204", NOT },
        { "1,204.50 EUR", "50", NOT },
        { "1,204.50 EUR", "50 EUR", NOT },
        { "1.204 EUR", "1,204", REPORT },
        { "Version 2.10.3", "2.10", NOT },
        { "Version 2.10.3", "Version 2.10", NOT },
        { "Version 2.10.", "2.10", FOUND },
        { "at 12:30:15", "12:30", NOT },
        { "at 12:30, today", "12:30", FOUND },
        { "at 12;30 today", "12:30", NOT },
        { "10-20", "$10", NOT },
        { "10-20", "10", NOT },
        { "10 - 20", "10-20", NOT },
        { "10-20", "10 -20", NOT },
        { "10 - 20", "10 20", NOT },
        { "5", "-5", NOT },
        { "5", "#5", NOT },
        { "5", "5%", NOT },
        { "5%", "5", REPORT },
        { "99+", "99", REPORT },
        { ".5", "5", REPORT },
        { "(5)", "5", FOUND },
        { "Items: 5.", "5", FOUND },
        { "Score:5", "Score: 5", FOUND },
        { "GPT-4", "4", NOT },
        { "GPT-4", "-4", NOT },
        { "GPT-4", "GPT-4", FOUND },
        { "5GB free", "5", NOT },
        { "iPhone15", "iPhone", NOT },
        { "Top 5!", "Top 51", REPORT }, /* ! is also how a 1 is misread */
        { "Wi-Fi", "Fi", FOUND },
        { "user_name@example.com", "name", NOT },
        { "user_name@example.com", "user_name", FOUND },
        { "15O", "150", FOUND },
    };
    check_numbers(cases, SQ_COUNT(cases));
}

T_CASE(digits_find_numbers_in_groups) {
    static const struct number_case cases[] = {
        { "1,204 EUR", "1204", REPORT },
        { "-$1,204", "1204", REPORT },
        { "1.204.000 EUR", "1204000", REPORT },
        { "1'204'000 EUR", "1204000", REPORT },
        { "1,204.000 EUR", "1204000", NOT },
        { "1,204,00 EUR", "120400", NOT },
        { "1.204,50 EUR", "1204", NOT },
        { "1,204,000", "1204", NOT },
        { "1,204,000", "204000", NOT },
        { "12,041 EUR", "1204", NOT },
        { "1,204 EUR", "12", NOT },
        { "1,204 EUR", "11204", NOT },
        { "1,204 EUR", "204", NOT },
        { "12,04 EUR", "1204", NOT },
        { "0.204 EUR", "0204", NOT },
        { "1:204", "1204", NOT },
        { "1,\t204", "1204", REPORT },
        { "1 204", "1204", NOT },
        { "1,204", "Total 1204", NOT },
    };
    check_numbers(cases, SQ_COUNT(cases));
}

T_CASE(parts_of_numbers_are_never_contained) {
    options.may_split_word = true;
    options.is_strict = true;
    T_INT(find(LINES("1,204.50"), "204").count, 0);
    T_INT(find(LINES("1,204.50"), "1,204").count, 0);
    T_INT(find(LINES("-250.00"), "250.00").count, 0);
    T_INT(find(LINES("iPhone15"), "phone15").count, 1);
    T_INT(find(LINES("iPhone15"), "15").count, 1);
    T_INT(find(LINES("Loading..."), "...").count, 1);
    options.may_split_word = false;
    options.is_strict = false;
}

static unsigned
next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void
make_number(unsigned *state, char *out, size_t size) {
    static const char *const signs[] = { "", "", "-", "+", "$", "#" };
    static const char *const separators[] = { ".", ",", ":", "-", "/" };
    static const char *const ends[] = { "", "", "", "%" };
    char rest[16] = "";
    /* One by one: the order in which arguments are computed is not defined. */
    const char *sign = signs[next_random(state) % 6];
    unsigned whole = next_random(state) % 6;
    if (next_random(state) % 2) {
        const char *separator = separators[next_random(state) % 5];
        snprintf(rest, sizeof(rest), "%s%u", separator, next_random(state) % 3);
    }
    snprintf(out, size, "%s%u%s%s", sign, whole, rest,
             ends[next_random(state) % 4]);
}

/* Before an action, a number is found if and only if it is a word. */
T_CASE(exactly_the_numbers_on_the_screen_are_found) {
    unsigned state = 7;
    int found = 0;
    options.is_strict = true;
    for (int round = 0; round < 3000; round++) {
        char words[6][24];
        char lines[2][160];
        char wanted[24];
        bool is_there = false;
        make_number(&state, wanted, sizeof(wanted));
        for (int i = 0; i < 6; i++) {
            make_number(&state, words[i], sizeof(words[i]));
            is_there = is_there || strcmp(words[i], wanted) == 0;
        }
        for (int i = 0; i < 2; i++) {
            snprintf(lines[i], sizeof(lines[i]), "%s %s %s", words[3 * i],
                     words[3 * i + 1], words[3 * i + 2]);
        }
        struct sq_text_matches m = find(LINES(lines[0], lines[1]), wanted);
        if (!T_INT(m.count > 0, is_there)) {
            printf("# %s in %s / %s\n", wanted, lines[0], lines[1]);
            break;
        }
        found += is_there;
    }
    T(found > 50);
    options.is_strict = false;
}

T_CASE(signs_alone_are_not_parts_of_words) {
    T_INT(find(LINES("Wi-Fi"), "\342\200\224").count, 0);
    T_INT(find(LINES("Loading..."), "...").count, 0);
    T_INT(find(LINES("Home \342\200\224 Page"), "\342\200\224").count, 1);
}

T_CASE(the_nearest_text_has_as_many_words) {
    struct sq_text_matches m = find(LINES("Sign up now"), "Sign in");
    T_INT(m.count, 0);
    T_INT(m.nearest.first, 0);
    T_INT(m.nearest.last, 1);
}

T_CASE(what_looks_alike_costs_little) {
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
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_text_matches m = find(LINES(cases[i].text), cases[i].wanted);
        if (T_INT(m.count, 1)) {
            T(m.items[0].score >= cases[i].least);
        }
    }
}

T_CASE(words_that_are_not_sure_may_have_errors) {
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

T_CASE(another_text_is_the_nearest_and_no_match) {
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
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        struct sq_text_matches m = find(LINES(pairs[i][0]), pairs[i][1]);
        if (!T_INT(m.count, 0) || !T(m.nearest.score >= 0.5)) {
            printf("# %s, %s\n", pairs[i][0], pairs[i][1]);
        }
    }
}

T_CASE(parts_of_words_but_not_of_numbers_if_allowed) {
    options.may_split_word = true;
    T_INT(find(LINES("Unsubscribe"), "subscribe").count, 1);
    T_INT(find(LINES("Score 12"), "core 1").count, 0);
    T_INT(find(LINES("Score 12"), "core 12").count, 1);
    options.may_split_word = false;
}

T_CASE(a_label_contains_a_phrase) {
    struct sq_phrase phrase;
    bool is_in = false;
    T_ARENA(arena, 100000);
    T_OK(sq_phrase_init(&phrase, SQ_SPAN("Score 4"), &arena, &t_err));
    T(sq_phrase_is_in(&phrase, SQ_SPAN("Your Score 4 2 left"), &is_in, &t_err));
    T(is_in);
    T(sq_phrase_is_in(&phrase, SQ_SPAN("Your Score 5"), &is_in, &t_err));
    T(!is_in);
}

T_CASE(other_words_are_near_misses_or_nothing) {
    struct sq_text_matches m = find(LINES("Sign up", "Help"), "Sign in");
    T_INT(m.count, 0);
    T(m.nearest.score >= 0.5 && m.nearest.score < SQ_MATCH_SCORE);
    T_INT(m.nearest.line, 0);
    m = find(LINES("Completely different"), "Buy");
    T_INT(m.count, 0);
    T_INT(find(LINES("cat"), "car").count, 0);
}

T_CASE(better_matches_come_first) {
    struct sq_text_matches m =
        find(LINES("Sett1ngs", "Settings", "Resettings"), "settings");
    if (T_INT(m.count, 2)) {
        T_INT(m.items[0].line, 1);
        T(m.items[0].score > m.items[1].score);
    }
}

T_CASE(nothing_to_find_is_refused) {
    struct sq_phrase phrase;
    static const char *const bad[] = { "", "   ", "\xff" };
    T_ARENA(arena, 100000);
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_FAILS(sq_phrase_init(&phrase, sq_span_of(bad[i]), &arena, &t_err),
                SQ_ERR_ARGUMENT);
    }
}

T_CASE(narrow_lines_are_not_read) {
    struct sq_phrase phrase;
    T_ARENA(arena, 100000);
    T_OK(sq_phrase_init(&phrase, SQ_SPAN("Notification settings"), &arena,
                        &t_err));
    T(!sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 20, 30 }));
    T(sq_phrase_may_fit(&phrase, (struct sq_rect){ 0, 0, 150, 30 }));
}

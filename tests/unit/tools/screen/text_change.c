/* Compares lines of text as they were read before and after an action. */
#include "tools/screen/text_change.h"

#include "support/test.h"

#define MAX_WORDS 5
#define HEIGHT 30
#define LETTER 10

static struct sq_word words[2][3][MAX_WORDS];
static struct sq_text_line lines[2][3];
static struct sq_text texts[2];
static struct sq_fields no_fields[2];
/* Where the pictures differ. */
static const struct sq_eye_areas everywhere = {
    .count = 1, .items = { { 0, 0, 900, 1000 } }
};
static struct sq_eye_areas where; /* empty: everywhere */

/* Words are separated by spaces; one that begins with "?" was hardly read. */
static void
add_line(int state, int top, const char *text) {
    struct sq_text *all = &texts[state];
    struct sq_text_line *line = &lines[state][all->count];
    struct sq_word *items = words[state][all->count];
    struct sq_span rest = sq_span_of(text);
    int column = 0;
    *line = (struct sq_text_line){ .box = { 0, top, 900, top + HEIGHT },
                                   .words = { items, 0 },
                                   .is_read = true };
    while (rest.len > 0 && T(line->words.count < MAX_WORDS)) {
        struct sq_word *word = &items[line->words.count++];
        *word = (struct sq_word){ .box = line->box, .confidence = 90 };
        word->box.left = column * LETTER;
        if (sq_span_take_prefix(&rest, "?")) {
            word->confidence = 40;
        }
        if (!sq_span_take_until(&rest, ' ', &word->text)) {
            word->text = rest;
            rest.len = 0;
        }
        column += (int)word->text.len + 1;
        word->box.right = (column - 1) * LETTER;
    }
    all->lines = lines[state];
    all->count++;
}

/* The lines of the difference, joined by "; ". */
static const char *
lines_of_change(void) {
    static char out[400];
    struct sq_arena arena;
    struct sq_word_change change = { 0 };
    const struct sq_fields *fields[2] = { &no_fields[0], &no_fields[1] };
    sq_arena_init(&arena, (size_t)1 << 20);
    struct sq_call call = { .arena = &arena };
    size_t used = 0;
    out[0] = '\0';
    T(sq_text_change_compare(&call, texts, fields,
                             where.count ? &where : &everywhere, &change));
    for (int i = 0; i < change.count; i++) {
        used += (size_t)snprintf(out + used, sizeof(out) - used, "%s%.*s",
                                 i ? "; " : "", SQ_SPAN_ARGS(change.lines[i]));
    }
    sq_arena_finish(&arena);
    texts[0].count = texts[1].count = 0;
    return out;
}

/* What differs in one line that was read twice, at the same place. */
static const char *
difference(const char *before, const char *after) {
    add_line(0, 100, before);
    add_line(1, 100, after);
    return lines_of_change();
}

T_BARE_CASE(lines_that_changed_are_named) {
    T_STR(difference("4G, 2.1GB used", "4G, 2.2GB used"),
          "+ 4G, 2.2GB used; - 4G, 2.1GB used");
    T_STR(difference("Cart", "Cart"), "");
}

T_BARE_CASE(a_word_that_was_hardly_read_is_no_change) {
    T_STR(difference("4G, 2.1GB used", "4G, ?21G8 used"), "");
    T_STR(difference("4G, ?21G8 used", "4G, 2.1GB used"), "");
    T_STR(difference("?4C 2.1GB used", "4G, 2.1GB used"), "");
    T_STR(difference("4G, 2.1GB ?usea", "4G, ?21G8 used"), "");
    T_STR(difference("?Gart", "Cart"), "");
    T_STR(difference("Cart", "?Gart ?full"), "");
}

T_BARE_CASE(the_rest_of_such_a_line_is_compared) {
    T_STR(difference("4G, ?21G8 used", "5G, 2.1GB used"),
          "+ 5G, 2.1GB used; - 4G, \xe2\x80\xa6 used");
    T_STR(difference("4G, 2.1GB used", "4G, ?21G8 free"),
          "+ 4G, \xe2\x80\xa6 free; - 4G, 2.1GB used");
    T_STR(difference("4G used", "4G, ?21G8 used"),
          "+ 4G, \xe2\x80\xa6 used; - 4G used");
    /* The start and the end of the longer one would overlap in the other. */
    T_STR(difference("on and on", "on and ?xx and on"),
          "+ on and \xe2\x80\xa6 and on");
}

T_BARE_CASE(signs_that_were_hardly_read_are_left_out) {
    T_STR(difference("?@ Cart ?|", "Cart"), "");
    T_STR(difference("?@", "Cart"), "+ Cart");
}

/* A field that gets the focus shows one, at either end of its text. */
T_BARE_CASE(a_cursor_is_no_letter) {
    T_STR(difference("Ada", "Adal"), "");
    T_STR(difference("Ada I", "Ada"), "");
    T_STR(difference("Username", "|Username"), "");
    T_STR(difference("Username", "l Username"), "");
    T_STR(difference("Item 1", "Item 11"), "+ Item 11; - Item 1");
    T_STR(difference("Ada", "Adalyn"), "+ Adalyn; - Ada");
    add_line(0, 100, "Ada");
    add_line(1, 500, "Adal");
    T_STR(lines_of_change(), "+ Adal; - Ada");
}

/* A line of which nothing is sure hides no line of another place. */
T_BARE_CASE(unsure_lines_stand_for_their_place_only) {
    add_line(0, 100, "?Gart");
    add_line(0, 300, "Menu");
    add_line(1, 100, "Cart");
    add_line(1, 500, "Paid");
    T_STR(lines_of_change(), "+ Paid; - Menu");
}

/* A touched icon is shown as pressed; the names beside it are not read again.
 */
T_BARE_CASE(a_line_that_is_read_in_pieces_has_not_changed) {
    where = (struct sq_eye_areas){ .count = 1, .items = { { 0, 90, 85, 60 } } };
    T_STR(difference("Settings Login Shop", "Settings"), "");
    T_STR(difference("Settings", "Settings Login Shop"), "");
    T_STR(difference("Settings Login Shop", "Set-up"),
          "+ Set-up; - Settings Login Shop");
    where.count = 0;
    T_STR(difference("Settings Login Shop", "Settings"),
          "- Settings Login Shop");
}

/* Such as a hint with a cursor, or on an area that is pressed. */
T_BARE_CASE(what_could_not_be_read_may_be_the_same) {
    T_STR(difference("Username", ""), "");
    T_STR(difference("", "Username"), "");
    add_line(0, 100, "");
    add_line(1, 120, "It is in your cart");
    T_STR(lines_of_change(), "+ It is in your cart");
}

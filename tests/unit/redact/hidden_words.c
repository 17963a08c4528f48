/* Secrets that a recogniser has read in pieces are hidden whole. */
#include "redact/redact.h"

#include "support/test.h"

#define MAX_PIECES 8

/* A word and where it begins; letters are 10 wide and 20 high. */
struct piece {
    const char *text;
    int left;
    bool is_new_line; /* the line finder has separated it */
    bool is_hidden;
    int more_height; /* above and below */
};

static struct sq_config config;

static void
check(const struct piece *pieces) {
    struct sq_word words[MAX_PIECES] = { 0 };
    struct sq_text_line lines[MAX_PIECES] = { 0 };
    struct sq_text text = { .lines = lines };
    T_FREED(sq_row_words_finish) struct sq_row_words found = { 0 };
    int place[MAX_PIECES] = { 0 };
    int count = 0;
    for (; pieces[count].text; count++) {
        const struct piece *piece = &pieces[count];
        struct sq_rect box = { piece->left, 100 - piece->more_height,
                               piece->left + 10 * (int)strlen(piece->text),
                               120 + piece->more_height };
        words[count] = (struct sq_word){ .text = sq_span_of(piece->text),
                                         .box = box,
                                         .confidence = 90 };
        if (count == 0 || piece->is_new_line) {
            lines[text.count++] = (struct sq_text_line){
                .box = box, .words = { &words[count], 0 }, .is_read = true
            };
        }
        struct sq_text_line *line = &lines[text.count - 1];
        line->box = sq_rect_join(line->box, box);
        place[count] = text.count - 1;
        line->words.count++;
    }
    static const char *const presets[] = { "cards", "emails", "keys" };
    static const char *const patterns[] = { "PO-[0-9]{6}" };
    struct sq_redact_rules *rules = NULL;
    sq_config_defaults(&config);
    config.redact.presets = (struct sq_strings){ presets, 3 };
    config.redact.patterns = (struct sq_strings){ patterns, 1 };
    T_OK(sq_redact_rules_create(&config, &rules, &t_err));
    T_OK(sq_row_words_find(rules, &text, &found, &t_err));
    T_INT((int)found.count, count);
    for (size_t i = 0; i < found.count; i++) {
        const struct sq_row_word *at = &found.items[i];
        int k = (int)(&lines[at->line].words.items[at->index] - words);
        if (!T(at->is_hidden == pieces[k].is_hidden)) {
            printf("# %s in line %d\n", pieces[k].text, place[k]);
        }
    }
    sq_redact_rules_destroy(rules);
}

T_CASE(pieces_of_a_row_are_joined) {
    check((const struct piece[]){ { "Card", 0, false, false, 0 },
                                  { "4111", 60, false, true, 0 },
                                  { "1111", 140, true, true, 0 },
                                  { "1111", 220, true, true, 0 },
                                  { "1111", 300, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
    /* In any order of the lines. */
    check((const struct piece[]){ { "1111", 220, false, true, 0 },
                                  { "1111", 300, false, true, 0 },
                                  { "4111", 60, true, true, 0 },
                                  { "1111", 140, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
}

T_CASE(spaces_inside_a_secret_are_ignored) {
    check((const struct piece[]){ { "Mail", 0, false, false, 0 },
                                  { "ada.lovelace@", 50, false, true, 0 },
                                  { "example", 190, false, true, 0 },
                                  { ".com", 268, false, true, 0 },
                                  { "today", 320, false, false, 0 },
                                  { NULL, 0, false, false, 0 } });
    /* No space at all: the pieces touch. */
    check((const struct piece[]){ { "ada.love", 0, false, true, 0 },
                                  { "lace@example.com", 82, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
    check((const struct piece[]){ { "PO-123", 0, false, true, 0 },
                                  { "456", 62, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
}

/* The ends of a frame are read as high signs, a picture as high letters. */
T_CASE(high_neighbours_do_not_show_a_secret) {
    check((const struct piece[]){ { "(", 0, false, false, 40 },
                                  { "Order", 30, true, false, 0 },
                                  { "PO-123456", 90, false, true, 0 },
                                  { ")", 200, true, false, 40 },
                                  { NULL, 0, false, false, 0 } });
    check((const struct piece[]){ { "IMI", 0, false, false, 40 },
                                  { "PO-123", 40, true, true, 0 },
                                  { "456", 102, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
}

T_CASE(the_tail_of_a_key_is_hidden) {
    check(
        (const struct piece[]){ { "key", 0, false, false, 0 },
                                { "sk-live-12abcd34efgh", 50, false, true, 0 },
                                { "56ijkl", 260, false, true, 0 },
                                { "78qrst", 330, true, true, 0 },
                                { "end", 400, false, false, 0 },
                                { NULL, 0, false, false, 0 } });
}

/* As read in a real picture: signs between letters, pieces of letters. */
T_CASE(noise_between_parts_is_ignored) {
    check((const struct piece[]){ { "4111-:", 0, false, true, 0 },
                                  { "1111-:", 55, true, true, 0 },
                                  { "1111-:", 110, true, true, 0 },
                                  { "1111", 165, true, true, 0 },
                                  { NULL, 0, false, false, 0 } });
    check(
        (const struct piece[]){ { "ghp_16C7e42F292c6912", 0, false, true, 0 },
                                { ":7710c838347Ae178B4a", 215, true, true, 0 },
                                { NULL, 0, false, false, 0 } });
    check((const struct piece[]){ { "sk-proj-abcdEF", 0, false, true, 0 },
                                  { "GH", 145, true, true, 0 },
                                  { "12", 176, true, true, 0 },
                                  { "34ijkIMNOP5678qrst", 200, true, true, 0 },
                                  { NULL, 0, false, false, 0 } });
    check((const struct piece[]){ { "key", 0, false, false, 0 },
                                  { "sk-proj", 50, false, true, 0 },
                                  { "-abcdEFGH1234ij", 126, false, true, 0 },
                                  { "kLMNOP5678qrst", 282, false, true, 0 },
                                  { NULL, 0, false, false, 0 } });
}

T_CASE(other_words_are_shown) {
    check((const struct piece[]){ { "Ask", 0, false, false, 0 },
                                  { "me", 40, false, false, 0 },
                                  { "about", 70, false, false, 0 },
                                  { "something", 130, false, false, 0 },
                                  { "entirely", 230, false, false, 0 },
                                  { NULL, 0, false, false, 0 } });
}

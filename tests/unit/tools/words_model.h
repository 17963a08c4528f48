/*
 * The words on the demo phone's screen, from its own scene, and the comparison
 * of the words in a receipt with those before and after the action.
 */
#ifndef SQ_TEST_TOOLS_WORDS_MODEL_H
#define SQ_TEST_TOOLS_WORDS_MODEL_H

#include "unit/tools/phone_model.h"

#define MAX_TEXTS (3 * MAX_ITEMS)

/* All texts that can be seen, and the states of switches and checkboxes. */
struct words {
    char texts[MAX_TEXTS][TEXT_SIZE];
    int count;
    int chosen[2]; /* how many boxes are not checked, and checked */
    bool has_message;
    char drawn[TEXT_SIZE]; /* without elements: the time, which was noon */
};

static struct words words_before;
static struct words words_after;

/* Of receipts: words, rows, lines of words, receipts with neither. */
static int said[4];

static inline void
add_words(struct words *words, struct sq_span text) {
    if (text.len > 0 && T(words->count < MAX_TEXTS)) {
        snprintf(words->texts[words->count++], TEXT_SIZE, "%.*s",
                 SQ_SPAN_ARGS(text));
    }
}

static inline void
read_words(struct sq_phone *phone, struct words *words) {
    struct sq_scene scene;
    struct sq_err err = { 0 };
    const char *hint = "";
    words->count = words->chosen[0] = words->chosen[1] = 0;
    words->has_message = phone->snack[0] != '\0';
    words->drawn[0] = '\0';
    if (phone->asleep || !T_OK(sq_phone_scene(phone, &scene, &err), &err)) {
        return;
    }
    for (const struct sq_item *item = scene.root; item;
         item = sq_item_after(item)) {
        const struct sq_widget *widget = item->widget;
        if (sq_rect_is_empty(item->seen)) {
            continue;
        }
        if (!widget->secret) {
            add_words(words, item->text);
        }
        add_words(words, sq_span_of(widget->desc ? widget->desc : ""));
        if (item->text.len == 0 && widget->secret) {
            hint = widget->hint; /* no label, but it can be read */
        } else if (item->text.len == 0) {
            add_words(words, sq_span_of(widget->hint ? widget->hint : ""));
        }
        if (sq_item_is(item, SQ_SWITCH) || sq_item_is(item, SQ_CHECKBOX)) {
            words->chosen[widget->chosen(phone, widget)]++;
        }
    }
    sq_scene_finish(&scene);
    const int minute = (int)(sq_clock_monotonic_ns() / 60000000000);
    snprintf(words->drawn, sizeof(words->drawn), "%02d:%02d Score %d %s",
             12 + minute / 60, minute % 60, phone->score, hint);
}

static inline int
times_shown(const struct words *words, const char *text, size_t len) {
    int times = 0;
    for (int i = 0; i < words->count; i++) {
        times += is_start_of(text, len, words->texts[i]);
    }
    return times;
}

/*
 * Whether a label consists of texts that are shown, joined by ", ", which may
 * also be part of one. *grown: one of them is shown more often than in `other`.
 */
static inline bool
is_shown(const struct words *words, const struct words *other,
         const char *label, bool *grown) {
    for (size_t len = strlen(label); len > 0; len--) {
        bool ends = label[len] == '\0';
        int times = ends || !strncmp(label + len, ", ", 2)
                      ? times_shown(words, label, len)
                      : 0;
        if (times > 0
            && (ends || is_shown(words, other, label + len + 2, grown))) {
            *grown = *grown || times > times_shown(other, label, len);
            return true;
        }
    }
    return false;
}

/*
 * Whether a line with that sign is about the same: a label may get longer or
 * shorter. It may also be one for which there was no space.
 */
static inline bool
has_counterpart(const struct sq_json *now, bool is_cut, char sign,
                const char *label) {
    char piece[TEXT_SIZE];
    snprintf(piece, sizeof(piece), "%.*s", (int)strcspn(label, ","), label);
    for (const struct sq_json *at = sq_json_first(now); at && !is_cut;
         at = sq_json_next(at)) {
        char line[400];
        struct sq_span text = { 0 };
        sq_json_string(at, &text);
        snprintf(line, sizeof(line), "%.*s", SQ_SPAN_ARGS(text));
        is_cut = line[0] == sign && strstr(line, piece);
    }
    return is_cut;
}

/* Returns whether a word is one of those in a text. */
static inline bool
has_word(const char *text, const char *word) {
    const size_t len = strlen(word);
    const char *at = strstr(text, word);
    while (at
           && ((at > text && at[-1] != ' ') || (at[len] && at[len] != ' '))) {
        at = strstr(at + 1, word);
    }
    return at != NULL;
}

static inline int
times_read(const struct words *words, const char *word) {
    int times = has_word(words->drawn, word);
    for (int i = 0; i < words->count; i++) {
        times += has_word(words->texts[i], word);
    }
    return times;
}

/*
 * A line that was read in the pixels: each of its words is shown, and one of
 * them was not, or more seldom. A message covers what is there.
 */
static inline bool
is_true_read(const char *line, const struct words *now,
             const struct words *other) {
    char copy[400];
    char *rest = copy;
    bool grown = now->has_message != other->has_message;
    snprintf(copy, sizeof(copy), "%s", line);
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
        if (strcmp(word, "\xe2\x80\xa6") == 0) {
            continue;
        }
        if (times_read(now, word) == 0) {
            return false;
        }
        grown = grown || times_read(now, word) > times_read(other, word);
    }
    return grown;
}

/* One line of a receipt that names elements; *grown as above. */
static inline bool
is_true_line(const struct sq_json *now, bool is_cut, const char *line,
             bool is_disturbed) {
    const char *label = line + 2;
    bool grown = false;
    if (line[0] == '+') {
        return is_shown(&words_after, &words_before, label, &grown)
            && (grown || is_disturbed
                || has_counterpart(now, is_cut, '-', label));
    }
    if (line[0] == '-') {
        return is_disturbed
            || (is_shown(&words_before, &words_after, label, &grown)
                && (grown || has_counterpart(now, is_cut, '+', label)));
    }
    const char *state = strrchr(label, ':') ? strrchr(label, ':') + 2 : "";
    int is_on = !strcmp(state, "checked") - !strcmp(state, "unchecked");
    return line[0] == '='
        && (is_on == 0 || is_disturbed
            || (words_after.chosen[is_on > 0]
                > words_before.chosen[is_on > 0]));
}

/* One line of a receipt that was read in the pixels. */
static inline bool
is_true_text(const char *line, bool is_disturbed) {
    return line[0] == '+'
             ? is_true_read(line + 2, &words_after, &words_before)
             : line[0] == '-'
                   && (is_disturbed
                       || is_true_read(line + 2, &words_before, &words_after));
}

/* Whether a text is in a line or row of the answer, at least its beginning. */
static inline bool
is_told(const struct sq_json *list, const char *text) {
    for (const struct sq_json *at = sq_json_first(list); at;
         at = sq_json_next(at)) {
        struct sq_span line = { 0 };
        sq_json_string(at, &line);
        if (strstr(t_text("%.*s", SQ_SPAN_ARGS(line)), text)) {
            return true;
        }
    }
    return false;
}

/*
 * Compares the words of a receipt: every one is true, and unless there are more
 * than it has space for, none is missing that appeared.
 */
static inline bool
check_words(struct sq_phone *phone, const struct sq_json *answer,
            bool is_disturbed) {
    const struct sq_json *now = sq_json_get(answer, "now");
    const struct sq_json *rows = sq_json_get(answer, "elements");
    bool is_cut =
        sq_json_get(answer, "more") || sq_json_get(answer, "totalCount");
    bool ok = true;
    struct sq_span by = { 0 };
    sq_json_string(sq_json_get(answer, "by"), &by);
    const bool is_read = sq_span_is(by, "text");
    read_words(phone, &words_after);
    said[now ? 0 : rows ? 1 : 3]++;
    for (const struct sq_json *at = sq_json_first(now); at;
         at = sq_json_next(at)) {
        struct sq_span line = { 0 };
        sq_json_string(at, &line);
        const char *copy = t_text("%.*s", SQ_SPAN_ARGS(line));
        said[2]++;
        if (!T(is_read ? is_true_text(copy, is_disturbed)
                       : is_true_line(now, is_cut, copy, is_disturbed))) {
            printf("# not true: %s\n", copy);
            ok = false;
        }
    }
    /* Not all text can be read. */
    is_cut = is_cut || is_read;
    for (int i = 0; (now || rows) && !is_cut && i < words_after.count; i++) {
        const char *text = words_after.texts[i];
        bool is_new = times_shown(&words_before, text, strlen(text)) == 0;
        if (is_new && !T(is_told(now, text) || is_told(rows, text))) {
            printf("# missing: %s\n", text);
            ok = false;
        }
    }
    return ok;
}

/* A receipt that was not asked to be fast says what has changed. */
static inline void
check_told(const struct sq_json *answer, const char *json) {
    const struct sq_json *changed = sq_json_get(answer, "changed");
    if (changed && !sq_json_is(changed, SQ_JSON_NULL)
        && !T(sq_json_get(answer, "now") || sq_json_get(answer, "elements"))) {
        printf("# %s\n", json);
    }
}

static int late_lines;

/* Words of a late change, in the answer of a call that changes nothing. */
static inline void
check_late_words(struct sq_phone *phone, const char *json) {
    const struct sq_json *answer = NULL;
    T_ARENA(arena, (size_t)4 << 20);
    sq_json_parse(sq_span_of(json), &arena, &answer, NULL);
    const struct sq_json *now =
        sq_json_get(sq_json_get(answer, "sinceLastAction"), "now");
    read_words(phone, &words_after);
    for (const struct sq_json *at = sq_json_first(now); at;
         at = sq_json_next(at)) {
        struct sq_span line = { 0 };
        char copy[400];
        bool grown = false;
        sq_json_string(at, &line);
        snprintf(copy, sizeof(copy), "%.*s", SQ_SPAN_ARGS(line));
        late_lines++;
        T(copy[0] != '+'
          || is_shown(&words_after, &words_before, copy + 2, &grown));
    }
}

#endif

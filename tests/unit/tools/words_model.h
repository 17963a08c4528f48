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
    words->count = words->chosen[0] = words->chosen[1] = 0;
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
        if (item->text.len == 0) {
            add_words(words, sq_span_of(widget->hint ? widget->hint : ""));
        }
        if (sq_item_is(item, SQ_SWITCH) || sq_item_is(item, SQ_CHECKBOX)) {
            words->chosen[widget->chosen(phone, widget)]++;
        }
    }
    sq_scene_finish(&scene);
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

/* One line of a receipt; *grown as above. */
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

/* Whether a text is in a line or row of the answer, at least its beginning. */
static inline bool
is_told(const struct sq_json *list, const char *text) {
    for (const struct sq_json *at = sq_json_first(list); at;
         at = sq_json_next(at)) {
        struct sq_span line = { 0 };
        char copy[400];
        sq_json_string(at, &line);
        snprintf(copy, sizeof(copy), "%.*s", SQ_SPAN_ARGS(line));
        if (strstr(copy, text)) {
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
    read_words(phone, &words_after);
    said[now ? 0 : rows ? 1 : 3]++;
    for (const struct sq_json *at = sq_json_first(now); at;
         at = sq_json_next(at)) {
        struct sq_span line = { 0 };
        char copy[400];
        sq_json_string(at, &line);
        snprintf(copy, sizeof(copy), "%.*s", SQ_SPAN_ARGS(line));
        said[2]++;
        if (!T(is_true_line(now, is_cut, copy, is_disturbed))) {
            printf("# not true: %s\n", copy);
            ok = false;
        }
    }
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

#endif

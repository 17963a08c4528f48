/*
 * A copy of the demo phone's own scene, taken before an action changes it, and
 * the comparison of an element in a receipt with it.
 */
#ifndef SQ_TEST_TOOLS_PHONE_MODEL_H
#define SQ_TEST_TOOLS_PHONE_MODEL_H

#include "demo/phone/phone.h"
#include "json/reader.h"
#include "support/test.h"
#include "util/span.h"

#define MAX_ITEMS 500
#define TEXT_SIZE 160

/* The content of the phone's screen, copied before it changes. */
struct item {
    struct sq_rect seen;
    int parent; /* -1: none */
    enum sq_widget_kind kind;
    char id[TEXT_SIZE];
    char text[TEXT_SIZE];
    char desc[TEXT_SIZE];
    char hint[TEXT_SIZE];
};

static struct item items[MAX_ITEMS];
static const struct sq_item *sources[MAX_ITEMS];
static int item_count;

static inline void
copy_text(char out[TEXT_SIZE], const char *text) {
    snprintf(out, TEXT_SIZE, "%s", text ? text : "");
}

static inline int
position_of(const struct sq_item *source) {
    int at = item_count - 1;
    while (at >= 0 && sources[at] != source) {
        at--;
    }
    return at;
}

static inline void
read_phone(struct sq_phone *phone) {
    T_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    item_count = 0;
    if (phone->asleep || !T_OK(sq_phone_scene(phone, &scene, &t_err))) {
        return;
    }
    for (const struct sq_item *from = scene.root;
         from && item_count < MAX_ITEMS; from = sq_item_after(from)) {
        struct item *item = &items[item_count];
        *item = (struct item){
            .seen = from->seen,
            .parent = position_of(from->parent),
            .kind = from->widget->kind,
        };
        copy_text(item->id, from->widget->id);
        copy_text(item->desc, from->widget->desc);
        copy_text(item->hint, from->widget->hint);
        snprintf(item->text, TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(from->text));
        sources[item_count++] = from;
    }
    T(item_count < MAX_ITEMS);
}

static inline bool
is_inside(int at, int ancestor) {
    while (at >= 0 && at != ancestor) {
        at = items[at].parent;
    }
    return at == ancestor;
}

/* The topmost item at a point, like touches find it. */
static inline int
topmost_at(struct sq_dev_pt point) {
    int found = -1;
    for (int i = 0; i < item_count; i++) {
        if (sq_rect_contains(items[i].seen, point.x, point.y)) {
            found = i;
        }
    }
    return found;
}

/* Long labels are cut with an ellipsis. */
static inline bool
is_start_of(const char *piece, size_t len, const char *text) {
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t cut = sizeof(ellipsis) - 1;
    if (len > cut && memcmp(piece + len - cut, ellipsis, cut) == 0) {
        return strncmp(piece, text, len - cut) == 0;
    }
    return strlen(text) == len && memcmp(piece, text, len) == 0;
}

/*
 * Whether a label is made of texts of the item and of what is inside it,
 * joined by ", ", which may also be part of a text.
 */
static inline bool
has_label(int at, const char *label) {
    for (int i = 0; i < item_count; i++) {
        const char *const texts[] = { items[i].text, items[i].desc,
                                      items[i].hint };
        for (size_t t = 0; is_inside(i, at) && t < 3; t++) {
            size_t len = strlen(texts[t]);
            if (is_start_of(label, strlen(label), texts[t])
                || (len > 0 && strncmp(label, texts[t], len) == 0
                    && strncmp(label + len, ", ", 2) == 0
                    && has_label(at, label + len + 2))) {
                return true;
            }
        }
    }
    return false;
}

static inline bool
has_type(const struct item *item, const char *type) {
    static const char *const names[SQ_WIDGET_KINDS] = {
        [SQ_BUTTON] = "Button",
        [SQ_FIELD] = "EditText",
        [SQ_SWITCH] = "Switch",
        [SQ_CHECKBOX] = "CheckBox",
    };
    const char *name = names[item->kind];
    return !name || strcmp(name, type) == 0;
}

/* Masked texts of password fields cannot be compared. */
static inline void
cut_mask(char *label) {
    char *mask = strstr(label, "\xe2\x80\xa2");
    if (mask) {
        *mask = '\0';
        size_t len = strlen(label);
        if (len > 0 && label[len - 1] == ' ') {
            label[len - 1] = '\0';
        }
    }
}

static inline void
member(const struct sq_json *object, const char *key, char out[TEXT_SIZE]) {
    struct sq_span text = { 0 };
    sq_json_string(sq_json_get(object, key), &text);
    snprintf(out, TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(text));
}

/*
 * The label of the item, or, of a switch without one, that of its row, which is
 * read in the pixels beside it.
 */
static inline bool
is_label_of(int at, const char *label) {
    int row = items[at].parent;
    return label[0] == '\0' || has_label(at, label)
        || (items[at].kind == SQ_SWITCH && row >= 0 && has_label(row, label));
}

static inline bool
is_item(int at, const struct sq_json *element) {
    char label[TEXT_SIZE];
    char id[TEXT_SIZE];
    char type[TEXT_SIZE];
    member(element, "label", label);
    member(element, "resourceId", id);
    member(element, "type", type);
    cut_mask(label);
    return strcmp(items[at].id, id) == 0 && has_type(&items[at], type)
        && is_label_of(at, label);
}

/* Whether the element was found in the pixels, not in the phone's tree. */
static inline bool
is_from_pixels(const struct sq_json *element) {
    char type[TEXT_SIZE];
    member(element, "type", type);
    return !strcmp(type, "ocr") || !strcmp(type, "image")
        || !strcmp(type, "shape");
}

/*
 * Whether a word that was read may be at a place: the place has no text of its
 * own, or its text contains the word. One word may be misread.
 */
static inline bool
is_read_correctly(const struct sq_json *element, int at) {
    char label[TEXT_SIZE];
    char *rest = label;
    bool found = at < 0 || items[at].text[0] == '\0';
    member(element, "label", label);
    for (char *word; !found && (word = strsep(&rest, " "));) {
        found = *word && strstr(items[at].text, word);
    }
    return found;
}

#define PICTURE_BYTES ((size_t)960 * 960 * SQ_PIXEL_BYTES)

/* Paints what the phone shows now. */
static inline void
paint_phone(struct sq_phone *phone, uint8_t *out) {
    T_OK(sq_phone_react(phone, false, &t_err));
    struct sq_size size = sq_phone_size(phone);
    struct sq_canvas canvas = {
        .pixels = out,
        .stride = (size_t)size.width * SQ_PIXEL_BYTES,
        .clip = { 0, 0, size.width, size.height },
        .type = phone->type,
    };
    memset(out, 0, PICTURE_BYTES);
    if (!phone->asleep) {
        T_OK(sq_phone_paint(phone, &canvas, &t_err));
    }
}

/* Whether the element is what the phone has at the point, or its container. */
static inline bool
is_named_correctly(const struct sq_json *element, struct sq_dev_pt point) {
    int at = topmost_at(point);
    if (is_from_pixels(element)) {
        return is_read_correctly(element, at);
    }
    while (at >= 0 && !is_item(at, element)) {
        at = items[at].parent;
    }
    return at >= 0;
}

/* Whether the element is somewhere on the screen. */
static inline bool
is_on_screen(const struct sq_json *element) {
    int at = item_count - 1;
    while (at >= 0 && !is_item(at, element)) {
        at--;
    }
    return at >= 0;
}

static inline bool
number(const struct sq_json *object, const char *key, int *out) {
    int64_t value;
    bool ok = sq_json_int(sq_json_get(object, key), &value);
    *out = ok ? (int)value : 0;
    return ok;
}

/* Whether the switch has the state that the receipt reports. */
static inline void
check_state(struct sq_phone *phone, const struct sq_json *element) {
    char id[TEXT_SIZE];
    bool checked;
    T_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    member(element, "resourceId", id);
    if (!sq_json_bool(sq_json_get(element, "checked"), &checked)
        || !T_OK(sq_phone_scene(phone, &scene, &t_err))) {
        return;
    }
    bool found = false;
    for (const struct sq_item *item = scene.root; item && !found;
         item = sq_item_after(item)) {
        const struct sq_item *around = item;
        while (around
               && !(around->widget->id && !strcmp(around->widget->id, id))) {
            around = around->parent;
        }
        bool is_box =
            sq_item_is(item, SQ_SWITCH) || sq_item_is(item, SQ_CHECKBOX);
        found = around && is_box
             && item->widget->chosen(phone, item->widget) == checked;
    }
    T(found);
}

static inline const char *
any_of(const char *const *words, size_t count) {
    return words[t_random() % count];
}

#define ANY(words) any_of((words), sizeof(words) / sizeof((words)[0]))

#endif

/* Finds common icons by the words of their resource id or description. */
#include "tools/elements/icon_words.h"

#include <stdio.h>
#include <string.h>

#include "tools/elements/label.h"

/*
 * The first word of each row is the icon's name; the others are used for it in
 * resource ids, descriptions and requests. Words of several parts are written
 * with one space.
 */
static const char *const icons[][9] = {
    { "back", "navigate up", "nav up", "up", "previous", "go back", "return",
      "arrow back" },
    { "search", "find", "magnifier", "lookup", "search bar" },
    { "menu", "hamburger", "drawer", "navigation drawer", "open navigation",
      "sidebar" },
    { "more", "overflow", "more options", "options", "kebab", "ellipsis",
      "three dots" },
    { "close", "dismiss", "cancel", "exit" },
    { "share", "send to", "share via" },
    { "settings", "preferences", "gear", "config", "cog" },
    { "add", "new", "create", "plus", "compose", "fab" },
    { "delete", "trash", "remove", "bin", "discard" },
    { "edit", "pencil", "rename", "modify" },
    { "home", "house", "start page" },
    { "cart", "basket", "shopping cart", "bag", "checkout" },
    { "favorite", "favourite", "heart", "like", "star", "bookmark" },
    { "profile", "account", "avatar", "user", "person" },
    { "play", "resume" },
    { "pause", "stop playing" },
    { "next", "forward", "skip", "arrow forward" },
    { "refresh", "reload", "sync" },
    { "filter", "sort", "funnel" },
    { "camera", "photo", "take picture" },
    { "microphone", "mic", "voice", "dictate" },
    { "send", "submit", "paper plane" },
    { "download", "get file" },
    { "help", "info", "about", "question" },
    { "notifications", "bell", "alerts" },
    { "call", "phone", "dial" },
    { "attach", "attachment", "paperclip", "clip" },
    { "copy", "duplicate" },
    { "undo", "revert" },
    { "expand", "show more", "chevron", "dropdown", "arrow down" },
};
#define ICONS (sizeof(icons) / sizeof(icons[0]))
#define MAX_WORDS 256

static char
lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/*
 * Writes the words of a name in lower case with single spaces around them:
 * "btnNavUp" and "btn_nav_up" become " btn nav up ".
 */
static void
write_words(struct sq_span name, char out[MAX_WORDS]) {
    size_t len = 0;
    out[len++] = ' ';
    for (size_t i = 0; i < name.len && len + 3 < MAX_WORDS; i++) {
        char c = name.ptr[i];
        bool is_start = c >= 'A' && c <= 'Z' && i > 0 && name.ptr[i - 1] >= 'a'
                     && name.ptr[i - 1] <= 'z';
        if ((is_start || !is_word_char(c)) && out[len - 1] != ' ') {
            out[len++] = ' ';
        }
        if (is_word_char(c)) {
            out[len++] = lower(c);
        }
    }
    if (out[len - 1] != ' ') {
        out[len++] = ' ';
    }
    out[len] = '\0';
}

static bool
has_word(const char *words, const char *word) {
    char padded[MAX_WORDS];
    snprintf(padded, sizeof(padded), " %s ", word);
    return strstr(words, padded) != NULL;
}

/* Returns whether the words name this icon. */
static bool
names_icon(const char *words, size_t icon) {
    for (size_t i = 0; i < 9 && icons[icon][i]; i++) {
        if (has_word(words, icons[icon][i])) {
            return true;
        }
    }
    return false;
}

/* Returns the icon that a request names; ICONS: none. */
static size_t
icon_of(struct sq_span text) {
    char words[MAX_WORDS];
    write_words(text, words);
    for (size_t i = 0; i < ICONS; i++) {
        for (size_t k = 0; k < 9 && icons[i][k]; k++) {
            char whole[MAX_WORDS];
            char titled[MAX_WORDS];
            snprintf(whole, sizeof(whole), " %s ", icons[i][k]);
            snprintf(titled, sizeof(titled), " %s icon ", icons[i][k]);
            if (strcmp(words, whole) == 0 || strcmp(words, titled) == 0) {
                return i;
            }
        }
    }
    return ICONS;
}

static bool
is_icon(const struct sq_node *node, size_t icon) {
    char id[MAX_WORDS];
    char desc[MAX_WORDS];
    if (!(node->flags & SQ_NODE_CLICKABLE) || !sq_node_has_area(node)
        || sq_span_trim(node->text).len > 0) {
        return false;
    }
    write_words(sq_short_id(node->resource_id), id);
    write_words(sq_node_desc(node), desc);
    return names_icon(id, icon) || names_icon(desc, icon);
}

/* Words of resource ids that name no purpose. */
static const char *const generic[] = {
    "action",  "btn",      "button", "card",    "cell",  "container",
    "content", "frame",    "group",  "holder",  "ic",    "icon",
    "id",      "image",    "img",    "item",    "label", "layout",
    "left",    "list",     "main",   "name",    "node",  "obfuscated",
    "panel",   "resource", "right",  "root",    "row",   "text",
    "title",   "view",     "widget", "wrapper",
};

static bool
is_generic(struct sq_span word) {
    static const char *const ends[] = { "button", "view", "layout" };
    bool found = false;
    for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
        found = found || sq_span_is(word, generic[i]);
    }
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        found = found || sq_span_ends_with(word, ends[i]);
    }
    return found;
}

static bool
has_letters(struct sq_span word) {
    int letters = 0;
    for (size_t i = 0; i < word.len; i++) {
        letters += word.ptr[i] < '0' || word.ptr[i] > '9';
    }
    return letters >= 2;
}

bool
sq_id_is_telling(struct sq_span resource_id) {
    char words[MAX_WORDS];
    struct sq_span word;
    write_words(sq_short_id(resource_id), words);
    struct sq_span rest = sq_span_of(words);
    while (sq_span_take_until(&rest, ' ', &word)) {
        while (word.len > 0 && word.ptr[word.len - 1] >= '0'
               && word.ptr[word.len - 1] <= '9') {
            word.len--; /* "button1" */
        }
        if (has_letters(word) && !is_generic(word)) {
            return true;
        }
    }
    return false;
}

bool
sq_icon_select(const struct sq_tree *tree, const struct sq_selector *selector,
               struct sq_arena *arena, struct sq_selection *out,
               const char **why, struct sq_err *err) {
    struct sq_span wanted = selector->text.given
                              ? selector->text.value
                              : selector->text_contains.value;
    size_t icon = icon_of(wanted);
    *out = (struct sq_selection){ 0 };
    *why = icon == ICONS ? "not the name of a common icon"
                         : "no id or description has such a word";
    if (icon == ICONS || selector->resource_id.given
        || selector->class_name.given || selector->content_desc.given
        || selector->nearest_to.given) {
        return true;
    }
    out->matches = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                  sizeof(*out->matches), err);
    for (const struct sq_node *node = tree->root; out->matches && node;
         node = sq_node_after(node)) {
        struct sq_span label;
        if (!is_icon(node, icon)) {
            continue;
        }
        if (!sq_node_label(node, arena, &label, err)) {
            return false;
        }
        out->matches[out->count++] =
            (struct sq_match){ .node = node, .label = label };
    }
    return out->matches != NULL;
}

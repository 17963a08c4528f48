/* Finds common icons by the words of their resource id or description. */
#include "tools/elements/icon_words.h"

#include <stdio.h>
#include <string.h>

#include "tools/elements/label.h"
#include "tools/screen/screen_text.h"

#define MAX_NAMES 9
#define ICON_SHARE 8 /* an icon is at most this part of the screen */

/*
 * The first word of each row is the icon's name; the others are used for it in
 * resource ids, descriptions and requests. Words of several parts are written
 * with one space.
 */
static const char *const icons[][MAX_NAMES] = {
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
            out[len++] = sq_ascii_lower(c);
        }
    }
    if (out[len - 1] != ' ') {
        out[len++] = ' ';
    }
    out[len] = '\0';
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

/*
 * Words beside the name of an icon that do not change what it means: "Open
 * search", "menu_share".
 */
static const char *const neutral[] = {
    "a",    "app",      "appbar", "arrow",     "bar",  "bottom", "click",
    "fab",  "floating", "go",     "header",    "menu", "nav",    "navigation",
    "open", "press",    "show",   "tab",       "tap",  "the",    "to",
    "tool", "toolbar",  "top",    "touchable",
};

static bool
is_neutral(struct sq_span word) {
    bool found = is_generic(word);
    for (size_t i = 0; i < sizeof(neutral) / sizeof(neutral[0]); i++) {
        found = found || sq_span_is(word, neutral[i]);
    }
    return found || sq_count_digits(word) == (int)word.len;
}

/* Takes a name out of the words, wherever it is. Returns whether it was. */
static bool
take_out(char *words, const char *name) {
    char padded[MAX_WORDS];
    size_t len = (size_t)snprintf(padded, sizeof(padded), " %s ", name);
    bool found = false;
    char *at;
    while ((at = strstr(words, padded)) != NULL) {
        found = true;
        memmove(at + 1, at + len, strlen(at + len) + 1); /* keeps one space */
    }
    return found;
}

/* The words for an icon that count: all of its row, or only one. */
struct names {
    size_t icon;      /* ICONS: none */
    const char *only; /* NULL: all */
};

/*
 * Returns whether the words name this icon, and nothing else: "no search
 * results" is not "search".
 */
static bool
names_icon(char *words, const struct names *names) {
    bool found = names->only && take_out(words, names->only);
    /* Names of several words first: "more options" before "more". */
    for (int single = 0; single < 2 && !names->only; single++) {
        for (size_t i = 0; i < MAX_NAMES && icons[names->icon][i]; i++) {
            const char *name = icons[names->icon][i];
            bool is_single = strchr(name, ' ') == NULL;
            found =
                (is_single == (single == 1) && take_out(words, name)) || found;
        }
    }
    struct sq_span word;
    struct sq_span rest = sq_span_of(words);
    while (found && sq_span_take_until(&rest, ' ', &word)) {
        found = is_neutral(word);
    }
    return found;
}

/* Returns the icon that a request names. */
static struct names
icon_of(struct sq_span text, bool is_literal) {
    char words[MAX_WORDS];
    write_words(text, words);
    for (size_t i = 0; i < ICONS; i++) {
        for (size_t k = 0; k < MAX_NAMES && icons[i][k]; k++) {
            char whole[MAX_WORDS];
            char titled[MAX_WORDS];
            snprintf(whole, sizeof(whole), " %s ", icons[i][k]);
            snprintf(titled, sizeof(titled), " %s icon ", icons[i][k]);
            if (strcmp(words, whole) == 0 || strcmp(words, titled) == 0) {
                return (struct names){ i, is_literal ? icons[i][k] : NULL };
            }
        }
    }
    return (struct names){ ICONS, NULL };
}

bool
sq_node_is_picture(const struct sq_node *node) {
    struct sq_span type = sq_node_type(node);
    return sq_text_contains(type, SQ_SPAN("Image"), false)
        || sq_text_contains(type, SQ_SPAN("Icon"), false);
}

/*
 * Returns whether a node is that icon: without text, small, and clickable or,
 * if `is_picture`, a picture that is not.
 */
static bool
is_icon(const struct sq_tree *tree, const struct sq_node *node,
        const struct names *names, bool is_picture) {
    char id[MAX_WORDS];
    char desc[MAX_WORDS];
    bool is_clickable = node->flags & SQ_NODE_CLICKABLE;
    bool is_kind =
        is_picture ? !is_clickable && sq_node_is_picture(node) : is_clickable;
    if (!is_kind || !sq_node_has_area(node) || node->flags & SQ_NODE_SEEN
        || sq_span_trim(node->text).len > 0
        || sq_dev_rect_area(node->bounds)
               > sq_dev_rect_area(tree->root->bounds) / ICON_SHARE) {
        return false;
    }
    write_words(sq_short_id(node->resource_id), id);
    write_words(sq_node_desc(node), desc);
    return names_icon(id, names) || names_icon(desc, names);
}

bool
sq_id_is_telling(struct sq_span resource_id) {
    char words[MAX_WORDS];
    struct sq_span word;
    write_words(sq_short_id(resource_id), words);
    struct sq_span rest = sq_span_of(words);
    while (sq_span_take_until(&rest, ' ', &word)) {
        while (word.len > 0 && sq_is_digit(word.ptr[word.len - 1])) {
            word.len--; /* "button1" */
        }
        const int letters = (int)word.len - sq_count_digits(word);
        if (letters >= 2 && !is_generic(word)) {
            return true;
        }
    }
    return false;
}

/* Adds the nodes that are that icon. */
static bool
add_icons(const struct sq_tree *tree, const struct names *names,
          bool is_picture, struct sq_arena *arena, struct sq_selection *out,
          struct sq_err *err) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        struct sq_span label;
        if (!is_icon(tree, node, names, is_picture)) {
            continue;
        }
        if (!sq_node_label(node, arena, &label, err)) {
            return false;
        }
        out->matches[out->count++] =
            (struct sq_match){ .node = node, .label = label };
    }
    return true;
}

bool
sq_icon_select(const struct sq_tree *tree,
               const struct sq_icon_request *request, struct sq_arena *arena,
               struct sq_selection *out, const char **why, struct sq_err *err) {
    const struct sq_selector *selector = request->selector;
    const struct names names =
        icon_of(sq_selector_text(selector), request->is_literal);
    *out = (struct sq_selection){ 0 };
    *why = names.icon == ICONS ? "not the name of a common icon"
                               : "no id or description is such a word";
    if (names.icon == ICONS || selector->resource_id.given
        || selector->class_name.given || selector->content_desc.given
        || selector->nearest_to.given) {
        return true;
    }
    out->matches = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                  sizeof(*out->matches), err);
    /* A picture is often inside the element that takes the tap. */
    return out->matches && add_icons(tree, &names, false, arena, out, err)
        && (out->count > 0 || add_icons(tree, &names, true, arena, out, err));
}

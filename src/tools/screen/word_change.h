/*
 * What an action changed, in words: labels that appeared and disappeared, and
 * new states of what is still there.
 */
#ifndef SQ_TOOLS_SCREEN_WORD_CHANGE_H
#define SQ_TOOLS_SCREEN_WORD_CHANGE_H

#include "session/session.h"
#include "tool/tool.h"

#define SQ_MAX_WORD_LINES 12

/* A plain value: zero it first. Texts are in the call's arena. */
struct sq_word_change {
    const char *by; /* "elements" or "text"; NULL: not known */
    /* "+ appeared", "- disappeared", "= element: its new state". */
    struct sq_span lines[SQ_MAX_WORD_LINES];
    int count;
    size_t bytes;
    int more;             /* for which there was no space */
    int redacted;         /* texts that rules hide where the pictures differ */
    bool is_other_screen; /* most elements were not there before */
};

/* Returns whether redaction lets the app in front be described. */
bool sq_may_name(const struct sq_call *call, const struct sq_screen *screen);

/* Returns whether the elements of a device are read in that time. */
#define SQ_CHEAP_LIST_MS 150
bool sq_elements_take_at_most(const struct sq_device *device, int ms);

/*
 * Reads the elements if that is cheap, with texts in the call's arena. They are
 * not known if it is not, or if it failed.
 */
void sq_elements_read_if_cheap(struct sq_call *call, struct sq_elements *out);

/* Copies the texts of elements, which are in a tree that is freed. */
bool sq_elements_keep(struct sq_arena *arena, struct sq_elements *elements);

/*
 * Adds a line: a sign, a text, and ": state" unless that is empty. What rules
 * hide in the texts is left out. Fails only if out of memory.
 */
bool sq_word_change_add(struct sq_call *call, struct sq_word_change *words,
                        char sign, struct sq_span text, struct sq_span state);

/*
 * Compares the elements of two states of the screen by type, id and label; an
 * element that has only moved is the same. Password fields have no words, but
 * may have the focus. Fails only if out of memory.
 */
bool sq_word_change_compare(struct sq_call *call,
                            const struct sq_elements *before,
                            const struct sq_elements *after,
                            struct sq_word_change *out);

/* Writes the members "now" and "by"; nothing if the words are not known. */
void sq_word_change_put(const struct sq_call *call,
                        const struct sq_word_change *words,
                        struct sq_json_writer *w);

#endif

/*
 * Finds common icons by the words of their resource id or description: an
 * unlabelled "btn_nav_up" is what is called "back".
 */
#ifndef SQ_TOOLS_ELEMENTS_ICON_WORDS_H
#define SQ_TOOLS_ELEMENTS_ICON_WORDS_H

#include "tools/elements/selector.h"

/* Which icon to look for. */
struct sq_icon_request {
    const struct sq_selector *selector; /* text or textContains names it */
    bool is_literal; /* only its own word counts: "filter" is not "sort" */
};

/*
 * Selects the small elements without text whose id or description is a word for
 * the icon, apart from words such as "btn": those that can be tapped or, if
 * there is none, pictures. *why is the reason if there is none.
 */
bool sq_icon_select(const struct sq_tree *tree,
                    const struct sq_icon_request *request,
                    struct sq_arena *arena, struct sq_selection *out,
                    const char **why, struct sq_err *err);

/* Returns whether the type of an element says that it shows a picture. */
bool sq_node_is_picture(const struct sq_node *node);

/*
 * Returns whether a resource id names a purpose, as "action_search" does and
 * "button1" does not.
 */
bool sq_id_is_telling(struct sq_span resource_id);

#endif

/*
 * Finds common icons by the words of their resource id or description: an
 * unlabelled "btn_nav_up" is what is called "back".
 */
#ifndef SQ_TOOLS_ELEMENTS_ICON_WORDS_H
#define SQ_TOOLS_ELEMENTS_ICON_WORDS_H

#include "tools/elements/selector.h"

/*
 * Selects the tappable elements that have a word for the icon that the selector
 * names in text or textContains. *why is the reason if there is none.
 */
bool sq_icon_select(const struct sq_tree *tree,
                    const struct sq_selector *selector, struct sq_arena *arena,
                    struct sq_selection *out, const char **why,
                    struct sq_err *err);

/*
 * Returns whether a resource id names a purpose, as "action_search" does and
 * "button1" does not.
 */
bool sq_id_is_telling(struct sq_span resource_id);

#endif

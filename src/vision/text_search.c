/* Makes the plan to read for a phrase. */
#include "vision/match.h"

bool
sq_text_search_init(struct sq_text_search *search, struct sq_span text,
                    int enough, struct sq_arena *arena, struct sq_err *err) {
    search->text = text;
    search->enough = enough;
    return sq_phrase_init(&search->phrase, text, arena, err);
}

static bool
is_wide_enough(const void *context, struct sq_rect box) {
    const struct sq_text_search *search = context;
    return sq_phrase_may_fit(&search->phrase, box);
}

/* Returns whether the text has enough matches without any difference. */
static bool
has_enough(const void *context, const struct sq_text *text) {
    const struct sq_text_search *search = context;
    struct sq_text_matches matches;
    struct sq_err ignored = { 0 };
    return sq_match_find_only(text, &search->phrase, &matches, &ignored)
        && matches.count >= search->enough
        && matches.items[search->enough - 1].score >= 1.0;
}

struct sq_read_plan
sq_text_search_plan(const struct sq_text_search *search) {
    return (struct sq_read_plan){
        .looks_like =
            search->enough ? search->text : (struct sq_span){ NULL, 0 },
        .wants = is_wide_enough,
        .is_enough = search->enough ? has_enough : NULL,
        .context = search,
    };
}

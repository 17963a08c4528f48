/*
 * find: returns the elements that match a selector. Where the tree has none, it
 * looks for icons by their ids, for text in the pixels, for remembered
 * pictures, and at last returns a picture.
 */
#include "config/config.h"
#include "tools/elements/icon_words.h"
#include "tools/elements/listing.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/elements/scrolling.h"
#include "tools/operations.h"
#include "tools/screen/fallback.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/show.h"

#define DEFAULT_LIMIT 20

/* Whether reading text is built in. */
#ifdef SQ_HAVE_TESSERACT
#define CAN_READ true
#else
#define CAN_READ false
#endif

/* In the order in which they are tried. */
enum tier {
    TIER_TREE,
    TIER_ICON,
    TIER_OCR,
    TIER_IMAGE,
    TIER_SHAPE,
    TIER_PICTURE,
    TIERS,
};

static const char *const tiers[] = { "tree",  "icon",    "ocr", "image",
                                     "shape", "picture", NULL };

struct find_args {
    struct sq_selector selector;
    struct sq_opt_int limit;
    struct sq_opt_int max_tier;
};

static const struct sq_arg find_args[] = {
    SQ_OBJECT(find_args, selector, "selector", sq_selector, sq_selector_args,
              "All given must match", .is_open = true, .required = true),
    SQ_INT(find_args, limit, "limit", 1, 100, "", .help = "list at most N",
           .initial = "20"),
    SQ_CHOICE(find_args, max_tier, "maxTier", tiers, "How far to look",
              .is_rare = true,
              .help = "how far to go: elements, icons by their ids, text in "
                      "the pixels, remembered pictures, shapes, a picture",
              .initial = "picture"),
    SQ_ARGS_END,
};

/* One search, from the tree to the reply. */
struct finding {
    const struct find_args *args;
    struct sq_tree tree;
    struct sq_tree_state state;
    struct sq_err tree_err; /* why the tree could not be read; code NONE: it
                              was read, or the screen has none */
    struct sq_selection selection;
    struct sq_frame frame;
    struct sq_listing list;
    struct sq_listing near; /* without matches: elements with similar labels */
    enum tier last;         /* the last one to try */
    enum tier tier;         /* the one that was tried last */
    enum tier answered;     /* the one whose matches are listed */
    const char *why[TIERS]; /* why those before it did not; NULL: not tried */
    struct sq_look look;
    struct sq_marks marks;
    bool has_marks;
    bool is_merged; /* the tree has what the pixels show */
    bool falls_back;
    bool has_notice; /* what is switched off is named */
    struct sq_fallback fallback;
};

/*
 * Reads the tree. Failing to read it is an error only if neither pixels nor a
 * picture may replace it.
 */
static bool
fetch(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_tree_fetch(call, &f->tree, &f->state, &local_err)) {
        return true;
    }
    if (sq_is_fatal(local_err.code)
        || (!call->config->ui.auto_fallback_screenshot
            && !sq_look_is_enabled(call))) {
        return sq_fail_with(err, &local_err);
    }
    f->tree_err = local_err;
    f->state = sq_tree_missing(call, &local_err);
    return true;
}

/* Places the matches; without any, those of an earlier tier remain. */
static bool
place(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_screen screen;
    if (f->selection.count == 0) {
        return true;
    }
    f->answered = f->tier;
    return sq_device_screen(call->device, &screen, &call->deadline, err)
        && sq_session_view(call->session, call->device->info.id, &screen,
                           &f->frame, err)
        && sq_listing_of(&f->selection, &f->frame.view, call->arena, &f->list,
                         err);
}

static bool
try_tree(struct sq_call *call, struct finding *f, struct sq_err *err) {
    f->why[TIER_TREE] =
        f->state.outcome == SQ_TREE_READ ? "no element matches" : f->state.why;
    return sq_select_whole(call, &f->args->selector, &f->tree, &f->selection,
                           err);
}

static bool
select_icon(struct sq_call *call, struct finding *f, bool is_literal,
            struct sq_err *err) {
    const struct sq_icon_request request = { &f->args->selector, is_literal };
    return sq_icon_select(&f->tree, &request, call->arena, &f->selection,
                          &f->why[TIER_ICON], err);
}

/* By the given word only, if it may be text in the pixels, which is better. */
static bool
try_icon(struct sq_call *call, struct finding *f, struct sq_err *err) {
    return select_icon(call, f, call->reader && f->last >= TIER_OCR, err);
}

/* Looks for icons by all words for them, where no text has that word. */
static bool
try_other_words(struct sq_call *call, struct finding *f, struct sq_err *err) {
    bool ok = select_icon(call, f, false, err);
    f->tier = f->selection.count > 0 ? TIER_ICON : TIER_OCR;
    return ok;
}

static bool
try_ocr(struct sq_call *call, struct finding *f, struct sq_err *err) {
    /* One equal match is enough, unless more are wanted. */
    int enough = f->args->limit.given ? f->args->limit.value : 1;
    struct sq_err local_err = { 0 };
    bool ok = sq_look_select_text(&f->look, &f->args->selector, enough,
                                  &f->selection, &local_err);
    f->why[TIER_OCR] = f->look.why;
    if (!call->reader || (ok && f->selection.count > 0)
        || sq_is_fatal(local_err.code)) {
        return ok || sq_fail_with(err, &local_err);
    }
    return try_other_words(call, f, err)
        && (ok || f->selection.count > 0 || sq_fail_with(err, &local_err));
}

static bool
try_image(struct sq_call *call, struct finding *f, struct sq_err *err) {
    bool ok =
        sq_look_select_image(&f->look, &f->args->selector, &f->selection, err);
    f->why[TIER_IMAGE] = f->look.why;
    (void)call;
    return ok;
}

/*
 * Looks for the selector in the list of dump with vision: a shape, or an
 * element whose label is beside it.
 */
static bool
try_shape(struct sq_call *call, struct finding *f, struct sq_err *err) {
    f->why[TIER_SHAPE] = "no such shape";
    f->is_merged = sq_look_select_merged(&f->look, &f->args->selector,
                                         SQ_NODE_SEEN, &f->selection, err);
    (void)call;
    return f->is_merged;
}

/* Tries one tier. If it fails, the next one is tried. */
static bool
try_tier(struct sq_call *call, struct finding *f, enum tier tier,
         struct sq_err *err) {
    static bool (*const tries[])(struct sq_call *, struct finding *,
                                 struct sq_err *) = {
        [TIER_TREE] = try_tree,   [TIER_ICON] = try_icon,
        [TIER_OCR] = try_ocr,     [TIER_IMAGE] = try_image,
        [TIER_SHAPE] = try_shape,
    };
    struct sq_err local_err = { 0 };
    f->selection.count = 0;
    f->tier = tier;
    if (tries[tier](call, f, &local_err)) {
        return place(call, f, err);
    }
    if (tier < TIER_OCR || sq_is_fatal(local_err.code)
        || !sq_deadline_check(&call->deadline, NULL)) {
        return sq_fail_with(err, &local_err);
    }
    f->selection.count = 0;
    f->why[tier] =
        sq_arena_strdup(call->arena, sq_span_of(local_err.message), err);
    return f->why[tier] != NULL;
}

/*
 * Returns whether the word in the pixels may mean shapes: "disc" is a part of
 * the caption "Tap the discs".
 */
static bool
may_mean_shapes(const struct finding *f) {
    bool has_text = f->tier == TIER_OCR && f->selection.count > 0;
    bool goes_on = f->tier == TIER_IMAGE && f->selection.count == 0;
    return f->last >= TIER_SHAPE && (has_text || goes_on)
        && sq_look_prefers_shapes(&f->args->selector, &f->selection);
}

/* Returns whether no further tier is needed. */
static bool
is_answered(const struct sq_call *call, const struct finding *f) {
    /* The text of nearestTo may be in the pixels. */
    bool may_sort = f->args->selector.nearest_to.given && !f->selection.anchor
                 && f->tier < TIER_OCR && call->reader;
    return f->list.count > 0 && !may_sort && !may_mean_shapes(f);
}

static bool
search(struct sq_call *call, struct finding *f, struct sq_err *err) {
    bool looks = sq_look_is_enabled(call);
    bool ok = fetch(call, f, err);
    f->last = f->args->max_tier.given ? (enum tier)f->args->max_tier.value
                                      : TIER_PICTURE;
    for (int i = TIER_TREE; ok && i < TIER_PICTURE && i <= (int)f->last; i++) {
        bool needs_pixels = i >= TIER_OCR;
        ok = (needs_pixels && !looks && !f->args->max_tier.given)
          || try_tier(call, f, (enum tier)i, err);
        if (is_answered(call, f)) {
            break;
        }
    }
    return ok;
}

static void
put_elements(const struct sq_call *call, const struct finding *f,
             struct sq_json_writer *w) {
    size_t limit =
        f->args->limit.given ? (size_t)f->args->limit.value : DEFAULT_LIMIT;
    sq_json_begin_array_of(w, "elements");
    size_t shown = 0;
    for (; shown < f->list.count && shown < limit && sq_reply_has_room(w);
         shown++) {
        sq_listed_put(call, &f->list.items[shown], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)f->list.count);
    sq_put_if_true(w, "truncated", f->list.count > shown);
}

static void
put_anchor(const struct finding *f, struct sq_json_writer *w) {
    if (!f->args->selector.nearest_to.given) {
        return;
    }
    if (f->selection.anchor) {
        sq_put_clean(w, "sortedByProximityTo",
                     f->args->selector.nearest_to.value);
        if (f->selection.anchor_count) {
            sq_put_words(w, "nearestToWarning",
                         "Several elements have the text of $nearestTo: the "
                         "elements are sorted by the first of them.");
        }
    } else {
        sq_put_words(w, "nearestToWarning",
                     "Nothing on the screen has the text of $nearestTo: the "
                     "elements are not sorted by it.");
    }
}

/*
 * Writes which tier answered and why those before it did not. Without pixels
 * there is only the tree, and this says nothing new.
 */
static void
put_tier(struct sq_call *call, const struct finding *f,
         struct sq_json_writer *w) {
    if ((f->list.count > 0 && f->answered == TIER_TREE) || f->tier == TIER_TREE
        || (!sq_look_is_enabled(call) && !f->args->max_tier.given
            && f->list.count == 0)) {
        return;
    }
    sq_put_text(w, "tier",
                f->list.count > 0 ? tiers[f->answered]
                : f->falls_back   ? tiers[TIER_PICTURE]
                                  : "none");
    sq_json_begin_object_of(w, "earlier");
    for (int i = 0; i < TIER_PICTURE; i++) {
        bool is_before = f->list.count == 0 || i < (int)f->answered;
        if (is_before && f->why[i]) {
            sq_put_untrusted(w, tiers[i], sq_span_of(f->why[i]));
        }
    }
    sq_json_end_object(w);
}

/*
 * Lists elements whose labels are similar to the text that no element has. With
 * marks their indexes are the numbers on the picture.
 */
static bool
list_near(struct sq_call *call, struct finding *f, struct sq_err *err) {
    const struct sq_selector *selector = &f->args->selector;
    struct sq_span wanted = selector->text.given
                              ? selector->text.value
                              : selector->text_contains.value;
    struct sq_listing all = f->marks.list;
    if (f->list.count + f->near.count > 0 || f->state.outcome != SQ_TREE_READ
        || wanted.len == 0) {
        return true;
    }
    if (f->falls_back && f->fallback.shot.way != SQ_SCREEN_PICTURE_NOWHERE) {
        f->frame = f->fallback.shot.frame;
    } else {
        struct sq_screen screen;
        if (!sq_device_screen(call->device, &screen, &call->deadline, err)
            || !sq_session_view(call->session, call->device->info.id, &screen,
                                &f->frame, err)) {
            return false;
        }
    }
    f->near.items =
        sq_arena_alloc(call->arena, SQ_MAX_NEAR, sizeof(*f->near.items), err);
    if (!f->near.items
        || (!f->has_marks
            && !sq_listing_make(&f->tree, &f->frame.view, false, call->arena,
                                &all, err))) {
        return false;
    }
    sq_listing_nearest(&all, wanted, &f->near);
    if (!f->has_marks) {
        for (size_t i = 0; i < f->near.count; i++) {
            f->near.items[i].index = sq_listed_index(f->near.items[i].node, i);
        }
        sq_listing_number(call, &f->near);
    }
    return true;
}

static void
put_near(const struct finding *f, struct sq_json_writer *w) {
    if (f->near.count == 0) {
        return;
    }
    sq_json_begin_array_of(w, "near");
    for (size_t i = 0; i < f->near.count; i++) {
        sq_compact_put_row(&f->near.items[i], w);
    }
    sq_json_end_array(w);
}

/* Says once what could also have found it. */
static void
put_switches(const struct sq_call *call, struct finding *f,
             struct sq_json_writer *w) {
    static const char *const switches[] = {
        "Text that only the pixels show is found if the person starts squint "
        "with --ocr-enabled.",
        "Remembered pictures are found if the person starts squint with "
        "--template-matching-enabled.",
        "Text that only the pixels show is found if the person starts squint "
        "with --ocr-enabled, remembered pictures with "
        "--template-matching-enabled.",
    };
    bool is_ocr_off = CAN_READ && !call->reader;
    bool are_images_off = !call->config->ui.template_matching_enabled;
    f->has_notice =
        f->list.count == 0 && f->near.count == 0
        && (is_ocr_off || are_images_off) && !call->is_alone
        && !sq_session_notice_was_sent(call->session, call->device->info.id,
                                       SQ_NOTICE_SWITCHES);
    if (f->has_notice) {
        sq_put_text(w, "note", switches[is_ocr_off + 2 * are_images_off - 1]);
    }
}

/* Returns why there is a picture instead of elements. */
static const char *
reason_for(const struct finding *f) {
    static const char *const reasons[] = {
        [SQ_TREE_READ] = "No elements matched selector.",
        [SQ_TREE_VISUAL_MODE] = "Visual mode for this app.",
        [SQ_TREE_MISSING] = "Elements cannot be listed, see warning.",
    };
    return f->near.count > 0
             ? "No elements matched selector; near has similar ones (index x,y "
               "type label)."
             : reasons[f->state.outcome];
}

static bool
answer(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_listing_number(call, &f->list);
    put_elements(call, f, &reply.w);
    if ((f->answered == TIER_OCR && f->look.is_partial) || f->tree.is_cut) {
        sq_put_text(&reply.w, "more", "not searched");
    }
    put_tier(call, f, &reply.w);
    put_anchor(f, &reply.w);
    sq_put_redacted(&reply.w, f->look.screen.redacted);
    if (f->list.count > 0 || f->near.count > 0) {
        sq_put_frame(&reply.w, &f->frame);
    }
    if (f->state.outcome != SQ_TREE_READ) {
        sq_put_quoting(&reply.w, "warning", f->state.text);
    }
    put_near(f, &reply.w);
    if (f->list.count == 0 && sq_scrollable_largest(&f->tree)) {
        sq_put_advice(call, &reply.w, "scrolls",
                      "not all is shown: @scroll, until");
    }
    put_switches(call, f, &reply.w);
    if (f->falls_back) {
        sq_json_begin_object_of(&reply.w, "visualFallback");
        sq_fallback_put(&f->fallback, reason_for(f), &reply.w);
        sq_json_end_object(&reply.w);
    } else if (f->near.count > 0) {
        sq_put_text(&reply.w, "hint", reason_for(f));
    } else if (f->list.count == 0) {
        sq_put_advice(call, &reply.w, "hint",
                      "Nothing matches. Take a screenshot; @dump lists what "
                      "there is.");
    }
    return sq_reply_end(call, &reply, err);
}

/*
 * Adds what the pixels show to the tree, for the numbers on the picture. If
 * that fails, the numbers are those of the tree.
 */
static bool
prepare_marks(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_err ignored = { 0 };
    f->has_marks = sq_look_is_enabled(call) || f->args->max_tier.given;
    if (!f->has_marks) {
        return true;
    }
    f->marks = (struct sq_marks){ .tree = &f->tree,
                                  .arena = call->arena,
                                  .seen = &f->look.screen };
    return f->is_merged || sq_look_try_merge(&f->look, &ignored, err);
}

/* Returns a picture. If that fails too, the error is that of the elements. */
static bool
fall_back(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool must_show = f->tree_err.code != SQ_ERR_NONE;
    if (!f->falls_back) {
        return true;
    }
    if (!prepare_marks(call, f, err)) {
        return false;
    }
    if (sq_fallback_take(call, must_show, f->has_marks ? &f->marks : NULL,
                         &f->fallback, &local_err)) {
        return true;
    }
    if (err) {
        *err =
            must_show && !sq_is_fatal(local_err.code) ? f->tree_err : local_err;
    }
    return false;
}

static void
commit(struct sq_call *call, struct finding *f) {
    if (f->list.count > 0 || (f->near.count > 0 && !f->falls_back)) {
        sq_session_add_frame(call->session, &f->frame);
    }
    if (f->falls_back) {
        sq_fallback_commit(&f->fallback);
    }
    if (f->has_notice) {
        sq_session_set_notice_sent(call->session, call->device->info.id,
                                   SQ_NOTICE_SWITCHES);
    }
}

static bool
find_run(struct sq_call *call, const void *args, struct sq_err *err) {
    struct finding f = { .args = args, .look = { .call = call } };
    f.look.screen.keeps_capture = true; /* the picture shows what was read */
    f.look.tree = &f.tree;
    bool ok = search(call, &f, err);
    if (call->is_short && !call->needs_picture) {
        /* Similar labels take the place of a picture. */
        ok = ok && list_near(call, &f, err);
    }
    f.falls_back = f.list.count == 0 && f.near.count == 0
                && f.last == TIER_PICTURE
                && (f.state.outcome == SQ_TREE_VISUAL_MODE
                    || call->config->ui.auto_fallback_screenshot);
    ok = ok && fall_back(call, &f, err) && list_near(call, &f, err)
      && answer(call, &f, err)
      && sq_listing_remember(call,
                             f.has_marks        ? &f.marks.list
                             : f.near.count > 0 ? &f.near
                                                : &f.list,
                             0, err);
    if (ok) {
        commit(call, &f);
    }
    sq_look_finish(&f.look);
    sq_fallback_finish(&f.fallback);
    sq_tree_finish(&f.tree);
    return ok;
}

const struct sq_tool sq_tool_find = {
    .name = "find",
    .title = "Find elements",
    .text = "Find elements by selector; none found: the picture instead.",
    .manual =
        "An element must match all given members of `selector`:\n- `text`: "
        "the whole label (text, description or hint), spaces at the ends are "
        "ignored; `textContains`: a part of it.\n- `contentDesc`: the whole "
        "description.\n- `resourceId`, `className`: a part of it.\n- "
        "`nearestTo`: sort by distance from the element whose text contains "
        "this. That element comes first if it matches too.\n- `ignoreCase`: "
        "for all of the above.\n\nThe texts inside an unlabeled clickable "
        "element are its label, and only that element matches them. The best "
        "matches come first. Each has `index` (for `elementIndex`), "
        "`centerX`, `centerY` and `bounds` in the pixels of `screenshotId`. "
        "Password fields show dots.\n\nWhen no element matches, further tiers "
        "are tried, as far as the configuration enables them, up to "
        "`maxTier`: `icon` (back, search, menu, close, share and others: "
        "small elements whose resource id or description is such a word), "
        "`ocr` (text in the pixels; needs `ui.ocrEnabled`), `image` (the "
        "picture remembered under that name; needs "
        "`ui.templateMatchingEnabled`), `shape` (what else `@dump` lists with "
        "`vision`: className `shape` finds areas of one colour, text `disc` "
        "the round ones, after lines that equal it and before text that "
        "contains it), and `picture`. The answer names the `tier`, and "
        "`earlier` says why those before it did not answer. An entry from the "
        "pixels has `source`; its index works as any other. Text in the "
        "pixels that is not equal has a `score` below 1: it has characters "
        "that recognisers confuse. A number that was read with less than 80 "
        "percent is not found. What is a part of a line comes after whole "
        "lines and has the `line`. Reading stops at the first line that "
        "equals `text` (`more`: not searched), with `limit` after that many. "
        "A remembered picture whose pixels are not equal has its `score`, and "
        "`match`: alike or shape, see `@visual-find-image`.\n\nIf no label is "
        "`text`, `near` has up to five elements whose labels are similar, in "
        "the rows of `@dump`; `scrolls` says that there may be more further "
        "on. At last, in short replies only without `near`, the answer "
        "contains the picture, and `visualFallback` has its path, `screen`, "
        "`app` and `hint`. With `ui.ocrEnabled` or "
        "`ui.templateMatchingEnabled` the picture has numbered marks: a "
        "number is an `elementIndex`, or, if the answer has `elementIndexes`, "
        "what that has for it. The same happens when the elements cannot be "
        "read; `warning` then says why.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE | SQ_TOOL_ELEMENTS,
    SQ_ARGS(find_args, find_args),
    .words = "selector.text",
    .people = { .about = "List the elements whose label is TEXT, with their "
                         "coordinates; if there is none, write a picture of "
                         "the screen.",
                .examples = { "find Login", "find --text-contains Log" },
                .show = sq_show_find,
                .is_done = sq_people_has_matches },
    .uses = SQ_USES_LOOKS | SQ_USES_FINDS | SQ_USE_COSTS | SQ_USE_OUTPUT
          | SQ_USE_FALLBACK | SQ_USE_SNAPSHOT,
    .synonyms = "find search locate find-element query find-text find-by-text "
                "search-text find-elements exists locate-element",
    .example = "\"selector\": {\"text\": \"Login\"}",
    .other_arguments = SQ_SYNONYMS({ "query name label value", NULL, NULL }),
    .run = find_run,
};

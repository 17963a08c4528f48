/*
 * find: returns the elements that match a selector, or a picture if there are
 * none.
 */
#include "config/config.h"
#include "tools/elements/listing.h"
#include "tools/operations.h"
#include "tools/reply.h"
#include "tools/screen/fallback.h"

#define DEFAULT_LIMIT 20

struct find_args {
    struct sq_selector selector;
    struct sq_opt_int limit;
};

static const struct sq_arg find_args[] = {
    { .name = "selector",
      SQ_OBJECT_FIELD(find_args, selector, sq_selector, sq_selector_args),
      .is_open = true,
      .required = true,
      .text = "All given must match" },
    SQ_INT(find_args, limit, "limit", 1, 100, "At most",
           .help = "list at most N", .initial = "20"),
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
    bool falls_back;
    struct sq_fallback fallback;
};

/*
 * Reads the tree. Failing to read it is an error only if a picture may not
 * replace it.
 */
static bool
fetch(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_tree_fetch(call, &f->tree, &f->state, &local_err)) {
        return true;
    }
    if (sq_is_fatal(local_err.code)
        || !call->config->ui.auto_fallback_screenshot) {
        return sq_fail_with(err, &local_err);
    }
    f->tree_err = local_err;
    f->state = sq_tree_missing(&local_err);
    return true;
}

/*
 * Computes the positions of the matches in the picture; nothing without
 * matches.
 */
static bool
place(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_screen screen;
    return f->selection.count == 0
        || (sq_device_screen(call->device, &screen, &call->deadline, err)
            && sq_session_view(call->session, call->device->info.id, &screen,
                               &f->frame, err)
            && sq_listing_of(&f->selection, &f->frame.view, call->arena,
                             &f->list, err));
}

static bool
search(struct sq_call *call, struct finding *f, struct sq_err *err) {
    return fetch(call, f, err)
        && sq_select(&f->tree, &f->args->selector, call->arena, &f->selection,
                     err)
        && place(call, f, err);
}

static void
put_elements(const struct finding *f, struct sq_json_writer *w) {
    size_t limit =
        f->args->limit.given ? (size_t)f->args->limit.value : DEFAULT_LIMIT;
    sq_json_put_key(w, "elements");
    sq_json_begin_array(w);
    size_t shown = 0;
    for (; shown < f->list.count && shown < limit && sq_reply_has_room(w);
         shown++) {
        sq_listed_put(&f->list.items[shown], (int)shown, w);
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
    } else {
        sq_put_text(w, "nearestToWarning",
                    "Nothing on the screen has the text of nearestTo: the "
                    "elements are not sorted by it.");
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
    return reasons[f->state.outcome];
}

static bool
answer(struct sq_call *call, const struct finding *f, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    put_elements(f, &reply.w);
    put_anchor(f, &reply.w);
    if (f->list.count > 0) {
        sq_put_frame(&reply.w, &f->frame);
    }
    if (f->state.outcome != SQ_TREE_READ) {
        sq_put_untrusted(&reply.w, "warning", sq_span_of(f->state.text));
    }
    if (f->falls_back) {
        sq_json_put_key(&reply.w, "visualFallback");
        sq_json_begin_object(&reply.w);
        sq_fallback_put(&f->fallback, reason_for(f), &reply.w);
        sq_json_end_object(&reply.w);
    } else if (f->list.count == 0) {
        sq_put_text(&reply.w, "hint",
                    "Nothing matches. Take a screenshot, or dump what there "
                    "is.");
    }
    return sq_reply_end(call, &reply, err);
}

/* Returns a picture. If that fails too, the error is that of the elements. */
static bool
fall_back(struct sq_call *call, struct finding *f, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool must_show = f->tree_err.code != SQ_ERR_NONE;
    if (!f->falls_back) {
        return true;
    }
    sq_tree_finish(&f->tree); /* it contains no match */
    f->tree = (struct sq_tree){ 0 };
    if (sq_fallback_take(call, must_show, &f->fallback, &local_err)) {
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
    if (f->list.count > 0) {
        sq_session_add_frame(call->session, &f->frame);
    }
    if (f->falls_back) {
        sq_fallback_commit(call, &f->fallback);
    }
}

static bool
find_run(struct sq_call *call, const void *args, struct sq_err *err) {
    struct finding f = { .args = args };
    bool ok = search(call, &f, err);
    f.falls_back = ok && f.list.count == 0
                && (f.state.outcome == SQ_TREE_VISUAL_MODE
                    || call->config->ui.auto_fallback_screenshot);
    ok = ok && fall_back(call, &f, err) && answer(call, &f, err)
      && sq_listing_remember(call, &f.list, NULL, err);
    if (ok) {
        commit(call, &f);
    }
    sq_fallback_finish(&f.fallback);
    sq_tree_finish(&f.tree);
    return ok;
}

const struct sq_tool sq_tool_find = {
    .name = "find",
    .title = "Find elements",
    .text = "Find elements by selector; none found: the picture instead.",
    .manual =
        "An element must match all given members of `selector`:\n"
        "- `text`: the whole label (text, description or hint), spaces at the "
        "ends are ignored; `textContains`: a part of it.\n"
        "- `contentDesc`: the whole description.\n"
        "- `resourceId`, `className`: a part of it.\n"
        "- `nearestTo`: sort by distance from the element whose text contains "
        "this. That element comes first if it matches too.\n"
        "- `ignoreCase`: for all of the above.\n\n"
        "The texts inside an unlabeled clickable element are its label, and "
        "only that element matches them. The best matches come first. Each "
        "has `index` (for `elementIndex`), `centerX`, `centerY` and `bounds` "
        "in the pixels of `screenshotId`. Password fields show dots.\n\n"
        "When nothing matches, the answer contains the picture, and "
        "`visualFallback` has its path, `screen`, `app` and `hint`. The same "
        "happens when the elements cannot be read; `warning` then says why.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE | SQ_TOOL_ELEMENTS,
    .args = find_args,
    .args_size = sizeof(struct find_args),
    .words = "selector.text",
    .run = find_run,
};

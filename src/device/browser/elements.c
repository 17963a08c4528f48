/* Lists the elements of a page, and of the frames of other sites in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"

#define MAX_TREE_BYTES ((size_t)16 << 20)
#define MAX_PARAMS ((size_t)256 << 10)
#define NEAR 2 /* pixels between two measures of one frame */

/* Returns the main frame of the tab that is shown. */
static struct sq_browser_frame
page_of(struct sq_browser *browser) {
    const struct sq_tab *tab = sq_browser_tab(browser);
    struct sq_browser_frame page = { 0 };
    if (tab) {
        memcpy(page.session, tab->session, sizeof(page.session));
        memcpy(page.target, tab->target, sizeof(page.target));
    }
    return page;
}

/* Makes the world of our own in a frame. *context is its number. */
static bool
make_world(struct sq_browser *browser, const struct sq_browser_frame *frame,
           int *context, const struct sq_deadline *deadline,
           struct sq_err *err) {
    const struct sq_json *result;
    char params[SQ_CDP_ID_SIZE + 80];
    snprintf(params, sizeof(params),
             "{\"frameId\":\"%s\",\"worldName\":\"squint\"}", frame->target);
    if (!sq_browser_call_in(browser,
                            SQ_CDP_COMMAND(frame->session,
                                           "Page.createIsolatedWorld",
                                           sq_span_of(params)),
                            &result, deadline, err)) {
        return false;
    }
    *context = sq_json_int_of(result, "executionContextId");
    return true;
}

static bool
write_call(struct sq_buf *params, int context, const char *mode,
           struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_buf code;
    sq_buf_init(&code, MAX_PARAMS);
    bool ok = sq_buf_append(&code, sq_browser_walk, sq_browser_walk_size, err)
           && sq_buf_printf(&code, err, "(\"%s\")", mode);
    sq_json_writer_init(&w, params);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "expression");
    sq_json_put_string(&w, sq_buf_span(&code));
    sq_json_put_key(&w, "contextId");
    sq_json_put_int(&w, context);
    sq_json_put_key(&w, "returnByValue");
    sq_json_put_bool(&w, true);
    sq_json_end_object(&w);
    sq_buf_finish(&code);
    return ok && sq_json_writer_done(&w, err);
}

/* Runs the walk in a frame. *value is what it returns. */
static bool
run_walk(struct sq_browser *browser, const struct sq_browser_frame *frame,
         const char *mode, const struct sq_json **value,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    struct sq_buf params;
    int context;
    sq_buf_init(&params, MAX_PARAMS);
    bool ok =
        make_world(browser, frame, &context, deadline, err)
        && write_call(&params, context, mode, err)
        && sq_browser_call_in(browser,
                              SQ_CDP_COMMAND(frame->session, "Runtime.evaluate",
                                             sq_buf_span(&params)),
                              &result, deadline, err);
    sq_buf_finish(&params);
    if (!ok) {
        return false;
    }
    if (sq_json_get(result, "exceptionDetails")) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the elements of this page cannot be listed");
    }
    *value = sq_json_get(sq_json_get(result, "result"), "value");
    return true;
}

bool
sq_browser_can_type(struct sq_browser *browser, bool *out,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value;
    *out = false;
    return run_walk(browser, &page, "focus", &value, deadline, err)
        && (sq_json_bool(value, out)
            || sq_fail(err, SQ_ERR_FORMAT, "the page does not tell its focus"));
}

/* Reads where a frame is, in the page of its parent. */
static bool
find_frame(struct sq_browser *browser, const struct sq_browser_frame *frame,
           struct sq_dev_rect *out, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    char params[SQ_CDP_ID_SIZE + 40];
    int corners[8] = { 0 };
    snprintf(params, sizeof(params), "{\"frameId\":\"%s\"}", frame->target);
    if (!sq_browser_call_in(
            browser, SQ_CDP_COMMAND(frame->parent, "DOM.enable", SQ_SPAN("{}")),
            NULL, deadline, NULL)
        || !sq_browser_call_in(browser,
                               SQ_CDP_COMMAND(frame->parent,
                                              "DOM.getFrameOwner",
                                              sq_span_of(params)),
                               &result, deadline, NULL)) {
        return false;
    }
    snprintf(params, sizeof(params), "{\"backendNodeId\":%d}",
             sq_json_int_of(result, "backendNodeId"));
    if (!sq_browser_call_in(browser,
                            SQ_CDP_COMMAND(frame->parent, "DOM.getBoxModel",
                                           sq_span_of(params)),
                            &result, deadline, NULL)) {
        return false;
    }
    const struct sq_json *corner =
        sq_json_first(sq_json_get(sq_json_get(result, "model"), "content"));
    for (int i = 0; i < 8; i++, corner = sq_json_next(corner)) {
        double number = 0;
        sq_json_double(corner, &number);
        corners[i] = number > -1e6 && number < 1e6 ? (int)(number + 0.5) : 0;
    }
    *out =
        (struct sq_dev_rect){ corners[0], corners[1], corners[4], corners[5] };
    return out->right > out->left && out->bottom > out->top;
}

/* Finds the row of a frame: at that place, and without elements so far. */
static struct sq_node *
row_of_frame(struct sq_tree *tree, struct sq_dev_rect at) {
    struct sq_node *node = tree->root;
    while (node
           && !(sq_span_is(node->class_name, "iframe") && !node->first_child
                && abs(node->bounds.left - at.left) <= NEAR
                && abs(node->bounds.top - at.top) <= NEAR)) {
        node = sq_node_next(node);
    }
    return node;
}

/* Adds the elements of a frame of another site. What cannot be read is left
 * out: the frame itself is listed. */
static bool
add_frame(struct sq_browser *browser, const struct sq_browser_frame *frame,
          struct sq_tree *tree, const struct sq_deadline *deadline,
          struct sq_err *err) {
    const struct sq_json *value;
    struct sq_dev_rect at;
    struct sq_node *row = find_frame(browser, frame, &at, deadline)
                            ? row_of_frame(tree, at)
                            : NULL;
    if (!row || !run_walk(browser, frame, "list", &value, deadline, NULL)) {
        return true;
    }
    const struct sq_frame_place place = { { at.left, at.top }, row->bounds };
    return sq_browser_add_rows(tree, row, sq_json_get(value, "rows"), &place,
                               err);
}

static bool
list(struct sq_browser *browser, struct sq_tree *tree,
     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value;
    const struct sq_frame_place place = {
        .clip = { 0, 0, browser->size.width, browser->size.height },
    };
    if (!run_walk(browser, &page, "list", &value, deadline, err)
        || !sq_browser_add_rows(tree, NULL, sq_json_get(value, "rows"), &place,
                                err)) {
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < browser->frame_count; i++) {
        const struct sq_browser_frame frame = browser->frames[i];
        if (strcmp(frame.parent, page.session) == 0) {
            ok = add_frame(browser, &frame, tree, deadline, err);
        }
    }
    return ok;
}

bool
sq_browser_tree(struct sq_device *device, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_tree tree = { 0 };
    struct sq_err local_err = { 0 };
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    if (browser->current < 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "no tab is open");
    }
    sq_arena_init(&tree.arena, MAX_TREE_BYTES);
    bool ok =
        !browser->dialog.is_open && list(browser, &tree, deadline, &local_err);
    if (browser->dialog.is_open) {
        sq_tree_finish(&tree);
        return sq_dialog_tree(browser, out, err);
    }
    if (!ok) {
        sq_tree_finish(&tree);
        return sq_fail_with(err, &local_err);
    }
    int index = 0;
    for (struct sq_node *node = tree.root; node; node = sq_node_next(node)) {
        node->index = index++;
    }
    *out = tree;
    return true;
}

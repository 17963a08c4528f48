/* Lists the elements of a page, and of the frames of other sites in it. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "util/utf8.h"

#define MAX_TREE_BYTES ((size_t)16 << 20)
#define MAX_PARAMS ((size_t)256 << 10)

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
write_call(struct sq_buf *params, int context, struct sq_span code,
           struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, params);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "expression");
    sq_json_put_string(&w, code);
    sq_json_put_key(&w, "contextId");
    sq_json_put_int(&w, context);
    sq_json_put_key(&w, "returnByValue");
    sq_json_put_bool(&w, true);
    sq_json_put_key(&w, "awaitPromise");
    sq_json_put_bool(&w, true);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

/* A world of our own. */
struct world {
    const char *session;
    int context;
};

/* Evaluates code in a world. *out is its value; NULL: it has none. */
static bool
evaluate(struct sq_browser *browser, const struct world *world,
         struct sq_span code, const struct sq_json **out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    struct sq_buf params;
    sq_buf_init(&params, MAX_PARAMS);
    bool ok =
        write_call(&params, world->context, code, err)
        && sq_browser_call_in(browser,
                              SQ_CDP_COMMAND(world->session, "Runtime.evaluate",
                                             sq_buf_span(&params)),
                              &result, deadline, err);
    sq_buf_finish(&params);
    if (!ok) {
        return false;
    }
    *out = sq_json_get(sq_json_get(result, "result"), "value");
    return !sq_json_get(result, "exceptionDetails")
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the elements of this page cannot be listed");
}

/*
 * Calls a function of walk.js in a frame, which keeps it for as long as its
 * document lives. *out is what it returns.
 */
static bool
run_walk(struct sq_browser *browser, const struct sq_browser_frame *frame,
         const char *call, const struct sq_json **out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf code;
    struct world world = { .session = frame->session };
    sq_buf_init(&code, MAX_PARAMS);
    bool ok = make_world(browser, frame, &world.context, deadline, err)
           && sq_buf_printf(&code, err, "globalThis.squint&&squint.%s", call)
           && evaluate(browser, &world, sq_buf_span(&code), out, deadline, err);
    if (ok && !*out) {
        sq_buf_clear(&code);
        ok = sq_buf_append(&code, sq_browser_walk, sq_browser_walk_size, err)
          && sq_buf_printf(&code, err, ";squint.%s", call)
          && evaluate(browser, &world, sq_buf_span(&code), out, deadline, err);
    }
    sq_buf_finish(&code);
    return ok;
}

bool
sq_browser_rest(struct sq_browser *browser, const char *call, bool *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value;
    return run_walk(browser, &page, call, &value, deadline, err)
        && (sq_json_bool(value, out)
            || sq_fail(err, SQ_ERR_FORMAT, "the page does not tell its rest"));
}

/* Calls a method of the session that a frame is a part of. */
static bool
ask_parent(struct sq_browser *browser, const struct sq_browser_frame *frame,
           const char *method, const char *params,
           const struct sq_json **result, const struct sq_deadline *deadline) {
    return sq_browser_call_in(
        browser, SQ_CDP_COMMAND(frame->parent, method, sq_span_of(params)),
        result, deadline, NULL);
}

/* Returns the id that the walk gave to the element of a frame; 0: none. */
static int
id_of_frame(struct sq_browser *browser, const struct sq_browser_frame *frame,
            int context, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    struct sq_span object;
    char params[2 * SQ_CDP_ID_SIZE + 200];
    snprintf(params, sizeof(params), "{\"frameId\":\"%s\"}", frame->target);
    if (!ask_parent(browser, frame, "DOM.enable", "{}", &result, deadline)
        || !ask_parent(browser, frame, "DOM.getFrameOwner", params, &result,
                       deadline)) {
        return 0;
    }
    snprintf(params, sizeof(params),
             "{\"backendNodeId\":%d,\"executionContextId\":%d}",
             sq_json_int_of(result, "backendNodeId"), context);
    if (!ask_parent(browser, frame, "DOM.resolveNode", params, &result,
                    deadline)) {
        return 0;
    }
    object = sq_json_text_of(sq_json_get(result, "object"), "objectId");
    object.len = object.len < SQ_CDP_ID_SIZE ? object.len : SQ_CDP_ID_SIZE;
    snprintf(params, sizeof(params),
             "{\"functionDeclaration\":\"function(n){return squint.idOf(n)}\","
             "\"executionContextId\":%d,\"returnByValue\":true,"
             "\"arguments\":[{\"objectId\":\"%.*s\"}]}",
             context, SQ_SPAN_ARGS(object));
    return ask_parent(browser, frame, "Runtime.callFunctionOn", params, &result,
                      deadline)
             ? sq_json_int_of(sq_json_get(result, "result"), "value")
             : 0;
}

/* What is listed. */
struct listing {
    struct sq_tree *tree;
    bool all;
    struct sq_opaque_frames opaque; /* whose elements other walks list */
    /* Frames that may be those; one that was listed has no target. */
    struct sq_browser_frame frames[SQ_MAX_FRAMES];
    int frame_count;
};

/* Notes how often the document was changed, and where. */
static void
note_changes(struct sq_browser *browser, const struct sq_json *value) {
    const struct sq_json *edge = sq_json_first(sq_json_get(value, "changed"));
    int64_t edges[4] = { 0 };
    for (int i = 0; i < 4; i++, edge = sq_json_next(edge)) {
        sq_json_int(edge, &edges[i]);
        edges[i] = edges[i] < 0 || edges[i] > SQ_MAX_NODE_ID ? 0 : edges[i];
    }
    browser->changes = sq_json_int_of(value, "changes");
    browser->changed = (struct sq_dev_rect){ (int)edges[0], (int)edges[1],
                                             (int)edges[2], (int)edges[3] };
}

/* Adds the elements of a frame. */
static bool
list_frame(struct sq_browser *browser, const struct sq_browser_frame *frame,
           struct listing *listing, const struct sq_frame_place *place,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_opaque_frames *opaque = &listing->opaque;
    int known = opaque->count;
    int context;
    char call[48];
    snprintf(call, sizeof(call), "list(%d,%s)", browser->next_node,
             listing->all ? "true" : "false");
    if (!make_world(browser, frame, &context, deadline, err)
        || !run_walk(browser, frame, call, &value, deadline, err)) {
        return false;
    }
    int next = sq_json_int_of(value, "next");
    if (next < browser->next_node || next > SQ_MAX_NODE_ID) {
        return sq_fail(err, SQ_ERR_LIMIT, "too many elements were listed");
    }
    browser->next_node = next;
    if (!place->parent) {
        note_changes(browser, value);
    }
    listing->tree->unlisted += sq_json_int_of(value, "more");
    if (!sq_browser_add_rows(listing->tree, sq_json_get(value, "rows"), place,
                             err)) {
        return false;
    }
    for (int i = known; i < opaque->count; i++) {
        opaque->items[i].context = context;
        memcpy(opaque->items[i].session, frame->session,
               sizeof(opaque->items[i].session));
    }
    return true;
}

/* Returns the place in the list of a frame; NULL: it is not listed. */
static const struct sq_opaque_frame *
place_of(struct sq_browser *browser, const struct sq_browser_frame *frame,
         const struct sq_opaque_frames *opaque,
         const struct sq_deadline *deadline) {
    int context = 0;
    int id = 0;
    for (int i = 0; i < opaque->count; i++) {
        const struct sq_opaque_frame *item = &opaque->items[i];
        if (strcmp(item->session, frame->parent) == 0) {
            id = item->context == context
                   ? id
                   : id_of_frame(browser, frame, item->context, deadline);
            context = item->context;
            if (id != 0 && item->node->id == id) {
                return item;
            }
        }
    }
    return NULL;
}

/*
 * Adds the elements of a frame to its row. What cannot be read is left out: the
 * frame itself is listed.
 */
static bool
fill_frame(struct sq_browser *browser, struct sq_browser_frame *frame,
           struct listing *listing, const struct sq_deadline *deadline,
           struct sq_err *err) {
    const struct sq_opaque_frame *item =
        place_of(browser, frame, &listing->opaque, deadline);
    struct sq_err local_err = { 0 };
    if (!item) {
        return true;
    }
    const struct sq_frame_place place = {
        .parent = item->node,
        .at = item->at,
        .clip = item->node->bounds,
        .is_unseen = item->node->flags & SQ_NODE_UNSEEN,
        .opaque = &listing->opaque,
    };
    bool ok = list_frame(browser, frame, listing, &place, deadline, &local_err);
    frame->target[0] = '\0';
    return ok || !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
}

static void
add_candidate(struct listing *listing, const struct sq_browser_frame *frame) {
    if (listing->frame_count < SQ_MAX_FRAMES) {
        listing->frames[listing->frame_count++] = *frame;
    }
}

/* Adds the frames of a session that have no session of their own. */
static void
add_local_frames(struct sq_browser *browser, const char *session,
                 struct listing *listing, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    const struct sq_json *level[SQ_MAX_FRAMES];
    int depth = 0;
    if (!sq_browser_call_in(
            browser,
            SQ_CDP_COMMAND(session, "Page.getFrameTree", SQ_SPAN("{}")),
            &result, deadline, NULL)) {
        return;
    }
    level[0] = sq_json_first(
        sq_json_get(sq_json_get(result, "frameTree"), "childFrames"));
    while (depth >= 0) {
        const struct sq_json *item = level[depth];
        if (!item) {
            depth--;
            continue;
        }
        level[depth] = sq_json_next(item);
        struct sq_browser_frame frame = { 0 };
        struct sq_span id = sq_json_text_of(sq_json_get(item, "frame"), "id");
        snprintf(frame.target, sizeof(frame.target), "%.*s",
                 (int)(id.len < SQ_CDP_ID_SIZE ? id.len : 0), id.ptr);
        snprintf(frame.session, sizeof(frame.session), "%s", session);
        snprintf(frame.parent, sizeof(frame.parent), "%s", session);
        add_candidate(listing, &frame);
        if (depth + 1 < SQ_MAX_FRAMES) {
            level[++depth] = sq_json_first(sq_json_get(item, "childFrames"));
        }
    }
}

/* Finds all frames in the page. */
static void
find_frames(struct sq_browser *browser, struct listing *listing,
            const struct sq_deadline *deadline) {
    const struct sq_browser_frame page = page_of(browser);
    add_local_frames(browser, page.session, listing, deadline);
    for (int i = 0; i < browser->frame_count; i++) {
        const struct sq_browser_frame frame = browser->frames[i];
        add_candidate(listing, &frame);
        add_local_frames(browser, frame.session, listing, deadline);
    }
}

/* Lists the elements of the frames that the walk of the page could not enter.
 */
static bool
list_frames(struct sq_browser *browser, struct listing *listing,
            const struct sq_deadline *deadline, struct sq_err *err) {
    bool ok = true;
    find_frames(browser, listing, deadline);
    /* A frame can be listed after the one that it is in. */
    int listed = 0;
    int before = -1;
    while (ok && listed != before) {
        before = listed;
        for (int i = 0; ok && i < listing->frame_count; i++) {
            struct sq_browser_frame *frame = &listing->frames[i];
            if (frame->target[0]) {
                ok = fill_frame(browser, frame, listing, deadline, err);
                listed += !frame->target[0];
            }
        }
    }
    return ok;
}

static bool
list(struct sq_browser *browser, struct listing *listing,
     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_browser_frame page = page_of(browser);
    const struct sq_frame_place place = {
        .clip = { 0, 0, browser->size.width, browser->size.height },
        .opaque = &listing->opaque,
    };
    return list_frame(browser, &page, listing, &place, deadline, err)
        && (listing->opaque.count == 0
            || list_frames(browser, listing, deadline, err));
}

bool
sq_browser_tree(struct sq_browser *browser, bool all, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_tree tree = { 0 };
    struct listing listing = { .tree = &tree, .all = all };
    struct sq_err local_err = { 0 };
    browser->is_watched = false;
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    if (browser->current < 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "no tab is open");
    }
    sq_arena_init(&tree.arena, MAX_TREE_BYTES);
    bool ok = !browser->dialog.is_open
           && list(browser, &listing, deadline, &local_err);
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
    browser->is_watched = listing.opaque.count == 0;
    *out = tree;
    return true;
}

/*
 * Calls a function in the page, and in its frames until one answers something
 * else than `no`. *frame is the one that did.
 */
static bool
ask_frames(struct sq_browser *browser, const char *call, const char *no,
           struct sq_browser_answer *out, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct listing listing = { .frame_count = 0 };
    const struct sq_json *value;
    out->frame = page_of(browser);
    if (!run_walk(browser, &out->frame, call, &value, deadline, err)) {
        return false;
    }
    for (int i = 0; i <= listing.frame_count; i++) {
        struct sq_span word = { 0 };
        sq_json_string(value, &word);
        word = sq_utf8_shorten(word, sizeof(out->word) - 1);
        snprintf(out->word, sizeof(out->word), "%.*s", SQ_SPAN_ARGS(word));
        if (strcmp(out->word, no) != 0) {
            return true;
        }
        if (i == 0) {
            find_frames(browser, &listing, deadline);
        }
        out->frame = listing.frames[i < SQ_MAX_FRAMES ? i : 0];
        if (i < listing.frame_count
            && !run_walk(browser, &out->frame, call, &value, deadline, NULL)) {
            value = NULL;
        }
    }
    return true;
}

bool
sq_browser_reveal(struct sq_device *device, int id, bool *found,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_answer answer;
    char call[32];
    snprintf(call, sizeof(call), "reveal(%d)", id);
    bool ok = ask_frames(sq_browser_of(device), call, "unknown", &answer,
                         deadline, err);
    *found = ok && strcmp(answer.word, "shown") == 0;
    return ok;
}

bool
sq_browser_aim(struct sq_browser *browser, const struct sq_touch *touch,
               struct sq_browser_answer *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char call[40];
    snprintf(call, sizeof(call), "aim(%d,%s)", touch->id,
             touch->only_focus ? "true" : "false");
    return ask_frames(browser, call, "unknown", out, deadline, err);
}

void
sq_browser_landed(struct sq_browser *browser,
                  const struct sq_browser_answer *aimed, bool *elsewhere,
                  const struct sq_deadline *deadline) {
    const struct sq_json *value;
    struct sq_span word = { 0 };
    *elsewhere =
        run_walk(browser, &aimed->frame, "landed()", &value, deadline, NULL)
        && sq_json_string(value, &word) && sq_span_is(word, "elsewhere");
}

bool
sq_browser_enter(struct sq_browser *browser, struct sq_span text,
                 struct sq_browser_answer *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf call;
    struct sq_json_writer w;
    sq_buf_init(&call, MAX_PARAMS);
    bool ok = sq_buf_printf(&call, err, "enter(");
    sq_json_writer_init(&w, &call);
    sq_json_put_string(&w, text);
    ok = ok && sq_json_writer_done(&w, err) && sq_buf_append(&call, ")", 2, err)
      && ask_frames(browser, (const char *)call.data, "frame", out, deadline,
                    err);
    sq_buf_finish(&call);
    return ok;
}

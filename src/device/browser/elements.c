/* Lists the elements of a page, and of the frames of other sites in it. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "sys/clock.h"

#define MAX_TREE_BYTES ((size_t)16 << 20)
#define MAX_PARAMS ((size_t)256 << 10)
/* A list that is older is made again, whatever the page says. */
#define MOMENT_MS 100
/* Without a change of the document for so long it is at rest. */
#define QUIET_MS 30
/* What pages can be zoomed by, and more. */
#define MIN_ZOOM 0.05
#define MAX_ZOOM 20.0
#define NS_PER_MS 1000000

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

/* Makes the world of our own in a frame, or finds it. */
static bool
make_world(struct sq_browser *browser, struct sq_browser_frame *frame,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    if (!sq_browser_call(
            browser,
            SQ_CDP_TEXT_COMMAND(frame->session, "Page.createIsolatedWorld",
                                SQ_SPAN("{\"worldName\":\"squint\"}"),
                                "frameId", sq_span_of(frame->target)),
            &result, deadline, err)) {
        return false;
    }
    frame->context = sq_json_int_of(result, "executionContextId");
    return true;
}

/* Evaluates code in the world of a frame. *out is its value; NULL: none. */
static bool
evaluate(struct sq_browser *browser, const struct sq_browser_frame *frame,
         struct sq_span code, const struct sq_json **out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    char params[100];
    snprintf(params, sizeof(params),
             "{\"contextId\":%d,\"returnByValue\":true,\"awaitPromise\":true}",
             frame->context);
    if (!sq_browser_call(browser,
                         SQ_CDP_TEXT_COMMAND(frame->session, "Runtime.evaluate",
                                             sq_span_of(params), "expression",
                                             code),
                         &result, deadline, err)) {
        return false;
    }
    *out = sq_json_get(sq_json_get(result, "result"), "value");
    return !sq_json_get(result, "exceptionDetails")
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the elements of this page cannot be listed");
}

/* Calls a function of walk.js, which the world keeps. */
static bool
call_walk(struct sq_browser *browser, const struct sq_browser_frame *frame,
          const char *call, const struct sq_json **out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(code, MAX_PARAMS);
    bool ok = sq_buf_printf(&code, err, "globalThis.squint&&squint.%s", call)
           && evaluate(browser, frame, sq_buf_span(&code), out, deadline, err);
    if (ok && !*out) {
        sq_buf_clear(&code);
        ok = sq_buf_append(&code, sq_browser_walk, sq_browser_walk_size, err)
          && sq_buf_printf(&code, err, ";squint.%s", call)
          && evaluate(browser, frame, sq_buf_span(&code), out, deadline, err);
    }
    return ok;
}

/*
 * Calls a function of walk.js in a frame. *out is what it returns. The world of
 * a page is remembered for as long as its document lives.
 */
static bool
run_walk(struct sq_browser *browser, struct sq_browser_frame *frame,
         const char *call, const struct sq_json **out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_tab *tab = sq_browser_tab(browser);
    bool is_page = tab && strcmp(tab->target, frame->target) == 0;
    struct sq_err local_err = { 0 };
    frame->context = is_page ? tab->world : 0;
    if (frame->context != 0
        && (call_walk(browser, frame, call, out, deadline, &local_err)
            || local_err.code != SQ_ERR_IO)) { /* else the world has ended */
        return local_err.code == SQ_ERR_NONE || sq_fail_with(err, &local_err);
    }
    bool ok = make_world(browser, frame, deadline, err)
           && call_walk(browser, frame, call, out, deadline, err);
    tab = sq_browser_tab(browser); /* it may have been closed */
    if (tab && strcmp(tab->target, frame->target) == 0) {
        tab->world = ok ? frame->context : 0;
    }
    return ok;
}

/* Returns the id that the walk gave to the element of a frame; 0: none. */
static int
id_of_frame(struct sq_browser *browser, const struct sq_browser_frame *frame,
            int context, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    if (!SQ_BROWSER_ASK(browser, frame->parent, NULL, deadline, NULL,
                        "DOM.enable", "{}")
        || !SQ_BROWSER_ASK(browser, frame->parent, &result, deadline, NULL,
                           "DOM.getFrameOwner", "{\"frameId\":\"%s\"}",
                           frame->target)
        || !SQ_BROWSER_ASK(browser, frame->parent, &result, deadline, NULL,
                           "DOM.resolveNode",
                           "{\"backendNodeId\":%d,\"executionContextId\":%d}",
                           sq_json_int_of(result, "backendNodeId"), context)) {
        return 0;
    }
    const struct sq_span object =
        sq_json_text_of(sq_json_get(result, "object"), "objectId");
    return SQ_BROWSER_ASK(browser, frame->parent, &result, deadline, NULL,
                          "Runtime.callFunctionOn",
                          "{\"functionDeclaration\":\"function(n){return "
                          "squint.idOf(n)}\","
                          "\"executionContextId\":%d,\"returnByValue\":true,"
                          "\"arguments\":[{\"objectId\":\"%.*s\"}]}",
                          context, SQ_SPAN_ARGS(object))
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

static void
note_zoom(struct sq_browser *browser, const struct sq_json *value) {
    double zoom = 1;
    browser->zoom =
        sq_json_double(value, &zoom) && zoom >= MIN_ZOOM && zoom <= MAX_ZOOM
            ? zoom
            : 1;
}

bool
sq_browser_find_zoom(struct sq_browser *browser,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value = NULL;
    bool ok = !browser->is_mobile
           || run_walk(browser, &page, "zoom()", &value, deadline, err);
    if (ok && browser->is_mobile) {
        note_zoom(browser, value);
    }
    return ok;
}

/* Notes how often the document was changed, and where. */
static void
note_changes(struct sq_browser *browser, const struct sq_json *value) {
    const struct sq_json *edge = sq_json_first(sq_json_get(value, "changed"));
    int64_t edges[4] = { 0 };
    for (int i = 0; i < 4; i++, edge = sq_json_next(edge)) {
        sq_json_int(edge, &edges[i]);
        edges[i] = edges[i] < 0 || edges[i] > SQ_MAX_NODE_ID ? 0 : edges[i];
    }
    note_zoom(browser, sq_json_get(value, "zoom"));
    browser->changes = sq_json_int_of(value, "changes");
    browser->far_changes = sq_json_int_of(value, "far");
    browser->changed = (struct sq_dev_rect){ (int)edges[0], (int)edges[1],
                                             (int)edges[2], (int)edges[3] };
}

/* Adds the rows that a frame has answered. */
static bool
take_rows(struct sq_browser *browser, const struct sq_browser_frame *frame,
          const struct sq_json *value, const struct sq_frame_place *place,
          struct listing *listing, struct sq_err *err) {
    struct sq_opaque_frames *opaque = &listing->opaque;
    int known = opaque->count;
    if (!place->parent) {
        note_changes(browser, value);
    }
    if (!sq_page_add(listing->tree, value, place, err)) {
        return false;
    }
    for (int i = known; i < opaque->count; i++) {
        opaque->items[i].context = frame->context;
        opaque->items[i].session = frame->session;
    }
    return true;
}

/* Keeps the list of a page for a moment, unless time was too short for it. */
static void
keep_list(struct sq_browser *browser, const struct sq_json *value) {
    const struct sq_tab *tab = sq_browser_tab(browser);
    struct sq_json_writer w;
    sq_buf_clear(&browser->listed.json);
    sq_json_writer_init(&w, &browser->listed.json);
    sq_json_put_value(&w, value);
    if (!sq_json_writer_done(&w, NULL) || !tab
        || sq_json_bool_of(value, "isCut")) {
        sq_buf_clear(&browser->listed.json);
    }
    browser->listed.document = tab ? tab->document : 0;
    browser->listed.changes = sq_json_int_of(value, "changes");
    browser->listed.at_ns = browser->listed.seen_ns = sq_clock_monotonic_ns();
}

/* Calls a function that lists a frame: *value has the rows. */
static bool
call_list(struct sq_browser *browser, struct sq_browser_frame *frame,
          const char *call, const struct sq_json **value,
          const struct sq_deadline *deadline, struct sq_err *err) {
    if (!run_walk(browser, frame, call, value, deadline, err)) {
        return false;
    }
    int next = sq_json_int_of(*value, "next");
    if (next < browser->next_node || next > SQ_MAX_NODE_ID) {
        return sq_fail(err, SQ_ERR_LIMIT, "too many elements were listed");
    }
    browser->next_node = next;
    return true;
}

bool
sq_browser_settle(struct sq_browser *browser, int changes,
                  const struct sq_rest_rule *rule, bool *settled,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value;
    char call[120];
    snprintf(call, sizeof(call), "settle(%d,%d,%d,%u,%u)", browser->next_node,
             changes, QUIET_MS, rule->react_ms, rule->limit_ms);
    if (!call_list(browser, &page, call, &value, deadline, err)) {
        return false;
    }
    keep_list(browser, value);
    return sq_json_bool(sq_json_get(value, "settled"), settled)
        || sq_fail(err, SQ_ERR_FORMAT, "the page does not tell its rest");
}

/* Adds the elements of a frame. */
static bool
list_frame(struct sq_browser *browser, struct sq_browser_frame *frame,
           struct listing *listing, const struct sq_frame_place *place,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    char call[80];
    snprintf(call, sizeof(call), "list(%d,%s,%d,undefined,%s)",
             browser->next_node, listing->all ? "true" : "false",
             browser->since, place->has_no_focus ? "false" : "true");
    if (!call_list(browser, frame, call, &value, deadline, err)) {
        return false;
    }
    if (!place->parent && !listing->all) {
        keep_list(browser, value);
    }
    return take_rows(browser, frame, value, place, listing, err);
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
        .by = item->by,
        .clip = item->node->bounds,
        .is_unseen = item->node->flags & SQ_NODE_UNSEEN,
        .has_no_focus = !item->has_focus,
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

/* Adds the frames below one, in a tree whose depth the JSON reader limits. */
static void
add_frames_below(struct listing *listing, const char *session,
                 const struct sq_json *tree) {
    for (const struct sq_json *item =
             sq_json_first(sq_json_get(tree, "childFrames"));
         item; item = sq_json_next(item)) {
        struct sq_browser_frame frame = { 0 };
        SQ_COPY_TEXT(frame.target,
                     sq_json_text_of(sq_json_get(item, "frame"), "id"));
        snprintf(frame.session, sizeof(frame.session), "%s", session);
        snprintf(frame.parent, sizeof(frame.parent), "%s", session);
        add_candidate(listing, &frame);
        add_frames_below(listing, session, item);
    }
}

/* Adds the frames of a session that have no session of their own. */
static void
add_local_frames(struct sq_browser *browser, const char *session,
                 struct listing *listing, const struct sq_deadline *deadline) {
    const struct sq_json *result;
    if (SQ_BROWSER_ASK(browser, session, &result, deadline, NULL,
                       "Page.getFrameTree", "{}")) {
        add_frames_below(listing, session, sq_json_get(result, "frameTree"));
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

/* Lists the frames that the walk of the page could not enter. */
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

/* Returns whether the last list is a moment old, and the page as it was. */
static bool
is_as_listed(struct sq_browser *browser, const struct sq_deadline *deadline) {
    struct sq_browser_list *last = &browser->listed;
    const struct sq_tab *tab = sq_browser_tab(browser);
    struct sq_browser_frame page = page_of(browser);
    const struct sq_json *value;
    int64_t changes;
    const int64_t now_ns = sq_clock_monotonic_ns();
    if (last->json.len == 0 || !tab || tab->document != last->document
        || now_ns - last->at_ns >= MOMENT_MS * NS_PER_MS) {
        return false;
    }
    if (sq_browser_is_fresh(browser, last->seen_ns)) {
        return true;
    }
    last->seen_ns = now_ns;
    return run_walk(browser, &page, "changes()", &value, deadline, NULL)
        && sq_json_int(value, &changes) && changes == last->changes;
}

/*
 * Lists the page. A call lists it several times within a moment: the page is
 * walked once if nothing was done to it and nothing changed in it.
 */
static bool
list(struct sq_browser *browser, struct listing *listing,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_frame page = page_of(browser);
    const struct sq_frame_place place = {
        .clip = { 0, 0, browser->size.width, browser->size.height },
        .opaque = &listing->opaque,
    };
    const struct sq_json *value;
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_TREE_BYTES);
    bool is_listed = !listing->all && is_as_listed(browser, deadline);
    const struct sq_tab *tab = sq_browser_tab(browser); /* it may be closed */
    if (is_listed && tab) {
        page.context = tab->world;
    }
    bool ok = is_listed
                ? sq_json_parse(sq_buf_span(&browser->listed.json), &arena,
                                &value, err)
                      && take_rows(browser, &page, value, &place, listing, err)
                : list_frame(browser, &page, listing, &place, deadline, err);
    sq_arena_finish(&arena);
    return ok
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
    sq_page_number(&tree);
    browser->is_watched = listing.opaque.count == 0;
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        browser->is_watched &= !sq_span_is(node->class_name, "canvas")
                            && !sq_span_is(node->class_name, "video");
    }
    if (listing.opaque.count > 0) {
        sq_buf_clear(&browser->listed.json); /* other frames are apart */
    }
    *out = tree;
    return true;
}

/* Asks the page, and its frames until one answers something else than `no`. */
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
        struct sq_span word = sq_span_of(no); /* of one that has ended */
        sq_json_string(value, &word);
        SQ_COPY_TEXT(out->word, word);
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
    sq_buf_clear(&sq_browser_of(device)->listed.json);
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

bool
sq_browser_says(struct sq_browser *browser,
                const struct sq_browser_answer *aimed, const char *call,
                const char *wanted, const struct sq_deadline *deadline) {
    struct sq_browser_frame frame = aimed->frame;
    const struct sq_json *value;
    struct sq_span word = { 0 };
    return run_walk(browser, &frame, call, &value, deadline, NULL)
        && sq_json_string(value, &word) && sq_span_is(word, wanted);
}

bool
sq_browser_enter(struct sq_browser *browser, struct sq_span text,
                 struct sq_browser_answer *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(call, MAX_PARAMS);
    return sq_page_write_enter(text, &call, err)
        && sq_buf_append_byte(&call, '\0', err)
        && ask_frames(browser, (const char *)call.data, "frame", out, deadline,
                      err);
}

/* Scripts in the page of a browser, and what it shows. */
#include <ctype.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/page_elements.h"
#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/utf8.h"

#define MAX_TREE_BYTES ((size_t)16 << 20)
#define MAX_INNER 8 /* frames of other origins that are listed */
#define MAX_DEPTH 3 /* of frames in frames */
#define NEAR 2      /* pixels between two measurements of a place */
/* Ids below 0 are none: another walk would give others. */
#define LIST_WITHOUT_IDS "list(-1000000000,false,0,1"

/* The next id of an element: no two documents of a device share one. */
static atomic_int next_node = 1;

/* Sends a command of the browser's DevTools. */
static bool
call_devtools(struct sq_webdriver *wd, const char *command,
              struct sq_span params, const struct sq_json **value,
              const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(body, SQ_MAX_JSON_BYTES);
    return sq_buf_printf(&body, err, "{\"cmd\":\"%s\",\"params\":", command)
        && sq_buf_append(&body, params.ptr, params.len, err)
        && sq_buf_append_byte(&body, '}', err)
        && SQ_WD_POST(wd, "/goog/cdp/execute", sq_buf_span(&body), value,
                      deadline, err);
}

/* Reads the id of the page's own frame. */
static bool
find_page(struct sq_webdriver *wd, const struct sq_deadline *deadline,
          struct sq_err *err) {
    const struct sq_json *value;
    if (!call_devtools(wd, "Page.getFrameTree", SQ_SPAN("{}"), &value, deadline,
                       err)) {
        return false;
    }
    const struct sq_span id = sq_json_text_of(
        sq_json_get(sq_json_get(value, "frameTree"), "frame"), "id");
    bool is_plain = id.len > 0 && id.len < sizeof(wd->page);
    for (size_t i = 0; is_plain && i < id.len; i++) {
        is_plain = isalnum((unsigned char)id.ptr[i]);
    }
    if (!is_plain) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "%s does not name the page",
                       wd->endpoint.name);
    }
    snprintf(wd->page, sizeof(wd->page), "%.*s", SQ_SPAN_ARGS(id));
    return true;
}

/*
 * Makes a world of our own in the page, or finds the one that it has. The
 * number of a world that has ended with its document is not asked for, since
 * chromedriver waits for it to appear.
 */
static bool
make_world(struct sq_webdriver *wd, int *world,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_json *value;
    char params[sizeof(wd->page) + 60];
    for (int i = 0; i < 2; i++) {
        if ((i > 0 || !wd->page[0]) && !find_page(wd, deadline, err)) {
            return false;
        }
        snprintf(params, sizeof(params),
                 "{\"frameId\":\"%s\",\"worldName\":\"squint\"}", wd->page);
        if (call_devtools(wd, "Page.createIsolatedWorld", sq_span_of(params),
                          &value, deadline, &local_err)) {
            *world = sq_json_int_of(value, "executionContextId");
            return *world > 0
                || sq_fail(err, SQ_ERR_UNSUPPORTED,
                           "%s makes no world of scripts", wd->endpoint.name);
        }
        if (local_err.code != SQ_ERR_IO && local_err.code != SQ_ERR_ARGUMENT) {
            break; /* else it may be another page */
        }
    }
    return sq_fail_with(err, &local_err);
}

static bool
evaluate_in_world(struct sq_webdriver *wd, struct sq_span code,
                  const struct sq_json **value,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *answer;
    struct sq_json_writer w;
    int world;
    if (!make_world(wd, &world, deadline, err)) {
        return false;
    }
    SQ_BUF(params, SQ_MAX_JSON_BYTES);
    bool ok = sq_buf_printf(&params, err,
                            "{\"contextId\":%d,\"returnByValue\":true,"
                            "\"expression\":",
                            world);
    sq_json_writer_init(&w, &params);
    sq_json_put_string(&w, code);
    if (!ok || !sq_json_writer_done(&w, err)
        || !sq_buf_append_byte(&params, '}', err)
        || !call_devtools(wd, "Runtime.evaluate", sq_buf_span(&params), &answer,
                          deadline, err)) {
        return false;
    }
    *value = sq_json_get(sq_json_get(answer, "result"), "value");
    return !sq_json_get(answer, "exceptionDetails")
        || sq_fail(err, SQ_ERR_FORMAT, "a script failed in the page");
}

/* Makes commands go to the page again. */
static bool
leave_frames(struct sq_webdriver *wd, const struct sq_deadline *deadline,
             struct sq_err *err) {
    if (wd->is_in_frame
        && SQ_WD_POST(wd, "/frame", SQ_SPAN("{\"id\":null}"), NULL, deadline,
                      err)) {
        wd->is_in_frame = false;
    }
    return !wd->is_in_frame;
}

bool
sq_wd_evaluate(struct sq_webdriver *wd, struct sq_span code,
               const struct sq_json **value, const struct sq_deadline *deadline,
               struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!leave_frames(wd, deadline, err)) {
        return false;
    }
    if (wd->platform == SQ_WD_CHROME) {
        if (evaluate_in_world(wd, code, value, deadline, &local_err)) {
            return true;
        }
        if (local_err.code != SQ_ERR_UNSUPPORTED) {
            return sq_fail_with(err, &local_err);
        }
        wd->platform = SQ_WD_BROWSER;
    }
    SQ_BUF(script, SQ_MAX_JSON_BYTES);
    return sq_buf_append(&script, "return ", 7, err)
        && sq_buf_append(&script, code.ptr, code.len, err)
        && sq_wd_execute(wd, sq_buf_span(&script), (struct sq_span){ 0 }, value,
                         deadline, err);
}

static bool
execute(struct sq_webdriver *wd, struct sq_span code,
        const struct sq_json **value, const struct sq_deadline *deadline,
        struct sq_err *err) {
    return sq_wd_execute(wd, code, (struct sq_span){ 0 }, value, deadline, err);
}

/* Where the walk stays for the next call: how to put it there, and to call it.
 */
static const struct home {
    const char *keep;
    const char *call;
    bool (*run)(struct sq_webdriver *wd, struct sq_span code,
                const struct sq_json **value,
                const struct sq_deadline *deadline, struct sq_err *err);
} our_world = { "", ";Object.hasOwn(globalThis,\"squint\")&&[squint.",
                sq_wd_evaluate },
  page_world = { ";Object.defineProperty(window,Symbol.for(\"squint\"),"
                 "{value:squint});delete globalThis.squint",
                 ";const walk=window[Symbol.for(\"squint\")];"
                 "return walk&&[walk.",
                 execute };

/* Calls a function of the walk, which is sent if it is not there. */
static bool
run_in(struct sq_webdriver *wd, const struct home *home, struct sq_span call,
       const struct sq_json **value, const struct sq_deadline *deadline,
       struct sq_err *err) {
    bool ok = true;
    SQ_BUF(code, SQ_MAX_JSON_BYTES);
    *value = NULL;
    for (int i = 0; ok && i < 2 && !sq_json_is(*value, SQ_JSON_ARRAY); i++) {
        sq_buf_clear(&code);
        ok = (i == 0
              || (sq_buf_append(&code, sq_browser_walk, sq_browser_walk_size,
                                err)
                  && sq_buf_printf(&code, err, "%s", home->keep)))
          && sq_buf_printf(&code, err, "%s", home->call)
          && sq_buf_append(&code, call.ptr, call.len, err)
          && sq_buf_append_byte(&code, ']', err)
          && home->run(wd, sq_buf_span(&code), value, deadline, err);
    }
    *value = sq_json_first(*value);
    return ok;
}

/* Calls a function of the walk in the page. */
static bool
run_walk(struct sq_webdriver *wd, struct sq_span call,
         const struct sq_json **value, const struct sq_deadline *deadline,
         struct sq_err *err) {
    if (wd->platform == SQ_WD_CHROME
        && !run_in(wd, &our_world, call, value, deadline, err)) {
        return false;
    }
    return wd->platform == SQ_WD_CHROME /* else it has turned out to be none */
        || (leave_frames(wd, deadline, err)
            && run_in(wd, &page_world, call, value, deadline, err));
}

bool
sq_wd_ask_page(struct sq_webdriver *wd, struct sq_span call,
               char word[SQ_WD_WORD_SIZE], const struct sq_deadline *deadline,
               struct sq_err *err) {
    const struct sq_json *value;
    struct sq_span said = { 0 };
    if (!run_walk(wd, call, &value, deadline, err)) {
        return false;
    }
    sq_json_string(value, &said);
    said = sq_utf8_shorten(said, SQ_WD_WORD_SIZE - 1);
    snprintf(word, SQ_WD_WORD_SIZE, "%.*s", SQ_SPAN_ARGS(said));
    return true;
}

bool
sq_wd_reveal(struct sq_device *device, int id, bool *found,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char call[32];
    char word[SQ_WD_WORD_SIZE] = "";
    snprintf(call, sizeof(call), "reveal(%d)", id);
    bool ok = sq_wd_ask_page(sq_webdriver_of(device), sq_span_of(call), word,
                             deadline, err);
    *found = ok && strcmp(word, "shown") == 0;
    return ok;
}

struct listing {
    struct sq_tree tree;
    struct sq_opaque_frames opaque;
    int listed; /* of them */
};

/* A frame of another origin, as the protocol names it. */
struct inner {
    char id[SQ_WD_SESSION_SIZE];
    int left;
    int top;
};

/* Finds the frames of the document that its scripts cannot enter. */
static bool
find_inner(struct sq_webdriver *wd, struct inner out[MAX_INNER], int *count,
           const struct sq_deadline *deadline, struct sq_err *err) {
    static const struct sq_span script = SQ_SPAN_INIT(
        "const find=root=>[...root.querySelectorAll('*')].flatMap(e=>"
        "e.shadowRoot?find(e.shadowRoot):/^I?FRAME$/.test(e.tagName)"
        "&&!e.contentDocument?[e]:[]);return find(document).map(f=>{"
        "const r=f.getBoundingClientRect();return [f,"
        "Math.round(r.left+f.clientLeft),Math.round(r.top+f.clientTop)]})");
    const struct sq_json *value;
    *count = 0;
    if (!sq_wd_execute(wd, script, (struct sq_span){ 0 }, &value, deadline,
                       err)) {
        return false;
    }
    for (const struct sq_json *item = sq_json_first(value);
         item && *count < MAX_INNER; item = sq_json_next(item)) {
        const struct sq_json *part = sq_json_first(item);
        int64_t place[2] = { 0 };
        bool ok = sq_wd_copy_id(sq_json_text_of(part, SQ_WD_ELEMENT_KEY),
                                out[*count].id);
        for (int i = 0; ok && i < 2; i++) {
            part = sq_json_next(part);
            ok = sq_json_int(part, &place[i]) && llabs(place[i]) < 1000000;
        }
        out[*count].left = (int)place[0];
        out[*count].top = (int)place[1];
        *count += ok;
    }
    return true;
}

static bool
enter(struct sq_webdriver *wd, const struct inner *inner,
      const struct sq_deadline *deadline, struct sq_err *err) {
    char body[SQ_WD_SESSION_SIZE + sizeof(SQ_WD_ELEMENT_KEY) + 32];
    snprintf(body, sizeof(body),
             "{\"id\":{\"" SQ_WD_ELEMENT_KEY "\":\"%.*s\"}}",
             SQ_WD_SESSION_SIZE - 1, inner->id);
    bool was_in_frame = wd->is_in_frame;
    struct sq_err local_err = { 0 };
    wd->is_in_frame = true;
    if (SQ_WD_POST(wd, "/frame", sq_span_of(body), NULL, deadline,
                   &local_err)) {
        return true;
    }
    /* After a timeout it may still happen. */
    wd->is_in_frame = was_in_frame || local_err.code == SQ_ERR_TIMEOUT
                   || local_err.code == SQ_ERR_CANCELLED;
    return sq_fail_with(err, &local_err);
}

/* Where the frames of a document are listed. */
struct level {
    struct sq_dev_pt at; /* of the document, in the page */
    double by;           /* pixels of the page of one of its pixels */
    int first;           /* of its opaque frames */
    int depth;
};

static bool list_inner(struct sq_webdriver *wd, struct listing *listing,
                       const struct level *level,
                       const struct sq_deadline *deadline, struct sq_err *err);

/* Adds the elements of a frame, and of those in it, to its row. */
static bool
list_one(struct sq_webdriver *wd, struct listing *listing,
         const struct sq_opaque_frame *item, int depth,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    const struct sq_frame_place place = {
        .parent = item->node,
        .at = item->at,
        .by = item->by,
        .clip = item->node->bounds,
        .is_unseen = item->node->flags & SQ_NODE_UNSEEN,
        .opaque = &listing->opaque,
    };
    const struct level level = { item->at, item->by, listing->opaque.count,
                                 depth + 1 };
    listing->listed++;
    return run_in(wd, &page_world,
                  item->has_focus ? SQ_SPAN(LIST_WITHOUT_IDS ")")
                                  : SQ_SPAN(LIST_WITHOUT_IDS ",false)"),
                  &value, deadline, err)
        && sq_page_add(&listing->tree, value, &place, err)
        && list_inner(wd, listing, &level, deadline, err);
}

static bool
is_near(int place, int start, double offset) {
    return fabs(place - start - offset) <= NEAR;
}

/*
 * Adds the elements of the frames that a walk could not enter. Their rows say
 * where they are; a frame that is not found there is listed without elements.
 */
static bool
list_inner(struct sq_webdriver *wd, struct listing *listing,
           const struct level *level, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct inner inner[MAX_INNER];
    int count = 0;
    const int end = listing->opaque.count;
    bool ok = level->first == end || level->depth > MAX_DEPTH
           || find_inner(wd, inner, &count, deadline, err);
    for (int i = 0; ok && i < count; i++) {
        const struct sq_opaque_frame *item = NULL;
        for (int k = level->first; !item && k < end; k++) {
            const struct sq_opaque_frame *one = &listing->opaque.items[k];
            if (is_near(one->at.x, level->at.x, inner[i].left * level->by)
                && is_near(one->at.y, level->at.y, inner[i].top * level->by)) {
                item = one;
            }
        }
        if (item && listing->listed < MAX_INNER) {
            ok = enter(wd, &inner[i], deadline, err)
              && list_one(wd, listing, item, level->depth, deadline, err)
              && SQ_WD_POST(wd, "/frame/parent", (struct sq_span){ 0 }, NULL,
                            deadline, err);
        }
    }
    return ok;
}

bool
sq_wd_list_page(struct sq_webdriver *wd, bool all, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct listing listing = { .listed = 0 };
    char call[48];
    const struct sq_json *value = NULL;
    struct sq_err local_err = { 0 };
    const struct sq_frame_place place = {
        .clip = { 0, 0, wd->screen.size.width, wd->screen.size.height },
        .opaque = &listing.opaque,
    };
    sq_arena_init(&listing.tree.arena, MAX_TREE_BYTES);
    snprintf(call, sizeof(call), "list(%d,%s,0,1)", next_node,
             all ? "true" : "false");
    bool ok = run_walk(wd, sq_span_of(call), &value, deadline, err)
           && sq_page_add(&listing.tree, value, &place, err);
    int next = ok ? sq_json_int_of(value, "next") : 0;
    next_node = next > next_node ? next : next_node;
    /* What cannot be read of frames is left out: their rows are listed. */
    if (ok
        && !list_inner(wd, &listing, &(struct level){ .by = 1, .depth = 1 },
                       deadline, &local_err)
        && sq_is_fatal(local_err.code)) {
        ok = sq_fail_with(err, &local_err);
    }
    ok = ok && leave_frames(wd, deadline, err);
    if (!ok) {
        sq_tree_finish(&listing.tree);
        return false;
    }
    sq_page_number(&listing.tree);
    *out = listing.tree;
    return true;
}

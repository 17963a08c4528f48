/* dump: returns the elements of the screen, as a compact list or as a tree. */
#include <stdio.h>

#include "config/config.h"
#include "tools/elements/listing.h"
#include "tools/operations.h"
#include "tools/screen/pixel_search.h"

#define DEFAULT_LIMIT 60
#define MAX_LIMIT 500
#define MAX_OFFSET 1000000
/*
 * Each level needs two JSON containers; deeper nodes are omitted and counted.
 */
#define MAX_TREE_DEPTH (SQ_JSON_WRITER_DEPTH / 2 - 4)
/* A list is sent twice in a reply: as text and as structured content. */
#define SHARE_OF_REPLY 4

struct dump_args {
    struct sq_opt_bool compact;
    struct sq_opt_bool interactive_only;
    struct sq_opt_int filter_level;
    struct sq_opt_int limit;
    struct sq_opt_int offset;
    struct sq_opt_bool vision;
};

static const struct sq_arg dump_args[] = {
    SQ_BOOL(dump_args, compact, "compact", "false: the whole tree",
            .help = "list what can be touched or has a label; --no-compact: "
                    "the whole tree",
            .initial = "true"),
    SQ_BOOL(dump_args, interactive_only, "interactiveOnly", "", .is_rare = true,
            .help = "leave out plain labels"),
    SQ_CHOICE(dump_args, filter_level, "filterLevel", sq_tappable_words, "",
              .help = "list only what is tappable in this sense",
              .initial = "what can be touched or has a label", .is_rare = true),
    SQ_INT(dump_args, limit, "limit", 1, MAX_LIMIT, "",
           .help = "list at most N", .initial = "60"),
    SQ_INT(dump_args, offset, "offset", 0, MAX_OFFSET, "",
           .help = "leave out the first ones", .initial = "0"),
    SQ_BOOL(dump_args, vision, "vision", "Also what only pixels show",
            .help = "also list text, remembered pictures and shapes that only "
                    "the pixels show"),
    SQ_ARGS_END,
};

struct dump {
    const struct dump_args *args;
    struct sq_tree tree;
    struct sq_tree_state state;
    struct sq_frame frame;
    struct sq_look look; /* with vision */
    struct sq_listing list;
    size_t max_bytes;
    bool cut; /* the list was cut to fit the reply */
};

static bool
list(struct sq_call *call, struct dump *d, struct sq_err *err) {
    const struct sq_view *view = &d->frame.view;
    const struct dump_args *args = d->args;
    return args->filter_level.given
             ? sq_listing_level(&d->tree, view,
                                (enum sq_tappable)args->filter_level.value,
                                call->arena, &d->list, err)
             : sq_listing_make(&d->tree, view, args->interactive_only.value,
                               call->arena, &d->list, err);
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct dump_args *args = raw_args;
    if (args->filter_level.given && args->interactive_only.given) {
        return sq_fail_argument(
            err, "$interactiveOnly and $filterLevel cannot be used together",
            "Leave one of them out.");
    }
    return true;
}

static bool
gather(struct sq_call *call, struct dump *d, struct sq_err *err) {
    struct sq_screen screen;
    return sq_tree_fetch(call, &d->tree, &d->state, err)
        && (!d->args->vision.value
            || sq_look_merge(&d->look, SQ_NODE_SEEN, err))
        && sq_device_screen(call->device, &screen, &call->deadline, err)
        && sq_session_view(call->session, call->device->info.id, &screen,
                           &d->frame, err)
        && list(call, d, err);
}

static bool
is_full(const struct dump *d, const struct sq_json_writer *w) {
    return w->out->len > d->max_bytes;
}

static void
put_list(struct dump *d, struct sq_json_writer *w) {
    size_t total = d->list.count;
    size_t limit =
        d->args->limit.given ? (size_t)d->args->limit.value : DEFAULT_LIMIT;
    size_t offset = (size_t)d->args->offset.value;
    size_t at = offset;
    sq_compact_put_columns(w);
    sq_json_begin_array_of(w, "elements");
    for (; at < total && at - offset < limit && !is_full(d, w); at++) {
        sq_compact_put_row(&d->list.items[at], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)(at - offset));
    if (offset > 0) {
        sq_put_int(w, "offset", (int64_t)offset);
    }
    if (at - offset < total) {
        sq_put_int(w, "totalCount", (int64_t)total);
    }
    if (at < total) {
        sq_put_bool(w, "hasMore", true);
        sq_put_int(w, "nextOffset", (int64_t)at);
    }
}

/*
 * Finds the index of a node in the list, which is in document order. Returns -1
 * if there is none.
 */
static int
find_index(const struct sq_listing *list, const struct sq_node *node) {
    size_t from = 0;
    size_t to = list->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (list->items[middle].node->index < node->index) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < list->count && list->items[from].node == node
             ? list->items[from].index
             : -1;
}

static void
put_bounds(const struct dump *d, const struct sq_node *node,
           struct sq_json_writer *w) {
    struct sq_img_rect rect;
    if (sq_view_rect_to_image(&d->frame.view, node->bounds, &rect)) {
        char text[64];
        snprintf(text, sizeof(text), "[%d,%d][%d,%d]", rect.left, rect.top,
                 rect.right, rect.bottom);
        sq_put_text(w, "bounds", text);
    }
}

static bool
put_node_members(struct sq_call *call, struct dump *d,
                 const struct sq_node *node, struct sq_json_writer *w,
                 struct sq_err *err) {
    struct sq_span label;
    if (!sq_node_label(node, call->arena, &label, err)) {
        return false;
    }
    int index = find_index(&d->list, node);
    if (index >= 0) {
        sq_put_int(w, "index", index);
    }
    sq_put_untrusted(w, "className", sq_node_type(node));
    sq_put_untrusted(w, "text", label);
    sq_put_untrusted(w, "resourceId", sq_short_id(node->resource_id));
    put_bounds(d, node, w);
    sq_put_if_true(w, "clickable", node->flags & SQ_NODE_CLICKABLE);
    sq_put_if_true(w, "scrollable", node->flags & SQ_NODE_SCROLLABLE);
    const char *state = sq_node_state(node);
    if (state) {
        sq_put_text(w, "state", state);
    }
    return true;
}

/* Closes a node and the ancestors that end with it, or all of them. */
static const struct sq_node *
close_nodes(const struct sq_node *node, bool all, struct sq_json_writer *w) {
    sq_json_end_object(w);
    while (node->parent && (all || !node->next)) {
        node = node->parent;
        sq_json_end_array(w);
        sq_json_end_object(w);
    }
    return all ? NULL : node->next;
}

/* Writes the tree without recursion, because the device controls its depth. */
static bool
put_tree(struct sq_call *call, struct dump *d, struct sq_json_writer *w,
         struct sq_err *err) {
    sq_json_begin_array_of(w, "tree");
    const struct sq_node *node = d->tree.root;
    while (node) {
        sq_json_begin_object(w);
        if (!put_node_members(call, d, node, w, err)) {
            return false;
        }
        bool full = is_full(d, w);
        bool deep = node->first_child && node->depth >= MAX_TREE_DEPTH;
        d->cut = d->cut || full || deep;
        if (node->first_child && !full && !deep) {
            sq_json_begin_array_of(w, "children");
            node = node->first_child;
        } else {
            node = close_nodes(node, full, w);
        }
    }
    sq_json_end_array(w);
    return true;
}

/* Explains an empty list: by the filter, or by the screen. */
static bool
put_filtered(struct sq_call *call, const struct dump *d,
             struct sq_json_writer *w, struct sq_err *err) {
    const struct dump_args *args = d->args;
    const char *filter = args->filter_level.given     ? "$filterLevel"
                       : args->interactive_only.value ? "$interactiveOnly"
                                                      : NULL;
    struct sq_listing all = { 0 };
    if (filter
        && !sq_listing_make(&d->tree, &d->frame.view, false, call->arena, &all,
                            err)) {
        return false;
    }
    if (all.count == 0) {
        sq_put_no_elements(w);
        return true;
    }
    char name[SQ_MARKED_SIZE];
    char text[160];
    snprintf(text, sizeof(text),
             "No element passes %s: without it, %zu %s listed. Leave it out.",
             sq_marked(filter, name), all.count, all.count == 1 ? "is" : "are");
    sq_put_text(w, "warning", text);
    return true;
}

static bool
answer(struct sq_call *call, struct dump *d, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_listing_number(call, &d->list);
    bool as_list = !d->args->compact.given || d->args->compact.value;
    if (as_list) {
        put_list(d, &reply.w);
    } else if (!put_tree(call, d, &reply.w, err)) {
        return false;
    }
    sq_put_frame(&reply.w, &d->frame);
    sq_put_redacted(&reply.w, d->look.screen.redacted);
    if (d->cut) {
        sq_put_bool(&reply.w, "truncated", true);
        sq_put_text(&reply.w, "hint",
                    "Too large for one reply: use the "
                    "compact form, page by page.");
    }
    if (d->tree.unlisted > 0 || d->tree.is_cut) {
        char hint[80];
        snprintf(hint, sizeof(hint),
                 d->tree.is_cut
                     ? "Not all is listed, at least %d more: find or scroll."
                     : "%d more are not on the screen: find or scroll.",
                 d->tree.unlisted);
        sq_put_text(&reply.w, "hint", hint);
    }
    if (d->state.outcome != SQ_TREE_READ) {
        sq_put_quoting(&reply.w, "warning", d->state.text);
    } else if (d->list.count == 0 && !put_filtered(call, d, &reply.w, err)) {
        return false;
    }
    return sq_reply_end(call, &reply, err);
}

static bool
dump_run(struct sq_call *call, const void *args, struct sq_err *err) {
    struct dump d = {
        .args = args,
        .max_bytes =
            (size_t)call->config->limits.max_result_bytes / SHARE_OF_REPLY,
    };
    d.look = (struct sq_look){ .call = call, .tree = &d.tree };
    bool ok = (!d.args->vision.value || sq_look_enabled(call, err))
           && gather(call, &d, err) && answer(call, &d, err)
           && sq_listing_remember(call, &d.list, 0, err);
    if (ok) {
        sq_session_add_frame(call->session, &d.frame);
    }
    sq_look_finish(&d.look);
    sq_tree_finish(&d.tree);
    return ok;
}

static bool
has_elements(const struct sq_people *people) {
    return !sq_reply_is_beyond(people->reply, "elements");
}

#define MAX_INDENT 40

/* Prints one node of the whole tree and those inside it. */
static bool
put_node(struct sq_people *people, const struct sq_json *node, int depth,
         struct sq_err *err) {
    struct sq_page *page = &people->page;
    struct sq_span type = sq_json_text_of(node, "className");
    struct sq_span text = sq_json_text_of(node, "text");
    struct sq_span id = sq_json_text_of(node, "resourceId");
    struct sq_span bounds = sq_json_text_of(node, "bounds");
    int indent = depth < MAX_INDENT ? depth : MAX_INDENT;
    bool ok = sq_page_printf(page, SQ_INK_PLAIN, err, "%*s", 2 + 2 * indent, "")
           && sq_page_put(page, SQ_INK_FAINT, type, err)
           && (text.len == 0
               || sq_page_printf(page, SQ_INK_STRONG, err, " \"%.*s\"",
                                 SQ_SPAN_ARGS(text)))
           && (id.len == 0
               || sq_page_printf(page, SQ_INK_PLAIN, err, " #%.*s",
                                 SQ_SPAN_ARGS(id)))
           && sq_page_printf(page, SQ_INK_FAINT, err, " %.*s\n",
                             SQ_SPAN_ARGS(bounds));
    for (const struct sq_json *child =
             sq_json_first(sq_json_get(node, "children"));
         ok && child; child = sq_json_next(child)) {
        ok = put_node(people, child, depth + 1, err);
    }
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *tree = sq_json_get(people->reply, "tree");
    int total = sq_json_int_of(people->reply, "totalCount");
    int count = total ? total : sq_json_int_of(people->reply, "count");
    bool ok =
        (tree ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                               "All nodes of the screen")
                    && sq_people_end_line(people, err)
              : sq_people_put_total(people, "elements", "element", count, err))
        && sq_people_put_elements(people, err);
    for (const struct sq_json *node = sq_json_first(tree); ok && node;
         node = sq_json_next(node)) {
        ok = put_node(people, node, 0, err);
    }
    return ok && sq_people_put_more(people, err);
}

const struct sq_tool sq_tool_dump = {
    .name = "dump",
    .title = "List elements",
    .text = "List what is on the screen, with coordinates.",
    .manual =
        "One line per element that can be touched or has a label of its own, "
        "with the columns named in `columns`: `index` (for `elementIndex`), "
        "`x,y` of its middle in the pixels of `screenshotId`, its type (with "
        "`:checked`, `:selected`, `:disabled`, `:focused` or `:password`), "
        "and its label, or `#id` if there is only an identifier. A label that "
        "looks like an id or a state is in quotes. `interactiveOnly` omits "
        "plain labels. `filterLevel` defines what counts as tappable: strict "
        "(enabled controls), moderate (also elements marked as clickable, and "
        "images), permissive (also everything with a name), none (everything "
        "visible). `limit` and `offset` page through long lists; `nextOffset` "
        "is where the next page starts.\n\n`vision: true` adds what only the "
        "pixels show, with types of their own: `ocr` (text; needs "
        "`ui.ocrEnabled`; `doubtful` may be misread), `image` (a remembered "
        "picture; needs `ui.templateMatchingEnabled`) and `shape` (an area of "
        "one colour where nothing else is). What the elements already have is "
        "not repeated. An element without a label gets the text inside it, or "
        "beside it if that is clearly its own: its type then ends in `+text` "
        "(`+image`: the name of a remembered picture). All can be used by "
        "`elementIndex`.\n\n`compact: false` gives the whole tree instead: "
        "`className`, `text`, `resourceId`, `bounds`, `clickable`, "
        "`children`; nodes of the list have their `index`.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_ELEMENTS,
    SQ_ARGS(dump_args, dump_args),
    .output =
        "columns?:text elements?:texts tree?:objects count?:int "
        "totalCount?:int hasMore?:bool offset?:int nextOffset?:int "
        "coordinateSpace:text screenshotId:text redacted?:int untrusted?:bool "
        "truncated?:bool hint?:text warning?:text",
    .check = check,
    .people = { .examples = { "dump" }, .show = show, .is_done = has_elements },
    .uses = SQ_USES_LOOKS | SQ_USES_FINDS,
    .synonyms = "dump list elements list-elements list-elements-on-screen tree "
                "hierarchy describe ui-dump page-source get-elements "
                "get-ui-tree accessibility-tree view-hierarchy inspect "
                "snapshot-ui read read-screen get-text get-page-source "
                "describe-all describe-ui inspect-screen ui-tree",
    .run = dump_run,
};

/* The tree of elements, with everything that the page shows about them. */
#include "inspector/private.h"

#include <math.h>
#include "image/pipeline/picture.h"
#include "sys/clock.h"
#include "tools/elements/label.h"
#include "tools/elements/listing.h"
#include "tools/elements/target.h"
#include "tools/reply.h"
#include "util/mem.h"

#define MAX_NODES 5000
#define NS_PER_MS 1000000

/* The flags that the page shows, in this order. */
static const struct {
    unsigned flag;
    const char *name;
} flag_names[] = {
    { SQ_NODE_CLICKABLE, "clickable" },
    { SQ_NODE_LONG_CLICKABLE, "long-clickable" },
    { SQ_NODE_EDITABLE, "editable" },
    { SQ_NODE_SCROLLABLE, "scrollable" },
    { SQ_NODE_CHECKABLE, "checkable" },
    { SQ_NODE_CHECKED, "checked" },
    { SQ_NODE_SELECTED, "selected" },
    { SQ_NODE_FOCUSABLE, "focusable" },
    { SQ_NODE_FOCUSED, "focused" },
    { SQ_NODE_ENABLED, "enabled" },
    { SQ_NODE_PASSWORD, "password" },
};

void
sq_inspector_mask(const struct sq_inspector *inspector,
                  struct sq_json_writer *w) {
    const struct sq_call call = { .redactor = inspector->options.redactor };
    sq_reply_mask(&call, w);
}

bool
sq_inspector_open_device(const struct sq_inspector_request *request,
                         struct sq_device **out, struct sq_err *err) {
    struct sq_span given = sq_json_text_of(request->arguments, "device");
    const char *id = NULL;
    if (given.len > 0) {
        id = sq_span_contains(given, '\0')
               ? NULL
               : sq_arena_strdup(request->arena, given, err);
        if (!id) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "device is not a device id");
        }
    }
    bool demo_by_default;
    if (!sq_devices_open(request->inspector->options.devices, id,
                         &request->deadline, out, &demo_by_default, err)) {
        return false;
    }
    sq_device_begin(*out, SQ_NO_CALL);
    return true;
}

/* A tree of elements that was read for a request. Zero it first. */
struct tree_read {
    struct sq_device *device;
    struct sq_screen screen;
    struct sq_tree tree;
    char warning[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE]; /* may be empty */
};

/* Reads the tree and keeps the device until finish_tree. */
static bool
read_tree(const struct sq_inspector_request *request, struct tree_read *out,
          struct sq_err *err) {
    const struct sq_inspector_options *options = &request->inspector->options;
    struct sq_tree_state state;
    if (!sq_inspector_open_device(request, &out->device, err)) {
        return false;
    }
    struct sq_call call = {
        .config = options->config,
        .devices = options->devices,
        .device = out->device,
        .redactor = options->redactor,
        .arena = request->arena,
        .deadline = request->deadline,
    };
    if (!sq_device_screen(out->device, &out->screen, &request->deadline, err)
        || !sq_tree_fetch(&call, &out->tree, &state, err)) {
        return false;
    }
    if (state.outcome != SQ_TREE_READ) {
        memcpy(out->warning, state.text, sizeof(out->warning));
    }
    return true;
}

static void
finish_tree(const struct sq_inspector_request *request,
            struct tree_read *read) {
    sq_tree_finish(&read->tree);
    sq_devices_release(request->inspector->options.devices, read->device);
}

static bool
put_node(const struct sq_node *node, struct sq_arena *arena,
         struct sq_json_writer *w, struct sq_err *err) {
    struct sq_span label;
    if (!sq_node_label(node, arena, &label, err)) {
        return false;
    }
    sq_json_begin_object(w);
    sq_put_int(w, "index", node->index);
    sq_put_int(w, "depth", node->depth);
    sq_put_untrusted(w, "role", sq_node_type(node));
    sq_put_untrusted(w, "className", node->class_name);
    sq_put_untrusted(w, "label", label);
    if (!sq_node_is_secret(node)) {
        sq_put_untrusted(w, "text", node->text);
        sq_put_untrusted(w, "hint", node->hint);
    }
    sq_put_untrusted(w, "description", sq_node_desc(node));
    sq_put_untrusted(w, "resourceId", node->resource_id);
    struct sq_dev_rect bounds = node->bounds;
    sq_json_begin_array_of(w, "bounds");
    sq_json_put_int(w, bounds.left);
    sq_json_put_int(w, bounds.top);
    sq_json_put_int(w, bounds.right);
    sq_json_put_int(w, bounds.bottom);
    sq_json_end_array(w);
    sq_json_begin_array_of(w, "flags");
    for (size_t i = 0; i < SQ_COUNT(flag_names); i++) {
        if (node->flags & flag_names[i].flag) {
            sq_json_put_string(w, sq_span_of(flag_names[i].name));
        }
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
    return true;
}

static bool
put_nodes(const struct sq_inspector_request *request,
          const struct sq_tree *tree, struct sq_json_writer *w,
          struct sq_err *err) {
    bool ok = true;
    int count = 0;
    sq_json_begin_array_of(w, "nodes");
    for (const struct sq_node *node = tree->root;
         ok && node && count < MAX_NODES; node = sq_node_after(node)) {
        ok = put_node(node, request->arena, w, err);
        count++;
    }
    sq_json_end_array(w);
    sq_put_int(w, "total", tree->count);
    return ok;
}

bool
sq_inspector_elements(const struct sq_inspector_request *request,
                      struct sq_json_writer *w, struct sq_err *err) {
    struct tree_read read = { 0 };
    atomic_int *cost = &request->inspector->tree_ms;
    int64_t start_ns = sq_clock_monotonic_ns();
    bool ok = sq_inspector_give_way(request, atomic_load(cost), start_ns, err);
    start_ns = sq_clock_monotonic_ns();
    ok = ok && read_tree(request, &read, err);
    int took_ms = (int)((sq_clock_monotonic_ns() - start_ns) / NS_PER_MS);
    atomic_store(cost, took_ms);
    ok = ok && put_nodes(request, &read.tree, w, err);
    if (ok) {
        sq_put_int(w, "tookMs", took_ms);
        sq_put_untrusted(w, "device", sq_span_of(read.device->info.id));
        sq_put_size(w, "screen", read.screen.size);
        sq_put_double(w, "density", read.screen.density);
        sq_put_untrusted(w, "warning", sq_span_of(read.warning));
    }
    finish_tree(request, &read);
    return ok;
}

/*
 * What the card of an element shows: its selectors, how many elements each
 * matches now, and the contrast of its text.
 */

/*
 * Estimates the contrast of text from pixels: the most frequent colour is the
 * background, and the colour that differs most from it and is not rare is the
 * text. Edges of letters are mixtures of both and therefore count little.
 */

/* Colours are counted by the upper four bits of each channel. */
#define BITS 4
#define BINS (1 << (3 * BITS))
#define RARE 200 /* a colour of fewer than 1/200 of the pixels is ignored */

struct bin {
    uint32_t count;
    uint32_t sum[3];
};

/* The relative luminance of WCAG 2: 0 black, 1 white. */
static double
luminance(const struct bin *bin) {
    static const double weights[] = { 0.2126, 0.7152, 0.0722 };
    double total = 0;
    for (int i = 0; i < 3; i++) {
        double share = (double)bin->sum[i] / bin->count / 255;
        total += weights[i]
               * (share <= 0.04045 ? share / 12.92
                                   : pow((share + 0.055) / 1.055, 2.4));
    }
    return total;
}

static void
count_colours(const struct sq_image *image, struct sq_region part,
              struct bin *bins) {
    for (int y = part.y; y < part.y + part.height; y++) {
        const uint8_t *pixel =
            sq_image_row(image, y) + (size_t)part.x * SQ_PIXEL_BYTES;
        for (int x = 0; x < part.width; x++, pixel += SQ_PIXEL_BYTES) {
            unsigned at = (unsigned)(pixel[0] >> BITS) << (2 * BITS)
                        | (unsigned)(pixel[1] >> BITS) << BITS
                        | (unsigned)(pixel[2] >> BITS);
            struct bin *bin = &bins[at];
            bin->count++;
            for (int i = 0; i < 3; i++) {
                bin->sum[i] += pixel[i];
            }
        }
    }
}

static double
greatest_contrast(const struct bin *bins, uint32_t pixels) {
    const struct bin *background = bins;
    double greatest = 0;
    for (int i = 0; i < BINS; i++) {
        background = bins[i].count > background->count ? &bins[i] : background;
    }
    double back = luminance(background);
    for (int i = 0; i < BINS; i++) {
        if (&bins[i] != background && bins[i].count > 0
            && bins[i].count >= pixels / RARE) {
            double front = luminance(&bins[i]);
            double ratio =
                (fmax(front, back) + 0.05) / (fmin(front, back) + 0.05);
            greatest = fmax(greatest, ratio);
        }
    }
    return greatest;
}

double
sq_inspector_contrast(const struct sq_image *image, struct sq_region part) {
    struct bin *bins = sq_mem_zalloc(BINS, sizeof(*bins));
    double contrast = 0;
    if (bins && part.width > 0 && part.height > 0) {
        count_colours(image, part, bins);
        contrast = greatest_contrast(bins, (uint32_t)part.width
                                               * (uint32_t)part.height);
    }
    sq_mem_free(bins);
    return contrast;
}

enum part {
    BY_ID = 1 << 0,
    BY_TEXT = 1 << 1,
    BY_DESCRIPTION = 1 << 2,
    BY_CLASS = 1 << 3,
};

/* What a selector may consist of, the most durable first. */
static const unsigned kinds[] = {
    BY_ID,
    BY_TEXT,
    BY_DESCRIPTION,
    BY_ID | BY_TEXT,
    BY_ID | BY_CLASS,
    BY_TEXT | BY_CLASS,
    BY_DESCRIPTION | BY_CLASS,
    BY_CLASS,
};

/* A selector and what it matches. */
struct candidate {
    struct sq_selector selector;
    size_t matches;
    bool is_first; /* the element is the best match */
};

/* Makes the selector. Returns false if the element lacks a part of it. */
static bool
make_selector(const struct sq_node *node, unsigned parts, struct sq_span label,
              struct sq_selector *out) {
    *out = (struct sq_selector){ .given = true };
    const struct {
        unsigned part;
        struct sq_span text;
        struct sq_opt_text *into;
    } rows[] = {
        { BY_ID, sq_short_id(node->resource_id), &out->resource_id },
        { BY_TEXT, sq_node_is_secret(node) ? SQ_SPAN("") : label, &out->text },
        { BY_DESCRIPTION, sq_node_desc(node), &out->content_desc },
        { BY_CLASS, sq_node_type(node), &out->class_name },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        if (parts & rows[i].part) {
            *rows[i].into =
                (struct sq_opt_text){ .given = true, .value = rows[i].text };
            if (rows[i].text.len == 0) {
                return false;
            }
        }
    }
    return true;
}

static void
put_text(struct sq_json_writer *w, const char *name,
         const struct sq_opt_text *text) {
    if (text->given) {
        sq_put_untrusted(w, name, text->value);
    }
}

static void
put_candidate(const struct candidate *candidate, struct sq_json_writer *w) {
    const struct sq_selector *selector = &candidate->selector;
    sq_json_begin_object(w);
    sq_json_begin_object_of(w, "selector");
    put_text(w, "resourceId", &selector->resource_id);
    put_text(w, "text", &selector->text);
    put_text(w, "contentDesc", &selector->content_desc);
    put_text(w, "className", &selector->class_name);
    sq_json_end_object(w);
    sq_put_int(w, "matches", (int64_t)candidate->matches);
    sq_put_bool(w, "isFirst", candidate->is_first);
    sq_json_end_object(w);
}

static bool
put_selectors(const struct sq_inspector_request *request,
              const struct sq_tree *tree, const struct sq_node *node,
              struct sq_json_writer *w, struct sq_err *err) {
    struct candidate found[SQ_COUNT(kinds)];
    size_t count = 0;
    struct sq_span label;
    if (!sq_node_label(node, request->arena, &label, err)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        if (!make_selector(node, kinds[i], label, &found[count].selector)) {
            continue;
        }
        /* Counts what the candidate's selector matches. */
        struct sq_arena *arena = request->arena;
        struct candidate *candidate = &found[count];
        struct sq_selection selection = { 0 };
        if (!sq_select(tree, &candidate->selector, arena, &selection, err)) {
            return false;
        }
        candidate->matches = selection.count;
        candidate->is_first =
            selection.count > 0 && selection.matches[0].node == node;
        count += found[count].matches > 0;
    }
    sq_json_begin_array_of(w, "selectors");
    /* First those that find the element alone, then worse ones. */
    for (int wanted = 0; wanted <= 2; wanted++) {
        for (size_t i = 0; i < count; i++) {
            int rank = !found[i].is_first ? 2 : found[i].matches > 1;
            if (rank == wanted) {
                put_candidate(&found[i], w);
            }
        }
    }
    sq_json_end_array(w);
    return true;
}

/* Finds the node that the page means, if it is still at the same place. */
static const struct sq_node *
find_node(const struct sq_inspector_request *request,
          const struct sq_tree *tree, struct sq_err *err) {
    const struct sq_json *args = request->arguments;
    const struct sq_node *node = tree->root;
    int index = sq_json_int_of(args, "index");
    while (node && node->index != index) {
        node = sq_node_after(node);
    }
    if (!node || node->bounds.left != sq_json_int_of(args, "left")
        || node->bounds.top != sq_json_int_of(args, "top")) {
        sq_fail(err, SQ_ERR_STALE_ELEMENT,
                "the element is no longer where it was");
        sq_fail_hint(err, "Choose it again.");
        return NULL;
    }
    return node;
}

/* Writes the contrast of the element's text, in native pixels. */
static bool
put_contrast(const struct sq_inspector_request *request,
             const struct tree_read *read, const struct sq_node *node,
             struct sq_json_writer *w, struct sq_err *err) {
    struct sq_capture capture = { 0 };
    struct sq_image image = { 0 };
    struct sq_dev_rect seen;
    if (node->text.len == 0 || sq_node_is_secret(node)
        || !sq_visible_part(node->bounds, read->screen.size, &seen)) {
        return true;
    }
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_inspector_capture(request, read->device, &capture, err)
           && sq_picture_decode(capture.bytes.data, capture.bytes.len,
                                SQ_MAX_SIDE, &sq_limits_default, &image, err);
    if (ok) {
        const struct sq_view view =
            sq_view_make(read->screen.size, sq_image_size(&image));
        struct sq_img_rect rect;
        if (sq_view_rect_to_image(&view, seen, &rect)) {
            const struct sq_region part = { rect.left, rect.top,
                                            rect.right - rect.left,
                                            rect.bottom - rect.top };
            sq_put_double(w, "contrast", sq_inspector_contrast(&image, part));
        }
    }
    sq_image_finish(&image);
    sq_capture_finish(&capture);
    return ok;
}

bool
sq_inspector_element(const struct sq_inspector_request *request,
                     struct sq_json_writer *w, struct sq_err *err) {
    struct tree_read read = { 0 };
    const struct sq_node *node = NULL;
    bool ok = read_tree(request, &read, err)
           && (node = find_node(request, &read.tree, err)) != NULL
           && put_selectors(request, &read.tree, node, w, err)
           && put_contrast(request, &read, node, w, err);
    finish_tree(request, &read);
    return ok;
}

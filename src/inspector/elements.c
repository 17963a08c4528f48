/* The tree of elements, with everything that the page shows about them. */
#include "inspector/private.h"
#include "sys/clock.h"
#include "tools/elements/label.h"
#include "tools/elements/listing.h"
#include "tools/reply.h"

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

bool
sq_inspector_tree_read(const struct sq_inspector_request *request,
                       struct sq_inspector_tree *out, struct sq_err *err) {
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

void
sq_inspector_tree_finish(const struct sq_inspector_request *request,
                         struct sq_inspector_tree *read) {
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
    struct sq_inspector_tree read = { 0 };
    atomic_int *cost = &request->inspector->tree_ms;
    int64_t start_ns = sq_clock_monotonic_ns();
    bool ok = sq_inspector_give_way(request, atomic_load(cost), start_ns, err);
    start_ns = sq_clock_monotonic_ns();
    ok = ok && sq_inspector_tree_read(request, &read, err);
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
    sq_inspector_tree_finish(request, &read);
    return ok;
}

/* Builds the accessibility tree from the items of a scene. */
#include <stdio.h>

#include "demo/phone/phone.h"

#define TREE_BYTES ((size_t)8 << 20)

static const char *const class_names[SQ_WIDGET_KINDS] = {
    [SQ_COLUMN] = "android.widget.LinearLayout",
    [SQ_ROW] = "android.widget.LinearLayout",
    [SQ_STACK] = "android.widget.FrameLayout",
    [SQ_GRID] = "android.widget.GridLayout",
    [SQ_SCROLL] = "androidx.recyclerview.widget.RecyclerView",
    [SQ_STRIP] = "android.widget.HorizontalScrollView",
    [SQ_TEXT] = "android.widget.TextView",
    [SQ_BUTTON] = "android.widget.Button",
    [SQ_FIELD] = "android.widget.EditText",
    [SQ_SWITCH] = "android.widget.Switch",
    [SQ_CHECKBOX] = "android.widget.CheckBox",
    [SQ_IMAGE] = "android.widget.ImageView",
    [SQ_APP] = "android.widget.TextView",
    [SQ_CANVAS] = "android.view.View",
};

struct lister {
    const struct sq_phone *phone;
    const struct sq_demo_app *app;
    struct sq_span package;
    struct sq_tree tree;
    struct sq_err *err;
};

static bool
is_clickable(const struct sq_widget *widget) {
    return widget->tap || widget->double_tap || widget->kind == SQ_FIELD;
}

/* Leaves out layout, decoration and canvases, which have no content. */
static bool
is_listed(const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    if (sq_rect_is_empty(item->seen)) {
        return false;
    }
    if (!item->parent || widget->id || widget->desc || item->text.len) {
        return true;
    }
    return is_clickable(widget) && widget->kind != SQ_CANVAS;
}

static struct sq_span
span_or_empty(const char *text) {
    return text ? sq_span_of(text) : (struct sq_span){ 0 };
}

static const char *
class_of(const struct sq_widget *widget) {
    return widget->kind == SQ_IMAGE && widget->tap
             ? "android.widget.ImageButton"
             : class_names[widget->kind];
}

static unsigned
when(bool condition, enum sq_node_flag flag) {
    return condition ? (unsigned)flag : 0;
}

static unsigned
flags_of(const struct lister *lister, const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    enum sq_widget_kind kind = widget->kind;
    bool is_field = kind == SQ_FIELD;
    bool checkable = kind == SQ_SWITCH || kind == SQ_CHECKBOX;
    bool chosen = widget->chosen && widget->chosen(lister->phone, widget);
    bool scrolls = kind == SQ_SCROLL || kind == SQ_STRIP;
    return SQ_NODE_ENABLED | when(is_clickable(widget), SQ_NODE_CLICKABLE)
         | when(widget->long_press, SQ_NODE_LONG_CLICKABLE)
         | when(is_clickable(widget), SQ_NODE_FOCUSABLE)
         | when(is_field && lister->phone->focus == widget->arg,
                SQ_NODE_FOCUSED)
         | when(scrolls && sq_item_scroll_range(item) > 0, SQ_NODE_SCROLLABLE)
         | when(checkable, SQ_NODE_CHECKABLE)
         | when(checkable && chosen, SQ_NODE_CHECKED)
         | when(!checkable && chosen, SQ_NODE_SELECTED)
         | when(is_field, SQ_NODE_EDITABLE)
         | when(widget->secret, SQ_NODE_PASSWORD);
}

/* Copies texts that do not live as long as the program. */
static struct sq_node *
make_node(struct lister *lister, const struct sq_item *item,
          struct sq_node *parent) {
    const struct sq_widget *widget = item->widget;
    struct sq_arena *arena = &lister->tree.arena;
    char id[SQ_DEVICE_TEXT_SIZE] = "";
    struct sq_node *node = sq_arena_alloc(arena, 1, sizeof(*node), lister->err);
    if (!node) {
        return NULL;
    }
    if (widget->id) {
        snprintf(id, sizeof(id), SQ_DEMO_PACKAGE "%s:id/%s", lister->app->name,
                 widget->id);
    }
    *node = (struct sq_node){
        .text = item->text,
        .desc = span_or_empty(widget->desc),
        .hint = span_or_empty(widget->hint),
        .resource_id = sq_span_of(id),
        .class_name = sq_span_of(class_of(widget)),
        .package = lister->package,
        .bounds = ((struct sq_dev_rect){ item->seen.left, item->seen.top,
                                         item->seen.right, item->seen.bottom }),
        .flags = flags_of(lister, item),
        .index = lister->tree.count++,
        .depth = parent ? parent->depth + 1 : 0,
        .parent = parent,
    };
    return sq_arena_keep(arena, &node->text, lister->err)
                && sq_arena_keep(arena, &node->resource_id, lister->err)
             ? node
             : NULL;
}

/* Appends the descendants. Children of an unlisted item take its place. */
static bool
list_children(struct lister *lister, const struct sq_item *item,
              struct sq_node *parent, struct sq_node ***end) {
    for (const struct sq_item *child = item->first_child; child;
         child = child->next) {
        if (!is_listed(child)) {
            if (!list_children(lister, child, parent, end)) {
                return false;
            }
            continue;
        }
        struct sq_node *node = make_node(lister, child, parent);
        struct sq_node **below;
        if (!node) {
            return false;
        }
        **end = node;
        *end = &node->next;
        below = &node->first_child;
        if (!list_children(lister, child, node, &below)) {
            return false;
        }
    }
    return true;
}

bool
sq_phone_list(struct sq_phone *phone, struct sq_tree *out, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    const struct sq_demo_app *app = sq_phone_shown(phone);
    char package[SQ_DEVICE_TEXT_SIZE];
    struct lister lister = { .phone = phone, .app = app, .err = err };
    if (phone->asleep) {
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    snprintf(package, sizeof(package), SQ_DEMO_PACKAGE "%s", app->name);
    lister.package =
        phone->locked ? SQ_SPAN("com.android.systemui") : sq_span_of(package);
    sq_arena_init(&lister.tree.arena, TREE_BYTES);
    struct sq_node *root =
        sq_arena_keep(&lister.tree.arena, &lister.package, err)
            ? make_node(&lister, scene.root, NULL)
            : NULL;
    struct sq_node **end = root ? &root->first_child : NULL;
    bool ok = root && list_children(&lister, scene.root, root, &end);
    if (ok) {
        lister.tree.root = root;
        *out = lister.tree;
    } else {
        sq_tree_finish(&lister.tree);
    }
    return ok;
}

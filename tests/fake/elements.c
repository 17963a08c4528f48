/* The demo phone's elements with the names of iOS, in points. */
#include <stdio.h>
#include <string.h>

#include "device/demo/demo.h"
#include "fake/fake.h"
#include "json/writer.h"

#define LABEL_SIZE 600

/* Names of Android and of iOS. */
static const struct name {
    const char *android;
    const char *type;
    const char *description;
} names[] = {
    { "Button", "Button", "button" },
    { "ImageButton", "Button", "button" },
    { "EditText", "TextField", "text field" },
    { "Switch", "CheckBox", "switch" },
    { "CheckBox", "CheckBox", "switch" },
    { "ImageView", "Image", "image" },
    { "RecyclerView", "ScrollArea", "scroll area" },
    { "HorizontalScrollView", "ScrollArea", "scroll area" },
    { "TextView", "StaticText", "text" },
};

static const struct name cell = { "", "Cell", "cell" };
static const struct name button = { "", "Button", "button" };
static const struct name group = { "", "Group", "group" };

static struct sq_span
last_part(struct sq_span text, char stop) {
    struct sq_span ignored;
    while (sq_span_take_until(&text, stop, &ignored)) {
    }
    return text;
}

static const struct name *
name_of(const struct sq_node *node) {
    struct sq_span class_name = last_part(node->class_name, '.');
    bool taps = node->flags & SQ_NODE_CLICKABLE;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (sq_span_is(class_name, names[i].android)) {
            bool is_text = strcmp(names[i].type, "StaticText") == 0;
            return is_text && taps ? &button : &names[i];
        }
    }
    return taps ? &cell : &group;
}

/* iOS does not report layout elements. */
static bool
is_reported(const struct sq_node *node) {
    const unsigned does =
        SQ_NODE_CLICKABLE | SQ_NODE_SCROLLABLE | SQ_NODE_CHECKABLE;
    return node->parent
        && (node->flags & does || node->text.len > 0 || node->desc.len > 0);
}

static bool
is_cell(const struct sq_node *node) {
    return name_of(node) == &cell;
}

/* Plain labels inside a cell belong to it. */
static bool
belongs_to_cell(const struct sq_node *node) {
    if (node->flags & (SQ_NODE_CLICKABLE | SQ_NODE_CHECKABLE)) {
        return false;
    }
    for (const struct sq_node *up = node->parent; up; up = up->parent) {
        if (is_cell(up)) {
            return true;
        }
    }
    return false;
}

static void
add_label(char label[LABEL_SIZE], struct sq_span text) {
    size_t used = strlen(label);
    if (text.len > 0) {
        snprintf(label + used, LABEL_SIZE - used, "%s%.*s", used ? ", " : "",
                 SQ_SPAN_ARGS(text));
    }
}

/*
 * A cell has its first text as label, and the others as value. skip: how many
 * to skip, most: how many to take.
 */
static void
texts_of(const struct sq_node *node, int skip, int most,
         char label[LABEL_SIZE]) {
    const struct sq_node *child = node->first_child;
    while (child && most > 0) {
        struct sq_span text = child->text.len > 0 ? child->text : child->desc;
        if (belongs_to_cell(child) && text.len > 0 && skip-- <= 0) {
            add_label(label, text);
            most--;
        }
        const struct sq_node *next = sq_node_after(child);
        const struct sq_node *up = next;
        while (up && up != node) {
            up = up->parent;
        }
        child = up ? next : NULL;
    }
}

static void
label_of(const struct sq_node *node, char label[LABEL_SIZE]) {
    label[0] = '\0';
    if (node->flags & SQ_NODE_EDITABLE) {
        add_label(label, node->hint);
        return;
    }
    add_label(label, node->text.len > 0 ? node->text : node->desc);
    if (is_cell(node) && !label[0]) {
        texts_of(node, 0, 1, label);
    }
}

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_key(w, key);
    if (text && text[0]) {
        sq_json_put_string(w, sq_span_of(text));
    } else {
        sq_json_put_null(w);
    }
}

/* iOS reports only the length of the text in a password field. */
static void
put_value(struct sq_json_writer *w, const struct sq_node *node) {
    char value[LABEL_SIZE] = "";
    if (node->flags & SQ_NODE_PASSWORD && node->text.len > 0) {
        for (size_t i = 0; i < node->text.len && i < 100; i++) {
            bool starts = ((unsigned char)node->text.ptr[i] & 0xc0) != 0x80;
            size_t used = strlen(value);
            snprintf(value + used, LABEL_SIZE - used, "%s",
                     starts ? "\xe2\x80\xa2" : "");
        }
    } else if (node->flags & SQ_NODE_EDITABLE) {
        add_label(value, node->text.len > 0 ? node->text : node->hint);
    } else if (node->flags & SQ_NODE_CHECKABLE) {
        snprintf(value, sizeof(value), "%d",
                 (node->flags & SQ_NODE_CHECKED) != 0);
    } else if (is_cell(node)) {
        texts_of(node, 1, 9, value);
    }
    put_text(w, "AXValue", value);
}

static void
put_frame(struct sq_json_writer *w, struct sq_dev_rect rect) {
    double x = (double)rect.left / FAKE_SCALE;
    double y = (double)rect.top / FAKE_SCALE;
    double width = (double)(rect.right - rect.left) / FAKE_SCALE;
    double height = (double)(rect.bottom - rect.top) / FAKE_SCALE;
    char text[160];
    snprintf(text, sizeof(text), "{{%.17g, %.17g}, {%.17g, %.17g}}", x, y,
             width, height);
    put_text(w, "AXFrame", text);
    sq_json_begin_object_of(w, "frame");
    sq_json_put_key(w, "y");
    sq_json_put_double(w, y);
    sq_json_put_key(w, "x");
    sq_json_put_double(w, x);
    sq_json_put_key(w, "width");
    sq_json_put_double(w, width);
    sq_json_put_key(w, "height");
    sq_json_put_double(w, height);
    sq_json_end_object(w);
}

static void
put_bool(struct sq_json_writer *w, const char *key, bool value) {
    sq_json_put_key(w, key);
    sq_json_put_bool(w, value);
}

/* Members in idb's order, including those that squint does not use. */
static void
put_members(struct sq_json_writer *w, const struct sq_node *node, int pid) {
    const struct name *name = name_of(node);
    char label[LABEL_SIZE];
    char role[40];
    char id[100];
    struct sq_span short_id = last_part(node->resource_id, '/');
    label_of(node, label);
    snprintf(role, sizeof(role), "AX%s", name->type);
    snprintf(id, sizeof(id), "%.*s", SQ_SPAN_ARGS(short_id));
    put_frame(w, node->bounds);
    put_text(w, "AXUniqueId", id);
    put_text(w, "role_description", name->description);
    put_text(w, "AXLabel", label);
    put_bool(w, "content_required", false);
    put_text(w, "type", name->type);
    put_text(w, "title", NULL);
    put_text(w, "help", NULL);
    sq_json_begin_array_of(w, "custom_actions");
    sq_json_end_array(w);
    put_value(w, node);
    put_bool(w, "enabled", node->flags & SQ_NODE_ENABLED);
    put_text(w, "role", role);
    put_text(w, "subrole",
             node->flags & SQ_NODE_PASSWORD ? "AXSecureTextField" : NULL);
    sq_json_put_key(w, "pid");
    sq_json_put_int(w, pid);
    put_bool(w, "focused", node->flags & SQ_NODE_FOCUSED);
    if (node->hint.len > 0) {
        sq_json_put_key(w, "placeholder");
        sq_json_put_string(w, node->hint);
    }
    sq_json_begin_array_of(w, "traits");
    if (node->flags & SQ_NODE_SELECTED) {
        sq_json_put_string(w, SQ_SPAN("Selected"));
    }
    sq_json_end_array(w);
}

/* The app around everything. */
static void
put_app(struct sq_json_writer *w, struct sq_size size, const char *package,
        int pid) {
    struct sq_dev_rect all = { 0, 0, size.width, size.height };
    char name[LABEL_SIZE] = "";
    struct sq_span last = last_part(sq_span_of(package), '.');
    add_label(name, last);
    name[0] = (char)(name[0] - ('a' - 'A'));
    put_frame(w, all);
    put_text(w, "AXUniqueId", NULL);
    put_text(w, "role_description", "application");
    put_text(w, "AXLabel", name);
    put_text(w, "type", "Application");
    put_text(w, "AXValue", NULL);
    put_bool(w, "enabled", true);
    put_text(w, "role", "AXApplication");
    sq_json_put_key(w, "pid");
    sq_json_put_int(w, pid);
}

/* Unusual elements on every screen; squint must ignore or accept them. */
static void
put_unusual_elements(struct sq_json_writer *w) {
    static const char *const unusual[] = {
        "{\"AXFrame\":\"{{0, 0}, {0, 0}}\",\"AXUniqueId\":null,\"frame\":"
        "{\"y\":0,\"x\":0,\"width\":0,\"height\":0},\"AXLabel\":\"zero\","
        "\"type\":\"Button\",\"AXValue\":null,\"enabled\":true,"
        "\"role\":\"AXButton\",\"subrole\":null}",
        "{\"AXFrame\":\"{{15.999999999999986, 4000.5}, {64, 87.5}}\","
        "\"frame\":{\"y\":4000.5,\"x\":15.999999999999986,\"width\":64,"
        "\"height\":87.5},\"AXLabel\":\"below the screen\","
        "\"type\":\"StaticText\",\"is_remote\":false,\"unheard_of\":[{}]}",
        "{\"AXLabel\":null,\"type\":null,\"role\":null,\"frame\":null}",
    };
    for (size_t i = 0; i < sizeof(unusual) / sizeof(unusual[0]); i++) {
        sq_json_put_raw(w, sq_span_of(unusual[i]));
    }
}

struct output {
    struct sq_json_writer *w;
    bool nested;
    int pid;
};

static void
put_children(const struct output *output, const struct sq_node *node) {
    struct sq_json_writer *w = output->w;
    for (const struct sq_node *child = node->first_child; child;
         child = child->next) {
        bool reported = is_reported(child) && !belongs_to_cell(child);
        if (reported) {
            sq_json_begin_object(w);
            put_members(w, child, output->pid);
            if (output->nested) {
                sq_json_begin_array_of(w, "children");
                put_children(output, child);
                sq_json_end_array(w);
            }
            sq_json_end_object(w);
        }
        if (!reported || !output->nested) {
            put_children(output, child);
        }
    }
}

int
fake_pid(const char *package) {
    int pid = 4000;
    for (const char *c = package; *c; c++) {
        pid = (pid * 31 + *c) % 30000 + 1000;
    }
    return pid;
}

struct screen_state {
    struct sq_tree tree;
    struct sq_screen screen;
    struct sq_app app;
};

static bool
read_screen(struct fake *fake, struct screen_state *state, struct sq_err *err) {
    const struct sq_deadline *deadline = &fake->deadline;
    return sq_device_tree(fake->phone, &state->tree, deadline, err)
        && sq_device_screen(fake->phone, &state->screen, deadline, err)
        && sq_device_current_app(fake->phone, &state->app, deadline, err);
}

bool
fake_put_elements(struct fake *fake, bool nested, struct sq_buf *out,
                  struct sq_err *err) {
    struct screen_state state = { 0 };
    struct sq_json_writer w;
    if (!read_screen(fake, &state, err)) {
        return false;
    }
    const struct output output = { &w, nested, fake_pid(state.app.package) };
    sq_json_writer_init(&w, out);
    sq_json_begin_array(&w);
    sq_json_begin_object(&w);
    put_app(&w, state.screen.size, state.app.package, output.pid);
    if (nested) {
        sq_json_begin_array_of(&w, "children");
    } else {
        sq_json_end_object(&w);
    }
    if (state.tree.root) {
        put_children(&output, state.tree.root);
    }
    put_unusual_elements(&w);
    sq_json_end_array(&w);
    if (nested) {
        sq_json_end_object(&w);
        sq_json_end_array(&w);
    }
    sq_tree_finish(&state.tree);
    return sq_json_writer_done(&w, err);
}

/* The panel is always upright, also if the screen is rotated. */
bool
fake_from_panel(struct fake *fake, struct sq_dev_pt panel,
                struct sq_dev_pt *out) {
    struct sq_screen screen;
    if (!sq_device_screen(fake->phone, &screen, &fake->deadline, NULL)) {
        return false;
    }
    int width = screen.size.width / FAKE_SCALE;
    int height = screen.size.height / FAKE_SCALE;
    struct sq_dev_pt at = panel;
    if (width > height && fake->turn == FAKE_LEFT) {
        at = (struct sq_dev_pt){ width - 1 - panel.y, panel.x };
    } else if (width > height && fake->turn == FAKE_RIGHT) {
        at = (struct sq_dev_pt){ panel.y, height - 1 - panel.x };
    }
    *out = (struct sq_dev_pt){ at.x * FAKE_SCALE + FAKE_SCALE / 2,
                               at.y * FAKE_SCALE + FAKE_SCALE / 2 };
    return at.x >= 0 && at.y >= 0 && at.x < width && at.y < height;
}

static bool
contains(struct sq_dev_rect rect, struct sq_dev_pt at) {
    return at.x >= rect.left && at.x < rect.right && at.y >= rect.top
        && at.y < rect.bottom;
}

bool
fake_put_element_at(struct fake *fake, struct sq_dev_pt panel,
                    struct sq_buf *out, struct sq_err *err) {
    struct screen_state state = { 0 };
    struct sq_json_writer w;
    struct sq_dev_pt at;
    const struct sq_node *found = NULL;
    if (!fake_from_panel(fake, panel, &at) || !read_screen(fake, &state, err)) {
        return false;
    }
    for (const struct sq_node *node = state.tree.root; node;
         node = sq_node_after(node)) {
        if (is_reported(node) && !belongs_to_cell(node)
            && contains(node->bounds, at)) {
            found = node;
        }
    }
    if (found) {
        sq_json_writer_init(&w, out);
        sq_json_begin_object(&w);
        put_members(&w, found, fake_pid(state.app.package));
        sq_json_end_object(&w);
    }
    sq_tree_finish(&state.tree);
    return found && sq_json_writer_done(&w, err);
}

/* What the pixels show is merged into the tree of elements. */
#include "tools/elements/pixel_nodes.h"

#include "support/fake_device.h"
#include "support/test.h"
#include "tools/elements/selector.h"

#define CLICK SQ_NODE_CLICKABLE

static const struct sq_size screen = { 1080, 2400 };

static const struct fake_node form[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.EditText", .bounds = { 400, 400, 1040, 520 },
      .flags = CLICK | SQ_NODE_EDITABLE },
    { 1, "android.widget.EditText", .text = "hunter2",
      .bounds = { 400, 560, 1040, 680 },
      .flags = CLICK | SQ_NODE_EDITABLE | SQ_NODE_PASSWORD },
    { 1, "android.widget.ImageButton", .bounds = { 240, 1080, 720, 1320 },
      .flags = CLICK },
    { 1, "android.widget.TextView", .text = "Remember me",
      .bounds = { 240, 1400, 720, 1460 } },
    { 1, "android.widget.CheckBox", .bounds = { 160, 1395, 220, 1465 },
      .flags = CLICK | SQ_NODE_CHECKABLE },
    { .class_name = NULL },
};

static struct sq_tree tree;
static struct sq_arena arena;

static void
start(const struct fake_node *nodes) {
    sq_arena_init(&arena, (size_t)1 << 20);
    tree = (struct sq_tree){ 0 };
    if (nodes) {
        T_OK(fake_tree_build(nodes, &tree, &t_err));
    }
}

static void
end(void) {
    sq_tree_finish(&tree);
    sq_arena_finish(&arena);
}

static void
merge(unsigned kind, const char *text, struct sq_dev_rect bounds) {
    const struct sq_seen seen = { kind, { text, strlen(text) }, bounds };
    T_OK(sq_tree_merge(&tree, screen, &seen, 1, &arena, &t_err));
}

/* The node whose label is the text; NULL: there is none. */
static const struct sq_node *
labelled(const char *text) {
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        struct sq_span label;
        T_OK(sq_node_label(node, &arena, &label, &t_err));
        if (sq_span_is(label, text)) {
            return node;
        }
    }
    return NULL;
}

T_FIXTURE(NULL, end);

T_CASE(an_empty_tree_gets_a_root) {
    start(NULL);
    merge(SQ_NODE_READ, "Score 0", (struct sq_dev_rect){ 60, 150, 440, 250 });
    const struct sq_node *node = labelled("Score 0");
    T(node && node->flags & SQ_NODE_READ);
    T(node && sq_span_is(node->class_name, "ocr"));
    T_INT(tree.count, 2);
    T_INT(tree.root->bounds.right, 1080);
}

T_CASE(text_that_an_element_has_is_not_repeated) {
    start(form);
    int before = tree.count;
    merge(SQ_NODE_READ, "Rernember me",
          (struct sq_dev_rect){ 242, 1405, 700, 1450 });
    T_INT(tree.count, before);
    /* The same text elsewhere is something else. */
    merge(SQ_NODE_READ, "Remember me",
          (struct sq_dev_rect){ 242, 2005, 700, 2050 });
    T_INT(tree.count, before + 1);
}

T_CASE(text_inside_a_button_is_its_label) {
    start(form);
    int before = tree.count;
    merge(SQ_NODE_READ, "Sign in",
          (struct sq_dev_rect){ 400, 1170, 560, 1220 });
    const struct sq_node *node = labelled("Sign in");
    T_INT(tree.count, before);
    T(node && node->flags & SQ_NODE_NAMED);
    T(node && sq_span_ends_with(node->class_name, "ImageButton"));
    /* What is read in it later is another text. */
    merge(SQ_NODE_READ, "now", (struct sq_dev_rect){ 570, 1170, 650, 1220 });
    T(labelled("Sign in") == node);
    T_INT(tree.count, before + 1);
}

T_CASE(several_texts_inside_a_button_are_separate) {
    const struct sq_seen texts[] = {
        { SQ_NODE_READ,
          SQ_SPAN("Delete everything?"),
          { 260, 1090, 640, 1140 } },
        { SQ_NODE_READ, SQ_SPAN("Yes"), { 270, 1250, 350, 1300 } },
        { SQ_NODE_READ, SQ_SPAN("No"), { 600, 1250, 660, 1300 } },
        { SQ_NODE_READ, SQ_SPAN("E-mail"), { 420, 430, 600, 490 } },
    };
    start(form);
    int before = tree.count;
    T_OK(sq_tree_merge(&tree, screen, texts, 4, &arena, &t_err));
    T_INT(tree.count, before + 3);
    for (size_t i = 0; i < 3; i++) {
        char text[40];
        snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(texts[i].label));
        const struct sq_node *node = labelled(text);
        T(node && node->flags & SQ_NODE_READ);
        T(node && node->bounds.left == texts[i].bounds.left);
    }
    const struct sq_node *field = labelled("E-mail");
    T(field && field->flags & SQ_NODE_NAMED);
}

/* A game with one element over the whole screen, and a few others. */
static const struct fake_node game[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.view.View", .desc = "Game", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.Button", .text = "Turn off sound",
      .bounds = { 90, 400, 700, 480 } },
    { 1, "android.widget.TextView", .text = "Level 13",
      .bounds = { 90, 490, 400, 550 } },
    { 1, "android.widget.TextView",
      .text = "All caf\xc3\xa9s of the town\nare open until 10 today",
      .bounds = { 90, 600, 700, 720 } },
    { 1, "android.widget.TextView", .text = "Score",
      .bounds = { 90, 800, 200, 850 } },
    { 1, "android.widget.TextView", .text = "250",
      .bounds = { 210, 800, 300, 850 } },
    { 1, "android.widget.TextView", .text = "Gadgets",
      .bounds = { 900, 800, 1080, 850 } },
    { 1, "android.widget.ImageButton", .desc = "Lamp on a desk",
      .bounds = { 900, 1000, 1000, 1100 }, .flags = CLICK },
    { 1, "android.widget.ImageView", .bounds = { 500, 1000, 600, 1100 } },
    { .class_name = NULL },
};

/* Merges a text and returns how many nodes that adds. */
static int
adds(unsigned kind, const char *text, struct sq_dev_rect bounds) {
    int before = tree.count;
    merge(kind, text, bounds);
    return tree.count - before;
}

T_CASE(text_that_contradicts_an_element_is_listed) {
    static const struct {
        const char *text;
        struct sq_dev_rect bounds;
    } others[] = {
        { "Game over", { 100, 300, 400, 350 } },
        { "Turn on sound", { 100, 420, 400, 460 } },
        { "Level 12", { 100, 500, 300, 540 } },
        { "Level 1", { 100, 500, 280, 540 } },
        { "My best game so far", { 100, 1300, 500, 1340 } },
        { "are open until 11 today", { 100, 670, 500, 700 } },
        { "Score 251", { 95, 805, 290, 845 } },
    };
    start(game);
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        T_INT(adds(SQ_NODE_READ, others[i].text, others[i].bounds), 1);
        T(labelled(others[i].text) != NULL);
    }
}

T_CASE(lines_of_an_element_are_not_listed) {
    static const struct {
        const char *text;
        struct sq_dev_rect bounds;
    } known[] = {
        { "GAME", { 100, 300, 400, 350 } },
        { "Turn 0ff sound", { 100, 420, 400, 460 } },
        { "All cafes of the town", { 100, 610, 500, 650 } },
        { "are open until 10 today", { 100, 670, 500, 700 } },
        { "are open until 10 tod\xe2\x80\xa6", { 100, 670, 500, 700 } },
        { "are open unt...", { 100, 670, 500, 700 } },
        { "Score 250", { 95, 805, 290, 845 } }, /* two elements */
        { "Gadget:", { 910, 805, 1079, 845 } }, /* cut off by the edge */
        { "Gadget\xc3\xa7", { 910, 805, 1079, 845 } },
    };
    start(game);
    for (size_t i = 0; i < SQ_COUNT(known); i++) {
        T_INT(adds(SQ_NODE_READ, known[i].text, known[i].bounds), 0);
    }
}

T_CASE(icons_are_not_text) {
    const unsigned unsure = SQ_NODE_READ | SQ_SEEN_UNSURE;
    const struct sq_dev_rect heart = { 930, 1030, 970, 1070 };
    const struct sq_dev_rect picture = { 530, 1030, 570, 1070 };
    const struct sq_dev_rect nowhere = { 300, 1500, 340, 1540 };
    start(game);
    T_INT(adds(unsure, "9", heart), 0);
    T_INT(adds(unsure, "ee", picture), 0);
    T_INT(adds(SQ_NODE_READ, "e", picture), 0);
    T_INT(adds(SQ_NODE_READ, "N=", heart), 0);
    T_INT(adds(SQ_NODE_READ, "9", heart), 1);
    T_INT(adds(SQ_NODE_READ, "OK", picture), 1);
    T_INT(adds(unsure, "On", nowhere), 1);
    T_INT(adds(unsure, "al", (struct sq_dev_rect){ 100, 420, 140, 460 }), 0);
    T_INT(adds(unsure, "11", (struct sq_dev_rect){ 100, 420, 140, 460 }), 1);
    const struct sq_node *node = labelled("On");
    T(node && !(node->flags & SQ_SEEN_UNSURE));
}

T_CASE(passwords_are_not_read) {
    start(form);
    int before = tree.count;
    merge(SQ_NODE_READ, "hunter2", (struct sq_dev_rect){ 420, 600, 600, 640 });
    T_INT(tree.count, before);
    T(labelled("hunter2") == NULL);
    T(sq_tree_hides(&tree, (struct sq_dev_rect){ 420, 600, 600, 640 }));
}

/* Merges a label and a value, and names the nodes. */
static void
merge_value(struct sq_dev_rect label) {
    const struct sq_seen texts[] = {
        { SQ_NODE_READ, SQ_SPAN("ada@example.com"), { 420, 430, 800, 490 } },
        { SQ_NODE_READ, SQ_SPAN("E-mail"), label },
    };
    start(form);
    T_OK(sq_tree_merge(&tree, screen, texts, 2, &arena, &t_err));
    T_OK(sq_tree_name_nodes(&tree, &t_err));
}

T_CASE(a_painted_value_is_not_the_label_of_a_field) {
    static const struct sq_dev_rect labels[] = { { 60, 430, 260, 490 },
                                                 { 400, 320, 600, 380 } };
    for (size_t i = 0; i < 2; i++) {
        merge_value(labels[i]);
        const struct sq_node *field = labelled("E-mail");
        const struct sq_node *value = labelled("ada@example.com");
        T(field && field->flags & SQ_NODE_EDITABLE && field->named_by);
        T(value && value->flags & SQ_NODE_READ && value->bounds.left == 420);
        end();
    }
    /* Without a label beside or above it, it may be a placeholder. */
    merge_value((struct sq_dev_rect){ 60, 1800, 260, 1860 });
    const struct sq_node *field = labelled("ada@example.com");
    T(field && field->flags & SQ_NODE_EDITABLE && !field->named_by);
}

T_CASE(text_beside_names_fields_and_switches) {
    start(form);
    merge(SQ_NODE_READ, "E-mail", (struct sq_dev_rect){ 60, 430, 260, 490 });
    T_OK(sq_tree_name_nodes(&tree, &t_err));
    const struct sq_node *field = NULL;
    const struct sq_node *box = NULL;
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        field = sq_span_is(node->hint, "E-mail") ? node : field;
        box = sq_span_is(node->hint, "Remember me") ? node : box;
    }
    T(field && field->flags & SQ_NODE_EDITABLE);
    T(box && box->flags & SQ_NODE_CHECKABLE);
}

/* The node that has got a name at that place; NULL: none. */
static const struct sq_node *
named_at(int left, int top) {
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        if (node->flags & SQ_NODE_NAMED && node->bounds.left == left
            && node->bounds.top == top) {
            return node;
        }
    }
    return NULL;
}

/* Forms align their fields, so that a short label is far from its field. */
T_CASE(a_far_label_in_the_row_names_a_field) {
    static const struct fake_node fields[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 720, 1280 } },
        { 1, "android.widget.EditText", .bounds = { 420, 180, 660, 260 },
          .flags = CLICK | SQ_NODE_EDITABLE },
        { 1, "android.widget.EditText", .bounds = { 420, 380, 660, 460 },
          .flags = CLICK | SQ_NODE_EDITABLE },
        { .class_name = NULL },
    };
    start(fields);
    merge(SQ_NODE_READ, "E-mail", (struct sq_dev_rect){ 40, 205, 130, 228 });
    merge(SQ_NODE_READ, "E-mail again",
          (struct sq_dev_rect){ 40, 405, 210, 428 });
    T_OK(sq_tree_name_nodes(&tree, &t_err));
    const struct sq_node *first = named_at(420, 180);
    const struct sq_node *second = named_at(420, 380);
    T(first && sq_span_is(first->hint, "E-mail"));
    T(second && sq_span_is(second->hint, "E-mail again"));
}

/* Two cards beside each other; the button of the first ends at the second. */
static const struct fake_node cards[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.LinearLayout", .bounds = { 0, 0, 400, 400 } },
    { 2, "android.widget.ImageButton", .bounds = { 300, 300, 390, 390 },
      .flags = CLICK },
    { 1, "android.widget.LinearLayout", .bounds = { 410, 0, 810, 400 } },
    { 2, "android.widget.TextView", .text = "Pocket camera",
      .bounds = { 420, 320, 700, 370 } },
    /* Below: an icon with a caption, a search icon, and two candidates. */
    { 1, "android.widget.ImageButton", .bounds = { 100, 600, 200, 700 },
      .flags = CLICK },
    { 1, "android.widget.TextView", .text = "Photos",
      .bounds = { 100, 705, 200, 745 } },
    { 1, "android.widget.ImageButton", .resource_id = "app:id/action_search",
      .bounds = { 600, 600, 700, 700 }, .flags = CLICK },
    { 1, "android.widget.TextView", .text = "Shop",
      .bounds = { 500, 625, 595, 675 } },
    { 1, "android.widget.ImageButton", .bounds = { 300, 900, 400, 1000 },
      .flags = CLICK },
    { 1, "android.widget.TextView", .text = "Left",
      .bounds = { 190, 930, 290, 970 } },
    { 1, "android.widget.TextView", .text = "Right",
      .bounds = { 410, 930, 510, 970 } },
    { .class_name = NULL },
};

T_CASE(only_text_that_is_clearly_theirs_names_buttons) {
    start(cards);
    /* An icon that was misread. */
    merge(SQ_NODE_READ, "Q", (struct sq_dev_rect){ 630, 630, 670, 670 });
    T(labelled("Q") == NULL);
    T_OK(sq_tree_name_nodes(&tree, &t_err));
    T(named_at(300, 300) == NULL); /* not by the card beside its own */
    const struct sq_node *photos = named_at(100, 600);
    T(photos && sq_span_is(photos->hint, "Photos"));
    T(named_at(600, 600) == NULL); /* its id says more */
    T(named_at(300, 900) == NULL); /* two texts are equally near */
    merge(SQ_NODE_IMAGE, "magnifier",
          (struct sq_dev_rect){ 610, 610, 690, 690 });
    const struct sq_node *search = named_at(600, 600);
    T(search && search->flags & SQ_NODE_PICTURED);
}

T_CASE(shapes_yield_to_what_is_listed) {
    start(form);
    int before = tree.count;
    merge(SQ_NODE_SHAPE, "box #ff0000",
          (struct sq_dev_rect){ 250, 1090, 710, 1310 });
    T_INT(tree.count, before);
    merge(SQ_NODE_SHAPE, "disc #ff0000",
          (struct sq_dev_rect){ 100, 1900, 300, 2100 });
    T_INT(tree.count, before + 1);
    merge(SQ_NODE_IMAGE, "cart", (struct sq_dev_rect){ 100, 1900, 300, 2100 });
    T_INT(tree.count, before + 1);
}

T_CASE(a_picture_names_the_button_it_is_on) {
    start(form);
    merge(SQ_NODE_IMAGE, "cart", (struct sq_dev_rect){ 400, 1100, 560, 1300 });
    const struct sq_node *node = labelled("cart");
    T(node && node->flags & SQ_NODE_NAMED);
    T(node && !sq_seen_source(node->flags));
}

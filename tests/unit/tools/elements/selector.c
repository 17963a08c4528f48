#include "tools/elements/selector.h"

#include "support/fake_device.h"
#include "support/test.h"
#include "tools/elements/label.h"

#define DOTS "\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2"
#define CLICK SQ_NODE_CLICKABLE

static struct sq_tree tree;
static struct sq_arena arena;
static struct sq_selection found;

static void
start(const struct fake_node *nodes) {
    sq_arena_init(&arena, (size_t)1 << 20);
    T_OK(fake_tree_build(nodes, &tree, &t_err));
}

static void
stop(void) {
    sq_tree_finish(&tree);
    sq_arena_finish(&arena);
}

static void
find(const struct sq_selector *selector) {
    T_OK(sq_select(&tree, selector, &arena, &found, &t_err));
}

static void
find_text(const char *text) {
    const struct sq_selector selector = { .text = { true, sq_span_of(text) } };
    find(&selector);
}

static void
find_part(const char *text, bool ignore_case) {
    const struct sq_selector selector = {
        .text_contains = { true, sq_span_of(text) },
        .ignore_case = { true, ignore_case }
    };
    find(&selector);
}

static const char *
label_of(int index) {
    static char text[SQ_MAX_LABEL_BYTES + 1];
    const struct sq_node *node = tree.root;
    struct sq_span label = { 0 };
    while (node && node->index != index) {
        node = sq_node_after(node);
    }
    T(node && sq_node_label(node, &arena, &label, &t_err));
    T(label.len <= SQ_MAX_LABEL_BYTES);
    memcpy(text, label.ptr ? label.ptr : "", label.len);
    text[label.len] = '\0';
    return text;
}

/*
 * A settings row, a button named by its description, two equal ones, a field.
 */
static const struct fake_node screen[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1000, 2000 } },
    { 1, "android.widget.LinearLayout", .resource_id = "com.app:id/wifi_row",
      .bounds = { 0, 100, 1000, 200 }, .flags = CLICK },
    { 2, "android.widget.TextView", .text = "Wi-Fi",
      .bounds = { 20, 110, 300, 150 } },
    { 2, "android.widget.TextView", .text = "Connected",
      .bounds = { 20, 150, 300, 190 } },
    { 2, "android.widget.Switch", .desc = "Toggle Wi-Fi",
      .bounds = { 900, 110, 980, 190 }, .flags = CLICK | SQ_NODE_CHECKED },
    { 1, "android.widget.ImageButton", .desc = "Search",
      .bounds = { 900, 0, 980, 80 }, .flags = CLICK },
    { 1, "android.widget.Button", .text = "Save",
      .bounds = { 0, 300, 200, 380 }, .flags = CLICK },
    { 1, "android.widget.Button", .text = "Save",
      .bounds = { 400, 300, 600, 380 }, .flags = CLICK },
    { 1, "android.widget.TextView", .text = "Save now",
      .bounds = { 0, 400, 200, 480 } },
    { 1, "android.widget.EditText", .hint = "Email",
      .resource_id = "com.app:id/email", .bounds = { 0, 500, 1000, 580 },
      .flags = CLICK | SQ_NODE_EDITABLE | SQ_NODE_FOCUSABLE },
    { 1, "android.widget.TextView", .text = "Gone",
      .bounds = { 50, 50, 50, 90 } },
    { .class_name = NULL },
};

T_FIXTURE(NULL, stop);

T_CASE(text_matches_text_description_and_hint) {
    start(screen);
    find_text("Save now");
    T_INT(found.count, 1);
    find_text("Search");
    T_INT(found.count, 1);
    T_INT(found.matches[0].node->index, 5);
    find_text("Email");
    T_INT(found.count, 1);
    T_INT(found.matches[0].node->index, 9);
    find_text("  Search\n");
    T_INT(found.count, 1);
    find_text("search");
    T_INT(found.count, 0);
}

T_CASE(child_labels_belong_to_their_clickable_parent) {
    start(screen);
    T_STR(label_of(1), "Wi-Fi, Connected");
    find_text("Wi-Fi");
    T_INT(found.count, 1);
    T_INT(found.matches[0].node->index, 1);
    find_text("Wi-Fi, Connected");
    T_INT(found.count, 1);
    /* A child that is clickable itself stays separate. */
    find_part("Wi-Fi", false);
    T_INT(found.count, 2);
    T_INT(found.matches[0].node->index, 1);
    T_INT(found.matches[1].node->index, 4);
}

T_CASE(all_criteria_must_hold) {
    start(screen);
    const struct sq_selector both = {
        .text_contains = { true, SQ_SPAN("Save") },
        .class_name = { true, SQ_SPAN("TextView") },
    };
    find(&both);
    T_INT(found.count, 1);
    T_INT(found.matches[0].node->index, 8);
    const struct sq_selector id = { .resource_id = { true, SQ_SPAN("email") } };
    find(&id);
    T_INT(found.count, 1);
    const struct sq_selector desc = { .content_desc = { true,
                                                        SQ_SPAN("Search") } };
    find(&desc);
    T_INT(found.count, 1);
    const struct sq_selector no_desc = { .content_desc = { true,
                                                           SQ_SPAN("Save") } };
    find(&no_desc);
    T_INT(found.count, 0);
}

T_CASE(better_matches_come_first) {
    start(screen);
    find_part("Save", false);
    T_INT(found.count, 3);
    T_INT(found.matches[0].node->index, 6);
    T_INT(found.matches[1].node->index, 7);
    T_INT(found.matches[2].node->index, 8);
    T(!sq_selection_is_clear(&found));
    find_part("ave now", false);
    T(sq_selection_is_clear(&found));
    find_text("nothing here");
    T(!sq_selection_is_clear(&found));
}

T_CASE(nearest_first) {
    start(screen);
    const struct sq_selector near = {
        .text = { true, SQ_SPAN("Save") },
        .nearest_to = { true, SQ_SPAN("Save now") },
    };
    find(&near);
    T_INT(found.count, 2);
    T_INT(found.matches[0].node->index, 6);
    T(sq_selection_is_clear(&found));
    T(found.anchor && found.anchor->index == 8);
    const struct sq_selector alone = { .nearest_to = { true,
                                                       SQ_SPAN("Connected") } };
    find(&alone);
    T(found.count >= 4);
    T_INT(found.matches[0].node->index, 4);
    const struct sq_selector lost = {
        .text = { true, SQ_SPAN("Save") },
        .nearest_to = { true, SQ_SPAN("no such thing") },
    };
    find(&lost);
    T_INT(found.count, 2);
    T(found.anchor == NULL);
}

/* "Connected" is in the row, "Email" in the field itself. */
T_CASE(nearest_element_is_the_one_with_the_text_itself) {
    static const struct {
        struct sq_span class_name;
        struct sq_span text;
        int index;
    } cases[] = {
        { SQ_SPAN_INIT("LinearLayout"), SQ_SPAN_INIT("Connected"), 1 },
        { SQ_SPAN_INIT("EditText"), SQ_SPAN_INIT("Email"), 9 },
    };
    start(screen);
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct sq_selector near = {
            .class_name = { true, cases[i].class_name },
            .nearest_to = { true, cases[i].text }
        };
        find(&near);
        if (T(found.count > 0)) {
            T_INT(found.matches[0].node->index, cases[i].index);
        }
    }
}

T_BARE_CASE(case_is_ignored_in_many_scripts) {
    static const struct {
        const char *a;
        const char *b;
    } pairs[] = {
        { "LOGIN", "login" },
        { "\xc3\x84NDERN", "\xc3\xa4ndern" },
        { "\xd0\x92\xd0\x9e\xd0\x99\xd0\xa2\xd0\x98",
          "\xd0\xb2\xd0\xbe\xd0\xb9\xd1\x82\xd0\xb8" },
        { "\xce\x91\xce\x92", "\xce\xb1\xce\xb2" },
        { "\xc5\x81\xc3\x93\xc5\xbb", "\xc5\x82\xc3\xb3\xc5\xbc" },
    };
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        struct sq_span a = sq_span_of(pairs[i].a);
        struct sq_span b = sq_span_of(pairs[i].b);
        T(sq_text_equal(a, b, true));
        T(sq_text_equal(b, a, true));
        T(!sq_text_equal(a, b, false));
        T(sq_text_contains(a, b, true));
    }
    T(!sq_text_equal(SQ_SPAN("\xc3\x97"), SQ_SPAN("\xc3\xb7"), true));
    T(sq_text_equal(SQ_SPAN("\xff"), SQ_SPAN("\xff"), true));
    T(!sq_text_equal(SQ_SPAN("\xff"), SQ_SPAN("\xfe"), true));
    T(!sq_text_contains(SQ_SPAN("ab"), SQ_SPAN("abc"), false));
}

T_CASE(empty_selector_is_refused) {
    start(screen);
    const struct sq_selector nothing = { .ignore_case = { true, true } };
    found.count = 77;
    T_FAILS(sq_select(&tree, &nothing, &arena, &found, &t_err),
            SQ_ERR_ARGUMENT);
    T_INT(found.count, 77);
}

static const struct fake_node secrets[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1000, 2000 } },
    { 1, "android.widget.EditText", .text = "hunter2", .hint = "Password",
      .bounds = { 0, 0, 100, 100 },
      .flags = CLICK | SQ_NODE_EDITABLE | SQ_NODE_PASSWORD },
    { 1, "android.widget.EditText", .text = "hunter2", .desc = "PIN is hunter2",
      .bounds = { 0, 100, 100, 200 }, .flags = CLICK | SQ_NODE_PASSWORD },
    { 2, "android.widget.TextView", .text = "hunter2",
      .bounds = { 0, 100, 100, 200 } },
    { 1, "android.widget.FrameLayout", .bounds = { 0, 300, 100, 400 },
      .flags = CLICK },
    { 2, "android.widget.EditText", .text = "hunter2",
      .bounds = { 0, 300, 100, 400 }, .flags = SQ_NODE_PASSWORD },
    { 1, "android.widget.EditText", .desc = "Empty one",
      .bounds = { 0, 500, 100, 600 }, .flags = CLICK | SQ_NODE_PASSWORD },
    { .class_name = NULL },
};

T_CASE(passwords_are_never_returned) {
    start(secrets);
    T_STR(label_of(1), "Password " DOTS);
    T_STR(label_of(2), DOTS);
    T_STR(label_of(3), DOTS);
    T_STR(label_of(4), "");
    T_STR(label_of(5), DOTS);
    T_STR(label_of(6), "Empty one");
    find_part("Password", false);
    T_INT(found.count, 1);
}

T_CASE(passwords_cannot_be_guessed_by_searching) {
    start(secrets);
    find_text("hunter2");
    T_INT(found.count, 0);
    find_part("hunter", true);
    T_INT(found.count, 0);
    const struct sq_selector desc = { .content_desc = {
                                          true, SQ_SPAN("PIN is hunter2") } };
    find(&desc);
    T_INT(found.count, 0);
    const struct sq_selector near = { .nearest_to = { true,
                                                      SQ_SPAN("hunter2") } };
    find(&near);
    T(found.anchor == NULL);
}

T_CASE(long_labels_end_in_an_ellipsis) {
    static char text[1001];
    memset(text, 0, sizeof(text));
    for (int i = 0; i < 500; i++) {
        memcpy(text + 2 * (size_t)i, "\xc3\xa4", 2);
    }
    const struct fake_node nodes[] = {
        { 0, "x.View", .text = text, .bounds = { 0, 0, 9, 9 } },
        { 1, "x.View", .bounds = { 0, 0, 9, 9 }, .flags = CLICK },
        { 2, "x.View", .text = text, .bounds = { 0, 0, 9, 9 } },
        { 2, "x.View", .text = text, .bounds = { 0, 0, 9, 9 } },
        { .class_name = NULL },
    };
    start(nodes);
    for (int i = 0; i < 2; i++) {
        const char *label = label_of(i);
        size_t len = strlen(label);
        T(len > SQ_MAX_LABEL_BYTES - 6 && len <= SQ_MAX_LABEL_BYTES);
        T_STR(label + len - 3, "\xe2\x80\xa6");
        T_INT((uint8_t)label[len - 4], 0xa4);
    }
}

T_BARE_CASE(class_names_are_shortened) {
    const struct sq_node button = { .class_name =
                                        SQ_SPAN("android.widget.Button") };
    const struct sq_node inner = { .class_name = SQ_SPAN("a.b.Outer$Tab") };
    const struct sq_node ios = { .class_name =
                                     SQ_SPAN("XCUIElementTypeSwitch") };
    const struct sq_node none = { .depth = 0 };
    T(sq_span_is(sq_node_type(&button), "Button"));
    T(sq_span_is(sq_node_type(&inner), "Tab"));
    T(sq_span_is(sq_node_type(&ios), "Switch"));
    T(sq_span_is(sq_node_type(&none), "View"));
    T(sq_span_is(sq_short_id(SQ_SPAN("com.app:id/login")), "login"));
    T(sq_span_is(sq_short_id(SQ_SPAN("login")), "login"));
    T_INT(sq_short_id((struct sq_span){ 0 }).len, 0);
}

static bool
select_once(void *context, struct sq_err *err) {
    struct sq_selection selection;
    const struct sq_selector near = {
        .text_contains = { true, SQ_SPAN("Wi-Fi") },
        .nearest_to = { true, SQ_SPAN("Search") }
    };
    T_ARENA(into, (size_t)1 << 20);
    return sq_select(&tree, &near, &into, &selection, err);
}

T_CASE(every_allocation_can_fail) {
    start(screen);
    T(t_alloc_torture(select_once, NULL) > 0);
}

/* Two totals with a button each: which one is meant is not clear. */
T_CASE(equal_anchors_are_reported) {
    static const struct fake_node bills[] = {
        { 0, "a.Root", .bounds = { 0, 0, 1000, 2000 } },
        { 1, "a.TextView", .text = "Total", .bounds = { 0, 100, 200, 150 } },
        { 1, "a.Button", .text = "Edit", .bounds = { 800, 100, 900, 150 },
          .flags = CLICK },
        { 1, "a.TextView", .text = "Total", .bounds = { 0, 900, 200, 950 } },
        { 1, "a.Button", .text = "Edit", .bounds = { 800, 900, 900, 950 },
          .flags = CLICK },
        { 1, "a.Button", .text = "Pay", .bounds = { 800, 1500, 900, 1550 },
          .flags = CLICK },
        { 1, "a.View", .desc = "Sum", .bounds = { 0, 1700, 900, 1800 } },
        { 2, "a.TextView", .text = "Sum", .bounds = { 0, 1700, 200, 1800 } },
        { .class_name = NULL },
    };
    struct sq_selector selector = { .text = { true, SQ_SPAN("Edit") },
                                    .nearest_to = { true, SQ_SPAN("Total") } };
    start(bills);
    find(&selector);
    T_INT(found.count, 2);
    T_INT(found.anchor_count, 2);
    T_INT(found.anchors[1].node->index, 3);
    /* The same element is nearest to both. */
    selector.text.value = SQ_SPAN("Pay");
    find(&selector);
    T_INT(found.anchor_count, 0);
    T_INT(found.count, 1);
    /* One is inside the other. */
    selector.text.value = SQ_SPAN("Edit");
    selector.nearest_to.value = SQ_SPAN("Sum");
    find(&selector);
    T_INT(found.anchor_count, 0);
    T_INT(found.matches[0].node->index, 4);
}

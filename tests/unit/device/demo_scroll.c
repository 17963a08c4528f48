/* Scrolling on the demo phone. */
#include "device/demo/demo.h"

#include "unit/device/phone.h"

#define MAX_ROWS 64
#define NAME_SIZE 48

static char rows[MAX_ROWS][NAME_SIZE];
static int row_count;

static void
note_row(struct sq_span title) {
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(title));
    for (int i = 0; i < row_count; i++) {
        if (strcmp(rows[i], name) == 0) {
            return;
        }
    }
    if (T(row_count < MAX_ROWS)) {
        memcpy(rows[row_count++], name, sizeof(name));
    }
}

static bool
is_inside(struct sq_dev_rect inner, struct sq_dev_rect outer) {
    return inner.left >= outer.left && inner.top >= outer.top
        && inner.right <= outer.right && inner.bottom <= outer.bottom
        && inner.left < inner.right && inner.top < inner.bottom;
}

/*
 * Every listed element is inside its list; rows are recorded by their titles.
 */
static void
look_at_rows(void) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    const struct sq_node *list = phone_find(&tree, "recycler_view");
    T(list && list->flags & SQ_NODE_SCROLLABLE);
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        T(!node->parent || is_inside(node->bounds, node->parent->bounds));
        if (phone_has_id(node, "title")) {
            note_row(node->text);
        }
    }
}

static bool
swipe_changes(int from_y, int to_y, int duration_ms) {
    uint64_t before = phone_frame();
    phone_swipe(from_y, to_y, duration_ms);
    return phone_frame() != before;
}

T_FIXTURE(phone_start, phone_end);

T_BARE_CASE(scrolls_to_every_row_and_stops_at_the_ends) {
    int duration = 0;
    for (int round = 0; round < 2; round++) {
        /* Slowly, and then as fast as possible. */
        duration = round == 0 ? 1000 : 40;
        phone_start();
        phone_launch("settings");
        row_count = 0;
        T(!swipe_changes(400, 1000, duration));
        look_at_rows();
        int first_page = row_count;
        T(first_page < 15);
        int swipes = 0;
        while (swipes < 60 && swipe_changes(1000, 500, duration)) {
            look_at_rows();
            swipes++;
        }
        T(swipes > 3 && swipes < 60);
        T_INT(row_count, 39);
        T_STR(rows[0], "Wi-Fi");
        T_STR(rows[row_count - 1], "About phone");
        while (swipes > -60 && swipe_changes(400, 1000, duration)) {
            swipes--;
        }
        T(phone_shows("Wi-Fi"));
        phone_end();
    }
}

static int
top_of(const char *name) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    const struct sq_node *node = phone_find(&tree, name);
    int top = T(node != NULL) ? node->bounds.top : 0;
    return top;
}

T_CASE(follows_a_slow_finger_exactly) {
    phone_launch("settings");
    int before = top_of("Bluetooth");
    phone_swipe(900, 750, 2000);
    T_INT(top_of("Bluetooth"), before - 150);
    phone_swipe(750, 900, 2000);
    T_INT(top_of("Bluetooth"), before);
    int cast = top_of("Cast");
    phone_swipe(900, 750, 50);
    T(top_of("Cast") < cast - 150);
}

T_CASE(clips_rows_at_the_edge) {
    phone_launch("settings");
    struct sq_tree tree = phone_tree();
    const struct sq_node *wifi = phone_find(&tree, "row");
    int height = wifi->bounds.bottom - wifi->bounds.top;
    sq_tree_finish(&tree);
    /* Past the heading, and half of the first row. */
    phone_swipe(900, 900 - 42 - height / 2, 3000);
    tree = phone_tree();
    const struct sq_node *list = phone_find(&tree, "recycler_view");
    wifi = phone_find(&tree, "row");
    T_INT(wifi->bounds.top, list->bounds.top);
    T(wifi->bounds.bottom - wifi->bounds.top < height);
    T(phone_find(&tree, "Network and internet") == NULL);
    struct sq_dev_pt seen = phone_centre(wifi);
    sq_tree_finish(&tree);
    phone_touch(seen, 1, 0);
    T(!(phone_flags("switch_widget") & SQ_NODE_CHECKED));
}

T_CASE(scrolls_a_strip_horizontally_and_the_page_vertically) {
    struct sq_deadline deadline = phone_deadline();
    phone_launch("shop");
    struct sq_tree tree = phone_tree();
    struct sq_dev_pt chip = phone_centre(phone_find(&tree, "Home"));
    sq_tree_finish(&tree);
    struct sq_swipe across = { .from = chip,
                               .to = { chip.x - 150, chip.y },
                               .duration_ms = 1000 };
    uint64_t before = phone_frame();
    T_OK(sq_device_swipe(phone, &across, &deadline, &t_err));
    T(phone_frame() != before);
    phone_tap("Gadgets");
    T(phone_flags("Gadgets") & SQ_NODE_SELECTED);
    T(phone_shows("Sports watch") && !phone_shows("Desk lamp"));
    phone_stop("shop");
    phone_launch("shop");
    T(!phone_shows("Room speaker"));
    while (swipe_changes(1000, 600, 800)) {
    }
    T(phone_shows("Room speaker") && phone_shows("All"));
}

T_CASE(swipe_without_movement_is_a_press) {
    struct sq_deadline deadline = phone_deadline();
    struct sq_tree tree = phone_tree();
    struct sq_dev_pt at = phone_centre(phone_find(&tree, "Shop"));
    sq_tree_finish(&tree);
    struct sq_swipe swipe = { .from = at, .to = at, .duration_ms = 800 };
    T_OK(sq_device_swipe(phone, &swipe, &deadline, &t_err));
    T(phone_text_is("snackbar_text", "Shop: com.squint.demo.shop"));
    swipe.duration_ms = 50;
    T_OK(sq_device_swipe(phone, &swipe, &deadline, &t_err));
    T(phone_app_is("shop", ".ShopActivity"));
}

T_CASE(page_keys_scroll) {
    phone_launch("settings");
    uint64_t top = phone_frame();
    phone_key("page_down");
    uint64_t below = phone_frame();
    T(below != top);
    phone_key("page_up");
    T(phone_frame() == top);
    phone_key("down");
    T(phone_frame() != top);
    phone_key("up");
    T(phone_frame() == top);
}

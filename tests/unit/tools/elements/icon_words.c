/* Icons are found by the words of their ids and descriptions. */
#include "tools/elements/icon_words.h"

#include "support/fake_device.h"
#include "support/test.h"

#define CLICK SQ_NODE_CLICKABLE

static const struct fake_node bar[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.ImageButton", .resource_id = "com.app:id/btnNavUp",
      .bounds = { 0, 100, 100, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageButton", .desc = "Open search",
      .bounds = { 800, 100, 900, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageButton",
      .resource_id = "com.app:id/no_search_results",
      .bounds = { 700, 100, 800, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageView", .resource_id = "com.app:id/share_image",
      .bounds = { 500, 100, 600, 200 } },
    { 1, "android.widget.ImageButton", .desc = "Do not share location",
      .bounds = { 500, 200, 600, 300 }, .flags = CLICK },
    { 1, "android.widget.TextView", .resource_id = "com.app:id/help",
      .bounds = { 500, 300, 600, 400 } },
    { 1, "android.widget.Button", .resource_id = "com.app:id/background",
      .bounds = { 500, 300, 600, 400 }, .flags = CLICK },
    { 1, "android.widget.ImageButton",
      .resource_id = "com.app:id/btn_close_account",
      .bounds = { 300, 300, 400, 400 }, .flags = CLICK },
    /* The element that is tapped, and the picture in it. */
    { 1, "android.widget.FrameLayout", .resource_id = "com.app:id/menu_cart",
      .bounds = { 900, 300, 1000, 400 }, .flags = CLICK },
    { 2, "android.widget.ImageView", .resource_id = "com.app:id/ic_cart_24",
      .bounds = { 910, 310, 990, 390 } },
    { 1, "android.view.View", .resource_id = "com.app:id/drawer",
      .bounds = { 0, 500, 1080, 2400 }, .flags = CLICK },
    { 1, "android.widget.ImageButton", .desc = "More options",
      .bounds = { 900, 400, 1000, 500 }, .flags = CLICK },
    { .class_name = NULL },
};

/* The left edge of the only match; -1: there is none. */
static int
left_by(const char *text, bool is_literal) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_selection selection;
    const char *why = NULL;
    const struct sq_selector selector = {
        .given = true, .text = { true, { text, strlen(text) } }
    };
    const struct sq_icon_request request = { &selector, is_literal };
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(fake_tree_build(bar, &tree, &t_err)
         && sq_icon_select(&tree, &request, &arena, &selection, &why, &t_err));
    T(selection.count <= 1 && why != NULL);
    int left = selection.count ? selection.matches[0].node->bounds.left : -1;
    return left;
}

static int
left_of(const char *text) {
    return left_by(text, false);
}

T_CASE(words_of_ids_and_descriptions_count) {
    T_INT(left_of("Back"), 0);
    T_INT(left_of("back icon"), 0);
    T_INT(left_of("go back"), 0);
    T_INT(left_of("search"), 800);
    T_INT(left_of("more"), 900);
    T_INT(left_of("options"), 900);
}

T_CASE(only_whole_words_count) {
    T_INT(left_of("ground"), -1);
    T_INT(left_of("Search the shop for me"), -1);
}

/* "Close account" is not "close". */
T_CASE(other_words_change_the_meaning) {
    T_INT(left_of("close"), -1);
    T_INT(left_of("account"), -1);
}

T_CASE(only_small_elements_and_pictures_are_icons) {
    T_INT(left_of("share"), 500); /* a picture, but not the other one */
    T_INT(left_of("cart"), 900);
    T_INT(left_of("menu"), -1); /* as large as the screen */
    T_INT(left_of("help"), -1); /* neither tappable nor a picture */
}

T_CASE(another_word_for_an_icon_is_not_literal) {
    T_INT(left_by("search", true), 800);
    T_INT(left_by("find", true), -1);
    T_INT(left_by("back", true), -1);
    T_INT(left_by("nav up", true), 0);
    T_INT(left_by("cart", true), 900);
    T_INT(left_by("basket", true), -1);
}

/* Icons are found by the words of their ids and descriptions. */
#include "tools/elements/icon_words.h"

#include <string.h>

#include "support/fake_device.h"
#include "support/test.h"

#define CLICK SQ_NODE_CLICKABLE

static const struct fake_node bar[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.ImageButton", .resource_id = "com.app:id/btnNavUp",
      .bounds = { 0, 100, 100, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageButton", .desc = "Search the shop",
      .bounds = { 800, 100, 900, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageView", .resource_id = "com.app:id/share_image",
      .bounds = { 500, 100, 600, 200 } },
    { 1, "android.widget.Button", .resource_id = "com.app:id/background",
      .bounds = { 500, 300, 600, 400 }, .flags = CLICK },
    { .class_name = NULL },
};

/* The left edge of the only match; -1: there is none. */
static int
left_of(const char *text) {
    struct sq_tree tree = { 0 };
    struct sq_arena arena;
    struct sq_err err = { 0 };
    struct sq_selection selection;
    const char *why = NULL;
    const struct sq_selector selector = {
        .given = true, .text = { true, { text, strlen(text) } }
    };
    sq_arena_init(&arena, (size_t)1 << 20);
    T_OK(
        fake_tree_build(bar, &tree, &err)
            && sq_icon_select(&tree, &selector, &arena, &selection, &why, &err),
        &err);
    T(selection.count <= 1 && why != NULL);
    int left = selection.count ? selection.matches[0].node->bounds.left : -1;
    sq_tree_finish(&tree);
    sq_arena_finish(&arena);
    return left;
}

static void
words_of_ids_and_descriptions_count(void) {
    T_INT(left_of("Back"), 0);
    T_INT(left_of("back icon"), 0);
    T_INT(left_of("go back"), 0);
    T_INT(left_of("search"), 800);
}

static void
only_whole_words_of_what_can_be_tapped(void) {
    T_INT(left_of("share"), -1); /* not clickable */
    T_INT(left_of("menu"), -1);
    T_INT(left_of("ground"), -1);
    T_INT(left_of("Search the shop for me"), -1);
}

T_MAIN(T_CASE(words_of_ids_and_descriptions_count),
       T_CASE(only_whole_words_of_what_can_be_tapped))

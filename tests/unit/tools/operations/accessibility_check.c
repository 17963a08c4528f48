#include "support/fake_device.h"
#include "support/test.h"

#define CLICK SQ_NODE_CLICKABLE

static struct fake_world world;

static void
check(const struct fake_node *nodes, const char *want) {
    fake_world_start(&world, NULL);
    world.device.nodes = nodes;
    T(fake_run(&world, "accessibility-check", "{}"));
    T(fake_matches(world.json, want));
    fake_world_end(&world);
}

T_CASE(form_is_rich) {
    static const struct fake_node form[] = {
        { 0, "a.Root", .bounds = { 0, 0, 9, 9 } },
        { 1, "a.EditText", .hint = "User", .bounds = { 0, 0, 9, 9 },
          .flags = CLICK | SQ_NODE_EDITABLE },
        { 1, "a.Button", .text = "Go", .bounds = { 0, 0, 9, 9 },
          .flags = CLICK },
        { .class_name = NULL },
    };
    check(form,
          "{\"hasAccessibleElements\":true,\"clickableCount\":2,"
          "\"unlabeledClickableCount\":0,\"textCount\":1,\"textFieldCount\":1,"
          "\"totalElements\":3,\"quality\":\"rich\",\"recommendation\":"
          "\"accessibility-ready\",\"deviceId\":\"fake-1\"}");
}

T_CASE(icons_without_names_are_not_rich) {
    static const struct fake_node icons[] = {
        { 0, "a.Root", .bounds = { 0, 0, 9, 9 } },
        { 1, "a.Image", .bounds = { 0, 0, 3, 3 }, .flags = CLICK },
        { 1, "a.Image", .bounds = { 3, 0, 6, 3 }, .flags = CLICK },
        { 1, "a.Image", .bounds = { 6, 0, 9, 3 }, .flags = CLICK },
        { 1, "a.Image", .desc = "Cart", .bounds = { 0, 3, 3, 6 },
          .flags = CLICK },
        { .class_name = NULL },
    };
    check(icons, "<*>\"unlabeledClickableCount\":3,<*>\"quality\":\"moderate\","
                 "\"recommendation\":\"consider-screenshot\",<*>");
}

T_CASE(canvas_is_minimal) {
    static const struct fake_node canvas[] = {
        { 0, "a.Surface", .bounds = { 0, 0, 9, 9 } },
        { .class_name = NULL },
    };
    check(canvas, "{\"hasAccessibleElements\":false,<*>\"quality\":\"minimal\","
                  "<*>");
    check(NULL, "<*>\"quality\":\"minimal\",<*>\"warning\":\"<*>\",<*>");
}

/* It accepts every touch, with or without its own label. */
T_CASE(clickable_canvas_is_minimal) {
    static const char *const names[] = { NULL, "Game" };
    for (size_t i = 0; i < 2; i++) {
        const struct fake_node canvas[] = {
            { 0, "a.Root", .bounds = { 0, 0, 9, 9 } },
            { 1, "a.Clock", .text = "10:00", .bounds = { 0, 0, 9, 1 } },
            { 1, "a.Surface", .desc = names[i], .bounds = { 0, 1, 9, 9 },
              .flags = CLICK },
            { 2, "a.Layer", .bounds = { 0, 1, 9, 9 } },
            { 2, "a.Fire", .bounds = { 0, 7, 3, 9 }, .flags = CLICK },
            { .class_name = NULL },
        };
        check(canvas, "<*>\"clickableCount\":2,<*>\"quality\":\"minimal\","
                      "\"recommendation\":\"consider-screenshot\",<*>");
    }
}

T_CASE(clickable_page_is_not_a_canvas) {
    static const struct fake_node page[] = {
        { 0, "a.Root", .bounds = { 0, 0, 9, 9 } },
        { 1, "a.Page", .bounds = { 0, 0, 9, 9 }, .flags = CLICK },
        { 2, "a.Text", .text = "Continue", .bounds = { 0, 0, 9, 3 } },
        { .class_name = NULL },
    };
    check(page, "<*>\"quality\":\"moderate\",<*>");
}

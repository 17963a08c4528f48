/* Receipts when memory runs out at any moment. */

#include "unit/tools/changing_screen.h"

/* Lists whose first label changes after every action. */
#define MANY 40
static struct fake_node many[MANY + 2];
static char first_label[64];
static char long_label[250];

static void
fill_many(void) {
    memset(long_label, 'x', sizeof(long_label) - 1);
    many[0] = (struct fake_node)NODE(0, "FrameLayout", AT(0, 0, 40, 60));
    for (int i = 1; i <= MANY; i++) {
        many[i] = (struct fake_node){
            .depth = 1,
            .class_name = "android.widget.Button",
            .text = i == 1 ? first_label : long_label,
            .bounds = { 0, i, 40, i + 1 },
            .flags = SQ_NODE_CLICKABLE,
        };
    }
}

static void
rename_first(struct fake_device *fake) {
    show_after(fake);
    snprintf(first_label, sizeof(first_label), "after action %d", actions_seen);
}

/* The first element of the current list. */
static char first_known[64];

static void
check_list(void) {
    struct sq_element element;
    T_ARENA(arena, 65536);
    if (sq_session_element(world.session, FAKE_ID, 0, &arena, &element, NULL)) {
        T_STR(element.label.ptr, first_known);
    }
}

static bool
tap_with_all(void *context, struct sq_err *err) {
    int seen = actions_seen;
    frame_show(&before);
    bool ok = fake_run(&world, "tap", context);
    if (ok) {
        T_INT(actions_seen, seen + 1);
        T(strstr(world.json, "\"tapped\":{\"x\":4,\"y\":5,") != NULL);
        /* A picture is never sent without its text. */
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE),
              strstr(world.json, "\"picture\"") != NULL);
    } else {
        T_INT(actions_seen, seen);
    }
    /* A list is current if, and only if, it was sent. */
    if (ok && strstr(world.json, "\"elements\"")) {
        snprintf(first_known, sizeof(first_known), "%s", first_label);
    }
    check_list();
    *err = world.err;
    return ok;
}

T_CASE(receipts_survive_every_failed_allocation) {
    static char call[] = "{'x':4,'y':5,'screenshotId':'s1','receipt':'full',"
                         "'look':true}";
    start_with_change(40, 60, (struct sq_dev_rect){ 10, 20, 30, 40 });
    fill_many();
    world.device.nodes = many;
    on_action = rename_first;
    rename_first(&world.device);
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("dump", "{}", "<*>");
    snprintf(first_known, sizeof(first_known), "%s", first_label);
    T(t_alloc_torture(tap_with_all, call) >= 10);
    T(strlen(world.json) > 9000); /* more than was reserved for it */
    acting_fail_allocations("tap", call);
    end_with_change();
}

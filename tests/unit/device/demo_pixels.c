/* The demo phone's pixels and its tree agree. */
#include "device/demo/demo.h"

#include "unit/device/phone.h"

static const char *const apps[] = { "launcher", "settings",  "login", "shop",
                                    "clock",    "animation", "rotate" };
#define APPS (SQ_COUNT(apps))

static uint32_t
pixel_at(const struct sq_image *image, int x, int y) {
    uint32_t value;
    memcpy(&value, sq_image_row(image, y) + (size_t)x * SQ_PIXEL_BYTES,
           sizeof(value));
    return value;
}

static bool
has_ink(const struct sq_image *image, struct sq_dev_rect box) {
    uint32_t first = pixel_at(image, box.left, box.top);
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            if (pixel_at(image, x, y) != first) {
                return true;
            }
        }
    }
    return false;
}

static int
check_labels(void) {
    T_FREED(sq_capture_finish) struct sq_capture capture = phone_capture(phone);
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    int labels = 0;
    T_OK(sq_image_decode(capture.bytes.data, capture.bytes.len,
                         &sq_limits_default, &image, &t_err));
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        struct sq_dev_rect box = node->bounds;
        T(box.left >= 0 && box.top >= 0 && box.right <= image.width
          && box.bottom <= image.height);
        T(node->class_name.len && node->package.len);
        /*
         * A thin strip at the edge may contain only the space above the
         * letters.
         */
        bool tall = box.bottom - box.top > 12;
        if (tall && (node->text.len || node->desc.len || node->hint.len)) {
            labels++;
            if (!has_ink(&image, box)) {
                printf("# no ink: \"%.*s\"\n", SQ_SPAN_ARGS(node->text));
                T(false);
            }
        }
    }
    return labels;
}

T_FIXTURE(NULL, phone_end);

T_CASE(every_label_is_drawn) {
    phone_start();
    for (int turned = 0; turned < 2; turned++) {
        for (size_t i = 0; i < APPS; i++) {
            phone_launch(apps[i]);
            for (int page = 0; page < 4; page++) {
                T(check_labels() >= 2);
                phone_key("page_down");
            }
        }
        phone_launch("rotate");
        phone_key("page_up");
        phone_tap("Landscape");
    }
}

/* Everything that can be observed from outside. */
static uint64_t
whole_state(void) {
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    uint64_t state = phone_frame();
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        state = state * 31 + node->flags;
    }
    return state;
}

static bool
is_tappable(const struct sq_node *node) {
    return node->flags & SQ_NODE_CLICKABLE && !(node->flags & SQ_NODE_SELECTED)
        && node->bounds.bottom - node->bounds.top > 12
        && node->bounds.right - node->bounds.left > 12;
}

static const struct sq_node *
tappable(const struct sq_tree *tree, int number) {
    const struct sq_node *node = tree->root;
    for (; node; node = sq_node_after(node)) {
        if (is_tappable(node) && number-- == 0) {
            return node;
        }
    }
    return NULL;
}

T_BARE_CASE(every_clickable_element_reacts_to_taps) {
    for (size_t i = 0; i < APPS; i++) {
        int number = 0;
        for (bool more = true; more; number++) {
            phone_start();
            phone_launch(apps[i]);
            T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
            const struct sq_node *node = tappable(&tree, number);
            more = node != NULL;
            if (node) {
                uint64_t before = whole_state();
                phone_touch(phone_centre(node), 1, 0);
                if (whole_state() == before) {
                    printf("# %s: nothing happens at \"%.*s\" %.*s\n", apps[i],
                           SQ_SPAN_ARGS(node->text),
                           SQ_SPAN_ARGS(node->resource_id));
                    T(false);
                }
            }
            phone_end();
        }
        T(number > 1 || strcmp(apps[i], "clock") == 0
          || strcmp(apps[i], "animation") == 0);
    }
}

T_CASE(some_icons_have_no_label) {
    int mute = 0;
    int described = 0;
    phone_start();
    phone_launch("shop");
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        bool is_icon =
            sq_span_is(node->class_name, "android.widget.ImageButton");
        mute += is_icon && node->desc.len == 0 && node->text.len == 0;
        described += is_icon && node->desc.len > 0 && node->text.len == 0;
    }
    T(mute >= 4);
    T(described >= 3);
}

T_CASE(tree_looks_like_one_of_android) {
    static const struct {
        const char *app;
        const char *name;
        const char *class_name;
        const char *id;
    } wanted[] = {
        { "login", "username", "android.widget.EditText",
          "com.squint.demo.login:id/username" },
        { "login", "Sign in", "android.widget.Button",
          "com.squint.demo.login:id/sign_in" },
        { "login", "Remember me", "android.widget.CheckBox",
          "com.squint.demo.login:id/remember" },
        { "settings", "Wi-Fi", "android.widget.TextView",
          "com.squint.demo.settings:id/title" },
        { "settings", "switch_widget", "android.widget.Switch",
          "com.squint.demo.settings:id/switch_widget" },
        { "settings", "recycler_view",
          "androidx.recyclerview.widget.RecyclerView",
          "com.squint.demo.settings:id/recycler_view" },
        { "shop", "Cart", "android.widget.ImageButton",
          "com.squint.demo.shop:id/action_cart" },
    };
    phone_start();
    for (size_t i = 0; i < SQ_COUNT(wanted); i++) {
        phone_launch(wanted[i].app);
        T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
        const struct sq_node *node = phone_find(&tree, wanted[i].name);
        if (T(node != NULL)) {
            T(sq_span_is(node->class_name, wanted[i].class_name));
            T(sq_span_is(node->resource_id, wanted[i].id));
            T(node->flags & SQ_NODE_ENABLED);
        }
        T(sq_span_is(tree.root->class_name, "android.widget.FrameLayout"));
        T_INT(tree.root->bounds.right, PHONE_WIDTH);
    }
}

T_CASE(node_ids_follow_the_order_of_the_tree) {
    phone_start();
    phone_launch("shop");
    T_FREED(sq_tree_finish) struct sq_tree tree = phone_tree();
    int count = 0;
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        T_INT(node->index, count);
        T_INT(node->depth, node->parent ? node->parent->depth + 1 : 0);
        count++;
    }
    T_INT(count, tree.count);
}

typedef void (*step)(void);

static void
step_settings(void) {
    phone_launch("settings");
    phone_swipe(1000, 500, 300);
    phone_tap("row");
}

static void
step_login(void) {
    phone_launch("login");
    phone_key("tab");
    phone_type("Zo\xc3\xab");
}

static void
step_game(void) {
    phone_launch("game");
    for (int y = 200; y < PHONE_HEIGHT; y += 20) {
        phone_touch((struct sq_dev_pt){ (y * 7) % PHONE_WIDTH, y }, 1, 0);
    }
}

static void
step_shop(void) {
    phone_launch("shop");
    phone_tap("add");
    phone_tap("Audio");
}

static void
step_home(void) {
    phone_key("home");
}

T_CASE(same_touches_give_the_same_result) {
    static const step steps[] = { step_settings, step_login, step_game,
                                  step_shop, step_home };
    struct sq_device *one = phone_make(7);
    struct sq_device *two = phone_make(7);
    for (size_t i = 0; i < SQ_COUNT(steps); i++) {
        phone_clock_ns = PHONE_START_NS + (int64_t)i * 1000000000;
        phone = one;
        steps[i]();
        phone = two;
        steps[i]();
        T(phone_frame_of(one) == phone_frame_of(two));
    }
    phone = two;
    phone_end();
    phone = one;
}

T_CASE(other_seed_gives_another_game) {
    struct sq_device *one = phone_make(1);
    struct sq_device *two = phone_make(2);
    T(phone_frame_of(one) == phone_frame_of(two));
    phone = one;
    phone_launch("game");
    phone = two;
    phone_launch("game");
    T(phone_frame_of(one) != phone_frame_of(two));
    phone_end();
    phone = one;
}

/* Touches, text and keys on the demo phone. */
#include "device/demo/demo.h"

#include "unit/device/phone.h"
#include "util/utf8.h"

#define TYPED_BYTES 4096

T_FIXTURE(phone_start, phone_end);

T_CASE(login_needs_both_fields) {
    phone_launch("login");
    phone_tap("sign_in");
    T(phone_text_is("error", "Enter your username and password"));
    phone_tap("username");
    T(phone_flags("username") & SQ_NODE_FOCUSED);
    phone_type("Ada");
    T(phone_text_is("username", "Ada"));
    phone_tap("sign_in");
    T(phone_text_is("error", "Enter your password"));
    T(!(phone_flags("username") & SQ_NODE_FOCUSED));
    phone_tap("password");
    phone_type("lovelace");
    T(!phone_shows("error"));
    phone_tap("sign_in");
    T(phone_text_is("greeting", "Welcome, Ada"));
    T(!phone_shows("username"));
    phone_tap("Sign out");
    T(phone_text_is("username", ""));
    T(phone_text_is("password", ""));
}

T_CASE(login_works_by_keys_alone) {
    phone_launch("login");
    phone_key("tab");
    T(phone_flags("username") & SQ_NODE_FOCUSED);
    phone_type("Grace");
    phone_key("space");
    phone_type("HopperX");
    phone_key("delete");
    phone_key("enter");
    T(phone_flags("password") & SQ_NODE_FOCUSED);
    phone_key("tab");
    T(phone_flags("username") & SQ_NODE_FOCUSED);
    phone_key("tab");
    phone_type("cobol");
    phone_key("enter");
    T(phone_text_is("greeting", "Welcome, Grace Hopper"));
}

T_CASE(new_line_presses_enter) {
    phone_launch("login");
    phone_tap("username");
    phone_type("Ada\nlovelace");
    T(phone_text_is("username", "Ada"));
    T(phone_flags("password") & SQ_NODE_FOCUSED);
    /* No field has the focus after the second one. */
    phone_type("\nlost\nlost");
    T(phone_text_is("greeting", "Welcome, Ada"));
}

T_CASE(remembers_the_name_if_requested) {
    phone_launch("login");
    T(!(phone_flags("Remember me") & SQ_NODE_CHECKED));
    phone_tap("Remember me");
    T(phone_flags("Remember me") & SQ_NODE_CHECKED);
    phone_tap("username");
    phone_type("Ada");
    phone_tap("password");
    phone_type("x");
    phone_key("enter");
    phone_tap("Sign out");
    T(phone_text_is("username", "Ada"));
    T(phone_text_is("password", ""));
}

/* The same number of characters gives the same bullets, nothing else. */
T_CASE(hides_passwords_in_its_pixels) {
    phone_launch("login");
    T(phone_flags("password") & SQ_NODE_PASSWORD);
    T(phone_flags("password") & SQ_NODE_EDITABLE);
    T(!(phone_flags("username") & SQ_NODE_PASSWORD));
    phone_tap("password");
    uint64_t empty = phone_frame();
    phone_type("secret");
    uint64_t first = phone_frame();
    for (int i = 0; i < 6; i++) {
        phone_key("delete");
    }
    T(phone_frame() == empty);
    phone_type("Ω漢😀ab\xc3\xa9");
    T(phone_frame() == first);
    T(first != empty);
}

static size_t
every_kind_of_character(char *text) {
    static const uint32_t some[] = {
        0x0,    0x1,    0x9,    0x20,   0x22,   0x5c,    0x7f,    0x80,
        0xad,   0xe9,   0x301,  0x3a9,  0x5d0,  0x627,   0x939,   0x200b,
        0x200d, 0x202e, 0x2028, 0x20ac, 0x3042, 0x6f22,  0xd7ff,  0xe000,
        0xfdd0, 0xfe0f, 0xfeff, 0xfffd, 0xffff, 0x1f1e9, 0x1f600, 0x1f468
    };
    size_t len = 0;
    for (size_t i = 0; i < SQ_COUNT(some); i++) {
        len += sq_utf8_encode(some[i], text + len);
    }
    for (uint32_t plane = 0; plane <= 16; plane++) {
        for (uint32_t i = 0; i < 20; i++) {
            len += sq_utf8_encode(plane << 16 | i * 3329, text + len);
        }
        len += sq_utf8_encode(plane << 16 | 0xffff, text + len);
    }
    return len;
}

T_CASE(accepts_all_of_unicode) {
    char text[TYPED_BYTES];
    struct sq_span typed = { text, every_kind_of_character(text) };
    struct sq_deadline deadline = phone_deadline();
    phone_launch("login");
    phone_tap("username");
    T_OK(sq_device_text(phone, typed, &deadline, &t_err));
    struct sq_tree tree = phone_tree();
    const struct sq_node *node = phone_find(&tree, "username");
    T(node && sq_span_equal(node->text, typed));
    sq_tree_finish(&tree);
    phone_frame();
    phone_tap("password");
    phone_type("x");
    phone_key("enter");
    tree = phone_tree();
    node = phone_find(&tree, "greeting");
    if (T(node && node->text.len == typed.len + 9)) {
        T(memcmp(node->text.ptr + 9, text, typed.len) == 0);
    }
    sq_tree_finish(&tree);
    phone_frame();
}

T_CASE(draws_a_box_for_missing_glyphs) {
    phone_launch("login");
    phone_tap("username");
    uint64_t empty = phone_frame();
    phone_type("漢");
    uint64_t one = phone_frame();
    T(one != empty);
    phone_key("delete");
    phone_type("字");
    T(phone_frame() == one);
    phone_key("delete");
    phone_type("A");
    T(phone_frame() != one);
}

T_BARE_CASE(accepts_a_whole_text_or_nothing) {
    static char large[40000];
    struct sq_span text = { large, sizeof(large) };
    struct sq_deadline deadline = phone_deadline();
    memset(large, 'x', sizeof(large));
    phone_start();
    phone_launch("login");
    T_FAILS(sq_device_text(phone, SQ_SPAN("a"), &deadline, &t_err),
            SQ_ERR_INVALID_OPERATION);
    T(t_err.hint[0]);
    phone_tap("username");
    T_FAILS(sq_device_text(phone, SQ_SPAN("ab\xff"), &deadline, &t_err),
            SQ_ERR_ARGUMENT);
    T(phone_text_is("username", ""));
    T_OK(sq_device_text(phone, text, &deadline, &t_err));
    T_FAILS(sq_device_text(phone, text, &deadline, &t_err), SQ_ERR_LIMIT);
    struct sq_tree tree = phone_tree();
    T_INT(phone_find(&tree, "username")->text.len, sizeof(large));
    sq_tree_finish(&tree);
    phone_frame();
    phone_end();
}

T_CASE(deletes_whole_characters) {
    phone_launch("login");
    phone_tap("username");
    phone_type("a\xc3\xa9\xf0\x9f\x98\x80");
    phone_key("delete");
    T(phone_text_is("username", "a\xc3\xa9"));
    phone_key("backspace");
    T(phone_text_is("username", "a"));
    phone_key("delete");
    phone_key("delete");
    T(phone_text_is("username", ""));
}

T_CASE(escape_leaves_the_field_first) {
    phone_launch("login");
    phone_tap("username");
    phone_key("escape");
    T(!(phone_flags("username") & SQ_NODE_FOCUSED));
    T(phone_app_is("login", ".LoginActivity"));
    phone_key("escape");
    T(phone_app_is("launcher", ".LauncherActivity"));
}

T_CASE(hint_for_unknown_key_lists_the_keys) {
    struct sq_deadline deadline = phone_deadline();
    T_FAILS(sq_device_key(phone, "any", &deadline, &t_err), SQ_ERR_ARGUMENT);
    T(strstr(t_err.hint, "back") && strstr(t_err.hint, "app_switch"));
}

T_CASE(tap_on_a_row_toggles_its_switch) {
    phone_launch("settings");
    unsigned before = phone_flags("switch_widget");
    T(before & SQ_NODE_CHECKABLE && before & SQ_NODE_CHECKED);
    T(!(before & SQ_NODE_CLICKABLE));
    phone_tap("Wi-Fi");
    T(!(phone_flags("switch_widget") & SQ_NODE_CHECKED));
    phone_tap("switch_widget");
    T(phone_flags("switch_widget") & SQ_NODE_CHECKED);
    phone_press("Wi-Fi", 2, 0);
    T(phone_flags("switch_widget") & SQ_NODE_CHECKED);
}

T_CASE(distinguishes_taps_long_and_double_taps) {
    phone_press("Clock", 1, 700);
    T(phone_app_is("launcher", ".LauncherActivity"));
    T(phone_text_is("snackbar_text", "Clock: com.squint.demo.clock"));
    phone_touch((struct sq_dev_pt){ PHONE_WIDTH / 2, PHONE_HEIGHT / 2 }, 1, 0);
    T(!phone_shows("snackbar_text"));
    phone_launch("shop");
    phone_tap("Desk lamp");
    T(phone_text_is("snackbar_text", "Desk lamp, $42.50"));
    phone_press("Desk lamp", 2, 0);
    T(phone_text_is("snackbar_text", "Desk lamp is a favourite"));
    phone_press("Desk lamp", 2, 0);
    T(phone_text_is("snackbar_text", "Desk lamp is not a favourite"));
    phone_tap("Add mug to cart");
    T(phone_text_is("cart_count", "1"));
}

T_CASE(searches_its_settings) {
    phone_launch("settings");
    phone_tap("search");
    phone_type("BATTERY");
    T(phone_shows("Battery saver") && phone_shows("Battery percentage"));
    T(!phone_shows("Wi-Fi"));
    phone_type(" none");
    T(!phone_shows("Battery saver"));
}

T_CASE(refuses_points_outside_the_screen) {
    static const struct sq_dev_pt points[] = {
        { -1, 5 }, { 5, -1 }, { PHONE_WIDTH, 5 }, { 5, PHONE_HEIGHT }
    };
    struct sq_deadline deadline = phone_deadline();
    for (size_t i = 0; i < SQ_COUNT(points); i++) {
        struct sq_touch touch = { .at = points[i], .count = 1 };
        struct sq_swipe swipe = { .from = { 5, 5 },
                                  .to = points[i],
                                  .duration_ms = 100 };
        T_FAILS(sq_device_tap(phone, &touch, &deadline, &t_err),
                SQ_ERR_ARGUMENT);
        T_FAILS(sq_device_swipe(phone, &swipe, &deadline, &t_err),
                SQ_ERR_ARGUMENT);
    }
    struct sq_touch none = { .at = { 5, 5 }, .count = 0 };
    T_FAILS(sq_device_tap(phone, &none, &deadline, &t_err), SQ_ERR_ARGUMENT);
    phone_touch((struct sq_dev_pt){ PHONE_WIDTH - 1, PHONE_HEIGHT - 1 }, 1, 0);
}

#include "device/ios/parse.h"

#include "support/test.h"

#define APP                                                                    \
    "{\"type\":\"Application\",\"AXLabel\":\"Settings\",\"pid\":4711,"         \
    "\"frame\":{\"x\":0,\"y\":0,\"width\":393,\"height\":852}}"
/* The public example of idb, with the members in its order. */
#define WALLET                                                                 \
    "{\"AXFrame\":\"{{199, 116}, {64, 87.5}}\",\"AXUniqueId\":\"Wallet\","     \
    "\"frame\":{\"y\":116,\"x\":199,\"width\":64,\"height\":87.5},"            \
    "\"role_description\":\"button\",\"AXLabel\":\"Wallet\","                  \
    "\"content_required\":false,\"type\":\"Button\",\"title\":null,"           \
    "\"help\":null,\"custom_actions\":[\"Edit mode\",\"Today\"],"              \
    "\"AXValue\":\"\",\"enabled\":true,\"role\":\"AXButton\",\"subrole\":"     \
    "null}"

static struct sq_idb_screen
parse(const char *text) {
    struct sq_idb_screen screen = { 0 };
    T_OK(sq_idb_parse_elements(sq_span_of(text), &screen, &t_err));
    return screen;
}

/*
 * The n-th node after the root; a node that matches nothing if there is none.
 */
static const struct sq_node *
node_at(const struct sq_idb_screen *screen, int n) {
    static const struct sq_node nothing = { .depth = -1 };
    const struct sq_node *node = screen->tree.root;
    for (; node && n > 0; n--) {
        node = sq_node_after(node);
    }
    T(node != NULL);
    return node ? node : &nothing;
}

static void
check_wallet(const struct sq_idb_screen *screen) {
    const struct sq_node *node = node_at(screen, 1);
    T(sq_span_is(node->text, "Wallet"));
    T(sq_span_is(node->resource_id, "Wallet"));
    T(sq_span_is(node->class_name, "Button"));
    T_INT(node->bounds.left, 199);
    T_INT(node->bounds.top, 116);
    T_INT(node->bounds.right, 263);
    T_INT(node->bounds.bottom, 204); /* 203.5, not 203 */
    T(node->flags & SQ_NODE_CLICKABLE && node->flags & SQ_NODE_ENABLED);
    T(node->parent == screen->tree.root);
}

T_CASE(all_formats_give_the_same_tree) {
    static const char *const texts[] = {
        "[" APP "," WALLET "]\n",
        "[" WALLET "," APP "]",
        APP "\n" WALLET "\n",
        "\n" APP "\r\n\r\n" WALLET,
        "[{\"type\":\"Application\",\"pid\":4711,\"frame\":{\"x\":0,\"y\":0,"
        "\"width\":393,\"height\":852},\"children\":[" WALLET "]}]",
        "{\"type\":\"Application\",\"pid\":4711,\"frame\":{\"x\":0,\"y\":0,"
        "\"width\":393,\"height\":852},\"children\":[" WALLET "]}",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        T_FREED(sq_idb_screen_finish)
        struct sq_idb_screen screen = parse(texts[i]);
        T_INT(screen.tree.count, 2);
        T_INT(screen.pid, 4711);
        T_INT(screen.points.width, 393);
        T_INT(screen.points.height, 852);
        T(!screen.reports_focus);
        check_wallet(&screen);
    }
}

T_CASE(single_element_is_accepted) {
    struct sq_idb_screen screen = parse(WALLET);
    T_INT(screen.points.width, 0);
    check_wallet(&screen);
    sq_idb_screen_finish(&screen);
    screen = parse("[]");
    T(!screen.tree.root);
    sq_idb_screen_finish(&screen);
}

T_CASE(formats_of_older_versions_are_accepted) {
    struct sq_idb_screen screen =
        parse("[{\"type\":\"Application\",\"AXPid\":99},"
              "{\"AXUniqueId\":42,\"AXValue\":0.5,\"AXLabel\":null,"
              "\"title\":\"T\",\"AXFrame\":\"{{1.5, 2}, {3, 4}}\"}]");
    const struct sq_node *node = node_at(&screen, 1);
    T_INT(screen.pid, 99);
    T(sq_span_is(node->resource_id, "42"));
    T(sq_span_is(node->text, "T"));
    T(sq_span_is(node->desc, "0.5"));
    T_INT(node->bounds.left, 2);
    T_INT(node->bounds.right, 5);
    sq_idb_screen_finish(&screen);
}

T_CASE(unusual_elements_are_ignored_or_accepted) {
    T_FREED(sq_idb_screen_finish)
    struct sq_idb_screen screen = parse(
        "[" APP ",null,7,[],\"x\",{},"
        "{\"frame\":null,\"AXFrame\":null,\"AXLabel\":null,\"type\":null},"
        "{\"frame\":{\"x\":0,\"y\":0,\"width\":0,\"height\":0}},"
        "{\"frame\":{\"x\":-50,\"y\":9000,\"width\":-10,\"height\":20}},"
        "{\"frame\":{\"x\":1e300,\"y\":-1e300,\"width\":1e300,\"height\":1}},"
        "{\"AXFrame\":\"{{inf, nan}, {1, 1}}\"},"
        "{\"AXFrame\":\"{{1, 2}, {3\"},"
        "{\"AXFrame\":\"\"},"
        "{\"unheard_of\":{\"a\":[1,2]},\"children\":7}]");
    T_INT(screen.tree.count, 10);
    for (int i = 1; i < 10; i++) {
        const struct sq_node *node = node_at(&screen, i);
        int width = node->bounds.right - node->bounds.left;
        int height = node->bounds.bottom - node->bounds.top;
        T(width <= 0 || height <= 0 || node->bounds.left >= 1000000);
    }
}

/* The original truncated fractions: neighbours overlapped or left gaps. */
T_CASE(fractions_are_rounded_edge_by_edge) {
    T_FREED(sq_idb_screen_finish)
    struct sq_idb_screen screen = parse(
        "[" APP ",{\"frame\":{\"x\":15.999999999999986,\"y\":0.25,"
        "\"width\":64,\"height\":0.33}},"
        "{\"frame\":{\"x\":10.4,\"y\":20.6,\"width\":10.2,\"height\":10.5}}]");
    const struct sq_node *thin = node_at(&screen, 1);
    const struct sq_node *node = node_at(&screen, 2);
    T_INT(thin->bounds.left, 16);
    T_INT(thin->bounds.right, 80);
    T_INT(thin->bounds.bottom - thin->bounds.top, 1);
    T_INT(node->bounds.left, 10);
    T_INT(node->bounds.right, 21);
    T_INT(node->bounds.top, 21);
    T_INT(node->bounds.bottom, 31);
}

T_CASE(types_set_the_flags) {
    static const struct {
        const char *members;
        unsigned has;
        unsigned lacks;
    } rows[] = {
        { "\"type\":\"TextField\",\"subrole\":\"AXSecureTextField\"",
          SQ_NODE_EDITABLE | SQ_NODE_PASSWORD, 0 },
        { "\"type\":\"SecureTextField\"", SQ_NODE_EDITABLE | SQ_NODE_PASSWORD,
          0 },
        { "\"type\":\"XCUIElementTypeButton\"", SQ_NODE_CLICKABLE, 0 },
        { "\"role\":\"AXLink\"", SQ_NODE_CLICKABLE, 0 },
        { "\"type\":\"CheckBox\",\"AXValue\":\"1\"",
          SQ_NODE_CHECKABLE | SQ_NODE_CHECKED, 0 },
        { "\"type\":\"CheckBox\",\"AXValue\":\"0\"", SQ_NODE_CHECKABLE,
          SQ_NODE_CHECKED },
        { "\"type\":\"Image\",\"role_description\":\"button\"",
          SQ_NODE_CLICKABLE, 0 },
        { "\"type\":\"Image\"", SQ_NODE_ENABLED, SQ_NODE_CLICKABLE },
        { "\"type\":\"Other\",\"traits\":[\"Button\",\"Selected\",7]",
          SQ_NODE_CLICKABLE | SQ_NODE_SELECTED, 0 },
        { "\"type\":\"Button\",\"enabled\":false", SQ_NODE_CLICKABLE,
          SQ_NODE_ENABLED },
        { "\"type\":\"ScrollArea\"", SQ_NODE_SCROLLABLE, SQ_NODE_CLICKABLE },
        { "\"type\":\"StaticText\"", SQ_NODE_ENABLED, SQ_NODE_CLICKABLE },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        char text[600];
        snprintf(text, sizeof(text), "[" APP ",{%s}]", rows[i].members);
        T_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = parse(text);
        unsigned flags = node_at(&screen, 1)->flags;
        T_INT(flags & rows[i].has, rows[i].has);
        T_INT(flags & rows[i].lacks, 0);
    }
}

T_CASE(text_and_hint_of_a_field) {
    T_FREED(sq_idb_screen_finish)
    struct sq_idb_screen screen = parse(
        "[" APP ",{\"type\":\"TextField\",\"AXLabel\":\"User\","
        "\"placeholder\":\"Name\",\"AXValue\":\"Name\",\"focused\":true},"
        "{\"type\":\"TextField\",\"AXLabel\":\"User\",\"AXValue\":\"Ada\"},"
        "{\"type\":\"Button\",\"AXLabel\":\"B\",\"hidden\":true,"
        "\"frame\":{\"x\":1,\"y\":1,\"width\":5,\"height\":5}}]");
    const struct sq_node *empty = node_at(&screen, 1);
    const struct sq_node *full = node_at(&screen, 2);
    const struct sq_node *hidden = node_at(&screen, 3);
    T_INT(empty->text.len, 0);
    T(sq_span_is(empty->hint, "Name"));
    T(sq_span_is(empty->desc, "User"));
    T(empty->flags & SQ_NODE_FOCUSED);
    T(screen.reports_focus);
    T(sq_span_is(full->text, "Ada"));
    T(sq_span_is(full->hint, "User"));
    T_INT(hidden->bounds.right, 0);
}

/* Otherwise a find for "Settings" would match the whole screen. */
T_CASE(app_name_is_not_a_label) {
    T_FREED(sq_idb_screen_finish)
    struct sq_idb_screen screen = parse("[" APP "]");
    T_INT(node_at(&screen, 0)->text.len, 0);
    T(sq_span_is(node_at(&screen, 0)->class_name, "Application"));
}

T_CASE(other_json_is_refused) {
    static const struct {
        const char *text;
        enum sq_err_code code;
    } rows[] = {
        { "", SQ_ERR_TRUNCATED },
        { "\n \n", SQ_ERR_TRUNCATED },
        { "[" APP ",{\"AXLab", SQ_ERR_TRUNCATED },
        { APP "\n{\"AXLab", SQ_ERR_FORMAT },
        { "7", SQ_ERR_FORMAT },
        { "null", SQ_ERR_FORMAT },
        { "Traceback (most recent call last)", SQ_ERR_FORMAT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_idb_screen screen = { 0 };
        T_FAILS(
            sq_idb_parse_elements(sq_span_of(rows[i].text), &screen, &t_err),
            rows[i].code);
        T(!screen.tree.root);
    }
}

T_CASE(targets_are_found_by_id) {
    static const char text[] =
        "{\"name\":\"a\",\"udid\":\"A-1\",\"state\":\"Shutdown\"}\n"
        "{\"name\":\"b\",\"udid\":\"A-2\",\"state\":\"Booted\",\"host\":null}"
        "\n";
    char state[8] = "";
    T(sq_idb_find_target(sq_span_of(text), "A-2", state, sizeof(state)));
    T_STR(state, "Booted");
    T(sq_idb_find_target(sq_span_of(text), "A-1", state, sizeof(state)));
    T_STR(state, "Shutdow");
    T(sq_idb_find_target(sq_span_of(text), "a-2", state, sizeof(state)));
    T_STR(state, "Booted");
    T(!sq_idb_find_target(sq_span_of(text), "A-3", state, sizeof(state)));
    T(!sq_idb_find_target(SQ_SPAN("no JSON"), "A-3", state, sizeof(state)));
}

T_ALLOC_CASE(every_allocation_can_fail, 2) {
    T_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    return sq_idb_parse_elements(SQ_SPAN(APP "\n" WALLET "\n"), &screen, err);
}

/* Dumps that real devices made: phones, televisions, cars. */
#include "device/android/ui_xml.h"

#include <stdio.h>
#include <string.h>

#include "device/android/xml_plain.h"
#include "support/test.h"
#include "support/ui_xml_ways.h"
#include "sys/file.h"
#include "util/limits.h"
#include "util/utf8.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct dump {
    const char *name;
    int nodes;
    int depth; /* of the deepest node */
    int clickable;
    int unlabelled;
} dumps[] = {
    { "ivi_ad_appium", 57, 11, 14, 0 },
    { "ivi_ad_native", 67, 12, 5, 1 },
    { "ivi_apps_native", 64, 10, 14, 0 },
    { "ivi_display_popup_appium", 12, 5, 1, 0 },
    { "ivi_empty_appium", 1, 0, 0, 0 },
    { "ivi_lights_main_appium", 63, 10, 17, 0 },
    { "ivi_lights_native", 86, 11, 12, 0 },
    { "ivi_quick_settings_native", 65, 10, 10, 6 },
    { "ivi_steeringwheel_popup_appium", 19, 8, 4, 0 },
    { "ivi_window_dump", 18, 8, 2, 0 },
    { "phone_openweather_1080x2424", 110, 20, 9, 0 },
    { "phone_xoslauncher_appdrawer_1080x2156", 45, 11, 32, 1 },
    { "tv_philo_channels_dump", 264, 17, 3, 0 },
    { "tv_philo_config_ui_dump", 136, 14, 62, 2 },
    { "tv_philo_details_dump", 26, 12, 5, 0 },
    { "tv_philo_guide_dump", 197, 13, 34, 8 },
    { "tv_philo_home_1920x1080", 113, 15, 22, 0 },
    { "tv_philo_saved_dump", 56, 16, 13, 0 },
    { "tv_philo_search_dump", 70, 10, 45, 0 },
};

/* False where the folder is absent; the case is then marked skipped. */
static bool
read_dump(const char *name, struct sq_buf *out) {
    char relative[100];
    struct sq_err err = { 0 };
    snprintf(relative, sizeof(relative), "ui-dumps/%s.xml", name);
    const char *path = t_data_path(relative);
    return path
        && T_OK(sq_file_read(path, SQ_MAX_UI_XML_BYTES, out, &err), &err);
}

static struct sq_span
bytes_of(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

static void
check_node(const struct sq_node *node) {
    T(node->class_name.len > 0 && node->package.len > 0);
    T(sq_utf8_valid_len(node->text) == node->text.len);
    T(sq_utf8_valid_len(node->desc) == node->desc.len);
    T(node->bounds.left <= node->bounds.right);
    T(node->bounds.top <= node->bounds.bottom);
    T(!node->parent || node->depth == node->parent->depth + 1);
}

static void
check_dump(const struct dump *dump, struct sq_span text) {
    struct sq_tree tree = { 0 };
    struct sq_ui_xml_info info;
    struct sq_err err = { 0 };
    if (!T_OK(sq_ui_xml_parse(text, &tree, &info, &err), &err)) {
        return;
    }
    int nodes = 0;
    int depth = 0;
    int clickable = 0;
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        check_node(node);
        T_INT(node->index, nodes);
        nodes++;
        depth = node->depth > depth ? node->depth : depth;
        clickable += (node->flags & SQ_NODE_CLICKABLE) != 0;
    }
    bool same = T_INT(nodes, dump->nodes) && T_INT(tree.count, dump->nodes)
             && T_INT(depth, dump->depth) && T_INT(clickable, dump->clickable)
             && T_INT(info.unlabelled, dump->unlabelled)
             && T_INT(info.rotation, 0);
    if (!same) {
        printf("# in %s\n", dump->name);
    }
    sq_tree_finish(&tree);
}

static void
every_dump_parses(void) {
    for (size_t i = 0; i < COUNT(dumps); i++) {
        struct sq_buf text;
        if (!read_dump(dumps[i].name, &text)) {
            return;
        }
        check_dump(&dumps[i], bytes_of(&text));
        sq_buf_finish(&text);
    }
}

/* Expat would read them the same, but is not needed for any of them. */
static void
every_dump_is_plain(void) {
    for (size_t i = 0; i < COUNT(dumps); i++) {
        struct sq_buf text;
        struct sq_ui_builder builder;
        struct sq_err err = { 0 };
        if (!read_dump(dumps[i].name, &text)) {
            return;
        }
        sq_ui_builder_init(&builder, &err);
        T_INT(sq_xml_plain_read(bytes_of(&text), &builder, &err),
              SQ_XML_PLAIN_READ);
        T_INT(builder.tree.count, dumps[i].nodes);
        T(!ui_xml_difference(bytes_of(&text)));
        sq_ui_builder_finish(&builder);
        sq_buf_finish(&text);
    }
}

/* Whether a node of the dump is labelled so. */
static bool
has_text(const struct sq_tree *tree, const char *text) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (sq_span_is(node->text, text) || sq_span_is(node->desc, text)) {
            return true;
        }
    }
    return false;
}

static void
labels_come_out_whole(void) {
    static const struct {
        const char *name;
        const char *text;
    } labels[] = {
        { "ivi_ad_native", "\xeb\x9d\xbc\xec\x9d\xb4\xed\x8a\xb8" },
        { "phone_openweather_1080x2424", "57 / 45 \xc2\xb0"
                                         "F" },
        { "tv_philo_guide_dump", "S9 | E18 Cristal & Sherry" },
        { "tv_philo_home_1920x1080", "A&E" },
        { "ivi_window_dump",
          "\xec\x9d\xb4\xed\x9b\x84 [\xec\xb0\xa8\xeb\x9f\x89 "
          "\xec\x84\xa4\xec\xa0\x95 > \xed\x94\x84\xeb\xa1\x9c\xed\x95\x84 > "
          "\xeb\x94\x94\xec\xa7\x80\xed\x84\xb8 \xed\x82\xa4 "
          "\xeb\xb0\x9c\xea\xb8\x89]\xec\x97\x90\xec\x84\x9c "
          "\xeb\x8b\xa4\xec\x8b\x9c \xec\x84\xa4\xec\xa0\x95\xed\x95\xa0 "
          "\xec\x88\x98\n\xec\x9e\x88\xec\x96\xb4\xec\x9a\x94." },
    };
    for (size_t i = 0; i < COUNT(labels); i++) {
        struct sq_buf text;
        struct sq_tree tree = { 0 };
        struct sq_err err = { 0 };
        if (!read_dump(labels[i].name, &text)) {
            return;
        }
        T_OK(sq_ui_xml_parse(bytes_of(&text), &tree, NULL, &err), &err);
        T(has_text(&tree, labels[i].text));
        sq_tree_finish(&tree);
        sq_buf_finish(&text);
    }
}

static void
a_dump_cut_short_is_an_error(void) {
    struct sq_buf text;
    if (!read_dump("ivi_window_dump", &text)) {
        return;
    }
    struct sq_span whole = sq_span_trim(bytes_of(&text));
    for (size_t len = 5; len < whole.len; len += 7) {
        struct sq_tree tree = { 0 };
        struct sq_err err = { 0 };
        T(!sq_ui_xml_parse((struct sq_span){ whole.ptr, len }, &tree, NULL,
                           &err));
        T_INT(err.code, SQ_ERR_TRUNCATED);
    }
    sq_buf_finish(&text);
}

T_MAIN(T_CASE(every_dump_parses), T_CASE(every_dump_is_plain),
       T_CASE(labels_come_out_whole), T_CASE(a_dump_cut_short_is_an_error))

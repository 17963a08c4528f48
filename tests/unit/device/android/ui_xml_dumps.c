/*
 * Complete dumps of phones, televisions and cars: those that
 * tests/dumps/make.py writes and, if present, recordings of real devices.
 */
#include "device/android/parse.h"
#include "device/ui_xml.h"

#include "support/test.h"
#include "sys/file.h"
#include "util/limits.h"
#include "util/utf8.h"

struct dump {
    char name[60];
    int nodes;
    int depth; /* of the deepest node */
    int clickable;
    int unlabelled;
};

#define MAX_MADE 50

/* See t_data_path. */
static const struct dump recordings[] = {
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

static struct dump dumps[MAX_MADE + SQ_COUNT(recordings)];
static size_t dump_count;

static void
read_text(const char *path, struct sq_buf *out) {
    T_OK(sq_file_read(path, SQ_MAX_UI_XML_BYTES, out, &t_err));
}

static struct sq_span
bytes_of(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

/* A line of make.py's counts: the name and four numbers. */
static bool
read_counts(struct sq_span line, struct dump *out) {
    int *numbers[] = { &out->nodes, &out->depth, &out->clickable,
                       &out->unlabelled };
    struct sq_span name;
    if (!sq_span_take_until(&line, ' ', &name)) {
        return false;
    }
    snprintf(out->name, sizeof(out->name), "%.*s", SQ_SPAN_ARGS(name));
    for (size_t i = 0; i < SQ_COUNT(numbers); i++) {
        int64_t value;
        sq_span_take_prefix(&line, " ");
        if (!sq_span_take_int64(&line, &value)) {
            return false;
        }
        *numbers[i] = (int)value;
    }
    return line.len == 0;
}

/* The counts of make.py, and ours for the recordings. */
static void
list_dumps(void) {
    struct sq_buf text = { 0 };
    struct sq_span line;
    const char *path = t_made_path("dumps/counts");
    read_text(path ? path : "", &text);
    struct sq_span rest = bytes_of(&text);
    dump_count = 0;
    while (sq_span_take_line(&rest, &line) && dump_count < MAX_MADE) {
        T(read_counts(line, &dumps[dump_count++]));
    }
    T(dump_count > 10 && dump_count < MAX_MADE);
    sq_buf_finish(&text);
    for (size_t i = 0; i < SQ_COUNT(recordings); i++) {
        char name[100];
        snprintf(name, sizeof(name), "ui-dumps/%.59s.xml", recordings[i].name);
        if (t_data_path(name)) {
            dumps[dump_count++] = recordings[i];
        }
    }
}

/* One that make.py wrote, or else a recording; the caller finishes it. */
static void
read_dump(const char *name, struct sq_buf *out) {
    char relative[100];
    snprintf(relative, sizeof(relative), "ui-dumps/%s.xml", name);
    const char *path = t_data_path(relative);
    if (!path) {
        snprintf(relative, sizeof(relative), "dumps/%s.xml", name);
        path = t_made_path(relative);
    }
    read_text(path ? path : "", out);
}

static void
check_dump(const struct dump *dump, struct sq_span text) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_ui_xml_info info;
    if (!T_OK(sq_ui_xml_parse(text, &tree, &info, &t_err))) {
        return;
    }
    int nodes = 0;
    int depth = 0;
    int clickable = 0;
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        T(node->class_name.len > 0 && node->package.len > 0);
        T(sq_utf8_valid_len(node->text) == node->text.len);
        T(sq_utf8_valid_len(node->desc) == node->desc.len);
        T(node->bounds.left <= node->bounds.right);
        T(node->bounds.top <= node->bounds.bottom);
        T(!node->parent || node->depth == node->parent->depth + 1);
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
}

T_CASE(every_dump_parses) {
    list_dumps();
    for (size_t i = 0; i < dump_count; i++) {
        T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
        read_dump(dumps[i].name, &text);
        check_dump(&dumps[i], bytes_of(&text));
    }
}

/* Whether a node of the dump has this label. */
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

struct label_sample {
    const char *name;
    const char *text;
};

static void
check_labels(const struct label_sample *labels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
        T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
        read_dump(labels[i].name, &text);
        T_OK(sq_ui_xml_parse(bytes_of(&text), &tree, NULL, &t_err));
        if (!T(has_text(&tree, labels[i].text))) {
            printf("# %s has no %s\n", labels[i].name, labels[i].text);
        }
    }
}

T_CASE(labels_are_complete) {
    static const struct label_sample labels[] = {
        { "phone_forecast", "12 / 3 \u00b0C" },
        { "phone_forecast", "\u65e5\u66dc\u65e5: rain & <sun>" },
        { "phone_web", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645" },
        { "phone_web", "\u05e9\u05dc\u05d5\u05dd 123 abc" },
        { "phone_web", "\U0001f468\u200d\U0001f469\u200d\U0001f467 "
                       "\U0001f1e9\U0001f1ea" },
        { "phone_web", "\u202eright to left\u202c" },
        { "phone_web", "out of sight" },
        { "phone_article", "The end" },
        { "tv_home", "\"Quoted\" TV" },
        { "tv_home", "Kids' Club" },
        { "tv_home", "\U0001f3ac Films" },
        { "tv_guide", "S6 | E24 Bread & Butter" },
        { "car_settings_appium", "\ub0b4\ube44\uac8c\uc774\uc158" },
        { "car_question", "\ub2e4\uc74c\uc5d0 [\uc124\uc815 > \uc870\uba85]"
                          "\uc5d0\uc11c\n\ubc14\uafc0 \uc218 "
                          "\uc788\uc5b4\uc694." },
    };
    check_labels(labels, SQ_COUNT(labels));
}

T_CASE(labels_of_recordings_are_complete) {
    static const struct label_sample labels[] = {
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
    if (t_data_path("ui-dumps")) {
        check_labels(labels, SQ_COUNT(labels));
    }
}

/* All 4,000 lines, with whatever is escaped in them. */
T_CASE(long_text_is_complete) {
    T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    char line[100];
    read_dump("phone_article", &text);
    T_OK(sq_ui_xml_parse(bytes_of(&text), &tree, NULL, &t_err));
    const struct sq_node *node = tree.root;
    while (node && node->text.len == 0) {
        node = sq_node_after(node);
    }
    struct sq_span rest = node ? node->text : (struct sq_span){ 0 };
    for (int i = 0; i < 4000; i++) {
        snprintf(line, sizeof(line),
                 "%s%d: \u00abWords & more words\u00bb, "
                 "<b>%d</b>",
                 i ? "\n" : "", i, i * i);
        if (!T(sq_span_take_prefix(&rest, line))) {
            break;
        }
    }
    T_INT(rest.len, 0);
}

T_CASE(truncated_dump_is_an_error) {
    T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    read_dump("car_question", &text);
    struct sq_span whole = sq_span_trim(bytes_of(&text));
    for (size_t len = 5; len < whole.len; len += 7) {
        struct sq_tree tree = { 0 };
        T_FAILS(sq_ui_xml_parse((struct sq_span){ whole.ptr, len }, &tree, NULL,
                                &t_err),
                SQ_ERR_TRUNCATED);
    }
}

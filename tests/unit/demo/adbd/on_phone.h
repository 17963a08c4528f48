/* A demo phone on which tests run scripts and tap elements by name. */
#ifndef SQ_TEST_ADBD_ON_PHONE_H
#define SQ_TEST_ADBD_ON_PHONE_H

#include "device/android/parse.h"
#include "device/ui_xml.h"
#include "support/demo_shell.h"
#include "support/test.h"

#define WIDTH 360
#define HEIGHT 640
#define FRAME_BYTES (16 + WIDTH * HEIGHT * 4)

static struct sq_adbd_phone *phone;

static inline void
start(void) {
    phone = t_phone_create();
}

static inline void
finish(void) {
    sq_adbd_phone_destroy(phone);
    t_phone_free_result();
}

static inline struct sq_span
output_of(const char *script) {
    const struct t_shell_run *run = t_phone_run(phone, script);
    return (struct sq_span){ (const char *)run->out.data, run->out.len };
}

static inline struct sq_span
errors_of(const char *script) {
    const struct t_shell_run *run = t_phone_run(phone, script);
    return (struct sq_span){ (const char *)run->errors.data, run->errors.len };
}

static inline void
launch(const char *name) {
    char script[120];
    snprintf(script, sizeof(script),
             "monkey -p com.squint.demo.%s -c "
             "android.intent.category.LAUNCHER 1",
             name);
    T_INT(sq_launch_read(output_of(script)), SQ_LAUNCH_STARTED);
}

/* The end of "com.squint.demo.login:id/username". */
static inline struct sq_span
last_part(struct sq_span id) {
    struct sq_span taken;
    while (sq_span_take_until(&id, '/', &taken)) {
    }
    return id;
}

/* The centre of the element with that text or id, as "X Y". */
static inline const char *
point_of(const char *text) {
    static char point[32];
    struct sq_tree tree = { 0 };
    point[0] = '\0';
    T_OK(sq_ui_xml_parse(output_of("uiautomator dump /dev/tty"), &tree, NULL,
                         &t_err));
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        bool match = sq_span_is(node->text, text)
                  || sq_span_is(node->desc, text)
                  || sq_span_is(last_part(node->resource_id), text);
        if (match && !point[0]) {
            snprintf(point, sizeof(point), "%d %d",
                     (node->bounds.left + node->bounds.right) / 2,
                     (node->bounds.top + node->bounds.bottom) / 2);
        }
    }
    sq_tree_finish(&tree);
    T(point[0] != '\0');
    return point;
}

static inline void
tap(const char *text) {
    char script[80];
    snprintf(script, sizeof(script), "input tap %s", point_of(text));
    T_INT(t_phone_status(phone, script), 0);
}

static inline bool
shows(const char *text) {
    struct sq_span dump = output_of("uiautomator dump /dev/tty");
    return strstr(dump.ptr, text) != NULL;
}

#endif

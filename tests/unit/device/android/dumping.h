/* Lists of elements of a scripted device. */
#ifndef SQ_TEST_DUMPING_H
#define SQ_TEST_DUMPING_H

#include "device/android/state.h"
#include "unit/device/android/scripted.h"

#define XML                                                                    \
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"                 \
    "<hierarchy rotation=\"0\"><node index=\"0\" text=\"Sign in\" "            \
    "resource-id=\"\" class=\"android.widget.Button\" "                        \
    "package=\"com.example\" content-desc=\"\" clickable=\"true\" "            \
    "enabled=\"true\" bounds=\"[0,0][8,4]\" /></hierarchy>"
#define DONE "UI hierchary dumped to: /data/local/tmp/x.xml\n"
#define IDLE "ERROR: could not get idle state.\n"
#define NO_ROOT "ERROR: null root node returned by UiTestAutomationBridge.\n"

static struct sq_tree tree;

static inline bool
list(struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    sq_tree_finish(&tree);
    tree = (struct sq_tree){ 0 };
    return sq_device_tree(phone, &tree, &deadline, err);
}

static inline struct sq_idle *
idle(void) {
    return &((struct sq_android *)phone)->idle;
}

/* The number of calls of uiautomator. */
static inline int
dumps(void) {
    int count = 0;
    for (int i = 0; i < server.log_count; i++) {
        count += strstr(server.log[i], "uiautomator dump") != NULL;
    }
    return count;
}

static inline void
end(void) {
    sq_tree_finish(&tree);
    tree = (struct sq_tree){ 0 };
    phone_end();
}

#endif

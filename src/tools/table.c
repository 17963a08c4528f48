#include "tools/table.h"

#include "tools/operations.h"

const struct sq_tool *const sq_tools[] = {
    &sq_tool_devices,
    &sq_tool_screenshot,
    &sq_tool_visual_snapshot,
    &sq_tool_dump,
    &sq_tool_find,
    &sq_tool_tap,
    &sq_tool_input,
    &sq_tool_scroll,
    &sq_tool_swipe,
    &sq_tool_key,
    &sq_tool_launch,
    &sq_tool_stop,
    &sq_tool_apps,
    &sq_tool_wait,
    &sq_tool_accessibility_check,
    NULL,
};

const struct sq_tool *
sq_tools_find(struct sq_span name) {
    for (size_t i = 0; sq_tools[i]; i++) {
        if (sq_span_is(name, sq_tools[i]->name)) {
            return sq_tools[i];
        }
    }
    return NULL;
}

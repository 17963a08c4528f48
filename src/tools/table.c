/* Lists all operations and tools. */
#include "tools/table.h"

#include "tools/operations.h"
#include "tools/synonyms.h"

const struct sq_tool *const sq_tools[] = {
    &sq_tool_devices,
    &sq_tool_screenshot,
    &sq_tool_visual_snapshot,
    &sq_tool_dump,
    &sq_tool_find,
    &sq_tool_visual_find_text,
    &sq_tool_ocr,
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
    &sq_tool_steps,
    &sq_tool_pinch,
    &sq_tool_open,
    &sq_tool_permission,
    &sq_tool_reset,
    &sq_tool_rotate,
    &sq_tool_appearance,
    &sq_tool_location,
    &sq_tool_clipboard,
    &sq_tool_notifications,
    &sq_tool_logs,
    &sq_tool_info,
    &sq_tool_wake,
    &sq_tool_video,
    &sq_tool_install,
    &sq_tool_uninstall,
    &sq_tool_visual_find_image,
    &sq_tool_remember,
    &sq_tool_forget,
    NULL,
};

const struct sq_tool *const sq_archive_tools[] = {
    &sq_tool_list_screenshots,
    &sq_tool_get_screenshot,
    &sq_tool_crop_screenshot,
    &sq_tool_save_screenshot,
    &sq_tool_contact_sheet,
    &sq_tool_search_screenshots,
    NULL,
};

const struct sq_tool *
sq_tools_at(size_t index) {
    for (size_t i = 0; sq_tools[i]; i++) {
        if (index-- == 0) {
            return sq_tools[i];
        }
    }
    for (size_t i = 0; sq_archive_tools[i]; i++) {
        if (index-- == 0) {
            return sq_archive_tools[i];
        }
    }
    return NULL;
}

const char *
sq_tool_verb(const struct sq_tool *tool) {
    return tool->verb ? tool->verb : tool->name;
}

unsigned
sq_tool_uses(const struct sq_tool *tool) {
    bool has_device = tool->flags & SQ_TOOL_NEEDS_DEVICE;
    return SQ_USE_CALLS | (has_device ? SQ_USE_DEVICES : 0) | tool->uses;
}

const struct sq_tool *
sq_tools_find(struct sq_span name) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_name_matches(name, tool->name)) {
            return tool;
        }
    }
    return NULL;
}

const struct sq_tool *
sq_tools_find_verb(struct sq_span verb) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_span_is(verb, sq_tool_verb(tool))) {
            return tool;
        }
    }
    return NULL;
}

bool
sq_tools_may_type(struct sq_span operation, struct sq_span argument) {
    static const char *const common[] = { "operation", "deviceId", "udid",
                                          "toolName" };
    for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
        if (sq_span_is(argument, common[i])) {
            return false;
        }
    }
    sq_span_take_prefix(&operation, "ui_");
    const struct sq_tool *tool = sq_tools_find(operation);
    return !tool || !sq_args_find(tool->args, argument)
        || (tool == &sq_tool_input && sq_span_is(argument, "text"));
}

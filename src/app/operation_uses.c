/* The table of what operations do, which decides the options that they take. */
#include "app/operation_uses.h"

#include "tools/operations.h"

/* Looks at the screen, and answers in pixels of a picture of it. */
#define LOOKS (SQ_USE_CAPTURES | SQ_USE_SIZES | SQ_USE_PICTURES)

/* Acts on the screen, and may show it afterwards. */
#define ACTS (LOOKS | SQ_USE_COSTS | SQ_USE_RECEIPTS | SQ_USE_ELEMENTS)

/* Finds an element, in the tree or in the pixels. */
#define FINDS (SQ_USE_ELEMENTS | SQ_USE_TEMPLATES)

/* Reads past screenshots. */
#define PAST (SQ_USE_PAST | SQ_USE_ACTIVITY | SQ_USE_PICTURES)

static const struct {
    const struct sq_tool *tool;
    unsigned uses; /* beside those of all operations and of its flags */
} rows[] = {
    { &sq_tool_devices, SQ_USE_DEVICES },
    { &sq_tool_screenshot, LOOKS | FINDS | SQ_USE_COSTS | SQ_USE_OUTPUT },
    { &sq_tool_visual_snapshot,
      LOOKS | SQ_USE_COSTS | SQ_USE_OUTPUT | SQ_USE_SNAPSHOT },
    { &sq_tool_dump, LOOKS | FINDS },
    { &sq_tool_find, LOOKS | FINDS | SQ_USE_COSTS | SQ_USE_OUTPUT
                         | SQ_USE_FALLBACK | SQ_USE_SNAPSHOT },
    { &sq_tool_visual_find_text, LOOKS },
    { &sq_tool_ocr, LOOKS },
    { &sq_tool_tap, ACTS | FINDS },
    { &sq_tool_input, ACTS | FINDS },
    { &sq_tool_scroll, ACTS | FINDS },
    { &sq_tool_swipe, ACTS | FINDS },
    { &sq_tool_key, ACTS },
    { &sq_tool_launch, ACTS },
    { &sq_tool_stop, ACTS },
    { &sq_tool_apps, 0 },
    { &sq_tool_wait, LOOKS | FINDS },
    { &sq_tool_accessibility_check, SQ_USE_SIZES | SQ_USE_ELEMENTS },
    { &sq_tool_steps, ACTS | FINDS | SQ_USE_FALLBACK | SQ_USE_SNAPSHOT
                          | SQ_USE_OUTPUT | SQ_USE_URLS | SQ_USE_INSTALLS },
    { &sq_tool_pinch, ACTS | FINDS },
    { &sq_tool_open, ACTS | SQ_USE_URLS },
    { &sq_tool_permission, ACTS },
    { &sq_tool_reset, ACTS },
    { &sq_tool_rotate, ACTS },
    { &sq_tool_appearance, ACTS },
    { &sq_tool_location, ACTS },
    { &sq_tool_clipboard, ACTS },
    { &sq_tool_notifications, ACTS },
    { &sq_tool_logs, 0 },
    { &sq_tool_info, 0 },
    { &sq_tool_wake, ACTS },
    { &sq_tool_video, ACTS | SQ_USE_OUTPUT },
    { &sq_tool_install, ACTS | SQ_USE_INSTALLS },
    { &sq_tool_uninstall, ACTS | SQ_USE_INSTALLS },
    { &sq_tool_visual_find_image, LOOKS | SQ_USE_TEMPLATES | SQ_USE_OUTPUT },
    { &sq_tool_remember, LOOKS | SQ_USE_TEMPLATES | SQ_USE_OUTPUT },
    { &sq_tool_forget, SQ_USE_TEMPLATES },
    { &sq_tool_list_screenshots, PAST },
    { &sq_tool_get_screenshot, PAST | SQ_USE_COSTS },
    { &sq_tool_crop_screenshot, PAST | SQ_USE_COSTS },
    { &sq_tool_save_screenshot, PAST | SQ_USE_SAVES },
    { &sq_tool_contact_sheet, PAST | SQ_USE_COSTS },
    { &sq_tool_search_screenshots, PAST },
};

unsigned
sq_operation_uses(const struct sq_tool *tool) {
    unsigned uses = SQ_USE_CALLS;
    if (tool->flags & SQ_TOOL_NEEDS_DEVICE) {
        uses |= SQ_USE_DEVICES;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].tool == tool) {
            return uses | rows[i].uses;
        }
    }
    return 0;
}

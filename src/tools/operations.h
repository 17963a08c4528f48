/*
 * Lists all operations: a new one is a file and a name here. Includes what
 * nearly all of them use.
 */
#ifndef SQ_TOOLS_OPERATIONS_H
#define SQ_TOOLS_OPERATIONS_H

#include "config/option.h"
#include "tool/people.h"
#include "tools/reply.h"

/* Describes screenshotId; not true for every client: sq_schema_for_stateless.
 */
#define SQ_LATEST_PICTURE "Default: the latest"

/* Looks at the screen, and answers in pixels of a picture of it. */
#define SQ_USES_LOOKS (SQ_USE_CAPTURES | SQ_USE_SIZES | SQ_USE_PICTURES)

/* Acts on the screen, and may show it afterwards. */
#define SQ_USES_ACTS                                                           \
    (SQ_USES_LOOKS | SQ_USE_COSTS | SQ_USE_RECEIPTS | SQ_USE_ELEMENTS)

/* Finds an element, in the tree or in the pixels. */
#define SQ_USES_FINDS (SQ_USE_ELEMENTS | SQ_USE_TEMPLATES)

/* Reads past screenshots. */
#define SQ_USES_PAST (SQ_USE_PAST | SQ_USE_ACTIVITY | SQ_USE_PICTURES)

/*
 * The operations of `ui`, in display order. Each is defined at the end of the
 * file operations/<name>.c, which the build finds by this list.
 */
#define SQ_OPERATIONS(X)                                                       \
    X(devices)                                                                 \
    X(screenshot)                                                              \
    X(visual_snapshot)                                                         \
    X(dump)                                                                    \
    X(find)                                                                    \
    X(visual_find_text)                                                        \
    X(ocr)                                                                     \
    X(tap)                                                                     \
    X(input)                                                                   \
    X(scroll)                                                                  \
    X(swipe)                                                                   \
    X(key)                                                                     \
    X(launch)                                                                  \
    X(stop)                                                                    \
    X(apps)                                                                    \
    X(wait)                                                                    \
    X(accessibility_check)                                                     \
    X(steps)                                                                   \
    X(pinch)                                                                   \
    X(open)                                                                    \
    X(permission)                                                              \
    X(reset)                                                                   \
    X(rotate)                                                                  \
    X(appearance)                                                              \
    X(location)                                                                \
    X(clipboard)                                                               \
    X(notifications)                                                           \
    X(logs)                                                                    \
    X(info)                                                                    \
    X(wake)                                                                    \
    X(video)                                                                   \
    X(install)                                                                 \
    X(uninstall)                                                               \
    X(visual_find_image)                                                       \
    X(remember)                                                                \
    X(forget)

/* The tools of their own, for archived screenshots. */
#define SQ_ARCHIVE_OPERATIONS(X)                                               \
    X(list_screenshots)                                                        \
    X(get_screenshot)                                                          \
    X(crop_screenshot)                                                         \
    X(save_screenshot)                                                         \
    X(contact_sheet)                                                           \
    X(search_screenshots)

#define SQ_DECLARE_OPERATION(name) extern const struct sq_tool sq_tool_##name;
SQ_OPERATIONS(SQ_DECLARE_OPERATION)
SQ_ARCHIVE_OPERATIONS(SQ_DECLARE_OPERATION)

/* Shows the steps before the one that failed, from the details of its error. */
struct sq_people;
bool sq_people_show_done_steps(struct sq_people *people, struct sq_err *err);

#endif

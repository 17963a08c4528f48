/*
 * visual-snapshot: returns the screen, its size and the foreground app (seed
 * 004).
 */
#include "tools/operations.h"
#include "tools/screen/fallback.h"

static bool
visual_snapshot_run(struct sq_call *call, const void *args,
                    struct sq_err *err) {
    (void)args;
    SQ_FREED(sq_fallback_finish) struct sq_fallback snapshot = { 0 };
    struct sq_reply reply;
    bool ok = sq_fallback_take(call, true, NULL, &snapshot, err)
           && sq_reply_start(call, &reply, err);
    if (ok) {
        sq_fallback_put(&snapshot, NULL, &reply.w);
        ok = sq_reply_end(call, &reply, err);
    }
    if (ok) {
        sq_fallback_commit(&snapshot);
    }
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *app = sq_json_get(people->reply, "app");
    struct sq_span package = sq_json_text_of(app, "packageName");
    struct sq_span activity = sq_json_text_of(app, "activityName");
    return sq_people_put_written(people, people->reply, err)
        && (package.len == 0
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              "In front: %.*s %.*s\n", SQ_SPAN_ARGS(package),
                              SQ_SPAN_ARGS(activity)))
        && sq_people_put_usage(people, people->reply, err);
}

const struct sq_tool sq_tool_visual_snapshot = {
    .name = "visual-snapshot",
    .title = "Look without elements",
    .text = "Picture, screen size and app.",
    .manual =
        "For apps whose elements are missing or misleading. Answers the "
        "picture, `screenshotPath` (the same as a PNG file, of which the "
        "newest 50 are kept; none with --read-only), `screen` in device "
        "pixels with `density`, `app` with `packageName` and `activityName`, "
        "and `image`, `scaleFactor` and `screenshotId` of the picture. @Tap "
        "with the picture's own coordinates. `locked: true` in `app` means "
        "that the lock screen is shown.\n\nWith `includeBase64: false` in the "
        "configuration, the answer contains only the path.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE | SQ_TOOL_ELEMENTS,
    .people = { .about = "Write a picture of the screen and name the app in "
                         "front, for "
                         "apps whose elements are not listed.",
                .examples = { "visual-snapshot -o screen.jpg" },
                .show = show },
    .uses = SQ_USES_LOOKS | SQ_USE_COSTS | SQ_USE_OUTPUT | SQ_USE_SNAPSHOT,
    .synonyms = "visual-snapshot",
    .run = visual_snapshot_run,
};

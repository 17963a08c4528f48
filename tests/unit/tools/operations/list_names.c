/* Shots with numbered names: the time is that of the file's last change. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"

#define TEN_OCLOCK 1768467600 /* 2026-01-15T09:00:00Z, 10:00 in the zone */

static void
put(const char *path, int64_t changed_utc) {
    const struct timespec times[2] = { { .tv_sec = changed_utc },
                                       { .tv_sec = changed_utc } };
    past_put_picture(path, 64, 40, 0);
    T_INT(utimensat(AT_FDCWD, t_scratch_path(path), times, 0), 0);
}

static bool
list(const char *arguments) {
    return past_run("list_screenshots", arguments);
}

T_FIXTURE(past_start_with_root, past_end);

T_CASE(numbered_names_are_listed_by_time_of_change) {
    put("a/Screenshot (12).png", TEN_OCLOCK);
    put("a/IMG_0042.PNG", TEN_OCLOCK + 60);
    put("a/2026-01-15_10-02-00.png", TEN_OCLOCK - 864000);
    put("a/holiday (3).png", TEN_OCLOCK);
    T_OK(list("{'startDate':'2026-01-15'}"));
    T_INT(past_shots(), 3);
    T_STR(past_text("screenshots.0.displayLocalTime"), "2026-01-15 10:00:00");
    T_STR(past_text("screenshots.0.timeSource"), "fileModified");
    T_STR(past_text("screenshots.1.displayLocalTime"), "2026-01-15 10:01:00");
    T_STR(past_text("screenshots.1.timeSource"), "fileModified");
    T(!past_has("screenshots.2.timeSource"));
    T_INT(past_number("diagnostics.unparsedNames"), 1);
    const char *ref = t_text("%s", past_text("screenshots.1.screenshotRef"));
    T_OK(past_run_on("get_screenshot", ref, ""));
    T_STR(past_text("timestamp"), "2026-01-15T10:01:00+01:00");
    T_STR(past_text("timeSource"), "fileModified");
    /* In another process, from the index; and only in a list of its day. */
    past_open();
    T_OK(past_run_on("crop_screenshot", ref,
                     ",'x':0,'y':0,'width':50,'height':50"));
    T_STR(past_text("timeSource"), "fileModified");
    T_OK(list("{'startDate':'2026-01-14'}"));
    T_INT(past_shots(), 0);
}

T_CASE(common_values_are_listed_once) {
    put("a/Screenshot (1).png", TEN_OCLOCK);
    put("a/Screenshot (2).png", TEN_OCLOCK + 90);
    T_OK(list("{'startDate':'2026-01-15'}"));
    T_INT(past_shots(), 2);
    T_STR(past_text("common.timeSource"), "fileModified");
    const char *said = strstr(world.json, "timeSource");
    T(said && !strstr(said + 1, "timeSource"));
}

/* Anything but a regular file has no usable time, and is never opened. */
T_CASE(links_with_such_names_are_not_followed) {
    put("outside.png", TEN_OCLOCK);
    put("a/Screenshot (1).png", TEN_OCLOCK);
    T_INT(symlink("../outside.png", t_scratch_path("a/Screenshot (2).png")), 0);
    T_INT(mkdir(t_scratch_path("a/Screenshot (3).png"), 0700), 0);
    T_OK(list("{'startDate':'2026-01-15'}"));
    T_INT(past_shots(), 1);
}

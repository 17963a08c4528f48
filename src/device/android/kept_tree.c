/* Remembers a list of elements while the screen shows the same. */
#include <stdio.h>
#include <string.h>

#include "device/android/state.h"
#include "sys/clock.h"

#define MAX_DOCUMENT ((size_t)1 << 20)
/* What has no pixels, such as a description, may change unseen. */
#define KEPT_NS ((int64_t)30 * 1000000000)

void
sq_kept_tree_init(struct sq_kept_tree *kept) {
    *kept = (struct sq_kept_tree){ 0 };
    sq_buf_init(&kept->document, MAX_DOCUMENT);
}

static void
forget(struct sq_kept_tree *kept) {
    sq_buf_clear(&kept->document);
    kept->frame = 0;
    kept->needs_late = false;
}

static bool
ask(struct sq_android *android, const struct sq_deadline *deadline) {
    const struct sq_eye_look look = sq_android_look(android, 0);
    return sq_eye_ask(&android->eye, &android->link, &look, deadline, NULL);
}

/* Returns the hash of the frame that was requested; 0: not known. */
static uint64_t
collect(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_eye_seen seen;
    bool is_known = sq_eye_collect(&android->eye, &seen, deadline)
                 && !seen.is_black; /* protected screens are all black */
    if (is_known) {
        sq_device_saw(&android->base, seen.hash);
    }
    return is_known ? seen.hash : 0;
}

void
sq_kept_tree_begin(struct sq_android *android,
                   const struct sq_deadline *deadline) {
    forget(&android->kept_tree);
    if (sq_android_can_look(android)) {
        ask(android, deadline);
    }
}

bool
sq_kept_tree_is_set(const struct sq_android *android) {
    const struct sq_kept_tree *kept = &android->kept_tree;
    return kept->document.len > 0 && kept->change == android->base.change
        && sq_clock_monotonic_ns() < kept->until_ns
        && sq_android_can_look(android);
}

void
sq_kept_tree_store(struct sq_android *android, struct sq_span document,
                   const struct sq_deadline *deadline) {
    struct sq_kept_tree *kept = &android->kept_tree;
    uint64_t frame = collect(android, deadline);
    if (frame == 0
        || !sq_buf_append(&kept->document, document.ptr, document.len, NULL)
        || !ask(android, deadline)) {
        forget(kept);
        return;
    }
    kept->frame = frame;
    kept->needs_late = true;
    kept->change = android->base.change;
    kept->until_ns = sq_clock_monotonic_ns() + KEPT_NS;
    kept->screen = android->display_cache.screen;
}

/* Returns whether a list is remembered that was made for one frame. */
static bool
is_usable(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_kept_tree *kept = &android->kept_tree;
    if (!sq_kept_tree_is_set(android)
        || (kept->needs_late && collect(android, deadline) != kept->frame)) {
        return false;
    }
    kept->needs_late = false;
    return true;
}

/* Looks at the screen, and queries the display state at the same time. */
static bool
shows_the_same(struct sq_android *android, const struct sq_deadline *deadline) {
    const struct sq_kept_tree *kept = &android->kept_tree;
    const struct sq_screen *now = &android->display_cache.screen;
    struct sq_display_query display;
    sq_android_start_display(android, true, &display, deadline);
    bool ok = ask(android, deadline);
    sq_android_collect_display(android, &display, deadline);
    sq_android_abandon_display(&display);
    return ok && collect(android, deadline) == kept->frame
        && android->display_cache.at_ns != 0
        && now->rotation == kept->screen.rotation
        && strcmp(now->app, kept->screen.app) == 0;
}

bool
sq_kept_tree_find(struct sq_android *android, struct sq_span *document,
                  const struct sq_deadline *deadline) {
    if (!is_usable(android, deadline) || !shows_the_same(android, deadline)) {
        forget(&android->kept_tree);
        return false;
    }
    *document = sq_buf_span(&android->kept_tree.document);
    return true;
}

#define COMMAND_SIZE 400

void
sq_android_file_path(const struct sq_android *android, unsigned number,
                     char out[SQ_ANDROID_PATH_SIZE]) {
    snprintf(out, SQ_ANDROID_PATH_SIZE, "%s/squint-%.12s-%u.xml",
             android->files_on_sdcard ? "/sdcard" : "/data/local/tmp",
             android->file_name, number);
}

/* Reads the file, if there is one, and removes it in any case. */
static bool
pull_and_remove(struct sq_android *android, const char *path,
                struct sq_adb_output *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    char command[COMMAND_SIZE];
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output unused = { 0 };
    struct sq_err local_err = { 0 };
    bool ok = sq_adb_pull(&android->link, path, out, deadline, &local_err);
    if (!ok && local_err.code != SQ_ERR_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    snprintf(command, sizeof(command), "rm %s 2>/dev/null", path);
    return sq_android_run(android, command, &unused, deadline, err);
}

bool
sq_android_run_to_file(struct sq_android *android, const char *command,
                       struct sq_adb_output *output,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    char path[SQ_ANDROID_PATH_SIZE];
    char whole[COMMAND_SIZE];
    sq_android_file_path(android, 0, path);
    /* Remove an old file, which would be taken for this command's output. */
    snprintf(whole, sizeof(whole), "rm %s 2>/dev/null;%s %s", path, command,
             path);
    if (!sq_adb_run(&android->link, sq_span_of(whole), output, deadline, err)) {
        return false;
    }
    struct sq_buf messages = output->out;
    sq_buf_finish(&output->errors);
    output->errors = messages;
    sq_buf_init(&output->out, messages.max);
    output->expected_max = 0; /* was measured for the messages */
    return pull_and_remove(android, path, output, deadline, err);
}

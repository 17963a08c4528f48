/* Reads the elements of the screen with uiautomator. */
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"
#include "device/ui_xml.h"
#include "device/android/state.h"
#include "sys/clock.h"
#include "util/limits.h"

#define NS_PER_MS 1000000
/* How long a screen that keeps changing is remembered. */
#define REMEMBER_NS ((int64_t)20000 * NS_PER_MS)
/* Time reserved for a capture if the dump takes too long. */
#define RESERVE_MS 3000
#define CHEAP_NS ((int64_t)150 * NS_PER_MS)
#define COMMAND_SIZE 640
/* Memory per byte: the document, its repaired copy and the tree. */
#define PARSE_WEIGHT 3
#define DIRECT_COMMAND "uiautomator dump /dev/tty"

/* What has no pixels, such as a description, may change unseen. */
#define KEPT_NS ((int64_t)30 * 1000000000)

static void
forget(struct sq_kept_tree *kept) {
    sq_buf_clear(&kept->document);
    kept->frame = 0;
    kept->needs_late = false;
}

static bool
ask(struct sq_android *android, const struct sq_deadline *deadline) {
    const struct sq_eye_look look = sq_android_look(android, 0);
    return sq_eye_ask(&android->eye, &look, deadline, NULL);
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

/* Called before uiautomator is started. Forgets the list. */
static void
begin_list(struct sq_android *android, const struct sq_deadline *deadline) {
    forget(&android->kept_tree);
    if (sq_android_can_look(android)) {
        ask(android, deadline);
    }
}

/* Returns whether a list is remembered and nothing was done since. */
static bool
has_list(const struct sq_android *android) {
    const struct sq_kept_tree *kept = &android->kept_tree;
    return kept->document.len > 0 && kept->change == android->base.change
        && sq_clock_monotonic_ns() < kept->until_ns
        && sq_android_can_look(android);
}

/*
 * Called after it has ended, with its list, which is that of the cached display
 * state. Does not wait for the frame that is then looked at.
 */
static void
keep_list(struct sq_android *android, struct sq_span document,
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

/*
 * Finds the list if nothing was done and nothing has changed since. Looks at
 * the screen, and queries the display state at the same time, as a new list
 * would.
 */
static bool
find_list(struct sq_android *android, struct sq_span *document,
          const struct sq_deadline *deadline) {
    struct sq_kept_tree *kept = &android->kept_tree;
    const struct sq_screen *now = &android->display_cache.screen;
    struct sq_display_query display;
    bool ok = has_list(android)
           && (!kept->needs_late || collect(android, deadline) == kept->frame);
    kept->needs_late = false;
    if (ok) {
        sq_android_start_display(android, true, &display, deadline);
        ok = ask(android, deadline);
        sq_android_collect_display(android, &display, deadline);
        sq_android_abandon_display(&display);
    }
    ok = ok && collect(android, deadline) == kept->frame
      && android->display_cache.at_ns != 0
      && now->rotation == kept->screen.rotation
      && strcmp(now->app, kept->screen.app) == 0;
    if (!ok) {
        forget(kept);
    }
    *document = sq_buf_span(&kept->document);
    return ok;
}

/* A dump in progress. */
struct job {
    struct sq_android *android;
    struct sq_adb_output output;
    struct sq_span messages;    /* of uiautomator; points into output */
    struct sq_span document;    /* the same; empty: there is none */
    struct sq_ui_xml_info info; /* of the document */
};

/*
 * Dumps to a file, prints it and removes it. Uses a new file name each time, so
 * that the file of a failed dump is not read by mistake.
 */
static void
make_file_command(struct job *job, char out[COMMAND_SIZE]) {
    struct sq_android *android = job->android;
    bool has_stderr = android->link.shell == SQ_ADB_SHELL_V2;
    char path[SQ_ANDROID_PATH_SIZE];
    char cleanup[SQ_ANDROID_PATH_SIZE + 16] = "";
    if (android->dump_left) {
        sq_android_file_path(android, android->dump_count, path);
        snprintf(cleanup, sizeof(cleanup), "rm -f %s;", path);
    }
    sq_android_file_path(android, ++android->dump_count, path);
    snprintf(out, COMMAND_SIZE,
             "%suiautomator dump %s%s;cat %s 2>/dev/null;rm -f %s", cleanup,
             path, has_stderr ? " >&2" : "", path, path);
}

/*
 * Separates the document, which starts at the beginning of a line, from the
 * messages before and after it. If those on stdout do not report success, the
 * messages are those of stderr, if there are any.
 */
static void
split_output(struct job *job) {
    struct sq_span out = sq_buf_span(&job->output.out);
    struct sq_span document = out;
    struct sq_span line;
    while (!sq_span_starts_with(document, "<")
           && sq_span_take_line(&document, &line)) {
    }
    size_t before_len = out.len - document.len;
    while (document.len > 0 && document.ptr[document.len - 1] != '>') {
        document.len--;
    }
    size_t after_at = before_len + document.len;
    struct sq_span before = { out.ptr, before_len };
    struct sq_span after = { out.ptr + after_at, out.len - after_at };
    job->document = document;
    job->messages = sq_dump_read(after, NULL) == SQ_DUMP_DONE ? after : before;
    if (sq_dump_read(job->messages, NULL) != SQ_DUMP_DONE
        && job->output.errors.len > 0) {
        job->messages = sq_buf_span(&job->output.errors);
    }
}

void
sq_android_start_tree(struct sq_device *device,
                      const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    sq_android_abandon_tree(device);
    if (android->dump_way == SQ_ANDROID_DUMP_DIRECTLY
        && !sq_idle_is_set(&android->idle) && !has_list(android)) {
        begin_list(android, deadline);
        android->early_dump_ns = sq_clock_monotonic_ns();
        sq_adb_start(&android->link, SQ_SPAN(DIRECT_COMMAND),
                     &android->early_dump, deadline, NULL);
    }
}

void
sq_android_abandon_tree(struct sq_device *device) {
    sq_adb_abandon(&((struct sq_android *)device)->early_dump);
}

/* Reads the document directly, if one was not started, or from a file. */
static bool
dump(struct job *job, const struct sq_deadline *deadline,
     enum sq_dump_outcome *outcome, struct sq_err *err) {
    struct sq_android *android = job->android;
    struct sq_adb_output *output = &job->output;
    bool is_direct = android->dump_way == SQ_ANDROID_DUMP_DIRECTLY;
    char command[COMMAND_SIZE] = DIRECT_COMMAND;
    bool ok;
    sq_buf_clear(&output->out);
    sq_buf_clear(&output->errors);
    if (android->dump_way == SQ_ANDROID_DUMP_TO_FILE) {
        ok = sq_android_run_to_file(android, "uiautomator dump", output,
                                    deadline, err);
        job->messages = sq_buf_span(&output->errors);
        job->document = sq_buf_span(&output->out);
    } else if (is_direct && android->early_dump.is_open) {
        ok = sq_adb_collect(&android->link, &android->early_dump, output,
                            deadline, err);
        split_output(job);
    } else {
        if (!is_direct) {
            make_file_command(job, command);
            android->dump_left = true;
        }
        ok = sq_adb_run(&android->link, sq_span_of(command), output, deadline,
                        err);
        android->dump_left = android->dump_left && (is_direct || !ok);
        split_output(job);
    }
    if (ok) {
        *outcome = sq_dump_read(job->messages, NULL);
    }
    return ok;
}

/*
 * Returns whether the failure is often temporary or another directory may help.
 */
static bool
should_retry(const struct job *job, enum sq_dump_outcome outcome,
             int *retries_left) {
    struct sq_android *android = job->android;
    /* Whether uiautomator cannot write to standard output here. */
    if (android->dump_way == SQ_ANDROID_DUMP_DIRECTLY
        && (outcome == SQ_DUMP_NO_FILE
            || (outcome == SQ_DUMP_DONE && job->document.len == 0))) {
        android->dump_way = SQ_ANDROID_DUMP_IN_ONE_EXCHANGE;
        return true;
    }
    if (outcome == SQ_DUMP_NO_FILE) {
        android->files_on_sdcard = !android->files_on_sdcard;
    }
    return outcome != SQ_DUMP_DONE && outcome != SQ_DUMP_NOT_IDLE
        && outcome != SQ_DUMP_NO_TOOL && (*retries_left)-- > 0;
}

static bool
fail_idle(const struct sq_idle *idle, struct sq_err *err) {
    sq_fail_with(err, &idle->dump_err);
    return sq_fail_hint(
        err, "Take a screenshot, or stop the animation or video first. "
             "Elements are read again after any action, in another app, when "
             "the picture has changed, or after 20 seconds.");
}

/* Remembers that the screen keeps changing, and in which app. Fails. */
static bool
fail_not_idle(struct job *job, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct sq_android *android = job->android;
    struct sq_idle *idle = &android->idle;
    struct sq_app app;
    *idle = (struct sq_idle){ 0 };
    sq_dump_fail(SQ_DUMP_NOT_IDLE, job->messages, &idle->dump_err);
    if (sq_android_current_app(&android->base, &app, deadline, NULL)) {
        idle->app = app;
    }
    idle->until_ns = sq_clock_monotonic_ns() + REMEMBER_NS;
    return fail_idle(idle, err);
}

/* Forgets such a screen if another app is in the foreground now. */
static bool
keeps_changing(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_idle *idle = &android->idle;
    struct sq_app app;
    if (sq_idle_is_set(idle)
        && sq_android_current_app(&android->base, &app, deadline, NULL)
        && idle->app.package[0]
        && (strcmp(idle->app.package, app.package) != 0
            || strcmp(idle->app.activity, app.activity) != 0)) {
        sq_idle_forget(idle);
    }
    return sq_idle_is_set(idle);
}

static bool
read_document(struct job *job, struct sq_tree *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_ui_xml_parse(job->document, out, &job->info, &local_err)) {
        return true;
    }
    bool is_invalid =
        local_err.code == SQ_ERR_FORMAT || local_err.code == SQ_ERR_TRUNCATED;
    if (local_err.code == SQ_ERR_FORMAT && job->document.len == 0) {
        sq_fail(&local_err, SQ_ERR_FORMAT,
                "uiautomator sent %zu bytes without a list of elements",
                job->output.out.len);
    } else if (is_invalid) {
        sq_fail_in(&local_err, "the device sent an invalid list of elements");
    }
    if (is_invalid) {
        sq_fail_hint(&local_err, "Try again, or take a screenshot.");
    } else if (local_err.code == SQ_ERR_LIMIT) {
        sq_fail_hint(&local_err, "Take a screenshot: this screen has too many "
                                 "elements to list.");
    }
    return sq_fail_with(err, &local_err);
}

static bool
fetch_tree(struct job *job, struct sq_tree *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    /* Returns two thirds of the time, or all but the time for a capture. */
    int left_ms = sq_deadline_left_ms(deadline);
    int reserve_ms = left_ms / 3 < RESERVE_MS ? left_ms / 3 : RESERVE_MS;
    const int limit_ms = left_ms - reserve_ms;
    const struct sq_deadline limit = sq_deadline_within(deadline, limit_ms);
    enum sq_dump_outcome outcome;
    struct sq_err local_err = { 0 };
    int64_t start = job->android->early_dump.is_open
                      ? job->android->early_dump_ns
                      : sq_clock_monotonic_ns();
    int retries_left = 1;
    bool ok = dump(job, &limit, &outcome, &local_err);
    while (ok && should_retry(job, outcome, &retries_left)) {
        ok = dump(job, &limit, &outcome, &local_err);
    }
    if (!ok) {
        if (local_err.code == SQ_ERR_TIMEOUT && !sq_deadline_check(&limit, NULL)
            && sq_deadline_check(deadline, NULL)) {
            sq_fail(err, SQ_ERR_TIMEOUT,
                    "device %s: uiautomator did not list the elements within "
                    "%d.%d s",
                    job->android->link.serial, limit_ms / 1000,
                    limit_ms % 1000 / 100);
            return sq_fail_hint(err, "Take a screenshot, or try again. If this "
                                     "device is always slow, raise "
                                     "limits.timeoutMs.");
        }
        return sq_fail_with(err, &local_err);
    }
    if (outcome == SQ_DUMP_NOT_IDLE) {
        return fail_not_idle(job, deadline, err);
    }
    if (outcome != SQ_DUMP_DONE) {
        return sq_dump_fail(outcome, job->messages, err);
    }
    sq_estimate_add(&job->android->dump, sq_clock_monotonic_ns() - start);
    job->android->ops.elements_are_cheap = job->android->dump.ns <= CHEAP_NS;
    job->android->ops.tree_ms =
        (int)((job->android->dump.ns + NS_PER_MS - 1) / NS_PER_MS);
    return read_document(job, out, err);
}

/*
 * Returns whether the display state can be that of the elements: it was queried
 * while uiautomator waited for the screen, which may have changed since.
 */
static bool
is_same_screen(const struct job *job, const struct sq_tree *tree) {
    const struct sq_screen *screen = &job->android->display_cache.screen;
    bool has_app = !screen->app[0] || !tree->root;
    for (const struct sq_node *node = tree->root; node && !has_app;
         node = node->next) {
        has_app = sq_span_is(node->package, screen->app);
    }
    return has_app
        && (job->info.rotation < 0 || job->info.rotation == screen->rotation);
}

/*
 * Marks the focused field as a password field if its input type says so. An app
 * that shows its password ("eye") reports an ordinary field.
 */
static void
mark_password(struct sq_android *android, struct sq_tree *tree) {
    if (android->display_cache.password_focus != SQ_PASSWORD_FOCUSED) {
        return;
    }
    const unsigned focused_field = SQ_NODE_FOCUSED | SQ_NODE_EDITABLE;
    for (struct sq_node *node = tree->root; node; node = sq_node_next(node)) {
        if ((node->flags & focused_field) == focused_field) {
            node->flags |= SQ_NODE_PASSWORD;
        }
    }
}

/* Reads the remembered list if the screen still shows the same. */
static bool
recall_tree(struct job *job, struct sq_tree *out,
            const struct sq_deadline *deadline) {
    struct sq_android *android = job->android;
    if (android->early_dump.is_open
        || !find_list(android, &job->document, deadline)
        || !read_document(job, out, NULL)) {
        return false;
    }
    mark_password(android, out);
    return true;
}

/* Runs uiautomator, and queries the display state at the same time. */
static bool
list_tree(struct job *job, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = job->android;
    struct sq_display_query display;
    sq_android_start_display(android, true, &display, deadline);
    if (!android->early_dump.is_open) {
        begin_list(android, deadline);
    }
    bool ok = fetch_tree(job, out, deadline, err);
    if (ok) {
        sq_android_collect_display(android, &display, deadline);
        mark_password(android, out);
        if (is_same_screen(job, out)) {
            keep_list(android, job->document, deadline);
        } else {
            android->display_cache.at_ns = 0; /* query it again */
        }
    }
    sq_android_abandon_display(&display);
    return ok;
}

bool
sq_android_tree(struct sq_device *device, struct sq_tree *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct job job = { .android = android };
    if (keeps_changing(android, deadline)) {
        return fail_idle(&android->idle, err);
    }
    if (recall_tree(&job, out, deadline)) {
        return true;
    }
    sq_adb_output_init(&job.output, SQ_MAX_UI_XML_BYTES);
    job.output.weight = PARSE_WEIGHT;
    bool ok = list_tree(&job, out, deadline, err);
    sq_adb_output_finish(&job.output);
    return ok;
}

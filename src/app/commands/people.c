/* The table of how replies are shown, and what all of them share. */
#include "app/commands/people.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/commands/people_private.h"
#include "app/people_words.h"
#include "app/print_message.h"
#include "tools/offer.h"

/* One row per operation. */
static const struct sq_people_view views[] = {
    { .operation = "devices",
      .show = sq_show_devices,
      .examples = { "devices" } },
    { .operation = "apps",
      .show = sq_show_apps,
      .is_done = sq_has_apps,
      .examples = { "apps" } },
    { .operation = "dump",
      .show = sq_show_dump,
      .is_done = sq_has_elements,
      .examples = { "dump" } },
    { .operation = "find",
      .about = "List the elements whose label is TEXT, with their "
               "coordinates; if there is none, write a picture of the screen.",
      .show = sq_show_find,
      .is_done = sq_has_matches,
      .examples = { "find Login", "find --text-contains Log" } },
    { .operation = "wait",
      .about = "Wait until TEXT is on the screen; without TEXT, until the "
               "screen is at rest.",
      .show = sq_show_wait,
      .is_done = sq_has_waited,
      .counts_ms = true,
      .examples = { "wait Welcome" } },
    { .operation = "screenshot",
      .about = "Write a picture of the screen. squint tap X Y then counts in "
               "its pixels.",
      .show = sq_show_screenshot,
      .examples = { "screenshot", "screenshot login.jpg",
                    "screenshot --region 0,0,450,200 top.png" } },
    { .operation = "visual-snapshot",
      .about = "Write a picture of the screen and name the app in front, for "
               "apps whose elements are not listed.",
      .show = sq_show_visual_snapshot,
      .examples = { "visual-snapshot -o screen.jpg" } },
    { .operation = "accessibility-check",
      .about = "Say whether the elements describe the screen well enough to "
               "be used instead of pictures.",
      .show = sq_show_accessibility_check,
      .examples = { "accessibility-check" } },
    { .operation = "ocr",
      .about = "Print the text in the pixels of the screen.",
      .show = sq_show_ocr,
      .is_done = sq_has_text,
      .prints_data = true,
      .examples = { "read" } },
    { .operation = "visual-find-text",
      .about = "Find a text in the pixels of the screen.",
      .show = sq_show_visual_find_text,
      .is_done = sq_has_matches,
      .examples = { "visual-find-text Start" } },
    { .operation = "visual-find-image",
      .about = "Find a picture on the screen that squint remember has kept.",
      .show = sq_show_visual_find_image,
      .is_done = sq_has_matches,
      .examples = { "visual-find-image cart" } },
    { .operation = "remember",
      .about = "Keep a part of the screen under a name, so that squint find "
               "and squint visual-find-image can find it. Without a name, list "
               "what is kept.",
      .show = sq_show_remember,
      .examples = { "remember cart --region 390,45,40,40", "remember" } },
    { .operation = "forget",
      .about = "Remove a picture that squint remember has kept.",
      .show = sq_show_forget,
      .examples = { "forget cart" } },
    { .operation = "tap",
      .show = sq_show_tap,
      .examples = { "tap 200 500", "tap Login",
                    "tap 200 500 --duration-ms 800" } },
    { .operation = "input",
      .show = sq_show_input,
      .examples = { "input Ada", "input Ada --resource-id username" } },
    { .operation = "scroll",
      .about = "Scroll the screen, or a list that --selector.text names.",
      .show = sq_show_scroll,
      .examples = { "scroll down", "scroll down 0.8" } },
    { .operation = "swipe",
      .about = "Move a finger from one point to another, in the pixels of the "
               "latest picture.",
      .show = sq_show_swipe,
      .examples = { "swipe 400 500 50 500" } },
    { .operation = "pinch",
      .show = sq_show_pinch,
      .examples = { "pinch 200 500 --scale 2",
                    "pinch Map --degrees 90 --scale 0.5" } },
    { .operation = "key", .show = sq_show_key, .examples = { "key back" } },
    { .operation = "launch",
      .show = sq_show_launch,
      .examples = { "launch Shop" } },
    { .operation = "stop", .show = sq_show_stop, .examples = { "stop Shop" } },
    { .operation = "steps",
      .about = "Run several operations in order, given as JSON.",
      .show = sq_show_steps,
      .examples = { "steps '[{\"operation\":\"wake\"}]'" } },
    { .operation = "open",
      .show = sq_show_open,
      .examples = { "open https://example.com/" } },
    { .operation = "permission",
      .show = sq_show_permission,
      .examples = { "permission Shop camera grant" } },
    { .operation = "reset",
      .show = sq_show_reset,
      .examples = { "reset Shop --confirm" } },
    { .operation = "rotate",
      .show = sq_show_rotate,
      .examples = { "rotate landscape" } },
    { .operation = "appearance",
      .show = sq_show_appearance,
      .examples = { "appearance --dark on" } },
    { .operation = "location",
      .show = sq_show_location,
      .examples = { "location 52.52 13.405" } },
    { .operation = "clipboard",
      .about = "Print the clipboard of the device, or set it to TEXT.",
      .show = sq_show_clipboard,
      .prints_data = true,
      .examples = { "clipboard" } },
    { .operation = "notifications",
      .show = sq_show_notifications,
      .examples = { "notifications" } },
    { .operation = "logs", .show = sq_show_logs, .examples = { "logs Shop" } },
    { .operation = "info", .show = sq_show_info, .examples = { "info" } },
    { .operation = "wake", .show = sq_show_wake, .examples = { "wake" } },
    { .operation = "video",
      .show = sq_show_video,
      .examples = { "video start" } },
    { .operation = "install",
      .show = sq_show_install,
      .examples = { "install-app app.apk" } },
    { .operation = "uninstall",
      .show = sq_show_uninstall,
      .examples = { "uninstall-app com.example.app" } },
    { .operation = "list_screenshots",
      .about = "List past screenshots of a day or a period.",
      .show = sq_show_list,
      .is_done = sq_has_screenshots,
      .examples = { "list yesterday", "list -7d now" } },
    { .operation = "get_screenshot",
      .about = "Write one past screenshot to a file.",
      .show = sq_show_get,
      .examples = { "get REF" } },
    { .operation = "crop_screenshot",
      .about = "Write a part of a past screenshot in full detail; X Y WIDTH "
               "HEIGHT are percent of it.",
      .show = sq_show_get,
      .examples = { "crop REF 0 0 50 50" } },
    { .operation = "save_screenshot",
      .show = sq_show_save,
      .examples = { "save REF bill.png" } },
    { .operation = "search_screenshots",
      .show = sq_show_hits,
      .is_done = sq_has_hits,
      .examples = { "search invoice", "search 'invoice ACME' last month" } },
    { .operation = "contact_sheet",
      .show = sq_show_sheet,
      .is_done = sq_has_screenshots,
      .examples = { "sheet today" } },
};

/* Members that any reply may have, with a sentence for the reader. */
static const char *const remarks[] = {
    "warning", "note",         "nearestToWarning", "elementsNote",
    "appNote", "comparedNote", "activityCoverage",
};

const struct sq_people_view *
sq_people_view_of(const char *operation) {
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        if (strcmp(views[i].operation, operation) == 0) {
            return &views[i];
        }
    }
    return NULL;
}

bool
sq_people_about(const struct sq_tool *tool, struct sq_buf *out,
                struct sq_err *err) {
    const struct sq_people_view *view = sq_people_view_of(tool->name);
    return view && view->about
             ? sq_buf_printf(out, err, "%s", view->about)
             : sq_offer_append((struct sq_offer){ 0 }, tool->text, out, err);
}

bool
sq_people_put_remarks(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof(remarks) / sizeof(remarks[0]); i++) {
        ok = sq_people_put_remark(
            people, sq_json_text_of(people->reply, remarks[i]), err);
    }
    return ok;
}

static bool
put_remarks(struct sq_people *people, struct sq_err *err) {
    return sq_people_put_remarks(people, err)
        && (sq_json_text_of(people->reply, "deviceNote").len == 0
            || sq_people_put_remark(people,
                                    SQ_SPAN("No other device is attached: this "
                                            "is the demo phone."),
                                    err));
}

/* Prints the remarks where they do not mix with data for another program. */
static bool
report_remarks(const struct sq_people *people, struct sq_err *err) {
    struct sq_people aside = *people;
    struct sq_buf out;
    sq_buf_init(&out, (size_t)64 << 10);
    aside.page = (struct sq_page){ .out = &out };
    bool ok = put_remarks(&aside, err);
    if (ok) {
        sq_print_lines(sq_buf_span(&out));
    }
    sq_buf_finish(&out);
    return ok;
}

bool
sq_people_show(const struct sq_people_view *view, struct sq_people *people,
               struct sq_err *err) {
    return view->show(people, err)
        && (view->prints_data ? report_remarks(people, err)
                              : put_remarks(people, err));
}

int
sq_reply_int(const struct sq_json *reply, const char *object,
             const char *member) {
    return sq_json_int_of(sq_json_get(reply, object), member);
}

bool
sq_reply_is_true(const struct sq_json *reply, const char *member) {
    bool value = false;
    return sq_json_bool(sq_json_get(reply, member), &value) && value;
}

const char *
sq_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

bool
sq_people_put_device(struct sq_people *people, struct sq_err *err) {
    struct sq_span id = sq_json_text_of(people->reply, "deviceId");
    return id.len == 0
        || sq_page_printf(&people->page, SQ_INK_PLAIN, err, " on %.*s",
                          SQ_SPAN_ARGS(id));
}

bool
sq_people_put_remark(struct sq_people *people, struct sq_span text,
                     struct sq_err *err) {
    struct sq_buf words;
    if (text.len == 0) {
        return true;
    }
    sq_buf_init(&words, (size_t)64 << 10);
    bool ok = sq_people_words(text, &words, err)
           && sq_page_put_wrapped(&people->page, SQ_INK_FAINT, 0, 0,
                                  sq_buf_span(&words), err);
    sq_buf_finish(&words);
    return ok;
}

void
sq_bytes_text(int64_t bytes, char out[SQ_BYTES_TEXT_SIZE]) {
    if (bytes < 1000) {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 " bytes", bytes);
    } else if (bytes < 1000000) {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 " KB",
                 (bytes + 500) / 1000);
    } else {
        snprintf(out, SQ_BYTES_TEXT_SIZE, "%" PRId64 ".%" PRId64 " MB",
                 bytes / 1000000, bytes / 100000 % 10);
    }
}

/* Says how many parts of the picture are hidden. */
static bool
put_hidden(struct sq_people *people, const struct sq_json *info,
           struct sq_err *err) {
    int hidden = sq_json_int_of(info, "redacted");
    return hidden == 0
        || sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                          "%d part%s of the picture %s hidden\n", hidden,
                          hidden == 1 ? "" : "s", hidden == 1 ? "is" : "are");
}

bool
sq_people_put_written(struct sq_people *people, const struct sq_json *info,
                      struct sq_err *err) {
    struct sq_page *page = &people->page;
    const struct sq_size seen = { sq_reply_int(info, "image", "width"),
                                  sq_reply_int(info, "image", "height") };
    struct sq_size size = people->size.width > 0 ? people->size : seen;
    int64_t bytes = people->bytes > 0 ? (int64_t)people->bytes
                                      : sq_json_int_of(info, "sizeBytes");
    /* The reply counts the tokens of the picture for the model. */
    bool is_seen = size.width == seen.width && size.height == seen.height;
    int tokens = is_seen ? sq_json_int_of(info, "tokens") : 0;
    char weight[SQ_BYTES_TEXT_SIZE];
    if (!people->file) {
        return put_hidden(people, info, err);
    }
    sq_bytes_text(bytes, weight);
    return sq_page_printf(page, SQ_INK_PLAIN, err, "Wrote ")
        && sq_page_printf(page, SQ_INK_STRONG, err, "%s", people->file)
        && (size.width == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ": %dx%d pixels",
                              size.width, size.height))
        && (bytes == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ", %s", weight))
        && (tokens == 0
            || sq_page_printf(page, SQ_INK_PLAIN, err, ", %d token%s", tokens,
                              sq_plural(tokens)))
        && sq_page_printf(page, SQ_INK_PLAIN, err, "\n")
        && put_hidden(people, info, err);
}

/* If the next command does not know the picture, it needs an option. */
static bool
contains_option(struct sq_span usage) {
    for (; usage.len > 0; usage.ptr++, usage.len--) {
        if (sq_span_starts_with(usage, "--")) {
            return true;
        }
    }
    return false;
}

bool
sq_people_put_usage(struct sq_people *people, const struct sq_json *info,
                    struct sq_err *err) {
    bool is_region = sq_json_get(info, "region") != NULL;
    struct sq_span id = sq_json_text_of(info, "screenshotId");
    struct sq_span usage = sq_json_text_of(info, "usage");
    if (id.len == 0 || sq_json_get(info, "displayId")) {
        return true;
    }
    if (contains_option(usage)) {
        return sq_people_put_remark(people, usage, err);
    }
    return is_region
             ? sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "To tap in this part of the screen, add "
                              "--screenshot-id %.*s.\n",
                              SQ_SPAN_ARGS(id))
             : sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "squint tap X Y now counts in the pixels of this "
                              "picture (%.*s).\n",
                              SQ_SPAN_ARGS(id));
}

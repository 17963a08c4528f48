/* Notes what pages write to their console, failed requests, and downloads. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/folder.h"

#define MAX_TEXT 400
#define MAX_URL 150
#define MAX_WRITTEN ((size_t)64 << 10)

/* Appends a line to the log; the oldest ones are dropped. */
static void
add_line(struct sq_browser *browser, struct sq_span level, struct sq_span text,
         struct sq_span url) {
    struct sq_browser_log *log = &browser->log;
    char line[MAX_TEXT + 2 * MAX_URL];
    struct sq_span place = { url.ptr, 0 };
    while (place.len < url.len && !strchr("?#", url.ptr[place.len])) {
        place.len++;
    }
    text = sq_utf8_shorten(text, MAX_TEXT);
    place = sq_utf8_shorten(place, MAX_URL);
    level.len = level.len < 20 ? level.len : 20;
    int len =
        snprintf(line, sizeof(line), "%.*s: %.*s%s%.*s%s", SQ_SPAN_ARGS(level),
                 SQ_SPAN_ARGS(text), place.len ? " (" : "", SQ_SPAN_ARGS(place),
                 place.len ? ")" : "");
    for (int i = 0; i < len; i++) {
        line[i] = line[i] == '\n' || line[i] == '\r' ? ' ' : line[i];
    }
    line[len] = '\n';
    if (log->len + (size_t)len + 1 > sizeof(log->text)) {
        const char *half =
            memchr(log->text + log->len / 2, '\n', log->len - log->len / 2);
        size_t drop = half ? (size_t)(half + 1 - log->text) : log->len;
        memmove(log->text, log->text + drop, log->len - drop);
        log->len -= drop;
    }
    memcpy(log->text + log->len, line, (size_t)len + 1);
    log->len += (size_t)len + 1;
}

/* Returns the words that describe a value of a script. */
static struct sq_span
word_of(const struct sq_json *value) {
    static const char *const keys[] = { "value", "description", "type" };
    struct sq_span word = { 0 };
    for (size_t i = 0; word.len == 0 && i < SQ_COUNT(keys); i++) {
        word = sq_json_text_of(value, keys[i]);
    }
    return sq_utf8_shorten(word, MAX_TEXT);
}

/* Appends the first members of an object, or items of an array. */
static void
append_preview(struct sq_buf *text, const struct sq_json *preview) {
    bool is_array = sq_span_is(sq_json_text_of(preview, "subtype"), "array");
    const char *before = is_array ? " [" : " {";
    for (const struct sq_json *item =
             sq_json_first(sq_json_get(preview, "properties"));
         item; item = sq_json_next(item)) {
        struct sq_span name = sq_json_text_of(item, "name");
        name.len = is_array ? 0 : name.len;
        sq_buf_printf(text, NULL, "%s%.*s%s%.*s", before, SQ_SPAN_ARGS(name),
                      is_array ? "" : ": ", SQ_SPAN_ARGS(word_of(item)));
        before = ", ";
    }
    sq_buf_printf(text, NULL, "%s%s", before[0] == ',' ? "" : before,
                  is_array ? "]" : "}");
}

/* Notes a call of console.log and its like, with all that it writes. */
static void
note_console(struct sq_browser *browser, const struct sq_json *params) {
    SQ_BUF(text, MAX_WRITTEN);
    for (const struct sq_json *item =
             sq_json_first(sq_json_get(params, "args"));
         item && text.len < MAX_TEXT; item = sq_json_next(item)) {
        const struct sq_json *preview = sq_json_get(item, "preview");
        struct sq_span kind = sq_json_text_of(preview, "subtype");
        if (preview && (kind.len == 0 || sq_span_is(kind, "array"))) {
            append_preview(&text, preview);
        } else {
            sq_buf_printf(&text, NULL, "%s%.*s", text.len ? " " : "",
                          SQ_SPAN_ARGS(word_of(item)));
        }
    }
    const struct sq_json *frame = sq_json_first(
        sq_json_get(sq_json_get(params, "stackTrace"), "callFrames"));
    add_line(browser, sq_json_text_of(params, "type"), sq_buf_span(&text),
             sq_json_text_of(frame, "url"));
}

static void
note_exception(struct sq_browser *browser, const struct sq_json *params) {
    const struct sq_json *details = sq_json_get(params, "exceptionDetails");
    struct sq_span text =
        sq_json_text_of(sq_json_get(details, "exception"), "description");
    struct sq_span first;
    if (text.len == 0 || !sq_span_take_line(&text, &first)) {
        first = sq_json_text_of(details, "text");
    }
    add_line(browser, SQ_SPAN("error"), first, sq_json_text_of(details, "url"));
}

static void
note_download(struct sq_browser *browser, const struct sq_json *params) {
    SQ_COPY_TEXT(browser->file, sq_json_text_of(params, "suggestedFilename"));
    snprintf(browser->download, sizeof(browser->download),
             browser->may_download
                 ? "A download has begun: \"%s\"."
                 : "A download was refused: \"%s\". The option "
                   "browser.downloads allows them.",
             browser->file);
}

static void
note_progress(struct sq_browser *browser, const struct sq_json *params) {
    struct sq_span state = sq_json_text_of(params, "state");
    struct sq_span path = sq_json_text_of(params, "filePath");
    double bytes = 0;
    sq_json_double(sq_json_get(params, "receivedBytes"), &bytes);
    path = sq_utf8_shorten(path, SQ_DEVICE_NOTICE_SIZE / 2);
    if (!browser->may_download) {
        return;
    }
    if (sq_span_is(state, "completed")) {
        snprintf(browser->download, sizeof(browser->download),
                 "Downloaded: \"%s\", %.0f bytes, to %.*s", browser->file,
                 bytes, SQ_SPAN_ARGS(path));
    } else if (sq_span_is(state, "canceled")) {
        snprintf(browser->download, sizeof(browser->download),
                 "A download was not completed: \"%s\".", browser->file);
    }
}

void
sq_browser_note(struct sq_browser *browser,
                const struct sq_cdp_message *event) {
    const struct sq_json *params = event->params;
    if (sq_span_is(event->method, "Runtime.consoleAPICalled")) {
        note_console(browser, params);
    } else if (sq_span_is(event->method, "Runtime.exceptionThrown")) {
        note_exception(browser, params);
    } else if (sq_span_is(event->method, "Log.entryAdded")) {
        const struct sq_json *entry = sq_json_get(params, "entry");
        add_line(browser, sq_json_text_of(entry, "level"),
                 sq_json_text_of(entry, "text"), sq_json_text_of(entry, "url"));
    } else if (sq_span_is(event->method, "Browser.downloadWillBegin")) {
        note_download(browser, params);
    } else if (sq_span_is(event->method, "Browser.downloadProgress")) {
        note_progress(browser, params);
    }
}

bool
sq_browser_set_downloads(struct sq_browser *browser, const char *folder,
                         const struct sq_deadline *deadline,
                         struct sq_err *err) {
    char path[SQ_PATH_SIZE] = "";
    bool exists;
    int fd;
    if (folder) {
        if (!sq_folder_open(folder, &fd, err)
            || !sq_path_resolve(folder, path, &exists, err)) {
            return false;
        }
        sq_folder_close(fd);
    }
    browser->may_download = folder != NULL;
    return sq_cdp_call(
        &browser->cdp,
        SQ_CDP_TEXT_COMMAND(
            "", "Browser.setDownloadBehavior",
            folder ? SQ_SPAN("{\"behavior\":\"allow\",\"eventsEnabled\":true}")
                   : SQ_SPAN("{\"behavior\":\"deny\",\"eventsEnabled\":true}"),
            folder ? "downloadPath" : NULL, sq_span_of(path)),
        NULL, deadline, err);
}

void
sq_browser_tell_download(struct sq_browser *browser) {
    char *out = browser->base.notice;
    size_t used = strlen(out);
    if (browser->download[0] && used + 2 < SQ_DEVICE_NOTICE_SIZE) {
        const struct sq_span fits = sq_utf8_shorten(
            sq_span_of(browser->download), SQ_DEVICE_NOTICE_SIZE - used - 2);
        snprintf(out + used, SQ_DEVICE_NOTICE_SIZE - used, "%s%.*s",
                 used ? " " : "", SQ_SPAN_ARGS(fits));
    }
    browser->download[0] = '\0';
}

bool
sq_browser_read_logs(struct sq_device *device,
                     const struct sq_reading_request *request,
                     struct sq_reading *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_browser_log *log = &browser->log;
    if (request->package) {
        return sq_fail_argument(err, "a browser has no apps",
                                "Leave $packageName out.");
    }
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    size_t start = log->len;
    for (int lines = 0; start > 0; start--) {
        lines += log->text[start - 1] == '\n';
        if (lines > request->number) {
            break;
        }
    }
    out->text = (struct sq_span){ log->text + start, log->len - start };
    out->has_text = out->text.len > 0;
    return sq_arena_keep(&out->arena, &out->text, err);
}

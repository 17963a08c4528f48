/*
 * Finds, starts and ends a browser, and shows its screen, and its tabs as what
 * other devices call apps.
 */
#include "device/browser/browser.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "util/base64.h"
#include "util/mem.h"
#include "util/utf8.h"

/* Of a page that was not read yet. */
#define USUAL_TREE_MS 50

#define NAME "web browser"
#define END_MS 3000
#define CAPTURE_TRIES 3
#define ONLY_DISPLAY "0"

/*
 * Identifies the running browser; changes when one has ended, so that the next
 * call starts another one.
 */
static atomic_uint_fast64_t connection = 1;

bool
sq_browser_list(const struct sq_devices_options *options,
                struct sq_device_list *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    struct sq_err local_err = { 0 };
    char path[SQ_PATH_SIZE];
    struct sq_device_info info = {
        .kind = "browser",
        .id = SQ_BROWSER_ID,
        .name = NAME,
        .state = SQ_DEVICE_ONLINE,
        .connection = atomic_load(&connection),
    };
    (void)deadline;
    if (!options->browser.enabled) {
        return true;
    }
    if (sq_call_user() == 0 && !options->browser.attach) {
        snprintf(info.name, sizeof(info.name),
                 NAME ", as root without its sandbox");
    }
    if (options->browser.attach) {
        snprintf(info.name, sizeof(info.name), NAME ", attached at %.100s",
                 options->browser.attach);
    } else if (!sq_browser_find_program(options->browser.path, path,
                                        &local_err)) {
        info.state = SQ_DEVICE_UNUSABLE;
        info.is_stopped = true; /* so that it does not hide other devices */
        snprintf(info.why, sizeof(info.why), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
                 local_err.message);
        snprintf(info.hint, sizeof(info.hint), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
                 local_err.hint);
    }
    return sq_device_list_add(out, &info, err);
}

static void
browser_destroy(struct sq_device *device) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    int64_t id;
    if (browser->is_kept) {
        sq_browser_give_back(browser, &limit);
    } else if (browser->cdp.channel && browser->is_attached) {
        sq_browser_detach(browser, &limit);
    } else if (browser->cdp.channel
               /* If it ends by itself, it removes what it has in other places.
                */
               && sq_cdp_send(
                   &browser->cdp,
                   SQ_CDP_COMMAND("", "Browser.close", SQ_SPAN("{}")), &id,
                   &limit, NULL)) {
        sq_channel_await_end(browser->cdp.channel, &limit);
    }
    sq_cdp_finish(&browser->cdp);
    sq_temp_remove(&browser->profile);
    sq_buf_finish(&browser->dialog.typed);
    sq_buf_finish(&browser->dragged);
    sq_buf_finish(&browser->listed.json);
    sq_font_destroy(browser->font);
    for (int i = 0; i < SQ_PAGE_FRAMES; i++) {
        sq_mem_free(browser->page_frames[i].parts);
    }
    sq_mem_free(browser);
}

/* Waits for the first tab. */
static bool
await_tab(struct sq_browser *browser, const struct sq_deadline *deadline,
          struct sq_err *err) {
    bool ok = true;
    browser->is_starting = true;
    while (ok && browser->tab_count == 0) {
        ok = sq_deadline_check(deadline, err)
          && sq_cdp_pump(&browser->cdp, SQ_BROWSER_START_MS, deadline, err);
    }
    ok = ok && sq_browser_refresh(browser, deadline, err);
    browser->is_starting = false;
    return ok;
}

/* Wants to know all tabs. */
static bool
prepare(struct sq_browser *browser, const struct sq_browser_config *config,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_cdp *cdp = &browser->cdp;
    return sq_browser_set_downloads(browser, config->downloads, deadline, err)
        && sq_cdp_call(
               cdp,
               SQ_CDP_COMMAND("", "Target.setAutoAttach",
                              SQ_SPAN("{\"autoAttach\":true,\"flatten\":true,"
                                      "\"waitForDebuggerOnStart\":false,"
                                      "\"filter\":[{\"type\":\"page\"}]}")),
               NULL, deadline, err)
        && await_tab(browser, deadline, err);
}

static bool
open_in(struct sq_browser *browser, const struct sq_devices_options *options,
        const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, SQ_BROWSER_START_MS);
    const struct sq_browser_config *config = &options->browser;
    bool ok = sq_browser_read_size(browser, config, err)
           && sq_origin_check_rules(&browser->allow, err);
    if (options->keeps_browser) {
        browser->is_kept = true;
        browser->may_download = config->downloads;
        return ok && sq_browser_borrow(browser, config, &limit, err)
            && sq_browser_refresh(browser, deadline, err);
    }
    if (config->attach) {
        return ok && sq_browser_attach(browser, config->attach, &limit, err)
            && await_tab(browser, &limit, err);
    }
    return ok && sq_browser_start(browser, config, err)
        && (prepare(browser, config, &limit, err)
            || sq_browser_explain_start(browser, config->visible, err));
}

void
sq_browser_describe(const struct sq_browser *browser, struct sq_screen *out) {
    *out =
        (struct sq_screen){ .size = browser->size, .density = browser->ratio };
    if (browser->ratio > 1 && !browser->dialog.is_open) {
        out->pixels.width = (int)(browser->size.width * browser->ratio + 0.5);
        out->pixels.height = (int)(browser->size.height * browser->ratio + 0.5);
    }
    if (browser->current < 0) {
        return;
    }
    const struct sq_tab *tab = &browser->tabs[browser->current];
    struct sq_span origin = sq_browser_origin(tab->url);
    origin = sq_utf8_shorten(origin, SQ_DEVICE_TEXT_SIZE - 60);
    if (browser->dialog.is_open) {
        snprintf(out->app, sizeof(out->app), "%.*s#%d, dialog %d",
                 SQ_SPAN_ARGS(origin), tab->document, browser->dialog.number);
    } else {
        snprintf(out->app, sizeof(out->app), "%.*s#%d", SQ_SPAN_ARGS(origin),
                 tab->document);
    }
}

static bool
browser_screen(struct sq_device *device, struct sq_screen *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!sq_browser_refresh(browser, deadline, err)
        || (!browser->dialog.is_open
            && !sq_browser_sync(browser, deadline, err))) {
        return false;
    }
    sq_browser_describe(browser, out);
    return true;
}

/* Captures once. *document is the number of what it shows. */
static bool
capture_once(struct sq_browser *browser, struct sq_buf *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    struct sq_err local_err = { 0 };
    if (!browser->dialog.is_open
        && SQ_BROWSER_ASK(browser, NULL, &result, deadline, &local_err,
                          "Page.captureScreenshot",
                          "{\"format\":\"png\",\"optimizeForSpeed\":true}")) {
        return sq_base64_decode(sq_json_text_of(result, "data"), out, err);
    }
    return browser->dialog.is_open ? sq_dialog_paint(browser, out, err)
                                   : sq_fail_with(err, &local_err);
}

/* A picture belongs to one document: not to one that was left meanwhile. */
static bool
browser_capture(struct sq_device *device,
                const struct sq_capture_request *request,
                struct sq_capture *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (request->display && strcmp(request->display, ONLY_DISPLAY) != 0) {
        return sq_fail_display(err, request->display, ONLY_DISPLAY);
    }
    for (int i = 0; i < CAPTURE_TRIES; i++) {
        struct sq_screen before;
        sq_buf_clear(&out->bytes);
        if (!sq_browser_refresh(browser, deadline, err)) {
            return false;
        }
        sq_browser_describe(browser, &before);
        if (!capture_once(browser, &out->bytes, deadline, err)
            || !sq_cdp_pump(&browser->cdp, 0, deadline, err)) {
            sq_buf_clear(&out->bytes);
            return false;
        }
        sq_browser_describe(browser, &out->screen);
        if (strcmp(before.app, out->screen.app) == 0) {
            return true;
        }
    }
    sq_buf_clear(&out->bytes);
    sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
            "the page was replaced during each of %d captures", CAPTURE_TRIES);
    return sq_fail_hint(err, "Try again, or open another URL.");
}

/* Reads the elements, and notes how long that takes on these pages. */
static bool
browser_tree(struct sq_device *device, struct sq_tree *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const int64_t start = sq_clock_monotonic_ns();
    bool ok = sq_browser_tree(browser, false, out, deadline, err);
    int ms = 1 + (int)((sq_clock_monotonic_ns() - start) / 1000000);
    /*
     * A receipt lists a page that is watched anyway, so its words cost little
     * more. One list that a busy machine has delayed says nothing about a page.
     */
    browser->ops.tree_ms = browser->is_watched        ? USUAL_TREE_MS
                         : ms < browser->last_tree_ms ? ms
                                                      : browser->last_tree_ms;
    browser->last_tree_ms = ms;
    return ok;
}

static bool
whole_tree(struct sq_device *device, struct sq_tree *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_browser_tree(sq_browser_of(device), true, out, deadline, err);
}

static void
browser_begin(struct sq_device *device, int answer_ms) {
    sq_browser_of(device)->began_ns = sq_clock_monotonic_ns();
    sq_browser_of(device)->has_no_call = answer_ms == SQ_NO_CALL;
}

static bool
current_app(struct sq_device *device, struct sq_app *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    const struct sq_tab *tab = sq_browser_tab(browser);
    struct sq_app app = { .package = "about:blank" };
    if (tab) {
        struct sq_span origin = sq_browser_origin(tab->url);
        struct sq_span path = { tab->url + origin.len,
                                strcspn(tab->url + origin.len, "?#") };
        SQ_COPY_TEXT(app.package, origin);
        SQ_COPY_TEXT(app.activity, path);
    }
    *out = app;
    return true;
}

/* Adds a tab to the list: its name, title and address. */
static bool
list_tab(struct sq_browser *browser, const struct sq_tab *tab,
         const struct sq_json *targets, struct sq_app_list *list,
         struct sq_err *err) {
    char name[24];
    char label[SQ_DEVICE_TEXT_SIZE * 2];
    struct sq_span title = { 0 };
    for (const struct sq_json *item = sq_json_first(targets); item;
         item = sq_json_next(item)) {
        if (sq_span_is(sq_json_text_of(item, "targetId"), tab->target)) {
            title = sq_json_text_of(item, "title");
        }
    }
    struct sq_span url = { tab->url, strcspn(tab->url, "?#") };
    title = sq_utf8_shorten(title, SQ_DEVICE_TEXT_SIZE - 20);
    url = sq_utf8_shorten(url, SQ_DEVICE_TEXT_SIZE - 20);
    snprintf(name, sizeof(name), SQ_TAB_PREFIX "%d", tab->number);
    snprintf(label, sizeof(label), "%.*s %.*s%s", SQ_SPAN_ARGS(title),
             SQ_SPAN_ARGS(url),
             tab == sq_browser_tab(browser) ? " (shown)" : "");
    return sq_app_list_add(list, sq_span_of(name), sq_span_of(label), err);
}

static bool
list_tabs(struct sq_device *device, struct sq_app_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_json *result;
    bool ok = sq_browser_refresh(browser, deadline, err)
           && SQ_BROWSER_ASK(browser, "", &result, deadline, err,
                             "Target.getTargets", "{}");
    for (int i = 0; ok && i < browser->tab_count; i++) {
        ok = list_tab(browser, &browser->tabs[i],
                      sq_json_get(result, "targetInfos"), out, err);
    }
    if (!ok) {
        sq_app_list_finish(out);
    }
    return ok;
}

/* Makes the tab of that name the current one. */
static bool
choose(struct sq_browser *browser, const char *package,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_span name = sq_span_of(package);
    int64_t number = 0;
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    bool is_tab = sq_span_take_prefix(&name, SQ_TAB_PREFIX)
               && sq_span_to_int64(name, &number);
    for (int i = 0; is_tab && i < browser->tab_count; i++) {
        if (browser->tabs[i].number == number) {
            browser->current = i;
            return true;
        }
    }
    sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no tab \"%.100s\"", package);
    return sq_fail_hint(err, "The operation @apps lists the tabs; the name "
                             "tab.new opens another one.");
}

static bool
launch(struct sq_device *device, const char *package,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    browser->base.notice[0] = '\0';
    if (strcmp(package, SQ_TAB_PREFIX "new") == 0) {
        return sq_browser_refresh(browser, deadline, err)
            && sq_browser_new_tab(browser, deadline, err);
    }
    return choose(browser, package, deadline, err)
        && (SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err,
                           "Page.bringToFront", "{}")
            || browser->dialog.is_open);
}

static bool
stop(struct sq_device *device, const char *package,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    int shown = browser->current;
    browser->base.notice[0] = '\0';
    if (!choose(browser, package, deadline, err)) {
        return false;
    }
    int closed = browser->current;
    bool ok =
        browser->tab_count > 1 || sq_browser_new_tab(browser, deadline, err);
    browser->current = closed;
    ok = ok && sq_browser_close_tab(browser, deadline, err);
    if (closed != shown && shown >= 0 && shown <= browser->tab_count) {
        browser->current = shown > closed ? shown - 1 : shown;
    }
    return ok;
}

static const struct sq_device_ops ops = {
    .kind = "browser",
    .begin = browser_begin,
    .screen = browser_screen,
    .capture = browser_capture,
    .dialog = sq_dialog_asked,
    .keep_frame = sq_browser_keep_frame,
    .watch_frames = sq_browser_watch_frames,
    .compare_frames = sq_browser_compare_frames,
    .tree = browser_tree,
    .whole_tree = whole_tree,
    .reveal = sq_browser_reveal,
    .current_app = current_app,
    .tap = sq_browser_tap,
    .swipe = sq_browser_swipe,
    .text = sq_browser_text,
    .key = sq_browser_key,
    .launch = launch,
    .stop = stop,
    .apps = list_tabs,
    .destroy = browser_destroy,
    .hand = &sq_browser_hand,
    .apps_are_tabs = true,
    .has_mouse = true,
    .elements_are_cheap = true,
    .capture_is_cheap = true,
    .tree_ms = USUAL_TREE_MS,
};

bool
sq_browser_open(const struct sq_devices_options *options,
                const struct sq_device_info *info, struct sq_device **out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const any[] = { "*" };
    const struct sq_strings all = { any, 1 };
    struct sq_browser *browser = sq_mem_zalloc(1, sizeof(*browser));
    if (!browser) {
        return sq_fail_nomem(err);
    }
    browser->ops = ops;
    browser->base.ops = &browser->ops;
    browser->base.info = *info;
    browser->allow =
        options->browser.allow.count > 0 ? options->browser.allow : all;
    browser->upload = options->browser.upload;
    browser->current = -1;
    browser->next_node = 1;
    browser->zoom = 1;
    browser->last_tree_ms = USUAL_TREE_MS;
    browser->keeper = -1;
    browser->lock = -1;
    browser->cdp.on_event = sq_browser_event;
    browser->cdp.is_blocked = sq_browser_is_blocked;
    browser->cdp.context = browser;
    sq_buf_init(&browser->dialog.typed, SQ_DIALOG_TEXT_SIZE);
    sq_buf_init(&browser->dragged, SQ_MAX_DRAGGED);
    sq_buf_init(&browser->listed.json, SQ_MAX_KEPT_LIST);
    if (!open_in(browser, options, deadline, err)) {
        browser_destroy(&browser->base);
        return false;
    }
    *out = &browser->base;
    return true;
}

void
sq_browser_lost(struct sq_browser *browser) {
    uint_fast64_t own = browser->base.info.connection;
    browser->is_lost = true;
    sq_channel_end(browser->cdp.channel); /* it would lock its profile */
    if (browser->has_no_call) {
        return;
    }
    if (browser->is_kept) {
        const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
        sq_browser_give_back(browser, &limit);
    }
    atomic_compare_exchange_strong(&connection, &own, own + 1);
}

bool
sq_browser_history(struct sq_browser *browser, int step,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    if (!SQ_BROWSER_ASK(browser, NULL, &result, deadline, err,
                        "Page.getNavigationHistory", "{}")) {
        return false;
    }
    int at = sq_json_int_of(result, "currentIndex") + step;
    const struct sq_json *entry = sq_json_first(sq_json_get(result, "entries"));
    for (int i = 0; entry && i < at; i++) {
        entry = sq_json_next(entry);
    }
    if (at < 0 && browser->tab_count > 1) {
        return sq_browser_close_tab(browser, deadline, err);
    }
    if (at < 0 || !entry) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "there is no page to go %s to",
                       step < 0 ? "back" : "forward");
    }
    return SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err,
                          "Page.navigateToHistoryEntry", "{\"entryId\":%d}",
                          sq_json_int_of(entry, "id"));
}

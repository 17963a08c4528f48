/* The tabs of a browser as what other devices call apps, and their history. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"

#define APP_LIST_BYTES ((size_t)256 << 10)

bool
sq_browser_current_app(struct sq_device *device, struct sq_app *out,
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
    struct sq_app_entry entry = { sq_span_of(name), sq_span_of(label) };
    bool ok = sq_arena_keep(&list->arena, &entry.package, err)
           && sq_arena_keep(&list->arena, &entry.label, err);
    if (ok) {
        list->entries[list->count++] = entry;
    }
    return ok;
}

bool
sq_browser_apps(struct sq_device *device, struct sq_app_list *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_app_list list = { 0 };
    const struct sq_json *result;
    sq_arena_init(&list.arena, APP_LIST_BYTES);
    list.entries =
        sq_arena_alloc(&list.arena, SQ_MAX_TABS, sizeof(*list.entries), err);
    bool ok = list.entries && sq_browser_refresh(browser, deadline, err)
           && SQ_BROWSER_ASK(browser, "", &result, deadline, err,
                             "Target.getTargets", "{}");
    for (int i = 0; ok && i < browser->tab_count; i++) {
        ok = list_tab(browser, &browser->tabs[i],
                      sq_json_get(result, "targetInfos"), &list, err);
    }
    if (ok) {
        *out = list;
    } else {
        sq_app_list_finish(&list);
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

bool
sq_browser_launch(struct sq_device *device, const char *package,
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

bool
sq_browser_stop(struct sq_device *device, const char *package,
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

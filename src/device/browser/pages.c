/* Follows the tabs of a browser by its events, and changes between them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "sys/clock.h"

#define LOAD_MS 10000  /* for a page that was opened to be complete */
#define SETTLE_MS 5000 /* for one that an action opened */
#define PUMP_MS 50
#define PARAMS_SIZE 1200
#define FRESH_MS 25
#define NS_PER_MS 1000000
#define WAKE_MS 2000 /* for a page that did not answer in time, to do so */
#define ASK_FOR_FILES "Page.setInterceptFileChooserDialog"
#define ATTACH_FRAMES                                                          \
    "{\"autoAttach\":true,\"flatten\":true,\"waitForDebuggerOnStart\":false,"  \
    "\"filter\":[{\"type\":\"iframe\"}]}"

static struct sq_tab *
tab_of(struct sq_browser *browser, struct sq_span session) {
    for (int i = 0; i < browser->tab_count; i++) {
        if (sq_span_is(session, browser->tabs[i].session)) {
            return &browser->tabs[i];
        }
    }
    return NULL;
}

/* Sends a command to a session, without waiting for its answer. */
static void
tell(struct sq_browser *browser, struct sq_span session, const char *method,
     struct sq_span params) {
    const struct sq_deadline limit = sq_deadline_in(SQ_BROWSER_BEGIN_MS, NULL);
    bool asks_page = browser->cdp.asks_page;
    char name[SQ_CDP_ID_SIZE];
    int64_t id;
    SQ_COPY_TEXT(name, session);
    sq_cdp_send(&browser->cdp, SQ_CDP_COMMAND(name, method, params), &id,
                &limit, NULL);
    browser->cdp.asks_page = asks_page;
}

static void
add_frame(struct sq_browser *browser, const struct sq_cdp_message *event) {
    if (browser->frame_count == SQ_MAX_FRAMES) {
        return;
    }
    struct sq_browser_frame *frame = &browser->frames[browser->frame_count++];
    SQ_COPY_TEXT(frame->parent, event->session);
    SQ_COPY_TEXT(frame->session, sq_json_text_of(event->params, "sessionId"));
    SQ_COPY_TEXT(
        frame->target,
        sq_json_text_of(sq_json_get(event->params, "targetInfo"), "targetId"));
    tell(browser, sq_span_of(frame->session), "Page.enable", SQ_SPAN("{}"));
    tell(browser, sq_span_of(frame->session), ASK_FOR_FILES,
         SQ_SPAN("{\"enabled\":true}"));
    tell(browser, sq_span_of(frame->session), "Target.setAutoAttach",
         sq_span_of(ATTACH_FRAMES));
}

/* A new tab is shown, as in a browser with a window. */
static void
attached(struct sq_browser *browser, const struct sq_cdp_message *event) {
    /* A popup waits for this, and so does the script that opens it, whatever
     * waitForDebuggerOnStart says. */
    tell(browser, sq_json_text_of(event->params, "sessionId"),
         "Runtime.runIfWaitingForDebugger", SQ_SPAN("{}"));
    const struct sq_json *info = sq_json_get(event->params, "targetInfo");
    struct sq_span type = sq_json_text_of(info, "type");
    if (sq_span_is(type, "iframe")) {
        add_frame(browser, event);
        return;
    }
    if (!sq_span_is(type, "page") || browser->tab_count == SQ_MAX_TABS) {
        return;
    }
    struct sq_tab *tab = &browser->tabs[browser->tab_count];
    browser->current = browser->tab_count++;
    *tab = (struct sq_tab){ .number = ++browser->last_tab,
                            .document = ++browser->last_document };
    SQ_COPY_TEXT(tab->target, sq_json_text_of(info, "targetId"));
    SQ_COPY_TEXT(tab->url, sq_json_text_of(info, "url"));
    SQ_COPY_TEXT(tab->session, sq_json_text_of(event->params, "sessionId"));
}

static void
detached(struct sq_browser *browser, const struct sq_cdp_message *event) {
    struct sq_span session = sq_json_text_of(event->params, "sessionId");
    struct sq_tab *tab = tab_of(browser, session);
    if (sq_span_is(session, browser->dialog.session)) {
        browser->dialog.is_open = false;
    }
    for (int i = 0; i < browser->frame_count; i++) {
        if (sq_span_is(session, browser->frames[i].session)) {
            browser->frames[i] = browser->frames[--browser->frame_count];
        }
    }
    if (tab) {
        int index = (int)(tab - browser->tabs);
        browser->tab_count--;
        memmove(tab, tab + 1,
                (size_t)(browser->tab_count - index) * sizeof(*tab));
        browser->current -= browser->current >= index
                         && (browser->current > 0 || browser->tab_count == 0);
    }
}

static void
navigated(struct sq_browser *browser, struct sq_tab *tab,
          const struct sq_cdp_message *event) {
    const struct sq_json *frame = sq_json_get(event->params, "frame");
    if (tab && !sq_json_get(frame, "parentId")) {
        tab->document = ++browser->last_document;
        tab->world = 0;
        browser->dialog.is_open &= browser->dialog.upload.node == 0;
        tab->is_crashed = false;
        SQ_COPY_TEXT(tab->url, sq_json_text_of(frame, "url"));
    }
}

static bool
is_of_main_frame(const struct sq_tab *tab, const struct sq_cdp_message *event) {
    return tab
        && sq_span_is(sq_json_text_of(event->params, "frameId"), tab->target);
}

/* Notes whether the main frame is loading. */
static void
loads(struct sq_tab *tab, const struct sq_cdp_message *event, bool is_loading) {
    if (is_of_main_frame(tab, event)) {
        tab->is_loading = is_loading;
    }
}

/* A script of the page, or a link to a part of it, has changed its address. */
static void
moved(struct sq_tab *tab, const struct sq_cdp_message *event) {
    if (is_of_main_frame(tab, event)) {
        SQ_COPY_TEXT(tab->url, sq_json_text_of(event->params, "url"));
    }
}

/* Notes what the page lets be dragged. */
static void
note_dragged(struct sq_browser *browser, const struct sq_cdp_message *event) {
    struct sq_json_writer w;
    sq_buf_clear(&browser->dragged);
    sq_json_writer_init(&w, &browser->dragged);
    sq_json_put_value(&w, sq_json_get(event->params, "data"));
    if (!sq_json_writer_done(&w, NULL)) {
        sq_buf_clear(&browser->dragged);
    }
}

static bool
is_either(struct sq_span method, const char *one, const char *other) {
    return sq_span_is(method, one) || sq_span_is(method, other);
}

void
sq_browser_event(void *context, const struct sq_cdp_message *event) {
    struct sq_browser *browser = context;
    struct sq_span method = event->method;
    struct sq_tab *tab = tab_of(browser, event->session);
    if (sq_span_is(method, "Target.attachedToTarget")) {
        attached(browser, event);
    } else if (sq_span_is(method, "Target.targetCreated")) {
        sq_browser_attach_popup(browser, event);
    } else if (sq_span_is(method, "Target.detachedFromTarget")) {
        detached(browser, event);
    } else if (sq_span_is(method, "Page.frameNavigated")) {
        navigated(browser, tab, event);
    } else if (sq_span_is(method, "Page.navigatedWithinDocument")) {
        moved(tab, event);
    } else if (is_either(method, "Page.frameStartedLoading",
                         "Page.frameRequestedNavigation")) {
        loads(tab, event, true);
    } else if (is_either(method, "Page.frameStoppedLoading",
                         "Page.frameClearedScheduledNavigation")) {
        loads(tab, event, false);
    } else if (is_either(method, "Page.javascriptDialogOpening",
                         "Page.fileChooserOpened")) {
        sq_dialog_open(browser, event);
        browser->current = tab ? (int)(tab - browser->tabs) : browser->current;
    } else if (sq_span_is(method, "Page.javascriptDialogClosed")) {
        browser->dialog.is_open = false;
    } else if (sq_span_is(method, "Input.dragIntercepted")) {
        note_dragged(browser, event);
    } else if (sq_span_is(method, "Inspector.targetCrashed") && tab) {
        tab->is_crashed = true;
    } else {
        sq_browser_note(browser, event);
    }
}

bool
sq_browser_is_blocked(void *context, struct sq_err *err) {
    struct sq_browser *browser = context;
    const struct sq_tab *tab = sq_browser_tab(browser);
    if (browser->dialog.is_open) {
        sq_fail_quoting(err, SQ_ERR_UNSUPPORTED,
                        "the page shows a dialog: %.200s",
                        browser->dialog.text);
        sq_fail_hint(err,
                     "Answer it: @tap a button of it, or press the key "
                     "enter or escape. If there is no end to them, close "
                     "the tab: @stop " SQ_TAB_PREFIX "%d.",
                     tab ? tab->number : 0);
        return true;
    }
    if (tab && tab->is_crashed) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "the page has crashed");
        sq_fail_hint(err, "Open a URL.");
        return true;
    }
    return false;
}

/* Notes an error after which this browser cannot be used. */
static bool
check_lost(struct sq_browser *browser, bool ok, const struct sq_err *local_err,
           struct sq_err *err) {
    enum sq_err_code code = local_err->code;
    if (ok) {
        return true;
    }
    sq_fail_with(err, local_err);
    if (code == SQ_ERR_DEVICE_OFFLINE || code == SQ_ERR_FORMAT
        || code == SQ_ERR_LIMIT) {
        sq_browser_lost(browser);
        return sq_fail_hint(err, "%s",
                            browser->is_attached
                                ? "The next call attaches again, in a new "
                                  "tab: open the URL again."
                                : "The next call starts another browser; what "
                                  "was open is lost: open the URL again.");
    }
    if (code == SQ_ERR_IO) {
        return sq_fail_hint(err, "The page may have been replaced at this "
                                 "moment: try again, or open a URL.");
    }
    if (code == SQ_ERR_TIMEOUT) {
        browser->is_hanging |= !browser->has_no_call; /* which waits less */
        return sq_fail_hint(err, "The page does not answer: it may be busy in "
                                 "an endless loop. Wait, or open a URL.");
    }
    return false;
}

bool
sq_browser_call(struct sq_browser *browser,
                const struct sq_cdp_command *command,
                const struct sq_json **result,
                const struct sq_deadline *deadline, struct sq_err *err) {
    /* One that did not answer gets less time until it does. */
    const struct sq_deadline limit = sq_deadline_within(
        deadline, browser->is_starting  ? SQ_BROWSER_START_MS
                  : browser->is_hanging ? WAKE_MS
                                        : SQ_BROWSER_ANSWER_MS);
    const struct sq_tab *tab = sq_browser_tab(browser);
    struct sq_err local_err = { 0 };
    struct sq_cdp_command sent = *command;
    char session[SQ_CDP_ID_SIZE];
    if (!sent.session && !tab) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "no tab is open");
        return sq_fail_hint(err, "Open a URL.");
    }
    SQ_COPY_TEXT(session,
                 sq_span_of(sent.session ? sent.session : tab->session));
    sent.session = session;
    const int64_t id = browser->cdp.link.last_id + 1;
    bool is_heard = tab && strcmp(session, tab->session) == 0
                 && strcmp(command->method, "Runtime.evaluate") == 0;
    /* Checked first: the browser would do it when the dialog is closed. */
    bool ok = !(session[0] && sq_browser_is_blocked(browser, &local_err))
           && sq_cdp_call(&browser->cdp, &sent, result, &limit, &local_err);
    browser->is_hanging &= !(ok && session[0]);
    if (ok && is_heard) {
        browser->heard_ns = sq_clock_monotonic_ns();
        browser->heard_id = id;
    }
    return check_lost(browser, ok, &local_err, err);
}

bool
sq_browser_await(struct sq_browser *browser, int64_t id,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = sq_cdp_await(&browser->cdp, id, NULL, deadline, &local_err);
    return check_lost(browser, ok, &local_err, err);
}

bool
sq_browser_ask(const struct sq_browser_way *way, const char *method,
               const char *params, ...) {
    char text[PARAMS_SIZE];
    va_list values;
    va_start(values, params);
    int len = vsnprintf(text, sizeof(text), params, values);
    va_end(values);
    return (len < PARAMS_SIZE || sq_fail(way->err, SQ_ERR_LIMIT, "too long"))
        && sq_browser_call(
               way->browser,
               SQ_CDP_COMMAND(way->session, method, sq_span_of(text)),
               way->result, way->deadline, way->err);
}

static bool
pump(struct sq_browser *browser, int wait_ms,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = sq_cdp_pump(&browser->cdp, wait_ms, deadline, &local_err);
    return check_lost(browser, ok, &local_err, err);
}

/* Enables the events of a new tab, and sets its size. */
static bool
prepare_tab(struct sq_browser *browser, struct sq_tab *tab,
            const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const commands[][2] = {
        { "Page.enable", "{}" },
        { ASK_FOR_FILES, "{\"enabled\":true}" },
        { "Runtime.enable", "{}" },
        { "Log.enable", "{}" },
        { "Target.setAutoAttach", ATTACH_FRAMES },
    };
    struct sq_err local_err = { 0 };
    char session[SQ_CDP_ID_SIZE];
    memcpy(session, tab->session, sizeof(session));
    tab->is_ready = true;
    const struct sq_json *result;
    for (size_t i = 0; i < SQ_COUNT(commands); i++) {
        tell(browser, sq_span_of(session), commands[i][0],
             sq_span_of(commands[i][1]));
    }
    if (!sq_browser_emulate(browser, session, deadline, &local_err)
        && !browser->dialog.is_open && tab_of(browser, sq_span_of(session))) {
        return sq_fail_with(err, &local_err);
    }
    /* It may have been loaded before its events were enabled. */
    tab = tab_of(browser, sq_span_of(session));
    if (tab
        && SQ_BROWSER_ASK(browser, session, &result, deadline, NULL,
                          "Page.getFrameTree", "{}")) {
        const struct sq_json *frame =
            sq_json_get(sq_json_get(result, "frameTree"), "frame");
        SQ_COPY_TEXT(tab->url, sq_json_text_of(frame, "url"));
    }
    return true;
}

bool
sq_browser_refresh(struct sq_browser *browser,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_deadline_check(deadline, err) || !pump(browser, 0, deadline, err)) {
        return false;
    }
    for (int i = 0; i < browser->tab_count; i++) {
        struct sq_tab *tab = &browser->tabs[i];
        if (!tab->is_ready && !prepare_tab(browser, tab, deadline, err)) {
            return false;
        }
    }
    return true;
}

bool
sq_browser_is_fresh(const struct sq_browser *browser, int64_t seen_ns) {
    return seen_ns >= browser->began_ns
        && sq_clock_monotonic_ns() - seen_ns < FRESH_MS * NS_PER_MS;
}

bool
sq_browser_sync(struct sq_browser *browser, const struct sq_deadline *deadline,
                struct sq_err *err) {
    return (browser->heard_id == browser->cdp.link.last_id
            && sq_browser_is_fresh(browser, browser->heard_ns))
        || SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err,
                          "Runtime.evaluate", "{\"expression\":\"1\"}")
        || browser->dialog.is_open;
}

/* Waits while the tab loads. */
static void
await_load(struct sq_browser *browser, int limit_ms,
           const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, limit_ms);
    const struct sq_tab *tab = sq_browser_tab(browser);
    while (tab && tab->is_loading && !tab->is_crashed
           && !browser->dialog.is_open && sq_deadline_check(&limit, NULL)
           && pump(browser, PUMP_MS, &limit, NULL)) {
        tab = sq_browser_tab(browser);
    }
}

bool
sq_browser_begin(struct sq_browser *browser, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    browser->base.notice[0] = '\0';
    sq_buf_clear(&browser->listed.json);
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    const struct sq_tab *tab = sq_browser_tab(browser);
    browser->before = (struct sq_browser_before){ tab ? tab->number : 0,
                                                  tab ? tab->document : 0,
                                                  browser->dialog.number };
    return tab || sq_fail_argument(err, "no tab is open", "Open a URL.");
}

/* Says what has happened besides what the screen shows. */
static void
write_notice(struct sq_browser *browser) {
    const struct sq_browser_before *before = &browser->before;
    char *out = browser->base.notice;
    const struct sq_tab *tab = sq_browser_tab(browser);
    if (browser->dialog.is_open || !tab || tab->document == before->document) {
        sq_browser_tell_download(browser);
        return; /* a dialog has its own notice */
    }
    struct sq_span url = { tab->url, strcspn(tab->url, "?#") };
    url = sq_utf8_shorten(url, SQ_DEVICE_NOTICE_SIZE / 2);
    if (tab->number != before->tab) {
        snprintf(out, SQ_DEVICE_NOTICE_SIZE,
                 "Now shown: " SQ_TAB_PREFIX "%d, %.*s", tab->number,
                 SQ_SPAN_ARGS(url));
    } else {
        snprintf(out, SQ_DEVICE_NOTICE_SIZE, "Another page was loaded: %.*s",
                 SQ_SPAN_ARGS(url));
    }
    if (tab->is_loading) {
        size_t used = strlen(out);
        snprintf(out + used, SQ_DEVICE_NOTICE_SIZE - used, " (still loading)");
    }
    sq_browser_tell_download(browser);
}

bool
sq_browser_end(struct sq_browser *browser, bool ok,
               const struct sq_deadline *deadline, struct sq_err *err) {
    bool has_dialog = browser->dialog.is_open
                   && browser->dialog.number > browser->before.dialog;
    if (has_dialog && err) {
        sq_err_clear(err);
    }
    if (ok && !browser->dialog.is_open
        && sq_browser_sync(browser, deadline, NULL)
        && sq_browser_refresh(browser, deadline, NULL)) {
        await_load(browser, SETTLE_MS, deadline);
    }
    write_notice(browser);
    return ok || has_dialog;
}

bool
sq_browser_new_tab(struct sq_browser *browser,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    return (browser->is_attached
                ? sq_browser_attach_new_tab(browser, deadline, err)
                : SQ_BROWSER_ASK(browser, "", NULL, deadline, err,
                                 "Target.createTarget",
                                 "{\"url\":\"about:blank\"}"))
        && sq_browser_refresh(browser, deadline, err);
}

/*
 * Ends the script of a page that does not answer: another page of the same site
 * could otherwise not be shown. If that does not help, a new tab replaces it.
 */
static bool
leave_hanging_page(struct sq_browser *browser,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, WAKE_MS);
    const struct sq_tab *tab = sq_browser_tab(browser);
    char target[SQ_CDP_ID_SIZE];
    if (!tab || !browser->is_hanging || browser->dialog.is_open) {
        return true;
    }
    SQ_COPY_TEXT(target, sq_span_of(tab->target));
    tell(browser, sq_span_of(tab->session), "Runtime.terminateExecution",
         SQ_SPAN("{}"));
    if (sq_browser_sync(browser, &limit, NULL)) {
        return true;
    }
    browser->is_hanging = false;
    int64_t id;
    sq_cdp_send(&browser->cdp, SQ_CLOSE_TARGET(target), &id, deadline, NULL);
    return sq_browser_new_tab(browser, deadline, err);
}

static bool
navigate(struct sq_browser *browser, struct sq_span url,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *result;
    struct sq_tab *tab = sq_browser_tab(browser);
    if (tab && tab->is_crashed) {
        tab->is_crashed = false;
        tab->is_ready = false; /* its events are to be enabled again */
    }
    if (!sq_browser_call(browser,
                         SQ_CDP_TEXT_COMMAND(NULL, "Page.navigate",
                                             SQ_SPAN("{}"), "url", url),
                         &result, deadline, err)) {
        return false;
    }
    char why[100];
    SQ_COPY_TEXT(why, sq_json_text_of(result, "errorText"));
    if (strcmp(why, "net::ERR_ABORTED") == 0) {
        sq_fail(err, SQ_ERR_IO, "the URL shows no page");
        return sq_fail_hint(err, "%s",
                            browser->download[0] ? browser->download
                                                 : "It may be a download.");
    }
    if (why[0] == '\0') {
        return true;
    }
    await_load(browser, SETTLE_MS, deadline); /* the page that says so */
    sq_fail_quoting(err, SQ_ERR_IO, "the page cannot be loaded: %s", why);
    return browser->looks.is_offline
        && sq_fail_hint(err, "The browser is offline: @appearance with "
                             "$offline false ends that.");
}

bool
sq_browser_goto(struct sq_browser *browser, struct sq_span url,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_origin origin;
    bool ok = sq_origin_parse(url, &origin, err)
           && sq_origin_check(&origin, &browser->allow, err)
           && sq_browser_refresh(browser, deadline, err)
           && leave_hanging_page(browser, deadline, err)
           && (sq_browser_tab(browser)
               || sq_browser_new_tab(browser, deadline, err))
           && sq_browser_begin(browser, deadline, err);
    if (ok) {
        ok = navigate(browser, url, deadline, err);
        if (ok) {
            await_load(browser, LOAD_MS, deadline);
        }
        ok = sq_browser_end(browser, ok, deadline, err);
    }
    const struct sq_tab *tab = sq_browser_tab(browser);
    if (ok && tab && sq_span_is(url, tab->url) && !tab->is_loading
        && !browser->dialog.is_open) {
        browser->base.notice[0] = '\0'; /* that was asked for */
    }
    return ok;
}

bool
sq_browser_close_tab(struct sq_browser *browser,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    int count = browser->tab_count;
    const struct sq_tab *tab = sq_browser_tab(browser);
    bool ok = tab
           && sq_browser_call(browser, SQ_CLOSE_TARGET(tab->target), NULL,
                              deadline, err);
    const struct sq_deadline limit = sq_deadline_within(deadline, SETTLE_MS);
    while (ok && browser->tab_count == count
           && sq_deadline_check(&limit, NULL)) {
        ok = pump(browser, PUMP_MS, deadline, err);
    }
    return ok;
}

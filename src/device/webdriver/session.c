/* Starts, uses and ends sessions of a WebDriver server. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "sys/clock.h"
#include "util/limits.h"

#define END_MS 3000
#define MAX_MEMORY ((size_t)64 << 20)
#define LONGER_SECONDS 60 /* that a phone outlives our own idle time */

/* Writes a member, unless the person has given one. */
static void
put_default(struct sq_json_writer *w, const struct sq_json *wanted,
            const char *key, const char *value) {
    if (!sq_json_get(wanted, key)) {
        sq_json_put_raw(sq_json_at(w, key), sq_span_of(value));
    }
}

/*
 * Writes capabilities that the person has not given. A look must not answer a
 * dialog, nor wait long for a page: its browser answers nothing else meanwhile.
 * An Appium that hears nothing for a while must give the phone back, and its
 * drivers must not wait until a screen is at rest: we do.
 */
static void
put_defaults(const struct sq_webdriver *wd, struct sq_json_writer *w,
             const struct sq_json *wanted) {
    static const struct {
        const char *automation;
        const char *key;
        const char *value;
    } rows[] = {
        { "uiautomator2", "appium:settings[waitForIdleTimeout]", "0" },
        { "xcuitest", "appium:settings[waitForIdleTimeout]", "0" },
        { "xcuitest", "appium:settings[animationCoolOffTimeout]", "0" },
        { "xcuitest", "appium:settings[pageSourceExcludedAttributes]",
          "\"accessible\"" },
    };
    const struct sq_span automation =
        sq_json_text_of(wanted, "appium:automationName");
    char seconds[16];
    put_default(w, wanted, "unhandledPromptBehavior", "\"ignore\"");
    if (automation.len == 0) {
        put_default(w, wanted, "pageLoadStrategy", "\"eager\"");
        put_default(w, wanted, "timeouts",
                    "{\"pageLoad\":20000,\"script\":10000}");
    } else {
        snprintf(seconds, sizeof(seconds), "%d",
                 wd->idle_seconds + LONGER_SECONDS);
        put_default(w, wanted, "appium:newCommandTimeout", seconds);
    }
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        if (sq_span_is_word(automation, rows[i].automation)) {
            put_default(w, wanted, rows[i].key, rows[i].value);
        }
    }
}

static bool
write_request(const struct sq_webdriver *wd, struct sq_buf *out,
              struct sq_err *err) {
    const struct sq_json *wanted = NULL;
    struct sq_json_writer w;
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_MEMORY);
    bool ok =
        wd->capabilities.len == 0
        || sq_json_parse(sq_buf_span(&wd->capabilities), &arena, &wanted, err);
    sq_json_open(&w, out);
    sq_json_begin_object_of(&w, "capabilities");
    sq_json_begin_object_of(&w, "alwaysMatch");
    for (const struct sq_json *member = sq_json_first(wanted); member;
         member = sq_json_next(member)) {
        /* What a node says of itself is nothing to ask for. */
        if (!sq_span_starts_with(sq_json_key(member), "se:")) {
            sq_json_put_key_span(&w, sq_json_key(member));
            sq_json_put_value(&w, member);
        }
    }
    if (!wd->endpoint.is_agent) {
        put_defaults(wd, &w, wanted);
    }
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    sq_arena_finish(&arena);
    return ok && sq_json_close(&w, err);
}

/*
 * Returns whether a command needs no session: WebDriverAgent shows its phone
 * without one. It has one session, so that starting one ends that of others.
 */
static bool
is_without_session(const struct sq_webdriver *wd,
                   const struct sq_wd_request *request) {
    static const char *const paths[] = { "/screenshot",        "/source",
                                         "/window/size",       "/alert/",
                                         "/wda/activeAppInfo", "/wda/unlock" };
    bool is_one = false;
    for (size_t i = 0; i < SQ_COUNT(paths); i++) {
        is_one |= sq_span_starts_with(sq_span_of(request->path), paths[i]);
    }
    return strcmp(request->path, SQ_WD_SESSION_PATH) == 0
        || (wd->endpoint.is_agent && is_one);
}

static bool
fail_ended(const struct sq_webdriver *wd, const char *what,
           struct sq_err *err) {
    sq_fail(err, SQ_ERR_DEVICE_OFFLINE, "%s: %s", wd->endpoint.name, what);
    sq_fail_hint(err, SQ_WD_START_AGAIN);
    return sq_fail_cause(err, SQ_WD_SESSION_ENDED);
}

/* Sends a request whose path is in the session, if it needs one. */
static bool
transmit(struct sq_webdriver *wd, const struct sq_wd_request *request,
         int *status, const struct sq_deadline *deadline, struct sq_err *err) {
    char path[SQ_WD_PATH_SIZE];
    struct sq_wd_request whole = *request;
    bool is_free = is_without_session(wd, request);
    sq_lock_lock(wd->lock);
    snprintf(path, sizeof(path), SQ_WD_SESSION_PATH "/%s%s", wd->session,
             request->path);
    whole.path = is_free ? request->path : path;
    bool has_session = is_free || wd->session[0];
    bool ok = has_session
           && sq_wd_send(&wd->client, &whole, status, &wd->body, deadline, err);
    wd->used_ns = sq_clock_monotonic_ns();
    sq_lock_unlock(wd->lock);
    return has_session ? ok : fail_ended(wd, "the session has ended", err);
}

static bool
send(struct sq_webdriver *wd, const struct sq_wd_request *request,
     const struct sq_json **value, const struct sq_deadline *deadline,
     struct sq_err *err) {
    int status;
    sq_arena_reset(&wd->arena);
    return transmit(wd, request, &status, deadline, err)
        && sq_wd_parse(&wd->endpoint, status, sq_buf_span(&wd->body),
                       &wd->arena, value, err);
}

/* Returns a capability, which Appium returns with or without its prefix. */
static struct sq_span
capability(const struct sq_json *all, const char *name) {
    char prefixed[64];
    struct sq_span text = sq_json_text_of(all, name);
    snprintf(prefixed, sizeof(prefixed), "appium:%s", name);
    return text.len > 0 ? text : sq_json_text_of(all, prefixed);
}

static enum sq_wd_platform
platform_of(const struct sq_json *all) {
    const struct sq_span browser = sq_json_text_of(all, "browserName");
    const struct sq_span platform = sq_json_text_of(all, "platformName");
    if (browser.len > 0) {
        return sq_span_starts_with(browser, "chrom")
                    || sq_span_is_word(browser, "chrome")
                    || sq_span_is_word(browser, "msedge")
                    || sq_span_is_word(browser, "microsoftedge")
                 ? SQ_WD_CHROME
                 : SQ_WD_BROWSER;
    }
    return sq_span_is_word(platform, "android") ? SQ_WD_ANDROID
         : sq_span_is_word(platform, "ios")     ? SQ_WD_IOS
                                                : SQ_WD_OTHER;
}

static void
describe(struct sq_webdriver *wd, const struct sq_json *all) {
    struct sq_span model = capability(all, "deviceName");
    struct sq_span version = capability(all, "platformVersion");
    if (sq_json_text_of(all, "browserName").len > 0) {
        model = sq_json_text_of(all, "browserName");
        version = sq_json_text_of(all, "browserVersion");
    }
    wd->platform = platform_of(all);
    wd->is_emulated_phone =
        sq_json_get(sq_json_get(all, "goog:chromeOptions"), "mobileEmulation")
        != NULL;
    sq_wd_hide(&wd->endpoint, model, wd->model, sizeof(wd->model));
    sq_wd_hide(&wd->endpoint, version, wd->version, sizeof(wd->version));
}

void
sq_wd_end(struct sq_webdriver *wd) {
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    char path[SQ_WD_PATH_SIZE];
    const struct sq_wd_request request = { .method = "DELETE", .path = path };
    int status;
    SQ_BUF(body, MAX_MEMORY);
    sq_lock_lock(wd->lock);
    if (wd->session[0]) {
        snprintf(path, sizeof(path), SQ_WD_SESSION_PATH "/%s", wd->session);
        (void)sq_wd_send(&wd->client, &request, &status, &body, &limit, NULL);
        wd->session[0] = '\0';
    }
    sq_lock_unlock(wd->lock);
}

/*
 * Ends the session when no command was sent for some time. The next call finds
 * that, as if the server had ended it.
 */
static void
watch_idle(void *context) {
    struct sq_webdriver *wd = context;
    const struct sq_deadline never = { .at_ns = INT64_MAX,
                                       .cancel = wd->idle.cancel };
    int64_t left_ms = 1;
    while (left_ms > 0 && sq_wait_ms((int)left_ms, &never, NULL)) {
        sq_lock_lock(wd->lock);
        left_ms = wd->idle_seconds * INT64_C(1000)
                - (sq_clock_monotonic_ns() - wd->used_ns) / 1000000;
        sq_lock_unlock(wd->lock);
    }
    if (left_ms <= 0) {
        sq_wd_end(wd);
    }
}

/* Takes the id of a session that was started. */
static bool
take_id(struct sq_webdriver *wd, const struct sq_json *value,
        struct sq_err *err) {
    /* No other thread uses it yet. */
    return sq_wd_copy_id(sq_json_text_of(value, "sessionId"), wd->session)
        || sq_fail(err, SQ_ERR_FORMAT, "%s gives no id of a session",
                   wd->endpoint.name);
}

bool
sq_wd_take_session(struct sq_webdriver *wd, int status, struct sq_err *err) {
    const struct sq_json *value;
    sq_arena_reset(&wd->arena);
    if (!sq_wd_parse(&wd->endpoint, status, sq_buf_span(&wd->body), &wd->arena,
                     &value, err)
        || !take_id(wd, value, err)) {
        return false;
    }
    if (!wd->endpoint.is_agent) {
        describe(wd, sq_json_get(value, "capabilities"));
    }
    return true;
}

bool
sq_wd_start(struct sq_webdriver *wd, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    int status;
    sq_buf_clear(&wd->wanted);
    bool ok = write_request(wd, &wd->wanted, &local_err);
    /* A session of WebDriverAgent takes no slot: the next one replaces it. */
    const struct sq_wd_request request = { "POST", SQ_WD_SESSION_PATH,
                                           sq_buf_span(&wd->wanted),
                                           !wd->endpoint.is_agent };
    ok = ok && transmit(wd, &request, &status, deadline, &local_err)
      && sq_wd_take_session(wd, status, &local_err);
    if (!ok) {
        sq_fail_with(err, &local_err);
        return local_err.code == SQ_ERR_UNSUPPORTED
                    && local_err.cause == SQ_WD_NO_COMMAND
                 ? sq_fail_hint(err, SQ_WD_CHECK_URL)
                 : false;
    }
    return sq_side_thread_create(&wd->idle, err)
        && sq_pool_submit(wd->idle.pool, watch_idle, wd, err);
}

/* Starts the session of a WebDriverAgent, when a command needs it. */
static bool
start_late(struct sq_webdriver *wd, const struct sq_wd_request *request,
           const struct sq_deadline *deadline, struct sq_err *err) {
    if (!wd->endpoint.is_agent || wd->idle.pool
        || is_without_session(wd, request)) {
        return true;
    }
    /* It must not wait until a screen is at rest: we do. */
    return sq_wd_start(wd, deadline, err)
        && SQ_WD_POST(wd, "/appium/settings",
                      SQ_SPAN("{\"settings\":{\"waitForIdleTimeout\":0,"
                              "\"animationCoolOffTimeout\":0}}"),
                      NULL, deadline, err);
}

/* Shows the tab that is left, if its session has one. */
static bool
show_other_tab(struct sq_webdriver *wd, const struct sq_deadline *deadline) {
    const struct sq_json *value;
    struct sq_span handle = { 0 };
    SQ_BUF(body, SQ_MAX_JSON_BYTES);
    wd->page[0] = '\0';
    wd->tab_count = 0;
    /* Fails if the tab was closed, and not only a frame in it. */
    if (send(wd, SQ_WD_REQUEST("GET", "/window", { 0 }), &value, deadline,
             NULL)) {
        sq_json_string(value, &handle);
    } else if (send(wd, SQ_WD_REQUEST("GET", "/window/handles", { 0 }), &value,
                    deadline, NULL)) {
        for (const struct sq_json *item = sq_json_first(value); item;
             item = sq_json_next(item)) {
            sq_json_string(item, &handle);
        }
    }
    bool ok = handle.len > 0 && sq_wd_write_text(&body, "handle", handle, NULL)
           && send(wd, SQ_WD_REQUEST("POST", "/window", sq_buf_span(&body)),
                   &value, deadline, NULL);
    wd->is_in_frame = wd->is_in_frame && !ok;
    return ok;
}

/*
 * Gives up a session that has ended, and passes the error on. A Grid may still
 * count it, so that the next one would wait for its slot.
 */
static bool
fail_call(struct sq_webdriver *wd, const struct sq_err *why,
          const struct sq_deadline *deadline, struct sq_err *err) {
    bool has_ended = why->cause == SQ_WD_SESSION_ENDED;
    sq_fail_with(err, why);
    if (wd->has_no_call) {
        return false; /* the next call meets the same, and tells it */
    }
    if (why->cause == SQ_WD_TAB_CLOSED && !show_other_tab(wd, deadline)) {
        has_ended = true;
        fail_ended(wd, "its last tab was closed", err);
    }
    if (has_ended || why->cause == SQ_WD_NODE_GONE) {
        wd->base.may_return = has_ended;
        wd->base.is_lost = true;
        sq_wd_end(wd);
    }
    return false;
}

bool
sq_wd_fetch(struct sq_webdriver *wd, const struct sq_wd_request *request,
            struct sq_buf *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_json *ignored;
    int status;
    if (!start_late(wd, request, deadline, err)) {
        return false;
    }
    if (!transmit(wd, request, &status, deadline, &local_err)) {
        return fail_call(wd, &local_err, deadline, err);
    }
    if (status == 200) {
        return sq_wd_picture(sq_buf_span(&wd->body), out, err)
            || sq_fail_in(err, "a screenshot of %s", wd->endpoint.name);
    }
    sq_arena_reset(&wd->arena);
    return !sq_wd_parse(&wd->endpoint, status, sq_buf_span(&wd->body),
                        &wd->arena, &ignored, &local_err)
        && fail_call(wd, &local_err, deadline, err);
}

bool
sq_wd_call(struct sq_webdriver *wd, const struct sq_wd_request *request,
           const struct sq_json **value, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_json *ignored;
    if (!start_late(wd, request, deadline, err)) {
        return false;
    }
    if (send(wd, request, value ? value : &ignored, deadline, &local_err)) {
        return true;
    }
    return fail_call(wd, &local_err, deadline, err);
}

/* Commands of Appium that WebDriverAgent has itself, with their arguments. */
static bool
run_agent(struct sq_webdriver *wd, struct sq_span script,
          struct sq_span argument, const struct sq_json **value,
          const struct sq_deadline *deadline, struct sq_err *err) {
    static const struct {
        const char *script;
        const char *method;
        const char *path;
    } rows[] = {
        { "mobile: activeAppInfo", "GET", "/wda/activeAppInfo" },
        { "mobile: launchApp", "POST", "/wda/apps/launch" },
        { "mobile: terminateApp", "POST", "/wda/apps/terminate" },
        { "mobile: pressButton", "POST", "/wda/pressButton" },
        { "mobile: unlock", "POST", "/wda/unlock" },
        { "mobile: setClipboard", "POST", "/wda/setPasteboard" },
        { "mobile: getClipboard", "POST", "/wda/getPasteboard" },
        { "mobile: hideKeyboard", "POST", "/wda/keyboard/dismiss" },
        { "mobile: deepLink", "POST", "/url" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        if (sq_span_is(script, rows[i].script)) {
            return sq_wd_call(
                wd, SQ_WD_REQUEST(rows[i].method, rows[i].path, argument),
                value, deadline, err);
        }
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED, "WebDriverAgent alone cannot do this");
    return sq_fail_hint(err, "Use the phone through Appium.");
}

bool
sq_wd_execute(struct sq_webdriver *wd, struct sq_span script,
              struct sq_span argument, const struct sq_json **value,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(body, SQ_MAX_JSON_BYTES);
    if (wd->endpoint.is_agent) {
        return run_agent(wd, script, argument, value, deadline, err);
    }
    sq_json_open(&w, &body);
    sq_json_put_string(sq_json_at(&w, "script"), script);
    sq_json_begin_array_of(&w, "args");
    if (argument.len > 0) {
        sq_json_put_raw(&w, argument);
    }
    sq_json_end_array(&w);
    return sq_json_close(&w, err)
        && SQ_WD_POST(wd, "/execute/sync", sq_buf_span(&body), value, deadline,
                      err);
}

bool
sq_wd_write_text(struct sq_buf *out, const char *name, struct sq_span text,
                 struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_json_put_string(sq_json_at(&w, name), text);
    return sq_json_close(&w, err);
}

bool
sq_wd_mobile(struct sq_webdriver *wd, const struct sq_wd_mobile *call,
             const struct sq_json **value, const struct sq_deadline *deadline,
             struct sq_err *err) {
    char script[64];
    SQ_BUF(argument, SQ_MAX_JSON_BYTES);
    snprintf(script, sizeof(script), "mobile: %s", call->command);
    return (call->name
                ? sq_wd_write_text(&argument, call->name, call->text, err)
                : sq_buf_append(&argument, "{}", 2, err))
        && sq_wd_execute(wd, sq_span_of(script), sq_buf_span(&argument), value,
                         deadline, err);
}

/* Starts, uses and ends sessions of a WebDriver server. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/limits.h"

#define START_MS 120000
#define END_MS 3000
#define MAX_MEMORY ((size_t)64 << 20)
#define IDLE_SECONDS 600

/*
 * Writes the capabilities to ask for. A look must not answer a dialog, and an
 * Appium that hears nothing for a while must give the phone back.
 */
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
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "capabilities");
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "alwaysMatch");
    sq_json_begin_object(&w);
    bool is_app = sq_json_get(wanted, "appium:automationName") != NULL;
    for (const struct sq_json *member = sq_json_first(wanted); member;
         member = sq_json_next(member)) {
        /* What a node says of itself is nothing to ask for. */
        if (!sq_span_starts_with(sq_json_key(member), "se:")) {
            sq_json_put_key_span(&w, sq_json_key(member));
            sq_json_put_value(&w, member);
        }
    }
    if (!sq_json_get(wanted, "unhandledPromptBehavior")) {
        sq_json_put_key(&w, "unhandledPromptBehavior");
        sq_json_put_string(&w, SQ_SPAN("ignore"));
    }
    if (is_app && !sq_json_get(wanted, "appium:newCommandTimeout")) {
        sq_json_put_key(&w, "appium:newCommandTimeout");
        sq_json_put_int(&w, IDLE_SECONDS);
    }
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    sq_arena_finish(&arena);
    return ok && sq_json_writer_done(&w, err);
}

static bool
send(struct sq_webdriver *wd, const struct sq_wd_request *request,
     const struct sq_json **value, const struct sq_deadline *deadline,
     struct sq_err *err) {
    int status;
    sq_arena_reset(&wd->arena);
    return sq_wd_send(&wd->client, request, &status, &wd->body, deadline, err)
        && sq_wd_parse(wd->client.name, status, sq_buf_span(&wd->body),
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
                    || sq_span_is(browser, "msedge")
                    || sq_span_is(browser, "MicrosoftEdge")
                 ? SQ_WD_CHROME
                 : SQ_WD_BROWSER;
    }
    return sq_span_is(platform, "Android") || sq_span_is(platform, "android")
             ? SQ_WD_ANDROID
         : sq_span_is(platform, "iOS") || sq_span_is(platform, "ios")
             ? SQ_WD_IOS
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
    snprintf(wd->model, sizeof(wd->model), "%.*s", SQ_SPAN_ARGS(model));
    snprintf(wd->version, sizeof(wd->version), "%.*s", SQ_SPAN_ARGS(version));
}

bool
sq_wd_start(struct sq_webdriver *wd, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, START_MS);
    const struct sq_json *value;
    struct sq_buf body;
    sq_buf_init(&body, SQ_MAX_JSON_BYTES);
    bool ok = write_request(wd, &body, err);
    const struct sq_wd_request request = { "POST", "/session",
                                           sq_buf_span(&body) };
    ok = ok && send(wd, &request, &value, &limit, err);
    sq_buf_finish(&body);
    if (!ok) {
        return false;
    }
    const struct sq_span id = sq_json_text_of(value, "sessionId");
    bool is_plain = id.len > 0 && id.len < sizeof(wd->session);
    for (size_t i = 0; is_plain && i < id.len; i++) {
        is_plain = id.ptr[i] > ' ' && id.ptr[i] < 0x7f
                && !strchr("/?#%\"\\", id.ptr[i]);
    }
    if (!is_plain) {
        return sq_fail(err, SQ_ERR_FORMAT, "%s gives no id of a session",
                       wd->client.name);
    }
    memcpy(wd->session, id.ptr, id.len);
    wd->session[id.len] = '\0';
    describe(wd, sq_json_get(value, "capabilities"));
    return true;
}

void
sq_wd_end(struct sq_webdriver *wd) {
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    char path[SQ_WD_PATH_SIZE];
    const struct sq_wd_request request = { .method = "DELETE", .path = path };
    const struct sq_json *value;
    if (wd->session[0]) {
        snprintf(path, sizeof(path), "/session/%s", wd->session);
        send(wd, &request, &value, &limit, NULL);
        wd->session[0] = '\0';
    }
}

/* Returns the request with the path of the session before its own. */
static struct sq_wd_request
in_session(const struct sq_webdriver *wd, const struct sq_wd_request *request,
           char path[SQ_WD_PATH_SIZE]) {
    snprintf(path, SQ_WD_PATH_SIZE, "/session/%s%s", wd->session,
             request->path);
    return (struct sq_wd_request){ request->method, path, request->body };
}

/* Notes a session that has ended, and passes the error on. */
static bool
fail_call(struct sq_webdriver *wd, const struct sq_err *why,
          struct sq_err *err) {
    wd->base.is_lost |= why->cause == SQ_WD_SESSION_ENDED;
    return sq_fail_with(err, why);
}

bool
sq_wd_fetch(struct sq_webdriver *wd, const struct sq_wd_request *request,
            struct sq_buf *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_json *ignored;
    char path[SQ_WD_PATH_SIZE];
    const struct sq_wd_request whole = in_session(wd, request, path);
    int status;
    if (!sq_wd_send(&wd->client, &whole, &status, &wd->body, deadline, err)) {
        return false;
    }
    if (status == 200) {
        return sq_wd_picture(sq_buf_span(&wd->body), out, err)
            || sq_fail_in(err, "a screenshot of %s", wd->client.name);
    }
    sq_arena_reset(&wd->arena);
    return !sq_wd_parse(wd->client.name, status, sq_buf_span(&wd->body),
                        &wd->arena, &ignored, &local_err)
        && fail_call(wd, &local_err, err);
}

bool
sq_wd_call(struct sq_webdriver *wd, const struct sq_wd_request *request,
           const struct sq_json **value, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_json *ignored;
    char path[SQ_WD_PATH_SIZE];
    const struct sq_wd_request whole = in_session(wd, request, path);
    if (send(wd, &whole, value ? value : &ignored, deadline, &local_err)) {
        return true;
    }
    return fail_call(wd, &local_err, err);
}

bool
sq_wd_execute(struct sq_webdriver *wd, struct sq_span script,
              struct sq_span argument, const struct sq_json **value,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_buf body;
    sq_buf_init(&body, SQ_MAX_JSON_BYTES);
    sq_json_writer_init(&w, &body);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "script");
    sq_json_put_string(&w, script);
    sq_json_put_key(&w, "args");
    sq_json_begin_array(&w);
    if (argument.len > 0) {
        sq_json_put_raw(&w, argument);
    }
    sq_json_end_array(&w);
    sq_json_end_object(&w);
    bool ok = sq_json_writer_done(&w, err)
           && SQ_WD_POST(wd, "/execute/sync", sq_buf_span(&body), value,
                         deadline, err);
    sq_buf_finish(&body);
    return ok;
}

bool
sq_wd_write_text(struct sq_buf *out, const char *name, struct sq_span text,
                 struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, name);
    sq_json_put_string(&w, text);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

bool
sq_wd_mobile(struct sq_webdriver *wd, const struct sq_wd_mobile *call,
             const struct sq_json **value, const struct sq_deadline *deadline,
             struct sq_err *err) {
    char script[64];
    struct sq_buf argument;
    sq_buf_init(&argument, SQ_MAX_JSON_BYTES);
    snprintf(script, sizeof(script), "mobile: %s", call->command);
    bool ok =
        (call->name ? sq_wd_write_text(&argument, call->name, call->text, err)
                    : sq_buf_append(&argument, "{}", 2, err))
        && sq_wd_execute(wd, sq_span_of(script), sq_buf_span(&argument), value,
                         deadline, err);
    sq_buf_finish(&argument);
    return ok;
}

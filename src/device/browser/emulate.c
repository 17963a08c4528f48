/*
 * What can be done to a browser besides touching it: sizes of pages, phones
 * that are imitated, what pages learn of a user; and what can be read from it.
 */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"

#define MIN_SIDE 200
#define MAX_SIDE 2048
#define MAX_PIXELS 4096 /* on a side */
#define MAX_RATIO 4

/* Reads WIDTHxHEIGHT, and @RATIO if that may be. */
static bool
read_size(struct sq_span rest, bool may_have_ratio, struct sq_size *size,
          double *ratio) {
    int64_t width;
    int64_t height;
    *ratio = 1;
    if (!sq_span_take_int64(&rest, &width) || !sq_span_take_prefix(&rest, "x")
        || !sq_span_take_int64(&rest, &height)
        || (may_have_ratio && sq_span_take_prefix(&rest, "@")
                ? !sq_span_to_double(rest, ratio)
                : rest.len > 0)
        || width > MAX_SIDE || height > MAX_SIDE) {
        return false;
    }
    *size = (struct sq_size){ (int)width, (int)height };
    return width >= MIN_SIDE && height >= MIN_SIDE;
}

bool
sq_browser_read_size(struct sq_browser *browser,
                     const struct sq_browser_config *config,
                     struct sq_err *err) {
    const char *text = config->mobile ? config->mobile : config->window;
    double ratio;
    if (!read_size(sq_span_of(text), config->mobile, &browser->size, &ratio)
        || ratio < 1 || ratio > MAX_RATIO
        || browser->size.width * ratio > MAX_PIXELS
        || browser->size.height * ratio > MAX_PIXELS) {
        sq_fail(err, SQ_ERR_ARGUMENT, "browser.%s is \"%.40s\"",
                config->mobile ? "mobile" : "window", text);
        return sq_fail_hint(err, "Write WIDTHxHEIGHT%s; each from %d to %d.",
                            config->mobile
                                ? "@RATIO such as 360x800@3, with a ratio from "
                                  "1 to 4"
                                : " such as 1280x800",
                            MIN_SIDE, MAX_SIDE);
    }
    browser->is_mobile = config->mobile != NULL;
    browser->ratio = ratio;
    return true;
}

/* Tells pages that they are on a phone, and the language of the user. */
static bool
set_agent(const struct sq_browser_way *way) {
    const struct sq_json *result;
    const bool is_mobile = way->browser->is_mobile;
    const char *locale = way->browser->looks.locale;
    if (!is_mobile && !locale[0]) {
        return true;
    }
    if (!SQ_BROWSER_ASK(way->browser, "", &result, way->deadline, way->err,
                        "Browser.getVersion", "{}")) {
        return false;
    }
    struct sq_span product = sq_json_text_of(result, "product");
    struct sq_span name;
    int64_t version = 0;
    sq_span_take_until(&product, '/', &name);
    sq_span_take_int64(&product, &version);
    return sq_browser_ask(
        way, "Emulation.setUserAgentOverride",
        "{\"userAgent\":\"Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like "
        "Gecko) Chrome/%d.0.0.0 %sSafari/537.36\"%s%s%s%s}",
        is_mobile ? "Linux; Android 10; K" : "X11; Linux x86_64", (int)version,
        is_mobile ? "Mobile " : "", locale[0] ? ",\"acceptLanguage\":\"" : "",
        locale, locale[0] ? "\"" : "",
        is_mobile ? ",\"userAgentMetadata\":{\"platform\":\"Android\","
                    "\"platformVersion\":\"10\",\"architecture\":\"\","
                    "\"model\":\"K\",\"mobile\":true}"
                  : "");
}

static bool
set_screen(const struct sq_browser_way *way) {
    const struct sq_browser *browser = way->browser;
    return sq_browser_ask(way, "Emulation.setDeviceMetricsOverride",
                          "{\"width\":%d,\"height\":%d,"
                          "\"deviceScaleFactor\":%.3f,\"mobile\":%s}",
                          browser->size.width, browser->size.height,
                          browser->ratio, browser->is_mobile ? "true" : "false")
        && (!browser->is_mobile
            || sq_browser_ask(way, "Emulation.setTouchEmulationEnabled",
                              "{\"enabled\":true,\"maxTouchPoints\":5}"));
}

static bool
set_time_zone(const struct sq_browser_way *way) {
    return sq_browser_ask(way, "Emulation.setTimezoneOverride",
                          "{\"timezoneId\":\"%s\"}",
                          way->browser->looks.time_zone);
}

/* What can be changed while the browser runs. */
static bool
set_looks(const struct sq_browser_way *way) {
    const struct sq_browser_looks *looks = &way->browser->looks;
    static const char *const schemes[] = {
        [SQ_DARK_OFF] = "light", [SQ_DARK_ON] = "dark", [SQ_DARK_AUTO] = ""
    };
    /* Tabs of one process share these two: a second one is refused. */
    struct sq_browser_way shared = *way;
    shared.err = NULL;
    if (looks->has_dark
        && !sq_browser_ask(way, "Emulation.setEmulatedMedia",
                           "{\"features\":[{\"name\":"
                           "\"prefers-color-scheme\",\"value\":\"%s\"}]}",
                           schemes[looks->dark])) {
        return false;
    }
    if (looks->locale[0]) {
        sq_browser_ask(&shared, "Emulation.setLocaleOverride",
                       "{\"locale\":\"%s\"}", looks->locale);
    }
    if (looks->has_time_zone) {
        set_time_zone(&shared);
    }
    return (!looks->has_network
            || (sq_browser_ask(way, "Network.enable", "{}")
                && sq_browser_ask(way, "Network.emulateNetworkConditions",
                                  "{\"offline\":%s,\"latency\":0,"
                                  "\"downloadThroughput\":-1,"
                                  "\"uploadThroughput\":-1}",
                                  looks->is_offline ? "true" : "false")))
        && (!looks->has_place
            || sq_browser_ask(way, "Emulation.setGeolocationOverride",
                              "{\"latitude\":%.7f,\"longitude\":%.7f,"
                              "\"accuracy\":10}",
                              looks->latitude, looks->longitude));
}

bool
sq_browser_emulate(struct sq_browser *browser, const char *session,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_browser_way way = { browser, session, NULL, deadline, err };
    return set_screen(&way) && set_agent(&way) && set_looks(&way);
}

/* Applies it to all tabs. */
static bool
apply(struct sq_browser *browser, const struct sq_deadline *deadline,
      struct sq_err *err) {
    char session[SQ_CDP_ID_SIZE];
    const struct sq_browser_way way = { browser, session, NULL, deadline, err };
    bool ok = true;
    sq_buf_clear(&browser->listed.json);
    browser->base.notice[0] = '\0';
    for (int i = 0; ok && i < browser->tab_count; i++) {
        memcpy(session, browser->tabs[i].session, sizeof(session));
        ok = set_agent(&way) && set_looks(&way);
    }
    return ok;
}

/* Copies a name. Returns false if it has other characters than these. */
static bool
copy_name(struct sq_span name, const char *characters, char *out, size_t size) {
    snprintf(out, size, "%.*s", SQ_SPAN_ARGS(name));
    return strspn(out, characters) == name.len;
}

/* Tries the time zone in the tab that is shown. */
static bool
try_time_zone(struct sq_browser *browser, const struct sq_deadline *deadline,
              struct sq_err *err) {
    if (!sq_browser_tab(browser)) {
        return true;
    }
    /* The browser itself takes every name. */
    const struct sq_browser_way way = { browser, NULL, NULL, deadline, err };
    const struct sq_json *result;
    return SQ_BROWSER_ASK(browser, NULL, &result, deadline, err,
                          "Runtime.evaluate",
                          "{\"expression\":\"new Intl.DateTimeFormat('en',"
                          "{timeZone:'%s'||undefined}),1\"}",
                          browser->looks.time_zone)
        && (!sq_json_get(result, "exceptionDetails")
            || sq_fail_argument(err, "the browser does not know that time zone",
                                "Write a name such as Europe/Berlin."))
        && set_time_zone(&way);
}

static bool
appearance(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_looks *wanted = &hand->looks;
    struct sq_browser_looks looks = browser->looks;
    struct sq_span locale = wanted->locale.value;
    if (wanted->font_scale.given || wanted->density.given || hand->package) {
        return sq_fail_argument(err,
                                "a browser has no font scale, no density and "
                                "no apps",
                                "Set $dark, $locale, $timeZone or $offline; "
                                "--browser-mobile sets a pixel ratio.");
    }
    if (wanted->dark.given) {
        looks.has_dark = true;
        looks.dark = wanted->dark.value;
    }
    if (wanted->locale.given
        && (locale.len == 0
            || !copy_name(locale, SQ_NAME_CHARACTERS "-", looks.locale,
                          sizeof(looks.locale)))) {
        return sq_fail_argument(err, "that is no locale",
                                "Write one such as de-DE.");
    }
    if (wanted->time_zone.given) {
        looks.has_time_zone = true;
        if (!copy_name(wanted->time_zone.value, SQ_NAME_CHARACTERS "/_+-",
                       looks.time_zone, sizeof(looks.time_zone))) {
            return sq_fail_argument(err, "that is no time zone",
                                    "Write a name such as Europe/Berlin.");
        }
    }
    if (wanted->offline.given) {
        looks.has_network = true;
        looks.is_offline = wanted->offline.value;
    }
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    const struct sq_browser_looks old = browser->looks;
    browser->looks = looks;
    if (wanted->time_zone.given && !try_time_zone(browser, deadline, err)) {
        browser->looks = old;
        return false;
    }
    return apply(browser, deadline, err);
}

static bool
locate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!sq_browser_refresh(browser, deadline, err)) {
        return false;
    }
    browser->looks.has_place = true;
    browser->looks.latitude = hand->latitude;
    browser->looks.longitude = hand->longitude;
    return (browser->is_attached
            || SQ_BROWSER_ASK(browser, "", NULL, deadline, err,
                              "Browser.grantPermissions",
                              "{\"permissions\":[\"geolocation\"]}"))
        && apply(browser, deadline, err);
}

static bool
open_url(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    if (hand->package) {
        return sq_fail_argument(err, "a browser has no apps",
                                "Leave $packageName out.");
    }
    return sq_browser_goto(sq_browser_of(device), hand->text, deadline, err);
}

static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    (void)hand;
    sq_buf_clear(&browser->dialog.typed);
    return browser->dialog.is_open
        || (sq_browser_key(device, "ctrl-a", deadline, err)
            && sq_browser_key(device, "backspace", deadline, err));
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_json *result;
    char screen[40];
    char tabs[16];
    (void)request;
    if (!sq_browser_refresh(browser, deadline, err)
        || !SQ_BROWSER_ASK(browser, "", &result, deadline, err,
                           "Browser.getVersion", "{}")) {
        return false;
    }
    snprintf(screen, sizeof(screen), "%dx%d", browser->size.width,
             browser->size.height);
    snprintf(tabs, sizeof(tabs), "%d", browser->tab_count);
    const char *url =
        browser->current < 0 ? "" : browser->tabs[browser->current].url;
    return sq_reading_add(out, "model", sq_json_text_of(result, "product"),
                          false, err)
        && sq_reading_add(out, "screen", sq_span_of(screen), false, err)
        && sq_reading_add(out, "url", sq_span_of(url), false, err)
        && sq_reading_add(out, "tabs", sq_span_of(tabs), true, err);
}

const struct sq_hand_ops sq_browser_hand = {
    .act = {
        [SQ_HAND_OPEN] = open_url,
        [SQ_HAND_GESTURE] = sq_browser_gesture,
        [SQ_HAND_CLEAR_FIELD] = clear_field,
        [SQ_HAND_APPEARANCE] = appearance,
        [SQ_HAND_LOCATION] = locate,
    },
    .read = {
        [SQ_READ_INFO] = read_info,
        [SQ_READ_LOGS] = sq_browser_read_logs,
    },
    .instead = {
        [SQ_HAND_HIDE_KEYBOARD] = "A browser shows no keyboard.",
        [SQ_HAND_START] = "@open opens a URL.",
    },
};

/* The apps of the demo phone, its state and its clock. */
#include "demo/phone/phone.h"

#include <stdarg.h>
#include <stdio.h>

#include "demo/phone/screens.h"
#include "sys/clock.h"
#include "util/time_text.h"

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000

const struct sq_demo_app *const sq_demo_apps[SQ_APPS] = {
    [SQ_APP_LAUNCHER] = &sq_app_launcher,
    [SQ_APP_SETTINGS] = &sq_app_settings,
    [SQ_APP_LOGIN] = &sq_app_login,
    [SQ_APP_SHOP] = &sq_app_shop,
    [SQ_APP_GAME] = &sq_app_game,
    [SQ_APP_CLOCK] = &sq_app_clock,
    [SQ_APP_ANIMATION] = &sq_app_animation,
    [SQ_APP_SECURE] = &sq_app_secure,
    [SQ_APP_ROTATE] = &sq_app_rotate,
};

/* The URLs that apps of the phone open. */
static const struct {
    const char *start;
    enum sq_app_id app;
} urls[] = {
    { "https://shop.squint.example/", SQ_APP_SHOP },
    { "https://login.squint.example/", SQ_APP_LOGIN },
    { "squint-settings:", SQ_APP_SETTINGS },
};

enum sq_app_id
sq_phone_app_of_url(struct sq_span url) {
    for (size_t i = 0; i < SQ_COUNT(urls); i++) {
        if (sq_span_starts_with(url, urls[i].start)) {
            return urls[i].app;
        }
    }
    return SQ_APPS;
}

enum sq_app_id
sq_phone_app_of(struct sq_span package) {
    int app = 0;
    bool ours = sq_span_take_prefix(&package, SQ_DEMO_PACKAGE);
    while (app < SQ_APPS && !sq_span_is(package, sq_demo_apps[app]->name)) {
        app++;
    }
    return ours ? (enum sq_app_id)app : SQ_APPS;
}

int64_t
sq_phone_now_ns(const struct sq_phone *phone) {
    const struct sq_demo_options *options = &phone->options;
    return options->now_ns ? options->now_ns(options->clock_context)
                           : sq_clock_shown_ns();
}

bool
sq_phone_react(struct sq_phone *phone, bool at_once, struct sq_err *err) {
    const struct sq_reaction reaction = phone->reaction;
    if (!reaction.is_pending
        || (!at_once && sq_clock_monotonic_ns() < reaction.due_ns)) {
        return true;
    }
    /* Without a pending reaction what follows is not deferred again. */
    const struct sq_demo_options options = phone->options;
    phone->options.reaction_ms = phone->options.pressed_ms = 0;
    phone->reaction.is_pending = false;
    bool ok = reaction.key[0] ? sq_phone_key(phone, reaction.key, err)
                              : sq_phone_tap(phone, &reaction.touch, err);
    phone->options = options;
    phone->reaction.is_pending = !ok; /* out of memory: later */
    return ok;
}

bool
sq_phone_defer(struct sq_phone *phone, const struct sq_touch *touch,
               const char *key, struct sq_rect pressed) {
    const struct sq_demo_options *options = &phone->options;
    int ms = options->pressed_ms ? options->pressed_ms : options->reaction_ms;
    if (ms == 0) {
        return false;
    }
    phone->reaction = (struct sq_reaction){
        .is_pending = true,
        .due_ns = sq_clock_monotonic_ns() + (int64_t)ms * NS_PER_MS,
        .pressed =
            options->pressed_ms ? pressed : (struct sq_rect){ 0, 0, 0, 0 },
    };
    if (key) {
        snprintf(phone->reaction.key, sizeof(phone->reaction.key), "%s", key);
    } else {
        phone->reaction.touch = *touch;
    }
    return true;
}

struct sq_size
sq_phone_size(const struct sq_phone *phone) {
    struct sq_size size = { phone->options.width, phone->options.height };
    return phone->landscape ? (struct sq_size){ size.height, size.width }
                            : size;
}

static bool
has_message(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->snack[0] != '\0';
}

static struct sq_span
message_text(const struct sq_phone *phone, const struct sq_widget *widget,
             char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)widget;
    (void)scratch;
    return sq_span_of(phone->snack);
}

/* The widgets around and above every app. */
static const struct sq_widget frame = SQ_WIDGET(
    STACK, .width = SQ_FILL, .align = SQ_MIDDLE,
    .children = SQ_CHILDREN(SQ_WIDGET(
        ROW, .id = "snackbar", .shown = has_message, .gravity = SQ_END,
        .width = SQ_FILL, .max_width = 560, .pad = { 16, 8, 16, 12 },
        .children = SQ_CHILDREN(SQ_WIDGET(
            TEXT, .id = "snackbar_text", .get_text = message_text, .grow = true,
            .lines = 2, .pad = { 16, 14, 16, 14 }, .radius = 12,
            .fill = SQ_RGB(0x2d3040), .ink = SQ_RGB(0xf2f3fa))))));

const struct sq_demo_app *
sq_phone_shown(const struct sq_phone *phone) {
    return phone->locked ? &sq_demo_lock : sq_demo_apps[phone->app];
}

bool
sq_phone_scene(struct sq_phone *phone, struct sq_scene *out,
               struct sq_err *err) {
    const struct sq_demo_app *app = sq_phone_shown(phone);
    *out = (struct sq_scene){
        .phone = phone,
        .type = phone->type,
        .size = sq_phone_size(phone),
        .density = phone->options.density,
    };
    return sq_scene_build(out, &frame, app->screen, err);
}

void
sq_phone_open(struct sq_phone *phone, enum sq_app_id app) {
    sq_phone_react(phone, true, NULL);
    phone->snack[0] = '\0';
    phone->focus = SQ_NO_FIELD;
    phone->overview = false;
    phone->scroll[SQ_SCROLL_OTHER] = 0;
    phone->asleep = false;
    phone->app = app;
    phone->running[app] = true;
}

void
sq_phone_stop(struct sq_phone *phone, enum sq_app_id app) {
    sq_phone_react(phone, true, NULL);
    if (sq_demo_apps[app]->reset) {
        sq_demo_apps[app]->reset(phone);
    }
    phone->running[app] = false;
    if (phone->app == app) {
        sq_phone_open(phone, SQ_APP_LAUNCHER);
    }
}

void
sq_phone_show_message(struct sq_phone *phone, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(phone->snack, sizeof(phone->snack), format, args);
    va_end(args);
}

uint32_t
sq_phone_random(struct sq_phone *phone, uint32_t below) {
    phone->random = phone->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((phone->random >> 32) * below >> 32);
}

struct sq_phone_time
sq_phone_time(const struct sq_phone *phone) {
    int64_t ns = sq_phone_now_ns(phone);
    int64_t seconds = ns / NS_PER_S - (ns % NS_PER_S < 0);
    int64_t day = sq_days_of_seconds(seconds);
    int of_day = (int)(seconds - day * SQ_DAY_S);
    return (struct sq_phone_time){
        .day = day,
        .hour = of_day / 3600,
        .minute = of_day / 60 % 60,
        .second = of_day % 60,
    };
}

struct sq_span
sq_minute_text(const struct sq_phone *phone, const struct sq_widget *widget,
               char scratch[SQ_WIDGET_TEXT_SIZE]) {
    struct sq_phone_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%02d:%02d", time.hour, time.minute);
    return sq_span_of(scratch);
}

struct sq_span
sq_second_text(const struct sq_phone *phone, const struct sq_widget *widget,
               char scratch[SQ_WIDGET_TEXT_SIZE]) {
    struct sq_phone_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%02d:%02d:%02d", time.hour,
             time.minute, time.second);
    return sq_span_of(scratch);
}

struct sq_span
sq_date_text(const struct sq_phone *phone, const struct sq_widget *widget,
             char scratch[SQ_WIDGET_TEXT_SIZE]) {
    static const char *const weekdays[] = { "Sunday",    "Monday",   "Tuesday",
                                            "Wednesday", "Thursday", "Friday",
                                            "Saturday" };
    static const char *const months[] = { "January", "February", "March",
                                          "April",   "May",      "June",
                                          "July",    "August",   "September",
                                          "October", "November", "December" };
    int64_t day = sq_phone_time(phone).day;
    struct sq_date date = sq_date_from_days(day);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%s, %d %s",
             weekdays[sq_weekday_of_days(day)], date.day,
             months[date.month - 1]);
    return sq_span_of(scratch);
}

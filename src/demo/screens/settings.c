/* A long list of switches and links, with a search field above it. */
#include <stdio.h>

#include "demo/phone/screens.h"

bool
sq_phone_flag_is_on(const struct sq_phone *phone,
                    const struct sq_widget *widget) {
    return *(const bool *)((const char *)phone + widget->flag);
}

void
sq_phone_flag_toggle(struct sq_phone *phone, const struct sq_item *item) {
    bool *is_on = (bool *)((char *)phone + item->widget->flag);
    *is_on = !*is_on;
}

struct sq_span
sq_phone_flag_text(const struct sq_phone *phone, const struct sq_widget *widget,
                   char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)scratch;
    return sq_span_of(widget->texts[sq_phone_flag_is_on(phone, widget)]);
}

/*
 * Matches the search text with the title of a row: the first text of its second
 * child.
 */
static bool
matches_search(const struct sq_phone *phone, const struct sq_widget *row) {
    const char *text = row->children[1].children[0].text;
    struct sq_span word = sq_buf_span(&phone->fields[SQ_FIELD_SEARCH]);
    for (; *text; text++) {
        size_t i = 0;
        while (i < word.len
               && sq_ascii_lower(text[i]) == sq_ascii_lower(word.ptr[i])) {
            i++;
        }
        if (i == word.len) {
            return true;
        }
    }
    return word.len == 0;
}

static bool
is_not_searching(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->fields[SQ_FIELD_SEARCH].len == 0;
}

static void
show_summary(struct sq_phone *phone, const struct sq_item *row) {
    const struct sq_widget *texts = row->widget->children[1].children;
    sq_phone_show_message(phone, "%s: %s", texts[0].text, texts[1].text);
}

static void
open_about(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    phone->about = true;
    phone->scroll[SQ_SCROLL_OTHER] = 0;
}

static void
delete_files(struct sq_phone *phone, const struct sq_item *item) {
    sq_phone_flag_toggle(phone, item);
    sq_phone_show_message(phone, "3.4 GB are free again");
}

/* What a page or dialog covers is no part of the screen, as on Android. */
static bool
is_covered(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->about || phone->asks;
}

static bool
go_back(struct sq_phone *phone) {
    bool was_covered = is_covered(phone, NULL);
    phone->about = phone->asks = false;
    return was_covered;
}

static struct sq_span
screen_size_text(const struct sq_phone *phone, const struct sq_widget *widget,
                 char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%d x %d", phone->options.width,
             phone->options.height);
    return sq_span_of(scratch);
}

#define ICON(icon, colour)                                                     \
    SQ_WIDGET(IMAGE, .width = 40, .height = 40, .radius = 20,                  \
              .pad = { 9, 9, 9, 9 }, .fill = SQ_RGB(colour), .ink = SQ_WHITE,  \
              .drawing = &sq_icon_##icon)

#define WORDS(title, summary)                                                  \
    SQ_WIDGET(COLUMN, .grow = true,                                            \
              .children = SQ_CHILDREN(                                         \
                  SQ_WIDGET(TEXT, .id = "title", .text = title),               \
                  SQ_WIDGET(TEXT, .id = "summary", .text = summary,            \
                            .role = SQ_SMALL, .ink = SQ_INK_SOFT)))

#define ROW                                                                    \
    .kind = SQ_ROW, .id = "row", .shown = matches_search, .width = SQ_FILL,    \
    .pad = { 16, 13, 16, 13 }, .gap = 16, .align = SQ_MIDDLE

/* A row with a switch. A tap anywhere on it toggles the switch. */
#define TOGGLE(number, icon, colour, title, summary)                           \
    {                                                                          \
        ROW, .tap = sq_phone_flag_toggle, .flag = SQ_FLAG(switches[number]),   \
             .children =                                                       \
                 SQ_CHILDREN(ICON(icon, colour), WORDS(title, summary),        \
                             SQ_WIDGET(SWITCH, .id = "switch_widget",          \
                                       .chosen = sq_phone_flag_is_on,          \
                                       .flag = SQ_FLAG(switches[number])))     \
    }

#define LINK(icon, colour, title, summary, ...)                                \
    {                                                                          \
        ROW, .tap = __VA_ARGS__,                                               \
             .children = SQ_CHILDREN(                                          \
                 ICON(icon, colour), WORDS(title, summary),                    \
                 SQ_WIDGET(IMAGE, .width = 22, .height = 22,                   \
                           .ink = SQ_LINE_FIRM, .drawing = &sq_icon_chevron))  \
    }

#define HEADING(title)                                                         \
    SQ_WIDGET(TEXT, .text = title, .shown = is_not_searching,                  \
              .role = SQ_LABEL, .ink = SQ_PRIMARY, .pad = { 6, 14, 0, 0 })

/* A card with related rows. */
#define CARD(...)                                                              \
    SQ_WIDGET(COLUMN, .width = SQ_FILL, .radius = 20, .fill = SQ_CARD,         \
              .children = SQ_CHILDREN(__VA_ARGS__))

enum {
    BLUE = 0x3b6fe0,
    GREEN = 0x2f9a5f,
    ORANGE = 0xe0812f,
    PURPLE = 0x7a56c9,
    RED = 0xd04a4a,
    TEAL = 0x1f8f94,
    GREY = 0x66708a,
    PINK = 0xc44a86,
    BROWN = 0x8a6a4a,
};

/* The initial state of the switches. */
static const bool initial_switches[SQ_MAX_SWITCHES] = {
    [0] = true,  [1] = true,  [5] = true,  [9] = true,
    [12] = true, [15] = true, [17] = true, [21] = true,
};

static void
reset(struct sq_phone *phone) {
    memcpy(phone->switches, initial_switches, sizeof(phone->switches));
    phone->scroll[SQ_SCROLL_SETTINGS] = 0;
    phone->about = phone->asks = false;
    sq_buf_clear(&phone->fields[SQ_FIELD_SEARCH]);
}

static const struct sq_widget rows[] = {
    HEADING("Network and internet"),
    CARD(TOGGLE(0, wifi, BLUE, "Wi-Fi", "Connected to Squint Lab"),
         TOGGLE(1, signal, BLUE, "Mobile data", "4G, 2.1 GB used"),
         TOGGLE(2, plane, BLUE, "Aeroplane mode", "All radios off"),
         TOGGLE(3, wifi, BLUE, "Hotspot", "Share the connection"),
         LINK(shield, BLUE, "VPN", "None", show_summary)),
    HEADING("Connected devices"),
    CARD(
        TOGGLE(4, bluetooth, TEAL, "Bluetooth", "Find nearby devices"),
        TOGGLE(5, touch, TEAL, "NFC", "Pay and pair by touch"),
        LINK(display, TEAL, "Cast", "Show the screen elsewhere", show_summary)),
    HEADING("Display"),
    CARD(TOGGLE(6, phone, ORANGE, "Dark theme", "Easier on the eyes at night"),
         TOGGLE(7, sun, ORANGE, "Adaptive brightness", "Follows the room"),
         TOGGLE(8, sun, ORANGE, "Night light", "Warmer colours after sunset"),
         TOGGLE(9, rotate, ORANGE, "Auto-rotate", "Turn with the phone"),
         LINK(type, ORANGE, "Font size", "Default", show_summary),
         LINK(picture, ORANGE, "Wallpaper", "Dusk", show_summary),
         LINK(clock, ORANGE, "Screen timeout", "After 30 seconds",
              show_summary)),
    HEADING("Sound"),
    CARD(LINK(volume, PINK, "Ringtone", "Morning dew", show_summary),
         TOGGLE(10, phone, PINK, "Vibrate for calls", "Before it rings"),
         TOGGLE(11, touch, PINK, "Touch sounds", "A click for every tap"),
         TOGGLE(12, quiet, PINK, "Do not disturb", "From 22:00 to 07:00")),
    HEADING("Notifications"),
    CARD(LINK(bell, RED, "App notifications", "8 apps may send some",
              show_summary),
         TOGGLE(13, bell, RED, "Notification dots", "On app icons"),
         TOGGLE(14, info, RED, "Bubbles", "Let conversations float")),
    HEADING("Battery and storage"),
    CARD(TOGGLE(15, battery, GREEN, "Battery percentage", "In the status bar"),
         TOGGLE(16, battery, GREEN, "Battery saver", "Off until 15 %"),
         LINK(storage, GREEN, "Storage", "61 of 128 GB used",
              sq_phone_flag_toggle, .flag = SQ_FLAG(asks)),
         TOGGLE(17, storage, GREEN, "Clean up by itself", "Old downloads")),
    HEADING("Security and privacy"),
    CARD(LINK(lock, PURPLE, "Screen lock", "PIN", show_summary),
         TOGGLE(18, touch, PURPLE, "Fingerprint", "None enrolled"),
         TOGGLE(19, pin, PURPLE, "Location", "Off for all apps"),
         TOGGLE(20, picture, PURPLE, "Camera access", "For all apps"),
         TOGGLE(21, volume, PURPLE, "Microphone access", "For all apps")),
    HEADING("Accessibility"),
    CARD(TOGGLE(22, volume, BROWN, "Screen reader", "Speaks what you touch"),
         TOGGLE(23, sun, BROWN, "Colour correction", "For the colour blind"),
         TOGGLE(24, display, BROWN, "Magnification", "Triple-tap to zoom")),
    HEADING("System"),
    CARD(LINK(globe, GREY, "Languages", "English", show_summary),
         LINK(clock, GREY, "Date and time", "Coordinated universal time",
              show_summary),
         TOGGLE(25, storage, GREY, "Backup", "Every night on Wi-Fi"),
         TOGGLE(26, gear, GREY, "Developer options", "For the curious"),
         LINK(info, GREY, "About phone", "squint demo phone", open_about)),
    { .kind = SQ_WIDGET_END },
};

#define FACT(fact_id, name, ...)                                               \
    SQ_WIDGET(COLUMN, .width = SQ_FILL, .pad = { 18, 14, 18, 14 },             \
              .children =                                                      \
                  SQ_CHILDREN(SQ_WIDGET(TEXT, .text = name, .role = SQ_SMALL,  \
                                        .ink = SQ_INK_SOFT),                   \
                              SQ_WIDGET(TEXT, .id = fact_id, __VA_ARGS__)))

#define BACK_BUTTON                                                            \
    SQ_WIDGET(IMAGE, .id = "up", .desc = "Navigate up",                        \
              .tap = sq_phone_flag_toggle, .flag = SQ_FLAG(about),             \
              .width = 44, .height = 44, .pad = { 10, 10, 10, 10 },            \
              .drawing = &sq_icon_back)

static const struct sq_widget dialog[] = {
    SQ_WIDGET(TEXT, .id = "alertTitle", .text = "Delete old downloads?",
              .role = SQ_TITLE),
    SQ_WIDGET(TEXT, .id = "message", .text = "12 files, 3.4 GB",
              .ink = SQ_INK_SOFT),
    SQ_WIDGET(BUTTON, .id = "button2", .text = "Cancel", .width = SQ_FILL,
              .tap = sq_phone_flag_toggle, .flag = SQ_FLAG(asks),
              .ink = SQ_PRIMARY),
    SQ_WIDGET(BUTTON, .id = "button1", .text = "Delete", .width = SQ_FILL,
              .tap = delete_files, .flag = SQ_FLAG(asks), .ink = SQ_PRIMARY),
    { .kind = SQ_WIDGET_END },
};

static const struct sq_widget screen = SQ_WIDGET(
    STACK, .width = SQ_FILL, .height = SQ_FILL, .align = SQ_MIDDLE,
    .children = SQ_CHILDREN(
        SQ_WIDGET(
            COLUMN, .hidden = is_covered, .width = SQ_FILL, .height = SQ_FILL,
            .children = SQ_CHILDREN(
                SQ_WIDGET(COLUMN, .width = SQ_FILL, .pad = { 16, 12, 16, 10 },
                          .gap = 12,
                          .children = SQ_CHILDREN(
                              SQ_WIDGET(TEXT, .id = "toolbar_title",
                                        .text = "Settings", .role = SQ_HEADLINE,
                                        .pad = { 4, 0, 0, 0 }),
                              SQ_WIDGET(FIELD, .id = "search",
                                        .hint = "Search settings",
                                        .arg = SQ_FIELD_SEARCH))),
                SQ_WIDGET(SCROLL, .id = "recycler_view",
                          .arg = SQ_SCROLL_SETTINGS, .width = SQ_FILL,
                          .grow = true, .pad = { 16, 0, 16, 24 }, .gap = 8,
                          .children = rows))),
        SQ_WIDGET(
            SCROLL, .id = "about", .shown = sq_phone_flag_is_on,
            .flag = SQ_FLAG(about), .arg = SQ_SCROLL_OTHER, .width = SQ_FILL,
            .height = SQ_FILL, .pad = { 16, 10, 16, 24 }, .gap = 16,
            .children = SQ_CHILDREN(
                SQ_WIDGET(ROW, .width = SQ_FILL, .gap = 10, .align = SQ_MIDDLE,
                          .children = SQ_CHILDREN(
                              BACK_BUTTON,
                              SQ_WIDGET(TEXT, .text = "About phone",
                                        .role = SQ_TITLE, .grow = true))),
                CARD(FACT("model", "Model", .text = "squint demo phone"),
                     FACT("screen", "Screen", .get_text = screen_size_text),
                     FACT("version", "Version", .text = SQ_VERSION),
                     FACT("serial", "Serial number", .text = SQ_DEMO_ID)))),
        SQ_WIDGET(STACK, .shown = sq_phone_flag_is_on, .flag = SQ_FLAG(asks),
                  .width = SQ_FILL, .height = SQ_FILL, .fill = SQ_RGB(0x85878e),
                  .pad = { 28, 0, 28, 0 },
                  .children = SQ_CHILDREN(SQ_WIDGET(
                      COLUMN, .gravity = SQ_MIDDLE, .width = SQ_FILL,
                      .pad = { 24, 24, 24, 16 }, .gap = 14, .radius = 28,
                      .fill = SQ_CARD, .children = dialog)))));

const struct sq_demo_app sq_app_settings = {
    .name = "settings",
    .label = "Settings",
    .activity = ".SettingsActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_gear,
    .icon_fill = SQ_RGB(0x5b6b8c),
    .reset = reset,
    .back = go_back,
};

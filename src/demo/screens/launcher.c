/* The home screen: the time, the apps and the list of running apps. */
#include "demo/phone/screens.h"

static bool
is_running(const struct sq_phone *phone, const struct sq_widget *widget) {
    return phone->running[widget->arg];
}

static bool
no_app_runs(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    for (int app = SQ_APP_LAUNCHER + 1; app < SQ_APPS; app++) {
        if (phone->running[app]) {
            return false;
        }
    }
    return true;
}

static struct sq_span
label_text(const struct sq_phone *phone, const struct sq_widget *widget,
           char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)phone;
    (void)scratch;
    return sq_span_of(sq_demo_apps[widget->arg]->label);
}

static void
open_app(struct sq_phone *phone, const struct sq_item *item) {
    sq_phone_open(phone, (enum sq_app_id)item->widget->arg);
}

static void
show_package(struct sq_phone *phone, const struct sq_item *item) {
    const struct sq_demo_app *app = sq_demo_apps[item->widget->arg];
    sq_phone_show_message(phone, "%s: " SQ_DEMO_PACKAGE "%s", app->label,
                          app->name);
}

static void
stop_all(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    for (int app = SQ_APP_LAUNCHER + 1; app < SQ_APPS; app++) {
        if (phone->running[app]) {
            sq_phone_stop(phone, (enum sq_app_id)app);
        }
    }
}

static bool
go_back(struct sq_phone *phone) {
    phone->overview = false;
    return true;
}

static void
paint_hill(struct sq_canvas *canvas, struct sq_size size, float x, float top,
           sq_colour colour) {
    float r = (float)sq_size_long_side(size) * 0.66f;
    struct sq_shape disc = {
        SQ_DISC, { x * (float)size.width, top * (float)size.height + r, r }
    };
    sq_canvas_shape(canvas, disc, colour);
}

/* Paints hills at dusk. */
static void
paint_wallpaper(struct sq_canvas *canvas, struct sq_size size) {
    float x = (float)size.width * 0.78f;
    float y = (float)size.height * 0.35f;
    float r = (float)sq_size_short_side(size) * 0.11f;
    sq_canvas_shape(canvas, (struct sq_shape){ SQ_DISC, { x, y, r * 1.45f } },
                    SQ_FADED(0xffd9a8, 16));
    sq_canvas_shape(canvas, (struct sq_shape){ SQ_DISC, { x, y, r } },
                    SQ_RGB(0xf6c08e));
    paint_hill(canvas, size, 0.10f, 0.64f, SQ_RGB(0x5d4a91));
    paint_hill(canvas, size, 1.05f, 0.73f, SQ_RGB(0x453a7c));
    paint_hill(canvas, size, 0.25f, 0.87f, SQ_RGB(0x2d2a60));
}

#define APP(app)                                                               \
    SQ_WIDGET(APP, .id = "icon", .get_text = label_text, .arg = (app),         \
              .tap = open_app, .long_press = show_package)

#define RUNNING(app, picture, colour)                                          \
    SQ_WIDGET(ROW, .id = "task", .shown = is_running, .arg = (app),            \
              .tap = open_app, .width = SQ_FILL, .pad = { 16, 14, 16, 14 },    \
              .gap = 16, .align = SQ_MIDDLE, .radius = 22, .fill = SQ_CARD,    \
              .children = SQ_CHILDREN(                                         \
                  SQ_WIDGET(IMAGE, .width = 44, .height = 44,                  \
                            .pad = { 10, 10, 10, 10 }, .radius = 14,           \
                            .fill = SQ_RGB(colour), .ink = SQ_WHITE,           \
                            .drawing = &(picture)),                            \
                  SQ_WIDGET(TEXT, .id = "task_label", .get_text = label_text,  \
                            .arg = (app), .role = SQ_SUBTITLE, .grow = true),  \
                  SQ_WIDGET(IMAGE, .ink = SQ_INK_SOFT,                         \
                            .drawing = &sq_icon_chevron)))

#define HOME                                                                   \
    SQ_WIDGET(TEXT, .id = "clock", .get_text = sq_minute_text,                 \
              .role = SQ_GIANT, .ink = SQ_WHITE),                              \
        SQ_WIDGET(TEXT, .id = "date", .get_text = sq_date_text,                \
                  .role = SQ_BODY, .ink = SQ_FADED(0xffffff, 85)),             \
        SQ_WIDGET(STACK, .grow = true),                                        \
        SQ_WIDGET(GRID, .id = "apps", .width = SQ_FILL, .max_width = 720,      \
                  .cell = 84,                                                  \
                  .children =                                                  \
                      SQ_CHILDREN(APP(SQ_APP_SETTINGS), APP(SQ_APP_LOGIN),     \
                                  APP(SQ_APP_SHOP), APP(SQ_APP_GAME),          \
                                  APP(SQ_APP_CLOCK), APP(SQ_APP_ANIMATION),    \
                                  APP(SQ_APP_SECURE), APP(SQ_APP_ROTATE)))

static const struct sq_widget screen = SQ_WIDGET(
    STACK, .width = SQ_FILL, .height = SQ_FILL, .align = SQ_MIDDLE,
    .children = SQ_CHILDREN(
        SQ_WIDGET(COLUMN, .id = "workspace", .hidden = sq_phone_flag_is_on,
                  .flag = SQ_FLAG(overview), .width = SQ_FILL,
                  .height = SQ_FILL, .pad = { 16, 30, 16, 24 },
                  .align = SQ_MIDDLE, .children = SQ_CHILDREN(HOME)),
        SQ_WIDGET(
            SCROLL, .id = "overview", .shown = sq_phone_flag_is_on,
            .flag = SQ_FLAG(overview), .arg = SQ_SCROLL_OTHER, .width = SQ_FILL,
            .height = SQ_FILL, .max_width = 600, .pad = { 20, 28, 20, 20 },
            .gap = 10,
            .children = SQ_CHILDREN(
                SQ_WIDGET(TEXT, .text = "Running apps", .role = SQ_HEADLINE,
                          .ink = SQ_WHITE, .pad = { 4, 0, 0, 10 }),
                SQ_WIDGET(TEXT, .shown = no_app_runs,
                          .text = "Nothing is running",
                          .ink = SQ_FADED(0xffffff, 85), .pad = { 4, 0, 0, 0 }),
                RUNNING(SQ_APP_SETTINGS, sq_icon_gear, 0x5b6b8c),
                RUNNING(SQ_APP_LOGIN, sq_icon_person, 0x3557d6),
                RUNNING(SQ_APP_SHOP, sq_icon_bag, 0xe0663d),
                RUNNING(SQ_APP_GAME, sq_icon_target, 0xc23b6b),
                RUNNING(SQ_APP_CLOCK, sq_icon_clock, 0x1c7f6e),
                RUNNING(SQ_APP_ANIMATION, sq_icon_spinner, 0x7a4fd0),
                RUNNING(SQ_APP_SECURE, sq_icon_lock, 0x2b3145),
                RUNNING(SQ_APP_ROTATE, sq_icon_rotate, 0x2f7fb5),
                SQ_WIDGET(BUTTON, .id = "clear_all", .hidden = no_app_runs,
                          .text = "Clear all", .tap = stop_all,
                          .role = SQ_LABEL, .pad = { 22, 0, 22, 0 },
                          .radius = 24, .fill = SQ_FADED(0xffffff, 24),
                          .ink = SQ_WHITE)))));

const struct sq_demo_app sq_app_launcher = {
    .name = "launcher",
    .label = "Launcher",
    .activity = ".LauncherActivity",
    .screen = &screen,
    .background = SQ_RGB(0x1c2a6b),
    .background_end = SQ_RGB(0xc98aa8),
    .wallpaper = paint_wallpaper,
    .bar_ink = SQ_WHITE,
    .icon = &sq_icon_grid,
    .icon_fill = SQ_RGB(0x5c6070),
    .back = go_back,
};

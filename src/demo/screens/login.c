/* A login form: two fields, a button and a message. */
#include "demo/phone/screens.h"

static void
reset(struct sq_phone *phone) {
    sq_buf_clear(&phone->fields[SQ_FIELD_USERNAME]);
    sq_buf_clear(&phone->fields[SQ_FIELD_PASSWORD]);
    phone->login = SQ_LOGIN_OPEN;
    phone->remember = false;
    phone->scroll[SQ_SCROLL_LOGIN] = 0;
}

static void
sign_in(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    if (phone->fields[SQ_FIELD_USERNAME].len == 0
        || phone->fields[SQ_FIELD_PASSWORD].len == 0) {
        phone->login = SQ_LOGIN_REFUSED;
        return;
    }
    phone->login = SQ_LOGIN_DONE;
    phone->focus = SQ_NO_FIELD;
    phone->scroll[SQ_SCROLL_LOGIN] = 0;
}

static void
sign_out(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    bool remember = phone->remember;
    struct sq_buf name = phone->fields[SQ_FIELD_USERNAME];
    size_t len = name.len;
    reset(phone);
    if (remember) {
        sq_buf_commit(&phone->fields[SQ_FIELD_USERNAME], len);
        phone->remember = true;
    }
}

static void
to_password(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    phone->focus = SQ_FIELD_PASSWORD;
}

static void
help(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    sq_phone_show_message(phone, "Any password will do on a demo phone");
}

static bool
is_signed_in(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->login == SQ_LOGIN_DONE;
}

static bool
is_refused(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->login == SQ_LOGIN_REFUSED
        && (phone->fields[SQ_FIELD_USERNAME].len == 0
            || phone->fields[SQ_FIELD_PASSWORD].len == 0);
}

static struct sq_span
error_text(const struct sq_phone *phone, const struct sq_widget *widget,
           char scratch[SQ_WIDGET_TEXT_SIZE]) {
    bool has_name = phone->fields[SQ_FIELD_USERNAME].len > 0;
    bool has_password = phone->fields[SQ_FIELD_PASSWORD].len > 0;
    (void)widget;
    (void)scratch;
    return has_name     ? SQ_SPAN("Enter your password")
         : has_password ? SQ_SPAN("Enter your username")
                        : SQ_SPAN("Enter your username and password");
}

static struct sq_span
username(const struct sq_phone *phone, const struct sq_widget *widget,
         char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)widget;
    (void)scratch;
    return sq_buf_span(&phone->fields[SQ_FIELD_USERNAME]);
}

#define LOGO                                                                   \
    SQ_WIDGET(IMAGE, .width = 76, .height = 76, .radius = 24,                  \
              .pad = { 12, 12, 12, 12 }, .fill = SQ_PRIMARY,                   \
              .drawing = &sq_picture_eye)

static const struct sq_widget form[] = {
    LOGO,
    SQ_WIDGET(COLUMN, .width = SQ_FILL, .gap = 4, .pad = { 0, 12, 0, 12 },
              .children = SQ_CHILDREN(
                  SQ_WIDGET(TEXT, .id = "heading", .text = "Welcome back",
                            .role = SQ_HEADLINE),
                  SQ_WIDGET(TEXT, .text = "Sign in to see what your agent sees",
                            .lines = 2, .ink = SQ_INK_SOFT))),
    SQ_WIDGET(FIELD, .id = "username", .hint = "Username",
              .arg = SQ_FIELD_USERNAME, .enter = to_password),
    SQ_WIDGET(FIELD, .id = "password", .hint = "Password",
              .arg = SQ_FIELD_PASSWORD, .secret = true, .enter = sign_in),
    SQ_WIDGET(TEXT, .id = "error", .shown = is_refused, .get_text = error_text,
              .width = SQ_FILL, .role = SQ_SMALL, .pad = { 16, 10, 16, 10 },
              .radius = 12, .fill = SQ_ERROR_SOFT, .ink = SQ_ERROR),
    SQ_WIDGET(
        ROW, .width = SQ_FILL, .align = SQ_MIDDLE,
        .children = SQ_CHILDREN(
            SQ_WIDGET(CHECKBOX, .id = "remember", .text = "Remember me",
                      .role = SQ_SMALL, .chosen = sq_phone_flag_is_on,
                      .tap = sq_phone_flag_toggle, .flag = SQ_FLAG(remember)),
            SQ_WIDGET(STACK, .grow = true),
            SQ_WIDGET(TEXT, .id = "forgot", .text = "Forgot password?",
                      .role = SQ_SMALL, .tap = help, .pad = { 8, 12, 2, 12 },
                      .ink = SQ_PRIMARY))),
    SQ_WIDGET(BUTTON, .id = "sign_in", .text = "Sign in", .tap = sign_in,
              .width = SQ_FILL, .height = 54, .radius = 27, .role = SQ_SUBTITLE,
              .fill = SQ_PRIMARY),
    { .kind = SQ_WIDGET_END },
};

static const struct sq_widget screen = SQ_WIDGET(
    SCROLL, .id = "content", .arg = SQ_SCROLL_LOGIN, .width = SQ_FILL,
    .height = SQ_FILL, .align = SQ_MIDDLE, .pad = { 24, 44, 24, 32 },
    .children = SQ_CHILDREN(
        SQ_WIDGET(COLUMN, .hidden = is_signed_in, .width = SQ_FILL,
                  .max_width = 460, .gap = 14, .children = form),
        SQ_WIDGET(
            COLUMN, .shown = is_signed_in, .width = SQ_FILL, .max_width = 460,
            .gap = 18,
            .children = SQ_CHILDREN(
                LOGO,
                SQ_WIDGET(TEXT, .id = "greeting", .text = "Welcome, ",
                          .get_text = username, .width = SQ_FILL,
                          .role = SQ_HEADLINE, .lines = 4),
                SQ_WIDGET(TEXT, .text = "You are signed in.", .width = SQ_FILL,
                          .pad = { 16, 12, 16, 12 }, .radius = 12,
                          .fill = SQ_GOOD_SOFT, .ink = SQ_GOOD),
                SQ_WIDGET(BUTTON, .id = "sign_out", .text = "Sign out",
                          .tap = sign_out, .width = SQ_FILL, .height = 54,
                          .radius = 27, .role = SQ_SUBTITLE,
                          .fill = SQ_PRIMARY_SOFT, .ink = SQ_PRIMARY_DEEP)))));

const struct sq_demo_app sq_app_login = {
    .name = "login",
    .label = "Login",
    .activity = ".LoginActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_person,
    .icon_fill = SQ_RGB(0x3557d6),
    .reset = reset,
};

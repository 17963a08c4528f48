/* The state of a demo phone, and the functions that change it. */
#ifndef SQ_DEMO_PHONE_PHONE_H
#define SQ_DEMO_PHONE_PHONE_H

#include "demo/phone/options.h"
#include "demo/phone/scene.h"
#include "device/device.h"
#include "geom/fingers.h"

enum sq_field_id {
    SQ_FIELD_USERNAME,
    SQ_FIELD_PASSWORD,
    SQ_FIELD_SEARCH,
    SQ_FIELDS,
};
#define SQ_NO_FIELD (-1)
#define SQ_FIELD_MAX_BYTES ((size_t)64 << 10)

enum sq_scroll_id {
    SQ_SCROLL_SETTINGS,
    SQ_SCROLL_LOGIN,
    SQ_SCROLL_SHOP,
    SQ_SCROLL_CATEGORIES,
    SQ_SCROLL_OTHER,
    SQ_SCROLLS,
};

#define SQ_MAX_SWITCHES 40
#define SQ_MAX_PRODUCTS 12
#define SQ_SNACK_SIZE 128
#define SQ_DISCS 4
#define SQ_MIN_ZOOM 10 /* percent */
#define SQ_MAX_ZOOM 1000

enum sq_app_id {
    SQ_APP_LAUNCHER,
    SQ_APP_SETTINGS,
    SQ_APP_LOGIN,
    SQ_APP_SHOP,
    SQ_APP_GAME,
    SQ_APP_CLOCK,
    SQ_APP_ANIMATION,
    SQ_APP_SECURE,
    SQ_APP_ROTATE,
    SQ_APPS,
};

/* One app of the phone: one row in apps.c. */
struct sq_demo_app {
    const char *name; /* last part of the package name */
    const char *label;
    const char *activity;
    const struct sq_widget *screen;
    sq_colour background;
    sq_colour background_end; /* gradient end at the bottom; 0: none */
    void (*wallpaper)(struct sq_canvas *canvas, struct sq_size size);
    sq_colour bar_ink; /* of the status bar above it */
    bool secure;
    const struct sq_drawing *icon;
    sq_colour icon_fill;
    void (*reset)(struct sq_phone *phone); /* to the initial state */
    bool (*back)(struct sq_phone *phone);  /* returns false to leave the app */
};

extern const struct sq_demo_app sq_demo_apps[SQ_APPS];

/* The lock screen, which covers them. */
extern const struct sq_demo_app sq_demo_lock;

struct sq_disc {
    float x; /* fraction of the playing field, 0 to 1 */
    float y;
};

#define SQ_PHONE_KEY_SIZE 16

/* A tap or key to which the app has not yet reacted. */
struct sq_reaction {
    bool is_pending;
    int64_t due_ns;              /* by sq_clock_monotonic_ns */
    char key[SQ_PHONE_KEY_SIZE]; /* empty: a touch */
    struct sq_touch touch;
    struct sq_rect pressed; /* drawn darker until then; empty: nothing */
};

struct sq_phone {
    struct sq_device base;
    struct sq_demo_options options;
    struct sq_font *type;
    struct sq_reaction reaction;
    enum sq_app_id app; /* in the foreground */
    bool overview;      /* the launcher shows the running apps */
    bool running[SQ_APPS];
    bool asleep;
    bool locked; /* the lock screen covers the app */
    bool landscape;
    int focus; /* enum sq_field_id or SQ_NO_FIELD */
    /* Show the last character of a password for a moment, as Android does. */
    bool shows_typed;
    int64_t typed_ns; /* when text was typed; by the phone's clock */
    struct sq_buf fields[SQ_FIELDS];
    int scroll[SQ_SCROLLS];    /* pixels */
    struct sq_dev_pt touched;  /* position of the last touch */
    char snack[SQ_SNACK_SIZE]; /* message at the bottom; empty: none */

    bool switches[SQ_MAX_SWITCHES];
    bool about; /* the settings show the "about" page */

    enum sq_login {
        SQ_LOGIN_OPEN,
        SQ_LOGIN_REFUSED,
        SQ_LOGIN_DONE,
    } login;
    struct sq_buf greeting; /* "Welcome, NAME" */
    bool remember;

    int category;
    int cart;
    bool favourites[SQ_MAX_PRODUCTS];

    bool amounts_hidden;

    int zoom; /* of the picture in the app Rotate, in percent */
    int turn; /* of that picture, in degrees clockwise, 0 to 359 */

    uint64_t random;
    int score;
    struct sq_disc discs[SQ_DISCS];

    struct sq_buf clipboard; /* of the phone without adb */
    struct sq_buf kept; /* the state as last read or saved, with a keeper */
};

/* Returns what is on the screen: the app in the foreground, or the lock. */
const struct sq_demo_app *sq_phone_shown(const struct sq_phone *phone);

/* Returns nanoseconds since 1970 by the phone's clock. */
int64_t sq_phone_now_ns(const struct sq_phone *phone);

/* Returns the screen size in the current rotation. */
struct sq_size sq_phone_size(const struct sq_phone *phone);

/* Builds the scene of the foreground app. The caller calls sq_scene_finish. */
bool sq_phone_scene(struct sq_phone *phone, struct sq_scene *out,
                    struct sq_err *err);

/* Brings an app to the front and keeps its state. */
void sq_phone_open(struct sq_phone *phone, enum sq_app_id app);

/* Resets an app. If it is in the foreground, shows the launcher. */
void sq_phone_stop(struct sq_phone *phone, enum sq_app_id app);

void sq_phone_home(struct sq_phone *phone);

/* Returns the app that opens a URL, or SQ_APPS. */
enum sq_app_id sq_phone_app_of_url(struct sq_span url);

/* Shows a message at the bottom until the next touch or key. */
void sq_phone_show_message(struct sq_phone *phone, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns a uniform random number less than below. Depends on the seed only. */
uint32_t sq_phone_random(struct sq_phone *phone, uint32_t below);

/* Returns the contents of a text field. */
struct sq_span sq_phone_field(const struct sq_phone *phone, int field);

/* Clears a text field but keeps its memory. */
void sq_phone_clear_field(struct sq_phone *phone, int field);

/*
 * Performs what is pending if it is due, or at_once. What reads the state calls
 * this before; what changes it does so itself.
 */
bool sq_phone_react(struct sq_phone *phone, bool at_once, struct sq_err *err);

/*
 * Defers a tap (key is NULL) or key if apps react late. Returns false if they
 * do not, and for what follows from a tap or key.
 */
bool sq_phone_defer(struct sq_phone *phone, const struct sq_touch *touch,
                    const char *key, struct sq_rect pressed);

/*
 * Handle touches and keys. Points are in device pixels and on the screen. Taps
 * and keys may be performed later; see the options.
 */
bool sq_phone_tap(struct sq_phone *phone, const struct sq_touch *touch,
                  struct sq_err *err);
bool sq_phone_swipe(struct sq_phone *phone, const struct sq_swipe *swipe,
                    struct sq_err *err);
bool sq_phone_gesture(struct sq_phone *phone,
                      const struct sq_finger_paths *paths, struct sq_err *err);
bool sq_phone_type(struct sq_phone *phone, struct sq_span text,
                   struct sq_err *err);
bool sq_phone_key(struct sq_phone *phone, const char *name, struct sq_err *err);

/* Draws the screen. The canvas must have the size of the screen. */
bool sq_phone_paint(struct sq_phone *phone, struct sq_canvas *canvas,
                    struct sq_err *err);

/* Builds the accessibility tree of the screen. *out must be zeroed. */
bool sq_phone_list(struct sq_phone *phone, struct sq_tree *out,
                   struct sq_err *err);

#endif

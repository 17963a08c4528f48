/*
 * A demo phone: the widgets of which its screens are made, a screen after
 * layout, its state, and the functions that change, paint and keep it.
 */
#ifndef SQ_DEMO_PHONE_PHONE_H
#define SQ_DEMO_PHONE_PHONE_H

#include "demo/phone/options.h"
#include "device/device.h"
#include "image/draw/draw.h"

/*
 * A screen is a const tree of widgets, which defines its layout, painting,
 * accessibility tree and touch handling. Lengths are in dp, text sizes are
 * roles.
 */
enum sq_widget_kind {
    SQ_WIDGET_END,
    SQ_COLUMN, /* children from top to bottom */
    SQ_ROW,    /* children from left to right */
    SQ_STACK,  /* children on top of each other, by gravity */
    SQ_GRID,   /* as many columns of width `cell` as fit */
    SQ_SCROLL, /* a column that scrolls */
    SQ_STRIP,  /* a row that scrolls */
    SQ_TEXT,
    SQ_BUTTON,
    SQ_FIELD,
    SQ_SWITCH,
    SQ_CHECKBOX,
    SQ_IMAGE,
    SQ_APP,    /* a launcher icon with its label */
    SQ_CANVAS, /* custom painting, no elements */
    SQ_WIDGET_KINDS,
};

enum sq_role {
    SQ_BODY,
    SQ_SMALL,
    SQ_CAPTION,
    SQ_LABEL,
    SQ_SUBTITLE,
    SQ_TITLE,
    SQ_HEADLINE,
    SQ_DISPLAY,
    SQ_GIANT,
    SQ_ROLES,
};

/* Alignment in the free space along one axis. */
enum sq_align {
    SQ_START,
    SQ_MIDDLE,
    SQ_END,
};

#define SQ_FILL (-1) /* as width or height: all available space */
#define SQ_WIDGET_TEXT_SIZE 96

struct sq_phone;
struct sq_item;
struct sq_widget;

/* One colour of a drawing. */
struct sq_layer {
    sq_colour colour; /* 0: the widget's ink */
    const struct sq_shape *shapes;
};

/*
 * Layers from bottom to top, in a grid of units x units. NULL shapes end the
 * list.
 */
struct sq_drawing {
    float units;
    const struct sq_layer *layers;
};

/* Handles a touch. The item gives the position and the widget. */
typedef void (*sq_handler)(struct sq_phone *phone, const struct sq_item *item);

/* What several fingers did on a widget. */
struct sq_spread {
    double scale;   /* of the distances between them; above 1: apart */
    double degrees; /* clockwise */
};

typedef void (*sq_spread_handler)(struct sq_phone *phone,
                                  const struct sq_spread *spread);

struct sq_padding {
    short left, top, right, bottom;
};

struct sq_widget {
    enum sq_widget_kind kind;
    const char *id; /* without the package */
    const char *text;
    const char *desc;
    const char *hint;
    /*
     * Returns the current text, which follows text, if that is given. It may
     * point into scratch.
     */
    struct sq_span (*get_text)(const struct sq_phone *phone,
                               const struct sq_widget *widget,
                               char scratch[SQ_WIDGET_TEXT_SIZE]);
    /* Return whether it is shown, hidden or chosen; NULL: always, never. */
    bool (*shown)(const struct sq_phone *phone, const struct sq_widget *widget);
    bool (*hidden)(const struct sq_phone *phone,
                   const struct sq_widget *widget);
    bool (*chosen)(const struct sq_phone *phone,
                   const struct sq_widget *widget);
    sq_handler tap;
    sq_handler long_press;
    sq_handler double_tap;
    sq_spread_handler spread;
    sq_handler enter; /* FIELD only: the enter key */
    /* CANVAS only. */
    bool (*paint)(struct sq_phone *phone, struct sq_canvas *canvas,
                  const struct sq_item *item, struct sq_err *err);
    int arg;     /* index of its field, scroll, app or product */
    size_t flag; /* SQ_FLAG of the bool of the phone that it is about */
    const char *texts[2]; /* for sq_phone_flag_text: of false and of true */
    const struct sq_drawing *drawing;
    /* Returns the percentage of its size at which a drawing is painted. */
    int (*zoom)(const struct sq_phone *phone);
    short width, height; /* 0: as large as its content */
    short max_width;     /* 0: none */
    short cell;          /* GRID only: minimum column width */
    struct sq_padding pad;
    short gap;
    bool grow; /* takes the remaining space */
    bool secret;
    enum sq_align align;   /* of children or text, across the main direction */
    enum sq_align gravity; /* vertical position in a STACK */
    enum sq_role role;
    short lines; /* TEXT only: maximum; 0: one */
    short radius;
    sq_colour ink;  /* 0: the default */
    sq_colour fill; /* 0: none */
    const struct sq_widget *children;
};

#define SQ_FLAG(member) offsetof(struct sq_phone, member)

/* Makes a widget of a kind with members such as .text = "Login". */
#define SQ_WIDGET(which, ...)                                                  \
    { .kind = SQ_##which, __VA_ARGS__ }

/* Makes the children of a widget, with the end marker. */
#define SQ_CHILDREN(...)                                                       \
    (const struct sq_widget[]) {                                               \
        __VA_ARGS__, {                                                         \
            .kind = SQ_WIDGET_END                                              \
        }                                                                      \
    }

/*
 * A screen after layout: the positions of all items. Painting, listing and hit
 * testing use the same items.
 */
#define SQ_STATUS_BAR_DP 30  /* at the top, not part of any app */
#define SQ_GESTURE_BAR_DP 20 /* at the bottom */
#define SQ_CHECKBOX_DP 32    /* from the left of a CHECKBOX to its text */

struct sq_item {
    const struct sq_widget *widget;
    struct sq_span text;
    struct sq_rect bounds;
    struct sq_rect seen; /* the part inside the screen */
    int width;           /* as measured */
    int height;
    int content; /* total length of children, if scrollable */
    struct sq_item *parent;
    struct sq_item *first_child;
    struct sq_item *next;
};

/* Spans and items live in the arena. */
struct sq_scene {
    struct sq_arena arena;
    struct sq_item *root;
    const struct sq_phone *phone;
    struct sq_font *type;
    struct sq_size size;
    double density;
};

/* Return lengths in pixels, or a font face scaled to pixels. */
int sq_scene_px(const struct sq_scene *scene, double dp);
struct sq_face sq_scene_face(const struct sq_scene *scene, enum sq_role role);
int sq_scene_line_height(const struct sq_scene *scene, enum sq_role role);

/*
 * Builds the scene of one screen inside the phone's frame. The caller sets
 * phone, type, size and density of *scene, and later calls sq_scene_finish.
 */
bool sq_scene_build(struct sq_scene *scene, const struct sq_widget *frame,
                    const struct sq_widget *screen, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_scene_finish(struct sq_scene *scene);

/*
 * Takes the next line of a text that is wrapped at spaces to fit a width. The
 * last allowed line gets the whole rest. Returns false if no text is left.
 */
struct sq_breaker {
    struct sq_span rest;
    int lines_left;
    int max_width;
    struct sq_face face;
};
bool sq_breaker_next(struct sq_breaker *breaker, struct sq_font *type,
                     struct sq_span *line, bool *ok, struct sq_err *err);

/* Returns the next item in document order, or NULL after the last. */
const struct sq_item *sq_item_after(const struct sq_item *item);

/* Returns the topmost visible item at the point, or NULL. */
const struct sq_item *sq_scene_at(const struct sq_scene *scene,
                                  struct sq_dev_pt point);

/* Returns how far a SCROLL or STRIP can be scrolled, in pixels. */
int sq_item_scroll_range(const struct sq_item *item);

static inline bool
sq_item_is(const struct sq_item *item, enum sq_widget_kind kind) {
    return item->widget->kind == kind;
}

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

/* One app of the phone: a file in demo/screens. */
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

extern const struct sq_demo_app *const sq_demo_apps[SQ_APPS];

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
    bool asks;  /* the settings show a dialog */

    enum sq_login {
        SQ_LOGIN_OPEN,
        SQ_LOGIN_REFUSED,
        SQ_LOGIN_DONE,
    } login;
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

/* Returns the app that opens a URL, or SQ_APPS. */
enum sq_app_id sq_phone_app_of_url(struct sq_span url);

/* Returns the app with that package name, or SQ_APPS if there is none. */
enum sq_app_id sq_phone_app_of(struct sq_span package);

/* Shows a message at the bottom until the next touch or key. */
void sq_phone_show_message(struct sq_phone *phone, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns a uniform random number less than below. Depends on the seed only. */
uint32_t sq_phone_random(struct sq_phone *phone, uint32_t below);

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

#define SQ_PHONE_STATE_MAX                                                     \
    ((size_t)3 << 20) /* full text fields and clipboard, escaped */

/* Appends the whole state, except the clock. */
bool sq_phone_save(const struct sq_phone *phone, struct sq_buf *out,
                   struct sq_err *err);

/*
 * Sets the state from text that sq_phone_save wrote. Fails with SQ_ERR_FORMAT
 * if it is not such a text, with SQ_ERR_UNSUPPORTED if it is of another version
 * of this format, or of a phone with another size, density or seed. The phone
 * is unchanged on failure.
 */
bool sq_phone_restore(struct sq_phone *phone, struct sq_span text,
                      struct sq_err *err);

#endif

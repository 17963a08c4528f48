/*
 * The language of the screen tables. A screen is a const tree of widgets; how
 * it is laid out, drawn, listed and touched follows from it. Lengths are in
 * dp, text sizes in roles.
 */
#ifndef SQ_DEVICE_DEMO_WIDGET_H
#define SQ_DEVICE_DEMO_WIDGET_H

#include "image/canvas.h"
#include "util/err.h"
#include "util/span.h"

enum sq_widget_kind {
    SQ_WIDGET_END,
    SQ_COLUMN, /* children below each other */
    SQ_ROW,    /* beside each other */
    SQ_STACK,  /* on top of each other, each by its own gravity */
    SQ_GRID,   /* in as many columns of `cell` as fit */
    SQ_SCROLL, /* a column that is moved by swipes */
    SQ_STRIP,  /* a row that is moved by swipes */
    SQ_TEXT,
    SQ_BUTTON,
    SQ_FIELD,
    SQ_SWITCH,
    SQ_CHECKBOX,
    SQ_IMAGE,
    SQ_APP,    /* an icon of the launcher with its label */
    SQ_CANVAS, /* pixels only */
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

/* Where something lies in what is left over, along one axis. */
enum sq_align {
    SQ_START,
    SQ_MIDDLE,
    SQ_END,
};

#define SQ_FILL (-1) /* a width or height: all there is */
#define SQ_SAY_SIZE 96

struct sq_phone;
struct sq_item;
struct sq_widget;

/* One colour of a drawing. */
struct sq_layer {
    sq_colour colour; /* 0: the widget's ink */
    const struct sq_shape *shapes;
};

/* Layers in a grid of so many units, bottom first; NULL shapes end them. */
struct sq_drawing {
    float units;
    const struct sq_layer *layers;
};

/* What a touch does; the item tells where and to which widget. */
typedef bool (*sq_handler)(struct sq_phone *phone, const struct sq_item *item,
                           struct sq_err *err);

struct sq_padding {
    short left, top, right, bottom;
};

struct sq_widget {
    enum sq_widget_kind kind;
    const char *id; /* without the package */
    const char *text;
    const char *desc;
    const char *hint;
    /* Instead of text: the text now; it may lie in scratch. */
    struct sq_span (*say)(const struct sq_phone *phone,
                          const struct sq_widget *widget,
                          char scratch[SQ_SAY_SIZE]);
    bool (*shown)(const struct sq_phone *phone, const struct sq_widget *widget);
    bool (*chosen)(const struct sq_phone *phone,
                   const struct sq_widget *widget);
    sq_handler tap;
    sq_handler long_press;
    sq_handler double_tap;
    sq_handler enter; /* of a FIELD: the enter key */
    /* Of a CANVAS. */
    bool (*paint)(struct sq_phone *phone, struct sq_canvas *canvas,
                  const struct sq_item *item, struct sq_err *err);
    int arg; /* which switch, field, scroll, app or product it is */
    const struct sq_drawing *drawing;
    short width, height; /* 0: as its content needs */
    short max_width;     /* 0: none */
    short cell;          /* of a GRID: the least width of a column */
    struct sq_padding pad;
    short gap;
    bool grow; /* takes what its siblings leave over */
    bool secret;
    enum sq_align align;   /* of children, or of text, across the direction */
    enum sq_align gravity; /* in a STACK, downwards */
    enum sq_role role;
    short lines; /* of TEXT, at most; 0: one */
    short radius;
    sq_colour ink;  /* 0: the usual one */
    sq_colour fill; /* 0: none */
    const struct sq_widget *children;
};

/* The children of a widget, in a table. */
#define SQ_CHILDREN(...)                                                       \
    (const struct sq_widget[]) {                                               \
        __VA_ARGS__, {                                                         \
            .kind = SQ_WIDGET_END                                              \
        }                                                                      \
    }

#endif

/*
 * The widget types of which screens are made. A screen is a const tree of
 * widgets, which defines its layout, painting, accessibility tree and touch
 * handling. Lengths are in dp, text sizes are roles.
 */
#ifndef SQ_DEMO_PHONE_WIDGET_H
#define SQ_DEMO_PHONE_WIDGET_H

#include "image/draw/draw.h"
#include "util/err.h"
#include "util/span.h"

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
typedef bool (*sq_handler)(struct sq_phone *phone, const struct sq_item *item,
                           struct sq_err *err);

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
     * Returns the current text, used instead of text. It may point into
     * scratch.
     */
    struct sq_span (*get_text)(const struct sq_phone *phone,
                               const struct sq_widget *widget,
                               char scratch[SQ_WIDGET_TEXT_SIZE]);
    bool (*shown)(const struct sq_phone *phone, const struct sq_widget *widget);
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
    int arg; /* index of its switch, field, scroll, app or product */
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

/* Makes the children of a widget, with the end marker. */
#define SQ_CHILDREN(...)                                                       \
    (const struct sq_widget[]) {                                               \
        __VA_ARGS__, {                                                         \
            .kind = SQ_WIDGET_END                                              \
        }                                                                      \
    }

#endif

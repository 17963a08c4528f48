/* Paints the items of a scene, the status bar and the gesture bar. */

#include "demo/phone/screens.h"
#include "util/utf8.h"

#define ICON_DP 17
#define EDGE_DP 22
#define BULLET "\u2022"
#define MAX_BULLETS 64
#define HIDDEN_BYTES ((MAX_BULLETS + 1) * sizeof(BULLET))
#define SHOWN_NS ((int64_t)1500 * 1000000) /* as on Android */

/* Paints the time and icons at the top and the gesture bar at the bottom. */
static bool
paint_bars(const struct sq_phone *phone, const struct sq_scene *scene,
           struct sq_canvas *canvas, struct sq_err *err) {
    static const struct sq_drawing *const icons[] = { &sq_icon_battery,
                                                      &sq_icon_wifi,
                                                      &sq_icon_signal };
    char scratch[SQ_WIDGET_TEXT_SIZE];
    sq_colour ink = sq_phone_shown(phone)->bar_ink;
    struct sq_face face = sq_scene_face(scene, SQ_LABEL);
    int height = sq_scene_px(scene, SQ_STATUS_BAR_DP);
    int edge = sq_scene_px(scene, EDGE_DP);
    int side = sq_scene_px(scene, ICON_DP);
    int middle = height / 2 + sq_scene_px(scene, 2);
    float x = (float)(scene->size.width - edge);
    for (size_t i = 0; i < SQ_COUNT(icons); i++) {
        x -= (float)side;
        struct sq_placement at = { x, (float)(middle - side / 2),
                                   (float)side / icons[i]->units };
        sq_canvas_shapes(canvas, icons[i]->layers[0].shapes, at, ink);
        x -= (float)sq_scene_px(scene, 3);
    }
    float middle_x = (float)scene->size.width / 2;
    float bar = (float)sq_scene_px(scene, 54);
    float y =
        (float)(scene->size.height - sq_scene_px(scene, SQ_GESTURE_BAR_DP) / 2);
    float thick = (float)(4 * scene->density);
    sq_canvas_shape(
        canvas,
        (struct sq_shape){ SQ_LINE,
                           { thick, middle_x - bar, y, middle_x + bar, y } },
        (ink & 0xffffff) | 0xb0000000u);
    struct sq_pt at = { edge, middle + face.size_px * 35 / 100 };
    return sq_canvas_text(canvas, &face, sq_minute_text(phone, NULL, scratch),
                          at, ink, err);
}

struct painter {
    struct sq_phone *phone;
    const struct sq_scene *scene;
    struct sq_canvas *canvas;
    struct sq_err *err;
};

static float
to_px(const struct painter *p, double dp) {
    return (float)(dp * p->scene->density);
}

static sq_colour
ink_of(const struct sq_widget *widget, sq_colour usual) {
    return widget->ink ? widget->ink : usual;
}

static bool
is_chosen(const struct painter *p, const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    return widget->chosen && widget->chosen(p->phone, widget);
}

static void
paint_frame(const struct painter *p, struct sq_rect at, float radius,
            sq_colour colour, float width) {
    struct sq_shape shape = { SQ_FRAME,
                              { (float)at.left, (float)at.top, (float)at.right,
                                (float)at.bottom, radius, width } };
    sq_canvas_shape(p->canvas, shape, colour);
}

static void
paint_background(const struct painter *p, const struct sq_item *item,
                 sq_colour fill) {
    const struct sq_widget *widget = item->widget;
    float radius = to_px(p, widget->radius);
    if (fill && widget->radius) {
        sq_canvas_box(p->canvas, item->bounds, radius, fill);
    } else if (fill) {
        sq_canvas_rect(p->canvas, item->bounds, fill);
    }
}

static struct sq_rect
inside(const struct painter *p, const struct sq_item *item) {
    const struct sq_padding *pad = &item->widget->pad;
    struct sq_rect at = item->bounds;
    at.left += sq_scene_px(p->scene, pad->left);
    at.top += sq_scene_px(p->scene, pad->top);
    at.right -= sq_scene_px(p->scene, pad->right);
    at.bottom -= sq_scene_px(p->scene, pad->bottom);
    return at;
}

struct line_style {
    struct sq_face face;
    int line_height;
    enum sq_align align;
    sq_colour ink;
};

static struct line_style
style_of(const struct painter *p, enum sq_role role, enum sq_align align,
         sq_colour ink) {
    return (struct line_style){ sq_scene_face(p->scene, role),
                                sq_scene_line_height(p->scene, role), align,
                                ink };
}

/*
 * Paints one line of text whose line box starts at box.top. Ends with "…" if
 * the text is too long.
 */
static bool
paint_line(const struct painter *p, struct sq_span text,
           const struct line_style *style, struct sq_rect box) {
    struct sq_line_metrics metrics = sq_font_metrics(&style->face);
    struct sq_span dots = SQ_SPAN("\u2026");
    struct sq_pt at;
    int capacity = box.right - box.left;
    int width;
    int dots_width = 0;
    if (!sq_font_width(p->scene->type, &style->face, text, &width, p->err)) {
        return false;
    }
    bool cut = width > capacity;
    if (cut
        && !(sq_font_width(p->scene->type, &style->face, dots, &dots_width,
                           p->err)
             && sq_font_fit(p->scene->type, &style->face, text,
                            capacity - dots_width, &text.len, p->err)
             && sq_font_width(p->scene->type, &style->face, text, &width,
                              p->err))) {
        return false;
    }
    int spare = capacity - width - dots_width;
    at.x = box.left
         + (style->align == SQ_START ? 0
            : style->align == SQ_END ? spare
                                     : spare / 2);
    at.y =
        box.top + (style->line_height + metrics.ascent - metrics.descent) / 2;
    struct sq_pt after_text = { at.x + width, at.y };
    return sq_canvas_text(p->canvas, &style->face, text, at, style->ink, p->err)
        && (!cut
            || sq_canvas_text(p->canvas, &style->face, dots, after_text,
                              style->ink, p->err));
}

/* Paints all lines, vertically centred. */
static bool
paint_lines(const struct painter *p, const struct sq_item *item,
            const struct line_style *style, struct sq_rect box) {
    int most = item->widget->lines > 1 ? item->widget->lines : 1;
    struct sq_breaker breaker = { item->text, most, box.right - box.left,
                                  style->face };
    struct sq_span line;
    bool ok = true;
    int lines = 0;
    while (sq_breaker_next(&breaker, p->scene->type, &line, &ok, p->err)) {
        lines++;
    }
    breaker.rest = item->text;
    breaker.lines_left = most;
    box.top += (box.bottom - box.top - lines * style->line_height) / 2;
    while (ok
           && sq_breaker_next(&breaker, p->scene->type, &line, &ok, p->err)) {
        ok = paint_line(p, line, style, box);
        box.top += style->line_height;
    }
    return ok;
}

/* Text, and the text of a button. */
static bool
paint_text(const struct painter *p, const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    bool is_button = widget->kind == SQ_BUTTON;
    bool chosen = is_chosen(p, item);
    struct line_style style = style_of(
        p, widget->role, is_button ? SQ_MIDDLE : widget->align,
        chosen ? SQ_WHITE : ink_of(widget, is_button ? SQ_WHITE : SQ_INK));
    paint_background(p, item, chosen ? SQ_PRIMARY : widget->fill);
    return paint_lines(p, item, &style, inside(p, item));
}

/* Paints the drawing centred, as large as fits. */
static void
paint_drawing(const struct painter *p, const struct sq_drawing *drawing,
              struct sq_rect box, sq_colour ink) {
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    int side = width < height ? width : height;
    struct sq_placement placement = {
        .x = (float)(box.left + (width - side) / 2),
        .y = (float)(box.top + (height - side) / 2),
        .scale = (float)side / drawing->units,
    };
    for (const struct sq_layer *layer = drawing->layers; layer->shapes;
         layer++) {
        sq_canvas_shapes(p->canvas, layer->shapes, placement,
                         layer->colour ? layer->colour : ink);
    }
}

static bool
paint_image(const struct painter *p, const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    sq_colour ink = ink_of(widget, SQ_INK);
    struct sq_rect at = inside(p, item);
    paint_background(p, item, widget->fill);
    if (widget->zoom) {
        int percent = widget->zoom(p->phone) - 100;
        int across = (at.right - at.left) * percent / 200;
        int down = (at.bottom - at.top) * percent / 200;
        at = (struct sq_rect){ at.left - across, at.top - down,
                               at.right + across, at.bottom + down };
    }
    paint_drawing(p, widget->drawing, at, ink);
    return true;
}

static bool
paint_switch(const struct painter *p, const struct sq_item *item) {
    struct sq_rect at = item->bounds;
    bool on = is_chosen(p, item);
    float height = (float)(at.bottom - at.top);
    float radius = height / 2;
    float x = on ? (float)at.right - radius : (float)at.left + radius;
    float knob = on ? radius - to_px(p, 4) : radius - to_px(p, 7);
    struct sq_shape disc = { SQ_DISC,
                             { x, (float)(at.top + at.bottom) / 2, knob } };
    sq_canvas_box(p->canvas, at, radius, on ? SQ_PRIMARY : SQ_TONE);
    if (!on) {
        paint_frame(p, at, radius, SQ_LINE_FIRM, to_px(p, 2));
    }
    sq_canvas_shape(p->canvas, disc, on ? SQ_WHITE : SQ_LINE_FIRM);
    return true;
}

static bool
paint_checkbox(const struct painter *p, const struct sq_item *item) {
    struct sq_rect box = item->bounds;
    struct sq_rect text = item->bounds;
    int side = sq_scene_px(p->scene, 20);
    bool on = is_chosen(p, item);
    box.top += (box.bottom - box.top - side) / 2;
    box.bottom = box.top + side;
    box.left += sq_scene_px(p->scene, 2);
    box.right = box.left + side;
    text.left += sq_scene_px(p->scene, SQ_CHECKBOX_DP);
    if (on) {
        sq_canvas_box(p->canvas, box, to_px(p, 4), SQ_PRIMARY);
        paint_drawing(p, &sq_icon_check, box, SQ_WHITE);
    } else {
        paint_frame(p, box, to_px(p, 4), SQ_INK_SOFT, to_px(p, 2));
    }
    struct line_style style = style_of(p, item->widget->role, SQ_START, SQ_INK);
    return paint_lines(p, item, &style, text);
}

/* Returns whether the last character of the focused password is shown. */
static bool
shows_last(const struct sq_phone *phone, struct sq_span text) {
    return phone->shows_typed && text.len > 0
        && sq_phone_now_ns(phone) - phone->typed_ns < SHOWN_NS;
}

/*
 * Replaces each character by a bullet, up to the number that can be visible,
 * but the last one only if it is not shown.
 */
static struct sq_span
hide(struct sq_span text, bool shows_last, char scratch[HIDDEN_BYTES]) {
    size_t count = sq_utf8_count(text);
    size_t len = sizeof(BULLET) - 1;
    size_t last = text.len; /* where the last character starts */
    size_t used = 0;
    count = count < MAX_BULLETS ? count : MAX_BULLETS;
    for (size_t i = shows_last; i < count; i++) {
        memcpy(scratch + used, BULLET, len);
        used += len;
    }
    while (shows_last && last > 0) {
        last--;
        if (((uint8_t)text.ptr[last] & 0xc0) != 0x80) {
            break;
        }
    }
    memcpy(scratch + used, text.ptr + last, text.len - last);
    return (struct sq_span){ scratch, used + text.len - last };
}

/*
 * Paints the text of a field and the cursor after it. The end of the text is
 * always visible.
 */
static bool
paint_entry(const struct painter *p, const struct sq_item *item,
            struct sq_rect box, bool focused) {
    char scratch[HIDDEN_BYTES];
    struct sq_span text =
        item->widget->secret ? hide(
            item->text, focused && shows_last(p->phone, item->text), scratch)
                             : item->text;
    struct line_style style = style_of(p, SQ_BODY, SQ_START, SQ_INK);
    struct sq_line_metrics metrics = sq_font_metrics(&style.face);
    struct sq_rect whole = p->canvas->clip;
    int width;
    if (!sq_font_width(p->scene->type, &style.face, text, &width, p->err)) {
        return false;
    }
    int capacity = box.right - box.left - sq_scene_px(p->scene, 3);
    struct sq_pt at = { box.left + (width > capacity ? capacity - width : 0),
                        box.top + metrics.ascent };
    p->canvas->clip = sq_rect_common(whole, box);
    bool ok =
        sq_canvas_text(p->canvas, &style.face, text, at, style.ink, p->err);
    if (focused) {
        int x = at.x + width + sq_scene_px(p->scene, 1);
        struct sq_rect cursor = { x, box.top, x + sq_scene_px(p->scene, 2),
                                  box.bottom };
        sq_canvas_rect(p->canvas, cursor, SQ_PRIMARY);
    }
    p->canvas->clip = whole;
    return ok;
}

/* The hint is large in an empty field, otherwise a small label above it. */
static bool
paint_field(const struct painter *p, const struct sq_item *item) {
    const struct sq_widget *widget = item->widget;
    bool focused = p->phone->focus == widget->arg;
    bool open = focused || item->text.len;
    struct sq_rect at = item->bounds;
    struct line_style label = style_of(p, open ? SQ_CAPTION : SQ_BODY, SQ_START,
                                       focused ? SQ_PRIMARY : SQ_INK_SOFT);
    struct sq_rect box = at;
    box.left += sq_scene_px(p->scene, 16);
    box.right -= sq_scene_px(p->scene, 16);
    box.top += open ? sq_scene_px(p->scene, 8)
                    : (at.bottom - at.top - label.line_height) / 2;
    sq_canvas_box(p->canvas, at, to_px(p, 14), SQ_CARD);
    paint_frame(p, at, to_px(p, 14), focused ? SQ_PRIMARY : SQ_LINE_SOFT,
                to_px(p, focused ? 2 : 1));
    if (!paint_line(p, sq_span_of(widget->hint), &label, box)) {
        return false;
    }
    box.top = at.top + sq_scene_px(p->scene, 27);
    box.bottom = box.top + sq_scene_px(p->scene, 20);
    return !open || paint_entry(p, item, box, focused);
}

static bool
paint_app(const struct painter *p, const struct sq_item *item) {
    const struct sq_demo_app *app = sq_demo_apps[item->widget->arg];
    struct sq_rect at = item->bounds;
    int side = sq_scene_px(p->scene, 60);
    int inset = sq_scene_px(p->scene, 14);
    struct sq_rect icon = at;
    icon.left += (at.right - at.left - side) / 2;
    icon.right = icon.left + side;
    icon.top += sq_scene_px(p->scene, 4);
    icon.bottom = icon.top + side;
    sq_canvas_box(p->canvas, icon, to_px(p, 20), app->icon_fill);
    struct sq_rect drawing = { icon.left + inset, icon.top + inset,
                               icon.right - inset, icon.bottom - inset };
    paint_drawing(p, app->icon, drawing, SQ_WHITE);
    struct line_style style = style_of(p, SQ_SMALL, SQ_MIDDLE, SQ_WHITE);
    struct sq_rect label = at;
    label.top = icon.bottom + sq_scene_px(p->scene, 8);
    return paint_line(p, item->text, &style, label);
}

static bool
paint_canvas(const struct painter *p, const struct sq_item *item) {
    paint_background(p, item, item->widget->fill);
    return item->widget->paint(p->phone, p->canvas, item, p->err);
}

static bool
paint_container(const struct painter *p, const struct sq_item *item) {
    paint_background(p, item, item->widget->fill);
    return true;
}

typedef bool (*kind_painter)(const struct painter *p,
                             const struct sq_item *item);

static const kind_painter painters[SQ_WIDGET_KINDS] = {
    [SQ_COLUMN] = paint_container,  [SQ_ROW] = paint_container,
    [SQ_STACK] = paint_container,   [SQ_GRID] = paint_container,
    [SQ_SCROLL] = paint_container,  [SQ_STRIP] = paint_container,
    [SQ_TEXT] = paint_text,         [SQ_BUTTON] = paint_text,
    [SQ_FIELD] = paint_field,       [SQ_SWITCH] = paint_switch,
    [SQ_CHECKBOX] = paint_checkbox, [SQ_IMAGE] = paint_image,
    [SQ_APP] = paint_app,           [SQ_CANVAS] = paint_canvas,
};

static bool
paint_items(const struct painter *p) {
    struct sq_rect whole = p->canvas->clip;
    bool ok = true;
    for (const struct sq_item *item = p->scene->root; ok && item;
         item = sq_item_after(item)) {
        p->canvas->clip = sq_rect_common(whole, item->seen);
        if (!sq_rect_is_empty(p->canvas->clip)) {
            ok = painters[item->widget->kind](p, item);
        }
    }
    p->canvas->clip = whole;
    return ok;
}

#define PRESSED 0x40808080 /* over what is touched */

bool
sq_phone_paint(struct sq_phone *phone, struct sq_canvas *canvas,
               struct sq_err *err) {
    const struct sq_demo_app *app = sq_phone_shown(phone);
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    struct painter p = { phone, &scene, canvas, err };
    sq_canvas_gradient(canvas, scene.root->bounds, app->background,
                       app->background_end ? app->background_end
                                           : app->background);
    if (app->wallpaper) {
        app->wallpaper(canvas, scene.size);
    }
    bool ok = paint_items(&p) && paint_bars(phone, &scene, canvas, err);
    if (phone->reaction.is_pending) {
        sq_canvas_rect(canvas, phone->reaction.pressed, PRESSED);
    }
    return ok;
}

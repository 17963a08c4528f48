/*
 * Dialogs of a page. A browser without a window does not draw them, and the
 * page does nothing until one is answered. squint draws them, so that they are
 * seen, listed and answered like anything else on the screen.
 */
#include <stdio.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "util/utf8.h"

#define BOX_WIDTH 460
#define BOX_HEIGHT 300
#define MARGIN 20
#define LINE_HEIGHT 22
#define FIELD_HEIGHT 36
#define BUTTON_WIDTH 100
#define BUTTON_HEIGHT 36
#define TEXT_SIZE_PX 15
#define MAX_PARAMS ((size_t)16 << 10)
#define TREE_BYTES ((size_t)64 << 10)
#define HEADER_BYTES 16
#define MAX_PARTS 5

static const struct sq_face face = { .size_px = TEXT_SIZE_PX };

/* Where the parts of a dialog are. */
struct layout {
    struct sq_dev_rect box;
    struct sq_dev_rect text;
    struct sq_dev_rect field;
    struct sq_dev_rect cancel;
    struct sq_dev_rect ok;
};

static struct layout
lay_out(const struct sq_browser *browser) {
    int width =
        browser->size.width < BOX_WIDTH ? browser->size.width : BOX_WIDTH;
    int height =
        browser->size.height < BOX_HEIGHT ? browser->size.height : BOX_HEIGHT;
    int left = (browser->size.width - width) / 2;
    int top = (browser->size.height - height) / 3;
    int right = left + width;
    int bottom = top + height;
    int buttons = bottom - MARGIN - BUTTON_HEIGHT;
    int ok_left = right - MARGIN - BUTTON_WIDTH;
    int cancel_left = ok_left - MARGIN - BUTTON_WIDTH;
    int field = buttons - MARGIN - FIELD_HEIGHT;
    return (struct layout){
        .box = { left, top, right, bottom },
        .text = { left + MARGIN, top + MARGIN, right - MARGIN,
                  field - MARGIN / 2 },
        .field = { left + MARGIN, field, right - MARGIN, field + FIELD_HEIGHT },
        .cancel = { cancel_left, buttons, cancel_left + BUTTON_WIDTH,
                    buttons + BUTTON_HEIGHT },
        .ok = { ok_left, buttons, ok_left + BUTTON_WIDTH,
                buttons + BUTTON_HEIGHT },
    };
}

void
sq_dialog_open(struct sq_browser *browser, const struct sq_cdp_message *event) {
    struct sq_dialog *dialog = &browser->dialog;
    struct sq_span type = sq_json_text_of(event->params, "type");
    struct sq_span text = sq_json_text_of(event->params, "message");
    struct sq_span typed = sq_json_text_of(event->params, "defaultPrompt");
    dialog->is_open = true;
    dialog->has_cancel = !sq_span_is(type, "alert");
    dialog->has_field = sq_span_is(type, "prompt");
    dialog->number++;
    dialog->first_node = browser->next_node;
    browser->next_node += MAX_PARTS;
    if (sq_span_is(type, "beforeunload")) {
        text = SQ_SPAN("Leave this page? Changes may not be saved.");
    }
    struct sq_span start = sq_utf8_shorten(text, SQ_DEVICE_NOTICE_SIZE / 2);
    snprintf(browser->base.notice, SQ_DEVICE_NOTICE_SIZE,
             "The page shows a dialog: \"%.*s\" Tap a button of it, or press "
             "enter or escape.",
             SQ_SPAN_ARGS(start));
    text = sq_utf8_shorten(text, sizeof(dialog->text) - 1);
    snprintf(dialog->text, sizeof(dialog->text), "%.*s", SQ_SPAN_ARGS(text));
    snprintf(dialog->session, sizeof(dialog->session), "%.*s",
             SQ_SPAN_ARGS(event->session));
    sq_buf_clear(&dialog->typed);
    typed = sq_utf8_shorten(typed, SQ_DIALOG_TEXT_SIZE);
    sq_buf_append(&dialog->typed, typed.ptr, typed.len, NULL);
}

static struct sq_rect
rect_of(struct sq_dev_rect rect) {
    return (struct sq_rect){ rect.left, rect.top, rect.right - rect.left,
                             rect.bottom - rect.top };
}

/* Draws text in lines that fit; what does not fit is left out. */
static bool
draw_text(struct sq_canvas *canvas, struct sq_dev_rect area,
          struct sq_span text, sq_colour colour, struct sq_err *err) {
    struct sq_line_metrics metrics = sq_font_metrics(&face);
    bool ok = true;
    for (int y = area.top; ok && text.len > 0 && y + LINE_HEIGHT <= area.bottom;
         y += LINE_HEIGHT) {
        struct sq_span rest = text;
        struct sq_span line = text;
        size_t fits = 0;
        bool has_end = sq_span_take_until(&rest, '\n', &line);
        ok = sq_font_fit(canvas->type, &face, line, area.right - area.left,
                         &fits, err);
        fits = ok && fits == 0 && line.len > 0 ? line.len : fits;
        size_t drawn = fits;
        while (drawn > 0 && drawn < line.len && line.ptr[drawn] != ' ') {
            drawn--;
        }
        drawn = drawn > 0 ? drawn : fits;
        bool is_whole = drawn == line.len;
        ok = ok
          && sq_canvas_text(canvas, &face, (struct sq_span){ line.ptr, drawn },
                            (struct sq_pt){ area.left, y + metrics.ascent },
                            colour, err);
        text = is_whole && has_end
                 ? rest
                 : (struct sq_span){ text.ptr + drawn, text.len - drawn };
    }
    return ok;
}

static bool
draw_button(struct sq_canvas *canvas, struct sq_dev_rect rect,
            const char *label, bool is_main, struct sq_err *err) {
    int width = 0;
    struct sq_line_metrics metrics = sq_font_metrics(&face);
    sq_canvas_box(canvas, rect_of(rect), 8,
                  is_main ? SQ_RGB(0x0b57d0) : SQ_RGB(0xe0e6f0));
    if (!sq_font_width(canvas->type, &face, sq_span_of(label), &width, err)) {
        return false;
    }
    int x = (rect.left + rect.right - width) / 2;
    int y = (rect.top + rect.bottom + metrics.ascent - metrics.descent) / 2;
    return sq_canvas_text(canvas, &face, sq_span_of(label),
                          (struct sq_pt){ x, y },
                          is_main ? SQ_RGB(0xffffff) : SQ_RGB(0x202020), err);
}

static bool
draw(const struct sq_browser *browser, struct sq_canvas *canvas,
     struct sq_err *err) {
    const struct sq_dialog *dialog = &browser->dialog;
    struct layout at = lay_out(browser);
    sq_canvas_rect(canvas, canvas->clip, SQ_RGB(0x808080));
    sq_canvas_box(canvas, rect_of(at.box), 12, SQ_RGB(0xffffff));
    bool ok = draw_text(canvas, at.text, sq_span_of(dialog->text),
                        SQ_RGB(0x202020), err)
           && draw_button(canvas, at.ok, "OK", true, err)
           && (!dialog->has_cancel
               || draw_button(canvas, at.cancel, "Cancel", false, err));
    if (ok && dialog->has_field) {
        struct sq_dev_rect inner = at.field;
        inner.left += MARGIN / 2;
        inner.top += (FIELD_HEIGHT - LINE_HEIGHT) / 2;
        sq_canvas_box(canvas, rect_of(at.field), 6, SQ_RGB(0xe8eaed));
        ok = draw_text(canvas, inner, sq_buf_span(&dialog->typed),
                       SQ_RGB(0x202020), err);
    }
    return ok;
}

/* Writes a number as a raw frame has it. */
static void
put_32(uint8_t *to, int value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)((uint32_t)value >> 8 * i);
    }
}

bool
sq_dialog_paint(struct sq_browser *browser, struct sq_buf *out,
                struct sq_err *err) {
    const struct sq_size size = browser->size;
    size_t stride = (size_t)size.width * SQ_PIXEL_BYTES;
    size_t bytes = HEADER_BYTES + stride * (size_t)size.height;
    uint8_t *space;
    if ((!browser->font && !sq_font_create(&browser->font, err))
        || !sq_buf_reserve(out, bytes, &space, err)) {
        return false;
    }
    struct sq_canvas canvas = {
        .pixels = space + HEADER_BYTES,
        .stride = stride,
        .clip = { 0, 0, size.width, size.height },
        .type = browser->font,
    };
    const int header[] = { size.width, size.height, 1, 1 };
    for (int i = 0; i < 4; i++) {
        put_32(space + (size_t)i * 4, header[i]);
    }
    if (!draw(browser, &canvas, err)) {
        return false;
    }
    sq_buf_commit(out, bytes);
    return true;
}

bool
sq_dialog_tree(const struct sq_browser *browser, struct sq_tree *out,
               struct sq_err *err) {
    const struct sq_dialog *dialog = &browser->dialog;
    struct layout at = lay_out(browser);
    struct sq_tree tree = { 0 };
    const unsigned button = SQ_NODE_CLICKABLE | SQ_NODE_ENABLED;
    const unsigned field = button | SQ_NODE_EDITABLE | SQ_NODE_FOCUSED;
    const struct part {
        bool is_shown;
        const char *role;
        struct sq_span text;
        struct sq_dev_rect bounds;
        unsigned flags;
    } parts[MAX_PARTS] = {
        { true, "dialog", SQ_SPAN(""), at.box, SQ_NODE_ENABLED },
        { true, "text", sq_span_of(dialog->text), at.text, SQ_NODE_ENABLED },
        { dialog->has_field, "textbox", sq_buf_span(&dialog->typed), at.field,
          field },
        { dialog->has_cancel, "button", SQ_SPAN("Cancel"), at.cancel, button },
        { true, "button", SQ_SPAN("OK"), at.ok, button },
    };
    struct sq_node **end = NULL;
    sq_arena_init(&tree.arena, TREE_BYTES);
    for (size_t i = 0; i < MAX_PARTS; i++) {
        const struct part *part = &parts[i];
        if (!part->is_shown) {
            continue;
        }
        struct sq_node *node =
            sq_arena_alloc(&tree.arena, 1, sizeof(*node), err);
        struct sq_span text = part->text;
        if (!node
            || (text.len > 0 && !sq_arena_keep(&tree.arena, &text, err))) {
            sq_tree_finish(&tree);
            return false;
        }
        *node = (struct sq_node){ .text = text,
                                  .class_name = sq_span_of(part->role),
                                  .bounds = part->bounds,
                                  .flags = part->flags,
                                  .index = tree.count++,
                                  .id = dialog->first_node + (int)i,
                                  .parent = tree.root,
                                  .depth = tree.root ? 1 : 0 };
        if (tree.root && end) {
            *end = node;
            end = &node->next;
        } else {
            tree.root = node;
            end = &node->first_child;
        }
    }
    *out = tree;
    return true;
}

static bool
answer(struct sq_browser *browser, bool accept,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_dialog *dialog = &browser->dialog;
    char session[SQ_CDP_ID_SIZE];
    struct sq_buf params;
    struct sq_json_writer w;
    snprintf(session, sizeof(session), "%s", dialog->session);
    sq_buf_init(&params, MAX_PARAMS);
    sq_json_writer_init(&w, &params);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "accept");
    sq_json_put_bool(&w, accept);
    if (dialog->has_field) {
        sq_json_put_key(&w, "promptText");
        sq_json_put_string(&w, sq_buf_span(&dialog->typed));
    }
    sq_json_end_object(&w);
    int number = dialog->number;
    dialog->is_open = false;
    bool ok = sq_json_writer_done(&w, err)
           && sq_browser_call_in(browser,
                                 SQ_CDP_COMMAND(session,
                                                "Page.handleJavaScriptDialog",
                                                sq_buf_span(&params)),
                                 NULL, deadline, err);
    sq_buf_finish(&params);
    return ok || dialog->number > number; /* the next one is open already */
}

static bool
contains(struct sq_dev_rect rect, struct sq_dev_pt at) {
    return at.x >= rect.left && at.x < rect.right && at.y >= rect.top
        && at.y < rect.bottom;
}

static bool
fail_other(struct sq_browser *browser, struct sq_err *err) {
    sq_browser_is_blocked(browser, err);
    return false;
}

bool
sq_dialog_tap(struct sq_browser *browser, struct sq_dev_pt at,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct layout layout = lay_out(browser);
    if (contains(layout.ok, at)) {
        return answer(browser, true, deadline, err);
    }
    if (browser->dialog.has_cancel && contains(layout.cancel, at)) {
        return answer(browser, false, deadline, err);
    }
    return (browser->dialog.has_field && contains(layout.field, at))
        || fail_other(browser, err);
}

bool
sq_dialog_key(struct sq_browser *browser, const char *name,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_key key;
    char own[16];
    int modifiers;
    struct sq_span word = sq_span_of(name);
    if (sq_span_is(word, "back")) {
        return answer(browser, false, deadline, err);
    }
    if (!sq_browser_key_find(name, &key, own, &modifiers, err)) {
        return false;
    }
    word = sq_span_of(key.name);
    if (sq_span_is(word, "enter") || sq_span_is(word, "escape")) {
        return answer(browser, sq_span_is(word, "enter"), deadline, err);
    }
    return fail_other(browser, err);
}

bool
sq_dialog_type(struct sq_browser *browser, struct sq_span text,
               struct sq_err *err) {
    struct sq_dialog *dialog = &browser->dialog;
    return dialog->has_field
             ? sq_buf_append(&dialog->typed, text.ptr, text.len, err)
             : fail_other(browser, err);
}

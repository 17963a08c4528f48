/*
 * Dialogs of a page. A browser without a window does not draw them, and the
 * page does nothing until one is answered. squint draws them, so that they are
 * seen, listed and answered like anything else on the screen.
 */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "image/png/png.h"
#include "util/mem.h"
#include "util/minmax.h"

#define BOX_WIDTH 460
#define BOX_HEIGHT 300
#define MARGIN 20
#define LINE_HEIGHT 22
#define FIELD_HEIGHT 36
#define BUTTON_WIDTH 100
#define BUTTON_HEIGHT 36
#define TEXT_SIZE_PX 15
#define TREE_BYTES ((size_t)64 << 10)
#define BACKGROUND SQ_RGB(0x808080)
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
lay_out(struct sq_size size) {
    int width = sq_min_int(size.width, BOX_WIDTH);
    int height = sq_min_int(size.height, BOX_HEIGHT);
    int left = (size.width - width) / 2;
    int top = (size.height - height) / 3;
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
    char asked[SQ_DIALOG_TEXT_SIZE];
    int node = sq_json_int_of(event->params, "backendNodeId");
    if (node != 0 && !browser->upload) {
        snprintf(browser->download, sizeof(browser->download),
                 "The page asked for a file and got none: the option "
                 "browser.upload allows a folder.");
        return;
    }
    dialog->is_open = true;
    dialog->has_cancel = !sq_span_is(type, "alert");
    dialog->has_field = node != 0 || sq_span_is(type, "prompt");
    dialog->upload.node = node;
    dialog->number++;
    dialog->first_node = browser->next_node;
    browser->next_node += MAX_PARTS;
    if (sq_span_is(type, "beforeunload")) {
        text = SQ_SPAN("Leave this page? Changes may not be saved.");
    }
    if (node != 0) {
        bool takes_many = sq_span_is(sq_json_text_of(event->params, "mode"),
                                     "selectMultiple");
        dialog->upload.takes_many = takes_many;
        SQ_COPY_TEXT(dialog->upload.session, event->session);
        snprintf(
            asked, sizeof(asked), "The page asks for %s. Type the path in %s.",
            takes_many ? "files, each in a line" : "a file", browser->upload);
        text = sq_span_of(asked);
    }
    struct sq_span start = sq_utf8_shorten(text, SQ_DEVICE_NOTICE_SIZE / 2);
    snprintf(browser->base.notice, SQ_DEVICE_NOTICE_SIZE,
             "The page shows a dialog: \"%.*s\" Tap a button of it, or press "
             "enter or escape.",
             SQ_SPAN_ARGS(start));
    SQ_COPY_TEXT(dialog->text, text);
    SQ_COPY_TEXT(dialog->session, event->session);
    sq_buf_clear(&dialog->typed);
    typed = sq_utf8_shorten(typed, SQ_DIALOG_TEXT_SIZE);
    sq_buf_append(&dialog->typed, typed.ptr, typed.len, NULL);
}

static struct sq_rect
rect_of(struct sq_dev_rect rect) {
    return (struct sq_rect){ rect.left, rect.top, rect.right, rect.bottom };
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
    struct layout at =
        lay_out((struct sq_size){ canvas->clip.right, canvas->clip.bottom });
    sq_canvas_rect(canvas, canvas->clip, BACKGROUND);
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

/* Only the box is drawn: a whole screen would take 4 MB. */
bool
sq_dialog_paint(struct sq_browser *browser, struct sq_buf *out,
                struct sq_err *err) {
    const struct sq_dev_rect box = lay_out(browser->size).box;
    const struct sq_size size = browser->size;
    struct sq_image image = { 0 };
    struct sq_indexed drawn = { 0 };
    bool ok = (browser->font || sq_font_create(&browser->font, err))
           && sq_image_init(&image, box.right - box.left, box.bottom - box.top,
                            &sq_limits_default, err);
    struct sq_canvas canvas = { .pixels = image.pixels,
                                .stride = image.stride,
                                .clip = { 0, 0, image.width, image.height },
                                .type = browser->font };
    ok = ok && draw(browser, &canvas, err)
      && sq_quantise(&image, SQ_MAX_COLOURS, &drawn, err);
    /* Its first pixel shows what is around it. */
    struct sq_indexed screen = drawn;
    screen.width = size.width;
    screen.height = size.height;
    screen.indexes = sq_mem_alloc((size_t)size.width, (size_t)size.height);
    ok = ok && (screen.indexes || sq_fail_nomem(err));
    if (ok) {
        memset(screen.indexes, drawn.indexes[0],
               (size_t)size.width * (size_t)size.height);
        for (int y = 0; y < drawn.height; y++) {
            memcpy(screen.indexes + (box.top + y) * size.width + box.left,
                   drawn.indexes + y * drawn.width, (size_t)drawn.width);
        }
        ok = sq_png_encode_indexed(&screen, out, err);
    }
    sq_mem_free(screen.indexes);
    sq_indexed_finish(&drawn);
    sq_image_finish(&image);
    return ok;
}

bool
sq_dialog_tree(const struct sq_browser *browser, struct sq_tree *out,
               struct sq_err *err) {
    const struct sq_dialog *dialog = &browser->dialog;
    struct layout at = lay_out(browser->size);
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

const char *
sq_dialog_asked(const struct sq_device *device) {
    const struct sq_dialog *dialog =
        &((const struct sq_browser *)device)->dialog;
    return dialog->is_open ? dialog->text : NULL;
}

static bool
answer(struct sq_browser *browser, bool accept,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_dialog *dialog = &browser->dialog;
    const struct sq_span typed = sq_buf_span(&dialog->typed);
    int number = dialog->number;
    dialog->is_open = false;
    if (dialog->upload.node != 0) {
        dialog->is_open = accept
                       && !sq_browser_upload(browser, &dialog->upload, typed,
                                             deadline, err);
        return !dialog->is_open;
    }
    bool ok = sq_browser_call(
        browser,
        SQ_CDP_TEXT_COMMAND(dialog->session, "Page.handleJavaScriptDialog",
                            accept ? SQ_SPAN("{\"accept\":true}")
                                   : SQ_SPAN("{\"accept\":false}"),
                            dialog->has_field ? "promptText" : NULL, typed),
        NULL, deadline, err);
    return ok || dialog->number > number; /* the next one is open already */
}

static bool
fail_other(struct sq_browser *browser, struct sq_err *err) {
    sq_browser_is_blocked(browser, err);
    return false;
}

bool
sq_dialog_tap(struct sq_browser *browser, struct sq_dev_pt at,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct layout layout = lay_out(browser->size);
    if (sq_rect_contains(rect_of(layout.ok), at.x, at.y)) {
        return answer(browser, true, deadline, err);
    }
    if (browser->dialog.has_cancel
        && sq_rect_contains(rect_of(layout.cancel), at.x, at.y)) {
        return answer(browser, false, deadline, err);
    }
    return (browser->dialog.has_field
            && sq_rect_contains(rect_of(layout.field), at.x, at.y))
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

/* Reads the texts of answers as receipts. */
#include "tool/logged_receipt.h"

#include "json/reader.h"

/* A longer reply is a list of elements, not a receipt. */
#define MAX_RECEIPT_BYTES ((size_t)256 << 10)
#define MAX_RECEIPT_MEMORY ((size_t)8 << 20)

static bool
read_point(const struct sq_json *object, struct sq_img_pt *out) {
    int64_t x;
    int64_t y;
    if (!sq_json_int(sq_json_get(object, "x"), &x)
        || !sq_json_int(sq_json_get(object, "y"), &y)) {
        return false;
    }
    *out = (struct sq_img_pt){ (int)x, (int)y };
    return true;
}

/* Adds the rectangle of an object; nothing if it has none. */
static void
add_rect(const struct sq_json *object, struct sq_img_rects *out) {
    struct sq_img_pt start;
    if (out->count < SQ_MAX_RECTS && read_point(object, &start)) {
        out->items[out->count++] =
            (struct sq_img_rect){ start.x, start.y,
                                  start.x + sq_json_int_of(object, "width"),
                                  start.y + sq_json_int_of(object, "height") };
    }
}

/* Returns the part of a receipt that has the touched point; NULL if none. */
static const struct sq_json *
touch_of(const struct sq_json *receipt) {
    static const char *const names[] = { "tapped", "swiped", "scrolled",
                                         "typed" };
    const struct sq_json *touch = NULL;
    for (size_t i = 0; !touch && i < SQ_COUNT(names); i++) {
        touch = sq_json_get(receipt, names[i]);
    }
    return sq_json_is(touch, SQ_JSON_OBJECT) ? touch : NULL;
}

/* Copies from the receipt where the call acted and what changed. */
static bool
keep_receipt(struct sq_logged_call *call, struct sq_arena *arena,
             const struct sq_json *receipt) {
    const struct sq_json *touch = touch_of(receipt);
    const struct sq_json *changed = sq_json_get(receipt, "changed");
    call->has_point = read_point(touch, &call->point)
                   || read_point(sq_json_get(touch, "from"), &call->point);
    call->has_end = read_point(sq_json_get(touch, "to"), &call->end);
    add_rect(changed, &call->change);
    if (sq_json_is(changed, SQ_JSON_ARRAY)) {
        changed = sq_json_first(changed);
        for (const struct sq_json *at = changed; at; at = sq_json_next(at)) {
            add_rect(at, &call->change);
        }
    }
    call->screenshot_id = sq_json_text_of(changed, "screenshotId");
    if (call->screenshot_id.len == 0) {
        call->screenshot_id = sq_json_text_of(touch, "screenshotId");
    }
    const struct sq_json *picture = sq_json_get(receipt, "picture");
    call->picture_id =
        sq_json_text_of(picture ? picture : receipt, "screenshotId");
    return sq_arena_keep(arena, &call->screenshot_id, NULL)
        && sq_arena_keep(arena, &call->picture_id, NULL);
}

static const struct sq_logged_block *
first_text(const struct sq_logged_call *call) {
    for (int i = 0; i < call->block_count; i++) {
        if (call->blocks[i].kind == SQ_BLOCK_TEXT) {
            return &call->blocks[i];
        }
    }
    return NULL;
}

bool
sq_logged_receipt_read(struct sq_logged_call *call, struct sq_arena *arena) {
    const struct sq_logged_block *text = first_text(call);
    const struct sq_json *receipt = NULL;
    SQ_ARENA(parsed, MAX_RECEIPT_MEMORY);
    if (text && text->data.len <= MAX_RECEIPT_BYTES
        && !sq_json_parse(text->data, &parsed, &receipt, NULL)) {
        receipt = NULL; /* it is not JSON */
    }
    return keep_receipt(call, arena, receipt);
}

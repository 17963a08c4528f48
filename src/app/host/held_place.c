/* Finds where a call that waits for a person would act. */
#include "app/host/private.h"
#include "tools/elements/selector.h"
#include "tools/reply.h"
#include "tools/screen/marks.h"

/* A place in the picture that the client has seen. */
struct place {
    struct sq_frame frame;
    int points; /* 1: touched; 2: from one to the other */
    struct sq_img_pt at[2];
    bool has_element;
    struct sq_img_rect element;
    struct sq_span label;
};

struct search {
    const struct sq_held_call *held;
    struct sq_screen screen;
    struct place *out;
};

/* The whole view of the device, in which elements are drawn. */
static bool
use_view(const struct search *search) {
    return sq_session_view(search->held->session, search->held->device->info.id,
                           &search->screen, &search->out->frame, NULL);
}

/* Adds the point x, y of an object; other coordinates are those of a device. */
static bool
add_point(const struct search *search, const struct sq_json *point,
          const struct sq_json *arguments) {
    struct place *out = search->out;
    const struct sq_view *view = &out->frame.view;
    double x;
    double y;
    double scale_x = 1;
    double scale_y = 1;
    struct sq_dev_pt at;
    if (!sq_json_double(sq_json_get(point, "x"), &x)
        || !sq_json_double(sq_json_get(point, "y"), &y)) {
        return false;
    }
    if (sq_json_bool_of(arguments, "applyScreenshotScale")) {
        sq_json_double(sq_json_get(arguments, "screenshotScaleX"), &scale_x);
        sq_json_double(sq_json_get(arguments, "screenshotScaleY"), &scale_y);
    } else if (!sq_json_bool_of(arguments, "deviceSpace")) {
        bool is_known =
            out->frame.id[0] != '\0'
            || sq_session_frame(search->held->session,
                                search->held->device->info.id,
                                sq_json_text_of(arguments, "screenshotId"),
                                &search->screen, &out->frame, NULL);
        if (!is_known || !sq_view_place(view, x, y, &at)) {
            return false;
        }
        out->at[out->points++] = sq_view_to_image(view, at);
        return true;
    }
    x *= scale_x;
    y *= scale_y;
    const struct sq_size size = search->screen.size;
    if (!(x >= 0 && x < size.width && y >= 0 && y < size.height)
        || !use_view(search)) {
        return false;
    }
    at = (struct sq_dev_pt){ (int)x, (int)y };
    out->at[out->points++] = sq_view_to_image(view, at);
    return true;
}

static bool
add_element(const struct search *search, struct sq_dev_rect bounds,
            struct sq_span label) {
    struct place *out = search->out;
    out->label = label;
    out->has_element =
        use_view(search)
        && sq_view_rect_to_image(&out->frame.view, bounds, &out->element);
    return out->has_element;
}

static bool
add_selected(const struct search *search, const struct sq_json *named) {
    const struct sq_held_call *held = search->held;
    struct sq_selector selector = { 0 };
    struct sq_selection selection = { 0 };
    return sq_args_decode(sq_selector_args, named, NULL, &selector, NULL)
        && sq_select(held->tree, &selector, held->arena, &selection, NULL)
        && selection.count > 0
        && add_element(search, selection.matches[0].node->bounds,
                       selection.matches[0].label);
}

static bool
add_listed(const struct search *search, int index) {
    const struct sq_held_call *held = search->held;
    struct sq_element element;
    return sq_session_element(held->session, held->device->info.id, index,
                              held->arena, &element, NULL)
        && add_element(search, element.bounds, element.label);
}

static bool
add_cell(const struct search *search, const struct sq_json *arguments) {
    struct place *out = search->out;
    out->points = sq_session_grid_frame(
                      search->held->session, search->held->device->info.id,
                      sq_json_text_of(arguments, "screenshotId"),
                      &search->screen, &out->frame, NULL)
               && sq_grid_middle(out->frame.view.image,
                                 sq_json_text_of(arguments, "cell"),
                                 &out->at[0], NULL);
    return out->points > 0;
}

static bool
find_place(const struct search *search, const struct sq_json *arguments) {
    const struct sq_json *named = sq_json_get(arguments, "selector");
    int64_t index;
    *search->out = (struct place){ 0 };
    if (sq_json_is(named, SQ_JSON_OBJECT)) {
        return add_selected(search, named);
    }
    if (sq_json_int(sq_json_get(arguments, "elementIndex"), &index)) {
        return index >= 0 && index <= SQ_MAX_ELEMENT_INDEX
            && add_listed(search, (int)index);
    }
    if (sq_json_get(arguments, "cell")) {
        return add_cell(search, arguments);
    }
    if (add_point(search, arguments, arguments)) {
        return true;
    }
    return add_point(search, sq_json_get(arguments, "from"), arguments)
        && add_point(search, sq_json_get(arguments, "to"), arguments);
}

bool
sq_held_put_place(const struct sq_held_call *held, struct sq_json_writer *w) {
    const struct sq_deadline limit = held->limit;
    struct place place;
    struct search search = { .held = held, .out = &place };
    const struct sq_json *steps = sq_json_get(held->arguments, "steps");
    if (!sq_device_screen(held->device, &search.screen, &limit, NULL)) {
        return false;
    }
    /* Of several steps only the first acts on the screen as it is now. */
    if (!find_place(&search, sq_json_is(steps, SQ_JSON_ARRAY)
                                 ? sq_json_first(steps)
                                 : held->arguments)) {
        return false;
    }
    sq_put_text(w, "screenshotId", place.frame.id);
    sq_put_size(w, "image", place.frame.view.image);
    if (place.points > 0) {
        sq_put_img_pt(w, "point", place.at[0]);
    }
    if (place.points > 1) {
        sq_put_img_pt(w, "end", place.at[1]);
    }
    if (place.has_element) {
        sq_put_img_rect(w, "element", place.element);
        sq_json_put_clean(sq_json_at(w, "label"), place.label);
    }
    return true;
}

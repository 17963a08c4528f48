/* Paints the status bar and gesture bar. */
#include "demo/phone/status_bar.h"

#include "demo/phone/clock.h"
#include "demo/phone/drawings.h"

#define ICON_DP 17
#define EDGE_DP 22

bool
sq_status_bar_paint(const struct sq_phone *phone, const struct sq_scene *scene,
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
    for (size_t i = 0; i < sizeof(icons) / sizeof(icons[0]); i++) {
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

/* Remembers a screen that keeps changing. */
#include "device/android/idle.h"

#include <string.h>

#include "image/pipeline/codec.h"
#include "sys/clock.h"

#define REMEMBER_NS ((int64_t)20000 * 1000000)
#define MAX_CHANGED (SQ_IDLE_CELLS / 8)

void
sq_idle_forget(struct sq_idle *idle) {
    idle->until_ns = 0;
}

void
sq_idle_remember(struct sq_idle *idle, const struct sq_err *err,
                 const struct sq_app *app) {
    *idle = (struct sq_idle){
        .until_ns = sq_clock_monotonic_ns() + REMEMBER_NS,
        .dump_err = *err,
    };
    if (app) {
        idle->app = *app;
    }
}

bool
sq_idle_is_set(const struct sq_idle *idle) {
    return idle->until_ns != 0 && sq_clock_monotonic_ns() < idle->until_ns;
}

void
sq_idle_check_app(struct sq_idle *idle, const struct sq_app *app) {
    if (idle->app.package[0]
        && (strcmp(idle->app.package, app->package) != 0
            || strcmp(idle->app.activity, app->activity) != 0)) {
        sq_idle_forget(idle);
    }
}

static uint64_t
mix(uint64_t hash, const uint8_t *pixel) {
    uint64_t colour =
        (uint64_t)pixel[0] << 16 | (uint64_t)pixel[1] << 8 | pixel[2];
    hash = (hash ^ colour) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Adds a row of pixels to the hashes of its cells. */
static void
hash_row(const uint8_t *pixels, int width, uint64_t *cells) {
    int x = 0;
    for (int column = 0; column < SQ_IDLE_COLUMNS; column++) {
        int end = (int)((int64_t)width * (column + 1) / SQ_IDLE_COLUMNS);
        uint64_t hash = cells[column];
        for (; x < end; x++) {
            hash = mix(hash, pixels + (size_t)x * SQ_PIXEL_BYTES);
        }
        cells[column] = hash;
    }
}

static bool
hash_cells(const struct sq_buf *picture, uint64_t cells[SQ_IDLE_CELLS]) {
    const struct sq_codec *codec;
    struct sq_rows *rows;
    struct sq_row row;
    if (!sq_codec_find(picture->data, picture->len, &codec, NULL)
        || !codec->open(picture->data, picture->len, &sq_limits_capture, &rows,
                        NULL)) {
        return false;
    }
    memset(cells, 0, SQ_IDLE_CELLS * sizeof(cells[0]));
    bool ok = true;
    for (int y = 0; ok && y < rows->height; y++) {
        int across = (int)((int64_t)y * SQ_IDLE_ROWS / rows->height);
        ok = sq_rows_next(rows, &row, NULL);
        if (ok) {
            hash_row(row.pixels, rows->width, cells + across * SQ_IDLE_COLUMNS);
        }
    }
    sq_rows_destroy(rows);
    return ok;
}

void
sq_idle_check_picture(struct sq_idle *idle, const struct sq_buf *picture) {
    uint64_t cells[SQ_IDLE_CELLS];
    int changed = 0;
    if (!sq_idle_is_set(idle)) {
        return;
    }
    if (!hash_cells(picture, cells)) {
        sq_idle_forget(idle);
        return;
    }
    if (!idle->has_picture) {
        memcpy(idle->cells, cells, sizeof(cells));
        idle->has_picture = true;
        return;
    }
    for (int i = 0; i < SQ_IDLE_CELLS; i++) {
        changed += cells[i] != idle->cells[i];
    }
    if (changed > MAX_CHANGED) {
        sq_idle_forget(idle);
    }
}

bool
sq_idle_fail(const struct sq_idle *idle, struct sq_err *err) {
    if (err) {
        *err = idle->dump_err;
    }
    return sq_fail_hint(
        err, "Take a screenshot, or stop the animation or video first. "
             "Elements are read again after any action, in another app, when "
             "the picture has changed, or after 20 seconds.");
}

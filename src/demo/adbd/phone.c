/* The demo phone with the state that Android's tools see. */
#include "demo/adbd/phone.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "device/kinds.h"
#include "sys/clock.h"
#include "util/bytes.h"
#include "util/mem.h"
#include "util/minmax.h"

#define NS_PER_MINUTE ((int64_t)60 * 1000000000)
#define MAX_FRAME_BYTES SQ_MAX_IMAGE_BYTES
#define MAX_CLIPBOARD_BYTES ((size_t)1 << 20)
#define FRAME_HEADER_BYTES 16
#define DEFAULT_API 34
#define PIXEL 4
#define COLOURS 3
#define GREY 128
#define GRAIN_BITS 3 /* of each colour of each pixel */

/* Sets the values of a section, lines of NAME=VALUE. */
static bool
fill_store(struct sq_adbd_store *store, const char *section,
           struct sq_err *err) {
    struct sq_span rest = sq_adbd_answer(section);
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_line(&rest, &line)) {
        char name[SQ_ADBD_STORE_NAME_SIZE];
        char value[SQ_ADBD_STORE_VALUE_SIZE];
        struct sq_span before;
        sq_span_take_until(&line, '=', &before);
        snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(before));
        snprintf(value, sizeof(value), "%.*s", SQ_SPAN_ARGS(line));
        ok = sq_adbd_store_set(store, name, value, err);
    }
    return ok;
}

/* Returns Android's name of this machine's processor. */
static const char *
own_abi(void) {
#if defined(__aarch64__)
    return "arm64-v8a";
#elif defined(__arm__)
    return "armeabi-v7a";
#elif defined(__i386__)
    return "x86";
#else
    return "x86_64";
#endif
}

/* Creates all state that a reset replaces; the rest is kept. */
static bool
create_state(struct sq_adbd_phone *phone, struct sq_err *err) {
    const struct sq_devices_options options = { .demo = phone->options.demo };
    const struct sq_deadline soon = sq_deadline_in(0, NULL);
    const struct sq_device_kind *kind = sq_device_kinds;
    struct sq_device *device;
    while (!kind->is_demo) {
        kind++;
    }
    if (!kind->open(&options, NULL, &device, &soon, err)) {
        return false;
    }
    phone->demo = (struct sq_phone *)device;
    phone->panel = (struct sq_size){ phone->demo->options.width,
                                     phone->demo->options.height };
    phone->density = phone->demo->options.density;
    sq_buf_init(&phone->clipboard, MAX_CLIPBOARD_BYTES);
    sq_buf_init(&phone->late_keys, MAX_CLIPBOARD_BYTES);
    sq_buf_init(&phone->argv, MAX_CLIPBOARD_BYTES);
    sq_buf_init(&phone->frame.capture.bytes, MAX_FRAME_BYTES);
    char dpi[16];
    const char *abi = phone->options.runs_programs ? own_abi() : "x86_64";
    const struct {
        const char *name;
        const char *value;
    } own[] = {
        { "ro.serialno", phone->options.serial },
        { "ro.boot.serialno", phone->options.serial },
        { "ro.sf.lcd_density", dpi },
        { "ro.build.display.id", "squint demo phone " SQ_VERSION },
        { "ro.build.version.incremental", SQ_VERSION },
        { "ro.product.cpu.abi", abi },
        { "ro.product.cpu.abilist", abi },
    };
    snprintf(dpi, sizeof(dpi), "%d", sq_adbd_phone_dpi(phone->density));
    bool ok = fill_store(&phone->properties, "properties", err)
           && fill_store(&phone->settings, "settings", err);
    for (size_t i = 0; ok && i < SQ_COUNT(own); i++) {
        ok = sq_adbd_store_set(&phone->properties, own[i].name, own[i].value,
                               err);
    }
    return ok;
}

static void
destroy_state(struct sq_adbd_phone *phone) {
    sq_capture_finish(&phone->frame.capture);
    sq_buf_finish(&phone->clipboard);
    sq_buf_finish(&phone->late_keys);
    sq_buf_finish(&phone->argv);
    sq_adbd_store_finish(&phone->settings);
    sq_adbd_store_finish(&phone->state);
    sq_adbd_store_finish(&phone->properties);
    sq_adbd_files_finish(&phone->files);
    if (phone->demo) {
        sq_device_destroy(&phone->demo->base);
    }
}

bool
sq_adbd_phone_create(const struct sq_adbd_options *options,
                     struct sq_adbd_phone **out, struct sq_err *err) {
    struct sq_adbd_phone *phone = sq_mem_zalloc(1, sizeof(*phone));
    if (!phone) {
        return sq_fail_nomem(err);
    }
    phone->options = *options;
    if (!options->serial) {
        phone->options.serial = "SQUINTDEMO";
    }
    phone->clock_ns = sq_clock_monotonic_ns;
    if (!create_state(phone, err)) {
        sq_adbd_phone_destroy(phone);
        return false;
    }
    *out = phone;
    return true;
}

void
sq_adbd_phone_destroy(struct sq_adbd_phone *phone) {
    if (phone) {
        destroy_state(phone);
        sq_mem_free(phone);
    }
}

bool
sq_adbd_phone_reset(struct sq_adbd_phone *phone, struct sq_err *err) {
    struct sq_adbd_phone fresh = {
        .options = phone->options,
        .clock_ns = phone->clock_ns,
        .events = phone->events,
        .counter = phone->counter,
    };
    if (!create_state(&fresh, err)) {
        destroy_state(&fresh);
        return false;
    }
    destroy_state(phone);
    *phone = fresh;
    return true;
}

void
sq_adbd_phone_touched(struct sq_adbd_phone *phone) {
    phone->frame.valid = false;
}

bool
sq_adbd_phone_react(struct sq_adbd_phone *phone, struct sq_err *err) {
    struct sq_demo_options *options = &phone->demo->options;
    options->reaction_ms = sq_adbd_delay_ms(&phone->options.delays, "reaction",
                                            phone->options.demo.reaction_ms);
    options->pressed_ms = sq_adbd_delay_ms(&phone->options.delays, "pressed",
                                           phone->options.demo.pressed_ms);
    if (phone->demo->reaction.is_pending) {
        sq_adbd_phone_touched(phone);
    }
    return sq_phone_react(phone->demo, false, err);
}

/*
 * Returns whether the screen may have changed by itself since the frame was
 * captured: the status bar shows minutes; two apps, and a character of a
 * password that is shown for a moment, change more often.
 */
static bool
is_stale(const struct sq_adbd_phone *phone, int64_t now_ns) {
    const struct sq_adbd_frame *frame = &phone->frame;
    bool moves = phone->demo->app == SQ_APP_CLOCK
              || phone->demo->app == SQ_APP_ANIMATION
              || phone->demo->shows_typed;
    int64_t step_ns = moves ? 1 : NS_PER_MINUTE;
    return !frame->valid || now_ns / step_ns != frame->now_ns / step_ns;
}

static uint32_t
mix(uint32_t value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

/* Returns a number from -128 to 127 that belongs to a point. */
static int
value_at(int x, int y, uint32_t seed) {
    return (int)(mix((uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca6bu
                     ^ seed)
                 >> 24)
         - GREY;
}

/* Returns such a number that changes softly over `cell` pixels. */
static int
soft_value(int x, int y, int cell, uint32_t seed) {
    int left = x / cell;
    int top = y / cell;
    int across = x % cell;
    int down = y % cell;
    int upper = value_at(left, top, seed) * (cell - across)
              + value_at(left + 1, top, seed) * across;
    int lower = value_at(left, top + 1, seed) * (cell - across)
              + value_at(left + 1, top + 1, seed) * across;
    return (upper * (cell - down) + lower * down) / (cell * cell);
}

static void
draw_pixel(uint8_t *pixel, int x, int y, uint32_t seed) {
    int light = soft_value(x, y, 256, seed) + soft_value(x, y, 64, seed + 1) / 2
              + soft_value(x, y, 16, seed + 2) / 4;
    uint32_t grain = mix((uint32_t)(y << 16 | x) ^ seed);
    for (int i = 0; i < COLOURS; i++) {
        int tint = soft_value(x, y, 128, seed + 3 + (uint32_t)i) / 4;
        int noise = (int)(grain >> GRAIN_BITS * i & ((1 << GRAIN_BITS) - 1));
        pixel[i] = (uint8_t)sq_max_int(
            0, sq_min_int(255, GREY + light + tint + noise));
    }
    pixel[COLOURS] = 255;
}

bool
sq_adbd_phone_frame(struct sq_adbd_phone *phone, struct sq_span *out,
                    struct sq_err *err) {
    struct sq_adbd_frame *frame = &phone->frame;
    struct sq_buf *bytes = &frame->capture.bytes;
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    int64_t now_ns = sq_phone_now_ns(phone->demo);
    if (!sq_adbd_phone_react(phone, err)) {
        return false;
    }
    if (is_stale(phone, now_ns)) {
        frame->valid = false;
        sq_buf_clear(bytes);
        if (!sq_device_capture(sq_adbd_phone_device(phone), NULL,
                               &frame->capture, &deadline, err)) {
            return false;
        }
        const struct sq_adbd_fault *photo =
            &phone->options.faults.of[SQ_ADBD_PHOTO];
        if (photo->on) {
            uint8_t *pixels = bytes->data + FRAME_HEADER_BYTES;
            int width = (int)sq_load_le32(bytes->data);
            int height = (int)sq_load_le32(bytes->data + 4);
            uint32_t seed = (uint32_t)photo->number;
            for (int at = 0; at < width * height; at++) {
                draw_pixel(pixels + (int64_t)at * PIXEL, at % width, at / width,
                           mix(seed));
            }
        }
        frame->valid = true;
        frame->now_ns = now_ns;
    }
    if (sq_adbd_phone_has(phone, SQ_ADBD_SECURE)) {
        /* Black out this frame only; the next call captures again. */
        for (size_t i = FRAME_HEADER_BYTES; i < bytes->len; i++) {
            bytes->data[i] = i % 4 == 3 ? UINT8_MAX : 0;
        }
        frame->valid = false;
    }
    *out = sq_buf_span(bytes);
    return true;
}

int
sq_adbd_phone_api(const struct sq_adbd_phone *phone) {
    return sq_adbd_phone_has(phone, SQ_ADBD_API)
             ? (int)phone->options.faults.of[SQ_ADBD_API].number
             : DEFAULT_API;
}

int
sq_adbd_phone_dpi(double density) {
    return (int)lrint(density * SQ_ADBD_DPI_OF_DENSITY);
}

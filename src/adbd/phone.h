/*
 * The demo phone as Android's tools see it: the device itself, and what only
 * they know about (files, properties, settings, the clipboard, faults).
 */
#ifndef SQ_ADBD_PHONE_H
#define SQ_ADBD_PHONE_H

#include "adbd/faults.h"
#include "adbd/files.h"
#include "adbd/store.h"
#include "device/demo/phone.h"

#define SQ_ADBD_SERIAL_SIZE 64
#define SQ_ADBD_DISPLAY_ID "4619827259835644672"
#define SQ_ADBD_SECOND_DISPLAY_ID "4619827551948147201"
#define SQ_ADBD_KEYBOARD "com.squint.demo.keyboard/.PlainIme"
#define SQ_ADBD_UNICODE_KEYBOARD "com.android.adbkeyboard/.AdbIME"
#define SQ_ADBD_DPI_OF_DENSITY 160 /* at density 1 */

struct sq_adbd_options {
    struct sq_demo_options demo;
    const char *serial; /* ro.serialno; NULL: "SQUINTDEMO" */
    struct sq_adbd_faults faults;
    struct sq_adbd_delays delays;
    int64_t link_rate; /* bytes a second to a client; 0: no limit */
    /* One line, without its end, about what was asked; may be NULL. */
    void (*log)(void *context, const char *line);
    void *log_context;
};

/* The last frame, for as long as nothing has happened since. */
struct sq_adbd_frame {
    struct sq_capture capture;
    bool valid;
    int64_t now_ns; /* by the phone's clock */
};

struct sq_adbd_phone {
    struct sq_phone *demo;
    struct sq_demo_options first; /* what the phone was made of */
    struct sq_size panel;         /* before any "wm size" */
    double density;               /* before any "wm density" */
    char serial[SQ_ADBD_SERIAL_SIZE];
    struct sq_adbd_faults faults;
    struct sq_adbd_delays delays;
    int64_t link_rate;
    int64_t (*clock_ns)(void); /* sq_clock_monotonic_ns, or a test's */
    struct sq_adbd_files files;
    struct sq_adbd_store properties;
    struct sq_adbd_store settings; /* "global name" and so on */
    struct sq_buf clipboard;
    struct sq_adbd_frame frame;
    struct {
        struct sq_dev_pt at;
        int64_t ns; /* 0: none that counts */
    } last_tap;
    void (*log)(void *context, const char *line);
    void *log_context;
};

bool sq_adbd_phone_create(const struct sq_adbd_options *options,
                          struct sq_adbd_phone **out, struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_phone_destroy(struct sq_adbd_phone *phone);

/*
 * As if it had just been switched on for the first time: screens, files and
 * settings. Faults and delays stay. On failure all is as it was.
 */
bool sq_adbd_phone_reset(struct sq_adbd_phone *phone, struct sq_err *err);

static inline struct sq_device *
sq_adbd_phone_device(struct sq_adbd_phone *phone) {
    return &phone->demo->base;
}

static inline bool
sq_adbd_phone_has(const struct sq_adbd_phone *phone,
                  enum sq_adbd_fault_id fault) {
    return phone->faults.of[fault].on;
}

/* Bytes a second that its link carries now; 0: no limit. */
static inline int64_t
sq_adbd_phone_rate(const struct sq_adbd_phone *phone) {
    return sq_adbd_phone_has(phone, SQ_ADBD_SLOW)
             ? phone->faults.of[SQ_ADBD_SLOW].number
             : phone->link_rate;
}

/* Whatever touches the phone calls this: the kept frame is no longer true. */
void sq_adbd_phone_touched(struct sq_adbd_phone *phone);

/*
 * What is on the screen as screencap's raw bytes with their header of 16
 * bytes. The span is the phone's; it is valid until the next call of any
 * function here.
 */
bool sq_adbd_phone_frame(struct sq_adbd_phone *phone, struct sq_span *out,
                         struct sq_err *err);

/* "com.squint.demo.login/.LoginActivity", of the app in front. */
void sq_adbd_phone_component(const struct sq_adbd_phone *phone, char *out,
                             size_t size);

/* The app of a package name; SQ_APPS if it has none. */
enum sq_app_id sq_adbd_phone_app(struct sq_span package);

/* Dots per inch as wm tells them. */
int sq_adbd_phone_dpi(double density);

/* Whether nobody but the app itself may see what it shows. */
bool sq_adbd_phone_is_secure(const struct sq_adbd_phone *phone);

#endif

/*
 * The demo phone with the additional state that Android's tools see: files,
 * properties, settings, the clipboard and faults.
 */
#ifndef SQ_DEMO_ADBD_PHONE_H
#define SQ_DEMO_ADBD_PHONE_H

#include "demo/adbd/faults.h"
#include "demo/adbd/files.h"
#include "demo/adbd/store.h"
#include "demo/phone/phone.h"
#include "demo/phone/options.h"

#define SQ_ADBD_SERIAL_SIZE 64
#define SQ_ADBD_VIDEO_PATH_SIZE 128
#define SQ_ADBD_DISPLAY_ID "4619827259835644672"
#define SQ_ADBD_SECOND_DISPLAY_ID "4619827551948147201"
#define SQ_ADBD_KEYBOARD "com.squint.demo.keyboard/.PlainIme"
#define SQ_ADBD_UNICODE_KEYBOARD "com.android.adbkeyboard/.AdbIME"
#define SQ_ADBD_DPI_OF_DENSITY 160 /* dpi at density 1 */

struct sq_adbd_options {
    struct sq_demo_options demo;
    const char *serial; /* ro.serialno; NULL: "SQUINTDEMO" */
    struct sq_adbd_faults faults;
    struct sq_adbd_delays delays;
    int64_t link_rate;  /* bytes per second to a client; 0: no limit */
    bool runs_programs; /* programs copied to it run on this machine */
    /*
     * Receives one line about each request, without the newline; may be NULL.
     */
    void (*log)(void *context, const char *line);
    void *log_context;
};

/* A cache of the last frame. Valid until something changes. */
struct sq_adbd_frame {
    struct sq_capture capture;
    bool valid;
    int64_t now_ns; /* by the phone's clock */
};

/* The events of fingers on a touch screen, as the kernel receives them. */
struct sq_adbd_fingers {
    int slot; /* the finger that the next events are about */
    bool is_down[SQ_MAX_FINGERS];
    struct sq_dev_pt at[SQ_MAX_FINGERS]; /* in units of the touch screen */
    int64_t start_ms;
    struct sq_finger_paths paths; /* since the first went down */
};

#define SQ_ADBD_MAX_EVENTS 64
#define SQ_ADBD_EVENT_SIZE 300

/* The log of events: the latest SQ_ADBD_MAX_EVENTS. */
struct sq_adbd_events {
    uint64_t count; /* since the start */
    struct sq_adbd_event {
        int64_t at_ns;
        const char *tag; /* constant */
        char value[SQ_ADBD_EVENT_SIZE];
    } of[SQ_ADBD_MAX_EVENTS];
    /* The state that they are about, as last noted. */
    struct sq_adbd_noted {
        bool is_set;
        enum sq_app_id app;
        bool is_locked;
        bool is_asleep;
        struct sq_size size;
        double density;
    } noted;
};

/* SurfaceFlinger's count of frames. */
struct sq_adbd_counter {
    uint64_t frames;
    uint64_t hash; /* of the last one; 0: none */
    int resets;
};

struct sq_adbd_phone {
    struct sq_phone *demo;
    struct sq_demo_options first; /* the options at creation */
    struct sq_size panel;         /* before any "wm size" */
    double density;               /* before any "wm density" */
    char serial[SQ_ADBD_SERIAL_SIZE];
    struct sq_adbd_faults faults;
    struct sq_adbd_delays delays;
    int64_t link_rate;
    bool runs_programs;
    int64_t (*clock_ns)(void); /* sq_clock_monotonic_ns, or a test clock */
    struct sq_adbd_files files;
    struct sq_adbd_store properties;
    struct sq_adbd_store settings; /* keys such as "global name" */
    struct sq_adbd_store state;    /* such as "permission APP NAME" */
    struct sq_buf clipboard;
    struct sq_buf argv; /* words of the last program, each ended by U+001F */
    struct sq_buf late_keys; /* an int32_t each: -code, or a character */
    int64_t late_keys_ns;    /* when the first of them arrives */
    struct {
        bool on;
        int64_t ends_ns; /* from sq_clock_monotonic_ns */
        char path[SQ_ADBD_VIDEO_PATH_SIZE];
    } recording;
    struct sq_adbd_fingers fingers;
    struct sq_adbd_events events;
    struct sq_adbd_counter counter;
    struct sq_adbd_frame frame;
    struct {
        struct sq_dev_pt at;
        int64_t ns; /* 0: none */
    } last_tap;
    void (*log)(void *context, const char *line);
    void *log_context;
};

bool sq_adbd_phone_create(const struct sq_adbd_options *options,
                          struct sq_adbd_phone **out, struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_phone_destroy(struct sq_adbd_phone *phone);

/*
 * Resets screens, files and settings to their initial state. Faults and delays
 * are kept. Changes nothing on failure.
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

/* Returns the current rate of the link in bytes per second; 0: no limit. */
static inline int64_t
sq_adbd_phone_rate(const struct sq_adbd_phone *phone) {
    return sq_adbd_phone_has(phone, SQ_ADBD_SLOW)
             ? phone->faults.of[SQ_ADBD_SLOW].number
             : phone->link_rate;
}

/*
 * Lets apps react to earlier touches and keys that are due, with the delays
 * "reaction" and "pressed" for later ones.
 */
bool sq_adbd_phone_react(struct sq_adbd_phone *phone, struct sq_err *err);

/* Invalidates the cached frame. Must be called after every input. */
void sq_adbd_phone_touched(struct sq_adbd_phone *phone);

/*
 * Returns the screen in screencap's raw format, with its header of 16 bytes.
 * *out belongs to the phone and is valid until the next call of any function
 * here.
 */
bool sq_adbd_phone_frame(struct sq_adbd_phone *phone, struct sq_span *out,
                         struct sq_err *err);

/*
 * Writes the component of the foreground app, such as
 * "com.squint.demo.login/.LoginActivity".
 */
void sq_adbd_phone_component(const struct sq_adbd_phone *phone, char *out,
                             size_t size);

/* Returns the app with that package name, or SQ_APPS if there is none. */
enum sq_app_id sq_adbd_phone_app(struct sq_span package);

/* Returns the API level: 34, or that of the fault "api". */
int sq_adbd_phone_api(const struct sq_adbd_phone *phone);

/* Returns the density in dots per inch, as wm prints it. */
int sq_adbd_phone_dpi(double density);

/* Returns whether the foreground app forbids captures of its screen. */
bool sq_adbd_phone_is_secure(const struct sq_adbd_phone *phone);

#endif

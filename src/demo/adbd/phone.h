/*
 * The demo phone with the additional state that Android's tools see: files,
 * properties, settings, the clipboard, faults and delays.
 */
#ifndef SQ_DEMO_ADBD_PHONE_H
#define SQ_DEMO_ADBD_PHONE_H

#include "demo/phone/phone.h"

/* The faults, which docs/demo-phone.md describes: how they are written, and
 * whether they have a number. */
#define SQ_ADBD_FAULT_LIST(X)                                                  \
    X(TRUNCATE, "truncate", NUMBER_REQUIRED)                                   \
    X(HANG, "hang", NUMBER_OPTIONAL)                                           \
    X(DISCONNECT, "disconnect", NUMBER_REQUIRED)                               \
    X(UNAUTHORIZED, "unauthorized", NUMBER_OPTIONAL)                           \
    X(OFFLINE, "offline", NUMBER_OPTIONAL)                                     \
    X(SLOW, "slow", NUMBER_REQUIRED)                                           \
    X(IDLE, "idle", NUMBER_OPTIONAL)                                           \
    X(NULL_ROOT, "null-root", NUMBER_OPTIONAL)                                 \
    X(CRASH, "crash", NUMBER_OPTIONAL)                                         \
    X(SECURE, "secure", NUMBER_NONE)                                           \
    X(DISPLAY_WARNING, "display-warning", NUMBER_NONE)                         \
    X(OLD_FRAME, "old-frame", NUMBER_NONE)                                     \
    X(OLD_SHELL, "old-shell", NUMBER_NONE)                                     \
    X(NO_EXEC, "no-exec", NUMBER_NONE)                                         \
    X(NO_IME, "no-ime", NUMBER_NONE)                                           \
    X(CLIPBOARD_HELPER, "clipboard-helper", NUMBER_NONE)                       \
    X(API, "api", NUMBER_REQUIRED)                                             \
    X(NO_CLIPBOARD, "no-clipboard", NUMBER_NONE)                               \
    X(NO_DEAD_KEYS, "no-dead-keys", NUMBER_NONE)                               \
    X(NO_PASTE, "no-paste", NUMBER_NONE)                                       \
    X(PIN, "pin", NUMBER_NONE)                                                 \
    X(NO_GZIP, "no-gzip", NUMBER_NONE)                                         \
    X(ROOT, "root", NUMBER_NONE)                                               \
    X(NO_UINPUT, "no-uinput", NUMBER_NONE)                                     \
    X(PHOTO, "photo", NUMBER_REQUIRED)                                         \
    X(NO_EVENTS, "no-events", NUMBER_NONE)                                     \
    X(LATE_EVENTS, "late-events", NUMBER_REQUIRED)                             \
    X(NO_COUNTER, "no-counter", NUMBER_NONE)                                   \
    X(COUNTER_STUCK, "counter-stuck", NUMBER_NONE)                             \
    X(COUNTER_RESET, "counter-reset", NUMBER_OPTIONAL)                         \
    X(LATE_KEYS, "late-keys", NUMBER_REQUIRED)                                 \
    X(VIDEO, "video", NUMBER_REQUIRED)

#define SQ_ADBD_FAULT_ID(id, name, number) SQ_ADBD_##id,
enum sq_adbd_fault_id { SQ_ADBD_FAULT_LIST(SQ_ADBD_FAULT_ID) SQ_ADBD_FAULTS };

#define SQ_ADBD_NO_NUMBER (-1)

struct sq_adbd_fault {
    bool on;
    int64_t number; /* SQ_ADBD_NO_NUMBER: none was given */
};

/* All zero: no faults. */
struct sq_adbd_faults {
    struct sq_adbd_fault of[SQ_ADBD_FAULTS];
};

/*
 * Sets faults from "name", "name=N", "name=off" or "none", separated by commas.
 * Fails with SQ_ERR_ARGUMENT and changes nothing if the text is invalid.
 */
bool sq_adbd_faults_set(struct sq_adbd_faults *faults, struct sq_span text,
                        struct sq_err *err);

/*
 * Appends the active faults, one per line, in the format that
 * sq_adbd_faults_set reads.
 */
bool sq_adbd_faults_list(const struct sq_adbd_faults *faults,
                         struct sq_buf *out, struct sq_err *err);

/*
 * Returns whether the fault is on, and counts its number down by one. A fault
 * without a number stays on.
 */
bool sq_adbd_fault_spend(struct sq_adbd_faults *faults,
                         enum sq_adbd_fault_id id);

#define SQ_ADBD_MAX_DELAYS 16
#define SQ_ADBD_NAME_SIZE 32

/* How a program ends after its delay. */
enum sq_adbd_ending {
    SQ_ADBD_WORKS,
    SQ_ADBD_FAILS,     /* as if the phone lacked its service */
    SQ_ADBD_IS_SILENT, /* does and prints nothing, with status 0 */
};

struct sq_adbd_delay {
    char program[SQ_ADBD_NAME_SIZE];
    int ms;
    enum sq_adbd_ending ending;
};

/* All zero: no delays. */
struct sq_adbd_delays {
    struct sq_adbd_delay of[SQ_ADBD_MAX_DELAYS];
    int count;
};

/*
 * Sets delays from "program=MS", separated by commas; "fail", "silent" and
 * "hang" instead of MS. "shell" is the start of a shell, "program" any program
 * without a delay of its own. "reaction" is the time from a tap or key to what
 * the app does, "pressed" the same with the touched element shown as pressed
 * until then.
 */
bool sq_adbd_delays_set(struct sq_adbd_delays *delays, struct sq_span text,
                        struct sq_err *err);

/* Returns the delay of a program, or NULL if none is set. */
const struct sq_adbd_delay *
sq_adbd_delay_of(const struct sq_adbd_delays *delays, const char *name);

/* Returns its milliseconds, or otherwise if none is set. */
int sq_adbd_delay_ms(const struct sq_adbd_delays *delays, const char *name,
                     int otherwise);

#define SQ_ADBD_STORE_NAME_SIZE 96
#define SQ_ADBD_STORE_VALUE_SIZE 256
#define SQ_ADBD_STORE_MAX 128

struct sq_adbd_entry {
    struct sq_adbd_entry *next;
    char name[SQ_ADBD_STORE_NAME_SIZE];
    char value[SQ_ADBD_STORE_VALUE_SIZE];
};

/* All zero: empty. */
struct sq_adbd_store {
    struct sq_adbd_entry *first;
    int count;
};

/* Safe on a zeroed value. */
void sq_adbd_store_finish(struct sq_adbd_store *store);

/* Returns NULL if the name is not set. */
const char *sq_adbd_store_get(const struct sq_adbd_store *store,
                              const char *name);

/*
 * Sets a value; both strings are copied. Fails with SQ_ERR_LIMIT if a string is
 * too long or the store is full.
 */
bool sq_adbd_store_set(struct sq_adbd_store *store, const char *name,
                       const char *value, struct sq_err *err);

void sq_adbd_store_remove(struct sq_adbd_store *store, const char *name);

#define SQ_ADBD_PATH_SIZE 256
#define SQ_ADBD_MAX_FILES 64
#define SQ_ADBD_MAX_FILE_BYTES ((size_t)96 << 20)

struct sq_adbd_file {
    struct sq_adbd_file *next; /* sorted by path, bytewise */
    char path[SQ_ADBD_PATH_SIZE];
    struct sq_buf bytes;
    int64_t modified_s; /* since 1970 */
};

/* All zero: no files. */
struct sq_adbd_files {
    struct sq_adbd_file *first;
    int count;
};

/* Safe on a zeroed value. */
void sq_adbd_files_finish(struct sq_adbd_files *files);

/*
 * Returns NULL if there is no such file. "/sdcard/a" and
 * "/storage/emulated/0/a" are the same file.
 */
struct sq_adbd_file *sq_adbd_files_find(const struct sq_adbd_files *files,
                                        const char *path);

/*
 * Checks that a file may be created there: below /sdcard or /data/local/tmp, as
 * on a phone. Fails with SQ_ERR_NOT_FOUND otherwise.
 */
bool sq_adbd_files_check(const char *path, struct sq_err *err);

/* Creates an empty file, or truncates an existing one. */
bool sq_adbd_files_create(struct sq_adbd_files *files, const char *path,
                          int64_t now_s, struct sq_adbd_file **out,
                          struct sq_err *err);

/* Removes a file. Returns whether it existed. */
bool sq_adbd_files_remove(struct sq_adbd_files *files, const char *path);

/* Returns whether the path is a folder, with or without a trailing slash. */
bool sq_adbd_files_is_folder(const char *path);

/*
 * Returns the file after `after` directly inside the folder, or NULL at the
 * end. Starts with the first file if `after` is NULL.
 */
const struct sq_adbd_file *sq_adbd_files_in(const struct sq_adbd_files *files,
                                            const char *folder,
                                            const struct sq_adbd_file *after);

/* Returns the part of the path after the last slash. */
const char *sq_adbd_file_name(const struct sq_adbd_file *file);

#define SQ_ADBD_VIDEO_PATH_SIZE 128
#define SQ_ADBD_DISPLAY_ID "4619827259835644672"
#define SQ_ADBD_SECOND_DISPLAY_ID "4619827551948147201"
#define SQ_ADBD_KEYBOARD "com.squint.demo.keyboard/.PlainIme"
#define SQ_ADBD_UNICODE_KEYBOARD "com.android.adbkeyboard/.AdbIME"
#define SQ_ADBD_DPI_OF_DENSITY 160 /* dpi at density 1 */

/*
 * answers.txt: texts that programs print, and the first values of properties
 * and settings, in sections (util/span.h). %name% is a value of the phone.
 */
extern const char sq_adbd_answers[];
extern const size_t sq_adbd_answers_size;

/* Returns a section as it is in the file; an empty one if there is none. */
static inline struct sq_span
sq_adbd_answer(const char *name) {
    return sq_span_section(
        (struct sq_span){ sq_adbd_answers, sq_adbd_answers_size }, name);
}

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
    struct sq_adbd_options options; /* faults and delays may have changed */
    struct sq_size panel;           /* before any "wm size" */
    double density;                 /* before any "wm density" */
    int64_t (*clock_ns)(void);      /* sq_clock_monotonic_ns, or a test clock */
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
    return phone->options.faults.of[fault].on;
}

/* Returns the current rate of the link in bytes per second; 0: no limit. */
static inline int64_t
sq_adbd_phone_rate(const struct sq_adbd_phone *phone) {
    return sq_adbd_phone_has(phone, SQ_ADBD_SLOW)
             ? phone->options.faults.of[SQ_ADBD_SLOW].number
             : phone->options.link_rate;
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

/* Returns the API level: 34, or that of the fault "api". */
int sq_adbd_phone_api(const struct sq_adbd_phone *phone);

/* Returns the density in dots per inch, as wm prints it. */
int sq_adbd_phone_dpi(double density);

#endif

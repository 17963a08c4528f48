/* Defines the internals of a session; only for src/session. */
#ifndef SQ_SESSION_STATE_H
#define SQ_SESSION_STATE_H

#include <stdint.h>

#include "session/session.h"
#include "sys/lock.h"
#include "util/arena.h"

#define SQ_FINGERPRINT_SIZE 48
#define SQ_SEEN_VIEWS 50

/* The arena owns the items and their texts. */
struct sq_element_list {
    struct sq_arena arena;
    struct sq_elements all;
    struct sq_tree_stamp stamp; /* of the latest list, only its change */
};

struct sq_session_device {
    char id[SQ_DEVICE_ID_SIZE];
    struct sq_frame view;             /* used by lists; no id: none yet */
    struct sq_frame latest;           /* points refer to it; no id: none yet */
    struct sq_element_list elements;  /* that the client has */
    struct sq_element_list on_screen; /* all of them */
    bool notice_sent[SQ_NOTICES];
    struct sq_dev_rect secret; /* password field that was typed into */
    int64_t secret_ns;         /* when; 0: never */
    char secret_app[SQ_DEVICE_TEXT_SIZE]; /* in which app; empty: not known */
    struct sq_session_device *next;
};

#define SQ_HELD_FRAMES 4
#define SQ_SEEN_APPS 32

struct sq_cached_frame {
    char id[SQ_FRAME_ID_SIZE]; /* empty: unused */
    struct sq_stored_frame held;
};

#define SQ_SHOWN_PICTURES 32

struct sq_shown {
    char ref[SQ_REF_SIZE]; /* empty: unused */
    struct sq_size image;
    struct sq_region part;
};

/* Everything below is guarded by the lock. */
struct sq_session {
    struct sq_lock *lock;
    uint64_t number; /* constant */
    int max_dimension;
    bool follows_app; /* see sq_session_follow_app */
    bool has_key;     /* frame ids contain their frames */
    uint8_t key[SQ_SESSION_KEY_BYTES];
    struct sq_session *store; /* NULL: stores pixels and apps itself */
    char apps[SQ_SEEN_APPS][SQ_DEVICE_TEXT_SIZE]; /* that frames showed */
    size_t app_count;
    size_t next_app; /* slot of the next app, once all are used */
    struct sq_session_device *devices;
    struct sq_frame *frames; /* ring buffer */
    int max_frames;
    int frame_count;
    int next_frame; /* slot of the next frame */
    long last_id;
    /* Fingerprints, the latest that was noted first; empty: unused. */
    char views[SQ_SEEN_VIEWS][SQ_FINGERPRINT_SIZE];
    struct sq_cached_frame held[SQ_HELD_FRAMES]; /* newest first */
    struct sq_ledger ledger;
    struct sq_device_choice choice;
    struct sq_shown shown[SQ_SHOWN_PICTURES]; /* newest first */
    char sheet[SQ_SHEET_CELLS][SQ_REF_SIZE];
    size_t sheet_count;
    struct sq_session_hit hits[SQ_SESSION_HITS];
    size_t hit_count;
    int first_hit; /* the number of hits[0] */
    int last_hit;  /* the last number that was reserved */
};

/* Returns the session that stores pixels and apps: another one, or itself. */
static inline struct sq_session *
sq_session_store(struct sq_session *session) {
    return session->store ? session->store : session;
}

/* Returns the remembered frame with that id, of any device, or NULL. */
const struct sq_frame *sq_session_find_frame(const struct sq_session *session,
                                             struct sq_span id);

/* Frees all stored frames. */
void sq_session_release_held(struct sq_session *session);

/* Returns a frame of the ring buffer; age 1: the latest. Needs the lock. */
const struct sq_frame *sq_session_frame_at(const struct sq_session *session,
                                           int age);

/* Returns the state of a device, or NULL. The lock must be held. */
struct sq_session_device *
sq_session_device_find(const struct sq_session *session, const char *device_id);

/*
 * Returns the state of a device and creates it if missing. The lock must be
 * held. An empty state has no effect. Fails if out of memory.
 */
bool sq_session_device_get(struct sq_session *session, const char *device_id,
                           struct sq_session_device **out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_element_list_finish(struct sq_element_list *list);

/*
 * Frame ids that contain the frame. A client without a session sends such an id
 * back, and every process with the same key knows the frame, even if another
 * process has made it. Without the key an id can neither be made nor changed.
 */

/* The sizes of screen and image and the crop of a view, as numbers. */
#define SQ_VIEW_NUMBERS 8
_Static_assert(sizeof(struct sq_view) == SQ_VIEW_NUMBERS * sizeof(int),
               "a view is copied from and to its numbers");

/* Returns whether the text has the form of such an id. */
bool sq_portable_frame_is_id(struct sq_span id);

/* Sets frame->id. Fails only if there is no randomness. */
bool sq_portable_frame_name(const uint8_t key[SQ_SESSION_KEY_BYTES],
                            struct sq_frame *frame, struct sq_err *err);

/* Names of apps, one of which a frame may have shown. */
struct sq_app_names {
    const char (*items)[SQ_DEVICE_TEXT_SIZE];
    size_t count;
};

/*
 * Reads an id of a frame of that device. frame->app becomes the name in `apps`
 * of the app that the frame showed, or, if it is not among them, a text that is
 * not the name of an app. Returns false and leaves *out unchanged if the id was
 * not made with this key, or for another device. A NULL device_id accepts every
 * device; frame->device_id then stays empty.
 */
bool sq_portable_frame_read(const uint8_t key[SQ_SESSION_KEY_BYTES],
                            struct sq_span id, const char *device_id,
                            const struct sq_app_names *apps,
                            struct sq_frame *out);

/*
 * Names of apps that this process has seen in the foreground. The id of a frame
 * contains only a hash of the app's name; an error message needs the name.
 */

/*
 * Remembers an app in the session's store, the latest SQ_SEEN_APPS. The
 * session's lock must be held. An empty name has no effect.
 */
void sq_seen_apps_add(struct sq_session *session, const char *app);

/*
 * Remembers the app in the foreground, and reads the id of a frame with the
 * names that are remembered; see sq_portable_frame_read. The session's lock
 * must be held.
 */
bool sq_seen_apps_read_frame(struct sq_session *session, struct sq_span id,
                             const char *device_id, const char *foreground,
                             struct sq_frame *out);

#endif

/* What a session is made of: for this room only. */
#ifndef SQ_SESSION_STATE_H
#define SQ_SESSION_STATE_H

#include "session/session.h"
#include "sys/lock.h"
#include "util/arena.h"

#define SQ_FINGERPRINT_SIZE 48
#define SQ_CACHED_VIEWS 50

/* The arena holds the items and their texts. */
struct sq_element_list {
    struct sq_arena arena;
    struct sq_element *items;
    size_t count;
    bool known;
    struct sq_tree_stamp stamp; /* not of cached views */
};

struct sq_seen {
    char id[SQ_DEVICE_ID_SIZE];
    struct sq_frame view;   /* in which lists answer; no id: none yet */
    struct sq_frame latest; /* in which points are given; no id: none yet */
    struct sq_element_list elements;
    bool told[SQ_NOTICES];
    struct sq_seen *next;
};

struct sq_cached_view {
    char fingerprint[SQ_FINGERPRINT_SIZE]; /* empty: unused */
    struct sq_element_list elements;
    long used; /* when, by the session's count */
};

#define SQ_HELD_FRAMES 4

struct sq_stored_frame_frame {
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
    int max_dimension;
    struct sq_seen *devices;
    struct sq_frame *frames; /* a ring */
    int max_frames;
    int frame_count;
    int next_frame; /* where the next one goes */
    long last_id;
    struct sq_cached_view views[SQ_CACHED_VIEWS];
    long view_clock;
    struct sq_stored_frame_frame held[SQ_HELD_FRAMES]; /* the latest first */
    struct sq_ledger ledger;
    struct sq_shown shown[SQ_SHOWN_PICTURES]; /* the latest first */
    char sheet[SQ_SHEET_CELLS][SQ_REF_SIZE];
    size_t sheet_count;
};

/* Let go of all held frames. */
void sq_session_release_held(struct sq_session *session);

/* The state of a device, or NULL. Call it with the lock held. */
struct sq_seen *sq_seen_find(const struct sq_session *session,
                             const char *device_id);

/* The same, made if it is not there; an empty one means nothing. */
bool sq_seen_get(struct sq_session *session, const char *device_id,
                 struct sq_seen **out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_element_list_finish(struct sq_element_list *list);

#endif

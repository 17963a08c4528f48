/*
 * One folder of an archive: kept open, its inner folders read when somebody
 * asks for their dates, and read again only when they changed.
 */
#ifndef SQ_ARCHIVE_ROOT_H
#define SQ_ARCHIVE_ROOT_H

#include "archive/archive.h"
#include "archive/check_cache.h"
#include "archive/day.h"
#include "archive/index.h"
#include "archive/fingerprint_store.h"
#include "archive/day_cache.h"
#include "sys/lock.h"

struct sq_root {
    struct sq_archive_root about; /* texts owned */
    char *path;                   /* as about.path */
    char *name;
    uint32_t id; /* what refs call it; from the first opening on */
    bool has_id;
    struct sq_lock *lock;
    int fd;            /* of the folder the dates are in; -1: not open */
    uint64_t seen;     /* the state of the folder that was configured */
    const char *inner; /* the folder inside that has the dates; NULL: none */
    bool settled;      /* the root itself has had dates or shots */
    bool looked;       /* whether they are further inside, in that state */
    struct sq_day_cache shelf;
    struct sq_day_reader *reader;
    struct sq_check_cache checked; /* files looked at so far */
    struct sq_image_fingerprint_store prints;
    sq_place *todo; /* places still to be visited */
    size_t todo_count;
    size_t todo_room;
    char *index_folder; /* NULL: none */
    char index_path[SQ_PATH_SIZE];
    struct sq_index_owner owner;
    struct sq_index index;
    bool index_tried;
    uint32_t unsaved; /* folders read that the index lacks */
    uint32_t refused; /* folders that could not be read, last time */
    uint32_t opened;  /* folders read so far */
    uint32_t turn;    /* how often the lock was taken */
};

struct sq_root_options {
    const struct sq_zone *zone;
    size_t max_bytes;
    const char *index_folder; /* may be NULL */
};

/* Touches no folder. */
bool sq_root_init(struct sq_root *root, const struct sq_archive_root *about,
                  const struct sq_root_options *options, struct sq_err *err);

/* Safe on a zeroed value. Writes the index if it has grown by much. */
void sq_root_finish(struct sq_root *root);

/* Everything below needs the lock. */
bool sq_root_take(struct sq_root *root, const struct sq_deadline *deadline,
                  struct sq_err *err);
void sq_root_give(struct sq_root *root);

/*
 * Open the folder, or again if it is another one by now, and go to where its
 * dates are: itself, or a folder inside that trackers are known to make.
 * *trouble says what is wrong; false only for our own lack of memory, time or
 * descriptors.
 */
bool sq_root_open(struct sq_root *root, const struct sq_deadline *deadline,
                  enum sq_archive_trouble *trouble, struct sq_err *err);

/* Open a folder to list it. Returns -1 and sets errno; the caller closes it. */
int sq_root_open_place(const struct sq_root *root, sq_place place);

/*
 * A folder as it is now: from the shelf, from the index, or read. NULL in *out
 * if it is gone or cannot be read. The day is valid until the next call.
 */
bool sq_root_day(struct sq_root *root, sq_place place,
                 const struct sq_deadline *deadline, const struct sq_day **out,
                 struct sq_err *err);

/* Called for each folder; day is valid only meanwhile. */
struct sq_root_visitor {
    bool (*visit)(void *context, sq_place place, const struct sq_day *day,
                  struct sq_err *err);
    void *context;
};

/*
 * Visit the folders that can hold shots of the days (in UTC) first to last,
 * each before those inside it. count gets all but trouble
 * and opened.
 */
bool sq_root_walk(struct sq_root *root, const int32_t days[2],
                  const struct sq_root_visitor *visitor,
                  const struct sq_deadline *deadline,
                  struct sq_archive_count *count, struct sq_err *err);

/* The time of its oldest or newest shot; false in *found if it has none. */
bool sq_root_edge(struct sq_root *root, bool newest,
                  const struct sq_deadline *deadline, struct sq_shot *out,
                  bool *found, struct sq_err *err);

/* Write the index if there is to be one and at least so much is new. */
bool sq_root_save(struct sq_root *root, uint32_t at_least, struct sq_err *err);

#endif

/*
 * Manages one root folder of an archive. The folder is kept open. Folders
 * inside it are read when their dates are requested, and read again only after
 * they have changed.
 */
#ifndef SQ_ARCHIVE_STORE_ROOT_H
#define SQ_ARCHIVE_STORE_ROOT_H

#include "archive/archive.h"
#include "archive/store/check_cache.h"
#include "archive/store/cover.h"
#include "archive/store/day.h"
#include "archive/store/day_cache.h"
#include "archive/store/fingerprint_store.h"
#include "archive/store/index.h"
#include "sys/lock.h"

/* What hides shots of all roots. */
struct sq_root_hiding {
    sq_archive_hide *hide; /* NULL: nothing */
    void *context;
};

struct sq_root {
    struct sq_archive_root config; /* owns its texts */
    char *path;                    /* as configured */
    char *name;
    const struct sq_covers *covers;
    const struct sq_root_hiding *hiding;
    int number;                                /* index in the archive */
    struct sq_cover_ids ids;                   /* when it was last opened */
    enum sq_archive_permission permission;     /* in force, by all covers */
    enum sq_archive_permission day_permission; /* of the folder last read */
    bool is_day_foreign;    /* another root lists the shots of that folder */
    bool has_foreign;       /* there was such a folder */
    struct sq_day *visible; /* what may be shown of a folder; NULL: none yet */
    uint32_t id;            /* identifies it in refs; set when first opened */
    bool has_id;
    struct sq_lock *lock;
    int fd;                /* of the folder with the date folders; -1: closed */
    uint64_t root_stamp;   /* stamp of the configured folder */
    const char *subfolder; /* subfolder with the date folders; NULL: none */
    bool had_shots;        /* the root itself has had date folders or shots */
    bool subfolders_checked; /* its subfolders were looked at in this state */
    struct sq_day_cache cache;
    struct sq_day_reader *reader;
    struct sq_check_cache checked; /* results of file checks */
    struct sq_image_fingerprint_store fingerprints;
    sq_place *todo; /* places still to visit */
    size_t todo_count;
    size_t todo_capacity;
    char *index_folder; /* NULL: none */
    char index_path[SQ_PATH_SIZE];
    struct sq_index_owner owner;
    struct sq_index index;
    bool index_tried;
    uint32_t unsaved;    /* folders read that are not in the index */
    uint32_t unreadable; /* folders that could not be read last time */
    uint32_t opened;     /* folders read so far */
    uint32_t generation; /* number of times the lock was taken */
};

struct sq_root_options {
    const struct sq_covers *covers;      /* must outlive the root */
    const struct sq_root_hiding *hiding; /* likewise */
    int number;
    const struct sq_zone *zone;
    size_t max_bytes;
    const char *index_folder; /* may be NULL */
};

/* Initialises a root without opening any folder. */
bool sq_root_init(struct sq_root *root, const struct sq_archive_root *config,
                  const struct sq_root_options *options, struct sq_err *err);

/*
 * Frees the root. Writes the index if many folders are new. Safe on a zeroed
 * value.
 */
void sq_root_finish(struct sq_root *root);

/* Locks and unlocks the root. All functions below require the lock. */
bool sq_root_lock(struct sq_root *root, const struct sq_deadline *deadline,
                  struct sq_err *err);
void sq_root_unlock(struct sq_root *root);

/*
 * Opens the folder, or reopens it if the path now names another folder, and
 * finds where its date folders are: in the folder itself or in a subfolder that
 * known trackers create. *trouble is the problem with the folder; one that must
 * not be shown is MISSING. Returns false only if we are out of memory, time or
 * descriptors.
 */
bool sq_root_open(struct sq_root *root, const struct sq_deadline *deadline,
                  enum sq_archive_trouble *trouble, struct sq_err *err);

/*
 * Opens a folder to list it. Returns -1 and sets errno on failure; the caller
 * closes it.
 */
int sq_root_open_place(const struct sq_root *root, sq_place place);

/* Finds the permission of the open folder. Returns 0 or errno. */
int sq_root_find_permission(struct sq_root *root);

/*
 * Returns the current contents of a folder from the cache, the index or the
 * disk. *out is NULL if the folder is gone or unreadable, and is valid until
 * the next call. Includes what must not be shown.
 */
bool sq_root_read_day(struct sq_root *root, sq_place place,
                      const struct sq_deadline *deadline,
                      const struct sq_day **out, struct sq_err *err);

/*
 * Returns what may be shown of a folder, and sets root->day_permission. *out is
 * NULL if that is nothing.
 */
bool sq_root_day(struct sq_root *root, sq_place place,
                 const struct sq_deadline *deadline, const struct sq_day **out,
                 struct sq_err *err);

/* Does the same with contents of a folder that were read before. */
bool sq_root_filter(struct sq_root *root, sq_place place,
                    const struct sq_day *day,
                    const struct sq_deadline *deadline,
                    const struct sq_day **out, struct sq_err *err);

/* Returns whether a shot of the root may be shown; sets its permission. */
bool sq_root_shows(struct sq_root *root, struct sq_archive_pick *pick,
                   const struct sq_deadline *deadline);

/* Returns whether some of its contents may have to be hidden completely. */
bool sq_root_hides(const struct sq_root *root);

/* Called for each folder; day is valid only during the call. */
struct sq_root_visitor {
    bool (*visit)(void *context, sq_place place, const struct sq_day *day,
                  struct sq_err *err);
    void *context;
};

/*
 * Visits the folders that can hold shots of the UTC days days[0] to days[1],
 * parents before their subfolders. Fills all of *count except trouble and
 * opened.
 */
bool sq_root_walk(struct sq_root *root, const int32_t days[2],
                  const struct sq_root_visitor *visitor,
                  const struct sq_deadline *deadline,
                  struct sq_archive_count *count, struct sq_err *err);

/* Counts the date folders directly below the root that have visible shots. */
bool sq_root_count_folders(struct sq_root *root,
                           const struct sq_deadline *deadline, uint32_t *out,
                           struct sq_err *err);

/* Returns the oldest or newest shot. *found is false if there is none. */
bool sq_root_edge(struct sq_root *root, bool newest,
                  const struct sq_deadline *deadline, struct sq_shot *out,
                  bool *found, struct sq_err *err);

/*
 * Writes the index if an index folder is set and at least at_least folders are
 * new.
 */
bool sq_root_save(struct sq_root *root, uint32_t at_least, struct sq_err *err);

#endif

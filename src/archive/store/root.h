/*
 * Manages one root folder of an archive. The folder is kept open. Folders
 * inside it are read when their dates are requested, and read again only after
 * they have changed.
 */
#ifndef SQ_ARCHIVE_STORE_ROOT_H
#define SQ_ARCHIVE_STORE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "archive/archive.h"
#include "archive/names/layout.h"
#include "archive/names/name.h"
#include "archive/shot.h"
#include "archive/store/fingerprint.h"
#include "sys/deadline.h"
#include "sys/lock.h"
#include "sys/zone.h"
#include "util/err.h"

/* The subfolder with the screenshots that ManicTime creates. */
#define SQ_SCREENSHOTS_FOLDER "Screenshots"

struct sq_folder_id {
    uint64_t device;
    uint64_t inode; /* 0: no folder */
};

struct sq_folder_id sq_folder_id_of(const struct stat *st);

/* The configured folders, also those that are no roots. */
struct sq_covers {
    struct sq_cover {
        char *path;
        enum sq_archive_permission permission;
        int root; /* its number; -1: it is no root */
    } items[SQ_ARCHIVE_MAX_ROOTS];
    size_t count;
};

/* Which folders the paths of the covers name at a moment. */
struct sq_cover_ids {
    struct sq_folder_id folders[SQ_ARCHIVE_MAX_ROOTS];
    /* The folders whose screenshots are listed: "Screenshots" in it, if any. */
    struct sq_folder_id listed[SQ_ARCHIVE_MAX_ROOTS];
};

/* Returns 0 or errno. A folder that does not exist has no id. */
int sq_covers_find(const struct sq_covers *covers, struct sq_cover_ids *out);

/*
 * Lowers *permission to that of every cover that is a folder or encloses it;
 * path is relative to the folder of that descriptor. Returns 0 or errno.
 */
int sq_covers_limit(const struct sq_covers *covers,
                    const struct sq_cover_ids *ids, int folder,
                    const char *path, enum sq_archive_permission *permission);

/* The same for the covers that are this folder itself. */
void sq_covers_limit_one(const struct sq_covers *covers,
                         const struct sq_cover_ids *ids, struct sq_folder_id id,
                         enum sq_archive_permission *permission);

/*
 * Returns whether another root lists the screenshots of a folder: one that was
 * configured for this folder, or of two of these the first.
 */
bool sq_covers_is_foreign(const struct sq_covers *covers,
                          const struct sq_cover_ids *ids,
                          struct sq_folder_id id, int root);

/*
 * The shots are followed by the subfolders and then by the stored file names.
 */
struct sq_day {
    uint32_t shot_count;
    uint32_t inner_count; /* date folders inside it */
    uint32_t text_bytes;  /* of stored file names */
    uint32_t unparsed;    /* pictures with unknown file names */
    struct sq_shot shots[];
};

/* Returns the subfolders, sorted by number. */
const sq_place *sq_day_inner(const struct sq_day *day);

/*
 * Returns the stored file names. For a shot with SQ_SHOT_LITERAL, seq is the
 * offset of two NUL-terminated names: the picture and the thumbnail. Either may
 * be "".
 */
const char *sq_day_text(const struct sq_day *day);

/* Returns the index of the first shot at or after that time. */
size_t sq_day_search(const struct sq_day *day, int64_t utc);

/*
 * Returns the first of its shots that belong into this folder, and in *end the
 * index after the last; the others are misfiled.
 */
size_t sq_day_own(const struct sq_day *day, sq_place place, size_t *end);

/* Returns the size of the whole block in bytes. */
size_t sq_day_bytes(const struct sq_day *day);

/* Checks that untrusted bytes are a valid, self-contained block. Pure. */
bool sq_day_check(const void *bytes, size_t len);

/* Writes the file names of a shot; text is sq_day_text or a copy of it. */
void sq_day_names(const struct sq_shot *shot, const char *text,
                  char full[SQ_NAME_SIZE], char thumb[SQ_NAME_SIZE]);

struct sq_day_reader;

/* Creates a reader of folders; for one thread at a time. */
bool sq_day_reader_create(const struct sq_zone *zone,
                          struct sq_day_reader **out, struct sq_err *err);

/* Accepts NULL. */
void sq_day_reader_destroy(struct sq_day_reader *reader);

/*
 * Reads an open folder from its start. The caller frees *out with sq_mem_free.
 * Fails with SQ_ERR_IO if the system fails, else with SQ_ERR_NOMEM,
 * SQ_ERR_LIMIT or the error of the deadline.
 */
bool sq_day_read(struct sq_day_reader *reader, int folder, sq_place place,
                 const struct sq_deadline *deadline, struct sq_day **out,
                 struct sq_err *err);

struct sq_day_cache_slot {
    sq_place place;
    uint32_t used;       /* clock value of the last sq_day_cache_find */
    uint64_t stamp;      /* identifies the state of the folder */
    struct sq_day *day;  /* NULL: evicted */
    uint32_t generation; /* of the root when last verified */
    bool racy;           /* read so soon after a change that a later change
                            could have the same stamp */
};

_Static_assert(sizeof(struct sq_day_cache_slot) == 32, "a day costs 32 bytes");

/* A plain value, for one thread at a time. */
struct sq_day_cache {
    struct sq_day_cache_slot *slots; /* sorted by place */
    size_t count;
    size_t capacity;
    size_t bytes; /* of all cached days */
    size_t max_bytes;
    uint32_t clock;
};

void sq_day_cache_init(struct sq_day_cache *cache, size_t max_bytes);

/* Safe on a zeroed value. */
void sq_day_cache_finish(struct sq_day_cache *cache);

/* Returns the cached folder, or NULL. Valid until the next put or drop. */
struct sq_day_cache_slot *sq_day_cache_find(struct sq_day_cache *cache,
                                            sq_place place);

/*
 * Adds slot->day and takes ownership of it, even on failure. Replaces an older
 * entry of the same place. May evict other entries, but not this one.
 */
bool sq_day_cache_put(struct sq_day_cache *cache,
                      const struct sq_day_cache_slot *slot, struct sq_err *err);

/* Removes a folder. */
void sq_day_cache_drop(struct sq_day_cache *cache, sq_place place);

/* Identifies the root of an index and the settings its shots depend on. */
struct sq_index_owner {
    uint64_t root;  /* hash of its path */
    uint64_t zone;  /* see sq_index_zone */
    uint32_t names; /* sq_name_table_version */
    uint32_t zero;
};

/* Returns a hash of the zone's UTC offsets in all years; NULL is UTC. */
uint64_t sq_index_zone(const struct sq_zone *zone);

struct sq_index_slot {
    sq_place place;
    uint32_t bytes; /* of the day */
    uint64_t stamp;
    uint64_t offset; /* in the file */
    uint32_t crc;    /* of these bytes */
    uint32_t zero;
};

/* A plain value; empty if there is no usable file. */
struct sq_index {
    int fd;                      /* -1: none */
    struct sq_index_slot *slots; /* sorted by place */
    uint32_t count;
};

/* Opens an index; empty if missing or unusable. Fails only for memory. */
bool sq_index_open(const char *path, const struct sq_index_owner *owner,
                   struct sq_index *out, struct sq_err *err);

/* Closes an index. Safe on a zeroed value whose fd is -1. */
void sq_index_close(struct sq_index *index);

/* Returns the entry of a folder in that state, or NULL. */
const struct sq_index_slot *sq_index_find(const struct sq_index *index,
                                          sq_place place, uint64_t stamp);

/* Reads a day, which the caller frees; false if damaged or not readable. */
bool sq_index_read(const struct sq_index *index,
                   const struct sq_index_slot *slot, struct sq_day **out);

/*
 * Writes a new index from the cache and from entries that only the old index
 * has. Replaces the file atomically.
 */
bool sq_index_write(const char *path, const struct sq_index_owner *owner,
                    const struct sq_day_cache *cache,
                    const struct sq_index *old, struct sq_err *err);

#define SQ_INDEX_HEAD_BYTES 64

/*
 * Checks that head is the header of this owner's index in a file of that size,
 * and returns the number of folders in *count. Pure.
 */
bool sq_index_check_head(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                         uint64_t file_bytes,
                         const struct sq_index_owner *owner, uint32_t *count);

/* Checks the table by the header; all entries lie inside the file. Pure. */
bool sq_index_check_table(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                          const struct sq_index_slot *slots, uint32_t count,
                          uint64_t file_bytes);

/* Identifies a file and its state. */
struct sq_file_state {
    uint64_t key; /* a hash of its path */
    uint64_t inode;
    uint64_t size;
    int64_t mtime_ns;
};

/* Returns the hash of a path relative to the root. */
uint64_t sq_file_key(const char *path);

int64_t sq_file_mtime_ns(const struct stat *st);

/* Reads up to `count` bytes at an offset, *got of them. Returns 0 or errno. */
int sq_file_read_at(int fd, void *into, size_t count, uint64_t offset,
                    size_t *got);

struct sq_file_state sq_file_state_of(const char *path, const struct stat *st);

/* What begins each slot of a table. */
struct sq_file_slot {
    struct sq_file_state state;
    uint64_t order; /* insertion number; 0: empty slot */
};

/* What is known about files. A plain value, for one thread at a time. */
struct sq_file_table {
    uint8_t *slots; /* NULL until the first put */
    size_t slot_bytes;
    size_t capacity; /* number of slots */
    size_t count;
    uint64_t puts;
};

/* Safe on a zeroed value. */
void sq_file_table_finish(struct sq_file_table *table);

/* Returns the slot of that number, which may be empty. */
struct sq_file_slot *sq_file_table_at(const struct sq_file_table *table,
                                      size_t index);

/* Returns the slot of a file in that state, or NULL. */
struct sq_file_slot *sq_file_table_find(const struct sq_file_table *table,
                                        const struct sq_file_state *state);

/*
 * Returns the slot for a file, whose other fields the caller sets; NULL if out
 * of memory. With max slots, 512 times a power of two, it replaces the oldest
 * of a few neighbours.
 */
struct sq_file_slot *sq_file_table_put(struct sq_file_table *table,
                                       size_t slot_bytes, size_t max,
                                       const struct sq_file_state *state);

/* What was found out about a file without decoding it. */
struct sq_checked_file {
    struct sq_file_slot slot;
    int32_t width; /* of the upright picture; 0: unknown */
    int32_t height;
    uint64_t fault; /* enum sq_archive_fault */
};

#define SQ_CHECKED_MAX 8192

#define SQ_FINGERPRINT_STORE_MAX                                               \
    65536 /* slots: about 13 MB of memory, and of file                         \
           */

/* A plain value, for one thread at a time. */
struct sq_image_fingerprint_store {
    struct sq_file_table table;
    uint32_t unsaved;
    bool is_loaded;
};

/* Safe on a zeroed value. */
void
sq_image_fingerprint_store_finish(struct sq_image_fingerprint_store *store);

/* Returns the fingerprint of a file in that state, or false if unknown. */
bool
sq_image_fingerprint_store_find(const struct sq_image_fingerprint_store *store,
                                const struct sq_file_state *state,
                                struct sq_image_fingerprint *out);

/*
 * Stores a fingerprint. With SQ_FINGERPRINT_STORE_MAX entries, it replaces the
 * oldest of a few neighbours. Fails only if out of memory.
 */
bool sq_image_fingerprint_store_put(
    struct sq_image_fingerprint_store *store, const struct sq_file_state *state,
    const struct sq_image_fingerprint *fingerprint, struct sq_err *err);

/*
 * Adds the records of a cache file if it belongs to that owner. Damaged or
 * unknown bytes are skipped. Fails only if out of memory.
 */
bool sq_image_fingerprint_store_parse(struct sq_image_fingerprint_store *store,
                                      uint64_t owner, const uint8_t *bytes,
                                      size_t len, struct sq_err *err);

/* Loads the file on the first call only. A missing file counts as empty. */
bool sq_image_fingerprint_store_load(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

/* Replaces the file atomically by all fingerprints; only the user reads it. */
bool sq_image_fingerprint_store_save(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

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
    const struct sq_deadline *deadline; /* of who holds the lock */
    int fd;                /* of the folder with the date folders; -1: closed */
    uint64_t root_stamp;   /* stamp of the configured folder */
    const char *subfolder; /* subfolder with the date folders; NULL: none */
    bool had_shots;        /* the root itself has had date folders or shots */
    bool subfolders_checked; /* its subfolders were looked at in this state */
    struct sq_day_cache cache;
    struct sq_day_reader *reader;
    struct sq_file_table checked; /* results of file checks */
    int64_t slow_until_ns;        /* no file is checked until then */
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
    uint32_t opened;     /* folders read since it was entered */
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

/* Frees the root; writes the index if many folders are new. Accepts zeros. */
void sq_root_finish(struct sq_root *root);

/*
 * Locks and unlocks the root. All functions below require the lock, and obey
 * its deadline.
 */
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
bool sq_root_open(struct sq_root *root, enum sq_archive_trouble *trouble,
                  struct sq_err *err);

/* Locks the root and opens it; on failure it is not locked. */
bool sq_root_enter(struct sq_root *root, const struct sq_deadline *deadline,
                   enum sq_archive_trouble *trouble, struct sq_err *err);

/* Opens a folder to list it, which the caller closes; -1 and errno. */
int sq_root_open_place(const struct sq_root *root, sq_place place);

/* Finds the permission of the open folder. Returns 0 or errno. */
int sq_root_find_permission(struct sq_root *root);

/*
 * Returns the current contents of a folder from the cache, the index or the
 * disk. *out is NULL if the folder is gone or unreadable, and is valid until
 * the next call. Includes what must not be shown.
 */
bool sq_root_read_day(struct sq_root *root, sq_place place,
                      const struct sq_day **out, struct sq_err *err);

/* Returns what may be shown of a folder or NULL; sets day_permission. */
bool sq_root_day(struct sq_root *root, sq_place place,
                 const struct sq_day **out, struct sq_err *err);

/* Does the same with contents of a folder that were read before. */
bool sq_root_filter(struct sq_root *root, sq_place place,
                    const struct sq_day *day, const struct sq_day **out,
                    struct sq_err *err);

/* Returns whether a shot of the root may be shown; sets its permission. */
bool sq_root_shows(struct sq_root *root, struct sq_archive_pick *pick);

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
                  struct sq_archive_count *count, struct sq_err *err);

/* Enters the root, visits all its folders and saves the index. */
bool sq_root_visit(struct sq_root *root, const struct sq_root_visitor *visitor,
                   const struct sq_deadline *deadline,
                   struct sq_archive_count *count, struct sq_err *err);

/* Counts the date folders directly below the root that have visible shots. */
bool sq_root_count_folders(struct sq_root *root, uint32_t *out,
                           struct sq_err *err);

/* Returns the oldest or newest shot. *found is false if there is none. */
bool sq_root_edge(struct sq_root *root, bool newest, struct sq_shot *out,
                  bool *found, struct sq_err *err);

/* Writes the index if it has a folder and at_least folders are new. */
bool sq_root_save(struct sq_root *root, uint32_t at_least, struct sq_err *err);

#endif

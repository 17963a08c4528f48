/*
 * Lists and reads archived screenshots ("shots") in a set of folders. Nothing
 * is scanned at startup. A listing opens only the folders whose dates can fall
 * into its window, and caches each folder until it changes. Nothing is ever
 * written into an archive. All functions are thread-safe.
 */
#ifndef SQ_ARCHIVE_ARCHIVE_H
#define SQ_ARCHIVE_ARCHIVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/names/layout.h"
#include "archive/names/name.h"
#include "archive/shot.h"
#include "archive/store/ref.h"
#include "geom/rect.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "sys/zone.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Each permission includes all before it. If several entries of the
 * configuration cover a file, the lowest of their permissions holds.
 */
enum sq_archive_permission {
    SQ_ARCHIVE_NONE,      /* nothing, not even that it exists */
    SQ_ARCHIVE_METADATA,  /* time, size, monitor */
    SQ_ARCHIVE_LABELS,    /* and activities: window titles */
    SQ_ARCHIVE_THUMBNAIL, /* and pictures of at most SQ_ARCHIVE_THUMB_SIDE */
    SQ_ARCHIVE_FULL,
    SQ_ARCHIVE_PERMISSIONS,
};

/* Longest side of a thumbnail: headings are legible, body text is not. */
#define SQ_ARCHIVE_THUMB_SIDE 512

#define SQ_ARCHIVE_ANY_SIDE INT_MAX

struct sq_allowance {
    bool labels;  /* activity names may be returned */
    int max_side; /* longest side of returned pictures; 0: no pictures */
};

struct sq_allowance sq_permission_allows(enum sq_archive_permission permission);

/* Returns "none", "metadata", "labels", "thumbnail" or "full". */
const char *sq_permission_name(enum sq_archive_permission permission);

/*
 * Parses "PATH=word" and removes "=word" from path; case is ignored. Without
 * "=", or with a "/" after it, the whole text is a path and the permission is
 * FULL. Fails with SQ_ERR_ARGUMENT for an unknown word; path and *out are then
 * unchanged.
 */
bool sq_permission_take(char *path, enum sq_archive_permission *out,
                        struct sq_err *err);

struct sq_archive;

#define SQ_ARCHIVE_MAX_ROOTS 16
#define SQ_ARCHIVE_ANY (-1) /* any root, any monitor */

struct sq_archive_root {
    const char *path;
    const char *name; /* display name; NULL: last part of the path */
    enum sq_archive_permission permission; /* as configured for this folder;
                                              others may be stricter */
};

/* Texts are copied by sq_archive_create. Zeroed fields mean defaults. */
struct sq_archive_options {
    const struct sq_archive_root *roots; /* may be empty; paths need not
                                            exist */
    size_t root_count;
    const struct sq_zone *zone; /* of file names without an offset; must
                                   outlive the archive; NULL: UTC */
    const char *index_folder;   /* of the index files; NULL: no index */
    const char *key_folder;     /* of the key that signs refs; NULL: refs are
                                   valid only in this process */
};

/*
 * Creates an archive without opening any root. A folder whose permission is
 * NONE, or that is given twice, is not one of its roots, but limits what the
 * others return. Fails if there are too many roots or if out of memory.
 */
bool sq_archive_create(const struct sq_archive_options *options,
                       struct sq_archive **out, struct sq_err *err);

/* Accepts NULL. */
void sq_archive_destroy(struct sq_archive *archive);

size_t sq_archive_root_count(const struct sq_archive *archive);

/* Returns a root; its name is never NULL. Owned by the archive. */
const struct sq_archive_root *
sq_archive_root_at(const struct sq_archive *archive, size_t root);

/* A folder as it was configured, and what holds for it. */
struct sq_archive_entry {
    const char *path;
    enum sq_archive_permission configured;
    enum sq_archive_permission in_force; /* the strictest of all entries that
                                            cover the folder */
    int root;                            /* its number; -1: it is no root */
};

size_t sq_archive_entry_count(const struct sq_archive *archive);

/* Looks at the folders, so it reports what holds now. */
struct sq_archive_entry sq_archive_entry_at(const struct sq_archive *archive,
                                            size_t index);

/* Returns the root with that name or path, or SQ_ARCHIVE_ANY. */
int sq_archive_root_named(const struct sq_archive *archive,
                          struct sq_span name);

/* Selects shots with from_utc <= utc < to_utc. */
struct sq_archive_window {
    int64_t from_utc;
    int64_t to_utc;
    int monitor; /* or SQ_ARCHIVE_ANY */
    int root;    /* or SQ_ARCHIVE_ANY */
};

/* Why a window is empty, as in the health report. */
enum sq_archive_reason {
    SQ_ARCHIVE_REASON_NONE,             /* not empty */
    SQ_ARCHIVE_REASON_RETENTION,        /* before the oldest shot */
    SQ_ARCHIVE_REASON_CAPTURE_DISABLED, /* there never was a shot */
    SQ_ARCHIVE_REASON_UNKNOWN,
};

/* Returns "None", "Retention", "CaptureDisabled" or "Unknown". */
const char *sq_archive_reason_name(enum sq_archive_reason reason);

/* What is wrong with a root. */
enum sq_archive_trouble {
    SQ_ARCHIVE_TROUBLE_NONE,
    SQ_ARCHIVE_TROUBLE_MISSING,    /* no such folder */
    SQ_ARCHIVE_TROUBLE_NO_FOLDER,  /* the path is not a folder */
    SQ_ARCHIVE_TROUBLE_FORBIDDEN,  /* no permission to read it */
    SQ_ARCHIVE_TROUBLE_UNREADABLE, /* I/O error */
};

/* Returns "none", "missing", "notAFolder", "forbidden" or "unreadable". */
const char *sq_archive_trouble_name(enum sq_archive_trouble trouble);

struct sq_archive_count {
    enum sq_archive_trouble trouble; /* of the root itself */
    uint32_t folders;                /* that may hold shots of the window */
    uint32_t opened;                 /* of these, read by this call */
    uint32_t unreadable;             /* of these, could not be read */
    uint32_t shots;                  /* in the window */
    uint32_t unparsed;               /* pictures with unknown file names */
    uint32_t misfiled; /* shots more than a day off their folder's date;
                          these are never listed */
};

struct sq_archive_source;

/* Zero it first and always finish it. Changes of the archive do not matter. */
struct sq_archive_listing {
    struct sq_shots shots;
    enum sq_archive_reason reason;
    struct sq_archive_count roots[SQ_ARCHIVE_MAX_ROOTS];
    /* Private: owned memory, and the source of each shot. */
    struct sq_shot *owned;
    uint32_t *sources_of;
    struct sq_archive_source *sources;
    size_t source_count;
};

/*
 * Lists the shots in a window. Unreadable roots, folders and files do not fail
 * the call; they are counted. Fails with SQ_ERR_ARGUMENT for an invalid window
 * or root, SQ_ERR_LIMIT above 8 million shots, at the deadline, or if out of
 * memory.
 */
bool sq_archive_list(struct sq_archive *archive,
                     const struct sq_archive_window *window,
                     const struct sq_deadline *deadline,
                     struct sq_archive_listing *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_archive_listing_finish(struct sq_archive_listing *listing);

/* One shot with everything needed to open it. A plain value; owns no memory. */
struct sq_archive_pick {
    struct sq_shot shot;
    int root;
    sq_place place;                        /* folder inside the root */
    enum sq_archive_permission permission; /* of that folder */
    char full[SQ_NAME_SIZE];               /* file names; empty: no such file */
    char thumb[SQ_NAME_SIZE];
    bool lost_full; /* full file is empty: only the thumbnail is left */
};

/* Returns the shot at listing->shots.items[index]. */
void sq_archive_listing_pick(const struct sq_archive_listing *listing,
                             size_t index, struct sq_archive_pick *out);

/* Returns the permission of that shot. */
enum sq_archive_permission
sq_archive_listing_permission(const struct sq_archive_listing *listing,
                              size_t index);

/* Writes the reference of a shot. Fails only if no key is available. */
bool sq_archive_ref(struct sq_archive *archive,
                    const struct sq_archive_pick *pick, char out[SQ_REF_SIZE],
                    struct sq_err *err);

/*
 * Finds the shot of a reference. Fails with SQ_ERR_UNKNOWN_SCREENSHOT if the
 * reference is not ours, its key could not be loaded or its root is not
 * configured, and with SQ_ERR_NOT_FOUND if the shot no longer exists. An empty
 * full picture is ignored if there is a thumbnail.
 */
bool sq_archive_resolve(struct sq_archive *archive, struct sq_span ref_text,
                        const struct sq_deadline *deadline,
                        struct sq_archive_pick *out, struct sq_err *err);

/* Which picture of a shot to read. */
enum sq_archive_want {
    SQ_ARCHIVE_WANT_THUMB,     /* the stored thumbnail */
    SQ_ARCHIVE_WANT_FULL,      /* the full picture in its original size; only
                                  some roots permit it */
    SQ_ARCHIVE_WANT_TO_SHRINK, /* the full picture, as large as its root
                                  permits */
};

/* Why a file cannot be used. The caller counts it and tries the next shot. */
enum sq_archive_fault {
    SQ_ARCHIVE_FAULT_NONE,
    SQ_ARCHIVE_FAULT_NOT_ALLOWED, /* the root's permission forbids it */
    SQ_ARCHIVE_FAULT_VANISHED,    /* it does not exist (any more) */
    SQ_ARCHIVE_FAULT_NOT_A_FILE,  /* a link, a pipe, a folder */
    SQ_ARCHIVE_FAULT_LOCKED,  /* locked by another program, or no permission */
    SQ_ARCHIVE_FAULT_EMPTY,   /* 0 bytes, as right after creation */
    SQ_ARCHIVE_FAULT_GROWING, /* it is still being written */
    SQ_ARCHIVE_FAULT_TRUNCATED, /* its end is missing and it is no longer
                                   written */
    SQ_ARCHIVE_FAULT_CORRUPT,   /* not a valid picture of its format */
    SQ_ARCHIVE_FAULT_TOO_LARGE,
    SQ_ARCHIVE_FAULT_UNREADABLE, /* I/O error */
    SQ_ARCHIVE_FAULTS,
};

/* Returns "none", "notAllowed", "vanished", "notAFile", "locked", ... */
const char *sq_archive_fault_name(enum sq_archive_fault fault);

/* Zero it first. If fault is NONE, the caller frees bytes. */
struct sq_archive_file {
    struct sq_buf bytes;
    enum sq_archive_fault fault;
    enum sq_shot_ending ending;
    struct sq_size whole; /* size before it was scaled down; 0: not scaled */
    int redacted;         /* parts that were hidden by the filter */
};

/*
 * Changes every picture that sq_archive_read returns, before it is scaled down:
 * hides parts of file->bytes, in the same format, and counts them. want tells
 * which file it is. If it fails, the picture is not returned.
 */
typedef bool
sq_archive_filter(void *context, const struct sq_archive_pick *pick,
                  enum sq_archive_want want, struct sq_archive_file *file,
                  const struct sq_deadline *deadline, struct sq_err *err);

/* Sets the filter. Call it before any other thread uses the archive. */
void sq_archive_set_filter(struct sq_archive *archive,
                           sq_archive_filter *filter, void *context);

/*
 * Sets hidden[i] for every shot that must not be shown. The shots are sorted.
 * If it fails, none of them is shown.
 */
typedef bool sq_archive_hide(void *context, const struct sq_shot *shots,
                             size_t count, bool *hidden,
                             const struct sq_deadline *deadline,
                             struct sq_err *err);

/*
 * Sets what hides shots: they are then treated as if they did not exist. Call
 * it before any other thread uses the archive.
 */
void sq_archive_set_hide(struct sq_archive *archive, sq_archive_hide *hide,
                         void *context);

/*
 * Reads a shot's file. The file must be regular, below its root, of a picture
 * format, and complete as far as its first and last bytes show. A picture
 * larger than its root permits is scaled down here, so that no caller ever
 * holds more pixels than it may return. On failure out->fault is the reason and
 * err describes it; NONE means that the deadline, memory or one of our limits
 * failed, not the file.
 */
bool sq_archive_read(struct sq_archive *archive,
                     const struct sq_archive_pick *pick,
                     enum sq_archive_want want,
                     const struct sq_deadline *deadline,
                     struct sq_archive_file *out, struct sq_err *err);

/*
 * Reads the same file in its original size, for internal use only (fingerprints
 * and sizes), never for a reply. Fails for a root that does not permit any
 * picture.
 */
bool sq_archive_inspect(struct sq_archive *archive,
                        const struct sq_archive_pick *pick,
                        enum sq_archive_want want,
                        const struct sq_deadline *deadline,
                        struct sq_archive_file *out, struct sq_err *err);

/* What is known about a shot's files without decoding them. */
struct sq_archive_verdict {
    enum sq_archive_fault fault; /* NONE: at least one file is usable */
    bool is_checked;             /* false: skipped because the disk is slow */
    int width;                   /* of the full picture; 0: unknown */
    int height;
};

/*
 * Checks whether a shot can be shown: its thumbnail, or else its full picture,
 * exists and begins and ends like a picture. Reads at most
 * SQ_ARCHIVE_CHECK_BYTES of each file, once per state of the file. Opens no
 * file after `soft_deadline`, nor for a minute after a file took
 * SQ_ARCHIVE_SLOW_MS: the shot is then unchecked, which is not an error.
 * Otherwise fails as sq_archive_read does with fault NONE.
 */
#define SQ_ARCHIVE_CHECK_BYTES (18 * 1024)
#define SQ_ARCHIVE_SLOW_MS 100
bool sq_archive_check(struct sq_archive *archive,
                      const struct sq_archive_pick *pick,
                      const struct sq_deadline *soft_deadline,
                      struct sq_archive_verdict *out, struct sq_err *err);

/* Which fingerprints to return, and the time limits. */
struct sq_archive_fingerprints_request {
    const struct sq_archive_listing *listing;
    const uint32_t *indexes; /* indexes in the listing; NULL: the first
                               `count` */
    size_t count;
    const struct sq_deadline *deadline;      /* of the call */
    const struct sq_deadline *soft_deadline; /* pictures are read until then */
    /* Reports progress after each picture; may be NULL. */
    void (*report)(void *context, size_t done, size_t all);
    void *context;
};

struct sq_archive_compared {
    size_t all;
    size_t done;       /* of these; the rest was not compared in time */
    bool is_continued; /* the rest is computed in the background */
};

struct sq_image_fingerprint;

/*
 * Returns the fingerprints of many shots. Stored ones are used while the file's
 * inode, size and mtime are unchanged. The others are computed until
 * `soft_deadline`, evenly spread over the list, and stored. Those not computed
 * in time are unknown in out, and are computed in the background. Fails only if
 * out of memory or descriptors, or at the deadline.
 */
bool
sq_archive_fingerprints(struct sq_archive *archive,
                        const struct sq_archive_fingerprints_request *request,
                        struct sq_image_fingerprint *out,
                        struct sq_archive_compared *compared,
                        struct sq_err *err);

/* How far the computation of fingerprints in the background is. */
struct sq_archive_computing {
    bool is_running;
    size_t done; /* of all; both 0 if nothing is being computed */
    size_t all;
};

struct sq_archive_computing sq_archive_computing(struct sq_archive *archive);

#define SQ_ARCHIVE_NO_DAY INT32_MIN

/* Facts about one root that are cheap to get. */
struct sq_archive_health {
    enum sq_archive_trouble trouble;
    enum sq_archive_permission permission; /* in force; folders inside it may
                                              have a stricter one */
    bool written;                          /* has a shot, or a folder for one */
    bool has_foreign;    /* another root lists the shots of a folder inside */
    bool has_links;      /* symbolic links; checked only if no shots */
    int32_t oldest_day;  /* local days since 1970 with shots, or */
    int32_t newest_day;  /* SQ_ARCHIVE_NO_DAY */
    uint32_t folders;    /* date folders directly below the root */
    uint64_t shots;      /* in the folders read so far */
    uint64_t thumbnails; /* of these */
    uint64_t unparsed;   /* pictures with unknown names, likewise */
    uint32_t unreadable; /* folders that could not be read */
    size_t strategy;     /* row of sq_name_strategy_at that fits most */
};

/*
 * Derives a key for another purpose from the key of references: the same in all
 * processes of the user. label is a constant that names the purpose.
 */
bool sq_archive_derive_key(struct sq_archive *archive, const char *label,
                           uint8_t out[32], struct sq_err *err);

/* Returns whether references outlive this process; tries to load their key. */
bool sq_archive_refs_persist(struct sq_archive *archive);

bool sq_archive_health(struct sq_archive *archive, size_t root,
                       const struct sq_deadline *deadline,
                       struct sq_archive_health *out, struct sq_err *err);

/* The days of the oldest and newest shot, or SQ_ARCHIVE_NO_DAY. */
struct sq_archive_range {
    int32_t oldest_day; /* local days since 1970 */
    int32_t newest_day;
};

/* Returns the range of a root or all; an unreadable root has no days. */
bool sq_archive_range(struct sq_archive *archive, int root,
                      const struct sq_deadline *deadline,
                      struct sq_archive_range *out, struct sq_err *err);

#define SQ_ARCHIVE_FIRST_YEAR 1969 /* local time can be before 1970 */
#define SQ_ARCHIVE_MONTHS ((2106 - SQ_ARCHIVE_FIRST_YEAR + 1) * 12)

/* Number of shots per month, in local time of the shot. */
struct sq_archive_months {
    uint32_t counts[SQ_ARCHIVE_MONTHS]; /* from January of
                                           SQ_ARCHIVE_FIRST_YEAR */
    uint64_t shots;
    uint32_t monitors[8]; /* one bit per monitor with shots, wanted or not */
    struct sq_archive_count roots[SQ_ARCHIVE_MAX_ROOTS];
};

/*
 * Counts all shots of a root and a monitor that a listing could return; either
 * may be SQ_ARCHIVE_ANY. Reads every folder that is not cached.
 */
bool sq_archive_count_months(struct sq_archive *archive, int root, int monitor,
                             const struct sq_deadline *deadline,
                             struct sq_archive_months *out, struct sq_err *err);

/* Reports progress between folders during a scan. */
struct sq_archive_progress {
    void (*report)(void *context, uint32_t folders_done, uint32_t folders_known,
                   uint64_t shots);
    void *context;
};

/* The contents of a whole root. */
struct sq_archive_totals {
    enum sq_archive_trouble trouble;
    uint32_t folders;    /* with shots; includes the root itself */
    uint32_t unreadable; /* that could not be read */
    uint64_t shots;      /* that listings can return */
    uint64_t full;
    uint64_t thumbnails;
    uint64_t unparsed;
    uint64_t misfiled; /* other shots, in a folder of another date */
    uint64_t by_strategy[SQ_NAME_ROWS]; /* shots per strategy row */
    uint32_t first_utc;                 /* 0 without shots */
    uint32_t last_utc;
};

/*
 * Reads every folder of a root and writes the index if an index folder is set.
 * progress may be NULL. A million files take about half a second.
 */
bool sq_archive_scan(struct sq_archive *archive, size_t root,
                     const struct sq_archive_progress *progress,
                     const struct sq_deadline *deadline,
                     struct sq_archive_totals *out, struct sq_err *err);

/* Returns patterns of a root's unknown file names, most frequent first. */
bool sq_archive_find_shapes(struct sq_archive *archive, size_t root,
                            const struct sq_deadline *deadline,
                            struct sq_shapes *out, struct sq_err *err);

#endif

/*
 * Folders of past screenshots: what is there in a stretch of time, and the
 * bytes of one of them. Nothing is scanned at the start; a listing opens only
 * the folders whose dates can lie in its window, and remembers what it read
 * for as long as the folder does not change. Nothing is ever written into an
 * archive. All functions may be called from any thread.
 */
#ifndef SQ_ARCHIVE_ARCHIVE_H
#define SQ_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/layout.h"
#include "archive/name.h"
#include "archive/permission.h"
#include "archive/ref.h"
#include "archive/name_shape.h"
#include "archive/shot.h"
#include "geom/size.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "sys/zone.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_archive;

#define SQ_ARCHIVE_MAX_ROOTS 16
#define SQ_ARCHIVE_ANY (-1) /* any root, any monitor */

struct sq_archive_root {
    const char *path;
    const char *name; /* for people; NULL: the last piece of the path */
    enum sq_archive_permission permission;
};

/* Texts need not outlive sq_archive_create. Zeroed fields take defaults. */
struct sq_archive_options {
    const struct sq_archive_root *roots; /* may be none, need not exist */
    size_t root_count;
    const struct sq_zone *zone; /* of names without an offset; outlives the
                                   archive; NULL: UTC */
    size_t max_cache_bytes;     /* of shots held; 0: SQ_ARCHIVE_CACHE_BYTES */
    const char *index_folder;   /* keeps what was read; NULL: nowhere */
    const char *key_folder;     /* holds the key of refs; NULL: refs end with
                                   the process */
};

#define SQ_ARCHIVE_CACHE_BYTES ((size_t)64 << 20)

/* Touches no root. Fails for too many of them, or for lack of memory. */
bool sq_archive_create(const struct sq_archive_options *options,
                       struct sq_archive **out, struct sq_err *err);

/* Accepts NULL. */
void sq_archive_destroy(struct sq_archive *archive);

/*
 * Where the index and the key belong: $XDG_CACHE_HOME/squint or
 * ~/.cache/squint; $XDG_STATE_HOME/squint or ~/.local/state/squint. False if
 * the environment names neither.
 */
bool sq_archive_cache_folder(char out[SQ_PATH_SIZE]);
bool sq_archive_state_folder(char out[SQ_PATH_SIZE]);

size_t sq_archive_root_count(const struct sq_archive *archive);

/* Owned by the archive; with a name. */
const struct sq_archive_root *
sq_archive_root_at(const struct sq_archive *archive, size_t root);

/* The root of that name or path, or SQ_ARCHIVE_ANY if there is none. */
int sq_archive_root_named(const struct sq_archive *archive,
                          struct sq_span name);

/* Shots from <= utc < to. */
struct sq_archive_window {
    int64_t from_utc;
    int64_t to_utc;
    int monitor; /* or SQ_ARCHIVE_ANY */
    int root;    /* or SQ_ARCHIVE_ANY */
};

/* Why a window is empty, in the words of the health report. */
enum sq_archive_reason {
    SQ_ARCHIVE_REASON_NONE,             /* it is not */
    SQ_ARCHIVE_REASON_RETENTION,        /* it lies before the oldest shot */
    SQ_ARCHIVE_REASON_CAPTURE_DISABLED, /* nothing was ever there */
    SQ_ARCHIVE_REASON_UNKNOWN,
};

/* "None", "Retention", "CaptureDisabled", "Unknown". */
const char *sq_archive_reason_name(enum sq_archive_reason reason);

/* What is wrong with a root. */
enum sq_archive_trouble {
    SQ_ARCHIVE_TROUBLE_NONE,
    SQ_ARCHIVE_TROUBLE_MISSING,    /* no such folder */
    SQ_ARCHIVE_TROUBLE_NO_FOLDER,  /* something else has that name */
    SQ_ARCHIVE_TROUBLE_FORBIDDEN,  /* we may not look inside */
    SQ_ARCHIVE_TROUBLE_UNREADABLE, /* the system failed */
};

/* "none", "missing", "notAFolder", "forbidden", "unreadable". */
const char *sq_archive_trouble_name(enum sq_archive_trouble trouble);

struct sq_archive_count {
    enum sq_archive_trouble trouble; /* of the root itself */
    uint32_t folders;                /* that the window could touch */
    uint32_t opened;                 /* of these, read just now */
    uint32_t refused;                /* of these, could not be read */
    uint32_t shots;                  /* of it in the window */
    uint32_t unparsed;               /* pictures whose names say nothing */
    uint32_t misfiled; /* shots more than a day away from their folder's date,
                          which are never listed */
};

struct sq_archive_source;

/* A value: start zeroed, finish always. Stays true when the archive changes. */
struct sq_archive_listing {
    struct sq_shots shots;
    enum sq_archive_reason reason;
    struct sq_archive_count roots[SQ_ARCHIVE_MAX_ROOTS];
    /* Private: what it owns, and where each shot came from. */
    struct sq_shot *owned;
    uint32_t *sources_of;
    struct sq_archive_source *sources;
    size_t source_count;
};

/*
 * What is there in a window. Trouble with roots, folders and files never
 * fails it, but is counted. Fails for a bad window or root (SQ_ERR_ARGUMENT),
 * lack of memory, SQ_ERR_LIMIT above 8 million shots, or its deadline.
 */
bool sq_archive_list(struct sq_archive *archive,
                     const struct sq_archive_window *window,
                     const struct sq_deadline *deadline,
                     struct sq_archive_listing *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_archive_listing_finish(struct sq_archive_listing *listing);

/* One shot with all that is needed to open it. A value without memory. */
struct sq_archive_pick {
    struct sq_shot shot;
    int root;
    sq_place place;          /* the folder inside the root */
    char full[SQ_NAME_SIZE]; /* file names; empty if there is none */
    char thumb[SQ_NAME_SIZE];
    bool lost_full; /* its file has no bytes: only the thumbnail is left */
};

/* The shot at listing->shots.items[index]. */
void sq_archive_listing_pick(const struct sq_archive_listing *listing,
                             size_t index, struct sq_archive_pick *out);

/* The reference of a shot. Fails only if no key can be had. */
bool sq_archive_ref(struct sq_archive *archive,
                    const struct sq_archive_pick *pick, char out[SQ_REF_SIZE],
                    struct sq_err *err);

/*
 * The shot of a reference: SQ_ERR_UNKNOWN_SCREENSHOT if we never made it, could
 * not load the key that says so, or its root is not configured here,
 * SQ_ERR_NOT_FOUND if the shot has gone. Where there is a thumbnail, a picture
 * without bytes is as good as none.
 */
bool sq_archive_resolve(struct sq_archive *archive, struct sq_span ref,
                        const struct sq_deadline *deadline,
                        struct sq_archive_pick *out, struct sq_err *err);

/* What may leave the folder of a shot. */
struct sq_allowance sq_archive_allows(const struct sq_archive *archive,
                                      const struct sq_archive_pick *pick);

/* What is read of a shot. */
enum sq_archive_want {
    SQ_ARCHIVE_WANT_THUMB,     /* the stored thumbnail */
    SQ_ARCHIVE_WANT_FULL,      /* the whole picture in its own size, which
                                  only some folders allow */
    SQ_ARCHIVE_WANT_TO_SHRINK, /* the whole picture, as large as its folder
                                  allows */
};

/* Why a file cannot be used: try its neighbour, and count the reason. */
enum sq_archive_fault {
    SQ_ARCHIVE_FAULT_NONE,
    SQ_ARCHIVE_FAULT_NOT_ALLOWED, /* the root's permission forbids it */
    SQ_ARCHIVE_FAULT_VANISHED,    /* it is no longer there, or never was */
    SQ_ARCHIVE_FAULT_NOT_A_FILE,  /* a link, a pipe, a folder */
    SQ_ARCHIVE_FAULT_LOCKED,      /* somebody else holds it, or rights lack */
    SQ_ARCHIVE_FAULT_EMPTY,       /* no bytes, as right after it was made */
    SQ_ARCHIVE_FAULT_GROWING,     /* it is still being written */
    SQ_ARCHIVE_FAULT_TRUNCATED,   /* its end is missing, and not coming */
    SQ_ARCHIVE_FAULT_CORRUPT,     /* not a picture of its kind */
    SQ_ARCHIVE_FAULT_TOO_LARGE,
    SQ_ARCHIVE_FAULT_UNREADABLE, /* the system failed */
    SQ_ARCHIVE_FAULTS,
};

/* "none", "notAllowed", "vanished", "notAFile", "locked", "empty", ... */
const char *sq_archive_fault_name(enum sq_archive_fault fault);

/* Start zeroed; bytes are the caller's to finish if fault is NONE. */
struct sq_archive_file {
    struct sq_buf bytes;
    enum sq_archive_fault fault;
    enum sq_shot_ending ending;
    struct sq_size whole; /* its size before it was made smaller; 0: it was
                             not */
};

/*
 * The bytes of a shot's file: regular, beneath its root, of a picture's kind,
 * whole as far as its first and last bytes tell. A picture larger than may
 * leave its folder is made smaller here, so that no caller has more pixels
 * than it may hand out. On failure out->fault says why and err says it in
 * words; NONE means that the deadline, memory or our own limits failed, not
 * the file.
 */
bool sq_archive_read(struct sq_archive *archive,
                     const struct sq_archive_pick *pick,
                     enum sq_archive_want want,
                     const struct sq_deadline *deadline,
                     struct sq_archive_file *out, struct sq_err *err);

/*
 * The same bytes in their own size, for us to look at: for fingerprints and
 * sizes, never for an answer. Of no folder from which no picture may leave.
 */
bool sq_archive_inspect(struct sq_archive *archive,
                        const struct sq_archive_pick *pick,
                        enum sq_archive_want want,
                        const struct sq_deadline *deadline,
                        struct sq_archive_file *out, struct sq_err *err);

/* What is known about a shot's files without reading their pixels. */
struct sq_archive_verdict {
    enum sq_archive_fault fault; /* NONE: one of them can be used */
    bool is_checked;             /* false: skipped, because the disk is slow */
    int width;                   /* of the whole picture; 0: unknown */
    int height;
};

/*
 * Whether a shot can be shown: its thumbnail, or else its whole picture, is
 * there and begins and ends like a picture. Reads at most
 * SQ_ARCHIVE_CHECK_BYTES of each, once per state of the file. Opens no file
 * after `patience`, nor for a minute after one took SQ_ARCHIVE_SLOW_MS: the
 * shot is then not checked, which is no failure. Fails as sq_archive_read does
 * with fault NONE, except for the time that patience had.
 */
#define SQ_ARCHIVE_CHECK_BYTES (18 * 1024)
#define SQ_ARCHIVE_SLOW_MS 100
bool sq_archive_check(struct sq_archive *archive,
                      const struct sq_archive_pick *pick,
                      const struct sq_deadline *patience,
                      struct sq_archive_verdict *out, struct sq_err *err);

/* Which fingerprints are asked for, and how long that may take. */
struct sq_archive_fingerprints_ask {
    const struct sq_archive_listing *listing;
    const uint32_t *places; /* in the listing; NULL: the first `count` */
    size_t count;
    const struct sq_deadline *deadline; /* of the call */
    const struct sq_deadline *patience; /* until then pictures are read */
    /* Called after each picture; may be NULL. */
    void (*tell)(void *context, size_t done, size_t all);
    void *context;
};

struct sq_archive_compared {
    size_t all;
    size_t done;       /* of these; the others were not looked at in time */
    bool is_continued; /* in the background */
};

struct sq_image_fingerprint;

/*
 * The fingerprints of many shots. Those computed before are taken from the
 * index as long as the file's inode, size and time of change stay the same;
 * the others are computed until patience ends, spread over all of them, and
 * kept. What was not computed in time is unknown in out, and goes on in the
 * background. Fails only for lack of memory, descriptors, or the deadline.
 */
bool sq_archive_fingerprints(struct sq_archive *archive,
                             const struct sq_archive_fingerprints_ask *ask,
                             struct sq_image_fingerprint *out,
                             struct sq_archive_compared *compared,
                             struct sq_err *err);

/* Whether fingerprints are being computed in the background. */
bool sq_archive_is_computing(struct sq_archive *archive);

#define SQ_ARCHIVE_NO_DAY INT32_MIN

/* Facts about one root, as far as they are cheap. */
struct sq_archive_health {
    enum sq_archive_trouble trouble;
    bool written;        /* a shot is there, or a folder for one was */
    bool has_links;      /* symbolic links; looked for where no shot is */
    int32_t oldest_day;  /* local days since 1970 that have shots, or */
    int32_t newest_day;  /* SQ_ARCHIVE_NO_DAY */
    uint32_t folders;    /* of dates, directly below the root */
    uint64_t shots;      /* in the folders looked at so far */
    uint64_t thumbnails; /* of these */
    uint64_t unparsed;   /* pictures whose names say nothing, likewise */
    uint64_t misfiled;   /* further shots, in the folder of another date */
    uint32_t refused;    /* folders that could not be read */
    size_t layout;       /* row of sq_layout_at */
    size_t strategy;     /* row of sq_name_strategy_at that fits most */
    size_t cached_bytes; /* memory held for this root */
    bool refs_last;      /* refs outlive this process (true until tried) */
};

/* Whether references outlive this process; tries to load their key. */
bool sq_archive_refs_last(struct sq_archive *archive);

bool sq_archive_health(struct sq_archive *archive, size_t root,
                       const struct sq_deadline *deadline,
                       struct sq_archive_health *out, struct sq_err *err);

/* The days of the oldest and newest shot, or SQ_ARCHIVE_NO_DAY. */
struct sq_archive_range {
    int32_t oldest_day; /* local days since 1970 */
    int32_t newest_day;
};

/* Of one root or SQ_ARCHIVE_ANY. A root that cannot be read has no days. */
bool sq_archive_range(struct sq_archive *archive, int root,
                      const struct sq_deadline *deadline,
                      struct sq_archive_range *out, struct sq_err *err);

#define SQ_ARCHIVE_FIRST_YEAR 1969 /* local time may be before 1970 */
#define SQ_ARCHIVE_MONTHS ((2106 - SQ_ARCHIVE_FIRST_YEAR + 1) * 12)

/* How many shots each month has, where they were taken. */
struct sq_archive_months {
    uint32_t counts[SQ_ARCHIVE_MONTHS]; /* from January of the first year */
    uint64_t shots;
    uint32_t monitors[8]; /* a bit for each that has shots, wanted or not */
    struct sq_archive_count roots[SQ_ARCHIVE_MAX_ROOTS];
};

/*
 * Count everything that a list could show of a root and a monitor; either may
 * be SQ_ARCHIVE_ANY. Reads every folder that is not known yet.
 */
bool sq_archive_count_months(struct sq_archive *archive, int root, int monitor,
                             const struct sq_deadline *deadline,
                             struct sq_archive_months *out, struct sq_err *err);

/* Called between folders while everything is read; false stops. */
struct sq_archive_progress {
    void (*tell)(void *context, uint32_t folders_done, uint32_t folders_known,
                 uint64_t shots);
    void *context;
};

/* What a whole root holds. */
struct sq_archive_totals {
    enum sq_archive_trouble trouble;
    uint32_t folders; /* that hold shots; the root counts if it does */
    uint32_t refused; /* that could not be read */
    uint64_t shots;   /* that lists can show */
    uint64_t full;
    uint64_t thumbnails;
    uint64_t unparsed;
    uint64_t misfiled; /* further shots, in the folder of another date */
    uint64_t by_strategy[SQ_NAME_ROWS]; /* shots of each row */
    uint32_t first_utc;                 /* 0 without shots */
    uint32_t last_utc;
};

/*
 * Look at every folder of a root, and write the index if there is a folder
 * for it. progress may be NULL. May take seconds: a million files take about
 * half of one.
 */
bool sq_archive_scan(struct sq_archive *archive, size_t root,
                     const struct sq_archive_progress *progress,
                     const struct sq_deadline *deadline,
                     struct sq_archive_totals *out, struct sq_err *err);

/*
 * How the names look that say nothing, of all folders of a root; the most
 * frequent first.
 */
bool sq_archive_find_shapes(struct sq_archive *archive, size_t root,
                            const struct sq_deadline *deadline,
                            struct sq_shapes *out, struct sq_err *err);

#endif

/*
 * Lists everything that can be wrong with archived screenshots, one code each.
 * The server's health report, its ManicTime-compatible form and the diagnostics
 * of replies all use these codes. In this directory, sq_err.cause holds one of
 * them.
 */
#ifndef SQ_ARCHIVE_CAUSE_H
#define SQ_ARCHIVE_CAUSE_H

enum sq_cause {
    SQ_CAUSE_NONE,

    /* Problems of a screenshot folder. */
    SQ_CAUSE_NOT_CONFIGURED,    /* none is configured, and the default is
                                   missing */
    SQ_CAUSE_FOLDER_MISSING,    /* no such folder */
    SQ_CAUSE_NOT_A_FOLDER,      /* the path is not a folder */
    SQ_CAUSE_FOLDER_FORBIDDEN,  /* no permission to read it */
    SQ_CAUSE_FOLDER_UNREADABLE, /* I/O error */
    SQ_CAUSE_INNER_UNREADABLE,  /* some subfolders are unreadable */
    SQ_CAUSE_LINKS_ONLY,        /* symbolic links, which are not followed */
    SQ_CAUSE_NAMES_UNREAD,      /* pictures without a time in their names */
    SQ_CAUSE_PURGED,            /* date folders exist, but all are empty */
    SQ_CAUSE_NEVER_WRITTEN,     /* nothing was ever written */
    SQ_CAUSE_FILES_UNUSABLE,    /* empty, truncated, locked, not pictures */

    /* Problems of the whole archive. */
    SQ_CAUSE_KEY_UNREADABLE, /* key of refs: they are valid in this process
                                only */
    SQ_CAUSE_ZONE_UNKNOWN,   /* the configured time zone */

    /* Problems of the activity record. */
    SQ_CAUSE_ACTIVITY_MISSING,    /* the configured file does not exist */
    SQ_CAUSE_ACTIVITY_FORBIDDEN,  /* no permission to read it */
    SQ_CAUSE_ACTIVITY_UNREADABLE, /* not a supported format */
    SQ_CAUSE_DATABASE_EMPTY,      /* a file of 0 bytes */
    SQ_CAUSE_DATABASE_FOREIGN,    /* not an SQLite database */
    SQ_CAUSE_DATABASE_TRUNCATED,  /* the file is shorter than its header
                                     states */
    SQ_CAUSE_DATABASE_DAMAGED,
    SQ_CAUSE_DATABASE_LOCKED,
    SQ_CAUSE_DATABASE_SLOW,    /* reading it took too long */
    SQ_CAUSE_TABLES_MISSING,   /* not the database of that tracker */
    SQ_CAUSE_TABLES_COMPUTED,  /* views or generated columns, which would run
                                  code */
    SQ_CAUSE_NOTHING_RECORDED, /* readable, but contains no applications */
    SQ_CAUSES,
};

/* Returns the code for JSON, such as "DatabaseLocked" or "None". */
const char *sq_cause_name(enum sq_cause cause);

/*
 * Return one sentence each: the problem, and what to do. "" for SQ_CAUSE_NONE.
 */
const char *sq_cause_message(enum sq_cause cause);
const char *sq_cause_remedy(enum sq_cause cause);

/* Returns what to do about a folder that ManicTime writes. */
const char *sq_cause_manictime_remedy(enum sq_cause cause);

#endif

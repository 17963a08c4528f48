/*
 * Everything that can be wrong with past screenshots, one code each: what the
 * health of the server, ManicTime's words for it and the diagnostics of every
 * answer call it. sq_err.cause holds one of these in this folder.
 */
#ifndef SQ_ARCHIVE_CAUSE_H
#define SQ_ARCHIVE_CAUSE_H

enum sq_cause {
    SQ_CAUSE_NONE,

    /* Of a folder of screenshots. */
    SQ_CAUSE_NOT_CONFIGURED,    /* none is named, and ours is not there */
    SQ_CAUSE_FOLDER_MISSING,    /* no such folder */
    SQ_CAUSE_NOT_A_FOLDER,      /* something else has that name */
    SQ_CAUSE_FOLDER_FORBIDDEN,  /* squint may not look inside */
    SQ_CAUSE_FOLDER_UNREADABLE, /* the system failed */
    SQ_CAUSE_INNER_UNREADABLE,  /* some of the folders inside */
    SQ_CAUSE_LINKS_ONLY,        /* symbolic links, which are not followed */
    SQ_CAUSE_NAMES_UNREAD,      /* pictures whose names tell no time */
    SQ_CAUSE_PURGED,            /* folders of dates, all of them empty */
    SQ_CAUSE_NEVER_WRITTEN,     /* nothing at all */
    SQ_CAUSE_FILES_UNUSABLE,    /* empty, cut short, locked, not pictures */

    /* Of the whole. */
    SQ_CAUSE_KEY_UNREADABLE, /* of references: they end with the process */
    SQ_CAUSE_ZONE_UNKNOWN,   /* the time zone that was configured */

    /* Of the record of activities. */
    SQ_CAUSE_ACTIVITY_MISSING,    /* the file that was named is not there */
    SQ_CAUSE_ACTIVITY_FORBIDDEN,  /* squint may not read it */
    SQ_CAUSE_ACTIVITY_UNREADABLE, /* not a record that squint can read */
    SQ_CAUSE_DATABASE_EMPTY,      /* a file of no bytes */
    SQ_CAUSE_DATABASE_FOREIGN,    /* not a database */
    SQ_CAUSE_DATABASE_TRUNCATED,  /* its end is missing */
    SQ_CAUSE_DATABASE_DAMAGED,
    SQ_CAUSE_DATABASE_LOCKED,
    SQ_CAUSE_DATABASE_SLOW,    /* reading it took longer than it may */
    SQ_CAUSE_TABLES_MISSING,   /* it is not that tracker's */
    SQ_CAUSE_TABLES_COMPUTED,  /* views or computed columns, which would run */
    SQ_CAUSE_NOTHING_RECORDED, /* all is well, but no applications in it */
    SQ_CAUSES,
};

/* The code for JSON, "DatabaseLocked"; "None" for none. */
const char *sq_cause_name(enum sq_cause cause);

/* What is wrong and what to do, in a sentence each; "" for none. */
const char *sq_cause_message(enum sq_cause cause);
const char *sq_cause_remedy(enum sq_cause cause);

#endif

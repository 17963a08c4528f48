/* Defines the codes, messages and remedies of all causes. */
#include "archive/cause.h"

#include <stddef.h>

#include "util/err.h"

#define ASK_PROGRAM                                                            \
    "${Have the person check|Check} the configured folder, and the capture "   \
    "and "                                                                     \
    "retention settings of the program that writes the screenshots."
#define ASK_MANICTIME                                                          \
    "${Have the person review|Review} ManicTime's screenshot capture and "     \
    "retention "                                                               \
    "settings, and the configured folder."
#define ASK_DATABASE                                                           \
    "${Have the person start|Start} the tracker once, so that it repairs its " \
    "database, or restore a copy of it."

static const struct {
    const char *name;
    const char *message;
    const char *remedy;
    const char *manictime; /* remedy for a folder of ManicTime; NULL: same */
} causes[SQ_CAUSES] = {
    [SQ_CAUSE_NONE] = { "None", "", "", NULL },
    [SQ_CAUSE_NOT_CONFIGURED] = {
        "NotConfigured", "No folder of screenshots is configured.",
        "${Have the person add|Add} --archive FOLDER, or set archive.roots in "
        "the configuration; squint record makes an archive of any device.",
        "${Have the person set|Set} MANICTIME_DATA_DIR, or add --manictime "
        "FOLDER.",
    },
    [SQ_CAUSE_FOLDER_MISSING] = {
        "FolderMissing", "A folder of screenshots is missing.",
        "${Have the person check|Check} the path in archive.roots or "
        "--archive, and the capture settings of the program that writes the "
        "screenshots.",
        "${Have the person check|Check} the path in "
        "archive.manicTimeDirectory, MANICTIME_DATA_DIR or --manictime, and "
        "ManicTime's screenshot capture settings.",
    },
    [SQ_CAUSE_NOT_A_FOLDER] = {
        "NotAFolder", "The configured folder of screenshots is not a folder.",
        "${Have the person name|Name} a folder in archive.roots or --archive.",
        "${Have the person name|Name} a folder in archive.manicTimeDirectory, "
        "MANICTIME_DATA_DIR or --manictime.",
    },
    [SQ_CAUSE_FOLDER_FORBIDDEN] = {
        "FolderForbidden",
        "squint has no permission to read a folder of screenshots.",
        "${Have the person give|Give} squint permission to read the folder.", NULL,
    },
    [SQ_CAUSE_FOLDER_UNREADABLE] = {
        "FolderUnreadable", "The system cannot read a folder of screenshots.",
        "${Have the person check|Check} the disk or the network drive that it "
        "is on.", NULL,
    },
    [SQ_CAUSE_INNER_UNREADABLE] = {
        "InnerFoldersUnreadable", "Some date folders cannot be read.",
        "${Have the person give|Give} squint permission to read them; "
        "unreadableFolders counts them.", NULL,
    },
    [SQ_CAUSE_LINKS_ONLY] = {
        "SymbolicLinks",
        "A folder has symbolic links instead of pictures or date folders.",
        "squint does not follow links. ${Have the person set|Set} "
        "archive.roots to the folder that they point to.", NULL,
    },
    [SQ_CAUSE_NAMES_UNREAD] = {
        "NamesUnread",
        "A folder has pictures, but no file name contains a known date and "
        "time.",
        "${Have the person check|Check} that it is the right folder; squint "
        "archive stats shows its contents.", NULL,
    },
    [SQ_CAUSE_PURGED] = {
        "Retention",
        "The date folders are empty: their screenshots were deleted.",
        ASK_PROGRAM, ASK_MANICTIME,
    },
    [SQ_CAUSE_NEVER_WRITTEN] = {
        "CaptureDisabled", "A folder of screenshots is empty.", ASK_PROGRAM,
        ASK_MANICTIME,
    },
    [SQ_CAUSE_FILES_UNUSABLE] = {
        "FilesUnusable",
        "Some screenshot files cannot be used; unusable counts the reasons.",
        "Try again in a moment, or use screenshots shortly before or after "
        "them.", NULL,
    },
    [SQ_CAUSE_KEY_UNREADABLE] = {
        "KeyUnreadable",
        "The key of screenshotRefs cannot be read, so they are valid only "
        "until squint exits.",
        "${Have the person make|Make} squint/screenshot-ref.key in the state "
        "folder (~/.local/state) readable, or delete it; squint then makes a "
        "new one.", NULL,
    },
    [SQ_CAUSE_ZONE_UNKNOWN] = {
        "TimeZoneUnknown",
        "The configured time zone is unknown, so the system's is used.",
        "${Have the person set|Set} archive.timeZone, for example to "
        "Europe/Zurich.", NULL,
    },
    [SQ_CAUSE_ACTIVITY_MISSING] = {
        "DatabaseNotFound",
        "The configured record of activities does not exist.",
        "${Have the person check|Check} archive.activityPath, or start the "
        "tracker once.",
        "${Have the person check|Check} MANICTIME_DATA_DIR or --manictime, "
        "and archive.activityPath, or start ManicTime once.",
    },
    [SQ_CAUSE_ACTIVITY_FORBIDDEN] = {
        "DatabaseUnreadable", "The record of activities cannot be read.",
        "${Have the person give|Give} squint permission to read the file, and "
        "to write in its folder if there is a -wal file.", NULL,
    },
    [SQ_CAUSE_ACTIVITY_UNREADABLE] = {
        "ActivityUnreadable",
        "squint does not know the format of the record of activities.",
        "${Have the person configure|Configure} a ManicTime or ActivityWatch "
        "database, or a CSV file with start,end,label.", NULL,
    },
    [SQ_CAUSE_DATABASE_EMPTY] = {
        "DatabaseEmpty", "The tracker's database is an empty file.",
        ASK_DATABASE, NULL,
    },
    [SQ_CAUSE_DATABASE_FOREIGN] = {
        "NotADatabase",
        "The tracker's database is not an SQLite file, or it is encrypted.",
        "${Have the person configure|Configure} the tracker's own database "
        "file.", NULL,
    },
    [SQ_CAUSE_DATABASE_TRUNCATED] = {
        "DatabaseTruncated", "The tracker's database is truncated.",
        ASK_DATABASE, NULL,
    },
    [SQ_CAUSE_DATABASE_DAMAGED] = {
        "DatabaseCorrupt", "The tracker's database is damaged.", ASK_DATABASE, NULL,
    },
    [SQ_CAUSE_DATABASE_LOCKED] = {
        "DatabaseLocked", "Another program has locked the tracker's database.",
        "Try again in a moment. If it stays locked, ${have the person |}close "
        "the program that uses it.", NULL,
    },
    [SQ_CAUSE_DATABASE_SLOW] = {
        "DatabaseSlow", "Reading the tracker's database took too long.",
        "Ask for a shorter time, or ${have the person |}check the disk that "
        "it is on.", NULL,
    },
    [SQ_CAUSE_TABLES_MISSING] = {
        "DatabaseTablesMissing",
        "The database does not have the tracker's tables.",
        "${Have the person configure|Configure} ManicTimeReports.db of "
        "ManicTime, or peewee-sqlite.v2.db of ActivityWatch.", NULL,
    },
    [SQ_CAUSE_TABLES_COMPUTED] = {
        "DatabaseComputed",
        "The database has views or computed columns instead of the tracker's "
        "tables.",
        "squint does not read such a database. ${Have the person "
        "configure|Configure} the tracker's own.", NULL,
    },
    [SQ_CAUSE_NOTHING_RECORDED] = {
        "NothingRecorded", "The tracker has recorded no applications.",
        "${Have the person switch|Switch} on the tracking of applications.", NULL,
    },
};

const char *
sq_cause_name(enum sq_cause cause) {
    return causes[cause].name;
}

const char *
sq_cause_message(enum sq_cause cause) {
    return causes[cause].message;
}

/* Returns the text for its reader, in memory of this thread. */
static const char *
for_reader(const char *remedy) {
    static _Thread_local char text[SQ_MARKED_SIZE];
    return sq_marked(remedy, text);
}

const char *
sq_cause_remedy(enum sq_cause cause) {
    return for_reader(causes[cause].remedy);
}

const char *
sq_cause_manictime_remedy(enum sq_cause cause) {
    return for_reader(causes[cause].manictime ? causes[cause].manictime
                                              : causes[cause].remedy);
}

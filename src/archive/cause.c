/* Defines the codes, messages and remedies of all causes. */
#include "archive/cause.h"

#define ASK_TRACKER                                                            \
    "Have the person review ManicTime's screenshot capture and retention "     \
    "settings, and the configured folder."
#define ASK_DATABASE                                                           \
    "Have the person start the tracker once, so that it repairs its "          \
    "database, or restore a copy of it."

static const struct {
    const char *name;
    const char *message;
    const char *remedy;
} causes[SQ_CAUSES] = {
    [SQ_CAUSE_NONE] = { "None", "", "" },
    [SQ_CAUSE_NOT_CONFIGURED] = { "NotConfigured",
                                  "No folder of screenshots is configured.",
                                  "Have the person set archive.roots, "
                                  "--archive DIR or MANICTIME_DATA_DIR; squint "
                                  "record makes an archive of any device." },
    [SQ_CAUSE_FOLDER_MISSING] = { "FolderMissing",
                                  "A folder of screenshots is missing.",
                                  "Have the person check the path in "
                                  "archive.roots or MANICTIME_DATA_DIR, and "
                                  "ManicTime's screenshot capture settings." },
    [SQ_CAUSE_NOT_A_FOLDER] = { "NotAFolder",
                                "What should be a folder of screenshots is "
                                "something else.",
                                "Have the person name a folder in "
                                "archive.roots or MANICTIME_DATA_DIR." },
    [SQ_CAUSE_FOLDER_FORBIDDEN] = { "FolderForbidden",
                                    "squint may not look into a folder of "
                                    "screenshots.",
                                    "Have the person give squint the right to "
                                    "read the folder." },
    [SQ_CAUSE_FOLDER_UNREADABLE] = { "FolderUnreadable",
                                     "The system cannot read a folder of "
                                     "screenshots.",
                                     "Have the person check the disk or the "
                                     "network drive that it is on." },
    [SQ_CAUSE_INNER_UNREADABLE] = { "InnerFoldersUnreadable",
                                    "Folders of some days cannot be read.",
                                    "Have the person give squint the right to "
                                    "read them; unreadableFolders counts "
                                    "them." },
    [SQ_CAUSE_LINKS_ONLY] = { "SymbolicLinks",
                              "A folder has symbolic links in place of "
                              "pictures or folders of days.",
                              "Links are never followed. Have the person name "
                              "the folder that they lead to in "
                              "archive.roots." },
    [SQ_CAUSE_NAMES_UNREAD] = { "NamesUnread",
                                "A folder has pictures, but none whose name "
                                "tells when it was taken.",
                                "Have the person check that it is the right "
                                "folder; squint archive stats shows what is "
                                "there." },
    [SQ_CAUSE_PURGED] = { "Retention",
                          "The folders of days are empty: their screenshots "
                          "were purged.",
                          ASK_TRACKER },
    [SQ_CAUSE_NEVER_WRITTEN] = { "CaptureDisabled",
                                 "A folder of screenshots is empty.",
                                 ASK_TRACKER },
    [SQ_CAUSE_FILES_UNUSABLE] = { "FilesUnusable",
                                  "Some files of screenshots cannot be used: "
                                  "unusable says why.",
                                  "Try again in a moment, or take shots before "
                                  "or after them." },
    [SQ_CAUSE_KEY_UNREADABLE] = { "KeyUnreadable",
                                  "The key of screenshotRefs cannot be read: "
                                  "they end when squint does.",
                                  "Have the person make "
                                  "squint/screenshot-ref.key in the state "
                                  "folder (~/.local/state) readable, or delete "
                                  "it; a new one is made." },
    [SQ_CAUSE_ZONE_UNKNOWN] = { "TimeZoneUnknown",
                                "The configured time zone is not known: times "
                                "are read in the system's.",
                                "Have the person set archive.timeZone, for "
                                "example to Europe/Zurich." },
    [SQ_CAUSE_ACTIVITY_MISSING] = { "DatabaseNotFound",
                                    "The record of activities that is "
                                    "configured is not there.",
                                    "Have the person check MANICTIME_DATA_DIR "
                                    "or archive.activityPath, or start the "
                                    "tracker once." },
    [SQ_CAUSE_ACTIVITY_FORBIDDEN] = { "DatabaseUnreadable",
                                      "The record of activities cannot be "
                                      "read.",
                                      "Have the person give squint the right "
                                      "to read the file, and to write beside "
                                      "it if there is a -wal file." },
    [SQ_CAUSE_ACTIVITY_UNREADABLE] = { "ActivityUnreadable",
                                       "The record of activities is not one "
                                       "that squint can read.",
                                       "Have the person name a ManicTime or "
                                       "ActivityWatch database, or a CSV table "
                                       "with start,end,label." },
    [SQ_CAUSE_DATABASE_EMPTY] = { "DatabaseEmpty",
                                  "The tracker's database is an empty file.",
                                  ASK_DATABASE },
    [SQ_CAUSE_DATABASE_FOREIGN] = { "NotADatabase",
                                    "The tracker's database is not a database, "
                                    "or encrypted.",
                                    "Have the person name the tracker's own "
                                    "database file." },
    [SQ_CAUSE_DATABASE_TRUNCATED] = { "DatabaseTruncated",
                                      "The tracker's database has lost its "
                                      "end.",
                                      ASK_DATABASE },
    [SQ_CAUSE_DATABASE_DAMAGED] = { "DatabaseCorrupt",
                                    "The tracker's database is damaged.",
                                    ASK_DATABASE },
    [SQ_CAUSE_DATABASE_LOCKED] = { "DatabaseLocked",
                                   "Another program has locked the tracker's "
                                   "database.",
                                   "Try again in a moment. If it lasts, have "
                                   "the person close the program that holds "
                                   "it." },
    [SQ_CAUSE_DATABASE_SLOW] = { "DatabaseSlow",
                                 "Reading the tracker's database took too "
                                 "long.",
                                 "Ask for a shorter window, or have the person "
                                 "check the disk that it is on." },
    [SQ_CAUSE_TABLES_MISSING] = { "DatabaseTablesMissing",
                                  "The database lacks the tables of the "
                                  "tracker.",
                                  "Have the person name ManicTimeReports.db of "
                                  "ManicTime, or peewee-sqlite.v2.db of "
                                  "ActivityWatch." },
    [SQ_CAUSE_TABLES_COMPUTED] = { "DatabaseComputed",
                                   "The database computes what should be "
                                   "stored: it has views or computed columns "
                                   "in place of the tracker's tables.",
                                   "Such a database is not read. Have the "
                                   "person name the tracker's own." },
    [SQ_CAUSE_NOTHING_RECORDED] = { "NothingRecorded",
                                    "The tracker has recorded no "
                                    "applications.",
                                    "Have the person switch on the tracking "
                                    "of applications." },
};

const char *
sq_cause_name(enum sq_cause cause) {
    return causes[cause].name;
}

const char *
sq_cause_message(enum sq_cause cause) {
    return causes[cause].message;
}

const char *
sq_cause_remedy(enum sq_cause cause) {
    return causes[cause].remedy;
}

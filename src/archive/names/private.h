/* Shares definitions between the rows of the name table; only for this folder.
 */
#ifndef SQ_ARCHIVE_NAMES_PRIVATE_H
#define SQ_ARCHIVE_NAMES_PRIVATE_H

#include "archive/names/name.h"

/* A file name, split into the parts that all strategies share. */
struct sq_name_parts {
    struct sq_span stem;
    enum sq_shot_ending ending;
    bool thumbnail;
    bool odd; /* has capitals: we would format it differently */
};

struct sq_name_row {
    struct sq_name_strategy about;
    unsigned endings; /* one bit per enum sq_shot_ending */
    bool utc;         /* its times are UTC, not local */
    bool by_change;   /* no time in the name: the mtime is used */
    /* The pattern of each spelling; see pattern.c. NULL: ManicTime's parser. */
    const char *const *spellings;
};

/* Returns the row of the user's patterns, which may have none: own.c. */
const struct sq_name_row *sq_name_own_row(void);

/* Maximum number of spellings: three bits of a shot's flags. */
#define SQ_NAME_SPELLINGS 8

/* The caller sets the flags FULL, THUMB and the ending in all of these. */
bool sq_name_parse_manictime(struct sq_span stem, struct sq_shot *shot);
size_t sq_name_format_manictime(const struct sq_shot *shot, char *out);

bool sq_name_parse_pattern(const struct sq_name_row *row, struct sq_span stem,
                           const struct sq_zone *zone, struct sq_shot *shot);
/* For a row with by_change: returns whether one of its spellings matches. */
bool sq_name_fits_pattern(const struct sq_name_row *row, struct sq_span stem);

/* Returns the text of a conversion in an example; NULL: there is none. */
const char *sq_name_sample(char letter);

/*
 * Makes the shot of such a name from the file's mtime; it is SQ_SHOT_LITERAL.
 */
bool sq_name_date_changed(int64_t changed_utc, const struct sq_zone *zone,
                          struct sq_shot *shot);

bool sq_name_pattern_can_format(const struct sq_name_row *row, size_t spelling);
size_t sq_name_format_pattern(const struct sq_name_row *row,
                              const struct sq_shot *shot, char *out);

#endif

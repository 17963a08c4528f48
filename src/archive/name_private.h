/* What the rows of the name strategies' table share; for name*.c only. */
#ifndef SQ_ARCHIVE_NAME_PRIVATE_H
#define SQ_ARCHIVE_NAME_PRIVATE_H

#include "archive/name.h"

/* A file's name, taken apart as far as all strategies agree. */
struct sq_name_parts {
    struct sq_span stem;
    enum sq_shot_ending ending;
    bool thumbnail;
    bool odd; /* in capitals: what we would write differs */
};

struct sq_name_row {
    struct sq_name_strategy about;
    unsigned endings; /* a bit per enum sq_shot_ending */
    bool utc;         /* its dates are not local */
    bool by_change;   /* no dates: its files tell when they changed */
    /* The pattern of each spelling; see name_pattern.c. NULL: ManicTime. */
    const char *const *spellings;
};

/* At most this many spellings: three bits of a shot's flags. */
#define SQ_NAME_SPELLINGS 8

/* All of these leave the flags FULL, THUMB and the ending to the caller. */
bool sq_name_parse_manictime(struct sq_span stem, struct sq_shot *shot);
size_t sq_name_format_manictime(const struct sq_shot *shot, char *out);

bool sq_name_parse_pattern(const struct sq_name_row *row, struct sq_span stem,
                           const struct sq_zone *zone, struct sq_shot *shot);
/* For a row by change: whether one of its spellings fits. */
bool sq_name_fits_pattern(const struct sq_name_row *row, struct sq_span stem);

/* Such a name of a file that changed then; it is kept. */
bool sq_name_date_pattern(const struct sq_name_row *row, struct sq_span stem,
                          int64_t changed_utc, const struct sq_zone *zone,
                          struct sq_shot *shot);

bool sq_name_pattern_can_format(const struct sq_name_row *row, size_t spelling);
size_t sq_name_format_pattern(const struct sq_name_row *row,
                              const struct sq_shot *shot, char *out);

#endif

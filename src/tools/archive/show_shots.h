/* Shows people past screenshots: what their operations share. */
#ifndef SQ_TOOLS_ARCHIVE_SHOW_SHOTS_H
#define SQ_TOOLS_ARCHIVE_SHOW_SHOTS_H

#include "tool/people.h"

/* Returns whether the reply has screenshots, or counts of them by month. */
bool sq_has_shots(const struct sq_people *people);

/* Shows one screenshot, whole or in part. */
bool sq_show_shot(struct sq_people *people, struct sq_err *err);

/* Shows a contact sheet. */
bool sq_show_sheet(struct sq_people *people, struct sq_err *err);

/* Prints how many there are, and of which period. */
bool sq_people_put_shot_total(struct sq_people *people, size_t shown,
                              struct sq_err *err);

/* Prints the table of the screenshots. */
bool sq_people_put_shots(struct sq_people *people, struct sq_err *err);

/* Prints what is wrong with the folders. */
bool sq_people_put_diagnostics(struct sq_people *people, struct sq_err *err);

/*
 * Prints how dates were read; not if this only says that they are in the
 * system's zone, which is the default.
 */
bool sq_people_put_read_as(struct sq_people *people,
                           const struct sq_json *reply, struct sq_err *err);

/* Appends the cell of a number; an empty one if it is missing. */
bool sq_table_add_number(struct sq_table *table, const struct sq_json *value,
                         struct sq_err *err);

#endif

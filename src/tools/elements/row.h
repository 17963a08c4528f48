/* Writes element lists in compact form: one short row per element. */
#ifndef SQ_TOOLS_ELEMENTS_ROW_H
#define SQ_TOOLS_ELEMENTS_ROW_H

#include "tools/elements/listing.h"

/*
 * Writes the members columns and elements with at most limit rows and about
 * max_bytes: the first ones, and the last, which are messages and bottom bars.
 * Returns how many rows.
 */
size_t sq_compact_put(const struct sq_listing *list, size_t limit,
                      size_t max_bytes, struct sq_json_writer *w);

/* Writes why a list of the whole screen is empty. */
void sq_put_no_elements(struct sq_json_writer *w);

/* Write only the member columns, or one row of the array. */
void sq_compact_put_columns(struct sq_json_writer *w);
void sq_compact_put_row(const struct sq_listed *item, struct sq_json_writer *w);

#endif

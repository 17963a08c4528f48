/* The lean form of an element list: one short row each. */
#ifndef SQ_TOOLS_ELEMENT_ROW_H
#define SQ_TOOLS_ELEMENT_ROW_H

#include "tools/listing.h"

/*
 * The members columns and elements with at most limit rows, and totalCount if
 * there are more.
 */
void sq_compact_put(const struct sq_listing *list, size_t limit,
                    struct sq_json_writer *w);

/* The member columns alone, and one row of an array of them. */
void sq_compact_put_columns(struct sq_json_writer *w);
void sq_compact_put_row(const struct sq_listed *item, size_t index,
                        struct sq_json_writer *w);

#endif

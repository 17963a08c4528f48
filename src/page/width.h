/*
 * How many columns of a terminal a text takes: 2 for wide characters (CJK,
 * emoji), 0 for combining marks, 1 for the others.
 */
#ifndef SQ_PAGE_WIDTH_H
#define SQ_PAGE_WIDTH_H

#include "util/span.h"

/* Returns the columns of one code point: 0, 1 or 2. */
int sq_code_columns(uint32_t code);

/* Returns the columns of a text. A byte of invalid UTF-8 takes one column. */
size_t sq_text_columns(struct sq_span text);

/*
 * Returns how many bytes of the text fit into that many columns. Never splits a
 * character; combining marks stay with their character.
 */
size_t sq_text_fit(struct sq_span text, size_t columns);

/*
 * Takes the part of the text that fits into that many columns, up to a space if
 * there is one; that space is skipped. A word that does not fit at all, such as
 * a path, is taken whole: the terminal breaks it so that it can be copied.
 * Returns false if the text is empty.
 */
bool sq_text_take_line(struct sq_span *rest, size_t columns,
                       struct sq_span *line);

#endif

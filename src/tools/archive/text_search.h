/* Finds archived screenshots by their text, for the operations that do so. */
#ifndef SQ_TOOLS_ARCHIVE_TEXT_SEARCH_H
#define SQ_TOOLS_ARCHIVE_TEXT_SEARCH_H

#include "archive/search/search.h"
#include "tool/tool.h"

struct sq_text_search {
    struct sq_span text;  /* a query; empty: any text */
    struct sq_span start; /* dates as in a list; empty: any time */
    struct sq_span end;
    struct sq_span app; /* empty: any */
    size_t max;
};

/*
 * Searches the index. note says how the dates were read; it may be empty. Fails
 * with SQ_ERR_ARGUMENT if nothing limits the search,
 * with SQ_ERR_NOT_FOUND and a hint if no folder has an index, and with
 * SQ_ERR_INVALID_OPERATION if app is given and no activity is known. The result
 * lives in the call's arena.
 */
bool sq_text_search_run(struct sq_call *call,
                        const struct sq_text_search *search,
                        struct sq_search_result *out,
                        char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err);

/*
 * Writes how many pictures of the time were searched and how many are unread,
 * what else was not searched, as numbers, and note, which also says what to do.
 */
bool sq_text_search_put_notes(struct sq_call *call,
                              const struct sq_search_result *result,
                              struct sq_json_writer *w, struct sq_err *err);

#endif

/* How a listing grows out of many folders; for archive*.c only. */
#ifndef SQ_ARCHIVE_LISTING_BUILDER_H
#define SQ_ARCHIVE_LISTING_BUILDER_H

#include "archive/archive.h"
#include "archive/day.h"

/* Where some shots of a listing came from. */
struct sq_archive_source {
    int root;
    sq_place place;
    uint32_t start; /* the first of its shots while the listing is built */
    char *text;     /* names kept aside; NULL: none */
};

/* A value that becomes a listing. */
struct sq_listing_builder {
    const struct sq_archive_window *window;
    int root; /* the one that is being walked */
    struct sq_shot *shots;
    size_t count;
    size_t room;
    struct sq_archive_source *sources;
    size_t source_count;
    size_t source_room;
};

/* Safe on a zeroed value. */
void sq_listing_builder_finish(struct sq_listing_builder *gathering);

/* Add the shots of a folder that lie in the window. */
bool sq_listing_builder_add(struct sq_listing_builder *gathering,
                            sq_place place, const struct sq_day *day,
                            struct sq_err *err);

/* Put all into one order and move it into the listing, which was empty. */
bool sq_listing_builder_make(struct sq_listing_builder *gathering,
                             struct sq_archive_listing *out,
                             struct sq_err *err);

#endif

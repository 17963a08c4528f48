/* Builds a listing from the shots of many folders; only for archive*.c. */
#ifndef SQ_ARCHIVE_STORE_LISTING_BUILDER_H
#define SQ_ARCHIVE_STORE_LISTING_BUILDER_H

#include "archive/archive.h"
#include "archive/store/day.h"

/* The folder that some shots of a listing came from. */
struct sq_archive_source {
    int root;
    sq_place place;
    enum sq_archive_permission permission;
    uint32_t start; /* first of its shots while the listing is built */
    char *text;     /* stored file names; NULL: none */
};

/* A plain value that becomes a listing. */
struct sq_listing_builder {
    const struct sq_archive_window *window;
    int root;                                     /* the root being walked */
    const enum sq_archive_permission *permission; /* of the added folder */
    struct sq_shot *shots;
    size_t count;
    size_t capacity;
    struct sq_archive_source *sources;
    size_t source_count;
    size_t source_capacity;
};

/* Safe on a zeroed value. */
void sq_listing_builder_finish(struct sq_listing_builder *builder);

/*
 * Adds the shots of a folder that lie in the window. Fails if out of memory or
 * above the limit of shots.
 */
bool sq_listing_builder_add(struct sq_listing_builder *builder, sq_place place,
                            const struct sq_day *day, struct sq_err *err);

/* Sorts all shots and moves them into the listing, which must be empty. */
bool sq_listing_builder_make(struct sq_listing_builder *builder,
                             struct sq_archive_listing *out,
                             struct sq_err *err);

#endif

/*
 * A fake world with an archive, with all its files below the scratch folder,
 * and functions that read its answers by the path of a value, such as
 * "screenshots.0.width". Errors of operations are in t_err.
 */
#ifndef SQ_TEST_PAST_WORLD_H
#define SQ_TEST_PAST_WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include "support/fake_device.h"
#include "support/past_maker.h"

extern struct fake_world world;

/* Central European time, written so that no zone files are needed. */
#define PAST_ZONE "CET-1CEST,M3.5.0,M10.5.0/3"

/*
 * An empty scratch folder and a world without an archive. There is no source of
 * activities unless a test sets one.
 */
void past_start(void);
void past_end(void);

/*
 * Configure a folder below the scratch folder: "a" or "a=thumbnail". Takes
 * effect with the next past_open.
 */
void past_add_root(const char *root);

/* Open the library as configured; a second call acts like a new process. */
void past_open(void);

/* past_start, a root and past_open; the root "a". */
void past_start_at(const char *root);
void past_start_with_root(void);

/* As fake_run, but the error is in t_err. */
bool past_run(const char *operation, const char *arguments);

/* Run an operation on a reference; more is ",'full':'none'" or "". */
bool past_run_on(const char *operation, const char *ref, const char *more);

/* List 2026-01-15; more is ",'maxCount':2" or "". */
bool past_list(const char *more);

/* How many shots the last list has, and a member of one of them. */
size_t past_shots(void);
const char *past_of_shot(size_t nth, const char *member);

/* Text at a path of the last answer, as of t_text; "" if there is none. */
const char *past_text(const char *path);

/* Number or boolean at a path; -1 if there is none. */
double past_number(const char *path);
bool past_true(const char *path);

bool past_has(const char *path);

/* Items of the array, or members of the object, at a path. */
size_t past_count(const char *path);

/* List a window and keep the reference of the nth shot; "" if there is none. */
#define PAST_REF_SIZE 64
void past_ref(const char *start, const char *end, size_t nth,
              char out[PAST_REF_SIZE]);

/* The number of blocks of a kind in the last answer; the nth one, or NULL. */
int past_blocks(enum sq_block_kind kind);
const struct sq_block *past_block(enum sq_block_kind kind, int nth);

/* The first picture of the last answer; empty if there is none. */
const struct sq_buf *past_picture(void);

/* t_alloc_torture of an operation, of which repeated runs do the same. */
long past_torture(const char *operation, const char *arguments);

#endif

/*
 * A fake world with an archive, with all its files below the scratch folder,
 * and functions that read its answers by the path of a value, such as
 * "screenshots.0.width".
 */
#ifndef SQ_TEST_PAST_WORLD_H
#define SQ_TEST_PAST_WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include "support/fake_device.h"
#include "support/past_maker.h"

/* Central European time, written so that no zone files are needed. */
#define PAST_ZONE "CET-1CEST,M3.5.0,M10.5.0/3"

/*
 * An empty scratch folder and a world without an archive. There is no source of
 * activities unless a test sets one.
 */
void past_start(struct fake_world *world);
void past_end(struct fake_world *world);

/*
 * Configure a folder below the scratch folder: "a" or "a=thumbnail". Takes
 * effect with the next past_open.
 */
void past_add_root(struct fake_world *world, const char *root);

/* Open the library as configured; a second call acts like a new process. */
void past_open(struct fake_world *world);

/* past_start, the root "a" and past_open. */
void past_start_with_root(struct fake_world *world);

/* Text at a path of the last answer, "" if there is none; the last eight
 * results stay valid. */
const char *past_text(const struct fake_world *world, const char *path);

/* Number or boolean at a path; -1 if there is none. */
double past_number(const struct fake_world *world, const char *path);
bool past_true(const struct fake_world *world, const char *path);

bool past_has(const struct fake_world *world, const char *path);

/* Items of the array, or members of the object, at a path. */
size_t past_count(const struct fake_world *world, const char *path);

/* List a window and keep the reference of the nth shot; "" if there is none. */
#define PAST_REF_SIZE 64
void past_ref(struct fake_world *world, const char *start, const char *end,
              size_t nth, char out[PAST_REF_SIZE]);

/* Run an operation on a reference; more is ",'full':'none'" or "". */
bool past_run_on(struct fake_world *world, const char *operation,
                 const char *ref, const char *more);

/* The nth block of a kind in the last answer, or NULL. */
const struct sq_block *past_block(const struct fake_world *world,
                                  enum sq_block_kind kind, int nth);

/* For t_alloc_torture: run the call in *context; repeated runs do the same. */
struct past_call {
    struct fake_world *world;
    const char *operation;
    const char *arguments;
};
bool past_torture(void *context, struct sq_err *err);

#endif

/*
 * A list of names and values in insertion order, for properties and settings.
 */
#ifndef SQ_DEMO_ADBD_STORE_H
#define SQ_DEMO_ADBD_STORE_H

#include <stdbool.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_ADBD_STORE_NAME_SIZE 96
#define SQ_ADBD_STORE_VALUE_SIZE 256
#define SQ_ADBD_STORE_MAX 128

struct sq_adbd_entry {
    struct sq_adbd_entry *next;
    char name[SQ_ADBD_STORE_NAME_SIZE];
    char value[SQ_ADBD_STORE_VALUE_SIZE];
};

/* All zero: empty. */
struct sq_adbd_store {
    struct sq_adbd_entry *first;
    int count;
};

/* Safe on a zeroed value. */
void sq_adbd_store_finish(struct sq_adbd_store *store);

/* Returns NULL if the name is not set. */
const char *sq_adbd_store_get(const struct sq_adbd_store *store,
                              const char *name);

/*
 * Sets a value; both strings are copied. Fails with SQ_ERR_LIMIT if a string is
 * too long or the store is full.
 */
bool sq_adbd_store_set(struct sq_adbd_store *store, const char *name,
                       const char *value, struct sq_err *err);

void sq_adbd_store_remove(struct sq_adbd_store *store, const char *name);

#endif

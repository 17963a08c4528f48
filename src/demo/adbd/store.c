/* A list of names and values. */
#include "demo/adbd/store.h"

#include <stdio.h>
#include <string.h>

#include "util/mem.h"

void
sq_adbd_store_finish(struct sq_adbd_store *store) {
    while (store->first) {
        struct sq_adbd_entry *entry = store->first;
        store->first = entry->next;
        sq_mem_free(entry);
    }
    store->count = 0;
}

/* Returns the link to the entry, or the link where a new one goes. */
static struct sq_adbd_entry **
find(struct sq_adbd_store *store, const char *name) {
    struct sq_adbd_entry **at = &store->first;
    while (*at && strcmp((*at)->name, name) != 0) {
        at = &(*at)->next;
    }
    return at;
}

const char *
sq_adbd_store_get(const struct sq_adbd_store *store, const char *name) {
    const struct sq_adbd_entry *entry = store->first;
    while (entry && strcmp(entry->name, name) != 0) {
        entry = entry->next;
    }
    return entry ? entry->value : NULL;
}

bool
sq_adbd_store_set(struct sq_adbd_store *store, const char *name,
                  const char *value, struct sq_err *err) {
    struct sq_adbd_entry **at = find(store, name);
    if (strlen(name) >= SQ_ADBD_STORE_NAME_SIZE
        || strlen(value) >= SQ_ADBD_STORE_VALUE_SIZE
        || (!*at && store->count == SQ_ADBD_STORE_MAX)) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the value is too long, or there are too many");
    }
    if (!*at) {
        *at = sq_mem_zalloc(1, sizeof(**at));
        if (!*at) {
            return sq_fail_nomem(err);
        }
        snprintf((*at)->name, sizeof((*at)->name), "%s", name);
        store->count++;
    }
    snprintf((*at)->value, sizeof((*at)->value), "%s", value);
    return true;
}

void
sq_adbd_store_remove(struct sq_adbd_store *store, const char *name) {
    struct sq_adbd_entry **at = find(store, name);
    struct sq_adbd_entry *entry = *at;
    if (entry) {
        *at = entry->next;
        store->count--;
        sq_mem_free(entry);
    }
}

#include "archive/store/root.h"

#include <sys/stat.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"

#define OWNER 42

static struct sq_image_fingerprint_store store;
static char path[600];

static void
start(void) {
    t_scratch_start();
    snprintf(path, sizeof(path), "%s", t_scratch_path("prints.index"));
    store = (struct sq_image_fingerprint_store){ 0 };
}

static void
stop(void) {
    sq_image_fingerprint_store_finish(&store);
    t_album_end();
}

static struct sq_file_state
state_of(uint64_t number) {
    char name[64];
    snprintf(name, sizeof(name), "2026-01-15/%llu.png",
             (unsigned long long)number);
    return (struct sq_file_state){ .key = sq_file_key(name),
                                   .inode = number + 5,
                                   .size = number * 3,
                                   .mtime_ns = (int64_t)number * 1000 };
}

static struct sq_image_fingerprint
print_of(uint64_t number) {
    struct sq_image_fingerprint print = { .hash = number * 0x9e3779b97f4a7c15U,
                                          .known = number % 7 > 0 };
    memset(print.grid.cells, (int)(number % 256), sizeof(print.grid.cells));
    return print;
}

static void
put(uint64_t number) {
    const struct sq_file_state state = state_of(number);
    const struct sq_image_fingerprint print = print_of(number);
    T_OK(sq_image_fingerprint_store_put(&store, &state, &print, &t_err));
}

/* Whether it is found; if so, it must be the right one. */
static bool
has(uint64_t number) {
    const struct sq_file_state state = state_of(number);
    const struct sq_image_fingerprint want = print_of(number);
    struct sq_image_fingerprint got = { 0 };
    if (!sq_image_fingerprint_store_find(&store, &state, &got)) {
        return false;
    }
    T(got.hash == want.hash && got.known == want.known);
    T_BYTES(got.grid.cells, sizeof(got.grid.cells), want.grid.cells,
            sizeof(want.grid.cells));
    return true;
}

static size_t
count_known(uint64_t numbers) {
    size_t known = 0;
    for (uint64_t i = 0; i < numbers; i++) {
        known += has(i);
    }
    return known;
}

static void
save_and_load(void) {
    T_OK(sq_image_fingerprint_store_save(&store, path, OWNER, &t_err));
    T_INT(store.unsaved, 0);
    sq_image_fingerprint_store_finish(&store);
    T_OK(sq_image_fingerprint_store_load(&store, path, OWNER, &t_err));
}

T_FIXTURE(start, stop);

T_CASE(fingerprint_is_found_only_for_the_same_file_state) {
    T(!has(1));
    for (uint64_t i = 0; i < 10000; i++) {
        put(i);
    }
    T(count_known(10000) >= 9980);
    static const size_t places[] = { 0, 8, 16, 24 };
    for (size_t i = 0; i < 4; i++) {
        struct sq_file_state state = state_of(9999);
        struct sq_image_fingerprint print;
        ((uint8_t *)&state)[places[i]] ^= 1;
        T(!sq_image_fingerprint_store_find(&store, &state, &print));
    }
    /* A new state replaces the old one. */
    struct sq_file_state state = state_of(9999);
    const struct sq_image_fingerprint print = print_of(1);
    state.size++;
    T_OK(sq_image_fingerprint_store_put(&store, &state, &print, &t_err));
    T(!has(9999));
}

T_CASE(fingerprints_are_loaded_from_the_file) {
    struct stat st;
    for (uint64_t i = 0; i < 500; i++) {
        put(i);
    }
    save_and_load();
    T_INT(count_known(500), 500);
    T_INT(stat(path, &st), 0);
    T_INT(st.st_mode & 0777, 0600);
    T_INT(st.st_size, 32 + 500 * 192);
    sq_image_fingerprint_store_finish(&store);
    T_OK(sq_image_fingerprint_store_load(&store, path, OWNER + 1, &t_err));
    T_INT(store.table.count, 0);
}

/* Whichever byte is damaged, the remaining records are right. */
T_CASE(damaged_records_are_skipped) {
    uint8_t bytes[32 + 3 * 192];
    for (uint64_t i = 0; i < 3; i++) {
        put(i);
    }
    save_and_load();
    FILE *file = fopen(path, "rb");
    T(file && fread(bytes, 1, sizeof(bytes), file) == sizeof(bytes));
    fclose(file);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        sq_image_fingerprint_store_finish(&store);
        bytes[i] ^= 0x10;
        T_OK(sq_image_fingerprint_store_parse(&store, OWNER, bytes,
                                              sizeof(bytes), &t_err));
        bytes[i] ^= 0x10;
        T_INT(count_known(3), i < 32 ? 0 : 2);
    }
    for (size_t len = 0; len < sizeof(bytes); len++) {
        sq_image_fingerprint_store_finish(&store);
        T_OK(sq_image_fingerprint_store_parse(&store, OWNER, bytes, len,
                                              &t_err));
        T_INT(count_known(3), len < 32 ? 0 : (len - 32) / 192);
    }
}

T_CASE(number_of_records_is_limited) {
    for (uint64_t i = 0; i < 2 * SQ_FINGERPRINT_STORE_MAX; i++) {
        put(i);
    }
    T_INT(store.table.capacity, SQ_FINGERPRINT_STORE_MAX);
    T(store.table.count <= SQ_FINGERPRINT_STORE_MAX);
    /* The newest are kept. */
    for (uint64_t i = 0; i < 1000; i++) {
        T(has(2 * SQ_FINGERPRINT_STORE_MAX - 1 - i));
    }
    save_and_load();
    T(store.table.count > SQ_FINGERPRINT_STORE_MAX / 2);
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_image_fingerprint_store_finish)
    struct sq_image_fingerprint_store own = { 0 };
    const struct sq_file_state state = state_of(1);
    const struct sq_image_fingerprint print = print_of(1);
    return sq_image_fingerprint_store_load(&own, path, OWNER, err)
        && sq_image_fingerprint_store_put(&own, &state, &print, err)
        && sq_image_fingerprint_store_save(&own, path, OWNER, err);
}

T_CASE(out_of_memory_is_reported) {
    put(0);
    save_and_load();
    T(t_alloc_torture(build, NULL) >= 3);
}

/* 168 levels, in whatever cells, are as much as one bit of the hash. */
T_BARE_CASE(light_of_every_cell_counts_for_the_distance) {
    static const struct {
        size_t cell;
        uint8_t light;
        int distance;
    } rows[] = {
        { 0, 168, 1 },
        { 0, 167, 0 },
        { 70, 168, 1 },
        { SQ_LUMA_ROWS * SQ_LUMA_COLUMNS - 1, 168, 1 },
    };
    const struct sq_image_fingerprint dark = { .known = true };
    T_EACH(i, rows) {
        struct sq_image_fingerprint print = dark;
        print.grid.cells[rows[i].cell] = rows[i].light;
        T_INT(sq_image_fingerprint_distance(&dark, &print), rows[i].distance);
        T_INT(sq_image_fingerprint_distance(&print, &dark), rows[i].distance);
    }
}

/* The index: what it returns, and that invalid data is never used. */
#include "archive/store/root.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/file.h"
#include "util/mem.h"

static const struct sq_index_owner owner = { .root = 1, .zone = 2, .names = 3 };

static struct sq_day *
make_day(uint32_t utc, uint32_t count) {
    struct sq_day *day =
        sq_mem_zalloc(1, sizeof(*day) + count * sizeof(struct sq_shot));
    if (day) {
        day->shot_count = count;
        for (uint32_t i = 0; i < count; i++) {
            day->shots[i] =
                (struct sq_shot){ .utc = utc + i, .flags = SQ_SHOT_FULL };
        }
    }
    return day;
}

static bool
put(struct sq_day_cache *cache, sq_place place, uint32_t utc,
    struct sq_err *err) {
    struct sq_day_cache_slot slot = { .place = place,
                                      .stamp = place * 10,
                                      .day = make_day(utc, 3) };
    return slot.day ? sq_day_cache_put(cache, &slot, err) : sq_fail_nomem(err);
}

static const char *
path(void) {
    return t_scratch_path("index");
}

static void
write_example(void) {
    T_FREED(sq_day_cache_finish) struct sq_day_cache cache = { 0 };
    struct sq_index none = { .fd = -1 };
    sq_day_cache_init(&cache, 1 << 20);
    T_OK(put(&cache, 7, 700, &t_err));
    T_OK(put(&cache, 3, 300, &t_err));
    T_OK(put(&cache, 5, 500, &t_err));
    sq_day_cache_find(&cache, 5)->racy = true;
    T_OK(sq_index_write(path(), &owner, &cache, &none, &t_err));
}

T_FIXTURE(t_scratch_start, t_album_end);

/*
 * File names show what the user did; the umask and an old mode do not matter.
 */
T_CASE(index_is_readable_by_the_owner_only) {
    struct stat st;
    mode_t saved = umask(0);
    write_example();
    T_INT(stat(path(), &st), 0);
    T_INT(st.st_mode & 0777, 0600);
    T_INT(chmod(path(), 0644), 0);
    write_example();
    T_INT(stat(path(), &st), 0);
    T_INT(st.st_mode & 0777, 0600);
    umask(saved);
}

/* How many of the folders 0 to 9 an index returns. */
static int
count_days(const struct sq_index_owner *whose) {
    T_FREED(sq_index_close) struct sq_index index = { 0 };
    int count = 0;
    T_OK(sq_index_open(path(), whose, &index, &t_err));
    for (sq_place place = 0; place < 10; place++) {
        const struct sq_index_slot *slot =
            sq_index_find(&index, place, place * 10);
        struct sq_day *day = NULL;
        if (slot && sq_index_read(&index, slot, &day)) {
            T_INT(day->shot_count, 3);
            T_INT(day->shots[0].utc, place * 100);
            count++;
        }
        sq_mem_free(day);
        T(!sq_index_find(&index, place, place * 10 + 1));
    }
    return count;
}

T_CASE(stored_days_are_loaded) {
    T_INT(count_days(&owner), 0);
    write_example();
    T_INT(count_days(&owner),
          2); /* a folder that has just changed is not stored */
}

T_CASE(new_index_keeps_days_of_the_old_one) {
    struct sq_day_cache cache;
    struct sq_index old;
    write_example();
    T_OK(sq_index_open(path(), &owner, &old, &t_err));
    sq_day_cache_init(&cache, 1 << 20);
    T_OK(put(&cache, 4, 400, &t_err));
    T_OK(put(&cache, 7, 700, &t_err));
    T_OK(put(&cache, 9, 900, &t_err));
    T_OK(sq_index_write(path(), &owner, &cache, &old, &t_err));
    sq_index_close(&old);
    sq_day_cache_finish(&cache);
    T_INT(count_days(&owner), 4);
}

T_CASE(index_of_another_archive_is_ignored) {
    write_example();
    for (size_t i = 0; i < 3; i++) {
        struct sq_index_owner other = owner;
        other.root += i == 0;
        other.zone += i == 1;
        other.names += i == 2;
        T_INT(count_days(&other), 0);
    }
    T_INT(count_days(&owner), 2);
}

T_CASE(damaged_index_is_ignored) {
    struct sq_buf file = { 0 };
    write_example();
    T_OK(sq_file_read(path(), 1 << 20, &file, &t_err));
    for (size_t i = 0; i < file.len; i++) {
        file.data[i] ^= 0x10;
        t_put(path(), file.data, file.len);
        /* count_days checks what it gets; fewer are allowed. */
        T(count_days(&owner) <= 2);
        file.data[i] ^= 0x10;
        t_put(path(), file.data, i);
        T(count_days(&owner) <= 2);
    }
    sq_buf_finish(&file);
    T(unlink(path()) == 0);
    T(symlink("/dev/zero", path()) == 0);
    T_INT(count_days(&owner), 0);
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_day_cache_finish) struct sq_day_cache cache = { 0 };
    T_FREED(sq_index_close) struct sq_index index = { .fd = -1 };
    sq_day_cache_init(&cache, 1 << 20);
    return put(&cache, 7, 700, err)
        && sq_index_open(path(), &owner, &index, err)
        && sq_index_write(path(), &owner, &cache, &index, err);
}

T_CASE(out_of_memory_is_reported) {
    write_example();
    T(t_alloc_torture(build, NULL) > 3);
    T(t_count_entries(t_scratch()) == 1);
}

T_BARE_CASE(index_of_another_time_zone_is_ignored) {
    struct sq_zone *zones[2];
    T_OK(sq_zone_create("CET-1CEST,M3.5.0,M10.5.0/3", &zones[0], &t_err));
    T_OK(sq_zone_create("CET-1", &zones[1], &t_err));
    T(sq_index_zone(zones[0]) != sq_index_zone(zones[1]));
    T(sq_index_zone(zones[0]) == sq_index_zone(zones[0]));
    T(sq_index_zone(NULL) != sq_index_zone(zones[1]));
    sq_zone_destroy(zones[0]);
    sq_zone_destroy(zones[1]);
}

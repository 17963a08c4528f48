/* Limits the memory used by answers of devices. */
#include "device/android/memory.h"

/* Without progress for this time, the oldest answer must give way. */
#define PATIENCE_MS 3000
#define STEP ((size_t)1 << 20)
#define LITTLE ((size_t)4 << 20)

bool
sq_adb_memory_create(struct sq_quota **out, struct sq_err *err) {
    return sq_quota_create(SQ_ADB_MEMORY, PATIENCE_MS, out, err);
}

/* Checks the size, which the first bytes of a raw frame contain. */
static bool
check_size(struct sq_adb_output *said, struct sq_err *err) {
    if (said->most == 0 && said->measure) {
        said->most = said->measure(&said->out);
    }
    if (said->most > said->out.max) {
        return sq_fail(err, SQ_ERR_LIMIT, "%zu bytes, more than %zu",
                       said->most, said->out.max);
    }
    return said->most == 0 || said->out.len <= said->most
        || sq_fail(err, SQ_ERR_LIMIT, "more than the %zu bytes it announced",
                   said->most);
}

/*
 * Returns the shared memory for an answer of `bytes` bytes. This is its cost if
 * the size is known; otherwise 4 MiB and, beyond that, the most it may ever
 * need. Six devices with 4 MiB each leave enough for one of them to take the
 * most, so they cannot block each other.
 */
static size_t
cost_of(const struct sq_adb_output *said, size_t bytes) {
    size_t weight = said->weight > 0 ? (size_t)said->weight : 1;
    size_t cost = bytes * weight;
    if (cost <= SQ_ADB_UNCOUNTED) {
        return 0;
    }
    if (said->most == 0) {
        bool is_little = cost <= SQ_ADB_UNCOUNTED + LITTLE;
        cost = is_little ? SQ_ADB_UNCOUNTED + LITTLE : said->out.max * weight;
    }
    return cost - SQ_ADB_UNCOUNTED;
}

static bool
fail_slow(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_LIMIT,
                   "other devices have waited too long for the memory that it "
                   "takes");
}

bool
sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_output *said,
                    size_t capacity, const struct sq_deadline *deadline,
                    struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_deadline limit =
        said->wait_ms > 0 ? sq_deadline_within(deadline, said->wait_ms)
                          : *deadline;
    if (!check_size(said, err)) {
        return false;
    }
    size_t bytes =
        said->out.len + said->errors.len + (capacity < STEP ? capacity : STEP);
    /* If the size is known, reserve all of it before the first read. */
    bytes = bytes > said->most ? bytes : said->most;
    if (sq_quota_take(memory, &said->memory, cost_of(said, bytes), &limit,
                      &local_err)) {
        return sq_quota_may_keep(&said->memory) || fail_slow(err);
    }
    if (local_err.code == SQ_ERR_LIMIT
        && cost_of(said, bytes) <= SQ_ADB_MEMORY) {
        return fail_slow(err);
    }
    if (local_err.code == SQ_ERR_TIMEOUT) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "other devices hold the memory that it needs");
    }
    return sq_fail_with(err, &local_err);
}

/* Limits the memory used by answers of devices. */
#include "device/android/link.h"

#include "sys/sockets.h"

/* Without progress for this time, the oldest answer must give way. */
#define PATIENCE_MS 3000
#define STEP ((size_t)1 << 20)
#define SMALL ((size_t)4 << 20)
/* Length of one wait while an answer holds shared memory. */
#define SHORT_WAIT_MS 250

bool
sq_adb_memory_create(struct sq_quota **out, struct sq_err *err) {
    return sq_quota_create(SQ_ADB_MEMORY, PATIENCE_MS, out, err);
}

/*
 * Returns the shared memory for an answer of `bytes` bytes. This is its cost if
 * the size is known; otherwise 4 MiB and, beyond that, the most it may ever
 * need. Six devices with 4 MiB each leave enough for one of them to take the
 * most, so they cannot block each other.
 */
static size_t
cost_of(const struct sq_adb_output *output, size_t bytes) {
    size_t weight = output->weight > 0 ? (size_t)output->weight : 1;
    size_t cost = bytes * weight;
    if (cost <= SQ_ADB_UNCOUNTED) {
        return 0;
    }
    if (output->expected_max == 0) {
        bool is_small = cost <= SQ_ADB_UNCOUNTED + SMALL;
        cost = is_small ? SQ_ADB_UNCOUNTED + SMALL : output->out.max * weight;
    }
    return cost - SQ_ADB_UNCOUNTED;
}

static bool
fail_evicted(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_LIMIT,
                   "other devices waited too long for the memory that it uses");
}

bool
sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_output *output,
                    size_t capacity, const struct sq_deadline *deadline,
                    struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_deadline limit =
        output->wait_ms > 0 ? sq_deadline_within(deadline, output->wait_ms)
                            : *deadline;
    /* Checks the size, which the first bytes of a raw frame contain. */
    if (output->expected_max == 0 && output->measure) {
        output->expected_max = output->measure(&output->out);
    }
    if (output->expected_max > output->out.max) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "it has %zu bytes, more than the limit of %zu",
                       output->expected_max, output->out.max);
    }
    if (output->expected_max > 0 && output->out.len > output->expected_max) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "it is longer than the %zu bytes it announced",
                       output->expected_max);
    }
    size_t bytes = output->out.len + output->errors.len
                 + (capacity < STEP ? capacity : STEP);
    /* If the size is known, reserve all of it before the first read. */
    bytes = bytes > output->expected_max ? bytes : output->expected_max;
    if (sq_quota_take(memory, &output->memory, cost_of(output, bytes), &limit,
                      &local_err)) {
        return sq_quota_may_keep(&output->memory) || fail_evicted(err);
    }
    if (local_err.code == SQ_ERR_LIMIT
        && cost_of(output, bytes) <= SQ_ADB_MEMORY) {
        return fail_evicted(err);
    }
    if (local_err.code == SQ_ERR_TIMEOUT) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "other devices use the memory that it needs");
    }
    return sq_fail_with(err, &local_err);
}

static bool
reserve_memory(void *context, size_t capacity, struct sq_err *err) {
    const struct sq_adb_exchange *exchange = context;
    return !exchange->output
        || sq_adb_memory_admit(exchange->memory, exchange->output, capacity,
                               exchange->deadline, err);
}

static bool
read_exactly(void *context, void *into, size_t len, struct sq_err *err) {
    const struct sq_adb_exchange *exchange = context;
    return reserve_memory(context, len, err)
        && sq_socket_read(exchange->fd, into, len, exchange->deadline, err);
}

/* Uses short waits while other devices may wait for our memory. */
static bool
read_some(void *context, void *into, size_t capacity, size_t *got,
          struct sq_err *err) {
    const struct sq_adb_exchange *exchange = context;
    struct sq_err local_err = { 0 };
    bool ok = false;
    do {
        if (!reserve_memory(context, capacity, err)) {
            return false;
        }
        bool is_shared = exchange->output && exchange->output->memory.quota;
        const struct sq_deadline short_wait =
            sq_deadline_within(exchange->deadline, SHORT_WAIT_MS);
        local_err = (struct sq_err){ 0 };
        ok = sq_socket_read_some(exchange->fd, into, capacity, got,
                                 is_shared ? &short_wait : exchange->deadline,
                                 &local_err);
    } while (!ok && local_err.code == SQ_ERR_TIMEOUT
             && sq_deadline_check(exchange->deadline, NULL));
    if (!ok && err) {
        *err = local_err;
    }
    return ok;
}

void
sq_adb_exchange_init(struct sq_adb_exchange *exchange,
                     const struct sq_deadline *deadline) {
    *exchange = (struct sq_adb_exchange){
        .fd = -1,
        .deadline = deadline,
        .source = { read_exactly, read_some, exchange, reserve_memory },
    };
}

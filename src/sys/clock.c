/* Reads the clocks, and simulates them for tests. */
#include "sys/clock.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

#include "util/time_text.h"

#ifdef SQ_FAULTS
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/span.h"

#define MAX_SLOWNESS 10000
#define MINUTE_NS (60 * (int64_t)1000000000)
#define STILL_MINUTE 29650000 /* since 1970: in May 2026 */
#endif

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000

static int64_t
now_ns(clockid_t clock) {
    struct timespec now;
    int failed = clock_gettime(clock, &now);
    assert(!failed); /* fails only for an unknown clock */
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#ifdef SQ_FAULTS
static atomic_bool is_simulated;
static atomic_int_fast64_t simulated_ns;

void
sq_clock_simulate(int64_t now_ns) {
    atomic_store(&simulated_ns, now_ns);
    atomic_store(&is_simulated, true);
}

void
sq_clock_advance(int64_t ns) {
    atomic_fetch_add(&simulated_ns, ns);
}

bool
sq_clock_is_simulated(void) {
    return atomic_load(&is_simulated);
}

void
sq_clock_simulate_end(void) {
    atomic_store(&is_simulated, false);
}

/*
 * The clock shows shown_ns + (real time - real_ns) * speed / slowness +
 * skipped_ns.
 */
static struct {
    int slowness;
    int speed;
    int64_t shown_ns;
    int64_t real_ns;
    atomic_llong skipped_ns;
} slowed = { .slowness = 1, .speed = 1 };
static pthread_once_t once = PTHREAD_ONCE_INIT;

int64_t
sq_clock_real_ns(void) {
    return now_ns(CLOCK_MONOTONIC);
}

static int64_t
shown_ns(void) {
    return slowed.shown_ns
         + (sq_clock_real_ns() - slowed.real_ns) * slowed.speed
               / slowed.slowness
         + atomic_load(&slowed.skipped_ns);
}

static void
start_clock(void) {
    int64_t slowness;
    const char *text = getenv("SQUINT_TEST_CLOCK_SLOWNESS");
    slowed.shown_ns = slowed.real_ns = sq_clock_real_ns();
    if (text && sq_span_to_int64(sq_span_of(text), &slowness) && slowness != 0
        && slowness >= -MAX_SLOWNESS && slowness <= MAX_SLOWNESS) {
        slowed.slowness = slowness > 0 ? (int)slowness : 1;
        slowed.speed = slowness < 0 ? (int)-slowness : 1;
    }
}

int64_t
sq_clock_monotonic_ns(void) {
    if (atomic_load(&is_simulated)) {
        return atomic_load(&simulated_ns);
    }
    pthread_once(&once, start_clock);
    return shown_ns();
}

void
sq_clock_slow_down(int slowness) {
    int64_t shown = sq_clock_monotonic_ns();
    slowed.shown_ns = shown - atomic_load(&slowed.skipped_ns);
    slowed.real_ns = sq_clock_real_ns();
    slowed.slowness = slowness;
    slowed.speed = 1;
}

void
sq_clock_skip_to(int64_t at_ns) {
    long long skipped = atomic_load(&slowed.skipped_ns);
    int64_t missing = at_ns - sq_clock_monotonic_ns();
    while (slowed.slowness > 1 && missing > 0
           && !atomic_compare_exchange_weak(&slowed.skipped_ns, &skipped,
                                            skipped + missing)) {
        missing = at_ns - shown_ns();
    }
}

int64_t
sq_clock_to_real(int64_t at_ns) {
    int64_t left = at_ns - sq_clock_monotonic_ns();
    int64_t now = sq_clock_real_ns();
    int64_t max = (INT64_MAX - now) / slowed.slowness;
    return now + (left < max ? left : max) * slowed.slowness;
}
#else
int64_t
sq_clock_monotonic_ns(void) {
    return now_ns(CLOCK_MONOTONIC);
}
#endif

int64_t
sq_clock_cpu_ns(void) {
    return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t
sq_clock_wall_ns(void) {
    return now_ns(CLOCK_REALTIME);
}

#ifdef SQ_FAULTS
int64_t
sq_clock_shown_ns(void) {
    int64_t now = sq_clock_wall_ns();
    return getenv("SQUINT_TEST_STILL_MINUTE")
             ? STILL_MINUTE * MINUTE_NS + now % MINUTE_NS
             : now;
}
#endif

/* gmtime_r would also read the time zone, and keep memory for it. */
void
sq_clock_write_utc(int64_t at_ns, char out[SQ_CLOCK_TEXT_SIZE]) {
    int64_t seconds = at_ns / NS_PER_S;
    int64_t days = sq_days_of_seconds(seconds);
    int ms = (int)(at_ns % NS_PER_S / NS_PER_MS);
    char *at = sq_date_put(out, sq_date_from_days(days));
    *at++ = 'T';
    at = sq_clock_put(at, (int)(seconds - days * SQ_DAY_S), ':');
    snprintf(at, SQ_CLOCK_TEXT_SIZE - (size_t)(at - out), ".%03dZ", ms);
}

/* Simulates a link with a limited rate. */
#include "demo/adbd/connection.h"

#include <assert.h>

#define NS_PER_S 1000000000u

int64_t
sq_adbd_link_ns(int64_t rate, size_t bytes) {
    if (rate == 0) {
        return 0;
    }
    uint64_t work = (uint64_t)bytes * NS_PER_S;
    return (int64_t)(work / (uint64_t)rate + (work % (uint64_t)rate != 0));
}

void
sq_adbd_link_wanted(struct sq_adbd_link *link, bool wanted, int64_t now_ns) {
    if (wanted && !link->busy) {
        link->gone_ns = now_ns;
    }
    link->busy = wanted;
}

bool
sq_adbd_link_carry(struct sq_adbd_link *link, int64_t rate, size_t bytes,
                   int64_t now_ns, int64_t *due_ns) {
    assert(link->busy);
    *due_ns = link->gone_ns + sq_adbd_link_ns(rate, bytes);
    if (*due_ns > now_ns) {
        return false;
    }
    link->gone_ns = *due_ns;
    return true;
}

int64_t
sq_adbd_link_gone(int64_t gone_ns, int64_t rate, size_t bytes, int64_t now_ns) {
    int64_t from_ns = gone_ns > now_ns ? gone_ns : now_ns;
    return from_ns + sq_adbd_link_ns(rate, bytes);
}

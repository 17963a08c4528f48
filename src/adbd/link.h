/*
 * A link that carries so many bytes a second, by an absolute schedule: a piece
 * that leaves late does not move those behind it, so lateness is caught up;
 * while nothing waits, nothing is saved up. Pure: callers tell the time.
 */
#ifndef SQ_ADBD_LINK_H
#define SQ_ADBD_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value: zeroed, nothing waits. */
struct sq_adbd_link {
    int64_t gone_ns; /* by the schedule, all it has carried had gone then */
    bool busy;       /* something has waited all the time since */
};

/* What so many bytes take, rounded up. A rate of 0 knows no limit. */
int64_t sq_adbd_link_ns(int64_t rate, size_t bytes);

/* Tell whether something waits, as soon as that changes. */
void sq_adbd_link_wanted(struct sq_adbd_link *link, bool wanted,
                         int64_t now_ns);

/*
 * Whether the last of so many bytes may have gone by now; they are then
 * carried. Otherwise *due_ns is when. Something must have been wanted.
 */
bool sq_adbd_link_carry(struct sq_adbd_link *link, int64_t rate, size_t bytes,
                        int64_t now_ns, int64_t *due_ns);

/*
 * The schedule of somebody who is alone on the link and whose bytes are taken
 * at once: when those of now have gone, if all before them have by gone_ns.
 */
int64_t sq_adbd_link_gone(int64_t gone_ns, int64_t rate, size_t bytes,
                          int64_t now_ns);

#endif

/*
 * Simulates a link with a limited rate by an absolute schedule. A late piece
 * does not delay later ones, so delays are caught up. Idle time is not saved
 * up. Pure; callers pass the time.
 */
#ifndef SQ_DEMO_ADBD_LINK_H
#define SQ_DEMO_ADBD_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: idle. */
struct sq_adbd_link {
    int64_t gone_ns; /* when all carried bytes had gone, as scheduled */
    bool busy;       /* data has been waiting ever since gone_ns */
};

/*
 * Returns the duration of that many bytes in nanoseconds, rounded up. rate is
 * in bytes per second; 0: no limit.
 */
int64_t sq_adbd_link_ns(int64_t rate, size_t bytes);

/* Sets whether data is waiting. Call it whenever that changes. */
void sq_adbd_link_wanted(struct sq_adbd_link *link, bool wanted,
                         int64_t now_ns);

/*
 * Returns true and carries the bytes if the last of them may have gone by now.
 * Otherwise sets *due_ns to when. Data must have been waiting.
 */
bool sq_adbd_link_carry(struct sq_adbd_link *link, int64_t rate, size_t bytes,
                        int64_t now_ns, int64_t *due_ns);

/*
 * Returns when bytes that are sent now have gone, if all earlier ones have by
 * gone_ns. For a sender that is alone on the link and never has to wait.
 */
int64_t sq_adbd_link_gone(int64_t gone_ns, int64_t rate, size_t bytes,
                          int64_t now_ns);

#endif

/* Removes old files that squint created automatically. */
#ifndef SQ_SYS_PRUNE_H
#define SQ_SYS_PRUNE_H

#include "util/span.h"

#define SQ_PRUNE_KEEP 50
#define SQ_PRUNE_NAME_SIZE 64

/*
 * Removes all but the newest SQ_PRUNE_KEEP regular files of a folder whose
 * names satisfy is_ours and are shorter than SQ_PRUNE_NAME_SIZE. The file
 * `latest` counts as the newest. Ignores every error.
 */
void sq_prune(int folder, bool (*is_ours)(struct sq_span name),
              const char *latest);

#endif

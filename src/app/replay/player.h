/* Reads and plays journals for the inspector. */
#ifndef SQ_APP_REPLAY_PLAYER_H
#define SQ_APP_REPLAY_PLAYER_H

#include "app/host/host.h"
#include "inspector/inspector.h"

/* Returns a player on the devices of the host, which must outlive it. */
struct sq_inspector_player sq_replay_player(struct sq_host *host);

#endif

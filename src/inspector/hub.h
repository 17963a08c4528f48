/*
 * The hub: other processes of the user report their calls to the inspector over
 * a Unix socket, and get the decisions on calls that wait for the person.
 *
 * Each line is a JSON object. To the hub: {"call": N, "state": ...}, a call
 * that has changed; {"hold": N, "name": ..., "shown": ...}, it waits for the
 * person; {"left": N}, it no longer waits; {"person": ...}, a question of the
 * person's terminal (sq_inspector_ask), which is answered with a line. From the
 * hub: {"id": N, "release": true}, or false with "reason".
 */
#ifndef SQ_INSPECTOR_HUB_H
#define SQ_INSPECTOR_HUB_H

#include "sys/path.h"
#include "tool/call_gate.h"
#include "tool/call_log.h"
#include "util/limits.h"

#define SQ_HUB_MAX_LINE SQ_MAX_JSON_BYTES
#define SQ_HUB_MAX_PICTURE (SQ_MAX_JSON_BYTES / 4)

/* Writes the path of the socket; creates its folder. */
bool sq_hub_path(char out[SQ_PATH_SIZE], struct sq_err *err);

struct sq_inspector;

struct sq_hub_options {
    struct sq_inspector *inspector;
    struct sq_call_log *calls;
    struct sq_call_gate *gate;
    /* Returns a number for one more client. */
    uint64_t (*number_client)(void *context);
    void *context;
};

struct sq_hub;

/*
 * Listens; fails if another hub does. Starts no thread before sq_hub_start.
 */
bool sq_hub_create(const struct sq_hub_options *options, struct sq_hub **out,
                   struct sq_err *err);

/* Serves other processes until the hub is destroyed. */
bool sq_hub_start(struct sq_hub *hub, struct sq_err *err);

/* Ends all connections. Accepts NULL. */
void sq_hub_destroy(struct sq_hub *hub);

#endif

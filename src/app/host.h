/*
 * What squint serves to a client: its tools, resources and prompts, joined to
 * one session. The protocol sees only the struct sq_mcp_host inside.
 */
#ifndef SQ_APP_HOST_H
#define SQ_APP_HOST_H

#include "config/config.h"
#include "mcp/host.h"

struct sq_devices;
struct sq_host;
struct sq_library;

/* config must outlive the host. To be freed by sq_host_destroy. */
bool sq_host_create(const struct sq_config *config, struct sq_host **out,
                    struct sq_err *err);

/* No call may be running any more. Accepts NULL. */
void sq_host_destroy(struct sq_host *host);

/* For the protocol; lives as long as the host. */
const struct sq_mcp_host *sq_host_mcp(const struct sq_host *host);

/* Calls that may need a device at a time, with the descriptors there are. */
int sq_host_max_device_calls(void);

/* Past screenshots, and devices; they live as long as the host. */
const struct sq_library *sq_host_library(const struct sq_host *host);
struct sq_devices *sq_host_devices(const struct sq_host *host);

/* The adb server that the host asks for devices; NULL: switched off. */
struct sq_adb *sq_host_adb(const struct sq_host *host);

/*
 * Run an operation outside the protocol, as the only one whose answer is
 * read: it points to no other. arguments is an object or NULL; *result is
 * zeroed before and the caller's to finish.
 */
bool sq_host_run(struct sq_host *host, const char *operation,
                 const struct sq_json *arguments, struct sq_result *result,
                 struct sq_err *err);

#endif

/*
 * What an agent may do, by the configuration. One evaluator, without I/O, for
 * the list of tools, every call and every step of one, and squint policy.
 */
#ifndef SQ_TOOL_POLICY_H
#define SQ_TOOL_POLICY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "device/device.h"
#include "tool/tool.h"

/* Who must agree before an operation is done. */
enum sq_policy_asks {
    SQ_ASKS_NOBODY,
    SQ_ASKS_CLIENT, /* the user, through the agent's own client */
    SQ_ASKS_PERSON, /* a person who needs not use the agent's client */
};

/* Returns the option that forbids an operation for good; NULL: none does. */
const char *sq_policy_why_not(const struct sq_config *config,
                              const struct sq_tool *tool);

enum sq_policy_asks sq_policy_asks(const struct sq_config *config,
                                   const struct sq_tool *tool);

/*
 * Returns whether the app in front decides: the operation acts on the screen,
 * and only some apps are allowed.
 */
bool sq_policy_needs_app(const struct sq_config *config,
                         const struct sq_tool *tool);

/* An operation that is about to be done. */
struct sq_policy_act {
    const struct sq_tool *tool;
    const char *device;   /* its id; NULL: it needs none */
    const char *front;    /* package of the app in front; empty: not known */
    struct sq_span named; /* app that the arguments name; empty: none */
};

/*
 * Fails with SQ_ERR_REFUSED, and says which option is the cause, if the act is
 * not allowed.
 */
bool sq_policy_allows(const struct sq_config *config,
                      const struct sq_policy_act *act, struct sq_err *err);

/*
 * Fails with SQ_ERR_REFUSED unless secrets.allow has the name with that app or
 * origin. front empty: not known.
 */
bool sq_policy_allows_secret(const struct sq_config *config,
                             struct sq_span name, const char *front,
                             struct sq_err *err);

/*
 * What a rule of the person is about; an empty text is any. Or what an act is
 * about; an empty text is not known.
 */
struct sq_policy_scope {
    char operation[32];
    char app[SQ_DEVICE_TEXT_SIZE];
    char client[64]; /* as it names itself */
    char device[SQ_DEVICE_ID_SIZE];
};

/*
 * Returns whether a rule is about an act. What is not known may be what the
 * rule names.
 */
bool sq_policy_is_about(const struct sq_policy_scope *rule,
                        const struct sq_policy_scope *act);

#define SQ_MAX_TOKEN_POLICIES 8

/*
 * Adds the limits of a configuration to those of another: what either refuses
 * is refused. Fails with SQ_ERR_ARGUMENT if `own` allows a device, app or
 * secret that `base` does not.
 */
bool sq_policy_narrow(const struct sq_config *base, const struct sq_config *own,
                      struct sq_arena *arena, struct sq_config *out,
                      struct sq_err *err);

/* When a server acted last. Start zeroed, with an initialised mutex. */
struct sq_action_rate {
    pthread_mutex_t mutex;
    int64_t at_ns[SQ_MAX_ACTIONS_PER_MINUTE]; /* a ring */
    int next;
};

/*
 * Counts an action, if it is one. Fails with SQ_ERR_LIMIT if there were `max`
 * within the last minute. max 0: no limit.
 */
bool sq_policy_count(struct sq_action_rate *rate, const struct sq_tool *tool,
                     int max, int64_t now_ns, struct sq_err *err);

/*
 * Finds an entry of security.deny, .confirm or .allowRead that names no
 * operation, or asks an unknown one: a mistake must not allow anything.
 * `find` returns whether an operation has that name. Fails with
 * SQ_ERR_ARGUMENT.
 */
bool sq_policy_check(const struct sq_config *config,
                     const struct sq_tool *(*find)(struct sq_span name),
                     struct sq_err *err);

#endif

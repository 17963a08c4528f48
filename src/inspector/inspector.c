/* Creates the inspector. */
#include "inspector/inspector.h"

#include <sodium.h>
#include <stdio.h>

#include "inspector/private.h"
#include "sys/clock.h"
#include "sys/entropy.h"
#include "sys/errno_text.h"
#include "util/mem.h"

#define NS_PER_SECOND 1000000000
#define NS_PER_MS 1000000

bool
sq_inspector_create(const struct sq_inspector_options *options,
                    struct sq_inspector **out, struct sq_err *err) {
    struct sq_inspector *inspector = sq_mem_zalloc(1, sizeof(*inspector));
    if (!inspector) {
        return sq_fail_nomem(err);
    }
    inspector->options = *options;
    inspector->site = (struct sq_http_site){
        .context = inspector,
        .prefix = SQ_INSPECTOR_PREFIX,
        .route = sq_inspector_route,
        .run = sq_inspector_run,
    };
    sq_inspector_access_init(&inspector->access, options->token, options->port);
    inspector->started_ms = sq_clock_wall_ns() / NS_PER_MS;
    unsigned char id[8];
    if (sq_random_fill(id, sizeof(id)) < 0) {
        sq_errno_fail(err, "create a random number");
        sq_inspector_destroy(inspector);
        return false;
    }
    sodium_bin2hex(inspector->id, sizeof(inspector->id), id, sizeof(id));
    if (!sq_inspector_viewers_create(&inspector->viewers, err)
        || !sq_inspector_recorder_create(&inspector->recorder, err)
        || !sq_inspector_news_create(options->calls, options->gate,
                                     &inspector->news, err)) {
        sq_inspector_destroy(inspector);
        return false;
    }
    *out = inspector;
    return true;
}

void
sq_inspector_destroy(struct sq_inspector *inspector) {
    if (inspector) {
        sq_inspector_viewers_destroy(inspector->viewers);
        sq_inspector_news_destroy(inspector->news);
        sq_inspector_recorder_destroy(inspector->recorder);
        sq_mem_free(inspector);
    }
}

const struct sq_http_site *
sq_inspector_site(const struct sq_inspector *inspector) {
    return &inspector->site;
}

void
sq_inspector_set_token(struct sq_inspector *inspector, const char *token) {
    sq_inspector_access_init(&inspector->access, token, inspector->access.port);
}

bool
sq_inspector_make_link(struct sq_inspector *inspector, const char *base,
                       char out[SQ_INSPECTOR_LINK_SIZE], struct sq_err *err) {
    char key[SQ_INSPECTOR_KEY_SIZE];
    int64_t now_s = sq_clock_wall_ns() / NS_PER_SECOND;
    if (!sq_inspector_access_make_key(&inspector->access, now_s, key, err)) {
        return false;
    }
    snprintf(out, SQ_INSPECTOR_LINK_SIZE,
             "%s" SQ_INSPECTOR_PREFIX "/open?key=%s", base, key);
    return true;
}

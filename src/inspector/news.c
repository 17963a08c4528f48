/*
 * Wakes the threads of all pages when a call, the gate or the recording has
 * changed.
 */
#include "inspector/private.h"

#include "util/mem.h"

struct sq_inspector_news {
    struct sq_call_log *calls;
    struct sq_call_gate *gate;
    struct sq_call_listener listener;
    struct sq_lock *users_lock; /* held while listening begins or ends */
    int users;
    struct sq_lock *lock; /* guards count */
    uint64_t count;
};

void
sq_inspector_news_tell(struct sq_inspector_news *news) {
    sq_lock_lock(news->lock);
    news->count++;
    sq_lock_broadcast(news->lock);
    sq_lock_unlock(news->lock);
}

static void
note(void *context) {
    sq_inspector_news_tell(context);
}

static void
note_call(void *context, const struct sq_logged_call *call) {
    (void)call;
    note(context);
}

bool
sq_inspector_news_create(struct sq_call_log *calls, struct sq_call_gate *gate,
                         struct sq_inspector_news **out, struct sq_err *err) {
    struct sq_inspector_news *news = sq_mem_zalloc(1, sizeof(*news));
    if (!news) {
        return sq_fail_nomem(err);
    }
    news->calls = calls;
    news->gate = gate;
    news->listener =
        (struct sq_call_listener){ .changed = note_call, .context = news };
    if (!sq_lock_create(&news->lock, err)
        || !sq_lock_create(&news->users_lock, err)) {
        sq_inspector_news_destroy(news);
        return false;
    }
    *out = news;
    return true;
}

void
sq_inspector_news_destroy(struct sq_inspector_news *news) {
    if (news) {
        sq_lock_destroy(news->lock);
        sq_lock_destroy(news->users_lock);
        sq_mem_free(news);
    }
}

void
sq_inspector_news_begin(struct sq_inspector_news *news) {
    sq_lock_lock(news->users_lock);
    if (news->users++ == 0) {
        sq_call_log_listen(news->calls, &news->listener);
        sq_call_gate_watch(news->gate, note, news);
    }
    sq_lock_unlock(news->users_lock);
}

void
sq_inspector_news_end(struct sq_inspector_news *news) {
    sq_lock_lock(news->users_lock);
    if (--news->users == 0) {
        sq_call_gate_watch(news->gate, NULL, NULL);
        sq_call_log_unlisten(news->calls, &news->listener);
    }
    sq_lock_unlock(news->users_lock);
}

uint64_t
sq_inspector_news_count(struct sq_inspector_news *news) {
    sq_lock_lock(news->lock);
    uint64_t count = news->count;
    sq_lock_unlock(news->lock);
    return count;
}

bool
sq_inspector_news_await(struct sq_inspector_news *news, uint64_t seen,
                        struct sq_cancel *cancel) {
    sq_lock_lock(news->lock);
    while (news->count == seen && !sq_cancel_is_set(cancel)) {
        sq_lock_wait(news->lock);
    }
    sq_lock_unlock(news->lock);
    return !sq_cancel_is_set(cancel);
}

/* Combines the configured archive, time zone and activity provider. */
#include "archive/library.h"

#include <fcntl.h>
#include <string.h>

#include "archive/names/name.h"
#include "redact/rules.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/lock.h"
#include "sys/path.h"
#include "util/mem.h"
#include "util/minmax.h"
#include "util/utf8.h"

/* A blocked database must not use up the whole call. */
#define ACTIVITY_TIMEOUT_MS 4000
#define LOCK_TIMEOUT_MS 300

/* Longer names of activities are cut. */
#define MAX_NAME_BYTES ((size_t)1 << 16)

struct sq_library_cache {
    struct sq_lock *lock;
    struct sq_activity_health activity; /* last known state */
    bool has_activity;
    bool was_locked; /* and stayed locked until the time limit */
    struct sq_library_unusable unusable;
    struct sq_period_cache *periods;
};

struct roots {
    struct sq_archive_root items[SQ_ARCHIVE_MAX_ROOTS + 1];
    size_t count;
    struct sq_arena texts;
};

bool
sq_library_take_root(char *path, enum sq_archive_permission *out,
                     struct sq_err *err) {
    struct stat st;
    if (!sq_permission_take(path, out, err)) {
        return false;
    }
    if (*out == SQ_ARCHIVE_FULL || sq_call_fstatat(AT_FDCWD, path, &st) < 0
        || S_ISDIR(st.st_mode)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "\"=%s\" has no effect after %.200s: it is not a folder",
            sq_permission_name(*out), path);
    return sq_fail_hint(err, "Name the folder that contains it, or hide it by "
                             "its time with archive.exclude.");
}

static bool
add_root(struct roots *roots, const char *text, const char *name,
         struct sq_err *err) {
    if (roots->count > SQ_ARCHIVE_MAX_ROOTS) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "more than %d archive folders are configured",
                       SQ_ARCHIVE_MAX_ROOTS);
    }
    char *copy = sq_arena_strdup(&roots->texts, sq_span_of(text), err);
    struct sq_archive_root root = { .path = copy, .name = name };
    if (!copy || !sq_library_take_root(copy, &root.permission, err)) {
        return false;
    }
    roots->items[roots->count++] = root;
    return true;
}

bool
sq_library_own_folder(const struct sq_config *config, char out[SQ_PATH_SIZE]) {
    return config->archive.roots.count == 0
        && config->archive.manictime_source <= SQ_CONFIG_FROM_USUAL_PLACE
        && sq_user_path(SQ_USER_DATA, "squint/screenshots", out);
}

static bool
open_zone(const char *name, struct sq_library *library, struct sq_err *err) {
    if (sq_zone_create(name, &library->zone, &library->zone_err)) {
        return true;
    }
    return sq_zone_create(NULL, &library->zone, err);
}

static bool
make_cache(struct sq_library *library, struct sq_err *err) {
    library->cache = sq_mem_zalloc(1, sizeof(*library->cache));
    return library->cache
             ? sq_lock_create(&library->cache->lock, err)
                   && sq_period_cache_create(sq_period_cache_free_segments,
                                             &library->cache->periods, err)
             : sq_fail_nomem(err);
}

static bool
open_archive(const struct sq_config *config, struct sq_library *library,
             struct sq_err *err) {
    char cache[SQ_PATH_SIZE];
    char state[SQ_PATH_SIZE];
    struct roots roots = { 0 };
    const struct sq_strings *names = &config->archive.names;
    if (!sq_name_set_own(names->items, names->count, err)) {
        return false;
    }
    sq_arena_init(&roots.texts, SQ_PATH_SIZE * (SQ_ARCHIVE_MAX_ROOTS + 2));
    struct sq_archive_options options = {
        .roots = roots.items,
        .zone = library->zone,
        .index_folder =
            sq_user_path(SQ_USER_CACHE, "squint", cache) ? cache : NULL,
        .key_folder =
            sq_user_path(SQ_USER_STATE, "squint", state) ? state : NULL,
    };
    char own[SQ_PATH_SIZE];
    const char *manictime = config->archive.manictime_directory;
    bool ok = !manictime || !manictime[0]
           || add_root(&roots, manictime, "ManicTime", err);
    for (size_t i = 0; ok && i < config->archive.roots.count; i++) {
        ok = add_root(&roots, config->archive.roots.items[i], NULL, err);
    }
    /* If no other is there, it need not exist: recording may begin later. */
    if (ok && sq_library_own_folder(config, own)
        && (roots.count == 0 || sq_path_is_folder(own))) {
        ok = add_root(&roots, own, "recorded", err);
    }
    options.root_count = roots.count;
    ok = ok && sq_archive_create(&options, &library->archive, err);
    sq_arena_finish(&roots.texts);
    return ok;
}

/* Uses ManicTime's folder, the first one, unless it is hidden. */
static void
use_manictime(struct sq_library *library) {
    const struct sq_archive_entry entry =
        sq_archive_entry_at(library->archive, 0);
    if (entry.in_force != SQ_ARCHIVE_NONE) {
        library->activity_settings.manictime = entry.path;
        library->manictime_root = entry.root;
    }
}

bool
sq_library_create(const struct sq_config *config, struct sq_library **out,
                  struct sq_err *err) {
    struct sq_library *library = sq_mem_zalloc(1, sizeof(*library));
    if (!library) {
        return sq_fail_nomem(err);
    }
    library->config = config;
    library->activity_settings = (struct sq_activity_settings){
        .provider = config->archive.activity,
        .path = config->archive.activity_path,
        .url = config->archive.activity_watch_url,
    };
    const char *manictime = config->archive.manictime_directory;
    library->is_configured =
        config->archive.roots.count > 0 || (manictime && manictime[0]);
    char own[SQ_PATH_SIZE];
    library->has_folder =
        library->is_configured
        || (sq_library_own_folder(config, own) && sq_path_is_folder(own));
    const char *save = config->archive.save_directory;
    library->save_folder = save && save[0] ? save : NULL;
    library->manictime_root = -1;
    if (!make_cache(library, err)
        || !open_zone(config->archive.time_zone, library, err)
        || !open_archive(config, library, err)) {
        sq_library_destroy(library);
        return false;
    }
    if (manictime && manictime[0]) {
        use_manictime(library);
    }
    if (!sq_excluder_create(config, &library->activity_settings, library->zone,
                            &library->excluder, err)) {
        sq_library_destroy(library);
        return false;
    }
    if (library->excluder) {
        sq_archive_set_hide(library->archive, sq_excluder_hide,
                            library->excluder);
    }
    *out = library;
    return true;
}

bool
sq_library_is_manictime(const struct sq_library *library, int root) {
    return library->activity_settings.manictime
        && (root == SQ_ARCHIVE_ANY || root == library->manictime_root);
}

/* Ends a line by a list. */
static bool
put_items(const struct sq_strings *items, struct sq_buf *out,
          struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < items->count; i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? ", " : ": ", items->items[i]);
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

static bool
describe_rules(const char *what, const struct sq_strings *rules,
               struct sq_buf *out, struct sq_err *err) {
    return rules->count == 0
        || (sq_buf_printf(out, err, "excluded %s", what)
            && put_items(rules, out, err));
}

/* Names the lists that a flag or a variable replaced. */
static bool
describe_replaced(const struct sq_config *config, struct sq_buf *out,
                  struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < config->replaced_count; i++) {
        const struct sq_config_replaced *replaced = &config->replaced[i];
        ok = sq_buf_printf(
                 out, err, SQ_WARNING "%s: a %s replaces what was set before",
                 replaced->key, replaced->is_by_flag ? "flag" : "variable")
          && put_items(&replaced->items, out, err);
    }
    return ok;
}

static bool
describe_exclusions(const struct sq_library *library, struct sq_buf *out,
                    struct sq_err *err) {
    const struct sq_config *config = library->config;
    const struct sq_deadline deadline =
        sq_deadline_in(ACTIVITY_TIMEOUT_MS, NULL);
    struct sq_activity_health health;
    if (!describe_rules("times", &config->archive.exclude, out, err)
        || !describe_rules("apps", &config->archive.exclude_apps, out, err)
        || !describe_rules("titles", &config->archive.exclude_titles, out,
                           err)) {
        return false;
    }
    if (!library->excluder
        || !sq_excluder_needs_activities(library->excluder)) {
        return true;
    }
    sq_library_check_activity(library, &deadline, &health);
    bool is_recorded = health.available && health.ops != &sq_activity_visual;
    return sq_buf_printf(
               out, err,
               "excluded as well: screenshots whose app or title is not known, "
               "because the record of activities has a gap%s\n",
               is_recorded
                   ? ""
                   : "; there is no such record now, so all are excluded")
        && (!is_recorded
            || !sq_excluder_has_undated(library->excluder, &deadline)
            || sq_buf_printf(
                out, err,
                SQ_WARNING
                "excluded as well: screenshots before, after or at any time, "
                "because the record of activities has an excluded activity "
                "whose start, end or both cannot be read: correct its "
                "times\n"));
}

bool
sq_library_describe(const struct sq_library *library, struct sq_buf *out,
                    struct sq_err *err) {
    const struct sq_archive *archive = library->archive;
    bool ok = true;
    for (size_t i = 0; ok && i < sq_archive_entry_count(archive); i++) {
        const struct sq_archive_entry entry = sq_archive_entry_at(archive, i);
        bool is_stricter = entry.in_force < entry.configured;
        bool is_repeated = entry.root < 0 && entry.in_force != SQ_ARCHIVE_NONE;
        bool is_missing = entry.configured != SQ_ARCHIVE_FULL
                       && !sq_path_is_folder(entry.path);
        ok = sq_buf_printf(
            out, err, "%s%s: %s%s%s%s%s\n", is_missing ? SQ_WARNING : "",
            entry.path, sq_permission_name(entry.in_force),
            is_stricter ? ", as another entry requires, not " : "",
            is_stricter ? sq_permission_name(entry.configured) : "",
            is_repeated ? "; an earlier entry lists it" : "",
            is_missing ? ", but there is no such folder: check the path" : "");
    }
    return ok && describe_exclusions(library, out, err)
        && describe_replaced(library->config, out, err);
}

const char *
sq_library_remedy(const struct sq_library *library, enum sq_cause cause,
                  int root) {
    return sq_library_is_manictime(library, root)
             ? sq_cause_manictime_remedy(cause)
             : sq_cause_remedy(cause);
}

void
sq_library_destroy(struct sq_library *library) {
    if (library) {
        sq_archive_destroy(library->archive);
        sq_excluder_destroy(library->excluder);
        sq_zone_destroy(library->zone);
        if (library->cache) {
            sq_period_cache_destroy(library->cache->periods);
            sq_lock_destroy(library->cache->lock);
            sq_mem_free(library->cache);
        }
        sq_mem_free(library);
    }
}

/* Returns whether an error must end the call, not only leave out activities. */
static bool
is_fatal(const struct sq_err *err, const struct sq_deadline *deadline) {
    return sq_is_fatal(err->code) || err->code == SQ_ERR_EXHAUSTED
        || (err->code == SQ_ERR_TIMEOUT && !sq_deadline_check(deadline, NULL));
}

/* The provider, for one use. */
struct provider {
    const struct sq_activity_ops *ops; /* NULL: none */
    struct sq_activity_source source;
    struct sq_deadline deadline;
    struct sq_deadline lock_deadline;
    char place[SQ_PATH_SIZE];
    struct sq_err err; /* why there is none, or not the configured one */
};

/*
 * Chooses the provider and its deadlines. If waiting for a lock failed before,
 * does not wait again.
 */
static void
choose_provider(const struct sq_library *library,
                const struct sq_deadline *deadline,
                enum sq_granularity granularity, struct provider *out) {
    struct sq_library_cache *cache = library->cache;
    int half = sq_deadline_left_ms(deadline) / 2;
    sq_lock_lock(cache->lock);
    int lock_ms = cache->was_locked ? 0 : LOCK_TIMEOUT_MS;
    sq_lock_unlock(cache->lock);
    *out = (struct provider){
        .deadline =
            sq_deadline_within(deadline, sq_min_int(half, ACTIVITY_TIMEOUT_MS)),
        .lock_deadline = sq_deadline_within(deadline, lock_ms),
        .source = { .zone = library->zone,
                    .lock_deadline = &out->lock_deadline,
                    .granularity = granularity,
                    .cache = cache->periods },
    };
    sq_activity_choose(&library->activity_settings, &out->deadline, &out->ops,
                       &out->source, out->place, &out->err);
}

static void
store_health(const struct sq_library *library,
             const struct sq_activity_health *health) {
    struct sq_library_cache *cache = library->cache;
    sq_lock_lock(cache->lock);
    cache->activity = *health;
    cache->has_activity = true;
    cache->was_locked = health->cause == SQ_CAUSE_DATABASE_LOCKED;
    sq_lock_unlock(cache->lock);
}

static struct sq_activity_health
health_of(const struct provider *provider, const struct sq_err *read_err) {
    const struct sq_err *shown_err = read_err->code ? read_err : &provider->err;
    struct sq_activity_health health = {
        .ops = provider->ops,
        .available = provider->ops && !read_err->code,
        .cause = sq_activity_cause(read_err),
    };
    if (health.cause == SQ_CAUSE_NONE) {
        health.cause = (enum sq_cause)provider->err.cause;
    }
    memcpy(health.problem, shown_err->message, sizeof(health.problem));
    memcpy(health.hint, shown_err->hint, sizeof(health.hint));
    return health;
}

/* Hides what must not be known of activities while they are read. */
struct hiding {
    const struct sq_library *library;
    struct sq_buf name;
};

static bool
hide_name(void *context, const struct sq_extent *when, struct sq_span *label,
          struct sq_err *err) {
    struct hiding *hiding = context;
    const struct sq_library *library = hiding->library;
    bool is_excluded = false;
    (void)when;
    *label = sq_utf8_shorten(*label, MAX_NAME_BYTES);
    if (library->excluder
        && !sq_excluder_excludes(library->excluder, *label, &is_excluded,
                                 err)) {
        return false;
    }
    if (is_excluded) {
        *label = (struct sq_span){ 0 };
        return true;
    }
    if (!library->rules) {
        return true;
    }
    if (sq_redact_hides_app(library->rules, *label)) {
        *label = sq_span_of(SQ_REDACTED_APP);
        return true;
    }
    sq_buf_clear(&hiding->name);
    if (!sq_redact_text(library->rules, *label, &hiding->name, err)) {
        return false;
    }
    *label = label->len > 0 ? sq_buf_span(&hiding->name) : *label;
    return true;
}

/* Other activities at the time of a hidden or unknown app must not show it. */
static bool
is_hidden_name(struct sq_span label) {
    return label.len == 0 || sq_span_is(label, SQ_REDACTED_APP);
}

static bool
has_app_rules(const struct sq_library *library) {
    return library->rules && sq_redact_has_app_rules(library->rules);
}

/* Returns the app of a window: a hidden one if there is one, and none if a part
 * of the window has none. */
static struct sq_span
app_within(const struct sq_segments *segments, const struct sq_window *window) {
    struct sq_span app = { 0 };
    int64_t until = window->from_utc;
    for (size_t i = 0; i < segments->count; i++) {
        const struct sq_segment *segment = &segments->items[i];
        if (segment->end_utc <= window->from_utc
            || segment->start_utc >= window->to_utc) {
            continue;
        }
        struct sq_span label = sq_segments_label(segments, segment->label);
        if (segment->start_utc > until || label.len == 0) {
            return (struct sq_span){ 0 };
        }
        app = app.len == 0 || is_hidden_name(label) ? label : app;
        until = segment->end_utc;
    }
    return until >= window->to_utc ? app : (struct sq_span){ 0 };
}

struct sq_span
sq_library_app_of(const struct sq_library *library,
                  const struct sq_segments *segments,
                  const struct sq_shot *shot) {
    struct sq_window windows[2];
    if (!has_app_rules(library)) {
        return sq_segments_at(segments, shot->utc);
    }
    size_t count = sq_name_windows(shot, library->zone, windows);
    struct sq_span app = app_within(segments, &windows[0]);
    return count == 1 || is_hidden_name(app)
             ? app
             : app_within(segments, &windows[1]);
}

/* What is read of the provider. */
struct wanted {
    enum sq_granularity granularity;
    const struct sq_window *window;
};

static bool
gather(const struct sq_library *library, const struct wanted *wanted,
       const struct sq_deadline *deadline, struct sq_segments *out,
       struct sq_err *other_err, struct sq_err *err) {
    struct provider provider;
    struct hiding hiding = { .library = library };
    bool has_apps = has_app_rules(library);
    const struct sq_segments_filter filter = { hide_name, &hiding,
                                               has_apps ? is_hidden_name
                                                        : NULL };
    sq_segments_init(out);
    sq_buf_init(&hiding.name, 2 * MAX_NAME_BYTES);
    out->filter = library->excluder || library->rules ? &filter : NULL;
    *other_err = (struct sq_err){ 0 };
    choose_provider(library, deadline,
                    has_apps && wanted->granularity == SQ_BY_APP
                        ? SQ_ONLY_APP
                        : wanted->granularity,
                    &provider);
    bool ok = !provider.ops
           || sq_period_cache_gather(provider.ops, &provider.source,
                                     wanted->window, &provider.deadline, out,
                                     other_err);
    out->filter = NULL;
    sq_buf_finish(&hiding.name);
    if (!ok && is_fatal(other_err, deadline)) {
        return sq_fail_with(err, other_err);
    }
    const struct sq_activity_health health = health_of(&provider, other_err);
    store_health(library, &health);
    *other_err = provider.ops ? *other_err : provider.err;
    return true;
}

bool
sq_library_activity(const struct sq_library *library,
                    const struct sq_window *window,
                    const struct sq_deadline *deadline, struct sq_segments *out,
                    struct sq_err *other_err, struct sq_err *err) {
    const struct wanted wanted = { SQ_BY_APP, window };
    return gather(library, &wanted, deadline, out, other_err, err);
}

bool
sq_library_titles(const struct sq_library *library,
                  const struct sq_window *window,
                  const struct sq_deadline *deadline, struct sq_segments *out,
                  struct sq_err *err) {
    const struct wanted wanted = { SQ_ONLY_TITLE, window };
    struct sq_err other_err;
    return gather(library, &wanted, deadline, out, &other_err, err);
}

void
sq_library_check_activity(const struct sq_library *library,
                          const struct sq_deadline *deadline,
                          struct sq_activity_health *out) {
    struct provider provider;
    struct sq_err err = { 0 };
    choose_provider(library, deadline, SQ_BY_APP, &provider);
    /* The visual provider finds out only when it reads pictures. */
    if (provider.ops && provider.ops != &sq_activity_visual) {
        provider.ops->read(&provider.source, NULL, &provider.deadline, NULL,
                           &err);
    }
    *out = health_of(&provider, &err);
    store_health(library, out);
}

void
sq_library_last_activity(const struct sq_library *library,
                         const struct sq_deadline *deadline,
                         struct sq_activity_health *out) {
    struct sq_library_cache *cache = library->cache;
    sq_lock_lock(cache->lock);
    bool is_known = cache->has_activity;
    *out = cache->activity;
    sq_lock_unlock(cache->lock);
    if (!is_known) {
        sq_library_check_activity(library, deadline, out);
    }
}

void
sq_library_set_unusable(const struct sq_library *library,
                        const struct sq_library_unusable *unusable) {
    struct sq_library_cache *cache = library->cache;
    sq_lock_lock(cache->lock);
    cache->unusable = *unusable;
    sq_lock_unlock(cache->lock);
}

struct sq_library_unusable
sq_library_unusable(const struct sq_library *library) {
    struct sq_library_cache *cache = library->cache;
    sq_lock_lock(cache->lock);
    struct sq_library_unusable unusable = cache->unusable;
    sq_lock_unlock(cache->lock);
    return unusable;
}

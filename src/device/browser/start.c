/* Finds and starts a browser, with a profile that is kept or not. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "sys/process.h"

#define MAX_WORD 200
#define MAX_PROFILE_NAME 40
#define PROBE_MS 10000
#define MAX_VERSION_BYTES 4096
#define PROFILES "squint/browser/"

static bool
find_file(const char *path, char out[SQ_PATH_SIZE]) {
    bool found = path[0] == '/' && sq_probe_is_program(path);
    if (found) {
        snprintf(out, SQ_PATH_SIZE, "%s", path);
    }
    return found;
}

bool
sq_browser_find_program(const char *wanted, char out[SQ_PATH_SIZE],
                        struct sq_err *err) {
    static const char *const names[] = {
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "microsoft-edge",
        "brave-browser",
        "/snap/bin/chromium",
        "/opt/google/chrome/chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    };
    if (wanted) {
        if (find_file(wanted, out)) {
            return true;
        }
        sq_fail(err, SQ_ERR_NOT_FOUND, "browser.path is no program: %.200s",
                wanted);
        return sq_fail_hint(err, "Give the whole path of a Chromium.");
    }
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        if (find_file(names[i], out) || sq_probe_program(names[i], out)) {
            return true;
        }
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no Chromium is installed");
    return sq_fail_hint(err, "Install it (apt install chromium), or name one "
                             "with --browser-path.");
}

bool
sq_browser_probe(const char *wanted, char path[SQ_PATH_SIZE],
                 char version[SQ_DEVICE_TEXT_SIZE], bool *has_sandbox,
                 struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(PROBE_MS, NULL);
    struct sq_process_end end = { 0 };
    if (!sq_browser_find_program(wanted, path, err)) {
        return false;
    }
    const char *const argv[] = { path, "--version", NULL };
    const struct sq_process process = { .argv = argv,
                                        .max_output = MAX_VERSION_BYTES };
    bool ok = sq_process_run(&process, &deadline, &end, err);
    struct sq_span text = sq_span_trim(sq_buf_span(&end.output));
    text.len =
        text.len < SQ_DEVICE_TEXT_SIZE ? text.len : SQ_DEVICE_TEXT_SIZE - 1;
    snprintf(version, SQ_DEVICE_TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(text));
    *has_sandbox = sq_call_user() != 0;
    sq_process_end_finish(&end);
    return ok;
}

static bool
check_profile_name(const char *name, struct sq_err *err) {
    size_t len = strspn(name, SQ_NAME_CHARACTERS "-_");
    if (len > 0 && len <= MAX_PROFILE_NAME && name[len] == '\0') {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "browser.profile is \"%.60s\"", name);
    return sq_fail_hint(err,
                        "Use at most %d letters, digits, - and _, such as "
                        "work.",
                        MAX_PROFILE_NAME);
}

/*
 * Fails if a browser that runs has the profile: its lock is a symbolic link to
 * HOST-PROCESS.
 */
static bool
check_unlocked(const char *name, const char *folder, struct sq_err *err) {
    char path[SQ_PATH_SIZE + MAX_WORD];
    char owner[MAX_WORD] = "";
    int64_t pid = 0;
    snprintf(path, sizeof(path), "%s/SingletonLock", folder);
    ssize_t len = sq_call_readlink(path, owner, sizeof(owner) - 1);
    const char *dash = len > 0 ? strrchr(owner, '-') : NULL;
    if (!dash || !sq_span_to_int64(sq_span_of(dash + 1), &pid)
        || !sq_process_exists(pid)) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "the profile \"%s\" is used by another browser, process %lld", name,
            (long long)pid);
    return sq_fail_hint(err, "Close that browser or the squint that started "
                             "it (squint browser close), or use another "
                             "profile.");
}

/* Makes the folder of the profile. *out is its path. */
static bool
make_profile(struct sq_browser *browser, const char *name,
             char out[SQ_PATH_SIZE], struct sq_err *err) {
    struct sq_state_folder folder;
    char path[MAX_WORD];
    if (!name) {
        bool ok = sq_temp_make(&browser->profile, "profile", err);
        snprintf(out, SQ_PATH_SIZE, "%s", browser->profile.file);
        return ok;
    }
    if (!check_profile_name(name, err)) {
        return false;
    }
    snprintf(path, sizeof(path), PROFILES "%s", name);
    if (!sq_state_folder_open_kept(path, &folder, err)) {
        return false;
    }
    snprintf(out, SQ_PATH_SIZE, "%s", folder.path);
    sq_state_folder_close(&folder);
    return check_unlocked(name, out, err);
}

#define MAX_ARGS 32

struct args {
    const char *items[MAX_ARGS];
    size_t count;
};

static void
add(struct args *args, const char *arg) {
    assert(args->count < MAX_ARGS - 1);
    args->items[args->count++] = arg;
}

static void
add_constant(struct args *args, bool is_visible) {
    static const char *const always[] = {
        "--remote-debugging-pipe",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-proxy-server",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-component-update",
        "--disable-dev-shm-usage",
        "--disable-smooth-scrolling",
        "--disable-sync",
        "--mute-audio",
        "--password-store=basic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    };
    static const char *const hidden[] = { "--headless=new", "--disable-gpu",
                                          "--hide-scrollbars" };
    for (size_t i = 0; i < SQ_COUNT(always); i++) {
        add(args, always[i]);
    }
    for (size_t i = 0; !is_visible && i < SQ_COUNT(hidden); i++) {
        add(args, hidden[i]);
    }
    if (sq_call_user() == 0) {
        add(args, "--no-sandbox");
    }
}

bool
sq_browser_start(struct sq_browser *browser,
                 const struct sq_browser_config *config, struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    char folder[SQ_PATH_SIZE];
    char profile[SQ_PATH_SIZE + MAX_WORD];
    char window[MAX_WORD];
    struct args args = { .items = { program }, .count = 1 };
    SQ_BUF(rules, SQ_MAX_RULES_BYTES);
    bool ok = sq_browser_find_program(config->path, program, err)
           && make_profile(browser, config->profile, folder, err)
           && sq_buf_printf(&rules, err, "--host-resolver-rules=")
           && sq_origin_resolver_rules(&browser->allow, &rules, err)
           && sq_buf_append_byte(&rules, '\0', err);
    if (ok) {
        snprintf(profile, sizeof(profile), "--user-data-dir=%s", folder);
        snprintf(window, sizeof(window), "--window-size=%d,%d",
                 browser->size.width, browser->size.height);
        add_constant(&args, config->visible);
        add(&args, profile);
        add(&args, window);
        add(&args, (const char *)rules.data);
        add(&args, "about:blank");
        ok = sq_cdp_start(&browser->cdp, args.items, err);
    }
    return ok;
}

bool
sq_browser_explain_start(struct sq_browser *browser, bool is_visible,
                         struct sq_err *err) {
    char said[SQ_CHANNEL_ERRORS_SIZE];
    if (browser->cdp.channel && err && !sq_is_fatal(err->code)) {
        sq_channel_errors(browser->cdp.channel, said);
        sq_fail_in(err, "starting the browser%s%s%s", said[0] ? " (" : "", said,
                   said[0] ? ")" : "");
        err->quotes = true;
        sq_fail_hint(err, "Try again; squint doctor --browser says which "
                          "program this is, --browser-path names another.");
        if (is_visible) {
            sq_fail_hint(err, "A window needs a desktop session (DISPLAY or "
                              "WAYLAND_DISPLAY); or leave --browser-visible "
                              "out.");
        }
    }
    return false;
}

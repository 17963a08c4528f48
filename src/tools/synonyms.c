/* Maps the names of operations in other tools to ours. */
#include "tools/synonyms.h"

#include <string.h>

#define BY_NAME "Use @key with that name, such as name: \"back\"."

static const struct synonym {
    const char *words;   /* separated by spaces */
    const char *command; /* what a person types after squint */
    const char *advice;  /* what a client is told */
} synonyms[] = {
    { "click touch tap-element tap-on press-element select", "tap",
      "Use @tap with x,y, elementIndex or selector." },
    { "double-tap double-click", "tap X Y --number-of-taps 2",
      "Use @tap with numberOfTaps: 2." },
    { "long-press long-tap hold", "tap X Y --duration-ms 1000",
      "Use @tap with durationMs: 1000." },
    { "press", "key, or squint tap",
      "Use @tap for a point or an element, @key for a key." },
    { "press-key press-button key-event keyevent hotkey button", "key",
      "Use @key with name." },
    { "back", "key back", BY_NAME },
    { "home", "key home", BY_NAME },
    { "enter", "key enter", BY_NAME },
    { "type type-text write fill enter-text set-text send-keys text", "input",
      "Use @input with text." },
    { "start start-app launch-app open-app run activate", "launch",
      "Use @launch with packageName." },
    { "close kill terminate terminate-app stop-app force-stop quit", "stop",
      "Use @stop with packageName." },
    { "drag fling flick", "swipe", "Use @swipe with from and to." },
    { "zoom zoom-in zoom-out pinch-zoom pinch-in pinch-out two-finger "
      "multi-touch rotate-gesture",
      "pinch", "Use @pinch with scale or degrees." },
    { "shot snapshot capture look image take-screenshot see view", "screenshot",
      "Use @screenshot." },
    { "ls", "list", "Use @dump." },
    { "list elements list-elements list-elements-on-screen tree hierarchy "
      "describe ui-dump page-source",
      "dump", "Use @dump." },
    { "search locate find-element query", "find", "Use @find with selector." },
    { "sleep wait-for wait-until", "wait", "Use @wait with timeoutMs." },
    { "list-apps packages", "apps", "Use @apps." },
    { "list-devices", "devices", "Use @devices." },
    { "open-url open-link deep-link navigate goto", "open",
      "Use @open with url." },
    { "clear clear-text erase-text", "input --clear",
      "Use @input with clear: true." },
    { "hide-keyboard", "input --hide-keyboard",
      "Use @input with hideKeyboard: true." },
    { "grant revoke grant-permission set-permission", "permission",
      "Use @permission with change." },
    { "clear-data clear-state reset-app", "reset",
      "Use @reset with packageName." },
    { "orientation set-orientation", "rotate",
      "Use @rotate with orientation." },
    { "dark-mode font-size locale set-locale density", "appearance",
      "Use @appearance." },
    { "set-location gps geo", "location",
      "Use @location with latitude and longitude." },
    { "logcat log get-logs", "logs", "Use @logs." },
    { "get-clipboard set-clipboard copy paste", "clipboard",
      "Use @clipboard." },
    { "unlock wake-up", "wake", "Use @wake." },
    { "device-info battery", "info", "Use @info." },
    { "record screen-record start-recording stop-recording", "video",
      "Use @video with record: start or stop." },
    { "install-app", "install-app", "Use @install with paths." },
    { "uninstall-app", "uninstall-app", "Use @uninstall." },
    { "batch run-steps sequence", "steps", "Use @steps." },
};

static char
folded(char byte) {
    return byte == '_' ? '-' : sq_ascii_lower(byte);
}

static bool
same_name(struct sq_span word, const char *name, size_t len) {
    if (word.len != len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (folded(word.ptr[i]) != folded(name[i])) {
            return false;
        }
    }
    return true;
}

bool
sq_name_matches(struct sq_span word, const char *name) {
    return same_name(word, name, strlen(name));
}

static const struct synonym *
find(struct sq_span word) {
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
        const char *at = synonyms[i].words;
        while (*at) {
            size_t len = strcspn(at, " ");
            if (same_name(word, at, len)) {
                return &synonyms[i];
            }
            at += len + (at[len] == ' ');
        }
    }
    return NULL;
}

const char *
sq_synonym_advice(struct sq_span word) {
    const struct synonym *found = find(word);
    return found ? found->advice : NULL;
}

const char *
sq_synonym_command(struct sq_span word) {
    const struct synonym *found = find(word);
    return found ? found->command : NULL;
}

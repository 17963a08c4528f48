/* Maps the names of operations in other tools to ours. */
#include "tools/synonyms.h"

#include <string.h>

static const struct {
    const char *words; /* separated by spaces */
    const char *advice;
} synonyms[] = {
    { "click touch tap-element tap-on press-element select",
      "Use tap with x,y, elementIndex or selector." },
    { "double-tap double-click", "Use tap with numberOfTaps: 2." },
    { "long-press long-tap hold", "Use tap with durationMs: 1000." },
    { "press", "Use tap for a point or an element, key for a key." },
    { "press-key press-button key-event keyevent hotkey button",
      "Use key with name." },
    { "back home enter", "Use key with that name, such as name: \"back\"." },
    { "type type-text write fill enter-text set-text send-keys text",
      "Use input with text." },
    { "open start start-app launch-app open-app run activate",
      "Use launch with packageName." },
    { "close kill terminate terminate-app stop-app force-stop quit",
      "Use stop with packageName." },
    { "drag fling flick", "Use swipe with from and to." },
    { "snapshot capture look image take-screenshot see view",
      "Use screenshot." },
    { "list elements list-elements list-elements-on-screen tree hierarchy "
      "describe ui-dump page-source",
      "Use dump." },
    { "search locate find-element query", "Use find with selector." },
    { "sleep wait-for wait-until", "Use wait with timeoutMs." },
    { "list-apps packages", "Use apps." },
    { "list-devices", "Use devices." },
};

static char
folded(char byte) {
    return byte == '_' ? '-' : sq_ascii_lower(byte);
}

static bool
same_name(struct sq_span word, const char *name, size_t len) {
    for (size_t i = 0; i < len && i < word.len; i++) {
        if (folded(word.ptr[i]) != folded(name[i])) {
            return false;
        }
    }
    return word.len == len;
}

bool
sq_name_matches(struct sq_span word, const char *name) {
    return same_name(word, name, strlen(name));
}

const char *
sq_synonym_advice(struct sq_span word) {
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
        const char *at = synonyms[i].words;
        while (*at) {
            size_t len = strcspn(at, " ");
            if (same_name(word, at, len)) {
                return synonyms[i].advice;
            }
            at += len + (at[len] == ' ');
        }
    }
    return NULL;
}

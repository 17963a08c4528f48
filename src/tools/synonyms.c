/* Maps the names of operations in other tools to ours. */
#include "tools/synonyms.h"

#include <string.h>

#define NAME_SIZE 64

/* A call of an operation; `more` begins with a comma. Marked: tools/offer.h. */
#define UI(name, more) "ui {\"operation\": \"@" name "\"" more "}"

/* A call of a tool for past screenshots. */
#define OWN(name, arguments) "@" name " {" arguments "}"

static const struct synonym {
    const char *words;   /* separated by spaces */
    const char *command; /* what a person types after squint */
    const char *call;    /* what a client sends */
} synonyms[] = {
    { "tap click touch tap-element tap-on press-element select click-element "
      "tap-at click-at tap-coordinates click-on-screen-at-coordinates "
      "tap-by-text left-click mouse-click",
      "tap",
      UI("tap", ", \"x\": 200, \"y\": 500") ", or elementIndex or selector "
                                            "instead of x and y" },
    { "double-tap double-click double-tap-on-screen "
      "double-tap-on-screen-at-coordinates",
      "tap X Y --number-of-taps 2",
      UI("tap", ", \"x\": 200, \"y\": 500, \"numberOfTaps\": 2") },
    { "long-press long-tap hold long-click long-press-on-screen-at-coordinates "
      "press-and-hold",
      "tap X Y --duration-ms 1000",
      UI("tap", ", \"x\": 200, \"y\": 500, \"durationMs\": 1000") },
    { "press", "key, or squint tap",
      UI("tap", ", \"x\": 200, \"y\": 500") " for a point, " UI(
          "key", ", \"name\": \"back\"") " for a key" },
    { "key press-key press-button key-event keyevent hotkey button send-key "
      "keypress press-hardware-button",
      "key", UI("key", ", \"name\": \"back\"") },
    { "back go-back press-back navigate-back", "key back",
      UI("key", ", \"name\": \"back\"") },
    { "home go-home press-home", "key home",
      UI("key", ", \"name\": \"home\"") },
    { "enter press-enter submit", "key enter",
      UI("key", ", \"name\": \"enter\"") },
    { "input type type-text write fill enter-text set-text send-keys text "
      "input-text type-keys type-in-element keyboard-type fill-form",
      "input",
      UI("input", ", \"text\": \"Ada\", \"selector\": {\"text\": \"Name\"}") },
    { "launch start start-app launch-app open-app run activate run-app "
      "activate-app",
      "launch", UI("launch", ", \"packageName\": \"Settings\"") },
    { "stop close kill terminate terminate-app stop-app force-stop quit "
      "kill-app close-app",
      "stop", UI("stop", ", \"packageName\": \"Settings\"") },
    { "swipe drag fling flick drag-and-drop swipe-on-screen swipe-gesture",
      "swipe",
      UI("swipe", ", \"from\": {\"x\": 400, \"y\": 500}, \"to\": {\"x\": 50, "
                  "\"y\": 500}") },
    { "scroll scroll-down scroll-up scroll-to swipe-up swipe-down swipe-screen "
      "scroll-screen",
      "scroll", UI("scroll", ", \"direction\": \"down\"") },
    { "pinch zoom zoom-in zoom-out pinch-zoom pinch-in pinch-out two-finger "
      "multi-touch rotate-gesture",
      "pinch", UI("pinch", ", \"x\": 200, \"y\": 500, \"scale\": 2") },
    { "screenshot shot snapshot capture look image take-screenshot see view "
      "capture-screenshot screen-capture get-screen capture-screen screencap "
      "observe get-screen-image",
      "screenshot", UI("screenshot", "") },
    { "crop zoom-region crop-image crop-region get-region",
      "screenshot --region X,Y,W,H",
      UI("screenshot", ", \"region\": {\"x\": 0, \"y\": 0, \"width\": 200, "
                       "\"height\": 100}") },
    { "visual-snapshot", "visual-snapshot", UI("visual-snapshot", "") },
    { "ls", "list", UI("dump", "") },
    { "dump list elements list-elements list-elements-on-screen tree hierarchy "
      "describe ui-dump page-source get-elements get-ui-tree "
      "accessibility-tree view-hierarchy inspect snapshot-ui read read-screen "
      "get-text get-page-source describe-all describe-ui inspect-screen "
      "ui-tree",
      "dump", UI("dump", "") },
    { "find search locate find-element query find-text find-by-text "
      "search-text find-elements exists locate-element",
      "find", UI("find", ", \"selector\": {\"text\": \"Login\"}") },
    { "wait sleep wait-for wait-until delay pause wait-for-element "
      "wait-for-text",
      "wait", UI("wait", ", \"text\": \"Welcome\", \"timeoutMs\": 5000") },
    { "apps list-apps packages get-apps installed-apps list-packages", "apps",
      UI("apps", "") },
    { "devices list-devices list-available-devices get-devices list-simulators "
      "device-list",
      "devices", UI("devices", "") },
    { "open open-url open-link deep-link navigate goto open-deep-link browse "
      "navigate-to",
      "open", UI("open", ", \"url\": \"https://example.com/\"") },
    { "clear clear-text erase-text clear-field", "input --clear",
      UI("input", ", \"text\": \"Ada\", \"clear\": true") },
    { "hide-keyboard dismiss-keyboard", "input --hide-keyboard",
      UI("input", ", \"hideKeyboard\": true") },
    { "permission grant revoke grant-permission set-permission", "permission",
      UI("permission", ", \"packageName\": \"Shop\", \"permission\": "
                       "\"camera\", \"change\": \"grant\"") },
    { "reset clear-data clear-state reset-app clear-app-data", "reset",
      UI("reset", ", \"packageName\": \"Shop\", \"confirm\": true") },
    { "rotate orientation set-orientation rotate-device rotate-screen",
      "rotate", UI("rotate", ", \"orientation\": \"landscape\"") },
    { "appearance dark-mode font-size locale set-locale density set-appearance",
      "appearance", UI("appearance", ", \"dark\": \"on\"") },
    { "location set-location gps geo set-gps", "location",
      UI("location", ", \"latitude\": 52.52, \"longitude\": 13.405") },
    { "logs logcat log get-logs device-logs", "logs",
      UI("logs", ", \"packageName\": \"Shop\"") },
    { "clipboard get-clipboard set-clipboard copy paste", "clipboard",
      UI("clipboard", ", \"text\": \"Ada\"") },
    { "notifications get-notifications", "notifications",
      UI("notifications", "") },
    { "wake unlock wake-up screen-on unlock-screen", "wake", UI("wake", "") },
    { "info device-info battery get-device-info app-info", "info",
      UI("info", "") },
    { "video record screen-record start-recording stop-recording record-video "
      "start-video",
      "video", UI("video", ", \"record\": \"start\"") },
    { "install install-app install-apk", "install-app",
      UI("install", ", \"paths\": [\"app.apk\"]") },
    { "uninstall uninstall-app remove-app", "uninstall-app",
      UI("uninstall", ", \"packageName\": \"com.example.app\"") },
    { "steps batch run-steps sequence execute-steps multi", "steps",
      UI("steps",
         ", \"steps\": [{\"operation\": \"tap\", \"x\": 200, \"y\": 500}]") },
    { "accessibility-check audit accessibility-audit", "accessibility-check",
      UI("accessibility-check", "") },
    { "ocr read-text recognize-text extract-text", "read", UI("ocr", "") },
    { "visual-find-text find-text-on-screen find-visual-text",
      "visual-find-text", UI("visual-find-text", ", \"text\": \"Login\"") },
    { "visual-find-image find-image find-icon template-match match-template "
      "locate-image",
      "visual-find-image", UI("visual-find-image", ", \"name\": \"cart\"") },
    { "remember", "remember",
      UI("remember", ", \"name\": \"cart\", \"region\": {\"x\": 390, \"y\": "
                     "45, \"width\": 40, \"height\": 40}") },
    { "forget", "forget", UI("forget", ", \"name\": \"cart\"") },
    { "ui squint", "--help",
      UI("screenshot", "") "; rtfm lists the other operations" },
    { "rtfm help manual docs documentation guide usage", "rtfm", "rtfm {}" },
    { "list-screenshots screenshots history list-images", "list",
      OWN("list_screenshots", "\"startDate\": \"today\"") },
    { "get-screenshot get-image read-screenshot", "get",
      OWN("get_screenshot", "\"screenshotRef\": \"REF\"") },
    { "crop-screenshot zoom-screenshot", "crop",
      OWN("crop_screenshot", "\"screenshotRef\": \"REF\", \"x\": 50, \"y\": 0, "
                             "\"width\": 50, \"height\": 25") },
    { "save-screenshot export-screenshot", "save",
      OWN("save_screenshot", "\"screenshotRef\": \"REF\"") },
    { "contact-sheet sheet timeline", "sheet",
      OWN("contact_sheet",
          "\"startDate\": \"today\", \"endDate\": \"today\"") },
    { "search-screenshots search-history", "search",
      OWN("search_screenshots", "\"text\": \"invoice\"") },
};

/* Arguments of other tools, and the call that has their effect. */
static const struct {
    const char *operation;
    const char *arguments; /* separated by spaces */
    const char *call;
} misplaced[] = {
    { "swipe", "direction amount", UI("scroll", ", \"direction\": \"down\"") },
    { "screenshot", "scale resize", UI("screenshot", ", \"size\": \"half\"") },
    { "find", "query name label value",
      UI("find", ", \"selector\": {\"text\": \"Login\"}") },
};

static char
folded(char byte) {
    return byte == '_' ? '-' : sq_ascii_lower(byte);
}

bool
sq_name_matches(struct sq_span word, const char *name) {
    if (word.len != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        if (folded(word.ptr[i]) != folded(name[i])) {
            return false;
        }
    }
    return true;
}

static bool
is_upper(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

static bool
is_separator(char byte) {
    return memchr("_-. :/", byte, 6) != NULL;
}

/* Writes a name in our notation: "mcp__x__takeShot" as "mcp-x-take-shot". */
static void
normalise(struct sq_span name, char out[NAME_SIZE]) {
    size_t len = 0;
    for (size_t i = 0; i < name.len && len + 2 < NAME_SIZE; i++) {
        bool begins_word =
            i > 0 && is_upper(name.ptr[i]) && !is_upper(name.ptr[i - 1]);
        if ((begins_word || is_separator(name.ptr[i])) && len > 0
            && out[len - 1] != '-') {
            out[len++] = '-';
        }
        if (!is_separator(name.ptr[i])) {
            out[len++] = sq_ascii_lower(name.ptr[i]);
        }
    }
    out[len] = '\0';
}

/* Returns whether words that are separated by spaces contain this one. */
static bool
has_word(const char *words, struct sq_span name) {
    while (*words) {
        const struct sq_span word = { words, strcspn(words, " ") };
        if (sq_span_equal(word, name)) {
            return true;
        }
        words += word.len + (words[word.len] == ' ');
    }
    return false;
}

static const struct synonym *
find_exactly(const char *name) {
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
        if (has_word(synonyms[i].words, sq_span_of(name))) {
            return &synonyms[i];
        }
    }
    return NULL;
}

const char *
sq_synonym_argument(const char *operation, struct sq_span argument) {
    for (size_t i = 0; i < sizeof(misplaced) / sizeof(misplaced[0]); i++) {
        if (strcmp(operation, misplaced[i].operation) == 0
            && has_word(misplaced[i].arguments, argument)) {
            return misplaced[i].call;
        }
    }
    return NULL;
}

/* Finds a name, also with the prefixes that clients and servers add. */
static const struct synonym *
find(struct sq_span word) {
    static const char *const prefixes[] = {
        "mcp-",     "functions-", "squint-",    "ui-",     "mobile-",
        "android-", "ios-",       "phone-",     "device-", "screen-",
        "browser-", "computer-",  "simulator-",
    };
    char name[NAME_SIZE];
    normalise(word, name);
    const char *at = name;
    const struct synonym *found = find_exactly(at);
    for (size_t i = 0; !found && i < sizeof(prefixes) / sizeof(prefixes[0]);
         i++) {
        size_t len = strlen(prefixes[i]);
        if (strncmp(at, prefixes[i], len) == 0) {
            at += len;
            found = find_exactly(at);
        }
    }
    return found;
}

const char *
sq_synonym_call(struct sq_span word) {
    const struct synonym *found = find(word);
    return found ? found->call : NULL;
}

const char *
sq_synonym_command(struct sq_span word) {
    const struct synonym *found = find(word);
    return found ? found->command : NULL;
}

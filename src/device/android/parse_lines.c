/* Parses lines, packages, properties, reports and the state of the keyboard. */
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"

static bool
is_letter(char c) {
    return sq_ascii_lower(c) >= 'a' && sq_ascii_lower(c) <= 'z';
}

static bool
is_word_char(char c) {
    return is_letter(c) || sq_is_digit(c) || c == '_';
}

bool
sq_line_find(struct sq_span line, const char *word, struct sq_span *after) {
    size_t len = strlen(word);
    size_t at = 0;
    while (at + len <= line.len) {
        const char *hit = memchr(line.ptr + at, word[0], line.len - at);
        if (!hit) {
            return false;
        }
        at = (size_t)(hit - line.ptr);
        if (at + len <= line.len && memcmp(hit, word, len) == 0
            && (at == 0 || !is_word_char(word[0])
                || !is_word_char(line.ptr[at - 1]))) {
            *after = (struct sq_span){ hit + len, line.len - at - len };
            return true;
        }
        at++;
    }
    return false;
}

bool
sq_line_has(struct sq_span line, const char *word) {
    struct sq_span after;
    return sq_line_find(line, word, &after);
}

bool
sq_line_take_word(struct sq_span *rest, struct sq_span *word) {
    struct sq_span left = *rest;
    while (left.len > 0 && (left.ptr[0] == ' ' || left.ptr[0] == '\t')) {
        sq_span_skip(&left, 1);
    }
    size_t len = 0;
    while (len < left.len && left.ptr[len] != ' ' && left.ptr[len] != '\t') {
        len++;
    }
    if (len > 0) {
        *word = (struct sq_span){ left.ptr, len };
        sq_span_skip(&left, len);
        *rest = left;
    }
    return len > 0;
}

bool
sq_line_take(struct sq_span *rest, struct sq_span *line) {
    struct sq_span next;
    while (sq_span_take_line(rest, &next)) {
        next = sq_span_trim(next);
        if (next.len > 0) {
            *line = next;
            return true;
        }
    }
    return false;
}

bool
sq_line_take_default(struct sq_span *rest, bool *in_other_display,
                     struct sq_span *line) {
    struct sq_span next;
    while (sq_line_take(rest, &next)) {
        struct sq_span id = next;
        int64_t number;
        if ((sq_span_take_prefix(&id, "Display: mDisplayId=")
             || sq_span_take_prefix(&id, "Display #"))
            && sq_span_take_int64(&id, &number)) {
            *in_other_display = number != 0;
        }
        if (!*in_other_display) {
            *line = next;
            return true;
        }
    }
    return false;
}

static bool
is_name_char(char c) {
    return is_word_char(c) || c == '.';
}

bool
sq_package_is_valid(struct sq_span name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!is_name_char(name.ptr[i])) {
            return false;
        }
    }
    return name.len > 0 && is_letter(name.ptr[0])
        && name.ptr[name.len - 1] != '.';
}

/* Class names: inner classes have a '$', some are not ASCII. */
bool
sq_component_parse(struct sq_span text, struct sq_component *out) {
    struct sq_component component;
    bool ok = sq_span_take_until(&text, '/', &component.package)
           && sq_package_is_valid(component.package) && text.len > 0;
    for (size_t i = 0; ok && i < text.len; i++) {
        char c = text.ptr[i];
        ok = is_name_char(c) || c == '$' || (unsigned char)c >= 0x80;
    }
    if (ok) {
        component.activity = text;
        *out = component;
    }
    return ok;
}

/* package:com.example, package:/data/app/base.apk=com.example uid:10123 */
bool
sq_packages_take(struct sq_span *rest, struct sq_span *package) {
    struct sq_span line;
    struct sq_span word;
    struct sq_span before;
    while (sq_line_take(rest, &line)) {
        if (sq_span_take_prefix(&line, "package:")
            && sq_line_take_word(&line, &word)) {
            while (sq_span_take_until(&word, '=', &before)) {
                continue;
            }
            if (sq_package_is_valid(word)) {
                *package = word;
                return true;
            }
        }
    }
    return false;
}

bool
sq_activities_take(struct sq_span *rest, struct sq_component *out) {
    struct sq_span line;
    while (sq_line_take(rest, &line)) {
        if (sq_component_parse(line, out)) {
            return true;
        }
    }
    return false;
}

bool
sq_activity_resolve(struct sq_span text, struct sq_component *out) {
    struct sq_component component;
    if (!sq_activities_take(&text, &component)
        || sq_span_is(component.package, "android")) {
        return false;
    }
    *out = component;
    return true;
}

/* Lines are "[name]: [value]"; a value may span several lines. */
bool
sq_getprop_find(struct sq_span text, const char *name, struct sq_span *value) {
    struct sq_span line;
    while (sq_span_take_line(&text, &line)) {
        struct sq_span start = line;
        if (!sq_span_take_prefix(&start, "[")
            || !sq_span_take_prefix(&start, name)
            || !sq_span_take_prefix(&start, "]: [")) {
            continue;
        }
        const char *end = line.ptr + line.len;
        while (end[-1] != ']' && sq_span_take_line(&text, &line)
               && !sq_span_starts_with(line, "[")) {
            end = line.len > 0 ? line.ptr + line.len : end;
        }
        if (end <= start.ptr || end[-1] != ']') {
            return false;
        }
        *value = (struct sq_span){ start.ptr, (size_t)(end - 1 - start.ptr) };
        return true;
    }
    return false;
}

bool
sq_keyboards_take(struct sq_span *rest, struct sq_span *id) {
    struct sq_span line;
    struct sq_component component;
    while (sq_line_take(rest, &line)) {
        if (sq_component_parse(line, &component)) {
            *id = line;
            return true;
        }
    }
    return false;
}

struct sq_span
sq_report_find(struct sq_span text, const char *key) {
    struct sq_span line;
    while (sq_span_take_line(&text, &line)) {
        line = sq_span_trim(line);
        if (sq_span_take_prefix(&line, key)) {
            return sq_span_trim(line);
        }
    }
    return (struct sq_span){ 0 };
}

struct sq_span
sq_report_memory(struct sq_span text) {
    struct sq_span total = sq_report_find(text, "TOTAL PSS:");
    if (total.len == 0 || !sq_is_digit(total.ptr[0])) {
        total = sq_report_find(text, "TOTAL");
    }
    size_t digits = 0;
    while (digits < total.len && sq_is_digit(total.ptr[digits])) {
        digits++;
    }
    total.len = digits;
    return total;
}

/* Takes the value of "key=" in a line, up to the next blank. */
static struct sq_span
word_after(struct sq_span line, const char *key) {
    const char *at = sq_span_find(line, key);
    struct sq_span word = { 0 };
    if (at) {
        word.ptr = at + strlen(key);
        word.len = line.len - (size_t)(word.ptr - line.ptr);
        size_t len = 0;
        while (len < word.len && word.ptr[len] != ' ' && word.ptr[len] != ')') {
            len++;
        }
        word.len = len;
    }
    return word;
}

/* "android.title=String (Hello)" gives "Hello". */
static struct sq_span
extra_of(struct sq_span record, const char *key) {
    struct sq_span value = sq_report_find(record, key);
    struct sq_span type;
    if (!sq_span_take_until(&value, '(', &type)) {
        return (struct sq_span){ 0 };
    }
    value.len -= value.len > 0 && value.ptr[value.len - 1] == ')';
    return value;
}

#define RECORD "NotificationRecord("

bool
sq_report_take_notification(struct sq_span *rest,
                            struct sq_report_notification *out) {
    const char *start = sq_span_find(*rest, RECORD);
    if (!start) {
        *rest = (struct sq_span){ 0 };
        return false;
    }
    struct sq_span record = { start + sizeof(RECORD) - 1, 0 };
    record.len = rest->len - (size_t)(record.ptr - rest->ptr);
    const char *next = sq_span_find(record, RECORD);
    *rest = (struct sq_span){ next ? next : record.ptr + record.len, 0 };
    rest->len = (size_t)(record.ptr + record.len - rest->ptr);
    record.len -= rest->len;
    struct sq_span line = { 0 }; /* stays empty if the record is empty */
    struct sq_span lines = record;
    sq_span_take_line(&lines, &line);
    *out = (struct sq_report_notification){
        .package = word_after(line, "pkg="),
        .title = extra_of(record, "android.title="),
        .text = extra_of(record, "android.text="),
    };
    return true;
}

/* Processes: "Process: com.example, PID: 12" or ">>> com.example <<<". */
bool
sq_report_take_crash(struct sq_span *rest, struct sq_span *crash,
                     struct sq_span *process) {
    struct sq_span line;
    struct sq_span after = *rest;
    bool found = false;
    *process = (struct sq_span){ 0 };
    *crash = (struct sq_span){ rest->ptr, 0 };
    while (sq_span_take_line(&after, &line)) {
        bool begins = sq_span_find(line, "FATAL EXCEPTION")
                   || sq_span_find(line, "*** *** ***");
        if (begins && found) {
            break;
        }
        crash->ptr = begins ? line.ptr : crash->ptr;
        found = found || begins;
        if (process->len == 0 && found) {
            *process = word_after(line, "Process: ");
            *process = process->len > 0 ? *process : word_after(line, ">>> ");
            process->len -=
                process->len > 0 && process->ptr[process->len - 1] == ',';
        }
        *rest = after;
    }
    crash->len = found ? (size_t)(rest->ptr - crash->ptr) : 0;
    return found;
}

/* Parts of an input type; see android.text.InputType. */
#define TYPE_MASK 0xfffu /* class and variation */
#define TYPE_TEXT_PASSWORD 0x81u
#define TYPE_TEXT_WEB_PASSWORD 0xe1u
#define TYPE_NUMBER_PASSWORD 0x12u

enum sq_password_focus
sq_input_method_parse(struct sq_span dumpsys) {
    enum sq_password_focus focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    bool is_ended = false; /* the keyboard reports a field that was left */
    struct sq_span line;
    while (sq_line_take(&dumpsys, &line)) {
        struct sq_span rest = line;
        uint32_t type = 0;
        /* Lists of past fields have the type in the middle of a line. */
        bool has_type = sq_span_take_prefix(&rest, "inputType=0x");
        if (has_type) {
            sq_span_take_hex(&rest, 8, &type);
            type &= TYPE_MASK;
        }
        if (!is_ended
            && (type == TYPE_TEXT_PASSWORD || type == TYPE_TEXT_WEB_PASSWORD
                || type == TYPE_NUMBER_PASSWORD)) {
            return SQ_PASSWORD_FOCUSED;
        }
        bool has_start = sq_line_find(line, "mInputStarted=", &rest);
        is_ended = has_start ? sq_span_starts_with(rest, "false") : is_ended;
        if (has_type || has_start
            || sq_line_has(line, "Input Method Manager state")) {
            focus = SQ_PASSWORD_NOT_FOCUSED;
        }
    }
    return focus;
}

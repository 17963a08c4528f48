/* Parses reports of Android's programs. */
#include "device/android/parse_reports.h"

#include <string.h>

static const char *
find(struct sq_span text, const char *words) {
    size_t len = strlen(words);
    for (size_t at = 0; at + len <= text.len; at++) {
        if (memcmp(text.ptr + at, words, len) == 0) {
            return text.ptr + at;
        }
    }
    return NULL;
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

/* Takes the digits at the start. */
static struct sq_span
digits_of(struct sq_span text) {
    struct sq_span digits = sq_span_trim(text);
    size_t len = 0;
    while (len < digits.len && digits.ptr[len] >= '0'
           && digits.ptr[len] <= '9') {
        len++;
    }
    digits.len = len;
    return digits;
}

struct sq_span
sq_report_memory(struct sq_span text) {
    struct sq_span total = digits_of(sq_report_find(text, "TOTAL PSS:"));
    return total.len > 0 ? total : digits_of(sq_report_find(text, "TOTAL"));
}

/* Takes the value of "key=" in a line, up to the next blank. */
static struct sq_span
word_after(struct sq_span line, const char *key) {
    const char *at = find(line, key);
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
    const char *start = find(*rest, RECORD);
    if (!start) {
        *rest = (struct sq_span){ 0 };
        return false;
    }
    struct sq_span record = { start + sizeof(RECORD) - 1, 0 };
    record.len = rest->len - (size_t)(record.ptr - rest->ptr);
    const char *next = find(record, RECORD);
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

static bool
begins_crash(struct sq_span line) {
    return find(line, "FATAL EXCEPTION") || find(line, "*** *** ***");
}

/* "Process: com.example, PID: 12" or ">>> com.example <<<". */
static struct sq_span
process_of(struct sq_span line) {
    struct sq_span name = word_after(line, "Process: ");
    if (name.len == 0) {
        name = word_after(line, ">>> ");
    }
    name.len -= name.len > 0 && name.ptr[name.len - 1] == ',';
    return name;
}

bool
sq_report_take_crash(struct sq_span *rest, struct sq_span *crash,
                     struct sq_span *process) {
    struct sq_span line;
    struct sq_span after = *rest;
    bool found = false;
    *process = (struct sq_span){ 0 };
    *crash = (struct sq_span){ rest->ptr, 0 };
    while (sq_span_take_line(&after, &line)) {
        if (begins_crash(line) && found) {
            break;
        }
        if (begins_crash(line)) {
            found = true;
            crash->ptr = line.ptr;
        }
        if (process->len == 0 && found) {
            *process = process_of(line);
        }
        *rest = after;
    }
    crash->len = found ? (size_t)(rest->ptr - crash->ptr) : 0;
    return found;
}

/* Where Windows has the program and temporary files, and its time zone. */
#include "sys/windows/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/path.h"
#include "sys/zone.h"

static bool
is_slash(char c) {
    return c == '/' || c == '\\';
}

size_t
sq_path_root_length(const char *path) {
    bool has_drive = ((path[0] | 0x20) >= 'a' && (path[0] | 0x20) <= 'z')
                  && path[1] == ':' && is_slash(path[2]);
    if (has_drive) {
        return 3;
    }
    if (!is_slash(path[0]) || !is_slash(path[1])) {
        return is_slash(path[0]);
    }
    /* \\server\share\ */
    const char *at = path + 2;
    for (int parts = 0; parts < 2 && *at; parts++) {
        at += strcspn(at, "/\\");
        at += *at != '\0';
    }
    return (size_t)(at - path);
}

bool
sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err) {
    wchar_t *wide = sq_call_alloc(SQ_WIDE_SIZE, sizeof(*wide));
    if (!wide) {
        return sq_fail_nomem(err);
    }
    DWORD len = GetModuleFileNameW(NULL, wide, SQ_WIDE_SIZE);
    bool ok =
        len > 0 && len < SQ_WIDE_SIZE && sq_narrow(wide, out, SQ_PATH_SIZE);
    sq_call_free(wide);
    return ok
        || sq_fail(err, SQ_ERR_NOT_FOUND,
                   "cannot find the path of this program");
}

const char *
sq_path_temporary(void) {
    static const char *const names[] = { "TMP", "TEMP" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *folder = getenv(names[i]);
        if (folder && sq_path_root_length(folder) > 0) {
            return folder;
        }
    }
    return "C:/Windows/Temp";
}

bool
sq_registry_text(const char *key, const char *name, char out[SQ_PATH_SIZE]) {
    wchar_t text[SQ_PATH_SIZE];
    DWORD bytes = sizeof(text);
    wchar_t *wide_key = sq_wide(key);
    wchar_t *wide_name = sq_wide(name);
    bool ok = wide_key && wide_name;
    for (wchar_t *c = wide_key; ok && *c; c++) {
        *c = *c == L'/' ? L'\\' : *c;
    }
    ok = ok
      && RegGetValueW(HKEY_CURRENT_USER, wide_key, wide_name, RRF_RT_REG_SZ,
                      NULL, text, &bytes)
             == ERROR_SUCCESS
      && sq_narrow(text, out, SQ_PATH_SIZE);
    sq_call_free(wide_key);
    sq_call_free(wide_name);
    return ok;
}

/* Writes hours and minutes west of Greenwich, as POSIX counts them. */
static int
put_offset(char *out, size_t size, LONG minutes) {
    return snprintf(out, size, "%s%ld:%02ld", minutes < 0 ? "-" : "",
                    labs(minutes) / 60, labs(minutes) % 60);
}

/* Writes ",M3.5.0/2:00": month, week (5: the last), day, local time. */
static int
put_change(char *out, size_t size, const SYSTEMTIME *at) {
    return snprintf(out, size, ",M%d.%d.%d/%d:%02d", at->wMonth, at->wDay,
                    at->wDayOfWeek, at->wHour, at->wMinute);
}

bool
sq_zone_system_rule(char out[SQ_ZONE_RULE_SIZE]) {
    TIME_ZONE_INFORMATION zone;
    const size_t size = SQ_ZONE_RULE_SIZE;
    if (GetTimeZoneInformation(&zone) == TIME_ZONE_ID_INVALID) {
        return false;
    }
    int len = snprintf(out, size, "<STD>");
    len += put_offset(out + len, size - (size_t)len,
                      zone.Bias + zone.StandardBias);
    /* Dates of one year only cannot be a rule. */
    if (zone.DaylightDate.wMonth && !zone.DaylightDate.wYear
        && !zone.StandardDate.wYear) {
        len += snprintf(out + len, size - (size_t)len, "<DST>");
        len += put_offset(out + len, size - (size_t)len,
                          zone.Bias + zone.DaylightBias);
        len += put_change(out + len, size - (size_t)len, &zone.DaylightDate);
        put_change(out + len, size - (size_t)len, &zone.StandardDate);
    }
    return true;
}

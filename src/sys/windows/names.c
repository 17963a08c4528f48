/* Converts names and errors, and refuses names that mean something else. */
#include "sys/windows/private.h"

#include <errno.h>
#include <string.h>

static const struct {
    DWORD code;
    int number;
} errors[] = {
    { ERROR_FILE_NOT_FOUND, ENOENT },
    { ERROR_PATH_NOT_FOUND, ENOENT },
    { ERROR_BAD_NETPATH, ENOENT },
    { ERROR_BAD_NET_NAME, ENOENT },
    { ERROR_NOT_READY, ENOENT },
    { ERROR_INVALID_NAME, EINVAL },
    { ERROR_DIRECTORY, ENOTDIR },
    { ERROR_ACCESS_DENIED, EACCES },
    { ERROR_PRIVILEGE_NOT_HELD, EACCES },
    { ERROR_SHARING_VIOLATION, EBUSY },
    { ERROR_LOCK_VIOLATION, EWOULDBLOCK },
    { ERROR_IO_PENDING, EWOULDBLOCK },
    { ERROR_DELETE_PENDING, ENOENT },
    { ERROR_FILE_EXISTS, EEXIST },
    { ERROR_ALREADY_EXISTS, EEXIST },
    { ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
    { ERROR_DISK_FULL, ENOSPC },
    { ERROR_HANDLE_DISK_FULL, ENOSPC },
    { ERROR_WRITE_PROTECT, EROFS },
    { ERROR_TOO_MANY_OPEN_FILES, EMFILE },
    { ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
    { ERROR_OUTOFMEMORY, ENOMEM },
    { ERROR_NO_SYSTEM_RESOURCES, ENOMEM },
    { ERROR_BROKEN_PIPE, EPIPE },
    { ERROR_NO_DATA, EPIPE },
    { ERROR_INVALID_HANDLE, EBADF },
    { ERROR_INVALID_PARAMETER, EINVAL },
    { ERROR_BUFFER_OVERFLOW, ENAMETOOLONG },
    { ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
    { ERROR_NOT_SAME_DEVICE, EXDEV },
    { ERROR_NOT_SUPPORTED, ENOTSUP },
    { ERROR_INVALID_FUNCTION, ENOTSUP },
    { ERROR_CANT_ACCESS_FILE, ELOOP },
    { ERROR_BAD_EXE_FORMAT, ENOEXEC },
    { WSAEWOULDBLOCK, EAGAIN },
    { WSAEINPROGRESS, EINPROGRESS },
    { WSAEALREADY, EINPROGRESS },
    { WSAECONNREFUSED, ECONNREFUSED },
    { WSAECONNRESET, ECONNRESET },
    { WSAECONNABORTED, ECONNABORTED },
    { WSAENETRESET, ECONNRESET },
    { WSAESHUTDOWN, EPIPE },
    { WSAENOTCONN, ENOTCONN },
    { WSAETIMEDOUT, ETIMEDOUT },
    { WSAEADDRINUSE, EADDRINUSE },
    { WSAEADDRNOTAVAIL, EADDRNOTAVAIL },
    { WSAEAFNOSUPPORT, EAFNOSUPPORT },
    { WSAEACCES, EACCES },
    { WSAENETUNREACH, ENETUNREACH },
    { WSAEHOSTUNREACH, EHOSTUNREACH },
    { WSAEMFILE, EMFILE },
    { WSAENOTSOCK, ENOTSOCK },
    { WSAEINVAL, EINVAL },
};

int
sq_windows_fail(DWORD code) {
    errno = EIO;
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (errors[i].code == code) {
            errno = errors[i].number;
        }
    }
    return -1;
}

ULONG NTAPI RtlNtStatusToDosError(LONG status);

int
sq_windows_fail_status(LONG status) {
    return sq_windows_fail(RtlNtStatusToDosError(status));
}

wchar_t *
sq_wide(const char *text) {
    int units =
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (units <= 0) {
        errno = EINVAL;
        return NULL;
    }
    wchar_t *wide = sq_call_alloc((size_t)units, sizeof(*wide));
    if (!wide) {
        errno = ENOMEM;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, units);
    return wide;
}

bool
sq_narrow(const wchar_t *text, char *out, size_t size) {
    int capacity = size < INT32_MAX ? (int)size : INT32_MAX;
    return WideCharToMultiByte(CP_UTF8, 0, text, -1, out, capacity, NULL, NULL)
         > 0;
}

/* Returns whether a name, up to its first dot, is that of a device. */
static bool
is_device(const char *name, size_t len) {
    static const char *const whole[] = { "con", "prn",    "aux",
                                         "nul", "conin$", "conout$" };
    size_t base = 0;
    while (base < len && name[base] != '.' && name[base] != ' ') {
        base++;
    }
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
        if (strlen(whole[i]) == base && _strnicmp(name, whole[i], base) == 0) {
            return true;
        }
    }
    if (base < 4 || (_strnicmp(name, "com", 3) && _strnicmp(name, "lpt", 3))) {
        return false;
    }
    /* A digit, also a superscript one: U+00B9, U+00B2, U+00B3. */
    return (base == 4 && name[3] >= '0' && name[3] <= '9')
        || (base == 5 && name[3] == '\xc2' && strchr("\xb9\xb2\xb3", name[4]));
}

bool
sq_is_plain_name(const char *name, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)name[i] < 0x20 || strchr("<>:\"/\\|?*", name[i])) {
            return false;
        }
    }
    return len > 0 && name[len - 1] != '.' && name[len - 1] != ' '
        && !is_device(name, len);
}

static bool
is_slash(char c) {
    return c == '/' || c == '\\';
}

/* Returns whether all parts of a path, after its drive, are plain or dots. */
static bool
has_plain_parts(const char *path) {
    if (path[0] && path[1] == ':') {
        path += 2;
    }
    for (;;) {
        while (is_slash(*path)) {
            path++;
        }
        size_t len = strcspn(path, "/\\");
        if (len == 0) {
            return true;
        }
        bool is_dots = (len == 1 && path[0] == '.')
                    || (len == 2 && path[0] == '.' && path[1] == '.');
        if (!is_dots && !sq_is_plain_name(path, len)) {
            return false;
        }
        path += len;
    }
}

static const char *
without_prefix(const char *path) {
    /* \\?\C:\x and \\?\UNC\server are accepted as what they mean. */
    bool has_it = is_slash(path[0]) && is_slash(path[1]) && path[2] == '?'
               && is_slash(path[3]);
    return has_it ? path + 4 : path;
}

#define PREFIX_ROOM 8

/*
 * Puts the prefix of the kernel before a path, which begins at PREFIX_ROOM:
 * \\server\share becomes \??\UNC\server\share.
 */
static void
put_prefix(wchar_t *out, size_t len) {
    bool is_share = out[PREFIX_ROOM] == L'\\' && out[PREFIX_ROOM + 1] == L'\\';
    const wchar_t *prefix = is_share ? L"\\??\\UNC" : L"\\??\\";
    size_t prefix_len = wcslen(prefix);
    memcpy(out, prefix, prefix_len * sizeof(*out));
    memmove(out + prefix_len, out + PREFIX_ROOM + is_share,
            (len + 1 - is_share) * sizeof(*out));
}

wchar_t *
sq_kernel_path(const char *path) {
    const char *plain = without_prefix(path);
    bool is_share =
        plain > path && _strnicmp(plain, "UNC", 3) == 0 && is_slash(plain[3]);
    if (!path[0] || !has_plain_parts(plain)) {
        errno = path[0] ? EINVAL : ENOENT;
        return NULL;
    }
    wchar_t *given = sq_wide(is_share ? plain + 2 : plain);
    wchar_t *out = sq_call_alloc(SQ_WIDE_SIZE + PREFIX_ROOM, sizeof(*out));
    if (!given || !out) {
        errno = given ? ENOMEM : errno;
        sq_call_free(given);
        sq_call_free(out);
        return NULL;
    }
    if (is_share) {
        given[0] = L'\\'; /* of "C\server" */
    }
    DWORD len = GetFullPathNameW(given, SQ_WIDE_SIZE, out + PREFIX_ROOM, NULL);
    DWORD code = GetLastError();
    sq_call_free(given);
    if (len == 0 || len >= SQ_WIDE_SIZE) {
        sq_call_free(out);
        sq_windows_fail(len ? ERROR_FILENAME_EXCED_RANGE : code);
        return NULL;
    }
    put_prefix(out, len);
    return out;
}

bool
sq_path_of_handle(HANDLE handle, char *out, size_t size) {
    wchar_t *wide = sq_call_alloc(SQ_WIDE_SIZE, sizeof(*wide));
    if (!wide) {
        errno = ENOMEM;
        return false;
    }
    DWORD len = GetFinalPathNameByHandleW(handle, wide, SQ_WIDE_SIZE, 0);
    wchar_t *start = wide;
    if (len == 0 || len >= SQ_WIDE_SIZE) {
        sq_windows_fail(len ? ERROR_FILENAME_EXCED_RANGE : GetLastError());
        sq_call_free(wide);
        return false;
    }
    if (wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0) {
        start = wide + 6;
        start[0] = L'\\';
    } else if (wcsncmp(wide, L"\\\\?\\", 4) == 0) {
        start = wide + 4;
    }
    for (wchar_t *c = start; *c; c++) {
        *c = *c == L'\\' ? L'/' : *c;
    }
    bool fits = sq_narrow(start, out, size);
    sq_call_free(wide);
    errno = fits ? 0 : ENAMETOOLONG;
    return fits;
}

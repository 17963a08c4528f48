/* Opens, describes, renames and removes files, relative to open folders. */
#include "sys/windows/private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <winternl.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "sys/path.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define EPOCH_100NS 116444736000000000LL /* 1970 since 1601 */
#define RETRIES 40                       /* while another program has it open */
#define RETRY_MS 5
#define NAME_SIZE (NAME_MAX + 1)

#ifndef FILE_OPEN_REPARSE_POINT
#define FILE_OPEN_REPARSE_POINT 0x00200000
#endif
#define RENAME_INFORMATION 10
#define DISPOSITION_INFORMATION 13
#define LINK_INFORMATION 11

/* How a name is opened. */
struct request {
    ACCESS_MASK access;
    ULONG disposition; /* FILE_OPEN, FILE_CREATE, ... */
    ULONG options;
    bool follows; /* links in the last component */
    bool is_private;
};

/* A name in an open folder, or a whole path. */
struct place {
    HANDLE folder; /* NULL: the name is a whole path */
    HANDLE opened; /* the folder, if it is to be closed; else NULL */
    wchar_t *name;
};

static void
finish_place(struct place *place) {
    if (place->opened) {
        CloseHandle(place->opened);
    }
    sq_call_free(place->name);
}

static LONG
open_once(const struct place *place, const struct request *request,
          HANDLE *out) {
    size_t bytes = wcslen(place->name) * sizeof(wchar_t);
    UNICODE_STRING name = { .Length = (USHORT)bytes,
                            .MaximumLength = (USHORT)bytes,
                            .Buffer = place->name };
    OBJECT_ATTRIBUTES attributes = {
        .Length = sizeof(attributes),
        .RootDirectory = place->folder,
        .ObjectName = &name,
        .Attributes = OBJ_CASE_INSENSITIVE,
        .SecurityDescriptor = request->is_private ? sq_owner_only() : NULL,
    };
    IO_STATUS_BLOCK status;
    return NtCreateFile(
        out, request->access | SYNCHRONIZE, &attributes, &status, NULL,
        FILE_ATTRIBUTE_NORMAL, SHARE_ALL, request->disposition,
        request->options | FILE_SYNCHRONOUS_IO_NONALERT, NULL, 0);
}

/* Returns the kind of link that an open file is; 0: it is none. */
static DWORD
reparse_tag(HANDLE file) {
    FILE_ATTRIBUTE_TAG_INFO info;
    bool is_known = GetFileInformationByHandleEx(file, FileAttributeTagInfo,
                                                 &info, sizeof(info));
    bool has_tag =
        is_known && info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
    return has_tag ? info.ReparseTag : 0;
}

static bool
is_same_file(HANDLE one, HANDLE other) {
    BY_HANDLE_FILE_INFORMATION a;
    BY_HANDLE_FILE_INFORMATION b;
    return GetFileInformationByHandle(one, &a)
        && GetFileInformationByHandle(other, &b)
        && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber
        && a.nFileIndexHigh == b.nFileIndexHigh
        && a.nFileIndexLow == b.nFileIndexLow;
}

/*
 * Opens a file that has a tag. Symbolic links, junctions and the like name
 * another file; other tags, such as those of OneDrive, are the file itself,
 * which the system fetches when it is opened without our option.
 */
static HANDLE
open_tagged(const struct place *place, struct request request, HANDLE tagged,
            DWORD tag) {
    HANDLE file = INVALID_HANDLE_VALUE;
    bool is_link = IsReparseTagNameSurrogate(tag);
    if (is_link && !request.follows) {
        CloseHandle(tagged);
        fail(ELOOP);
        return INVALID_HANDLE_VALUE;
    }
    request.options &= ~(ULONG)FILE_OPEN_REPARSE_POINT;
    request.disposition = FILE_OPEN;
    LONG status = open_once(place, &request, &file);
    if (status < 0) {
        file = INVALID_HANDLE_VALUE;
        sq_windows_fail_status(status);
    } else if (!is_link && !is_same_file(tagged, file)) {
        CloseHandle(file);
        file = INVALID_HANDLE_VALUE;
        fail(ELOOP);
    }
    CloseHandle(tagged);
    return file;
}

static bool
is_busy(LONG status) {
    const LONG sharing = (LONG)0xC0000043;
    const LONG deleting = (LONG)0xC0000056;
    return status == sharing || status == deleting;
}

/* Returns INVALID_HANDLE_VALUE and sets errno on failure. */
static HANDLE
open_place(const struct place *place, struct request request) {
    HANDLE file = INVALID_HANDLE_VALUE;
    request.options |= FILE_OPEN_REPARSE_POINT;
    LONG status = open_once(place, &request, &file);
    for (int i = 0; i < RETRIES && is_busy(status); i++) {
        Sleep(RETRY_MS);
        status = open_once(place, &request, &file);
    }
    if (status < 0) {
        const LONG is_folder = (LONG)0xC00000BA;
        const LONG is_no_folder = (LONG)0xC0000103;
        if (status == is_folder || status == is_no_folder) {
            fail(status == is_folder ? EISDIR : ENOTDIR);
        } else {
            sq_windows_fail_status(status);
        }
        return INVALID_HANDLE_VALUE;
    }
    DWORD tag = reparse_tag(file);
    return tag ? open_tagged(place, request, file, tag) : file;
}

/* Finds the folder that is above another one: "..", "folder/..". */
static bool
find_parent(HANDLE folder, const char *path, struct place *out) {
    char whole[SQ_PATH_SIZE];
    if (!sq_path_of_handle(folder, whole, sizeof(whole))) {
        return false;
    }
    size_t len = strlen(whole);
    int more = snprintf(whole + len, sizeof(whole) - len, "/%s", path);
    if ((size_t)more >= sizeof(whole) - len) {
        fail(ENAMETOOLONG);
        return false;
    }
    out->name = sq_kernel_path(whole);
    return out->name != NULL;
}

/* Sets the last component of a path; those before it were entered. */
static bool
set_last(struct place *place, const char *name) {
    bool is_self = strcmp(name, ".") == 0;
    if (!is_self && !sq_is_plain_name(name, strlen(name))) {
        fail(name[0] ? EINVAL : ENOENT);
        return false;
    }
    place->name = sq_wide(is_self ? "" : name);
    return place->name != NULL;
}

static HANDLE open_place(const struct place *place, struct request request);

/*
 * Enters the folders of a path one by one, so that none can be a link, up to
 * its last component, which *path then is.
 */
static bool
enter_folders(struct place *place, const char **path) {
    static const struct request request = { .access = FILE_TRAVERSE,
                                            .disposition = FILE_OPEN,
                                            .options = FILE_DIRECTORY_FILE };
    char name[NAME_SIZE];
    size_t len;
    while ((*path)[len = strcspn(*path, SQ_PATH_SLASHES)] != '\0') {
        if (len >= sizeof(name)) {
            fail(ENAMETOOLONG);
            return false;
        }
        memcpy(name, *path, len);
        name[len] = '\0';
        if (!set_last(place, name)) {
            return false;
        }
        HANDLE next = open_place(place, request);
        if (next == INVALID_HANDLE_VALUE) {
            return false;
        }
        finish_place(place);
        *place = (struct place){ .folder = next, .opened = next };
        *path += len + 1;
    }
    return true;
}

/* Finds what a descriptor and a path name. */
static bool
find_place(int dir, const char *path, struct place *out) {
    *out = (struct place){ .folder = NULL };
    if (dir == AT_FDCWD || sq_path_root_length(path) > 0) {
        bool is_null = strcmp(path, "/dev/null") == 0;
        out->name = is_null ? sq_wide("\\??\\NUL") : sq_kernel_path(path);
        return out->name != NULL;
    }
    struct sq_handle entry = sq_handle_get(dir);
    if (entry.kind != SQ_HANDLE_FOLDER) {
        fail(EBADF);
        return false;
    }
    if (strcmp(sq_path_base(path), "..") == 0) {
        return find_parent(entry.os, path, out);
    }
    out->folder = entry.os;
    bool ok = enter_folders(out, &path) && set_last(out, path);
    if (!ok) {
        int number = errno;
        finish_place(out);
        errno = number;
    }
    return ok;
}

static HANDLE
open_at(int dir, const char *path, struct request request) {
    struct place place;
    if (!find_place(dir, path, &place)) {
        return INVALID_HANDLE_VALUE;
    }
    HANDLE file = open_place(&place, request);
    int number = errno;
    finish_place(&place);
    errno = number;
    return file;
}

static bool
is_folder(HANDLE file) {
    BY_HANDLE_FILE_INFORMATION info;
    return GetFileInformationByHandle(file, &info)
        && info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
}

/* Adds a descriptor for an open file; closes it if none is left. */
static int
add_file(HANDLE file, int flags) {
    bool is_dir = is_folder(file);
    int fd = -1;
    if (flags & O_DIRECTORY && !is_dir) {
        errno = ENOTDIR;
    } else {
        fd = sq_handle_add((struct sq_handle){
            .kind = is_dir ? SQ_HANDLE_FOLDER : SQ_HANDLE_FILE,
            .os = file,
            .appends = (flags & O_APPEND) != 0,
            .blocks = true,
        });
    }
    if (fd < 0) {
        int number = errno;
        CloseHandle(file);
        errno = number;
    }
    return fd;
}

static int
open_file(int dir, const char *path, int flags, mode_t mode) {
    int how = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    struct request request = {
        .access = how == O_RDONLY ? GENERIC_READ
                : how == O_WRONLY ? GENERIC_WRITE | FILE_READ_ATTRIBUTES
                                  : GENERIC_READ | GENERIC_WRITE,
        .disposition = !(flags & O_CREAT) ? FILE_OPEN
                     : flags & O_EXCL     ? FILE_CREATE
                     : flags & O_TRUNC    ? FILE_OVERWRITE_IF
                                          : FILE_OPEN_IF,
        .options = flags & O_DIRECTORY ? FILE_DIRECTORY_FILE
                 : how == O_RDONLY     ? 0
                                       : FILE_NON_DIRECTORY_FILE,
        .follows = !(flags & O_NOFOLLOW) && !(flags & O_EXCL),
        .is_private = flags & O_CREAT && (mode & 077) == 0,
    };
    HANDLE file = open_at(dir, path, request);
    return file == INVALID_HANDLE_VALUE ? -1 : add_file(file, flags);
}

CALL(int, openat, (int dir, const char *path, int flags, mode_t mode),
     open_file(dir, path, flags, mode))

CALL(int, open_dir, (const char *path),
     open_file(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0))

CALL(int, enter_dir, (int dir, const char *name),
     open_file(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0))

static struct timespec
time_of(FILETIME at) {
    int64_t ticks = ((int64_t)at.dwHighDateTime << 32) + at.dwLowDateTime;
    int64_t since = ticks - EPOCH_100NS;
    int64_t seconds = since / 10000000 - (since % 10000000 < 0);
    return (struct timespec){ .tv_sec = seconds,
                              .tv_nsec =
                                  (long)(since - seconds * 10000000) * 100 };
}

static int
describe(HANDLE file, struct stat *out) {
    BY_HANDLE_FILE_INFORMATION info;
    FILE_BASIC_INFO times;
    if (!GetFileInformationByHandle(file, &info)
        || !GetFileInformationByHandleEx(file, FileBasicInfo, &times,
                                         sizeof(times))) {
        return sq_windows_fail(GetLastError());
    }
    bool is_link = IsReparseTagNameSurrogate(reparse_tag(file));
    bool is_dir = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    FILETIME changed = { .dwLowDateTime = times.ChangeTime.LowPart,
                         .dwHighDateTime = (DWORD)times.ChangeTime.HighPart };
    *out = (struct stat){
        .st_dev = info.dwVolumeSerialNumber,
        .st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
        .st_mode = (mode_t)(is_link  ? S_IFLNK | 0700
                            : is_dir ? S_IFDIR | 0700
                                     : S_IFREG | 0600),
        .st_nlink = info.nNumberOfLinks,
        .st_uid = sq_call_user(),
        .st_size =
            (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow),
        .st_mtim = time_of(info.ftLastWriteTime),
        .st_ctim = time_of(changed),
    };
    return 0;
}

static int
describe_fd(int fd, struct stat *out) {
    struct sq_handle entry = sq_handle_get(fd);
    if (entry.kind == SQ_HANDLE_FILE || entry.kind == SQ_HANDLE_FOLDER) {
        return describe(entry.os, out);
    }
    if (entry.kind == SQ_HANDLE_NONE && !sq_is_socket(fd)) {
        return fail(EBADF);
    }
    bool is_console = entry.os && GetFileType(entry.os) == FILE_TYPE_CHAR;
    *out = (struct stat){ .st_mode = is_console ? S_IFCHR : S_IFIFO,
                          .st_nlink = 1,
                          .st_uid = sq_call_user() };
    return 0;
}

CALL(int, fstat, (int fd, struct stat *out), describe_fd(fd, out))

/* A link is opened as itself, and described as one, if it is not followed. */
static int
describe_at(int dir, const char *path, bool follows, struct stat *out) {
    struct place place;
    HANDLE file;
    struct request request = { .access = FILE_READ_ATTRIBUTES,
                               .disposition = FILE_OPEN,
                               .options = FILE_OPEN_REPARSE_POINT,
                               .follows = follows };
    if (!find_place(dir, path, &place)) {
        return -1;
    }
    if (follows) {
        file = open_place(&place, request);
    } else {
        LONG status = open_once(&place, &request, &file);
        if (status < 0) {
            file = INVALID_HANDLE_VALUE;
            sq_windows_fail_status(status);
        }
    }
    int result = file == INVALID_HANDLE_VALUE ? -1 : describe(file, out);
    int number = errno;
    finish_place(&place);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    errno = number;
    return result;
}

CALL(int, fstatat, (int dir, const char *path, struct stat *out),
     describe_at(dir, path, true, out))

CALL(int, lstatat, (int dir, const char *path, struct stat *out),
     describe_at(dir, path, false, out))

/* Opens it for what is asked, which the system then decides. */
static int
check_access(const char *path, int mode) {
    struct request request = {
        .access = FILE_READ_ATTRIBUTES | (mode & R_OK ? FILE_READ_DATA : 0u)
                | (mode & W_OK ? FILE_WRITE_DATA : 0u)
                | (mode & X_OK ? FILE_EXECUTE : 0u),
        .disposition = FILE_OPEN,
        .follows = true,
    };
    HANDLE file = open_at(AT_FDCWD, path, request);
    if (file == INVALID_HANDLE_VALUE) {
        return -1;
    }
    CloseHandle(file);
    return 0;
}

CALL(int, access, (const char *path, int mode), check_access(path, mode))

/* FILE_RENAME_INFORMATION and FILE_LINK_INFORMATION. */
struct new_name {
    BOOLEAN replaces;
    HANDLE folder;
    ULONG bytes;
    wchar_t name[1];
};

static int
set_name(HANDLE file, const struct place *to, ULONG how, bool replaces) {
    size_t bytes = wcslen(to->name) * sizeof(wchar_t);
    struct new_name *info = sq_call_zalloc(1, sizeof(*info) + bytes);
    IO_STATUS_BLOCK status;
    LONG result = 0;
    if (!info) {
        return fail(ENOMEM);
    }
    info->replaces = replaces;
    info->folder = to->folder;
    info->bytes = (ULONG)bytes;
    memcpy(info->name, to->name, bytes);
    for (int i = 0; i < RETRIES; i++) {
        result = NtSetInformationFile(file, &status, info,
                                      (ULONG)(sizeof(*info) + bytes),
                                      (FILE_INFORMATION_CLASS)how);
        const LONG denied = (LONG)0xC0000022; /* another program has it open */
        if (result >= 0 || !replaces
            || (result != denied && !is_busy(result))) {
            break;
        }
        Sleep(RETRY_MS);
    }
    sq_call_free(info);
    return result < 0 ? sq_windows_fail_status(result) : 0;
}

static int
rename_at(int dir, const char *from, const char *to, ULONG how, bool replaces) {
    struct place target;
    struct request request = {
        .access = DELETE | FILE_READ_ATTRIBUTES,
        .disposition = FILE_OPEN,
    };
    if (!find_place(dir, to, &target)) {
        return -1;
    }
    HANDLE file = open_at(dir, from, request);
    int result = file == INVALID_HANDLE_VALUE
                   ? -1
                   : set_name(file, &target, how, replaces);
    int number = errno;
    finish_place(&target);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    errno = number;
    return result;
}

CALL(int, renameat, (int dir, const char *from, const char *to),
     rename_at(dir, from, to, RENAME_INFORMATION, true))

CALL(int, rename_new, (int dir, const char *from, const char *to),
     rename_at(dir, from, to, RENAME_INFORMATION, false))

CALL(int, linkat, (int dir, const char *from, const char *to),
     rename_at(dir, from, to, LINK_INFORMATION, false))

int
sq_call_open_nameless(int dir, mode_t mode) {
    (void)dir, (void)mode;
    return fail(ENOSYS);
}

int
sq_call_link_nameless(int fd, int dir, const char *to) {
    (void)fd, (void)dir, (void)to;
    return fail(ENOSYS);
}

static int
remove_at(int dir, const char *path, ULONG options) {
    struct place place;
    struct request request = { .access = DELETE,
                               .disposition = FILE_OPEN,
                               .options = options | FILE_OPEN_REPARSE_POINT };
    HANDLE file;
    BOOLEAN yes = TRUE;
    IO_STATUS_BLOCK ignored;
    if (!find_place(dir, path, &place)) {
        return -1;
    }
    LONG status = open_once(&place, &request, &file);
    if (status >= 0) {
        status = NtSetInformationFile(
            file, &ignored, &yes, sizeof(yes),
            (FILE_INFORMATION_CLASS)DISPOSITION_INFORMATION);
        CloseHandle(file);
    }
    finish_place(&place);
    return status < 0 ? sq_windows_fail_status(status) : 0;
}

CALL(int, unlinkat, (int dir, const char *path),
     remove_at(dir, path, FILE_NON_DIRECTORY_FILE))

CALL(int, rmdirat, (int dir, const char *path),
     remove_at(dir, path, FILE_DIRECTORY_FILE))

static int
make_folder(int dir, const char *path) {
    struct request request = { .access = FILE_LIST_DIRECTORY,
                               .disposition = FILE_CREATE,
                               .options = FILE_DIRECTORY_FILE,
                               .is_private = true };
    HANDLE folder = open_at(dir, path, request);
    if (folder == INVALID_HANDLE_VALUE) {
        return -1;
    }
    CloseHandle(folder);
    return 0;
}

CALL(int, mkdirat, (int dir, const char *path), make_folder(dir, path))

/* No link is read: a missing target counts as a missing file. */
ssize_t
sq_call_readlink(const char *path, char *into, size_t size) {
    (void)path, (void)into, (void)size;
    return fail(EINVAL);
}

char *
sq_call_realpath(const char *path, char *into) {
    struct request request = { .access = FILE_READ_ATTRIBUTES,
                               .disposition = FILE_OPEN,
                               .follows = true };
    HANDLE file = refused_for_good() ? INVALID_HANDLE_VALUE
                                     : open_at(AT_FDCWD, path, request);
    if (file == INVALID_HANDLE_VALUE) {
        return NULL;
    }
    bool ok = sq_path_of_handle(file, into, SQ_PATH_SIZE);
    int number = errno;
    CloseHandle(file);
    errno = number;
    return ok ? into : NULL;
}

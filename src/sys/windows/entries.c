/* Lists folders. */
#include "sys/windows/private.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"

#define BUFFER_BYTES 65536

struct sq_dir {
    int fd;
    HANDLE os;
    bool has_more; /* in the buffer */
    size_t at;
    struct dirent entry;
    _Alignas(16) unsigned char buffer[BUFFER_BYTES];
};

DIR *
sq_call_fdopendir(int fd) {
    struct sq_handle folder = sq_handle_get(fd);
    struct sq_dir *dir = NULL;
    if (refused_for_good()) {
        return NULL;
    }
    if (folder.kind != SQ_HANDLE_FOLDER) {
        errno = ENOTDIR;
        return NULL;
    }
    dir = sq_call_alloc(1, sizeof(*dir));
    if (!dir) {
        errno = ENOMEM;
        return NULL;
    }
    dir->fd = fd;
    dir->os = folder.os;
    dir->has_more = false;
    return dir;
}

/* Fills the buffer. Returns false at the end; errno is then 0. */
static bool
fill(struct sq_dir *dir) {
    if (GetFileInformationByHandleEx(dir->os, FileIdBothDirectoryInfo,
                                     dir->buffer, sizeof(dir->buffer))) {
        dir->at = 0;
        dir->has_more = true;
        return true;
    }
    DWORD code = GetLastError();
    errno = 0;
    if (code != ERROR_NO_MORE_FILES && code != ERROR_FILE_NOT_FOUND) {
        sq_windows_fail(code);
    }
    return false;
}

/* OneDrive's files and folders have a tag, too, but are what they seem. */
static unsigned char
type_of(const FILE_ID_BOTH_DIR_INFO *info) {
    DWORD attributes = info->FileAttributes;
    /* Of a file with a tag, this field is the tag. */
    bool is_link = attributes & FILE_ATTRIBUTE_REPARSE_POINT
                && IsReparseTagNameSurrogate(info->EaSize);
    return is_link                               ? DT_LNK
         : attributes & FILE_ATTRIBUTE_DIRECTORY ? DT_DIR
                                                 : DT_REG;
}

struct dirent *
sq_call_readdir(DIR *dir, size_t nth) {
    errno = 0;
    if (nth % SQ_ENTRIES_AT_ONCE == 0 && refused_for_good()) {
        return NULL;
    }
    if (!dir->has_more && !fill(dir)) {
        return NULL;
    }
    const FILE_ID_BOTH_DIR_INFO *info = (const void *)(dir->buffer + dir->at);
    int len = WideCharToMultiByte(
        CP_UTF8, 0, info->FileName, (int)(info->FileNameLength / 2),
        dir->entry.d_name, (int)sizeof(dir->entry.d_name) - 1, NULL, NULL);
    dir->entry.d_name[len > 0 ? len : 0] = '\0';
    dir->entry.d_type = type_of(info);
    dir->has_more = info->NextEntryOffset != 0;
    dir->at += info->NextEntryOffset;
    return &dir->entry;
}

void
sq_call_closedir(DIR *dir) {
    sq_call_close(dir->fd);
    sq_call_free(dir);
}

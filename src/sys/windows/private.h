/* What the files of this folder share. Not for other files. */
#ifndef SQ_SYS_WINDOWS_PRIVATE_H
#define SQ_SYS_WINDOWS_PRIVATE_H

#include <winsock2.h>
#include <windows.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sq_ring;

/*
 * What a descriptor stands for. Sockets are not in the table: their descriptor
 * is the value of the SOCKET, which is a multiple of 4, as libevent expects.
 * 0, 1 and 2 are the standard streams; others begin at SQ_FIRST_HANDLE.
 */
enum sq_handle_kind {
    SQ_HANDLE_NONE,
    SQ_HANDLE_FILE,
    SQ_HANDLE_FOLDER,
    SQ_HANDLE_STREAM, /* a pipe, console or device of another process */
    SQ_HANDLE_READ_END,
    SQ_HANDLE_WRITE_END,
};

struct sq_handle {
    enum sq_handle_kind kind;
    HANDLE os;            /* of a file, folder or stream */
    struct sq_ring *ring; /* of a pipe of this process, or a pumped stream */
    bool appends;
    bool blocks; /* reads and writes of a pipe wait */
};

#define SQ_FIRST_HANDLE 0x40000000
#define SQ_MAX_HANDLES 8192

/* Returns a copy of the entry; its kind is SQ_HANDLE_NONE if there is none. */
struct sq_handle sq_handle_get(int fd);

/* Adds an entry. Returns its descriptor; -1 and EMFILE if the table is full. */
int sq_handle_add(struct sq_handle entry);

/* Removes an entry, which the caller then closes. */
struct sq_handle sq_handle_take(int fd);

/* Changes an entry in place. */
void sq_handle_set(int fd, struct sq_handle entry);

static inline bool
sq_is_socket(int fd) {
    return fd > 2 && fd < SQ_FIRST_HANDLE;
}

/*
 * A pipe within this process: a ring of bytes with one event for readers and
 * one for writers. It has a reference for each descriptor and thread that uses
 * an end of it.
 */
struct sq_ring *sq_ring_create(void);
void sq_ring_hold(struct sq_ring *ring, bool is_writer);
void sq_ring_release(struct sq_ring *ring, bool is_writer);

/* Like read and write; `waits`: instead of failing with EAGAIN. */
ssize_t sq_ring_read(struct sq_ring *ring, void *into, size_t count,
                     bool waits);
ssize_t sq_ring_write(struct sq_ring *ring, const void *from, size_t count,
                      bool waits);

/* Returns which of the poll() events are there; *event is set on changes. */
short sq_ring_events(struct sq_ring *ring, bool is_writer, HANDLE *event);

/* Waits until the reader has taken everything, at most so long. */
void sq_ring_await_empty(struct sq_ring *ring, int timeout_ms);

/*
 * Starts a thread that copies between a ring and a handle until either ends,
 * and then closes the handle. is_input: from the handle into the ring.
 */
bool sq_pump_start(struct sq_ring *ring, HANDLE handle, bool is_input);

static inline int
fail(int number) {
    errno = number;
    return -1;
}

/*
 * Memory that a call needs here. Its lack is a failure of that call, of which
 * SQ_FAULT_CALL has all; SQ_FAULT_ALLOC counts the same as on other systems.
 */
static inline void *
sq_call_alloc(size_t count, size_t size) {
    return count > SIZE_MAX / size
             ? NULL
             : HeapAlloc(GetProcessHeap(), 0, count * size);
}

static inline void *
sq_call_zalloc(size_t count, size_t size) {
    return count > SIZE_MAX / size
             ? NULL
             : HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, count * size);
}

static inline void
sq_call_free(void *memory) {
    if (memory) {
        HeapFree(GetProcessHeap(), 0, memory);
    }
}

/* Sets errno by a code of GetLastError() and returns -1. */
int sq_windows_fail(DWORD code);

/* The same by the result of a call of ntdll. */
int sq_windows_fail_status(LONG status);

#define SQ_WIDE_SIZE 32768 /* units of the longest path */

/*
 * Converts UTF-8 to UTF-16. Returns NULL and sets errno; the caller frees it.
 */
wchar_t *sq_wide(const char *text);

/* Converts UTF-16 to UTF-8. Returns false if it does not fit. */
bool sq_narrow(const wchar_t *text, char *out, size_t size);

/*
 * Returns whether a name of a file means only itself: no stream, device, dots
 * or spaces at its end, and no character that Windows reserves.
 */
bool sq_is_plain_name(const char *name, size_t len);

/*
 * Returns the absolute path in the form of the kernel: \??\C:\folder. Sets
 * errno if a part of it is not plain. The caller frees it.
 */
wchar_t *sq_kernel_path(const char *path);

/* Writes the path of an open file or folder with slashes: C:/folder. */
bool sq_path_of_handle(HANDLE handle, char *out, size_t size);

/*
 * Returns a security descriptor that admits only this user, or NULL. It stays
 * valid.
 */
void *sq_owner_only(void);

/* Makes Ctrl-C and the end of the console write into the pipe; -1: no more. */
void sq_console_notify(int write_end);

#endif

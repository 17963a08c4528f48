/* The table of descriptors, and pipes within this process. */
#include "sys/windows/private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"

#define RING_BYTES ((size_t)64 << 10)
#define PUMP_BYTES 65536

static SRWLOCK table_lock = SRWLOCK_INIT;
static struct sq_handle table[SQ_MAX_HANDLES];
static int first_free;

/* 0, 1, 2: looked up when they are first used. */
static struct sq_handle standard[3];

struct sq_ring {
    SRWLOCK lock;
    LONG readers;
    LONG writers;
    HANDLE can_read;  /* there are bytes, or no writer is left */
    HANDLE can_write; /* there is room, or no reader is left */
    size_t start;
    size_t used;
    size_t unwritten; /* bytes that a pump has taken and not written */
    unsigned char bytes[RING_BYTES];
};

/* Called with the lock held. */
static struct sq_handle *
entry_of(int fd) {
    if (fd >= 0 && fd < 3) {
        return &standard[fd];
    }
    int index = fd - SQ_FIRST_HANDLE;
    return index >= 0 && index < SQ_MAX_HANDLES ? &table[index] : NULL;
}

/* Called with the lock held. Reading is left to a thread: see pipes.c. */
static void
open_standard(int fd) {
    static const DWORD names[] = { STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
                                   STD_ERROR_HANDLE };
    HANDLE os = GetStdHandle(names[fd]);
    if (os && os != INVALID_HANDLE_VALUE) {
        bool is_file = GetFileType(os) == FILE_TYPE_DISK;
        standard[fd] = (struct sq_handle){
            .kind = is_file ? SQ_HANDLE_FILE : SQ_HANDLE_STREAM,
            .os = os,
            .blocks = true,
        };
    }
}

struct sq_handle
sq_handle_get(int fd) {
    struct sq_handle found = { .kind = SQ_HANDLE_NONE };
    AcquireSRWLockExclusive(&table_lock);
    if (fd >= 0 && fd < 3 && standard[fd].kind == SQ_HANDLE_NONE) {
        open_standard(fd);
    }
    const struct sq_handle *entry = entry_of(fd);
    if (entry) {
        found = *entry;
    }
    ReleaseSRWLockExclusive(&table_lock);
    return found;
}

void
sq_handle_set(int fd, struct sq_handle changed) {
    AcquireSRWLockExclusive(&table_lock);
    struct sq_handle *entry = entry_of(fd);
    if (entry) {
        *entry = changed;
    }
    ReleaseSRWLockExclusive(&table_lock);
}

int
sq_handle_add(struct sq_handle entry) {
    int fd = -1;
    AcquireSRWLockExclusive(&table_lock);
    for (int i = first_free; fd < 0 && i < SQ_MAX_HANDLES; i++) {
        if (table[i].kind == SQ_HANDLE_NONE) {
            table[i] = entry;
            first_free = i + 1;
            fd = SQ_FIRST_HANDLE + i;
        }
    }
    ReleaseSRWLockExclusive(&table_lock);
    errno = fd < 0 ? EMFILE : errno;
    return fd;
}

struct sq_handle
sq_handle_take(int fd) {
    struct sq_handle taken = { .kind = SQ_HANDLE_NONE };
    int index = fd - SQ_FIRST_HANDLE;
    AcquireSRWLockExclusive(&table_lock);
    struct sq_handle *entry = entry_of(fd);
    if (entry) {
        taken = *entry;
        *entry = (struct sq_handle){ .kind = SQ_HANDLE_NONE };
    }
    if (entry && index >= 0 && index < first_free) {
        first_free = index;
    }
    ReleaseSRWLockExclusive(&table_lock);
    return taken;
}

struct sq_ring *
sq_ring_create(void) {
    struct sq_ring *ring = sq_call_zalloc(1, sizeof(*ring));
    if (!ring) {
        errno = ENOMEM;
        return NULL;
    }
    InitializeSRWLock(&ring->lock);
    ring->readers = ring->writers = 1;
    ring->can_read = CreateEventW(NULL, TRUE, FALSE, NULL);
    ring->can_write = CreateEventW(NULL, TRUE, TRUE, NULL);
    if (ring->can_read && ring->can_write) {
        return ring;
    }
    if (ring->can_read) {
        CloseHandle(ring->can_read);
    }
    sq_call_free(ring);
    errno = ENOMEM;
    return NULL;
}

/* Called with the lock held. */
static void
update_events(struct sq_ring *ring) {
    if (ring->used > 0 || ring->writers == 0) {
        SetEvent(ring->can_read);
    } else {
        ResetEvent(ring->can_read);
    }
    if (ring->used < RING_BYTES || ring->readers == 0) {
        SetEvent(ring->can_write);
    } else {
        ResetEvent(ring->can_write);
    }
}

void
sq_ring_hold(struct sq_ring *ring, bool is_writer) {
    AcquireSRWLockExclusive(&ring->lock);
    ring->writers += is_writer;
    ring->readers += !is_writer;
    ReleaseSRWLockExclusive(&ring->lock);
}

void
sq_ring_release(struct sq_ring *ring, bool is_writer) {
    AcquireSRWLockExclusive(&ring->lock);
    ring->writers -= is_writer;
    ring->readers -= !is_writer;
    bool is_last = ring->writers + ring->readers == 0;
    update_events(ring);
    ReleaseSRWLockExclusive(&ring->lock);
    if (is_last) {
        CloseHandle(ring->can_read);
        CloseHandle(ring->can_write);
        sq_call_free(ring);
    }
}

/* Called with the lock held. */
static size_t
take_bytes(struct sq_ring *ring, unsigned char *into, size_t count) {
    count = count < ring->used ? count : ring->used;
    size_t first = RING_BYTES - ring->start;
    first = first < count ? first : count;
    memcpy(into, ring->bytes + ring->start, first);
    memcpy(into + first, ring->bytes, count - first);
    ring->start = (ring->start + count) % RING_BYTES;
    ring->used -= count;
    return count;
}

/* Called with the lock held. */
static size_t
put_bytes(struct sq_ring *ring, const unsigned char *from, size_t count) {
    size_t room = RING_BYTES - ring->used;
    count = count < room ? count : room;
    size_t end = (ring->start + ring->used) % RING_BYTES;
    size_t first = RING_BYTES - end;
    first = first < count ? first : count;
    memcpy(ring->bytes + end, from, first);
    memcpy(ring->bytes, from + first, count - first);
    ring->used += count;
    return count;
}

ssize_t
sq_ring_read(struct sq_ring *ring, void *into, size_t count, bool waits) {
    for (;;) {
        AcquireSRWLockExclusive(&ring->lock);
        size_t got = take_bytes(ring, into, count);
        ring->unwritten = waits ? got : 0;
        bool is_over = ring->writers == 0;
        update_events(ring);
        ReleaseSRWLockExclusive(&ring->lock);
        if (got > 0 || is_over || count == 0) {
            return (ssize_t)got;
        }
        if (!waits) {
            return fail(EAGAIN);
        }
        WaitForSingleObject(ring->can_read, INFINITE);
    }
}

ssize_t
sq_ring_write(struct sq_ring *ring, const void *from, size_t count,
              bool waits) {
    for (;;) {
        AcquireSRWLockExclusive(&ring->lock);
        bool is_broken = ring->readers == 0;
        size_t put = is_broken ? 0 : put_bytes(ring, from, count);
        update_events(ring);
        ReleaseSRWLockExclusive(&ring->lock);
        if (is_broken) {
            return fail(EPIPE);
        }
        if (put > 0 || count == 0) {
            return (ssize_t)put;
        }
        if (!waits) {
            return fail(EAGAIN);
        }
        WaitForSingleObject(ring->can_write, INFINITE);
    }
}

short
sq_ring_events(struct sq_ring *ring, bool is_writer, HANDLE *event) {
    int found = 0;
    AcquireSRWLockExclusive(&ring->lock);
    if (is_writer) {
        found |= ring->used < RING_BYTES ? POLLOUT : 0;
        found |= ring->readers == 0 ? POLLERR : 0;
    } else {
        found |= ring->used > 0 ? POLLIN : 0;
        found |= ring->writers == 0 ? POLLHUP : 0;
    }
    ReleaseSRWLockExclusive(&ring->lock);
    *event = is_writer ? ring->can_write : ring->can_read;
    return (short)found;
}

void
sq_ring_await_empty(struct sq_ring *ring, int timeout_ms) {
    ULONGLONG end = GetTickCount64() + (ULONGLONG)timeout_ms;
    for (;;) {
        AcquireSRWLockExclusive(&ring->lock);
        bool is_empty =
            (ring->used == 0 && ring->unwritten == 0) || ring->readers == 0;
        ReleaseSRWLockExclusive(&ring->lock);
        if (is_empty || GetTickCount64() >= end) {
            return;
        }
        Sleep(1);
    }
}

struct pump {
    struct sq_ring *ring;
    HANDLE handle;
    bool is_input;
};

static void
pump_in(const struct pump *pump, unsigned char *bytes) {
    DWORD got;
    while (ReadFile(pump->handle, bytes, PUMP_BYTES, &got, NULL) && got > 0) {
        for (DWORD at = 0; at < got;) {
            ssize_t put = sq_ring_write(pump->ring, bytes + at, got - at, true);
            if (put < 0) {
                return;
            }
            at += (DWORD)put;
        }
    }
}

static void
pump_out(const struct pump *pump, unsigned char *bytes) {
    ssize_t got;
    while ((got = sq_ring_read(pump->ring, bytes, PUMP_BYTES, true)) > 0) {
        for (DWORD at = 0; at < (DWORD)got;) {
            DWORD put;
            if (!WriteFile(pump->handle, bytes + at, (DWORD)got - at, &put,
                           NULL)) {
                return;
            }
            at += put;
        }
    }
}

static DWORD WINAPI
run_pump(void *context) {
    struct pump *pump = context;
    unsigned char *bytes = sq_call_alloc(1, PUMP_BYTES);
    if (bytes && pump->is_input) {
        pump_in(pump, bytes);
    } else if (bytes) {
        pump_out(pump, bytes);
    }
    CloseHandle(pump->handle);
    sq_ring_release(pump->ring, pump->is_input);
    sq_call_free(bytes);
    sq_call_free(pump);
    return 0;
}

bool
sq_pump_start(struct sq_ring *ring, HANDLE handle, bool is_input) {
    struct pump *pump = sq_call_alloc(1, sizeof(*pump));
    if (!pump) {
        errno = ENOMEM;
        return false;
    }
    *pump = (struct pump){ ring, handle, is_input };
    sq_ring_hold(ring, is_input);
    HANDLE thread = CreateThread(NULL, 0, run_pump, pump, 0, NULL);
    if (!thread) {
        sq_ring_release(ring, is_input);
        sq_call_free(pump);
        errno = ENOMEM;
        return false;
    }
    CloseHandle(thread);
    return true;
}

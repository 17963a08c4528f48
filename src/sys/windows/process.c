/* Child processes: started without a shell, ended with this process. */
#include "sys/windows/private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "sys/path.h"
#include "util/buf.h"

#define MAX_COMMAND 32767 /* units of CreateProcess */
#define MAX_CHILDREN 256
#define STREAMS 3

/* Children that were started, until they are ended. */
static struct child {
    pid_t id; /* 0: free */
    HANDLE process;
    HANDLE job; /* NULL: it goes on after us */
} children[MAX_CHILDREN];
static SRWLOCK children_lock = SRWLOCK_INIT;

/*
 * Quotes a word as the C library of Windows splits command lines: backslashes
 * are special only before a quotation mark.
 */
static bool
append_word(struct sq_buf *line, const char *word) {
    bool ok = sq_buf_append(line, "\"", 1, NULL);
    size_t backslashes = 0;
    for (const char *c = word; ok && *c; c++) {
        bool is_quote = *c == '"';
        for (size_t i = 0; ok && is_quote && i <= backslashes; i++) {
            ok = sq_buf_append(line, "\\", 1, NULL);
        }
        backslashes = *c == '\\' ? backslashes + 1 : 0;
        ok = ok && sq_buf_append(line, c, 1, NULL);
    }
    for (size_t i = 0; ok && i < backslashes; i++) {
        ok = sq_buf_append(line, "\\", 1, NULL);
    }
    return ok && sq_buf_append(line, "\" ", 2, NULL);
}

/* The caller frees it. */
static wchar_t *
command_line(const char *const *argv) {
    struct sq_buf line;
    wchar_t *wide = NULL;
    bool ok = true;
    sq_buf_init(&line, (size_t)4 * MAX_COMMAND);
    for (size_t i = 0; ok && argv[i]; i++) {
        ok = append_word(&line, argv[i]);
    }
    errno = ENOMEM;
    if (ok && sq_buf_append(&line, "", 1, NULL)) {
        wide = sq_wide((const char *)line.data);
    }
    sq_buf_finish(&line);
    if (wide && wcslen(wide) > MAX_COMMAND) {
        sq_call_free(wide);
        wide = NULL;
        errno = E2BIG;
    }
    return wide;
}

/* The handles that a child gets, and our ends of their pipes. */
struct streams {
    HANDLE theirs[STREAMS];
    HANDLE ours[STREAMS]; /* NULL: the stream is no pipe of ours */
};

static void
close_handle(HANDLE *handle) {
    if (*handle) {
        CloseHandle(*handle);
        *handle = NULL;
    }
}

static bool
open_stream(struct streams *streams, int index, int fd) {
    struct sq_handle entry = sq_handle_get(fd);
    SECURITY_ATTRIBUTES inherited = { .nLength = sizeof(inherited),
                                      .bInheritHandle = TRUE };
    HANDLE self = GetCurrentProcess();
    HANDLE in;
    HANDLE out;
    if (!entry.ring && !entry.os) {
        errno = ENOTSUP; /* a socket */
        return false;
    }
    if (entry.ring
            ? !CreatePipe(&in, &out, &inherited, 0)
            : !DuplicateHandle(self, entry.os, self, &streams->theirs[index], 0,
                               TRUE, DUPLICATE_SAME_ACCESS)) {
        sq_windows_fail(GetLastError());
        return false;
    }
    if (!entry.ring) {
        return true;
    }
    bool is_input = index == 0;
    streams->theirs[index] = is_input ? in : out;
    streams->ours[index] = is_input ? out : in;
    return SetHandleInformation(streams->ours[index], HANDLE_FLAG_INHERIT, 0);
}

/* Starts a thread for each pipe; it closes our end. */
static bool
start_pumps(struct streams *streams, const struct sq_spawn *spawn) {
    for (int i = 0; i < STREAMS; i++) {
        if (streams->ours[i]) {
            struct sq_handle entry = sq_handle_get(spawn->streams[i]);
            if (!sq_pump_start(entry.ring, streams->ours[i], i > 0)) {
                return false;
            }
            streams->ours[i] = NULL;
        }
    }
    return true;
}

/*
 * Creates a job whose processes end when its last handle is closed: a child,
 * and what it starts unless that is to stay.
 */
static HANDLE
make_job(bool leaves_server) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { 0 };
    HANDLE job = CreateJobObjectW(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        | (leaves_server ? JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK : 0u);
    if (job
        && !SetInformationJobObject(job, JobObjectExtendedLimitInformation,
                                    &limits, sizeof(limits))) {
        close_handle(&job);
    }
    return job;
}

/* Only these three handles are inherited, whatever else is open. */
static bool
create_process(const wchar_t *program, wchar_t *line, struct streams *streams,
               bool is_detached, PROCESS_INFORMATION *out) {
    STARTUPINFOEXW info = {
        .StartupInfo = { .cb = sizeof(info),
                         .dwFlags = STARTF_USESTDHANDLES,
                         .hStdInput = streams->theirs[0],
                         .hStdOutput = streams->theirs[1],
                         .hStdError = streams->theirs[2] },
    };
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    info.lpAttributeList = sq_call_alloc(1, size);
    if (!info.lpAttributeList) {
        SetLastError(ERROR_OUTOFMEMORY);
        return false;
    }
    DWORD flags = CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT
                | CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP
                | (is_detached ? DETACHED_PROCESS : CREATE_NO_WINDOW);
    bool ok =
        InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &size)
        && UpdateProcThreadAttribute(
            info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
            streams->theirs, sizeof(streams->theirs), NULL, NULL)
        && CreateProcessW(program, line, NULL, NULL, TRUE, flags, NULL, NULL,
                          &info.StartupInfo, out);
    DWORD code = GetLastError();
    DeleteProcThreadAttributeList(info.lpAttributeList);
    sq_call_free(info.lpAttributeList);
    SetLastError(code);
    return ok;
}

/* Returns 0 if there is no room. */
static pid_t
remember(pid_t id, HANDLE process, HANDLE job) {
    pid_t kept = 0;
    AcquireSRWLockExclusive(&children_lock);
    for (size_t i = 0; !kept && i < MAX_CHILDREN; i++) {
        if (children[i].id == 0) {
            children[i] = (struct child){ id, process, job };
            kept = id;
        }
    }
    ReleaseSRWLockExclusive(&children_lock);
    return kept;
}

static struct child
find_child(pid_t id, bool takes) {
    struct child found = { 0 };
    AcquireSRWLockExclusive(&children_lock);
    for (size_t i = 0; i < MAX_CHILDREN && !found.id; i++) {
        if (children[i].id == id) {
            found = children[i];
            children[i].id = takes ? 0 : id;
        }
    }
    ReleaseSRWLockExclusive(&children_lock);
    return found;
}

static pid_t
run_program(const struct sq_spawn *spawn, const wchar_t *program, wchar_t *line,
            struct streams *streams) {
    PROCESS_INFORMATION made;
    HANDLE job = spawn->outlives_thread ? NULL : make_job(spawn->leaves_server);
    if (!create_process(program, line, streams, spawn->outlives_thread,
                        &made)) {
        sq_windows_fail(GetLastError());
        int number = errno;
        close_handle(&job);
        return fail(number);
    }
    pid_t id = (pid_t)made.dwProcessId;
    bool ok = (!job || AssignProcessToJobObject(job, made.hProcess))
           && start_pumps(streams, spawn)
           && remember(id, made.hProcess, job) == id;
    if (ok) {
        ResumeThread(made.hThread);
    } else {
        TerminateProcess(made.hProcess, 1);
        CloseHandle(made.hProcess);
        close_handle(&job);
    }
    CloseHandle(made.hThread);
    return ok ? id : fail(EAGAIN);
}

pid_t
sq_call_spawn(const struct sq_spawn *spawn) {
    struct streams streams = { 0 };
    pid_t child = -1;
    if (refused_for_good()) {
        return -1;
    }
    if (spawn->channel) {
        return fail(ENOSYS); /* no Unix sockets to pass on */
    }
    wchar_t *program = sq_wide(spawn->argv[0]);
    wchar_t *line = command_line(spawn->argv);
    bool ok = program && line;
    for (wchar_t *c = program; ok && *c; c++) {
        *c = *c == L'/' ? L'\\' : *c;
    }
    for (int i = 0; ok && i < STREAMS; i++) {
        ok = open_stream(&streams, i, spawn->streams[i]);
    }
    if (ok) {
        child = run_program(spawn, program, line, &streams);
    }
    int number = errno;
    for (int i = 0; i < STREAMS; i++) {
        close_handle(&streams.theirs[i]);
        close_handle(&streams.ours[i]);
    }
    sq_call_free(program);
    sq_call_free(line);
    errno = number;
    return child;
}

int
sq_call_has_ended(pid_t id) {
    struct child child = find_child(id, false);
    if (refused_for_good()) {
        return -1;
    }
    return !child.id || WaitForSingleObject(child.process, 0) == WAIT_OBJECT_0;
}

void
sq_call_interrupt_child(pid_t id) {
    GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, (DWORD)id);
}

int
sq_call_end_child(pid_t id) {
    struct child child = find_child(id, true);
    DWORD code = 0;
    if (!child.id) {
        return SQ_KILLED;
    }
    bool has_ended = WaitForSingleObject(child.process, 0) == WAIT_OBJECT_0;
    if (child.job) {
        TerminateJobObject(child.job, 1);
        CloseHandle(child.job);
    } else if (!has_ended) {
        TerminateProcess(child.process, 1);
    }
    WaitForSingleObject(child.process, INFINITE);
    GetExitCodeProcess(child.process, &code);
    CloseHandle(child.process);
    return has_ended && code < SQ_KILLED ? (int)code : SQ_KILLED;
}

bool
sq_call_process_exists(pid_t pid) {
    HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)pid);
    if (!process) {
        return GetLastError() == ERROR_ACCESS_DENIED;
    }
    bool runs = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    CloseHandle(process);
    return runs;
}

/* No worker runs here: its sandbox does not exist. */

int
sq_call_share_memory(size_t bytes) {
    (void)bytes;
    return fail(ENOSYS);
}

int
sq_call_freeze_memory(int fd) {
    (void)fd;
    return fail(ENOSYS);
}

ssize_t
sq_call_send_fd(int socket, const void *from, size_t count, int fd) {
    (void)socket, (void)from, (void)count, (void)fd;
    return fail(ENOSYS);
}

ssize_t
sq_call_receive_fd(int socket, void *into, size_t count, int *fd) {
    (void)socket, (void)into, (void)count, (void)fd;
    return fail(ENOSYS);
}

void *
sq_call_map(int fd, size_t offset, size_t bytes, bool is_private) {
    (void)fd, (void)offset, (void)bytes, (void)is_private;
    errno = ENOSYS;
    return NULL;
}

void
sq_call_unmap(void *memory, size_t bytes) {
    (void)memory, (void)bytes;
}

int
sq_call_limit_process(const struct sq_process_limits *limits) {
    (void)limits;
    return fail(ENOSYS);
}

int
sq_call_leave_files(const char *folder) {
    (void)folder;
    return fail(ENOSYS);
}

int
sq_call_leave_system(bool reads_files) {
    (void)reads_files;
    return fail(ENOSYS);
}

/* The user, the processors, the console, and what Windows does not have. */
#include "sys/windows/private.h"

#include <aclapi.h>
#include <errno.h>
#include <limits.h>
#include <ntsecapi.h>
#include <sddl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "sys/sandbox.h"
#include "sys/terminal.h"

#define SDDL_SIZE 400

/* One user per session; files tell their owner by their list of rights. */
uid_t
sq_call_user(void) {
    return 0;
}

int
sq_call_processors(void) {
    return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

void
sq_call_lower_priority(void) {
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_LOWEST);
}

int
sq_descriptor_limit(void) {
    return INT_MAX;
}

static ssize_t
take_random(void *into, size_t count) {
    ULONG step = count < MAXLONG ? (ULONG)count : MAXLONG;
    if (!RtlGenRandom(into, step)) {
        errno = EIO;
        return -1;
    }
    return (ssize_t)step;
}

TRANSFER(getrandom, (void *into, size_t count), take_random(into, count))

/* Returns the text of a list of rights that admits this user and the system. */
static bool
write_rights(wchar_t out[SDDL_SIZE]) {
    HANDLE token;
    wchar_t *sid = NULL;
    _Alignas(16) unsigned char buffer[256];
    DWORD size = sizeof(buffer);
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
        return false;
    }
    bool ok = GetTokenInformation(token, TokenUser, buffer, size, &size)
           && ConvertSidToStringSidW(((TOKEN_USER *)(void *)buffer)->User.Sid,
                                     &sid);
    if (ok) {
        swprintf(out, SDDL_SIZE, L"D:P(A;OICI;FA;;;%ls)(A;OICI;FA;;;SY)", sid);
        LocalFree(sid);
    }
    CloseHandle(token);
    return ok;
}

static BOOL CALLBACK
make_rights(INIT_ONCE *once, void *unused, void **out) {
    wchar_t text[SDDL_SIZE];
    (void)once, (void)unused;
    *out = NULL;
    if (write_rights(text)) {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            text, SDDL_REVISION_1, out, NULL);
    }
    return TRUE;
}

void *
sq_owner_only(void) {
    static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
    void *rights = NULL;
    InitOnceExecuteOnce(&once, make_rights, NULL, &rights);
    return rights;
}

/* Events of the console arrive on a thread of their own: nothing to hold. */
void
sq_call_hold_signals(sigset_t *saved) {
    *saved = 0;
}

void
sq_call_release_signals(const sigset_t *saved) {
    (void)saved;
}

static volatile LONG notified = -1;

static BOOL WINAPI
on_console(DWORD event) {
    int fd = (int)notified;
    unsigned char byte =
        (unsigned char)(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    if (fd < 0) {
        return FALSE;
    }
    sq_call_write(fd, &byte, 1);
    /* After this returns, Windows ends the process in these cases. */
    if (event == CTRL_CLOSE_EVENT || event == CTRL_LOGOFF_EVENT
        || event == CTRL_SHUTDOWN_EVENT) {
        Sleep(INFINITE);
    }
    return TRUE;
}

int
sq_call_catch_signal(int number, int write_end, struct sigaction *old) {
    (void)number;
    *old = (struct sigaction){ NULL };
    if (refused_for_good()) {
        return -1;
    }
    if (InterlockedExchange(&notified, write_end) < 0) {
        SetConsoleCtrlHandler(on_console, TRUE);
    }
    return 0;
}

int
sq_call_ignore_signal(int number, struct sigaction *old) {
    (void)number;
    *old = (struct sigaction){ NULL };
    return refused_for_good() ? -1 : 0;
}

int
sq_call_restore_signal(int number, const struct sigaction *old) {
    (void)number, (void)old;
    if (InterlockedExchange(&notified, -1) >= 0) {
        SetConsoleCtrlHandler(on_console, FALSE);
    }
    return 0;
}

static HANDLE
console_of(int fd) {
    struct sq_handle entry = sq_handle_get(fd);
    DWORD mode;
    return entry.os && GetConsoleMode(entry.os, &mode) ? entry.os : NULL;
}

bool
sq_is_terminal(int fd) {
    return console_of(fd) != NULL;
}

int
sq_call_window_size(int fd, struct winsize *out) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(console_of(fd), &info)) {
        return sq_windows_fail(GetLastError());
    }
    const SMALL_RECT *window = &info.srWindow;
    *out = (struct winsize){
        .ws_row = (unsigned short)(window->Bottom - window->Top + 1),
        .ws_col = (unsigned short)(window->Right - window->Left + 1),
    };
    return 0;
}

void *
sq_call_open_library(const char *name) {
    wchar_t *wide = refused_for_good() ? NULL : sq_wide(name);
    void *library =
        wide ? (void *)LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_SYSTEM32)
             : NULL;
    sq_call_free(wide);
    return library;
}

void *
sq_call_find_symbol(void *library, const char *name) {
    union {
        FARPROC function;
        void *any;
    } found = { .function = GetProcAddress(library, name) };
    return found.any;
}

int
sq_call_set_variable(const char *name, const char *value) {
    wchar_t *wide_name = refused_for_good() ? NULL : sq_wide(name);
    wchar_t *wide_value = sq_wide(value);
    bool ok = wide_name && wide_value
           && SetEnvironmentVariableW(wide_name, wide_value);
    sq_call_free(wide_name);
    sq_call_free(wide_value);
    return ok ? 0 : -1;
}

/* A server is not confined: docs/windows.md and doctor say so. */

struct sq_sandbox
sq_sandbox_state(void) {
    return (struct sq_sandbox){ 0 };
}

struct sq_sandbox
sq_sandbox_available(void) {
    return (struct sq_sandbox){ 0 };
}

bool
sq_sandbox_enter(const struct sq_sandbox_plan *plan, struct sq_err *err) {
    (void)plan, (void)err;
    return true;
}

void
sq_sandbox_describe(struct sq_sandbox sandbox, char out[SQ_SANDBOX_TEXT_SIZE]) {
    (void)sandbox;
    snprintf(out, SQ_SANDBOX_TEXT_SIZE,
             "nothing: squint has no sandbox on Windows");
}

bool
sq_sandbox_forbid_dumps(void) {
    return false;
}

bool
sq_sandbox_fork_helper(struct sq_err *err) {
    (void)err;
    return true;
}

void
sq_sandbox_end_helper(void) {
}

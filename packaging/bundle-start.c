/*
 * bundle-start.exe [FOLDER ...]: what bundle-start does, on Windows: starts the server of
 * the bundle with what the person has set in the client. The server ends with it.
 */
#include <windows.h>

#include <wchar.h>

#define MAX_LINE 32767 /* units of CreateProcess */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static wchar_t line[MAX_LINE];

/* Appends to the command line; what does not fit ends the program. */
static void
append(const wchar_t *text) {
    if (wcslen(line) + wcslen(text) >= COUNT(line)) {
        ExitProcess(2);
    }
    wcscat(line, text);
}

/* Returns whether a setting was left empty, or not replaced by the client. */
static BOOL
is_unset(const wchar_t *text) {
    return !text[0] || (text[0] == L'$' && text[1] == L'{');
}

/* No path has a quotation mark; backslashes before one would quote it. */
static void
append_path(const wchar_t *path) {
    append(L"\"");
    append(path);
    for (size_t at = wcslen(path); at > 0 && path[at - 1] == L'\\'; at--) {
        append(L"\\");
    }
    append(L"\"");
}

static void
drop_empty_settings(void) {
    static const wchar_t *const names[] = {
        L"ANDROID_SERIAL", L"SQUINT_UI_OCR_ENABLED",
        L"SQUINT_UI_TEMPLATE_MATCHING_ENABLED"
    };
    static wchar_t value[MAX_LINE];
    for (size_t i = 0; i < COUNT(names); i++) {
        value[0] = L'\0';
        GetEnvironmentVariableW(names[i], value, MAX_LINE);
        if (is_unset(value)) {
            SetEnvironmentVariableW(names[i], NULL);
        }
    }
}

/* Returns the exit code of the program. */
static DWORD
run(void) {
    STARTUPINFOW info = { .cb = sizeof(info) };
    PROCESS_INFORMATION made;
    DWORD code = 1;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { 0 };
    HANDLE job = CreateJobObjectW(NULL, NULL);
    /* adb's server, which the server may start, stays. */
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
                            sizeof(limits));
    if (CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL,
                       &info, &made)) {
        AssignProcessToJobObject(job, made.hProcess);
        ResumeThread(made.hThread);
        WaitForSingleObject(made.hProcess, INFINITE);
        GetExitCodeProcess(made.hProcess, &code);
    }
    return code;
}

int
wmain(int argc, wchar_t **argv) {
    static wchar_t own[MAX_LINE];
    GetModuleFileNameW(NULL, own, MAX_LINE);
    wchar_t *name = wcsrchr(own, L'\\');
    if (!name || wcslen(own) + 20 > COUNT(own)) {
        return 2;
    }
    wcscpy(name + 1, L"squint.exe");
    append_path(own);
    append(L" mcp");
    for (int i = 1; i < argc; i++) {
        if (!is_unset(argv[i])) {
            append(L" --archive ");
            append_path(argv[i]);
        }
    }
    drop_empty_settings();
    return (int)run();
}

/* Starts the program with words and an environment in UTF-8. */
#include "sys/windows/private.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "sys/path.h"

int main(int argc, char **argv);
int wmain(int argc, wchar_t **wide);

/* "NAME=value", as they were at the start; they are never freed. */
char **environ;

static char *
narrow_copy(const wchar_t *wide) {
    int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = bytes > 0 ? sq_call_alloc((size_t)bytes, 1) : NULL;
    if (text) {
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, bytes, NULL, NULL);
    }
    return text;
}

static bool
read_environment(void) {
    wchar_t *block = GetEnvironmentStringsW();
    size_t count = 0;
    size_t copied = 0;
    bool ok = block != NULL;
    for (const wchar_t *at = block; ok && *at; at += wcslen(at) + 1) {
        count++;
    }
    environ = sq_call_zalloc(count + 1, sizeof(*environ));
    ok = ok && environ;
    for (const wchar_t *at = block; ok && *at; at += wcslen(at) + 1) {
        environ[copied] = narrow_copy(at);
        ok = environ[copied++] != NULL;
    }
    if (block) {
        FreeEnvironmentStringsW(block);
    }
    return ok;
}

/* Names are equal whatever their case. */
char *
sq_getenv(const char *name) {
    size_t len = strlen(name);
    for (char **at = environ; at && *at; at++) {
        if (_strnicmp(*at, name, len) == 0 && (*at)[len] == '=') {
            return *at + len + 1;
        }
    }
    return NULL;
}

/* Lets a console show UTF-8, and colours if it can. */
static void
prepare_console(void) {
    static const DWORD streams[] = { STD_OUTPUT_HANDLE, STD_ERROR_HANDLE };
    SetConsoleOutputCP(CP_UTF8);
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
        DWORD mode;
        HANDLE console = GetStdHandle(streams[i]);
        if (GetConsoleMode(console, &mode)) {
            SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        }
    }
    for (int fd = 0; fd < 3; fd++) {
        _setmode(fd, _O_BINARY); /* no CR before LF */
    }
}

int
wmain(int argc, wchar_t **wide) {
    WSADATA winsock;
    char **argv = sq_call_zalloc((size_t)argc + 1, sizeof(*argv));
    bool ok = argv && read_environment() && WSAStartup(0x0202, &winsock) == 0;
    for (int i = 0; ok && i < argc; i++) {
        argv[i] = narrow_copy(wide[i]);
        ok = argv[i] != NULL;
    }
    if (!ok) {
        return EXIT_FAILURE;
    }
    /* A folder with a program of that name must not be searched for DLLs. */
    SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    prepare_console();
    return main(argc, argv);
}

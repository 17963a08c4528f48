/*
 * An adb.exe for tests under Wine: "start-server" starts a process that stays,
 * has every handle that it can inherit, and runs the adb of this machine, the
 * server.
 */
#include <winsock2.h>
#include <windows.h>

#include <stdio.h>
#include <string.h>

static int
run(wchar_t *line, DWORD flags, BOOL waits) {
    STARTUPINFOW info = { .cb = sizeof(info) };
    PROCESS_INFORMATION made;
    DWORD code = 0;
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, &info,
                        &made)) {
        fprintf(stderr, "adb: cannot start %ls: %lu\n", line, GetLastError());
        return 1;
    }
    if (waits) {
        WaitForSingleObject(made.hProcess, INFINITE);
        GetExitCodeProcess(made.hProcess, &code);
    }
    return (int)code;
}

/* Returns 0 as soon as the server listens. */
static int
wait_for_server(const wchar_t *port) {
    struct sockaddr_in at = { .sin_family = AF_INET };
    WSADATA winsock;
    WSAStartup(0x0202, &winsock);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons((unsigned short)wcstol(port, NULL, 10));
    for (int i = 0; i < 200; i++) {
        SOCKET one = socket(AF_INET, SOCK_STREAM, 0);
        int result = connect(one, (struct sockaddr *)&at, sizeof(at));
        closesocket(one);
        if (result == 0) {
            return 0;
        }
        Sleep(50);
    }
    return 1;
}

int
wmain(int argc, wchar_t **argv) {
    wchar_t line[2000];
    wchar_t own[1000];
    const wchar_t *port = argc == 4 ? argv[2] : L"";
    if (argc != 4 || wcscmp(argv[1], L"-P") != 0) {
        fprintf(stderr, "adb: wants -P PORT and a word\n");
        return 2;
    }
    GetModuleFileNameW(NULL, own, 1000);
    if (wcscmp(argv[3], L"start-server") == 0) {
        swprintf(line, 2000, L"\"%ls\" -P %ls stay", own, port);
        return run(line, DETACHED_PROCESS, FALSE) || wait_for_server(port);
    }
    swprintf(line, 2000, L"\"Z:\\usr\\bin\\adb\" -P %ls start-server", port);
    int status = run(line, 0, TRUE);
    Sleep(60000);
    return status;
}

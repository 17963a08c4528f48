/*
 * squint-selftest.exe: tests what Wine cannot show. A person runs it on a real
 * Windows and sends back what it prints. It changes nothing but a folder of its
 * own in the folder for temporary files. With a word it is one of its own
 * helpers.
 */
#include "windows/selftest.h"

#include <aclapi.h>
#include <fcntl.h>
#include <sddl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <winioctl.h>

#include "archive/activity/database.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "util/mem.h"

#define SCRATCH_SIZE 300
#define ROWS 200

static char why[TEXT_SIZE]; /* of the test that runs */
static char scratch[SCRATCH_SIZE];
char selftest_program[SQ_PATH_SIZE];

/* In the scratch folder; valid for a few calls. */
static const char *
in_scratch(const char *name) {
    static char paths[8][SCRATCH_SIZE + TEXT_SIZE];
    static int turn;
    char *path = paths[turn++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
    return path;
}

enum verdict
say(enum verdict verdict, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    return verdict;
}

static bool
put(const char *path, const char *text) {
    int fd = sq_call_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    bool ok = fd >= 0 && sq_call_write(fd, text, strlen(text)) > 0;
    return (fd < 0 || sq_call_close(fd) == 0) && ok;
}

/* Makes a folder a junction to another one: C:/folder. */
static bool
make_junction(const char *path, const char *target) {
    struct {
        DWORD tag;
        WORD bytes;
        WORD reserved;
        WORD name_at, name_bytes, shown_at, shown_bytes;
        wchar_t text[2 * MAX_PATH];
    } data = { .tag = IO_REPARSE_TAG_MOUNT_POINT };
    wchar_t *name = sq_kernel_path(target);
    wchar_t *place = sq_wide(path);
    if (!name || !place || sq_call_mkdirat(AT_FDCWD, path) != 0) {
        return false;
    }
    size_t bytes = wcslen(name) * sizeof(wchar_t);
    memcpy(data.text, name, bytes);
    data.name_bytes = (WORD)bytes;
    data.shown_at = (WORD)(bytes + sizeof(wchar_t));
    data.bytes = (WORD)(8 + bytes + 2 * sizeof(wchar_t));
    HANDLE folder = CreateFileW(
        place, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
        OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    DWORD got;
    bool ok = DeviceIoControl(folder, FSCTL_SET_REPARSE_POINT, &data,
                              data.bytes + 8u, NULL, 0, &got, NULL);
    CloseHandle(folder);
    sq_mem_free(name);
    sq_mem_free(place);
    return ok;
}

/* Expects that a link in the folder "root" leads nowhere. */
static enum verdict
expect_no_way(const char *link, const char *through) {
    int root = sq_call_open_dir(in_scratch("root"));
    struct stat st;
    EXPECT(root >= 0);
    EXPECT(sq_call_lstatat(root, link, &st) == 0 && S_ISLNK(st.st_mode));
    errno = 0;
    EXPECT(sq_open_beneath(root, through) < 0 && errno == ELOOP);
    EXPECT(sq_open_folder_beneath(root, link) < 0);
    EXPECT(sq_call_enter_dir(root, link) < 0 || errno == ELOOP);
    sq_call_close(root);
    return PASSED;
}

static enum verdict
junction_leads_nowhere(void) {
    put(in_scratch("outside/secret.txt"), "secret");
    if (!make_junction(in_scratch("root/junction"), in_scratch("outside"))) {
        return say(IMPOSSIBLE, "no junction can be made (error %lu)",
                   GetLastError());
    }
    return expect_no_way("junction", "junction/secret.txt");
}

static enum verdict
make_link(const char *name, const char *target, DWORD flags) {
    const DWORD for_developers = 2; /* without a privilege */
    wchar_t *path = sq_wide(in_scratch(name));
    wchar_t *to = sq_wide(target);
    for (wchar_t *c = to; *c; c++) {
        *c = *c == L'/' ? L'\\' : *c;
    }
    bool ok = CreateSymbolicLinkW(path, to, flags | for_developers)
           && GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
    sq_mem_free(path);
    sq_mem_free(to);
    return ok ? PASSED
              : say(IMPOSSIBLE,
                    "no link can be made (error %lu; 1314: switch on developer "
                    "mode)",
                    GetLastError());
}

static enum verdict
folder_link_leads_nowhere(void) {
    enum verdict made = make_link("root/folder-link", in_scratch("outside"), 1);
    return made ? made : expect_no_way("folder-link", "folder-link/secret.txt");
}

static enum verdict
file_link_leads_nowhere(void) {
    enum verdict made =
        make_link("root/file-link", in_scratch("outside/secret.txt"), 0);
    return made ? made : expect_no_way("file-link", "file-link");
}

static enum verdict
names_mean_themselves(void) {
    static const char *const refused[] = {
        "../outside/secret.txt",
        "..\\outside\\secret.txt",
        "a/../../outside",
        "a.txt:stream",
        "CON",
        "nul.txt",
        "COM1",
        "lpt9.png",
        "a.txt.",
        "a.txt ",
        "a\\..\\..\\outside",
        "C:\\Windows",
        "C:/Windows/win.ini",
        "a\\..",
        "a.txt\\..\\..",
    };
    int root = sq_call_open_dir(in_scratch("root"));
    EXPECT(root >= 0 && put(in_scratch("root/a.txt"), "a"));
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (sq_open_beneath(root, refused[i]) >= 0
            || sq_open_folder_beneath(root, refused[i]) >= 0) {
            return say(FAILED, "%s was opened", refused[i]);
        }
    }
    int fd = sq_open_beneath(root, "A.TXT"); /* names ignore case */
    EXPECT(fd >= 0);
    sq_call_close(fd);
    sq_call_close(root);
    return PASSED;
}

static enum verdict
long_and_foreign_names(void) {
    char path[SCRATCH_SIZE + TEXT_SIZE];
    snprintf(path, sizeof(path), "%s", in_scratch("é 中 😀"));
    for (int i = 0; i < 4; i++) {
        EXPECT(sq_call_mkdirat(AT_FDCWD, path) == 0);
        size_t len = strlen(path);
        snprintf(path + len, sizeof(path) - len, "/%0100d", i);
    }
    EXPECT(strlen(path) > 400 && put(path, "long"));
    return PASSED;
}

static enum verdict
long_names_are_resolved(void) {
    char back[SQ_PATH_SIZE];
    char name[TEXT_SIZE];
    snprintf(name, sizeof(name), "é 中 😀/%0100d/%0100d", 0, 1);
    EXPECT(sq_call_realpath(in_scratch(name), back));
    EXPECT(strstr(back, "é 中 😀/"));
    return PASSED;
}

/* By the share that Windows makes of each drive, for administrators. */
static enum verdict
network_names(void) {
    char path[SCRATCH_SIZE + TEXT_SIZE];
    struct stat one;
    struct stat other;
    if (scratch[1] != ':') {
        return say(IMPOSSIBLE, "%s is not on a drive", scratch);
    }
    snprintf(path, sizeof(path), "//localhost/%c$%s/root/a.txt", scratch[0],
             scratch + 2);
    if (sq_call_fstatat(AT_FDCWD, path, &other) != 0) {
        return say(IMPOSSIBLE, "%s cannot be opened: administrators only",
                   path);
    }
    EXPECT(sq_call_fstatat(AT_FDCWD, in_scratch("root/a.txt"), &one) == 0);
    EXPECT(one.st_size == other.st_size && one.st_ino == other.st_ino);
    return PASSED;
}

/* Expects rights for this user and the system; or that they are not inherited.
 */
static enum verdict
expect_own_rights(const char *path, bool protected) {
    wchar_t *wide = sq_wide(path);
    wchar_t *text = NULL;
    PSECURITY_DESCRIPTOR rights = NULL;
    EXPECT(GetNamedSecurityInfoW(wide, SE_FILE_OBJECT,
                                 DACL_SECURITY_INFORMATION, NULL, NULL, NULL,
                                 NULL, &rights)
           == ERROR_SUCCESS);
    sq_mem_free(wide);
    EXPECT(ConvertSecurityDescriptorToStringSecurityDescriptorW(
        rights, SDDL_REVISION_1, DACL_SECURITY_INFORMATION, &text, NULL));
    int entries = 0;
    for (const wchar_t *at = text; (at = wcschr(at, L'(')); at++) {
        entries++;
    }
    bool ok = protected
                ? wcsncmp(text, L"D:P", 3) == 0
                : entries == 2 && wcsstr(text, L"FA;;;SY)")
                      && !wcsstr(text, L";;;WD)") && !wcsstr(text, L";;;BU)");
    enum verdict verdict =
        ok ? PASSED : say(FAILED, "%s has the rights %ls", path, text);
    LocalFree(text);
    LocalFree(rights);
    return verdict;
}

static enum verdict
private_files(void) {
    struct sq_err err = { 0 };
    const char *file = in_scratch("private.txt");
    EXPECT(sq_file_write_private(file, "x", 1, &err));
    enum verdict verdict = expect_own_rights(file, false);
    return verdict ? verdict : expect_own_rights(in_scratch("root"), false);
}

static enum verdict
private_files_inherit_nothing(void) {
    enum verdict verdict = expect_own_rights(in_scratch("private.txt"), true);
    return verdict ? verdict : expect_own_rights(in_scratch("root"), true);
}

static HANDLE
open_locked(const char *path, DWORD share) {
    wchar_t *wide = sq_wide(path);
    HANDLE file =
        CreateFileW(wide, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
    sq_mem_free(wide);
    return file;
}

static enum verdict
locked_files(void) {
    const char *path = in_scratch("locked.txt");
    EXPECT(put(path, "x"));
    HANDLE alone = open_locked(path, 0);
    ULONGLONG start = GetTickCount64();
    EXPECT(alone != INVALID_HANDLE_VALUE);
    errno = 0;
    EXPECT(sq_call_openat(AT_FDCWD, path, O_RDONLY, 0) < 0 && errno == EBUSY);
    EXPECT(GetTickCount64() - start < 5000);
    CloseHandle(alone);
    int fd = sq_call_openat(AT_FDCWD, path, O_RDONLY, 0);
    EXPECT(fd >= 0);
    sq_call_close(fd);
    return PASSED;
}

/* A file is replaced while another program reads it. */
static enum verdict
replaced_files(void) {
    struct sq_err err = { 0 };
    const char *path = in_scratch("replaced.txt");
    EXPECT(sq_file_write_private(path, "old", 3, &err));
    HANDLE reader = open_locked(path, FILE_SHARE_READ | FILE_SHARE_WRITE
                                          | FILE_SHARE_DELETE);
    EXPECT(reader != INVALID_HANDLE_VALUE);
    bool ok = sq_file_write_private(path, "new", 3, &err);
    CloseHandle(reader);
    return ok ? PASSED : say(FAILED, "%s", err.message);
}

static DWORD WINAPI
write_rows(void *context) {
    sqlite3 *db = context;
    for (int i = 0; i < ROWS; i++) {
        sqlite3_exec(db, "INSERT INTO eventmodel VALUES ('row')", NULL, NULL,
                     NULL);
    }
    return 0;
}

/* As ManicTime's while it writes. */
static enum verdict
databases_being_written(void) {
    char path[SCRATCH_SIZE + TEXT_SIZE];
    sqlite3 *db = NULL;
    struct sq_err err = { 0 };
    snprintf(path, sizeof(path), "%s", in_scratch("being written.db"));
    EXPECT(sqlite3_open(path, &db) == SQLITE_OK);
    EXPECT(sqlite3_exec(db,
                        "PRAGMA journal_mode=wal; CREATE TABLE "
                        "eventmodel (a TEXT)",
                        NULL, NULL, NULL)
           == SQLITE_OK);
    HANDLE writer = CreateThread(NULL, 0, write_rows, db, 0, NULL);
    bool ok = writer != NULL;
    for (int i = 0; ok && i < 20; i++) {
        const struct sq_deadline deadline = sq_deadline_in(PATIENCE_MS, NULL);
        const struct sq_activity_source source = { .path = path };
        struct sq_database *read = NULL;
        bool has = false;
        ok = sq_database_open(&source, &deadline, &read, &err)
          && sq_database_has(read, "eventmodel", "a", &has, &err) && has
          && sq_database_has_row(read, "SELECT a FROM eventmodel", NULL, &has,
                                 &err);
        sq_database_close(read);
    }
    WaitForSingleObject(writer, PATIENCE_MS);
    sqlite3_close(db);
    return ok ? PASSED : say(FAILED, "%s", err.message);
}

static enum verdict
console_shows_utf8(void) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
    wchar_t shown[3] = { 0 };
    DWORD count = 0;
    if (!GetConsoleScreenBufferInfo(console, &info)) {
        return say(IMPOSSIBLE, "the output is no console");
    }
    fflush(stdout);
    sq_call_write(1, "é→", strlen("é→"));
    EXPECT(ReadConsoleOutputCharacterW(console, shown, 2, info.dwCursorPosition,
                                       &count));
    sq_call_write(1, "\r", 1);
    return wcscmp(shown, L"é→") == 0
             ? PASSED
             : say(FAILED, "it shows U+%04X U+%04X", shown[0], shown[1]);
}

static enum verdict
registry_is_read(void) {
    char text[SQ_PATH_SIZE];
    const wchar_t *key = L"SOFTWARE\\squint-selftest";
    const wchar_t value[] = L"C:\\é 中";
    EXPECT(RegSetKeyValueW(HKEY_CURRENT_USER, key, L"a", REG_SZ, value,
                           sizeof(value))
           == ERROR_SUCCESS);
    bool ok = sq_registry_text("SOFTWARE/squint-selftest", "a", text);
    RegDeleteKeyW(HKEY_CURRENT_USER, key);
    EXPECT(ok && strcmp(text, "C:\\é 中") == 0);
    return PASSED;
}

static enum verdict
sandbox(void) {
    return say(IMPOSSIBLE, "squint has no sandbox on Windows (AppContainer)");
}

static const struct {
    const char *name;
    enum verdict (*run)(void);
} tests[] = {
    { "a junction leads nowhere", junction_leads_nowhere },
    { "a link of a folder leads nowhere", folder_link_leads_nowhere },
    { "a link of a file leads nowhere", file_link_leads_nowhere },
    { "names mean only themselves", names_mean_themselves },
    { "long and foreign names", long_and_foreign_names },
    { "long names are resolved", long_names_are_resolved },
    { "names of the network", network_names },
    { "private files are their owner's", private_files },
    { "private files inherit no rights", private_files_inherit_nothing },
    { "locked files are an error, soon", locked_files },
    { "files are replaced while they are read", replaced_files },
    { "databases are read while they are written", databases_being_written },
    { "children end with a killed parent", children_end_with_us },
    { "pipes are not inherited", pipes_are_not_inherited },
    { "Ctrl-Break ends a program in order", ctrl_c_ends_in_order },
    { "the console shows UTF-8", console_shows_utf8 },
    { "the registry is read", registry_is_read },
    { "a worker is confined", sandbox },
};

static void
print_system(void) {
    typedef const char *version_function(void);
    typedef LONG WINAPI windows_function(RTL_OSVERSIONINFOW * out);
    RTL_OSVERSIONINFOW info = { .dwOSVersionInfoSize = sizeof(info) };
    void *ntdll = GetModuleHandleW(L"ntdll.dll");
    version_function *wine;
    windows_function *windows;
    *(void **)(void *)&wine = sq_call_find_symbol(ntdll, "wine_get_version");
    *(void **)(void *)&windows = sq_call_find_symbol(ntdll, "RtlGetVersion");
    windows(&info);
    printf("squint %s, Windows %lu.%lu.%lu%s%s\n", SQ_VERSION,
           info.dwMajorVersion, info.dwMinorVersion, info.dwBuildNumber,
           wine ? ", Wine " : "", wine ? wine() : "");
}

/* Removes a folder with all in it, but follows no link. */
static void
remove_all(const char *path) {
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    struct sq_err err;
    char below[SCRATCH_SIZE + TEXT_SIZE];
    int folder = sq_call_open_dir(path);
    if (folder >= 0 && sq_entries_create(&entries, &err)) {
        sq_entries_start(entries, folder);
        while (sq_entries_next(entries, &entry)) {
            snprintf(below, sizeof(below), "%s/%s", path, entry.name.ptr);
            if (entry.kind == SQ_ENTRY_FOLDER) {
                remove_all(below);
            } else if (sq_call_unlinkat(AT_FDCWD, below) != 0) {
                sq_call_rmdirat(AT_FDCWD, below); /* a junction */
            }
        }
    }
    sq_entries_destroy(entries);
    sq_close_fd(&folder);
    sq_call_rmdirat(AT_FDCWD, path);
}

int
main(int argc, char **argv) {
    static const char *const words[] = { "ok      ", "FAILED  ", "not run " };
    int counts[3] = { 0 };
    struct sq_err err = { 0 };
    if (argc > 1) {
        return sq_path_program(selftest_program, &err) ? selftest_help(argv[1])
                                                       : 2;
    }
    snprintf(scratch, sizeof(scratch), "%s/squint-selftest-%lu",
             sq_path_temporary(), GetCurrentProcessId());
    if (!sq_path_program(selftest_program, &err)
        || sq_call_mkdirat(AT_FDCWD, scratch) != 0
        || sq_call_mkdirat(AT_FDCWD, in_scratch("root")) != 0
        || sq_call_mkdirat(AT_FDCWD, in_scratch("outside")) != 0) {
        fprintf(stderr, "squint-selftest: cannot make %s\n", scratch);
        return 2;
    }
    print_system();
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        why[0] = '\0';
        enum verdict verdict = tests[i].run();
        counts[verdict]++;
        printf("%s%s%s%s\n", words[verdict], tests[i].name, why[0] ? ": " : "",
               why);
        fflush(stdout);
    }
    printf("%d passed, %d failed, %d could not be run here\n", counts[PASSED],
           counts[FAILED], counts[IMPOSSIBLE]);
    remove_all(scratch);
    return counts[FAILED] > 0;
}

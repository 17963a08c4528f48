/* Finding, reaching and starting the adb server. */
#include "device/android/adb.h"

#include <sys/stat.h>
#include <unistd.h>

#include "device/android/link.h"
#include "support/fake_adb.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/sockets.h"

#define LONG_MS T_PATIENCE_MS

static struct fake_adb fake;

static struct sq_deadline
test_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

/* The address of a port on which no process listens. */
static void
free_address(char out[64]) {
    int port = 0;
    int listener = -1;
    T_OK(sq_socket_listen("127.0.0.1", false, &port, &listener, &t_err));
    sq_socket_close(listener);
    snprintf(out, 64, "tcp:127.0.0.1:%d", port);
}

static struct sq_adb *
client(const struct sq_adb_options *options) {
    struct sq_adb *adb = NULL;
    T_OK(sq_adb_create(options, &adb, &t_err));
    return adb;
}

static const char *
write_program(const char *name, const char *script) {
    const char *path = t_scratch_path(name);
    t_put(path, script, strlen(script));
    T(chmod(path, 0755) == 0);
    return path;
}

static bool
connects(struct sq_adb *adb, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    int fd = -1;
    bool ok = sq_adb_connect(adb, &deadline, &fd, err);
    sq_socket_close(fd);
    return ok;
}

T_CASE(running_server_is_used) {
    struct sq_buf answer;
    struct sq_deadline deadline = test_deadline();
    fake_adb_start(&fake);
    struct sq_adb *adb = fake_adb_client(&fake);
    sq_buf_init(&answer, 100);
    T_OK(sq_adb_ask(adb, "host:version", &answer, &deadline, &t_err));
    T_BYTES(answer.data, answer.len, "0029", 4);
    sq_buf_finish(&answer);
    sq_adb_destroy(adb);
    fake_adb_stop(&fake);
}

T_CASE(invalid_address_is_reported_on_first_use) {
    const struct sq_adb_options options = { .server = "tcp:a:b:c" };
    struct sq_adb *adb = client(&options);
    T_FAILS(connects(adb, &t_err), SQ_ERR_ARGUMENT);
    T_HAS(t_err.message, "tcp:a:b:c");
    sq_adb_destroy(adb);
}

T_CASE(missing_adb_error_says_how_to_install_it) {
    char address[64];
    char *path = strdup(getenv("PATH"));
    free_address(address);
    const struct sq_adb_options options = { .server = address };
    struct sq_adb *adb = client(&options);
    setenv("PATH", t_scratch(), 1);
    unsetenv("ANDROID_HOME");
    unsetenv("ANDROID_SDK_ROOT");
    T_FAILS(connects(adb, &t_err), SQ_ERR_NOT_FOUND);
    T_HAS(t_err.message, address);
    T_HAS(t_err.hint, "nstall");
    setenv("PATH", path, 1);
    free(path);
    sq_adb_destroy(adb);
}

T_CASE(failed_connection_is_not_repeated_immediately) {
    fake_adb_start(&fake);
    const char *address = t_text("tcp:127.0.0.1:%d", fake.port);
    fake_adb_stop(&fake);
    const struct sq_adb_options options = { .server = address,
                                            .never_start = true };
    struct sq_adb *adb = client(&options);
    sq_clock_slow_down(
        1000); /* so that the interval does not end during the test */
    T(!connects(adb, &t_err));
    T_HAS(t_err.hint, "start-server");
    /* A server is started now, but the last attempt to connect was recent. */
    int port = fake.port;
    int listener = -1;
    t_err = (struct sq_err){ 0 };
    T_OK(sq_socket_listen("127.0.0.1", false, &port, &listener, &t_err));
    T_FAILS(connects(adb, &t_err), SQ_ERR_NOT_FOUND);
    sq_clock_slow_down(1);
    usleep(1100 * 1000);
    t_err = (struct sq_err){ 0 };
    T_OK(connects(adb, &t_err));
    sq_socket_close(listener);
    sq_adb_destroy(adb);
}

T_CASE(chosen_server_is_known_as_configured) {
    static const char *const variables[] = { "ADB_SERVER_SOCKET",
                                             "ANDROID_ADB_SERVER_ADDRESS",
                                             "ANDROID_ADB_SERVER_PORT" };
    struct sq_adb *adb = NULL;
    for (size_t i = 0; i < 3; i++) {
        unsetenv(variables[i]);
    }
    T_OK(sq_adb_create(&(struct sq_adb_options){ 0 }, &adb, &t_err));
    T(!adb->is_configured);
    T(!atomic_load(&adb->has_started));
    sq_adb_destroy(adb);
    for (size_t i = 0; i < 3; i++) {
        setenv(variables[i], "5036", 1);
        T_OK(sq_adb_create(&(struct sq_adb_options){ 0 }, &adb, &t_err));
        T(adb->is_configured);
        sq_adb_destroy(adb);
        unsetenv(variables[i]);
    }
}

T_CASE(remote_server_is_never_started) {
    /* An address that is not loopback and fails immediately. */
    const char *program = write_program("adb-no", "#!/bin/sh\ntouch started\n");
    const struct sq_adb_options options = { .server = "tcp:0.0.0.0:1",
                                            .program = program };
    struct sq_adb *adb = client(&options);
    T_FAILS(connects(adb, &t_err), SQ_ERR_NOT_FOUND);
    T_HAS(t_err.hint, "Start it there");
    T(access("started", F_OK) != 0);
    sq_adb_destroy(adb);
}

T_CASE(unreachable_host_is_not_reported_as_silent) {
    const struct sq_adb_options options = { .server = "tcp:no..host:5037" };
    struct sq_adb *adb = client(&options);
    T_FAILS(connects(adb, &t_err), SQ_ERR_NOT_FOUND);
    T_HAS(t_err.message, "cannot find the host \"no..host\"");
    T_LACKS(t_err.message, "answers");
    T_HAS(t_err.hint, "ADB_SERVER_SOCKET");
    sq_adb_destroy(adb);
}

T_CASE(server_is_started_on_its_port) {
    char address[64];
    free_address(address);
    char *words = strdup(t_scratch_path("words"));
    const char *script = t_text(
        "#!/bin/sh\necho \"$@\" >> %s\necho no wires >&2\nexit 3\n", words);
    const struct sq_adb_options options = {
        .server = address, .program = write_program("adb-fails", script)
    };
    struct sq_adb *adb = client(&options);
    T_FAILS(connects(adb, &t_err), SQ_ERR_IO);
    T_HAS(t_err.message, "its server: no wires");
    T(t_err.message[strlen(t_err.message) - 1] == 's');
    T(t_err.hint[0]);
    /* One reconnect is allowed for now. */
    T(!connects(adb, &t_err));
    char got[256] = "";
    FILE *file = fopen(words, "r");
    if (T(file != NULL)) {
        size_t len = fread(got, 1, sizeof(got) - 1, file);
        got[len] = '\0';
        fclose(file);
    }
    T_STR(got, t_text("-P %s start-server\n", strrchr(address, ':') + 1));
    free(words);
    sq_adb_destroy(adb);
}

/* Not the same as a missing adb: its phones may be connected. */
T_CASE(started_server_that_does_not_listen_is_an_error) {
    char address[64];
    free_address(address);
    const struct sq_adb_options options = {
        .server = address,
        .program = write_program("adb-lies", "#!/bin/sh\nexit 0\n"),
    };
    struct sq_adb *adb = client(&options);
    T_FAILS(connects(adb, &t_err), SQ_ERR_IO);
    T_HAS(t_err.message, "after adb started its server");
    T_HAS(t_err.hint, "start-server");
    sq_adb_destroy(adb);
}

T_CASE(adb_is_found_in_its_usual_folders) {
    char out[SQ_PATH_SIZE] = "untouched";
    char *path = strdup(getenv("PATH"));
    const struct sq_adb_options none = { 0 };
    const struct sq_adb_options named = { .program = write_program(
                                              "my-adb", "#!/bin/sh\n") };
    const struct sq_adb_options missing = { .program = "/nonexistent/adb" };
    struct sq_adb *adb = client(&named);
    T(sq_adb_find_program(adb, out));
    T_STR(out, named.program);
    sq_adb_destroy(adb);

    adb = client(&missing);
    snprintf(out, sizeof(out), "untouched");
    T(!sq_adb_find_program(adb, out));
    T_STR(out, "untouched");
    sq_adb_destroy(adb);

    adb = client(&none);
    setenv("PATH", "/nonexistent", 1);
    T(!sq_adb_find_program(adb, out));
    T(mkdir(t_scratch_path("platform-tools"), 0755) == 0);
    const char *program =
        write_program("platform-tools/adb", "#!/bin/sh\nexit 0\n");
    char *want = strdup(program);
    setenv("ANDROID_SDK_ROOT", t_scratch(), 1);
    T(sq_adb_find_program(adb, out));
    T_STR(out, want);
    unsetenv("ANDROID_SDK_ROOT");
    setenv("ANDROID_HOME", t_scratch(), 1);
    T(sq_adb_find_program(adb, out));
    setenv("ANDROID_HOME", "relative", 1);
    T(!sq_adb_find_program(adb, out));
    unsetenv("ANDROID_HOME");
    setenv("PATH", path, 1);
    free(path);
    free(want);
    t_remove_folder(t_scratch_path("platform-tools"));
    sq_adb_destroy(adb);
}

T_CASE(install_hint_depends_on_the_system) {
    static const struct {
        const char *os_release;
        bool macos;
        const char *says;
    } cases[] = {
        { "NAME=x\nID=debian\n", false, "apt install adb" },
        { "ID=ubuntu\nID_LIKE=debian\n", false, "apt install adb" },
        { "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", false, "apt" },
        { "ID=fedora\n", false, "dnf" },
        { "ID=\"rhel\"\nID_LIKE=\"fedora\"", false, "dnf" },
        { "ID=arch", false, "pacman" },
        { "ID=opensuse-tumbleweed\nID_LIKE=\"opensuse suse\"\n", false,
          "zypper" },
        { "ID=alpine\n", false, "apk" },
        { "ID=plan9\nVERSION_ID=debian\n", false, "platform-tools" },
        { "", false, "platform-tools" },
        { "ID=\"", false, "platform-tools" },
        { "ID=debian", true, "brew" },
    };
    T_EACH(i, cases) {
        const char *hint = sq_adb_install_hint(sq_span_of(cases[i].os_release),
                                               cases[i].macos);
        T_HAS(hint, cases[i].says);
    }
}

T_CASE(reconnects_are_limited) {
    const struct sq_adb_options none = { 0 };
    struct sq_adb *adb = client(&none);
    T(sq_adb_may_reconnect(adb, 60000));
    T(!sq_adb_may_reconnect(adb, 60000));
    T(sq_adb_may_reconnect(adb, 0));
    sq_adb_destroy(adb);
}

static bool
create_one(void *context, struct sq_err *err) {
    const struct sq_adb_options none = { 0 };
    struct sq_adb *adb = NULL;
    bool ok = sq_adb_create(&none, &adb, err);
    sq_adb_destroy(adb);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    T(t_alloc_torture(create_one, NULL) >= 2);
    sq_adb_destroy(NULL);
}

int
main(void) {
    t_scratch_start();
    int status = t_run();
    t_scratch_end();
    return status;
}

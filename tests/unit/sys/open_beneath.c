/* No path leads out of a folder. */
#include "sys/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"

static int root;
static dev_t secret_dev;
static ino_t secret_ino;

static void
start(void) {
    struct stat st;
    t_scratch_start();
    t_album_put("root/2026-02-27/a.jpg");
    t_album_put("root/flat.jpg");
    t_album_put_bytes("secret/a.jpg", "secret", 6);
    t_album_put_bytes("root-x/a.jpg", "secret", 6);
    T(stat(t_scratch_path("secret/a.jpg"), &st) == 0);
    secret_dev = st.st_dev;
    secret_ino = st.st_ino;
    root = open(t_scratch_path("root"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    T(root >= 0);
}

static void
stop(void) {
    close(root);
    t_album_end();
}

/* The errno of opening it, 0 if it opens. It is never the secret file. */
static int
try_open(const char *path) {
    struct stat st;
    int fd = sq_open_beneath(root, path);
    int number = fd < 0 ? errno : 0;
    if (fd >= 0) {
        T(fstat(fd, &st) == 0);
        T(st.st_dev != secret_dev || st.st_ino != secret_ino);
        close(fd);
    }
    return number;
}

T_FIXTURE(start, stop);

T_CASE(files_inside_are_opened) {
    T_INT(try_open("flat.jpg"), 0);
    T_INT(try_open("2026-02-27/a.jpg"), 0);
    T_INT(try_open("2026-02-27/none.jpg"), ENOENT);
    T_INT(try_open("none/a.jpg"), ENOENT);
    T_INT(try_open("flat.jpg/a.jpg"), ENOTDIR);
    int fd = sq_open_folder_beneath(root, "2026-02-27");
    T(fd >= 0);
    close(fd);
    T(sq_open_folder_beneath(root, "flat.jpg") < 0);
    T_INT(errno, ENOTDIR);
}

T_CASE(links_are_not_followed) {
    T(symlink("../secret", t_scratch_path("root/out")) == 0);
    T(symlink("../secret/a.jpg", t_scratch_path("root/out.jpg")) == 0);
    T(symlink("flat.jpg", t_scratch_path("root/in.jpg")) == 0);
    T(symlink("2026-02-27", t_scratch_path("root/in")) == 0);
    T(symlink("loop", t_scratch_path("root/loop")) == 0);
    T(symlink("/proc/self/root", t_scratch_path("root/magic")) == 0);
    static const char *const paths[] = { "out/a.jpg", "out.jpg",
                                         "in.jpg",    "in/a.jpg",
                                         "loop",      "loop/a.jpg",
                                         "magic",     "magic/etc/passwd" };
    for (size_t i = 0; i < SQ_COUNT(paths); i++) {
        int number = try_open(paths[i]);
        if (!T(number == ELOOP || number == ENOTDIR)) {
            printf("# %s: %s\n", paths[i], strerror(number));
        }
    }
    T(sq_open_folder_beneath(root, "out") < 0);
    T(sq_open_folder_beneath(root, "in") < 0);
}

/* Generated paths: each head, repeated, before each tail. */
static int
try_outside_paths(void) {
    static const char *const heads[] = {
        "..",
        "../",
        "./..",
        "/..",
        "//",
        "..\\",
        "..//",
        "%2e%2e/",
        "..%2f",
        "%252e%252e/",
        "..;/",
        "....//",
        "./",
        "/",
        "\\..\\",
        "a/../..",
        "\xc0\xae\xc0\xae/",
        "\xe2\x80\xae../",
        "2026-02-27/..",
        "2026-02-27/../..",
        "\xef\xbc\x8e\xef\xbc\x8e/",
        "C:\\",
        "C:/",
        "~/",
        "\\\\?\\",
        "file:///",
        "/proc/self/root",
        "/proc/self/cwd",
        "/dev/fd/0",
        "flat.jpg/..",
    };
    static const char *const tails[] = {
        "secret/a.jpg",
        "/secret/a.jpg",
        "root-x/a.jpg",
        "/root-x/a.jpg",
        "etc/passwd",
        "/etc/passwd",
        "a.jpg",
        "/a.jpg",
        "",
        "/",
        ".",
        "/..",
        "secret/a.jpg\n",
        "-x/a.jpg",
    };
    int tried = 0;
    for (size_t h = 0; h < SQ_COUNT(heads); h++) {
        for (size_t t = 0; t < SQ_COUNT(tails); t++) {
            char path[400];
            size_t len = 0;
            for (int times = 1; times <= 6; times++) {
                len += (size_t)snprintf(path + len, sizeof(path) - len, "%s",
                                        heads[h]);
                snprintf(path + len, sizeof(path) - len, "%s", tails[t]);
                if (!T(try_open(path) != 0)) {
                    printf("# %s\n", path);
                }
                tried++;
            }
        }
    }
    return tried;
}

T_CASE(generated_paths_never_leave_the_folder) {
    T(try_outside_paths() >= 2000);
    T(try_open(t_scratch_path("secret/a.jpg")) != 0);
    T(try_open("") != 0);
}

T_CASE(pipe_does_not_block) {
    T(mkfifo(t_scratch_path("root/pipe.jpg"), 0600) == 0);
    int fd = sq_open_beneath(root, "pipe.jpg");
    T(fd >= 0); /* the caller checks the file type */
    close(fd);
}

/* Another thread that replaces a folder by a link and back. */
static atomic_bool done;

static void *
swap(void *context) {
    const char *real = t_scratch_path("root/day");
    const char *aside = t_scratch_path("root/aside");
    while (!atomic_load(&done)) {
        rename(real, aside);
        if (symlink("../secret", real) == 0) {
            unlink(real);
        }
        rename(aside, real);
    }
    return NULL;
}

T_CASE(folder_replaced_by_a_link_is_not_followed) {
    t_album_put("root/day/a.jpg");
    pthread_t thread;
    atomic_store(&done, false);
    T_INT(pthread_create(&thread, NULL, swap, NULL), 0);
    int opened = 0;
    int refused = 0;
    /* On a busy machine the other thread may not run for a while. */
    for (int i = 0; i < 10000 || (i < 3000000 && !(opened && refused)); i++) {
        bool ok = try_open("day/a.jpg") == 0;
        opened += ok;
        refused += !ok;
    }
    atomic_store(&done, true);
    pthread_join(thread, NULL);
    T(opened > 0 && refused > 0);
}

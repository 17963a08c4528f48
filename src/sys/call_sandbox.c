/* Confines a server by landlock, seccomp and limits. */
#define _GNU_SOURCE /* O_PATH */
#include "sys/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "sys/features.h"

static struct sq_sandbox entered;

struct sq_sandbox
sq_sandbox_state(void) {
    return entered;
}

void
sq_sandbox_describe(struct sq_sandbox sandbox, char out[SQ_SANDBOX_TEXT_SIZE]) {
    char files[64] = "";
    if (sandbox.file_rules > 0) {
        snprintf(files, sizeof(files), "landlock %d (files%s), ",
                 sandbox.file_rules, sandbox.limits_ports ? ", ports" : "");
    }
    snprintf(out, SQ_SANDBOX_TEXT_SIZE, "%s%s%s",
             sandbox.file_rules > 0 ? files : "files are not limited, ",
             sandbox.has_filter ? "system calls, "
                                : "system calls are not limited, ",
             sandbox.has_no_dump ? "no core dumps" : "core dumps are possible");
}

#if SQ_IS_LINUX
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The interface of landlock; the headers of Debian 12 have its first part. */
struct ruleset {
    uint64_t files;
    uint64_t ports;
};

struct path_rule {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

struct port_rule {
    uint64_t allowed;
    uint64_t port;
};

#define ASK_VERSION 1
#define RULE_PATH 1
#define RULE_PORT 2
#define CONNECT_TCP 2
#define BIND_TCP 1
#define VERSION_WITH_PORTS 4
#define MAX_VERSION 15

/* Rights to files: the bits of the first version, and what others added. */
#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_FOLDER (1ULL << 3)
#define REMOVE_FILE (1ULL << 5)
#define FIRST_RIGHTS ((1ULL << 13) - 1)
#define MOVE (1ULL << 13)     /* version 2 */
#define TRUNCATE (1ULL << 14) /* version 3 */
#define MAKE_DEVICES (1ULL << 6 | 1ULL << 11)

static uint64_t
known_rights(int version) {
    return FIRST_RIGHTS | (version >= 2 ? MOVE : 0)
         | (version >= 3 ? TRUNCATE : 0);
}

static int
landlock_version(void) {
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, ASK_VERSION);
    return version < 0 ? 0 : version > MAX_VERSION ? MAX_VERSION : (int)version;
}

/* A missing file is not an error: nothing can be read there. */
static int
allow_path(int rules, int version, const struct sq_sandbox_path *path) {
    struct stat st;
    int fd = open(path->path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -1;
    }
    uint64_t rights = path->may_remove ? REMOVE_FILE : READ_FILE | READ_FOLDER;
    if (path->may_write) {
        rights = known_rights(version) & ~(EXECUTE | MAKE_DEVICES);
    }
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode)) {
        rights &= READ_FILE | WRITE_FILE | TRUNCATE;
    }
    const struct path_rule rule = { rights, fd };
    int result =
        (int)syscall(SYS_landlock_add_rule, rules, RULE_PATH, &rule, 0);
    int number = errno;
    close(fd);
    errno = number;
    return result;
}

static int
allow_all(int rules, int version, const struct sq_sandbox_plan *plan,
          bool limits_ports) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < plan->path_count; i++) {
        result = allow_path(rules, version, &plan->paths[i]);
    }
    for (size_t i = 0; limits_ports && result == 0 && i < plan->port_count;
         i++) {
        const struct port_rule rule = { CONNECT_TCP, plan->ports[i] };
        result =
            (int)syscall(SYS_landlock_add_rule, rules, RULE_PORT, &rule, 0);
    }
    return result;
}

static int
limit_files(const struct sq_sandbox_plan *plan) {
    int version = landlock_version();
    bool limits_ports = version >= VERSION_WITH_PORTS && !plan->allows_any_port;
    if (version == 0) {
        return 0;
    }
    const struct ruleset all = { known_rights(version),
                                 limits_ports ? CONNECT_TCP | BIND_TCP : 0 };
    size_t size =
        version >= VERSION_WITH_PORTS ? sizeof(all) : sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0) {
        return -1;
    }
    int result = allow_all(rules, version, plan, limits_ports);
    if (result == 0) {
        result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    }
    int number = errno;
    close(rules);
    errno = number;
    entered.file_rules = result == 0 ? version : 0;
    entered.limits_ports = result == 0 && limits_ports;
    return result;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
/* Numbers that are the same on all architectures, for older headers. */
#define CLONE3 435
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define UNLESS(value, skip)                                                    \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define REFUSE(number) UNLESS((number), 1), RETURN(SECCOMP_RET_ERRNO | EPERM)
#define NAMESPACES                                                             \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID  \
     | CLONE_NEWNET | CLONE_NEWCGROUP)

/* What a server never needs, and what would undo the rest. */
static struct sock_filter filter[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__) /* the same calls with other numbers: x32 */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
#endif
    /* Programs: the helper starts them. */
    REFUSE(SYS_execve),
    REFUSE(SYS_execveat),
/* Other processes. The check for leaks of the sanitizers is one. */
#if !SQ_HAS_SANITIZER
    REFUSE(SYS_ptrace),
#endif
    REFUSE(SYS_process_vm_readv),
    REFUSE(SYS_process_vm_writev),
    REFUSE(SYS_kcmp),
    REFUSE(438), /* pidfd_getfd */
    /* File systems. */
    REFUSE(SYS_mount),
    REFUSE(SYS_umount2),
    REFUSE(SYS_pivot_root),
    REFUSE(SYS_chroot),
    REFUSE(SYS_swapon),
    REFUSE(SYS_swapoff),
    REFUSE(SYS_open_by_handle_at),
    REFUSE(428), /* open_tree */
    REFUSE(429), /* move_mount */
    REFUSE(430), /* fsopen */
    REFUSE(432), /* fsmount */
    REFUSE(442), /* mount_setattr */
    /* Namespaces. The flags of clone3 are in memory: libraries use clone. */
    REFUSE(SYS_unshare),
    REFUSE(SYS_setns),
    UNLESS(CLONE3, 1),
    RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    UNLESS(SYS_clone, 4),
    LOAD(offsetof(struct seccomp_data, args)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
    RETURN(SECCOMP_RET_ALLOW),
    /* The kernel. */
    REFUSE(SYS_init_module),
    REFUSE(SYS_finit_module),
    REFUSE(SYS_delete_module),
    REFUSE(SYS_kexec_load),
    REFUSE(SYS_reboot),
    REFUSE(SYS_bpf),
    REFUSE(SYS_perf_event_open),
    REFUSE(SYS_userfaultfd),
    REFUSE(SYS_keyctl),
    REFUSE(SYS_add_key),
    REFUSE(SYS_request_key),
    REFUSE(SYS_personality),
    REFUSE(425), /* io_uring_setup: its calls pass no filter */
    RETURN(SECCOMP_RET_ALLOW),
};

static int
limit_calls(void) {
    const struct sock_fprog program = {
        .len = sizeof(filter) / sizeof(filter[0]),
        .filter = filter,
    };
    if (!sq_sandbox_has_helper()
        || (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0 && errno == EINVAL)) {
        return 0;
    }
    entered.has_filter =
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    return entered.has_filter ? 0 : -1;
}

struct sq_sandbox
sq_sandbox_available(void) {
    int version = landlock_version();
    return (struct sq_sandbox){
        .has_no_dump = true,
        .has_filter = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0,
        .file_rules = version,
        .limits_ports = version >= VERSION_WITH_PORTS,
    };
}
#else
static int
limit_calls(void) {
    return 0;
}

struct sq_sandbox
sq_sandbox_available(void) {
    return (struct sq_sandbox){ .has_no_dump = true,
                                .file_rules = landlock_version() };
}
#endif

static int
forbid_dumps(void) {
    const struct rlimit none = { 0, 0 };
    int result = setrlimit(RLIMIT_CORE, &none) < 0
                      || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0
                      || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
                   ? -1
                   : 0;
    entered.has_no_dump = result == 0;
    return result;
}
#else
static int
limit_files(const struct sq_sandbox_plan *plan) {
    (void)plan;
    return 0;
}

static int
limit_calls(void) {
    return 0;
}

static int
forbid_dumps(void) {
    const struct rlimit none = { 0, 0 };
    entered.has_no_dump = setrlimit(RLIMIT_CORE, &none) == 0;
    return entered.has_no_dump ? 0 : -1;
}

struct sq_sandbox
sq_sandbox_available(void) {
    return (struct sq_sandbox){ .has_no_dump = true };
}
#endif

bool
sq_sandbox_forbid_dumps(void) {
    return forbid_dumps() == 0;
}

bool
sq_sandbox_enter(const struct sq_sandbox_plan *plan, struct sq_err *err) {
    bool ok = !refused_for_good() && forbid_dumps() == 0
           && limit_files(plan) == 0 && limit_calls() == 0;
    if (!ok) {
        sq_errno_fail(err, "confine this process");
        return sq_fail_hint(err, "Use --no-sandbox to serve without this "
                                 "protection.");
    }
    entered.is_entered = true;
    return true;
}

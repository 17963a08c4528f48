/*
 * The words of errors, which are those of Linux. The C library has none for
 * errors of sockets, and those of Windows are in its language and code page.
 */
#include <errno.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct text {
    int number;
    const char *words;
};

static const struct text errors[] = {
    { 0, "Success" },
    { EPERM, "Operation not permitted" },
    { ENOENT, "No such file or directory" },
    { ESRCH, "No such process" },
    { EINTR, "Interrupted system call" },
    { EIO, "Input/output error" },
    { ENXIO, "No such device or address" },
    { E2BIG, "Argument list too long" },
    { ENOEXEC, "Exec format error" },
    { EBADF, "Bad file descriptor" },
    { ECHILD, "No child processes" },
    { EAGAIN, "Resource temporarily unavailable" },
    { EWOULDBLOCK, "Resource temporarily unavailable" },
    { ENOMEM, "Cannot allocate memory" },
    { EACCES, "Permission denied" },
    { EFAULT, "Bad address" },
    { EBUSY, "Device or resource busy" },
    { EEXIST, "File exists" },
    { EXDEV, "Invalid cross-device link" },
    { ENODEV, "No such device" },
    { ENOTDIR, "Not a directory" },
    { EISDIR, "Is a directory" },
    { EINVAL, "Invalid argument" },
    { ENFILE, "Too many open files in system" },
    { EMFILE, "Too many open files" },
    { ENOTTY, "Inappropriate ioctl for device" },
    { EFBIG, "File too large" },
    { ENOSPC, "No space left on device" },
    { ESPIPE, "Illegal seek" },
    { EROFS, "Read-only file system" },
    { EMLINK, "Too many links" },
    { EPIPE, "Broken pipe" },
    { EDOM, "Numerical argument out of domain" },
    { ERANGE, "Numerical result out of range" },
    { EDEADLK, "Resource deadlock avoided" },
    { ENAMETOOLONG, "File name too long" },
    { ENOLCK, "No locks available" },
    { ENOSYS, "Function not implemented" },
    { ENOTEMPTY, "Directory not empty" },
    { EILSEQ, "Invalid or incomplete multibyte or wide character" },
    { EADDRINUSE, "Address already in use" },
    { EADDRNOTAVAIL, "Cannot assign requested address" },
    { EAFNOSUPPORT, "Address family not supported by protocol" },
    { EALREADY, "Operation already in progress" },
    { ECANCELED, "Operation canceled" },
    { ECONNABORTED, "Software caused connection abort" },
    { ECONNREFUSED, "Connection refused" },
    { ECONNRESET, "Connection reset by peer" },
    { EDESTADDRREQ, "Destination address required" },
    { EHOSTUNREACH, "No route to host" },
    { EINPROGRESS, "Operation now in progress" },
    { EISCONN, "Transport endpoint is already connected" },
    { ELOOP, "Too many levels of symbolic links" },
    { EMSGSIZE, "Message too long" },
    { ENETDOWN, "Network is down" },
    { ENETRESET, "Network dropped connection on reset" },
    { ENETUNREACH, "Network is unreachable" },
    { ENOBUFS, "No buffer space available" },
    { ENOPROTOOPT, "Protocol not available" },
    { ENOTCONN, "Transport endpoint is not connected" },
    { ENOTSOCK, "Socket operation on non-socket" },
    { ENOTSUP, "Operation not supported" },
    { EOPNOTSUPP, "Operation not supported" },
    { EOVERFLOW, "Value too large for defined data type" },
    { EPROTO, "Protocol error" },
    { EPROTONOSUPPORT, "Protocol not supported" },
    { EPROTOTYPE, "Protocol wrong type for socket" },
    { ETIMEDOUT, "Connection timed out" },
    { ESTALE, "Stale file handle" },
    { EDQUOT, "Disk quota exceeded" },
};

static const struct text lookups[] = {
    { EAI_AGAIN, "Temporary failure in name resolution" },
    { EAI_BADFLAGS, "Bad value for ai_flags" },
    { EAI_FAIL, "Non-recoverable failure in name resolution" },
    { EAI_FAMILY, "ai_family not supported" },
    { EAI_MEMORY, "Memory allocation failure" },
    { EAI_NONAME, "Name or service not known" },
    { EAI_SERVICE, "Servname not supported for ai_socktype" },
    { EAI_SOCKTYPE, "ai_socktype not supported" },
};

static const char *
find(const struct text *texts, size_t count, int number) {
    for (size_t i = 0; i < count; i++) {
        if (texts[i].number == number) {
            return texts[i].words;
        }
    }
    return NULL;
}

int
sq_strerror(int number, char *out, size_t size) {
    const char *words =
        find(errors, sizeof(errors) / sizeof(errors[0]), number);
    return words && snprintf(out, size, "%s", words) >= 0 ? 0 : EINVAL;
}

const char *
sq_gai_strerror(int number) {
    const char *words =
        find(lookups, sizeof(lookups) / sizeof(lookups[0]), number);
    return words ? words : "the system cannot look up names";
}

/* Makes one chosen system call on the files of one folder fail. The dynamic linker loads this library before the C
 * library (LD_PRELOAD), so that calls of the program arrive here first.
 *
 * FAULT_FOLDER  path: calls on files below it are counted; all others pass
 * FAULT_KIND    `write` (write, writev, pwrite, ftruncate, fsync, fdatasync) or `read` (read, readv, pread, mmap)
 * FAULT_AT      number of the call that fails, from 1; 0: none fails
 * FAULT_ERRNO   value of errno for the call that fails
 * FAULT_COUNT   path of a file that gets the number of counted calls at the end
 *
 * Only the chosen call fails. Later ones succeed, so a program that ignores the error would end well.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

/* Whether the call on the file `fd` must fail; sets errno then. */
static int fails(int fd, const char *kind) {
    const char *folder = getenv("FAULT_FOLDER"), *chosen = getenv("FAULT_KIND"), *at = getenv("FAULT_AT");
    if (fd < 0 || !folder || !chosen || !at || strcmp(chosen, kind) != 0) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != atol(at)) return 0;
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

/* Defines a call that fails if `fails` says so, and else has the effect of the C library's own. */
#define CALL(result, name, kind, declared, passed)                          \
    result name declared {                                                  \
        static result(*own) declared;                                       \
        if (fails(fd, kind)) return (result)-1;                             \
        if (!own) own = (result(*) declared)dlsym(RTLD_NEXT, #name);        \
        return own passed;                                                  \
    }

CALL(ssize_t, write, "write", (int fd, const void *data, size_t size), (fd, data, size))
CALL(ssize_t, writev, "write", (int fd, const struct iovec *parts, int count), (fd, parts, count))
CALL(ssize_t, pwrite64, "write", (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
CALL(int, ftruncate64, "write", (int fd, off64_t size), (fd, size))
CALL(int, fsync, "write", (int fd), (fd))
CALL(int, fdatasync, "write", (int fd), (fd))
CALL(ssize_t, read, "read", (int fd, void *data, size_t size), (fd, data, size))
CALL(ssize_t, readv, "read", (int fd, const struct iovec *parts, int count), (fd, parts, count))
CALL(ssize_t, pread64, "read", (int fd, void *data, size_t size, off64_t at), (fd, data, size, at))
CALL(void *, mmap64, "read", (void *near, size_t size, int access, int flags, int fd, off64_t at), (near, size, access, flags, fd, at))

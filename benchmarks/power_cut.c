/* Pretends that the power fails: keeps a copy of each file as it was when it was last synced.

   Preloaded into a server, it copies every file below $POWER_FROM into the folder $POWER_TO when
   the server calls fsync or fdatasync on it. What was only written is not in the copy, just as it
   would be lost with the cache of the file system. A copy appears all at once. That a file was
   deleted counts once its folder is synced. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Deletes the copies of files that are no longer there. */
static int forget_deleted(const char *from, const char *to) {
    char path[2 * PATH_MAX];
    DIR *folder = opendir(to);
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
        if (access(path, F_OK) == 0) continue;
        snprintf(path, sizeof path, "%s/%s", to, entry->d_name);
        unlink(path);
    }
    return closedir(folder);
}

static int keep(int file) {
    const char *from = getenv("POWER_FROM"), *to = getenv("POWER_TO");
    char link[64], path[PATH_MAX], draft[PATH_MAX + 16], target[PATH_MAX];
    static char buffer[1 << 16];
    struct stat about;
    if (!from || !to) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return -1;
    path[length] = 0;
    if (strncmp(path, from, strlen(from)) || fstat(file, &about)) return 0;
    if (S_ISDIR(about.st_mode)) return forget_deleted(from, to);
    if (!S_ISREG(about.st_mode)) return 0;
    if (snprintf(target, sizeof target, "%s/%s", to, strrchr(path, '/') + 1) >= (int)sizeof target)
        return -1;
    snprintf(draft, sizeof draft, "%s.draft", target);
    int copy = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (copy < 0) return -1;
    off_t at = 0;
    for (;;) {
        ssize_t got = pread(file, buffer, sizeof buffer, at);
        if (got < 0) return -1;
        if (got == 0) break;
        if (write(copy, buffer, got) != got) return -1;
        at += got;
    }
    close(copy);
    return rename(draft, target);
}

static int sync_and_keep(int file) {
    if (keep(file) == 0) return 0;
    if (errno == 0) errno = EIO;
    return -1;
}

int fsync(int file) { return sync_and_keep(file); }
int fdatasync(int file) { return sync_and_keep(file); }

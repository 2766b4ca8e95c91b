/* What programs do, and what they try: the tests of the host run it. `npm run modules` compiles it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wasi/api.h>

/* Opens a path beneath the first preopened directory, exactly as it is given, and says the error number. */
static int raw_open(const char *path) {
  __wasi_fd_t fd;
  __wasi_errno_t error = __wasi_path_open(3, __WASI_LOOKUPFLAGS_SYMLINK_FOLLOW, path, 0, __WASI_RIGHTS_FD_READ, 0, 0, &fd);
  printf("%d\n", error);
  return 0;
}

static int recurse(volatile int depth) { return depth < 0 ? 0 : recurse(depth + 1) + depth; }

static int copy(int from) {
  char buffer[4096];
  ssize_t length;
  while ((length = read(from, buffer, sizeof buffer)) > 0)
    for (ssize_t done = 0; done < length;) {
      ssize_t wrote = write(1, buffer + done, length - done);
      if (wrote < 0) return 1;
      done += wrote;
    }
  return length < 0;
}

static int list(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return perror(path), 1;
  for (struct dirent *entry; (entry = readdir(directory));) puts(entry->d_name);
  return closedir(directory);
}

static int many(const char *kind) {
  int count = 0;
  char name[32];
  for (;; count++) {
    snprintf(name, sizeof name, "/%s%d", kind, count);
    if (!strcmp(kind, "dir") ? mkdir(name, 0777) : !strcmp(kind, "open") ? open("/", O_RDONLY) < 0 : creat(name, 0666) < 0) break;
  }
  printf("%d %s\n", count, strerror(errno));
  return 0;
}

int main(int argc, char **argv) {
  const char *act = argc > 1 ? argv[1] : "";
  const char *with = argc > 2 ? argv[2] : "";
  if (!strcmp(act, "exit")) return atoi(with);
  if (!strcmp(act, "loop")) for (volatile int at = 0;; at++);
  if (!strcmp(act, "flood")) for (;;) if (write(1, "yyyyyyyyyyyyyyyy", 16) < 0) return 3;
  if (!strcmp(act, "trap")) __builtin_trap();
  if (!strcmp(act, "recurse")) return recurse(0);
  if (!strcmp(act, "copy")) return copy(0);
  if (!strcmp(act, "show")) {
    int fd = open(with, O_RDONLY);
    return fd < 0 ? puts(strerror(errno)), 1 : copy(fd);
  }
  if (!strcmp(act, "list")) return list(with);
  if (!strcmp(act, "many")) return many(with);
  if (!strcmp(act, "raw-open")) return raw_open(with);
  if (!strcmp(act, "alloc")) {
    int count = 0;
    for (char *volatile block; (block = malloc(1 << 20)); count++) memset(block, 1, 1 << 20);
    printf("%d\n", count);
    return 0;
  }
  if (!strcmp(act, "sparse")) {
    int file = open("/sparse", O_CREAT | O_RDWR, 0666);
    if (ftruncate(file, atoll(with)) < 0) puts(strerror(errno));
    else puts("made");
    return 0;
  }
  if (!strcmp(act, "write")) {
    FILE *file = fopen(with, "w");
    if (!file) return printf("%s\n", strerror(errno)), 1;
    fputs(argv[3], file);
    return fclose(file) != 0;
  }
  if (!strcmp(act, "env")) return puts(getenv(with) ? getenv(with) : "none"), 0;
  if (!strcmp(act, "wait")) {
    struct pollfd waits = {.fd = 0, .events = POLLIN};
    printf("%d\n", poll(&waits, 1, atoi(with)));
    return 0;
  }
  if (!strcmp(act, "sleep")) {
    struct timespec time = {.tv_sec = atoi(with)};
    return nanosleep(&time, NULL) != 0;
  }
  return fprintf(stderr, "unknown: %s\n", act), 2;
}

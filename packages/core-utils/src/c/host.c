/* The host's calls under names of C. They are those of packages/wasi: `mode-calls.ts` and `command-calls.ts`. */
#include "host.h"
#include "cu.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMPORT(module, name) __attribute__((import_module(module), import_name(name)))

IMPORT("deputy_files", "path_mode_get")
int path_mode_get(int fd, int follow, const char *path, size_t length, uint32_t *mode);
IMPORT("deputy_files", "path_mode_set")
int path_mode_set(int fd, int follow, const char *path, size_t length, uint32_t mode);
IMPORT("deputy_commands", "folder_get")
int folder_get(char *to, size_t room, size_t *length);
IMPORT("deputy_commands", "umask_get")
int umask_get(uint32_t *mask);
/* The root is the one directory that tools are given. */
enum { ROOT = 3 };

static char *absolute(const char *path) {
  if (*path == '/') return copy_text(path);
  char *here = getcwd(NULL, 0);
  char *whole = join_path(here, path);
  free(here);
  return whole;
}

static int settle(int code) {
  if (code) errno = code;
  return code ? -1 : 0;
}

int host_mode_get(const char *path, bool follow, uint32_t *mode) {
  char *whole = absolute(path);
  int code = path_mode_get(ROOT, follow, whole, strlen(whole), mode);
  free(whole);
  return settle(code);
}

int host_mode_set(const char *path, uint32_t mode) {
  char *whole = absolute(path);
  int code = path_mode_set(ROOT, 1, whole, strlen(whole), mode);
  free(whole);
  return settle(code);
}

unsigned host_umask(void) {
  uint32_t mask = 022;
  umask_get(&mask);
  return mask;
}

size_t host_folder(char *to, size_t room) {
  size_t length = 0;
  return folder_get(to, room, &length) ? 0 : length;
}

void enter_first_folder(void) {
  char folder[4097];
  size_t length = host_folder(folder, sizeof folder - 1);
  folder[length] = 0;
  if (length) chdir(folder);
}

/* What the host gives besides preview 1: `command-calls.ts` of packages/wasi. */
#include "cu.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#define IMPORT(module, name) __attribute__((import_module(module), import_name(name)))

IMPORT("deputy_commands", "folder_get")
int folder_get(char *to, size_t room, size_t *length);

void enter_first_folder(void) {
  char folder[4097];
  size_t length;
  if (folder_get(folder, sizeof folder - 1, &length)) return;
  folder[length] = 0;
  if (chdir(folder) < 0) die_errno(125, "%s", folder);
}

/* The root is the only folder that tools are given. */
enum { ROOT = 3 };

IMPORT("deputy_files", "path_mode_get")
int path_mode_get(int fd, int follow, const char *path, size_t length, uint32_t *mode);
IMPORT("deputy_files", "path_mode_set")
int path_mode_set(int fd, int follow, const char *path, size_t length, uint32_t mode);

static const char *below_root(const char *path) {
  while (*path == '/') path++;
  return *path ? path : ".";
}

int mode_of(const char *path, bool follow) {
  uint32_t mode;
  char *whole = absolute_path(path);
  const char *below = below_root(whole);
  int problem = path_mode_get(ROOT, follow, below, strlen(below), &mode);
  free(whole);
  if (problem) return errno = problem, -1;
  return (int)mode;
}

int change_mode(const char *path, int mode) {
  char *whole = absolute_path(path);
  const char *below = below_root(whole);
  int problem = path_mode_set(ROOT, 1, below, strlen(below), (uint32_t)mode);
  free(whole);
  if (problem) return errno = problem, -1;
  return 0;
}

IMPORT("deputy_commands", "command_run")
int command_run(const char *argv, size_t argv_length, const char *env, size_t env_length, const char *folder, size_t folder_length,
                int flags, uint32_t timeout, uint32_t *status);

int run_command(char **argv, bool input, double seconds) {
  struct buffer words = {0}, variables = {0};
  char folder[4097];
  uint32_t status = 0;
  fflush(stdout);
  for (; *argv; argv++) buffer_add(&words, *argv, strlen(*argv) + 1);
  for (char **one = environ; one && *one; one++) buffer_add(&variables, *one, strlen(*one) + 1);
  if (!getcwd(folder, sizeof folder)) return -1;
  uint32_t timeout = seconds > 0 ? seconds * 1000 < 1 ? 1 : seconds > 2e6 ? 2000000000u : (uint32_t)(seconds * 1000) : 0;
  int problem = command_run(words.data, words.length, variables.data, variables.length, folder, strlen(folder), input ? 0 : 1, timeout, &status);
  free(words.data);
  free(variables.data);
  if (problem) return errno = problem, -1;
  return (int)status;
}

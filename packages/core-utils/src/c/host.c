/* What the host gives besides preview 1: `command-calls.ts` of packages/wasi. */
#include "cu.h"
#include <unistd.h>

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

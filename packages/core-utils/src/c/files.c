/* Folders and what is in them. */
#include "cu.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

bool is_directory(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **list_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return NULL;
  size_t count = 0, room = 16;
  char **names = grab(room * sizeof *names);
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (count + 1 >= room) names = regrab(names, (room *= 2) * sizeof *names);
    names[count++] = copy_text(entry->d_name);
  }
  closedir(folder);
  qsort(names, count, sizeof *names, by_name);
  names[count] = NULL;
  return names;
}

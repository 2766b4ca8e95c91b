/* Files, with what WASI lacks: permission bits, and a way to walk. */
#include "cu.h"
#include "host.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int file_mode(const char *path, bool follow, mode_t *mode) {
  uint32_t bits;
  if (host_mode_get(path, follow, &bits) < 0) return -1;
  *mode = bits;
  return 0;
}

int set_file_mode(const char *path, mode_t mode) { return host_mode_set(path, mode & 07777); }

static int with_mode(const char *path, bool follow, struct stat *about) {
  mode_t mode;
  if (file_mode(path, follow, &mode) < 0) return -1;
  about->st_mode = (about->st_mode & (mode_t)~07777) | mode;
  return 0;
}

int look(const char *path, struct stat *about) {
  return stat(path, about) < 0 ? -1 : with_mode(path, true, about);
}

int look_link(const char *path, struct stat *about) {
  if (lstat(path, about) < 0) return -1;
  if (S_ISLNK(about->st_mode)) {
    /* "link/" is what the link leads to. */
    if (path[strlen(path) - 1] == '/') return look(path, about);
    about->st_mode |= 0777;
    return 0;
  }
  return with_mode(path, false, about);
}

bool is_directory(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

mode_t file_mask(void) { return (mode_t)host_umask(); }

void mode_letters(mode_t mode, char *letters) {
  strcpy(letters, "-rwxrwxrwx");
  letters[0] = S_ISDIR(mode) ? 'd' : S_ISLNK(mode) ? 'l' : S_ISCHR(mode) ? 'c' : S_ISFIFO(mode) ? 'p' : '-';
  for (int bit = 0; bit < 9; bit++)
    if (!(mode >> (8 - bit) & 1)) letters[bit + 1] = '-';
  if (mode & 04000) letters[3] = mode & 0100 ? 's' : 'S';
  if (mode & 02000) letters[6] = mode & 0010 ? 's' : 'S';
  if (mode & 01000) letters[9] = mode & 0001 ? 't' : 'T';
}

static mode_t spread(unsigned bits, mode_t who) {
  mode_t all = (mode_t)(bits & 7) * 0111;
  return all & who;
}

/* One clause of a mode, such as "ug+rw-x"; NULL if it is none. */
static const char *apply_clause(const char *at, mode_t *mode, bool directory, mode_t mask) {
  mode_t who = 0;
  for (;; at++)
    if (*at == 'u') who |= 04700;
    else if (*at == 'g') who |= 02070;
    else if (*at == 'o') who |= 01007;
    else if (*at == 'a') who |= 07777;
    else break;
  bool everyone = !who;
  if (everyone) who = 07777 & ~mask;
  if (!*at || !strchr("+-=", *at)) return NULL;
  while (*at && strchr("+-=", *at)) {
    char act = *at++;
    mode_t bits = 0;
    if (*at && strchr("ugo", *at)) {
      bits = spread(*mode >> (*at == 'u' ? 6 : *at == 'g' ? 3 : 0) & 7, who);
      at++;
    } else
      for (; *at && strchr("rwxXst", *at); at++)
        if (*at == 'r') bits |= spread(4, who);
        else if (*at == 'w') bits |= spread(2, who);
        else if (*at == 'x' || (*at == 'X' && (directory || *mode & 0111))) bits |= spread(1, who);
        else if (*at == 's') bits |= (everyone ? 06000 : who) & 06000;
        else if (*at == 't') bits |= (everyone ? 01000 : who) & 01000;
    if (act == '+') *mode |= bits;
    else if (act == '-') *mode &= ~bits;
    else {
      mode_t keep = directory ? 06000 : 0;
      *mode = (*mode & ~((everyone ? 07777 & ~(mask & 0) : who) & (mode_t)~keep)) | bits;
    }
  }
  return at;
}

int apply_mode(const char *text, mode_t mode, bool directory, mode_t mask) {
  mode &= 07777;
  if (*text >= '0' && *text <= '7') {
    char *end;
    long value = strtol(text, &end, 8);
    if (*end || value > 07777) return -1;
    /* As GNU does: a short number leaves the special bits of a directory alone. */
    if (directory && strlen(text) < 5) value |= mode & 06000;
    return (int)value;
  }
  for (const char *at = text;; at++) {
    at = apply_clause(at, &mode, directory, mask);
    if (!at || (*at && *at != ',')) return -1;
    if (!*at) return (int)mode;
  }
}

char *link_target(const char *link) {
  char target[4096];
  ssize_t length = readlink(link, target, sizeof target);
  return length < 0 ? NULL : copy_bytes(target, (size_t)length);
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

bool remove_tree(const char *path) {
  struct stat about;
  if (lstat(path, &about) < 0) return warn_errno("cannot remove %s", quote_name(path)), false;
  if (!S_ISDIR(about.st_mode)) {
    if (unlink(path) == 0) return true;
    return warn_errno("cannot remove %s", quote_name(path)), false;
  }
  bool all = true;
  char **names = list_folder(path);
  for (char **name = names; name && *name; name++) {
    char *inside = join_path(path, *name);
    all &= remove_tree(inside);
    free(inside);
    free(*name);
  }
  free(names);
  if (all && rmdir(path) < 0) return warn_errno("cannot remove %s", quote_name(path)), false;
  return all;
}

char *resolve_path(const char *path, int missing) {
  struct buffer done = {0};
  char *left = copy_text(path);
  if (!*path) return errno = ENOENT, NULL;
  if (*path != '/') {
    char *here = getcwd(NULL, 0);
    if (strcmp(here, "/")) buffer_text(&done, here);
  }
  for (int links = 0; *left;) {
    size_t slashes = strspn(left, "/"), length = strcspn(left + slashes, "/");
    char *name = copy_bytes(left + slashes, length), *rest = copy_text(left + slashes + length);
    if (!strcmp(name, "..")) {
      while (done.length && done.data[--done.length] != '/');
    } else if (*name && strcmp(name, ".")) {
      size_t before = done.length;
      buffer_byte(&done, '/');
      buffer_text(&done, name);
      char *target = link_target(buffer_end(&done));
      struct stat about;
      bool last = rest[strspn(rest, "/")] == 0;
      if (target) {
        if (++links > 40) return errno = ELOOP, NULL;
        done.length = *target == '/' ? 0 : before;
        char *joined = format_text("%s%s", target, rest);
        free(rest);
        rest = joined;
      } else if (lstat(done.data, &about) < 0) {
        if (errno != ENOENT && missing < 2) return NULL;
        if (missing == 0 || (missing == 1 && !last)) return NULL;
      } else if (!S_ISDIR(about.st_mode) && *rest && missing < 2) return errno = ENOTDIR, NULL;
    }
    free(name);
    left = rest;
  }
  if (!done.length) buffer_byte(&done, '/');
  return buffer_end(&done);
}

/* Folders and paths. */
#include "cu.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

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

char *absolute_path(const char *path) {
  if (*path == '/') return copy_text(path);
  char folder[PATH_MAX + 1];
  if (!getcwd(folder, sizeof folder)) die_errno(1, "getcwd");
  return join_path(folder, path);
}

char *real_path(const char *path, int must) {
  if (!*path) return errno = ENOENT, NULL;
  char *left = absolute_path(path);
  struct buffer done = {0};
  int links = 0;
  bool lost = false;
  char *at = left;
  for (;;) {
    while (*at == '/') at++;
    if (!*at) break;
    size_t length = strcspn(at, "/");
    bool last = !at[length + strspn(at + length, "/")];
    if (length == 1 && *at == '.') {
      at += length;
      continue;
    }
    if (length == 2 && !strncmp(at, "..", 2)) {
      while (done.length && done.data[--done.length] != '/');
      at += length;
      continue;
    }
    size_t before = done.length;
    buffer_byte(&done, '/');
    buffer_add(&done, at, length);
    at += length;
    struct stat about;
    if (lost || lstat(buffer_end(&done), &about) < 0) {
      if (must == MUST_NOTHING || (must == MUST_FOLDER && last && (lost || errno == ENOENT))) {
        lost = true;
        continue;
      }
      return NULL;
    }
    if (S_ISLNK(about.st_mode)) {
      char target[PATH_MAX + 1];
      ssize_t size = readlink(done.data, target, sizeof target - 1);
      if (size < 0) return NULL;
      if (++links > 40) return errno = ELOOP, NULL;
      target[size] = 0;
      left = format_text("%s/%s", target, at);
      at = left;
      done.length = *target == '/' ? 0 : before;
    } else if (at[strspn(at, "/")] && !S_ISDIR(about.st_mode)) {
      if (must != MUST_NOTHING) return errno = ENOTDIR, NULL;
      lost = true;
    }
  }
  if (!done.length) buffer_byte(&done, '/');
  return buffer_end(&done);
}

char *last_part(const char *path) {
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') end--;
  size_t start = end;
  while (start && path[start - 1] != '/') start--;
  if (start == end) start = 0;
  return copy_bytes(path + start, end - start);
}

void show_mode(char *to, const struct stat *about, int mode) {
  strcpy(to, "?rwxrwxrwx");
  to[0] = S_ISDIR(about->st_mode) ? 'd' : S_ISLNK(about->st_mode) ? 'l' : S_ISCHR(about->st_mode) ? 'c' : '-';
  for (int bit = 0; bit < 9; bit++)
    if (!(mode & (0400 >> bit))) to[1 + bit] = '-';
  if (mode & 04000) to[3] = to[3] == 'x' ? 's' : 'S';
  if (mode & 02000) to[6] = to[6] == 'x' ? 's' : 'S';
  if (mode & 01000) to[9] = to[9] == 'x' ? 't' : 'T';
}

intmax_t blocks_of(const struct stat *about) {
  if (S_ISDIR(about->st_mode)) return 4;
  return S_ISREG(about->st_mode) ? (about->st_size + 4095) / 4096 * 4 : 0;
}

char *human_size(intmax_t bytes) {
  static char text[32];
  const char *units = "\0KMGTPE";
  double size = (double)bytes;
  int unit = 0;
  while (size >= 1024 && unit < 6) size /= 1024, unit++;
  if (!unit) sprintf(text, "%jd", bytes);
  else {
    /* GNU rounds up. */
    double tenths = size * 10, whole = (double)(intmax_t)tenths;
    if (tenths > whole) whole += 1;
    if (whole < 100) sprintf(text, "%.1f%c", whole / 10, units[unit]);
    else {
      double full = (double)(intmax_t)size;
      if (size > full) full += 1;
      if (full >= 1024 && unit < 6) sprintf(text, "1.0%c", units[unit + 1]);
      else sprintf(text, "%.0f%c", full, units[unit]);
    }
  }
  return text;
}

/* ---- patterns ---- */

/* One `[…]`; the pattern behind it, or NULL if it is none. */
static const char *match_set(const char *at, int32_t character, bool *matches, int flags) {
  bool negated = *at == '!' || *at == '^', first = true, found = false;
  if (negated) at++;
  int bytes;
  int32_t lower = flags & GLOB_NO_CASE ? (int32_t)towlower((wint_t)character) : character;
  for (; first || *at != ']'; first = false) {
    if (!*at) return NULL;
    if (*at == '[' && at[1] == ':') {
      const char *end = strstr(at, ":]");
      if (end) {
        static const struct { const char *name; int (*is)(int); } classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum},
          {"upper", isupper}, {"lower", islower}, {"space", isspace}, {"blank", isblank}, {"punct", ispunct}, {"print", isprint},
          {"graph", isgraph}, {"cntrl", iscntrl}, {"xdigit", isxdigit}};
        for (size_t index = 0; index < sizeof classes / sizeof *classes; index++)
          if (!strncmp(at + 2, classes[index].name, (size_t)(end - at - 2)) && !classes[index].name[end - at - 2] && character < 128 && classes[index].is(character)) found = true;
        at = end + 2;
        continue;
      }
    }
    if (*at == '\\' && at[1]) at++;
    int32_t low = read_char(at, strlen(at), &bytes), high;
    at += bytes;
    high = low;
    if (*at == '-' && at[1] && at[1] != ']') {
      at++;
      if (*at == '\\' && at[1]) at++;
      high = read_char(at, strlen(at), &bytes);
      at += bytes;
    }
    if ((character >= low && character <= high) || (lower >= low && lower <= high)) found = true;
    if (flags & GLOB_NO_CASE && (int32_t)towupper((wint_t)character) >= low && (int32_t)towupper((wint_t)character) <= high) found = true;
  }
  *matches = found != negated;
  return at + 1;
}

bool glob_match(const char *pattern, const char *text, int flags) {
  const char *star = NULL, *back = NULL;
  for (;;) {
    int bytes = 1;
    if (*pattern == '*') {
      star = ++pattern, back = text;
      continue;
    }
    if (!*text) {
      if (!*pattern) return true;
      return false;
    }
    int32_t character = read_char(text, strlen(text), &bytes);
    bool matches = false;
    const char *next = pattern;
    if (*pattern == '?') matches = true, next = pattern + 1;
    else if (*pattern == '[') {
      next = match_set(pattern + 1, character, &matches, flags);
      if (!next) matches = *text == '[', next = pattern + 1;
    } else if (*pattern) {
      if (*pattern == '\\' && pattern[1]) pattern++;
      int width;
      int32_t wanted = read_char(pattern, strlen(pattern), &width);
      matches = wanted == character && (wanted >= 0 || *pattern == *text);
      if (flags & GLOB_NO_CASE && wanted >= 0 && towlower((wint_t)wanted) == towlower((wint_t)character)) matches = true;
      next = pattern + width;
    }
    if (matches) pattern = next, text += bytes;
    else if (star) {
      if (!*back) return false;
      read_char(back, strlen(back), &bytes);
      pattern = star, text = back += bytes;
    } else return false;
  }
}

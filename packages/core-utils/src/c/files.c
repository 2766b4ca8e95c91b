/* Folders and paths. */
#include "cu.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- times ---- */

static const char *const MONTHS[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
static const char *const DAYS[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

static int word_in(const char *word, size_t length, const char *const *words, int count) {
  for (int at = 0; at < count; at++)
    if (length >= 3 && !strncasecmp(word, words[at], 3)) return at;
  return -1;
}

bool parse_time(const char *text, struct timespec *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (*text == '@') {
    char *end;
    double seconds = strtod(text + 1, &end);
    if (end == text + 1 || *end) return false;
    result->tv_sec = (time_t)(seconds < 0 && seconds != (double)(time_t)seconds ? seconds - 1 : seconds);
    result->tv_nsec = (long)((seconds - (double)result->tv_sec) * 1e9);
    return true;
  }
  struct tm when;
  gmtime_r(&now.tv_sec, &when);
  long offset = 0;
  bool dated = false, timed = false;
  int weekday = -1;
  result->tv_nsec = now.tv_nsec;
  for (const char *at = text; *at;) {
    if (isspace((unsigned char)*at) || *at == ',') {
      at++;
      continue;
    }
    int year, month, day, hour, minute, used = 0;
    double second = 0;
    if (sscanf(at, "%4d-%2d-%2d%n", &year, &month, &day, &used) == 3 && used >= 8) {
      if (month < 1 || month > 12 || day < 1 || day > 31) return false;
      when.tm_year = year - 1900, when.tm_mon = month - 1, when.tm_mday = day, dated = true;
      at += used;
      if ((*at == 'T' || *at == 't') && isdigit((unsigned char)at[1])) at++;
      continue;
    }
    if (sscanf(at, "%2d:%2d%n", &hour, &minute, &used) == 2) {
      if (hour > 24 || minute > 59) return false;
      at += used;
      if (*at == ':') {
        char *end;
        second = strtod(at + 1, &end);
        at = end;
      }
      while (*at == ' ' && (!strncasecmp(at + 1, "am", 2) || !strncasecmp(at + 1, "pm", 2))) at++;
      if (!strncasecmp(at, "pm", 2)) hour = hour % 12 + 12, at += 2;
      else if (!strncasecmp(at, "am", 2)) hour %= 12, at += 2;
      when.tm_hour = hour, when.tm_min = minute, when.tm_sec = (int)second;
      result->tv_nsec = (long)((second - (int)second) * 1e9);
      timed = true;
      const char *zone = at + strspn(at, " ");
      if ((*zone == '+' || *zone == '-') && strspn(zone + 1, "0123456789:") >= 4) at = zone;
      if (*at == 'Z' || *at == 'z') at++;
      else if (*at == '+' || *at == '-') {
        int sign = *at == '-' ? 1 : -1, zone_hour = 0, zone_minute = 0;
        if (sscanf(at + 1, "%2d:%2d%n", &zone_hour, &zone_minute, &used) == 2) at += used + 1;
        else if (sscanf(at + 1, "%2d%2d%n", &zone_hour, &zone_minute, &used) == 2) at += used + 1;
        else if (sscanf(at + 1, "%2d%n", &zone_hour, &used) == 1) at += used + 1;
        else return false;
        offset += sign * (zone_hour * 3600 + zone_minute * 60);
      }
      continue;
    }
    if (sscanf(at, "%2d%n", &hour, &used) == 1 && (!strncasecmp(at + used, "am", 2) || !strncasecmp(at + used, "pm", 2)) && hour <= 12) {
      when.tm_hour = hour % 12 + (tolower((unsigned char)at[used]) == 'p' ? 12 : 0), when.tm_min = when.tm_sec = 0;
      result->tv_nsec = 0, timed = true, at += used + 2;
      continue;
    }
    if (sscanf(at, "%2d/%2d/%4d%n", &month, &day, &year, &used) == 3) {
      when.tm_year = (year < 69 ? year + 2000 : year < 100 ? year + 1900 : year) - 1900, when.tm_mon = month - 1, when.tm_mday = day;
      dated = true, at += used;
      continue;
    }
    if (isdigit((unsigned char)*at) || *at == '+' || *at == '-') {
      char *end;
      long amount = strtol(at, &end, 10);
      if (end == at) return false;
      while (*end == ' ') end++;
      size_t length = 0;
      while (isalpha((unsigned char)end[length])) length++;
      int named = word_in(end, length, MONTHS, 12);
      if (length && named >= 0 && strncasecmp(end, "month", 5) && *at != '+' && *at != '-') {
        when.tm_mday = (int)amount, when.tm_mon = named, dated = true, at = end + length;
        while (*at == ' ') at++;
        if (sscanf(at, "%4d%n", &year, &used) == 1 && used == 4 && at[4] != ':') when.tm_year = year - 1900, at += 4;
        continue;
      }
      if (!length) {
        if (end - at == 8 && *at != '+' && *at != '-') {
          when.tm_year = (int)(amount / 10000) - 1900, when.tm_mon = (int)(amount / 100 % 100) - 1, when.tm_mday = (int)(amount % 100);
          dated = true, at = end;
          continue;
        }
        if (end - at == 4 && dated) {
          when.tm_year = (int)amount - 1900, at = end;
          continue;
        }
        return false;
      }
      const char *unit = end;
      end += length;
      const char *after = end;
      while (*after == ' ') after++;
      if (!strncasecmp(after, "ago", 3)) amount = -amount, end = (char *)after + 3;
      if (!strncasecmp(unit, "sec", 3)) offset += amount;
      else if (!strncasecmp(unit, "min", 3)) offset += amount * 60;
      else if (!strncasecmp(unit, "hour", 4)) offset += amount * 3600;
      else if (!strncasecmp(unit, "day", 3)) when.tm_mday += (int)amount;
      else if (!strncasecmp(unit, "week", 4)) when.tm_mday += (int)amount * 7;
      else if (!strncasecmp(unit, "month", 5)) when.tm_mon += (int)amount;
      else if (!strncasecmp(unit, "year", 4)) when.tm_year += (int)amount;
      else return false;
      at = end;
      continue;
    }
    size_t length = 0;
    while (isalpha((unsigned char)at[length])) length++;
    if (!length) return false;
    int month_named = word_in(at, length, MONTHS, 12), day_named = word_in(at, length, DAYS, 7);
    int sign = !strncasecmp(at, "next", 4) ? 1 : !strncasecmp(at, "last", 4) ? -1 : 0;
    if (!strncasecmp(at, "now", length) && length == 3) ;
    else if (!strncasecmp(at, "today", length) && length == 5) ;
    else if (!strncasecmp(at, "yesterday", length) && length == 9) when.tm_mday--;
    else if (!strncasecmp(at, "tomorrow", length) && length == 8) when.tm_mday++;
    else if (!strncasecmp(at, "midnight", length) && length == 8) when.tm_hour = when.tm_min = when.tm_sec = 0, timed = true, result->tv_nsec = 0;
    else if (length <= 3 && (!strncasecmp(at, "utc", length) || !strncasecmp(at, "gmt", length) || !strncasecmp(at, "z", length))) ;
    else if (sign && length == 4) {
      at += 4;
      while (*at == ' ') at++;
      length = 0;
      while (isalpha((unsigned char)at[length])) length++;
      if (!strncasecmp(at, "week", 4)) when.tm_mday += 7 * sign;
      else if (!strncasecmp(at, "month", 5)) when.tm_mon += sign;
      else if (!strncasecmp(at, "year", 4)) when.tm_year += sign;
      else if (!strncasecmp(at, "day", 3)) when.tm_mday += sign;
      else return false;
    } else if (month_named >= 0) {
      when.tm_mon = month_named, dated = true;
      int used_day = 0;
      const char *next = at + length;
      if (sscanf(next, " %2d%n", &day, &used_day) == 1 && next[used_day] != ':') {
        when.tm_mday = day, length += (size_t)used_day;
        next = at + length;
        if (*next == ',') next++;
        if (sscanf(next, " %4d%n", &year, &used_day) == 1 && year > 99 && next[used_day] != ':') when.tm_year = year - 1900, length = (size_t)(next + used_day - at);
      }
    } else if (day_named >= 0) weekday = day_named;
    else return false;
    at += length;
  }
  if ((dated || weekday >= 0) && !timed) when.tm_hour = when.tm_min = when.tm_sec = 0, result->tv_nsec = 0;
  if (weekday >= 0 && !dated) when.tm_mday += (weekday - when.tm_wday + 7) % 7;
  if (!*text) when.tm_hour = when.tm_min = when.tm_sec = 0, result->tv_nsec = 0;
  result->tv_sec = timegm(&when) + offset;
  return true;
}

/* ---- patterns ---- */

/* One `[…]`; the pattern behind it, or NULL if it is none. */
static const char *match_set(const char *at, int32_t character, bool *matches, int flags) {
  bool negated = *at == '!' || *at == '^', first = true, found = false;
  if (negated) at++;
  int bytes;
  int32_t lower = flags & GLOB_NO_CASE && character < 128 ? tolower(character) : character;
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
    if (flags & GLOB_NO_CASE && character < 128 && toupper(character) >= low && toupper(character) <= high) found = true;
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
      if (flags & GLOB_NO_CASE && wanted < 128 && character < 128 && tolower(wanted) == tolower(character)) matches = true;
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

/* ls and du */
#include "cu.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
  char *name, *path;
  struct stat about;
  int mode;
  char *target;
};

static struct {
  bool all, almost, folders, recursive, reverse, human, numbers, long_form, hide_owner, hide_group, follow, inode, sizes, columns, commas, quoted, escaped;
  char sort, mark;
} ls;

static int compare_version(const char *a, const char *b) {
  while (*a || *b) {
    if (strspn(a, "0123456789") && strspn(b, "0123456789")) {
      while (*a == '0') a++;
      while (*b == '0') b++;
      size_t left = strspn(a, "0123456789"), right = strspn(b, "0123456789");
      if (left != right) return left < right ? -1 : 1;
      int order = strncmp(a, b, left);
      if (order) return order;
      a += left, b += right;
    } else if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
    else a++, b++;
  }
  return 0;
}

static int compare_entries(const void *a, const void *b) {
  const struct entry *left = a, *right = b;
  int order = 0;
  if (ls.sort == 'S') order = left->about.st_size < right->about.st_size ? 1 : left->about.st_size > right->about.st_size ? -1 : 0;
  if (ls.sort == 't') {
    struct timespec x = left->about.st_mtim, y = right->about.st_mtim;
    order = x.tv_sec != y.tv_sec ? (x.tv_sec < y.tv_sec ? 1 : -1) : x.tv_nsec != y.tv_nsec ? (x.tv_nsec < y.tv_nsec ? 1 : -1) : 0;
  }
  if (ls.sort == 'X') {
    const char *x = strrchr(left->name, '.'), *y = strrchr(right->name, '.');
    order = strcmp(x ? x : "", y ? y : "");
  }
  if (ls.sort == 'v') order = compare_version(left->name, right->name);
  if (!order) order = strcmp(left->name, right->name);
  return ls.reverse ? -order : order;
}

static bool read_entry(struct entry *entry, const char *path, const char *name, bool follow) {
  *entry = (struct entry){.name = copy_text(name), .path = copy_text(path)};
  if (!*path) return errno = ENOENT, false;
  if ((follow ? stat : lstat)(path, &entry->about) < 0 && (!follow || lstat(path, &entry->about) < 0)) return false;
  if (S_ISDIR(entry->about.st_mode)) entry->about.st_size = 4096;
  entry->mode = S_ISLNK(entry->about.st_mode) ? 0777 : mode_of(path, follow);
  if (S_ISLNK(entry->about.st_mode)) {
    char target[PATH_MAX + 1];
    ssize_t length = readlink(path, target, PATH_MAX);
    if (length >= 0) entry->target = copy_bytes(target, (size_t)length);
  }
  return true;
}

static char mark_of(const struct entry *entry) {
  if (S_ISDIR(entry->about.st_mode)) return ls.mark ? '/' : 0;
  if (ls.mark != 'F') return 0;
  if (S_ISLNK(entry->about.st_mode)) return ls.long_form ? 0 : '@';
  return S_ISREG(entry->about.st_mode) && entry->mode & 0111 ? '*' : 0;
}

static char *shown_name(const struct entry *entry) {
  char mark = mark_of(entry);
  const char *name = entry->name;
  if (ls.quoted) name = format_text("\"%s\"", name);
  else if (isatty(1)) {
    name = name_of(name);
    char *visible = copy_text(name);
    for (char *at = visible; *at; at++)
      if ((unsigned char)*at < ' ' || *at == 127) *at = '?';
    name = visible;
  }
  return format_text("%s%.*s", name, mark ? 1 : 0, &mark);
}

static int digits(intmax_t number) { return snprintf(NULL, 0, "%jd", number); }

static const char *size_text(intmax_t size) {
  if (ls.human) return human_size(size);
  static char text[32];
  sprintf(text, "%jd", size);
  return text;
}

static void show_entries(struct entry *entries, size_t count, bool total) {
  intmax_t blocks = 0, most_links = 0, most_inode = 0;
  int size_width = 0, block_width = 0;
  for (size_t at = 0; at < count; at++) {
    struct entry *one = &entries[at];
    intmax_t mine = blocks_of(&one->about);
    blocks += mine;
    if ((intmax_t)one->about.st_nlink > most_links) most_links = (intmax_t)one->about.st_nlink;
    if ((intmax_t)one->about.st_ino > most_inode) most_inode = (intmax_t)one->about.st_ino;
    int width = (int)strlen(size_text(one->about.st_size));
    if (width > size_width) size_width = width;
    width = (int)strlen(ls.human ? human_size(mine * 1024) : size_text(mine));
    if (width > block_width) block_width = width;
  }
  if (total && (ls.long_form || ls.sizes)) printf("total %s\n", ls.human ? human_size(blocks * 1024) : size_text(blocks));
  time_t now = time(NULL);
  if (ls.columns && !ls.long_form) {
    size_t widest = 0;
    char **names = grab((count + 1) * sizeof *names);
    for (size_t at = 0; at < count; at++) {
      names[at] = shown_name(&entries[at]);
      size_t width = text_width(names[at], strlen(names[at]));
      if (width > widest) widest = width;
    }
    const char *given = getenv("COLUMNS");
    size_t line = given && atoi(given) > 0 ? (size_t)atoi(given) : 80, per_row = line / (widest + 2);
    if (per_row < 1) per_row = 1;
    size_t rows = (count + per_row - 1) / per_row;
    for (size_t row = 0; row < rows; row++) {
      for (size_t at = row; at < count; at += rows) {
        fputs(names[at], stdout);
        if (at + rows < count) printf("%*s", (int)(widest + 2 - text_width(names[at], strlen(names[at]))), "");
      }
      putchar('\n');
    }
    return;
  }
  for (size_t at = 0; at < count; at++) {
    struct entry *one = &entries[at];
    if (ls.inode) printf("%*jd ", digits(most_inode), (intmax_t)one->about.st_ino);
    if (ls.sizes) printf("%*s ", block_width, ls.human ? human_size(blocks_of(&one->about) * 1024) : size_text(blocks_of(&one->about)));
    if (ls.long_form) {
      char mode[11], when[64];
      struct tm time;
      show_mode(mode, &one->about, one->mode);
      gmtime_r(&one->about.st_mtim.tv_sec, &time);
      bool recent = one->about.st_mtim.tv_sec <= now && now - one->about.st_mtim.tv_sec < 31556952 / 2;
      strftime(when, sizeof when, recent ? "%b %e %H:%M" : "%b %e  %Y", &time);
      printf("%s %*jd ", mode, digits(most_links), (intmax_t)one->about.st_nlink);
      const char *owner = ls.numbers ? "1000" : "user";
      if (!ls.hide_owner) printf("%s ", owner);
      if (!ls.hide_group) printf("%s ", owner);
      printf("%*s %s ", size_width, size_text(one->about.st_size), when);
    }
    fputs(shown_name(one), stdout);
    if (ls.long_form && one->target) printf(" -> %s", one->target);
    if (ls.commas && at + 1 < count) fputs(", ", stdout);
    else putchar('\n');
  }
}

static void show_folder(const char *path, bool titled, bool *first) {
  char **names = list_folder(path);
  if (!names) {
    warn_errno("cannot open directory %s", quote_name(path));
    return;
  }
  if (titled) printf("%s%s:\n", *first ? "" : "\n", name_of(path));
  *first = false;
  size_t count = 0, room = 2;
  for (char **name = names; *name; name++) room++;
  struct entry *entries = grab(room * sizeof *entries);
  if (ls.all) {
    read_entry(&entries[count++], path, ".", true);
    char *above = join_path(path, "..");
    char *real = real_path(above, MUST_ALL);
    if (real) read_entry(&entries[count++], real, "..", true);
  }
  for (char **name = names; *name; name++) {
    if (**name == '.' && !ls.all && !ls.almost) continue;
    char *inside = join_path(path, *name);
    if (read_entry(&entries[count], inside, *name, ls.follow)) count++;
    else warn_errno("cannot access %s", quote_name(inside));
  }
  if (ls.sort != 'U') qsort(entries, count, sizeof *entries, compare_entries);
  show_entries(entries, count, true);
  if (!ls.recursive) return;
  for (size_t at = 0; at < count; at++)
    if (S_ISDIR(entries[at].about.st_mode) && strcmp(entries[at].name, ".") && strcmp(entries[at].name, "..")) show_folder(join_path(path, entries[at].name), true, first);
}

int ls_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"all", NO_VALUE, 'a'}, {"almost-all", NO_VALUE, 'A'}, {"directory", NO_VALUE, 'd'}, {"recursive", NO_VALUE, 'R'},
    {"reverse", NO_VALUE, 'r'}, {"human-readable", NO_VALUE, 'h'}, {"numeric-uid-gid", NO_VALUE, 'n'}, {"no-group", NO_VALUE, 'G'}, {"dereference", NO_VALUE, 'L'},
    {"inode", NO_VALUE, 'i'}, {"size", NO_VALUE, 's'}, {"classify", MAY_HAVE_VALUE, 'F'}, {"color", MAY_HAVE_VALUE, 1}, {"sort", NEEDS_VALUE, 2}, {"quote-name", NO_VALUE, 'Q'},
    {"file-type", NO_VALUE, 'p'}, {"indicator-style", NEEDS_VALUE, 3}, {"group-directories-first", NO_VALUE, 4}, {"full-time", NO_VALUE, 5}, {"time-style", NEEDS_VALUE, 6}, {0}};
  struct options options;
  usage_status = 2;
  ls.columns = isatty(1);
  options_begin(&options, argc, argv, "1aACdFgGhHiklLmnopQrRsStUvxX", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'a' || c == 'f') ls.all = true;
    if (c == 'A') ls.almost = true, ls.all = false;
    if (c == 'd') ls.folders = true;
    if (c == 'R') ls.recursive = true;
    if (c == 'r') ls.reverse = true;
    if (c == 'h') ls.human = true;
    if (strchr("lngo", c) && c > 6) ls.long_form = true;
    if (c == 'n') ls.numbers = true;
    if (c == 'g') ls.hide_owner = true;
    if (c == 'o' || c == 'G') ls.hide_group = true;
    if (c == 'L') ls.follow = true;
    if (c == 'i') ls.inode = true;
    if (c == 's') ls.sizes = true;
    if (c == 'F' || (c == 'p' && ls.mark != 'F')) ls.mark = (char)c;
    if (c == 'm') ls.commas = true, ls.columns = false;
    if (c == 'Q') ls.quoted = true;
    if (c == '1') ls.columns = ls.commas = false;
    if (c == 'C' || c == 'x') ls.columns = true;
    if (strchr("StUvX", c) && c > 6) ls.sort = (char)c;
    if (c == 2) {
      static const char *const words[] = {"none", "size", "time", "version", "extension", "name", NULL};
      ls.sort = "UStvXn"[choose_word("--sort", options.value, words)];
    }
  }
  bool first = true;
  size_t files = 0, folders = 0, count = options.count ? (size_t)options.count : 1;
  struct entry *entries = grab(count * sizeof *entries), *inside = grab(count * sizeof *inside);
  for (size_t at = 0; at < count; at++) {
    const char *path = options.count ? options.operands[at] : ".";
    struct entry one;
    if (!read_entry(&one, path, path, !ls.long_form || ls.follow)) {
      warn_errno("cannot access %s", quote_name(path));
      exit_status = 2;
      continue;
    }
    if (!S_ISDIR(one.about.st_mode) || ls.folders) {
      if (!ls.follow && ls.mark) read_entry(&one, path, path, false);
      entries[files++] = one;
    } else inside[folders++] = one;
  }
  if (ls.sort != 'U') qsort(entries, files, sizeof *entries, compare_entries), qsort(inside, folders, sizeof *inside, compare_entries);
  if (files) show_entries(entries, files, false), first = false;
  for (size_t at = 0; at < folders; at++) show_folder(inside[at].name, ls.recursive || options.count > 1, &first);
  return exit_status;
}

static struct {
  bool all, bytes, human, total_only, files;
  intmax_t deepest, unit;
} du;

static void show_usage(intmax_t bytes, const char *path) {
  if (du.human) printf("%s\t%s\n", human_size(bytes), path);
  else printf("%jd\t%s\n", (bytes + du.unit - 1) / du.unit, path);
}

static intmax_t usage_of(const char *path, intmax_t depth) {
  struct stat about;
  if (lstat(path, &about) < 0) {
    warn_errno("cannot access %s", quote_name(path));
    return 0;
  }
  intmax_t sum = du.bytes ? S_ISDIR(about.st_mode) ? 4096 : about.st_size : blocks_of(&about) * 1024;
  if (S_ISDIR(about.st_mode)) {
    char **names = list_folder(path);
    for (char **name = names; name && *name; name++) sum += usage_of(join_path(path, *name), depth + 1);
  }
  if (depth == 0 || (depth <= du.deepest && (S_ISDIR(about.st_mode) || du.all))) show_usage(sum, path);
  return sum;
}

int du_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"all", NO_VALUE, 'a'}, {"bytes", NO_VALUE, 'b'}, {"human-readable", NO_VALUE, 'h'}, {"summarize", NO_VALUE, 's'},
    {"total", NO_VALUE, 'c'}, {"max-depth", NEEDS_VALUE, 'd'}, {"apparent-size", NO_VALUE, 1}, {0}};
  struct options options;
  bool total = false;
  du.unit = 1024, du.deepest = INTMAX_MAX;
  options_begin(&options, argc, argv, "abhscd:kmx", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'a') du.all = true;
    if (c == 'b') du.bytes = true, du.unit = 1;
    if (c == 1) du.bytes = true;
    if (c == 'h') du.human = true;
    if (c == 's') du.deepest = 0;
    if (c == 'c') total = true;
    if (c == 'd' && !parse_count(options.value, &du.deepest)) usage_error("invalid maximum depth %s", quote(options.value));
    if (c == 'k') du.unit = 1024;
    if (c == 'm') du.unit = 1024 * 1024;
  }
  intmax_t sum = 0;
  for (int at = 0; at < (options.count ? options.count : 1); at++) sum += usage_of(options.count ? options.operands[at] : ".", 0);
  if (total) show_usage(sum, "total");
  return exit_status;
}

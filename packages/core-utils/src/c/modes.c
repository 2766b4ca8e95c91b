/* chmod, touch, stat, mktemp */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a mode of chmod makes of another; -1 if it is none. */
int parse_mode(const char *text, int mode, bool folder, int umasked) {
  if (isdigit((unsigned char)*text)) {
    char *end;
    long number = strtol(text, &end, 8);
    if (*end || number > 07777) return -1;
    /* Of a folder, those that are not named stay. */
    return folder && strlen(text) < 5 ? (int)number | (mode & 06000) : (int)number;
  }
  for (const char *at = text;; at++) {
    int who = 0;
    for (; *at && strchr("ugoa", *at); at++) who |= *at == 'u' ? 04700 : *at == 'g' ? 02070 : *at == 'o' ? 01007 : 07777;
    int everybody = who ? who : 07777 & ~umasked;
    if (!*at || !strchr("+-=", *at)) return -1;
    while (*at && strchr("+-=", *at)) {
      char sign = *at++;
      int bits = 0;
      if (*at && strchr("ugo", *at)) {
        int from = *at == 'u' ? mode >> 6 & 7 : *at == 'g' ? mode >> 3 & 7 : mode & 7;
        bits = from * 0111;
        at++;
      } else
        for (; *at && strchr("rwxXst", *at); at++) {
          if (*at == 'r') bits |= 0444;
          if (*at == 'w') bits |= 0222;
          if (*at == 'x' || (*at == 'X' && (folder || mode & 0111))) bits |= 0111;
          if (*at == 's') bits |= 06000;
          if (*at == 't') bits |= 01000;
        }
      int changed = bits & everybody;
      if (sign == '+') mode |= changed;
      else if (sign == '-') mode &= ~changed;
      else mode = (mode & ~(who ? who & (folder ? 0777 | 01000 : 07777) : 0777)) | changed;
    }
    if (!*at) return mode;
    if (*at != ',') return -1;
  }
}

static struct {
  const char *mode;
  bool recursive, verbose, changes, quiet;
} chmods;

static void chmod_one(const char *path) {
  struct stat about;
  if (stat(path, &about) < 0) {
    struct stat link;
    if (!chmods.quiet) {
      if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode)) warn("cannot operate on dangling symlink %s", quote_name(path));
      else warn_errno("cannot access %s", quote_name(path));
    }
    exit_status = 1;
    return;
  }
  int before = mode_of(path, true), after = parse_mode(chmods.mode, before, S_ISDIR(about.st_mode), 022);
  if (change_mode(path, after) < 0) {
    warn_errno("changing permissions of %s", quote_name(path));
    return;
  }
  char old[11], new[11];
  show_mode(old, &about, before), show_mode(new, &about, after);
  if (before != after && (chmods.verbose || chmods.changes))
    printf("mode of %s changed from %04o (%s) to %04o (%s)\n", quote_name(path), before, old + 1, after, new + 1);
  else if (chmods.verbose) printf("mode of %s retained as %04o (%s)\n", quote_name(path), before, old + 1);
  if (!chmods.recursive || !S_ISDIR(about.st_mode)) return;
  char **names = list_folder(path);
  for (char **name = names; name && *name; name++) {
    char *inside = join_path(path, *name);
    if (lstat(inside, &about) == 0 && !S_ISLNK(about.st_mode)) chmod_one(inside);
    free(inside);
  }
}

int chmod_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"recursive", NO_VALUE, 'R'}, {"verbose", NO_VALUE, 'v'}, {"changes", NO_VALUE, 'c'}, {"quiet", NO_VALUE, 'f'},
    {"silent", NO_VALUE, 'f'}, {"reference", NEEDS_VALUE, 1}, {0}};
  struct options options;
  /* "-w" and "-x" are modes. */
  char **words = grab_zero((size_t)argc + 2, sizeof *words);
  int count = 0;
  const char *like = NULL;
  for (int at = 0; at < argc; at++) {
    if (at && argv[at][0] == '-' && argv[at][1] && strspn(argv[at] + 1, "rwxXst,ugoa+=-") == strlen(argv[at] + 1) && argv[at][1] != '-' && !chmods.mode) chmods.mode = argv[at];
    else words[count++] = argv[at];
  }
  options_begin(&options, count, words, "RvcfH", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'R') chmods.recursive = true;
    if (c == 'v') chmods.verbose = true;
    if (c == 'c') chmods.changes = true;
    if (c == 'f') chmods.quiet = true;
    if (c == 1) like = options.value;
  }
  int at = 0;
  if (like) {
    int mode = mode_of(like, true);
    if (mode < 0) die_errno(1, "failed to get attributes of %s", quote_name(like));
    chmods.mode = format_text("%05o", mode);
  } else if (!chmods.mode) {
    if (!options.count) usage_error("missing operand");
    chmods.mode = options.operands[at++];
  }
  if (at >= options.count) usage_error("missing operand after %s", quote(chmods.mode));
  if (parse_mode(chmods.mode, 0644, false, 022) < 0) usage_error("invalid mode: %s", quote(chmods.mode));
  for (; at < options.count; at++) chmod_one(options.operands[at]);
  return exit_status;
}

/* [[CC]YY]MMDDhhmm[.ss] */
static bool parse_stamp(const char *text, struct timespec *time) {
  const char *dot = strchr(text, '.');
  size_t digits = dot ? (size_t)(dot - text) : strlen(text);
  if (strspn(text, "0123456789") < digits || (digits != 8 && digits != 10 && digits != 12)) return false;
  int seconds = 0;
  if (dot && (strlen(dot) != 3 || sscanf(dot + 1, "%2d", &seconds) != 1)) return false;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct tm when;
  local_time(now.tv_sec, &when);
  const char *at = text;
  int year;
  if (digits == 12) sscanf(at, "%4d", &year), when.tm_year = year - 1900, at += 4;
  else if (digits == 10) sscanf(at, "%2d", &year), when.tm_year = year < 69 ? year + 100 : year, at += 2;
  if (sscanf(at, "%2d%2d%2d%2d", &when.tm_mon, &when.tm_mday, &when.tm_hour, &when.tm_min) != 4) return false;
  if (when.tm_mon < 1 || when.tm_mon > 12 || when.tm_mday < 1 || when.tm_mday > 31 || when.tm_hour > 23 || when.tm_min > 59) return false;
  when.tm_mon--;
  when.tm_sec = seconds;
  *time = (struct timespec){from_local(&when), 0};
  return true;
}

int touch_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"no-create", NO_VALUE, 'c'}, {"date", NEEDS_VALUE, 'd'}, {"reference", NEEDS_VALUE, 'r'}, {"time", NEEDS_VALUE, 1},
    {"no-dereference", NO_VALUE, 'h'}, {0}};
  struct options options;
  bool create = true, access = false, modify = false, links = false;
  struct timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[1] = times[0];
  options_begin(&options, argc, argv, "acd:fhmr:t:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'a') access = true;
    if (c == 'm') modify = true;
    if (c == 'c') create = false;
    if (c == 'h') links = true, create = false;
    if (c == 1) *options.value == 'm' ? (modify = true) : (access = true);
    if (c == 'd') {
      if (!parse_time(options.value, &times[0])) die(1, "invalid date format %s", quote(options.value));
      times[1] = times[0];
    }
    if (c == 't') {
      if (!parse_stamp(options.value, &times[0])) die(1, "invalid date format %s", quote(options.value));
      times[1] = times[0];
    }
    if (c == 'r') {
      struct stat about;
      if (stat(options.value, &about) < 0) die_errno(1, "failed to get attributes of %s", quote_name(options.value));
      times[0] = about.st_atim, times[1] = about.st_mtim;
    }
  }
  if (!options.count) usage_error("missing file operand");
  if (access && !modify) times[1].tv_nsec = UTIME_OMIT;
  if (modify && !access) times[0].tv_nsec = UTIME_OMIT;
  for (int at = 0; at < options.count; at++) {
    const char *path = options.operands[at];
    struct stat about;
    if (lstat(path, &about) < 0) {
      if (!create && errno == ENOENT) continue;
      int fd = open(path, O_WRONLY | O_CREAT, 0666);
      if (fd < 0) {
        warn_errno("cannot touch %s", quote_name(path));
        continue;
      }
      close(fd);
    }
    if (utimensat(AT_FDCWD, path, times, links ? AT_SYMLINK_NOFOLLOW : 0) < 0) warn_errno("setting times of %s", quote_name(path));
  }
  return exit_status;
}

static const char *kind_of(const struct stat *about) {
  if (S_ISDIR(about->st_mode)) return "directory";
  if (S_ISLNK(about->st_mode)) return "symbolic link";
  if (S_ISCHR(about->st_mode)) return "character special file";
  return about->st_size ? "regular file" : "regular empty file";
}

static void show_time(struct timespec time) {
  char *text = format_time("%Y-%m-%d %H:%M:%S.%N %z", time);
  fputs(text, stdout);
  free(text);
}

static void stat_format(const char *format, const char *path, const struct stat *about, int mode, bool escapes) {
  char modes[11], target[PATH_MAX + 1];
  show_mode(modes, about, mode);
  for (const char *at = format; *at; at++) {
    if (escapes && *at == '\\' && at[1]) {
      char byte;
      int used = read_escape(at + 1, &byte);
      if (used) {
        putchar(byte);
        at += used;
        continue;
      }
    }
    if (*at != '%' || !at[1]) {
      putchar(*at);
      continue;
    }
    char field[32] = "%";
    size_t width = strspn(at + 1, "-+ #0123456789.");
    if (width > 20) width = 20;
    strncat(field, at + 1, width);
    at += width + 1;
    char number[40], words[40];
    sprintf(number, "%sjd", field), sprintf(words, "%ss", field);
    int type = S_ISDIR(about->st_mode) ? 040000 : S_ISLNK(about->st_mode) ? 0120000 : S_ISCHR(about->st_mode) ? 020000 : 0100000;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    switch (*at) {
      case 'n': printf(words, path); break;
      case 'N': {
        ssize_t length = S_ISLNK(about->st_mode) ? readlink(path, target, PATH_MAX) : -1;
        printf("%s", quote_name(path));
        if (length >= 0) target[length] = 0, printf(" -> %s", quote_name(target));
        break;
      }
      case 's': printf(number, (intmax_t)(S_ISDIR(about->st_mode) ? 4096 : about->st_size)); break;
      case 'F': printf(words, kind_of(about)); break;
      case 'a': printf("%o", mode); break;
      case 'A': printf(words, modes); break;
      case 'f': printf("%x", type | mode); break;
      case 'h': printf(number, (intmax_t)about->st_nlink); break;
      case 'i': printf(number, (intmax_t)about->st_ino); break;
      case 'u': case 'g': printf(number, (intmax_t)1000); break;
      case 'U': case 'G': printf(words, "user"); break;
      case 'b': printf(number, blocks_of(about) * 2); break;
      case 'B': printf(number, (intmax_t)512); break;
      case 'o': printf(number, (intmax_t)4096); break;
      case 'X': printf(number, (intmax_t)about->st_atim.tv_sec); break;
      case 'Y': printf(number, (intmax_t)about->st_mtim.tv_sec); break;
      case 'Z': printf(number, (intmax_t)about->st_ctim.tv_sec); break;
      case 'W': putchar('0'); break;
      case 'w': putchar('-'); break;
      case 'x': show_time(about->st_atim); break;
      case 'y': show_time(about->st_mtim); break;
      case 'z': show_time(about->st_ctim); break;
      case 'd': putchar('1'); break;
      case '%': putchar('%'); break;
      default: printf("?");
    }
#pragma clang diagnostic pop
  }
}

int stat_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"format", NEEDS_VALUE, 'c'}, {"printf", NEEDS_VALUE, 1}, {"dereference", NO_VALUE, 'L'}, {"terse", NO_VALUE, 't'}, {0}};
  struct options options;
  const char *format = NULL;
  bool follow = false, escapes = false;
  options_begin(&options, argc, argv, "c:Lt", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'c') format = options.value, escapes = false;
    if (c == 1) format = options.value, escapes = true;
    if (c == 'L') follow = true;
    if (c == 't') format = "%n %s %b %f %u %g %d %i %h 0 0 %X %Y %Z %W %o", escapes = false;
  }
  if (!options.count) usage_error("missing operand");
  for (int at = 0; at < options.count; at++) {
    const char *path = options.operands[at];
    struct stat about;
    if ((follow ? stat : lstat)(path, &about) < 0) {
      if (follow) warn_errno("cannot stat %s", quote_name(path));
      else warn_errno("cannot statx %s", quote_name(path));
      continue;
    }
    int mode = mode_of(path, follow);
    if (format) {
      stat_format(format, path, &about, mode, escapes);
      if (!escapes) putchar('\n');
    } else
      stat_format("  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %d\tInode: %-11i Links: %h\nAccess: (0%a/%A)  Uid: ( %5u/%8U)   Gid: ( %5g/%8G)\n"
                  "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n", path, &about, mode, false);
  }
  return exit_status;
}

int mktemp_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"directory", NO_VALUE, 'd'}, {"dry-run", NO_VALUE, 'u'}, {"quiet", NO_VALUE, 'q'}, {"tmpdir", MAY_HAVE_VALUE, 'p'}, {"suffix", NEEDS_VALUE, 1}, {0}};
  struct options options;
  bool folder = false, dry = false, quiet = false, below = false, plain = false;
  const char *place = NULL, *suffix = "";
  options_begin(&options, argc, argv, "duqp:t", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'd') folder = true;
    if (c == 'u') dry = true;
    if (c == 'q') quiet = true;
    if (c == 'p') place = options.value, below = true;
    if (c == 't') below = plain = true;
    if (c == 1) suffix = options.value;
  }
  const char *template = options.count ? options.operands[0] : "tmp.XXXXXXXXXX";
  if (options.count > 1) usage_error("too many templates");
  if (!options.count) below = true;
  if (plain && strchr(template, '/')) die(1, "invalid template, %s, contains directory separator", quote(template));
  if (below && *template == '/') die(1, "invalid template, %s; with --tmpdir, it may not be absolute", quote(template));
  const char *usual = getenv("TMPDIR");
  if (!place || !*place || (plain && usual && *usual)) place = usual;
  char *path = format_text("%s%s%s%s", below ? (place && *place ? place : "/tmp") : "", below ? "/" : "", template, suffix);
  if (!*suffix && options.count) {
    /* What follows the last X is a suffix, too. */
    const char *last = strrchr(template, 'X');
    if (last && !strchr(last, '/')) suffix = last + 1;
  }
  char *end = path + strlen(path) - strlen(suffix), *start = end;
  while (start > path && start[-1] == 'X') start--;
  if (end - start < 3) die(1, "too few X's in template %s", quote(template));
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (int tries = 0; tries < 100; tries++) {
    for (char *at = start; at < end; at++) *at = letters[arc4random_uniform(62)];
    struct stat about;
    if (lstat(path, &about) == 0) continue;
    if (!dry) {
      int made = folder ? mkdir(path, 0700) : open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
      if (made < 0) {
        if (!quiet) warn_errno("failed to create %s via template %s", folder ? "directory" : "file", quote(format_text("%s%s%s", below ? place && *place ? place : "/tmp" : "", below ? "/" : "", template)));
        return 1;
      }
      change_mode(path, folder ? 0700 : 0600);
    }
    puts(path);
    return 0;
  }
  die(1, "no name is free");
}

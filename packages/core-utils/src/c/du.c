/* du */
#include "cu.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct {
  bool all, bytes, human, separate, follow, follow_named, twice;
  intmax_t deepest, unit, least;
  char end;
  const char **excludes;
  size_t exclude_count;
  /* What was counted: a file with several names counts once. */
  ino_t *seen;
  size_t seen_count, seen_room;
} du = {.end = '\n', .unit = 1024, .deepest = INTMAX_MAX};

static void show_usage(intmax_t bytes, const char *path) {
  if (du.least > 0 ? bytes < du.least : bytes > -du.least && du.least) return;
  if (du.human) printf("%s\t%s%c", human_size(bytes), path, du.end);
  else printf("%jd\t%s%c", (bytes + du.unit - 1) / du.unit, path, du.end);
}

static bool is_seen(const struct stat *about) {
  for (size_t at = 0; at < du.seen_count; at++)
    if (du.seen[at] == about->st_ino) return true;
  if (du.seen_count == du.seen_room) du.seen = regrab(du.seen, (du.seen_room = du.seen_room * 2 + 64) * sizeof *du.seen);
  du.seen[du.seen_count++] = about->st_ino;
  return false;
}

static bool is_excluded(const char *path, const char *name) {
  for (size_t at = 0; at < du.exclude_count; at++)
    if (glob_match(du.excludes[at], name, 0) || glob_match(du.excludes[at], path, 0)) return true;
  return false;
}

static intmax_t usage_of(const char *path, intmax_t depth) {
  struct stat about;
  if ((du.follow || (du.follow_named && !depth) ? stat : lstat)(path, &about) < 0) {
    warn_errno("cannot access %s", quote_name(path));
    return 0;
  }
  bool folder = S_ISDIR(about.st_mode);
  if ((about.st_nlink > 1 || folder || du.follow) && !du.twice && is_seen(&about)) return 0;
  intmax_t sum = du.bytes ? folder ? 4096 : about.st_size : blocks_of(&about) * 1024, inside = 0;
  if (folder) {
    char **names = list_folder(path);
    if (!names) warn_errno("cannot read directory %s", quote_name(path));
    for (char **name = names; name && *name; name++) {
      char *below = join_path(path, *name);
      struct stat what;
      if (!is_excluded(below, *name)) {
        bool is_folder = du.separate && lstat(below, &what) == 0 && S_ISDIR(what.st_mode);
        *(is_folder ? &inside : &sum) += usage_of(below, depth + 1);
      }
      free(below);
    }
  }
  if (depth == 0 || (depth <= du.deepest && (folder || du.all))) show_usage(sum, path);
  return sum + inside;
}

int du_main(int argc, char **argv) {
  enum { APPARENT = 256, EXCLUDE };
  static const struct long_option longs[] = {{"all", NO_VALUE, 'a'}, {"bytes", NO_VALUE, 'b'}, {"human-readable", NO_VALUE, 'h'}, {"summarize", NO_VALUE, 's'},
    {"total", NO_VALUE, 'c'}, {"max-depth", NEEDS_VALUE, 'd'}, {"apparent-size", NO_VALUE, APPARENT}, {"dereference", NO_VALUE, 'L'}, {"dereference-args", NO_VALUE, 'D'},
    {"no-dereference", NO_VALUE, 'P'}, {"separate-dirs", NO_VALUE, 'S'}, {"count-links", NO_VALUE, 'l'}, {"null", NO_VALUE, '0'}, {"exclude", NEEDS_VALUE, EXCLUDE},
    {"block-size", NEEDS_VALUE, 'B'}, {"threshold", NEEDS_VALUE, 't'}, {"one-file-system", NO_VALUE, 'x'}, {0}};
  struct options options;
  bool total = false;
  options_begin(&options, argc, argv, "abhscd:kmxLHDPSl0B:t:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'a': du.all = true; break;
      case 'b': du.bytes = true, du.unit = 1; break;
      case APPARENT: du.bytes = true; break;
      case 'h': du.human = true; break;
      case 's': du.deepest = 0; break;
      case 'c': total = true; break;
      case 'd':
        if (!parse_count(options.value, &du.deepest)) usage_error("invalid maximum depth %s", quote(options.value));
        break;
      case 'k': du.unit = 1024, du.human = false; break;
      case 'm': du.unit = 1024 * 1024, du.human = false; break;
      case 'B':
        if (!parse_size(*options.value >= '0' && *options.value <= '9' ? options.value : format_text("1%s", options.value), &du.unit) || du.unit < 1)
          die(1, "invalid --block-size argument %s", quote_name(options.value));
        break;
      case 't': {
        bool below = *options.value == '-';
        if (!parse_size(options.value + below, &du.least)) die(1, "invalid --threshold argument %s", quote_name(options.value));
        if (below) du.least = -du.least;
        break;
      }
      case 'L': du.follow = true, du.follow_named = false; break;
      case 'H': case 'D': du.follow_named = true, du.follow = false; break;
      case 'P': du.follow = du.follow_named = false; break;
      case 'S': du.separate = true; break;
      case 'l': du.twice = true; break;
      case '0': du.end = 0; break;
      case EXCLUDE:
        du.excludes = regrab(du.excludes, (du.exclude_count + 1) * sizeof *du.excludes);
        du.excludes[du.exclude_count++] = options.value;
        break;
    }
  intmax_t sum = 0;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    char *path = options.count ? options.operands[at] : ".";
    sum += usage_of(path, 0);
  }
  if (total) show_usage(sum, "total");
  return exit_status;
}

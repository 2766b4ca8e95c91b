/* cp, mv, ln, install */
#include "cu.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What cp, mv and ln were told. */
static struct {
  bool recursive, links, hard_follow, force, keep, verbose, newer, preserve, attributes_only, symbolic, hard, no_target, flat, parents, relative, ask;
  const char *into;
} how;

static bool same_file(const struct stat *a, const struct stat *b) { return a->st_ino == b->st_ino && a->st_dev == b->st_dev; }

static bool keep_times(const char *path, const struct stat *about) {
  struct timespec times[2] = {about->st_atim, about->st_mtim};
  return utimensat(AT_FDCWD, path, times, 0) == 0;
}

bool copy_data(const char *from, const char *to) {
  int source = open(from, O_RDONLY);
  if (source < 0) return warn_errno("cannot open %s for reading", quote_name(from)), false;
  int target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (target < 0 && how.force && unlink(to) == 0) target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (target < 0) {
    warn_errno("cannot create regular file %s", quote_name(to));
    close(source);
    return false;
  }
  static char data[65536];
  bool fine = true;
  for (ssize_t length; fine && (length = read(source, data, sizeof data)) != 0;) {
    if (length < 0) warn_errno("error reading %s", quote_name(from)), fine = false;
    else if (write(target, data, (size_t)length) != length) warn_errno("error writing %s", quote_name(to)), fine = false;
  }
  close(source);
  close(target);
  return fine;
}

static bool make_link(const char *from, const char *to) {
  char target[PATH_MAX + 1];
  ssize_t length = readlink(from, target, PATH_MAX);
  if (length < 0) return warn_errno("cannot read symbolic link %s", quote_name(from)), false;
  target[length] = 0;
  struct stat about;
  if (lstat(to, &about) == 0 && !S_ISDIR(about.st_mode)) unlink(to);
  if (symlink(target, to) < 0) return warn_errno("cannot create symbolic link %s", quote_name(to)), false;
  return true;
}

static bool is_beneath(const char *folder, const char *path) {
  char *above = real_path(folder, MUST_NOTHING), *below = real_path(path, MUST_NOTHING);
  size_t length = strlen(above);
  bool beneath = !strncmp(above, below, length) && (below[length] == '/' || !below[length] || length == 1);
  free(above), free(below);
  return beneath;
}

/* The copy of a folder, which may be inside that folder. */
static struct {
  const char *from, *to;
  ino_t made;
} whole;

static bool copy_one(const char *from, const char *to, bool top) {
  struct stat about, there;
  bool follow = how.hard_follow || (!how.links && (!how.recursive || (top && how.hard_follow)));
  if ((follow ? stat : lstat)(from, &about) < 0) return warn_errno("cannot stat %s", quote_name(from)), false;
  bool exists = (S_ISLNK(about.st_mode) ? lstat : stat)(to, &there) == 0;
  if (S_ISDIR(about.st_mode) && !how.recursive) return warn("-r not specified; omitting directory %s", quote_name(from)), false;
  if (exists && same_file(&about, &there)) return warn("%s and %s are the same file", quote_name(from), quote_name(to)), false;
  if (exists && !S_ISDIR(about.st_mode) && S_ISDIR(there.st_mode)) return warn("cannot overwrite directory %s with non-directory", quote_name(to)), false;
  if (exists && S_ISDIR(about.st_mode) && !S_ISDIR(there.st_mode))
    return warn("cannot overwrite non-directory %s with directory %s", quote_name(to), quote_name(from)), false;
  if (exists && how.keep && !S_ISDIR(about.st_mode)) return true;
  if (exists && how.ask && !S_ISDIR(about.st_mode) && !confirm("overwrite %s", quote_name(to))) return true;
  if (exists && how.newer && !S_ISDIR(about.st_mode) && there.st_mtim.tv_sec >= about.st_mtim.tv_sec &&
      (there.st_mtim.tv_sec > about.st_mtim.tv_sec || there.st_mtim.tv_nsec >= about.st_mtim.tv_nsec))
    return true;
  int mode = mode_of(from, follow);
  bool fine = true;
  if (S_ISDIR(about.st_mode)) {
    if (!top && whole.made && about.st_ino == whole.made)
      return warn("cannot copy a directory, %s, into itself, %s", quote_name(whole.from), quote_name(whole.to)), false;
    char **names = list_folder(from);
    if (!names) return warn_errno("cannot access %s", quote_name(from)), false;
    if (!exists) {
      if (mkdir(to, 0777) < 0) return warn_errno("cannot create directory %s", quote_name(to)), false;
      if (how.verbose) printf("%s -> %s\n", quote_name(from), quote_name(to));
    }
    if (top && stat(to, &there) == 0) whole.from = from, whole.to = to, whole.made = there.st_ino;
    for (char **name = names; *name; name++) {
      char *inside = join_path(from, *name), *target = join_path(to, *name);
      if (!copy_one(inside, target, false)) fine = false;
      free(inside), free(target), free(*name);
    }
    free(names);
    if (!exists || how.preserve) change_mode(to, how.preserve ? mode : mode & ~022);
  } else {
    if (how.verbose) printf("%s -> %s\n", quote_name(from), quote_name(to));
    if (S_ISLNK(about.st_mode)) return make_link(from, to);
    if (how.symbolic || how.hard) {
      if (exists && how.force) unlink(to);
      if ((how.symbolic ? symlink : link)(from, to) < 0) return warn_errno("cannot create %s %s", how.symbolic ? "symbolic link" : "hard link", quote_name(to)), false;
      return true;
    }
    if (!copy_data(from, to)) return false;
    if (!exists || how.preserve) change_mode(to, how.preserve ? mode : mode & ~022);
  }
  if (how.preserve) keep_times(to, &about);
  return fine;
}

static bool move_one(const char *from, const char *to) {
  struct stat about, there;
  if (lstat(from, &about) < 0) return warn_errno("cannot stat %s", quote_name(from)), false;
  bool exists = lstat(to, &there) == 0;
  if (exists && same_file(&about, &there)) return warn("%s and %s are the same file", quote_name(from), quote_name(to)), false;
  if (exists && how.keep) return true;
  if (exists && how.ask && !confirm("overwrite %s", quote_name(to))) return true;
  if (exists && how.newer && there.st_mtim.tv_sec >= about.st_mtim.tv_sec) return true;
  if (exists && S_ISDIR(there.st_mode) && !S_ISDIR(about.st_mode)) return warn("cannot overwrite directory %s with non-directory", quote_name(to)), false;
  if (exists && !S_ISDIR(there.st_mode) && S_ISDIR(about.st_mode))
    return warn("cannot overwrite non-directory %s with directory %s", quote_name(to), quote_name(from)), false;
  if (S_ISDIR(about.st_mode) && is_beneath(from, to)) return warn("cannot move %s to a subdirectory of itself, %s", quote_name(from), quote_name(to)), false;
  if (rename(from, to) < 0) {
    if (errno != EXDEV) return warn_errno("cannot move %s to %s", quote_name(from), quote_name(to)), false;
    how.recursive = how.links = how.preserve = true;
    if (!copy_one(from, to, true) || !remove_tree(from, false, true)) return false;
  }
  if (how.verbose) printf("renamed %s -> %s\n", quote_name(from), quote_name(to));
  return true;
}

static char *relative_to(const char *target, const char *link) {
  char *to = real_path(target, MUST_NOTHING), *whole = absolute_path(link);
  char *slash = strrchr(whole, '/');
  *slash = 0;
  char *from = real_path(*whole ? whole : "/", MUST_NOTHING);
  size_t same = 0;
  for (size_t at = 0;; at++) {
    bool end_to = !to[at] || to[at] == '/', end_from = !from[at] || from[at] == '/';
    if (end_to && end_from) same = at;
    if (!to[at] || to[at] != from[at]) break;
  }
  struct buffer path = {0};
  for (char *at = from + same; *at; at++)
    if (*at == '/' && at[1]) buffer_text(&path, path.length ? "/.." : "..");
  if (to[same]) {
    if (path.length) buffer_byte(&path, '/');
    buffer_text(&path, to + same + (to[same] == '/'));
  }
  if (!path.length) buffer_byte(&path, '.');
  return buffer_end(&path);
}

static bool link_one(const char *from, const char *to) {
  struct stat about, there;
  if (!how.symbolic && lstat(from, &about) < 0) return warn_errno("failed to access %s", quote_name(from)), false;
  if (!how.symbolic && S_ISDIR(about.st_mode)) return warn("%s: hard link not allowed for directory", name_of(from)), false;
  if (how.force && lstat(to, &there) == 0) {
    if (!how.symbolic && same_file(&about, &there)) return warn("%s and %s are the same file", quote_name(from), quote_name(to)), false;
    if (S_ISDIR(there.st_mode)) return warn("%s: cannot overwrite directory", name_of(to)), false;
    unlink(to);
  }
  const char *target = how.symbolic && how.relative ? relative_to(from, to) : from;
  if ((how.symbolic ? symlink(target, to) : link(from, to)) < 0) {
    if (how.symbolic) warn_errno("failed to create symbolic link %s", quote_name(to));
    else warn_errno("failed to create hard link %s%s%s", quote_name(to), errno == EEXIST ? "" : " => ", errno == EEXIST ? "" : quote_name(from));
    return false;
  }
  if (how.verbose) printf("%s %s %s\n", quote_name(to), how.symbolic ? "->" : "=>", quote_name(target));
  return true;
}

/* Each operand but the last goes to the last: into it, if that is a folder. */
static int each_to(struct options *options, bool (*act)(const char *, const char *)) {
  char **operands = options->operands;
  int count = options->count;
  if (!count) usage_error("missing file operand");
  const char *into = how.into;
  bool linking = act == link_one;
  if (!into && count == 1) {
    if (!linking) usage_error("missing destination file operand after %s", quote_name(operands[0]));
    into = ".";
  }
  if (into && !is_directory(into)) {
    struct stat about;
    if (stat(into, &about) == 0) errno = ENOTDIR;
    die_errno(1, "target directory %s", quote_name(into));
  }
  if (!into) {
    const char *last = operands[count - 1];
    struct stat about;
    bool keeps_link = linking && how.flat && lstat(last, &about) == 0 && S_ISLNK(about.st_mode);
    if (!how.no_target && !keeps_link && is_directory(last)) into = last, count--;
    else if (how.no_target && count > 2) usage_error("extra operand %s", quote_name(operands[2]));
    else if (count > 2) {
      if (stat(last, &about) == 0) errno = ENOTDIR;
      die_errno(1, "target %s", quote_name(last));
    } else return act(operands[0], last), exit_status;
  }
  for (int at = 0; at < count; at++) {
    char *name = how.parents ? copy_text(operands[at]) : last_part(operands[at]);
    char *target = !strcmp(name, "..") || !strcmp(name, ".") ? copy_text(into) : join_path(into, name);
    if (how.parents)
      for (char *slash = target + strlen(into) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(target, 0777);
        *slash = '/';
      }
    act(operands[at], target);
    free(name), free(target);
  }
  return exit_status;
}

static bool copy_top(const char *from, const char *to) {
  size_t length = strlen(to);
  if (length > 1 && to[length - 1] == '/' && !is_directory(to) && !is_directory(from)) {
    errno = ENOTDIR;
    return warn_errno("cannot create regular file %s", quote_name(to)), false;
  }
  return copy_one(from, to, true);
}

int cp_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"archive", NO_VALUE, 'a'}, {"recursive", NO_VALUE, 'r'}, {"force", NO_VALUE, 'f'},
    {"no-clobber", NO_VALUE, 'n'}, {"verbose", NO_VALUE, 'v'}, {"update", MAY_HAVE_VALUE, 'u'}, {"dereference", NO_VALUE, 'L'}, {"no-dereference", NO_VALUE, 'P'},
    {"target-directory", NEEDS_VALUE, 't'}, {"no-target-directory", NO_VALUE, 'T'}, {"preserve", MAY_HAVE_VALUE, 'p'}, {"parents", NO_VALUE, 1},
    {"symbolic-link", NO_VALUE, 's'}, {"link", NO_VALUE, 'l'}, {"interactive", NO_VALUE, 'i'}, {"no-preserve", NEEDS_VALUE, 2}, {0}};
  struct options options;
  options_begin(&options, argc, argv, "aRrfinvuLPHdpt:Tsl", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'a') how.recursive = how.links = how.preserve = true;
    if (c == 'r' || c == 'R') how.recursive = true;
    if (c == 'f') how.force = true;
    if (c == 'n') how.keep = true;
    if (c == 'i') how.ask = true, how.keep = false;
    if (c == 'v') how.verbose = true;
    if (c == 'u') how.newer = true;
    if (c == 'L') how.hard_follow = true;
    if (c == 'P' || c == 'd') how.links = true;
    if (c == 'p') how.preserve = true;
    if (c == 't') how.into = options.value;
    if (c == 'T') how.no_target = true;
    if (c == 's') how.symbolic = true;
    if (c == 'l') how.hard = true;
    if (c == 1) how.parents = true;
  }
  if (how.recursive && !how.hard_follow) how.links = true;
  return each_to(&options, copy_top);
}

int mv_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"force", NO_VALUE, 'f'}, {"no-clobber", NO_VALUE, 'n'}, {"verbose", NO_VALUE, 'v'}, {"update", MAY_HAVE_VALUE, 'u'},
    {"target-directory", NEEDS_VALUE, 't'}, {"no-target-directory", NO_VALUE, 'T'}, {"interactive", NO_VALUE, 'i'}, {0}};
  struct options options;
  options_begin(&options, argc, argv, "finvut:T", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'f') how.keep = how.ask = false;
    if (c == 'n') how.keep = true, how.ask = false;
    if (c == 'i') how.ask = true, how.keep = false;
    if (c == 'v') how.verbose = true;
    if (c == 'u') how.newer = true;
    if (c == 't') how.into = options.value;
    if (c == 'T') how.no_target = true;
  }
  return each_to(&options, move_one);
}

int ln_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"symbolic", NO_VALUE, 's'}, {"force", NO_VALUE, 'f'}, {"verbose", NO_VALUE, 'v'}, {"no-dereference", NO_VALUE, 'n'},
    {"relative", NO_VALUE, 'r'}, {"target-directory", NEEDS_VALUE, 't'}, {"no-target-directory", NO_VALUE, 'T'}, {0}};
  struct options options;
  options_begin(&options, argc, argv, "sfvnrt:TP", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 's') how.symbolic = true;
    if (c == 'f') how.force = true;
    if (c == 'v') how.verbose = true;
    if (c == 'n') how.flat = true;
    if (c == 'r') how.relative = true;
    if (c == 't') how.into = options.value;
    if (c == 'T') how.no_target = true;
  }
  return each_to(&options, link_one);
}

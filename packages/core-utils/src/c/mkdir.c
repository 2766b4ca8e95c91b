/* mkdir, install */
#include "cu.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mkdir_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"parents", NO_VALUE, 'p'}, {"mode", NEEDS_VALUE, 'm'}, {"verbose", NO_VALUE, 'v'}, {0}};
  struct options options;
  bool parents = false, verbose = false;
  const char *mode = NULL;
  options_begin(&options, argc, argv, "pm:v", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'p') parents = true;
    if (c == 'm') mode = options.value;
    if (c == 'v') verbose = true;
  }
  if (!options.count) usage_error("missing operand");
  if (mode && parse_mode(mode, 0777, true, 022) < 0) die(1, "invalid mode %s", quote(mode));
  for (int at = 0; at < options.count; at++) {
    char *path = copy_text(options.operands[at]);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = 0;
    bool failed = false;
    if (parents)
      for (char *slash = path + 1; !failed && (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        if (mkdir(path, 0777) == 0) {
          /* What is on the way stays open to its owner, whatever the umask says. */
          int made = mode_of(path, true);
          if (made >= 0 && (made & 0300) != 0300) change_mode(path, made | 0300);
          if (verbose) printf("%s: created directory %s\n", tool, quote_name(path));
        } else if (!is_directory(path)) {
          if (errno == EEXIST) errno = ENOTDIR;
          warn_errno("cannot create directory %s", quote(path));
          failed = true;
        }
        *slash = '/';
      }
    if (failed) continue;
    if (mkdir(path, 0777) < 0) {
      if (!parents || !is_directory(path)) warn_errno("cannot create directory %s", quote(options.operands[at]));
      continue;
    }
    if (mode) change_mode(path, parse_mode(mode, 0777, true, 022));
    if (verbose) printf("%s: created directory %s\n", tool, quote_name(options.operands[at]));
    free(path);
  }
  return exit_status;
}


static struct {
  int mode;
  bool times, verbose;
} install = {.mode = 0755};

static void install_one(const char *from, const char *to) {
  struct stat about, there;
  if (stat(from, &about) < 0) {
    warn_errno("cannot stat %s", quote_name(from));
    return;
  }
  if (S_ISDIR(about.st_mode)) {
    warn("omitting directory %s", quote_name(from));
    return;
  }
  bool exists = lstat(to, &there) == 0;
  if (exists && there.st_ino == about.st_ino && there.st_dev == about.st_dev) {
    warn("%s and %s are the same file", quote_name(from), quote_name(to));
    return;
  }
  if (exists && unlink(to) < 0) {
    warn_errno("cannot remove %s", quote_name(to));
    return;
  }
  if (install.verbose && exists) printf("removed %s\n", quote_name(to));
  if (!copy_data(from, to)) return;
  change_mode(to, install.mode);
  const struct timespec times[2] = {about.st_atim, about.st_mtim};
  if (install.times) utimensat(AT_FDCWD, to, times, 0);
  if (install.verbose) printf("%s -> %s\n", quote_name(from), quote_name(to));
}

static bool make_folders(char *path) {
  for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
    *slash = 0;
    bool made = mkdir(path, 0755) == 0;
    if (made && install.verbose) printf("%s: creating directory %s\n", tool, quote_name(path));
    if (!made && !is_directory(path)) return warn_errno("cannot create directory %s", quote(path)), false;
    *slash = '/';
  }
  return true;
}

int install_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"directory", NO_VALUE, 'd'}, {"mode", NEEDS_VALUE, 'm'}, {"preserve-timestamps", NO_VALUE, 'p'}, {"verbose", NO_VALUE, 'v'},
    {"target-directory", NEEDS_VALUE, 't'}, {"no-target-directory", NO_VALUE, 'T'}, {"owner", NEEDS_VALUE, 'o'}, {"group", NEEDS_VALUE, 'g'}, {0}};
  struct options options;
  bool folders = false, leading = false, file = false;
  char *into = NULL;
  options_begin(&options, argc, argv, "cdDm:pvt:To:g:s", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'd') folders = true;
    if (c == 'D') leading = true;
    if (c == 'm' && (install.mode = parse_mode(options.value, 0, false, 022)) < 0) die(1, "invalid mode %s", quote(options.value));
    if (c == 'p') install.times = true;
    if (c == 'v') install.verbose = true;
    if (c == 't') into = options.value;
    if (c == 'T') file = true;
  }
  if (!options.count) usage_error("missing file operand");
  if (folders) {
    for (int at = 0; at < options.count; at++) {
      char *path = format_text("%s/", options.operands[at]);
      if (make_folders(path)) path[strlen(path) - 1] = 0, change_mode(path, install.mode);
      free(path);
    }
    return exit_status;
  }
  char *last = options.operands[options.count - 1];
  if (!into && options.count == 1) usage_error("missing destination file operand after %s", quote_name(last));
  if (!into && !file && (options.count > 2 || is_directory(last))) into = last, options.count--;
  if (!into) {
    if (!leading || make_folders(last)) install_one(options.operands[0], last);
    return exit_status;
  }
  if (leading) make_folders(format_text("%s/", into));
  if (!is_directory(into)) die_errno(1, "target directory %s", quote_name(into));
  for (int at = 0; at < options.count; at++) install_one(options.operands[at], join_path(into, base_of(options.operands[at])));
  return exit_status;
}

/* rm, rmdir */
#include "cu.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether rm asks before it takes anything away. */
static bool asks;

static const char *kind_of(const struct stat *about) {
  return S_ISLNK(about->st_mode) ? "symbolic link" : S_ISDIR(about->st_mode) ? "directory" : about->st_size ? "regular file" : "regular empty file";
}

bool remove_tree(const char *path, bool verbose, bool force) {
  struct stat about;
  if (lstat(path, &about) < 0) {
    if (force && (errno == ENOENT || errno == ENOTDIR)) return true;
    return warn_errno("cannot remove %s", quote_name(path)), false;
  }
  if (!S_ISDIR(about.st_mode)) {
    if (asks && !confirm("remove %s %s", kind_of(&about), quote_name(path))) return true;
    if (unlink(path) < 0) return warn_errno("cannot remove %s", quote_name(path)), false;
    if (verbose) printf("removed %s\n", quote_name(path));
    return true;
  }
  char **names = list_folder(path);
  if (!names) return warn_errno("cannot remove %s", quote_name(path)), false;
  if (asks && *names && !confirm("descend into directory %s", quote_name(path))) return true;
  bool fine = true;
  for (char **name = names; *name; name++) {
    char *inside = join_path(path, *name);
    if (!remove_tree(inside, verbose, force)) fine = false;
    free(inside), free(*name);
  }
  free(names);
  if (!fine) return false;
  if (asks && !confirm("remove directory %s", quote_name(path))) return true;
  if (rmdir(path) < 0) return warn_errno("cannot remove %s", quote_name(path)), false;
  if (verbose) printf("removed directory %s\n", quote_name(path));
  return true;
}

int rm_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"recursive", NO_VALUE, 'r'}, {"force", NO_VALUE, 'f'}, {"verbose", NO_VALUE, 'v'}, {"dir", NO_VALUE, 'd'},
    {"no-preserve-root", NO_VALUE, 1}, {"preserve-root", MAY_HAVE_VALUE, 2}, {"interactive", MAY_HAVE_VALUE, 'i'}, {0}};
  struct options options;
  bool recursive = false, force = false, verbose = false, folders = false, root = false, once = false;
  options_begin(&options, argc, argv, "rRfvdiI", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'r' || c == 'R') recursive = true;
    if (c == 'f') force = true, asks = once = false;
    if (c == 'i') {
      asks = !options.value || !strcmp(options.value, "always") || !strcmp(options.value, "yes"), once = options.value && !strcmp(options.value, "once");
      force = false;
    }
    if (c == 'I') once = true, asks = false;
    if (c == 'v') verbose = true;
    if (c == 'd') folders = true;
    if (c == 1) root = true;
  }
  if (!options.count && !force) usage_error("missing operand");
  if (once && (recursive || options.count > 3) &&
      !confirm("remove %d argument%s%s", options.count, options.count == 1 ? "" : "s", recursive ? " recursively" : ""))
    return 0;
  for (int at = 0; at < options.count; at++) {
    const char *path = options.operands[at];
    char *name = last_part(path);
    struct stat about;
    char *real = real_path(path, MUST_ALL);
    bool dots = !strcmp(name, ".") || !strcmp(name, "..");
    if (recursive && !root && !dots && real && !strcmp(real, "/")) {
      warn("it is dangerous to operate recursively on %s%s%s", quote_name(path), strcmp(path, "/") ? " (same as '/')" : "", "");
      warn("use --no-preserve-root to override this failsafe");
    } else if (dots) {
      if (recursive) warn("refusing to remove '.' or '..' directory: skipping %s", quote_name(path));
      else errno = EISDIR, warn_errno("cannot remove %s", quote_name(path));
    } else if (!recursive && lstat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
      if (!folders) errno = EISDIR, warn_errno("cannot remove %s", quote_name(path));
      else if (rmdir(path) < 0) warn_errno("cannot remove %s", quote_name(path));
      else if (verbose) printf("removed directory %s\n", quote_name(path));
    } else remove_tree(path, verbose, force);
    free(name);
  }
  return exit_status;
}

int rmdir_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"parents", NO_VALUE, 'p'}, {"verbose", NO_VALUE, 'v'}, {"ignore-fail-on-non-empty", NO_VALUE, 1}, {0}};
  struct options options;
  bool parents = false, verbose = false, ignore = false;
  options_begin(&options, argc, argv, "pv", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'p') parents = true;
    if (c == 'v') verbose = true;
    if (c == 1) ignore = true;
  }
  if (!options.count) usage_error("missing operand");
  for (int at = 0; at < options.count; at++) {
    char *path = copy_text(options.operands[at]);
    bool first = true;
    for (;;) {
      if (verbose) printf("%s: removing directory, %s\n", tool, quote_name(path));
      if (rmdir(path) < 0) {
        if (!(ignore && errno == ENOTEMPTY)) warn_errno("failed to remove %s%s", first ? "" : "directory ", quote_name(path));
        break;
      }
      first = false;
      size_t length = strlen(path);
      while (length > 1 && path[length - 1] == '/') path[--length] = 0;
      char *slash = strrchr(path, '/');
      if (!parents || !slash || slash == path) break;
      *slash = 0;
    }
    free(path);
  }
  return exit_status;
}

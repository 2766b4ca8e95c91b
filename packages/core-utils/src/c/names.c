/* basename, dirname, realpath, readlink, pwd, printenv, uname, whoami, id, tty, hostname */
#include "cu.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int basename_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"multiple", NO_VALUE, 'a'}, {"suffix", NEEDS_VALUE, 's'}, {"zero", NO_VALUE, 'z'}, {0}};
  struct options options;
  bool many = false;
  const char *suffix = NULL;
  char end = '\n';
  options_begin(&options, argc, argv, "+as:z", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'a') many = true;
    if (c == 's') many = true, suffix = options.value;
    if (c == 'z') end = 0;
  }
  if (!options.count) usage_error("missing operand");
  if (!many && options.count > 2) usage_error("extra operand %s", quote(options.operands[2]));
  if (!many && options.count == 2) suffix = options.operands[1], options.count = 1;
  for (int at = 0; at < options.count; at++) {
    char *name = last_part(options.operands[at]);
    size_t length = strlen(name), cut = suffix ? strlen(suffix) : 0;
    if (cut && length > cut && !strcmp(name + length - cut, suffix)) name[length - cut] = 0;
    fputs(name, stdout);
    putchar(end);
  }
  return 0;
}

int dirname_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"zero", NO_VALUE, 'z'}, {0}};
  struct options options;
  char end = '\n';
  options_begin(&options, argc, argv, "z", longs);
  for (int c; (c = options_next(&options)) != -1;) end = 0;
  if (!options.count) usage_error("missing operand");
  for (int at = 0; at < options.count; at++) {
    const char *path = options.operands[at];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    while (length && path[length - 1] != '/') length--;
    while (length > 1 && path[length - 1] == '/') length--;
    if (length) fwrite(path, 1, length, stdout);
    else putchar('.');
    putchar(end);
  }
  return 0;
}

/* `path` as seen from `from`, both real. */
static char *seen_from(const char *path, const char *from) {
  size_t same = 0;
  for (size_t at = 0;; at++) {
    bool end_path = !path[at] || path[at] == '/', end_from = !from[at] || from[at] == '/';
    if (end_path && end_from) same = at;
    if (!path[at] || path[at] != from[at]) break;
  }
  if (!strcmp(from, "/")) same = 0;
  struct buffer text = {0};
  for (const char *at = from + same; *at; at++)
    if (*at == '/' && at[1]) buffer_text(&text, text.length ? "/.." : "..");
  const char *rest = path + same;
  while (*rest == '/') rest++;
  if (*rest) {
    if (text.length) buffer_byte(&text, '/');
    buffer_text(&text, rest);
  }
  if (!text.length) buffer_byte(&text, '.');
  return buffer_end(&text);
}

/* `.` and `..` without looking at links. */
static char *tidy(const char *path) {
  char *whole = absolute_path(path);
  struct buffer done = {0};
  for (char *at = whole; *at;) {
    while (*at == '/') at++;
    size_t length = strcspn(at, "/");
    if (length == 2 && !strncmp(at, "..", 2)) while (done.length && done.data[--done.length] != '/');
    else if (length && !(length == 1 && *at == '.')) buffer_byte(&done, '/'), buffer_add(&done, at, length);
    at += length;
  }
  if (!done.length) buffer_byte(&done, '/');
  return buffer_end(&done);
}

static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  if (length == 1) return true;
  return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

int realpath_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"canonicalize-existing", NO_VALUE, 'e'}, {"canonicalize-missing", NO_VALUE, 'm'}, {"no-symlinks", NO_VALUE, 's'},
    {"strip", NO_VALUE, 's'}, {"logical", NO_VALUE, 'L'}, {"physical", NO_VALUE, 'P'}, {"quiet", NO_VALUE, 'q'}, {"zero", NO_VALUE, 'z'}, {"relative-to", NEEDS_VALUE, 1}, {"relative-base", NEEDS_VALUE, 2}, {0}};
  struct options options;
  int must = MUST_FOLDER;
  bool quiet = false, plain = false, dots_first = false;
  char end = '\n';
  const char *from = NULL, *below = NULL;
  options_begin(&options, argc, argv, "emsqzLP", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'e') must = MUST_ALL;
    if (c == 'm') must = MUST_NOTHING;
    if (c == 's') plain = true;
    if (c == 'L') dots_first = true;
    if (c == 'P') dots_first = plain = false;
    if (c == 'q') quiet = true;
    if (c == 'z') end = 0;
    if (c == 1) from = options.value;
    if (c == 2) below = options.value;
  }
  if (!options.count) usage_error("missing operand");
  if (from) {
    const char *named = from;
    from = real_path(from, must == MUST_ALL ? MUST_ALL : must);
    if (!from) die_errno(1, "%s", name_of(named));
  }
  if (below) {
    below = real_path(below, must);
    if (!below) die_errno(1, "--relative-base");
    /* Without another folder to see it from, that is the folder; what is not below it stays whole. */
    if (!from) from = below;
    else if (!is_below(from, below)) from = below = NULL;
  }
  for (int at = 0; at < options.count; at++) {
    char *operand = options.operands[at];
    if ((plain || dots_first) && *operand) {
      char *real = must == MUST_NOTHING ? operand : real_path(operand, must);
      operand = real ? tidy(operand) : NULL;
    }
    char *path = operand && (!plain || !*operand) ? real_path(operand, must) : operand;
    if (!path) {
      if (!quiet) warn_errno("%s", *options.operands[at] ? name_of(options.operands[at]) : "''");
      exit_status = 1;
      continue;
    }
    fputs(from && (!below || is_below(path, below)) ? seen_from(path, from) : path, stdout);
    putchar(end);
  }
  return exit_status;
}

int readlink_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"canonicalize", NO_VALUE, 'f'}, {"canonicalize-existing", NO_VALUE, 'e'}, {"canonicalize-missing", NO_VALUE, 'm'},
    {"no-newline", NO_VALUE, 'n'}, {"quiet", NO_VALUE, 'q'}, {"silent", NO_VALUE, 's'}, {"verbose", NO_VALUE, 'v'}, {"zero", NO_VALUE, 'z'}, {0}};
  struct options options;
  int must = -1;
  bool newline = true, verbose = false;
  char end = '\n';
  options_begin(&options, argc, argv, "femnqsvz", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'f') must = MUST_FOLDER;
    if (c == 'e') must = MUST_ALL;
    if (c == 'm') must = MUST_NOTHING;
    if (c == 'n') newline = false;
    if (c == 'v') verbose = true;
    if (c == 'z') end = 0;
  }
  if (!options.count) usage_error("missing operand");
  for (int at = 0; at < options.count; at++) {
    char target[PATH_MAX + 1], *path = NULL;
    if (must >= 0) path = real_path(options.operands[at], must);
    else {
      ssize_t length = readlink(options.operands[at], target, PATH_MAX);
      if (length >= 0) target[length] = 0, path = target;
    }
    if (!path) {
      if (verbose) warn_errno("%s", name_of(options.operands[at]));
      exit_status = 1;
      continue;
    }
    fputs(path, stdout);
    if (newline || options.count > 1) putchar(end);
  }
  return exit_status;
}

int pwd_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"logical", NO_VALUE, 'L'}, {"physical", NO_VALUE, 'P'}, {0}};
  struct options options;
  bool logical = false;
  char folder[PATH_MAX + 1];
  options_begin(&options, argc, argv, "LP", longs);
  for (int c; (c = options_next(&options)) != -1;) logical = c == 'L';
  if (!getcwd(folder, sizeof folder)) die_errno(1, "getcwd");
  const char *given = getenv("PWD");
  struct stat here, there;
  if (logical && given && *given == '/' && stat(given, &there) == 0 && stat(folder, &here) == 0 && here.st_ino == there.st_ino) puts(given);
  else puts(logical ? folder : real_path(folder, MUST_NOTHING));
  return 0;
}

int printenv_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"null", NO_VALUE, '0'}, {0}};
  struct options options;
  char end = '\n';
  usage_status = 2;
  options_begin(&options, argc, argv, "+0", longs);
  for (int c; (c = options_next(&options)) != -1;) end = 0;
  if (!options.count)
    for (char **one = environ; one && *one; one++) fputs(*one, stdout), putchar(end);
  for (int at = 0; at < options.count; at++) {
    const char *value = getenv(options.operands[at]);
    if (!value) exit_status = 1;
    else fputs(value, stdout), putchar(end);
  }
  return exit_status;
}

int whoami_main(int argc, char **argv) { return puts("user"), 0; }

int id_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"user", NO_VALUE, 'u'}, {"group", NO_VALUE, 'g'}, {"groups", NO_VALUE, 'G'}, {"name", NO_VALUE, 'n'}, {"real", NO_VALUE, 'r'}, {"zero", NO_VALUE, 'z'}, {0}};
  struct options options;
  bool one = false, name = false;
  options_begin(&options, argc, argv, "ugGnrz", longs);
  for (int c; (c = options_next(&options)) != -1;) one |= strchr("ugG", c) != NULL, name |= c == 'n';
  if (name && !one) die(1, "cannot print only names or real IDs in default format");
  bool root = options.count && (!strcmp(options.operands[0], "root") || !strcmp(options.operands[0], "0"));
  if (options.count && !root && strcmp(options.operands[0], "user") && strcmp(options.operands[0], "1000")) die(1, "%s: no such user", quote(options.operands[0]));
  if (one) puts(root ? name ? "root" : "0" : name ? "user" : "1000");
  else puts(root ? "uid=0(root) gid=0(root) groups=0(root)" : "uid=1000(user) gid=1000(user) groups=1000(user)");
  return 0;
}

int tty_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"silent", NO_VALUE, 's'}, {"quiet", NO_VALUE, 's'}, {0}};
  struct options options;
  bool silent = false;
  usage_status = 2;
  options_begin(&options, argc, argv, "s", longs);
  for (int c; (c = options_next(&options)) != -1;) silent = true;
  if (options.count) usage_error("extra operand %s", quote(options.operands[0]));
  if (!silent) puts(isatty(0) ? "/dev/tty" : "not a tty");
  return isatty(0) ? 0 : 1;
}

int hostname_main(int argc, char **argv) { return puts("localhost"), 0; }
int nproc_main(int argc, char **argv) { return puts("1"), 0; }

int uname_main(int argc, char **argv) {
  struct options options;
  static const struct long_option longs[] = {{"all", NO_VALUE, 'a'}, {"kernel-name", NO_VALUE, 's'}, {"machine", NO_VALUE, 'm'}, {"nodename", NO_VALUE, 'n'}, {0}};
  struct buffer text = {0};
  options_begin(&options, argc, argv, "asnrvmpio", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    const char *word = c == 'a' ? "WASI localhost 1 preview1 wasm32 WASI" : c == 's' || c == 'o' ? "WASI" : c == 'n' ? "localhost" : c == 'r' ? "1" : c == 'v' ? "preview1" : "wasm32";
    if (text.length) buffer_byte(&text, ' ');
    buffer_text(&text, word);
  }
  if (!text.length) buffer_text(&text, "WASI");
  puts(buffer_end(&text));
  return 0;
}

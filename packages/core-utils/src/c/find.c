/* find */
#include "cu.h"
#include "regex.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { F_AND, F_OR, F_COMMA, F_NOT, F_TRUE, F_FALSE, F_NAME, F_PATH, F_REGEX, F_TYPE, F_SIZE, F_EMPTY, F_NEWER, F_TIME, F_PERM, F_LINKS, F_INUM,
  F_SAME, F_LNAME, F_EXECUTABLE, F_PRINT, F_PRINT0, F_PRINTF, F_LS, F_DELETE, F_PRUNE, F_QUIT, F_EXEC };

struct test {
  enum kind kind;
  struct test *left, *right;
  const char *text;
  int flags;            /* of a pattern */
  char sign;            /* of a number: '+', '-' or 0; of a mode '-', '/' or 0 */
  intmax_t number, unit;
  struct timespec when;
  struct regex *regex;
  char **argv;          /* of -exec */
  int count;
  bool many, inside;    /* `+`; -execdir */
  char **paths;         /* that `+` waits with */
  int held, room;
  size_t size;
};

struct visit {
  const char *path, *start, *name;
  struct stat about;
  int depth;
  bool prune;
};

static char **words;
static int word_count, word_at, status;
static bool acts, depth_first, follow, follow_start, quits;
static intmax_t deepest = INTMAX_MAX, shallowest = 0;
static struct timespec today;

static struct test *parse_list(void);

static struct test *new_test(enum kind kind) {
  struct test *test = grab_zero(1, sizeof *test);
  test->kind = kind;
  return test;
}

static char *argument(const char *name) {
  if (word_at >= word_count) die(1, "missing argument to `%s'", name);
  return words[word_at++];
}

static void read_number(struct test *test, const char *name, const char *text) {
  const char *at = text;
  if (*at == '+' || *at == '-') test->sign = *at++;
  char *end;
  test->number = strtoimax(at, &end, 10);
  if (end == at) die(1, "invalid argument `%s' to `%s'", text, name);
  test->unit = 1;
  if (test->kind == F_SIZE) {
    const char *units = "bcwkMG", *unit = *end ? strchr(units, *end) : units;
    static const intmax_t sizes[] = {512, 1, 2, 1024, 1024 * 1024, 1024 * 1024 * 1024};
    if (!unit || (*end && end[1])) die(1, "invalid -size type `%c'", *end);
    test->unit = sizes[unit - units];
  } else if (*end && *end != '.') die(1, "invalid argument `%s' to `%s'", text, name);
}

int parse_mode(const char *text, int mode, bool folder, int umasked);

static struct test *parse_primary(void) {
  const char *word = argument("find");
  if (!strcmp(word, "(")) {
    struct test *inside = parse_list();
    if (word_at >= word_count || strcmp(words[word_at++], ")")) die(1, "invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    return inside;
  }
  if (!strcmp(word, "!") || !strcmp(word, "-not")) {
    struct test *not = new_test(F_NOT);
    if (word_at >= word_count) die(1, "expected an expression after `%s'", word);
    not->left = parse_primary();
    return not;
  }
  struct test *test;
  static const struct { const char *name; enum kind kind; int flags; } patterns[] = {{"-name", F_NAME, 0}, {"-iname", F_NAME, GLOB_NO_CASE}, {"-path", F_PATH, 0},
    {"-wholename", F_PATH, 0}, {"-ipath", F_PATH, GLOB_NO_CASE}, {"-iwholename", F_PATH, GLOB_NO_CASE}, {"-lname", F_LNAME, 0}, {"-ilname", F_LNAME, GLOB_NO_CASE}};
  for (size_t at = 0; at < sizeof patterns / sizeof *patterns; at++)
    if (!strcmp(word, patterns[at].name)) {
      test = new_test(patterns[at].kind);
      test->text = argument(word), test->flags = patterns[at].flags;
      return test;
    }
  static const struct { const char *name; enum kind kind; } plain[] = {{"-true", F_TRUE}, {"-false", F_FALSE}, {"-empty", F_EMPTY}, {"-prune", F_PRUNE}, {"-executable", F_EXECUTABLE},
    {"-readable", F_TRUE}, {"-writable", F_TRUE}, {"-daystart", F_TRUE}, {"-noleaf", F_TRUE}, {"-mount", F_TRUE}, {"-xdev", F_TRUE}, {"-depth", F_TRUE}, {"-d", F_TRUE}, {"-follow", F_TRUE}};
  for (size_t at = 0; at < sizeof plain / sizeof *plain; at++)
    if (!strcmp(word, plain[at].name)) {
      if (!strcmp(word, "-depth") || !strcmp(word, "-d")) depth_first = true;
      if (!strcmp(word, "-follow")) follow = true;
      if (!strcmp(word, "-daystart")) today.tv_sec = (today.tv_sec / 86400 + 1) * 86400, today.tv_nsec = 0;
      return new_test(plain[at].kind);
    }
  static const struct { const char *name; enum kind kind; } actions[] = {{"-print", F_PRINT}, {"-print0", F_PRINT0}, {"-printf", F_PRINTF}, {"-ls", F_LS}, {"-delete", F_DELETE}, {"-quit", F_QUIT}};
  for (size_t at = 0; at < sizeof actions / sizeof *actions; at++)
    if (!strcmp(word, actions[at].name)) {
      test = new_test(actions[at].kind);
      acts = true;
      if (test->kind == F_PRINTF) test->text = argument(word);
      if (test->kind == F_DELETE) depth_first = true;
      return test;
    }
  if (!strcmp(word, "-maxdepth") || !strcmp(word, "-mindepth")) {
    const char *text = argument(word);
    intmax_t *depth = word[2] == 'a' ? &deepest : &shallowest;
    if (!parse_count(text, depth)) die(1, "Expected a positive decimal integer argument to %s, but got %s", word, quote(text));
    return new_test(F_TRUE);
  }
  if (!strcmp(word, "-regex") || !strcmp(word, "-iregex") || !strcmp(word, "-regextype")) {
    static int flags;
    const char *text = argument(word);
    if (!strcmp(word, "-regextype")) {
      flags = strstr(text, "extended") || strstr(text, "egrep") || strstr(text, "awk") ? RE_EXTENDED : 0;
      return new_test(F_TRUE);
    }
    test = new_test(F_REGEX);
    const char *error = NULL, *whole = flags ? format_text("^(%s)$", text) : format_text("^\\(%s\\)$", text);
    test->regex = regex_compile(whole, strlen(whole), flags | (word[1] == 'i' ? RE_NO_CASE : 0), &error);
    if (!test->regex) die(1, "failed to compile regular expression '%s': %s", text, error);
    return test;
  }
  if (!strcmp(word, "-type") || !strcmp(word, "-xtype")) {
    test = new_test(F_TYPE);
    test->inside = word[1] == 'x';
    test->text = argument(word);
    for (const char *at = test->text; *at; at++)
      if (!strchr("bcdpflsD,", *at)) die(1, "Unknown argument to %s: %c", word, *at);
    return test;
  }
  if (!strcmp(word, "-size") || !strcmp(word, "-links") || !strcmp(word, "-inum")) {
    test = new_test(word[1] == 's' ? F_SIZE : word[1] == 'l' ? F_LINKS : F_INUM);
    return read_number(test, word, argument(word)), test;
  }
  if (strlen(word) == 6 && strchr("mac", word[1]) && !strcmp(word + 2, "time")) {
    test = new_test(F_TIME), test->flags = word[1];
    read_number(test, word, argument(word));
    return test->unit = 86400, test;
  }
  if (strlen(word) == 5 && strchr("mac", word[1]) && !strcmp(word + 2, "min")) {
    test = new_test(F_TIME), test->flags = word[1];
    read_number(test, word, argument(word));
    return test->unit = 60, test;
  }
  if (!strncmp(word, "-newer", 6) || !strcmp(word, "-samefile")) {
    struct stat about;
    test = new_test(word[1] == 's' ? F_SAME : F_NEWER);
    const char *text = argument(word);
    if (!strncmp(word, "-newer", 6) && word[6] && word[7] == 't') {
      if (!parse_time(text, &test->when)) die(1, "I cannot figure out how to interpret %s as a date or time", quote(text));
      return test;
    }
    if (stat(text, &about) < 0) die_errno(1, "%s", quote(text));
    test->when = about.st_mtim, test->number = (intmax_t)about.st_ino;
    return test;
  }
  if (!strcmp(word, "-perm")) {
    test = new_test(F_PERM);
    const char *text = argument(word);
    if (*text == '-' || *text == '/') test->sign = *text++;
    int mode = parse_mode(text, 0, false, 0);
    if (mode < 0) die(1, "invalid mode %s", quote(text));
    return test->number = mode, test;
  }
  if (!strcmp(word, "-user") || !strcmp(word, "-group") || !strcmp(word, "-uid") || !strcmp(word, "-gid")) return argument(word), new_test(F_TRUE);
  if (!strcmp(word, "-nouser") || !strcmp(word, "-nogroup")) return new_test(F_FALSE);
  if (!strcmp(word, "-exec") || !strcmp(word, "-execdir")) {
    test = new_test(F_EXEC);
    acts = true;
    test->inside = word[5] == 'd';
    test->argv = words + word_at;
    for (;; word_at++) {
      if (word_at >= word_count) die(1, "missing argument to `%s'", word);
      if (!strcmp(words[word_at], ";")) break;
      if (!strcmp(words[word_at], "+") && test->count && !strcmp(words[word_at - 1], "{}")) {
        test->many = true, test->count--;
        break;
      }
      test->count++;
    }
    word_at++;
    if (!test->count) die(1, "invalid argument `%s' to `%s'", words[word_at - 1], word);
    return test;
  }
  if (*word == '-') die(1, "unknown predicate `%s'", word);
  die(1, "paths must precede expression: `%s'", word);
}

static struct test *join(enum kind kind, struct test *left, struct test *right) {
  struct test *both = new_test(kind);
  both->left = left, both->right = right;
  return both;
}

static bool next_is(const char *a, const char *b) { return word_at < word_count && (!strcmp(words[word_at], a) || !strcmp(words[word_at], b)); }

static struct test *parse_and(void) {
  struct test *left = parse_primary();
  while (word_at < word_count && !next_is("-o", "-or") && !next_is(",", ")")) {
    if (next_is("-a", "-and")) word_at++;
    left = join(F_AND, left, parse_primary());
  }
  return left;
}

static struct test *parse_or(void) {
  struct test *left = parse_and();
  while (next_is("-o", "-or")) word_at++, left = join(F_OR, left, parse_and());
  return left;
}

static struct test *parse_list(void) {
  struct test *left = parse_or();
  while (next_is(",", ",")) word_at++, left = join(F_COMMA, left, parse_or());
  return left;
}

static bool compare(const struct test *test, intmax_t value) {
  return test->sign == '+' ? value > test->number : test->sign == '-' ? value < test->number : value == test->number;
}

static char letter_of(const struct stat *about) { return S_ISDIR(about->st_mode) ? 'd' : S_ISLNK(about->st_mode) ? 'l' : S_ISCHR(about->st_mode) ? 'c' : 'f'; }

static void run_exec(struct test *test, char **paths, int count, const char *folder) {
  char **argv = grab_zero((size_t)(test->count + count + 1), sizeof *argv);
  int used = 0;
  for (int at = 0; at < test->count; at++) {
    char *word = test->argv[at];
    if (!test->many && strstr(word, "{}")) {
      struct buffer text = {0};
      for (char *from = word; *from;)
        if (from[0] == '{' && from[1] == '}') buffer_text(&text, paths[0]), from += 2;
        else buffer_byte(&text, *from++);
      word = buffer_end(&text);
    }
    argv[used++] = word;
  }
  if (test->many)
    for (int at = 0; at < count; at++) argv[used++] = paths[at];
  char before[PATH_MAX + 1];
  if (folder && getcwd(before, sizeof before)) chdir(folder);
  int result = run_command(argv, true, 0);
  if (folder) chdir(before);
  if (result < 0) warn_errno("%s", quote_name(argv[0])), result = 1;
  test->number = result;
  if (test->many && result) status = 1;
  free(argv);
}

static void show_format(const char *format, const struct visit *visit) {
  char target[PATH_MAX + 1], mode[11];
  int bits = mode_of(visit->path, false);
  for (const char *at = format; *at; at++) {
    char byte;
    if (*at == '\\') {
      if (at[1] == 'c') {
        fflush(stdout);
        return;
      }
      int used = read_escape(at + 1, &byte);
      if (used) putchar(byte), at += used;
      else putchar('\\');
      continue;
    }
    if (*at != '%' || !at[1]) {
      putchar(*at);
      continue;
    }
    char field[40] = "%";
    size_t width = strspn(at + 1, "-+ #0123456789.");
    if (width > 20) width = 20;
    strncat(field, at + 1, width);
    strcat(field, "s");
    at += width + 1;
    const char *text = "";
    switch (*at) {
      case '%': text = "%"; break;
      case 'p': text = visit->path; break;
      case 'P': text = visit->path + strlen(visit->start); text += *text == '/'; break;
      case 'f': text = visit->name; break;
      case 'H': text = visit->start; break;
      case 'h': {
        const char *slash = strrchr(visit->path, '/');
        text = slash ? copy_bytes(visit->path, (size_t)(slash - visit->path)) : ".";
        break;
      }
      case 's': text = format_text("%jd", (intmax_t)(S_ISDIR(visit->about.st_mode) ? 4096 : visit->about.st_size)); break;
      case 'k': text = format_text("%jd", blocks_of(&visit->about)); break;
      case 'b': text = format_text("%jd", blocks_of(&visit->about) * 2); break;
      case 'd': text = format_text("%d", visit->depth); break;
      case 'm': text = format_text("%o", bits); break;
      case 'M': show_mode(mode, &visit->about, bits), text = mode; break;
      case 'n': text = format_text("%jd", (intmax_t)visit->about.st_nlink); break;
      case 'i': text = format_text("%jd", (intmax_t)visit->about.st_ino); break;
      case 'u': case 'g': text = "user"; break;
      case 'U': case 'G': text = "1000"; break;
      case 'y': text = format_text("%c", letter_of(&visit->about)); break;
      case 'l': {
        ssize_t length = S_ISLNK(visit->about.st_mode) ? readlink(visit->path, target, PATH_MAX) : -1;
        if (length >= 0) target[length] = 0, text = target;
        break;
      }
      case 't': case 'T': case 'A': case 'C': case 'a': case 'c': {
        struct timespec time = strchr("Aa", *at) ? visit->about.st_atim : strchr("Cc", *at) ? visit->about.st_ctim : visit->about.st_mtim;
        char form[4] = "%?";
        if (*at >= 'a') {
          text = format_time("%a %b %e %H:%M:%S.%N0 %Y", time);
          break;
        }
        char letter = *++at;
        if (letter == '@') text = format_text("%jd.%09ld0", (intmax_t)time.tv_sec, time.tv_nsec);
        else if (letter == '+') text = format_time("%Y-%m-%d+%H:%M:%S.%N0", time);
        else if (letter == 'T' || letter == 'S') text = format_time(letter == 'T' ? "%H:%M:%S.%N0" : "%S.%N0", time);
        else if (letter) form[1] = letter, text = format_time(form, time);
        else at--;
        break;
      }
      default: putchar('%'), text = format_text("%c", *at);
    }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    printf(field, text);
#pragma clang diagnostic pop
  }
}

static bool holds(struct test *test, struct visit *visit) {
  const struct stat *about = &visit->about;
  switch (test->kind) {
    case F_AND: return holds(test->left, visit) && holds(test->right, visit);
    case F_OR: return holds(test->left, visit) || holds(test->right, visit);
    case F_COMMA: return holds(test->left, visit), holds(test->right, visit);
    case F_NOT: return !holds(test->left, visit);
    case F_TRUE: return true;
    case F_FALSE: return false;
    case F_NAME: return glob_match(test->text, visit->name, test->flags);
    case F_PATH: return glob_match(test->text, visit->path, test->flags);
    case F_REGEX: return regex_test(test->regex, visit->path, strlen(visit->path));
    case F_TYPE: {
      /* -xtype: what a link leads to, if it leads to anything. */
      struct stat behind;
      bool leads = test->inside && S_ISLNK(about->st_mode) && stat(visit->path, &behind) == 0;
      return strchr(test->text, letter_of(leads ? &behind : about)) != NULL;
    }
    case F_SIZE: {
      intmax_t size = S_ISDIR(about->st_mode) ? 4096 : about->st_size;
      return compare(test, (size + test->unit - 1) / test->unit);
    }
    case F_LINKS: return compare(test, (intmax_t)about->st_nlink);
    case F_INUM: return compare(test, (intmax_t)about->st_ino);
    case F_SAME: return (intmax_t)about->st_ino == test->number;
    case F_EMPTY: {
      if (S_ISREG(about->st_mode)) return about->st_size == 0;
      char **names = S_ISDIR(about->st_mode) ? list_folder(visit->path) : NULL;
      return names && !*names;
    }
    case F_NEWER: {
      struct timespec mine = about->st_mtim;
      return mine.tv_sec > test->when.tv_sec || (mine.tv_sec == test->when.tv_sec && mine.tv_nsec > test->when.tv_nsec);
    }
    case F_TIME: {
      struct timespec mine = test->flags == 'a' ? about->st_atim : test->flags == 'c' ? about->st_ctim : about->st_mtim;
      intmax_t age = today.tv_sec - mine.tv_sec - (today.tv_nsec < mine.tv_nsec);
      if (test->unit == 60 && test->sign) return test->sign == '+' ? age > test->number * 60 : age < test->number * 60;
      return compare(test, test->unit == 60 ? (age + 59) / 60 : age / test->unit);
    }
    case F_PERM: {
      int mode = mode_of(visit->path, false);
      if (test->sign == '-') return (mode & test->number) == test->number;
      return test->sign == '/' ? !test->number || (mode & test->number) : mode == test->number;
    }
    case F_LNAME: {
      char target[PATH_MAX + 1];
      ssize_t length = S_ISLNK(about->st_mode) ? readlink(visit->path, target, PATH_MAX) : -1;
      if (length < 0) return false;
      target[length] = 0;
      return glob_match(test->text, target, test->flags);
    }
    case F_EXECUTABLE: return (mode_of(visit->path, true) & 0111) != 0;
    case F_PRINT: return puts(visit->path), true;
    case F_PRINT0: return fputs(visit->path, stdout), putchar(0), true;
    case F_PRINTF: return show_format(test->text, visit), true;
    case F_LS: return show_format("%9i %6k %M %3n %u     %g     %8s %Tb %Td %TH:%TM %p\n", visit), true;
    case F_PRUNE: return visit->prune = true;
    case F_QUIT: return quits = true;
    case F_DELETE:
      if (!strcmp(visit->path, ".")) return true;
      if ((S_ISDIR(about->st_mode) ? rmdir : unlink)(visit->path) < 0) {
        warn_errno("cannot delete %s", quote(visit->path));
        status = 1;
        return false;
      }
      return true;
    case F_EXEC: {
      char *path = copy_text(visit->path), *folder = NULL;
      if (test->inside) {
        const char *slash = strrchr(visit->path, '/');
        folder = slash ? copy_bytes(visit->path, (size_t)(slash - visit->path) + (slash == visit->path)) : copy_text(".");
        path = format_text("./%s", visit->name);
      }
      if (!test->many || test->inside) {
        run_exec(test, &path, 1, folder);
        return test->many || test->number == 0;
      }
      if (test->held && test->size + strlen(path) > 131072) run_exec(test, test->paths, test->held, NULL), test->held = 0, test->size = 0;
      if (test->held + 1 >= test->room) test->paths = regrab(test->paths, (size_t)(test->room = test->room * 2 + 16) * sizeof *test->paths);
      test->paths[test->held++] = path;
      test->size += strlen(path) + 1;
      return true;
    }
  }
  return false;
}

static void finish_exec(struct test *test) {
  if (!test) return;
  finish_exec(test->left), finish_exec(test->right);
  if (test->kind == F_EXEC && test->many && test->held) run_exec(test, test->paths, test->held, NULL);
}

/* Names in the order in which the folder has them, as find shows them. */
static char **names_in(const char *path) {
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
  names[count] = NULL;
  return names;
}

/* A folder and those that it is in. */
struct above {
  const struct above *next;
  ino_t inode;
  const char *path;
};

static void walk(const char *path, const char *start, int depth, struct test *expression, const struct above *above) {
  struct visit visit = {.path = path, .start = start, .depth = depth};
  bool through = follow || (follow_start && !depth);
  if ((through ? stat : lstat)(path, &visit.about) < 0 && (!through || errno == ELOOP || lstat(path, &visit.about) < 0)) {
    warn_errno("%s", quote(path));
    status = 1;
    return;
  }
  const struct above here = {above, visit.about.st_ino, path};
  if (through && S_ISDIR(visit.about.st_mode))
    for (const struct above *one = above; one; one = one->next)
      if (one->inode == here.inode) {
        warn("File system loop detected; %s is part of the same file system loop as %s.", quote(path), quote(one->path));
        status = 1;
        return;
      }
  char *name = last_part(path);
  visit.name = name;
  if (!depth_first && depth >= shallowest) holds(expression, &visit);
  if (quits) return;
  if (S_ISDIR(visit.about.st_mode) && depth < deepest && !visit.prune) {
    char **names = names_in(path);
    if (!names) warn_errno("%s", quote(path)), status = 1;
    for (char **one = names; one && *one && !quits; one++) {
      char *inside = join_path(path, *one);
      walk(inside, start, depth + 1, expression, &here);
      free(inside), free(*one);
    }
    free(names);
  }
  if (quits) return;
  if (depth_first && depth >= shallowest) holds(expression, &visit);
  free(name);
}

int find_main(int argc, char **argv) {
  int first = 1;
  clock_gettime(CLOCK_REALTIME, &today);
  for (; first < argc && argv[first][0] == '-' && argv[first][1] && strchr("HLPOD", argv[first][1]) && (!argv[first][2] || argv[first][1] == 'O'); first++) {
    if (argv[first][1] == 'L') follow = true;
    if (argv[first][1] == 'H') follow_start = true;
    if (argv[first][1] == 'P') follow = follow_start = false;
  }
  int end = first;
  while (end < argc && !(argv[end][0] == '-' && argv[end][1]) && strcmp(argv[end], "(") && strcmp(argv[end], "!") && strcmp(argv[end], ")") && strcmp(argv[end], ",")) end++;
  words = argv + end, word_count = argc - end;
  struct test *expression = word_count ? parse_list() : new_test(F_TRUE);
  if (word_at < word_count) {
    if (!strcmp(words[word_at], ")")) die(1, "invalid expression; you have too many ')'");
    die(1, "paths must precede expression: `%s'", words[word_at]);
  }
  if (!acts) expression = join(F_AND, expression, new_test(F_PRINT));
  if (first == end) walk(".", ".", 0, expression, NULL);
  for (int at = first; at < end && !quits; at++) walk(argv[at], argv[at], 0, expression, NULL);
  finish_exec(expression);
  return status;
}

/* ls */
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
  bool folder; /* or a link to one */
  char *target;
};

static struct {
  bool all, almost, no_backups, folders, recursive, reverse, human, numbers, long_form, hide_owner, hide_group, follow, follow_named, inode, sizes, folders_first, context;
  /* `shape`: one per line, C columns, x rows, m commas. `quoting`: N as it is, q with "?", b escaped, Q in quotes, s as for the shell. */
  char sort, mark, shape, quoting, time;
  size_t width;
  const char *recent, *old, **hidden;
  size_t hidden_count;
} ls = {.quoting = 'N', .width = 80, .recent = "%b %e %H:%M", .old = "%b %e  %Y"};

static struct timespec time_of(const struct stat *about) { return ls.time == 'u' ? about->st_atim : ls.time == 'c' ? about->st_ctim : about->st_mtim; }

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
  if (ls.folders_first && left->folder != right->folder) return left->folder ? -1 : 1;
  if (ls.sort == 'S') order = left->about.st_size < right->about.st_size ? 1 : left->about.st_size > right->about.st_size ? -1 : 0;
  if (ls.sort == 't') {
    struct timespec x = time_of(&left->about), y = time_of(&right->about);
    order = x.tv_sec != y.tv_sec ? (x.tv_sec < y.tv_sec ? 1 : -1) : x.tv_nsec != y.tv_nsec ? (x.tv_nsec < y.tv_nsec ? 1 : -1) : 0;
  }
  if (ls.sort == 'X') {
    const char *x = strrchr(left->name, '.'), *y = strrchr(right->name, '.');
    order = strcmp(x ? x : "", y ? y : "");
  }
  if (ls.sort == 'w') {
    size_t x = text_width(left->name, strlen(left->name)), y = text_width(right->name, strlen(right->name));
    order = x < y ? -1 : x > y;
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
  entry->folder = S_ISDIR(entry->about.st_mode) || (entry->target && ls.folders_first && is_directory(path));
  return true;
}

static char mark_of(const struct entry *entry) {
  if (S_ISDIR(entry->about.st_mode)) return ls.mark ? '/' : 0;
  if (ls.mark != 'F' && ls.mark != 't') return 0;
  if (S_ISLNK(entry->about.st_mode)) return ls.long_form ? 0 : '@';
  return ls.mark == 'F' && S_ISREG(entry->about.st_mode) && entry->mode & 0111 ? '*' : 0;
}

/* As in C: \n, \t, \303; a space only where it could end the name. */
static char *escape_name(const char *name, bool quoted) {
  struct buffer out = {0};
  int bytes;
  for (; *name; name += bytes) {
    static const char letters[] = "\aa\bb\ff\nn\rr\tt\vv";
    const char *letter = strchr(letters, *name);
    bool broken = read_char(name, strlen(name), &bytes) < 0;
    if (letter && *name < ' ') buffer_format(&out, "\\%c", letter[1]);
    else if ((unsigned char)*name < ' ' || *name == 127 || broken) buffer_format(&out, "\\%03o", (unsigned char)*name);
    else {
      if (*name == '\\' || (quoted ? *name == '"' : *name == ' ')) buffer_byte(&out, '\\');
      buffer_add(&out, name, (size_t)bytes);
    }
  }
  return buffer_end(&out);
}

static const char *shown_text(const char *name) {
  if (ls.quoting == 'Q') return format_text("\"%s\"", escape_name(name, true));
  if (ls.quoting == 'b') return escape_name(name, false);
  if (ls.quoting == 's') return name_of(name);
  if (ls.quoting != 'q') return name;
  char *visible = copy_text(name);
  int bytes;
  for (char *at = visible; *at; at += bytes)
    if (read_char(at, strlen(at), &bytes) < 0 || (unsigned char)*at < ' ' || *at == 127) *at = '?';
  return visible;
}

static char *shown_name(const struct entry *entry) {
  char mark = mark_of(entry);
  return format_text("%s%.*s", shown_text(entry->name), mark ? 1 : 0, &mark);
}

static int digits(intmax_t number) { return snprintf(NULL, 0, "%jd", number); }

static const char *size_text(intmax_t size) {
  if (ls.human) return human_size(size);
  static char text[32];
  sprintf(text, "%jd", size);
  return text;
}

/* Names with commas between them, in lines. */
static void show_list(char **names, size_t count) {
  size_t column = 0;
  for (size_t at = 0; at < count; at++) {
    size_t width = text_width(names[at], strlen(names[at]));
    if (at) {
      bool fits = !ls.width || column + width + 2 < ls.width;
      fputs(fits ? ", " : ",\n", stdout);
      column = fits ? column + 2 : 0;
    }
    fputs(names[at], stdout);
    column += width;
  }
  if (count) putchar('\n');
}

/* As many columns as there is room for, each as wide as it must be. */
static void show_columns(char **names, size_t count) {
  size_t most = ls.width ? (ls.width + 2) / 3 : count, columns, rows = 1;
  size_t *sizes = grab((count + 1) * sizeof *sizes), *widths = grab((count + 1) * sizeof *widths);
  for (size_t at = 0; at < count; at++) sizes[at] = text_width(names[at], strlen(names[at]));
  for (columns = most < count ? most : count; columns > 0; columns--) {
    rows = (count + columns - 1) / columns;
    size_t line = 0;
    /* The least width of a column counts only once a name needs more, as in GNU's. */
    bool grown = false;
    for (size_t at = 0; at < columns; at++) widths[at] = 3;
    for (size_t at = 0; at < count; at++) {
      size_t column = ls.shape == 'x' ? at % columns : at / rows, needed = sizes[at] + (column + 1 == columns ? 0 : 2);
      if (needed > widths[column]) widths[column] = needed, grown = true;
    }
    for (size_t at = 0; at < columns; at++) line += widths[at];
    if (!ls.width || !grown || line < ls.width || columns == 1) break;
  }
  for (size_t row = 0; row < rows && columns; row++) {
    size_t column = 0, start = 0;
    for (size_t at = ls.shape == 'x' ? row * columns : row; at < count && column < columns; at += ls.shape == 'x' ? 1 : rows) {
      fputs(names[at], stdout);
      size_t from = start + sizes[at];
      start += widths[column++];
      if ((ls.shape == 'x' ? at + 1 : at + rows) >= count || column >= columns) break;
      /* Tabs, as far as they go. */
      while (from < start)
        if (start / 8 > (from + 1) / 8) putchar('\t'), from += 8 - from % 8;
        else putchar(' '), from++;
    }
    putchar('\n');
  }
  free(sizes), free(widths);
}

static bool is_hidden(const char *name) {
  for (size_t at = 0; at < ls.hidden_count; at++)
    if (glob_match(ls.hidden[at], name, 0)) return true;
  size_t length = strlen(name);
  return ls.no_backups && length && name[length - 1] == '~';
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
  char **names = grab((count + 1) * sizeof *names);
  for (size_t at = 0; at < count; at++) {
    struct entry *one = &entries[at];
    struct buffer text = {0};
    if (ls.inode) buffer_format(&text, "%*jd ", ls.shape == 'm' ? 0 : digits(most_inode), (intmax_t)one->about.st_ino);
    if (ls.sizes) {
      intmax_t mine = blocks_of(&one->about);
      buffer_format(&text, "%*s ", ls.shape == 'm' ? 0 : block_width, ls.human ? human_size(mine * 1024) : size_text(mine));
    }
    if (ls.long_form) {
      char mode[11];
      struct timespec time = time_of(&one->about);
      show_mode(mode, &one->about, one->mode);
      bool recent = time.tv_sec <= now && now - time.tv_sec < 31556952 / 2;
      const char *owner = ls.numbers ? "1000" : "user";
      buffer_format(&text, "%s %*jd ", mode, digits(most_links), (intmax_t)one->about.st_nlink);
      if (!ls.hide_owner) buffer_format(&text, "%s ", owner);
      if (!ls.hide_group) buffer_format(&text, "%s ", owner);
      if (ls.context) buffer_text(&text, "? ");
      buffer_format(&text, "%*s %s ", size_width, size_text(one->about.st_size), format_time(recent ? ls.recent : ls.old, time));
    } else if (ls.context) buffer_text(&text, "? ");
    buffer_text(&text, shown_name(one));
    if (ls.long_form && one->target) buffer_format(&text, " -> %s", shown_text(one->target));
    names[at] = buffer_end(&text);
  }
  if (ls.long_form || !ls.shape)
    for (size_t at = 0; at < count; at++) puts(names[at]);
  else if (ls.shape == 'm') show_list(names, count);
  else show_columns(names, count);
}

static void show_folder(const char *path, bool titled, bool *first) {
  char **names = list_folder(path);
  if (!names) {
    warn_errno("cannot open directory %s", quote_name(path));
    return;
  }
  if (titled) printf("%s%s:\n", *first ? "" : "\n", shown_text(path));
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
    if ((**name == '.' && !ls.all && !ls.almost) || is_hidden(*name)) continue;
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

static void set_time_style(const char *style) {
  static const char *const words[] = {"full-iso", "long-iso", "iso", "locale", NULL};
  static const char *const recent[] = {"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%m-%d %H:%M", "%b %e %H:%M"};
  static const char *const old[] = {"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%Y-%m-%d ", "%b %e  %Y"};
  if (*style == '+') {
    char *first = copy_text(style + 1), *line = strchr(first, '\n');
    if (line) *line++ = 0;
    ls.old = first, ls.recent = line ? line : first;
    return;
  }
  int at = choose_word("--time-style", !strncmp(style, "posix-", 6) ? "locale" : style, words);
  ls.recent = recent[at], ls.old = old[at];
}

static void set_shape(char c) {
  ls.shape = c == '1' ? 0 : c;
  ls.long_form = false;
}

int ls_main(int argc, char **argv) {
  enum { COLOR = 256, SORT, INDICATOR, FOLDERS_FIRST, FULL_TIME, TIME_STYLE, QUOTING, TIME, FORMAT, FILE_TYPE, HIDE };
  static const struct long_option longs[] = {{"all", NO_VALUE, 'a'}, {"almost-all", NO_VALUE, 'A'}, {"directory", NO_VALUE, 'd'}, {"recursive", NO_VALUE, 'R'},
    {"reverse", NO_VALUE, 'r'}, {"human-readable", NO_VALUE, 'h'}, {"numeric-uid-gid", NO_VALUE, 'n'}, {"no-group", NO_VALUE, 'G'}, {"dereference", NO_VALUE, 'L'},
    {"dereference-command-line", NO_VALUE, 'H'}, {"inode", NO_VALUE, 'i'}, {"size", NO_VALUE, 's'}, {"classify", MAY_HAVE_VALUE, 'F'}, {"color", MAY_HAVE_VALUE, COLOR},
    {"sort", NEEDS_VALUE, SORT}, {"quote-name", NO_VALUE, 'Q'}, {"escape", NO_VALUE, 'b'}, {"hide-control-chars", NO_VALUE, 'q'}, {"literal", NO_VALUE, 'N'},
    {"quoting-style", NEEDS_VALUE, QUOTING}, {"file-type", NO_VALUE, FILE_TYPE}, {"indicator-style", NEEDS_VALUE, INDICATOR}, {"group-directories-first", NO_VALUE, FOLDERS_FIRST},
    {"full-time", NO_VALUE, FULL_TIME}, {"time-style", NEEDS_VALUE, TIME_STYLE}, {"time", NEEDS_VALUE, TIME}, {"format", NEEDS_VALUE, FORMAT}, {"width", NEEDS_VALUE, 'w'},
    {"ignore", NEEDS_VALUE, 'I'}, {"hide", NEEDS_VALUE, HIDE}, {"ignore-backups", NO_VALUE, 'B'}, {"context", NO_VALUE, 'Z'}, {"zero", NO_VALUE, '1'}, {0}};
  struct options options;
  usage_status = 2;
  if (isatty(1)) ls.shape = 'C', ls.quoting = 's';
  const char *given = getenv("COLUMNS");
  if (given && atoi(given) > 0) ls.width = (size_t)atoi(given);
  options_begin(&options, argc, argv, "1aAbBcCdfFgGhHiI:klLmnNopqQrRsStuUvw:xXZ", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'f': ls.sort = 'U', ls.long_form = ls.sizes = false; /* fall through */
      case 'a': ls.all = true; break;
      case 'A': ls.almost = true, ls.all = false; break;
      case 'B': ls.no_backups = true; break;
      case 'd': ls.folders = true; break;
      case 'R': ls.recursive = true; break;
      case 'r': ls.reverse = true; break;
      case 'h': ls.human = true; break;
      case 'g': ls.hide_owner = ls.long_form = true; break;
      case 'o': ls.hide_group = ls.long_form = true; break;
      case 'n': ls.numbers = true; /* fall through */
      case 'l': ls.long_form = true; break;
      case 'G': ls.hide_group = true; break;
      case 'L': ls.follow = true; break;
      case 'H': ls.follow_named = true; break;
      case 'i': ls.inode = true; break;
      case 's': ls.sizes = true; break;
      case 'F':
        if (!options.value || strcmp(options.value, "never")) ls.mark = 'F';
        break;
      case 'p': case FILE_TYPE:
        if (ls.mark != 'F') ls.mark = c == 'p' ? 'p' : 't';
        break;
      case 'b': case 'q': case 'N': case 'Q': ls.quoting = (char)c; break;
      case '1': if (!ls.long_form) set_shape('1'); break;
      case 'C': case 'x': case 'm': set_shape((char)c); break;
      case 'S': case 't': case 'U': case 'v': case 'X': ls.sort = (char)c; break;
      case 'c': case 'u': ls.time = (char)c; break;
      case 'w': {
        intmax_t width;
        if (!parse_count(options.value, &width)) die(2, "invalid line width: %s", quote(options.value));
        ls.width = (size_t)width;
        break;
      }
      case 'I': case HIDE:
        ls.hidden = regrab(ls.hidden, (ls.hidden_count + 1) * sizeof *ls.hidden);
        ls.hidden[ls.hidden_count++] = options.value;
        break;
      case 'Z': ls.context = true; break;
      case SORT: {
        static const char *const words[] = {"none", "size", "time", "version", "extension", "name", "width", NULL};
        ls.sort = "UStvXnw"[choose_word("--sort", options.value, words)];
        break;
      }
      case INDICATOR: {
        static const char *const words[] = {"none", "slash", "file-type", "classify", NULL};
        ls.mark = "\0ptF"[choose_word("--indicator-style", options.value, words)];
        break;
      }
      case QUOTING: {
        static const char *const words[] = {"literal", "shell", "escape", "c", "shell-escape", NULL};
        ls.quoting = "NsbQs"[choose_word("--quoting-style", options.value, words)];
        break;
      }
      case TIME: {
        static const char *const words[] = {"atime", "access", "use", "ctime", "status", "mtime", "modification", NULL};
        ls.time = "uuuccmm"[choose_word("--time", options.value, words)];
        break;
      }
      case FORMAT: {
        static const char *const words[] = {"verbose", "long", "commas", "horizontal", "across", "vertical", "single-column", NULL};
        char shape = "llmxxC1"[choose_word("--format", options.value, words)];
        if (shape == 'l') ls.long_form = true;
        else set_shape(shape);
        break;
      }
      case FOLDERS_FIRST: ls.folders_first = true; break;
      case FULL_TIME: ls.long_form = true, set_time_style("full-iso"); break;
      case TIME_STYLE: set_time_style(options.value); break;
    }
  if (ls.time && ls.time != 'm' && !ls.long_form && !ls.sort) ls.sort = 't';
  bool first = true;
  size_t files = 0, folders = 0, count = options.count ? (size_t)options.count : 1;
  struct entry *entries = grab(count * sizeof *entries), *inside = grab(count * sizeof *inside);
  for (size_t at = 0; at < count; at++) {
    const char *path = options.count ? options.operands[at] : ".";
    struct entry one;
    if (!read_entry(&one, path, path, !ls.long_form || ls.follow || ls.follow_named)) {
      warn_errno("cannot access %s", quote_name(path));
      exit_status = 2;
      continue;
    }
    if (!S_ISDIR(one.about.st_mode) || ls.folders) {
      if (!ls.follow && !ls.follow_named && ls.mark) read_entry(&one, path, path, false);
      entries[files++] = one;
    } else inside[folders++] = one;
  }
  if (ls.sort != 'U') qsort(entries, files, sizeof *entries, compare_entries), qsort(inside, folders, sizeof *inside, compare_entries);
  if (files) show_entries(entries, files, false), first = false;
  for (size_t at = 0; at < folders; at++) show_folder(inside[at].name, ls.recursive || options.count > 1, &first);
  return exit_status;
}

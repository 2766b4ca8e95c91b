/* grep, egrep, fgrep */
#include "cu.h"
#include "literals.h"
#include "perl.h"
#include "regex.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG_INCLUDE = 256, LONG_EXCLUDE, LONG_EXCLUDE_DIR, LONG_LABEL, LONG_BINARY, LONG_COLOR, LONG_LINE_BUFFERED, LONG_NO_IGNORE_CASE };
struct globs {
  char **items;
  int count;
};
static struct regex **patterns;
static int pattern_count;
static struct perl *perl; /* of -P, in the place of patterns */
static bool colored;
static const char *searched; /* the file, as messages call it */
static struct literals *literals; /* patterns that are plain texts, if they are many */
static const char *literal; /* the one pattern, if it is plain text */
static size_t literal_length;
static bool invert, whole_word, whole_line, count_only, only_match, quiet, numbers, offsets, names, silent, null_names, text_mode, tab_align;
static bool list_matching, list_others, recursive, follow_links, skip_binary;
static int directories; /* 'r' read, 's' skip */
static long limit = -1, before_lines, after_lines;
static char delimiter = '\n';
static const char *label = "(standard input)";
static struct globs includes, excludes, excluded_folders;
static bool any_match, any_group;

static void add_glob(struct globs *to, char *glob) {
  to->items = regrab(to->items, sizeof *to->items * (size_t)(to->count + 1));
  to->items[to->count++] = glob;
}

static bool fits(const struct globs *globs, const char *path) {
  for (int at = 0; at < globs->count; at++)
    if (!fnmatch(globs->items[at], base_of(path), 0) || !fnmatch(globs->items[at], path, 0)) return true;
  return false;
}

static bool is_word_at(const char *text, size_t length, size_t at) {
  unsigned char c = at < length ? (unsigned char)text[at] : ' ';
  return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool find_perl(const char *line, size_t length, size_t from, struct span *found) {
  int outcome = perl_find(perl, line, length, from, found);
  if (outcome < 0) die(2, "%s: exceeded PCRE's backtracking limit", searched);
  return outcome;
}

/* The leftmost longest match of any pattern from `from` on that is a whole word or line if it must be. */
static bool find_in(const char *line, size_t length, size_t from, struct span *found) {
  bool any = false;
  if (perl) return find_perl(line, length, from, found);
  if (literals) return literals_find(literals, line, length, from, whole_line, found);
  for (int at = 0; at < pattern_count; at++) {
    struct span spans[RE_GROUPS];
    for (size_t start = from; start <= length && regex_find(patterns[at], line, length, start, spans); start = (size_t)spans[0].start + 1) {
      ptrdiff_t end = spans[0].end;
      if (whole_line && (spans[0].start != 0 || end != (ptrdiff_t)length)) continue;
      if (whole_word) {
        if (spans[0].start && is_word_at(line, length, (size_t)spans[0].start - 1)) continue;
        /* A shorter match at the same place may be a word. */
        while (end >= spans[0].start && is_word_at(line, length, (size_t)end)) {
          struct span shorter[RE_GROUPS];
          ptrdiff_t cut = end - 1;
          end = -1;
          for (; cut >= spans[0].start; cut--)
            if (regex_find(patterns[at], line, (size_t)cut, (size_t)spans[0].start, shorter) && shorter[0].start == spans[0].start && shorter[0].end == cut) {
              end = cut;
              break;
            }
        }
        if (end < spans[0].start) continue;
      }
      if (!any || spans[0].start < found->start || (spans[0].start == found->start && end > found->end)) *found = (struct span){spans[0].start, end};
      any = true;
      break;
    }
  }
  return any;
}

static bool matches(const char *line, size_t length) {
  struct span first;
  if (perl || literals) return find_in(line, length, 0, &first);
  if (literal) return memmem(line, length, literal, literal_length) != NULL;
  for (int at = 0; at < pattern_count; at++) {
    if (!regex_test(patterns[at], line, length)) continue;
    struct span found;
    if ((!whole_word && !whole_line) || find_in(line, length, 0, &found)) return true;
  }
  return false;
}

/* What a terminal would show in a color, for --color=always. */
static void show_colored(const char *color, const char *text, size_t length) {
  if (colored) printf("\33[%sm\33[K", color);
  fwrite(text, 1, length, stdout);
  if (colored) fputs("\33[m\33[K", stdout);
}

static void show_number(long number, char mark) {
  char text[32];
  int length = snprintf(text, sizeof text, tab_align ? "%4ld" : "%ld", number);
  show_colored("32", text, (size_t)length);
  show_colored("36", &mark, 1);
}

static void show_name(const char *name, char mark) {
  show_colored("35", name, strlen(name));
  if (null_names) putchar(0);
  else show_colored("36", &mark, 1);
}

static void show_prefix(const char *name, long number, size_t offset, char mark) {
  if (names) show_name(name, mark);
  if (numbers) show_number(number, mark);
  if (offsets) show_number((long)offset, mark);
  if (tab_align && (names || numbers || offsets)) putchar('\t');
}

static void show_matches(const char *name, const char *line, size_t length, long number, size_t offset) {
  struct span found;
  for (size_t from = 0; from <= length && find_in(line, length, from, &found);) {
    if (found.end > found.start) {
      show_prefix(name, number, offset + (size_t)found.start, ':');
      show_colored("01;31", line + found.start, (size_t)(found.end - found.start));
      putchar(delimiter);
    }
    from = (size_t)found.end + (found.end == found.start);
  }
}

static void show_line(const char *name, const char *line, size_t length, long number, size_t offset, char mark) {
  struct span found;
  size_t at = 0;
  show_prefix(name, number, offset, mark);
  for (size_t from = 0; colored && (mark == ':') != invert && from <= length && find_in(line, length, from, &found);) {
    if (found.end > found.start) {
      fwrite(line + at, 1, (size_t)found.start - at, stdout);
      show_colored("01;31", line + found.start, (size_t)(found.end - found.start));
      at = (size_t)found.end;
    }
    from = (size_t)found.end + (found.end == found.start);
  }
  fwrite(line + at, 1, length - at, stdout);
  putchar(delimiter);
}

static void search_text(const char *name, char *data, size_t length) {
  searched = name;
  bool binary = !text_mode && delimiter && memchr(data, 0, length), broken = false;
  if (binary && skip_binary) return;
  /* As GNU does: a NUL ends a line of what is no text. */
  for (char *zero = data; binary && (zero = memchr(zero, 0, (size_t)(data + length - zero)));) *zero = '\n';
  bool lines = !count_only && !list_matching && !list_others && !quiet;
  long selected = 0, number = 0, trailing = 0;
  size_t shown = 0; /* what is before it has been written */
  for (size_t at = 0; at < length;) {
    if (limit == 0) break;
    if (literal && !invert && !numbers && !(before_lines | after_lines)) {
      /* Lines without the text are not even looked at. */
      const char *hit = memmem(data + at, length - at, literal, literal_length);
      if (!hit) break;
      const char *start = hit;
      while (start > data + at && start[-1] != delimiter) start--;
      at = (size_t)(start - data);
    }
    const char *line = data + at, *end = memchr(line, delimiter, length - at);
    size_t size = end ? (size_t)(end - line) : length - at;
    number++;
    if (matches(line, size) != invert) {
      selected++;
      any_match = true;
      if (quiet) finish(0);
      if (list_matching || list_others) break;
      broken = lines && !text_mode && !only_match && !is_valid_utf8(line, size);
      if (broken && skip_binary) return;
      if ((lines && binary) || broken) {
        fflush(stdout);
        fprintf(stderr, "%s: %s: binary file matches\n", tool, name);
        return;
      }
      if (lines && only_match) {
        if (!invert) show_matches(name, line, size, number, at);
      } else if (lines) {
        size_t from = at;
        long back = 0;
        while (back < before_lines && from > shown) {
          from--;
          while (from > shown && data[from - 1] != delimiter) from--;
          back++;
        }
        if ((before_lines || after_lines) && any_group && (from > shown || shown == 0)) show_colored("36", "--", 2), putchar('\n');
        for (; back; back--) {
          const char *stop = memchr(data + from, delimiter, length - from);
          show_line(name, data + from, (size_t)(stop - data) - from, number - back, from, '-');
          from = (size_t)(stop - data) + 1;
        }
        show_line(name, line, size, number, at, ':');
        any_group = true;
        shown = at + size + 1;
      }
      trailing = after_lines;
      if (selected == limit) {
        at += size + 1;
        for (; lines && !only_match && trailing && at < length; trailing--) {
          const char *stop = memchr(data + at, delimiter, length - at);
          size_t rest = stop ? (size_t)(stop - data) - at : length - at;
          if (matches(data + at, rest) != invert) break;
          show_line(name, data + at, rest, ++number, at, '-');
          at += rest + 1;
        }
        break;
      }
    } else if (trailing && lines && !only_match) {
      show_line(name, line, size, number, at, '-');
      shown = at + size + 1;
      trailing--;
    }
    at += size + 1;
  }
  if (count_only && !list_matching && !list_others) {
    if (names) show_name(name, ':');
    printf("%ld\n", selected);
  }
  if (selected ? list_matching : list_others) show_colored("35", name, strlen(name)), putchar(null_names ? 0 : '\n');
}

static void complain(const char *path) {
  int code = errno;
  exit_status = 2;
  if (!silent) errno = code, warn_errno("%s", path);
}

static void search_file(const char *path) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) {
    complain(path);
    return;
  }
  struct input input;
  input_from(&input, fd, path);
  size_t length;
  char *data = input_rest(&input, &length);
  input_close(&input);
  search_text(path, data, length);
  free(data);
}

static void search_folder(const char *path, bool named) {
  char **entries = list_folder(path);
  if (!entries) {
    complain(path);
    return;
  }
  for (char **entry = entries; *entry; entry++) {
    char *inside = named ? join_path(path, *entry) : copy_text(*entry);
    struct stat about;
    if ((follow_links ? stat : lstat)(inside, &about) < 0) complain(inside);
    else if (S_ISDIR(about.st_mode)) {
      if (!fits(&excluded_folders, inside)) search_folder(inside, true);
    } else if (S_ISREG(about.st_mode) && !fits(&excludes, inside) && (!includes.count || fits(&includes, inside))) search_file(inside);
    free(inside);
    free(*entry);
  }
  free(entries);
}

static void search_path(const char *path) {
  if (!strcmp(path, "-")) {
    struct input input;
    size_t length;
    input_from(&input, 0, path);
    char *data = input_rest(&input, &length);
    search_text(label, data, length);
    free(data);
    return;
  }
  if (is_directory(path)) {
    if (recursive) {
      if (!fits(&excluded_folders, path)) search_folder(path, true);
    } else if (directories != 's' && !silent) warn("%s: Is a directory", path);
    return;
  }
  if ((excludes.count && fits(&excludes, path)) || (includes.count && !fits(&includes, path))) return;
  search_file(path);
}

/* Whether a pattern means just its own characters. */
static bool is_plain(const char *text, size_t length, int flags) {
  if (flags & RE_LITERAL) return true;
  const char *special = flags & RE_EXTENDED ? "\\[.*^$+?{|()" : "\\[.*^$";
  for (size_t at = 0; at < length; at++)
    if (!text[at] || strchr(special, text[at])) return false;
  return true;
}

static bool add_literals(const char *text, size_t length, int flags) {
  if (flags & RE_NO_CASE || whole_word || !memchr(text, '\n', length)) return false;
  struct literals *all = literals_new();
  for (const char *at = text, *end = text + length;; at++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    if (stop == at || !is_plain(at, (size_t)(stop - at), flags)) return false;
    literals_add(all, at, (size_t)(stop - at));
    if (stop == end) return literals = all;
    at = stop;
  }
}

/* Every line of the text is a pattern. */
static void add_patterns(const char *text, size_t length, int flags) {
  if (add_literals(text, length, flags)) return;
  for (const char *at = text, *end = text + length;;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    const char *error;
    if (flags & RE_EXTENDED && at < stop && *at == '*') fprintf(stderr, "%s: warning: * at start of expression\n", tool);
    struct regex *regex = regex_compile(at, (size_t)(stop - at), flags, &error);
    if (!regex) die(2, "%s", error);
    patterns = regrab(patterns, sizeof *patterns * (size_t)(pattern_count + 1));
    patterns[pattern_count++] = regex;
    bool plain = pattern_count == 1 && stop > at && is_plain(at, (size_t)(stop - at), flags);
    literal = plain && !(flags & RE_NO_CASE) && !whole_line && !whole_word ? at : NULL;
    literal_length = (size_t)(stop - at);
    if (stop == end) return;
    at = stop + 1;
  }
}

/* Of -P: one pattern, which stands for a word or a line if it must. */
static void add_perl(const char *text, size_t length, int flags) {
  const char *error;
  if (memchr(text, '\n', length)) die(2, "the -P option only supports a single pattern");
  const char *begin = whole_line ? "^(?:" : whole_word ? "(?<!\\w)(?:" : "", *end = whole_line ? ")$" : whole_word ? ")(?!\\w)" : "";
  struct buffer all = {0};
  buffer_text(&all, begin);
  buffer_add(&all, text, length);
  buffer_text(&all, end);
  perl = perl_compile(buffer_end(&all), all.length, (flags & RE_NO_CASE ? PERL_NO_CASE : 0) | (delimiter ? 0 : PERL_MULTILINE), &error);
  if (!perl) die(2, "%s", error);
}

static long read_context(const char *text) {
  intmax_t count;
  if (!parse_count(text, &count)) die(2, "%s: invalid context length argument", text);
  return (long)count;
}

int grep_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"regexp", NEEDS_VALUE, 'e'}, {"file", NEEDS_VALUE, 'f'}, {"ignore-case", NO_VALUE, 'i'},
    {"no-ignore-case", NO_VALUE, LONG_NO_IGNORE_CASE}, {"invert-match", NO_VALUE, 'v'}, {"word-regexp", NO_VALUE, 'w'}, {"line-regexp", NO_VALUE, 'x'}, {"count", NO_VALUE, 'c'},
    {"files-with-matches", NO_VALUE, 'l'}, {"files-without-match", NO_VALUE, 'L'}, {"max-count", NEEDS_VALUE, 'm'},
    {"only-matching", NO_VALUE, 'o'}, {"quiet", NO_VALUE, 'q'}, {"silent", NO_VALUE, 'q'}, {"no-messages", NO_VALUE, 's'},
    {"byte-offset", NO_VALUE, 'b'}, {"with-filename", NO_VALUE, 'H'}, {"no-filename", NO_VALUE, 'h'}, {"line-number", NO_VALUE, 'n'},
    {"null", NO_VALUE, 'Z'}, {"after-context", NEEDS_VALUE, 'A'}, {"before-context", NEEDS_VALUE, 'B'}, {"context", NEEDS_VALUE, 'C'},
    {"text", NO_VALUE, 'a'}, {"recursive", NO_VALUE, 'r'}, {"dereference-recursive", NO_VALUE, 'R'}, {"extended-regexp", NO_VALUE, 'E'},
    {"fixed-strings", NO_VALUE, 'F'}, {"perl-regexp", NO_VALUE, 'P'}, {"basic-regexp", NO_VALUE, 'G'}, {"null-data", NO_VALUE, 'z'}, {"include", NEEDS_VALUE, LONG_INCLUDE},
    {"exclude", NEEDS_VALUE, LONG_EXCLUDE}, {"exclude-dir", NEEDS_VALUE, LONG_EXCLUDE_DIR}, {"label", NEEDS_VALUE, LONG_LABEL},
    {"binary-files", NEEDS_VALUE, LONG_BINARY}, {"color", MAY_HAVE_VALUE, LONG_COLOR}, {"colour", MAY_HAVE_VALUE, LONG_COLOR},
    {"line-buffered", NO_VALUE, LONG_LINE_BUFFERED}, {"initial-tab", NO_VALUE, 'T'}, {"directories", NEEDS_VALUE, 'd'}, {0}};
  struct options options;
  struct buffer all = {0};
  bool given = false, as_perl = false;
  int flags = !strcmp(base_of(argv[0]), "egrep") ? RE_EXTENDED : !strcmp(base_of(argv[0]), "fgrep") ? RE_LITERAL : 0, show_names = -1;
  usage_status = 2;
  usage_line = "Usage: grep [OPTION]... PATTERNS [FILE]...";
  warn_status = 2;
  options_begin(&options, argc, argv, "abce:f:hHilLm:noqrRsvwxyzA:B:C:EFGIPTZd:0123456789", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'e':
        if (given) buffer_byte(&all, '\n');
        buffer_text(&all, options.value), given = true;
        break;
      case 'f': {
        char *data;
        size_t length;
        if (!read_whole(options.value, &data, &length)) finish(2);
        if (given && length) buffer_byte(&all, '\n');
        if (length) buffer_add(&all, data, length - (data[length - 1] == '\n'));
        else if (!given) invert = !invert;
        given = true;
        break;
      }
      case 'i': case 'y': flags |= RE_NO_CASE; break;
      case LONG_NO_IGNORE_CASE: flags &= ~RE_NO_CASE; break;
      case 'v': invert = !invert; break;
      case 'w': whole_word = true; break;
      case 'x': whole_line = true; break;
      case 'c': count_only = true; break;
      case 'l': list_matching = true; break;
      case 'L': list_others = true; break;
      case 'm': {
        intmax_t most;
        if (!parse_count(options.value, &most)) die(2, "invalid max count");
        limit = (long)most;
        break;
      }
      case 'o': only_match = true; break;
      case 'q': quiet = true; break;
      case 's': silent = true; break;
      case 'b': offsets = true; break;
      case 'H': show_names = 1; break;
      case 'h': show_names = 0; break;
      case 'n': numbers = true; break;
      case 'Z': null_names = true; break;
      case 'A': after_lines = read_context(options.value); break;
      case 'B': before_lines = read_context(options.value); break;
      case 'C': after_lines = before_lines = read_context(options.value); break;
      case 'a': text_mode = true; break;
      case 'I': skip_binary = true; break;
      case 'R': follow_links = recursive = true; break;
      case 'r': recursive = true; break;
      case 'P': as_perl = true; break;
      case 'E': flags = (flags & RE_NO_CASE) | RE_EXTENDED; break;
      case 'F': flags = (flags & RE_NO_CASE) | RE_LITERAL; break;
      case 'G': flags &= RE_NO_CASE; break;
      case 'z': delimiter = 0; break;
      case 'T': tab_align = true; break;
      case 'd': directories = *options.value, recursive |= directories == 'r' && options.value[2] == 'c'; break;
      case LONG_INCLUDE: add_glob(&includes, options.value); break;
      case LONG_EXCLUDE: add_glob(&excludes, options.value); break;
      case LONG_EXCLUDE_DIR: add_glob(&excluded_folders, options.value); break;
      case LONG_COLOR: colored = options.value && !strcmp(options.value, "always"); break;
      case LONG_LABEL: label = options.value; break;
      case LONG_BINARY: text_mode = !strcmp(options.value, "text"), skip_binary = !strcmp(options.value, "without-match"); break;
      default:
        if (c >= '0' && c <= '9') after_lines = before_lines = before_lines * 10 + c - '0';
    }
  if (!given && !options.count) {
    try_help();
  }
  if (!given) buffer_text(&all, *options.operands++), options.count--;
  (as_perl ? add_perl : add_patterns)(buffer_end(&all), all.length, flags);
  names = show_names >= 0 ? show_names : recursive ? options.count != 1 || is_directory(options.operands[0]) : options.count > 1;
  if (!options.count && recursive) search_folder(".", false);
  else if (!options.count) search_path("-");
  for (int at = 0; at < options.count; at++) search_path(options.operands[at]);
  if (exit_status == 2) return 2;
  return any_match ? 0 : 1;
}

/* diff */
#include "diff.h"
#include "regex.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum style { NORMAL, UNIFIED, CONTEXT, BRIEF, SIDES, ED };

static struct {
  enum style style;
  bool recurses, new_files, identical, as_text, blank_lines, functions;
  int ignore, context, width;
  const char *labels[2];
  int label_count;
  const char **excludes;
  size_t exclude_count;
  char *switches; /* as they were given, for headings */
  struct regex *uninteresting;
} job = {.context = 3, .width = 130};

/* One run of changed lines: from where, and how many. */
struct change {
  size_t old, old_count, new, new_count;
};

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static struct change *changes;
static size_t change_count;

static bool is_trivial(const struct line *line) {
  size_t length = line->length - (line->length && line->text[line->length - 1] == '\n');
  bool blank = true;
  for (size_t at = 0; at < length && blank; at++)
    blank = job.ignore & (IGNORE_ALL_SPACE | IGNORE_SPACE_CHANGE) ? isspace((unsigned char)line->text[at]) : false;
  if (job.blank_lines && blank) return true;
  return job.uninteresting && regex_test(job.uninteresting, line->text, length);
}

static void find_changes(const struct text *old, const struct text *new) {
  change_count = 0;
  for (size_t i = 0, j = 0; i < old->count || j < new->count;) {
    if (!old->changed[i] && !new->changed[j]) {
      i++, j++;
      continue;
    }
    struct change change = {i, 0, j, 0};
    bool counts = !job.blank_lines && !job.uninteresting;
    for (; old->changed[i]; i++, change.old_count++) counts = counts || !is_trivial(&old->lines[i]);
    for (; new->changed[j]; j++, change.new_count++) counts = counts || !is_trivial(&new->lines[j]);
    if (!counts) continue;
    changes = regrab(changes, (change_count + 1) * sizeof *changes);
    changes[change_count++] = change;
  }
}

static void put_line(const char *mark, const struct line *line) {
  fputs(mark, stdout);
  fwrite(line->text, 1, line->length, stdout);
  if (!line->length || line->text[line->length - 1] != '\n') fputs("\n\\ No newline at end of file\n", stdout);
}

static void put_lines(const char *mark, const struct text *text, size_t from, size_t count) {
  for (size_t at = from; at < from + count; at++) put_line(mark, &text->lines[at]);
}

/* "3", "3,5": the first and the last line. Where there is none, the line before. */
static void put_range(size_t from, size_t count) {
  if (count <= 1) printf("%zu", count ? from + 1 : from);
  else printf("%zu,%zu", from + 1, from + count);
}

static void show_normal(const struct text *old, const struct text *new) {
  for (size_t at = 0; at < change_count; at++) {
    const struct change *change = &changes[at];
    put_range(change->old, change->old_count);
    putchar(!change->old_count ? 'a' : !change->new_count ? 'd' : 'c');
    put_range(change->new, change->new_count);
    putchar('\n');
    put_lines("< ", old, change->old, change->old_count);
    if (change->old_count && change->new_count) puts("---");
    put_lines("> ", new, change->new, change->new_count);
  }
}

/* From the end, so that the numbers of lines before stay true. */
static void show_ed(const struct text *new) {
  for (size_t at = change_count; at-- > 0;) {
    const struct change *change = &changes[at];
    put_range(change->old, change->old_count);
    puts(!change->old_count ? "a" : !change->new_count ? "d" : "c");
    if (!change->new_count) continue;
    for (size_t line = change->new; line < change->new + change->new_count; line++) fwrite(new->lines[line].text, 1, new->lines[line].length, stdout);
    puts(".");
  }
}

static void put_heading(const char *mark, const char *name, int side) {
  if (side < job.label_count) {
    printf("%s %s\n", mark, job.labels[side]);
    return;
  }
  struct stat about = {0};
  char time[64];
  /* A file that is not there is from the beginning of time. */
  if (!strcmp(name, "-")) about.st_mtim.tv_sec = 0;
  else if (stat(name, &about) < 0) about.st_mtim = (struct timespec){0};
  strftime(time, sizeof time, job.style == CONTEXT ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M:%S", gmtime(&about.st_mtim.tv_sec));
  printf("%s %s\t%s.%09ld +0000\n", mark, name, time, about.st_mtim.tv_nsec);
}

/* The last line before that begins like a function. */
static void put_function(const struct text *old, size_t before) {
  if (!job.functions) return;
  for (size_t at = before; at-- > 0;) {
    const struct line *line = &old->lines[at];
    if (!isalpha((unsigned char)*line->text) && *line->text != '_' && *line->text != '$') continue;
    size_t length = line->length - (line->text[line->length - 1] == '\n');
    printf(" %.*s", (int)(length < 40 ? length : 40), line->text);
    return;
  }
}

static void put_hunk_unified(const struct text *old, const struct text *new, const struct change *first, const struct change *last) {
  size_t around = (size_t)job.context, before = least(first->old, first->new);
  before = least(before, around);
  size_t from = first->old - before, to = last->old + last->old_count, new_from = first->new - before, new_to = last->new + last->new_count;
  size_t after = least(least(old->count - to, new->count - new_to), around);
  size_t old_count = to + after - from, new_count = new_to + after - new_from;
  printf("@@ -%zu", old_count ? from + 1 : from);
  if (old_count != 1) printf(",%zu", old_count);
  printf(" +%zu", new_count ? new_from + 1 : new_from);
  if (new_count != 1) printf(",%zu", new_count);
  printf(" @@");
  put_function(old, from);
  putchar('\n');
  size_t i = from;
  for (const struct change *change = first; change <= last; change++) {
    put_lines(" ", old, i, change->old - i);
    put_lines("-", old, change->old, change->old_count);
    put_lines("+", new, change->new, change->new_count);
    i = change->old + change->old_count;
  }
  put_lines(" ", old, i, to + after - i);
}

static void put_context_range(size_t from, size_t to) {
  if (to <= from + 1) printf("%zu", to);
  else printf("%zu,%zu", from + 1, to);
}

static void put_hunk_context(const struct text *old, const struct text *new, const struct change *first, const struct change *last) {
  const struct text *texts[2] = {old, new};
  size_t around = (size_t)job.context, before = least(least(first->old, first->new), around);
  size_t after = least(least(old->count - last->old - last->old_count, new->count - last->new - last->new_count), around);
  printf("***************");
  put_function(old, first->old - before);
  putchar('\n');
  for (int side = 0; side < 2; side++) {
    size_t from = (side ? first->new : first->old) - before;
    size_t to = (side ? last->new + last->new_count : last->old + last->old_count) + after;
    fputs(side ? "--- " : "*** ", stdout);
    put_context_range(from, to);
    puts(side ? " ----" : " ****");
    bool any = false;
    for (const struct change *change = first; change <= last; change++) any = any || (side ? change->new_count : change->old_count);
    if (!any) continue;
    size_t at = from;
    for (const struct change *change = first; change <= last; change++) {
      size_t start = side ? change->new : change->old, count = side ? change->new_count : change->old_count;
      put_lines("  ", texts[side], at, start - at);
      put_lines(change->old_count && change->new_count ? "! " : side ? "+ " : "- ", texts[side], start, count);
      at = start + count;
    }
    put_lines("  ", texts[side], at, to - at);
  }
}

static void show_hunks(const struct text *old, const struct text *new) {
  put_heading(job.style == UNIFIED ? "---" : "***", old->name, 0);
  put_heading(job.style == UNIFIED ? "+++" : "---", new->name, 1);
  for (size_t at = 0; at < change_count;) {
    size_t last = at;
    while (last + 1 < change_count && changes[last + 1].old - (changes[last].old + changes[last].old_count) <= 2 * (size_t)job.context) last++;
    if (job.style == UNIFIED) put_hunk_unified(old, new, &changes[at], &changes[last]);
    else put_hunk_context(old, new, &changes[at], &changes[last]);
    at = last + 1;
  }
}

/* As much of a line as fits, from a column on; the column that it reached. A tab that does not fit whole is left out. */
static size_t put_half(const struct line *line, size_t from, size_t most) {
  size_t wanted = 0, reached = 0;
  int bytes;
  for (size_t at = 0; at < line->length && line->text[at] != '\n'; at += (size_t)bytes) {
    int32_t c = read_char(line->text + at, line->length - at, &bytes);
    size_t wide = c == '\t' ? 8 - wanted % 8 : c < 0 ? 1 : (size_t)char_width(c);
    bool fits = c == '\t' ? wanted + wide < most : wanted + wide <= most;
    if (fits && (c != '\t' || wanted == reached)) fwrite(line->text + at, 1, (size_t)bytes, stdout), reached = wanted + wide;
    wanted += wide;
  }
  return from + reached;
}

static size_t go_to(size_t column, size_t place) {
  for (size_t next = column / 8 * 8 + 8; next <= place; next += 8) putchar('\t'), column = next;
  for (; column < place; column++) putchar(' ');
  return place;
}

static bool has_end(const struct line *line) { return line && line->length && line->text[line->length - 1] == '\n'; }

/* The second half begins at a tab stop. */
static void put_sides(const struct line *left, char mark, const struct line *right) {
  size_t width = (size_t)job.width, start = (width / 2 + 5 + (width & 1)) / 8 * 8;
  size_t half = start < 3 ? 0 : least(start - 3, width > start ? width - start : 0);
  if (!half) start = width;
  size_t column = left ? put_half(left, 0, half) : 0;
  if (mark != ' ') {
    column = go_to(column, (half + start - 1) / 2) + 1;
    if (mark == '|' && has_end(left) != has_end(right)) mark = has_end(left) ? '/' : '\\';
    putchar(mark);
  }
  if (right && *right->text != '\n') {
    column = go_to(column, start);
    put_half(right, column, half);
  }
  if (has_end(left) || has_end(right)) putchar('\n');
}

static void show_sides(const struct text *old, const struct text *new) {
  size_t i = 0, j = 0;
  for (size_t at = 0; at <= change_count; at++) {
    size_t until = at < change_count ? changes[at].old : old->count;
    for (; i < until; i++, j++) put_sides(&old->lines[i], ' ', j < new->count ? &new->lines[j] : NULL);
    if (at == change_count) break;
    size_t old_left = changes[at].old_count, new_left = changes[at].new_count;
    for (; old_left && new_left; old_left--, new_left--) put_sides(&old->lines[i++], '|', &new->lines[j++]);
    for (; old_left; old_left--) put_sides(&old->lines[i++], '<', NULL);
    for (; new_left; new_left--) put_sides(NULL, '>', &new->lines[j++]);
  }
}

static bool read_text(struct text *text, const char *name, bool missing) {
  *text = (struct text){.name = name, .data = ""};
  if (missing) return true;
  return read_whole(name, &text->data, &text->length);
}

/* 0: the same; 1: different; 2: trouble. */
static int compare_files(const char *old_name, const char *new_name, bool old_missing, bool new_missing, bool heading) {
  struct text old, new;
  bool old_read = read_text(&old, old_name, old_missing), new_read = read_text(&new, new_name, new_missing);
  if (!old_read || !new_read) return 2;
  bool same = old.length == new.length && !memcmp(old.data, new.data, old.length), binary = false;
  if (!same && !job.as_text)
    binary = memchr(old.data, 0, least(old.length, 32768)) || memchr(new.data, 0, least(new.length, 32768));
  int status = same ? 0 : 1;
  if (!same && binary) {
    printf(job.style == BRIEF ? "Files %s and %s differ\n" : "Binary files %s and %s differ\n", job.label_count ? job.labels[0] : old_name,
      job.label_count > 1 ? job.labels[1] : new_name);
  } else if (!same || job.style == SIDES) {
    split_lines(&old), split_lines(&new);
    compare_texts(&old, &new, job.ignore);
    find_changes(&old, &new);
    status = change_count > 0;
    if (job.style == BRIEF) {
      if (status) printf("Files %s and %s differ\n", old_name, new_name);
    } else if (status || job.style == SIDES) {
      if (heading) printf("diff%s %s %s\n", job.switches, name_of(old_name), name_of(new_name));
      if (job.style == NORMAL) show_normal(&old, &new);
      else if (job.style == ED) {
        show_ed(&new);
        /* Such a script cannot say that the last line has no end. */
        const struct text *both[2] = {&old, &new};
        for (int at = 0; at < 2; at++)
          if (both[at]->length && both[at]->data[both[at]->length - 1] != '\n') warn("%s: No newline at end of file\n", both[at]->name), status = 2;
      }
      else if (job.style == SIDES) show_sides(&old, &new);
      else show_hunks(&old, &new);
    }
  }
  if (!status && job.identical) printf("Files %s and %s are identical\n", old_name, new_name);
  return status;
}

static bool is_excluded(const char *name) {
  for (size_t at = 0; at < job.exclude_count; at++)
    if (glob_match(job.excludes[at], name, 0)) return true;
  return false;
}

static int compare_entries(const char *old, const char *new, bool old_there, bool new_there);

static int compare_folders(const char *old, const char *new, bool old_there, bool new_there) {
  char *none[] = {NULL}, **olds = old_there ? list_folder(old) : none, **news = new_there ? list_folder(new) : none;
  int worst = 0;
  if (!olds || !news) {
    warn_errno("%s", olds ? new : old);
    return 2;
  }
  while (*olds || *news) {
    int order = !*olds ? 1 : !*news ? -1 : strcmp(*olds, *news), status = 0;
    const char *name = order > 0 ? *news : *olds;
    if (!is_excluded(name)) {
      char *old_path = join_path(old, name), *new_path = join_path(new, name);
      if (order == 0) status = compare_entries(old_path, new_path, true, true);
      else if (job.new_files && (job.recurses || !is_directory(order < 0 ? old_path : new_path))) status = compare_entries(old_path, new_path, order < 0, order > 0);
      else {
        /* The folder without a slash at its end, as it was named. */
        printf("Only in %s: %s\n", order < 0 ? old : new, name);
        status = 1;
      }
    }
    if (order <= 0) olds++;
    if (order >= 0) news++;
    if (status > worst) worst = status;
  }
  return worst;
}

static const char *kind_of(const struct stat *about) {
  return S_ISDIR(about->st_mode) ? "directory" : S_ISREG(about->st_mode) ? about->st_size ? "regular file" : "regular empty file" : S_ISLNK(about->st_mode) ? "symbolic link" : "weird file";
}

static int compare_entries(const char *old, const char *new, bool old_there, bool new_there) {
  struct stat abouts[2] = {0};
  if (old_there && stat(old, &abouts[0]) < 0) return warn_errno("%s", old), 2;
  if (new_there && stat(new, &abouts[1]) < 0) return warn_errno("%s", new), 2;
  if (!old_there) abouts[0] = abouts[1];
  if (!new_there) abouts[1] = abouts[0];
  if (old_there && new_there && !strcmp(old, new)) return 0;
  bool old_folder = S_ISDIR(abouts[0].st_mode), new_folder = S_ISDIR(abouts[1].st_mode);
  if (old_folder && new_folder) {
    if (job.recurses) return compare_folders(old, new, old_there, new_there);
    printf("Common subdirectories: %s and %s\n", old, new);
    return 0;
  }
  if (old_folder != new_folder) {
    printf("File %s is a %s while file %s is a %s\n", old, kind_of(&abouts[0]), new, kind_of(&abouts[1]));
    return 1;
  }
  return compare_files(old, new, !old_there, !new_there, true);
}

static int number_of(const char *text, const char *what) {
  intmax_t number;
  if (!parse_count(text, &number)) usage_error("invalid %s '%s'", what, text);
  return number > 1000000 ? 1000000 : (int)number;
}

/* "-5", "-u5" and "-c5" are as of old. */
static void modern_numbers(int argc, char **argv) {
  for (int at = 1; at < argc && strcmp(argv[at], "--"); at++)
    if (argv[at][0] == '-' && isdigit((unsigned char)argv[at][1])) {
      char *end;
      long number = strtol(argv[at] + 1, &end, 10);
      argv[at] = format_text("-%c%ld", *end == 'c' ? 'C' : 'U', number);
    } else if (argv[at][0] == '-' && (argv[at][1] == 'u' || argv[at][1] == 'c') && isdigit((unsigned char)argv[at][2]))
      argv[at] = format_text("-%c%s", argv[at][1] == 'c' ? 'C' : 'U', argv[at] + 2);
}

int diff_main(int argc, char **argv) {
  enum { LABEL = 256, STRIP_CR, COLOR, NORMAL_STYLE, NO_DEREFERENCE, MINIMAL, SPEED };
  static const struct long_option longs[] = {{"unified", MAY_HAVE_VALUE, 'u'}, {"context", MAY_HAVE_VALUE, 'c'}, {"brief", NO_VALUE, 'q'}, {"recursive", NO_VALUE, 'r'},
    {"report-identical-files", NO_VALUE, 's'}, {"new-file", NO_VALUE, 'N'}, {"ignore-case", NO_VALUE, 'i'}, {"ignore-all-space", NO_VALUE, 'w'},
    {"ignore-space-change", NO_VALUE, 'b'}, {"ignore-blank-lines", NO_VALUE, 'B'}, {"ignore-trailing-space", NO_VALUE, 'Z'}, {"ignore-matching-lines", NEEDS_VALUE, 'I'},
    {"text", NO_VALUE, 'a'}, {"show-c-function", NO_VALUE, 'p'}, {"exclude", NEEDS_VALUE, 'x'}, {"side-by-side", NO_VALUE, 'y'}, {"width", NEEDS_VALUE, 'W'}, {"ed", NO_VALUE, 'e'},
    {"label", NEEDS_VALUE, LABEL}, {"strip-trailing-cr", NO_VALUE, STRIP_CR}, {"color", MAY_HAVE_VALUE, COLOR}, {"normal", NO_VALUE, NORMAL_STYLE},
    {"no-dereference", NO_VALUE, NO_DEREFERENCE}, {"minimal", NO_VALUE, MINIMAL}, {"speed-large-files", NO_VALUE, SPEED}, {0}};
  struct options options;
  tool = base_of(tool);
  usage_status = warn_status = 2;
  hints_named = true;
  struct buffer switches = {0};
  for (int at = 1; at < argc && strcmp(argv[at], "--"); at++)
    if (argv[at][0] == '-' && argv[at][1]) buffer_format(&switches, " %s", name_of(argv[at]));
  job.switches = buffer_end(&switches);
  modern_numbers(argc, argv);
  options_begin(&options, argc, argv, "uU:cC:qrsNiwbBZI:apx:yW:edtTlnEHhL:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'u': case 'c':
        job.style = c == 'u' ? UNIFIED : CONTEXT;
        if (options.value) job.context = number_of(options.value, "context length");
        break;
      case 'U': case 'C': job.style = c == 'U' ? UNIFIED : CONTEXT, job.context = number_of(options.value, "context length"); break;
      case 'q': job.style = BRIEF; break;
      case 'r': job.recurses = true; break;
      case 's': job.identical = true; break;
      case 'N': job.new_files = true; break;
      case 'i': job.ignore |= IGNORE_CASE; break;
      case 'w': job.ignore |= IGNORE_ALL_SPACE; break;
      case 'b': job.ignore |= IGNORE_SPACE_CHANGE; break;
      case 'Z': job.ignore |= IGNORE_TRAILING_SPACE; break;
      case 'B': job.blank_lines = true; break;
      case 'I': {
        const char *error = NULL;
        job.uninteresting = regex_compile(options.value, strlen(options.value), 0, &error);
        if (!job.uninteresting) die(2, "%s: %s", options.value, error);
        break;
      }
      case 'a': job.as_text = true; break;
      case 'p': job.functions = true; break;
      case 'x':
        job.excludes = regrab(job.excludes, (job.exclude_count + 1) * sizeof *job.excludes);
        job.excludes[job.exclude_count++] = options.value;
        break;
      case 'y': job.style = SIDES; break;
      case 'W': job.width = number_of(options.value, "width"); break;
      case 'e': job.style = ED; break;
      case LABEL: case 'L':
        if (job.label_count == 2) die(2, "too many file label options");
        job.labels[job.label_count++] = options.value;
        break;
      case STRIP_CR: job.ignore |= IGNORE_TRAILING_CR; break;
    }
  if (job.functions && job.style == NORMAL) job.style = CONTEXT;
  if (options.count < 2) usage_error("missing operand after '%s'", options.count ? options.operands[0] : argv[argc - 1]);
  if (options.count > 2) usage_error("extra operand '%s'", options.operands[2]);
  const char *old = options.operands[0], *new = options.operands[1];
  bool old_folder = strcmp(old, "-") && is_directory(old), new_folder = strcmp(new, "-") && is_directory(new);
  if (old_folder && new_folder && !strcmp(old, new)) finish(0);
  if (old_folder && new_folder) finish(compare_folders(old, new, true, true));
  if (old_folder) old = join_path(old, base_of(new));
  if (new_folder) new = join_path(new, base_of(old));
  bool old_missing = strcmp(old, "-") && access(old, F_OK) < 0, new_missing = strcmp(new, "-") && access(new, F_OK) < 0;
  if (job.new_files && old_missing != new_missing) finish(compare_files(old, new, old_missing, new_missing, false));
  if (old_missing) errno = ENOENT, warn_errno("%s", name_of(old));
  if (new_missing) errno = ENOENT, warn_errno("%s", name_of(new));
  if (old_missing || new_missing) finish(2);
  finish(compare_files(old, new, false, false, false));
}

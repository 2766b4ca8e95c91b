/* diff */
#include "diff.h"
#include "regex.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define job diff_job

struct diff_job diff_job = {.context = 3, .width = 130};
struct change *changes;
size_t change_count;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

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

static bool read_text(struct text *text, const char *name, bool missing) {
  *text = (struct text){.name = name, .data = ""};
  if (missing) return true;
  return read_whole(name, &text->data, &text->length);
}

/* 0: the same; 1: different; 2: trouble. */
static int compare_files(const char *old_name, const char *new_name, bool old_missing, bool new_missing, bool heading) {
  struct text old, new;
  if (!strcmp(old_name, "-") && !strcmp(new_name, "-")) return 0;
  bool old_read = read_text(&old, old_name, old_missing), new_read = read_text(&new, new_name, new_missing);
  if (!old_read || !new_read) return 2;
  bool same = old.length == new.length && !memcmp(old.data, new.data, old.length), binary = false;
  if (!same && !job.as_text)
    binary = memchr(old.data, 0, least(old.length, 32768)) || memchr(new.data, 0, least(new.length, 32768));
  int status = same ? 0 : 1;
  if (!same && binary) {
    printf(job.style == BRIEF ? "Files %s and %s differ\n" : "Binary files %s and %s differ\n", job.label_count ? job.labels[0] : old_name,
      job.label_count > 1 ? job.labels[1] : new_name);
  } else if (!same || job.style == SIDES || job.style == FORMATS) {
    split_lines(&old), split_lines(&new);
    compare_texts(&old, &new, job.ignore);
    find_changes(&old, &new);
    status = change_count > 0;
    if (job.style == BRIEF) {
      if (status) printf("Files %s and %s differ\n", old_name, new_name);
    } else if (status || job.style == SIDES || job.style == FORMATS) {
      if (heading) printf("diff%s %s %s\n", job.switches, name_of(old_name), name_of(new_name));
      if (job.style == NORMAL) show_normal(&old, &new);
      else if (job.style == ED) {
        show_ed(&new);
        /* Such a script cannot say that the last line has no end. */
        const struct text *both[2] = {&old, &new};
        for (int at = 0; at < 2; at++)
          if (both[at]->length && both[at]->data[both[at]->length - 1] != '\n') warn("%s: No newline at end of file\n", both[at]->name), status = 2;
      }
      else if (job.style == FORMATS) show_formats(&old, &new);
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
  return S_ISDIR(about->st_mode) ? "directory" : S_ISREG(about->st_mode) ? about->st_size ? "regular file" : "regular empty file" : S_ISLNK(about->st_mode) ? "symbolic link" : S_ISFIFO(about->st_mode) ? "fifo" : "weird file";
}

/* Where links are not followed, two that lead to the same place are alike. -1: neither is a link. */
static int compare_links(const char *old, const char *new, const struct stat *abouts) {
  bool links[2] = {S_ISLNK(abouts[0].st_mode), S_ISLNK(abouts[1].st_mode)};
  if (!links[0] && !links[1]) return -1;
  if (links[0] && links[1]) {
    char targets[2][4097] = {"", ""};
    if (readlink(old, targets[0], 4096) < 0 || readlink(new, targets[1], 4096) < 0) return warn_errno("%s", old), 2;
    if (!strcmp(targets[0], targets[1])) return 0;
    printf("Symbolic links %s and %s differ\n", old, new);
  } else printf("File %s is a %s while file %s is a %s\n", old, kind_of(&abouts[0]), new, kind_of(&abouts[1]));
  return 1;
}

static int compare_entries(const char *old, const char *new, bool old_there, bool new_there) {
  struct stat abouts[2] = {0};
  int (*ask)(const char *, struct stat *) = job.keeps_links ? lstat : stat;
  if (old_there && ask(old, &abouts[0]) < 0) return warn_errno("%s", old), 2;
  if (new_there && ask(new, &abouts[1]) < 0) return warn_errno("%s", new), 2;
  if (!old_there) abouts[0] = abouts[1];
  if (!new_there) abouts[1] = abouts[0];
  if (old_there && new_there && !strcmp(old, new)) return 0;
  int links = job.keeps_links && old_there && new_there ? compare_links(old, new, abouts) : -1;
  if (links >= 0) return links;
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
  enum { LABEL = 256, STRIP_CR, COLOR, NORMAL_STYLE, NO_DEREFERENCE, MINIMAL, SPEED, ONLY_CHANGED, LEFT_COLUMN, LINE_FORMAT, OLD_LINE, NEW_LINE, SAME_LINE, SAME_GROUP, OLD_GROUP, NEW_GROUP, CHANGED_GROUP };
  static const struct long_option longs[] = {{"unified", MAY_HAVE_VALUE, 'u'}, {"context", MAY_HAVE_VALUE, 'c'}, {"brief", NO_VALUE, 'q'}, {"recursive", NO_VALUE, 'r'},
    {"report-identical-files", NO_VALUE, 's'}, {"new-file", NO_VALUE, 'N'}, {"ignore-case", NO_VALUE, 'i'}, {"ignore-all-space", NO_VALUE, 'w'},
    {"ignore-space-change", NO_VALUE, 'b'}, {"ignore-blank-lines", NO_VALUE, 'B'}, {"ignore-trailing-space", NO_VALUE, 'Z'}, {"ignore-matching-lines", NEEDS_VALUE, 'I'},
    {"text", NO_VALUE, 'a'}, {"show-c-function", NO_VALUE, 'p'}, {"exclude", NEEDS_VALUE, 'x'}, {"side-by-side", NO_VALUE, 'y'}, {"width", NEEDS_VALUE, 'W'}, {"ed", NO_VALUE, 'e'},
    {"label", NEEDS_VALUE, LABEL}, {"strip-trailing-cr", NO_VALUE, STRIP_CR}, {"color", MAY_HAVE_VALUE, COLOR}, {"normal", NO_VALUE, NORMAL_STYLE},
    {"no-dereference", NO_VALUE, NO_DEREFERENCE}, {"minimal", NO_VALUE, MINIMAL}, {"speed-large-files", NO_VALUE, SPEED},
    {"show-function-line", NEEDS_VALUE, 'F'}, {"suppress-common-lines", NO_VALUE, ONLY_CHANGED}, {"left-column", NO_VALUE, LEFT_COLUMN}, {"line-format", NEEDS_VALUE, LINE_FORMAT},
    {"old-line-format", NEEDS_VALUE, OLD_LINE}, {"new-line-format", NEEDS_VALUE, NEW_LINE}, {"unchanged-line-format", NEEDS_VALUE, SAME_LINE},
    {"unchanged-group-format", NEEDS_VALUE, SAME_GROUP}, {"old-group-format", NEEDS_VALUE, OLD_GROUP}, {"new-group-format", NEEDS_VALUE, NEW_GROUP},
    {"changed-group-format", NEEDS_VALUE, CHANGED_GROUP}, {0}};
  struct options options;
  tool = base_of(tool);
  usage_status = warn_status = 2;
  hints_named = true;
  struct buffer switches = {0};
  for (int at = 1; at < argc && strcmp(argv[at], "--"); at++)
    if (argv[at][0] == '-' && argv[at][1]) buffer_format(&switches, " %s", name_of(argv[at]));
  job.switches = buffer_end(&switches);
  modern_numbers(argc, argv);
  options_begin(&options, argc, argv, "uU:cC:qrsNiwbBZI:apx:yW:edtTlnEHhL:F:", longs);
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
      case NO_DEREFERENCE: job.keeps_links = true; break;
      case ONLY_CHANGED: job.only_changed = true; break;
      case LEFT_COLUMN: job.left_column = true; break;
      case 'F': {
        const char *error = NULL;
        job.function = regex_compile(options.value, strlen(options.value), 0, &error);
        if (!job.function) die(2, "%s: %s", options.value, error);
        break;
      }
      case LINE_FORMAT: job.line_formats[0] = job.line_formats[1] = job.line_formats[2] = options.value, job.style = FORMATS; break;
      case SAME_LINE: case OLD_LINE: case NEW_LINE: job.line_formats[c == SAME_LINE ? 0 : c == OLD_LINE ? 1 : 2] = options.value, job.style = FORMATS; break;
      case SAME_GROUP: case OLD_GROUP: case NEW_GROUP: case CHANGED_GROUP: job.group_formats[c - SAME_GROUP] = options.value, job.style = FORMATS; break;
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
  struct stat about;
  bool old_missing = strcmp(old, "-") && (job.keeps_links ? lstat : stat)(old, &about) < 0, new_missing = strcmp(new, "-") && (job.keeps_links ? lstat : stat)(new, &about) < 0;
  if (job.new_files && old_missing != new_missing) finish(compare_files(old, new, old_missing, new_missing, false));
  if (old_missing) errno = ENOENT, warn_errno("%s", name_of(old));
  if (new_missing) errno = ENOENT, warn_errno("%s", name_of(new));
  if (old_missing || new_missing) finish(2);
  if (job.keeps_links) {
    struct stat abouts[2] = {0};
    const char *names[2] = {old, new};
    for (int side = 0; side < 2; side++)
      if (strcmp(names[side], "-") ? lstat(names[side], &abouts[side]) < 0 : fstat(0, &abouts[side]) < 0) die_errno(2, "%s", name_of(names[side]));
    int links = compare_links(old, new, abouts);
    if (links >= 0) finish(links);
  }
  finish(compare_files(old, new, false, false, false));
}

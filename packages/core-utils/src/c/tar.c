/* tar: archives in the formats of POSIX and GNU */
#include "tar.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tar_job tar_job = {.archive = "-", .owner = {"user", 1000}, .group = {"user", 1000}};

/* "NAME", "NAME:ID" or "ID". A name that nobody has keeps the number of the user. */
static struct person read_person(const char *text, bool is_group) {
  static const struct person known[] = {{"root", 0}, {"user", 1000}, {"nobody", 65534}}, groups[] = {{"root", 0}, {"sys", 3}, {"user", 1000}, {"nogroup", 65534}};
  const struct person *list = is_group ? groups : known;
  size_t count = is_group ? sizeof groups / sizeof *groups : sizeof known / sizeof *known;
  const char *colon = strchr(text, ':');
  char *end;
  if (colon) return (struct person){copy_bytes(text, (size_t)(colon - text)), strtoull(colon + 1, NULL, 10)};
  uintmax_t number = strtoull(text, &end, 10);
  for (size_t at = 0; at < count; at++)
    if (*end ? !strcmp(list[at].name, text) : list[at].id == number) return list[at];
  return *end ? (struct person){copy_text(text), 1000} : (struct person){"", number};
}

_Noreturn void tar_misused(void) {
  fputs("Try 'tar --help' or 'tar --usage' for more information.\n", stderr);
  finish(2);
}

void tar_show(const char *name) {
  FILE *to = job.action == 'c' && !strcmp(job.archive, "-") ? stderr : stdout;
  for (; *name; name++)
    if (*name == '\n') fputs("\\n", to);
    else if (*name == '\t') fputs("\\t", to);
    else if (*name == '\\') fputs("\\\\", to);
    else fputc(*name, to);
  fputc('\n', to);
}

static bool fits(const char *pattern, const char *name) { return job.excludes_plain ? !strcmp(pattern, name) : glob_match(pattern, name, 0); }

bool tar_excludes(const char *name) {
  for (size_t at = 0; at < job.exclude_count; at++) {
    const char *pattern = job.excludes[at];
    /* A pattern may match from any part of the name on, and takes what is below. */
    for (const char *from = name; from; from = strchr(from, '/') ? strchr(from, '/') + 1 : NULL) {
      char *part = copy_text(from);
      bool found = fits(pattern, part);
      for (char *slash = part + strlen(part); !found && slash > part; slash--)
        if (*slash == '/') *slash = 0, found = fits(pattern, part);
      free(part);
      if (found) return true;
      if (job.excludes_anchored) break;
    }
  }
  return false;
}

static void add_exclude(const char *pattern) {
  job.excludes = regrab(job.excludes, (job.exclude_count + 1) * sizeof *job.excludes);
  job.excludes[job.exclude_count++] = copy_text(pattern);
}

static void set_action(char action) {
  if (job.action && job.action != action) warn("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option"), tar_misused();
  job.action = action;
}

/* The lines of a file, as more operands or patterns. */
static char **read_lines(const char *name, int *count) {
  struct input input;
  char *line, **lines = NULL;
  size_t length;
  *count = 0;
  if (!input_open(&input, name)) finish(2);
  int end = job.nul_lines ? 0 : '\n';
  while (input_line(&input, end, &line, &length)) {
    length -= line[length - 1] == end;
    if (!length) continue;
    lines = regrab(lines, (size_t)(*count + 1) * sizeof *lines);
    lines[(*count)++] = copy_bytes(line, length);
  }
  input_close(&input);
  return lines;
}

int tar_main(int argc, char **argv) {
  enum { EXCLUDE = 256, STRIP, WILDCARDS, NO_WILDCARDS, ANCHORED, NO_ANCHORED, OWNER, GROUP, MTIME, MODE, NUL, FULL_TIME, NO_RECURSION, RECURSION, TRANSFORM, SHOW_CHANGED, EXCLUDE_VCS, OTHER, OTHER_VALUE };
  static const struct long_option longs[] = {{"create", NO_VALUE, 'c'}, {"extract", NO_VALUE, 'x'}, {"get", NO_VALUE, 'x'}, {"list", NO_VALUE, 't'},
    {"append", NO_VALUE, 'r'}, {"file", NEEDS_VALUE, 'f'}, {"gzip", NO_VALUE, 'z'}, {"gunzip", NO_VALUE, 'z'}, {"ungzip", NO_VALUE, 'z'}, {"verbose", NO_VALUE, 'v'},
    {"directory", NEEDS_VALUE, 'C'}, {"to-stdout", NO_VALUE, 'O'}, {"keep-old-files", NO_VALUE, 'k'}, {"absolute-names", NO_VALUE, 'P'},
    {"touch", NO_VALUE, 'm'}, {"files-from", NEEDS_VALUE, 'T'}, {"exclude-from", NEEDS_VALUE, 'X'}, {"auto-compress", NO_VALUE, 'a'},
    {"preserve-permissions", NO_VALUE, 'p'}, {"exclude", NEEDS_VALUE, EXCLUDE}, {"strip-components", NEEDS_VALUE, STRIP}, {"wildcards", NO_VALUE, WILDCARDS}, {"no-wildcards", NO_VALUE, NO_WILDCARDS}, {"anchored", NO_VALUE, ANCHORED}, {"no-anchored", NO_VALUE, NO_ANCHORED}, {"transform", NEEDS_VALUE, TRANSFORM}, {"xform", NEEDS_VALUE, TRANSFORM},
    {"show-transformed-names", NO_VALUE, SHOW_CHANGED}, {"show-stored-names", NO_VALUE, SHOW_CHANGED}, {"sparse", NO_VALUE, 'S'}, {"exclude-vcs", NO_VALUE, EXCLUDE_VCS}, {"recursion", NO_VALUE, RECURSION},
    {"same-permissions", NO_VALUE, 'p'}, {"no-overwrite-dir", NO_VALUE, OTHER}, {"unlink-first", NO_VALUE, OTHER}, {"one-file-system", NO_VALUE, OTHER}, {"delay-directory-restore", NO_VALUE, OTHER}, {"no-same-permissions", NO_VALUE, OTHER},
   
    {"no-same-owner", NO_VALUE, OTHER}, {"numeric-owner", NO_VALUE, OTHER}, {"overwrite", NO_VALUE, OTHER}, {"no-recursion", NO_VALUE, NO_RECURSION},
    {"sort", NEEDS_VALUE, OTHER_VALUE}, {"owner", NEEDS_VALUE, OWNER}, {"group", NEEDS_VALUE, GROUP}, {"mtime", NEEDS_VALUE, MTIME}, {"mode", NEEDS_VALUE, MODE},
    {"null", NO_VALUE, NUL}, {"full-time", NO_VALUE, FULL_TIME}, {"use-compress-program", NEEDS_VALUE, 'I'}, {"format", NEEDS_VALUE, OTHER_VALUE}, {0}};
  struct options options;
  bool picks = false, patterns = false, lists = false;
  char **more = NULL;
  int more_count = 0;
  usage_status = warn_status = 2;
  /* "tar xzf FILE": the letters may come without "-", and then their values follow in turn. */
  if (argc > 1 && *argv[1] && *argv[1] != '-') {
    char **words = grab_zero((size_t)argc * 2 + 64, sizeof *words);
    int count = 0, from = 2;
    words[count++] = argv[0];
    for (const char *letter = argv[1]; *letter; letter++) {
      words[count++] = format_text("-%c", *letter);
      if (strchr("fCTX", *letter) && from < argc) words[count++] = argv[from++];
    }
    while (from < argc) words[count++] = argv[from++];
    argc = count, argv = words;
  }
  options_begin(&options, argc, argv, "cxtrf:zjJvC:OkPmT:X:apoShI:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'c': case 'x': case 't': case 'r': set_action((char)c); break;
      case 'f': job.archive = options.value; break;
      case 'z': job.gzips = true; break;
      case 'j': die(2, "bzip2: Cannot exec: No such file or directory");
      case 'J': die(2, "xz: Cannot exec: No such file or directory");
      case 'v': job.verbose = true; break;
      case 'C': job.folder = job.folder && *options.value != '/' ? join_path(job.folder, options.value) : options.value; break;
      case 'O': job.to_stdout = true; break;
      case 'k': job.keeps_old = true; break;
      case 'P': job.keeps_names = true; break;
      case 'm': job.no_time = true; break;
      case OWNER: job.owner = read_person(options.value, false); break;
      case GROUP: job.group = read_person(options.value, true); break;
      case MODE: job.mode = options.value; break;
      case NUL: job.nul_lines = true; break;
      case FULL_TIME: job.full_time = true; break;
      case MTIME:
        if (!parse_time(options.value, &job.time)) die(2, "Invalid date %s", quote(options.value));
        job.has_time = true;
        break;
      case 'I':
        if (strcmp(options.value, "gzip")) die(2, "%s: Cannot exec: No such file or directory", options.value);
        job.gzips = true;
        break;
      case 'T': lists = true, more = read_lines(options.value, &more_count); break;
      case 'X': {
        int count;
        char **lines = read_lines(options.value, &count);
        for (int at = 0; at < count; at++) add_exclude(lines[at]);
        break;
      }
      case 'a': picks = true; break;
      case EXCLUDE: add_exclude(options.value); break;
      case STRIP: job.strip = atoi(options.value); break;
      case WILDCARDS: patterns = true, job.excludes_plain = false; break;
      case NO_WILDCARDS: patterns = false, job.excludes_plain = true; break;
      case ANCHORED: job.excludes_anchored = true; break;
      case NO_ANCHORED: job.excludes_anchored = false; break;
      case NO_RECURSION: job.flat = true; break;
      case RECURSION: job.flat = false; break;
      case TRANSFORM: add_transform(options.value); break;
      case SHOW_CHANGED: job.shows_changed = true; break;
      case EXCLUDE_VCS: {
        static const char *const names[] = {".git", ".gitignore", ".gitmodules", ".gitattributes", ".svn", "CVS", ".cvsignore", ".hg", ".hgignore", ".hgtags", ".bzr", ".bzrignore", "_darcs", NULL};
        for (int at = 0; names[at]; at++) add_exclude(names[at]);
        break;
      }
    }
  if (!job.action) warn("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options"), tar_misused();
  if (strcmp(job.archive, "-") && job.folder && job.action != 'c' && job.action != 'r') job.archive = absolute_path(job.archive);
  int count = options.count + more_count;
  char **names = grab_zero((size_t)count + 1, sizeof *names);
  memcpy(names, options.operands, (size_t)options.count * sizeof *names);
  if (more_count) memcpy(names + options.count, more, (size_t)more_count * sizeof *names);
  return job.action == 'c' || job.action == 'r' ? tar_make(names, count, picks, lists) : tar_read(names, count, patterns);
}

/* What two texts have in common, line by line. */
#ifndef DIFF_H
#define DIFF_H

#include "cu.h"

struct line {
  const char *text;
  size_t length; /* with its end */
};

struct text {
  const char *name;
  char *data;
  size_t length;
  struct line *lines;
  size_t count;
  bool *changed; /* for each line and one behind */
  int *classes;  /* lines with the same number are alike */
};

enum { IGNORE_CASE = 1, IGNORE_ALL_SPACE = 2, IGNORE_SPACE_CHANGE = 4, IGNORE_TRAILING_CR = 8, IGNORE_TRAILING_SPACE = 16 };

void split_lines(struct text *text);
/* Sets `changed` in both. */
void compare_texts(struct text *old, struct text *new, int ignore);

enum style { NORMAL, UNIFIED, CONTEXT, BRIEF, SIDES, ED, FORMATS };

/* What diff was told. */
struct diff_job {
  enum style style;
  bool recurses, new_files, identical, as_text, blank_lines, functions, keeps_links, only_changed, left_column;
  int ignore, context, width;
  const char *labels[2];
  int label_count;
  const char **excludes;
  size_t exclude_count;
  char *switches; /* as they were given, for headings */
  struct regex *uninteresting, *function;
  /* Of lines and of runs of lines: unchanged, old, new; of runs also changed. NULL: as usual. */
  const char *line_formats[3], *group_formats[4];
};
extern struct diff_job diff_job;

/* One run of changed lines: from where, and how many. */
struct change {
  size_t old, old_count, new, new_count;
};
extern struct change *changes;
extern size_t change_count;

/* diff_show.c, diff_sides.c, diff_format.c: the changes that were found, as the job says. */
void show_normal(const struct text *old, const struct text *new);
void show_ed(const struct text *new);
void show_hunks(const struct text *old, const struct text *new);
void show_sides(const struct text *old, const struct text *new);
void show_formats(const struct text *old, const struct text *new);

#endif

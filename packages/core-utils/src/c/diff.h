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

#endif

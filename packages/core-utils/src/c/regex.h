/* Regular expressions of POSIX with GNU's additions, in time linear in the text (but for back-references). */
#ifndef REGEX_H
#define REGEX_H

#include <stdbool.h>
#include <stddef.h>

enum { RE_EXTENDED = 1, RE_NO_CASE = 2, RE_MULTILINE = 4, RE_LITERAL = 8, RE_AWK = 16 };
enum { RE_GROUPS = 10 };

struct regex;
struct span {
  ptrdiff_t start, end; /* -1: the group took no part */
};

/* NULL and a message if the pattern is none. */
struct regex *regex_compile(const char *pattern, size_t length, int flags, const char **error);
void regex_free(struct regex *regex);
int regex_groups(const struct regex *regex);
/* Whether there is a match anywhere in a line. */
bool regex_test(struct regex *regex, const char *text, size_t length);
/* The leftmost longest match that begins at `from` or later; `spans` has RE_GROUPS entries. */
bool regex_find(struct regex *regex, const char *text, size_t length, size_t from, struct span *spans);

#endif

/* Patterns as Perl has them, for grep -P: tried one path after the other, with a bound on the steps. */
#ifndef PERL_H
#define PERL_H

#include <stdbool.h>
#include <stddef.h>

enum { PERL_NO_CASE = 1, PERL_MULTILINE = 2, PERL_DOT_ALL = 4, PERL_SPACED = 8 };

struct perl;
struct span;

/* NULL and a message, in PCRE's words, if the pattern is none. */
struct perl *perl_compile(const char *pattern, size_t length, int flags, const char **error);
/* The first match that begins at `from` or later; 1 found, 0 none, -1 given up. */
int perl_find(struct perl *perl, const char *text, size_t length, size_t from, struct span *found);

#endif

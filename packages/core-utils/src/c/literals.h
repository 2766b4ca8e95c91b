/* Many texts that are looked for at once. */
#ifndef LITERALS_H
#define LITERALS_H

#include <stdbool.h>
#include <stddef.h>

struct literals;
struct span;

struct literals *literals_new(void);
/* `text` is kept as it is, and is not empty. */
void literals_add(struct literals *to, const char *text, size_t length);
/* The leftmost longest of them from `from` on; with `whole`, only one that is all of the line. */
bool literals_find(const struct literals *of, const char *line, size_t length, size_t from, bool whole, struct span *found);

#endif

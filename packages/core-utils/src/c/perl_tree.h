/* A Perl pattern as it was read. */
#ifndef PERL_TREE_H
#define PERL_TREE_H

#include "perl_program.h"

enum perl_kind {
  N_EMPTY, N_READ, N_ASSERT, N_KEEP, N_BACK, N_CALL, N_SEQUENCE, N_CHOICE, N_GROUP, N_PLAIN, N_REPEAT, N_LOOK, N_BEHIND, N_ONCE
};
enum perl_mode { GREEDY, LAZY, POSSESSIVE };

struct perl_node {
  enum perl_kind kind;
  struct perl_code code;         /* of what reads, asserts or refers */
  int number, least, most, mode; /* number: of a group; most: -1 for no end */
  bool negative;
  struct perl_node *child, *next;
};

/* NULL and a message if the pattern is none. `groups` has the node of each group, the whole being 0. */
struct perl_node *perl_read(struct perl *to, const char *pattern, size_t length, int flags, struct perl_node ***groups, const char **error);

#endif

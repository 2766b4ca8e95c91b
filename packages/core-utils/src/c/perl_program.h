/* What a Perl pattern is compiled to. */
#ifndef PERL_PROGRAM_H
#define PERL_PROGRAM_H

#include "perl.h"
#include <stdint.h>

/* One part of a set: characters from low to high, or those of a class, or those that are not in it. */
struct perl_item {
  int32_t low, high;
  int class;
  bool inverse;
};
struct perl_set {
  struct perl_item *items;
  int count;
  bool negated, no_case;
};

enum perl_op {
  P_CHAR, P_CHAR_NO_CASE, P_ANY, P_ALL, P_SET, P_NEWLINE, /* they read */
  P_JUMP, P_SPLIT, P_SAVE, P_KEEP, P_ASSERT, P_BACK, P_BACK_NO_CASE,
  P_MARK, P_MOVED, /* a round of a loop that reads nothing is its last */
  P_LOOK, P_BEHIND, P_ONCE, P_CALL, P_END, P_MATCH
};
enum perl_assertion { P_LINE_START, P_LINE_END, P_TEXT_START, P_TEXT_END, P_WORD_EDGE, P_NO_EDGE, P_SEARCH_START };

struct perl_code {
  uint8_t op;
  bool negative;   /* of P_LOOK and P_BEHIND */
  int32_t x, y;    /* x: character, target, slot, set, …; y: the other target, or where to go on after a part */
};

struct perl {
  struct perl_code *code;
  int count, room;
  struct perl_set *sets;
  int set_count, set_room;
  int groups, slots;   /* slots: two for each group and the whole, then one for each loop */
  int *group_starts;   /* where the code of a group that is called begins */
  bool first[256], first_known;
};

/* Classes beside those of POSIX, which have positive numbers. */
enum { CLASS_NONE = 0, CLASS_DIGIT = -1, CLASS_WORD = -2, CLASS_SPACE = -3, CLASS_HORIZONTAL = -4, CLASS_VERTICAL = -5,
       CLASS_LETTER = -6, CLASS_UPPER = -7, CLASS_LOWER = -8, CLASS_NUMBER = -9, CLASS_PUNCTUATION = -10, CLASS_ANY = -11 };

bool perl_in_set(const struct perl_set *set, int32_t character);
bool perl_in_class(int class, int32_t character);

#endif

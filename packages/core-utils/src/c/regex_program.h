/* What a pattern is compiled to: one machine that reads bytes. */
#ifndef REGEX_PROGRAM_H
#define REGEX_PROGRAM_H

#include "regex.h"
#include <stdint.h>

enum op { OP_BYTE, OP_TABLE, OP_SPLIT, OP_JUMP, OP_SAVE, OP_ASSERT, OP_BACK, OP_MATCH };
enum assertion { AT_BOL, AT_EOL, AT_START, AT_END, AT_WORD_EDGE, AT_NO_EDGE, AT_WORD_START, AT_WORD_END };

struct instruction {
  uint8_t op, byte; /* byte: of OP_BYTE; otherwise which assertion, slot or group */
  uint8_t base;     /* OP_TABLE: the first byte that the table has */
  int x, y;         /* where to go on; of OP_TABLE, x is the index of the table */
};

struct table {
  int size;
  int next[256]; /* 0: no match */
};

struct dfa;
struct regex {
  struct instruction *code;
  int count, room;
  struct table *tables;
  int table_count, table_room;
  int groups, flags;
  bool back_references;
  bool first[256]; /* bytes that a match can begin with, if `first_known` */
  bool first_known;
  struct dfa *dfa;
  void *threads;
};

/* Whether an assertion holds between two bytes (-1: none). */
bool regex_holds(int assertion, int before, int after, bool multiline);
bool regex_parse(struct regex *into, const char *pattern, size_t length, const char **error);
void dfa_free(struct dfa *dfa);

#endif

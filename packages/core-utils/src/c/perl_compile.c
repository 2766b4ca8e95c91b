/* From the tree of a Perl pattern to code that is tried step by step. */
#include "cu.h"
#include "perl_tree.h"
#include <stdlib.h>
#include <wctype.h>

enum { MAX_CODE = 200000 };

static int emit(struct perl *to, struct perl_code one) {
  if (to->count >= MAX_CODE) die(2, "regular expression is too large");
  if (to->count == to->room) to->code = regrab(to->code, sizeof one * (size_t)(to->room = to->room * 2 + 32));
  to->code[to->count] = one;
  return to->count++;
}

static int emit_op(struct perl *to, int op, int x) { return emit(to, (struct perl_code){.op = (uint8_t)op, .x = x}); }

static void emit_node(struct perl *to, const struct perl_node *node);

static bool may_be_empty(const struct perl_node *node) {
  return node->kind != N_READ;
}

/* A place where the other way is taken later: first the body, or first what follows. */
static int emit_split(struct perl *to, int mode) {
  int split = emit_op(to, P_SPLIT, 0);
  if (mode == LAZY) to->code[split].y = split + 1;
  else to->code[split].x = split + 1;
  return split;
}

static void aim(struct perl *to, int split, int mode) {
  if (mode == LAZY) to->code[split].x = to->count;
  else to->code[split].y = to->count;
}

static void emit_repeat(struct perl *to, const struct perl_node *node) {
  int once = node->mode == POSSESSIVE ? emit_op(to, P_ONCE, 0) : -1;
  for (int done = 0; done < node->least; done++) emit_node(to, node->child);
  if (node->most == -1) {
    int begin = emit_split(to, node->mode), slot = to->slots;
    bool guarded = may_be_empty(node->child);
    if (guarded) to->slots++, emit_op(to, P_MARK, slot);
    emit_node(to, node->child);
    if (guarded) emit_op(to, P_MOVED, slot);
    emit_op(to, P_JUMP, begin);
    aim(to, begin, node->mode);
  } else {
    int count = node->most - node->least, *splits = grab(sizeof *splits * (size_t)(count + 1));
    for (int done = 0; done < count; done++) {
      splits[done] = emit_split(to, node->mode);
      emit_node(to, node->child);
    }
    for (int done = 0; done < count; done++) aim(to, splits[done], node->mode);
    free(splits);
  }
  if (once < 0) return;
  emit_op(to, P_END, 0);
  to->code[once].y = to->count;
}

static void emit_choice(struct perl *to, const struct perl_node *first) {
  if (!first->next) {
    emit_node(to, first);
    return;
  }
  int split = emit_split(to, GREEDY);
  emit_node(to, first);
  int jump = emit_op(to, P_JUMP, 0);
  aim(to, split, GREEDY);
  emit_choice(to, first->next);
  to->code[jump].x = to->count;
}

static void emit_node(struct perl *to, const struct perl_node *node) {
  static const int parts[] = {[N_LOOK] = P_LOOK, [N_BEHIND] = P_BEHIND, [N_ONCE] = P_ONCE};
  switch (node->kind) {
    case N_EMPTY: break;
    case N_READ: case N_ASSERT: case N_BACK: case N_CALL: emit(to, node->code); break;
    case N_KEEP: emit_op(to, P_KEEP, 0); break;
    case N_SEQUENCE:
      for (const struct perl_node *each = node->child; each; each = each->next) emit_node(to, each);
      break;
    case N_CHOICE: emit_choice(to, node->child); break;
    case N_PLAIN: emit_node(to, node->child); break;
    case N_GROUP:
      emit_op(to, P_SAVE, node->number * 2);
      emit_node(to, node->child);
      emit_op(to, P_SAVE, node->number * 2 + 1);
      break;
    case N_REPEAT: emit_repeat(to, node); break;
    default: {
      int part = emit(to, (struct perl_code){.op = (uint8_t)parts[node->kind], .negative = node->negative});
      emit_node(to, node->child);
      emit_op(to, P_END, 0);
      to->code[part].y = to->count;
    }
  }
}

/* The bytes with which a match can begin; false if it can be empty, or begins with what is not looked into here. */
static bool find_first(struct perl *of, int at, bool *seen) {
  for (;; at++) {
    if (seen[at]) return true;
    seen[at] = true;
    struct perl_code *one = &of->code[at];
    switch (one->op) {
      case P_SAVE: case P_MARK: case P_KEEP: continue;
      case P_JUMP: return find_first(of, one->x, seen);
      case P_SPLIT: return find_first(of, one->x, seen) && find_first(of, one->y, seen);
      case P_CHAR: case P_CHAR_NO_CASE: case P_SET: {
        for (int byte = 0; byte < 0x80; byte++)
          of->first[byte] |= one->op == P_SET ? perl_in_set(&of->sets[one->x], byte)
                             : one->op == P_CHAR ? one->x == byte : one->x == (int32_t)towlower((wint_t)byte);
        /* A character of several bytes may fold to a letter of one. */
        bool several = one->op != P_CHAR || one->x >= 0x80;
        for (int byte = 0x80; byte < 0x100; byte++) of->first[byte] |= several;
        return true;
      }
      default: return false;
    }
  }
}

struct perl *perl_compile(const char *pattern, size_t length, int flags, const char **error) {
  struct perl *perl = grab_zero(1, sizeof *perl);
  struct perl_node **groups;
  struct perl_node *root = perl_read(perl, pattern, length, flags, &groups, error);
  if (!root) return NULL;
  perl->slots = (perl->groups + 1) * 2;
  emit_node(perl, root);
  emit_op(perl, P_MATCH, 0);
  /* Groups that are called have code of their own, which ends. */
  perl->group_starts = grab_zero((size_t)perl->groups + 1, sizeof *perl->group_starts);
  for (int at = 0; at < perl->count; at++) {
    int group = perl->code[at].x;
    if (perl->code[at].op != P_CALL || perl->group_starts[group]) continue;
    perl->group_starts[group] = perl->count;
    emit_node(perl, groups[group]);
    emit_op(perl, P_END, 0);
  }
  free(groups);
  bool *seen = grab_zero((size_t)perl->count, sizeof *seen);
  perl->first_known = find_first(perl, 0, seen);
  free(seen);
  return perl;
}

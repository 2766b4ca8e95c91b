/* Matching: a lazily built automaton answers whether, threads side by side answer where. */
#include "cu.h"
#include "regex_program.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = RE_GROUPS * 2, END = 256, MAX_STATES = 1000, MAX_STEPS = 2000000 };

static bool is_word(int byte) { return byte >= 0x80 || isalnum(byte) || byte == '_'; }

bool regex_holds(int assertion, int before, int after, bool multiline) {
  bool left = before >= 0 && is_word(before), right = after >= 0 && is_word(after);
  switch (assertion) {
    case AT_BOL: return before < 0 || (multiline && before == '\n');
    case AT_EOL: return after < 0 || (multiline && after == '\n');
    case AT_START: return before < 0;
    case AT_END: return after < 0;
    case AT_WORD_EDGE: return left != right;
    case AT_NO_EDGE: return left == right;
    case AT_WORD_START: return !left && right;
    default: return left && !right;
  }
}

/* ---- whether: states are made when they are first entered ---- */

struct state {
  int *codes;
  int count, before; /* before: a byte of the same kind as the last one, -1 at the start */
  int next[257];     /* 0: not known; otherwise the state + 1, negative after a match */
};
struct dfa {
  struct state *states[MAX_STATES];
  int count;
  int *marks, mark; /* which instructions the closure has seen */
  int *list, length;
};

/* All instructions that read, and are reached from `code` without reading. True if a match is among them. */
static bool close_over(struct regex *regex, struct dfa *dfa, int code, int before, int after) {
  for (;;) {
    if (dfa->marks[code] == dfa->mark) return false;
    dfa->marks[code] = dfa->mark;
    struct instruction *one = &regex->code[code];
    switch (one->op) {
      case OP_MATCH: return true;
      case OP_JUMP: code = one->x; continue;
      case OP_SAVE: code++; continue;
      case OP_ASSERT:
        if (!regex_holds(one->byte, before, after, false)) return false;
        code++;
        continue;
      case OP_SPLIT:
        if (close_over(regex, dfa, one->x, before, after)) return true;
        code = one->y;
        continue;
      default: dfa->list[dfa->length++] = code; return false;
    }
  }
}

static int step(struct regex *regex, int code, int byte) {
  struct instruction *one = &regex->code[code];
  if (one->op == OP_BYTE) return one->byte == byte ? code + 1 : 0;
  struct table *table = &regex->tables[one->x];
  int index = byte - one->base;
  return index < 0 || index >= table->size ? 0 : table->next[index];
}

static int find_state(struct dfa *dfa, const int *codes, int count, int before) {
  int kind = before < 0 ? -1 : is_word(before) ? 'a' : ' ';
  for (int at = 0; at < dfa->count; at++) {
    struct state *state = dfa->states[at];
    if (state->count == count && state->before == kind && !memcmp(state->codes, codes, sizeof *codes * (size_t)count)) return at;
  }
  struct state *state = grab_zero(1, sizeof *state);
  state->codes = grab(sizeof *codes * (size_t)count);
  memcpy(state->codes, codes, sizeof *codes * (size_t)count);
  state->count = count;
  state->before = kind;
  dfa->states[dfa->count] = state;
  return dfa->count++;
}

static void forget_states(struct dfa *dfa) {
  for (int at = 0; at < dfa->count; at++) free(dfa->states[at]->codes), free(dfa->states[at]);
  dfa->count = 0;
}

void dfa_free(struct dfa *dfa) {
  if (!dfa) return;
  forget_states(dfa);
  free(dfa->marks);
  free(dfa->list);
  free(dfa);
}

static int make_next(struct regex *regex, struct dfa *dfa, int from, int symbol) {
  struct state *state = dfa->states[from];
  int after = symbol == END ? -1 : symbol;
  dfa->mark++;
  dfa->length = 0;
  bool match = false;
  for (int at = 0; at < state->count && !match; at++) match = close_over(regex, dfa, state->codes[at], state->before, after);
  if (!match) match = close_over(regex, dfa, 0, state->before, after);
  if (match || symbol == END) return state->next[symbol] = match ? -1 : 1;
  int count = 0;
  int *codes = grab(sizeof *codes * (size_t)(dfa->length + 1));
  dfa->mark++;
  for (int at = 0; at < dfa->length; at++) {
    int next = step(regex, dfa->list[at], symbol);
    if (next && dfa->marks[next] != dfa->mark) dfa->marks[next] = dfa->mark, codes[count++] = next;
  }
  if (dfa->count == MAX_STATES) {
    forget_states(dfa);
    int empty = find_state(dfa, NULL, 0, -1);
    (void)empty;
    int fresh = find_state(dfa, codes, count, symbol) + 1;
    free(codes);
    return fresh;
  }
  int next = find_state(dfa, codes, count, symbol) + 1;
  free(codes);
  return state->next[symbol] = next;
}

static bool search_back(struct regex *regex, const char *text, size_t length, size_t from, struct span *spans);

bool regex_test(struct regex *regex, const char *text, size_t length) {
  if (regex->back_references) {
    struct span spans[RE_GROUPS];
    return search_back(regex, text, length, 0, spans);
  }
  struct dfa *dfa = regex->dfa;
  if (!dfa) {
    dfa = regex->dfa = grab_zero(1, sizeof *dfa);
    dfa->marks = grab_zero((size_t)regex->count, sizeof *dfa->marks);
    dfa->list = grab(sizeof *dfa->list * (size_t)regex->count);
    find_state(dfa, NULL, 0, -1);
  }
  int at_state = 0;
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  while (at < end) {
    int next = dfa->states[at_state]->next[*at];
    if (!next) next = make_next(regex, dfa, at_state, *at);
    if (next < 0) return true;
    at_state = next - 1;
    at++;
  }
  int next = dfa->states[at_state]->next[END];
  if (!next) next = make_next(regex, dfa, at_state, END);
  return next < 0;
}

/* ---- where: threads side by side, the first of equals wins ---- */

struct thread {
  int code;
  ptrdiff_t slots[SLOTS];
};
struct threads {
  struct thread *now, *then;
  int now_count, then_count;
  int *marks, mark;
};

static void add_thread(struct regex *regex, struct threads *all, struct thread *list, int *count, int code, ptrdiff_t *slots,
                       ptrdiff_t at, int before, int after) {
  for (;;) {
    if (all->marks[code] == all->mark) return;
    all->marks[code] = all->mark;
    struct instruction *one = &regex->code[code];
    if (one->op == OP_JUMP) code = one->x;
    else if (one->op == OP_SAVE) {
      ptrdiff_t old = slots[one->byte];
      slots[one->byte] = at;
      add_thread(regex, all, list, count, code + 1, slots, at, before, after);
      slots[one->byte] = old;
      return;
    } else if (one->op == OP_ASSERT) {
      if (!regex_holds(one->byte, before, after, regex->flags & RE_MULTILINE)) return;
      code++;
    } else if (one->op == OP_SPLIT) {
      add_thread(regex, all, list, count, one->x, slots, at, before, after);
      code = one->y;
    } else {
      list[*count].code = code;
      memcpy(list[*count].slots, slots, sizeof(ptrdiff_t) * SLOTS);
      (*count)++;
      return;
    }
  }
}

static struct threads *threads_of(struct regex *regex) {
  if (regex->threads) return regex->threads;
  struct threads *all = grab_zero(1, sizeof *all);
  all->now = grab(sizeof *all->now * (size_t)regex->count);
  all->then = grab(sizeof *all->then * (size_t)regex->count);
  all->marks = grab_zero((size_t)regex->count, sizeof *all->marks);
  return regex->threads = all;
}

static bool search_threads(struct regex *regex, const char *text, size_t length, size_t from, struct span *spans) {
  struct threads *all = threads_of(regex);
  const unsigned char *bytes = (const unsigned char *)text;
  ptrdiff_t best[SLOTS], fresh[SLOTS];
  bool found = false;
  for (int slot = 0; slot < SLOTS; slot++) fresh[slot] = -1;
  all->now_count = 0;
  for (size_t at = from;; at++) {
    if (!all->now_count && !found && regex->first_known) {
      while (at < length && !regex->first[bytes[at]]) at++;
      if (at == length) return false;
    }
    int before = at ? bytes[at - 1] : -1, after = at < length ? bytes[at] : -1;
    /* Threads that came here are closed over only now, when it is known what follows. */
    all->mark++;
    all->then_count = 0;
    for (int one = 0; one < all->now_count; one++) {
      struct thread *thread = &all->now[one];
      if (found && thread->slots[0] > best[0]) continue;
      add_thread(regex, all, all->then, &all->then_count, thread->code, thread->slots, (ptrdiff_t)at, before, after);
    }
    if (!found) {
      fresh[0] = (ptrdiff_t)at;
      add_thread(regex, all, all->then, &all->then_count, 0, fresh, (ptrdiff_t)at, before, after);
    }
    all->now_count = 0;
    for (int one = 0; one < all->then_count; one++) {
      struct thread *thread = &all->then[one];
      if (regex->code[thread->code].op == OP_MATCH) {
        if (!found || thread->slots[0] < best[0] || (thread->slots[0] == best[0] && (ptrdiff_t)at > best[1])) {
          memcpy(best, thread->slots, sizeof best);
          best[1] = (ptrdiff_t)at;
          found = true;
        }
        continue;
      }
      int next = after < 0 ? 0 : step(regex, thread->code, after);
      if (!next) continue;
      struct thread *to = &all->now[all->now_count++];
      to->code = next;
      memcpy(to->slots, thread->slots, sizeof to->slots);
    }
    if (at >= length || (found && !all->now_count)) break;
  }
  if (!found) return false;
  for (int group = 0; group < RE_GROUPS; group++) {
    spans[group] = (struct span){best[group * 2], best[group * 2 + 1]};
    if (spans[group].start < 0 || spans[group].end < 0) spans[group] = (struct span){-1, -1};
  }
  return true;
}

/* ---- back-references: one path after the other, and not for ever ---- */

struct path {
  struct regex *regex;
  const unsigned char *text;
  ptrdiff_t length, longest;
  ptrdiff_t slots[SLOTS], best[SLOTS];
  int steps, depth;
};

static bool same_bytes(const struct path *on, const unsigned char *a, const unsigned char *b, ptrdiff_t length) {
  for (ptrdiff_t at = 0; at < length; at++)
    if (on->regex->flags & RE_NO_CASE ? tolower(a[at]) != tolower(b[at]) : a[at] != b[at]) return false;
  return true;
}

static void follow(struct path *on, int code, ptrdiff_t at) {
  if (on->depth > 4000) return;
  on->depth++;
  for (;;) {
    if (++on->steps > MAX_STEPS) break;
    struct instruction *one = &on->regex->code[code];
    int before = at ? on->text[at - 1] : -1, after = at < on->length ? on->text[at] : -1;
    if (one->op == OP_MATCH) {
      if (at > on->longest) on->longest = at, memcpy(on->best, on->slots, sizeof on->best);
      break;
    }
    if (one->op == OP_JUMP) code = one->x;
    else if (one->op == OP_SPLIT) {
      follow(on, one->x, at);
      if (on->longest == on->length) break;
      code = one->y;
    } else if (one->op == OP_SAVE) {
      ptrdiff_t old = on->slots[one->byte];
      on->slots[one->byte] = at;
      follow(on, code + 1, at);
      on->slots[one->byte] = old;
      break;
    } else if (one->op == OP_ASSERT) {
      if (!regex_holds(one->byte, before, after, on->regex->flags & RE_MULTILINE)) break;
      code++;
    } else if (one->op == OP_BACK) {
      ptrdiff_t start = on->slots[one->byte * 2], end = on->slots[one->byte * 2 + 1];
      if (start < 0 || end < 0 || at + (end - start) > on->length) break;
      if (!same_bytes(on, on->text + start, on->text + at, end - start)) break;
      at += end - start;
      code++;
    } else {
      int next = after < 0 ? 0 : step(on->regex, code, after);
      if (!next) break;
      code = next, at++;
    }
  }
  on->depth--;
}

static bool search_back(struct regex *regex, const char *text, size_t length, size_t from, struct span *spans) {
  struct path on = {.regex = regex, .text = (const unsigned char *)text, .length = (ptrdiff_t)length, .longest = -1};
  for (size_t at = from; at <= length && on.steps <= MAX_STEPS; at++) {
    for (int slot = 0; slot < SLOTS; slot++) on.slots[slot] = -1;
    follow(&on, 0, (ptrdiff_t)at);
    if (on.longest < 0) continue;
    for (int group = 1; group < RE_GROUPS; group++) spans[group] = (struct span){on.best[group * 2], on.best[group * 2 + 1]};
    spans[0] = (struct span){(ptrdiff_t)at, on.longest};
    return true;
  }
  return false;
}

bool regex_find(struct regex *regex, const char *text, size_t length, size_t from, struct span *spans) {
  return (regex->back_references ? search_back : search_threads)(regex, text, length, from, spans);
}

/* The bytes with which a match can begin; false if it can be empty or begins with an assertion. */
static bool find_first(struct regex *regex, int code, bool *seen) {
  if (seen[code]) return true;
  seen[code] = true;
  struct instruction *one = &regex->code[code];
  switch (one->op) {
    case OP_MATCH: case OP_ASSERT: case OP_BACK: return false;
    case OP_JUMP: return find_first(regex, one->x, seen);
    case OP_SAVE: return find_first(regex, code + 1, seen);
    case OP_SPLIT: return find_first(regex, one->x, seen) && find_first(regex, one->y, seen);
    case OP_BYTE: return regex->first[one->byte] = true;
    default:
      for (int byte = 0; byte < 256; byte++)
        if (step(regex, code, byte)) regex->first[byte] = true;
      return true;
  }
}

struct regex *regex_compile(const char *pattern, size_t length, int flags, const char **error) {
  struct regex *regex = grab_zero(1, sizeof *regex);
  regex->flags = flags;
  if (!regex_parse(regex, pattern, length, error)) return regex_free(regex), NULL;
  bool *seen = grab_zero((size_t)regex->count, sizeof *seen);
  regex->first_known = find_first(regex, 0, seen);
  free(seen);
  return regex;
}

int regex_groups(const struct regex *regex) { return regex->groups; }

void regex_free(struct regex *regex) {
  if (!regex) return;
  struct threads *all = regex->threads;
  if (all) free(all->now), free(all->then), free(all->marks), free(all);
  dfa_free(regex->dfa);
  free(regex->code);
  free(regex->tables);
  free(regex);
}

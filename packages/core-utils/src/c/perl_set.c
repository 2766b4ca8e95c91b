/* Which characters a set of a Perl pattern has. */
#include "cu.h"
#include "perl_program.h"
#include <wctype.h>

bool perl_in_class(int class, int32_t c) {
  wint_t wide = (wint_t)c;
  switch (class) {
    case CLASS_DIGIT: return c >= '0' && c <= '9';
    case CLASS_WORD: return c == '_' || (c <= 0x10ffff && iswalnum(wide));
    case CLASS_SPACE: return c <= 0x10ffff && iswspace(wide);
    case CLASS_HORIZONTAL: return c == ' ' || c == '\t' || c == 0xa0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200a);
    case CLASS_VERTICAL: return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
    case CLASS_LETTER: return c <= 0x10ffff && iswalpha(wide) && !(c >= '0' && c <= '9');
    case CLASS_UPPER: return c <= 0x10ffff && iswupper(wide);
    case CLASS_LOWER: return c <= 0x10ffff && iswlower(wide);
    case CLASS_NUMBER: return (c >= '0' && c <= '9') || (c >= 0x660 && c <= 0x669) || c == 0xb2 || c == 0xb3 || c == 0xb9 || (c >= 0xbc && c <= 0xbe);
    case CLASS_PUNCTUATION: return c <= 0x10ffff && iswpunct(wide);
    case CLASS_ANY: return true;
    default: return c <= 0x10ffff && iswctype(wide, (wctype_t)class);
  }
}

static bool has(const struct perl_set *set, int32_t c) {
  for (int at = 0; at < set->count; at++) {
    const struct perl_item *item = &set->items[at];
    bool in = item->class ? perl_in_class(item->class, c) : c >= item->low && c <= item->high;
    if (in != item->inverse) return true;
  }
  return false;
}

bool perl_in_set(const struct perl_set *set, int32_t c) {
  bool in = has(set, c);
  if (!in && set->no_case && c <= 0x10ffff) in = has(set, (int32_t)towlower((wint_t)c)) || has(set, (int32_t)towupper((wint_t)c));
  return in != set->negated;
}

/* Times as people write them, as GNU's tools read them: "2024-05-06 07:08", "@12", "last friday", "2 days ago". */
#include "cu.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const MONTHS[] = {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", NULL};
static const char *const DAYS[] = {"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", NULL};
static const char *const ORDINALS[] = {"last", "this", "next", "first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", NULL};
/* What an ordinal of that place means; "second" is a unit. */
static const int MEANINGS[] = {-1, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
/* Names of zones that every tool knows, in minutes east. */
static const struct { const char *name; int minutes; } ZONES[] = {{"gmt", 0}, {"ut", 0}, {"utc", 0}, {"z", 0}, {"wet", 0}, {"west", 60}, {"bst", 60}, {"art", -180},
  {"brt", -180}, {"brst", -120}, {"nst", -210}, {"ndt", -150}, {"ast", -240}, {"adt", -180}, {"clt", -240}, {"clst", -180}, {"est", -300}, {"edt", -240}, {"cst", -360}, {"cdt", -300},
  {"mst", -420}, {"mdt", -360}, {"pst", -480}, {"pdt", -420}, {"akst", -540}, {"akdt", -480}, {"hst", -600}, {"hast", -600}, {"hadt", -540}, {"sst", -720},
  {"wat", 60}, {"cet", 60}, {"cest", 120}, {"met", 60}, {"mez", 60}, {"mest", 120}, {"mesz", 120}, {"eet", 120}, {"eest", 180}, {"cat", 120}, {"sast", 120},
  {"eat", 180}, {"msk", 180}, {"msd", 240}, {"ist", 330}, {"sgt", 480}, {"kst", 540}, {"jst", 540}, {"gst", 600}, {"nzst", 720}, {"nzdt", 780}};

/* What has been read of a text so far. */
struct reading {
  const char *at;
  int dates, times, zones, days;
  bool has_year, moved;
  intmax_t year;
  int month, day, hour, minute, second, weekday, ordinal;
  long nanoseconds, zone;
  intmax_t years, months, mdays, seconds;
};

static void skip(struct reading *in) {
  while (isspace((unsigned char)*in->at) || *in->at == ',') in->at++;
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (isalpha((unsigned char)at[length])) length++;
  return length;
}

/* A word of the list, or its beginning of three letters or more. */
static int word_in(const char *word, size_t length, const char *const *words) {
  for (int at = 0; words[at]; at++)
    if (length >= 3 && length <= strlen(words[at]) && !strncasecmp(word, words[at], length)) return at;
  return -1;
}

static bool is_word(const char *at, size_t length, const char *word) { return strlen(word) == length && !strncasecmp(at, word, length); }

/* "am" or "pm", also with dots: 1, 2, or 0 if there is neither. */
static int read_half(struct reading *in) {
  const char *at = in->at + strspn(in->at, " ");
  char letter = (char)tolower((unsigned char)*at);
  if (letter != 'a' && letter != 'p') return 0;
  size_t dotted = at[1] == '.' ? 1 : 0;
  if (tolower((unsigned char)at[1 + dotted]) != 'm' || isalpha((unsigned char)at[2 + dotted])) return 0;
  in->at = at + 2 + dotted + (dotted && at[3] == '.');
  return letter == 'a' ? 1 : 2;
}

static bool set_hour(struct reading *in, int hour, int half) {
  if (half && (hour < 1 || hour > 12)) return false;
  in->hour = half ? hour % 12 + (half == 2 ? 12 : 0) : hour;
  in->times++;
  return in->hour < 24;
}

/* "+2", "+0200", "-8:30", with the sign at the beginning. */
static bool read_zone(struct reading *in) {
  int sign = *in->at == '-' ? -1 : 1;
  in->at++;
  skip(in);
  size_t digits = strspn(in->at, "0123456789");
  if (!digits || digits > 4) return false;
  long value = strtol(in->at, NULL, 10), minutes = digits > 2 ? value / 100 * 60 + value % 100 : value * 60;
  in->at += digits;
  const char *colon = in->at + strspn(in->at, " ");
  if (*colon == ':' && digits < 3) {
    in->at = colon + 1 + strspn(colon + 1, " ");
    minutes += strtol(in->at, NULL, 10);
    in->at += strspn(in->at, "0123456789");
  }
  if (minutes > 24 * 60) return false;
  in->zone = sign * minutes * 60;
  in->zones++;
  return true;
}

/* "12:34", "12:34:56.789", then "pm" or a zone. */
static bool read_clock(struct reading *in, int hour) {
  in->at++;
  size_t digits = strspn(in->at, "0123456789");
  if (!digits || digits > 2) return false;
  in->minute = atoi(in->at), in->at += digits;
  if (*in->at == ':') {
    digits = strspn(++in->at, "0123456789");
    if (!digits || digits > 2) return false;
    in->second = atoi(in->at), in->at += digits;
    if ((*in->at == '.' || *in->at == ',') && isdigit((unsigned char)in->at[1])) {
      long unit = 100000000;
      for (in->at++; isdigit((unsigned char)*in->at); in->at++, unit /= 10) in->nanoseconds += (*in->at - '0') * unit;
    }
  }
  if (in->minute > 59 || in->second > 60) return false;
  int half = read_half(in);
  if (!set_hour(in, hour, half)) return false;
  const char *sign = in->at + strspn(in->at, " ");
  if (half || (*sign != '+' && *sign != '-') || !isdigit((unsigned char)sign[1 + strspn(sign + 1, " ")])) return true;
  in->at = sign;
  return read_zone(in);
}

static bool set_date(struct reading *in, intmax_t year, size_t digits, int month, int day) {
  if (digits) in->year = digits <= 2 ? year + (year < 69 ? 2000 : 1900) : year, in->has_year = true;
  in->month = month, in->day = day, in->dates++;
  return true;
}

/* "days", "weeks ago", with the number before it. */
static bool read_unit(struct reading *in, intmax_t amount) {
  static const struct { const char *name; int kind, times; } units[] = {{"year", 'y', 1}, {"month", 'm', 1}, {"fortnight", 'd', 14}, {"week", 'd', 7}, {"day", 'd', 1},
    {"hour", 's', 3600}, {"minute", 's', 60}, {"min", 's', 60}, {"second", 's', 1}, {"sec", 's', 1}};
  size_t length = word_length(in->at);
  for (size_t at = 0; at < sizeof units / sizeof *units; at++) {
    size_t own = strlen(units[at].name);
    if ((length != own && (length != own + 1 || tolower((unsigned char)in->at[own]) != 's')) || strncasecmp(in->at, units[at].name, own)) continue;
    in->at += length;
    const char *after = in->at + strspn(in->at, " ");
    if (is_word(after, word_length(after), "ago")) amount = -amount, in->at = after + 3;
    amount *= units[at].times;
    *(units[at].kind == 'y' ? &in->years : units[at].kind == 'm' ? &in->months : units[at].kind == 'd' ? &in->mdays : &in->seconds) += amount;
    return in->moved = true;
  }
  return false;
}

static bool read_number(struct reading *in) {
  size_t digits = strspn(in->at, "0123456789");
  if (digits > 18) return false;
  intmax_t value = strtoimax(in->at, NULL, 10);
  in->at += digits;
  int used = 0, a, b;
  if (*in->at == ':') return digits <= 2 && read_clock(in, (int)value);
  if (sscanf(in->at, "-%2d-%2d%n", &a, &b, &used) == 2 && !isdigit((unsigned char)in->at[used])) {
    in->at += used;
    if ((*in->at == 'T' || *in->at == 't') && isdigit((unsigned char)in->at[1])) in->at++;
    return set_date(in, value, digits, a, b);
  }
  if (sscanf(in->at, "/%2d%n", &a, &used) == 1) {
    in->at += used;
    if (*in->at != '/') return set_date(in, 0, 0, (int)value, a);
    size_t width = strspn(in->at + 1, "0123456789");
    intmax_t last = strtoimax(in->at + 1, NULL, 10);
    in->at += width + 1;
    if (!width) return false;
    return digits >= 4 ? set_date(in, value, digits, a, (int)last) : set_date(in, last, width, (int)value, a);
  }
  int half = read_half(in);
  if (half) return set_hour(in, (int)value, half);
  const char *before = in->at;
  if (*in->at == '-' && isalpha((unsigned char)in->at[1])) in->at++;
  else skip(in);
  size_t length = word_length(in->at);
  int month = word_in(in->at, length, MONTHS);
  if (month >= 0 && !is_word(in->at, length, "months")) {
    in->at += length;
    size_t dash = *in->at == '-' ? 1 : 0, width = strspn(in->at + dash + (dash ? 0 : strspn(in->at, " ")), "0123456789");
    const char *year = in->at + dash + (dash ? 0 : strspn(in->at, " "));
    if (width && year[width] != ':') in->at = year + width;
    else width = 0;
    return set_date(in, width ? strtoimax(year, NULL, 10) : 0, width, month + 1, (int)value);
  }
  if (length && read_unit(in, value)) return true;
  int day = word_in(in->at, length, DAYS);
  if (day >= 0) return in->at += length, in->weekday = day, in->ordinal = (int)value, in->days++, true;
  in->at = before;
  if (in->dates && !in->has_year && !in->moved && (in->times || digits > 2)) return in->year = value, in->has_year = true;
  if (digits > 4) return set_date(in, value / 10000, digits - 4, (int)(value / 100 % 100), (int)(value % 100));
  in->minute = digits <= 2 ? 0 : (int)(value % 100);
  return in->minute < 60 && set_hour(in, (int)(digits <= 2 ? value : value / 100), 0);
}

static bool read_word(struct reading *in) {
  size_t length = word_length(in->at);
  if (!length) return false;
  int month = word_in(in->at, length, MONTHS), day = word_in(in->at, length, DAYS);
  if (month >= 0) {
    in->at += length + (in->at[length] == '.');
    in->at += strspn(in->at, " -");
    size_t digits = strspn(in->at, "0123456789");
    if (!digits || digits > 2) return false;
    int mday = atoi(in->at);
    in->at += digits;
    const char *year = in->at + strspn(in->at, ", ");
    size_t width = strspn(year, "0123456789");
    bool dated = memchr(in->at, ',', (size_t)(year - in->at)) && width && year[width] != ':';
    if (dated) in->at = year + width;
    return set_date(in, dated ? strtoimax(year, NULL, 10) : 0, dated ? width : 0, month + 1, mday);
  }
  if (day >= 0) return in->at += length, in->weekday = day, in->ordinal = 0, in->days++, true;
  int shift = is_word(in->at, length, "tomorrow") ? 1 : is_word(in->at, length, "yesterday") ? -1 : 0;
  if (shift || is_word(in->at, length, "today") || is_word(in->at, length, "now")) return in->at += length, in->mdays += shift, in->moved = true;
  if (read_unit(in, 1)) return true;
  for (int at = 0; ORDINALS[at]; at++)
    if (is_word(in->at, length, ORDINALS[at])) {
      in->at += length;
      skip(in);
      length = word_length(in->at), day = word_in(in->at, length, DAYS);
      if (day < 0) return read_unit(in, MEANINGS[at]);
      return in->at += length, in->weekday = day, in->ordinal = MEANINGS[at], in->days++, true;
    }
  for (size_t at = 0; at < sizeof ZONES / sizeof *ZONES; at++)
    if (is_word(in->at, length, ZONES[at].name)) {
      in->at += length;
      if ((*in->at == '+' || *in->at == '-') && isdigit((unsigned char)in->at[1])) return read_zone(in);
      return in->zone = ZONES[at].minutes * 60, in->zones++, true;
    }
  return false;
}

/* "@12.5": seconds since 1970. */
static bool read_seconds(const char *text, struct timespec *result) {
  char *end;
  bool negative = *text == '-';
  if (!isdigit((unsigned char)text[negative])) return false;
  intmax_t seconds = strtoimax(text, &end, 10);
  long part = 0, unit = 100000000;
  if (*end == '.' || *end == ',')
    for (end++; isdigit((unsigned char)*end); end++, unit /= 10) part += (*end - '0') * unit;
  while (isspace((unsigned char)*end)) end++;
  if (negative && part) seconds--, part = 1000000000 - part;
  *result = (struct timespec){(time_t)seconds, part};
  return !*end;
}

static bool resolve(const struct reading *in, struct timespec *result) {
  struct timespec now;
  struct tm when;
  clock_gettime(CLOCK_REALTIME, &now);
  local_time(now.tv_sec, &when);
  long nanoseconds = now.tv_nsec;
  if (in->dates) {
    if (in->has_year) when.tm_year = (int)in->year - 1900;
    when.tm_mon = in->month - 1, when.tm_mday = in->day;
  }
  if (in->times) when.tm_hour = in->hour, when.tm_min = in->minute, when.tm_sec = in->second, nanoseconds = in->nanoseconds;
  else if (in->dates || in->days || !in->moved) when.tm_hour = when.tm_min = when.tm_sec = 0, nanoseconds = 0;
  struct tm checked = when;
  timegm(&checked);
  if (checked.tm_mon != when.tm_mon || checked.tm_mday != when.tm_mday) return false;
  if (in->days && !in->dates)
    when.tm_mday += (in->weekday - checked.tm_wday + 7) % 7 + 7 * (in->ordinal - (in->ordinal > 0 && checked.tm_wday != in->weekday));
  when.tm_year += (int)in->years, when.tm_mon += (int)in->months, when.tm_mday += (int)in->mdays;
  result->tv_sec = (in->zones ? timegm(&when) - in->zone : from_local(&when)) + (time_t)in->seconds;
  result->tv_nsec = nanoseconds;
  if (in->zones || in->moved) return true;
  /* The hour that a change of the clocks leaves out. */
  local_time(result->tv_sec, &checked);
  return checked.tm_hour == when.tm_hour % 24;
}

static bool read_time(const char *text, struct timespec *result) {
  struct reading in = {.at = text};
  skip(&in);
  if (*in.at == '@') return read_seconds(in.at + 1, result);
  for (; *in.at; skip(&in)) {
    if (*in.at == '+' || *in.at == '-') {
      int sign = *in.at == '-' ? -1 : 1;
      in.at++;
      skip(&in);
      size_t digits = strspn(in.at, "0123456789");
      if (!digits || digits > 15) return false;
      intmax_t amount = strtoimax(in.at, NULL, 10);
      in.at += digits;
      skip(&in);
      if (!read_unit(&in, sign * amount)) return false;
    } else if (isdigit((unsigned char)*in.at) ? !read_number(&in) : !read_word(&in)) return false;
  }
  if (in.dates > 1 || in.times > 1 || in.zones > 1 || in.days > 1) return false;
  return resolve(&in, result);
}

bool parse_time(const char *text, struct timespec *result) {
  while (isspace((unsigned char)*text)) text++;
  const char *end = strncmp(text, "TZ=\"", 4) ? NULL : strchr(text + 4, '"');
  if (!end) return read_time(text, result);
  zone_use(copy_bytes(text + 4, (size_t)(end - text - 4)));
  bool fine = read_time(end + 1, result);
  zone_use(getenv("TZ"));
  return fine;
}

/* patch: what diff wrote is done to files */
#include "diff.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hunk {
  size_t old_at, new_at;
  struct line *old, *new;
  size_t old_count, new_count;
  size_t before, after; /* lines around the change that are in both */
};

struct patch {
  char *old_name, *new_name, *index_name;
  bool creates, deletes;
  struct hunk *hunks;
  size_t count;
};

static struct {
  int strip, fuzz;
  bool reversed, forward, dry, quiet, batch, force, removes_empty, backs_up, verbose;
  const char *output, *folder, *rejects, *suffix;
} job = {.strip = -1, .fuzz = 2, .suffix = ".orig"};

static struct text source;
static size_t at_line;
/* Where what leads up to the patch of a file begins, and where its hunks do. */
static size_t lead_line, body_at;

static const char *line_text(size_t at) { return source.lines[at].text; }
static bool begins(size_t at, const char *with) {
  return at < source.count && source.lines[at].length >= strlen(with) && !strncmp(line_text(at), with, strlen(with));
}

static void add_line(struct line **lines, size_t *count, struct line line) {
  *lines = regrab(*lines, (*count + 1) * sizeof **lines);
  (*lines)[(*count)++] = line;
}

/* A line without its mark; the end is cut off if the next line says that there is none. */
static struct line body_line(size_t at, size_t mark) {
  struct line line = {line_text(at) + mark, source.lines[at].length - mark};
  if (begins(at + 1, "\\") && line.length && line.text[line.length - 1] == '\n') line.length--;
  return line;
}

/* The name in a heading; without a name, NULL. */
static char *read_name(size_t at, size_t mark) {
  const char *text = line_text(at) + mark, *end = line_text(at) + source.lines[at].length;
  while (text < end && isblank((unsigned char)*text)) text++;
  if (*text == '"') {
    /* A name with odd characters is quoted, as in C. */
    struct buffer name = {0};
    for (text++; text < end && *text != '"' && *text != '\n';) {
      char byte = *text++;
      if (byte == '\\') {
        int taken = *text == '"' ? 0 : read_escape(text, &byte);
        if (!taken) byte = *text, taken = 1;
        text += taken;
      }
      buffer_byte(&name, byte);
    }
    return buffer_end(&name);
  }
  const char *stop = text;
  while (stop < end && *stop != '\t' && *stop != '\n' && *stop != '\r') stop++;
  /* A time may follow after blanks. */
  for (const char *space = text; space < stop; space++)
    if (*space == ' ' && space + 5 < stop && isdigit((unsigned char)space[1]) && isdigit((unsigned char)space[4]) && space[5] == '-') stop = space;
  return copy_bytes(text, (size_t)(stop - text));
}

static size_t read_count(const char **at) {
  char *end;
  size_t number = (size_t)strtoull(*at, &end, 10);
  *at = end;
  return number;
}

static void set_around(struct hunk *hunk) {
  size_t shorter = hunk->old_count < hunk->new_count ? hunk->old_count : hunk->new_count;
  while (hunk->before < shorter && hunk->old[hunk->before].length == hunk->new[hunk->before].length &&
         !memcmp(hunk->old[hunk->before].text, hunk->new[hunk->before].text, hunk->old[hunk->before].length)) hunk->before++;
  while (hunk->after < shorter - hunk->before) {
    const struct line *a = &hunk->old[hunk->old_count - 1 - hunk->after], *b = &hunk->new[hunk->new_count - 1 - hunk->after];
    if (a->length != b->length || memcmp(a->text, b->text, a->length)) break;
    hunk->after++;
  }
}

static void add_hunk(struct patch *patch, struct hunk hunk) {
  set_around(&hunk);
  patch->hunks = regrab(patch->hunks, (patch->count + 1) * sizeof *patch->hunks);
  patch->hunks[patch->count++] = hunk;
}

static _Noreturn void malformed(void) {
  die(2, "**** malformed patch at line %zu: %.*s", at_line + 1, at_line < source.count ? (int)source.lines[at_line].length : 0, at_line < source.count ? line_text(at_line) : "");
}

static void read_unified(struct patch *patch) {
  while (begins(at_line, "@@ -")) {
    struct hunk hunk = {0};
    const char *at = line_text(at_line) + 4;
    size_t old_left = 1, new_left = 1;
    hunk.old_at = read_count(&at);
    if (*at == ',') at++, old_left = read_count(&at);
    if (strncmp(at, " +", 2)) malformed();
    at += 2;
    hunk.new_at = read_count(&at);
    if (*at == ',') at++, new_left = read_count(&at);
    for (at_line++; old_left || new_left; at_line++) {
      if (at_line >= source.count) malformed();
      char mark = *line_text(at_line);
      if (mark == '\\') continue;
      bool bare = mark == '\n' || mark == '\t'; /* a blank that someone cut off */
      struct line line = body_line(at_line, !bare);
      if (mark == '-' || mark == ' ' || bare) {
        if (!old_left--) malformed();
        add_line(&hunk.old, &hunk.old_count, line);
      }
      if (mark == '+' || mark == ' ' || bare) {
        if (!new_left--) malformed();
        add_line(&hunk.new, &hunk.new_count, line);
      }
      if (!bare && !strchr("-+ ", mark)) malformed();
    }
    while (begins(at_line, "\\")) at_line++;
    if (hunk.old_count == 0 && hunk.old_at == 0) patch->creates = true;
    if (hunk.new_count == 0 && hunk.new_at == 0) patch->deletes = true;
    add_hunk(patch, hunk);
  }
}

static void read_context(struct patch *patch) {
  while (begins(at_line, "***************")) {
    struct hunk hunk = {0};
    at_line++;
    for (int side = 0; side < 2; side++) {
      if (!begins(at_line, side ? "--- " : "*** ")) malformed();
      const char *at = line_text(at_line) + 4;
      size_t from = read_count(&at), to = *at == ',' ? (at++, read_count(&at)) : from;
      (void)to;
      *(side ? &hunk.new_at : &hunk.old_at) = from;
      for (at_line++; begins(at_line, "  ") || begins(at_line, "! ") || begins(at_line, side ? "+ " : "- ") || begins(at_line, "\\"); at_line++) {
        if (begins(at_line, "\\")) continue;
        add_line(side ? &hunk.new : &hunk.old, side ? &hunk.new_count : &hunk.old_count, body_line(at_line, 2));
      }
    }
    /* A side without changes is left out of the patch. */
    bool no_old = !hunk.old_count && hunk.old_at > 0, no_new = !hunk.new_count && hunk.new_at > 0;
    size_t from = at_line;
    (void)from;
    if (no_old || no_new) {
      /* What is in both is what has no mark in the side that is there. */
      struct line **to = no_old ? &hunk.old : &hunk.new;
      size_t *count = no_old ? &hunk.old_count : &hunk.new_count;
      const struct line *have = no_old ? hunk.new : hunk.old;
      size_t have_count = no_old ? hunk.new_count : hunk.old_count;
      for (size_t at = 0; at < have_count; at++)
        if (have[at].text[-2] == ' ') add_line(to, count, have[at]);
    }
    if (hunk.old_count == 0 && hunk.old_at == 0) patch->creates = true;
    if (hunk.new_count == 0 && hunk.new_at == 0) patch->deletes = true;
    add_hunk(patch, hunk);
  }
}

/* "3,5c4", "7a8,9", "1d0": the letter, or 0 if this is none. */
static char read_command(size_t line, size_t ends[4]) {
  const char *at = line_text(line);
  if (!isdigit((unsigned char)*at)) return 0;
  ends[0] = ends[1] = read_count(&at);
  if (*at == ',') at++, ends[1] = read_count(&at);
  char letter = *at++;
  if (!strchr("acd", letter) || !isdigit((unsigned char)*at)) return 0;
  ends[2] = ends[3] = read_count(&at);
  if (*at == ',') at++, ends[3] = read_count(&at);
  return *at == '\n' || *at == '\r' ? letter : 0;
}

static void read_normal(struct patch *patch) {
  size_t ends[4];
  for (char letter; at_line < source.count && (letter = read_command(at_line, ends));) {
    struct hunk hunk = {.old_at = letter == 'a' ? ends[0] : ends[0], .new_at = letter == 'd' ? ends[2] : ends[2]};
    at_line++;
    for (; begins(at_line, "< ") || begins(at_line, "\\"); at_line++)
      if (!begins(at_line, "\\")) add_line(&hunk.old, &hunk.old_count, body_line(at_line, 2));
    if (begins(at_line, "---")) at_line++;
    for (; begins(at_line, "> ") || begins(at_line, "\\"); at_line++)
      if (!begins(at_line, "\\")) add_line(&hunk.new, &hunk.new_count, body_line(at_line, 2));
    add_hunk(patch, hunk);
  }
}

/* The next patch of one file; what is none is passed over. */
static bool read_patch(struct patch *patch) {
  size_t ends[4];
  *patch = (struct patch){0};
  lead_line = at_line;
  for (; at_line < source.count; at_line++) {
    if (begins(at_line, "Index:")) patch->index_name = read_name(at_line, 6);
    if (begins(at_line, "--- ") && begins(at_line + 1, "+++ ") && begins(at_line + 2, "@@ -")) {
      patch->old_name = read_name(at_line, 4), patch->new_name = read_name(at_line + 1, 4);
      body_at = at_line += 2;
      return read_unified(patch), true;
    }
    if (begins(at_line, "*** ") && begins(at_line + 1, "--- ") && begins(at_line + 2, "***************")) {
      patch->old_name = read_name(at_line, 4), patch->new_name = read_name(at_line + 1, 4);
      body_at = at_line += 2;
      return read_context(patch), true;
    }
    body_at = at_line;
    if (begins(at_line, "@@ -")) return read_unified(patch), true;
    if (read_command(at_line, ends) && (begins(at_line + 1, "<") || begins(at_line + 1, ">"))) return read_normal(patch), true;
  }
  return false;
}

static char *strip_name(const char *name) {
  if (!name || !*name || !strcmp(name, "/dev/null")) return NULL;
  if (job.strip < 0) return copy_text(base_of(name));
  for (int left = job.strip; left > 0; left--) {
    const char *slash = strchr(name, '/');
    if (!slash) return NULL;
    while (*slash == '/') slash++;
    name = slash;
  }
  return *name ? copy_text(name) : NULL;
}

static size_t parts_of(const char *name) {
  size_t parts = 0;
  for (; *name; name++) parts += *name == '/';
  return parts;
}

/* Of those that are there, the one with the fewest parts, then the shortest. */
static char *choose_name(const struct patch *patch) {
  char *names[] = {strip_name(patch->old_name), strip_name(patch->new_name), strip_name(patch->index_name)}, *best = NULL;
  for (int at = 0; at < 3; at++) {
    char *name = names[at];
    if (!name || access(name, F_OK) < 0) continue;
    if (!best || parts_of(name) < parts_of(best) || (parts_of(name) == parts_of(best) && strlen(name) < strlen(best))) best = name;
  }
  if (best) return best;
  bool creates = job.reversed ? patch->deletes : patch->creates;
  if (creates) return job.reversed ? names[0] ? names[0] : names[1] : names[1] ? names[1] : names[0];
  return NULL;
}

static bool is_same(const struct line *a, const struct line *b) {
  size_t a_length = a->length, b_length = b->length;
  return a_length == b_length && !memcmp(a->text, b->text, a_length);
}

static bool matches(const struct text *text, const struct hunk *hunk, size_t at, size_t skip_before, size_t skip_after) {
  size_t count = hunk->old_count - skip_before - skip_after;
  if (at + count > text->count) return false;
  for (size_t index = 0; index < count; index++)
    if (!is_same(&text->lines[at + index], &hunk->old[skip_before + index])) return false;
  return true;
}

/* Where a hunk fits, nearest to where it should, or -1. `fuzz`: lines around it that need not. */
static ptrdiff_t find_place(const struct text *text, const struct hunk *hunk, ptrdiff_t shift, size_t least, size_t fuzz, size_t *skipped) {
  size_t around = hunk->before > hunk->after ? hunk->before : hunk->after;
  size_t lost = around > fuzz ? around - fuzz : 0;
  size_t skip_before = hunk->before > lost ? hunk->before - lost : 0, skip_after = hunk->after > lost ? hunk->after - lost : 0;
  *skipped = skip_before;
  ptrdiff_t wanted = (ptrdiff_t)hunk->old_at - (hunk->old_count > 0) + shift + (ptrdiff_t)skip_before;
  if (wanted < (ptrdiff_t)least) wanted = (ptrdiff_t)least;
  /* Less before than behind: it stands at the beginning; the other way round, at the end. */
  bool at_start = !fuzz && hunk->before < hunk->after && hunk->old_at <= 1;
  bool at_end = !fuzz && hunk->after < hunk->before;
  size_t count = hunk->old_count - skip_before - skip_after;
  if (at_start && shift == 0 && matches(text, hunk, 0, 0, 0)) return 0;
  if (at_start && hunk->old_at == 1 && shift != 0 && matches(text, hunk, (size_t)wanted, 0, 0)) return wanted;
  if (at_end && text->count >= count && matches(text, hunk, text->count - count, skip_before, skip_after)) {
    if (text->count - count >= least) return (ptrdiff_t)(text->count - count);
  }
  if (at_end) return -1;
  ptrdiff_t farthest = wanted > (ptrdiff_t)text->count ? wanted : (ptrdiff_t)text->count;
  for (ptrdiff_t away = 0; away <= farthest; away++) {
    if (wanted + away <= (ptrdiff_t)text->count && matches(text, hunk, (size_t)(wanted + away), skip_before, skip_after)) return wanted + away;
    if (away && wanted - away >= (ptrdiff_t)least && matches(text, hunk, (size_t)(wanted - away), skip_before, skip_after)) return wanted - away;
  }
  return -1;
}

static void turn_round(struct patch *patch) {
  for (size_t at = 0; at < patch->count; at++) {
    struct hunk *hunk = &patch->hunks[at], was = *hunk;
    hunk->old = was.new, hunk->new = was.old, hunk->old_count = was.new_count, hunk->new_count = was.old_count;
    hunk->old_at = was.new_at, hunk->new_at = was.old_at;
  }
}

static void reject_line(FILE *to, char mark, const struct line *line) {
  fprintf(to, "%c%.*s", mark, (int)line->length, line->text);
  if (!line->length || line->text[line->length - 1] != '\n') fputs("\n\\ No newline at end of file\n", to);
}

static void reject_hunk(FILE *to, const struct hunk *hunk) {
  fprintf(to, "@@ -%zu", hunk->old_at);
  if (hunk->old_count != 1) fprintf(to, ",%zu", hunk->old_count);
  fprintf(to, " +%zu", hunk->new_at);
  if (hunk->new_count != 1) fprintf(to, ",%zu", hunk->new_count);
  fputs(" @@\n", to);
  struct text old = {.lines = hunk->old, .count = hunk->old_count}, new = {.lines = hunk->new, .count = hunk->new_count};
  compare_texts(&old, &new, 0);
  for (size_t i = 0, j = 0; i < old.count || j < new.count;) {
    if (i < old.count && old.changed[i]) reject_line(to, '-', &old.lines[i++]);
    else if (j < new.count && new.changed[j]) reject_line(to, '+', &new.lines[j++]);
    else reject_line(to, ' ', &old.lines[i++]), j++;
  }
}

static void make_folders(const char *name) {
  char *path = copy_text(name);
  for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) *at = 0, mkdir(path, 0777), *at = '/';
  free(path);
}

static void write_file(const char *name, const struct buffer *content) {
  make_folders(name);
  FILE *out = strcmp(name, "-") ? fopen(name, "w") : stdout;
  if (!out) die_errno(2, "**** Can't create file %s ", name);
  fwrite(content->data, 1, content->length, out);
  if (out != stdout && fclose(out)) die_errno(2, "**** write error ");
}

PRINTF(1) static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!job.quiet || job.verbose) vprintf(format, args);
  va_end(args);
}

/* Does one file's patch. */
static void apply(struct patch *patch, const char *given) {
  char *name = given ? copy_text(given) : choose_name(patch);
  if (!name) {
    printf("can't find file to patch at input line %zu\n", body_at + 1);
    printf("Perhaps you %s -p or --strip option?\n", job.strip < 0 ? "should have used the" : "used the wrong");
    puts("The text leading up to this was:\n--------------------------");
    for (size_t at = lead_line; at < body_at; at++) printf("|%.*s", (int)source.lines[at].length, line_text(at));
    puts("--------------------------\nFile to patch: \nSkip this patch? [y] \nSkipping patch.");
    printf("%zu out of %zu hunk%s ignored\n", patch->count, patch->count, patch->count == 1 ? "" : "s");
    exit_status = 1;
    return;
  }
  if (job.reversed) turn_round(patch);
  bool deletes = job.reversed ? patch->creates : patch->deletes;
  struct text text = {.name = name, .data = ""};
  bool there = access(name, F_OK) == 0;
  if (there && !read_whole(name, &text.data, &text.length)) {
    exit_status = 2;
    return;
  }
  split_lines(&text);
  say(job.dry ? "checking file %s" : "patching file %s", name_of(job.output ? job.output : name));
  if (job.output) say(" (read from %s)", name_of(name));
  say("\n");
  /* Done before? Then the other way round fits, and this way does not. */
  if (patch->count && !job.force) {
    size_t skipped;
    struct hunk first = patch->hunks[0], turned = first;
    turned.old = first.new, turned.new = first.old, turned.old_count = first.new_count, turned.new_count = first.old_count, turned.old_at = first.new_at;
    bool fits = find_place(&text, &first, 0, 0, 0, &skipped) >= 0 && !(there && text.count && !first.old_count && first.old_at == 0);
    if (!fits && (turned.old_count || !there) && find_place(&text, &turned, 0, 0, 0, &skipped) >= 0) {
      printf("%s (or previously applied) patch detected!  ", job.reversed ? "Unreversed" : "Reversed");
      if (job.batch) {
        puts(job.reversed ? "Ignoring -R." : "Assuming -R.");
        turn_round(patch);
      } else {
        if (job.forward) puts("Skipping patch.");
        else printf("%s -R? [n] \nApply anyway? [n] \nSkipping patch.\n", job.reversed ? "Ignore" : "Assume");
        printf("%zu out of %zu hunk%s ignored", patch->count, patch->count, patch->count == 1 ? "" : "s");
        exit_status = 1;
        if (job.dry || (job.rejects && !strcmp(job.rejects, "-"))) {
          putchar('\n');
          return;
        }
        char *reject = job.rejects ? copy_text(job.rejects) : format_text("%s.rej", job.output ? job.output : name);
        printf(" -- saving rejects to file %s\n", name_of(reject));
        FILE *out = fopen(reject, "w");
        if (!out) die_errno(2, "**** Can't create file %s ", reject);
        fprintf(out, "--- %s\n+++ %s\n", patch->old_name ? patch->old_name : name, patch->new_name ? patch->new_name : name);
        for (size_t at = 0; at < patch->count; at++) reject_hunk(out, &patch->hunks[at]);
        fclose(out);
        return;
      }
    }
  }
  struct buffer made = {0};
  size_t done = 0, failed = 0;
  ptrdiff_t shift = 0;
  bool inexact = false;
  FILE *rejects = NULL;
  char *reject = job.rejects ? copy_text(job.rejects) : format_text("%s.rej", job.output ? job.output : name);
  for (size_t at = 0; at < patch->count; at++) {
    struct hunk *hunk = &patch->hunks[at];
    ptrdiff_t place = -1;
    size_t fuzz = 0, skipped = 0, around = hunk->before > hunk->after ? hunk->before : hunk->after;
    for (; place < 0 && fuzz <= (size_t)job.fuzz && fuzz <= around; fuzz++) place = find_place(&text, hunk, shift, done, fuzz, &skipped);
    fuzz--;
    ptrdiff_t wanted = (ptrdiff_t)hunk->old_at - (hunk->old_count > 0);
    if (place < 0) {
      failed++;
      say("Hunk #%zu FAILED at %zu%s.\n", at + 1, (size_t)((ptrdiff_t)hunk->new_at + shift > 0 ? (ptrdiff_t)hunk->old_at + shift : (ptrdiff_t)hunk->old_at), "");
      if (job.dry) continue;
      if (!rejects) {
        rejects = fopen(reject, "w");
        if (!rejects) die_errno(2, "**** Can't create file %s ", reject);
        fprintf(rejects, "--- %s\n+++ %s\n", patch->old_name ? patch->old_name : name, patch->new_name ? patch->new_name : name);
      }
      reject_hunk(rejects, hunk);
      continue;
    }
    ptrdiff_t offset = place - (ptrdiff_t)skipped - wanted;
    if (fuzz || offset || job.verbose) {
      say("Hunk #%zu succeeded at %zd", at + 1, place - (ptrdiff_t)skipped + 1 + (ptrdiff_t)(hunk->new_at) - (ptrdiff_t)(hunk->old_at) - (hunk->new_count == 0 && hunk->old_count > 0 ? -1 : 0) + (hunk->old_count == 0 && hunk->new_count ? -1 : 0));
      if (fuzz) say(" with fuzz %zu", fuzz);
      if (offset) say(" (offset %zd line%s)", offset, offset == 1 ? "" : "s");
      say(".\n");
    }
    if (fuzz || offset) inexact = true;
    shift = offset;
    size_t skip_after = hunk->after > around - fuzz ? hunk->after - (around - fuzz) : 0;
    if (around < fuzz) skip_after = hunk->after;
    for (; done < (size_t)place; done++) buffer_add(&made, text.lines[done].text, text.lines[done].length);
    for (size_t line = skipped; line < hunk->new_count - skip_after; line++) buffer_add(&made, hunk->new[line].text, hunk->new[line].length);
    done += hunk->old_count - skipped - skip_after;
  }
  for (; done < text.count; done++) buffer_add(&made, text.lines[done].text, text.lines[done].length);
  if (failed) {
    exit_status = 1;
    printf("%zu out of %zu hunk%s FAILED", failed, patch->count, patch->count == 1 ? "" : "s");
    if (job.dry) putchar('\n');
    else printf(" -- saving rejects to file %s\n", name_of(reject));
  }
  if (rejects) fclose(rejects);
  if (job.dry) return;
  const char *target = job.output ? job.output : name;
  if (there && (job.backs_up || inexact || failed) && !job.output) {
    struct buffer old = {.data = text.data, .length = text.length};
    write_file(format_text("%s%s", name, job.suffix), &old);
  }
  if (failed == patch->count && patch->count) return;
  if (!made.length && !failed && (deletes || job.removes_empty) && !job.output) {
    unlink(name);
    return;
  }
  int mode = there ? mode_of(name, true) : -1;
  write_file(target, &made);
  if (mode >= 0 && strcmp(target, "-")) change_mode(target, mode & 07777);
}

int patch_main(int argc, char **argv) {
  enum { DRY = 256, VERBOSE, OTHER };
  static const struct long_option longs[] = {{"strip", NEEDS_VALUE, 'p'}, {"input", NEEDS_VALUE, 'i'}, {"output", NEEDS_VALUE, 'o'}, {"reverse", NO_VALUE, 'R'},
    {"forward", NO_VALUE, 'N'}, {"dry-run", NO_VALUE, DRY}, {"quiet", NO_VALUE, 's'}, {"silent", NO_VALUE, 's'}, {"batch", NO_VALUE, 't'}, {"force", NO_VALUE, 'f'},
    {"fuzz", NEEDS_VALUE, 'F'}, {"remove-empty-files", NO_VALUE, 'E'}, {"backup", NO_VALUE, 'b'}, {"directory", NEEDS_VALUE, 'd'}, {"reject-file", NEEDS_VALUE, 'r'},
    {"suffix", NEEDS_VALUE, 'z'}, {"verbose", NO_VALUE, VERBOSE}, {"unified", NO_VALUE, OTHER}, {"context", NO_VALUE, OTHER}, {"normal", NO_VALUE, OTHER},
    {"no-backup-if-mismatch", NO_VALUE, OTHER}, {"posix", NO_VALUE, OTHER}, {0}};
  struct options options;
  const char *from = "-";
  tool = base_of(tool);
  usage_status = warn_status = 2;
  options_begin(&options, argc, argv, "p:i:o:RNstfF:Ebd:r:z:uncl", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'p': job.strip = atoi(options.value); break;
      case 'i': from = options.value; break;
      case 'o': job.output = options.value; break;
      case 'R': job.reversed = true; break;
      case 'N': job.forward = true; break;
      case DRY: job.dry = true; break;
      case 's': job.quiet = true; break;
      case 't': job.batch = true; break;
      case 'f': job.force = true; break;
      case 'F': job.fuzz = atoi(options.value); break;
      case 'E': job.removes_empty = true; break;
      case 'b': job.backs_up = true; break;
      case 'd': job.folder = options.value; break;
      case 'r': job.rejects = options.value; break;
      case 'z': job.suffix = options.value; break;
      case VERBOSE: job.verbose = true; break;
    }
  if (options.count > 2) warn("%s: extra operand", quote_name(options.operands[2])), try_help();
  if (options.count > 1) from = options.operands[1];
  if (job.folder && chdir(job.folder) < 0) die_errno(2, "**** Can't change to directory %s ", job.folder);
  source = (struct text){0};
  if (strcmp(from, "-") && access(from, R_OK) < 0) die_errno(2, "**** Can't open patch file %s ", from);
  if (!read_whole(from, &source.data, &source.length)) return 2;
  split_lines(&source);
  struct patch patch;
  bool any = false;
  while (read_patch(&patch)) apply(&patch, options.count ? options.operands[0] : NULL), any = true;
  if (!any && source.length) die(2, "**** Only garbage was found in the patch input.");
  return exit_status;
}

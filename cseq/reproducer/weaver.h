/* Reads the files as they are now, and writes the program: the same text, with the schedule's calls where a turn ends.
 * A call is for a statement. Where the lines of that have changed, the call is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 100000000, DEEPEST = 50 };

static FILE *out;
static int was_read[sizeof files / sizeof files[0]];

static void give_up(const char *what, const char *path)
{
    fprintf(stderr, "weave: %s: %s\n", path, what);
    exit(1);
}

static char *contents(const char *path)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    FILE *file = fopen(path, "rb");
    if (!file || !text)
        give_up("cannot be read", path);
    while ((size += fread(text + size, 1, room - size - 1, file)) == room - 1)
        if (!(text = realloc(text, room *= 2)))
            give_up("is too long", path);
    if (ferror(file))
        give_up("cannot be read", path);
    fclose(file);
    text[size] = 0;
    return text;
}

static char **split(char *text, int *count)
{
    char **lines;
    *count = 1;
    for (char *c = text; *c; c++)
        *count += *c == '\n';
    if (!(lines = malloc(*count * sizeof *lines)))
        exit(1);
    for (int i = 0; i < *count; i++) {
        lines[i] = text;
        text += strcspn(text, "\n");
        *text++ = 0;
    }
    return lines;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int indent(const char *line)
{
    return (int) strspn(line, " \t\r");
}

/* The length of the line without the blanks and the comment at its end. */
static size_t length_of(const char *line)
{
    size_t length = 0;
    char quote = 0;
    for (; line[length] && (quote || strncmp(line + length, "//", 2) != 0); length++)
        if (quote && line[length] == '\\' && line[length + 1])
            length++;
        else if (line[length] == quote)
            quote = 0;
        else if (!quote && (line[length] == '"' || line[length] == '\''))
            quote = line[length];
    while (length > 0 && is_blank(line[length - 1]))
        length--;
    return length;
}

/* Are the lines the same, but for blanks around them and comments at their ends? */
static int same(const char *a, const char *b)
{
    size_t length;
    a += indent(a);
    b += indent(b);
    length = length_of(a);
    return length == length_of(b) && memcmp(a, b, length) == 0;
}

/* For each line as it was, the line that it is now, or -1: a longest common subsequence. */
static int *aligned(const struct file *file, char **now, int count)
{
    int first = 0, m = file->line_count, n = count, *length, *at = malloc((m + 1) * sizeof *at);
    if (!at)
        exit(1);
    for (int i = 0; i < m; i++)
        at[i] = -1;
    while (first < m && first < n && same(file->lines[first], now[first])) {
        at[first] = first;
        first++;
    }
    while (m > first && n > first && same(file->lines[m - 1], now[n - 1]))
        at[--m] = --n;
    m -= first;
    n -= first;
    if ((double) (m + 1) * (n + 1) > MOST_CELLS)
        give_up("has changed too much; save the test again", file->path);
    if (!(length = calloc((size_t) (m + 1) * (n + 1), sizeof *length)))
        give_up("is too long", file->path);
#define LENGTH(i, j) length[(size_t) (i) * (n + 1) + (j)]
    for (int i = m - 1; i >= 0; i--)
        for (int j = n - 1; j >= 0; j--) {
            int down = LENGTH(i + 1, j), right = LENGTH(i, j + 1);
            LENGTH(i, j) = same(file->lines[first + i], now[first + j]) ? LENGTH(i + 1, j + 1) + 1 : down > right ? down : right;
        }
    for (int i = 0, j = 0; i < m && j < n;)
        if (same(file->lines[first + i], now[first + j]))
            at[first + i++] = first + j++;
        else if (LENGTH(i + 1, j) >= LENGTH(i, j + 1))
            i++;
        else
            j++;
    free(length);
    return at;
}

/* Are all lines of the statement still there, one after the other? */
static int stands(const struct file *file, const int *at, int group)
{
    int first = -1, last = -1;
    for (int i = 0; i < file->piece_count; i++)
        if (file->pieces[i].group == group) {
            int line = file->pieces[i].line;
            first = first < 0 || line < first ? line : first;
            last = line > last ? line : last;
        }
    for (int line = first; line <= last; line++)
        if (at[line] < 0 || at[line] != at[first] + line - first)
            return 0;
    return 1;
}

/* The number of the header that the line includes, if the schedule has calls in it; else -1. */
static int included(const char *line)
{
    size_t length;
    line += indent(line);
    if (*line != '#')
        return -1;
    line += 1 + indent(line + 1);
    if (strncmp(line, "include", 7) != 0)
        return -1;
    line += 7 + indent(line + 7);
    if (*line++ != '"')
        return -1;
    while (strncmp(line, "../", 3) == 0 || strncmp(line, "./", 2) == 0)
        line += line[1] == '.' ? 3 : 2;
    length = strcspn(line, "\"");
    for (int i = 0; i < (int) (sizeof files / sizeof files[0]); i++) {
        size_t whole = strlen(files[i].path);
        const char *end = files[i].path + whole - length;
        if (!files[i].is_source && whole >= length && strncmp(end, line, length) == 0 &&
            (whole == length || end[-1] == '/'))
            return i;
    }
    return -1;
}

static int is_once(const char *line)
{
    char word[8];
    return sscanf(line, " # pragma %7s", word) == 1 && strcmp(word, "once") == 0;
}

static void weave(int number, int depth)
{
    const struct file *file = &files[number];
    int count, *at, *old, once = 0;
    char **now = split(contents(file->path), &count);
    for (int i = 0; i < count; i++)
        once |= is_once(now[i]);
    if (depth > DEEPEST || (once && was_read[number]++))
        return;
    at = aligned(file, now, count);
    if (!(old = malloc((count + 1) * sizeof *old)))
        exit(1);
    memset(old, -1, (count + 1) * sizeof *old);
    for (int i = 0; i < file->line_count; i++)
        if (at[i] >= 0)
            old[at[i]] = i;
    for (int i = 0; i < file->piece_count; i++)
        if (!stands(file, at, file->pieces[i].group) && (i == 0 || file->pieces[i].group != file->pieces[i - 1].group))
            fprintf(stderr, "weave: %s: line %d as it was has changed, so the schedule has no call there\n", file->name,
                    file->pieces[i].line + 1);
    fprintf(out, "%s#line 1 \"%s\"\n", file->before, file->name);
    for (int j = 0; j < count; j++) {
        int done = 0, header = included(now[j]), length = (int) strlen(now[j]);
        for (int i = 0; i < file->piece_count && old[j] >= 0; i++) {
            const struct piece *piece = &file->pieces[i];
            int to = piece->column - indent(file->lines[old[j]]) + indent(now[j]);
            if (piece->line != old[j] || !stands(file, at, piece->group))
                continue;
            to = to < done ? done : to > length ? length : to;
            fprintf(out, "%.*s%s", to - done, now[j] + done, piece->text);
            done = to;
        }
        if (header >= 0) {
            weave(header, depth + 1);
            fprintf(out, "\n#line %d \"%s\"\n", j + 2, file->name);
        } else {
            fprintf(out, "%s\n", once && is_once(now[j]) ? "" : now[j] + done);
        }
    }
    fprintf(out, "%s", file->after);
}

int main(int count, char **arguments)
{
    if (count != 2 || !(out = fopen(arguments[1], "w"))) {
        fprintf(stderr, "usage: weave FILE, in the folder of the test\n");
        return 2;
    }
    fprintf(out, "#include \"schedule.h\"\n");
    for (int i = 0; i < (int) (sizeof files / sizeof files[0]); i++)
        if (files[i].is_source)
            weave(i, 0);
    if (fclose(out) != 0)
        give_up("cannot be written", arguments[1]);
    return 0;
}

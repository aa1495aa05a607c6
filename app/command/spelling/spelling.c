#include "command/spelling/spelling.h"

#include "command/entry.h"

#include <stdio.h>
#include <string.h>

enum { FLAG_MAX = 40 };

/* Returns the Damerau-Levenshtein distance (optimal string alignment) of two texts of at most
 * FLAG_MAX characters: insertions, deletions, replacements and swaps of neighbours count 1 each. */
static int distance(const char *a, const char *b)
{
    int table[FLAG_MAX + 1][FLAG_MAX + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (table[i - 1][j] + 1 < best)
                best = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < best)
                best = table[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    }
    return table[n][m];
}

const char *app_spelling_nearest(const char *text)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    char flag[FLAG_MAX + 1];
    const size_t dashes = strspn(text, "-");
    const int length = (int)strcspn(text + dashes, "=");
    if (length > FLAG_MAX - 2)
        return NULL;
    snprintf(flag, sizeof flag, "--%.*s", length, text + dashes);
    const char *nearest = NULL;
    int least = length < 4 ? 1 : 2; /* at distance 2, short words match almost anything */
    for (size_t i = 0; i < count; i++) {
        const char *other = entries[i].flag;
        if (other == NULL || strlen(other) > FLAG_MAX)
            continue;
        const bool initial = length == 1 && other[2] == flag[2];
        const int changes = initial ? 1 : distance(flag, other);
        if (changes <= least) { /* on a tie the last option wins */
            least = changes;
            nearest = other;
        }
    }
    return nearest;
}

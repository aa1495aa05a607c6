/* app/spec/mode.c - the text form of a mode. */
#include "spec/mode.h"

#include "base/value.h"

#include <stdio.h>
#include <string.h>

void app_mode_text(struct krn_mode mode, char *text, size_t size)
{
    krn_mode_name(mode, text, size);
}

bool app_mode_parse(const char *text, size_t length, struct krn_mode *mode)
{
    char own[APP_MODE_TEXT_MAX];
    if (length >= sizeof own)
        return false;
    memcpy(own, text, length);
    own[length] = 0;
    char *storage = strchr(own, '/');
    if (storage == NULL)
        return false;
    *storage++ = 0;
    struct krn_mode found = {KRN_KERNEL_COUNT, KRN_STORAGE_COUNT, 1};
    char *pixels = strchr(storage, '/');
    if (pixels != NULL) {
        *pixels++ = 0;
        if (!app_parse_int(pixels, &found.pixels_per_thread))
            return false;
    }
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        if (strcmp(own, krn_kernel_name((enum krn_kernel)k)) == 0)
            found.kernel = (enum krn_kernel)k;
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        if (strcmp(storage, krn_storage_name((enum krn_storage)s)) == 0)
            found.storage = (enum krn_storage)s;
    if (krn_mode_index(found) < 0)
        return false;
    *mode = found;
    return true;
}

bool app_duel_side_equal(struct app_duel_side a, struct app_duel_side b)
{
    return a.backend == b.backend && krn_mode_equal(a.mode, b.mode);
}

void app_duel_side_text(struct app_duel_side side, bool named, char *text, size_t size)
{
    char mode[APP_MODE_TEXT_MAX];
    app_mode_text(side.mode, mode, sizeof mode);
    snprintf(text, size, "%s%s%s", named ? krn_backend_name(side.backend) : "", named ? ":" : "",
             mode);
}

bool app_modes_parse(const char *text, struct krn_mode modes[2], int backends[2])
{
    for (int side = 0; side < 2; side++) {
        const size_t length = side ? strlen(text) : strcspn(text, ","),
                     prefix = strcspn(text, ":") + 1;
        int backend = -1;
        for (int id = 0; prefix < length && id < KRN_BACKEND_COUNT; id++) {
            const char *name = krn_backend_name((enum krn_backend_id)id);
            if (strlen(name) == prefix - 1 && strncmp(text, name, prefix - 1) == 0)
                backend = id;
        }
        const size_t named = backend >= 0 ? prefix : 0;
        if ((named > 0 && !backends) || !app_mode_parse(text + named, length - named, &modes[side]))
            return false;
        if (backends)
            backends[side] = backend;
        text += length + (text[length] == ',');
    }
    return true;
}

/* Returns true when the pattern's next part, up to a slash or a comma, is * or the name. Moves *at
 * behind the part and its slash. */
static bool part_matches(const char **at, const char *name)
{
    const size_t length = strcspn(*at, "/,");
    const bool any = length == 1 && **at == '*';
    const bool same = length == strlen(name) && strncmp(*at, name, length) == 0;
    *at += length + ((*at)[length] == '/');
    return any || same;
}

/* Matches the one pattern at `at`, which ends at a comma or at the end of the text. */
static bool pattern_matches(const char *at, struct krn_mode mode)
{
    char pixels[16];
    if (at[0] == ',' || at[0] == 0)
        return false;
    snprintf(pixels, sizeof pixels, "%d", mode.pixels_per_thread);
    const bool kernel = part_matches(&at, krn_kernel_name(mode.kernel));
    const bool storage = part_matches(&at, krn_storage_name(mode.storage));
    const bool without = at[0] == ',' || at[0] == 0;
    const bool same =
        without ? at[-1] != '/' && mode.pixels_per_thread == 1 : part_matches(&at, pixels);
    return kernel && storage && same && at[-1] != '/' && (at[0] == ',' || at[0] == 0);
}

static const char *next_pattern(const char *at)
{
    const char *comma = strchr(at, ',');
    return comma != NULL ? comma + 1 : NULL;
}

bool app_mode_chosen(const char *patterns, struct krn_mode mode)
{
    if (patterns[0] == 0)
        return true;
    for (const char *at = patterns; at != NULL; at = next_pattern(at))
        if (pattern_matches(at, mode))
            return true;
    return false;
}

enum krn_view_kind app_mode_patterns_view(const char *patterns, enum krn_view_kind view)
{
    enum krn_view_kind other = view;
    for (int m = 0; m < KRN_MODES_MAX; m++) {
        if (!app_mode_chosen(patterns, krn_mode_at(m)))
            continue;
        other = krn_mode_view(krn_mode_at(m));
        if (other == view)
            return view;
    }
    return other;
}

struct krn_mode app_mode_first(enum krn_view_kind view)
{
    int m = 0;
    while (m + 1 < KRN_MODES && krn_mode_view(krn_mode_at(m)) != view)
        m++;
    return krn_mode_at(m);
}

int app_mode_count(enum krn_view_kind view)
{
    int count = 0;
    for (int m = 0; m < KRN_MODES; m++)
        count += krn_mode_view(krn_mode_at(m)) == view;
    return count;
}

bool app_mode_patterns_mix(const char *patterns)
{
    unsigned alone = 0;
    for (const char *at = patterns[0] != 0 ? patterns : NULL; at != NULL; at = next_pattern(at)) {
        unsigned views = 0;
        for (int m = 0; m < KRN_MODES_MAX; m++)
            if (pattern_matches(at, krn_mode_at(m)))
                views |= 1u << krn_mode_view(krn_mode_at(m));
        if (views != 0 && (views & (views - 1)) == 0)
            alone |= views;
    }
    return (alone & (alone - 1)) != 0;
}

/* Returns true when each pattern matches one of the first `count` modes. */
static bool all_match(const char *patterns, int count)
{
    for (const char *at = patterns; at != NULL; at = next_pattern(at)) {
        bool found = false;
        for (int m = 0; m < count && !found; m++)
            found = pattern_matches(at, krn_mode_at(m));
        if (!found)
            return false;
    }
    return true;
}

bool app_mode_patterns_check(const char *patterns)
{
    return all_match(patterns, KRN_MODES_MAX);
}

bool app_mode_patterns_mine(const char *patterns)
{
    return patterns[0] != 0 && !all_match(patterns, KRN_MODES);
}

/* The sentences of the claims, against the page that lists what the texts say. */
#include "expect.h"

#include "claims/claims.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the file's text, to be freed. */
static char *read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    char *text = calloc(1, 1 << 17);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 17) - 1, file), 1, (1 << 17) - 2);
    fclose(file);
    return text;
}

/* Every claim has a sentence with its number, and docs/claims.md has every number of a sentence in
 * the lines about its claim. */
TEST(test_sentences)
{
    TEST_FREED char *page = read_page(TEST_SOURCE_DIR "/docs/claims.md");
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)i);
        assert_non_null(entry->says);
        const size_t length = strlen(entry->says);
        assert_true(length > 30 && length < 100 && entry->says[length - 1] == '.');
        assert_true(isupper((unsigned char)entry->says[0]));
        assert_in_range(entry->topic, 0, KRN_TOPIC_COUNT - 1);
        for (const char *at = entry->says; *at; at++) {
            const size_t digits = strspn(at, "0123456789.");
            char number[16];
            if (digits == 0)
                continue;
            snprintf(number, sizeof number, "%.*s", (int)digits, at);
            if (number[strlen(number) - 1] == '.') /* of the sentence */
                number[strlen(number) - 1] = 0;
            at += digits - 1;
            bool found = false;
            for (char *line = page; line && !found; line = strchr(line, '\n')) {
                line += *line == '\n';
                char text[1024];
                snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
                found =
                    strstr(text, number) && (strstr(text, entry->id) || strstr(text, entry->claim));
            }
            if (!found)
                fail_msg("docs/claims.md has no %s for \"%s\"", number, entry->says);
        }
    }
}

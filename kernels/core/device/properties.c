#include "core/device/properties.h"

#include <stdio.h>
#include <string.h>

struct krn_property *krn_property_add(struct krn_property_list *list,
                                      const struct krn_property *property)
{
    if (list->count == KRN_PROPERTIES_MAX)
        return NULL;
    struct krn_property *added = &list->properties[list->count++];
    *added = *property;
    return added;
}

void krn_property_add_text(struct krn_property_list *list, const char *key, const char *words,
                           const char *text)
{
    struct krn_property *added = krn_property_add(
        list, &(struct krn_property){key, words, KRN_PROPERTY_TEXT, .known = text[0] != '\0'});
    if (added != NULL)
        snprintf(added->text, sizeof added->text, "%s", text);
}

void krn_property_add_number(struct krn_property_list *list, const char *key, const char *words,
                             enum krn_property_kind kind, int64_t value)
{
    (void)krn_property_add(list, &(struct krn_property){key, words, kind, .known = value >= 0,
                                                        .count = 1, .values = {value}});
}

const struct krn_property *krn_property_find(const struct krn_property *list, int count,
                                             const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].key, key) == 0)
            return &list[i];
    return NULL;
}

/* kernels/core/device/properties.h - how backends fill a list of properties (private to
 * kernels/). */
#ifndef KRN_PROPERTY_LIST_H
#define KRN_PROPERTY_LIST_H

#include "core/device/backend.h"

#include "krn/properties.h"

struct krn_property_list {
    struct krn_property *properties; /* room for KRN_PROPERTIES_MAX */
    int count;
};

/* Appends a property; returns NULL when the list is full. */
struct krn_property *krn_property_add(struct krn_property_list *list,
                                      const struct krn_property *property);

/* Append a text ("": not known), or one number (negative: not known). */
void krn_property_add_text(struct krn_property_list *list, const char *key, const char *words,
                           const char *text);
void krn_property_add_number(struct krn_property_list *list, const char *key, const char *words,
                             enum krn_property_kind kind, int64_t value);

#endif

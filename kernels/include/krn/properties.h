/* krn/properties.h - the properties of a device, as a list of named numbers.
 *
 * A GPU's list begins with the fields that a tutorial's printDeviceProp prints, in its order and by
 * its names, and goes on with those that this program's theoretical peaks and panels rest on. The
 * CPU backend lists what corresponds to them. Values have 64 bits: the tutorial prints sizes with
 * %d, which overflows from 2 GiB on.
 *
 * Thread safety: every function may be called from any thread.
 */
#ifndef KRN_PROPERTIES_H
#define KRN_PROPERTIES_H

#include "krn/device.h"
#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_property_kind {
    KRN_PROPERTY_TEXT,  /* text */
    KRN_PROPERTY_COUNT, /* a number without a unit */
    KRN_PROPERTY_BYTES,
    KRN_PROPERTY_BITS,
    KRN_PROPERTY_KHZ,
    KRN_PROPERTY_VERSION, /* two values: major and minor */
    KRN_PROPERTY_FLAG     /* 0: no, 1: yes */
};

enum { KRN_PROPERTY_VALUES = 3, KRN_PROPERTY_TEXT_MAX = 128 };

struct krn_property {
    const char *key;   /* its name: of a GPU, the one that the tutorial or cudaDeviceProp uses */
    const char *words; /* its meaning, in a few words */
    enum krn_property_kind kind;
    bool published; /* the tutorial prints it */
    bool known;     /* false: the driver or the system does not report it */
    int count;      /* of values; 0 for a text */
    int64_t values[KRN_PROPERTY_VALUES];
    char text[KRN_PROPERTY_TEXT_MAX];
};

enum { KRN_PROPERTIES_MAX = 40 };

/* Lists the properties of device `ordinal` without connecting to it, published ones first. Errors:
 * KRN_UNAVAILABLE (there is no such device; the message gives the reason). */
enum krn_code krn_properties_read(enum krn_backend_id backend, int ordinal,
                                  struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                  struct krn_error *error);

/* Returns the property with this key; NULL when the list has none. */
const struct krn_property *krn_property_find(const struct krn_property *list, int count,
                                             const char *key);

#ifdef __cplusplus
}
#endif
#endif

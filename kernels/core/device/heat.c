/* The quantities of the heat map, and round ends of its scale. */
#include "core/device/backend.h"

#include <string.h>

const char *krn_heat_name(enum krn_heat quantity)
{
    static const char *const names[KRN_HEAT_COUNT] = {"off", "tests", "cycles", "rays"};
    return (int)quantity >= 0 && quantity < KRN_HEAT_COUNT ? names[quantity] : "n/a";
}

enum krn_view_kind krn_heat_view(enum krn_heat quantity)
{
    return quantity == KRN_HEAT_RAYS ? KRN_VIEW_LIGHT : KRN_VIEW_BOOK;
}

bool krn_heat_offered(const struct krn_capabilities *can, enum krn_heat quantity)
{
    return quantity == KRN_HEAT_CYCLES ? can->cycle_counters
                                       : (int)quantity >= 0 && quantity < KRN_HEAT_COUNT;
}

const char *krn_heat_reason(void)
{
    return "The CPU backend counts sphere tests only: a clock read around a pixel would cost more "
           "than the pixel and would count other programs, too.";
}

/* Returns the first round number that is at least `most`. */
static uint32_t round_up(uint32_t most)
{
    static const unsigned digits[] = {1, 2, 3, 4, 5, 6, 8};
    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
            if (power * digits[i] >= most)
                return power * digits[i] < UINT32_MAX ? (uint32_t)(power * digits[i]) : UINT32_MAX;
}

uint32_t krn_heat_scale(uint32_t before, uint32_t most)
{
    static const double lowest_share = 0.45;
    if (before > 0 && most <= before && most >= lowest_share * before)
        return before;
    return round_up(most);
}

enum krn_code krn_device_heat(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, enum krn_heat quantity,
                              const struct krn_image *image, struct krn_heat_costs *costs,
                              struct krn_error *error)
{
    memset(costs, 0, sizeof *costs);
    if (!krn_heat_offered(&device->info.can, quantity) || device->ops->heat == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "%s", krn_heat_reason());
    if (quantity == KRN_HEAT_OFF)
        return KRN_FAIL(error, KRN_REFUSED, "A heat map shows tests, cycles or rays.");
    if (krn_mode_view(mode) != krn_heat_view(quantity))
        return KRN_FAIL(error, KRN_REFUSED, "A heat map of %s does not show the %s kernel.",
                        krn_heat_name(quantity), krn_kernel_name(mode.kernel));
    enum krn_code code = krn_device_check_render(device, mode, view, image, error);
    if (code == KRN_OK) {
        device->heat_width = device->heat_height = 0;
        code = device->ops->heat(device, mode, view, quantity, image, costs, error);
    }
    if (code != KRN_OK)
        return code;
    device->heat_width = view->width;
    device->heat_height = view->height;
    costs->pixels = (size_t)view->width * (size_t)view->height;
    costs->mean = (double)costs->sum / (double)costs->pixels;
    return KRN_OK;
}

enum krn_code krn_device_heat_paint(struct krn_device *device, uint32_t scale,
                                    const struct krn_image *image, struct krn_error *error)
{
    if (device->heat_width == 0 || image->width != device->heat_width ||
        image->height != device->heat_height || scale == 0)
        return KRN_FAIL(error, KRN_REFUSED, "No costs of %dx%d pixels are kept for the heat map.",
                        image->width, image->height);
    return device->ops->heat_paint(device, scale, image, error);
}

enum krn_code krn_device_heat_read(struct krn_device *device, size_t first, size_t count,
                                   uint32_t *costs, struct krn_error *error)
{
    const size_t kept = (size_t)device->heat_width * (size_t)device->heat_height;
    if (first > kept || count > kept - first)
        return KRN_FAIL(error, KRN_REFUSED, "The heat map has %zu pixels.", kept);
    return device->ops->heat_read(device, first, count, costs, error);
}

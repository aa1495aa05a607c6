/* The table of backends, and calls that need no connected device. */
#include "core/device/backend.h"

const struct krn_backend *krn_backend_get(enum krn_backend_id id)
{
    static const struct krn_backend *const backends[KRN_BACKEND_COUNT] = {
        [KRN_BACKEND_CUDA] = &krn_cuda_backend,
        [KRN_BACKEND_CPU] = &krn_cpu_backend,
        [KRN_BACKEND_GL] = &krn_gl_backend,
    };
    return (int)id >= 0 && id < KRN_BACKEND_COUNT ? backends[id] : backends[KRN_BACKEND_CPU];
}

enum krn_code krn_properties_read(enum krn_backend_id backend, int ordinal,
                                  struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                  struct krn_error *error)
{
    static krn_list_properties *const lists[KRN_BACKEND_COUNT] = {
        [KRN_BACKEND_CUDA] = krn_cuda_properties,
        [KRN_BACKEND_CPU] = krn_cpu_properties,
        [KRN_BACKEND_GL] = krn_gl_properties,
    };
    struct krn_property_list added = {list, 0};
    const enum krn_code code = lists[backend](ordinal, &added, error);
    *count = code == KRN_OK ? added.count : 0;
    return code;
}

enum krn_code krn_book_window_run(enum krn_backend_id backend, int ordinal,
                                  enum krn_storage storage, struct krn_book_window *window,
                                  struct krn_error *error)
{
    if (storage != KRN_STORAGE_GLOBAL && storage != KRN_STORAGE_CONSTANT)
        return KRN_FAIL(error, KRN_REFUSED, "The book times global and constant memory, not %s.",
                        krn_storage_name(storage));
    const struct krn_backend *entry = krn_backend_get(backend);
    if (entry->book_window != NULL)
        return entry->book_window(ordinal, storage, window, error);
    struct krn_device *device = NULL;
    enum krn_code code = entry->connect(ordinal, &device, error);
    KRN_THEN(code, krn_book_window_any(device, storage, window, error));
    krn_device_close(device);
    return code;
}

enum krn_code krn_book_kernel_run(enum krn_backend_id backend, int ordinal, int first,
                                  struct krn_book_kernel *kernel, struct krn_error *error)
{
    struct krn_device *device = NULL;
    enum krn_code code = krn_backend_get(backend)->connect(ordinal, &device, error);
    KRN_THEN(code, krn_book_kernel_any(device, first, kernel, error));
    krn_device_close(device);
    return code;
}

#include "report/report_picture.h"

enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_view(state);
    struct krn_image image;
    enum krn_code code = krn_device_alloc_image(device, view.width, view.height, &image, error);
    if (code != KRN_OK)
        return code;
    code = krn_device_set_pose(device, krn_pose_at(state->motion_s), error);
    if (code == KRN_OK)
        code = krn_device_render(device, state->mode, &view, &image, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_hash(device, &image, hash, error);
    krn_device_free_image(device, &image);
    return code;
}

void app_report_picture(struct app_report *report, const struct app_engine *engine,
                        const struct app_state *state)
{
    uint64_t hash;
    struct krn_error error;
    if (report->whole && app_picture_hash(engine, state, &hash, &error) == KRN_OK)
        report->whole = app_record_set_picture(report->record, hash);
}

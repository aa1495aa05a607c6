/* Rows about CUDA by Example, 6.3: constant memory. */
#include "claims/rows.h"

#include "base/value.h"

#include <stdio.h>

void app_row_constant_kernel(struct app_claim *row, const struct app_claim_facts *facts)
{
    char text[96];
    row->scope = facts->kernel_scope ? facts->kernel_scope : row->scope;
    app_row_ratio(row, facts->kernel_ratio, row->claimed, facts->band_percent, facts->no_kernel);
    if (facts->kernel_ratio.valid && facts->kernel_net_ratio.valid) {
        app_format(text, sizeof text, "net of overhead %s×",
                   app_number_plain(facts->kernel_net_ratio.value, "").value);
        app_row_note(row, text);
    }
    if (facts->scene_ratio.valid) {
        const struct app_number here = app_number_plain(facts->scene_ratio.value, "");
        const bool named = facts->scene != NULL && facts->scene[0] != 0;
        app_format(text, sizeof text, "this scene%s%s%s %s×", named ? " (" : "",
                   named ? facts->scene : "", named ? ")" : "", here.value);
        app_row_note(row, text);
        app_format(row->beside, sizeof row->beside, "here %.2f×", facts->scene_ratio.value);
    } else if (facts->no_scene != NULL) {
        app_format(text, sizeof text, "here: %s", facts->no_scene);
        app_row_note(row, text);
    }
    if (facts->age != NULL && facts->kernel_ratio.valid)
        app_row_note(row, facts->age);
}

void app_row_constant_window(struct app_claim *row, const struct app_claim_facts *facts)
{
    row->scope = facts->window_scope ? facts->window_scope : row->scope;
    app_row_ratio(row, facts->window_ratio, row->claimed, facts->band_percent, facts->no_window);
    if (!facts->window_ratio.valid)
        return;
    if (facts->load_ms > 0.0) {
        char load[48];
        const struct app_number time = app_number_time(facts->load_ms);
        app_format(load, sizeof load, "loading took %s %s", time.value, time.unit);
        app_row_note(row, load);
        app_format(row->method, sizeof row->method, "Window: without %s %s for loading", time.value,
                   time.unit);
    }
    if (facts->age != NULL)
        app_row_note(row, facts->age);
}

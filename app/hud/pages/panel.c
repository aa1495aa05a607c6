#include "hud/pages/panel.h"

#include "command/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct app_panel_doubt app_panel_doubt(const struct app_panels_view *view, enum krn_topic topic)
{
    struct app_panel_doubt doubt = {.reasons = 0};
    int measured = 0, doubted = 0;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n > 0)
            doubt.reasons |= result->trust;
    }
    const unsigned first = doubt.reasons & ~(doubt.reasons - 1); /* its lowest bit */
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic != topic || result->n == 0)
            continue;
        measured++;
        doubted += (result->trust & first) != 0;
    }
    if (doubted == measured)
        snprintf(doubt.text, sizeof doubt.text, "%s", app_trust_first(doubt.reasons));
    else if (doubted > 0)
        snprintf(doubt.text, sizeof doubt.text, "%d of %d: %s", doubted, measured,
                 app_trust_first(doubt.reasons));
    return doubt;
}

struct app_panel_words app_panel_not_yet(const struct app_panels_view *view)
{
    struct app_panel_words words;
    app_key_hints(view->again ? APP_NOT_YET : APP_NOT_YET " · key {measure}", words.text,
                  sizeof words.text);
    return words;
}

size_t app_panel_samples(const struct app_panels_view *view, enum krn_topic topic)
{
    size_t least = 0;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n > 0 && (least == 0 || result->n < least))
            least = result->n;
    }
    return least;
}

double app_panel_age(const struct app_panels_view *view, enum krn_topic topic,
                     const struct app_probe_result *of)
{
    double kept = 0.0, newest = INFINITY;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic != topic || result->n == 0)
            continue;
        if (!result->on_request)
            newest = fmin(newest, result->age_s);
        else if (!of || result == of)
            kept = fmax(kept, result->age_s);
    }
    if (of && of->on_request)
        return kept;
    return isfinite(newest) ? fmax(kept, newest) : kept;
}

void app_panel_age_text(double age_s, char *text, size_t size)
{
    static const double young_s = 5.0;
    text[0] = '\0';
    if (age_s > young_s)
        app_number_age(age_s, text, size);
}

void app_panel_picture(const struct app_panels_view *view, enum krn_topic topic,
                       struct app_picture *picture)
{
    const struct app_picture_facts facts = {.probes = &view->probes,
                                            .addresses = view->addresses > 0 ? view->addresses : 1,
                                            .modes = view->modes,
                                            .mode_count = view->mode_count};
    app_picture_make(topic, &facts, picture);
}

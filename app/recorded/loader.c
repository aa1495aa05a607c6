#include "recorded/recorded.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/value.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Until `done`, the thread owns `recorded`. */
struct app_recorded_loader {
    char names[APP_PATH_MAX];
    double band_percent;
    struct app_recorded *recorded;
    pthread_t thread;
    bool started; /* and not joined yet */
    atomic_bool done;
};

static void *load(void *context)
{
    struct app_recorded_loader *loader = context;
    struct krn_error error;
    app_locale_begin();
    if (app_recorded_open(loader->names, loader->band_percent, &loader->recorded, &error) != KRN_OK)
        loader->recorded = NULL;
    atomic_store(&loader->done, true);
    return NULL;
}

struct app_recorded_loader *app_recorded_loader_start(const char *names, double band_percent)
{
    struct app_recorded_loader *loader = app_alloc(1, sizeof *loader);
    snprintf(loader->names, sizeof loader->names, "%s", names);
    loader->band_percent = band_percent;
    loader->started = pthread_create(&loader->thread, NULL, load, loader) == 0;
    if (!loader->started) {
        free(loader);
        return NULL;
    }
    return loader;
}

struct app_recorded_loader *app_recorded_loader_of(struct app_recorded *recorded)
{
    struct app_recorded_loader *loader = app_alloc(1, sizeof *loader);
    loader->recorded = recorded;
    atomic_store(&loader->done, true);
    return loader;
}

const struct app_recorded *app_recorded_loader_poll(struct app_recorded_loader *loader)
{
    return loader && atomic_load(&loader->done) ? loader->recorded : NULL;
}

const struct app_recorded *app_recorded_loader_wait(struct app_recorded_loader *loader)
{
    if (loader && loader->started) {
        pthread_join(loader->thread, NULL);
        loader->started = false;
    }
    return app_recorded_loader_poll(loader);
}

void app_recorded_loader_close(struct app_recorded_loader *loader)
{
    if (!loader)
        return;
    (void)app_recorded_loader_wait(loader);
    app_recorded_close(loader->recorded);
    free(loader);
}

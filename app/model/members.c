#include "model/model.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const struct app_member_row app_members[APP_MEMBERS_COUNT] = {
#define ROW(list, id, key, kind, what)                                                             \
    [APP_##list##_##id] = {APP_LIST_##list, key, APP_MEMBER_##kind, "", APP_SUM_NONE, what},
#define METRIC(id, key, kind, unit, sum, what)                                                     \
    [APP_M_##id] = {APP_LIST_M, key, APP_MEMBER_##kind, unit, APP_SUM_##sum, what},
    APP_MEMBERS(ROW, METRIC)};

const char *const app_member_lists[APP_LIST_COUNT] = {"workload", "parameters", "outcome",
                                                      "metrics"};

enum app_member app_member_of(enum app_metric metric)
{
    static const enum app_member members[APP_METRIC_COUNT] = {
        [APP_METRIC_TIME] = APP_M_MEDIAN_MS,
        [APP_METRIC_GBPS] = APP_M_EFFECTIVE_GBPS,
        [APP_METRIC_MOVED_GBPS] = APP_M_MOVED_GBPS,
        [APP_METRIC_OF_THEORETICAL] = APP_M_OF_THEORETICAL_PERCENT,
        [APP_METRIC_GFLOPS] = APP_M_GFLOPS,
        [APP_METRIC_OF_PEAK_CYCLES] = APP_M_OF_PEAK_PERCENT,
        [APP_METRIC_OF_PEAK_TIME] = APP_M_OF_PEAK_BY_TIME_PERCENT,
        [APP_METRIC_OF_PEAK_NET] = APP_M_OF_PEAK_NET_PERCENT,
        [APP_METRIC_OF_COMPUTED] = APP_M_OF_COMPUTED_PEAK_PERCENT,
        [APP_METRIC_CYCLES] = APP_M_CYCLES,
        [APP_METRIC_CYCLES_PER_STEP] = APP_M_CYCLES_PER_STEP,
        [APP_METRIC_NS_PER_STEP] = APP_M_NS_PER_STEP,
        [APP_METRIC_GOPS] = APP_M_GOPS,
        [APP_METRIC_NET_TIME] = APP_M_NET_MS,
        [APP_METRIC_CYCLES_TIME] = APP_M_CYCLES_OVER_CLOCK_MS,
    };
    return members[metric];
}

void app_bound_key(const char *metric, bool high, char key[APP_BOUND_KEY])
{
    if (strcmp(metric, app_members[APP_M_MEDIAN_MS].key) == 0)
        snprintf(key, APP_BOUND_KEY, "%s", app_members[high ? APP_M_HIGH_MS : APP_M_LOW_MS].key);
    else
        snprintf(key, APP_BOUND_KEY, "%.80s_%s", metric, high ? "high" : "low");
}

const struct app_pair *app_result_member(const struct app_result *result, enum app_member member)
{
    const struct app_pairs lists[APP_LIST_COUNT] = {result->workload, result->parameters,
                                                    result->outcome, result->metrics};
    return app_pairs_find(lists[app_members[member].list], app_members[member].key);
}

const struct app_pair *app_process_member(const struct app_result_process *process,
                                          enum app_member member)
{
    return app_pairs_find(app_members[member].list == APP_LIST_M ? process->metrics
                                                                 : process->outcome,
                          app_members[member].key);
}

static double number_of(const struct app_pair *pair, double otherwise)
{
    return pair != NULL && pair->text == NULL ? pair->number : otherwise;
}

double app_result_number(const struct app_result *result, enum app_member member, double otherwise)
{
    return number_of(app_result_member(result, member), otherwise);
}

int app_result_integer(const struct app_result *result, enum app_member member)
{
    const double number = app_result_number(result, member, 0);
    return number > INT_MIN && number < INT_MAX ? (int)number : 0;
}

const char *app_result_text(const struct app_result *result, enum app_member member)
{
    const struct app_pair *pair = app_result_member(result, member);
    return pair != NULL ? pair->text : NULL;
}

double app_process_number(const struct app_result_process *process, enum app_member member,
                          double otherwise)
{
    return number_of(app_process_member(process, member), otherwise);
}

const char *app_process_text(const struct app_result_process *process, enum app_member member)
{
    const struct app_pair *pair = app_process_member(process, member);
    return pair != NULL ? pair->text : NULL;
}

struct app_estimate app_result_metric(const struct app_result *result, enum app_member metric)
{
    return app_result_estimate(result, app_members[metric].key);
}

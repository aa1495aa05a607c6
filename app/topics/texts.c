#include "topics/texts.h"

const struct app_text_entry *app_text_of(enum app_text text)
{
    static const struct app_text_entry entries[APP_TEXT_COUNT] = {
        [APP_TEXT_METRICS] = {"metrics", "Performance metrics", "M. Harris",
                              "How to Implement Performance Metrics in CUDA C/C++", "2012"},
        [APP_TEXT_BOOK] = {"book", "Constant memory", "J. Sanders, E. Kandrot",
                           "CUDA by Example, 6.3", "2010"},
        [APP_TEXT_SLIDES] = {"slides", "Hiding latency", "V. Volkov",
                             "Better Performance at Lower Occupancy", "2010"},
        [APP_TEXT_TUTORIAL] = {"tutorial", "Access patterns", "a tutorial",
                               "CUDA programming, part 5: memory access patterns", "n.d."},
        [APP_TEXT_GUIDE] = {"guide", "Divergent reads", "NVIDIA",
                            "CUDA C++ Programming Guide 12.6, Device Memory Accesses", "2024"},
    };
    return &entries[text];
}

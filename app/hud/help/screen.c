#include "hud/help/pages.h"
#include "hud/parts.h"

struct app_key_hint app_hud_help_hint(void)
{
    struct app_key_hint hint;
    app_key_hints("{help} help", hint.text, sizeof hint.text);
    return hint;
}

void app_hud_help(const struct app_brush *brush, const struct app_layout *layout,
                  enum app_help_page page)
{
    static void (*const pages[APP_HELP_PAGES])(const struct app_brush *,
                                               const struct app_layout *) = {
        [APP_HELP_KEYS] = app_help_draw_keys,
        [APP_HELP_WORDS] = app_help_draw_words,
        [APP_HELP_FORMULAS] = app_help_draw_formulas,
        [APP_HELP_VERDICTS] = app_help_draw_verdicts,
    };
    pages[(int)page >= 0 && page < APP_HELP_PAGES ? page : APP_HELP_KEYS](brush, layout);
}

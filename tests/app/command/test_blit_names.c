/* app_blit_name, which exists because app/ is also built without render/, agrees with
 * ren_blit_name. */
#include "command/state.h"
#include "expect.h"

#include "ren/blit.h"

TEST(test_names)
{
    for (int i = 0; i < REN_BLIT_COUNT; i++)
        assert_string_equal(app_blit_names[(enum ren_blit)i], ren_blit_name((enum ren_blit)i));
}

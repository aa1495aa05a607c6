/* app_blit_name, which exists because app/ is also built without render/, agrees with
 * ren_blit_name. */
#include "command/state.h"

#include "ren/blit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **unused)
{
    (void)unused;
    for (int i = 0; i < REN_BLIT_COUNT; i++)
        assert_string_equal(app_blit_name((enum ren_blit)i), ren_blit_name((enum ren_blit)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

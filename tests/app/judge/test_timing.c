/* Net times and regimes. */
#include "expect.h"

#include "judge/estimate.h"

TEST(net_is_raw_without_overhead)
{
    assert_true(app_net_ms(0.00618, 0.0035) == 0.00618 - 0.0035);
    assert_true(app_net_ms(0.0035, 0.0035) == 0.0); /* all overhead: the net time is unknown */
    assert_true(app_net_ms(0.0034, 0.0035) == 0.0);
    assert_true(app_net_ms(0.00618, 0.0) == 0.0); /* the overhead is unknown */
}

TEST(few_frames_of_the_other_kind_do_not_mix)
{
    assert_int_equal(app_regime_of(0, 0), APP_REGIME_UNKNOWN);
    assert_int_equal(app_regime_of(0, 1), APP_REGIME_IDLE);
    assert_int_equal(app_regime_of(1, 1), APP_REGIME_BUSY);
    assert_int_equal(app_regime_of(5, 100), APP_REGIME_IDLE);
    assert_int_equal(app_regime_of(6, 100), APP_REGIME_MIXED);
    assert_int_equal(app_regime_of(94, 100), APP_REGIME_MIXED);
    assert_int_equal(app_regime_of(95, 100), APP_REGIME_BUSY);
    static const char *const names[] = {"n/a", "idle", "busy", "mixed"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(app_regime_name((enum app_regime)i), names[i]);
    assert_string_equal(app_regime_name((enum app_regime)4), "n/a");
}

/* Numbers for people: significant digits, units, and the digits that an interval supports. */
#include "expect.h"

#include "base/numbers.h"

#include <math.h>

TEST(three_digits_and_a_unit)
{
    static const struct {
        double ms;
        const char *value, *unit;
    } rows[] = {{0.0213, "21.3", "µs"}, {0.9996, "1.00", "ms"}, {99.96, "100", "ms"},
                {1234.0, "1.23", "s"},  {32e-6, "32.0", "ns"},  {NAN, "–", "s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct app_number number = app_number_time(rows[i].ms);
        assert_string_equal(number.value, rows[i].value);
        assert_string_equal(number.unit, rows[i].unit);
    }
}

/* Ends that differ must not look equal, and noise must not look like digits: 2 more at most. */
TEST(an_interval_decides_the_digits)
{
    assert_int_equal(app_number_decimals(21.31, 0.06), 2);
    assert_int_equal(app_number_decimals(21.3, 3.1), 1);
    assert_int_equal(app_number_decimals(21.3113, 0.0002), 3);
    assert_int_equal(app_number_decimals(150.0, 70.0), 0);
    assert_int_equal(app_number_decimals(1.05, 0.0), 2);
    assert_int_equal(app_number_decimals(1.05, INFINITY), 2);
    assert_int_equal(app_number_decimals(INFINITY, 0.0), 0);
    assert_int_equal(app_number_decimals(1.05, 0.004), 3);
    assert_int_equal(app_number_decimals(0.0598, 0.00002), 5);
    assert_string_equal(app_number_fixed(-1.0, 2, "x").value, "–");
}

/* An end that is orders of magnitude away is shown as beyond a limit, any other as it is. */
TEST(ends_that_are_far_away)
{
    static const struct {
        double low, high, value;
        const char *shown;
    } rows[] = {
        {21.2, 21.4, 21.3, "[21.2, 21.4]"},     {2.13, 213.0, 21.3, "[2.13, 213]"},
        {2.0, 213.4, 21.3, "[<2.13, >213]"},    {0.0, 526632.6, 1.05, "[<0.105, >10.5]"},
        {0.9, INFINITY, 1.0, "[0.900, >10.0]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            app_number_interval(rows[i].low, rows[i].high, rows[i].value, APP_DECIMALS_PLAIN).text,
            rows[i].shown);
    assert_string_equal(app_number_interval(1.0, 900.0, 29.36, 1).text, "[<2.9, >293.6]");
}

/* A value about 1 ms keeps its unit, whichever it began with, until it cannot be read in it. */
TEST(test_kept_unit)
{
    double like = app_number_keep_unit(0.0, 0.993);
    assert_string_equal(app_number_time_as(0.993, like).unit, "µs");
    like = app_number_keep_unit(like, 1.08);
    assert_string_equal(app_number_time_as(1.08, like).unit, "µs");
    like = app_number_keep_unit(like, 2.5);
    assert_string_equal(app_number_time_as(2.5, like).unit, "ms");
    like = app_number_keep_unit(like, 0.993);
    assert_string_equal(app_number_time_as(0.993, like).value, "0.993");
    assert_string_equal(app_number_time_as(0.993, like).unit, "ms");
    like = app_number_keep_unit(like, 0.0218);
    assert_string_equal(app_number_time_as(0.0218, like).unit, "µs");
    /* Without a time the unit stays. */
    assert_true(app_number_keep_unit(like, -1.0) == like && app_number_keep_unit(0.0, 0.0) == 0.0);
}

/* A ratio has 3 digits, and more only when it would read as 1 although it is not. */
TEST(test_ratio_decimals)
{
    assert_int_equal(app_number_ratio_decimals(1.2034, true), 2);
    assert_int_equal(app_number_ratio_decimals(22.04, true), 1);
    assert_int_equal(app_number_ratio_decimals(0.8364, true), 3);
    assert_int_equal(app_number_ratio_decimals(1.0021, false), 2);
    assert_int_equal(app_number_ratio_decimals(1.0021, true), 3);
    assert_int_equal(app_number_ratio_decimals(1.00003, true), 4);
}

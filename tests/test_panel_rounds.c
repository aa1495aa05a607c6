/* What key B asks for, on a device that is made up: processes for the book's window, which the
 * picture waits for, then every probe; and what comes between. */
#include "fake_panels.h"

static void another_backend_ends_the_processes(void **state)
{
    (void)state;
    /* One with panels, one without, one whose panels were tried before; held, and with no share. */
    for (int how = 0; how < 5; how++) {
        struct stage *stage = begin(how == 4 ? 0.0 : 10.0);
        struct krn_device other = stage->device;
        struct krn_device_ops bare = fake_ops;
        bare.open_probes = NULL;
        other.info.backend = KRN_BACKEND_CUDA;
        other.ops = how > 0 ? &bare : &fake_ops;
        stage->engine.devices[KRN_BACKEND_CUDA] = &other;
        if (how >= 2) {
            stage->state.backend = KRN_BACKEND_CUDA;
            run(stage, 3, 1.0);
            stage->state.backend = KRN_BACKEND_CPU;
        }
        run(stage, 3000, 1.0);
        app_panels_again(stage->panels);
        run(stage, 2, 1.0);
        assert_true(app_panels_disturb(stage->panels));
        stage->state.backend = KRN_BACKEND_CUDA;
        stage->state.hold = how == 3;
        run(stage, 1, 1.0);
        assert_false(app_panels_disturb(stage->panels));
        run(stage, 2, 1.0);
        assert_false(look(stage)->again && how != 0);
        end(stage);
    }
}

int main(int argc, char *argv[])
{
    if (fake_child(argc, argv))
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_backend_ends_the_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

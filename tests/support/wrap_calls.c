/* The calls of foreign APIs that the program makes through krn_call_fails (krn/error.h), and its
 * keys, which the linker brings here (--wrap): a call may fail as a member of its class
 * (fault_class.h), and every key begins a phase. With TEST_LOSES_GPU, the program runs on a real
 * GPU, which a call of CUDA may find lost. */
#include "fault_class.h"

#include "command/command.h"
#include "krn/error.h"
#include "trap.h"

#include <string.h>

bool __real_krn_call_fails(enum krn_api api, const char *expression);
bool __wrap_krn_call_fails(enum krn_api api, const char *expression);
enum app_outcome __real_app_press(struct app_state *state, const struct app_facts *facts, int key,
                                  bool ctrl, struct app_reply *reply);
enum app_outcome __wrap_app_press(struct app_state *state, const struct app_facts *facts, int key,
                                  bool ctrl, struct app_reply *reply);

/* Returns the kind of a call, or NULL: it does not fail. Calls of the CUDA runtime itself fail here
 * on a real GPU only: a stand-in makes its own fail, as another kind. */
static const char *kind_of(enum krn_api api, const char *expression)
{
#ifdef TEST_LOSES_GPU
    (void)expression;
#else
    if (api == KRN_API_CUDA && strncmp(expression, "cuda", 4) == 0)
        return NULL;
#endif
    switch (api) {
    case KRN_API_CUDA:
        return "cuda";
    case KRN_API_GL:
        return "gl";
    case KRN_API_ALLOC:
        return "alloc";
    case KRN_API_HOST:
        return "host";
    case KRN_API_NONE:
        break;
    }
    return NULL;
}

bool __wrap_krn_call_fails(enum krn_api api, const char *expression)
{
    const char *kind = kind_of(api, expression);
    bool fails = kind && fault_class_fails(kind, expression);
#ifdef TEST_LOSES_GPU
    if (fails && fault_class_loses()) {
        test_trap();
        fails = false; /* the call finds out by itself */
    }
#endif
    return fails || __real_krn_call_fails(api, expression);
}

enum app_outcome __wrap_app_press(struct app_state *state, const struct app_facts *facts, int key,
                                  bool ctrl, struct app_reply *reply)
{
    fault_class_next_phase();
    return __real_app_press(state, facts, key, ctrl, reply);
}

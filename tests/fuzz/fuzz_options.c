/* Command lines: one word per line. */
#include "input.h"

#include "command/command.h"
#include "command/options.h"

enum { WORDS_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char program[] = "spherescope";
    static struct app_run run; /* larger than a frame of the stack should be */
    char *text = input_text(data, size), *rest = text;
    char *argv[WORDS_MAX + 2] = {program};
    int argc = 1;
    struct krn_error error = {0}, combination = {0};
    struct app_state state;
    for (char *word; argc <= WORDS_MAX && (word = strtok_r(rest, "\n", &rest)) != NULL;)
        argv[argc++] = word;
    if (app_options_parse(argc, argv, &state, &run, &error) == KRN_OK)
        input_check(app_state_check(&state, &combination) == KRN_OK, combination.text);
    else
        input_check_sentence(error.text);
    free(text);
    return 0;
}

/* Talks, and the states of their steps. */
#include "input.h"

#include "talk/talk.h"

/* Returns true when a path leads to no folder above the one that it begins in. A name may end with
 * dots: "b..." is a folder. */
static bool is_below(const char *path)
{
    if (path[0] == '/')
        return false;
    for (const char *name = path; *name; name += strspn(name, "/")) {
        const size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0)
            return false;
        name += length;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct krn_error error = {0};
    struct app_talk *talk = NULL;
    const struct app_state start = app_state_default();
    struct app_state state;
    char *text = input_text(data, size), source[160];
    input_answer(app_talk_parse(text, size, "talk.json", &talk, &error) == KRN_OK, error.text);
    for (int i = 0; talk != NULL && i < talk->step_count; i++) {
        if (app_talk_state(talk, &start, i, &state, &error) != KRN_OK)
            input_check_sentence(error.text);
        else if (state.spec.scene == APP_SCENE_FILE)
            input_check(is_below(state.spec.scene_path), "a path below the talk's folder");
        const struct app_talk_source *asked = &talk->steps[i].question.source;
        input_check((asked->kind == APP_SOURCE_CLAIM || krn_mode_index(asked->modes[0]) >= 0) &&
                        (asked->kind != APP_SOURCE_RATIO || krn_mode_index(asked->modes[1]) >= 0),
                    "a question about modes that exist");
        app_talk_describe_source(asked, source, sizeof source);
        app_talk_minutes_before(talk, i);
    }
    app_talk_free(talk);
    free(text);
    return 0;
}

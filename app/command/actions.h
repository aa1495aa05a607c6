/* app/command/actions.h - the change and show functions of command entries that are more than a
 * field. Only the command table uses them; struct app_command_entry describes their contract. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "command/entry.h"

#define APP_UNUSED __attribute__((unused))
#define APP_ACTION(name)                                                                           \
    enum app_outcome app_change_##name(                                                            \
        APP_UNUSED struct app_state *state, APP_UNUSED const struct app_state *before,             \
        APP_UNUSED const struct app_facts *facts, APP_UNUSED const struct app_argument *argument,  \
        APP_UNUSED struct app_reply *reply)
#define APP_SHOW(name) void app_show_##name(const struct app_state *state, char *text, size_t size)

/* clang-format off */
APP_ACTION(backend); APP_ACTION(view); APP_ACTION(kernel); APP_ACTION(pixels); APP_ACTION(duel);
APP_ACTION(blit); APP_ACTION(scene); APP_ACTION(spheres); APP_ACTION(seed); APP_ACTION(zoom);
APP_ACTION(size); APP_ACTION(follow); APP_ACTION(bounces); APP_ACTION(camera); APP_ACTION(orbit);
APP_ACTION(tilt); APP_ACTION(dolly); APP_ACTION(camera_path); APP_ACTION(hud_scale);
APP_ACTION(page); APP_ACTION(claim); APP_ACTION(addresses);
APP_ACTION(help); APP_ACTION(details); APP_ACTION(code); APP_ACTION(leave); APP_ACTION(home);
APP_ACTION(measure); APP_ACTION(story); APP_ACTION(heat); APP_ACTION(anatomy); APP_ACTION(quit);
APP_ACTION(talk); APP_ACTION(talk_next); APP_ACTION(talk_previous); APP_ACTION(talk_blank);
APP_ACTION(talk_guess); APP_ACTION(talk_reveal);

APP_SHOW(backend); APP_SHOW(view); APP_SHOW(duel); APP_SHOW(scene); APP_SHOW(camera);
APP_SHOW(follow); APP_SHOW(page);
/* clang-format on */

#endif

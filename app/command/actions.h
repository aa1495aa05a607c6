/* app/command/actions.h - the change and show functions of command entries that are more than a
 * field. Only the command table uses them; struct app_command_entry describes their contract. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "command/entry.h"

#define APP_ACTION(name)                                                                           \
    enum app_outcome name(struct app_state *state, const struct app_facts *facts,                  \
                          const struct app_argument *argument, struct app_reply *reply)
APP_ACTION(app_change_backend);
APP_ACTION(app_change_view);
APP_ACTION(app_change_kernel);
APP_ACTION(app_change_pixels);
APP_ACTION(app_change_duel);
APP_ACTION(app_change_blit);
APP_ACTION(app_change_scene);
APP_ACTION(app_change_spheres);
APP_ACTION(app_change_seed);
APP_ACTION(app_change_radii);
APP_ACTION(app_change_zoom);
APP_ACTION(app_change_size);
APP_ACTION(app_change_bounces);
APP_ACTION(app_change_samples);
APP_ACTION(app_change_camera);
APP_ACTION(app_change_orbit);
APP_ACTION(app_change_tilt);
APP_ACTION(app_change_dolly);
APP_ACTION(app_change_camera_path);
APP_ACTION(app_change_follow);
APP_ACTION(app_change_hud_scale);
APP_ACTION(app_change_page);
APP_ACTION(app_change_spotlight);
APP_ACTION(app_change_subject);
APP_ACTION(app_change_addresses);
APP_ACTION(app_change_help);
APP_ACTION(app_change_device_card);
APP_ACTION(app_change_leave);
APP_ACTION(app_change_monitor);
APP_ACTION(app_change_home);
APP_ACTION(app_change_screenshot);
APP_ACTION(app_change_results);
APP_ACTION(app_change_record);
APP_ACTION(app_change_measure);
APP_ACTION(app_change_story);
APP_ACTION(app_change_heat);
APP_ACTION(app_change_anatomy);
APP_ACTION(app_change_quit);
APP_ACTION(app_change_talk);
APP_ACTION(app_change_talk_next);
APP_ACTION(app_change_talk_previous);
APP_ACTION(app_change_talk_blank);
APP_ACTION(app_change_talk_guess);
APP_ACTION(app_change_talk_reveal);

void app_show_backend(const struct app_state *state, char *text, size_t size);
void app_show_view(const struct app_state *state, char *text, size_t size);
void app_show_pixels(const struct app_state *state, char *text, size_t size);
void app_show_duel(const struct app_state *state, char *text, size_t size);
void app_show_scene(const struct app_state *state, char *text, size_t size);
void app_show_spheres(const struct app_state *state, char *text, size_t size);
void app_show_seed(const struct app_state *state, char *text, size_t size);
void app_show_radii(const struct app_state *state, char *text, size_t size);
void app_show_zoom(const struct app_state *state, char *text, size_t size);
void app_show_bounces(const struct app_state *state, char *text, size_t size);
void app_show_samples(const struct app_state *state, char *text, size_t size);
void app_show_camera(const struct app_state *state, char *text, size_t size);
void app_show_size(const struct app_state *state, char *text, size_t size);
void app_show_follow(const struct app_state *state, char *text, size_t size);
void app_show_page(const struct app_state *state, char *text, size_t size);
void app_show_subject(const struct app_state *state, char *text, size_t size);

/* Parses "claims" or "claims/2". Returns false, with both unchanged, for other texts. */
bool app_page_parse(const char *text, enum app_panels_page *page, int *part);

/* Parses a subject's name, which may be followed by "/2", too. */
bool app_subject_parse(const char *text, enum app_subject *subject, int *part);

#endif

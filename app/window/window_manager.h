/* app/window/window_manager.h - the mark that a window manager which was killed leaves behind. */
#ifndef APP_WINDOW_MANAGER_H
#define APP_WINDOW_MANAGER_H

/* A mark that is taken away for a moment. */
struct app_stale_mark {
    void *display; /* NULL: there is none */
    unsigned long root, mark, manager;
};

/* Takes the mark away if its window manager is gone: before glfwInit, which would abort. */
void app_stale_mark_hide(struct app_stale_mark *hidden);

/* Puts it back, with a sentence. */
void app_stale_mark_show(const struct app_stale_mark *hidden);

#endif

/* app/base/complain.h - messages on stderr. */
#ifndef APP_COMPLAIN_H
#define APP_COMPLAIN_H

/* Prints the line "spherescope: TEXT" on stderr. */
void app_complain(const char *text);

#endif

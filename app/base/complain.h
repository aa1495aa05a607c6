/* app/base/complain.h - what the program has to say outside its results. */
#ifndef APP_COMPLAIN_H
#define APP_COMPLAIN_H

/* Prints one line on stderr: "spherescope: TEXT". */
void app_complain(const char *text);

#endif

/* app/command/spelling/spelling.h - finds the option that a misspelled one means. */
#ifndef APP_SPELLING_H
#define APP_SPELLING_H

/* Returns the flag of the option that the user probably meant, or NULL. */
const char *app_spelling_nearest(const char *text);

#endif

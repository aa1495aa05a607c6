/* app/judge/verified.h - the result of a verification, of one picture and of two. */
#ifndef APP_VERIFIED_H
#define APP_VERIFIED_H

enum app_verified { APP_VERIFIED_UNKNOWN, APP_VERIFIED_TRUE, APP_VERIFIED_FALSE };

/* Returns the side of a duel, 0 for a or 1 for b, whose picture decides for both: a wrong one, else
 * one that is not verified. */
static inline int app_verified_worse(enum app_verified a, enum app_verified b)
{
    return a == APP_VERIFIED_FALSE || b == APP_VERIFIED_TRUE ? 0 : 1;
}

#endif

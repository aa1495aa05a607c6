/* app/judge/verified.h - the outcome of a check. */
#ifndef APP_VERIFIED_H
#define APP_VERIFIED_H

enum app_verified { APP_VERIFIED_UNKNOWN, APP_VERIFIED_TRUE, APP_VERIFIED_FALSE };

#endif

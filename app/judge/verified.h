/* app/judge/verified.h - the result of a verification. */
#ifndef APP_VERIFIED_H
#define APP_VERIFIED_H

enum app_verified { APP_VERIFIED_UNKNOWN, APP_VERIFIED_TRUE, APP_VERIFIED_FALSE };

#endif

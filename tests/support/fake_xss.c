/* A fake libXss.so.1, which writes the calls of XScreenSaverSuspend to the file FAKE_XSS_LOG. */
#include <stdio.h>
#include <stdlib.h>

void XScreenSaverSuspend(void *display, int suspend);

__attribute__((visibility("default"))) void XScreenSaverSuspend(void *display, int suspend)
{
    const char *path = getenv("FAKE_XSS_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log)
        return;
    fprintf(log, "%s %d\n", display ? "display" : "none", suspend);
    fclose(log);
}

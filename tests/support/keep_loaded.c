/* Keeps libraries loaded until the process ends. Every program of a sanitizer build links it: the
 * leak checker cannot name the frames of a library that is unloaded, so it could not suppress the
 * leaks of a GL driver. */
int dlclose(void *library);

int dlclose(void *library)
{
    (void)library;
    return 0;
}

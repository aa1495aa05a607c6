/* Linked into every program of a sanitizer build: libraries stay loaded to the end. Otherwise the
 * leak checker cannot tell what a GL driver kept, by then unloaded and nameless, from our leaks. */
int dlclose(void *library);

int dlclose(void *library)
{
    (void)library;
    return 0;
}

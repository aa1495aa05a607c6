/* Writes a variable from two threads: a test sees that the thread sanitizer is at work. It may miss
 * two writes at the same instant, so there are many. */
#include <pthread.h>
#include <stddef.h>

static volatile int shared; /* nobody reads it: without volatile, the writes may be left out */

static void *write_shared(void *argument)
{
    for (int i = 0; i < 1000; i++)
        shared = *(const int *)argument;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int one = 1, two = 2;
    if (pthread_create(&thread, NULL, write_shared, &one) != 0)
        return 1;
    write_shared(&two);
    pthread_join(thread, NULL);
    return 0;
}

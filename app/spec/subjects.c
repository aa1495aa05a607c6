/* app/spec/subjects.c - the order of subjects: pages of their own, then topics, then claims. */
#include "spec/subjects.h"

#include <stddef.h>

#define OTHER(ID, name) name,
#define TOPIC(ID, name, what) #name,
#define CLAIM(ID, id, ...) id,
const char *const app_subject_names[] = {APP_SUBJECTS(OTHER) KRN_TOPICS(TOPIC) APP_CLAIMS(CLAIM)
                                             NULL};

#define COUNT_OTHER(ID, name) +1
#define COUNT_TOPIC(ID, name, what) +1
enum { OTHERS = 0 APP_SUBJECTS(COUNT_OTHER), TOPICS = 0 KRN_TOPICS(COUNT_TOPIC) };

int app_subject_topic(enum app_subject subject)
{
    const int topic = (int)subject - OTHERS;
    return topic >= 0 && topic < TOPICS ? topic : -1;
}

int app_subject_claim(enum app_subject subject)
{
    const int claim = (int)subject - OTHERS - TOPICS;
    return claim >= 0 && subject < APP_SUBJECT_COUNT ? claim : -1;
}

enum app_subject app_subject_of_topic(int topic)
{
    return (enum app_subject)(OTHERS + topic);
}

enum app_subject app_subject_of_claim(int claim)
{
    return (enum app_subject)(OTHERS + TOPICS + claim);
}

enum app_subject app_subject_step(enum app_subject subject, int step, unsigned empty)
{
    int at = subject < OTHERS + TOPICS ? (int)subject : 0, topic;
    do {
        at = (at + step + OTHERS + TOPICS) % (OTHERS + TOPICS);
        topic = app_subject_topic((enum app_subject)at);
    } while (at == APP_SUBJECT_ANATOMY || at == APP_SUBJECT_CLASS ||
             (topic >= 0 && (empty >> topic & 1)));
    return (enum app_subject)at;
}

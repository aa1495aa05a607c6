/* app/subjects/subjects.h - what a page of measurements can show: an entry of APP_SUBJECTS, a
 * measured topic, or a published claim; the numbers of all follow in this order.
 */
#ifndef APP_SUBJECTS_H
#define APP_SUBJECTS_H

#include "claims/list.h"

#include "krn/topics.h"

/* X(ID, name): the suffix of the enumerator, and the name in options and records. */
#define APP_SUBJECTS(X)                                                                            \
    X(CLAIMS, "claims")                                                                            \
    X(STORY, "story")                                                                              \
    X(ANATOMY, "anatomy")

#define APP_SUBJECT_OTHER(ID, name) APP_SUBJECT_##ID,
#define APP_SUBJECT_TOPIC(ID, name, what) APP_SUBJECT_TOPIC_##ID,
#define APP_SUBJECT_CLAIM(ID, ...) APP_SUBJECT_CLAIM_##ID,
enum app_subject {
    APP_SUBJECTS(APP_SUBJECT_OTHER) KRN_TOPICS(APP_SUBJECT_TOPIC) APP_CLAIMS(APP_SUBJECT_CLAIM)
        APP_SUBJECT_COUNT
};
#undef APP_SUBJECT_OTHER
#undef APP_SUBJECT_TOPIC
#undef APP_SUBJECT_CLAIM

/* The names of subjects as options and records spell them; NULL follows the last one. */
extern const char *const app_subject_names[APP_SUBJECT_COUNT + 1];

/* Return the number of the topic (enum krn_topic) or of the claim (enum app_claim_id) that the
 * subject is; -1: it is none. */
int app_subject_topic(enum app_subject subject);
int app_subject_claim(enum app_subject subject);

/* Return the subject that shows a topic or a claim. */
enum app_subject app_subject_of_topic(int topic);
enum app_subject app_subject_of_claim(int claim);

/* Returns the next page, or with -1 the previous one, in a circle: the board, the story plot, and
 * the topics that are not in `empty`, a set of bits. */
enum app_subject app_subject_step(enum app_subject subject, int step, unsigned empty);

#endif

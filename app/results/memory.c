#include "results/memory.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
};

/* The kept texts, in a table with open addressing whose size is a power of two. */
struct app_results_memory {
    struct block *blocks;
    const char **texts;   /* NULL: a free place */
    size_t places, count; /* places; those that are taken */
};

struct app_results_memory *app_results_memory_new(void)
{
    return app_alloc(1, sizeof(struct app_results_memory));
}

void app_results_memory_free(struct app_results_memory *memory)
{
    if (memory == NULL)
        return;
    for (struct block *block = memory->blocks; block != NULL;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(memory->texts);
    free(memory);
}

void *app_results_take(struct app_results_memory *memory, size_t count, size_t size)
{
    const size_t head = (sizeof(struct block) + 15) / 16 * 16;
    struct block *block = app_alloc(1, head + count * size);
    block->next = memory->blocks;
    memory->blocks = block;
    return (char *)block + head;
}

/* FNV-1a. */
static size_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the place that holds the text, or the free one where it belongs. NULL: the places where
 * it could be hold others; a file whose texts are chosen so does not take long to read. */
static const char **place_of(const struct app_results_memory *memory, const char *text)
{
    enum { TRIES = 32 };
    const size_t first = hash_of(text);
    for (size_t i = 0; i < TRIES; i++) {
        const char **place = &memory->texts[(first + i) & (memory->places - 1)];
        if (*place == NULL || strcmp(*place, text) == 0)
            return place;
    }
    return NULL;
}

/* Makes sure that less than half of the places are taken. */
static void make_room(struct app_results_memory *memory)
{
    enum { FIRST = 256 };
    if (2 * (memory->count + 1) < memory->places)
        return;
    struct app_results_memory larger = {.places = memory->places > 0 ? 2 * memory->places : FIRST};
    larger.texts = app_alloc(larger.places, sizeof *larger.texts);
    for (size_t i = 0; i < memory->places; i++) {
        const char **place = memory->texts[i] != NULL ? place_of(&larger, memory->texts[i]) : NULL;
        if (place != NULL) {
            *place = memory->texts[i];
            larger.count++;
        }
    }
    free(memory->texts);
    memory->texts = larger.texts;
    memory->places = larger.places;
    memory->count = larger.count;
}

const char *app_results_keep(struct app_results_memory *memory, const char *text)
{
    make_room(memory);
    const char **place = place_of(memory, text);
    if (place != NULL && *place != NULL)
        return *place;
    char *copy = app_results_take(memory, strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text) + 1);
    if (place != NULL) {
        *place = copy;
        memory->count++;
    }
    return copy;
}

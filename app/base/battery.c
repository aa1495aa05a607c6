#include "base/battery.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the first line of folder/name/file into word; "" when the file cannot be read. */
static void read_word(const char *folder, const char *name, const char *file, char *word, int size)
{
    char path[1024];
    word[0] = 0;
    const int n = snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *in = n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
    if (in == NULL)
        return;
    if (fgets(word, size, in) == NULL)
        word[0] = 0;
    word[strcspn(word, "\n")] = 0;
    fclose(in);
}

bool app_on_battery(void)
{
    const char *replacement = getenv("SPHERESCOPE_POWER_SUPPLY");
    const char *folder = replacement && replacement[0] ? replacement : "/sys/class/power_supply";
    DIR *supplies = opendir(folder);
    if (supplies == NULL)
        return false;
    bool mains = false, online = false, discharging = false;
    for (const struct dirent *entry; (entry = readdir(supplies)) != NULL;) {
        char type[32], scope[32], word[32];
        if (entry->d_name[0] == '.')
            continue;
        read_word(folder, entry->d_name, "type", type, sizeof type);
        read_word(folder, entry->d_name, "scope", scope, sizeof scope);
        if (strcmp(type, "Mains") == 0 || strcmp(type, "USB") == 0) {
            read_word(folder, entry->d_name, "online", word, sizeof word);
            mains = true;
            online = online || strcmp(word, "0") > 0;
        } else if (strcmp(type, "Battery") == 0 && strcmp(scope, "Device") != 0) {
            /* scope "Device" marks the battery of a peripheral, such as a mouse */
            read_word(folder, entry->d_name, "status", word, sizeof word);
            discharging = discharging || strcmp(word, "Discharging") == 0;
        }
    }
    closedir(supplies);
    return discharging && !(mains && online);
}

bool app_battery_at(struct app_battery *battery, double now_s)
{
    const double every_s = 10.0;
    if (!battery->looked || now_s - battery->looked_s > every_s)
        *battery = (struct app_battery){true, app_on_battery(), now_s};
    return battery->on_battery;
}

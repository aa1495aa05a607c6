/* The brute kernel: every ray against every sphere, in packets of neighbouring rays. The spheres
 * are read in chunks that stay in the nearest cache while all packets of a tile go through them. */
#include "cpu/light/rays.h"

enum { GROUP = KRN_CPU_LIGHT_GROUP, CHUNK = 512 };

void KRN_LEVEL(krn_cpu_brute_nearest)(const struct krn_cpu_light_picture *picture,
                                      struct krn_cpu_rays *rays)
{
    const struct krn_ball *balls = picture->scene.balls;
    const int count = picture->scene.count;
    const float nearest = picture->frame.nearest, slack = picture->frame.slack;
    for (int first = 0; first < count && !krn_cancelled(); first += CHUNK) {
        const int end = first + CHUNK < count ? first + CHUNK : count;
        for (int at = 0; at < rays->count; at += KRN_CPU_LANES)
            for (int s = first; s < end; s += GROUP) {
                if (!krn_cpu_packet_hits(rays, at, balls + s, GROUP, slack))
                    continue;
                for (int i = s; i < s + GROUP; i++)
                    krn_cpu_test_packet(rays, at, balls[i], i, nearest, slack);
            }
    }
}

void KRN_LEVEL(krn_cpu_brute_shadows)(const struct krn_cpu_light_picture *picture,
                                      struct krn_cpu_shadows *shadows)
{
    const struct krn_ball *balls = picture->scene.sun_balls;
    const int count = picture->scene.count;
    for (int first = 0; first < count && !krn_cancelled(); first += CHUNK) {
        const int end = first + CHUNK < count ? first + CHUNK : count;
        for (int at = 0; at < shadows->count; at += KRN_CPU_LANES) {
            enum { SPHERES_PER_CHECK = 64 }; /* spheres between two checks of what is hidden */
            for (int s = first; s < end && !krn_cpu_all_hidden(shadows, at); s += SPHERES_PER_CHECK)
                for (int i = s; i < end && i < s + SPHERES_PER_CHECK; i += GROUP)
                    krn_cpu_hide_packet(shadows, at, balls + i, GROUP);
        }
    }
}

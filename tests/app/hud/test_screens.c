/* Every screen, by machine: its texts are inside the window, whole, apart, few and large enough for
 * the last row; the picture stays free; and what has to be said is there. */
#include "frames.h"
#include "huds.h"
#include "panel_boards.h"
#include "screens.h"
#include "story_boards.h"

#include "hud/parts.h"
#include "model/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static const struct krn_device_info gpu = {.backend = KRN_BACKEND_CUDA,
                                           .name = "NVIDIA H100 80GB HBM3",
                                           .can = {.noun = "GPU", .warps = true}};
static const struct krn_device_info host = {.backend = KRN_BACKEND_CPU,
                                            .name = "AMD Ryzen Threadripper PRO 7995WX",
                                            .can = {.noun = "CPU", .host_processors = true}};

/* What a screen shows; the functions below fill it in. */
struct shown {
    struct app_state state;
    struct app_hud hud;
    struct board *board;
    struct krn_duel_result duel;
};

static struct board *made[sizeof boards / sizeof *boards];
static struct app_story_view *stories[KINDS];
static struct app_anatomy_view anatomies[FRAMES_KINDS];

static int make_all(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        made[i] = test_alloc(sizeof *made[i]);
        boards[i].fill(made[i]);
    }
    for (int kind = 0; kind < KINDS; kind++)
        stories[kind] = story_board_of((enum kind)kind);
    for (int kind = 0; kind < FRAMES_KINDS; kind++)
        anatomies[kind] = frames_of((enum frames_kind)kind);
    return 0;
}

static int free_all(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        free(made[i]);
    for (int kind = 0; kind < KINDS; kind++)
        story_board_free(stories[kind]);
    return 0;
}

static void time_side(struct shown *shown, int side, struct krn_mode mode, double ms)
{
    const struct krn_series series = hud_series(0.99 * ms, ms, 1.02 * ms);
    shown->hud.now[side] = hud_time(shown->state.spec.backend, mode, &series);
}

/* A GPU from global memory, with the bar of constant memory. */
static void start(struct shown *shown)
{
    time_side(shown, 0, shown->state.spec.mode, 0.0214);
    shown->hud.storages[KRN_STORAGE_GLOBAL] = app_estimate_plain(0.0214);
}

static void first(struct shown *shown)
{
    (void)shown; /* no time yet */
}

static void fallback(struct shown *shown)
{
    shown->hud.device = &host;
    shown->hud.fallback_reason = "No NVIDIA GPU was found.";
    time_side(shown, 0, shown->state.spec.mode, 998.0);
}

static void compare(struct shown *shown, double ratio, double low, double high,
                    enum app_verdict verdict, unsigned trust)
{
    start(shown);
    const struct krn_mode before = {KRN_KERNEL_BOOK, KRN_STORAGE_READONLY, 1};
    const struct krn_series series = hud_series(0.02, 0.021, 0.022);
    shown->hud.before = hud_time(shown->state.spec.backend, before, &series);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        shown->hud.storages[s] = app_estimate_plain(0.0214 + 0.002 * s);
    shown->hud.comparison = (struct app_comparison){.ratio = {.valid = true,
                                                              .has_interval = low > 0.0,
                                                              .value = ratio,
                                                              .low = low,
                                                              .high = high,
                                                              .trust = trust},
                                                    .verdict = verdict};
}

static void faster(struct shown *shown)
{
    compare(shown, 1.203, 1.197, 1.209, APP_VERDICT_FASTER, 0);
}

static void slower(struct shown *shown)
{
    compare(shown, 0.083, 0.082, 0.084, APP_VERDICT_SLOWER, 0);
}

static void same(struct shown *shown)
{
    compare(shown, 1.001, 0.997, 1.004, APP_VERDICT_SAME, 0);
}

static void settling(struct shown *shown)
{
    compare(shown, 1.07, 0.95, 1.2, APP_VERDICT_CANT_TELL, 0);
}

static void throttled(struct shown *shown)
{
    compare(shown, 1.203, 1.197, 1.209, APP_VERDICT_FASTER, APP_TRUST_BIT(APP_TRUST_THROTTLED));
    shown->hud.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
}

static void unverified(struct shown *shown)
{
    compare(shown, 1.203, 1.197, 1.209, APP_VERDICT_FASTER, APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED));
}

static void strip(struct shown *shown)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_READONLY, 16};
    compare(shown, 12.3, 12.2, 12.4, APP_VERDICT_FASTER, 0);
    time_side(shown, 0, shown->state.spec.mode, 0.00179);
    shown->hud.before.backend = KRN_BACKEND_CPU;
}

/* A time with as many digits as one can have. */
static void longest(struct shown *shown)
{
    shown->hud.time_like_ms = 1.0;
    time_side(shown, 0, shown->state.spec.mode, 0.7471);
    shown->hud.storages[KRN_STORAGE_GLOBAL] = app_estimate_plain(0.7471);
}

static void light(struct shown *shown)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_CONSTANT, 1};
    start(shown);
}

static void held(struct shown *shown)
{
    shown->state.look.hold = true;
    faster(shown);
}

static void recorded(struct shown *shown)
{
    faster(shown);
    shown->hud.recorded = h200();
    shown->hud.now[0].recorded = true;
}

static void unrecorded(struct shown *shown)
{
    shown->hud.recorded = h200();
    shown->hud.now[0].recorded = true;
    snprintf(shown->hud.now[0].missing, sizeof shown->hud.now[0].missing,
             "not recorded: this camera, its bounces or these radii");
}

static void fight(struct shown *shown, double ratio, double half, enum krn_ratio_verdict verdict)
{
    shown->state.spec.duel.on = true;
    shown->state.spec.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    shown->hud.sides = 2;
    time_side(shown, 0, shown->state.spec.mode, 0.0214);
    time_side(shown, 1, shown->state.spec.duel.other, 0.0214 * ratio);
    shown->duel = (struct krn_duel_result){.pairs = 400,
                                           .blocks = 40,
                                           .block_pairs = 10,
                                           .valid = half > 0.0,
                                           .ratio = ratio,
                                           .low = ratio - half,
                                           .high = ratio + half,
                                           .so_far = verdict,
                                           .verdict = verdict};
    shown->hud.duel = &shown->duel;
    shown->hud.comparison = app_comparison_of_duel(shown->hud.duel, 0.0214, 0.0214 * ratio);
}

static void duel(struct shown *shown)
{
    fight(shown, 1.21, 0.002, KRN_RATIO_FASTER);
}

static void duel_settling(struct shown *shown)
{
    fight(shown, 1.03, 0.06, KRN_RATIO_CANNOT_TELL);
}

static void duel_same(struct shown *shown)
{
    fight(shown, 1.001, 0.003, KRN_RATIO_SAME);
}

static void duel_long(struct shown *shown)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_READONLY, 16};
    fight(shown, 12.1, 0.1, KRN_RATIO_FASTER);
    shown->hud.recorded = h200();
    shown->hud.now[0].recorded = shown->hud.now[1].recorded = true;
}

/* What other programs do to a CPU's times stands beside each of them. */
static void busy(struct shown *shown)
{
    fallback(shown);
    shown->hud.now[0].median.trust =
        APP_TRUST_BIT(APP_TRUST_CORES_BUSY) | APP_TRUST_BIT(APP_TRUST_WANDERING);
}

static void wandering(struct shown *shown)
{
    fallback(shown);
    shown->hud.now[0].median.trust = APP_TRUST_BIT(APP_TRUST_WANDERING);
}

static void duel_busy(struct shown *shown)
{
    fallback(shown);
    duel(shown);
    shown->hud.now[1].median.trust = APP_TRUST_BIT(APP_TRUST_CORES_BUSY);
}

static void heat(struct shown *shown)
{
    static struct app_heat map = {.valid = true,
                                  .quantity = KRN_HEAT_TESTS,
                                  .scale = 20,
                                  .costs = {.least = 0, .mean = 2.18, .most = 14},
                                  .at = {true, 1001, 1020, 14, 0.0}};
    start(shown);
    shown->state.look.heat = KRN_HEAT_TESTS;
    shown->hud.heat = &map;
}

static void details(struct shown *shown)
{
    static struct krn_property properties[KRN_PROPERTIES_MAX];
    strip(shown);
    shown->state.look.details = true;
    shown->hud.properties = properties;
    shown->hud.trust = ~0u >> (32 - APP_TRUST_COUNT);
}

static void code(struct shown *shown)
{
    start(shown);
    shown->state.look.code = true;
}

static void code_strip(struct shown *shown)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_TEXTURE, 16};
    code(shown);
}

static void code_caption(struct shown *shown)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, 1};
    code(shown);
}

static void code_duel(struct shown *shown)
{
    duel(shown);
    shown->state.look.code = true;
}

/* Of two kernels with few common lines. */
static void code_duel_long(struct shown *shown)
{
    code_duel(shown);
    shown->state.spec.mode.storage = KRN_STORAGE_SHARED;
    shown->state.spec.duel.other = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_READONLY, 16};
}

/* A file of one's own. */
static const char own_source[] = "#include \"spherescope.h\"\n\n"
                                 "extern \"C\" __global__ void own(const sphere *s, frame f)\n{\n"
                                 "    float red = 0\n}\n";
static struct app_mine_status own_file(bool ready, bool fault, const char *text)
{
    struct app_mine_status mine = {
        .ready = ready, .file = "own.cu", .fault = fault, .source = own_source};
    snprintf(mine.text, sizeof mine.text, "%s", text);
    return mine;
}

static void show_own(struct shown *shown, const struct app_mine_status *mine)
{
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    time_side(shown, 0, shown->state.spec.mode, 0.0083);
    shown->hud.now[0].of_limit.times = 2.8;
    shown->hud.storages[KRN_STORAGE_GLOBAL] = app_estimate_plain(0.0214);
    shown->hud.mine = mine;
}

static void own_same(struct shown *shown)
{
    static struct app_mine_status mine;
    mine = own_file(true, false, "own.cu: the same picture as the book's kernel");
    show_own(shown, &mine);
}

static void own_rounded(struct shown *shown)
{
    static struct app_mine_status mine;
    mine = own_file(true, false, "own.cu: right, 12345 of 1118839 pixels rounded otherwise");
    mine.numbers.rounded = 12345;
    show_own(shown, &mine);
}

static void own_faster(struct shown *shown)
{
    faster(shown);
    own_same(shown);
}

static void own_line(struct shown *shown)
{
    static struct app_mine_status mine;
    mine =
        own_file(true, true, "own.cu, line 5: expected ',' or ';' before '}' token: float red = 0");
    mine.numbers.line = 5;
    show_own(shown, &mine);
    shown->hud.notice = mine.text;
}

static void own_first(struct shown *shown)
{
    static struct app_mine_status mine;
    mine = own_file(false, true, "own.cu is empty.");
    start(shown);
    shown->hud.mine = &mine;
    shown->hud.notice = mine.text;
}

/* What is not on screen does not stay over the show. */
static void own_gone(struct shown *shown)
{
    own_first(shown);
    shown->hud.notice = "";
}

static void own_wrong(struct shown *shown)
{
    static struct app_mine_status mine;
    mine = own_file(true, true,
                    "own.cu renders 118839 of 1024x1024 pixels wrong, the first at (412, 3): "
                    "expected 255 128 40 255, got 200 100 31 255.");
    mine.numbers.verdict = (struct krn_verdict){.compared = 1048576,
                                                .wrong = 118839,
                                                .first_x = 412,
                                                .first_y = 3,
                                                .expected = {255, 128, 40, 255},
                                                .actual = {200, 100, 31, 255}};
    show_own(shown, &mine);
}

/* The version on screen is wrong with this scene. */
static void own_wrong_here(struct shown *shown)
{
    own_same(shown);
    shown->hud.now[0].verified = shown->hud.verified.verified = APP_VERIFIED_FALSE;
    snprintf(shown->hud.verified.text, sizeof shown->hud.verified.text,
             "9 of 1048576 pixels are wrong, first (1, 2): expected 1 2 3, got 4 5 6");
    shown->hud.verified.verdict = (struct krn_verdict){.compared = 1048576,
                                                       .wrong = 9,
                                                       .first_x = 1,
                                                       .first_y = 2,
                                                       .expected = {1, 2, 3, 255},
                                                       .actual = {4, 5, 6, 255}};
}

static void own_duel(struct shown *shown)
{
    duel(shown);
    own_rounded(shown);
    shown->state.spec.duel.other.storage = KRN_STORAGE_GLOBAL;
    shown->hud.now[1].mode = shown->state.spec.duel.other;
}

/* A file of one's own, longer than a screen shows, of which the newest version does not run. */
static void code_fault(struct shown *shown)
{
    own_line(shown);
    shown->state.look.code = true;
}

static void code_mine(struct shown *shown)
{
    static struct app_mine_status mine = {.file = "own.cu",
                                          .fault = true,
                                          .numbers.line = 4,
                                          .text = "own.cu, line 4: expected \";\": first0 first1"};
    static char text[2048] = "/* a __global__ */\nextern \"C\" __global__ void own(\n{\n";
    for (int i = 0; !mine.source && i < 40; i++)
        sprintf(text + strlen(text), "%s%d;\r\n", i == 0 ? "\tfirst" : "    next", i);
    mine.source = strcat(text, mine.source ? "" : "}\nnot in the kernel\n");
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    code(shown);
    shown->hud.mine = &mine;
}

/* One long line leaves all others their size. */
static void code_long(struct shown *shown)
{
    static struct app_mine_status mine = {.file = "own.cu", .ready = true};
    static char text[1024] =
        "extern \"C\" __global__ void own(\n{\n    int line_of_usual_length;\n";
    for (int i = 0; !mine.source && i < 30; i++)
        strcat(text, "/* a long line */ ");
    mine.source = strcat(text, mine.source ? "" : "the end\n}\n");
    shown->state.spec.mode = (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    code(shown);
    shown->hud.mine = &mine;
}

static void help(struct shown *shown)
{
    start(shown);
    shown->state.look.help = true;
}

/* The screens without a page. */
enum { BLOCK = 1, SMALL = 2 }; /* BLOCK: the picture stays free; SMALL: type of details */
static const struct shot {
    const char *name;
    void (*fill)(struct shown *shown);
    int words; /* at most */
    int kind;
    const char *says; /* a text that has to be there; NULL: none */
} shots[] = {
    {"start", start, 40, BLOCK, "on NVIDIA H100"},
    {"first", first, 40, BLOCK, "GLOBAL"},
    {"fallback", fallback, 40, BLOCK, "CPU in a GPU's place"},
    {"faster", faster, 40, BLOCK, "is 20 % faster"},
    {"slower", slower, 40, BLOCK, "is 12× faster"},
    {"same", same, 40, BLOCK, ": the same"},
    {"settling", settling, 40, BLOCK, "settling"},
    {"throttled", throttled, 40, BLOCK, "do not quote"},
    {"unverified", unverified, 40, BLOCK, "not verified"},
    {"strip", strip, 40, BLOCK, "is 12× faster"},
    {"longest", longest, 40, BLOCK, "0.747"},
    {"light", light, 40, BLOCK, "CONSTANT"},
    {"held", held, 40, 0, "HELD"},
    {"recorded", recorded, 40, BLOCK, "recorded, "},
    {"unrecorded", unrecorded, 40, BLOCK, "not recorded"},
    {"duel", duel, 40, 0, "is 21 % faster"},
    {"duel_settling", duel_settling, 40, 0, "settling"},
    {"duel_same", duel_same, 40, 0, "the same"},
    {"duel_long", duel_long, 40, 0, "is 12× faster"},
    {"busy", busy, 40, BLOCK, "busy cores"},
    {"wandering", wandering, 40, BLOCK, "wandering"},
    {"duel_busy", duel_busy, 40, 0, "busy cores"},
    {"heat", heat, 40, 0, "2.18 tests a "},
    {"details", details, 999, SMALL, "What the numbers rest on"},
    {"own_same", own_same, 40, BLOCK, "same picture as the book's kernel"},
    {"own_rounded", own_rounded, 40, BLOCK, "2.80× the limit"},
    {"own_faster", own_faster, 40, BLOCK, "is 20 % faster"},
    {"own_line", own_line, 40, 0, "float red = 0"},
    {"own_first", own_first, 40, 0, "No version of it runs yet."},
    {"own_gone", own_gone, 40, BLOCK, "on NVIDIA H100"},
    {"own_wrong", own_wrong, 40, 0, "got 200 100 31 255"},
    {"own_wrong_here", own_wrong_here, 40, 0, "expected 1 2 3 255"},
    {"own_duel", own_duel, 40, 0, "2.80× limit"},
    {"code", code, 60, 0, "hit(ray, s[n]);"},
    {"code_strip", code_strip, 80, 0, "Shortened, from global memory; the time"},
    {"code_caption", code_caption, 60, 0, "each number of a sphere is a texel"},
    {"code_duel", code_duel, 70, 0, "__constant__ sphere scene[2340];"},
    {"code_duel_long", code_duel_long, 130, 0, "stage(tile, &s[n], f.count - n);"},
    {"code_fault", code_fault, 60, 0, "line 5: expected"},
    {"code_mine", code_mine, 60, SMALL, "19 more lines"},
    {"code_long", code_long, 60, SMALL, "int line_of_usual_length;"},
    {"help", help, 999, SMALL, "compare two of them"},
};

/* Returns the number of words on the screen: what has a letter and no digit. */
static int words_of(const struct seen *seen)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++) {
        bool letter = false, digit = false;
        for (const char *at = seen->words[t];; at++) {
            letter = letter || isalpha((unsigned char)*at);
            digit = digit || isdigit((unsigned char)*at);
            if (*at != ' ' && *at != 0)
                continue;
            count += letter && !digit;
            letter = digit = false;
            if (*at == 0)
                break;
        }
    }
    return count;
}

/* Returns the part of the picture that no card covers. */
static float uncovered(const struct seen *seen)
{
    enum { STEPS = 64 };
    const struct ren_rect pane = screen.layout.pane;
    int count = 0;
    for (int i = 0; i < STEPS * STEPS; i++) {
        const struct ren_rect at = {pane.x + pane.w * ((float)(i % STEPS) + 0.5f) / STEPS,
                                    pane.y + pane.h * ((float)(i / STEPS) + 0.5f) / STEPS, 0, 0};
        bool covered = false;
        for (int c = 0; c < seen->card_count && !covered; c++)
            covered = inside(at, seen->cards[c], 0.0f);
        count += !covered;
    }
    return (float)count / (STEPS * STEPS);
}

/* Checks what every screen has to keep. */
static void check(const struct shot *shot)
{
    const struct seen *seen = &screen.seen;
    const struct ren_metrics face = ren_face_metrics(renderer, REN_FACE_SANS);
    const struct ren_rect whole = {0, 0, (float)screen.width, (float)screen.height};
    const float high = fminf(whole.h, 0.75f * whole.w), slack = 0.98f,
                least = slack * high * (shot->kind & SMALL ? 0.0135f : 0.022f);
    for (int t = 0; t < seen->text_count; t++) {
        const char *word = seen->words[t];
        const size_t length = strlen(word);
        /* Of the font that the type was chosen for. */
        const float capitals = seen->texts[t].h / (face.cap_height + 0.5f * face.descent) * 0.727f;
        if (!inside(seen->texts[t], whole, 0.5f))
            screen_error("outside:", word);
        if (capitals < least && !(shot->kind & SMALL))
            screen_error("too small:", word);
        if (length >= 3 && strcmp(word + length - 3, "…") == 0 && !(shot->kind & SMALL))
            screen_error("cut:", word);
        for (int o = 0; o < t && !screen.hud->state->look.help && !screen.hud->state->look.details;
             o++)
            if (overlap(seen->texts[t], seen->texts[o], 0.8f * screen.layout.unit)) {
                screen_error(word, seen->words[o]);
                screen_error("overlap:", word);
            }
    }
    if (words_of(seen) > shot->words) {
        char count[32];
        snprintf(count, sizeof count, "%d words", words_of(seen));
        screen_error("too many:", count);
    }
    if (shot->says)
        screen_must(shot->says, true);
}

/* Draws a screen and checks it. */
static void draw(struct shown *shown, const struct shot *shot, float content_scale)
{
    char name[128];
    snprintf(name, sizeof name, "%.96s_%d_%d", shot->name,
             (int)lrint(100.0 * shown->state.look.hud_scale), (int)lrintf(10.0f * content_scale));
    screen.layout = app_layout_make(&shown->state, screen.width, screen.height, content_scale);
    screen_frame(shown->state.look.theme, screen.layout.unit, name);
    screen.hud = &shown->hud;
    shown->hud.witness = &screen.witness;
    app_hud_draw(renderer, screen.list, &screen.layout, &shown->hud);
    check(shot);
    const double usual =
        shown->state.look.hud_scale * (double)app_theme_scale(shown->state.look.theme);
    if (shot->kind & BLOCK && usual <= 1.0 && 5 * screen.width >= 8 * screen.height &&
        uncovered(&screen.seen) < 0.8f)
        screen_error("the picture", "is covered");
}

static struct shown shown_of(const struct app_state *state)
{
    struct shown shown = {.state = *state};
    shown.state.spec.backend = KRN_BACKEND_CUDA;
    return shown;
}

static const double scales[] = {1.0, 1.5, 2.0};

TEST(test_screens)
{
    struct app_state state = app_state_default();
    for (int i = 0; screen_at(i, &state); i++)
        for (size_t s = 0; s < sizeof shots / sizeof *shots; s++)
            for (size_t scale = 0; scale < (screen.every ? 3 : 2); scale++) {
                struct shown shown = shown_of(&state);
                shown.state.look.hud_scale = scales[scale];
                shown.hud = hud_of(&shown.state, &gpu);
                shots[s].fill(&shown);
                draw(&shown, &shots[s], (float)scales[scale]);
            }
    screens_done();
}

/* A picture without a window has no key hints. The details of a recorded time are headed by its
 * device, not by the one that renders. */
TEST(test_stills)
{
    static const struct shot shot = {"still", NULL, 999, SMALL, NULL};
    struct app_state state = app_state_default();
    for (int i = 0; screen_at(i, &state); i++)
        for (int open = 0; open < 2; open++) {
            struct shown shown = shown_of(&state);
            shown.hud = hud_of(&shown.state, &gpu);
            if (open)
                details(&shown);
            recorded(&shown);
            shown.hud.still = true;
            draw(&shown, &shot, 1.0f);
            screen_must("help", false);
            screen_must("closes", false);
            screen_must("rest on: NVIDIA H100", false);
            screen_must("rest on", open == 1);
        }
    screens_done();
}

/* Every page with every board, beside the picture and in the whole window. */
TEST(test_pages)
{
    struct app_state state = app_state_default();
    for (int i = 0; screen_at(i, &state); i++)
        for (int page = 0; page < APP_SUBJECT_COUNT; page++)
            for (int b = 0; b < (screen.every ? (int)(sizeof boards / sizeof *boards) : 3); b++)
                for (int full = 0; full < 2; full++) {
                    const enum app_subject subject = (enum app_subject)page;
                    char name[96];
                    snprintf(name, sizeof name, "%s_%s_%s", app_subject_names[page], boards[b].name,
                             full ? "full" : "compact");
                    const struct shot shot = {name, NULL, page == APP_SUBJECT_CLAIMS ? 170 : 80, 0,
                                              NULL};
                    struct shown shown = shown_of(&state);
                    shown.state.look.page = subject;
                    shown.state.look.panels = full ? APP_PANELS_FULL : APP_PANELS_COMPACT;
                    shown.hud = hud_of(&shown.state, &made[b]->device);
                    start(&shown);
                    shown.hud.panels = &made[b]->view;
                    shown.hud.recorded = made[b]->recorded;
                    shown.hud.story = stories[b % KINDS];
                    shown.hud.anatomy = &anatomies[b % FRAMES_KINDS];
                    draw(&shown, &shot, 1.0f);
                    if (boards[b].fill != fill_gpu)
                        continue;
                    /* The board has every claim, and names no side that is not decided. */
                    for (int c = 0; c < APP_CLAIM_COUNT && subject == APP_SUBJECT_CLAIMS; c++) {
                        const struct app_claim *row = &made[b]->claims[c];
                        if (seen_count(&screen.seen, row->of->claim) == 0)
                            screen_must(row->of->shorter, app_verdict_is_judged(row->now.verdict));
                    }
                    if (full && (subject == APP_SUBJECT_CLAIMS ||
                                 subject == APP_SUBJECT_CLAIM_CONSTANT_WINDOW))
                        screen_must("× slower to ", true);
                }
    screens_done();
}

/* A board of too few processes has its numbers, and says why nothing is judged. */
TEST(test_few_processes)
{
    struct app_state state = app_state_default();
    size_t few = 0;
    while (boards[few].fill != fill_few)
        few++;
    const enum app_subject subjects[] = {APP_SUBJECT_CLAIMS, APP_SUBJECT_CLAIM_ACCESS};
    for (int i = 0; screen_at(i, &state); i++)
        for (int s = 0; s < 2; s++) {
            const struct shot shot = {s == 0 ? "board_of_few" : "claim_of_few", NULL, 150, 0,
                                      "2 processes"};
            struct shown shown = shown_of(&state);
            shown.state.look.page = subjects[s];
            shown.state.look.panels = APP_PANELS_FULL;
            shown.hud = hud_of(&shown.state, &made[few]->device);
            start(&shown);
            shown.hud.panels = &made[few]->view;
            draw(&shown, &shot, 1.0f);
            if (s == 1) /* a narrow board has no numbers */
                screen_must(made[few]->claims[APP_CLAIM_ACCESS].now.text, true);
            screen_must("hold", false);
        }
    screens_done();
}

/* On a CPU, a recorded GPU stands in on the pages of what measures a GPU, and says so. */
TEST(test_recorded_stands_in)
{
    size_t board = 0;
    while (boards[board].fill != fill_recorded)
        board++;
    struct app_state state = app_state_default();
    for (int i = 0; screen_at(i, &state); i++)
        for (int page = 0; page < APP_SUBJECT_COUNT; page++) {
            const struct shot shot = {"stands_in", NULL, 60, 0, NULL};
            const enum app_subject subject = (enum app_subject)page;
            const int claim = app_subject_claim(subject);
            const int topic = claim >= 0 ? (int)app_claim_entry_of((enum app_claim_id)claim)->topic
                                         : app_subject_topic(subject);
            struct shown shown = shown_of(&state);
            shown.state.look.page = subject;
            shown.state.look.panels = APP_PANELS_FULL;
            shown.hud = hud_of(&shown.state, &made[board]->device);
            start(&shown);
            shown.hud.panels = &made[board]->view;
            shown.hud.recorded = made[board]->recorded;
            draw(&shown, &shot, 1.0f);
            if (topic >= 0 && topic != KRN_TOPIC_BANKS &&
                topic != KRN_TOPIC_WHERE) /* newer than the run */
                screen_must("recorded, NVIDIA H200",
                            !(KRN_TOPICS_CPU >> topic & 1) &&
                                (claim < 0 || topic != KRN_TOPIC_CONSTANT));
        }
    screens_done();
}

/* The story plot has the user's kernel where its picture is the plot's. */
TEST(test_story_of_mine)
{
    static const struct {
        int width;
        bool other_scene, wrong, named, hinted;
    } cases[] = {{1024, false, false, true, false},
                 {1280, false, false, false, true},
                 {1024, true, false, false, false},
                 {1024, false, true, false, false}};
    struct app_state state = app_state_default();
    for (int i = 0; screen_at(i, &state); i++)
        for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
            const struct shot shot = {"story_of_mine", NULL, 60, 0, NULL};
            struct shown shown = shown_of(&state);
            shown.state.look.page = APP_SUBJECT_STORY;
            shown.state.look.panels = APP_PANELS_FULL;
            shown.state.spec.recipe.count = 50;
            shown.state.spec.recipe.seed += cases[at].other_scene;
            shown.state.spec.width = cases[at].width;
            shown.hud = hud_of(&shown.state, &gpu);
            own_same(&shown);
            if (cases[at].wrong)
                shown.hud.now[0].median.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
            shown.hud.story = stories[COMPLETE];
            draw(&shown, &shot, 1.0f);
            screen_must("own.cu", cases[at].named);
            screen_must("your kernel in the plot's size", cases[at].hinted);
        }
    screens_done();
}

/* A folder's kernels, some with a sentence, the last two waiting: the first rows stay, and every
 * one is on screen in one of the turns. */
TEST(test_class)
{
    static struct app_class_row rows[APP_CLASS_MAX], book;
    static const struct krn_mode own = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    static const int counts[] = {0, 5, 40, APP_CLASS_MAX};
    static const struct krn_device_info cpu = {
        .backend = KRN_BACKEND_CPU, .can.host_processors = true, .name = "A CPU"};
    struct app_class_view view = {.faster = 3, .rows = {&book}};
    struct app_state state = app_state_default();
    snprintf(book.file, sizeof book.file, "the book's kernel");
    book.time.median = app_estimate_plain(0.0214);
    book.speed = app_estimate_plain(1.0);
    for (int i = 0; i < APP_CLASS_MAX; i++) {
        const double ms = 0.005 + 0.001 * i, speed = 0.0214 / ms;
        const struct krn_series series = hud_series(0.9 * ms, ms, 1.1 * ms);
        rows[i] = (struct app_class_row){.rank = i + 1};
        snprintf(rows[i].file, sizeof rows[i].file, i == 2 ? "longer-team-name.cu" : "team%d.cu",
                 i);
        rows[i].time = hud_time(KRN_BACKEND_CUDA, own, &series);
        rows[i].time.of_limit.times = 2.8 + i;
        rows[i].speed = (struct app_estimate){.valid = i % 10 != 4,
                                              .has_interval = true,
                                              .value = speed,
                                              .low = 0.97 * speed,
                                              .high = 1.04 * speed};
        view.rows[1 + i] = &rows[i];
        if (rows[i].speed.valid)
            continue;
        rows[i].rank = 0;
        rows[i].waits = i == 4;
        snprintf(rows[i].why, sizeof rows[i].why, "%s",
                 i == 4 ? ""
                        : "line 4: a long sentence, perhaps longer than its line has room for");
    }
    state.look.page = APP_SUBJECT_CLASS;
    for (int i = 0; screen_at(i, &state); i++)
        for (int n = 0; n < 8; n++) {
            bool seen[APP_CLASS_MAX] = {false};
            view.count = counts[n / 2];
            for (view.turn = 0; view.turn < 20; view.turn++) {
                char name[64];
                snprintf(name, sizeof name, "class_%d_%d_%u", view.count, n % 2, view.turn);
                const struct shot shot = {name, NULL, 150, 0,
                                          view.count ? "kernels beat the book's" : "No kernel is"};
                struct shown shown = shown_of(&state);
                shown.state.look.panels = n % 2 ? APP_PANELS_FULL : APP_PANELS_COMPACT;
                shown.hud = hud_of(&shown.state, n == 5 ? &cpu : &gpu);
                start(&shown);
                shown.hud.class_board = &view;
                view.waiting = n == 4 ? 2 : 0;
                view.trust = n == 3 ? APP_TRUST_BIT(APP_TRUST_CORES_BUSY) : 0;
                draw(&shown, &shot, 1.0f);
                screen_must("team0.cu", view.count > 0);
                screen_must("the book's kernel", view.count > 0);
                screen_must("busy cores", n == 3);
                screen_must(n == 4 ? "testing 39 of 40" : "all are tested", view.count > 0);
                if (i == 0) /* where it has room */
                    screen_must("rows 1 to 3 and 4 to 11; on A CPU, where the book's kernel",
                                n == 5 && view.turn % 5 == 0);
                for (int k = 0; k < view.count; k++)
                    seen[k] = seen[k] || seen_count(&screen.seen, rows[k].file) > 0;
            }
            for (int k = 0; k < view.count; k++)
                if (!seen[k])
                    screen_error("never shown:", rows[k].file);
        }
    screens_done();
}

/* What is wrong with a kernel, in parts. */
TEST(test_faults)
{
    static const struct {
        const char *text;
        int line;
        size_t wrong;
        const char *title, *message, *code;
    } cases[] = {
        {"own.cu, line 5: expected ';': float red = 0", 5, 0, "own.cu, line 5", "expected ';'",
         "float red = 0"},
        {"own.cu, line 3: odd: extern \"C\" __global__ void own(const sphere *s,", 3, 0,
         "own.cu, line 3", "odd", "extern \"C\" __global__ void own(const sphere *s, frame f)"},
        {"own.cu, line 9: MINE_PIXELS is 1 to 64: ", 9, 0, "own.cu, line 9",
         "MINE_PIXELS is 1 to 64: ", ""},
        {"own.cu is empty.", 0, 0, "own.cu", "is empty.", ""},
        {"own.cu: right", 0, 0, "own.cu", "right", ""},
        {"A kernel file needs NVRTC.", 0, 0, "own.cu", "A kernel file needs NVRTC.", ""},
        {"own.cu renders 3 of 9x9 pixels wrong.", 0, 3, "own.cu",
         "3 of 81 pixels are wrong, the first at (1, 2)", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_mine_status mine = own_file(true, true, cases[i].text);
        const struct app_hud hud = {.mine = &mine};
        struct app_mine_fault fault;
        mine.numbers.line = cases[i].line;
        mine.numbers.verdict = (struct krn_verdict){
            .compared = 81, .wrong = cases[i].wrong, .first_x = 1, .first_y = 2};
        app_hud_mine_fault(&hud, &fault);
        assert_string_equal(fault.title, cases[i].title);
        assert_string_equal(fault.message, cases[i].message);
        assert_string_equal(fault.code, cases[i].code);
    }
}

/* A mode is named by what tells it from the other one. */
TEST(test_names)
{
    static const struct {
        struct krn_mode a, b;
        const char *name;
    } cases[] = {
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
         "BOOK"},
        {{KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
         {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 16},
         "STRIP 8"},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "GLOBAL"},
        {{KRN_KERNEL_STRIP, KRN_STORAGE_TEXTURE, 4},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "TEXTURE STRIP 4"},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "SHARED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        app_hud_name(cases[i].a, cases[i].b, name, sizeof name);
        assert_string_equal(name, cases[i].name);
    }
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, make_all, free_all);
}

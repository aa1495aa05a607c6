/* app/command/command_table.c - the command table, in the order of help. */
#include "command/entry.h"

#include "spec/state.h"

#include "krn/duel.h"

#include <limits.h>
#include <string.h>

static bool are_modes(const char *text)
{
    struct krn_mode modes[2];
    int backends[2];
    return app_modes_parse(text, modes, backends);
}

static bool is_camera(const char *text)
{
    struct krn_camera camera;
    return app_camera_parse(text, &camera);
}

static bool is_guess(const char *text)
{
    return ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') && text[1] == 0;
}

/* Browsers lend a GPU to pages of https alone. */
static bool is_url(const char *text)
{
    static const char begins[] = "https://";
    const size_t length = strlen(text);
    for (const char *at = text; *at != 0; at++)
        if (*at <= ' ' || *at > '~')
            return false;
    return strncmp(text, begins, strlen(begins)) == 0 && length > strlen(begins) &&
           length < APP_PAGE_URL_MAX;
}

/* Each entry of the table is one paragraph. */
/* clang-format off */

#define STATE(field) .place = APP_PLACE_STATE, .offset = offsetof(struct app_state, field)
#define RUN(field) .place = APP_PLACE_RUN, .offset = offsetof(struct app_run, field)
#define GIVEN(field) .given = offsetof(struct app_run, field)
#define CHANGE(name) .change = app_change_##name
#define SHOW(name) .show = app_show_##name
/* A field of the state that records keep, under this key. */
#define KEPT(key, field) STATE(field), .json = key
#define RECORDED(key, field) .name = key, .title = key, KEPT(key, field)

#define NAMES(...) .choices = (const char *const[]){__VA_ARGS__, NULL}
#define OFFERED(...) .offered = (const char *const[]){__VA_ARGS__, NULL}
#define CHOICE(...) .value = {.kind = APP_VALUE_CHOICE, NAMES(__VA_ARGS__)}
#define NUMBERS(...) .value = {.kind = APP_VALUE_CHOICE, NAMES(__VA_ARGS__), .numbers = true}
#define ONE_OF(names) .value = {.kind = APP_VALUE_CHOICE, .choices = (names)}
#define INTEGER(least, most) .value = {.kind = APP_VALUE_INTEGER, .low = (least), .high = (most)}
#define REAL(least, most, ...) \
    .value = {.kind = APP_VALUE_REAL, .low = (least), .high = (most), __VA_ARGS__}
#define SINGLE(least, most) \
    .value = {.kind = APP_VALUE_SINGLE, .low = (double)(least), .high = (double)(most)}
#define SEED .value = {.kind = APP_VALUE_SEED}
#define SIZE .value = {.kind = APP_VALUE_SIZE, .low = 1, .high = KRN_SIZE_MAX}
#define FILE_NAME(use, ...) .value = {.kind = APP_VALUE_PATH, .file = APP_##use, __VA_ARGS__}
#define SWITCH .value = {.kind = APP_VALUE_SWITCH}

#define BENCH_NAME(name, what) #name,
#define TOPIC_NAME(id, name, what) #name,
#define BENCH_WORD(name, what) " " #name
#define TOPIC_WORD(id, name, what) " " #name

/* What the lists of kernels and storages give: names, a line of help, and the key of a storage. */
#define KERNEL_NAME(id, name, view, storages, pixels, start, bytes, bins, help) name
#define KERNEL_HELP(id, name, view, storages, pixels, start, bytes, bins, help) \
    name ": " help
#define VIEW_NAME(id, name, help) name
#define VIEW_HELP(id, name, help) name ": " help
#define STORAGE_NAME(id, name, memory, bytes_max, help) name
#define STORAGE_KEY(id, name, memory, bytes_max, help) \
    KEY_SET('1' + KRN_STORAGE_##id, name, KRN_STORAGE_##id == 0 ? storages_help : NULL)

#define KEY(k, does, words) {.key = (k), .step = APP_STEP_##does, .help = (words)}
#define KEY_SET(k, value, words) \
    {.key = (k), .step = APP_STEP_SET, .text = (value), .help = (words)}
#define KEY_WHEN(now, k, does, words) \
    {.key = (k), .step = APP_STEP_##does, .help = (words), .when = APP_WHEN_##now}
/* A key that changes the picture, which a page in the whole window covers. */
#define KEY_COVERED(k, does, words) \
    {.key = (k), .step = APP_STEP_##does, .help = (words), .covered = true}
#define KEY_CTRL(k, does, words) \
    {.key = (k), .ctrl = true, .step = APP_STEP_##does, .help = (words)}
/* A character that is typed. */
#define KEY_TYPED(now, k, value, words) \
    {.key = (k), .step = APP_STEP_SET, .text = (value), .help = (words), .when = APP_WHEN_##now}

#define RADIUS_LEAST 0.01 /* the float KRN_RADIUS_MIN would print as 0.00999999977648 */

static const char point[] = "."; /* of a number, whichever the user's board has */
static const char storages_help[] = "storage: " KRN_STORAGES(STORAGE_NAME, ", ");

static const struct app_command_entry table[] = {
    {.section = APP_SECTION_RENDER, .name = "backend", .title = "Backend", .flag = "--backend",
     .help = "what renders: auto takes cuda where it is usable, else cpu",
     .value = {.kind = APP_VALUE_CHOICE, NAMES("auto", "cuda", "cpu", "gl"), .low = -1},
     RUN(backend), CHANGE(backend), SHOW(backend),
     .keys = {KEY('C', NEXT, "backend: cuda, cpu, gl; without a GPU its recorded times, or this CPU's")}},
    {.section = APP_SECTION_RENDER, .name = "device", .title = "Device", .flag = "--device",
     .help = "CUDA device, by its number in --list-devices; if it cannot be used, the run ends; "
             "all: --bench, --sweep or --duel on every GPU, each in as many processes as "
             "--processes says, into one record",
     .value = {.kind = APP_VALUE_INTEGER, .low = 0, .high = 63, .word = "all"}, RUN(device), GIVEN(device_given)},
    {.section = APP_SECTION_RENDER, .name = "view", .title = "View", .flag = "--view",
     .help = "how the spheres are drawn; " KRN_VIEWS(VIEW_HELP, "; "),
     CHOICE(KRN_VIEWS(VIEW_NAME, KRN_COMMA)), CHANGE(view), SHOW(view),
     .keys = {KEY('L', NEXT, "view: " KRN_VIEWS(VIEW_NAME, ", "))}},
    {.section = APP_SECTION_RENDER, .name = "kernel", .title = "Kernel", .flag = "--kernel",
     .help = KRN_KERNELS(KERNEL_HELP, "; "),
     CHOICE(KRN_KERNELS(KERNEL_NAME, KRN_COMMA)), KEPT("kernel", spec.mode.kernel), CHANGE(kernel),
     GIVEN(kernel_given), .keys = {KEY('K', NEXT, "next kernel of this view")}},
    {.section = APP_SECTION_RENDER, .name = "kernel-file", .title = "Kernel file",
     .flag = "--kernel-file",
     .help = "add a kernel of your own, mine: a file of CUDA C, which is compiled, verified, and compiled "
             "anew when it changes; of a folder, rank all of its kernels; see docs/your-kernel.md",
     FILE_NAME(FILE_READ, .metavar = "FILE.cu|FOLDER"), RUN(kernel_file)},
    {.section = APP_SECTION_RENDER, .name = "pixels", .title = "Pixels per thread",
     .flag = "--pixels-per-thread",
     .help = "pixels per thread (K) of the strip kernel; the key for it begins with 8",
     NUMBERS("1", "2", "4", "8", "16"), KEPT("pixels_per_thread", spec.mode.pixels_per_thread),
     CHANGE(pixels),
     .keys = {KEY('[', HALVE, "halve, double the pixels per thread"), KEY(']', DOUBLE, NULL)}},
    {.section = APP_SECTION_RENDER, .name = "storage", .title = "Storage", .flag = "--storage",
     .help = "memory that the kernel reads the spheres from",
     CHOICE(KRN_STORAGES(STORAGE_NAME, KRN_COMMA)), KEPT("storage", spec.mode.storage),
     .keys = {KRN_STORAGES(STORAGE_KEY, KRN_COMMA), KEY('M', NEXT, "next storage")}},
    {.section = APP_SECTION_RENDER, .name = "duel", .title = "Duel", .flag = "--duel",
     .help = "compare two modes without a window, both on every frame; a mode is "
             "[BACKEND:]KERNEL/STORAGE[/K]",
     .value = {.kind = APP_VALUE_TEXT, .metavar = "A,B", .word = "off", .check = are_modes,
               .takes = "two modes [BACKEND:]KERNEL/STORAGE[/K]", .example = "book/global,book/constant"},
     CHANGE(duel), SHOW(duel), .run = "--duel", .offers = APP_USE_RESULTS,
     .instead = "in the window, press {duel}",
     .keys = {KEY(APP_KEY_TAB, TOGGLE, "duel: two modes; mode keys then change B"),
              KEY_COVERED(APP_KEY_LEFT, LESS, "move the duel's divider"),
              KEY_COVERED(APP_KEY_RIGHT, MORE, NULL)}},
    {.section = APP_SECTION_RENDER, .name = "band", .title = "Band", .flag = "--band",
     .help = "band of indifference: smaller differences count as none",
     REAL(0, KRN_DUEL_BAND_PERCENT_MAX, .metavar = "PERCENT"), RUN(band_percent)},
    {.section = APP_SECTION_RENDER, .name = "blit", .title = "Blit", .flag = "--blit",
     .help = "how the picture reaches OpenGL; if one fails, the next takes over",
     ONE_OF(app_blit_names), KEPT("blit", spec.blit), CHANGE(blit),
     .keys = {KEY('I', NEXT, "blit: interop, pbo, copy")}},
    {.section = APP_SECTION_RENDER, .name = "warm", .title = "Keep warm", .flag = "--warm",
     .help = "launch kernels between frames, so that a light scene is not timed at idle clocks",
     SWITCH, KEPT("warm", spec.warm),
     .keys = {KEY('W', TOGGLE, "keep the GPU warm")}},

    {.section = APP_SECTION_SCENE, .name = "scene", .title = "Scene", .flag = "--scene",
     .help = "scene file (.json, .csv, .txt ...), molecule (.xyz, .pdb ...), or the book's scene: 20 random spheres, seed 1",
     FILE_NAME(FILE_READ, .word = "book"), KEPT("scene.path", spec.scene_path), GIVEN(scene_given),
     CHANGE(scene), SHOW(scene)},
    {.section = APP_SECTION_SCENE, .name = "spheres", .title = "Spheres", .flag = "--spheres",
     .help = "number of random spheres",
     INTEGER(KRN_SPHERES_MIN, KRN_SPHERES_MAX), KEPT("scene.count", spec.recipe.count), .random = true,
     CHANGE(spheres),
     .keys = {KEY(APP_KEY_UP, DOUBLE, "double, halve the spheres"),
              KEY(APP_KEY_DOWN, HALVE, NULL)}},
    {.section = APP_SECTION_SCENE, .name = "radii", .title = "Radii", .flag = "--radii",
     .help = "smallest and largest radius, in scene units",
     .value = {.kind = APP_VALUE_RANGE, .low = RADIUS_LEAST, .high = KRN_RADIUS_MAX},
     STATE(spec.recipe.radius_min), .random = true},
    {.section = APP_SECTION_SCENE, .name = "seed", .title = "Seed", .flag = "--seed",
     .help = "seed of the random scene; it gives the same scene on every machine",
     SEED, KEPT("scene.seed", spec.recipe.seed), .random = true, CHANGE(seed),
     .keys = {KEY('R', NEXT, "next seed")}},
    {.section = APP_SECTION_SCENE, .name = "size", .title = "Image", .flag = "--size",
     .help = "image that the kernel renders, in pixels; else a window's image follows its pane",
     SIZE, STATE(spec.width), GIVEN(size_given), CHANGE(size)},
    {.section = APP_SECTION_SCENE, .name = "follow", .title = "Image",
     KEPT("follow_pane", spec.follow_pane), CHANGE(follow), SHOW(follow),
     .keys = {KEY_COVERED('Z', TOGGLE, "follow the window, or the book's 1024x1024")}},
    {.section = APP_SECTION_SCENE, .name = "zoom", .title = "Zoom", .flag = "--zoom",
     .help = "fit (1024 scene units span the height), or pixels per scene unit",
     REAL(APP_ZOOM_MIN, APP_ZOOM_MAX, .word = "fit"), KEPT("zoom", spec.zoom), CHANGE(zoom)},
    {.section = APP_SECTION_SCENE, .name = "bounces", .title = "Bounces", .flag = "--bounces",
     .help = "light view: reflections that a ray may take",
     INTEGER(0, KRN_BOUNCES_MAX), KEPT("light.bounces", spec.light.bounces), CHANGE(bounces),
     .light = "Bounces belong to",
     .keys = {KEY(',', LESS, "light view: fewer, more reflections"), KEY('.', MORE, NULL)}},
    {.section = APP_SECTION_SCENE, .name = "samples", .title = "Samples", .flag = "--samples",
     .help = "light view: samples per pixel, which smooth edges",
     NUMBERS("1", "4", "16"), KEPT("light.samples", spec.light.samples), .light = "Samples belong to",
     .keys = {KEY('E', NEXT, "light view: 1, 4, 16 samples per pixel")}},
    {.section = APP_SECTION_SCENE, .name = "camera", .title = "Camera", .flag = "--camera",
     .help = "light view: degrees about the vertical axis and above the ground; distance in radii of the scene",
     .value = {.kind = APP_VALUE_TEXT, .metavar = "YAW:PITCH:DISTANCE", .check = is_camera,
               .takes = "YAW:PITCH:DISTANCE, from -180:1:0.5 to 180:89:8", .example = "30:20:2.5"},
     CHANGE(camera), SHOW(camera)},
    {.section = APP_SECTION_SCENE, .name = "orbit", .title = "Camera",
     CHANGE(orbit), SHOW(camera), .light = "The camera belongs to",
     .keys = {KEY_CTRL(APP_KEY_LEFT, LESS, "light view, outside a talk: turn the camera; or drag the picture"),
              KEY_CTRL(APP_KEY_RIGHT, MORE, NULL)}},
    {.section = APP_SECTION_SCENE, .name = "tilt", .title = "Camera",
     CHANGE(tilt), SHOW(camera), .light = "The camera belongs to",
     .keys = {KEY_CTRL(APP_KEY_UP, MORE, "light view, outside a talk: raise, lower the camera"),
              KEY_CTRL(APP_KEY_DOWN, LESS, NULL)}},
    {.section = APP_SECTION_SCENE, .name = "dolly", .title = "Camera",
     CHANGE(dolly), SHOW(camera), .light = "The camera belongs to",
     .keys = {KEY_CTRL(APP_KEY_PAGE_UP, LESS, "light view: nearer, farther; outside a talk also the mouse wheel"),
              KEY_CTRL(APP_KEY_PAGE_DOWN, MORE, NULL)}},
    {.section = APP_SECTION_SCENE, .name = "camera-path", .title = "Camera path",
     .flag = "--camera-path",
     .help = "light view: the camera goes round the scene by itself while the scene is in motion",
     SWITCH, KEPT("light.camera_path", spec.camera_path), CHANGE(camera_path),
     .light = "The camera's path belongs to",
     .keys = {KEY_CTRL('L', TOGGLE, "light view: the camera goes round by itself")}},
    {.section = APP_SECTION_SCENE, .name = "motion", .title = "Motion", .flag = "--motion",
     .help = "rotate the scene; without a window only if you give this option or record frames",
     SWITCH, KEPT("motion", spec.motion), GIVEN(motion_given),
     .keys = {KEY_COVERED(APP_KEY_SPACE, TOGGLE, "pause, resume motion")}},
    {.section = APP_SECTION_SCENE, .name = "home", .title = "Home", CHANGE(home),
     .keys = {KEY(APP_KEY_HOME, DO, "back to the start state")}},

    {.section = APP_SECTION_SCREEN, .name = "window", .title = "Window", .flag = "--window",
     .help = "window size, in screen units",
     SIZE, RUN(window_width), GIVEN(window_given)},
    {.section = APP_SECTION_SCREEN, .name = "fullscreen", .title = "Full screen",
     .flag = "--fullscreen", .help = "start in full screen", KEPT("fullscreen", look.fullscreen),
     .needs = APP_USE_WINDOW,
     .keys = {KEY('F', TOGGLE, "full screen"), KEY(APP_KEY_F11, TOGGLE, NULL)}},
    {.section = APP_SECTION_SCREEN, .name = "leave", .title = "Leave", CHANGE(leave),
     .keys = {KEY(APP_KEY_ESCAPE, DO, "close help, details, code or a page in the whole window, leave the talk, leave full screen; never quits")}},
    {.section = APP_SECTION_SCREEN, .name = "monitor", .title = "Monitor", .flag = "--monitor",
     .help = "monitor to start on; without this option the one where the window opens, and with "
             "--presenter the projector",
     INTEGER(0, 31), RUN(monitor), .needs = APP_USE_WINDOW, .request = APP_REQUEST_MONITOR,
     .keys = {KEY(APP_KEY_F7, DO, "next monitor; with notes, swap the monitors of show and notes")}},
    {.section = APP_SECTION_SCREEN, .name = "vsync", .title = "Vsync", .flag = "--vsync",
     .help = "wait for the display on every frame",
     SWITCH, KEPT("vsync", look.vsync),
     .keys = {KEY('V', TOGGLE, "vsync on, off")}},
    {.section = APP_SECTION_SCREEN, .name = "hud", .title = "HUD", .flag = "--hud",
     .help = "show text over the picture",
     SWITCH, KEPT("hud", look.hud),
     .keys = {KEY('U', TOGGLE, "HUD on, off")}},
    {.section = APP_SECTION_SCREEN, .name = "details", .title = "Details",
     .flag = "--details", .help = "show all that the numbers rest on",
     SWITCH, KEPT("details", look.details), CHANGE(details),
     .keys = {KEY('D', TOGGLE, "details: intervals, samples, clocks, doubts, device, kernel")}},
    {.section = APP_SECTION_SCREEN, .name = "code", .title = "Code", .flag = "--code",
     .help = "show the kernel's code",
     SWITCH, KEPT("code", look.code), CHANGE(code),
     .keys = {KEY_CTRL('K', TOGGLE, "the kernel's code; in a duel, both sides")}},
    {.section = APP_SECTION_SCREEN, .name = "qr", .title = "QR code", .flag = "--qr",
     .help = "show the numbers as a QR code, which a photo or screenshot of the screen carries away",
     SWITCH, KEPT("qr", look.qr), GIVEN(qr_given)},
    {.section = APP_SECTION_SCREEN, .name = "page-url", .title = "Page's address", .flag = "--page-url",
     .help = "show the address of a report (--html) as a QR code, for a hall to scan and measure with",
     .value = {.kind = APP_VALUE_TEXT, .metavar = "URL", .word = "off", .check = is_url,
               .takes = "an address of https with at most 120 characters", .example = "https://example.org/h200.html"},
     CHANGE(page_url), SHOW(page_url)},
    {.section = APP_SECTION_SCREEN, .name = "hold", .title = "Hold", STATE(look.hold),
     .keys = {KEY(APP_KEY_ENTER, TOGGLE, "hold the numbers on screen")}},
    {.section = APP_SECTION_SCREEN, .name = "hud-scale", .title = "HUD size",
     .flag = "--hud-scale", .help = "size of the HUD; 1 is normal",
     REAL(APP_HUD_SCALE_MIN, APP_HUD_SCALE_MAX, .word = NULL), KEPT("hud_scale", look.hud_scale),
     GIVEN(hud_scale_given), CHANGE(hud_scale),
     .keys = {KEY_CTRL('+', MORE, "larger HUD"), KEY_CTRL('=', MORE, NULL),
              KEY_CTRL('-', LESS, "smaller HUD")}},
    {.section = APP_SECTION_SCREEN, .name = "theme", .title = "Theme", .flag = "--theme",
     .help = "colours; projector has larger text and high contrast",
     ONE_OF(app_theme_names), KEPT("theme", look.theme), GIVEN(theme_given),
     .keys = {KEY('T', NEXT, "theme: dark, light, projector")}},
    {.section = APP_SECTION_SCREEN, .name = "panels", .title = "Page", .flag = "--panels",
     .help = "a page of measurements: off, compact: beside the picture, full: in the whole window",
     ONE_OF(app_panels_names), KEPT("panels", look.panels),
     .keys = {KEY('P', NEXT, "page: off, beside the picture, in the whole window")}},
    {.section = APP_SECTION_SCREEN, .name = "page", .title = "Page", .flag = "--page",
     .help = "what the page shows: claims, story, anatomy, class, a topic as in --bench, or a claim; beside the "
             "picture unless --panels says more",
     .value = {.kind = APP_VALUE_CHOICE, .choices = app_subject_names, .metavar = "NAME",
               .takes = "claims, story, anatomy, class, a topic as in --bench, or the id of a claim",
               .example = "constant-kernel"},
     KEPT("page", look.page), CHANGE(page),
     .keys = {KEY('N', NEXT, "next page"), KEY_CTRL('N', LESS, "previous page")}},
    {.section = APP_SECTION_SCREEN, .name = "claim", .title = "Page", CHANGE(claim), SHOW(page),
     .keys = {KEY('X', NEXT, "one published claim at a time"), KEY_CTRL('X', LESS, "the claim before")}},
    {.section = APP_SECTION_SCREEN, .name = "panel-share", .title = "Panel share",
     .flag = "--panel-share", .help = "largest share of the time that pages may spend on measuring",
     REAL(0, 50, .metavar = "PERCENT"), RUN(panel_share)},
    {.section = APP_SECTION_SCREEN, .name = "story", .title = "Page", CHANGE(story), SHOW(page),
     .keys = {KEY('Y', DO, "story plot: kernel time against spheres")}},
    {.section = APP_SECTION_SCREEN, .name = "heatmap", .title = "Heat map", .flag = "--heatmap",
     .help = "in place of colours, show what each pixel costs: sphere tests, on a GPU clock cycles, or rays in the light view",
     CHOICE("off", "tests", "cycles", "rays"), KEPT("heatmap", look.heat), CHANGE(heat),
     .keys = {KEY_COVERED('G', NEXT, "heat map: off, sphere tests, clock cycles; in the light view rays")}},
    {.section = APP_SECTION_SCREEN, .name = "anatomy", .title = "Frame anatomy",
     .flag = "--anatomy", .help = "collect what CPU and GPU do during a frame for the record",
     ONE_OF(app_anatomy_names), KEPT("anatomy", look.anatomy)},
    {.section = APP_SECTION_SCREEN, .name = "anatomy-page", .title = "Page", CHANGE(anatomy), SHOW(page),
     .keys = {KEY('A', DO, "frame anatomy: what CPU and GPU do during a frame")}},
    {.section = APP_SECTION_SCREEN, .name = "addresses", .title = "Addresses per warp",
     .flag = "--addresses",
     .help = "addresses per warp that the page of constant memory marks",
     INTEGER(1, KRN_LANES), KEPT("addresses", look.addresses), CHANGE(addresses),
     .keys = {KEY('-', LESS, "fewer, more addresses per warp in constant reads"),
              KEY('+', MORE, NULL), KEY('=', MORE, NULL)}},
    {.section = APP_SECTION_SCREEN, .name = "measure", .title = "Panels",
     CHANGE(measure),
     .keys = {KEY('B', DO, "measure what the page shows again now")}},

    {.section = APP_SECTION_TALK, .name = "talk", .title = "Talk", .flag = "--talk",
     .help = "give a talk: its file, or the name of a shipped one, four-claims, ray-tracer or make-it-faster",
     FILE_NAME(FILE_READ, .metavar = "FILE|NAME", OFFERED("four-claims", "ray-tracer", "make-it-faster")), RUN(talk), CHANGE(talk),
     .needs = APP_USE_TALK, .instead = "--check walks through a talk without one",
     .keys = {KEY_WHEN(OPEN, APP_KEY_F5, DO, "start the talk, or return to its step")}},
    {.section = APP_SECTION_TALK, .name = "talk-next", .title = "Next step", CHANGE(talk_next),
     .keys = {KEY_WHEN(OPEN, APP_KEY_PAGE_DOWN, DO, "next step; after a question, what was measured"),
              KEY_WHEN(TALK, APP_KEY_RIGHT, DO, "in a talk: next step, as with a click"),
              KEY_WHEN(TALK, APP_KEY_DOWN, DO, NULL),
              KEY_WHEN(TALK, APP_KEY_ENTER, DO,
                       "in a talk: next step; with Ctrl a talk's keys act as without a talk"),
              KEY_WHEN(TALK, APP_KEY_SPACE, DO, NULL)}},
    {.section = APP_SECTION_TALK, .name = "talk-previous", .title = "Previous step",
     CHANGE(talk_previous),
     .keys = {KEY_WHEN(OPEN, APP_KEY_PAGE_UP, DO, "previous step"),
              KEY_WHEN(TALK, APP_KEY_LEFT, DO, "in a talk: previous step, as with a right click"),
              KEY_WHEN(TALK, APP_KEY_UP, DO, NULL)}},
    {.section = APP_SECTION_TALK, .name = "talk-blank", .title = "Blank", CHANGE(talk_blank),
     .keys = {KEY_WHEN(TALK, '.', DO, "in a talk: black screen, and back"),
              KEY_WHEN(TALK, 'B', DO, NULL)}},
    {.section = APP_SECTION_TALK, .name = "talk-guess", .title = "Guess",
     .value = {.kind = APP_VALUE_TEXT, .check = is_guess, .takes = "a digit or a point", .example = "1"},
     CHANGE(talk_guess),
     .keys = {KEY_TYPED(QUESTION, '0', "0", "at a question: choose an answer, or type a number"),
              KEY_TYPED(QUESTION, '1', "1", NULL), KEY_TYPED(QUESTION, '2', "2", NULL),
              KEY_TYPED(QUESTION, '3', "3", NULL), KEY_TYPED(QUESTION, '4', "4", NULL),
              KEY_TYPED(QUESTION, '5', "5", NULL), KEY_TYPED(QUESTION, '6', "6", NULL),
              KEY_TYPED(QUESTION, '7', "7", NULL), KEY_TYPED(QUESTION, '8', "8", NULL),
              KEY_TYPED(QUESTION, '9', "9", NULL), KEY_TYPED(TYPING, '.', point, "in a typed number: the point"),
              KEY_TYPED(TYPING, ',', point, NULL),
              KEY_WHEN(QUESTION, APP_KEY_BACKSPACE, LESS, "delete the last digit")}},
    {.section = APP_SECTION_TALK, .name = "talk-reveal", .title = "Reveal", CHANGE(talk_reveal),
     .keys = {KEY_WHEN(TYPING, APP_KEY_ENTER, DO, "complete a typed number")}},
    {.section = APP_SECTION_TALK, .name = "presenter", .title = "Presenter", .flag = "--presenter",
     .help = "open a second window with the talk's slide, notes, next step and the time", RUN(presenter),
     .needs = APP_USE_WINDOW},
    {.section = APP_SECTION_TALK, .name = "check", .title = "Check", .flag = "--check",
     .help = "walk through the talk without a window: exit with 1 if a step does not work here", RUN(check),
     .run = "--check", .offers = APP_USE_TALK | APP_USE_SHOWN},

    {.section = APP_SECTION_RUN, .name = "offscreen", .title = "Offscreen", .flag = "--offscreen",
     .help = "render one picture without a window and print the table; needs no display", RUN(offscreen),
     .run = "an offscreen run", .needs = APP_USE_FRAMES,
     .offers = APP_USE_PICTURE | APP_USE_FRAMES | APP_USE_RESULTS | APP_USE_MODES | APP_USE_SHOWN},
    {.section = APP_SECTION_RUN, .name = "frames", .title = "Frames", .flag = "--frames",
     .help = "end after N frames",
     INTEGER(1, INT_MAX), RUN(frames)},
    {.section = APP_SECTION_RUN, .name = "seconds", .title = "Seconds", .flag = "--seconds",
     .help = "time limit of the whole run, with all benchmarks and their verification",
     REAL(0.01, 86400, .unit = "seconds"), RUN(seconds)},
    {.section = APP_SECTION_RUN, .name = "screenshot", .title = "Screenshot",
     .flag = "--screenshot", .help = "save what is on screen when the run ends",
     FILE_NAME(FILE_WRITTEN, .metavar = "FILE.png", .suffix = ".png"), RUN(screenshot),
     .needs = APP_USE_PICTURE, .request = APP_REQUEST_SCREENSHOT,
     .keys = {KEY('S', DO, "save a screenshot to the pictures folder"), KEY(APP_KEY_F12, DO, NULL)}},
    {.section = APP_SECTION_RUN, .name = "record-frames", .title = "Frames", .flag = "--record-frames",
     .help = "save every frame as on screen: frame-000001.png and so on, in a folder that has none yet",
     FILE_NAME(FOLDER_FILLED, .metavar = "DIR"), RUN(record_frames), .needs = APP_USE_FRAMES},
    {.section = APP_SECTION_RUN, .name = "video", .title = "Video", .flag = "--video",
     .help = "save the frames as a video with 60 frames per second; needs the program ffmpeg",
     FILE_NAME(FILE_WRITTEN, .metavar = "FILE.mp4", .suffix = ".mp4"), RUN(video), .needs = APP_USE_FRAMES},
    {.section = APP_SECTION_RUN, .name = "replay", .title = "Replay", .flag = "--replay",
     .help = "restore what a screenshot or record shows, and compare picture and times with it; "
             "other options change it",
     FILE_NAME(FILE_READ, .metavar = "SHOT.png"), RUN(replay), .needs = APP_USE_SHOWN},
    {.section = APP_SECTION_RUN, .name = "bench", .title = "Benchmark", .flag = "--bench",
     .help = "run benchmarks without OpenGL: all, or some of" APP_BENCHES(BENCH_WORD, TOPIC_WORD)
        "; a CPU has the topics timer saxpy peak access",
     .value = {.kind = APP_VALUE_NAMES, .word = "all",
               .choices = (const char *const[]){APP_BENCHES(BENCH_NAME, TOPIC_NAME) NULL}}, RUN(bench),
     .run = "a benchmark", .offers = APP_USE_RESULTS | APP_USE_MODES},
    {.section = APP_SECTION_RUN, .name = "processes", .title = "Processes", .flag = "--processes",
     .help = "measure --bench, --sweep or --duel in N processes, one after another: the intervals then "
             "tell how far other runs may differ",
     INTEGER(1, KRN_PROCESSES_MAX), RUN(processes), GIVEN(processes_given)},
    {.section = APP_SECTION_RUN, .name = "narrow", .title = "Narrow", .flag = "--narrow",
     .help = "go on with processes until all intervals of --bench or --sweep are narrow enough for "
             "--compare to say SAME within --band; --processes or --seconds limits it",
     RUN(narrow)},
    {.section = APP_SECTION_RUN, .name = "order-seed", .title = "Order", .flag = "--order-seed",
     .help = "seed of the order in which the processes measure; without this option it comes from the clock",
     SEED, RUN(order_seed), GIVEN(order_seed_given)},
    {.section = APP_SECTION_RUN, .name = "modes", .title = "Modes", .flag = "--modes",
     .help = "measure only these modes, with --bench raytrace, --sweep or --offscreen; "
             "* stands for any kernel, storage or K, and K left out is 1",
     .value = {.kind = APP_VALUE_TEXT, .metavar = "LIST", .check = app_mode_patterns_check,
               /* The names follow the order of a mode's parts, without headings: the message that
                * refuses a value quotes it too, and needs room for more names. */
               .takes = "KERNEL/STORAGE[/K] joined by commas: "
                        KRN_KERNELS(KERNEL_NAME, ", ") " / " KRN_STORAGES(STORAGE_NAME, ", ")
                        " / 1 to 16, or * for any",
               .example = "book/global,strip/*/8"}, RUN(modes), .needs = APP_USE_MODES},
    {.section = APP_SECTION_RUN, .name = "sweep", .title = "Sweep", .flag = "--sweep",
     .help = "time every mode at rising sphere counts, or in the light view at every number of bounces, "
             "or both, without OpenGL; --screenshot draws the curves",
     .value = {.kind = APP_VALUE_SPANS,
               .spans = (const struct app_span_kind[]){
                   [APP_SWEEP_SPHERES] = {"spheres", KRN_SPHERES_MIN, KRN_LARGE_SPHERES},
                   [APP_SWEEP_BOUNCES] = {"bounces", 0, KRN_BOUNCES_MAX}, {NULL, 0, 0}}},
     RUN(sweep), .run = "a sweep", .offers = APP_USE_PICTURE | APP_USE_RESULTS | APP_USE_MODES,
     .instead = "--screenshot draws its curves"},
    {.section = APP_SECTION_RUN, .name = "json", .title = "JSON", .flag = "--json",
     .help = "write the results as JSON; - is standard output",
     FILE_NAME(FILE_WRITTEN, .word = "-"), RUN(json), .needs = APP_USE_RESULTS,
     .request = APP_REQUEST_RESULTS,
     .keys = {KEY('J', DO, "save the results to the pictures folder")}},
    {.section = APP_SECTION_RUN, .name = "csv", .title = "CSV", .flag = "--csv",
     .help = "write the results as CSV, one row per result; - is standard output",
     FILE_NAME(FILE_WRITTEN, .word = "-"), RUN(csv), .needs = APP_USE_RESULTS},
    {.section = APP_SECTION_RUN, .name = "prometheus", .title = "Prometheus", .flag = "--prometheus",
     .help = "write the results as metrics for node_exporter's textfile collector",
     FILE_NAME(FILE_WRITTEN, .metavar = "FILE.prom", .suffix = ".prom"), RUN(prometheus),
     .needs = APP_USE_RESULTS},
    {.section = APP_SECTION_RUN, .name = "html", .title = "Page", .flag = "--html",
     .help = "write the results as a report for a browser, with --play without a window; - is standard output",
     FILE_NAME(FILE_WRITTEN, .word = "-"), RUN(html), .needs = APP_USE_RESULTS,
     .request = APP_REQUEST_PAGE,
     .keys = {KEY_CTRL('J', DO, "save the results as a report to the pictures folder")}},
    {.section = APP_SECTION_RUN, .name = "markdown", .title = "Markdown", .flag = "--markdown",
     .help = "print tables as Markdown", RUN(markdown)},
    {.section = APP_SECTION_RUN, .name = "play", .title = "Recorded run", .flag = "--play",
     .help = "show a record: its numbers over this machine's picture; a device's name, "
             "as h200, plays the records that the program comes with",
     .value = {.kind = APP_VALUE_TEXT, .file = APP_FILE_READ, .metavar = "FILE[,FILE...]", .check = app_value_is_joined,
               .takes = "records or a device's name, joined by commas", .example = "h200",
               OFFERED("h100", "h200")},
     RUN(play), .needs = APP_USE_SHOWN},
    {.section = APP_SECTION_RUN, .name = "record", .title = "Record", .flag = "--record",
     .help = "measure all benchmarks, and the modes at several sphere counts, into one file for --play",
     FILE_NAME(FILE_WRITTEN, .metavar = "FILE.json", .suffix = ".json"), RUN(record),
     .run = "--record", .offers = APP_USE_RESULTS, .request = APP_REQUEST_RECORD,
     .keys = {KEY('O', DO, "record a run for --play to the pictures folder; again: cancel")}},
    {.section = APP_SECTION_RUN, .name = "compare", .title = "Compare", .flag = "--compare",
     .help = "compare records with the first one; files joined by commas form one side",
     FILE_NAME(FILE_READ, .metavar = "FILE...", .list = true), RUN(compare),
     .run = "a comparison"},
    {.section = APP_SECTION_RUN, .name = "fail-on-slower", .title = "Fail on slower",
     .flag = "--fail-on-slower",
     .help = "exit with 1 if --compare finds a result slower; needs 3 processes per side",
     RUN(fail_on_slower)},
    {.section = APP_SECTION_RUN, .name = "quit", .title = "Quit", CHANGE(quit),
     .keys = {KEY('Q', DO, "quit; in full screen and in a talk press twice within 2 s")}},

    {.section = APP_SECTION_ANSWER, .name = "list-devices", .title = "Devices",
     .flag = "--list-devices", .help = "list the devices that can render here; --json writes the list", RUN(list_devices)},
    {.section = APP_SECTION_ANSWER, .name = "info", .title = "Info", .flag = "--info",
     .help = "print program, machine, devices and kernels, for a bug report; --json writes it", RUN(info)},
    {.section = APP_SECTION_ANSWER, .name = "version", .title = "Version", .flag = "--version",
     .help = "print version, commit, compiler, CUDA architectures and whether there is a window", RUN(version)},
    {.section = APP_SECTION_ANSWER, .name = "help", .title = "Help", .flag = "--help",
     .help = "print this text; -h does the same", RUN(help), CHANGE(help),
     .keys = {KEY('H', NEXT, "help: keys; again: words, formulas, verdicts"),
              KEY(APP_KEY_F1, NEXT, NULL)}},

    /* What keys, other options and the session set. */
    {.name = "used-backend", .title = "Backend", KEPT("backend", spec.backend), CHOICE("cuda", "cpu", "gl")},
    {RECORDED("width", spec.width), INTEGER(1, KRN_SIZE_MAX)},
    {RECORDED("height", spec.height), INTEGER(1, KRN_SIZE_MAX)},
    {RECORDED("fixed_width", spec.fixed_width), INTEGER(1, KRN_SIZE_MAX)},
    {RECORDED("fixed_height", spec.fixed_height), INTEGER(1, KRN_SIZE_MAX)},
    {.name = "help-screen", .title = "Help", KEPT("help", look.help), SWITCH},
    {RECORDED("help_page", look.help_page), ONE_OF(app_help_page_names)},
    {RECORDED("scene.kind", spec.scene), CHOICE("random", "file")},
    {RECORDED("scene.radius_min", spec.recipe.radius_min), SINGLE(KRN_RADIUS_MIN, KRN_RADIUS_MAX)},
    {RECORDED("scene.radius_max", spec.recipe.radius_max), SINGLE(KRN_RADIUS_MIN, KRN_RADIUS_MAX)},
    {RECORDED("pose.time_s", spec.motion_s), REAL(0, APP_MOTION_S_MAX, .word = NULL)},
    {RECORDED("duel.on", spec.duel.on), SWITCH},
    {RECORDED("duel.kernel", spec.duel.other.kernel), CHOICE(KRN_KERNELS(KERNEL_NAME, KRN_COMMA))},
    {RECORDED("duel.storage", spec.duel.other.storage), CHOICE(KRN_STORAGES(STORAGE_NAME, KRN_COMMA))},
    {RECORDED("duel.pixels_per_thread", spec.duel.other.pixels_per_thread), INTEGER(1, KRN_PIXELS_MAX)},
    {RECORDED("duel.backend", spec.duel.backend), CHOICE("same", "cuda", "cpu", "gl")},
    {RECORDED("duel.divider", spec.duel.divider), REAL(APP_DIVIDER_MIN, APP_DIVIDER_MAX, .word = NULL)},
    {RECORDED("light.yaw", spec.light.camera.yaw), SINGLE(-KRN_YAW_MAX, KRN_YAW_MAX)},
    {RECORDED("light.pitch", spec.light.camera.pitch), SINGLE(KRN_PITCH_MIN, KRN_PITCH_MAX)},
    {RECORDED("light.distance", spec.light.camera.distance), SINGLE(KRN_DISTANCE_MIN, KRN_DISTANCE_MAX)},
    {RECORDED("light.other_kernel", look.other_view.kernel), CHOICE(KRN_KERNELS(KERNEL_NAME, KRN_COMMA))},
    {RECORDED("light.other_pixels_per_thread", look.other_view.pixels_per_thread),
     INTEGER(1, KRN_PIXELS_MAX)},
};

/* clang-format on */

const struct app_command_entry *app_commands(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const struct app_command_entry *app_command_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const struct app_command_entry *app_command_by_flag(const char *flag)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].flag != NULL && strcmp(table[i].flag, flag) == 0)
            return &table[i];
    return NULL;
}

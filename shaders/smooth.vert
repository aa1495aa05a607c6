#version 330 core
// Draws a square point over each tile of the picture that has an edge, for smooth.frag. Software
// OpenGL runs a fragment shader to its end for every pixel, however early it knows the result, but
// costs little for this look at every texel.
uniform sampler2D picture;
uniform vec4 rect;     // as in picture.vert
uniform vec4 onto;     // left and bottom in pixels; texels per pixel along each axis
uniform float between; // as in smooth.frag

const int TILE = 8;
const float CONTRAST = 0.12; // as in smooth.frag

void main()
{
    ivec2 size = textureSize(picture, 0), last = size - 1;
    int columns = (last.x + TILE) / TILE;
    ivec2 tile = TILE * ivec2(gl_VertexID % columns, gl_VertexID / columns);
    tile = min(tile, size - TILE); // the last ones lie over others, not outside

    // The contrast of the borders of all its texels, whose neighbours may lie in other tiles.
    vec3 most = vec3(0.0), row[TILE + 2];
    for (int x = 0; x < TILE + 2; x++)
        row[x] = texelFetch(picture, clamp(tile + ivec2(x - 1, -1), ivec2(0), last), 0).rgb;
    for (int y = 0; y <= TILE; y++) {
        vec3 left = row[0];
        for (int x = 0; x < TILE + 2; x++) {
            vec3 here = texelFetch(picture, clamp(tile + ivec2(x - 1, y), ivec2(0), last), 0).rgb;
            most = max(most, abs(here - row[x]));
            if (x > 0)
                most = max(most, abs(here - left));
            row[x] = left = here;
        }
    }
    vec2 centre = (vec2(tile) + 0.5 * float(TILE)) / vec2(size);
    bool edge = max(most.r, max(most.g, most.b)) > CONTRAST;
    gl_Position = edge ? vec4(mix(rect.xy, rect.zw, centre), 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = float(TILE) / min(onto.z, onto.w) + between; // tiles may begin within a pixel
}

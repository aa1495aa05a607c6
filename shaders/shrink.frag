#version 330 core
// Draws the picture reduced: each pixel is the mean of the texels that it covers.
uniform sampler2D picture;
uniform vec2 footprint; // texels under one pixel along each axis
in vec2 at;
out vec4 colour;

void main()
{
    // A linear tap averages two texels along each axis, so half as many taps cover them all.
    ivec2 taps = clamp(ivec2(ceil(footprint / 2.0 - 0.01)), ivec2(1), ivec2(8));
    vec2 step = footprint / vec2(taps) / vec2(textureSize(picture, 0));
    vec2 first = at - 0.5 * step * vec2(taps - 1);
    vec3 sum = vec3(0.0);
    for (int y = 0; y < taps.y; y++)
        for (int x = 0; x < taps.x; x++)
            sum += textureLod(picture, first + step * vec2(x, y), 0.0).rgb;
    colour = vec4(sum / float(taps.x * taps.y), 1.0);
}

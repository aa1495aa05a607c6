#version 330 core
// Draws the picture reduced, down to a quarter of its size along each axis: each pixel is the
// mean of the texels that it covers. Four linear taps average four texels each; software OpenGL
// takes four times as long for the same taps in a loop.
uniform sampler2D picture;
uniform vec2 apart; // half of the distance between two taps, in parts of the texture
in vec2 at;
out vec4 colour;

void main()
{
    vec3 sum = texture(picture, at + apart).rgb + texture(picture, at - apart).rgb +
               texture(picture, at + vec2(apart.x, -apart.y)).rgb +
               texture(picture, at + vec2(-apart.x, apart.y)).rgb;
    colour = vec4(0.25 * sum, 1.0);
}

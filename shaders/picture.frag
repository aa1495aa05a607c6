#version 330 core
// The kernel's bytes as they are.
uniform sampler2D picture;
in vec2 at;
out vec4 colour;

void main()
{
    colour = vec4(texture(picture, at).rgb, 1.0);
}

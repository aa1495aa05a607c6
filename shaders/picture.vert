#version 330 core
// Draws the picture as one rectangle. gl_VertexID selects the corner, so there is no vertex buffer.
uniform vec4 rect; // left, bottom, right, top in normalised device coordinates
out vec2 at;       // 0..1; row 0 of the image is at the bottom

void main()
{
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rect.xy, rect.zw, at), 0.0, 1.0);
}

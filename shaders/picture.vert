#version 330 core
// The picture as one rectangle: corners from the vertex number, no buffer.
uniform vec4 rect; // left, bottom, right, top in normalised device coordinates
out vec2 at;       // 0..1, row 0 of the image at the bottom

void main()
{
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rect.xy, rect.zw, at), 0.0, 1.0);
}

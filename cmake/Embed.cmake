# Turns files into a C source of named strings and their sizes:
#   cmake -DOUT=out.c -DHEADER=embedded.h -DPREFIX=ren_shader -DFILES=a.vert,b.frag -P Embed.cmake
# defines `const char ren_shader_a_vert[]` with a zero byte at its end, and `const size_t
# ren_shader_a_vert_size`. Escapes every byte; a compiler reads a string faster than an array.
string(REPLACE "," ";" FILES "${FILES}")
set(text "#include \"${HEADER}\"\n#include <stddef.h>\n")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
    string(APPEND text "\nconst char ${PREFIX}_${id}[] = \"${bytes}\";\n"
        "const size_t ${PREFIX}_${id}_size = sizeof ${PREFIX}_${id} - 1;\n")
endforeach()
file(WRITE ${OUT} "${text}")

# Turns text files into a C source of named strings:
#   cmake -DOUT=out.c -DHEADER=embedded.h -DPREFIX=ren_shader -DFILES=a.vert,b.frag -P Embed.cmake
# defines `const char ren_shader_a_vert[]`. Writes characters as numbers, which need no quoting.
string(REPLACE "," ";" FILES "${FILES}")
set(text "#include \"${HEADER}\"\n")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND text "\nconst char ${PREFIX}_${id}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")

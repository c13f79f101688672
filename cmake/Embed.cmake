# cmake -DINPUT=file -DOUTPUT=file.c -DNAME=symbol -P Embed.cmake
# Writes a C file that defines the input's bytes as a string.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "/* Made from ${name}; do not edit. */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0x00};\n")

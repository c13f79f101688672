# One set of warnings for all code; gcc and clang both.
add_library(errata_options INTERFACE)
target_compile_definitions(errata_options INTERFACE _GNU_SOURCE)
target_include_directories(errata_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(errata_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef
  -fno-omit-frame-pointer)
if(ERRATA_WERROR)
  target_compile_options(errata_options INTERFACE -Werror)
endif()
if(ERRATA_SANITIZE)
  target_compile_options(errata_options INTERFACE -fsanitize=${ERRATA_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(errata_options INTERFACE -fsanitize=${ERRATA_SANITIZE})
else()
  # Hardening that costs little; sanitizers replace it.
  target_compile_options(errata_options INTERFACE -fstack-protector-strong)
  target_compile_definitions(errata_options INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
endif()

# What is built for use: assertions stay (they guard bugs of ours, and cost nothing that shows),
# and the linker sees across the matcher's files.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g")
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT ERRATA_SANITIZE)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT ERRATA_IPO OUTPUT ERRATA_IPO_WHY LANGUAGES C)
  if(ERRATA_IPO)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
endif()

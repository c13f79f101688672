# Finds the libraries through pkg-config or their config packages and says what is
# missing. Never downloads.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

set(ERRATA_MISSING "")

function(errata_library target module version package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module}>=${version})
  if(${target}_FOUND)
    message(STATUS "${module} ${${target}_VERSION}")
    return()
  endif()
  pkg_check_modules(${target}_ANY QUIET ${module})
  if(${target}_ANY_FOUND)
    set(what "${module} ${${target}_ANY_VERSION} is too old: ${version} or newer is needed (Debian: ${package})")
  else()
    set(what "${module} ${version} or newer is missing (Debian: ${package})")
  endif()
  set(ERRATA_MISSING "${ERRATA_MISSING}\n  ${what}" PARENT_SCOPE)
endfunction()

errata_library(NATS libnats 3.10 "libnats-dev of Debian 13; on Debian 12 scripts/deps.sh adds it")
errata_library(CJSON libcjson 1.7.15 libcjson-dev)
errata_library(PCRE2 libpcre2-8 10.40 libpcre2-dev)
errata_library(UV libuv 1.44 libuv1-dev)
errata_library(CRYPTO libcrypto 3.0 libssl-dev)
if(ERRATA_TESTS)
  errata_library(CMOCKA cmocka 1.1.5 libcmocka-dev)
endif()

if(ERRATA_MISSING)
  message(FATAL_ERROR "errata can not be built here:${ERRATA_MISSING}\n"
    "scripts/test.sh and scripts/run.sh install what is missing on Debian 12 and 13.")
endif()

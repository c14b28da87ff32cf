# The interface target project_options carries the warnings and the sanitizers. Every target links it,
# because targets that share precompiled headers need identical flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# For CMAKE_UNITY_BUILD: how many sources are compiled as one. Most of a source's compile time goes
# into headers, even precompiled ones, because GCC instantiates their templates again for each source.
# So a dozen sources as one take little longer than two. CI compiles everything once and sets both
# numbers higher.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12 CACHE STRING "Sources that are compiled as one")
set(EQUIPATCH_TEST_BATCH_SIZE 12 CACHE STRING "Sources of tests that are compiled as one")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# EQUIPATCH_LIBRARY_FOLDER receives the program's own libraries. The programs find it by a path
# relative to their own location, so an installed tree may be moved. GNUInstallDirs chooses Debian's
# library folder only for the prefix /usr, but CPack sets this prefix after configuring; so the folder
# is chosen here.
if(EXISTS /etc/debian_version AND CMAKE_LIBRARY_ARCHITECTURE AND NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
include(GNUInstallDirs)
set(EQUIPATCH_LIBRARY_FOLDER ${CMAKE_INSTALL_LIBDIR}/equipatch)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${EQUIPATCH_LIBRARY_FOLDER}")
string(REGEX MATCH "^(x86_64|AMD64)$" EQUIPATCH_X86_64 "${CMAKE_SYSTEM_PROCESSOR}")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# Fusing a product with a sum changes the result, so only the code decides where to fuse. Without this
# option GCC would fuse wherever the processor can: everywhere for ARM, for x86-64 only in sources
# compiled for FMA. A target's own options come later and may override this one.
add_compile_options(-ffp-contract=off)

add_library(project_options INTERFACE)
target_include_directories(project_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(project_options INTERFACE
                           EQUIPATCH_VERSION="${PROJECT_VERSION}")
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initialisers may omit fields
  -fno-math-errno
  -fno-semantic-interposition  # no function of these libraries is interposed
  # At -O3, GCC 12 gives false warnings about library code: that operator+ of std::string copies
  # between overlapping strings (GCC bug 105651), and that strings of a temporary `{}` are
  # uninitialised. -Wnull-dereference gives false warnings at every level (std::vector, Eigen,
  # nlohmann), so it is not used.
  $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>
  # In a unity build, GCC treats sources as included headers and warns about their local types. Also,
  # a local variable may have the name of a function or constant of another source.
  $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage;-Wno-shadow;-Wshadow=local>
  $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:Clang>>:-Wno-shadow>
  # std::stable_sort of libstdc++ 12 calls a function that is deprecated there.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${EQUIPATCH_WERROR}>:-Werror>)
if(EQUIPATCH_SANITIZE)
  target_compile_options(project_options INTERFACE
    -fsanitize=${EQUIPATCH_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(project_options INTERFACE -fsanitize=${EQUIPATCH_SANITIZE})
  if(EQUIPATCH_SANITIZE MATCHES "address")
    target_compile_options(project_options INTERFACE -fsanitize=undefined
                           -fno-sanitize-recover=undefined)
    target_link_options(project_options INTERFACE -fsanitize=undefined)
    # GCC 12 warns of uninitialised strings in variants because of its own instrumentation.
    target_compile_options(project_options INTERFACE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endif()
if(EQUIPATCH_FUZZ)
  # fuzzer-no-link records the coverage that guides libFuzzer; the assertions check the bounds of
  # vectors, which no sanitizer checks.
  target_compile_options(project_options INTERFACE -D_GLIBCXX_ASSERTIONS
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:EQUIPATCH_IS_TEST>>>:-fsanitize=fuzzer-no-link>)
endif()
# A library calls its own inline functions, not those of a program or of another library, which may
# be compiled without optimization.
target_link_options(project_options INTERFACE -Wl,-Bsymbolic-functions)

# equipatch_library(name SOURCES … PUBLIC … PRIVATE …): adds the shared library of one folder;
# core_text becomes libequipatch_text.so. Because the libraries are shared, the program can load those
# that need libtorch on demand (core/run/backend.h), and no test program contains a copy of the engine.
function(equipatch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} SHARED ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC project_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  string(REGEX REPLACE "^core_|^equipatch_" "" file ${name})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME equipatch_${file}
    DEFINE_SYMBOL ""  # defines no NAME_EXPORTS: shared precompiled headers need equal flags
    INSTALL_RPATH "$ORIGIN")
  if(NOT name MATCHES "^trainer_")
    install(TARGETS ${name} LIBRARY DESTINATION ${EQUIPATCH_LIBRARY_FOLDER})
  endif()
endfunction()

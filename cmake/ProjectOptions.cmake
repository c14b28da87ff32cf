# The interface target project_options carries the warnings and the sanitizers, so that every target
# has identical flags: the shared precompiled headers depend on it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# With CMAKE_UNITY_BUILD: most of a source's compile time goes into headers, precompiled or not
# (GCC instantiates their templates again for each source), so a dozen sources take little longer
# than two. CI, which compiles everything once, sets both numbers higher.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12 CACHE STRING "Sources that are compiled as one")
set(EQUIPATCH_TEST_BATCH_SIZE 12 CACHE STRING "Sources of tests that are compiled as one")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# Where the program's own libraries are installed; the programs look for them by a path relative
# to their own, so that an installed tree may be moved.
# GNUInstallDirs knows Debian's folder for libraries for the prefix /usr only, which is not yet
# chosen when a package is configured.
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

# The code says which products are fused with a sum, because results depend on it; for ARM, unlike
# x86-64, GCC would fuse all it can. A target's own options come later and may override this.
add_compile_options(-ffp-contract=off)

add_library(project_options INTERFACE)
target_include_directories(project_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(project_options INTERFACE
                           EQUIPATCH_VERSION="${PROJECT_VERSION}")
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initialisers leave the rest defaulted
  -fno-math-errno
  -fno-semantic-interposition  # no function of these libraries is interposed
  # At -O3, GCC 12 warns about paths through library code that are never taken: operator+ of
  # std::string as an overlapping copy (GCC bug 105651), strings of a temporary `{}` as
  # uninitialised. -Wnull-dereference gives such warnings at any level
  # (std::vector, Eigen, nlohmann), so it is not used.
  $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>
  # In a unity build, sources count as headers for GCC, and a local variable may have the name of a
  # function or constant of another source.
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
  # Coverage, which guides libFuzzer; and checks of vectors' bounds, which no sanitizer makes.
  target_compile_options(project_options INTERFACE -D_GLIBCXX_ASSERTIONS
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:EQUIPATCH_IS_TEST>>>:-fsanitize=fuzzer-no-link>)
endif()
# A library calls its own inline functions, not those of a program or of another library, which may
# be compiled without optimization.
target_link_options(project_options INTERFACE -Wl,-Bsymbolic-functions)

# equipatch_library(name SOURCES … PUBLIC … PRIVATE …): a library of one folder, core_text in
# libequipatch_text.so. Shared, so that the libraries that need libtorch can be loaded on demand
# (core/run/backend.h), and so that the engine is not linked into each test program.
function(equipatch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} SHARED ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC project_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  string(REGEX REPLACE "^core_|^equipatch_" "" file ${name})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME equipatch_${file}
    DEFINE_SYMBOL ""  # one set of flags, for precompiled headers
    INSTALL_RPATH "$ORIGIN")
  if(NOT name MATCHES "^trainer_")
    install(TARGETS ${name} LIBRARY DESTINATION ${EQUIPATCH_LIBRARY_FOLDER})
  endif()
endfunction()

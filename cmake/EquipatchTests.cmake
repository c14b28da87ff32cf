# equipatch_tests(folder SOURCES tst_x.cpp … LIBRARIES … [TORCH | WINDOW | BASIC] [LABELS …]
#                 [TARGET name])
#
# One executable for each folder (another one with TARGET), one ctest entry for each test class:
# `tst_x.cpp` of folder `core/base` becomes the test core/base/tst_x. The file must register a class
# of the same name: EQUIPATCH_TEST(tst_x).
# TORCH tests use libtorch; WINDOW tests share the precompiled headers of the ui's tests. BASIC tests
# use no checkpoints and build without the libraries that read checkpoints.
function(equipatch_tests folder)
  cmake_parse_arguments(ARG "TORCH;WINDOW;BASIC" "TARGET" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  string(REPLACE "/" "_" target "tests_${folder}")
  if(ARG_TARGET)
    set(target ${ARG_TARGET})
  endif()
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  # A test class is complete in its source, so moc needs no other file. AUTOMOC would also
  # read every header that the source includes, even those of libtorch, which is slow.
  set(moc ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(class ${source} NAME_WE)
    qt_generate_moc(${source} ${moc}/${class}.moc)
    target_sources(${target} PRIVATE ${moc}/${class}.moc)
  endforeach()
  target_include_directories(${target} PRIVATE ${moc})
  target_link_libraries(${target} PRIVATE
    project_options tests_main tests_support ${ARG_LIBRARIES})
  if(NOT ARG_BASIC)
    target_link_libraries(${target} PRIVATE tests_checkpoints)
  endif()
  set(headers tests_support)
  if(ARG_TORCH)
    target_link_libraries(${target} PRIVATE tests_torch)
    set(headers tests_torch)
  elseif(ARG_WINDOW)
    set(headers tests_ui_support)
  endif()
  equipatch_test_headers(${target} REUSE_FROM ${headers})
  set(environment QT_QPA_PLATFORM=offscreen)
  if(CMAKE_CROSSCOMPILING)
    list(APPEND environment EQUIPATCH_EMULATED=1)  # skips the tests that qemu cannot run
  endif()
  set(timeout 300)
  if(EQUIPATCH_SANITIZE)
    set(timeout 1200)  # sanitized programs are three to five times slower
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(class ${source} NAME_WE)
    add_test(NAME ${folder}/${class} COMMAND ${target} ${class})
    set_tests_properties(${folder}/${class} PROPERTIES
      LABELS "${ARG_LABELS}" TIMEOUT ${timeout}
      ENVIRONMENT "${environment}")
    # ctest starts tests of higher cost first, so no long test runs alone at the end.
    if(folder MATCHES "^(app|gui)$")
      set_tests_properties(${folder}/${class} PROPERTIES COST 50)
    endif()
  endforeach()
endfunction()

# equipatch_test_headers(target PRIVATE header … | REUSE_FROM target)
#
# Headers that all tests include are precompiled once for each kind of test. All targets that share
# precompiled headers need equal compiler flags. Test executables are therefore compiled with -fPIC,
# like libraries, and without the definitions of Qt Test's data folders, which no test uses.
function(equipatch_test_headers target)
  set_target_properties(${target} PROPERTIES
    EQUIPATCH_IS_TEST ON
    UNITY_BUILD_BATCH_SIZE ${EQUIPATCH_TEST_BATCH_SIZE})
  # Without optimization, tests compile in two thirds of the time. Tests of tensors stay
  # optimized, because they compute for a long time themselves.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT "tests_torch" IN_LIST ARGV)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(NOT EQUIPATCH_PCH)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    -fPIC -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  target_precompile_headers(${target} ${ARGN})
endfunction()

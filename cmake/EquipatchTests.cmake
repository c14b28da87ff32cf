# equipatch_tests(folder SOURCES tst_x.cpp … LIBRARIES … [TORCH] [LABELS …] [TARGET name])
#
# One executable a folder (another with TARGET), one ctest entry a test class: `tst_x.cpp` of folder `core/base`
# becomes the test core/base/tst_x. The class must carry the file's name (EQUIPATCH_TEST).
function(equipatch_tests folder)
  cmake_parse_arguments(ARG "TORCH" "TARGET" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  string(REPLACE "/" "_" target "tests_${folder}")
  if(ARG_TARGET)
    set(target ${ARG_TARGET})
  endif()
  add_executable(${target} ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES
    AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${target} PRIVATE project_options tests_support ${ARG_LIBRARIES})
  if(ARG_TORCH)
    target_link_libraries(${target} PRIVATE equipatch_torch)
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(class ${source} NAME_WE)
    add_test(NAME ${folder}/${class} COMMAND ${target} ${class})
    set_tests_properties(${folder}/${class} PROPERTIES
      LABELS "${ARG_LABELS}" TIMEOUT 300
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  endforeach()
endfunction()

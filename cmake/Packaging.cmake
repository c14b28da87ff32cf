# The files that are installed beside the programs, and the packages (docs/packages.md):
#   cmake --build build/release --target package    equipatch_VERSION_ARCH.deb, for this Debian
#   cmake --build build/release --target archive    equipatch-VERSION-linux-ARCH.tar.zst
set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(page_folder ${CMAKE_BINARY_DIR}/pages)
set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/equipatch)
set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(EXISTS /etc/debian_version)
  set(zsh_folder ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()

# The manual page and the completions, which the program prints itself.
set(pages)
function(equipatch_pages program)
  set(manual ${page_folder}/${program}.1.gz)
  set(bash ${page_folder}/bash/${program})
  set(zsh ${page_folder}/zsh/_${program})
  file(MAKE_DIRECTORY ${page_folder}/bash ${page_folder}/zsh)
  add_custom_command(
    OUTPUT ${manual} ${bash} ${zsh}
    COMMAND ${program} --manual > ${page_folder}/${program}.1
    COMMAND gzip -9nf ${page_folder}/${program}.1
    COMMAND ${program} --completion bash > ${bash}
    COMMAND ${program} --completion zsh > ${zsh}
    DEPENDS ${program}
    COMMENT "Writing the manual page and the completions of ${program}"
    VERBATIM)
  set(pages ${pages} ${manual} ${bash} ${zsh} PARENT_SCOPE)
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${zsh} DESTINATION ${zsh_folder})
endfunction()

equipatch_pages(equipatch-cli)
if(EQUIPATCH_UI)
  equipatch_pages(equipatch)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/equipatch.metainfo.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/equipatch-mime.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME equipatch.xml)
endif()

file(STRINGS ${packaging}/changelog newest LIMIT_COUNT 1)
if(NOT newest MATCHES "^equipatch \\(${PROJECT_VERSION}\\) ")
  message(FATAL_ERROR "packaging/changelog: expected an entry for ${PROJECT_VERSION}, the project's "
                      "version, in the first line, found \"${newest}\"; add one")
endif()
set(changelog ${page_folder}/changelog.gz)
add_custom_command(
  OUTPUT ${changelog}
  COMMAND gzip -9nc ${packaging}/changelog > ${changelog}
  DEPENDS ${packaging}/changelog
  VERBATIM)
install(FILES ${changelog} ${packaging}/copyright ${PROJECT_SOURCE_DIR}/README.md
              ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
              ${PROJECT_SOURCE_DIR}/CITATION.cff
        DESTINATION ${doc_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${doc_folder})

# The target `installed` builds everything that the packages contain, but no tests.
add_custom_target(installed ALL DEPENDS ${pages} ${changelog})

set(CPACK_PACKAGE_NAME equipatch)
set(CPACK_PACKAGE_VENDOR Equipatch)
set(CPACK_PACKAGE_CONTACT "Equipatch maintainers <maintainers@equipatch.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows a prompt as a small patch of a transformer's weights")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A prompt changes what a transformer computes without changing its weights.
Equipatch shows, token by token and on a real checkpoint, that the change can
be written as weights after all: it computes every token twice, once with the
original weights and the whole context, once with patched weights and no
context at all. It shows the patch, and the tokens at which the results differ.
.
Equipatch reads Hugging Face checkpoints; two small models come with it. The
window is the program equipatch, the command line equipatch-cli.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
# Jinja2 renders chat templates, OpenBLAS makes libtorch fast, figures use the fonts.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-jinja2, libopenblas0-openmp, fonts-dejavu-core, fonts-cmu, fonts-urw-base35")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "qt6-wayland")
# If CPack's configuration had its usual name, CPackConfig.cmake, CMake would add a target `package`
# that builds every test first.
set(CPACK_OUTPUT_CONFIG_FILE ${CMAKE_BINARY_DIR}/PackageConfig.cmake)
set(CPACK_SOURCE_OUTPUT_CONFIG_FILE ${CMAKE_BINARY_DIR}/SourcePackageConfig.cmake)
include(CPack)

add_custom_target(package
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${CPACK_OUTPUT_CONFIG_FILE}
  DEPENDS installed
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
  USES_TERMINAL VERBATIM)
add_custom_target(archive
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/make-archive ${CMAKE_BINARY_DIR}
  DEPENDS installed
  USES_TERMINAL VERBATIM)

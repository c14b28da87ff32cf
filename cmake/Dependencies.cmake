# The libraries that the project needs; scripts/install-dependencies installs their Debian packages.
find_package(Threads REQUIRED)
# Only core/kernel uses OpenMP. The fuzzers test readers of files, so they leave core/kernel out and
# need no OpenMP library for Clang, which differs from GCC's.
if(NOT EQUIPATCH_FUZZ)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()
find_package(PkgConfig REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.10 REQUIRED)
if(EQUIPATCH_X86_64 AND NOT EQUIPATCH_FUZZ)
  find_package(dnnl REQUIRED CONFIG)  # for core/kernel/bfloat16_product.cpp
endif()
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
find_package(ICU REQUIRED COMPONENTS uc)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLite3 3.31 REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(LIBCURL REQUIRED IMPORTED_TARGET libcurl>=7.85)  # the first with CURLOPT_PROTOCOLS_STR
find_package(PNG 1.6 REQUIRED)  # PNG, JPEG and WebP: images in prompts
find_package(JPEG REQUIRED)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET libwebp)

# libtorch as a target whose headers are system headers, so that their warnings are not shown.
if(EQUIPATCH_TORCH)
  find_package(Torch REQUIRED)
  add_library(equipatch_torch INTERFACE)
  target_link_libraries(equipatch_torch INTERFACE ${TORCH_LIBRARIES})
  target_include_directories(equipatch_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(equipatch_torch INTERFACE ${torch_flags})
endif()

if(EQUIPATCH_UI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets PrintSupport Svg)
  find_package(QCustomPlotQt6 REQUIRED)
endif()
if(EQUIPATCH_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Network Test)
endif()

#include <dlfcn.h>

#include "core/base/program_files.h"
#include "core/text/sentencepiece/sentencepiece_library.h"

// A sanitizer's runtime must come first in every lookup and refuses RTLD_DEEPBIND;
// programs built with one do without, which is safe as long as they do not use libtorch
// as well.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EQUIPATCH_OWN_SYMBOLS_FIRST 0
#else
#define EQUIPATCH_OWN_SYMBOLS_FIRST RTLD_DEEPBIND
#endif

namespace equipatch {

std::unique_ptr<SentencePieceLibrary> openSentencePieceLibrary() {
  // Never closed: the library keeps static state, and one handle serves the whole
  // program.
  using Make = SentencePieceLibrary* (*)();
  static void* const make =
      ownLibraryFunction("libequipatch_sentencepiece.so", "equipatchMakeSentencePiece",
                         RTLD_NOW | RTLD_LOCAL | EQUIPATCH_OWN_SYMBOLS_FIRST);
  return std::unique_ptr<SentencePieceLibrary>(reinterpret_cast<Make>(make)());
}

}  // namespace equipatch

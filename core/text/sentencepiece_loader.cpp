#include <dlfcn.h>

#include "core/base/error.h"
#include "core/text/sentencepiece_library.h"

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
  static void* const module = dlopen(EQUIPATCH_SENTENCEPIECE_MODULE,
                                     RTLD_NOW | RTLD_LOCAL | EQUIPATCH_OWN_SYMBOLS_FIRST);
  using Make = SentencePieceLibrary* (*)();
  void* const symbol = module ? dlsym(module, "equipatchMakeSentencePiece") : nullptr;
  if (!symbol)
    throw Error(ErrorKind::Resource,
                "the part that reads tokenizer.model cannot be loaded "
                "from " EQUIPATCH_SENTENCEPIECE_MODULE
                "; build the program again, or use a model with a tokenizer.json");
  return std::unique_ptr<SentencePieceLibrary>(reinterpret_cast<Make>(symbol)());
}

}  // namespace equipatch

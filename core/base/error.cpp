#include "core/base/error.h"

namespace equipatch {

Error::Error(ErrorKind kind, const std::string& sentence)
    : std::runtime_error(sentence), m_kind(kind) {}

Error Error::within(const std::string& context) const {
  return Error(m_kind, context + ": " + what());
}

Error badInput(const std::string& sentence) {
  return Error(ErrorKind::BadInput, sentence);
}

Error unsupported(const std::string& sentence) {
  return Error(ErrorKind::Unsupported, sentence);
}

}  // namespace equipatch

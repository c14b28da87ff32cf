#pragma once

#include <string>
#include <string_view>

#include "core/base/random.h"
#include "trainer/documents/document.h"

namespace equipatch {

/// "Examples: cat -> zor; plum -> mip; dog ->": the same signs throughout a document.
/// Every answer but the first is learned: before it there is nothing to answer from.
class ExampleList {
 public:
  ExampleList(Document& document, Random& random)
      : m_document(document), m_arrow(arrow(random)) {}

  void add(const std::string& question, const std::string& answer, bool last) {
    m_document.give((m_count == 0 ? "Examples: " : "; ") + question + m_arrow);
    if (m_count > 0 || last)
      m_document.answer(" " + answer);
    else
      m_document.give(" " + answer);
    ++m_count;
  }

 private:
  static std::string arrow(Random& random) {
    constexpr std::string_view kArrows[] = {" ->", " ->", " =", ":"};
    return std::string(kArrows[random.below(4)]);
  }

  Document& m_document;
  std::string m_arrow;
  int m_count = 0;
};

}  // namespace equipatch

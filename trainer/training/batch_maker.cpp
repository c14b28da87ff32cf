// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/batch_maker.h"

#include <algorithm>

#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

/// Answers alone are learned, the rest of a document is given.
bool isLearned(const Token& token, const Document& document) {
  return std::ranges::any_of(document.answers, [&](const ByteSpan& answer) {
    return token.span.begin >= answer.begin && token.span.end <= answer.end;
  });
}

void append(const Batch& document, Batch& batch) {
  const std::int64_t offset = batch.tokens();
  batch.ids.insert(batch.ids.end(), document.ids.begin(), document.ids.end());
  batch.ends.push_back(batch.tokens());
  for (const std::int64_t row : document.rows) batch.rows.push_back(offset + row);
  batch.successors.insert(batch.successors.end(), document.successors.begin(),
                          document.successors.end());
}

}  // namespace

Batch BatchMaker::make(std::uint64_t& next, std::int64_t tokens) const {
  Batch batch;
  while (true) {
    const Batch document = make(m_generator.document(next));
    if (batch.tokens() > 0 && batch.tokens() + document.tokens() > tokens) return batch;
    append(document, batch);
    ++next;
  }
}

Batch BatchMaker::make(const Document& document) const {
  Batch batch;
  for (const Token& token : m_tokenizer->encode(document.text, SpecialTokens::Add)) {
    if (!token.special && isLearned(token, document)) {
      batch.rows.push_back(batch.tokens() - 1);
      batch.successors.push_back(token.id.value);
    }
    batch.ids.push_back(token.id.value);
  }
  batch.rows.push_back(batch.tokens() - 1);
  batch.successors.push_back(kEosId);
  batch.ends.push_back(batch.tokens());
  return batch;
}

}  // namespace equipatch

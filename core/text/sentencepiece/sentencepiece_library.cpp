// SPDX-License-Identifier: GPL-3.0-or-later
// The only source that includes SentencePiece's headers, built as a separate shared
// library; see sentencepiece_library.h.
#include "core/text/sentencepiece/sentencepiece_library.h"

#include <sentencepiece_processor.h>

#include <exception>

namespace equipatch {
namespace {

class ProcessorLibrary final : public SentencePieceLibrary {
 public:
  std::string load(std::string_view model) override {
    try {
      const auto status = m_processor.LoadFromSerializedProto(
          absl::string_view(model.data(), model.size()));
      return status.ok() ? std::string() : std::string(status.error_message());
    } catch (const std::exception& problem) {
      return problem.what();  // the library's trie code throws for unexpected pieces
    }
  }

  int bos() const override { return m_processor.bos_id(); }
  int eos() const override { return m_processor.eos_id(); }
  int size() const override { return m_processor.GetPieceSize(); }
  std::string piece(int id) const override { return m_processor.IdToPiece(id); }
  bool isControl(int id) const override { return m_processor.IsControl(id); }
  bool isUnknown(int id) const override { return m_processor.IsUnknown(id); }
  bool isByte(int id) const override { return m_processor.IsByte(id); }

  std::string encode(std::string_view text, std::vector<Piece>& pieces) const override {
    sentencepiece::ImmutableSentencePieceText encoded;
    const auto status = m_processor.Encode(absl::string_view(text.data(), text.size()),
                                           encoded.mutable_proto());
    if (!status.ok()) return status.error_message();
    pieces.reserve(encoded.pieces_size());
    for (std::size_t index = 0; index < encoded.pieces_size(); ++index) {
      const auto part = encoded.pieces(static_cast<int>(index));
      pieces.push_back({static_cast<int>(part.id()), part.begin(), part.end()});
    }
    return {};
  }

 private:
  sentencepiece::SentencePieceProcessor m_processor;
};

}  // namespace
}  // namespace equipatch

/// The module's entry point; the caller owns the result.
extern "C" equipatch::SentencePieceLibrary* equipatchMakeSentencePiece() {
  return new equipatch::ProcessorLibrary;
}

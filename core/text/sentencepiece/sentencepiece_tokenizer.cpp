// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_tokenizer.h"

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/program_files.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/sentencepiece/sentencepiece_encoder.h"
#include "core/text/sentencepiece/sentencepiece_file.h"
#include "core/text/token.h"

// A sanitizer's runtime refuses RTLD_DEEPBIND, because the runtime must come first in
// symbol lookup. Without this flag, a program must not use libtorch.
// GCC defines a macro for each sanitizer; Clang has __has_feature.
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer)
#define EQUIPATCH_OWN_SYMBOLS_FIRST 0
#else
#define EQUIPATCH_OWN_SYMBOLS_FIRST RTLD_DEEPBIND
#endif

namespace equipatch {

std::unique_ptr<SentencePieceLibrary> openSentencePieceLibrary() {
  // Never closed, because the library has static state.
  using Make = SentencePieceLibrary* (*)();
  static void* const make =
      ownLibraryFunction("libequipatch_sentencepiece.so", "equipatchMakeSentencePiece",
                         RTLD_NOW | RTLD_LOCAL | EQUIPATCH_OWN_SYMBOLS_FIRST);
  return std::unique_ptr<SentencePieceLibrary>(reinterpret_cast<Make>(make)());
}

SentencePieceTokenizer::SentencePieceTokenizer(std::string_view bytes,
                                               const TokenizerConfig& config,
                                               const std::string& source,
                                               const Json* addedTokens,
                                               const Progress& progress) {
  if (bytes.size() > INT_MAX)
    throw badInput(source + " has " + std::to_string(bytes.size()) +
                   " bytes, more than a SentencePiece model can have");
  const SentencePieceFile file = SentencePieceFile::inspect(bytes, source, progress);
  m_decoder = Decoder::sentencePiece(file.addsDummyPrefix ? Decoder::DummyPrefix::Present
                                                          : Decoder::DummyPrefix::Absent);
  m_cuts = std::make_unique<SentencePieceCuts>(file, progress);
  auto library = openSentencePieceLibrary();
  const std::string problem = library->load(bytes);
  if (!problem.empty())
    throw badInput(source + " cannot be read as a SentencePiece model: " +
                   replaceInvalidUtf8(problem));
  if (config.addBos.value_or(true)) m_bos = library->bos();
  if (config.addEos.value_or(false)) m_eos = library->eos();
  m_library = std::move(library);
  readAdded(addedTokens, source, progress);
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

void SentencePieceTokenizer::readAdded(const Json* tokens, const std::string& source,
                                       const Progress& progress) {
  Json added = Json::array();
  for (const Json& token : tokens ? *tokens : Json::array()) {
    const auto id = token.find("id");
    const bool isInteger = id != token.end() && id->is_number_integer();
    const std::int64_t number = isInteger ? id->get<std::int64_t>() : -1;
    const bool isPiece = number >= 0 && number < m_library->size();
    if (isPiece) continue;
    // AddedTokens::parse refuses a token with an invalid id.
    added.push_back(token);
    added.back()["normalized"] = false;  // matched in the raw text
  }
  Json written = added;
  StopCheck steps(progress);
  for (int id = 0; id < m_library->size(); ++id) {
    steps.count();
    if (m_library->isControl(id))
      written.push_back(
          {{"id", id}, {"content", m_library->piece(id)}, {"special", true}});
  }
  const Json none;
  const auto plain = Normalizer::parse(&none, source);
  const std::string place = source + ": added tokens";
  m_added = AddedTokens::parse(&added, {}, *plain, place, progress);
  m_written = AddedTokens::parse(&written, {}, *plain, place, progress);
}

std::vector<Token> SentencePieceTokenizer::encode(std::string_view text,
                                                  SpecialTokens specials,
                                                  std::stop_token stop) const {
  requireTokenizable(text);
  const bool adds = specials == SpecialTokens::Add;
  TextLimits limits = TextLimits::of(text.size(), std::move(stop));
  std::vector<Token> tokens;
  const auto addFrameToken = [&](std::int64_t id, std::size_t offset) {
    if (adds && id >= 0)
      tokens.push_back({TokenId(id), piece(TokenId(id)), {offset, offset}, true});
  };
  addFrameToken(m_bos, 0);
  const std::size_t first = tokens.size();
  const AddedTokens& known = specials == SpecialTokens::Written ? m_written : m_added;
  for (const AddedTokens::Part& part : known.splitRaw(text, limits)) {
    const auto& [begin, end] = part.range;
    limits.requireTime();
    if (part.token)
      tokens.push_back({TokenId(part.token->id), part.token->content, part.range,
                        part.token->special});
    else
      encodePlain(text.substr(begin, end - begin), begin, limits, tokens);
  }
  closeGaps(std::span(tokens).subspan(first), text.size());
  addFrameToken(m_eos, text.size());
  return tokens;
}

void SentencePieceTokenizer::encodePlain(std::string_view text, std::size_t offset,
                                         TextLimits& limits,
                                         std::vector<Token>& tokens) const {
  SentencePieceEncoder encoder(*m_library, *m_cuts, limits);
  const auto pieces = encoder.encode(text);
  tokens.reserve(tokens.size() + pieces.size());
  StepCounter steps(limits);
  for (const auto& [id, begin, end] : pieces) {
    tokens.push_back(
        {TokenId(id), m_library->piece(id), {offset + begin, offset + end}, false});
    limits.countPiece(tokens.back().piece.size());
    steps.count();
  }
}

bool SentencePieceTokenizer::isSpecial(TokenId id) const {
  if (const AddedToken* added = m_added.find(id.value)) return added->special;
  const auto number = static_cast<int>(id.value);
  return m_library->isControl(number) || m_library->isUnknown(number);
}

std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids,
                                           SpecialTokens specials) const {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    requireId(id);
    const bool exists = id.value < m_library->size() || m_added.find(id.value);
    if (!exists || (specials == SpecialTokens::Omit && isSpecial(id))) continue;
    pieces.push_back(piece(id));
  }
  std::string text;
  for (const std::string& piece : m_decoder->apply(std::move(pieces))) text += piece;
  return replaceInvalidUtf8(text);
}

std::string SentencePieceTokenizer::surface(TokenId id) const {
  requireId(id);
  if (const AddedToken* added = m_added.find(id.value)) return added->content;
  if (id.value >= m_library->size()) return {};
  std::string name = piece(id);
  return isSpecial(id) ? name : m_decoder->surface(std::move(name));
}

std::string SentencePieceTokenizer::piece(TokenId id) const {
  requireId(id);
  if (const AddedToken* added = m_added.find(id.value)) return added->content;
  if (id.value >= m_library->size()) return nameOfUnused(id);
  return m_library->piece(static_cast<int>(id.value));
}

std::int64_t SentencePieceTokenizer::size() const {
  return std::max<std::int64_t>(m_library->size(), m_added.size());
}

}  // namespace equipatch

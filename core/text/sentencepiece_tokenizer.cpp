#include "core/text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <climits>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/text/encoding.h"
#include "core/text/sentencepiece_file.h"

namespace equipatch {

namespace {

/// The library gives the bytes of a character to the last of its byte tokens and none to
/// the others: gives each its own. `first` … `last` are the tokens of one character.
void shareBytes(std::span<Token> run) {
  const std::size_t begin = run.front().span.begin;
  const std::size_t end = run.back().span.end;
  for (std::size_t i = 0; i < run.size(); ++i) {
    run[i].span.begin = std::min(begin + i, end);
    run[i].span.end = i + 1 == run.size() ? end : std::min(begin + i + 1, end);
  }
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(std::string_view bytes,
                                               const TokenizerConfig& config,
                                               const std::string& source) {
  if (bytes.size() > INT_MAX)
    throw badInput(source + " has " + std::to_string(bytes.size()) +
                   " bytes, more than a SentencePiece model can have");
  const SentencePieceFile file = SentencePieceFile::inspect(bytes, source);
  m_decoder = Decoder::sentencePiece(file.addsDummyPrefix ? Decoder::DummyPrefix::Present
                                                          : Decoder::DummyPrefix::Absent);
  auto library = openSentencePieceLibrary();
  const std::string problem = library->load(bytes);
  if (!problem.empty())
    throw badInput(source + " cannot be read as a SentencePiece model: " +
                   replaceInvalidUtf8(problem));
  if (config.addBos.value_or(true)) m_bos = library->bos();
  if (config.addEos.value_or(false)) m_eos = library->eos();
  m_library = std::move(library);
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::vector<Token> SentencePieceTokenizer::encode(std::string_view text,
                                                  SpecialTokens specials) const {
  requireTokenizable(text);
  const bool adds = specials == SpecialTokens::Add;
  std::vector<Token> tokens;
  const auto addFrameToken = [&](std::int64_t id, std::size_t offset) {
    if (adds && id >= 0)
      tokens.push_back({TokenId(id), piece(TokenId(id)), {offset, offset}, true});
  };
  addFrameToken(m_bos, 0);
  const std::size_t first = tokens.size();
  encodePlain(text, tokens);
  closeGaps(std::span(tokens).subspan(first), text.size());
  addFrameToken(m_eos, text.size());
  return tokens;
}

void SentencePieceTokenizer::encodePlain(std::string_view text,
                                         std::vector<Token>& tokens) const {
  std::vector<SentencePieceLibrary::Piece> pieces;
  const std::string problem = m_library->encode(text, pieces);
  if (!problem.empty())
    throw badInput("SentencePiece cannot encode the text: " +
                   replaceInvalidUtf8(problem));
  tokens.reserve(tokens.size() + pieces.size());
  std::size_t runBegin = tokens.size();  // of the byte tokens of one character
  for (const auto& [id, begin, end] : pieces) {
    tokens.push_back({TokenId(id), m_library->piece(id), {begin, end}, false});
    const bool endsRun = m_library->isByte(id) && end > begin;
    if (endsRun) shareBytes(std::span(tokens).subspan(runBegin));
    if (endsRun || !m_library->isByte(id)) runBegin = tokens.size();
  }
}

bool SentencePieceTokenizer::isSpecial(TokenId id) const {
  const auto number = static_cast<int>(id.value);
  return m_library->isControl(number) || m_library->isUnknown(number);
}

std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids,
                                           SpecialTokens specials) const {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    std::string name = piece(id);
    if (specials == SpecialTokens::Add || !isSpecial(id))
      pieces.push_back(std::move(name));
  }
  std::string text;
  for (const std::string& piece : m_decoder->apply(std::move(pieces))) text += piece;
  return replaceInvalidUtf8(text);
}

std::string SentencePieceTokenizer::surface(TokenId id) const {
  std::string name = piece(id);
  return isSpecial(id) ? name : m_decoder->surface(std::move(name));
}

std::string SentencePieceTokenizer::piece(TokenId id) const {
  requireId(id, size());
  return m_library->piece(static_cast<int>(id.value));
}

std::int64_t SentencePieceTokenizer::size() const {
  return m_library->size();
}

}  // namespace equipatch

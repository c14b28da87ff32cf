#include "core/text/unigram.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace equipatch {
namespace {

/// How much less than the least likely piece an unknown character counts: what
/// SentencePiece and Hugging Face both take.
constexpr double kUnknownPenalty = 10.0;

void insert(Unigram& model, const std::string& piece, std::uint32_t id) {
  std::uint32_t node = Unigram::kRoot;
  for (const char byte : piece) {
    const std::uint64_t key = Unigram::childKey(node, byte);
    if (const std::uint32_t* next = model.children.find(key)) {
      node = *next;
      continue;
    }
    node = static_cast<std::uint32_t>(model.pieces.size());
    model.children.put(key, node);
    model.pieces.push_back(Unigram::kNoPiece);
  }
  // A piece without bytes would never be found in a text.
  if (node != Unigram::kRoot) model.pieces[node] = id;
}

void readPieces(Unigram& model, const Json* list, const std::string& place) {
  if (!list || !list->is_array())
    throw badInput(place + " should have a list under \"vocab\"");
  if (list->size() > static_cast<std::size_t>(Vocabulary::kIdLimit))
    throw badInput(place + " has " + std::to_string(list->size()) +
                   " pieces, expected at most " + std::to_string(Vocabulary::kIdLimit));
  for (const Json& entry : *list) {
    const auto id = static_cast<std::uint32_t>(model.scores.size());
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
        !entry[1].is_number())
      throw badInput(place + " should have [piece, score] at " + std::to_string(id) +
                     " of its vocabulary");
    const auto& piece = entry[0].get_ref<const std::string&>();
    model.vocabulary.add(piece, id, place);
    model.scores.push_back(entry[1].get<double>());
    insert(model, piece, id);
  }
}

}  // namespace

std::string byteTokenName(unsigned byte) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

Unigram Unigram::parse(const Json& json, const std::string& place) {
  JsonObject fields(json, place);
  fields.ignore({"type"});
  Unigram model;
  model.pieces.push_back(kNoPiece);
  readPieces(model, fields.member("vocab"), place);
  const double lowest =
      model.scores.empty() ? 0.0 : *std::ranges::min_element(model.scores);
  model.unknownScore = lowest - kUnknownPenalty;
  const auto last = static_cast<std::int64_t>(model.scores.size()) - 1;
  if (const auto id =
          fields.optionalInteger("unk_id", 0, std::max<std::int64_t>(last, 0)))
    model.unknown = static_cast<std::uint32_t>(*id);
  if (model.unknown && last < 0)
    throw badInput(place + " has an unk_id but an empty vocabulary");
  model.byteFallback = fields.boolean("byte_fallback", false);
  for (unsigned byte = 0; byte < 256; ++byte)
    model.byteTokens[byte] = model.vocabulary.find(byteTokenName(byte));
  const auto unread = fields.unread();
  if (!unread.empty())
    throw unsupported(place + " has the setting \"" + unread.front() +
                      "\", which is not known");
  return model;
}

}  // namespace equipatch

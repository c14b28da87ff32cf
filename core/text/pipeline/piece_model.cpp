// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_model.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/unigram.h"

namespace equipatch {
namespace {

/// A model made of tables and the encoder over them.
template <typename Tables, typename Encoder>
class TableModel : public PieceModel {
 public:
  explicit TableModel(Tables tables) : m_tables(std::move(tables)) {}

  const Vocabulary& vocabulary() const override { return m_tables.vocabulary; }
  std::unique_ptr<PieceEncoder> makeEncoder(const TextLimits& limits) const override {
    return std::make_unique<Encoder>(m_tables, limits);
  }

 private:
  Tables m_tables;
};

std::string modelType(const Json& json, const std::string& place) {
  JsonObject fields(json, place);
  // Old files have no types; their members identify the model.
  if (!fields.has("type") && fields.has("merges")) return "BPE";
  if (!fields.has("type") && fields.has("unk_id")) return "Unigram";
  return fields.string("type");
}

}  // namespace

std::shared_ptr<const PieceModel> PieceModel::parse(const Json* json,
                                                    const std::string& place,
                                                    const Progress& progress) {
  if (!json) throw badInput(place + " is missing");
  const std::string type = modelType(*json, place);
  if (type == "BPE") return of(Bpe::parse(json, place, progress));
  if (type == "Unigram")
    return std::make_shared<TableModel<Unigram, UnigramEncoder>>(
        Unigram::parse(*json, place, progress));
  throw unsupported(place + " of type " + type +
                    " is not supported; supported are BPE and Unigram");
}

std::shared_ptr<const PieceModel> PieceModel::of(Bpe bpe) {
  return std::make_shared<TableModel<Bpe, BpeEncoder>>(std::move(bpe));
}

void Vocabulary::add(const std::string& piece, std::int64_t id,
                     const std::string& place) {
  if (piece.size() > kLongestPiece)
    throw badInput(place + " has a piece of " + std::to_string(piece.size()) +
                   " bytes, expected at most " + std::to_string(kLongestPiece) +
                   "; use the tokenizer file published with the model");
  if (id < 0 || id >= kIdLimit)
    throw badInput(place + " gives \"" + piece + "\" the id " + std::to_string(id) +
                   ", expected one from 0 to " + std::to_string(kIdLimit - 1));
  const std::string* other = this->piece(id);
  if (other && *other != piece)
    throw badInput(place + " gives the id " + std::to_string(id) + " to \"" + *other +
                   "\" and to \"" + piece + "\", expected one piece for each id");
  const auto [entry, isNew] = m_ids.emplace(piece, static_cast<std::uint32_t>(id));
  if (!isNew && entry->second != id)
    throw badInput(place + " gives \"" + piece + "\" the ids " +
                   std::to_string(entry->second) + " and " + std::to_string(id) +
                   ", expected one");
  if (id >= size()) m_byId.resize(static_cast<std::size_t>(id) + 1, nullptr);
  m_byId[static_cast<std::size_t>(id)] = &entry->first;
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view piece) const {
  const auto entry = m_ids.find(piece);
  if (entry == m_ids.end()) return std::nullopt;
  return entry->second;
}

const std::string* Vocabulary::piece(std::int64_t id) const {
  if (id < 0 || id >= size()) return nullptr;
  return m_byId[static_cast<std::size_t>(id)];
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_model.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/text/pipeline/bpe_encoder.h"
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
                    " is not supported, only BPE and Unigram are");
}

std::shared_ptr<const PieceModel> PieceModel::of(Bpe bpe) {
  return std::make_shared<TableModel<Bpe, BpeEncoder>>(std::move(bpe));
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/step_digest.h"

#include <bit>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/hash.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

class Digest {
 public:
  template <typename Field>
  void operator()(const FieldName&, const Field& field) {
    std::visit([this](const auto& cell) { this->add(cell); }, toSql(field));
  }
  template <typename Number>
  void add(const std::vector<Number>& vector) {
    for (const Number number : vector) add(double(number));
  }
  void add(const std::string& text) { add(static_cast<std::int64_t>(fnv1a(text))); }
  void add(double number) {
    add(std::bit_cast<std::int64_t>(number + 0.0));  // SQLite stores −0 as 0
  }
  void add(std::nullptr_t) { add(std::int64_t{-1}); }
  void add(std::int64_t number) {
    m_hash = splitMix64(m_hash ^ static_cast<std::uint64_t>(number));
  }
  std::uint64_t value() const { return m_hash; }

 private:
  std::uint64_t m_hash = 0;
};

void addFactors(Digest& digest, const LayerFactors& factors) {
  for (const MatrixFactors& matrix : factors.matrices) {
    digest.add(matrix.weight);
    digest.add(matrix.u);
    digest.add(matrix.w);
  }
  for (const LayerVector& vector : kLayerVectors) digest.add(factors.*vector.field);
}

}  // namespace

std::uint64_t digestOf(const StepRecord& record, bool withFactors) {
  Digest digest;
  stepColumns(digest, record);
  for (const Choices* choices :
       {&record.contextual, &record.patched, &record.bare, &record.ablated})
    for (const Choice& choice : *choices) choiceColumns(digest, choice);
  for (const LayerRecord& layer : record.layers) {
    layerColumns(digest, layer);
    for (const MatrixPatchNorm& matrix : layer.matrices) matrixColumns(digest, matrix);
    digest.add(layer.scaleDelta);
  }
  digest.add(record.layerNoise);
  digest.add(record.layerRounding);
  if (withFactors && record.factors)
    for (const LayerFactors& factors : *record.factors) addFactors(digest, factors);
  return digest.value();
}

}  // namespace equipatch

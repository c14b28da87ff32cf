// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/step_report.h"

#include <limits>

#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

template <typename Real>
std::span<const Real> spanOf(const Tensor& logits) {
  return {logits.data_ptr<Real>(), static_cast<std::size_t>(logits.numel())};
}

bool isDouble(const Tensor& logits) {
  return logits.scalar_type() == at::kDouble;
}

std::vector<double> plain(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

void keepMatrix(MatrixId matrix, const RankOne& change, LayerFactors& factors) {
  factors.matrices.push_back(
      {.weight = weightName(matrix), .u = plain(change.u), .w = plain(change.w)});
}

/// Stores a change U Vᵀ as one rank-1 change for each column of U.
void keepMatrix(MatrixId matrix, const LowRank& change, LayerFactors& factors) {
  for (Eigen::Index term = 0; term < change.U.cols(); ++term)
    factors.matrices.push_back({.weight = weightName(matrix),
                                .u = plain(change.U.col(term)),
                                .w = plain(change.V.col(term))});
}

template <typename Change>
LayerFactors layerFactors(const LayerPatchOf<Change>& patch) {
  LayerFactors factors;
  for (const auto& [matrix, change] : patch.matrices) keepMatrix(matrix, change, factors);
  if (patch.scale) factors.scale = plain(*patch.scale);
  if (patch.bias) factors.bias = plain(*patch.bias);
  if (patch.denseScale) factors.denseScale = plain(*patch.denseScale);
  return factors;
}

}  // namespace

PassLogits::PassLogits(const Tensor& logits, std::int64_t topCount)
    : m_logits(logits.to(at::kCPU).contiguous()),
      m_summary(isDouble(m_logits) ? summariseLogits(spanOf<double>(m_logits), topCount)
                                   : summariseLogits(spanOf<float>(m_logits), topCount)) {
}

TokenId PassLogits::argmax() const {
  return TokenId(m_summary.top.empty() ? -1 : m_summary.top.front().index);
}

TokenId PassLogits::choose(const Sampling& sampling, StepIndex step) const {
  const bool greedy = sampling.temperature <= 0.0;
  if (greedy && !m_summary.top.empty()) return argmax();
  return isDouble(m_logits) ? chooseToken(spanOf<double>(m_logits), sampling, step)
                            : chooseToken(spanOf<float>(m_logits), sampling, step);
}

LogitDistance PassLogits::distanceTo(const PassLogits& other) const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!m_summary.finite || !other.m_summary.finite) return {kInfinite, 1.0, kInfinite};
  const double lse = m_summary.logSumExp, otherLse = other.m_summary.logSumExp;
  return isDouble(m_logits) ? compareLogits(spanOf<double>(m_logits), lse,
                                            spanOf<double>(other.m_logits), otherLse)
                            : compareLogits(spanOf<float>(m_logits), lse,
                                            spanOf<float>(other.m_logits), otherLse);
}

Tensor roundIfRequested(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic) {
  return request.roundLogits ? arithmetic.round(logits) : logits;
}

PassLogits passLogitsOf(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic) {
  return PassLogits(roundIfRequested(logits, request, arithmetic),
                    std::max<std::int64_t>(2, request.topChoices));
}

std::string tokenBytes(const Session& session, TokenId id) {
  if (!session.hasTokenizer()) return std::to_string(id.value) + " ";
  // Embeddings may have more rows than the tokenizer has pieces.
  if (id.value < 0 || id.value >= session.tokenizer().size())
    return std::string("<").append(std::to_string(id.value)).append(">");
  return session.tokenizer().surface(id);
}

std::string tokenText(const Session& session, TokenId id) {
  if (!session.hasTokenizer()) return std::to_string(id.value);
  return replaceInvalidUtf8(tokenBytes(session, id));
}

Choices choicesOf(const Session& session, const PassLogits& logits) {
  Choices choices;
  for (const RankedLogit& ranked : logits.summary().top) {
    const TokenId id(ranked.index);
    const std::string bytes = tokenBytes(session, id);
    std::string text =
        session.hasTokenizer() ? replaceInvalidUtf8(bytes) : std::to_string(id.value);
    std::string broken =
        text == bytes || !session.hasTokenizer() ? std::string() : hexadecimalText(bytes);
    choices.push_back({id, std::move(text), ranked.logit,
                       logits.summary().probability(ranked.logit), std::move(broken)});
  }
  return choices;
}

std::vector<LayerRecord> layerRecords(const PassResults& results) {
  std::vector<LayerRecord> records;
  for (const LayerDiagnostics& layer : results.diagnostics)
    records.push_back(layer.record);
  return records;
}

PatchFactors patchFactors(const SharedPatch& patch) {
  PatchFactors factors;
  for (const SharedLayerPatch& layer : patch) factors.push_back(layerFactors(layer));
  return factors;
}

std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results) {
  auto factors = std::make_shared<PatchFactors>();
  for (std::size_t index = 0; index < results.patch.size(); ++index) {
    const LayerDiagnostics& diagnostics = results.diagnostics[index];
    const ContextSites& context = results.context[index];
    LayerFactors& layer = factors->emplace_back(layerFactors(results.patch[index]));
    if (results.patch[index].scale) layer.scaleDelta = plain(diagnostics.scaleDelta);
    if (results.patch[index].bias) layer.biasDelta = plain(diagnostics.biasDelta);
    layer.v = plain(diagnostics.resid_mid);
    layer.z = plain(diagnostics.mlp_in);
    layer.vContext = plain(context.resid_mid);
    layer.zContext = plain(context.mlp_in);
  }
  return factors;
}

}  // namespace equipatch

#include "core/backend/step_report.h"

#include "core/base/strings.h"

namespace equipatch {

std::vector<MatrixPatchNorm> patchNorms(const std::vector<MatrixChange>& changes) {
  std::vector<MatrixPatchNorm> norms;
  for (const MatrixChange& change : changes)
    norms.push_back({change.matrix, change.norm, change.relative});
  return norms;
}

namespace {

LayerRecord layerRecord(const LayerDiagnostics& layer, double hiddenError) {
  LayerRecord record;
  record.matrices = patchNorms(layer.matrices);
  if (layer.scaleDelta.size() > 0) {
    record.scaleNorm = layer.scaleDelta.norm();
    record.scaleMax = layer.scaleDelta.cwiseAbs().maxCoeff();
    for (const double delta : layer.scaleDelta)
      record.scaleDelta.push_back(static_cast<float>(delta));
  }
  if (layer.biasDelta.size() > 0) record.biasNorm = layer.biasDelta.norm();
  record.experts = layer.experts;
  record.gateSum = layer.gateSum;
  record.effect = layer.effect;
  record.zNorm = layer.zNorm;
  record.zCosine = layer.zCosine;
  record.hiddenError = hiddenError;
  record.smallestDivisor = layer.smallestDivisor;
  record.hardCase = layer.hardCase;
  record.guarded = layer.guarded;
  record.note = layer.note;
  return record;
}

}  // namespace

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
  for (const RankedLogit& ranked : logits.summary().top)
    choices.push_back({TokenId(ranked.index), tokenText(session, TokenId(ranked.index)),
                       ranked.logit, logits.summary().probability(ranked.logit)});
  return choices;
}

std::vector<LayerRecord> layerRecords(const PassResults& results) {
  std::vector<LayerRecord> records;
  for (std::size_t layer = 0; layer < results.diagnostics.size(); ++layer)
    records.push_back(
        layerRecord(results.diagnostics[layer], results.hiddenErrors[layer]));
  return records;
}

}  // namespace equipatch

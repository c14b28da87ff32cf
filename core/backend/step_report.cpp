#include "core/backend/step_report.h"

#include "core/base/strings.h"

namespace equipatch {

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
  for (const LayerDiagnostics& layer : results.diagnostics)
    records.push_back(layer.record);
  return records;
}

}  // namespace equipatch

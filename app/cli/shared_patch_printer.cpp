// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shared_patch_printer.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <utility>

#include "app/cli/compare_printer.h"
#include "app/cli/printable.h"
#include "core/base/strings.h"

namespace equipatch::cli {
namespace {

using Object = nlohmann::ordered_json;

constexpr std::size_t kPairedTokenColumns = 14;  // a line has two such columns

struct Totals {
  std::int64_t matches = 0;
  double linf = 0.0;   ///< the largest of all tokens
  double audit = 0.0;  ///< likewise
};

Totals totalsOf(const SharedPatchRecord& record) {
  Totals totals;
  for (const SharedTokenRecord& token : record.tokens) {
    totals.matches += token.match ? 1 : 0;
    totals.linf = std::max(totals.linf, token.patchedDistance.linf);
    totals.audit = std::max(totals.audit, token.auditDistance.linf);
  }
  return totals;
}

void printGrowth(const SharedPatchRecord& record) {
  std::cout << "\nHow the patch grows: ‖ΔW‖ / ‖W‖, median of the layers\n\n tokens";
  for (const MatrixPatchNorm& matrix : record.growth.back().matrices)
    std::cout << heading(matrix.matrix, static_cast<int>(matrix.matrix.size()));
  std::cout << '\n';
  for (const SharedGrowth& row : record.growth) {
    std::cout << std::setw(7) << row.tokens;
    for (const MatrixPatchNorm& matrix : row.matrices) std::cout << cell(matrix.relative);
    std::cout << '\n';
  }
}

Object relativeNorms(const std::vector<MatrixPatchNorm>& matrices) {
  Object norms = Object::object();
  for (const MatrixPatchNorm& matrix : matrices) norms[matrix.matrix] = matrix.relative;
  return norms;
}

/// Two values have two keys each: `token` and `patched_id` are the keys of earlier
/// versions, `token_text` and `patched_token_id` the names that all outputs share
/// (docs/run-files.md, Names).
Object tokenObject(const SharedTokenRecord& token) {
  return {{"position", token.position.value},
          {"x_id", token.x.value},
          {"x", token.text},
          {"token_id", token.contextual.id.value},
          {"token", token.contextual.text},
          {"token_text", token.contextual.text},
          {"patched_id", token.patched.id.value},
          {"patched_token_id", token.patched.id.value},
          {"match", token.match},
          {"linf", token.patchedDistance.linf},
          {"tvd", token.patchedDistance.tvd},
          {"kl", token.patchedDistance.kl},
          {"margin", token.margin},
          {"bare_linf", token.bareDistance.linf},
          {"audit_linf", token.auditDistance.linf}};
}

Object layersOf(const SharedPatchRecord& record) {
  Object layers = Object::array();
  for (std::size_t index = 0; index < record.layers.size(); ++index) {
    const LayerRecord& layer = record.layers[index];
    layers.push_back({{"layer", index},
                      {"dw_rel", relativeNorms(layer.matrices)},
                      {"dscale_norm", layer.scaleNorm},
                      {"dscale_max", layer.scaleMax},
                      {"hidden_error", layer.hiddenError}});
  }
  return layers;
}

}  // namespace

void printSharedPatchTable(const RunHeader& header, const SharedPatchRecord& record) {
  std::cout << withoutControls(header.modelName) << ", " << torchName(header.dtype)
            << " on " << header.device << ", " << name(header.request.patch.application)
            << changedSettings(header) << "; "
            << countText(header.request.prompt.size(), "prompt token")
            << "\nOne set of patched weights for all "
            << countText(record.tokens.size(), "token")
            << "; the patched pass has no context before these tokens\n\n position  "
            << printable("token", kPairedTokenColumns) << "  "
            << printable("next", kPairedTokenColumns) << "   " << heading("L∞", 2)
            << heading("TVD", 3) << heading("margin", 6) << heading("bare L∞", 7)
            << heading("audit L∞", 8) << '\n';
  for (const SharedTokenRecord& token : record.tokens)
    std::cout << std::setw(9) << token.position.value << "  "
              << printableToken(token.text, kPairedTokenColumns) << "  "
              << printableToken(token.contextual.text, kPairedTokenColumns)
              << (token.match ? "  ✓" : "  ✗") << cell(token.patchedDistance.linf)
              << cell(token.patchedDistance.tvd) << cell(token.margin)
              << cell(token.bareDistance.linf) << cell(token.auditDistance.linf) << '\n';
  printGrowth(record);
  const Totals totals = totalsOf(record);
  std::cout << '\n'
            << totals.matches << " of " << record.tokens.size()
            << " most likely tokens match; L∞ largest " << numberText(totals.linf, 0)
            << "; audit L∞ largest " << numberText(totals.audit, 0) << '\n';
}

void printSharedPatchJson(const SharedPatchRecord& record, LayerDetail detail) {
  for (const SharedTokenRecord& token : record.tokens)
    std::cout << jsonLine(tokenObject(token));
  const Totals totals = totalsOf(record);
  Object growth = Object::array();
  for (const SharedGrowth& row : record.growth)
    growth.push_back({{"tokens", row.tokens}, {"dw_rel", relativeNorms(row.matrices)}});
  Object summary = {{"tokens", record.tokens.size()},
                    {"matches", totals.matches},
                    {"linf_max", totals.linf},
                    {"audit_linf_max", totals.audit},
                    {"growth", growth}};
  if (detail == LayerDetail::Include) summary["layers"] = layersOf(record);
  std::cout << jsonLine({{"summary", std::move(summary)}});
}

}  // namespace equipatch::cli

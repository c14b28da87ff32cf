// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_listing.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/printable.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"

namespace equipatch::cli {

namespace {

using Object = nlohmann::ordered_json;

constexpr std::size_t kDetailIndent = 6;

const char* originName(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::Bundled:
      return "bundled";
    case ModelOrigin::HubCache:
      return "cache";
    case ModelOrigin::OtherProgram:
      return "other_program";
    case ModelOrigin::Used:
      return "used";
    case ModelOrigin::Given:
      break;
  }
  return "given";
}

const char* stateName(ParityState state) {
  switch (state) {
    case ParityState::Unknown:
      return "unknown";
    case ParityState::NoReference:
      return "none";
    case ParityState::Equal:
      return "equal";
    case ParityState::Different:
      break;
  }
  return "different";
}

/// The problem without the folder, because the model's name is printed above it, and
/// without the advice after the "; ".
std::string shortReason(const ModelEntry& entry) {
  std::string reason = entry.problem;
  const std::string folder = entry.folder.string();
  for (const char* end : {"/config.json: ", ": ", "/"})
    if (reason.starts_with(folder + end)) {
      reason = reason.substr(folder.size() + std::string(end).size());
      break;
    }
  return reason.substr(0, reason.find("; "));
}

void printLine(std::size_t indent, const std::string& text) {
  std::cout << std::string(indent, ' ') << wrapped(replaceInvalidUtf8(text), indent)
            << '\n';
}

}  // namespace

std::string needText(const MemoryEstimate& need, std::optional<std::int64_t> freeBytes) {
  std::string text = std::string(torchName(need.dtype)) + " " + bytesText(need.total());
  if (freeBytes && need.total() > *freeBytes) text += " (more than is free)";
  return text;
}

Object memoryJson(const std::vector<MemoryEstimate>& needs) {
  Object memory = Object::object();
  for (const MemoryEstimate& need : needs)
    memory[std::string(torchName(need.dtype))] = {
        {"total", need.total()},   {"weights", need.weights},
        {"mapped", need.mapped},   {"cache", need.cache},
        {"scratch", need.scratch}, {"positions", need.positions},
        {"images", need.images},   {"kept_parts", need.keptParts}};
  return memory;
}

Object parityJson(const ParityBadge& badge) {
  Object json{{"state", stateName(badge.state)}};
  const bool isCompared =
      badge.state == ParityState::Equal || badge.state == ParityState::Different;
  if (!badge.problem.empty())
    json["problem"] = badge.problem;
  else if (isCompared)
    json["largest"] = badge.largest;
  return json;
}

Object toJson(const ListedModel& model) {
  const ModelEntry& entry = model.entry;
  Object dtype;
  if (entry.dtype) dtype = torchName(*entry.dtype);
  return {{"name", entry.name},
          {"folder", entry.folder.string()},
          {"origin", originName(model.origin)},
          {"architecture", entry.architecture},
          {"supported", entry.loadable()},
          {"problem", entry.problem},
          {"parameters", entry.parameters},
          {"stored_dtype", dtype},
          {"bytes", entry.bytes},
          {"missing", entry.missing},
          {"tokenizer", entry.hasTokenizer},
          {"memory_estimate", memoryJson(entry.needs)},
          {"parity", parityJson(model.parity)}};
}

void printModel(const ListedModel& model, std::optional<std::int64_t> freeBytes) {
  const ModelEntry& entry = model.entry;
  printLine(2, entry.name);
  std::string facts = entry.architecture.empty() ? "unknown" : entry.architecture;
  if (entry.parameters > 0) facts += ", " + metricText(entry.parameters) + " parameters";
  if (entry.dtype) facts += ", " + std::string(torchName(*entry.dtype));
  if (entry.bytes > 0)
    facts += ", " + bytesText(static_cast<std::int64_t>(entry.bytes)) + " on disk";
  if (entry.loadable() && !entry.hasTokenizer) facts += ", no tokenizer";
  printLine(kDetailIndent, facts);
  if (entry.loadable()) {
    std::string memory = "memory: ";
    for (const MemoryEstimate& need : entry.needs)
      memory += (&need == &entry.needs.front() ? "" : ", ") + needText(need, freeBytes);
    printLine(kDetailIndent, memory);
    printLine(kDetailIndent, model.parity.text);
  } else {
    printLine(kDetailIndent, "✗ " + shortReason(entry));
  }
  if (!entry.missing.empty())
    printLine(kDetailIndent, "missing: " + joined(entry.missing));
}

}  // namespace equipatch::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include <iomanip>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/model_listing.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/sandbox.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/patch/planner.h"
#include "core/record/export/export_json.h"
#include "core/run/model_list.h"
#include "core/run/parity.h"
#include "core/text/chat/chat_template.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

using Object = nlohmann::ordered_json;

constexpr std::size_t kLabel = 19;  // columns

struct InspectOptions {
  std::string model;  ///< a folder, or a name such as "bundled"
  bool json = false;
};

struct TemplateState {
  bool present = false;
  std::string problem = {};  ///< why the template cannot be read; empty: no problem

  std::string text() const {
    return problem.empty() ? (present ? "present" : "none") : problem;
  }
};

struct TokenizerState {
  std::string text;  ///< the file and its format, "none", or an error
  bool present = false;
};

/// The architecture card.
struct Card {
  Checkpoint checkpoint;
  PatchPlan plan;
  std::vector<MemoryEstimate> needs;
  ParityBadge parity;
  TokenizerState tokenizer;
  TemplateState chatTemplate;
  SandboxReport sandbox;  ///< of the process that renders chat templates
};

const char* formatText(TokenizerFormat format) {
  switch (format) {
    case TokenizerFormat::HuggingFace:
      return "Hugging Face tokenizers";
    case TokenizerFormat::SentencePiece:
      return "SentencePiece";
    case TokenizerFormat::Ranks:
      return "tiktoken ranks";
    case TokenizerFormat::VocabFiles:
      break;
  }
  return "vocabulary and merges files";
}

TokenizerState tokenizerState(const std::filesystem::path& folder) {
  try {
    const auto files = TokenizerFiles::find(folder);
    if (!files) return {.text = "none"};
    return {
        .text = files->path.filename().string() + " (" + formatText(files->format) + ")",
        .present = true};
  } catch (const Error& error) {
    return {.text = error.what()};
  }
}

/// Returns an error as text, because a damaged template must not hide the card's other
/// facts.
TemplateState templateState(const std::filesystem::path& folder) {
  try {
    return {.present = ChatTemplate::find(folder).has_value()};
  } catch (const Error& error) {
    return {.problem = error.what()};
  }
}

Card cardOf(const std::filesystem::path& folder) {
  Checkpoint checkpoint = Checkpoint::open(folder);
  PatchPlan plan = planPatch(checkpoint.spec());
  std::vector<MemoryEstimate> needs = memoryEstimates(checkpoint);
  SilentProgress silent;
  ParityBadge parity = ParityBook().badge(checkpoint.spec().architecture, silent);
  return {.checkpoint = std::move(checkpoint),
          .plan = std::move(plan),
          .needs = std::move(needs),
          .parity = std::move(parity),
          .tokenizer = tokenizerState(folder),
          .chatTemplate = templateState(folder),
          .sandbox = Sandbox::ofThisMachine()};
}

Object modelJson(const Card& card) {
  const ModelSpec& spec = card.checkpoint.spec();
  Object weights;  // bytes by dtype, without cache and scratch
  Object weightPlaces;
  const auto free = availableMemory();
  for (const MemoryEstimate& need : card.needs) {
    weights[std::string(torchName(need.dtype))] = need.weights;
    weightPlaces[std::string(torchName(need.dtype))] =
        weightPlaceName(need.placeWithin(free));
  }
  return {{"architecture", spec.architecture},
          {"stored_dtype", torchName(spec.storedDType)},
          {"parameters", card.checkpoint.parameterCount()},
          {"weight_bytes", weights},
          {"memory_bytes", weights},  // the older name of weight_bytes, kept for scripts
          {"memory_estimate", memoryJson(card.needs)},
          {"weight_place", weightPlaces},
          {"layers", spec.layerCount()},
          {"width", spec.width},
          {"mlp_width", spec.mlpWidth},
          {"heads", spec.heads},
          {"kv_heads", spec.kvHeads},
          {"head_dim", spec.headDim},
          {"vocabulary", spec.vocabulary},
          {"positions", spec.maxPositions},
          {"tied_head", spec.tiedHead}};
}

/// Null for a model without a vision tower.
Object visionJson(const Card& card) {
  const auto& vision = card.checkpoint.spec().vision;
  if (!vision) return nullptr;
  if (!vision->problem.empty()) return {{"problem", vision->problem}};
  return {{"parameters", card.checkpoint.visionParameterCount()},
          {"layers", vision->layers},
          {"width", vision->width},
          {"image_size", vision->imageSize},
          {"tokens_per_image", vision->tokens},
          {"operations_per_image", vision->operations(card.checkpoint.spec().width)}};
}

Object planJson(const PatchPlan& plan) {
  Object parameters = Object::array();
  for (const ParameterPlan& parameter : plan.parameters)
    parameters.push_back({{"parameter", parameter.parameter},
                          {"change", parameter.change},
                          {"theorem", parameter.theorem},
                          {"methods", parameter.methods}});
  return {{"block", plan.block},
          {"parameters", parameters},
          {"untouched", plan.untouched},
          {"closes_with_scale", plan.closesWithScale},
          {"weights_changed", plan.size.changed},
          {"numbers_in_patch", plan.size.factors},
          {"matrices", plan.matrices}};
}

Object sandboxJson(const SandboxReport& sandbox) {
  return {
      {"sentence", sandbox.sentence()},    {"no_files", sandbox.noFiles()},
      {"no_network", sandbox.noNetwork()}, {"no_other_processes", sandbox.noProcesses()},
      {"landlock", sandbox.landlock},      {"seccomp", sandbox.seccomp},
      {"namespaces", sandbox.namespaces}};
}

void printJson(const Card& card) {
  std::cout << jsonLine({{"model", modelJson(card)},
                         {"vision", visionJson(card)},
                         {"plan", planJson(card.plan)},
                         {"tokenizer", card.tokenizer.present},
                         {"tokenizer_file", card.tokenizer.text},
                         {"chat_template", card.chatTemplate.present},
                         {"chat_template_problem", card.chatTemplate.problem},
                         {"template_sandbox", sandboxJson(card.sandbox)},
                         {"parity", parityJson(card.parity)},
                         {"unread_keys", card.checkpoint.unreadKeys()},
                         {"unread_tensors", card.checkpoint.unreadTensors()},
                         {"ignored_tensors", card.checkpoint.ignoredTensors()}});
}

/// Prints a label with a text beside it, or below a long label. An empty label continues
/// the entry before.
void printEntry(const std::string& label, const std::string& text) {
  const bool isLong = label.size() >= kLabel;
  if (isLong) std::cout << label << '\n';
  std::cout << std::left << std::setw(kLabel) << (isLong ? "" : label) << std::right
            << wrapped(replaceInvalidUtf8(text), kLabel) << '\n';
}

void printVision(const Card& card) {
  const auto& vision = card.checkpoint.spec().vision;
  if (!vision) return;
  if (!vision->problem.empty()) return printEntry("images", vision->problem);
  const std::int64_t parameters = card.checkpoint.visionParameterCount();
  printEntry("images", std::to_string(vision->tokens) + " tokens each, of " +
                           std::to_string(vision->imageSize) + " × " +
                           std::to_string(vision->imageSize) +
                           " pixels; vision tower of " + std::to_string(vision->layers) +
                           " layers, width " + std::to_string(vision->width) + ", " +
                           std::to_string(parameters) + " parameters, " +
                           metricText(static_cast<std::int64_t>(
                               vision->operations(card.checkpoint.spec().width))) +
                           " operations per image");
}

void printCard(const Card& card) {
  const ModelSpec& spec = card.checkpoint.spec();
  printEntry("architecture", spec.architecture + ", stored in " +
                                 std::string(torchName(spec.storedDType)));
  printEntry("shape", std::to_string(spec.layerCount()) + " layers, width " +
                          std::to_string(spec.width) + ", MLP " +
                          std::to_string(spec.mlpWidth) + ", " +
                          std::to_string(spec.heads) + " query heads, " +
                          std::to_string(spec.kvHeads) + " key/value heads of width " +
                          std::to_string(spec.headDim));
  printEntry("tokens", std::to_string(spec.vocabulary) + " in the vocabulary, " +
                           std::to_string(spec.maxPositions) + " positions, " +
                           (spec.tiedHead ? "tied head" : "untied head"));
  printEntry("parameters", std::to_string(card.checkpoint.parameterCount()));
  printVision(card);
  printEntry("tokenizer", card.tokenizer.text);
  printEntry("chat template", card.chatTemplate.text());
  printEntry("template sandbox", card.sandbox.sentence());
  printEntry("parity", card.parity.text);
}

std::string needSentence(const MemoryEstimate& need, std::optional<std::int64_t> free) {
  std::string text = needText(need, free) + ": weights " + bytesText(need.weights);
  if (need.placeWithin(free) == WeightPlace::Resident)
    text += " resident";
  else
    text += need.mapped == need.weights ? " mapped"
            : need.mapped > 0
                ? " partly mapped"
                : " converted into memory, because the file has another dtype";
  text += ", cache " + bytesText(need.cache) + ", scratch " + bytesText(need.scratch);
  if (need.images > 0)
    text += "; " + bytesText(need.images) + " more while the vision tower reads an image";
  if (need.keptParts > 0)
    text += "; " + bytesText(need.keptParts) +
            " more in a run that keeps parts of its context";
  return text;
}

void printMemory(const Card& card) {
  const auto free = availableMemory();
  const std::int64_t positions = card.needs.front().positions;
  printEntry("memory", "for " + std::to_string(positions) + " positions" +
                           (free ? "; " + bytesText(*free) + " is free" : ""));
  for (const MemoryEstimate& need : card.needs) printEntry("", needSentence(need, free));
}

void printPlan(const PatchPlan& plan) {
  printEntry("block", plan.block);
  for (const ParameterPlan& parameter : plan.parameters) {
    std::cout << '\n';
    printEntry(parameter.parameter, parameter.change);
    printEntry("", parameter.theorem);
    printEntry("", "method: " + parameter.methods);
  }
  std::cout << '\n';
  printEntry("patch", "changes " + metricText(plan.size.changed) +
                          " parameters; its factors have " +
                          metricText(plan.size.factors) + " values");
  for (const std::string& reason : plan.untouched)
    printEntry(&reason == &plan.untouched.front() ? "never changed" : "", reason);
}

void printNames(const char* label, const std::vector<std::string>& names) {
  if (names.empty()) printEntry(label, "none");
  for (const std::string& name : names)
    printEntry(&name == &names.front() ? label : "", name);
}

int inspect(const InspectOptions& options) {
  const Card card = cardOf(modelFolder(options.model));
  if (options.json) {
    printJson(card);
    return 0;
  }
  printCard(card);
  printMemory(card);
  std::cout << '\n';
  printPlan(card.plan);
  std::cout << '\n';
  printNames("unused keys", card.checkpoint.unreadKeys());
  printNames("unused tensors", card.checkpoint.unreadTensors());
  printNames("not needed", card.checkpoint.ignoredTensors());
  return 0;
}

}  // namespace

void addInspect(CLI::App& program, Action& action) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = program.add_subcommand(
      "inspect",
      "Print a model's architecture card: its block, what a patch changes and why, and "
      "the memory that it needs");
  addModelOption(*command, options->model);
  command->add_flag("--json", options->json, "one JSON object");
  command->callback(
      [options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace equipatch::cli

#include <array>
#include <iomanip>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "app/cli/step_json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/patch/planner.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kDTypes{DType::F64, DType::F32, DType::BF16, DType::F16};

struct InspectOptions {
  std::string folder;
  bool json = false;
};

std::int64_t weightBytes(const Checkpoint& checkpoint, DType dtype) {
  return checkpoint.parameterCount() * static_cast<std::int64_t>(byteSize(dtype));
}

Json modelJson(const Checkpoint& checkpoint) {
  const ModelSpec& spec = checkpoint.spec();
  Json memory;
  for (const DType dtype : kDTypes)
    memory[std::string(torchName(dtype))] = weightBytes(checkpoint, dtype);
  return {{"architecture", spec.architecture},
          {"stored_dtype", torchName(spec.storedDType)},
          {"parameters", checkpoint.parameterCount()},
          {"memory_bytes", memory},
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

Json planJson(const PatchPlan& plan) {
  Json parameters = Json::array();
  for (const ParameterPlan& parameter : plan.parameters)
    parameters.push_back({{"parameter", parameter.parameter},
                          {"change", parameter.change},
                          {"theorem", parameter.theorem},
                          {"methods", parameter.methods}});
  return {{"block", plan.block},
          {"parameters", parameters},
          {"untouched", plan.untouched},
          {"closes_with_scale", plan.closesWithScale},
          {"matrices", plan.matrices}};
}

void printJson(const Checkpoint& checkpoint) {
  std::cout << line({{"model", modelJson(checkpoint)},
                     {"plan", planJson(planPatch(checkpoint.spec()))},
                     {"tokenizer", Tokenizer::present(checkpoint.folder())},
                     {"unread_keys", checkpoint.unreadKeys()},
                     {"unread_tensors", checkpoint.unreadTensors()}});
}

std::ostream& entry(const char* label) {
  return std::cout << std::left << std::setw(19) << label << std::right;
}

void printModel(const Checkpoint& checkpoint) {
  const ModelSpec& spec = checkpoint.spec();
  entry("architecture") << spec.architecture << ", stored in "
                        << torchName(spec.storedDType) << '\n';
  entry("shape") << spec.layerCount() << " layers, width " << spec.width << ", MLP "
                 << spec.mlpWidth << ", " << spec.heads << " heads on " << spec.kvHeads
                 << " of " << spec.headDim << '\n';
  entry("tokens") << spec.vocabulary << " in the vocabulary, " << spec.maxPositions
                  << " positions, " << (spec.tiedHead ? "tied head" : "own head") << '\n';
  entry("parameters") << checkpoint.parameterCount() << '\n';
  for (const DType dtype : kDTypes)
    entry(dtype == kDTypes.front() ? "memory" : "")
        << std::left << std::setw(9) << torchName(dtype) << std::right
        << numberText(static_cast<double>(weightBytes(checkpoint, dtype)) / (1 << 20), 8)
        << " MiB\n";
}

void printPlan(const PatchPlan& plan) {
  entry("block") << plan.block << "\n\n";
  for (const ParameterPlan& parameter : plan.parameters) {
    entry(parameter.parameter.c_str()) << parameter.change << '\n';
    entry("") << parameter.theorem << "; method: " << parameter.methods << '\n';
  }
  for (const std::string& reason : plan.untouched)
    entry("never changed") << reason << '\n';
}

void printNames(const char* label, const std::vector<std::string>& names) {
  if (names.empty()) entry(label) << "none\n";
  for (const std::string& name : names)
    entry(&name == &names.front() ? label : "") << name << '\n';
}

int inspect(const InspectOptions& options) {
  const Checkpoint checkpoint = Checkpoint::open(options.folder);
  if (options.json) {
    printJson(checkpoint);
    return 0;
  }
  printModel(checkpoint);
  std::cout << '\n';
  printPlan(planPatch(checkpoint.spec()));
  std::cout << '\n';
  entry("tokenizer") << (Tokenizer::present(checkpoint.folder()) ? "present\n"
                                                                 : "none\n");
  printNames("unread keys", checkpoint.unreadKeys());
  printNames("unread tensors", checkpoint.unreadTensors());
  return 0;
}

}  // namespace

void addInspect(CLI::App& program, Action& action) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = program.add_subcommand(
      "inspect", "Architecture card: the block, what is patched and why, memory");
  addModelOption(*command, options->folder);
  command->add_flag("--json", options->json, "one JSON object");
  command->callback(
      [options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace equipatch::cli

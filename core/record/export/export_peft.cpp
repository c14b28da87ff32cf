// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/checkpoint/safetensors.h"
#include "core/record/export/output_file.h"
#include "verify_adapter_script.h"

namespace equipatch {
namespace {

constexpr const char* kReferenceFile = "reference.json";
constexpr const char* kAdapterConfig = "adapter_config.json";
constexpr const char* kAdapterTensors = "adapter_model.safetensors";

using Object = nlohmann::ordered_json;

const std::string kWeightSuffix = ".weight";

struct Lora {
  std::vector<double> a;  ///< wᵀ [1, inputs]
  std::vector<double> b;  ///< u [outputs, 1], in the order of the stored tensor's outputs
};

struct NamedNumbers {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;
};

const PatchedParameter& parameterOf(const RunHeader& header, std::size_t layer,
                                    const std::string& weight) {
  const std::string name = layerWeight(static_cast<std::int64_t>(layer), weight);
  const auto found = std::ranges::find(header.parameters, name, &PatchedParameter::name);
  if (found == header.parameters.end())
    throw badInput("the run does not name the tensor that holds " + inQuotes(name));
  return *found;
}

/// Copies u to its matrix's outputs in `b`. The stored tensor may hold several matrices.
void place(const std::vector<double>& u, const TensorPart& part, std::vector<double>& b) {
  const auto groups = static_cast<std::size_t>(part.groups);
  const auto parts = static_cast<std::size_t>(part.parts);
  const auto index = static_cast<std::size_t>(part.index);
  if (groups == 0 || parts == 0 || index >= parts || u.size() % groups != 0)
    throw badInput("the run describes a matrix as an impossible part of its tensor");
  const std::size_t rows = u.size() / groups;
  b.resize(u.size() * parts);
  for (std::size_t group = 0; group < groups; ++group)
    std::copy_n(u.begin() + std::ptrdiff_t(group * rows), rows,
                b.begin() + std::ptrdiff_t((group * parts + index) * rows));
}

std::map<std::string, Lora> adaptersOf(const RunHeader& header,
                                       const PatchFactors& factors) {
  std::map<std::string, Lora> adapters;
  for (std::size_t layer = 0; layer < factors.size(); ++layer)
    for (const MatrixFactors& matrix : factors[layer].matrices) {
      const PatchedParameter& parameter = parameterOf(header, layer, matrix.weight);
      if (!parameter.module.ends_with(kWeightSuffix))
        throw unsupported("an adapter cannot change " + inQuotes(parameter.module) +
                          ", which is not the weight of a module");
      const std::string module =
          parameter.module.substr(0, parameter.module.size() - kWeightSuffix.size());
      Lora& lora = adapters[module];
      // Matrices within one tensor usually have the same input z, hence the same w.
      if (!lora.a.empty() && lora.a != matrix.w)
        throw unsupported("an adapter of rank 1 cannot change the matrices within " +
                          inQuotes(parameter.tensor) + " in different directions");
      lora.a = matrix.w;
      place(matrix.u, parameter.part, lora.b);
    }
  return adapters;
}

/// Patched scales and biases, in the checkpoint's convention (m or m − 1).
std::vector<NamedNumbers> patchedVectors(const RunHeader& header,
                                         const PatchFactors& factors) {
  std::vector<NamedNumbers> vectors;
  const auto add = [&](const PatchedParameter& parameter, std::vector<double> numbers) {
    for (double& number : numbers) number -= parameter.storedMinusOne ? 1.0 : 0.0;
    vectors.push_back({parameter.module, {std::ssize(numbers)}, std::move(numbers)});
  };
  for (std::size_t layer = 0; layer < factors.size(); ++layer) {
    if (!factors[layer].scale.empty())
      add(parameterOf(header, layer, "mlp_post_norm"), factors[layer].scale);
    if (!factors[layer].denseScale.empty())
      add(parameterOf(header, layer, "dense_post_norm"), factors[layer].denseScale);
    if (!factors[layer].bias.empty())
      add(parameterOf(header, layer, "b_down"), factors[layer].bias);
  }
  return vectors;
}

/// Writes float64 for a run in float64. For other runs float32 is enough: PEFT and
/// transformers compute them in float32 or a narrower dtype.
void writeTensors(const std::filesystem::path& path,
                  const std::vector<NamedNumbers>& tensors, DType dtype) {
  const bool wide = dtype == DType::F64;
  std::vector<TensorPlan> plan;
  for (const NamedNumbers& tensor : tensors)
    plan.push_back({tensor.name, wide ? DType::F64 : DType::F32, tensor.shape});
  SafetensorsWriter writer(path, plan, {{"format", "pt"}});
  for (const NamedNumbers& tensor : tensors) {
    if (wide) {
      writer.append(tensor.name, std::span<const double>(tensor.numbers));
      continue;
    }
    const std::vector<float> rounded(tensor.numbers.begin(), tensor.numbers.end());
    writer.append(tensor.name, std::span<const float>(rounded));
  }
  writer.finish();
}

void writeText(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file << text;
  file.finish();
}

void writeJson(const std::filesystem::path& path, const Object& object) {
  writeText(path, object.dump(2, ' ', false, Object::error_handler_t::replace) + "\n");
}

void writeAdapter(const RunHeader& header, const std::map<std::string, Lora>& adapters,
                  const std::filesystem::path& folder) {
  std::vector<NamedNumbers> tensors;
  std::vector<std::string> modules;
  for (const auto& [module, lora] : adapters) {
    const std::string prefix = "base_model.model." + module;
    tensors.push_back({prefix + ".lora_A.weight", {1, std::ssize(lora.a)}, lora.a});
    tensors.push_back({prefix + ".lora_B.weight", {std::ssize(lora.b), 1}, lora.b});
    modules.push_back(module);
  }
  writeTensors(folder / kAdapterTensors, tensors, header.dtype);
  const bool transposed = std::ranges::any_of(
      header.parameters,
      [](const PatchedParameter& parameter) { return parameter.part.transposed; });
  // Full names, because a suffix such as GPT-2's "c_proj" also matches other modules.
  writeJson(folder / kAdapterConfig,
            {{"peft_type", "LORA"},
             {"task_type", "CAUSAL_LM"},
             {"base_model_name_or_path", replaceInvalidUtf8(header.modelName)},
             {"inference_mode", true},
             {"r", 1},
             {"lora_alpha", 1},
             {"lora_dropout", 0.0},
             {"bias", "none"},
             {"use_rslora", false},
             {"use_dora", false},
             {"fan_in_fan_out", transposed},
             {"target_modules", modules},
             {"modules_to_save", nullptr}});
}

Object choicesJson(const Choices& choices) {
  Object list = Object::array();
  for (const Choice& choice : choices)
    list.push_back(
        {{"id", choice.id.value}, {"text", choice.text}, {"logit", choice.logit}});
  return list;
}

/// The largest difference that rounding in another program explains, for logits of up to
/// a few tens. Float64 has the tolerance of float32, because frameworks compute norms in
/// float32 even in float64 models.
double tolerance(const RunHeader& header) {
  const DType computed = header.computesFloat32 ? DType::F32 : header.dtype;
  return byteSize(computed) > 2 ? 5e-4 : 64.0 * machineEpsilon(computed);
}

void writeReference(const RunHeader& header, const StepRecord& step,
                    const std::filesystem::path& folder) {
  const auto dtype = torchName(header.dtype);
  writeJson(folder / kReferenceFile,
            {{"model", header.modelName},
             {"config_sha256", header.provenance.configSha256},
             {"weights_dtype", dtype},
             {"compute_dtype", header.computesFloat32 ? torchName(DType::F32) : dtype},
             {"step", step.step.value},
             {"token_id", step.x.value},
             {"position", step.position.value},
             {"tolerance", tolerance(header)},
             {"contextual", choicesJson(step.contextual)},
             {"patched", choicesJson(step.patched)},
             {"bare", choicesJson(step.bare)}});
}

void removeAdapterFile(const std::filesystem::path& file) {
  std::error_code problem;
  std::filesystem::remove(file, problem);
  if (problem)
    throw Error(ErrorKind::Resource,
                file.string() + ": the adapter of an earlier export cannot be removed (" +
                    problem.message() + "); choose another folder");
}

}  // namespace

void requireAdapterPossible(const RunHeader& header) {
  const RunRequest& request = header.request;
  const auto refuse = [](const std::string& why) {
    throw unsupported("this step cannot be exported as an adapter: " + why);
  };
  if (!request.strength.whole())
    refuse(
        "the patched pass ran with a part of the patch; run it again with the whole "
        "patch");
  if (!request.absorbed.whole())
    refuse(
        "part of the context was kept, and each kept token runs with its own patch; "
        "run it again with everything absorbed");
  for (const PatchedParameter& parameter : header.parameters)
    if (parameter.shape.size() == 2 && !parameter.module.ends_with(kWeightSuffix))
      refuse(inQuotes(parameter.module) + " is not the weight of a module");
}

void exportPeft(const RunHeader& header, const StepRecord& step,
                const std::filesystem::path& folder) {
  requireAdapterPossible(header);
  const auto adapters = adaptersOf(header, *step.factors);
  const auto vectors = patchedVectors(header, *step.factors);
  makeFolder(folder);
  // First, because requireOwnAdapter recognises even an interrupted export by this file.
  writeReference(header, step, folder);
  if (!adapters.empty())
    writeAdapter(header, adapters, folder);
  else  // otherwise verify.py would load the adapter of an earlier export
    for (const char* name : {kAdapterConfig, kAdapterTensors})
      removeAdapterFile(folder / name);
  writeTensors(folder / "patched_parameters.safetensors", vectors, header.dtype);
  writeText(folder / "verify.py", kVerifyAdapterScript);
}

void requireOwnAdapter(const std::filesystem::path& folder) {
  const OwnFile reference{"{\n  \"model\": \"", "the reference of a run's patch"};
  requireOwnOrAbsent(folder / kReferenceFile, reference);
  if (isThere(folder / kReferenceFile)) return;
  for (const char* name :
       {kAdapterConfig, kAdapterTensors, "patched_parameters.safetensors", "verify.py"})
    if (isThere(folder / name))
      throw badInput(
          (folder / name).string() +
          " exists already without the reference.json of a run's patch; choose "
          "another folder");
}

}  // namespace equipatch

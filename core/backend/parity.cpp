// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <ranges>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/transformer.h"
#include "core/record/verdict.h"
#include "core/run/prepared_prompt.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// golden.safetensors: float32 values and int64 ids.
class Reference {
 public:
  explicit Reference(const fs::path& path) : m_file(SafetensorsFile::open(path)) {}

  bool has(const std::string& name) const { return m_file.tensors().contains(name); }

  std::vector<float> floats(const std::string& name) const {
    return values<float>(name, DType::F32);
  }

  std::vector<TokenId> ids(const std::string& name) const {
    const auto ids = values<std::int64_t>(name, DType::I64);
    return {ids.begin(), ids.end()};
  }

 private:
  template <typename Element>
  std::vector<Element> values(const std::string& name, DType dtype) const {
    const auto found = m_file.tensors().find(name);
    if (found == m_file.tensors().end())
      throw badInput(m_file.path().string() + ": tensor " + inQuotes(name) +
                     " is missing; a golden file holds ids, logits, hidden states and "
                     "module outputs");
    const TensorView& view = found->second;
    if (view.dtype != dtype)
      throw badInput(m_file.path().string() + ": tensor " + inQuotes(name) +
                     " should be stored as " + std::string(safetensorsName(dtype)) +
                     ", found " + std::string(safetensorsName(view.dtype)));
    std::vector<Element> elements(view.bytes.size() / sizeof(Element));
    if (!elements.empty())
      std::memcpy(elements.data(), view.bytes.data(), view.bytes.size());
    return elements;
  }

  SafetensorsFile m_file;
};

using Sites = std::map<std::string, NamedTensor>;

/// The difference as GoldenResult defines it; infinite when the sizes differ or a value
/// is NaN or infinite.
double difference(const std::vector<float>& a, const std::vector<float>& reference) {
  if (a.size() != reference.size()) return kInfinity;
  double largest = 0.0, scale = 1.0;
  for (std::size_t index = 0; index < a.size(); ++index) {
    const double expected = reference[index];
    const double d = std::abs(a[index] - expected);
    if (!std::isfinite(d)) return kInfinity;
    largest = std::max(largest, d);
    scale = std::max(scale, std::abs(expected));
  }
  return largest / scale;
}

/// The pictures for the prompt "input_ids", in order: image0.png, image1.png …
Pictures picturesIn(const fs::path& folder) {
  Pictures pictures;
  for (;;) {
    const fs::path file = folder / ("image" + std::to_string(pictures.size()) + ".png");
    if (!isFile(file)) return pictures;
    pictures.push_back(readPicture(file));
  }
}

PreparedPrompt goldenPrompt(const Session& session, const Reference& reference) {
  return preparePrompt({.text = {},
                        .ids = reference.ids("input_ids"),
                        .images = picturesIn(session.folder())},
                       session);
}

Sites sitesOf(const Session& session, const std::vector<TokenId>& ids,
              const std::vector<PromptImage>& images = {}) {
  Sites sites;
  for (NamedTensor& tensor : computeLogits(session, ids, SiteCapture::AllSites, images))
    sites[tensor.name] = std::move(tensor);
  return sites;
}

/// The difference of the logits of the prompt `ids`, which the reference names; 0 if it
/// has no such prompt.
double textDifference(const Session& session, const Reference& reference, const char* ids,
                      const char* logits) {
  if (!reference.has(ids)) return 0.0;
  return difference(sitesOf(session, reference.ids(ids)).at("logits").values,
                    reference.floats(logits));
}

std::vector<float> finalHidden(const Session& session, const NamedTensor& residPost) {
  const c10::InferenceMode inference;
  const Transformer& transformer = transformerOf(session);
  auto* data = const_cast<float*>(residPost.values.data());
  const Tensor x = at::from_blob(data, residPost.shape, at::kFloat);
  const Tensor normed =
      transformer.finalNorm(x, transformer.arithmetic()).to(at::kFloat).contiguous();
  const float* values = normed.data_ptr<float>();
  return {values, values + normed.numel()};
}

void compareSites(const Session& session, const Reference& reference, const Sites& sites,
                  GoldenResult& result) {
  const std::int64_t layers = session.spec().layerCount();
  const auto suffixOf = [](std::int64_t layer) { return "." + std::to_string(layer); };
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string suffix = suffixOf(layer);
    const auto siteDifference = [&](const char* site, const char* golden) {
      return difference(sites.at(site + suffix).values,
                        reference.floats(golden + suffix));
    };
    result.hidden = std::max(result.hidden, siteDifference("resid_pre", "hidden_states"));
    result.modules = std::max({result.modules, siteDifference("attn_out", "attn_out"),
                               siteDifference("mlp_out", "mlp_out")});
  }
  const auto last = finalHidden(session, sites.at("resid_post" + suffixOf(layers - 1)));
  result.hidden =
      std::max(result.hidden,
               difference(last, reference.floats("hidden_states" + suffixOf(layers))));
}

/// Compares the sites of the vision tower; a text model has none.
void compareTower(const Reference& reference, const Sites& sites, GoldenResult& result) {
  for (const auto& [name, site] : sites) {
    const bool isModule = name.starts_with("vis_");
    if (!isModule && !name.starts_with("vision_") && name != "pixel_values" &&
        name != "image_features")
      continue;
    double& largest = isModule ? result.modules : result.hidden;
    largest = std::max(largest, difference(site.values, reference.floats(name)));
  }
}

bool greedyAgrees(const std::shared_ptr<const Session>& session,
                  const Reference& reference, const PreparedPrompt& given,
                  Progress& progress) {
  const auto prompt = idsOf(given.tokens);
  const auto expected = reference.ids("greedy_ids");
  if (expected.size() <= prompt.size() ||
      !std::equal(prompt.begin(), prompt.end(), expected.begin()))
    throw badInput(session->folder().string() +
                   ": \"greedy_ids\" should continue \"input_ids\"");
  RunRequest request = requestFor(given, {});
  request.steps = static_cast<std::int64_t>(expected.size() - prompt.size());
  request.bare = false;
  request.ignoreEndOfSequence = true;
  TorchComparison comparison(session, request);
  comparison.prefill(progress);
  for (std::size_t at = prompt.size(); at < expected.size(); ++at) {
    progress.throwIfStopped();
    if (comparison.step()->token != expected[at]) return false;
  }
  return true;
}

/// The prompt's first `room` tokens. If these end within an image or with its last token,
/// the result ends before the image, because a token has to follow each image.
PreparedPrompt shortened(const PreparedPrompt& prompt, std::size_t room,
                         const Session& session) {
  if (prompt.tokens.size() <= room) return prompt;
  PromptSource source = prompt.source;
  for (const PromptImage& image : prompt.images | std::views::reverse) {
    if (image.tokens.last + 1 < static_cast<std::int64_t>(room)) break;
    room = std::min(room, static_cast<std::size_t>(image.tokens.first));
    source.images.pop_back();
  }
  source.ids.resize(room);
  return preparePrompt(source, session);
}

fs::path referencePath(const fs::path& folder) {
  return folder / "golden.safetensors";
}

}  // namespace

GoldenResult checkGolden(const fs::path& folder, Progress& progress) {
  const Reference reference(referencePath(folder));
  const auto session = Session::open({.folder = folder, .dtype = DType::F32}, progress);
  GoldenResult result{.name = session->modelName(),
                      .architecture = session->spec().architecture};
  const PreparedPrompt prompt = goldenPrompt(*session, reference);
  const Sites sites = sitesOf(*session, idsOf(prompt.tokens), prompt.images);
  result.logits = std::max(
      {difference(sites.at("logits").values, reference.floats("logits")),
       textDifference(*session, reference, "input_ids_single", "logits_single"),
       textDifference(*session, reference, "text_only_ids", "text_only_logits")});
  compareSites(*session, reference, sites, result);
  compareTower(reference, sites, result);
  progress.throwIfStopped();
  if (reference.has("greedy_ids"))
    result.greedy = greedyAgrees(session, reference, prompt, progress);
  return result;
}

PatchResult checkPatch(const PatchCheck& check, Progress& progress) {
  const Reference reference(referencePath(check.folder));
  const auto session =
      Session::open({.folder = check.folder, .dtype = check.dtype}, progress);
  const std::int64_t positions = session->spec().maxPositions;
  // If the model has few positions, shorten the prompt rather than the run.
  const std::int64_t room = std::max<std::int64_t>(1, positions + 1 - check.steps);
  const PreparedPrompt prompt = shortened(goldenPrompt(*session, reference),
                                          static_cast<std::size_t>(room), *session);
  RunRequest request = requestFor(prompt, {});
  request.steps = std::min(check.steps, positions);
  request.ignoreEndOfSequence = true;
  request.measureNoise = byteSize(check.dtype) == 2;
  TorchComparison comparison(session, request);
  comparison.prefill(progress);
  std::vector<std::shared_ptr<const StepRecord>> steps;
  while (!comparison.done()) {
    progress.throwIfStopped();
    steps.push_back(comparison.step());
  }
  const RunSummary summary = summarise(steps);
  return {.dtype = check.dtype,
          .steps = summary.steps,
          .matches = summary.matches,
          .linf = summary.linfMax,
          .bareLinf = summary.bareLinfMedian,
          .floor = floorOf(steps).linf};
}

}  // namespace equipatch

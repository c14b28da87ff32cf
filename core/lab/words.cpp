#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"
#include "core/lab/experiment.h"
#include "core/lab/growing_context.h"
#include "core/model/transformer.h"
#include "core/text/tokenizer.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

/// √Σ over the layers of the squares, by token.
std::vector<double> overLayers(const ContextGrowth& growth) {
  std::vector<double> sums(growth.steps.front().size());
  for (const std::vector<double>& layer : growth.steps)
    for (std::size_t token = 0; token < layer.size(); ++token)
      sums[token] += layer[token] * layer[token];
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

void draw(const ContextGrowth& growth, const std::vector<std::string>& words,
          Notebook& book) {
  const LabAxis tokens{.label = "token of the context", .ticks = words};
  std::vector<double> flat;
  for (const std::vector<double>& layer : growth.steps)
    flat.insert(flat.end(), layer.begin(), layer.end());
  const std::vector<double> all = overLayers(growth);
  book.draw({.title = "Change of ΔW by each token",
             .x = tokens,
             .y = {"‖change of ΔW‖, all layers"},
             .curves = {{"all layers", toy::integersFrom(0, all.size()), all, {}}}});
  book.draw({.title = "Change of ΔW by token and layer",
             .x = tokens,
             .y = {"layer"},
             .map = LabMap{.label = "‖change of ΔW‖",
                           .scale = LabScale::Logarithmic,
                           .x = toy::integersFrom(0, words.size()),
                           .y = toy::integersFrom(0, growth.steps.size()),
                           .values = flat}});
  const auto most =
      static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  book.note("The token that changes ΔW most is " + inQuotes(words[most]) + ".");
  book.tell({"largest change of ΔW by one token", all[most], "", {}});
  book.tell({"change of ΔW by the last token", all.back(), "", {}});
}

/// As it stands in the prompt.
std::string written(const Token& token, const std::string& prompt) {
  return prompt.substr(token.span.begin, token.span.end - token.span.begin);
}

void runWords(const LabSettings& settings, Notebook& book) {
  const c10::InferenceMode inference;
  const auto folder = resolveModel(settings.text("model"), ModelPlaces::ofThisUser());
  book.pass(0.0, "Loading the model");
  const Checkpoint checkpoint = Checkpoint::open(folder);
  const auto tokenizer = Tokenizer::open(folder);
  const auto transformer = Transformer::load(
      checkpoint, Arithmetic(dtypeOf(settings), at::kCPU), book.progress());
  std::vector<TokenId> ids;
  std::vector<std::string> words;
  const std::string& prompt = settings.text("prompt");
  for (const Token& token : tokenizer->encode(prompt, SpecialTokens::Add)) {
    ids.push_back(token.id);
    words.push_back(token.special ? token.piece : written(token, prompt));
  }
  if (!words.empty()) words.pop_back();  // the query
  const auto growth = growContext(*transformer, ids, [&](std::size_t token) {
    book.pass(static_cast<double>(token) / static_cast<double>(words.size()),
              "Growing the context");
  });
  draw(growth, words, book);
}

}  // namespace

Experiment wordsExperiment() {
  return {.name = "words",
          .title = "Which words teach a language model",
          .claim =
              "The same change of ΔW, asked of a language model: for each layer, how "
              "much each token of a prompt adds for the token that asks.",
          .settings = {modelSetting("bundled"),
                       textSetting(
                           "prompt", "its last token asks",
                           "Once upon a time there was a little girl named Lily. She had "
                           "a red ball. Lily"),
                       dtypeSetting()},
          .run = runWords};
}

}  // namespace equipatch

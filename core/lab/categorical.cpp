// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/categorical.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/lab/experiment.h"
#include "core/lab/settings.h"
#include "core/record/quantile.h"
#include "core/toy/layers.h"
#include "core/toy/statistics.h"
#include "core/toy/training.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostCurves = 8;

struct Projections {
  at::Tensor W_q, W_k;  ///< [head width, width]
};

toy::Kernel kernelNamed(const std::string& name) {
  if (name == "linear") return toy::Kernel::Linear;
  return name == "rbf" ? toy::Kernel::Rbf : toy::Kernel::Softmax;
}

std::vector<Projections> projectionsOf(const LabSettings& settings, Random& random) {
  const std::int64_t heads = settings.count("heads"), width = settings.count("width");
  const bool own = settings.text("projections") == "own";
  if (heads == 1 && !own) {
    const at::Tensor identity = at::eye(width, at::kDouble);
    return {{identity, identity}};
  }
  const std::int64_t size = std::max<std::int64_t>(1, width / heads);
  std::vector<Projections> all;
  for (std::int64_t head = 0; head < heads; ++head) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(size));
    const at::Tensor W_q = scale * toy::normalSamples(random, {size, width}, at::kDouble);
    all.push_back(
        {W_q,
         own ? scale * toy::normalSamples(random, {size, width}, at::kDouble) : W_q});
  }
  return all;
}

/// Sinusoidal position embeddings [Vaswani et al.], of norm about 1 like a token's
/// embedding: [points, width].
at::Tensor fixedPositions(std::int64_t points, std::int64_t width) {
  at::Tensor all = at::zeros({points, width}, at::kDouble);
  const at::Tensor positions = at::arange(points, at::kDouble);
  for (std::int64_t i = 0; i < width; ++i) {
    const double frequency =
        std::pow(1e4, -static_cast<double>(i - i % 2) / static_cast<double>(width));
    const at::Tensor angle = positions * frequency;
    all.select(1, i).copy_(i % 2 == 0 ? angle.sin() : angle.cos());
  }
  return all / std::sqrt(static_cast<double>(width) / 2.0);
}

/// The text as a regression problem. Each token is a point, and the next token is its
/// target. The last token is the query, whose target is unknown.
class Sequence {
 public:
  Sequence(const LabSettings& settings, std::uint64_t seed)
      : m_settings(settings), m_tokens(readTokens(settings.text("text"))) {
    Random random(seed);
    const std::int64_t width = settings.count("width");
    const auto size = static_cast<std::int64_t>(m_tokens.vocabulary.size());
    m_embeddings = toy::normalSamples(random, {size, width}, at::kDouble) /
                   std::sqrt(static_cast<double>(width));
    m_projections = projectionsOf(settings, random);
    m_ids = at::tensor(m_tokens.ids, at::kLong);
  }

  const TokenSequence& tokens() const { return m_tokens; }
  std::int64_t points() const { return m_ids.size(0); }
  std::int64_t width() const { return m_embeddings.size(1); }

  /// @param positions [points, width], added to the embeddings
  toy::CategoricalTask task(const at::Tensor& positions,
                            const toy::BetweenUnits& between) const {
    const at::Tensor x = m_embeddings.index_select(0, m_ids) + positions;
    toy::CategoricalTask task{.embeddings = m_embeddings,
                              .next = m_ids.slice(0, 1),
                              .kernels = {},
                              .rate = m_settings.number("rate"),
                              .layers = m_settings.count("layers")};
    const toy::Kernel kernel = kernelNamed(m_settings.text("kernel"));
    for (const Projections& head : m_projections) {
      between();
      task.kernels.push_back(
          toy::kernelMatrix(kernel, at::linear(x, head.W_k), at::linear(x, head.W_q)));
    }
    return task;
  }

 private:
  const LabSettings& m_settings;
  TokenSequence m_tokens;
  at::Tensor m_embeddings;  ///< [vocabulary, width]
  at::Tensor m_ids;         ///< [points]
  std::vector<Projections> m_projections;
};

/// Position vectors trained to lower the loss after the last layer.
at::Tensor learnedPositions(const Sequence& sequence, const LabSettings& settings,
                            Notebook& book) {
  const at::Tensor positions =
      at::zeros({sequence.points(), sequence.width()}, at::kDouble).requires_grad_(true);
  toy::Adam adam({positions}, {.rate = 0.02});
  const std::int64_t steps = settings.count("position_steps");
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto between = [&] {
      book.advance(0.8 * static_cast<double>(step) / static_cast<double>(steps),
                   "Learning positions");
    };
    const toy::CategoricalTask task = sequence.task(positions, between);
    toy::crossEntropy(task, toy::byLayers(task, between).back()).backward();
    adam.step();
  }
  return positions.detach();
}

at::Tensor positionsOf(const Sequence& sequence, const LabSettings& settings,
                       Notebook& book) {
  const std::string& kind = settings.text("positions");
  if (kind == "learned") return learnedPositions(sequence, settings, book);
  if (kind == "fixed") return fixedPositions(sequence.points(), sequence.width());
  return at::zeros({sequence.points(), sequence.width()}, at::kDouble);
}

/// f before the first layer and after each layer, computed in two ways.
struct Ways {
  toy::Residuals layers, descent;
};

void plotLosses(const toy::CategoricalTask& task, const Ways& ways, Notebook& book,
                const toy::BetweenUnits& between) {
  LabPanel losses{.title = "Loss by layer",
                  .x = {"layer"},
                  .y = {"cross-entropy", "nats"},
                  .curves = {{.name = "attention-like layers on f"},
                             {.name = "gradient steps on A"}}};
  LabPanel difference{.title = "Difference of the two ways",
                      .x = {"layer"},
                      .y = {"max |f − Aψ|", "", LabScale::Logarithmic},
                      .curves = {{.name = "all tokens"}}};
  for (std::size_t layer = 0; layer < ways.layers.size(); ++layer) {
    between();
    const auto x = static_cast<double>(layer);
    for (LabCurve& curve : losses.curves) curve.x.push_back(x);
    losses.curves[0].y.push_back(
        toy::crossEntropy(task, ways.layers[layer]).item<double>());
    losses.curves[1].y.push_back(
        toy::crossEntropy(task, ways.descent[layer]).item<double>());
    difference.curves[0].x.push_back(x);
    difference.curves[0].y.push_back(
        (ways.layers[layer] - ways.descent[layer]).abs().max().item<double>());
  }
  const auto& deviations = difference.curves[0].y;
  book.addScalar({"loss before the first layer", losses.curves[0].y.front(), "nats", {}});
  book.addScalar({"loss after the last layer", losses.curves[0].y.back(), "nats", {}});
  book.addScalar({"largest difference of the two ways",
                  deviations[placeOfLargest(deviations)],
                  "",
                  {}});
  book.plot(std::move(losses));
  book.plot(std::move(difference));
}

void plotPrediction(const toy::CategoricalTask& task, const Ways& ways,
                    const TokenSequence& tokens, Notebook& book) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& f : ways.layers) rows.push_back(toy::distribution(task, f[-1]));
  const at::Tensor probabilities = at::stack(rows);  // [layers + 1, vocabulary]
  const at::Tensor order = probabilities[-1].argsort(/*dim=*/0, /*descending=*/true);
  const std::size_t shown = std::min(kMostCurves, tokens.vocabulary.size());
  LabPanel panel{.title = "Predicted next token", .x = {"layer"}, .y = {"probability"}};
  for (std::size_t rank = 0; rank < shown; ++rank) {
    const auto id = order[static_cast<std::int64_t>(rank)].item<std::int64_t>();
    panel.curves.push_back({tokens.vocabulary[static_cast<std::size_t>(id)],
                            toy::integersFrom(0, rows.size()),
                            toy::toValues(probabilities.select(1, id)),
                            {}});
  }
  const double probability = panel.curves[0].y.back();
  book.addNote("After the last layer the most probable next token is " +
               inQuotes(panel.curves[0].name) + ".");
  book.addScalar({"probability of the most probable next token", probability, "", {}});
  book.plot(std::move(panel));
}

void plotContext(const toy::CategoricalTask& task, const Ways& ways,
                 const TokenSequence& tokens, Notebook& book,
                 const toy::BetweenUnits& between) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& f : ways.layers) {
    between();
    rows.push_back(toy::distribution(task, f.slice(0, 0, task.context()))
                       .gather(1, task.next.unsqueeze(1))
                       .squeeze(1));
  }
  std::vector<std::string> ticks;
  for (const std::int64_t id : tokens.ids)
    ticks.push_back(tokens.vocabulary[static_cast<std::size_t>(id)]);
  ticks.pop_back();
  book.plot({.title = "Probability of the token that follows",
             .x = {.label = "token", .ticks = ticks},
             .y = {"layer"},
             .map = LabMap{.label = "p(next token)",
                           .x = toy::integersFrom(0, ticks.size()),
                           .y = toy::integersFrom(0, rows.size()),
                           .values = toy::toValues(at::stack(rows))}});
}

void plotResidual(const Ways& ways, Notebook& book) {
  LabPanel panel{.title = "The residual stream as a sum",
                 .x = {"layer"},
                 .y = {"norm at the last token"},
                 .curves = {{.name = "‖f‖"}, {.name = "‖what the layer added‖"}}};
  for (std::size_t layer = 0; layer < ways.layers.size(); ++layer) {
    const at::Tensor f = ways.layers[layer][-1];
    const at::Tensor added = layer == 0 ? f : f - ways.layers[layer - 1][-1];
    for (LabCurve& curve : panel.curves) curve.x.push_back(static_cast<double>(layer));
    panel.curves[0].y.push_back(f.norm().item<double>());
    panel.curves[1].y.push_back(added.norm().item<double>());
  }
  book.plot(std::move(panel));
}

void describeKernel(const toy::CategoricalTask& task, Notebook& book,
                    const toy::BetweenUnits& between) {
  double largest = 0.0;
  bool mercer = true;
  for (const at::Tensor& K : task.kernels) {
    between();
    largest = maximum(largest, toy::asymmetry(K));
    mercer = mercer && toy::featuresOf(K).mercer;
  }
  book.addScalar({"asymmetry of the kernel, ‖K − Kᵀ‖ / ‖K‖", largest, "", {}});
  book.addNote(
      mercer
          ? "The kernel is a Mercer kernel on these tokens: every layer is a step of "
            "gradient descent on A."
          : "The kernel is not a Mercer kernel: no features ψ exist with k = ⟨ψ, ψ⟩. "
            "The layers are steps on A that follow no gradient, with separate features "
            "of keys and queries.");
}

void runCategorical(const LabSettings& settings, Notebook& book) {
  const Sequence sequence(settings, book.seed());
  const at::Tensor positions = positionsOf(sequence, settings, book);
  const auto between = [&book] { book.advance(0.8, "Gradient descent"); };
  const toy::CategoricalTask task = sequence.task(positions, between);
  describeKernel(task, book, between);
  const Ways ways{toy::byLayers(task, between), toy::byDescent(task, between)};
  plotLosses(task, ways, book, between);
  plotPrediction(task, ways, sequence.tokens(), book);
  plotContext(task, ways, sequence.tokens(), book, between);
  plotResidual(ways, book);
}

std::vector<LabSetting> categoricalSettings() {
  return {
      textSetting("text", "tokens, separated by spaces", "a b c a b c a b d a b c a b"),
      textSetting("kernel", "k(x, x'), the similarity of two tokens", "rbf",
                  {"linear", "rbf", "softmax"}),
      textSetting("positions", "position vectors added to the embeddings", "fixed",
                  {"none", "fixed", "learned"}),
      textSetting("projections",
                  "W_q and W_k of a head: the same (shared) or different (own)", "shared",
                  {"shared", "own"}),
      countSetting("heads", "attention heads; more than one have random projections", 1,
                   64),
      countSetting("width", "elements of an embedding", 16, 1024),
      countSetting("layers", "layers, or steps of gradient descent", 24, 1000),
      {"rate", "α, step size", 4.0, 4.0, 0.0, 1e4},
      countSetting("position_steps", "training steps for learned positions", 200, 1e5)};
}

}  // namespace

Experiment categoricalExperiment() {
  return {.name = "categorical",
          .title = "The forward pass as gradient descent",
          .claim =
              "Layers that add α/N Σ [W_y − E W_c] k(x_i, x_j) to the residual stream "
              "are steps of gradient descent on A, f(x) = Aψ(x).",
          .settings = categoricalSettings(),
          .run = runCategorical};
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/synthetic_engine.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "core/work/control.h"

namespace equipatch::test {
namespace {

struct RunPlan {
  RecordShape shape;
  DType dtype;
  RunRequest request;
  int failAfter;
  int overflowAt = -1;
  std::shared_ptr<std::counting_semaphore<>> computed = {};
};

/// The step as it is recorded when its patched pass overflows from the middle layer on.
std::shared_ptr<const StepRecord> overflowed(const StepRecord& step) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto record = std::make_shared<StepRecord>(step);
  record->match = false;
  record->patchedDistance = {kInfinity, 1.0, kInfinity};
  for (std::size_t layer = record->layers.size() / 2; layer < record->layers.size();
       ++layer)
    record->layers[layer].hiddenError = std::numeric_limits<double>::quiet_NaN();
  return record;
}

void runSteps(Control& control, const RunPlan& plan, RunSink& sink) {
  auto header = std::make_shared<RunHeader>(*makeHeader(plan.shape));
  header->dtype = plan.dtype;
  header->request = plan.request;
  sink.runStarted(header);
  RecordShape shape = plan.shape;
  shape.noise = plan.request.measureNoise;
  int step = 0;
  for (; step < plan.request.steps && control.pass(); ++step) {
    if (step == plan.failAfter)
      throw Error(
          ErrorKind::Numeric,
          "Layer 3, mlp_out: a finite number was expected, but inf was found; choose "
          "float32 or bfloat16 as dtype and run again.");
    const auto record = makeRecord(step, shape);
    sink.stepTaken(step == plan.overflowAt ? overflowed(*record) : record);
    control.report(double(step + 1) / double(plan.request.steps), "Comparing");
  }
  if (step < plan.request.steps) return;
  control.setComplete();
  if (plan.computed) plan.computed->release();
}

}  // namespace

std::vector<Token> WordTokenizer::encode(std::string_view text, SpecialTokens specials,
                                         std::stop_token /*stop*/) const {
  std::vector<Token> tokens;
  if (specials == SpecialTokens::Add) tokens.push_back({TokenId(1), "<s>", {0, 0}, true});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t space = text.find(' ', begin);
    const std::size_t end = space == std::string_view::npos ? text.size() : space + 1;
    tokens.push_back({TokenId(std::int64_t(end - begin)),
                      std::string(text.substr(begin, end - begin)),
                      {begin, end},
                      false});
    begin = end;
  }
  return tokens;
}

std::string WordTokenizer::decode(std::span<const TokenId> ids, SpecialTokens) const {
  std::string text;
  for (const TokenId id : ids) text += surface(id);
  return text;
}
std::string WordTokenizer::surface(TokenId) const {
  return "word";
}
std::string WordTokenizer::piece(TokenId) const {
  return "word";
}

// No job of this engine reads the template; the window only tests whether there is one.
std::shared_ptr<const ChatTemplate> anyChatTemplate() {
  static const int dummy = 0;
  return {std::shared_ptr<const int>(), reinterpret_cast<const ChatTemplate*>(&dummy)};
}

void SyntheticEngine::requireModel(const std::string& name) {
  if (name.starts_with("unknown")) throw badInput("there is no model " + name);
}

void SyntheticEngine::requireModelOf(const RunHeader& run) {
  if (run.modelFolder.starts_with("/unknown"))
    throw badInput("there is no " + run.modelFolder);
}

std::unique_ptr<Job> SyntheticEngine::makeLoadJob(const SessionRequest& request,
                                                  MemoryCheck check,
                                                  std::shared_ptr<ModelSink> sink) {
  ++m_loads;
  m_lastModel = request;
  LoadedModel model;
  model.name = request.folder.filename().string();
  model.folder = request.folder.string();
  model.spec = spec;
  model.plan = plan;
  model.spec.architecture = "SyntheticForCausalLM";
  model.spec.width = shape.width;
  model.spec.layers.resize(std::size_t(shape.layers));
  model.spec.storedDType = DType::BF16;
  model.dtype = request.dtype.value_or(model.spec.storedDType);
  model.device = request.device;
  model.parameters = 1234567;
  if (hasTokenizer) model.tokenizer = std::make_shared<WordTokenizer>();
  if (hasChat) model.chat = anyChatTemplate();
  const auto warning = check == MemoryCheck::Ask ? shortage : nullptr;
  return std::make_unique<FunctionJob>(
      "Load " + model.name, [model, sink, warning, refused = refusals,
                             failure = loadFailure](Control& control) {
        control.report(0.5, "Reading weights");
        if (!failure.empty()) throw badInput(failure);
        if (warning) {
          sink->memoryShortage(warning);
          return refused->release();
        }
        sink->modelLoaded(std::make_shared<const LoadedModel>(model));
      });
}

std::unique_ptr<Job> SyntheticEngine::makeImageMapJob(
    const LoadedModel&, const ImageMapRequest& request,
    std::shared_ptr<ImageMapSink> sink) {
  return std::make_unique<FunctionJob>("Map", [request, sink](Control& control) {
    if (request.image == 9) throw badInput("there is no image 10 in the prompt");
    auto mapped = std::make_shared<MappedImage>();
    mapped->step = request.step;
    mapped->map.cells = request.cells;
    for (int cell = 0; cell < request.cells * request.cells; ++cell) {
      control.report(cell / 100.0, "Mapping");
      if (!control.pass()) return;
      ImageReading reading;
      reading.bareLinf = cell;
      mapped->map.parts.push_back(reading);
    }
    mapped->figures.title = "map";
    sink->imageMapped(std::move(mapped));
  });
}

std::unique_ptr<Job> SyntheticEngine::makeListJob(std::shared_ptr<ModelListSink> sink,
                                                  const Folders& forgotten) {
  ++m_lists;
  m_lastForgotten = forgotten;
  const std::string failure = forgotten.empty() ? std::string() : forgetFailure;
  return std::make_unique<FunctionJob>("List", [list = models, sink, failure](Control&) {
    if (!failure.empty()) throw badInput(failure);
    sink->modelsListed(std::make_shared<const ModelList>(list));
  });
}

std::unique_ptr<Job> SyntheticEngine::makePromptJob(const LoadedModel& model,
                                                    const PromptSource& source,
                                                    std::shared_ptr<PromptSink> sink) {
  ++m_prompts;
  return std::make_unique<FunctionJob>("Prepare the prompt", [tokenizer = model.tokenizer,
                                                              source, sink](Control&) {
    if (source.text == "refuse") throw badInput("The template refuses this message.");
    PromptSource rendered{.text = "<user> " + source.text + " <model> ",
                          .specials = SpecialTokens::Omit,
                          .absorb = source.absorb};
    auto prompt =
        std::make_shared<PreparedPrompt>(preparePrompt(rendered, *tokenizer, nullptr));
    prompt->source = source;
    sink->promptPrepared(std::move(prompt));
  });
}

std::unique_ptr<Job> SyntheticEngine::makeRunJob(const LoadedModel& model,
                                                 const RunRequest& request,
                                                 const std::filesystem::path& record,
                                                 std::shared_ptr<RunSink> sink) {
  if (!record.empty() && std::filesystem::exists(record))
    throw badInput(record.string() + " exists already");  // as the real engine does
  ++m_runs;
  m_lastRequest = request;
  m_lastRecord = record;
  if (refusesRuns)
    return std::make_unique<FunctionJob>(
        "Compare", [](Control&) { throw badInput("This run does not fit."); });
  if (!record.empty()) std::ofstream(record) << "a recorded run";
  return std::make_unique<FunctionJob>(
      "Compare",
      [plan = RunPlan{shape, model.dtype, request, failAfter, overflowAt, runsComputed},
       sink](Control& control) { runSteps(control, plan, *sink); });
}

void SyntheticReplay::open(const ReplayedStep& step, Progress&) {
  if (!m_log->failure.empty()) throw badInput(m_log->failure);
  m_step = int(step.history.size() - step.request.prompt.size());
  ++m_log->opened;
}

StrengthReading SyntheticReplay::read(const PatchStrength& strength, Progress& progress) {
  if (m_log->held) m_log->let.acquire();
  if (m_log->failsOnce.exchange(false)) throw badInput("The reading failed.");
  progress.throwIfStopped();
  ++m_log->read;
  const auto record = makeRecord(m_step, m_shape);
  const double missing = strength.layers.empty()
                             ? 0.0
                             : double(m_shape.layers) - double(strength.layers.size());
  StrengthReading reading{.strength = strength, .choices = record->contextual};
  reading.distance = {10.0 * std::abs(1.0 - strength.alpha) + missing + 1e-4, 0.1, 0.01};
  reading.match = strength.alpha >= 0.3;
  if (!reading.match) reading.choices = record->bare;
  reading.probability = 0.6 * std::min(1.0, strength.alpha);
  if (strength.alpha >= m_log->overflow) {
    reading.distance = {INFINITY, 1.0, INFINITY};
    reading.probability = NAN;
    reading.match = false;
  }
  return reading;
}

std::shared_ptr<StepReplay> SyntheticEngine::makeReplay(const LoadedModel&) {
  return std::make_shared<SyntheticReplay>(shape, replays);
}

std::unique_ptr<Job> SyntheticEngine::makeOpenRunJob(
    const std::filesystem::path& file, std::shared_ptr<OpenedRunSink> sink) {
  m_lastOpened = file;
  const RunPlan plan{shape, DType::BF16, {.steps = kStoredSteps}, failAfter};
  return std::make_unique<FunctionJob>(
      "Open", [plan, sink, ending = storedEnding, refused = refusals,
               failure = openFailure](Control& control) {
        if (!failure.empty()) {
          refused->release();
          throw badInput(failure);
        }
        runSteps(control, plan, *sink);
        sink->endingRead(ending);
      });
}

std::unique_ptr<Job> SyntheticEngine::makeContinueJob(
    const LoadedModel& model, const UnfinishedRun& run,
    std::shared_ptr<ContinuedRunSink> sink) {
  ++m_runs;
  m_lastUnfinished = run;
  const RunPlan plan{shape, model.dtype, {.steps = kContinuedSteps}, failAfter};
  return std::make_unique<FunctionJob>("Continue", [plan, run, sink](Control& control) {
    sink->recordedIn(run.file);
    sink->warned("Step 6, computed again, has other digits.");
    runSteps(control, plan, *sink);
  });
}

std::unique_ptr<Job> SyntheticEngine::makeExportJob(std::shared_ptr<const LoadedModel>,
                                                    const ExportRequest& request,
                                                    std::shared_ptr<ExportSink> sink) {
  m_lastExport = request;
  return std::make_unique<FunctionJob>(
      "Export", [request, sink, late = m_late](Control& control) {
        const std::string target = request.target.string();
        control.report(0.5, "Writing");
        if (target.find("refuse") != std::string::npos) throw badInput("Refused.");
        if (target.find("slow") != std::string::npos)
          while (true) control.throwIfStopped();
        if (target.find("late") != std::string::npos) {  // writes its file to the end
          *late = true;
          while (!control.stopToken().stop_requested()) std::this_thread::yield();
          *late = false;
        }
        sink->exported("Wrote " + target);
      });
}

const std::vector<Experiment>& SyntheticEngine::experiments() {
  const auto text = [](const char* name) {
    return LabSetting{name, "any text", std::string("usual"), std::string("usual")};
  };
  static const std::vector<Experiment> all = {
      {.name = "counting",
       .title = "Counting",
       .claim = "Numbers follow each other.",
       .settings = {{"steps", "how far", std::int64_t{5}, std::int64_t{50}, 1.0, 1e6},
                    {"rate", "how fast", 0.5, 1e-3, 0.0, 1.0},
                    {"dtype",
                     "of numbers",
                     std::string("float32"),
                     std::string("float64"),
                     0.0,
                     0.0,
                     {"float32", "float64"}}}},
      {.name = "words",
       .title = "Words",
       .claim = "Words teach.",
       .settings = {text("model"), text("prompt")}}};
  return all;
}

std::unique_ptr<Job> SyntheticEngine::makeLabJob(const LabRequest& request,
                                                 std::shared_ptr<LabSink> sink) {
  ++m_labs;
  if (refusesRuns)
    return std::make_unique<FunctionJob>(
        "Train", [](Control&) { throw badInput("These settings do not fit."); });
  const std::int64_t steps =
      request.experiment == "counting" ? request.settings.count("steps") : 1;
  return std::make_unique<FunctionJob>(
      request.experiment,
      [request, steps, sink, reported = labsReported](Control& control) {
        constexpr std::size_t kShown = 50;
        LabResult result{.experiment = request.experiment, .title = "Counting"};
        result.panels = {{.title = "Numbers", .x = {"step"}, .y = {"number"}}};
        LabCurve& curve = result.panels[0].curves.emplace_back();
        for (std::int64_t step = 0; step < steps; ++step) {
          if (!control.pass()) throw Error(ErrorKind::Cancelled, "stopped on request");
          if (curve.x.size() < kShown) curve.x.push_back(double(step));
          if (curve.y.size() < kShown) curve.y.push_back(double(step));
          result.scalars = {{"last number", double(step), "", 1e-7}};
          result.finished = step + 1 == steps;
          sink->labUpdated(std::make_shared<const LabResult>(result));
          control.report(double(step + 1) / double(steps), "Counting");
        }
        reported->release();
      });
}

}  // namespace equipatch::test

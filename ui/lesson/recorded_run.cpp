// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/recorded_run.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <system_error>

#include "core/base/program_files.h"
#include "core/run/model_list.h"
#include "ui/prompt/sample_prompts.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMostLessonSteps = 64;

/// The settings of a recorded run, or those in the panels.
struct RunChoice {
  std::filesystem::path folder;
  std::optional<DType> dtype;
  bool computesFloat32 = false;
  const RunRequest& request;  ///< its prompt is ignored: `prompt` replaces it
  std::int64_t steps = 1;
  PromptParts prompt;
  bool isChat = false;
  std::string absorbed;
};

QString lessonText(const char* text) {
  return QCoreApplication::translate("RecordedRun", text);
}

/// @param name the bundled model's name in the list of models
/// @param folder a path, or a name from that list
bool isBundled(Resource resource, const char* name, const std::filesystem::path& folder) {
  if (folder == name) return true;
  const auto known = findResource(resource);
  std::error_code ignored;
  return known && std::filesystem::equivalent(*known, folder, ignored);
}

/// The model's display name. The last part of a folder in the Hugging Face cache would be
/// a commit hash.
QString modelWord(const std::filesystem::path& folder) {
  return QString::fromStdString(folder.is_absolute() ? nameOf(folder) : folder.string());
}

void addModel(const RunChoice& choice, RecordedRun& run) {
  const bool isVision =
      isBundled(Resource::BundledVisionModel, "bundled-vision", choice.folder);
  run.actions.push_back({LessonVerb::Model, isVision ? "vision" : "bundled"});
  if (!isVision && !isBundled(Resource::BundledModel, "bundled", choice.folder))
    run.lost << lessonText("A run used the model %1; lessons use the bundled model.")
                    .arg(modelWord(choice.folder));
  if (choice.dtype)
    run.actions.push_back({LessonVerb::DType, std::string(torchName(*choice.dtype))});
  if (choice.computesFloat32)
    run.lost << lessonText(
        "A run computed in float32 with narrower weights; lessons compute in the "
        "weights' dtype.");
}

void addMethod(const RunChoice& choice, RecordedRun& run) {
  const PatchOptions& patch = choice.request.patch;
  const std::int64_t steps = std::clamp<std::int64_t>(choice.steps, 1, kMostLessonSteps);
  run.actions.push_back({LessonVerb::Method, std::string(name(patch.method))});
  run.actions.push_back({LessonVerb::Loop, std::string(name(patch.loop))});
  run.actions.push_back({LessonVerb::Apply, std::string(name(patch.application))});
  run.actions.push_back({LessonVerb::Noise, choice.request.measureNoise ? "on" : "off"});
  run.actions.push_back({LessonVerb::RunSteps, std::to_string(steps)});
  if (choice.steps > kMostLessonSteps)
    run.lost << lessonText(
                    "A run took up to %1 steps; a run of a lesson takes 64 at most.")
                    .arg(choice.steps);
  if (choice.request.samples())
    run.lost << lessonText(
        "A run sampled its tokens; lessons take the most likely ones.");
}

void addPrompt(const RunChoice& choice, RecordedRun& run) {
  const QString text = choice.prompt.written();
  const auto& samples = samplePrompts();
  const auto sample = std::ranges::find(samples, text, &SamplePrompt::text);
  if (choice.prompt.pictures.empty() && sample != samples.end())
    run.actions.push_back({LessonVerb::Sample, sample->title.toStdString()});
  else if (!text.isEmpty())
    run.actions.push_back({LessonVerb::Prompt, text.toStdString()});
  for (const auto& picture : choice.prompt.files()) {
    run.actions.push_back(
        {LessonVerb::Picture, lessonPictureName(*picture).toStdString()});
    run.pictures.push_back(picture);
    if (picture->bytes.empty())
      run.lost << lessonText("A run was recorded without its image %1.")
                      .arg(QString::fromStdString(picture->name));
  }
  if (choice.absorbed != "all")
    run.actions.push_back({LessonVerb::Absorb, choice.absorbed});
  if (choice.isChat)
    run.lost << lessonText(
        "A prompt was a chat message; lessons write it as a plain text.");
}

/// Adds settings that no action can express to `lost`.
void addUnusual(const RunRequest& request, RecordedRun& run) {
  if (request.freeRun)
    run.lost << lessonText(
        "A run continued with the patched pass's tokens; lessons continue with the "
        "contextual pass's.");
  if (request.ignoreEndOfSequence)
    run.lost << lessonText(
        "A run ignored the end of the text; runs of lessons end there.");
  if (!request.strength.whole())
    run.lost << lessonText(
        "A run applied a part of its patch; runs of lessons apply the whole patch.");
  if (request.runsAblated())
    run.lost << lessonText("A run had an ablated pass; runs of lessons have none.");
  if (!request.bare)
    run.lost << lessonText("A run had no bare pass; runs of lessons have one.");
  if (request.roundLogits)
    run.lost << lessonText("A run rounded its logits; lessons do not round them.");
}

/// The absorbed part, in the syntax of `--absorb`.
std::string marksOf(const PromptEditor& prompt) {
  const auto prepared = prompt.prepared();
  return prepared
             ? absorbedText(prepared->absorbed, std::int64_t(prepared->tokens.size()))
             : prompt.absorbed();
}

RecordedRun recorded(const RunChoice& choice) {
  RecordedRun run;
  addModel(choice, run);
  addMethod(choice, run);
  addUnusual(choice.request, run);
  addPrompt(choice, run);
  return run;
}

}  // namespace

RecordedRun recordedRun(const RunHeader& run, std::int64_t steps) {
  const RunRequest& request = run.request;
  const auto spans = imageSpans(request.promptText, request.prompt, request.images);
  RecordedRun result = recorded(
      {.folder = run.modelFolder,
       .dtype = run.dtype,
       .computesFloat32 = run.computesFloat32,
       .request = request,
       .steps = steps,
       .prompt = partsOf(request.promptText, spans, request.images),
       .absorbed = absorbedText(request.absorbed, std::int64_t(request.prompt.size()))});
  if (request.promptText.empty())
    result.lost << lessonText("A run's prompt was given as token ids, not as a text.");
  else if (request.branch.tokens > 0)  // tokenizing the text may give other tokens
    result.lost << lessonText(
        "A run continued from another token of a run; lessons write the tokens before it "
        "as a part of the prompt's text.");
  return result;
}

RecordedRun recordedSettings(const SessionRequest& model, const RunRequest& run,
                             const PromptEditor& prompt) {
  return recorded({.folder = model.folder,
                   .dtype = model.dtype,
                   .computesFloat32 = model.computeFloat32,
                   .request = run,
                   .steps = run.steps,
                   .prompt = prompt.parts(),
                   .isChat = prompt.form() == PromptForm::Chat,
                   .absorbed = marksOf(prompt)});
}

QString lessonPictureName(const PictureFile& picture) {
  // Lessons allow only these suffixes. Pictures are recognized by content, not suffix.
  static const QStringList known{QStringLiteral("png"), QStringLiteral("jpg"),
                                 QStringLiteral("jpeg"), QStringLiteral("webp")};
  QString suffix = QFileInfo(QString::fromStdString(picture.name)).suffix().toLower();
  if (!known.contains(suffix)) suffix = known.front();
  return QStringLiteral("picture-%1.%2")
      .arg(QString::fromStdString(picture.sha256.substr(0, 12)), suffix);
}

}  // namespace equipatch

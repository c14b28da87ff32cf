// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "core/base/error.h"
#include "core/record/export/output_file.h"
#include "core/run/session.h"
#include "trainer/commands/commands.h"
#include "trainer/evaluation/examination.h"
#include "trainer/evaluation/vision_examination.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct EvaluateOptions {
  std::string words;
  std::string model;
  std::string card;
  std::string mistakes;
  int threads = 1;
  ExaminationRequest request;
};

std::string readText(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw badInput(path.string() +
                   ": the model card could not be read; name an existing file");
  return text.str();
}

std::string listOf(const std::vector<VisionMistake>& mistakes) {
  std::string text;
  for (const auto& [scene, question, written] : mistakes)
    text += "scene " + std::to_string(scene) + ": " + question.text +
            "\n  expected:" + question.answer + "\n  written:" + written + "\n\n";
  return text;
}

std::string listOf(const std::vector<Sample>& mistakes) {
  std::string text;
  for (const auto& [document, written] : mistakes) {
    text += std::string(skillName(document.skill)) + ": ";
    text += document.prompt();
    text += "\n  expected:";
    text += document.lastAnswer();
    text += "\n  written:" + written.text + "\n\n";
  }
  return text;
}

/// The output files that the options name. They are opened before the evaluation, which
/// takes long, so that a file that cannot be written is reported first.
class Results {
 public:
  explicit Results(const EvaluateOptions& options) : m_cardName(options.card) {
    if (!options.card.empty()) {
      withReport(readText(options.card), "");  // refuses a card without marker lines
      m_card.emplace(options.card);
    }
    if (!options.mistakes.empty()) m_mistakes.emplace(options.mistakes);
  }

  /// Prints an evaluation's report and writes the files.
  template <typename Result>
  void publish(const Result& examination) {
    const std::string report = reportOf(examination);
    std::cout << report;
    if (m_card) finish(*m_card, withReport(readText(m_cardName), report));
    if (m_mistakes) finish(*m_mistakes, listOf(examination.mistakes));
  }

 private:
  static void finish(OutputFile& file, const std::string& text) {
    file << text;
    file.finish();
  }

  fs::path m_cardName;
  std::optional<OutputFile> m_card, m_mistakes;
};

void evaluate(const EvaluateOptions& options) {
  Results results(options);
  useThreads(options.threads);
  SilentProgress silent;
  const auto session =
      Session::open({.folder = options.model, .dtype = DType::F32}, silent);
  if (session->spec().vision)
    return results.publish(examineVision(session, options.request, silent));
  if (options.words.empty())
    throw badInput(
        "--words is missing; name the folder of word lists, from which the prompts for a "
        "text model are made");
  const WordLists lists = WordLists::read(options.words);
  results.publish(examine(session, lists, options.request, silent));
}

}  // namespace

void addEvaluate(CLI::App& program, Action& action) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = program.add_subcommand(
      "evaluate", "Measure a model's answers to held-out prompts, in float32");
  command->add_option("--words", options->words,
                      "folder of word lists, for a model that reads texts only");
  command->add_option("--model", options->model, "folder of the model")->required();
  command->add_option("--card", options->card, "model card to write the results into");
  command->add_option("--mistakes", options->mistakes,
                      "file for the wrong answers and the expected ones");
  command->add_option("--prompts", options->request.prompts, "prompts of each kind")
      ->capture_default_str()
      ->transform(atLeastOne());
  command->add_option("--seed", options->request.seed, "seed of the prompts")
      ->capture_default_str()
      ->transform(wholeNumber());
  command->add_option("--threads", options->threads)
      ->capture_default_str()
      ->transform(atLeastOne());
  command->callback([options, &action] { action = [options] { evaluate(*options); }; });
}

}  // namespace equipatch

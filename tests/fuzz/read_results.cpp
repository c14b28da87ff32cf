// SPDX-License-Identifier: GPL-3.0-or-later
// Results of experiments, sweeps and their prompts, the list of folders used before,
// lessons, and values of options.
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/checkpoint/model_folders.h"
#include "core/figure/figure_json.h"
#include "core/figure/lab_figure.h"
#include "core/figure/panel_reading.h"
#include "core/figure/tex/figure_tex.h"
#include "core/lab/settings.h"
#include "core/lesson/lesson_reader.h"
#include "core/lesson/lesson_writer.h"
#include "core/record/absorbed_set.h"
#include "core/record/lab_result.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_grid.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/record/sweep/sweep_prompts.h"
#include "core/record/sweep/sweep_status.h"
#include "core/record/sweep/sweep_table.h"
#include "core/text/visible_text.h"
#include "tests/fuzz/harness.h"

namespace equipatch::fuzz {

void readLabResultFile(std::string_view input) {
  attempt([&] {
    const LabResult result = readLabResult(scratchFile("result.json", input));
    const auto saved = scratchFolder() / "saved.json";
    saveLabResult(result, saved);
    require(toJson(readLabResult(saved)).dump() == toJson(result).dump(),
            "a result is written as it was read");
    attempt([&] {
      const Figure figure = labFigure(result);
      require(nlohmann::json::accept(figureJson(figure)), "a figure's values are JSON");
      figureTex(figure, {});
      for (const FigurePanel& panel : figure.panels) {
        tableOf(panel);
        readingAt(panel, 1.0, 1.0);
      }
    });
    attempt([&] { figureTex(labFigure(result, 1), {.width = 6.5, .height = 2.0}); });
  });
}

namespace {

/// Puts claims and failures where programs that fill a sweep leave them.
void moveNotes(const std::filesystem::path& folder) {
  const auto work = folder / "work";
  std::filesystem::create_directories(work);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool isNote =
        name.ends_with(".failed") || name.find(".claim.") != std::string::npos;
    if (isNote) std::filesystem::rename(entry.path(), work / name);
  }
}

}  // namespace

void readSweep(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] {
      const SweepPlan plan = readSweepPlan(folder);
      require(sweepPlanFrom(nlohmann::json::parse(toJson(plan).dump()), "copy") == plan,
              "a plan is written as it was read");
      int runs = 2;  // the cells whose run file exists
      std::error_code thereAlready;
      for (const SweepCell& cell : cellsOf(plan)) {
        if (runs-- > 0)
          std::filesystem::create_symlink(fuzzFolder() / "corpus/run_file/complete.eqrun",
                                          folder / cell.fileName(), thereAlready);
        attempt([&] { finishedRun(folder, plan, cell); });
      }
      claimSweepFolder(folder, plan);
      moveNotes(folder);
      const SweepStatus status = readSweepStatus(folder);
      status.left();
      require(status.waiting() >= 0, "a cell has one state");
    });
    attempt([&] {
      writeSweepCsv(mergeSweeps({folder, folder}), scratchFolder() / "sweep.csv");
    });
    const UsedFolders used(folder / "model-folders.json");
    used.all();
    used.add("/models/new");
    used.all();
  });
}

void readPrompts(std::string_view input) {
  attempt([&] {
    for (const SweepPrompt& prompt : parseSweepPrompts(input, "prompts.jsonl"))
      require(isPromptName(prompt.name) && !prompt.text.empty(),
              "a prompt has a name and a text");
  });
}

void readLessonText(std::string_view input) {
  attempt([&] {
    const Lesson lesson = readLesson(input);
    require(!lesson.title.empty() && !lesson.steps.empty(), "a lesson has a step");
    const auto number = [](std::string_view) { return std::optional(1.0); };
    const auto text = [](std::string_view) { return std::optional<std::string>("a"); };
    for (const LessonStep& step : lesson.steps) {
      require(step.lit.size() <= 2 && step.actions.size() <= 40, "steps are bounded");
      for (const LessonCondition& condition : step.expected)
        static_cast<void>(holds(condition, number, text) ||
                          conditionText(condition).empty());
    }
    require(readLesson(writeLesson(lesson)) == lesson, "what is written is read again");
  });
}

/// Parses the input as the value of several options that have their own syntax.
void readWords(std::string_view input) {
  static const std::vector<Token> prompt(9, Token{TokenId(1), "a", {}, false});
  requireSentence(visibleText(std::string(input) + "."));
  attempt([&] { parseGrids({std::string(input)}, DType::F16); });
  attempt([&] { parseShard(input); });
  attempt([&] {
    const AbsorbedSet set = parseAbsorbedSet(input, prompt);
    require(parseAbsorbedSet(absorbedText(set, 9), prompt) == set,
            "an absorbed part is written as it was read");
  });
  LabSettings settings(
      {countSetting("count", "", 3, 1e6), textSetting("text", "", "a", {"a", "b"}),
       LabSetting{
           .name = "number", .meaning = "", .quick = 0.5, .paper = 0.5, .high = 1e9}},
      LabPreset::Quick);
  for (const char* name : {"count", "text", "number"})
    attempt([&] { settings.set(name, input); });
}

}  // namespace equipatch::fuzz

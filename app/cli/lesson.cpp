// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/printable.h"
#include "app/usage/misuse.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/lesson/lesson_gap.h"
#include "core/lesson/lesson_reader.h"
#include "core/record/export/export_json.h"

namespace equipatch::cli {
namespace {

struct LessonOptions {
  std::vector<std::string> files;
  bool json = false;
};

/// What a page asks the reader for; empty if it asks nothing.
std::vector<std::string> askedBy(const LessonStep& step) {
  std::vector<std::string> asked;
  if (step.question)
    for (const LessonCondition& condition : step.question->conditions)
      asked.push_back(conditionWords(condition));
  return asked;
}

nlohmann::ordered_json jsonOf(const std::string& file, const Lesson& lesson) {
  nlohmann::ordered_json pages = nlohmann::ordered_json::array();
  for (const LessonStep& step : lesson.steps)
    pages.push_back({{"title", step.title}, {"asks", askedBy(step)}});
  return {{"file", file},
          {"title", lesson.title},
          {"summary", lesson.summary},
          {"pages", pages}};
}

void print(const std::string& file, const Lesson& lesson) {
  std::cout << withoutControls(file) << ": " << withoutControls(lesson.title) << ", "
            << countText(lesson.steps.size(), "page") << '\n';
  for (std::size_t page = 0; page < lesson.steps.size(); ++page) {
    const LessonStep& step = lesson.steps[page];
    std::cout << "  " << page + 1 << "  " << withoutControls(step.title) << '\n';
    if (step.question)
      std::cout << "     asks: " << wrapped(joined(askedBy(step), "; "), 11) << '\n';
  }
}

/// Checks every file, even after one that has failed. @returns the exit code.
int check(const LessonOptions& options) {
  int exitCode = 0;
  for (const std::string& file : options.files) {
    try {
      const Lesson lesson = readLessonFile(file);
      if (options.json)
        std::cout << jsonLine(jsonOf(file, lesson));
      else
        print(file, lesson);
    } catch (const Error& error) {
      exitCode = usage::printError(error.what(), kExitFailed);
    }
  }
  return exitCode;
}

}  // namespace

void addLesson(CLI::App& program, Action& action) {
  const auto options = std::make_shared<LessonOptions>();
  CLI::App* command = program.add_subcommand(
      "lesson", "Check the files of lessons, and list their pages and questions");
  command->add_option("files", options->files, "files of lessons (.md)")
      ->required()
      ->type_name("FILE");
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback(
      [options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace equipatch::cli

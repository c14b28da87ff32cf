// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_writer.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/lesson/lesson_words.h"

namespace equipatch {
namespace {

std::string actionLine(std::string_view keyword, const LessonAction& action) {
  return std::string(keyword) + " " + actionText(action) + "\n";
}

std::string conditionLine(std::string_view keyword, const LessonCondition& condition) {
  return std::string(keyword) + " " + conditionText(condition) + "\n";
}

std::string questionLines(const LessonQuestion& question) {
  std::string lines;
  for (const LessonCondition& condition : question.conditions)
    lines += conditionLine("ask", condition);
  if (!question.hint.empty()) lines += "hint " + question.hint + "\n";
  for (const LessonAction& action : question.solution)
    lines += actionLine("solve", action);
  return lines;
}

std::string blockOf(const LessonStep& step) {
  std::string lines;
  for (const LessonPart part : step.lit)
    lines.append("show ").append(lessonWord(kLessonParts, part)).append("\n");
  for (const LessonAction& action : step.actions) lines += actionLine("do", action);
  for (const LessonCondition& condition : step.expected)
    lines += conditionLine("expect", condition);
  if (step.question) lines += questionLines(*step.question);
  return lines.empty() ? lines : "\n```lesson\n" + lines + "```\n";
}

std::string fileOf(const Lesson& lesson) {
  std::string file = "# " + lesson.title + "\n";
  if (!lesson.summary.empty()) file += "\n" + lesson.summary;
  for (const LessonStep& step : lesson.steps) {
    file += "\n## " + step.title + "\n";
    if (!step.text.empty()) file += "\n" + step.text;
    file += blockOf(step);
  }
  return file;
}

/// "page 3, "What it says"". For users, a lesson's steps are its pages.
std::string pageName(const Lesson& lesson, std::size_t step) {
  return "page " + std::to_string(step + 1) + ", " + inQuotes(lesson.steps[step].title);
}

struct Excess {
  void check(const std::string& thing, std::size_t count, std::size_t most,
             const char* unit) {
    if (count > most)
      found.push_back(thing + " has " + std::to_string(count) + " " + unit + ", " +
                      std::to_string(count - most) + " more than the " +
                      std::to_string(most) + " allowed");
  }
  void checkText(const std::string& thing, std::string_view text, std::size_t most) {
    check(thing, text.size() - std::size_t(text.ends_with('\n')), most, "bytes");
  }

  std::vector<std::string> found = {};
};

void checkBlock(const std::string& page, std::string_view block,
                const LessonLimits& limits, Excess& excess) {
  constexpr std::size_t kShownBytes = 30;
  std::size_t lines = 0;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    block.remove_prefix(std::min(line.size() + 1, block.size()));
    if (line.empty() || line.starts_with("```")) continue;
    ++lines;
    if (line.size() > limits.lineBytes)
      excess.check(
          page + ": the line " + inQuotes(std::string(cutUtf8(line, kShownBytes)) + "…"),
          line.size(), limits.lineBytes, "bytes");
  }
  excess.check(page + ": its block", lines, limits.blockLines, "lines");
}

/// The error for a lesson that differs from `read`, the lesson read back from its file.
Error unwritableStep(const Lesson& lesson, const Lesson& read) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (i >= read.steps.size() || !(lesson.steps[i] == read.steps[i]))
      return badInput(pageName(lesson, i) +
                      ": a lesson's file cannot hold its texts; titles and hints are "
                      "single lines without spaces around them");
  return badInput(
      "a lesson's file cannot hold the title or the summary; a title is a single "
      "line without spaces around it");
}

}  // namespace

std::string excessText(std::vector<std::string> excess) {
  constexpr std::size_t kShown = 5;
  const std::size_t count = excess.size();
  if (count > kShown) {
    excess.resize(kShown);
    excess.push_back("and " + std::to_string(count - kShown) + " more");
  }
  return joined(excess, "; ");
}

std::vector<std::string> excessOf(const Lesson& lesson, const LessonLimits& limits) {
  Excess excess;
  excess.check("the lesson", lesson.steps.size(), limits.steps, "pages");
  excess.check("its file", fileOf(lesson).size(), limits.bytes, "bytes");
  excess.checkText("the text about the lesson", lesson.summary, limits.textBytes);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const std::string page = pageName(lesson, i);
    excess.checkText(page + ": its text", lesson.steps[i].text, limits.textBytes);
    checkBlock(page, blockOf(lesson.steps[i]), limits, excess);
  }
  return excess.found;
}

std::string writeLesson(const Lesson& lesson, const LessonLimits& limits) {
  if (lesson.title.empty()) throw badInput("the lesson has no title; give it one");
  if (const auto excess = excessOf(lesson, limits); !excess.empty())
    throw badInput(excessText(excess) +
                   "; shorten the lesson or divide it into several ones");
  const std::string file = fileOf(lesson);
  const Lesson read = readLesson(file, limits);
  if (!(read == lesson)) throw unwritableStep(lesson, read);
  return file;
}

std::string lessonMarkdown(std::string_view typed) {
  std::string text;
  while (!typed.empty()) {
    const std::size_t end = std::min(typed.find('\n'), typed.size());
    std::string line = replaceInvalidUtf8(typed.substr(0, end));
    std::erase(line, '\0');
    std::erase(line, '\r');
    typed.remove_prefix(std::min(end + 1, typed.size()));
    const std::string bare = trimmed(line);
    if (bare.empty() && text.empty()) continue;
    if (line.starts_with("# ") || line.starts_with("## ") || bare == "```lesson")
      text += '\\';
    text += line + '\n';
  }
  const std::size_t last = text.find_last_not_of(" \t\n");
  text.resize(last == std::string::npos ? 0 : last + 1);
  if (!text.empty()) text += '\n';
  return text;
}

}  // namespace equipatch

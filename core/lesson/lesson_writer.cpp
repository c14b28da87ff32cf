// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_writer.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/lesson/lesson_reader.h"
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

/// Says which step a file cannot hold: `read` is what was read back.
Error unwritableStep(const Lesson& lesson, const Lesson& read) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (i >= read.steps.size() || !(lesson.steps[i] == read.steps[i]))
      return badInput("step " + std::to_string(i + 1) + ", " +
                      inQuotes(lesson.steps[i].title) +
                      ": a lesson's file cannot hold its texts; titles and hints are "
                      "single lines without spaces around them");
  return badInput(
      "a lesson's file cannot hold the title or the summary; a title is a single "
      "line without spaces around it");
}

}  // namespace

std::string writeLesson(const Lesson& lesson) {
  if (lesson.title.empty()) throw badInput("the lesson has no title; give it one");
  std::string file = "# " + lesson.title + "\n";
  if (!lesson.summary.empty()) file += "\n" + lesson.summary;
  for (const LessonStep& step : lesson.steps) {
    file += "\n## " + step.title + "\n";
    if (!step.text.empty()) file += "\n" + step.text;
    file += blockOf(step);
  }
  const Lesson read = readLesson(file);
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

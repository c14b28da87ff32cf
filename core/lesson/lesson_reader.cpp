// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/base/number_from.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/lesson/lesson_words.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostLit = 2;
constexpr std::size_t kMostLayers = 10000;

template <typename Table>
std::string namesOf(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.first);
  return joined(names);
}

std::string_view withoutSpaces(std::string_view text) {
  const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// The first word of a line, and the rest without spaces around it.
std::pair<std::string_view, std::string_view> cutWord(std::string_view line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  return {line.substr(0, end), withoutSpaces(line.substr(end))};
}

/// Accepts only names that cannot lead out of the lesson's folder.
bool isPictureName(std::string_view name) {
  constexpr std::array kSuffixes{".png", ".jpg", ".jpeg", ".webp"};
  const std::string lower = asciiLowered(std::string(name));
  const auto isPlain = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  return !lower.empty() && lower.size() <= 100 && std::ranges::all_of(lower, isPlain) &&
         lower.front() != '.' && std::ranges::any_of(kSuffixes, [&](const char* suffix) {
           return lower.ends_with(suffix);
         });
}

class Reader {
 public:
  Reader(std::string_view text, const LessonLimits& limits)
      : m_rest(text), m_limits(limits) {}
  Lesson read();

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw badInput("line " + std::to_string(m_line) + ": " + what);
  }
  bool next(std::string_view& line);
  void takeText(std::string_view line);
  void endText();
  void beginStep(std::string_view title);
  void readBlock();
  void takeLine(std::string_view line);
  template <typename Value, std::size_t count>
  Value lookUp(const std::pair<std::string_view, Value> (&table)[count],
               std::string_view word, const char* thing) const;
  LessonAction action(std::string_view line) const;
  void check(LessonVerb verb, std::string_view argument) const;
  LessonCondition condition(std::string_view line) const;
  LessonQuestion& question();
  void checkWhole() const;

  std::string_view m_rest;
  const LessonLimits m_limits;
  int m_line = 0;
  std::size_t m_lines = 0;  ///< in the blocks of the step
  Lesson m_lesson;
  std::vector<int> m_begins;  ///< the line at which each step begins
};

bool Reader::next(std::string_view& line) {
  if (m_rest.empty()) return false;
  const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
  line = m_rest.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
  ++m_line;
  return true;
}

Lesson Reader::read() {
  for (std::string_view line; next(line);) {
    if (line.starts_with("# ")) {
      if (!m_lesson.title.empty()) fail("a lesson has one title, and here is another");
      m_lesson.title = withoutSpaces(line.substr(2));
    } else if (line.starts_with("## ")) {
      beginStep(withoutSpaces(line.substr(3)));
    } else if (withoutSpaces(line) == "```lesson") {
      readBlock();
    } else {
      takeText(line);
    }
  }
  endText();
  checkWhole();
  return std::move(m_lesson);
}

void Reader::checkWhole() const {
  if (m_lesson.title.empty())
    throw badInput("the lesson has no title; its first line should be \"# TITLE\"");
  if (m_lesson.steps.empty())
    throw badInput("the lesson has no steps; each begins with a line \"## TITLE\"");
  for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
    const auto& question = m_lesson.steps[i].question;
    if (question && (question->conditions.empty() || question->solution.empty()))
      throw badInput("line " + std::to_string(m_begins[i]) +
                     ": a question needs a line \"ask\" and a line \"solve\"");
  }
}

void Reader::takeText(std::string_view line) {
  std::string& text =
      m_lesson.steps.empty() ? m_lesson.summary : m_lesson.steps.back().text;
  const bool isBlank = withoutSpaces(line).empty();
  if (isBlank && text.empty()) return;
  if (!isBlank && text.size() + line.size() > m_limits.textBytes)
    fail((m_lesson.steps.empty() ? "the text before the first step"
                                 : "the text of a step") +
         std::string(" may have at most ") + std::to_string(m_limits.textBytes) +
         " bytes; divide it into steps");
  text.append(line) += '\n';
}

/// Replaces white space at the end of a text by one line break; "" stays empty.
void Reader::endText() {
  std::string& text =
      m_lesson.steps.empty() ? m_lesson.summary : m_lesson.steps.back().text;
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  text.resize(last == std::string::npos ? 0 : last + 1);
  if (!text.empty()) text += '\n';
}

void Reader::beginStep(std::string_view title) {
  endText();
  if (m_lesson.title.empty()) fail("a line \"# TITLE\" should come before the steps");
  if (m_lesson.steps.size() == m_limits.steps)
    fail("a lesson may have at most " + std::to_string(m_limits.steps) + " steps");
  m_lesson.steps.push_back({.title = std::string(title), .question = {}});
  m_begins.push_back(m_line);
  m_lines = 0;
}

void Reader::readBlock() {
  if (m_lesson.steps.empty()) fail("a block should be in a step, below \"## TITLE\"");
  const int begin = m_line;
  for (std::string_view line; next(line);) {
    if (withoutSpaces(line) == "```") return;
    if (++m_lines > m_limits.blockLines)
      fail("the blocks of a step may have at most " +
           std::to_string(m_limits.blockLines) + " lines");
    if (line.size() > m_limits.lineBytes)
      fail("a line of a block may have at most " + std::to_string(m_limits.lineBytes) +
           " bytes");
    if (!withoutSpaces(line).empty()) takeLine(withoutSpaces(line));
  }
  m_line = begin;
  fail("the block that begins here has no end; expected a line \"```\"");
}

LessonQuestion& Reader::question() {
  auto& question = m_lesson.steps.back().question;
  if (!question) question.emplace();
  return *question;
}

void Reader::takeLine(std::string_view line) {
  LessonStep& step = m_lesson.steps.back();
  const auto [word, rest] = cutWord(line);
  if (word == "show") {
    if (step.lit.size() == kMostLit) fail("a step lights up two parts at most");
    step.lit.push_back(lookUp(kLessonParts, rest, "a part of the window"));
  } else if (word == "do") {
    step.actions.push_back(action(rest));
  } else if (word == "expect") {
    step.expected.push_back(condition(rest));
  } else if (word == "ask") {
    question().conditions.push_back(condition(rest));
  } else if (word == "hint") {
    if (!question().hint.empty()) fail("a question has one hint, and here is another");
    question().hint = rest;
  } else if (word == "solve") {
    question().solution.push_back(action(rest));
  } else {
    fail(inQuotes(word) + " is not one of show, do, expect, ask, hint, solve");
  }
}

template <typename Value, std::size_t count>
Value Reader::lookUp(const std::pair<std::string_view, Value> (&table)[count],
                     std::string_view word, const char* thing) const {
  if (const auto value = lessonValue(table, word)) return *value;
  fail(inQuotes(word) + " is not " + thing + "; expected one of " + namesOf(table));
}

LessonAction Reader::action(std::string_view line) const {
  const auto [word, argument] = cutWord(line);
  LessonAction action{lookUp(kLessonVerbs, word, "an action"), unescapedLine(argument)};
  check(action.verb, action.argument);
  return action;
}

void Reader::check(LessonVerb verb, std::string_view argument) const {
  const std::optional<double> number = numberFrom<double>(argument);
  // Only digits: std::stoi and std::stoul, which the actions use, read 1e3 as 1.
  const auto isWhole = [&](double most) {
    return number && *number <= most &&
           argument.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto isOneOf = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, argument) != words.end();
  };
  const auto require = [&](bool good, const char* wanted) {
    if (!good) fail(std::string("expected ") + wanted + ", found " + inQuotes(argument));
  };
  switch (verb) {
    case LessonVerb::Model:
      return require(isOneOf({"bundled", "vision"}),
                     "\"bundled\" or \"vision\", the models of lessons");
    case LessonVerb::DType: {
      const std::optional<DType> dtype = dtypeFromTorchName(argument);
      return require(dtype && isFloating(*dtype),
                     "float64, float32, bfloat16 or float16");
    }
    case LessonVerb::Method:
      return require(isOneOf({"balanced", "direct", "stable"}),
                     "balanced, direct or stable");
    case LessonVerb::Loop:
      return require(isOneOf({"closed", "half", "open"}), "closed, half or open");
    case LessonVerb::Apply:
      return require(isOneOf({"factored", "materialised"}), "factored or materialised");
    case LessonVerb::Noise:
      return require(isOneOf({"on", "off"}), "on or off");
    case LessonVerb::Picture:
      return require(isPictureName(argument),
                     "the name of an image beside the lesson's file, such as lamp.png");
    case LessonVerb::ImageMap:
      return require(imageMapOf(argument).has_value(),
                     "a number of cells on a side from 2 to 64, then perhaps linf, tvd "
                     "or patch");
    case LessonVerb::RunSteps:
      return require(isWhole(64.0) && *number >= 1.0, "a number of steps from 1 to 64");
    case LessonVerb::Step:
      return require(argument == "telling" || isWhole(1e6), "a step or \"telling\"");
    case LessonVerb::Layer:
      return require(isWhole(1e4), "a layer");
    case LessonVerb::Strength:
      return require(number && *number >= 0.0 && *number <= 1.5,
                     "a strength from 0 to 1.5");
    case LessonVerb::Table:
    case LessonVerb::Chart:
      return require(isOneOf({"logits", "sizes", "map", "errors"}),
                     "logits, sizes, map or errors");
    case LessonVerb::Layers:
      return require(layersOf(argument, kMostLayers).has_value(),
                     "all, none, or layers in ascending order, such as 0-3,6");
    case LessonVerb::Tab:
      return require(
          std::ranges::any_of(
              kLessonTabs,
              [&](LessonPart tab) { return lessonWord(kLessonParts, tab) == argument; }),
          "model, prompt, step, runs, block or texts");
    case LessonVerb::ListedRun:
      return require(isWhole(1e6) && *number >= 1.0, "a number of a run, counted from 1");
    case LessonVerb::Run:
    case LessonVerb::Grid:
      return require(argument.empty(), "nothing after the action");
    default:
      return require(!argument.empty(), "a word after the action");
  }
}

LessonCondition Reader::condition(std::string_view line) const {
  const auto [quantity, rest] = cutWord(line);
  const auto [sign, value] = cutWord(rest);
  const LessonQuantity* known = quantityNamed(quantity);
  if (!known) {
    std::vector<std::string> names;
    for (const LessonQuantity& each : kLessonQuantities) names.emplace_back(each.name);
    fail(inQuotes(quantity) + " is not a quantity; expected one of " + joined(names));
  }
  LessonCondition condition{.quantity = std::string(quantity),
                            .relation = lookUp(kLessonRelations, sign, "a relation"),
                            .text = unescapedLine(value),
                            .line = m_line};
  const bool isOrder = condition.relation < LessonCondition::Relation::Is;
  if (known->isText && isOrder)
    fail(inQuotes(quantity) + " is a text; compare it with is, is-not or contains");
  if (known->isText) return condition;
  const std::optional<double> number = numberFrom<double>(value);
  if (!number || std::isnan(*number) ||
      condition.relation == LessonCondition::Relation::Contains)
    fail(inQuotes(quantity) + " is a number; expected a comparison with one, found " +
         inQuotes(rest));
  condition.number = *number;
  condition.text.clear();
  return condition;
}

}  // namespace

Lesson readLesson(std::string_view text, const LessonLimits& limits) {
  if (text.size() > limits.bytes)
    throw badInput("a lesson may have at most " + std::to_string(limits.bytes) +
                   " bytes, and this has more");
  if (firstInvalidUtf8(text) != std::string_view::npos ||
      text.find('\0') != std::string_view::npos)
    throw badInput("the lesson is not a text in UTF-8; save it as one");
  return Reader(withoutByteOrderMark(text), limits).read();
}

Lesson readLessonFile(const std::filesystem::path& file, const LessonLimits& limits) {
  const std::string name = inQuotes(file.filename().string());
  if (!isFile(file)) throw badInput(name + " is not a file; a lesson is a Markdown file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::Resource, name + " cannot be read");
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  std::string text(std::min<std::uintmax_t>(size, limits.bytes) + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) throw Error(ErrorKind::Resource, name + " cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  try {
    return readLesson(text, limits);
  } catch (const Error& error) {
    throw error.within(file.filename().string());
  }
}

}  // namespace equipatch

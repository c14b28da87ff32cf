// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_words.h"

#include <algorithm>
#include <charconv>

#include "core/base/number_ranges.h"

namespace equipatch {

std::string_view partName(LessonPart part) {
  switch (part) {
    case LessonPart::Model:
      return "model and method";
    case LessonPart::Prompt:
      return "prompt";
    case LessonPart::Tokens:
      return "generated tokens";
    case LessonPart::Sentence:
      return "the run in a sentence";
    case LessonPart::Logits:
      return "chart: logit difference";
    case LessonPart::Sizes:
      return "chart: patch size";
    case LessonPart::Map:
      return "chart: patch map";
    case LessonPart::Errors:
      return "chart: hidden error";
    case LessonPart::Step:
      return "step";
    case LessonPart::Strength:
      return "patch strength";
    case LessonPart::Texts:
      return "texts";
    case LessonPart::Block:
      return "block";
    case LessonPart::Runs:
      return "runs";
    case LessonPart::Transport:
      return "run, pause, step, stop";
    case LessonPart::Hand:
      return "a row by hand";
    case LessonPart::Picture:
      return "the image and its map";
  }
  return {};
}

std::optional<std::vector<bool>> layersOf(std::string_view text, std::size_t count) {
  if (text == "all") return std::vector<bool>(count, true);
  std::vector<bool> layers(count, false);
  if (text == "none") return layers;
  const auto ranges = parseNumberRanges(text);
  if (!ranges) return std::nullopt;
  std::int64_t next = 0;
  for (const auto& [first, last] : *ranges) {
    if (first < next || last >= std::ssize(layers)) return std::nullopt;
    std::fill(layers.begin() + first, layers.begin() + last + 1, true);
    next = last + 1;
  }
  return layers;
}

std::string layersText(const std::vector<bool>& layers) {
  const auto on = std::count(layers.begin(), layers.end(), true);
  if (on == 0) return "none";
  if (on == std::ptrdiff_t(layers.size())) return "all";
  std::string text;
  for (std::size_t first = 0; first < layers.size(); ++first) {
    if (!layers[first]) continue;
    std::size_t last = first;
    while (last + 1 < layers.size() && layers[last + 1]) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    if (last > first) text += '-' + std::to_string(last);
    first = last;
  }
  return text;
}

std::optional<LessonImageMap> imageMapOf(std::string_view text) {
  LessonImageMap map;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, map.cells);
  if (error != std::errc() || map.cells < 2 || map.cells > 64) return std::nullopt;
  if (rest == end) return map;
  const auto found =
      std::ranges::find(kImageMapQuantities, std::string_view(rest + 1, end));
  if (*rest != ' ' || found == std::end(kImageMapQuantities)) return std::nullopt;
  map.quantity = std::size_t(found - std::begin(kImageMapQuantities));
  return map;
}

std::string escapedLine(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isEdge = i == 0 || i + 1 == text.size();
    switch (text[i]) {
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\\':
        line += "\\\\";
        break;
      case ' ':
        line += isEdge ? "\\s" : " ";
        break;
      default:
        line += text[i];
    }
  }
  return line;
}

std::string unescapedLine(std::string_view line) {
  constexpr std::string_view kLetters = "nrts\\", kMeanings = "\n\r\t \\";
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t meaning = line[i] == '\\' && i + 1 < line.size()
                                    ? kLetters.find(line[i + 1])
                                    : std::string_view::npos;
    if (meaning == std::string_view::npos) {
      text += line[i];
    } else {
      text += kMeanings[meaning];
      ++i;
    }
  }
  return text;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

/// Writes "Examples: cat -> zor; plum -> mip; dog -> zor". The first of several answers
/// does not enter the loss, because no example precedes it.
class ExampleList {
 public:
  ExampleList(Document& document, Random& random)
      : m_document(document), m_arrow(arrow(random)) {}

  void add(const std::string& question, const std::string& answer, bool last) {
    m_document.give((m_count == 0 ? "Examples: " : "; ") + question + m_arrow);
    if (m_count > 0 || last)
      m_document.answer(" " + answer);
    else
      m_document.give(" " + answer);
    ++m_count;
  }

 private:
  static std::string arrow(Random& random) {
    constexpr std::string_view kArrows[] = {" ->", " ->", " =", ":"};
    return std::string(kArrows[random.below(4)]);
  }

  Document& m_document;
  std::string m_arrow;
  int m_count = 0;
};

/// Picks kKinds most often, because invented rules about fruits need the knowledge that a
/// plum is a fruit.
std::string pickRelation(Material& material) {
  if (material.random().chance(0.4)) return kKinds;
  Words names = material.lists().pairNames();
  std::erase(names, "calls");
  return material.random().pick(names);
}

struct Example {
  std::string question;
  std::string answer;
};

struct Rule {
  /// Decides the rule's split. Different rules may have the same signature; a rule that
  /// labels groups has one signature for each order of the groups.
  std::string signature;
  std::function<Example()> example;
};

std::string label(Material& material) {
  return material.random().chance(0.5) ? material.inventedWord()
                                       : material.known("things");
}

/// All words of a group get the same label: animals are "zor", fruits are "lamp".
Rule randomLabels(Material& material) {
  Words groups = material.lists().groupNames();
  material.random().shuffle(groups);
  const auto count = static_cast<std::size_t>(material.random().between(2, 3));
  groups.resize(std::min(groups.size(), count));
  Words labels;
  std::string signature;
  for (const std::string& group : groups) {
    labels.push_back(label(material));
    signature += group + "=" + labels.back() + " ";
  }
  return {signature, [&material, groups, labels] {
            const std::size_t kind = material.random().below(groups.size());
            return Example{material.known(groups[kind]), labels[kind]};
          }};
}

Words threeWords(Material& material) {
  const std::string group = material.random().pick(material.lists().groupNames());
  Words words = material.several(group, 3);
  if (words.size() < 3)
    throw badInput("the list " + inQuotes(group) +
                   " has fewer than three words; add more");
  return words;
}

/// Adds a label before a word, after the word, or both.
Rule randomFrame(Material& material) {
  const int shape = material.random().between(0, 2);
  const std::string before = shape != 1 ? label(material) + " " : "";
  const std::string behind = shape != 0 ? " " + label(material) : "";
  return {before + "*" + behind, [&material, before, behind] {
            const std::string word = material.known("things");
            return Example{word, before + word + behind};
          }};
}

/// Reorders three words or picks some of them, then adds a label.
Rule randomOrder(Material& material) {
  static const std::vector<std::vector<std::size_t>> kOrders = {
      {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1},
      {0},       {1},       {2},       {0, 2},    {2, 0}};
  const std::vector<std::size_t> order = material.random().pick(kOrders);
  const std::string mark = label(material);
  std::string signature = mark;
  for (const std::size_t place : order) signature += std::to_string(place);
  return {signature, [&material, order, mark] {
            const Words words = threeWords(material);
            Words answer;
            for (const std::size_t place : order) answer.push_back(words[place]);
            answer.push_back(mark);
            return Example{joined(words, " "), joined(answer, " ")};
          }};
}

std::string spelled(const std::string& word) {
  std::string letters;
  for (const char letter : word) (letters += letters.empty() ? "" : " ") += letter;
  return letters;
}

/// Changes a word's letters, then adds a label.
Rule randomSpelling(Material& material) {
  const int kind = material.random().between(0, 3);
  const std::string mark = label(material);
  return {mark + std::to_string(kind), [&material, kind, mark] {
            std::string word = material.known("groups/animal");
            std::string changed = word;
            if (kind == 0) std::ranges::reverse(changed);
            if (kind == 1) changed = word.substr(0, 1);
            if (kind == 2) changed = word.substr(word.size() - 1);
            if (kind == 3) changed = word.substr(0, 1) + word;
            return Example{spelled(word), spelled(changed) + " " + mark};
          }};
}

/// Adds a constant to a number, then a label.
Rule randomShift(Material& material) {
  const int amount = material.random().between(1, 9);
  const std::string mark = label(material);
  return {mark + std::to_string(amount), [&material, amount, mark] {
            const int number = material.random().between(1, 20);
            return Example{std::to_string(number),
                           std::to_string(number + amount) + " " + mark};
          }};
}

Rule randomRule(Material& material) {
  const double choice = material.random().uniform();
  if (choice < 0.5) return randomLabels(material);
  if (choice < 0.7) return randomFrame(material);
  if (choice < 0.85) return randomOrder(material);
  if (choice < 0.93) return randomSpelling(material);
  return randomShift(material);
}

Rule randomFreshRule(Material& material) {
  while (true)
    if (Rule rule = randomRule(material); splitOf(rule.signature) == material.split())
      return rule;
}

}  // namespace

Document writeRelation(Material& material, int examples) {
  Random& random = material.random();
  const std::string relation = pickRelation(material);
  WordPairs pairs = material.lists().pairs(relation);
  if (std::ssize(pairs) <= examples)
    throw badInput("the relation " + inQuotes(relation) + " has " +
                   std::to_string(pairs.size()) + " pairs, but " +
                   std::to_string(examples) + " examples and a question need " +
                   std::to_string(examples + 1) + "; add " +
                   (relation == kKinds ? "words to the lists in groups"
                                       : "lines to pairs/" + relation + ".txt"));
  random.shuffle(pairs);
  const bool backwards = relation != kKinds && random.chance(0.25);
  Document document{.skill = Skill::Relation};
  ExampleList list(document, random);
  for (int i = 0; i <= examples; ++i) {
    const auto& [left, right] = pairs[static_cast<std::size_t>(i)];
    list.add(backwards ? right : left, backwards ? left : right, i == examples);
    document.fresh.push_back(left);
  }
  // Both splits use the same pairs; the combination and order of the pairs decide the
  // document's split.
  document.fresh = {joined(document.fresh, " ")};
  return document;
}

Document writeInventedRule(Material& material, int examples) {
  const Rule rule = randomFreshRule(material);
  Document document{.skill = Skill::Invented, .fresh = {rule.signature}};
  ExampleList list(document, material.random());
  Words asked;
  while (static_cast<int>(asked.size()) <= examples) {
    const Example example = rule.example();
    if (std::ranges::find(asked, example.question) != asked.end()) {
      material.drawAgain();
      continue;
    }
    asked.push_back(example.question);
    list.add(example.question, example.answer,
             static_cast<int>(asked.size()) == examples + 1);
  }
  return document;
}

}  // namespace equipatch

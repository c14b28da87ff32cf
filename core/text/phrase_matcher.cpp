#include "core/text/phrase_matcher.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace equipatch {
namespace {

std::uint64_t keyOf(std::uint32_t node, char byte) {
  return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
}

}  // namespace

PhraseMatcher::PhraseMatcher(const std::vector<std::string>& phrases) : m_nodes(1) {
  m_lengths.reserve(phrases.size());
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    m_lengths.push_back(phrases[i].size());
    if (!phrases[i].empty()) insert(phrases[i], i);
  }
  linkSuffixes();
}

void PhraseMatcher::insert(std::string_view phrase, std::size_t index) {
  std::uint32_t node = kRoot;
  for (const char byte : phrase | std::views::reverse) {
    if (const auto* next = child(node, byte)) {
      node = *next;
      continue;
    }
    const auto next = static_cast<std::uint32_t>(m_nodes.size());
    m_children.put(keyOf(node, byte), next);
    m_nodes.emplace_back();
    m_parents.emplace_back(node, byte);
    node = next;
  }
  if (m_nodes[node].phrase == kNoPhrase)
    m_nodes[node].phrase = static_cast<std::uint32_t>(index);
}

/// Shallow nodes first: a node's suffix link goes to a shallower one.
void PhraseMatcher::linkSuffixes() {
  std::vector<std::uint32_t> depths(m_nodes.size(), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 1; node < m_nodes.size(); ++node) {
    depths[node] = depths[m_parents[node - 1].first] + 1;
    order.push_back(node);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t node) { return depths[node]; });
  for (const std::uint32_t node : order) {
    const auto [parent, byte] = m_parents[node - 1];
    Node& linked = m_nodes[node];
    if (parent != kRoot) linked.suffix = step(m_nodes[parent].suffix, byte);
    if (linked.phrase == kNoPhrase) linked.phrase = m_nodes[linked.suffix].phrase;
  }
  m_parents = {};
}

const std::uint32_t* PhraseMatcher::child(std::uint32_t node, char byte) const {
  return m_children.find(keyOf(node, byte));
}

std::uint32_t PhraseMatcher::step(std::uint32_t node, char byte) const {
  while (true) {
    if (const auto* next = child(node, byte)) return *next;
    if (node == kRoot) return kRoot;
    node = m_nodes[node].suffix;
  }
}

std::vector<PhraseMatcher::Match> PhraseMatcher::matches(std::string_view text) const {
  std::vector<Match> longest;  // at each start, from the end of the text to its start
  std::uint32_t node = kRoot;
  if (m_nodes.size() > 1)
    for (std::size_t at = text.size(); at-- > 0;) {
      node = step(node, text[at]);
      const std::uint32_t phrase = m_nodes[node].phrase;
      if (phrase != kNoPhrase) longest.push_back({{at, at + m_lengths[phrase]}, phrase});
    }
  std::vector<Match> result;
  std::size_t end = 0;
  for (const Match& match : longest | std::views::reverse) {
    if (match.range.begin < end) continue;
    result.push_back(match);
    end = match.range.end;
  }
  return result;
}

}  // namespace equipatch

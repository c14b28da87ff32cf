// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/phrase_automaton.h"

#include <algorithm>

namespace equipatch {

void PhraseAutomaton::insert(std::string_view phrase, std::uint32_t number) {
  std::uint32_t node = kStart;
  for (const char byte : phrase) {
    if (const auto* next = m_children.find(keyOf(node, byte))) {
      node = *next;
      continue;
    }
    const auto next = static_cast<std::uint32_t>(m_nodes.size());
    m_children.put(keyOf(node, byte), next);
    m_nodes.emplace_back();
    m_parents.emplace_back(node, byte);
    node = next;
  }
  if (m_nodes[node].phrase == kNoPhrase) m_nodes[node].phrase = number;
}

/// All nodes except the start, in the order of their depth, by a counting sort.
std::vector<std::uint32_t> PhraseAutomaton::shallowFirst() const {
  std::vector<std::uint32_t> depths(m_nodes.size(), 0);
  std::uint32_t deepest = 0;
  for (std::uint32_t node = 1; node < m_nodes.size(); ++node) {
    depths[node] = depths[m_parents[node - 1].first] + 1;
    deepest = std::max(deepest, depths[node]);
  }
  std::vector<std::size_t> places(std::size_t{deepest} + 2, 0);
  for (std::uint32_t node = 1; node < m_nodes.size(); ++node) ++places[depths[node] + 1];
  for (std::size_t depth = 1; depth < places.size(); ++depth)
    places[depth] += places[depth - 1];
  std::vector<std::uint32_t> order(m_nodes.size() - 1);
  for (std::uint32_t node = 1; node < m_nodes.size(); ++node)
    order[places[depths[node]]++] = node;
  return order;
}

void PhraseAutomaton::link(StopCheck& steps) {
  // A node's suffixes are shallower than the node.
  for (const std::uint32_t node : shallowFirst()) {
    steps.count();
    const auto [parent, byte] = m_parents[node - 1];
    Node& linked = m_nodes[node];
    if (parent != kStart) linked.suffix = step(m_nodes[parent].suffix, byte);
    linked.shorter = longest(linked.suffix);
  }
  m_parents = {};
}

std::uint32_t PhraseAutomaton::step(std::uint32_t state, char byte) const {
  while (true) {
    if (const auto* next = m_children.find(keyOf(state, byte))) return *next;
    if (state == kStart) return kStart;
    state = m_nodes[state].suffix;
  }
}

}  // namespace equipatch

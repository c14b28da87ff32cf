// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/fuzz/mutate.h"

namespace equipatch::fuzz {
namespace {

using Tree = nlohmann::ordered_json;

constexpr std::size_t kMostNodes = 4000;

/// A value and its parent.
struct Node {
  Tree* value = nullptr;
  Tree* parent = nullptr;  ///< null: the document
  std::size_t place = 0;   ///< among its parent's values
};

void collect(Tree& value, Tree* parent, std::size_t place, std::vector<Node>& nodes) {
  if (nodes.size() == kMostNodes) return;
  nodes.push_back({&value, parent, place});
  std::size_t next = 0;
  if (value.is_structured())
    for (Tree& inner : value) collect(inner, &value, next++, nodes);
}

std::vector<Node> nodesOf(Tree& tree) {
  std::vector<Node> nodes;
  collect(tree, nullptr, 0, nodes);
  return nodes;
}

std::string dumped(const Tree& tree) {
  return tree.dump(-1, ' ', false, Tree::error_handler_t::replace);
}

Tree strangeValue(Random& random) {
  static const std::vector<Tree> values{nullptr,
                                        true,
                                        false,
                                        0,
                                        1,
                                        -1,
                                        2,
                                        3,
                                        7,
                                        8,
                                        64,
                                        255,
                                        256,
                                        4095,
                                        65536,
                                        4194303,
                                        4194304,
                                        4294967295u,
                                        4294967296,
                                        INT64_MIN,
                                        INT64_MAX,
                                        UINT64_MAX,
                                        0.0,
                                        -0.0,
                                        0.5,
                                        1e-308,
                                        5e-324,
                                        1e308,
                                        -1e308,
                                        1e18,
                                        1e19,
                                        "",
                                        "a",
                                        " ",
                                        "\n",
                                        "\x7f",
                                        "\u2581",
                                        "\u00e9",
                                        "\U0001F917",
                                        "../x",
                                        "nan",
                                        "<0x00>",
                                        std::string("\0", 1),
                                        std::string(300, 'a'),
                                        Tree::array(),
                                        Tree::object(),
                                        Tree::array({1, 2}),
                                        Tree::array({0, INT64_MAX})};
  return random.pick(values);
}

Tree changedNumber(const Tree& number, Random& random) {
  if (number.is_number_float()) {
    const double value = number.get<double>();
    const double factors[] = {-1.0, 2.0, 0.5, 1e10, 1e-10, 1e300};
    return value * factors[random.below(std::size(factors))];
  }
  // Unsigned, so that it wraps around.
  const auto value = static_cast<std::uint64_t>(number.get<std::int64_t>());
  const std::uint64_t changed[] = {value + 1,
                                   value - 1,
                                   value * 2,
                                   value / 2,
                                   0 - value,
                                   value + 4,
                                   value ^ (1ull << random.below(64))};
  return static_cast<std::int64_t>(changed[random.below(std::size(changed))]);
}

std::string keyAt(const Tree& object, std::size_t place) {
  return std::next(object.begin(), static_cast<std::ptrdiff_t>(place)).key();
}

/// A key or a text of the document.
std::string wordOf(const std::vector<Node>& nodes, Random& random) {
  const Node& node = random.pick(nodes);
  if (node.value->is_string()) return node.value->get<std::string>();
  if (node.parent && node.parent->is_object()) return keyAt(*node.parent, node.place);
  return "a";
}

void erase(const Node& node) {
  if (!node.parent) return;
  node.parent->erase(
      std::next(node.parent->begin(), static_cast<std::ptrdiff_t>(node.place)));
}

void addCopy(const Node& node, const std::string& word, Random& random) {
  if (!node.parent) return;
  const Tree copy = *node.value;
  if (node.parent->is_object()) {
    (*node.parent)[random.chance(0.5) ? word : mutateBytes(word)] = copy;
    return;
  }
  const std::size_t copies = random.chance(0.1) ? 40 : 1;
  for (std::size_t i = 0; i < copies; ++i) node.parent->push_back(copy);
}

void change(Tree& tree, Random& random) {
  const std::vector<Node> nodes = nodesOf(tree);
  const Node& node = random.pick(nodes);
  Tree& value = *node.value;
  switch (random.below(9)) {
    case 0:
      value = strangeValue(random);
      return;
    case 1:
      value = Tree(*random.pick(nodes).value);
      return;
    case 2:
      erase(node);
      return;
    case 3:
      addCopy(node, wordOf(nodes, random), random);
      return;
    case 4:
      value = wordOf(nodes, random);
      return;
    case 5:
      value = random.chance(0.5) ? Tree::array({value})
                                 : Tree{{wordOf(nodes, random), value}};
      return;
    default:  // in a third of all changes: a leaf in place
      if (value.is_number())
        value = changedNumber(value, random);
      else if (value.is_string())
        value = mutateBytes(value.get<std::string>());
      else if (value.is_boolean())
        value = !value.get<bool>();
  }
}

}  // namespace

std::string mutateJson(std::string_view input, Random& random) {
  Tree tree = Tree::parse(input, nullptr, false);
  if (tree.is_discarded()) return {};
  for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
    change(tree, random);
  return dumped(tree);
}

std::string crossJson(std::string_view a, std::string_view b, Random& random) {
  Tree tree = Tree::parse(a, nullptr, false);
  Tree other = Tree::parse(b, nullptr, false);
  if (tree.is_discarded() || other.is_discarded()) return std::string(a);
  const std::vector<Node> nodes = nodesOf(tree);
  const Node from = random.pick(nodesOf(other));
  const Node& to = random.pick(nodes);
  if (to.parent && to.parent->is_object() && from.parent && from.parent->is_object())
    (*to.parent)[keyAt(*from.parent, from.place)] = *from.value;
  else
    *to.value = *from.value;
  return dumped(tree);
}

std::string mutateTensors(std::string_view input, Random& random) {
  std::uint64_t length = 0;
  if (input.size() < sizeof(length)) return {};
  std::memcpy(&length, input.data(), sizeof(length));
  std::string_view rest = input.substr(sizeof(length));
  if (length > rest.size()) return {};
  const std::string header =
      mutateJson(rest.substr(0, static_cast<std::size_t>(length)), random);
  if (header.empty()) return {};
  rest.remove_prefix(static_cast<std::size_t>(length));
  length = header.size();
  std::string data(rest);
  if (random.chance(0.3)) data.resize(random.below(64));
  return std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header +
         data;
}

}  // namespace equipatch::fuzz

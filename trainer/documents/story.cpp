// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

/// The state of a story: the holder of each thing and the place of each person.
class World {
 public:
  explicit World(Material& material) : m_material(material), m_random(material.random()) {
    const int people = m_random.between(2, 4);
    m_people = material.names(people);
    m_things = material.several("things", m_random.between(1, people));
    for (std::size_t i = 0; i < m_things.size(); ++i)
      m_holders[m_things[i]] = m_people[i];
  }

  const Words& people() const { return m_people; }

  std::string opening() const {
    std::string text;
    for (const std::string& thing : m_things)
      text += m_holders.at(thing) + " has " + withArticle(thing) + ". ";
    return text;
  }

  std::string event() {
    if (m_random.chance(0.35)) return move();
    const std::string& thing = m_random.pick(m_things);
    std::string& holder = m_holders[thing];
    const std::string from = std::exchange(holder, someoneElse(holder));
    if (m_random.chance(0.5))
      return from + " gives the " + thing + " to " + holder + ". ";
    return holder + " takes the " + thing + " from " + from + ". ";
  }

  void ask(Document& document) {
    WordPairs questions;
    for (const auto& [thing, holder] : m_holders)
      questions.push_back({"Who has the " + thing + "? Answer:",
                           " " + holder + " has the " + thing + "."});
    for (const auto& [person, place] : m_places)
      questions.push_back({"Where is " + person + "? Answer:",
                           " " + person + " is in the " + place + "."});
    m_random.shuffle(questions);
    questions.resize(static_cast<std::size_t>(m_material.questions(questions.size())));
    std::string space;
    for (const auto& [question, answer] : questions) {
      document.give(space + question).answer(answer);
      space = " ";
    }
  }

 private:
  std::string move() {
    const std::string& person = m_random.pick(m_people);
    m_places[person] = m_material.known("scenes");
    return person + " goes to the " + m_places[person] + ". ";
  }

  std::string someoneElse(const std::string& person) {
    while (true)
      if (const std::string& other = m_random.pick(m_people); other != person)
        return other;
  }

  Material& m_material;
  Random& m_random;
  Words m_people;
  Words m_things;
  std::map<std::string, std::string> m_holders;
  std::map<std::string, std::string> m_places;
};

}  // namespace

Document writeStory(Material& material) {
  World world(material);
  Document document{.skill = Skill::Story, .fresh = world.people()};
  document.give(world.opening());
  for (int events = material.random().between(1, 5); events > 0; --events)
    document.give(world.event());
  world.ask(document);
  return document;
}

}  // namespace equipatch

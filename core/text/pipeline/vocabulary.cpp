// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/vocabulary.h"

#include "core/base/error.h"

namespace equipatch {

void Vocabulary::add(const std::string& piece, std::int64_t id,
                     const std::string& place) {
  if (piece.size() > kLongestPiece)
    throw badInput(place + " has a piece of " + std::to_string(piece.size()) +
                   " bytes, expected at most " + std::to_string(kLongestPiece) +
                   "; use the tokenizer file published with the model");
  if (id < 0 || id >= kIdLimit)
    throw badInput(place + " gives \"" + piece + "\" the id " + std::to_string(id) +
                   ", expected one from 0 to " + std::to_string(kIdLimit - 1));
  const std::string* other = this->piece(id);
  if (other && *other != piece)
    throw badInput(place + " gives the id " + std::to_string(id) + " to \"" + *other +
                   "\" and to \"" + piece + "\", expected one piece for each id");
  const auto [entry, isNew] = m_ids.emplace(piece, static_cast<std::uint32_t>(id));
  if (!isNew && entry->second != id)
    throw badInput(place + " gives \"" + piece + "\" the ids " +
                   std::to_string(entry->second) + " and " + std::to_string(id) +
                   ", expected one");
  if (id >= size()) m_byId.resize(static_cast<std::size_t>(id) + 1, nullptr);
  m_byId[static_cast<std::size_t>(id)] = &entry->first;
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view piece) const {
  const auto entry = m_ids.find(piece);
  if (entry == m_ids.end()) return std::nullopt;
  return entry->second;
}

const std::string* Vocabulary::piece(std::int64_t id) const {
  if (id < 0 || id >= size()) return nullptr;
  return m_byId[static_cast<std::size_t>(id)];
}

}  // namespace equipatch

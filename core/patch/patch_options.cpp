// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch_options.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace equipatch {
namespace {

constexpr std::array<std::string_view, 3> kMethods{"balanced", "direct", "stable"};
constexpr std::array<std::string_view, 3> kLoops{"closed", "half", "open"};
constexpr std::array<std::string_view, 2> kApplications{"factored", "materialised"};

template <typename Enum, std::size_t N>
std::optional<Enum> fromName(const std::array<std::string_view, N>& names,
                             std::string_view wanted) {
  for (std::size_t index = 0; index < N; ++index)
    if (names[index] == wanted) return static_cast<Enum>(index);
  return std::nullopt;
}

}  // namespace

bool PatchStrength::includes(std::int64_t layer) const {
  return layers.empty() || std::binary_search(layers.begin(), layers.end(), layer);
}

std::string_view name(Method method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::string_view name(Loop loop) {
  return kLoops[static_cast<std::size_t>(loop)];
}

std::string_view name(Application application) {
  return kApplications[static_cast<std::size_t>(application)];
}

std::optional<Method> methodFromName(std::string_view name) {
  return fromName<Method>(kMethods, name);
}

std::optional<Loop> loopFromName(std::string_view name) {
  return fromName<Loop>(kLoops, name);
}

std::optional<Application> applicationFromName(std::string_view name) {
  return fromName<Application>(kApplications, name);
}

}  // namespace equipatch

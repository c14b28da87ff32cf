#include "core/run/parity_book.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/checkpoint/checkpoint.h"
#include "core/run/backend.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// One digit, rounded up: a bound must hold.
std::string bound(double value) {
  if (value > 0.0 && std::isfinite(value)) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)));
    value = std::ceil(value / unit * (1.0 - 1e-12)) * unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0e", value);
  return text.data();
}

}  // namespace

std::string badgeText(const ParityBadge& badge) {
  switch (badge.state) {
    case ParityState::Unknown:
      return "not checked yet";
    case ParityState::NoReference:
      return "no reference";
    case ParityState::Equal:
      return "✓ equals Hugging Face within " + bound(badge.largest);
    case ParityState::Different:
      break;
  }
  if (!badge.problem.empty()) return "✗ could not be checked";
  if (badge.largest <= kGoldenTolerance) return "✗ other greedy tokens than Hugging Face";
  return "✗ differs from Hugging Face by " + bound(badge.largest);
}

std::vector<fs::path> goldenFolders() {
  std::vector<fs::path> folders;
  const auto root = findResource(Resource::GoldenCheckpoints);
  if (!root) return folders;
  std::error_code problem;
  for (fs::directory_iterator at(*root, problem);
       !problem && at != fs::directory_iterator(); at.increment(problem)) {
    if (isFile(at->path() / "golden.safetensors")) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

ParityBook::ParityBook(Folders folders, ParityCache cache)
    : m_folders(std::move(folders)), m_cache(std::move(cache)) {}

void ParityBook::sortByArchitecture() {
  for (const fs::path& folder : std::exchange(m_folders, {})) {
    try {
      m_byArchitecture[Checkpoint::open(folder).spec().architecture].push_back(folder);
    } catch (const Error&) {
      // A checkpoint this build cannot read says nothing of those that it can.
    }
  }
}

ParityBadge ParityBook::known(const std::string& architecture) const {
  const auto found = m_badges.find(architecture);
  return found == m_badges.end() ? ParityBadge{} : found->second;
}

ParityBadge ParityBook::badge(const std::string& architecture, Progress& progress) {
  if (const auto found = m_badges.find(architecture); found != m_badges.end())
    return found->second;
  sortByArchitecture();
  ParityBadge badge = check(architecture, progress);
  badge.text = badgeText(badge);
  m_badges[architecture] = badge;
  return badge;
}

ParityBadge ParityBook::check(const std::string& architecture, Progress& progress) const {
  const auto found = m_byArchitecture.find(architecture);
  if (found == m_byArchitecture.end()) return {.state = ParityState::NoReference};
  const Folders& folders = found->second;
  if (const auto largest = m_cache.find(architecture, folders))
    return {.state = ParityState::Equal, .largest = *largest};
  ParityBadge badge{.state = ParityState::Equal};
  for (const fs::path& folder : folders) {
    try {
      const GoldenResult result = backend().checkGolden(folder, progress);
      badge.largest = std::max(badge.largest, result.largest());
      if (!result.equal()) badge.state = ParityState::Different;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      badge.state = ParityState::Different;
      badge.problem = error.what();
    }
  }
  if (badge.state == ParityState::Equal)
    m_cache.keep(architecture, folders, badge.largest, backend().torchLibrary());
  return badge;
}

}  // namespace equipatch

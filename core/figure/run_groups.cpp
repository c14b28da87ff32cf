// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_groups.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "core/figure/run_names.h"

namespace equipatch {
namespace {

/// The header from which a group is named: its first run's, without the seed and with
/// only the extras (kRunExtras) that all runs of the group have.
std::shared_ptr<const RunHeader> settingsOf(const RunGroup& group) {
  RunHeader header = *group.runs.front()->header;
  RunRequest& shared = header.request;
  shared.sampling.seed = 0;
  for (const FigureRun* run : group.runs)
    for (const RunExtra& extra : kRunExtras)
      if (run->header->request.*extra.is == extra.usual) shared.*extra.is = extra.usual;
  return std::make_shared<const RunHeader>(std::move(header));
}

/// The hashes of sampled values of tensor files (TensorFileHash::dataSampleSha256). Runs
/// of earlier versions recorded no such hash. Their files count as having the hash that
/// other runs recorded for a file with the same header, if these other runs agree.
class WeightSamples {
 public:
  explicit WeightSamples(const std::vector<FigureRun>& runs) {
    for (const FigureRun& run : runs)
      for (const TensorFileHash& file : run.header->provenance.tensorFiles)
        if (!file.dataSampleSha256.empty())
          m_samples[file.headerSha256].insert(file.dataSampleSha256);
  }

  std::string of(const RunHeader& header) const {
    std::string text;
    for (const TensorFileHash& file : header.provenance.tensorFiles) {
      const auto known = m_samples.find(file.headerSha256);
      const bool isKnown = known != m_samples.end() && known->second.size() == 1;
      text += '\n' + (isKnown ? *known->second.begin() : file.dataSampleSha256);
    }
    return text;
  }

 private:
  std::map<std::string, std::set<std::string>> m_samples;  // by SHA-256 of the header
};

constexpr std::string_view kBranch = "branch\n";

std::string keyOf(const FigureRun& run, std::size_t index, RunGrouping grouping,
                  const WeightSamples& samples) {
  switch (grouping) {
    case RunGrouping::Each:
      return std::to_string(index);
    case RunGrouping::Settings:
      return std::string(run.begins > 0 ? kBranch : "") + settingsKey(*run.header) +
             samples.of(*run.header);
    case RunGrouping::All:
      break;
  }
  return {};
}

/// The part of a RunGrouping::Settings key that branches and their parents share.
std::string settingsOfKey(const RunGroup& group) {
  return group.key.substr(group.areBranches ? kBranch.size() : 0);
}

/// The name that the user gave to all runs of the group, or empty.
std::string ownName(const RunGroup& group) {
  const FigureRun& first = *group.runs.front();
  const bool shared = std::ranges::all_of(
      group.runs, [&](const FigureRun* run) { return run->own == first.own; });
  if (!shared || first.own.empty()) return {};
  return group.runs.size() == 1 ? first.name : first.own;  // `name` may have a number
}

/// The smallest number of the group's runs; 0: no run is numbered.
int numberOf(const RunGroup& group) {
  int least = 0;
  for (const FigureRun* run : group.runs)
    if (run->number > 0 && (least == 0 || run->number < least)) least = run->number;
  return least;
}

/// Names by settingsOfKey. Branches and the runs that they left may share a name.
std::map<std::string, std::string> settingNames(const std::vector<RunGroup>& groups) {
  std::map<std::string, std::string> names;
  std::vector<std::string> keys;
  RunHeaders headers;
  std::vector<int> numbers;
  for (const RunGroup& group : groups)
    if (const std::string key = settingsOfKey(group); names.try_emplace(key).second) {
      keys.push_back(key);
      headers.push_back(settingsOf(group));
      numbers.push_back(numberOf(group));
    }
  const std::vector<std::string> made = settingNamesOf(headers, numbers);
  for (std::size_t i = 0; i < keys.size(); ++i) names[keys[i]] = made[i];
  return names;
}

void nameGroups(std::vector<RunGroup>& groups, RunGrouping grouping) {
  const auto isOneRun = [](const RunGroup& group) { return group.runs.size() == 1; };
  // A branch and its parent may have equal settings, but their names as runs differ.
  if (std::ranges::all_of(groups, isOneRun) &&
      (grouping != RunGrouping::Settings ||
       std::ranges::any_of(groups, &RunGroup::areBranches))) {
    for (RunGroup& group : groups) group.name = group.runs.front()->name;
    return;
  }
  if (grouping == RunGrouping::All) return;
  const std::map<std::string, std::string> names = settingNames(groups);
  std::map<std::string, int> uses;
  for (const RunGroup& group : groups) ++uses[ownName(group)];
  for (RunGroup& group : groups) {
    group.name = ownName(group);
    if (!group.name.empty() && uses[group.name] == 1) continue;
    const std::string branch = group.areBranches ? " branch" : "";
    group.name = names.at(settingsOfKey(group)) +
                 (branch.empty() || group.runs.size() == 1 ? branch : branch + "es");
  }
}

}  // namespace

std::string medianName(const RunGroup& group, const std::vector<std::int64_t>& counts) {
  const auto [least, most] = std::ranges::minmax(counts);
  return group.name + (group.name.empty() ? "" : ", ") + "median of " +
         (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) +
         (most == 1 ? " run" : " runs") + ", 10 to 90 %";
}

std::vector<RunGroup> groupsOf(const std::vector<FigureRun>& runs, RunGrouping grouping) {
  std::vector<RunGroup> groups;
  const WeightSamples samples(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const FigureRun& run = runs[i];
    const std::string key = keyOf(run, i, grouping, samples);
    auto group = std::ranges::find(groups, key, &RunGroup::key);
    if (group == groups.end())
      group = groups.insert(group, {.key = key,
                                    .name = {},
                                    .areBranches = run.begins > 0,
                                    .style = run.style.value_or(int(groups.size())),
                                    .colour = run.colour,
                                    .runs = {}});
    group->runs.push_back(&run);
  }
  nameGroups(groups, grouping);
  return groups;
}

}  // namespace equipatch

#include "app/cli/bench_printer.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/printable.h"
#include "core/base/number_format.h"
#include "core/record/export/export_json.h"

namespace equipatch::cli {

namespace {

double bytesPerSecond(const BenchReport& report, const char* timing) {
  return static_cast<double>(report.stepBytes) /
         (report.timing(timing).spread().median / 1000.0);
}

double promptRate(const BenchReport& report) {
  return static_cast<double>(report.promptTokens) /
         (report.timing(TimingName::kPrompt).spread().median / 1000.0);
}

double memoryRatio(const BenchReport& report, std::int64_t peakBytes) {
  return static_cast<double>(peakBytes) / static_cast<double>(report.weightBytes);
}

/// Columns of the table.
constexpr std::size_t kName = 36, kNumber = 12;

std::string padded(std::string text, std::size_t columns) {
  text.resize(std::max(columns, text.size()), ' ');
  return text;
}

void printRow(const std::string& name, const Spread& spread, int digits) {
  std::cout << padded(name, kName) << padded(fixedText(spread.median, digits), kNumber)
            << fixedText(spread.low, digits) << " to " << fixedText(spread.high, digits)
            << '\n';
}

void printNumber(const std::string& name, const std::string& text) {
  std::cout << padded(name, kName) << text << '\n';
}

nlohmann::ordered_json spreadJson(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

}  // namespace

void printTable(const Session& session, const BenchReport& report) {
  std::cout << session.modelName() << " in " << torchName(session.dtype()) << ", "
            << countText(static_cast<std::size_t>(report.threads), "thread") << ", "
            << bytesText(report.stepBytes) << " of weights read a step\n\n";
  std::cout << padded("milliseconds", kName) << padded("median", kNumber)
            << "80 % lie within\n";
  for (const Timing& timing : report.timings) printRow(timing.name, timing.spread(), 2);
  std::cout << "\nratios, round by round\n";
  printRow("comparison step / plain step", report.comparisonRatio, 3);
  printRow("reading the weights / plain step", report.bandwidthFraction, 3);
  printRow("materialised / factored", report.materialisedRatio, 3);
  printRow("prompt's rate / large product's", report.promptFraction, 3);
  printRow("step " + std::to_string(report.lateStep) + " / step " +
               std::to_string(report.earlyStep),
           report.lateRatio, 3);
  printRow("recorded / not recorded", report.recordRatio, 3);
  if (report.coldRatio) printRow("cold start / reading the file", *report.coldRatio, 3);
  if (report.peakBytes)
    printNumber("memory at most / weights",
                fixedText(memoryRatio(report, *report.peakBytes), 3));
  std::cout << '\n';
  printNumber(
      "plain step reads",
      fixedText(bytesPerSecond(report, TimingName::kPlainStep) / 1e9, 1) + " GB/s");
  printNumber("memory gives",
              fixedText(bytesPerSecond(report, TimingName::kReading) / 1e9, 1) + " GB/s");
  printNumber(
      "prompt of " + countText(static_cast<std::size_t>(report.promptTokens), "token"),
      fixedText(promptRate(report), 1) + " tokens/s");
  printNumber("large product", fixedText(report.largeProductRate / 1e9, 1) + " GFLOP/s");
  printNumber("memory at most", report.peakBytes ? bytesText(*report.peakBytes)
                                                 : "unknown: the system does not tell");
}

void printJson(const BenchReport& report) {
  for (const Timing& timing : report.timings)
    std::cout << jsonLine({{"timing", timing.name},
                           {"ms", spreadJson(timing.spread())},
                           {"rounds", timing.milliseconds.size()}});
  nlohmann::ordered_json summary{
      {"decode_ms", report.timing(TimingName::kPlainStep).spread().median},
      {"compare_ms", report.timing(TimingName::kComparisonStep).spread().median},
      {"ratio", report.comparisonRatio.median},
      {"materialised_ratio", report.materialisedRatio.median},
      {"weight_bytes", report.weightBytes},
      {"step_bytes", report.stepBytes},
      {"gb_per_s", bytesPerSecond(report, TimingName::kPlainStep) / 1e9},
      {"bandwidth_gb_per_s", bytesPerSecond(report, TimingName::kReading) / 1e9},
      {"bandwidth_fraction", report.bandwidthFraction.median},
      {"prompt_tokens", report.promptTokens},
      {"prefill_tokens_per_s", promptRate(report)},
      {"prefill_fraction", report.promptFraction.median},
      {"gemm_gflop_per_s", report.largeProductRate / 1e9},
      {"late_ratio", report.lateRatio.median},
      {"record_ratio", report.recordRatio.median}};
  if (report.coldRatio) summary["cold_ratio"] = report.coldRatio->median;
  if (report.peakBytes) {
    summary["rss_peak_bytes"] = *report.peakBytes;
    summary["memory_ratio"] = memoryRatio(report, *report.peakBytes);
  }
  summary["threads"] = report.threads;
  std::cout << jsonLine({{"summary", summary}});
}

}  // namespace equipatch::cli

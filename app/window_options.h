#pragma once

#include <QCommandLineParser>
#include <optional>

namespace equipatch {

/// What `equipatch` may be called with, but for `equipatch figure`.
struct WindowOptions {
  QCommandLineOption prompt;
  QCommandLineOption steps;
  QCommandLineOption run;

  WindowOptions();
  void addTo(QCommandLineParser& parser) const;
};

/// Prints the page that --completion or --manual asks for.
/// @returns the exit code; nothing when the first argument is neither
std::optional<int> printPage(int argc, char** argv);

}  // namespace equipatch

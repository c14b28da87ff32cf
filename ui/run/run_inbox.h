// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ui/run/engine.h"
#include "ui/work/inbox.h"

namespace equipatch {

/// Collects the results of the RunController's jobs, in order. Make sinks on the window's
/// thread; jobs use them on the worker's. Must be owned by a shared_ptr; sinks share it.
class RunInbox : public std::enable_shared_from_this<RunInbox> {
 public:
  using Item =
      std::variant<std::shared_ptr<const LoadedModel>, std::shared_ptr<const RunHeader>,
                   std::shared_ptr<const StepRecord>,
                   std::shared_ptr<const PreparedPrompt>,
                   std::shared_ptr<const MemoryShortage>, RunEnding,
                   std::filesystem::path, std::string>;

  // Making a sink drops the waiting results and, from now on, those of older sinks.
  std::shared_ptr<ModelSink> makeModelSink();
  std::shared_ptr<ContinuedRunSink> makeRunSink();
  std::shared_ptr<PromptSink> makePromptSink();

  std::vector<Item> take() { return m_inbox.take(); }
  /// Drops the waiting results and, from now on, those of the existing sinks.
  void discard() { m_inbox.renew(); }

 private:
  class Sink;
  std::shared_ptr<Sink> makeSink();

  Inbox<Item> m_inbox;
};

}  // namespace equipatch

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

/// All results of the RunController's jobs, in order. Its sinks fill it; they are made on
/// the window's thread and used on the worker's. Held by a shared_ptr, which the sinks
/// share.
class RunInbox : public std::enable_shared_from_this<RunInbox> {
 public:
  using Item =
      std::variant<std::shared_ptr<const LoadedModel>, std::shared_ptr<const RunHeader>,
                   std::shared_ptr<const StepRecord>,
                   std::shared_ptr<const PreparedPrompt>,
                   std::shared_ptr<const MemoryShortage>, RunEnding,
                   std::filesystem::path, std::string>;

  /// Each new sink begins a round: results that older sinks receive are dropped.
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

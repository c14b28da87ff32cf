#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "ui/run/engine.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// The window's inbox for everything a load or a run yields, in order, and the sinks that
/// fill it. Sinks are made on the window's thread and used on the worker's.
class RunInbox : public std::enable_shared_from_this<RunInbox> {
 public:
  using Item =
      std::variant<std::shared_ptr<const LoadedModel>, std::shared_ptr<const RunHeader>,
                   std::shared_ptr<const StepRecord>,
                   std::shared_ptr<const PreparedPrompt>,
                   std::shared_ptr<const MemoryShortage>>;

  /// A sink of a new generation: everything put through older sinks is dropped.
  std::shared_ptr<ModelSink> makeModelSink();
  std::shared_ptr<RunSink> makeRunSink();
  std::shared_ptr<PromptSink> makePromptSink();

  std::vector<Item> take() { return m_inbox.take(); }

 private:
  class Sink;
  std::shared_ptr<Sink> makeSink();

  Inbox<Item> m_inbox;
};

}  // namespace equipatch

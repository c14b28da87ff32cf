#pragma once

#include <memory>
#include <string>

#include "tests/support/records.h"
#include "ui/run/engine.h"

namespace equipatch::test {

/// Splits a text after every space; ids are lengths. Enough for counting and boundaries.
class WordTokenizer final : public Tokenizer {
 public:
  std::vector<Token> encode(std::string_view text, SpecialTokens specials) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override { return 1000; }
};

/// The chat template of the synthetic models; never rendered.
std::shared_ptr<const ChatTemplate> anyChatTemplate();

/// An engine whose jobs make their results up, on the worker's thread and through the
/// same gate as the real ones.
class SyntheticEngine final : public Engine {
 public:
  RecordShape shape;
  int failAfter = -1;       ///< the run throws after this many steps; −1: never
  std::string loadFailure;  ///< not empty: loading throws it
  bool hasTokenizer = true;
  bool hasChat = false;
  std::shared_ptr<const MemoryShortage> shortage;  ///< loading asks first
  ModelList models;                                ///< what listing finds

  std::unique_ptr<Job> makeLoadJob(const SessionRequest& request, MemoryCheck check,
                                   std::shared_ptr<ModelSink> sink) override;
  std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink) override;
  /// Writes "<user> MESSAGE <model> "; the message "refuse" is refused.
  std::unique_ptr<Job> makeChatJob(const LoadedModel& model, const std::string& message,
                                   std::shared_ptr<ChatSink> sink) override;
  std::unique_ptr<Job> makeRunJob(const LoadedModel& model, const RunRequest& request,
                                  const std::filesystem::path& record,
                                  std::shared_ptr<RunSink> sink) override;
  std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                      std::shared_ptr<RunSink> sink) override;

  static constexpr int kStoredSteps = 7;  ///< of every run that is opened

  int loads() const { return m_loads; }
  int runs() const { return m_runs; }
  int lists() const { return m_lists; }
  const RunRequest& lastRequest() const { return m_lastRequest; }
  const SessionRequest& lastModel() const { return m_lastModel; }
  const std::filesystem::path& lastRecord() const { return m_lastRecord; }
  const std::filesystem::path& lastOpened() const { return m_lastOpened; }

 private:
  int m_loads = 0;
  int m_runs = 0;
  int m_lists = 0;
  RunRequest m_lastRequest;
  SessionRequest m_lastModel;
  std::filesystem::path m_lastRecord, m_lastOpened;
};

}  // namespace equipatch::test

#pragma once

#include <filesystem>

#include "core/base/temporary_folder.h"
#include "core/run/session.h"

namespace equipatch {

/// @throws Error{Resource} where temporary files lie in memory: none of them is ever
/// cold.
void requireTemporaryFilesOnDisk();

/// How long a model's first step takes when nothing of its file is in memory yet.
class ColdStart {
 public:
  /// Writes a copy of the model's files into a temporary folder.
  /// @throws Error{Resource} when the disk refuses.
  explicit ColdStart(const Session& session);

  /// Forgets what is in memory of the copy.
  void cool() const;
  /// Reads the copy once from its beginning to its end.
  void readFile() const;
  /// Opens the copy and generates one token.
  void firstStep() const;

 private:
  std::filesystem::path weights() const { return m_folder.path() / "model.safetensors"; }

  TemporaryFolder m_folder;
  SessionRequest m_request;
};

}  // namespace equipatch

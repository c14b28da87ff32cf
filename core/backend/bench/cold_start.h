#pragma once

#include <filesystem>

#include "core/base/temporary_folder.h"
#include "core/run/session.h"

namespace equipatch {

/// How long a model's first step takes when nothing of its file is in memory yet.
class ColdStart {
 public:
  /// Writes a copy of the model's files into a temporary folder.
  /// @param place where that is made; it must lie on a disk (`folderOnDisk`), because in
  ///        memory no file is ever cold
  /// @throws Error{Resource} when the disk refuses.
  ColdStart(const Session& session, const std::filesystem::path& place);

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include "core/run/session.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

namespace equipatch::test {

enum class Computing { Native, Float32 };

/// Opens a session without reports of its progress.
inline std::shared_ptr<const Session> openSession(const SessionRequest& request) {
  SilentProgress silent;
  return Session::open(request, silent);
}

/// A session on a tiny random model in a temporary folder, without a tokenizer.
class TinySession {
 public:
  explicit TinySession(const TinyModel& model, DType dtype = DType::F32,
                       Computing computing = Computing::Native) {
    const auto folder = writeTinyCheckpoint(
        std::filesystem::path(m_folder.path().toStdString()) / "tiny", model);
    session = openSession({.folder = folder,
                           .dtype = dtype,
                           .computeFloat32 = computing == Computing::Float32});
  }

  std::shared_ptr<const Session> session;

 private:
  QTemporaryDir m_folder;
};

/// A session on a golden checkpoint of tests/data.
/// @param dtype absent for the stored one
inline std::shared_ptr<const Session> goldenSession(
    const std::string& name, std::optional<DType> dtype = DType::F32) {
  return openSession({.folder = test::data("golden/" + name), .dtype = dtype});
}

inline std::vector<Token> tokensOf(const std::vector<std::int64_t>& ids) {
  std::vector<Token> tokens;
  for (const std::int64_t id : ids) tokens.push_back({.id = TokenId(id)});
  return tokens;
}

}  // namespace equipatch::test

#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <filesystem>

namespace equipatch::test {

/// How a run of equipatch-cli ended.
struct CommandResult {
  int exitCode = -1;  ///< -1 when it crashed or hung
  QByteArray out;
  QByteArray err;

  /// Standard output as one JSON object a line; empty when a line is none.
  QList<QJsonObject> objects() const;
};

QString commandPath();
/// @param more environment variables, "NAME=value". The Hugging Face cache and the list
///        of used folders are a test's own.
CommandResult runCommand(const QStringList& arguments, const QStringList& more = {});

/// "" when `result` is a complaint as promised: the exit code, nothing on standard
/// output, and on standard error one line `error: …` that contains `part`; otherwise what
/// is wrong.
QString complaintProblem(const CommandResult& result, int exitCode, const QString& part);

/// A committed golden checkpoint folder.
QString goldenFolder(const char* name);

/// A changed copy of a committed golden checkpoint, writable, in `target`.
void copyGolden(const char* name, const QString& target);
void writeFile(const QString& path, const QByteArray& bytes);

/// A tiny byte-pair tokenizer with the pieces a, b, ab, c (0 to 3) and <s> (4) before
/// texts.
QByteArray tinyTokenizerJson();

/// Reads a .safetensors file on its own, not with the code under test.
struct StoredTensor {
  QString dtype;
  QList<qint64> shape;
  QByteArray bytes;

  QList<float> floats() const;
  QList<qint64> integers() const;
};
QMap<QString, StoredTensor> readTensors(const QString& path);

/// The golden prompt and its greedy continuation.
struct GoldenTokens {
  QList<qint64> prompt;
  QList<qint64> greedy;  ///< prompt and 12 tokens
};
GoldenTokens goldenTokens(const char* name);
QString idList(const QList<qint64>& ids);

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <filesystem>

class QProcess;

namespace equipatch::test {

/// How a run of equipatch-cli ended.
struct CommandResult {
  int exitCode = -1;  ///< -1 when it crashed or hung
  QByteArray out;
  QByteArray err;

  /// Standard output, one JSON object per line; empty when a line is not an object.
  QList<QJsonObject> objects() const;
};

QString commandPath();
/// This process's environment, but with temporary folders in place of the user's, and
/// with the golden checkpoints as the only resources.
/// @param more variables, each "NAME=value"
QProcessEnvironment commandEnvironment(const QStringList& more);
/// Runs equipatch-cli in `commandEnvironment(more)`.
CommandResult runCommand(const QStringList& arguments, const QStringList& more = {});
/// Waits for the end of a started command. Meanwhile, handles this thread's events.
CommandResult resultOf(QProcess& process);

/// Checks that the command ended with `exitCode`, wrote nothing to standard output, and
/// wrote to standard error one line `error: …` that contains `part`.
/// @returns what is wrong, or ""
QString stderrProblem(const CommandResult& result, int exitCode, const QString& part);

/// Bash's completions of the last word of `line`, sorted. If the script fails: its
/// messages.
/// @param script the output of `--completion bash`
/// @param folder the working folder
QStringList bashCompletions(const QByteArray& script, const QString& line,
                            const QString& folder);

QString goldenFolder(const char* name);

/// Copies a golden checkpoint's config.json and weights to `target`.
void copyGolden(const char* name, const QString& target);
void writeFile(const QString& path, const QByteArray& bytes);
/// The bytes of a file; empty when it cannot be read.
QByteArray contentOf(const QString& path);

/// A byte-pair tokenizer with the pieces a, b, ab and c (ids 0 to 3). It puts <s> (id 4)
/// before each text.
QByteArray tinyTokenizerJson();

/// A tensor of a .safetensors file.
struct StoredTensor {
  QString dtype;
  QList<qint64> shape;
  QByteArray bytes;

  QList<float> floats() const;
  QList<qint64> integers() const;
};
/// Reads a .safetensors file without the code under test.
QMap<QString, StoredTensor> readTensors(const QString& path);

/// A golden checkpoint's prompt and Hugging Face's greedy continuation.
struct GoldenTokens {
  QList<qint64> prompt;
  QList<qint64> greedy;  ///< the prompt and 12 generated tokens
};
GoldenTokens goldenTokens(const char* name);
QString idList(const QList<qint64>& ids);

}  // namespace equipatch::test

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
/// An environment without access to the user's models and files, and with the golden
/// checkpoints as the only resources.
/// @param more variables, "NAME=value", such as a Hugging Face cache
QProcessEnvironment commandEnvironment(const QStringList& more);
/// Runs equipatch-cli in `commandEnvironment(more)`.
CommandResult runCommand(const QStringList& arguments, const QStringList& more = {});
/// Waits for the end of a command that the caller has started. Meanwhile, handles this
/// thread's events, such as those of a server that answers the command.
CommandResult resultOf(QProcess& process);

/// Checks how a command reports an error: with this exit code, nothing on standard
/// output, and on standard error one line `error: …` that contains `part`.
/// @returns what is wrong, or ""
QString stderrProblem(const CommandResult& result, int exitCode, const QString& part);

/// Bash's completions of the last word of `line` in `folder`, sorted; if the script
/// fails, its messages.
/// @param script as `--completion bash` prints it
QStringList bashCompletions(const QByteArray& script, const QString& line,
                            const QString& folder);

/// The folder of a golden checkpoint in tests/data.
QString goldenFolder(const char* name);

/// Copies a golden checkpoint's config.json and weights to `target`.
void copyGolden(const char* name, const QString& target);
void writeFile(const QString& path, const QByteArray& bytes);
/// The bytes of a file; empty when it cannot be read.
QByteArray contentOf(const QString& path);

/// A byte-pair tokenizer with the pieces a, b, ab and c (0 to 3), which puts <s> (4)
/// before texts.
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

/// The golden prompt and its greedy continuation.
struct GoldenTokens {
  QList<qint64> prompt;
  QList<qint64> greedy;  ///< the prompt and 12 generated tokens
};
GoldenTokens goldenTokens(const char* name);
QString idList(const QList<qint64>& ids);

}  // namespace equipatch::test

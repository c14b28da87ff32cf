// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "tests/support/test_data.h"

namespace equipatch::test {

QList<QJsonObject> CommandResult::objects() const {
  QList<QJsonObject> all;
  for (const QByteArray& line : out.trimmed().split('\n')) {
    const QJsonDocument document = QJsonDocument::fromJson(line);
    if (!document.isObject()) return {};
    all += document.object();
  }
  return all;
}

QString commandPath() {
  return QStringLiteral(EQUIPATCH_CLI);
}

QProcessEnvironment commandEnvironment(const QStringList& more) {
  // Tests neither see nor change the user's models.
  static const QTemporaryDir user;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HOME", user.filePath("home"));
  environment.insert("HF_HOME", user.filePath("hf"));
  environment.insert("XDG_DATA_HOME", user.filePath("data"));
  environment.insert("XDG_CACHE_HOME", user.filePath("cache"));
  // Programs find the golden checkpoints but not the bundled models, which may be
  // missing.
  QDir(user.path()).mkpath("resources");
  const auto provide = [](const char* folder, const QString& name) {
    QFile::link(QString::fromStdString(data(folder).string()),
                user.filePath("resources/" + name));
  };
  provide("golden", "golden");
  provide("images", "golden-images");
  environment.insert("EQUIPATCH_RESOURCES", user.filePath("resources"));
  for (const QString& variable : more)
    environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
  return environment;
}

CommandResult runCommand(const QStringList& arguments, const QStringList& more) {
  QProcess process;
  process.setProcessEnvironment(commandEnvironment(more));
  process.start(commandPath(), arguments);
  CommandResult result;
  const bool ended = process.waitForFinished(120'000);
  if (!ended) process.kill();
  process.waitForFinished();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit)
    result.exitCode = process.exitCode();
  return result;
}

CommandResult resultOf(QProcess& process) {
  const bool ended =
      QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 120'000);
  CommandResult result;
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit)
    result.exitCode = process.exitCode();
  return result;
}

QString stderrProblem(const CommandResult& result, int exitCode, const QString& part) {
  const QString err = QString::fromUtf8(result.err);
  if (result.exitCode != exitCode)
    return QStringLiteral("exit code %1, said: %2").arg(result.exitCode).arg(err);
  if (!result.out.isEmpty())
    return "standard output has " + QString::fromUtf8(result.out);
  if (!err.startsWith("error: ") || err.count('\n') != 1 || !err.endsWith('\n'))
    return "not one line 'error: …': " + err;
  if (!err.contains(part)) return "'" + part + "' is missing in: " + err;
  return {};
}

QStringList bashCompletions(const QByteArray& script, const QString& line,
                            const QString& folder) {
  QProcess bash;
  bash.setWorkingDirectory(folder);
  writeFile(folder + "/completion.bash", script);
  bash.start("bash", {"--norc", "-c",
                      "set -u; . ./completion.bash; rm completion.bash\n"
                      "IFS=' '; COMP_WORDS=($1); [ \"${1: -1}\" != ' ' ] || "
                      "COMP_WORDS+=('')\n"
                      "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _${COMP_WORDS[0]//-/_}\n"
                      "printf '%s\\n' \"${COMPREPLY[@]}\" | LC_ALL=C sort",
                      "bash", line});
  if (!bash.waitForFinished(30'000)) bash.kill();
  if (bash.exitCode() != 0) return {QString::fromUtf8(bash.readAllStandardError())};
  return QString::fromUtf8(bash.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
}

QString goldenFolder(const char* name) {
  return QString::fromStdString(data(std::filesystem::path("golden") / name).string());
}

void copyGolden(const char* name, const QString& target) {
  const QDir source(goldenFolder(name));
  for (const char* file : {"config.json", "model.safetensors"})
    QFile::copy(source.filePath(file), QDir(target).filePath(file));
  for (const char* file : {"config.json", "model.safetensors"})
    QFile::setPermissions(QDir(target).filePath(file),
                          QFile::ReadOwner | QFile::WriteOwner);
}

void writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
    qFatal("%s cannot be written", qPrintable(path));
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray tinyTokenizerJson() {
  return R"({"version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [{"id": 4, "content": "<s>", "single_word": false, "lstrip": false,
                      "rstrip": false, "normalized": false, "special": true}],
    "normalizer": null, "pre_tokenizer": null,
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                 {"Sequence": {"id": "A", "type_id": 0}}],
      "pair": [{"Sequence": {"id": "A", "type_id": 0}},
               {"Sequence": {"id": "B", "type_id": 1}}],
      "special_tokens": {"<s>": {"id": "<s>", "ids": [4], "tokens": ["<s>"]}}},
    "decoder": {"type": "Fuse"},
    "model": {"type": "BPE", "dropout": null, "unk_token": null,
      "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
      "vocab": {"a": 0, "b": 1, "ab": 2, "c": 3}, "merges": ["a b"]}})";
}

QList<float> StoredTensor::floats() const {
  QList<float> values(bytes.size() / qsizetype(sizeof(float)));
  std::memcpy(values.data(), bytes.constData(), std::size_t(bytes.size()));
  return values;
}

QList<qint64> StoredTensor::integers() const {
  QList<qint64> values(bytes.size() / qsizetype(sizeof(qint64)));
  std::memcpy(values.data(), bytes.constData(), std::size_t(bytes.size()));
  return values;
}

QMap<QString, StoredTensor> readTensors(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray bytes = file.readAll();
  quint64 headerSize = 0;
  std::memcpy(&headerSize, bytes.constData(), sizeof(headerSize));
  const qsizetype start = 8 + qsizetype(headerSize);
  const QJsonObject header =
      QJsonDocument::fromJson(bytes.mid(8, qsizetype(headerSize))).object();
  QMap<QString, StoredTensor> tensors;
  for (const QString& name : header.keys()) {
    if (name == "__metadata__") continue;
    const QJsonObject entry = header[name].toObject();
    const QJsonArray offsets = entry["data_offsets"].toArray();
    StoredTensor tensor{entry["dtype"].toString(), {}, {}};
    for (const auto& extent : entry["shape"].toArray())
      tensor.shape += extent.toInteger();
    const qsizetype begin = offsets[0].toInteger();
    tensor.bytes = bytes.mid(start + begin, offsets[1].toInteger() - begin);
    tensors[name] = tensor;
  }
  return tensors;
}

GoldenTokens goldenTokens(const char* name) {
  const auto tensors = readTensors(goldenFolder(name) + "/golden.safetensors");
  return {tensors["input_ids"].integers(), tensors["greedy_ids"].integers()};
}

QString idList(const QList<qint64>& ids) {
  QStringList texts;
  for (const qint64 id : ids) texts += QString::number(id);
  return texts.join(',');
}

}  // namespace equipatch::test

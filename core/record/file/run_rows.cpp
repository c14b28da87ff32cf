// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_rows.h"

#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/machine.h"
#include "core/record/file/header_check.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

const std::string kEndingKey = "ending", kEndTimeKey = "end_time";

/// True for a number that an older file lacks. The manifest has no row for such a number,
/// except in files of earlier builds, which stored BranchOrigin::kNotRecorded.
bool isNotRecorded(const FieldName& key, const SqlValue& cell) {
  return key.isAdded && cell == SqlValue(BranchOrigin::kNotRecorded);
}

struct ManifestWriter {
  SqlStatement insert;
  template <typename Field>
  void operator()(const FieldName& key, const Field& field) {
    if (isNotRecorded(key, toSql(field))) return;
    bindKeys(insert, key.text, field);
    insert.run();
  }
};

struct ManifestReader {
  std::map<std::string, SqlValue> rows;
  template <typename Field>
  void operator()(const FieldName& key, Field& field) {
    const auto found = rows.find(key.text);
    if (found == rows.end() && key.isAdded) return;
    if (found == rows.end()) throw badInput("the manifest lacks " + inQuotes(key.text));
    if (isNotRecorded(key, found->second)) return;
    try {
      fromSql(found->second, field);
    } catch (const Error& error) {
      throw error.within("the manifest's " + inQuotes(key.text));
    }
  }
};

ManifestReader readManifest(const SqlDatabase& database) {
  ManifestReader manifest;
  SqlStatement select = database.prepare(runSchema().manifest.selectSql(0));
  for (Rows rows(select); rows.next();) {
    std::string key;
    fromSql(select.value(0), key);
    manifest.rows[key] = select.value(1);
  }
  return manifest;
}

template <typename List, typename Columns>
void writeList(const SqlDatabase& database, const RunTable& table, const List& list,
               Columns columns) {
  SqlStatement insert = database.prepare(table.insertSql());
  std::int64_t number = 0;
  for (const auto& entry : list) {
    RowWriter at(insert, bindKeys(insert, number++));
    columns(at, entry);
    insert.run();
  }
}

template <typename Entry, typename Columns>
void readList(const SqlDatabase& database, const RunTable& table, Columns columns,
              std::vector<Entry>& list) {
  const RunTable found = table.in(database);
  SqlStatement select = database.prepare(found.selectSql(0));
  try {
    for (Rows rows(select); rows.next();) {
      rows.expectKey(0, list.size());
      RowReader at(select, 1, found.columns);
      columns(at, list.emplace_back());
    }
  } catch (const Error& error) {
    throw Error(error.kind(),
                "table " + inQuotes(table.name) + ": " + database.problemOf(error));
  }
}

/// Calls visit(table, list, columns) for each list that every run file has.
template <typename Header, typename Visit>
void visitLists(Header& header, Visit visit) {
  const RunSchema& schema = runSchema();
  visit(schema.prompt, header.request.prompt,
        [](auto& at, auto& token) { tokenColumns(at, token); });
  visit(schema.tensorFiles, header.provenance.tensorFiles,
        [](auto& at, auto& file) { tensorFileColumns(at, file); });
  visit(schema.parameters, header.parameters,
        [](auto& at, auto& parameter) { parameterColumns(at, parameter); });
}

constexpr int kPictureColumn = 5;

void writeImages(const SqlDatabase& database, const RunRequest& request) {
  SqlStatement insert = database.prepare(runSchema().images.insertSql());
  std::int64_t number = 0;
  for (const PromptImage& image : request.images) {
    bindKeys(insert, number++, image.picture->name, image.picture->sha256,
             image.tokens.first, image.tokens.last);
    if (request.keepPictures)
      insert.bind(kPictureColumn, std::as_bytes(std::span(image.picture->bytes)));
    insert.run();
  }
}

/// @param request as read from the manifest
std::vector<PromptImage> readImages(const SqlDatabase& database,
                                    const RunRequest& request) {
  std::vector<PromptImage> images;
  const RunTable& table = runSchema().images;
  if (!table.isIn(database)) return images;
  SqlStatement select = database.prepare(table.selectSql(0));
  for (Rows rows(select); rows.next();) {
    rows.expectKey(0, images.size());
    PictureFile picture;
    fromSql(select.value(1), picture.name);
    fromSql(select.value(2), picture.sha256);
    const auto bytes = select.blob(kPictureColumn);
    const bool isLeftOut = bytes.empty() && !request.keepPictures;
    if (!isLeftOut && sha256(bytes) != picture.sha256)
      throw badInput(
          "the image " + inQuotes(picture.name) +
          (bytes.empty() ? " is missing" : " has another SHA-256 than recorded"));
    picture.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    images.push_back({std::make_shared<const PictureFile>(std::move(picture)),
                      {rows.key(3), rows.key(4)}});
  }
  return images;
}

}  // namespace

void addContinuation(const SqlDatabase& database, std::int64_t number,
                     const Continuation& continuation) {
  const RunTable& table = runSchema().continuations;
  if (!table.isIn(database)) database.execute(table.createSql());
  SqlStatement insert = database.prepare(table.insertSql());
  RowWriter at(insert, bindKeys(insert, number));
  continuationColumns(at, continuation);
  insert.run();
}

void writeHeader(const SqlDatabase& database, const RunHeader& header) {
  ManifestWriter manifest{database.prepare(runSchema().manifest.insertSql())};
  headerFields(manifest, header);
  visitLists(header, [&](const RunTable& table, const auto& list, auto columns) {
    writeList(database, table, list, columns);
  });
  writeImages(database, header.request);
  std::int64_t number = 0;
  for (const Continuation& continuation : header.continuations)
    addContinuation(database, number++, continuation);
}

RunHeader readHeader(const SqlDatabase& database) {
  try {
    RunHeader header;
    header.request.branch.tokens = BranchOrigin::kNotRecorded;
    ManifestReader manifest = readManifest(database);
    headerFields(manifest, header);
    visitLists(header, [&](const RunTable& table, auto& list, auto columns) {
      readList(database, table, columns, list);
    });
    header.request.images = readImages(database, header.request);
    if (const RunTable& table = runSchema().continuations; table.isIn(database))
      readList(
          database, table,
          [](auto& at, auto& continuation) { continuationColumns(at, continuation); },
          header.continuations);
    checkHeader(header);
    return header;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput) throw;
    throw database.damaged(error);
  }
}

void removeEnding(const SqlDatabase& database) {
  SqlStatement remove = database.prepare("DELETE FROM manifest WHERE key IN (?, ?)");
  bindKeys(remove, kEndingKey, kEndTimeKey);
  remove.run();
}

void writeEnding(const SqlDatabase& database, RunEnding ending) {
  removeEnding(database);
  ManifestWriter manifest{database.prepare(runSchema().manifest.insertSql())};
  manifest(kEndingKey,
           std::string(ending == RunEnding::Complete ? "complete" : "stopped"));
  manifest(kEndTimeKey, utcNow());
}

RunEnding readEnding(const SqlDatabase& database) {
  SqlStatement select = database.prepare(runSchema().manifest.selectSql(1));
  Rows rows(select, kEndingKey);
  if (!rows.next()) return RunEnding::Interrupted;
  return select.value(0) == SqlValue("complete") ? RunEnding::Complete
                                                 : RunEnding::Stopped;
}

std::string readEndTime(const SqlDatabase& database) {
  SqlStatement select = database.prepare(runSchema().manifest.selectSql(1));
  Rows rows(select, kEndTimeKey);
  std::string time;
  if (rows.next()) fromSql(select.value(0), time);
  return time;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_writer.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/record/file/run_rescue.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_tables.h"
#include "core/record/file/step_digest.h"

namespace equipatch {
namespace {

/// The destructor rolls back unless `commit` succeeded.
class Transaction {
 public:
  explicit Transaction(const SqlDatabase& database) : m_database(database) {
    m_database.execute("BEGIN");
  }
  ~Transaction() {
    if (m_done) return;
    try {
      m_database.execute("ROLLBACK");
    } catch (const Error&) {  // SQLite rolled back already
    }
  }
  void commit() {
    m_database.execute("COMMIT");
    m_done = true;
  }

 private:
  const SqlDatabase& m_database;
  bool m_done = false;
};

struct VectorPlace {
  std::int64_t step = 0;
  std::string kind;
  std::int64_t layer = 0;
  std::int64_t number = 0;
  std::string weight = {};
};

namespace fs = std::filesystem;

constexpr std::uintmax_t kSmallestRunFile = 4096;  // one SQLite page

/// False also if the lookup fails, for example because the name is too long.
bool isTaken(const fs::path& path) {
  std::error_code ignored;
  const fs::file_type type = fs::symlink_status(path, ignored).type();
  return type != fs::file_type::not_found && type != fs::file_type::none;
}

/// True for an empty file and for an incomplete first page of an SQLite file. A recording
/// that is killed at its start leaves such a file.
bool isStartOfRunFile(const fs::path& path) {
  constexpr std::string_view kMagic{"SQLite format 3\0", 16};
  if (!isFile(path)) return false;
  std::error_code failure;
  std::string start(kMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (file.gcount() == 0) return fs::file_size(path, failure) == 0;
  return start == kMagic && fs::file_size(path, failure) < kSmallestRunFile;
}

/// True if the file is a run file, possibly damaged or unfinished.
bool isRunFile(const fs::path& path) {
  try {
    if (SqlDatabase::openUntrusted(path)->integer("PRAGMA application_id") == kRunFileId)
      return true;
  } catch (const Error&) {  // not a database, or less than a page of one
  }
  return isStartOfRunFile(path);
}

/// Checks that the file may be created or replaced.
void checkName(const fs::path& path, ExistingFile existing) {
  if (existing == ExistingFile::Continue) return;  // RunWriter::toContinue checks it
  if (path.empty()) throw badInput("the name of the file to record is empty; give one");
  if (!isTaken(path)) return;
  const std::string taken = path.string() + " exists already";
  if (isFile(path) && FileClaim::isHeld(path))
    throw badInput(taken +
                   ": another program is recording into it right now; choose another "
                   "name, or wait for its end");
  if (!isRunFile(path))
    throw badInput(
        taken +
        " and is not a run file that can be read, so it is not replaced; choose "
        "another name");
  if (existing == ExistingFile::Refuse)
    throw badInput(taken + "; choose another name, or replace it (compare --force)");
}

}  // namespace

struct RunWriter::State {
  State(const std::filesystem::path& path, const RunHeader& given, LostFile onLoss,
        const RunLabels& labels)
      : header(given), database(SqlDatabase::create(path)), whenLost(onLoss) {
    leaveSyncingToTheSystem();
    Transaction transaction(*database);
    createTables(*database);
    writeHeader(*database, header);
    if (!labels.empty()) writeLabels(*database, labels);
    transaction.commit();
    prepare();
    database->keep();
  }

  State(const std::filesystem::path& path, const Continuation& continuation)
      : database(SqlDatabase::openToRecord(path)), started(continuation) {
    leaveSyncingToTheSystem();
    requireExtensible();
    header = readHeader(*database);
    added = database->integer("SELECT coalesce(max(step) + 1, 0) FROM steps");
    prepare();
  }

  void requireExtensible() const {
    const std::string path = database->path().string();
    const RunSchema& schema = runSchema();
    checkTables(*database);
    for (const RunTable* table :
         {&schema.manifest, &schema.steps, &schema.choices, &schema.layers,
          &schema.matrices, &schema.vectors, &schema.continuations, &schema.digests})
      if (!table->isWhole(*database) && (!table->isAdded || table->isIn(*database)))
        throw badInput(path +
                       ": another version of Equipatch recorded it, so no steps can be "
                       "added; continue the run in another file (compare --out "
                       "OTHER.eqrun)");
  }

  /// Syncing at every step would slow small models down. Even without syncing, what a
  /// killed program wrote reaches the disk.
  void leaveSyncingToTheSystem() const { database->execute("PRAGMA synchronous = OFF"); }

  void prepare() {
    pageSize = database->integer("PRAGMA page_size");
    pageCount = database->prepare("PRAGMA page_count");
    size = fileSize();
    const RunSchema& schema = runSchema();
    steps = database->prepare(schema.steps.insertSql());
    choices = database->prepare(schema.choices.insertSql());
    layers = database->prepare(schema.layers.insertSql());
    matrices = database->prepare(schema.matrices.insertSql());
    vectors = database->prepare(schema.vectors.insertSql());
    stepDigests.emplace(*database);
  }

  std::int64_t fileSize() {
    pageCount.step();
    const std::int64_t pages = std::get<std::int64_t>(pageCount.value(0));
    pageCount.reset();
    return pages * pageSize;
  }

  /// Calls `change` in a transaction. Checks before and after that the file is in place
  /// and not shorter. @param record the step that `change` adds; null if none
  template <typename Change>
  void changeFile(const StepRecord* record, Change change);
  void requireWhole(const StepRecord* next) const {
    if (const std::string what = database->loss(size); !what.empty()) lose(what, next);
  }
  [[noreturn]] void lose(const std::string& what, const StepRecord* next) const {
    if (whenLost == LostFile::Report)
      throw badInput(database->path().string() + " " + what +
                     " while it was being written; write it again");
    RunHeader rescued = header;
    if (next && started) rescued.continuations.push_back(*started);
    throw rescueSteps({*database, rescued, added, digests, next}, what);
  }

  void startContinuation();
  void write(const StepRecord& record);
  /// Computes the digests from the file's rows: call it after all others are written.
  void writeDigest(const StepRecord& record);
  void write(std::int64_t step, std::int64_t index, const LayerRecord& layer);
  void write(std::int64_t step, std::int64_t index, const LayerFactors& factors);
  void write(std::int64_t step, const std::string& pass, const Choices& list);
  template <typename Number>
  void write(const VectorPlace& place, const std::vector<Number>& vector);

  RunHeader header;
  std::unique_ptr<SqlDatabase> database;
  SqlStatement steps, choices, layers, matrices, vectors, pageCount;
  std::int64_t pageSize = 0;
  std::optional<StepDigests> stepDigests;
  StepDigest digest;                ///< of the step that was written last
  std::int64_t added = 0;           ///< steps in the file
  std::vector<StepDigest> digests;  ///< of the steps that this object added
  std::int64_t size = 0;            ///< bytes that an intact file has at least
  LostFile whenLost = LostFile::Rescue;
  /// Written with the next step; none if already written or the file is new.
  std::optional<Continuation> started = {};
};

template <typename Change>
void RunWriter::State::changeFile(const StepRecord* record, Change change) {
  requireWhole(record);
  try {
    Transaction transaction(*database);
    change();
    transaction.commit();
  } catch (const Error& error) {
    requireWhole(record);
    const bool isDamage = error.kind() == ErrorKind::BadInput;
    if (isDamage && SqlDatabase::isDamaged(database->path())) lose("was damaged", record);
    throw;
  }
  if (record) {
    ++added;
    digests.push_back(std::move(digest));
    if (started) header.continuations.push_back(*std::exchange(started, std::nullopt));
  }
  // If fileSize() is smaller, the file was just truncated: requireWhole reports it.
  size = std::max(size, fileSize());
  requireWhole(nullptr);
}

template <typename Number>
void RunWriter::State::write(const VectorPlace& place,
                             const std::vector<Number>& vector) {
  if (vector.empty()) return;
  const std::string dtype(
      safetensorsName(sizeof(Number) == sizeof(float) ? DType::F32 : DType::F64));
  const int next = bindKeys(vectors, place.step, place.kind, place.layer, place.number,
                            place.weight, dtype);
  vectors.bind(next, std::as_bytes(std::span(vector)));
  vectors.run();
}

void RunWriter::State::write(std::int64_t step, const std::string& pass,
                             const Choices& list) {
  std::int64_t rank = 0;
  for (const Choice& choice : list) {
    RowWriter at(choices, bindKeys(choices, step, pass, rank++));
    choiceColumns(at, choice);
    choices.run();
  }
}

void RunWriter::State::write(std::int64_t step, std::int64_t index,
                             const LayerRecord& layer) {
  RowWriter at(layers, bindKeys(layers, step, index));
  layerColumns(at, layer);
  layers.run();
  std::int64_t number = 0;
  for (const MatrixPatchNorm& norm : layer.matrices) {
    RowWriter row(matrices, bindKeys(matrices, step, index, number++));
    matrixColumns(row, norm);
    matrices.run();
  }
  write({step, VectorKind::kScaleDelta, index}, layer.scaleDelta);
}

void RunWriter::State::write(std::int64_t step, std::int64_t index,
                             const LayerFactors& factors) {
  std::int64_t number = 0;
  for (const MatrixFactors& matrix : factors.matrices) {
    write({step, VectorKind::kU, index, number, matrix.weight}, matrix.u);
    write({step, VectorKind::kW, index, number, matrix.weight}, matrix.w);
    ++number;
  }
  for (const LayerVector& vector : kLayerVectors)
    write({step, vector.kind, index}, factors.*vector.field);
}

void RunWriter::State::startContinuation() {
  removeEnding(*database);
  addContinuation(*database, std::ssize(header.continuations), *started);
  const RunTable& table = runSchema().digests;
  if (!table.isIn(*database)) database->execute(table.createSql());
}

void RunWriter::State::writeDigest(const StepRecord& record) {
  digest = {stepDigests->of(record.step, StepPart::Record), {}};
  if (record.factors) digest.factors = stepDigests->of(record.step, StepPart::Factors);
  SqlStatement insert = database->prepare(runSchema().digests.insertSql());
  const int next = bindKeys(insert, record.step, digest.record);
  if (!digest.factors.empty()) insert.bind(next, digest.factors);
  insert.run();
}

void RunWriter::State::write(const StepRecord& record) {
  if (started) startContinuation();
  const std::int64_t step = record.step.value;
  RowWriter at(steps, bindKeys(steps, step));
  stepColumns(at, record);
  steps.run();
  write(step, "contextual", record.contextual);
  write(step, "patched", record.patched);
  write(step, "bare", record.bare);
  write(step, "ablated", record.ablated);
  for (std::size_t layer = 0; layer < record.layers.size(); ++layer)
    write(step, static_cast<std::int64_t>(layer), record.layers[layer]);
  write({step, VectorKind::kLayerNoise}, record.layerNoise);
  write({step, VectorKind::kLayerRounding}, record.layerRounding);
  const std::size_t count = record.factors ? record.factors->size() : 0;
  for (std::size_t layer = 0; layer < count; ++layer)
    write(step, static_cast<std::int64_t>(layer), (*record.factors)[layer]);
  writeDigest(record);
}

RunWriter::RunWriter(const std::filesystem::path& path, const RunHeader& header,
                     LostFile lost, const RunLabels& labels)
    : m_state(std::make_unique<State>(path, header, lost, labels)) {}

RunWriter::RunWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}

RunWriter RunWriter::toContinue(const fs::path& path, const Continuation& continuation) {
  return RunWriter(std::make_unique<State>(path, continuation));
}

RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

std::int64_t RunWriter::steps() const {
  return m_state->added;
}

void RunWriter::add(const StepRecord& record) {
  m_state->changeFile(&record, [&] { m_state->write(record); });
}

void RunWriter::finish(RunEnding ending) {
  const SqlDatabase& database = *m_state->database;
  if (m_state->started && ending == RunEnding::Stopped) return;
  m_state->requireWhole(nullptr);
  database.execute("PRAGMA synchronous = FULL");
  m_state->changeFile(nullptr, [&] { writeEnding(database, ending); });
  if (SqlDatabase::isDamaged(database.path())) m_state->lose("was damaged", nullptr);
}

RunRecorder::RunRecorder(fs::path path, ExistingFile existing,
                         std::shared_ptr<RunSink> next, RunLabels labels)
    : m_path(std::move(path)),
      m_existing(existing),
      m_next(std::move(next)),
      m_labels(std::move(labels)) {
  checkName(m_path, m_existing);
  if (m_existing != ExistingFile::Continue) requireFolderFor(m_path);
}

void RunRecorder::runStarted(std::shared_ptr<const RunHeader> header) {
  checkName(m_path, m_existing);
  if (m_existing == ExistingFile::Replace) FileClaim::removeUnheld(m_path);
  if (m_existing == ExistingFile::Continue)
    m_writer.emplace(RunWriter::toContinue(m_path, header->continuations.back()));
  else
    m_writer.emplace(m_path, *header, LostFile::Rescue, m_labels);
  m_next->runStarted(std::move(header));
}

void RunRecorder::stepTaken(std::shared_ptr<const StepRecord> record) {
  const bool isInFile =
      m_existing == ExistingFile::Continue && record->step.value < m_writer->steps();
  m_writing = !isInFile;
  if (!isInFile) m_writer->add(*record);
  m_writing = false;
  m_next->stepTaken(std::move(record));
}

void RunRecorder::finish(RunEnding ending) {
  if (!m_writer || m_writing) return;
  m_writing = true;
  try {
    m_writer->finish(ending);
  } catch (const Error& error) {
    m_writing = error.kind() != ErrorKind::Resource;
    throw;
  }
  m_writing = false;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/resident_weights.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/weights.h"

namespace equipatch {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{2} << 20;  // fits into the CPU's cache
constexpr std::size_t kLine = 64;
constexpr std::size_t kMostBytes = std::numeric_limits<std::size_t>::max() / 2;
// At least four threads read, even on fewer processors: while some wait for the disk, or
// for the system to clear new memory, others copy.
constexpr int kFewestThreads = 4, kMostThreads = 8;
// Pieces that are read between two checks for a stop request. Their page cache is
// released together, because releasing it piece by piece is slow.
constexpr std::size_t kPiecesTogether = 32;

/// A weight and its place in the block of memory.
struct Target {
  const std::string* name;
  const StoredWeight* weight;
  TensorView view;  ///< the stored tensor, or the slice of it that holds the weight
  TensorPart part;  ///< the weight's part of the view
  std::size_t begin = 0;
};

Target targetOf(const std::string& name, const StoredWeight& weight) {
  Target target{&name, &weight, weight.stored, weight.part};
  if (weight.part.slices == 0) return target;
  const std::size_t size =
      target.view.bytes.size() / static_cast<std::size_t>(weight.part.slices);
  target.view.bytes =
      target.view.bytes.subspan(static_cast<std::size_t>(weight.part.slice) * size, size);
  target.view.shape.erase(target.view.shape.begin());
  target.part.slices = target.part.slice = 0;
  return target;
}

/// True for a weight that a run in any dtype uses as stored: a matrix in MXFP4, or the
/// per-layer embeddings, of which a token needs a single row.
bool staysInItsFile(const std::string& name, const StoredWeight& weight) {
  return weight.scales || name == "per_layer_embed";
}

/// True for a weight of a layer. Only layers' matrices have their Frobenius norms
/// measured, because a patch changes no other matrix.
bool isOfLayer(const std::string& name) {
  return name.starts_with("layers.");
}

/// A stored tensor, or a slice of one, which is read once for all weights that are parts
/// of it.
struct Source {
  std::vector<Target> targets;  ///< at least one
  /// Σ w² of each row of the weight, summed in the order of squaredFrobeniusNorm; empty
  /// if this weight's norm is not measured.
  std::vector<double> squares = {};

  const TensorView& view() const { return targets.front().view; }
  bool isMatrix() const { return view().shape.size() == 2; }
  /// True if one weight takes all stored elements in the stored order.
  bool isWhole() const {
    const TensorPart& part = targets.front().part;
    return targets.size() == 1 && part.parts == 1 && !(part.transposed && isMatrix());
  }
  /// The source's size in units: elements if `isWhole`, otherwise stored rows.
  std::int64_t units() const {
    return isWhole() ? view().elements() : view().shape.front();
  }
  std::size_t unitBytes() const {
    return view().bytes.size() / static_cast<std::size_t>(units());
  }
  /// A piece has a multiple of this many units, so that it consists of whole rows if
  /// `squares` are computed.
  std::int64_t grain() const {
    return squares.empty() ? 1 : targets.front().weight->shape.back();
  }
};

struct Piece {
  Source* source;
  std::int64_t first;  ///< in units of the source
  std::int64_t count;  ///< in units of the source

  std::span<const std::byte> bytes() const {
    return source->view().bytes.subspan(
        static_cast<std::size_t>(first) * source->unitBytes(),
        static_cast<std::size_t>(count) * source->unitBytes());
  }
};

/// On overflow, returns a size that the system refuses to allocate.
std::size_t bytesOf(const StoredWeight& weight, DType dtype) {
  std::size_t bytes = byteSize(dtype);
  for (const std::int64_t extent : weight.shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes))
      return kMostBytes - kLine;
  return bytes;
}

/// Copies what a piece contains of one weight.
/// @param rows the piece as stored [count, …]
void scatter(const Piece& piece, const Tensor& rows, const Tensor& target,
             const TensorPart& part) {
  if (piece.source->isWhole()) {
    target.view(-1).narrow(0, piece.first, piece.count).copy_(rows);
    return;
  }
  const std::int64_t outputs = target.size(0) / part.groups;  // rows of a group in target
  if (part.transposed && piece.source->isMatrix()) {
    target.view({part.groups, outputs, target.size(1)})
        .narrow(2, piece.first, piece.count)
        .copy_(partOf(rows, part));
    return;
  }
  const std::int64_t partRows = outputs / part.span;
  const std::int64_t group = partRows * part.parts;  // stored rows of a group
  const std::int64_t end = piece.first + piece.count;
  for (std::int64_t g = piece.first / group; g * group < end; ++g) {
    const std::int64_t begin = g * group + part.index * partRows;
    const std::int64_t low = std::max(begin, piece.first);
    const std::int64_t count = std::min(begin + outputs, end) - low;
    if (count > 0)
      target.narrow(0, g * outputs + low - begin, count)
          .copy_(rows.narrow(0, low - piece.first, count));
  }
}

class ResidentReader {
 public:
  ResidentReader(const Checkpoint& checkpoint, DType dtype) : m_dtype(dtype) {
    for (const auto& [name, weight] : checkpoint.weights())
      if (!weight.stored.owner->path().empty() && !weight.stored.bytes.empty() &&
          !staysInItsFile(name, weight))
        m_targets.push_back(targetOf(name, weight));
    planSources();
    planPieces();
  }

  std::map<std::string, ResidentWeight> read(Progress& progress) {
    const auto memory = FileMap::inMemory(m_end, [&](std::span<std::byte> block) {
      m_block = block.data();
      readPieces(progress);
    });
    std::map<std::string, ResidentWeight> weights;
    for (const Source& source : m_sources)
      for (const Target& target : source.targets)
        weights[*target.name] = {
            at::from_blob(
                addressOf(target), target.weight->shape, [memory](void*) {}, options()),
            std::sqrt(
                std::accumulate(source.squares.begin(), source.squares.end(), 0.0))};
    return weights;
  }

 private:
  at::TensorOptions options() const { return at::TensorOptions(toTorch(m_dtype)); }
  void* addressOf(const Target& target) const { return m_block + target.begin; }

  /// Groups the weights by source, in the order of each file, and assigns their places in
  /// the block of memory.
  void planSources() {
    const auto start = [](const Target& target) { return target.view.bytes.data(); };
    std::ranges::stable_sort(m_targets, std::less<>(), start);
    for (Target& target : m_targets) {
      const bool isNew = m_sources.empty() ||
                         m_sources.back().view().bytes.data() != target.view.bytes.data();
      if (isNew) m_sources.emplace_back();
      target.begin = m_end;
      m_sources.back().targets.push_back(target);
      m_end += std::min((bytesOf(*target.weight, m_dtype) + kLine - 1) / kLine * kLine,
                        kMostBytes - m_end);
    }
    for (Source& source : m_sources) {
      const std::vector<std::int64_t>& shape = source.targets.front().weight->shape;
      if (source.isWhole() && shape.size() == 2 &&
          static_cast<std::uint64_t>(shape[1]) <= kPieceBytes / source.unitBytes() &&
          isOfLayer(*source.targets.front().name))
        source.squares.resize(static_cast<std::size_t>(shape[0]));
    }
  }

  void planPieces() {
    for (Source& source : m_sources) {
      const auto fitting = static_cast<std::int64_t>(
          std::max<std::size_t>(1, kPieceBytes / source.unitBytes()));
      const std::int64_t most = fitting / source.grain() * source.grain();
      for (std::int64_t first = 0; first < source.units(); first += most)
        m_pieces.push_back({&source, first, std::min(most, source.units() - first)});
      m_bytes += source.view().bytes.size();
    }
  }

  void readPieces(Progress& progress) {
    const MallocRetention kept;  // so that the buffers reuse memory
    const int threads = readingThreads();
    double done = 0.0;
    std::vector<FilePart> before;  // their page cache is released during the next reads
    const auto release = [&] {
      for (const FilePart& part : before) part.file->dropCached(part.bytes);
    };
    for (std::size_t first = 0; first < m_pieces.size(); first += kPiecesTogether) {
      progress.throwIfStopped();
      progress.report(done / static_cast<double>(m_bytes), "Reading the weights");
      const std::span<const Piece> pieces = std::span(m_pieces).subspan(
          first, std::min(kPiecesTogether, m_pieces.size() - first));
      ThreadPool::instance().run(threads - 1,
                                 static_cast<std::uint32_t>(pieces.size() + 1),
                                 [&](std::int64_t at) {
                                   if (at == 0)
                                     release();
                                   else
                                     readOne(pieces[static_cast<std::size_t>(at - 1)]);
                                 });
      if (m_failure) std::rethrow_exception(m_failure);
      before = partsOf(pieces);
      for (const Piece& piece : pieces) done += static_cast<double>(piece.bytes().size());
    }
    std::set<const FileMap*> files;
    for (const Source& source : m_sources) files.insert(source.view().owner.get());
    for (const FileMap* file : files)  // also pages that no part contains entirely
      file->dropCached(file->bytes());
  }

  /// The parts of files that the pieces cover; adjacent pieces become one part.
  static std::vector<FilePart> partsOf(std::span<const Piece> pieces) {
    std::vector<FilePart> parts;
    for (const Piece& piece : pieces) {
      const std::span<const std::byte> bytes = piece.bytes();
      const auto& file = piece.source->view().owner;
      FilePart* last = parts.empty() ? nullptr : &parts.back();
      if (last && last->file == file &&
          last->bytes.data() + last->bytes.size() == bytes.data())
        last->bytes = {last->bytes.data(), last->bytes.size() + bytes.size()};
      else
        parts.push_back({file, bytes});
    }
    return parts;
  }

  /// Keeps the first error, because the pool's work must not throw.
  void readOne(const Piece& piece) {
    if (m_failed.test()) return;
    try {
      readPiece(piece);
    } catch (...) {
      if (!m_failed.test_and_set()) m_failure = std::current_exception();
    }
  }

  void readPiece(const Piece& piece) {
    const FileMap& file = *piece.source->view().owner;
    const DType stored = piece.source->view().dtype;
    const std::span<const std::byte> bytes = piece.bytes();
    if (piece.source->isWhole() && stored == m_dtype) {
      std::byte* to = static_cast<std::byte*>(addressOf(piece.source->targets.front()));
      const auto begin = static_cast<std::size_t>(piece.first) * byteSize(m_dtype);
      file.read(bytes, {to + begin, bytes.size()});
    } else {
      convert(piece, file, stored);
    }
    if (!piece.source->squares.empty()) sumSquares(piece);
  }

  void sumSquares(const Piece& piece) {
    const Target& target = piece.source->targets.front();
    const std::int64_t inputs = target.weight->shape[1];
    const std::size_t rowBytes = static_cast<std::size_t>(inputs) * byteSize(m_dtype);
    const auto* rows = static_cast<const std::byte*>(addressOf(target));
    const auto first = static_cast<std::size_t>(piece.first / inputs);
    const auto end = static_cast<std::size_t>((piece.first + piece.count) / inputs);
    for (std::size_t row = first; row < end; ++row)
      piece.source->squares[row] = squareSum(m_dtype, rows + row * rowBytes, inputs);
  }

  void convert(const Piece& piece, const FileMap& file, DType stored) {
    const c10::InferenceMode inference;
    at::get_num_threads();  // a thread's first call sets OpenMP's number of threads,
                            // which `alone` then limits
    const NoLibraryThreads alone;
    std::vector<std::int64_t> shape{piece.count};
    if (!piece.source->isWhole()) {
      shape = piece.source->view().shape;
      shape.front() = piece.count;
    }
    const Tensor rows = at::empty(shape, at::TensorOptions(toTorch(stored)));
    file.read(piece.bytes(), {static_cast<std::byte*>(rows.data_ptr()), rows.nbytes()});
    for (const Target& target : piece.source->targets)
      scatter(piece, rows,
              at::from_blob(addressOf(target), target.weight->shape, options()),
              target.part);
  }

  DType m_dtype;
  std::vector<Target> m_targets;
  std::vector<Source> m_sources;
  std::vector<Piece> m_pieces;
  std::size_t m_end = 0;    ///< the block's size
  std::size_t m_bytes = 0;  ///< the size of all sources
  std::byte* m_block = nullptr;
  std::atomic_flag m_failed;
  std::exception_ptr m_failure;  ///< read after the pool has returned
};

}  // namespace

std::map<std::string, ResidentWeight> readResidentWeights(const Checkpoint& checkpoint,
                                                          const Arithmetic& arithmetic,
                                                          Progress& progress) {
  return ResidentReader(checkpoint, arithmetic.dtype()).read(progress);
}

int readingThreads() {
  return std::clamp(kernelThreads(), kFewestThreads, kMostThreads);
}

}  // namespace equipatch
